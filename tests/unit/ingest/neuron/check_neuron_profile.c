/* Readers of neuron-profile's JSON: small documents of our own, and real files when present. */
#include "ingest/reader.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "ingest/neuron/summary.h"
#include "ingest/neuron/collect.h"
#include "ingest/collect/tally.h"
#include "tests/unit/unit.h"

struct outcome {
	struct arena arena;
	struct ingest_result result;
	struct error err;
	int rc;
	struct run *run; /* the first */
};

static struct outcome read_input(const struct reader *reader, struct input *input)
{
	struct outcome out = {0};
	out.rc = reader->read(&out.arena, input, &out.result, &out.err);
	/* Without a run, one that knows nothing: no test needs to ask. */
	out.run = out.result.runs.count ? out.result.runs.items[0] : run_new(&out.arena);
	input_close(input);
	return out;
}

static struct outcome read_span(const struct reader *reader, struct span text)
{
	return read_input(reader, input_of_bytes(text));
}

static struct outcome read_text(const char *text)
{
	struct outcome out = read_span(&neuron_profile_json_reader, span_of(text));
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	return out;
}

static void check_number(double number, double expected)
{
	if (isnan(expected))
		ck_assert_msg(isnan(number), "%.17g is not unknown", number);
	else
		ck_assert_msg(fabs(number - expected) <= 1e-12 * fabs(expected), "%.17g, not %.17g",
			      number, expected);
}

static double given(const struct run *run, enum metric metric)
{
	return run->given[metric].number;
}

static bool has_note(const struct run *run, const char *part)
{
	for (size_t i = 0; i < run->note_count; i++)
		if (strstr(run->notes[i].message, part))
			return true;
	return false;
}

static const struct run_tally *find_tally(const struct run *run, enum tally_kind kind,
					  const char *name)
{
	for (size_t i = 0; i < run->tally_count; i++)
		if (run->tallies[i].kind == kind && strcmp(run->tallies[i].name, name) == 0)
			return &run->tallies[i];
	return NULL;
}

/* --- a small profile of our own --- */

#define SUMMARY                                                                                    \
	"\"summary\":[{\"total_time\":1e-06,\"hardware_flops\":400,\"hbm_read_bytes\":64,"         \
	"\"tensor_engine_active_time\":3e-07,\"sync_engine_active_time\":1e-08,"                   \
	"\"throttle_active_nc0_time_ns\":200,\"throttle_active_nc1_time_ns\":100,"                 \
	"\"mfu_inst_estimated_percent\":0.25,\"dma_transfer_average_bytes\":0,"                    \
	"\"instance_type\":\"trn2.3xlarge\",\"profiler_version\":\"2.28\",\"nc_idx\":4,"           \
	"\"compiler_version\":\"2.23 ()\",\"new_field\":[1]}]"
#define ACTIVE                                                                                     \
	"\"active_time\":[{\"engine\":\"tensor\",\"start_ts\":100,\"end_ts\":300,\"subgraph\":"    \
	"\"sg00\"},{\"engine\":\"tensor\",\"start_ts\":200,\"end_ts\":400,\"subgraph\":\"sg01\"}," \
	"{\"engine\":\"vector\",\"start_ts\":0,\"duration_ns\":500}]"
#define DMA                                                                                        \
	"\"dma\":[{\"timestamp\":10,\"duration\":20,\"queue_type\":\"data\",\"transfer_size\":512" \
	",\"id\":8367933465633050767},{\"timestamp\":20,\"duration\":20,\"queue_type\":\"data\","  \
	"\"transfer_size\":1},{\"timestamp\":0,\"duration\":1000,\"aggregated\":\"yes\"},"         \
	"{\"timestamp\":500,\"duration\":500,\"queue_type\":\"input\",\"transfer_size\":8}]"
#define INSTRUCTION                                                                                \
	"\"instruction\":[{\"opcode\":\"MATMUL\",\"elements\":150,\"duration\":30,\"subgraph\":"   \
	"\"sg00\",\"nki_source_location\":\"k.py:3\"},{\"opcode\":\"MATMUL\",\"elements\":50,"     \
	"\"duration\":10,\"subgraph\":\"sg01\",\"instruction_type\":\"TRANSPOSE\"},"               \
	"{\"opcode\":\"DRAIN\",\"duration\":5,\"subgraph\":\"sg00\",\"predecessors\":[{\"id\":1}]" \
	"}]"
#define REST                                                                                       \
	"\"metadata\":[{\"pe_num_rows\":128,\"pe_num_cols\":128,\"pe_clock_freq\":2.4,"            \
	"\"hbm_ddr_bandwidth\":716000000000,\"num_physical_cores\":2,\"is_simulation\":true}],"    \
	"\"model_info\":[{\"sg_name\":\"sg01\",\"neuroncore_cycle_count\":7},{\"sg_name\":"        \
	"\"sg00\",\"neuroncore_cycle_count\":9}],\"ham\":[{\"timestamp\":5,\"duration\":100,"      \
	"\"k\":4,\"n\":8,\"type\":1,\"subgraph\":\"sg01\"},{\"timestamp\":6,\"duration\":1,"       \
	"\"k\":1,\"n\":1,\"type\":7}],\"nc_mem_usage\":[{\"usage_type\":\"Weights\","              \
	"\"amount_bytes\":3},{\"usage_type\":\"Weights\",\"amount_bytes\":4},{\"usage_type\":"     \
	"\"Profiler Buffers\",\"amount_bytes\":90},{\"usage_type\":\"Total\",\"amount_bytes\":97"  \
	"}],\"neff_header\":[{\"hash\":\"d0d0\",\"uuid\":\"u-1\"}],\"profile_info\":[{"            \
	"\"profiler_version\":\"other\",\"profile_name\":\"p\"}],\"neff_node\":[{"                 \
	"\"variable_name\":\"q\",\"type\":\"IN\",\"shape\":\"[2 3]\",\"size\":\"24\"},{"           \
	"\"variable_name\":\"\",\"node\":\"3\"},{\"variable_name\":\"k\",\"type\":\"IN\"}],"       \
	"\"warnings\":[{\"category\":\"Missing Data\",\"message\":\"no HLO\"}]"

static const char profile[] =
	"{" SUMMARY "," ACTIVE "," DMA "," INSTRUCTION "," REST ",\"x\":{\"y\":[null]}}";
static const char profile_reversed[] =
	"{\"x\":{\"y\":[null]}," REST "," INSTRUCTION "," DMA "," ACTIVE "," SUMMARY "}";

START_TEST(reads_numbers)
{
	struct outcome out = read_text(profile);
	const struct run *run = out.run;
	check_number(given(run, METRIC_TOTAL_TIME), 1e-6);
	check_number(given(run, METRIC_HARDWARE_FLOPS), 400);
	check_number(given(run, METRIC_TRANSPOSE_FLOPS), 100);
	check_number(given(run, METRIC_MFU), 0.25);
	ck_assert_int_eq(run->given[METRIC_MFU].provenance, PROVENANCE_REPORTED);
	ck_assert_int_eq(run->given[METRIC_TOTAL_TIME].provenance, PROVENANCE_MEASURED);
	check_number(given(run, METRIC_THROTTLE_TIME), 3e-7);
	check_number(given(run, METRIC_DMA_AVERAGE_BYTES), NAN);
	check_number(given(run, METRIC_HBM_WRITE_BYTES), NAN);
	check_number(given(run, METRIC_PEAK_CORE_FLOPS), 78.6432e12);
	check_number(given(run, METRIC_PEAK_BANDWIDTH), 716e9);
	check_number(given(run, METRIC_DEVICE_MEMORY_BYTES), 7);
	check_number(given(run, METRIC_VECTOR_ACTIVE_TIME), 5e-7);
	check_number(given(run, METRIC_DMA_ACTIVE_TIME), 5.3e-7);
	ck_assert_int_eq(run->cores, 2);
	ck_assert_str_eq(run->device, "trn2");
	ck_assert_str_eq(run->instance_type, "trn2.3xlarge");
	ck_assert_str_eq(run->tool, "neuron-profile");
	ck_assert_str_eq(run->kernel_hash, "d0d0");
	ck_assert_str_eq(run_attribute(run, "profiler_version"), "2.28");
	ck_assert_str_eq(run_attribute(run, "uuid"), "u-1");
	arena_free(&out.arena);
}
END_TEST

START_TEST(reads_lists)
{
	struct outcome out = read_text(profile);
	const struct run *run = out.run;
	static const char *const engines[] = {"tensor", "vector", "sync", "dma"};
	ck_assert_uint_eq(run->engine_count, 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_str_eq(run->engines[i].name, engines[i]);
	check_number(run->engines[0].active_time, 3e-7);
	ck_assert(run->engines[0].has_timeline && !run->engines[2].has_timeline);
	ck_assert(run->engines[0].timeline[0] == 0 && run->engines[0].timeline[50] == 1);
	ck_assert(run->engines[1].timeline[127] == 1 && run->engines[1].timeline[128] == 0);
	ck_assert_str_eq(run->tallies[0].name, "MATMUL");
	check_number(run->tallies[0].count, 2);
	check_number(run->tallies[0].seconds, 4e-8);
	check_number(run->tallies[0].flops, 400);
	check_number(find_tally(run, TALLY_OPCODE, "DRAIN")->flops, NAN);
	check_number(find_tally(run, TALLY_SOURCE, "k.py:3")->flops, 300);
	check_number(find_tally(run, TALLY_DMA_QUEUE, "data")->bytes, 513);
	check_number(find_tally(run, TALLY_DMA_QUEUE, "data")->seconds, 4e-8);
	check_number(find_tally(run, TALLY_MEMORY, "Weights")->bytes, 7);
	ck_assert_ptr_null(find_tally(run, TALLY_MEMORY, "Total"));
	ck_assert_uint_eq(run->core_count, 2);
	ck_assert_str_eq(run->core_work[1].name, "sg01");
	check_number(run->core_work[0].cycles, 9);
	check_number(run->core_work[0].instructions, 2);
	check_number(run->core_work[1].flops, 100);
	check_number(run->core_work[1].tensor_active_time, 2e-7);
	ck_assert_uint_eq(run->throttle_count, 2);
	ck_assert_str_eq(run->throttles[0].type, "activity_1");
	ck_assert_int_eq(run->throttles[0].core, 1);
	check_number(run->throttles[0].limit, 0.5);
	check_number(run->throttles[0].duration, 1e-7);
	ck_assert_str_eq(run->throttles[1].type, "type_7");
	ck_assert_uint_eq(run->tensor_count, 2);
	ck_assert_str_eq(run->tensors[0].name, "k");
	check_number(run->tensors[0].bytes, NAN);
	check_number(run->tensors[1].bytes, 24);
	ck_assert_str_eq(run->notes[0].message, "no HLO");
	ck_assert(has_note(run, "simulation"));
	arena_free(&out.arena);
}
END_TEST

START_TEST(ignores_order)
{
	struct outcome a = read_text(profile), b = read_text(profile_reversed);
	char first[65], second[65];
	run_hash(a.run, true, first);
	run_hash(b.run, true, second);
	ck_assert_str_eq(first, second);
	ck_assert_uint_eq(a.run->note_count, b.run->note_count);
	for (size_t i = 0; i < a.run->note_count; i++)
		ck_assert_str_eq(a.run->notes[i].message, b.run->notes[i].message);
	for (size_t i = 0; i < a.run->engine_count; i++)
		ck_assert_mem_eq(a.run->engines[i].timeline, b.run->engines[i].timeline,
				 sizeof a.run->engines[i].timeline);
	arena_free(&a.arena);
	arena_free(&b.arena);
}
END_TEST

START_TEST(refuses_every_prefix)
{
	for (size_t len = 0; len < sizeof profile - 1; len++) {
		struct outcome out =
			read_span(&neuron_profile_json_reader, (struct span){profile, len});
		ck_assert_msg(out.rc < 0, "%.*s", (int)len, profile);
		ck_assert(strstr(out.err.text, "byte ") != NULL);
		ck_assert_uint_eq(out.result.runs.count, 0);
		arena_free(&out.arena);
	}
}
END_TEST

/* --- what is odd or wrong --- */

static const struct {
	const char *text, *note;
	enum metric metric;
	double number;
} odd[] = {
	{"{\"summary\":[{\"total_time\":-1}]}", "total_time is negative", METRIC_TOTAL_TIME, NAN},
	{"{\"summary\":[{\"total_time\":NaN}]}", "read as unknown: 1", METRIC_TOTAL_TIME, NAN},
	{"{\"summary\":[{\"total_time\":1,\"total_time\":2}]}", "fields repeated: 1",
	 METRIC_TOTAL_TIME, 2},
	{"{\"summary\":[{\"throttle_active_nc0_time_ns\":9,\"throttle_active_nc0_time_ns\":2}]}",
	 "fields repeated: 1", METRIC_THROTTLE_TIME, 2e-9},
	{"{\"summary\":{\"total_time\":3}}", NULL, METRIC_TOTAL_TIME, 3},
	{"{\"summary\":[{\"total_time\":3},{\"total_time\":4}]}", "first of 2", METRIC_TOTAL_TIME,
	 3},
	{"{\"summary\":[{\"mm_arithmetic_intensity\":0}]}", NULL, METRIC_ARITHMETIC_INTENSITY, 0},
	{"{\"summary\":[{\"dma_transfer_average_bytes\":0,\"dma_transfer_count\":0}]}", NULL,
	 METRIC_DMA_AVERAGE_BYTES, 0},
	{"{\"dma\":[{\"timestamp\":1},{\"timestamp\":5,\"duration\":10}]}",
	 "1 record skipped: time or size missing", METRIC_DMA_ACTIVE_TIME, 1e-8},
	{"{\"dma\":[{\"timestamp\":17000000000000000000,\"duration\":17000000000000000000}]}",
	 "1 record skipped: time or size missing", METRIC_DMA_ACTIVE_TIME, 0},
	{"{\"summary\":[{\"total_time\":1e-5,\"dma_active_time\":9e-6}],\"dma\":[{\"timestamp\":0,"
	 "\"duration\":5000}]}",
	 "active time of dma", METRIC_DMA_ACTIVE_TIME, 9e-6},
	{"{\"summary\":[{\"total_time\":1e-5}],\"dma\":[{\"timestamp\":1769385600123456000,"
	 "\"duration\":5000},{\"timestamp\":1769385600123462000,\"duration\":1000}]}",
	 "do not start at 0", METRIC_DMA_ACTIVE_TIME, 6e-6},
	{"{\"summary\":[{\"total_time\":1e-5}],\"dma\":[{\"timestamp\":0,\"duration\":9000000}]}",
	 "picoseconds", METRIC_DMA_ACTIVE_TIME, 9e-6},
	{"{\"summary\":[{\"total_time\":1e-5}],\"dma\":[{\"timestamp\":0,\"duration\":90000}]}",
	 "timelines are unavailable", METRIC_DMA_ACTIVE_TIME, 9e-5},
};

START_TEST(copes_with_the_odd)
{
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct outcome out = read_text(odd[i].text);
		check_number(given(out.run, odd[i].metric), odd[i].number);
		ck_assert_msg(!odd[i].note || has_note(out.run, odd[i].note), "%s", odd[i].text);
		ck_assert_msg(odd[i].note || out.run->note_count == 0, "%s", odd[i].text);
		arena_free(&out.arena);
	}
}
END_TEST

static const struct {
	const struct reader *reader;
	const char *text, *message;
} wrong[] = {
	{&neuron_profile_json_reader, "{\"summary\":[{\"total_time\":\"45\"}]}",
	 "summary[0].total_time: byte 26: expected a number, found a string"},
	{&neuron_profile_json_reader, "{\"dma\":[{\"timestamp\":\"1\"}]}",
	 "dma[0].timestamp: byte 21: expected a number, found a string"},
	{&neuron_profile_json_reader, "{\"terminology\":[]}",
	 "the profile has no summary, instructions, DMA or active times"},
	{&neuron_summary_json_reader, "{\"n_1\":{\"total_time\":[]}}",
	 "n_1.total_time: byte 21: expected a number, found an object or array"},
	{&neuron_summary_json_reader, "{\"n_1\":{}}",
	 "n_1: byte 7: the node has no known summary field"},
	{&neuron_summary_json_reader, "{\"m\":{}}", "the document has no node \"n_...\""},
	{&neuron_summary_json_reader, "{\"n_1\":{\"total_time\":1},\"n_1\":{\"total_time\":1}}",
	 "the node n_1 appears twice"},
};

START_TEST(refuses_the_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct outcome out = read_span(wrong[i].reader, span_of(wrong[i].text));
		ck_assert_int_lt(out.rc, 0);
		ck_assert_str_eq(out.err.text, wrong[i].message);
		ck_assert_uint_eq(out.result.runs.count, 0);
		arena_free(&out.arena);
	}
}
END_TEST

static const struct {
	const char *head;
	bool profile, summary;
} heads[] = {
	{"{\"summary\":[{", true, false},
	{"\xef\xbb\xbf \n{ \"terminology\" : [", true, false},
	{"{\"new\":[{\"a\":\"\\\"}\"}],\"dma\":[", true, false},
	{"{\"new\":{\"dma\":[", false, false},
	{"{\"new\":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]],\"dma\":[", true, false},
	{"{\"new\":[1,2,],\"dma\" 3,\"dma\":[", true, false},
	{"{\"summary\":3,", false, false},
	{"[{\"dma\":[", false, false},
	{"{\"n_0aF\":{\"total_time\"", false, true},
	{"WARN[0000] x\nINFO\n  {\n\"n_1\" : {", false, true},
	{"{\"n_x\":{", false, false},
	{"{\"n_1\":[", false, false},
	{"{\"name\":{", false, false},
	{"WARN only", false, false},
	{"", false, false},
	{"{", false, false},
	{"{\"", false, false},
	{"{\"\\", false, false},
};

START_TEST(detects_by_content)
{
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		struct span head = span_of(heads[i].head);
		ck_assert_msg(neuron_profile_json_reader.detect(head) == heads[i].profile, "%s",
			      heads[i].head);
		ck_assert_msg(neuron_summary_json_reader.detect(head) == heads[i].summary, "%s",
			      heads[i].head);
	}
}
END_TEST

static const struct {
	const char *instance, *device;
} devices[] = {
	{"trn2.3xlarge", "trn2"},       {"trn2u.48xlarge", "trn2u"}, {"trn1n.32xlarge", "trn1n"},
	{"trn1.2xlarge", "trn1"},       {"inf2.xlarge", "inf2"},     {"inf1.xlarge", "inf1"},
	{"trn3pds98.48xlarge", "trn3"}, {"trn9.big", "trn9"},        {"", NULL},
};

START_TEST(names_devices)
{
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
		struct arena arena = {0};
		const char *device = neuron_device(&arena, span_of(devices[i].instance));
		if (devices[i].device)
			ck_assert_str_eq(device, devices[i].device);
		else
			ck_assert_ptr_null(device);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(reads_nodes)
{
	static const char text[] =
		"WARN[0000] old\n{\"n_b2\":{\"total_time\":2,\"nki_version\":\"0.6\"},"
		"\"n_a1\":{\"total_time\":1,\"instance_type\":\"inf2.xlarge\","
		"\"dma_active_time\":0.5}}\n";
	struct outcome out = read_span(&neuron_summary_json_reader, span_of(text));
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_uint_eq(out.result.runs.count, 2);
	ck_assert_str_eq(out.run->node, "n_a1");
	check_number(given(out.run, METRIC_TOTAL_TIME), 1);
	check_number(run_engine(out.run, "dma")->active_time, 0.5);
	ck_assert_str_eq(run_attribute(out.result.runs.items[1], "nki_version"), "0.6");
	arena_free(&out.arena);
}
END_TEST

/* Throttle windows beyond the limit keep their loss. */
START_TEST(merges_windows)
{
	struct strbuf text = {0};
	double loss = 0;
	strbuf_addstr(&text, "{\"summary\":[{\"total_time\":1}],\"ham\":[");
	for (int i = 0; i < 3000; i++)
		strbuf_addf(&text,
			    "%s{\"timestamp\":%d,\"duration\":%d,\"k\":%d,\"n\":8,\"type\":0}",
			    i ? "," : "", i * 10, i % 10, i % 9);
	strbuf_addstr(&text, "]}");
	struct outcome out = read_text(strbuf_text(&text));
	ck_assert_uint_eq(out.run->throttle_count, 1025);
	ck_assert_str_eq(out.run->throttles[1024].type, "merged");
	ck_assert(has_note(out.run, "more than 1024 throttle windows"));
	for (int i = 0; i < 3000; i++)
		loss += (1 - i % 9 / 8.0) * (i % 10) * 1e-9;
	for (size_t i = 0; i < out.run->throttle_count; i++)
		loss -= (1 - out.run->throttles[i].limit) * out.run->throttles[i].duration;
	ck_assert(fabs(loss) < 1e-15);
	strbuf_free(&text);
	arena_free(&out.arena);
}
END_TEST

START_TEST(bounds_names)
{
	struct strbuf text = {0};
	strbuf_addstr(&text, "{\"instruction\":[");
	for (int i = 0; i < tally_name_limit + 500; i++)
		strbuf_addf(&text, "%s{\"opcode\":\"%d\",\"duration\":1}", i ? "," : "", i);
	strbuf_addstr(&text, "]}");
	struct outcome out = read_text(strbuf_text(&text));
	ck_assert_uint_eq(out.run->tally_count, tally_listed + 1);
	ck_assert_str_eq(out.run->tallies[0].name, "(other)");
	check_number(out.run->tallies[0].count, 500);
	ck_assert_str_eq(out.run->tallies[tally_listed].name, "(rest)");
	check_number(out.run->tallies[tally_listed].count, tally_name_limit + 1 - tally_listed);
	ck_assert(has_note(out.run, "too many distinct names"));
	strbuf_free(&text);
	arena_free(&out.arena);
}
END_TEST

/* Source lines and opcodes: the longest, and the rest in one. */
START_TEST(sums_the_rest)
{
	static const struct {
		int names;
		size_t expected;
		const char *last;
		double count, microseconds;
	} rows[] = {
		{tally_listed, tally_listed, "50", 1, 1},
		{tally_listed + 1, tally_listed + 1, "51", 1, 1},
		{tally_listed + 3, tally_listed + 1, "(rest)", 3, 6},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf text = {0};
		strbuf_addstr(&text, "{\"instruction\":[");
		for (int k = 1; k <= rows[i].names; k++)
			strbuf_addf(&text,
				    "%s{\"opcode\":\"A\",\"nki_source_location\":\"%d\","
				    "\"duration\":%d}",
				    k > 1 ? "," : "", k, (rows[i].names + 1 - k) * 1000);
		strbuf_addstr(&text, "]}");
		struct outcome out = read_text(strbuf_text(&text));
		ck_assert_uint_eq(out.run->tally_count, rows[i].expected + 1);
		const struct run_tally *last = &out.run->tallies[out.run->tally_count - 1];
		ck_assert_str_eq(last->name, rows[i].last);
		check_number(last->count, rows[i].count);
		ck_assert(fabs(last->seconds - rows[i].microseconds * 1e-6) < 1e-12);
		strbuf_free(&text);
		arena_free(&out.arena);
	}
}
END_TEST

/* --- real files, which are not part of the repository --- */

static void check_engines(const char *path, const struct run *run)
{
	static const enum metric metrics[] = {
		METRIC_TENSOR_ACTIVE_TIME, METRIC_VECTOR_ACTIVE_TIME, METRIC_SCALAR_ACTIVE_TIME,
		METRIC_GPSIMD_ACTIVE_TIME, METRIC_SYNC_ACTIVE_TIME,   METRIC_DMA_ACTIVE_TIME,
	};
	ck_assert_uint_eq(run->engine_count, 6);
	for (size_t i = 0; i < 6; i++) {
		double summary = given(run, metrics[i]), sum = 0;
		const struct run_engine *engine = &run->engines[i];
		ck_assert_msg(fabs(engine->active_time - summary) <= 20e-9, "%s: %s %.12g %.12g",
			      path, engine->name, engine->active_time, summary);
		ck_assert(engine->has_timeline);
		for (int bin = 0; bin < TIMELINE_BINS; bin++)
			sum += (double)engine->timeline[bin];
		sum *= given(run, METRIC_TOTAL_TIME) / TIMELINE_BINS;
		/* The last intervals may reach a little beyond total_time. */
		ck_assert_msg(fabs(sum - engine->active_time) <= 200e-9, "%s: %s %.12g %.12g", path,
			      engine->name, sum, engine->active_time);
	}
}

static void check_profile(const char *path)
{
	struct error err;
	struct span head;
	struct input *input = input_open(path, &err);
	ck_assert_msg(input != NULL, "%s", path);
	ck_assert_int_eq(input_head(input, &head, &err), 0);
	ck_assert_msg(neuron_profile_json_reader.detect(head), "%s", path);
	ck_assert(!neuron_summary_json_reader.detect(head));
	struct outcome out = read_input(&neuron_profile_json_reader, input);
	ck_assert_msg(out.rc == 0, "%s: %s", path, out.err.text);
	check_engines(path, out.run);
	check_number(find_tally(out.run, TALLY_OPCODE, "MATMUL")->flops,
		     given(out.run, METRIC_HARDWARE_FLOPS));
	ck_assert_uint_eq(out.run->core_count, (size_t)out.run->cores);
	ck_assert(strlen(out.run->kernel_hash) == 32);
	for (size_t i = 0; i < out.run->note_count; i++)
		ck_assert_str_ne(out.run->notes[i].category, "rooflog");
	arena_free(&out.arena);
}

static void check_summary(const char *path)
{
	struct error err;
	struct span head;
	struct input *input = input_open(path, &err);
	ck_assert_msg(input != NULL, "%s", path);
	ck_assert_int_eq(input_head(input, &head, &err), 0);
	ck_assert(neuron_summary_json_reader.detect(head));
	struct outcome out = read_input(&neuron_summary_json_reader, input);
	ck_assert_msg(out.rc == 0, "%s: %s", path, out.err.text);
	ck_assert_str_eq(out.run->device, "trn3");
	ck_assert(given(out.run, METRIC_TOTAL_TIME) > 0);
	arena_free(&out.arena);
}

/* Calls `check` for every file that matches; says so when there is none. */
static void check_files(const char *pattern, void (*check)(const char *path))
{
	glob_t found;
	if (glob(pattern, 0, NULL, &found) != 0) {
		printf("skipped: no ../shared/data\n");
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		check(found.gl_pathv[i]);
	globfree(&found);
}

START_TEST(reads_real_files)
{
	check_files("../shared/data/neuron/allenkchau*/*/json_reports/*.json", check_profile);
	check_files("../shared/data/neuron/AnchovyPark*/matmul/*/*.json", check_profile);
	check_files("../shared/data/neuron/yahavb*/results/pairs/*/summary.json", check_summary);
}
END_TEST

static const struct {
	const char *folder;
	double total_time, cycles[2];
} known[] = {
	{"baseline_bf16_s512/json_reports/baseline", 54.277e-6, {65130, 19069}},
	{"baseline_bf16_s1024/json_reports/baseline", 102.670e-6, {0, 0}},
	{"baseline_fp32_s1024/json_reports/baseline", 116.924e-6, {0, 0}},
	{"fused_bf16_s512/json_reports/fused", 36.352e-6, {0, 0}},
	{"fused_bf16_s1024/json_reports/fused", 66.206e-6, {0, 0}},
	{"fused_fp32_s1024/json_reports/fused", 73.289e-6, {0, 0}},
};

START_TEST(reads_known_values)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		char path[256];
		struct error err;
		snprintf(path, sizeof path,
			 "../shared/data/neuron/allenkchau+trainium-kernel-fusion/%s_exec_2_"
			 "profile_full.json",
			 known[i].folder);
		struct input *input = input_open(path, &err);
		if (!input) {
			printf("skipped: no ../shared/data\n");
			return;
		}
		struct outcome out = read_input(&neuron_profile_json_reader, input);
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		ck_assert(fabs(given(out.run, METRIC_TOTAL_TIME) - known[i].total_time) < 1e-9);
		for (int core = 0; core < 2 && known[i].cycles[core]; core++)
			check_number(out.run->core_work[core].cycles, known[i].cycles[core]);
		arena_free(&out.arena);
	}
}
END_TEST

/* However many names there are, the rows written add up to what was counted: counts exactly, sums
 * of durations as exactly as they are doubles of a tick each. */
START_TEST(rows_add_up_to_the_totals)
{
	static const size_t sizes[] = {1, 49, 50, 51, 52, 53, 500};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct arena arena = {0};
		struct tally tally = {.arena = &arena};
		double count = 0, ticks = 0, flops = 0, written[3] = {0, 0, 0};
		for (size_t k = 0; k < 3 * sizes[i]; k++) {
			const char *name = arena_printf(&arena, "op%zu", k % sizes[i]);
			struct tally_entry *entry = tally_find(&tally, span_of(name));
			double length = (double)(k * 7919 % 1013);
			entry->count++;
			entry->ticks += length;
			entry->flops = (isnan(entry->flops) ? 0 : entry->flops) + 2 * length;
			count++;
			ticks += length;
			flops += 2 * length;
		}
		struct run_tally *out = arena_array(&arena, tally.count, sizeof *out);
		size_t rows = tally_write(&tally, TALLY_OPCODE, 0x1p-30, out);
		ck_assert_uint_eq(rows, sizes[i] <= 51 ? sizes[i] : 51);
		for (size_t k = 0; k < rows; k++) {
			written[0] += out[k].count;
			written[1] += out[k].seconds;
			written[2] += out[k].flops;
			ck_assert(k + 1 >= rows || k == 0 || out[k].seconds <= out[k - 1].seconds);
		}
		ck_assert_double_eq(written[0], count);
		ck_assert_double_eq(written[1], ticks * 0x1p-30);
		ck_assert_double_eq(written[2], flops);
		ck_assert_str_eq(out[rows - 1].name, sizes[i] > 51 ? "(rest)" : out[rows - 1].name);
		tally_free(&tally);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("neuron_profile", reads_numbers, reads_lists, ignores_order, refuses_every_prefix,
	  copes_with_the_odd, refuses_the_wrong, detects_by_content, names_devices, reads_nodes,
	  merges_windows, bounds_names, sums_the_rest, rows_add_up_to_the_totals, reads_real_files,
	  reads_known_values)
