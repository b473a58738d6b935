/* The events of a run: texts, tracks, and what the compact form says of them. */
#include "tests/unit/unit.h"

#include "base/base.h"
#include "model/timeline/trace/pack.h"
#include "model/timeline/trace/trace.h"

static struct trace *fresh(struct arena *arena)
{
	struct trace *trace = trace_new(arena);
	trace->tick = 1e-9;
	return trace;
}

static void add(struct trace *trace, enum trace_kind kind, const char *track, uint64_t begin,
		uint64_t duration)
{
	trace_add(trace, (struct trace_event){
				 .begin = begin,
				 .duration = duration,
				 .track = trace_track(trace, kind, span_of(""), span_of(track)),
				 .name = trace_text(trace, span_of("MATMUL")),
				 .operands = trace_text(trace, span_of("src=a dst=b")),
				 .source = trace_text(trace, span_of("k.py:7")),
			 });
}

static struct trace_packed packed_of(struct trace *trace, double from, double to, size_t events)
{
	struct trace_packed packed;
	trace_pack(trace, &(struct trace_request){from, to, events, 1 << 20, 1 << 20}, &packed);
	return packed;
}

/* The numbers of a column; their count. */
static size_t decode(const struct strbuf *column, uint64_t out[16])
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	size_t count = 0;
	uint64_t number = 0;
	int shift = 0;
	for (size_t i = 0; i < column->len; i++) {
		const char *found = strchr(digits, column->buf[i]);
		ck_assert_ptr_nonnull(found);
		uint64_t digit = (uint64_t)(found - digits);
		number |= (digit & 31) << shift;
		shift += 5;
		if (digit & 32)
			continue;
		ck_assert_uint_lt(count, 16);
		out[count++] = number;
		number = 0;
		shift = 0;
	}
	ck_assert_int_eq(shift, 0);
	return count;
}

START_TEST(texts_are_stored_once)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	char name[24];
	uint32_t numbers[3000];
	ck_assert_uint_eq(trace_text(trace, span_of("")), 0);
	ck_assert_uint_eq(trace_text(trace, span_of("  ")), 0);
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof name, "text %d", i);
		numbers[i] = trace_text(trace, span_of(name));
	}
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof name, " text %d", i);
		ck_assert_uint_eq(trace_text(trace, span_of(name)), numbers[i]);
		ck_assert_str_eq(trace->texts[numbers[i]].text, name + 1);
	}
	ck_assert_uint_eq(trace->text_count, 3001);
	arena_free(&arena);
}
END_TEST

START_TEST(long_texts_are_cut_at_a_character)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	char text[TRACE_TEXT_LIMIT + 8];
	memset(text, 'x', sizeof text);
	memcpy(text + TRACE_TEXT_LIMIT - 1, "\xc3\xa4", 2);
	uint32_t number = trace_text(trace, (struct span){text, sizeof text});
	ck_assert_uint_eq(trace->texts[number].len, TRACE_TEXT_LIMIT - 1);
	arena_free(&arena);
}
END_TEST

START_TEST(tracks_are_found_by_kind_core_and_name)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	struct span a = span_of("a"), b = span_of("b"), t = span_of("tensor");
	uint32_t one = trace_track(trace, TRACE_ENGINE, a, t);
	uint32_t two = trace_track(trace, TRACE_ENGINE, b, t);
	uint32_t three = trace_track(trace, TRACE_QUEUE, a, t);
	ck_assert_uint_ne(one, two);
	ck_assert_uint_ne(one, three);
	ck_assert_uint_eq(trace_track(trace, TRACE_ENGINE, a, t), one);
	ck_assert_uint_eq(trace_track(trace, TRACE_ENGINE, b, t), two);
	ck_assert_uint_eq(trace_track(trace, TRACE_QUEUE, a, t), three);
	ck_assert_uint_eq(trace->track_count, 3);
	trace_add(trace, (struct trace_event){.track = UINT32_MAX});
	trace_add(trace, (struct trace_event){.begin = UINT64_MAX, .duration = 1, .track = one});
	ck_assert_uint_eq(trace->count, 0);
	ck_assert_uint_eq(trace->more, 2);
	arena_free(&arena);
}
END_TEST

START_TEST(many_tracks_of_one_name_are_told_apart_up_to_the_limit)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	char core[24];
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < TRACE_TRACK_LIMIT; i++) {
			snprintf(core, sizeof core, "core %" PRIu32, i);
			ck_assert_uint_eq(
				trace_track(trace, TRACE_ENGINE, span_of(core), span_of("t")), i);
		}
	ck_assert_uint_eq(trace_track(trace, TRACE_QUEUE, span_of("core 1"), span_of("t")),
			  UINT32_MAX);
	arena_free(&arena);
}
END_TEST

START_TEST(columns_give_the_events_back)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	uint64_t numbers[16];
	add(trace, TRACE_ENGINE, "vector", 40, 5);
	add(trace, TRACE_ENGINE, "tensor", 5000000000, 70);
	add(trace, TRACE_ENGINE, "tensor", 10, 30);
	trace->events[2].waits = true;
	struct trace_packed packed = packed_of(trace, NAN, NAN, 100);
	ck_assert_uint_eq(packed.track_count, 2);
	ck_assert_str_eq(packed.tracks[0].name, "tensor");
	ck_assert_str_eq(packed.tracks[1].name, "vector");
	ck_assert_uint_eq(decode(&packed.tracks[0].columns.begins, numbers), 2);
	ck_assert_uint_eq(numbers[0], 10);
	ck_assert_uint_eq(numbers[1], 5000000000 - 10);
	ck_assert_uint_eq(decode(&packed.tracks[0].columns.lengths, numbers), 2);
	ck_assert_uint_eq(numbers[0], 61);
	ck_assert_uint_eq(numbers[1], 140);
	ck_assert_uint_eq(decode(&packed.tracks[0].columns.sources, numbers), 2);
	ck_assert_str_eq(packed.sources.items[numbers[1]], "k.py:7");
	ck_assert_uint_eq(decode(&packed.operands, numbers), 3);
	ck_assert_uint_eq(numbers[0], 2);
	ck_assert_str_eq(packed.words.items[numbers[1]], "src=a");
	ck_assert_str_eq(packed.words.items[numbers[2]], "dst=b");
	ck_assert_uint_eq(packed.tracks[0].active, 70);
	ck_assert_uint_eq(packed.tracks[0].longest_count, 1);
	ck_assert_double_eq(packed.to, 5000000070.0);
	trace_pack_free(&packed);
	arena_free(&arena);
}
END_TEST

START_TEST(a_part_has_what_runs_in_it)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	uint64_t numbers[16];
	add(trace, TRACE_ENGINE, "tensor", 0, 100);
	add(trace, TRACE_ENGINE, "tensor", 100, 100);
	add(trace, TRACE_ENGINE, "tensor", 200, 100);
	add(trace, TRACE_ENGINE, "tensor", 301, 100);
	struct trace_packed packed = packed_of(trace, 150e-9, 300e-9, 100);
	ck_assert_uint_eq(packed.tracks[0].count, 2);
	ck_assert_uint_eq(decode(&packed.tracks[0].columns.begins, numbers), 2);
	ck_assert_uint_eq(numbers[0], 100);
	ck_assert_uint_eq(packed.tracks[0].active, 150);
	ck_assert_double_eq(packed.from, 150);
	ck_assert_double_eq(packed.to, 300);
	trace_pack_free(&packed);
	arena_free(&arena);
}
END_TEST

START_TEST(overlapping_events_are_active_once)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	add(trace, TRACE_QUEUE, "Q1", 0, 100);
	add(trace, TRACE_QUEUE, "Q1", 50, 100);
	add(trace, TRACE_QUEUE, "Q1", 60, 10);
	struct trace_packed packed = packed_of(trace, NAN, NAN, 100);
	ck_assert_uint_eq(packed.tracks[0].active, 150);
	trace_pack_free(&packed);
	arena_free(&arena);
}
END_TEST

START_TEST(the_shortest_are_left_out_engines_last)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	uint64_t numbers[16];
	for (uint64_t i = 0; i < 6; i++)
		add(trace, TRACE_ENGINE, "tensor", i * 100, i % 2 ? 50 : 20);
	for (uint64_t i = 0; i < 4; i++)
		add(trace, TRACE_QUEUE, "Q1", i * 100, 90);
	struct trace_packed packed = packed_of(trace, NAN, NAN, 4);
	ck_assert_uint_eq(packed.count, 4);
	ck_assert_uint_eq(packed.left_out, 6);
	ck_assert_uint_eq(packed.tracks[0].count, 4);
	ck_assert_uint_eq(packed.tracks[0].left_out, 2);
	ck_assert_uint_eq(packed.tracks[0].active, 210);
	ck_assert_uint_eq(decode(&packed.tracks[0].columns.lengths, numbers), 4);
	ck_assert_uint_eq(numbers[0], 40);
	ck_assert_uint_eq(numbers[1], 100);
	ck_assert_uint_eq(numbers[2], 100);
	ck_assert_uint_eq(numbers[3], 100);
	ck_assert_uint_eq(packed.tracks[1].count, 0);
	ck_assert_uint_eq(packed.tracks[1].left_out, 4);
	trace_pack_free(&packed);
	packed = packed_of(trace, NAN, NAN, 7);
	ck_assert_uint_eq(packed.tracks[0].left_out, 0);
	ck_assert_uint_eq(packed.tracks[1].count, 1);
	trace_pack_free(&packed);
	arena_free(&arena);
}
END_TEST

START_TEST(operands_have_their_own_limit)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	struct trace_packed packed;
	add(trace, TRACE_ENGINE, "tensor", 0, 10);
	add(trace, TRACE_ENGINE, "tensor", 10, 10);
	trace_pack(trace, &(struct trace_request){NAN, NAN, 10, 4, 1 << 20}, &packed);
	ck_assert_uint_eq(packed.without_operands, 2);
	ck_assert_uint_eq(packed.operand_count, 0);
	trace_pack_free(&packed);
	arena_free(&arena);
}
END_TEST

START_TEST(texts_are_counted_as_they_are_escaped)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	struct trace_packed packed;
	char text[101];
	memset(text, '<', 100);
	text[100] = '\0';
	add(trace, TRACE_ENGINE, "tensor", 0, 10);
	add(trace, TRACE_ENGINE, "tensor", 10, 10);
	trace->events[0].name = trace->events[0].operands = trace_text(trace, span_of(text));
	trace_pack(trace, &(struct trace_request){NAN, NAN, 10, 400, 400}, &packed);
	ck_assert_uint_eq(packed.without_operands, 1);
	ck_assert_uint_eq(packed.without_texts, 1);
	ck_assert_uint_eq(packed.words.count, 3);
	ck_assert_str_eq(packed.words.items[1], "src=a");
	ck_assert_uint_eq(packed.names.count, 2);
	ck_assert_str_eq(packed.names.items[1], "MATMUL");
	trace_pack_free(&packed);
	trace_pack(trace, &(struct trace_request){NAN, NAN, 10, 800, 4}, &packed);
	ck_assert_uint_eq(packed.without_operands, 0);
	ck_assert_uint_eq(packed.without_texts, 2);
	ck_assert_uint_eq(packed.without_name, 1);
	ck_assert_str_eq(packed.tracks[0].name, "");
	trace_pack_free(&packed);
	arena_free(&arena);
}
END_TEST

START_TEST(times_without_an_exact_double_are_counted)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	add(trace, TRACE_ENGINE, "tensor", 0, trace_tick_limit + 1);
	add(trace, TRACE_ENGINE, "tensor", UINT64_MAX - 10, 5);
	ck_assert_uint_eq(trace->count, 0);
	ck_assert_uint_eq(trace->more, 2);
	add(trace, TRACE_ENGINE, "tensor", 1000, trace_tick_limit);
	add(trace, TRACE_ENGINE, "tensor", 1001, trace_tick_limit);
	trace->origin = 1000;
	trace->length = 1e19;
	struct trace_packed packed = packed_of(trace, NAN, NAN, 100);
	ck_assert_uint_eq(packed.count, 1);
	ck_assert_uint_eq(trace->more, 3);
	ck_assert_double_eq(packed.to, (double)trace_tick_limit);
	trace_pack_free(&packed);
	arena_free(&arena);
}
END_TEST

START_TEST(queues_are_in_the_order_of_their_numbers)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	static const char *const names[] = {"Q10-E1", "Q2-E11", "Q2-E9"};
	for (size_t i = 0; i < 3; i++)
		add(trace, TRACE_QUEUE, names[i], i, 1);
	add(trace, TRACE_ENGINE, "sync", 0, 1);
	struct trace_packed packed = packed_of(trace, NAN, NAN, 100);
	ck_assert_str_eq(packed.tracks[0].name, "sync");
	ck_assert_str_eq(packed.tracks[1].name, "Q2-E9");
	ck_assert_str_eq(packed.tracks[2].name, "Q2-E11");
	ck_assert_str_eq(packed.tracks[3].name, "Q10-E1");
	trace_pack_free(&packed);
	arena_free(&arena);
}
END_TEST

START_TEST(idle_stretches_are_those_of_all_engines_and_queues)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	add(trace, TRACE_ENGINE, "tensor", 0, 100);
	add(trace, TRACE_QUEUE, "q", 80, 70);
	add(trace, TRACE_ENGINE, "vector", 400, 50);
	add(trace, TRACE_ENGINE, "vector", 460, 40);
	add(trace, TRACE_SEMAPHORE, "s", 200, 0);
	trace_add(trace, (struct trace_event){.begin = 150,
					      .duration = 250,
					      .track = trace_track(trace, TRACE_ENGINE, span_of(""),
								   span_of("sync")),
					      .waits = true});
	trace->length = 600;
	struct trace_packed packed = packed_of(trace, NAN, NAN, 2);
	ck_assert_uint_eq(packed.idle_count, 2);
	ck_assert_double_eq(packed.idle[0].from, 150);
	ck_assert_double_eq(packed.idle[0].to, 400);
	ck_assert_double_eq(packed.idle[1].from, 500);
	ck_assert_double_eq(packed.idle[1].to, 600);
	/* 10 between the two of vector are idle as well, though too short to be listed. */
	ck_assert_double_eq(packed.idle_time, 360);
	trace_pack_free(&packed);
	packed = packed_of(trace, 300e-9, 460e-9, 100);
	ck_assert_uint_eq(packed.idle_count, 2);
	ck_assert_double_eq(packed.idle[0].from, 300);
	ck_assert_double_eq(packed.idle_time, 110);
	trace_pack_free(&packed);
	arena_free(&arena);
}
END_TEST

START_TEST(an_empty_trace_is_an_empty_part)
{
	struct arena arena = {0};
	struct trace *trace = fresh(&arena);
	struct trace_packed packed = packed_of(trace, 5, NAN, 100);
	ck_assert_uint_eq(packed.track_count, 0);
	trace_pack_free(&packed);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("trace", texts_are_stored_once, long_texts_are_cut_at_a_character,
	  tracks_are_found_by_kind_core_and_name,
	  many_tracks_of_one_name_are_told_apart_up_to_the_limit, columns_give_the_events_back,
	  idle_stretches_are_those_of_all_engines_and_queues, a_part_has_what_runs_in_it,
	  overlapping_events_are_active_once, the_shortest_are_left_out_engines_last,
	  operands_have_their_own_limit, texts_are_counted_as_they_are_escaped,
	  times_without_an_exact_double_are_counted, queues_are_in_the_order_of_their_numbers,
	  an_empty_trace_is_an_empty_part)
