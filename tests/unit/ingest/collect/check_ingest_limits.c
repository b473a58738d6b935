/* Hostile profiles: what is stored of them is bounded, and the limit is reported once. */
#include <stdio.h>

#include "base/strbuf.h"
#include "base/text/utf8.h"
#include "ingest/collect/bounded_text.h"
#include "ingest/collect/result_memory.h"
#include "ingest/collect/row_groups.h"
#include "ingest/reader.h"
#include "ingest/neuron/summary.h"
#include "ingest/neuron/collect.h"
#include "tests/unit/ingest_fixture.h"

/* --- texts --- */

START_TEST(cuts_texts_at_a_character)
{
	struct arena arena = {0};
	struct strbuf sb = {0};
	const char *kept = NULL;
	strbuf_repeat(&sb, "x", bounded_text_limit);
	bounded_text_set(&arena, &kept, strbuf_span(&sb));
	ck_assert_uint_eq(strlen(kept), bounded_text_limit);
	strbuf_truncate(&sb, bounded_text_limit - 1);
	strbuf_addstr(&sb, "\xe2\x82\xac");
	bounded_text_set(&arena, &kept, strbuf_span(&sb));
	ck_assert_uint_eq(strlen(kept), bounded_text_limit - 1);
	ck_assert_uint_eq(utf8_valid_prefix(span_of(kept)), bounded_text_limit - 1);
	bounded_text_set(&arena, &kept, (struct span){NULL, 0});
	ck_assert_str_eq(kept, "");
	strbuf_free(&sb);
	arena_free(&arena);
}
END_TEST

START_TEST(replaces_texts_in_their_room)
{
	struct arena arena = {0};
	struct strbuf sb = {0};
	const char *kept = NULL;
	for (size_t i = 0; i < 20000; i++) {
		strbuf_reset(&sb);
		strbuf_repeat(&sb, i % 2 ? "x" : "y", i * 7 % 5000);
		bounded_text_set(&arena, &kept, strbuf_span(&sb));
		ck_assert(span_starts(strbuf_span(&sb), kept));
	}
	ck_assert_uint_le(arena.used, 6 * bounded_text_limit);
	strbuf_free(&sb);
	arena_free(&arena);
}
END_TEST

/* `before`, many times `unit` with a long text that differs where '#' stands, `after`. */
static const struct {
	const char *before, *unit_before, *unit_after, *after;
} repeated[] = {
	{"{\"summary\":[{\"total_time\":1", ",\"instance_type\":\"", "\"", "}]}"},
	{"{\"summary\":[{\"total_time\":1", ",\"a_version\":\"", "\"", "}]}"},
	{"{\"summary\":[{\"total_time\":1", ",\"ultraserver_id", "_version\":\"x\"", "}]}"},
	{"{\"summary\":{\"total_time\":1},\"neff_header\":[{}", ",{\"hash\":\"", "\"}", "]}"},
	{"{\"summary\":{\"total_time\":1},\"neff_header\":[{}", ",{\"uuid\":\"", "\"}", "]}"},
	{"{\"summary\":{\"total_time\":1},\"profile_info\":[{}", ",{\"profiler_version\":\"", "\"}",
	 "]}"},
	{"{\"summary\":{\"total_time\":1},\"profile_info\":[{}", ",{\"profile_name\":\"", "\"}",
	 "]}"},
};

START_TEST(repeated_texts_take_no_more_memory)
{
	for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++) {
		struct strbuf sb = {0};
		strbuf_addstr(&sb, repeated[i].before);
		for (int k = 0; k < 400; k++) {
			strbuf_addstr(&sb, repeated[i].unit_before);
			strbuf_addf(&sb, "%d", k);
			strbuf_repeat(&sb, "x", 60000);
			strbuf_addstr(&sb, repeated[i].unit_after);
		}
		strbuf_addstr(&sb, repeated[i].after);
		struct ingest_outcome out = ingest_text(&neuron_profile_json_reader, sb.buf);
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		ck_assert_msg(out.arena.used < 64 * 1024, "%s: %zu", repeated[i].unit_before,
			      out.arena.used);
		strbuf_free(&sb);
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(tensors_and_warnings_are_cut)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "{\"summary\":{\"total_time\":1},\"neff_node\":[{\"variable_name\":\"");
	strbuf_repeat(&sb, "n", 60000);
	strbuf_addstr(&sb, "\"}],\"warnings\":[{\"message\":\"");
	strbuf_repeat(&sb, "m", 60000);
	strbuf_addstr(&sb, "\"}]}");
	struct ingest_outcome out = ingest_text(&neuron_profile_json_reader, sb.buf);
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_uint_eq(strlen(out.result.runs.items[0]->tensors[0].name), bounded_text_limit);
	ck_assert_uint_eq(strlen(out.result.runs.items[0]->notes[0].message), bounded_text_limit);
	strbuf_free(&sb);
	arena_free(&out.arena);
}
END_TEST

START_TEST(says_once_what_every_record_says)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "{\"summary\":{\"total_time\":1},\"metadata\":[{}");
	for (int k = 0; k < 5000; k++)
		strbuf_addf(&sb, ",{\"is_simulation\":true,\"ntff_version\":%d}", k);
	strbuf_addstr(&sb, "]}");
	struct ingest_outcome out = ingest_text(&neuron_profile_json_reader, sb.buf);
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	const struct run *run = out.result.runs.items[0];
	ck_assert_uint_eq(run->note_count, 1);
	ck_assert(ingest_has_note(run, "the profile comes from a simulation, not from a device"));
	ck_assert_str_eq(run_attribute(run, "ntff_version"), "4999");
	ck_assert_uint_lt(out.arena.used, 64 * 1024);
	strbuf_free(&sb);
	arena_free(&out.arena);
}
END_TEST

/* --- nodes --- */

static struct strbuf json_nodes(int count)
{
	struct strbuf sb = {0};
	for (int i = 0; i < count; i++)
		strbuf_addf(&sb, "%c\"n_%04x\":{\"total_time\":1}", i ? ',' : '{', i);
	strbuf_addstr(&sb, "}");
	return sb;
}

static struct strbuf text_nodes(int count)
{
	struct strbuf sb = {0};
	for (int i = 0; i < count; i++)
		strbuf_addf(&sb, "n_%04x\n total_time 1\n", i);
	return sb;
}

START_TEST(bounds_the_nodes)
{
	static const struct {
		const struct reader *reader;
		struct strbuf (*nodes)(int count);
		const char *message;
	} rows[] = {
		{&neuron_summary_json_reader, json_nodes,
		 "n_1000.total_time: byte 106520: more than 4096 nodes"},
		{&neuron_summary_text_reader, text_nodes, "line 8193: more than 4096 nodes"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf most = rows[i].nodes(neuron_node_limit);
		struct strbuf more = rows[i].nodes(neuron_node_limit + 1);
		struct ingest_outcome out = ingest_text(rows[i].reader, most.buf);
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		ck_assert_uint_eq(out.result.runs.count, neuron_node_limit);
		arena_free(&out.arena);
		out = ingest_text(rows[i].reader, more.buf);
		ck_assert_int_lt(out.rc, 0);
		ck_assert_str_eq(out.err.text, rows[i].message);
		arena_free(&out.arena);
		strbuf_free(&most);
		strbuf_free(&more);
	}
}
END_TEST

START_TEST(bounds_the_texts_of_all_nodes)
{
	struct strbuf sb = {0};
	for (int node = 0; node < 65; node++) {
		strbuf_addf(&sb, "%c\"n_%02x\":{\"total_time\":1", node ? ',' : '{', node);
		for (int i = 0; i < 256; i++) {
			strbuf_addf(&sb, ",\"%d_version\":\"", i);
			strbuf_repeat(&sb, "x", bounded_text_limit);
			strbuf_addstr(&sb, "\"");
		}
		strbuf_addstr(&sb, "}");
	}
	strbuf_addstr(&sb, "}");
	struct ingest_outcome out = ingest_text(&neuron_summary_json_reader, sb.buf);
	ck_assert_int_lt(out.rc, 0);
	ck_assert_msg(strstr(out.err.text, ": the nodes hold more than 64 MiB") != NULL, "%s",
		      out.err.text);
	strbuf_free(&sb);
	arena_free(&out.arena);
}
END_TEST

START_TEST(counts_belong_to_their_node)
{
	struct ingest_outcome out = ingest_text(
		&neuron_summary_json_reader,
		"{\"n_1\":{\"total_time\":1},\"n_2\":{\"total_time\":2,\"total_time\":3},"
		"\"other\":{\"x\":NaN},\"n_3\":{\"total_time\":1,\"x\":NaN,\"y\":-Infinity}}");
	static const char *const notes[] = {NULL,
					    "fields repeated: 1; the last value of each is used",
					    "NaN or infinite values, read as unknown: 2"};
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_uint_eq(out.result.runs.count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct run *run = out.result.runs.items[i];
		ck_assert_uint_eq(run->note_count, notes[i] != NULL);
		ck_assert(!notes[i] || ingest_has_note(run, notes[i]));
	}
	arena_free(&out.arena);
}
END_TEST

/* Memory limits the results of a file, and their number alone does not. */
START_TEST(results_are_limited_by_memory)
{
	struct arena arena = {0};
	struct error err;
	struct row_groups groups = {.arena = &arena, .width = 1};
	for (size_t i = 0; i < 70000; i++) {
		const char *key = arena_printf(&arena, "%zu", i);
		ck_assert_ptr_nonnull(row_groups_find(&groups, span_of(key), i + 2, &err));
	}
	ck_assert_uint_eq(groups.count, 70000);
	arena_alloc(&arena, result_memory_limit); /* never touched, so the system gives nothing */
	ck_assert_ptr_null(row_groups_find(&groups, span_of("more"), 70002, &err));
	ck_assert_str_eq(err.text, "line 70002: 70000 results with different parameters need more "
				   "than 1024 MiB of memory: split the file");
	ck_assert_ptr_nonnull(row_groups_find(&groups, span_of("1"), 70003, &err));
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("ingest_limits", results_are_limited_by_memory, cuts_texts_at_a_character,
	  replaces_texts_in_their_room, repeated_texts_take_no_more_memory,
	  tensors_and_warnings_are_cut, says_once_what_every_record_says, bounds_the_nodes,
	  bounds_the_texts_of_all_nodes, counts_belong_to_their_node)
