/* Fusion profiles: what is read from each, with provenance, and what is refused. */
#include "ingest/reader.h"

#include "base/strbuf.h"
#include "tests/unit/ingest_fixture.h"

/* All runs, each as "kernel variant [params] time(provenance); ". */
static const char *described(struct arena *arena, const struct run_list *runs)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = runs->items[i];
		const struct value *time = &run->given[METRIC_HOST_TIME];
		strbuf_addf(&sb, "%s %s [%s] %.9g %s; ", run->kernel, run->variant,
			    run_params_text(arena, run), time->number,
			    metric_provenance_name(time->provenance));
	}
	return strbuf_into(&sb, arena);
}

#define ENTRY(sizes, groups) "{\"shape\":{" sizes "},\"shape_key\":\"x\"," groups "}"
#define OPS(entries)                                                                               \
	"{\"metadata\":{\"device\":\"cuda:0\",\"dtype\":\"float16\"},\"profiles\":[" entries "]}"
#define SIZES "\"hidden_size\":64,\"batch_size\":2,\"seq_len\":8"
#define E2E(strategy, key, times)                                                                  \
	"{\"config\":{\"model_path\":\"/m/tiny\"},\"results\":{\"" strategy "\":{\"" key           \
	"\":{" times "}}}}"

static const struct {
	const struct reader *reader;
	const char *text, *runs;
} good[] = {
	{&fusion_profile_reader,
	 "{\"unfused\":{\"add+mul\":{\"[1, 8]\":0.25,\"[2, 8]\":0.5}},"
	 "\"fused\":{\"add+mul\":{\"[1, 8]\":0.125,\"[2, 8]\":null}}}",
	 "add+mul unfused [shape=[1, 8]] 0.00025 measured; "
	 "add+mul unfused [shape=[2, 8]] 0.0005 measured; "
	 "add+mul fused [shape=[1, 8]] 0.000125 measured; "},
	/* The same time on both sides was measured, not estimated. */
	{&fusion_profile_reader,
	 "{\"fused\":{\"add+mul\":{\"[1, 8]\":0.25}},\"unfused\":{\"add+mul\":{\"[1, 8]\":0.25}}}",
	 "add+mul unfused [shape=[1, 8]] 0.00025 measured; "
	 "add+mul fused [shape=[1, 8]] 0.00025 measured; "},
	{&fusion_profile_reader,
	 "{\"single\":{\"add\":0.25,\"mul\":0.5},\"fused\":{\"add+mul\":0.5,\"mul+add+mul\":1.25,"
	 "\"mul+gelu\":0.5}}",
	 "add+mul unfused [] 0.00075 derived; add+mul fused [] 0.0005 measured; "
	 "mul+add+mul unfused [] 0.00125 derived; mul+add+mul fused [] 0.00125 estimated; "
	 "mul+gelu fused [] 0.0005 measured; "},
	{&fusion_ops_reader,
	 OPS(ENTRY(SIZES,
		   "\"g\":{\"add\":0.25,\"mul\":0.5,\"add+mul\":0.5},\"h\":{\"error\":\"x\"}")),
	 "add+mul unfused [shape=[2, 8, 64]] 0.00075 derived; "
	 "add+mul fused [shape=[2, 8, 64]] 0.0005 measured; "},
	{&fusion_ops_reader,
	 OPS(ENTRY(SIZES, "\"g\":{\"silu\":0.1,\"mul\":0.2,\"silu+mul\":0.30000000000000004}")),
	 "silu+mul unfused [shape=[2, 8, 64]] 0.0003 derived; "
	 "silu+mul fused [shape=[2, 8, 64]] 0.0003 estimated; "},
	{&fusion_e2e_reader,
	 E2E("always_fuse", "[prefill=128, decode=16]", "\"total_ms\":2,\"prefill_ms\":1.5"),
	 "e2e always_fuse [decode=16, model=tiny, prefill=128] 0.002 measured; "},
	{&fusion_e2e_reader, E2E("smart_schedule", "[prefill=1, decode=2]", "\"total_ms\":2"),
	 "e2e smart_schedule [decode=2, model=tiny, prefill=1] 0.002 estimated; "},
};

START_TEST(reads_with_provenance)
{
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct ingest_outcome out = ingest_text(NULL, good[i].text);
		ck_assert_msg(out.rc == 0, "%s: %s", good[i].text, out.err.text);
		ck_assert_ptr_eq(out.used, good[i].reader);
		ck_assert_str_eq(described(&out.arena, &out.result.runs), good[i].runs);
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(takes_metadata)
{
	struct ingest_outcome out = ingest_text(
		NULL, OPS(ENTRY(SIZES, "\"g\":{\"add\":0.25,\"mul\":0.5,\"add+mul\":0.5}")));
	const struct run *run = out.result.runs.items[0];
	ck_assert_str_eq(run->dtype, "float16");
	/* A backend is not a device. */
	ck_assert_ptr_null(run->device);
	ck_assert_str_eq(run_attribute(run, "device"), "cuda:0");
	ck_assert_uint_eq(run->tally_count, 2);
	ingest_number(run->tallies[1].seconds, 0.0005);
	arena_free(&out.arena);
	out = ingest_text(NULL,
			  "{\"metadata\":{\"device\":\"NVIDIA A100-SXM4-80GB\",\"iterations\":100},"
			  "\"profiles\":[" ENTRY(SIZES, "\"g\":{\"a\":0.25,\"a+a\":0.4}") "]}");
	run = out.result.runs.items[0];
	ck_assert_str_eq(run->device, "NVIDIA A100-SXM4-80GB");
	ck_assert_ptr_null(run->dtype);
	ingest_number(run->given[METRIC_LAUNCH_COUNT].number, 100);
	arena_free(&out.arena);
}
END_TEST

START_TEST(warns_of_what_was_not_measured)
{
	static const struct {
		const char *text, *note;
	} notes[] = {
		{E2E("smart_schedule", "[prefill=1, decode=2]", "\"total_ms\":2"),
		 "smart_schedule is treated as an estimate: some benchmark versions derive it from "
		 "never_fuse, and the file does not name its version"},
		{E2E("never_fuse", "[prefill=1, decode=2]", "\"total_ms\":2,\"decode_ms\":1"),
		 "prefill and decode times are the total time apportioned by token counts, not "
		 "measured"},
		{OPS(ENTRY(SIZES,
			   "\"h\":{\"error\":\"x\"},\"g\":{\"add\":1,\"mul\":2,\"add+mul\":2}")),
		 "1 timing marked as failed in the file, skipped"},
	};
	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
		struct ingest_outcome out = ingest_text(NULL, notes[i].text);
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		ck_assert_msg(ingest_has_note(out.result.runs.items[0], notes[i].note), "%s",
			      notes[i].note);
		arena_free(&out.arena);
	}
	struct ingest_outcome out =
		ingest_text(NULL, E2E("never_fuse", "[prefill=1, decode=2]", "\"total_ms\":2"));
	ck_assert_uint_eq(out.result.runs.items[0]->note_count, 0);
	arena_free(&out.arena);
}
END_TEST

/* What the times were rounded to: at least the producers' four decimals of a millisecond. */
START_TEST(notes_the_resolution)
{
	static const struct {
		const char *ms, *resolution;
	} times[] = {
		{"0.5", "100.0 ns"},           {"0.0363", "100.0 ns"},
		{"0.1261792", "100.0 ps"},     {"12.000000001", "1.000 ps"},
		{"0.02135481033474207", NULL},
	};
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		struct strbuf sb = {0};
		strbuf_addf(&sb, "{\"unfused\":{\"a+b\":{\"[8]\":%s}},\"fused\":{}}", times[i].ms);
		struct ingest_outcome out = ingest_text(NULL, strbuf_text(&sb));
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		const char *text = run_attribute(out.result.runs.items[0], "time_resolution");
		ck_assert_msg(span_text_eq(text, times[i].resolution), "%s: %s", times[i].ms,
			      text ? text : "none");
		strbuf_free(&sb);
		arena_free(&out.arena);
	}
}
END_TEST

#define NO_SHAPE "\" is not a shape; expected a list such as [1, 512, 4096]"
#define NO_TIME ": expected a time in ms, a number above 0 and up to 1e9"
#define UNFUSED(shape, time) "{\"unfused\":{\"a+b\":{\"" shape "\":" time "}},\"fused\":{}}"

static const struct {
	const struct reader *reader;
	const char *text, *message;
} wrong[] = {
	{&fusion_profile_reader, "[1]", "a fusion profile must be one JSON object"},
	{&fusion_profile_reader, "{\"fused\":{}}", "single: expected an object"},
	{&fusion_profile_reader, "{\"unfused\":{}}", "fused: expected an object"},
	{&fusion_profile_reader, "{\"unfused\":{\"\":{}},\"fused\":{}}",
	 "unfused: \"\" is not a valid name (one line, at most 200 bytes)"},
	{&fusion_profile_reader, "{\"unfused\":{\"a\\nb\":{}},\"fused\":{}}",
	 "unfused: \"a\n"
	 "b\" is not a valid name (one line, at most 200 bytes)"},
	{&fusion_profile_reader, "{\"unfused\":{},\"fused\":{}}", "no times in the file"},
	{&fusion_profile_reader, "{\"unfused\":{\"a+b\":1},\"fused\":{}}",
	 "unfused.a+b: expected an object"},
	{&fusion_profile_reader, UNFUSED("[1,8]", "1"), "unfused.a+b.[1,8]: \"[1,8]" NO_SHAPE},
	{&fusion_profile_reader, UNFUSED("[]", "1"), "unfused.a+b.[]: \"[]" NO_SHAPE},
	{&fusion_profile_reader, UNFUSED("[01]", "1"), "unfused.a+b.[01]: \"[01]" NO_SHAPE},
	{&fusion_profile_reader, UNFUSED("[1] ", "1"), "unfused.a+b.[1] : \"[1] " NO_SHAPE},
	{&fusion_profile_reader, UNFUSED("[1, 2, 3, 4, 5, 6, 7, 8, 9]", "1"),
	 "unfused.a+b.[1, 2, 3, 4, 5, 6, 7, 8, 9]: \"[1, 2, 3, 4, 5, 6, 7, 8, 9]" NO_SHAPE},
	{&fusion_profile_reader, UNFUSED("[8]", "0"), "unfused.a+b.[8]" NO_TIME},
	{&fusion_profile_reader, UNFUSED("[8]", "-1"), "unfused.a+b.[8]" NO_TIME},
	{&fusion_profile_reader, UNFUSED("[8]", "\"1\""), "unfused.a+b.[8]" NO_TIME},
	{&fusion_profile_reader, UNFUSED("[8]", "1e10"), "unfused.a+b.[8]" NO_TIME},
	{&fusion_profile_reader, "{\"single\":{\"a\":1},\"fused\":{\"a+\":1}}",
	 "single: \"a+\" is not a pattern of at most 16 operators"},
	{&fusion_profile_reader, "{\"single\":{\"a\":[]},\"fused\":{\"a+a\":1}}",
	 "single.a" NO_TIME},
	{&fusion_ops_reader, "{\"profiles\":{}}", "profiles: expected a list"},
	{&fusion_ops_reader, "{\"profiles\":[]}", "no times in the file"},
	{&fusion_ops_reader, "{\"profiles\":[1]}", "profiles[0]: expected an object"},
	{&fusion_ops_reader, OPS(ENTRY("\"batch_size\":1.5", "\"g\":{}")),
	 "profiles[0].shape.batch_size: expected a size, an integer above 0"},
	{&fusion_ops_reader, OPS(ENTRY(SIZES, "\"g\":{\"add\":1}")),
	 "profiles[0].g: pattern missing (such as \"add+rms_norm\")"},
	{&fusion_ops_reader, OPS(ENTRY(SIZES, "\"g\":{\"a\":1,\"a+a\":true}")),
	 "profiles[0].g.a+a" NO_TIME},
	{&fusion_e2e_reader, "{\"results\":[]}", "results: expected an object"},
	{&fusion_e2e_reader, "{\"results\":{\"x\":1}}", "results.x: expected an object"},
	{&fusion_e2e_reader, E2E("x", "[prefill=1, decode=]", "\"total_ms\":1"),
	 "results.x: \"[prefill=1, decode=]\" is not [prefill=TOKENS, decode=TOKENS]"},
	{&fusion_e2e_reader, E2E("x", "[prefill=1, decode=2]", "\"total_ms\":null"),
	 "results.x.[prefill=1, decode=2].total_ms: expected a time in ms"},
	{&fusion_e2e_reader, E2E("x", "[prefill=1, decode=2]", "\"total_ms\":1,\"prefill_ms\":-1"),
	 "results.x.[prefill=1, decode=2].prefill_ms" NO_TIME},
};

START_TEST(refuses_the_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ingest_refuses(wrong[i].reader, wrong[i].text, wrong[i].message);
}
END_TEST

/* Other programs' files with some of the names. */
static const char *const foreign[] = {
	"{\"fused\":{\"mean_ms\":1},\"unfused\":{\"mean_ms\":2}}",
	"{\"single\":{\"add\":1},\"kernel\":\"x\"}",
	"{\"unfused\":1,\"fused\":{\"a\":{\"[8]\":1}}}",
	"{\"unfused\":{\"a\":{\"[8]\":1}}}",
	"{\"results\":{\"a\":{\"total_ms\":1}}}",
	"{\"profiles\":[{\"name\":\"x\"}]}",
	"{\"rows\":[{\"shape_key\":\"x\"}]}",
	"[{\"unfused\":{\"a\":{\"[8]\":1}},\"fused\":{}}]",
	"",
};

START_TEST(leaves_others_alone)
{
	static const struct reader *const own[] = {&fusion_profile_reader, &fusion_ops_reader,
						   &fusion_e2e_reader};
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		for (size_t k = 0; k < sizeof own / sizeof *own; k++)
			ck_assert_msg(!own[k]->detect(span_of(foreign[i])), "%s takes %s",
				      own[k]->name, foreign[i]);
}
END_TEST

/* In a long file, the head contains only the beginning of the first table. */
START_TEST(knows_long_files)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "{\"unfused\":{\"add+mul\":{");
	for (int i = 1; i < 6000; i++)
		strbuf_addf(&sb, "%s\"[1, %d, 4096]\":0.125", i > 1 ? "," : "", i);
	strbuf_addstr(&sb, "}},\"fused\":{}}");
	struct ingest_outcome out = ingest_text(NULL, strbuf_text(&sb));
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_ptr_eq(out.used, &fusion_profile_reader);
	ck_assert_uint_eq(out.result.runs.count, 5999);
	arena_free(&out.arena);
	strbuf_free(&sb);
}
END_TEST

UNIT_MAIN("fusion_readers", reads_with_provenance, takes_metadata, warns_of_what_was_not_measured,
	  notes_the_resolution, refuses_the_wrong, leaves_others_alone, knows_long_files)
