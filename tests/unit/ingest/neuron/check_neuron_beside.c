/* Files next to Neuron profiles: NEFF, neuron-bench, NxD Inference, timings, pasted tables. */
#include "base/system/file.h"
#include "ingest/neuron/neff_tensors.h"
#include "ingest/neuron/bench.h"
#include "ingest/reader.h"
#include "tests/unit/ingest_fixture.h"

/* --- NEFF --- */

static struct span sample_of(struct arena *arena, const char *path)
{
	struct span bytes;
	struct error err;
	ck_assert_msg(file_read(arena, path, 1 << 20, &bytes, &err) == 0, "%s", err.text);
	return bytes;
}

static const char *attribute_of(const struct companion *companion, const char *key)
{
	for (size_t i = 0; i < companion->attribute_count; i++)
		if (strcmp(companion->attributes[i].key, key) == 0)
			return companion->attributes[i].text;
	return NULL;
}

START_TEST(reads_neff)
{
	static const struct {
		const char *path, *version;
	} rows[] = {
		{"samples/formats/neuron/neff/sample.neff", "2.23.6484.0+samples"},
		{"samples/formats/neuron/neff/sample-without-info.neff", NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct ingest_outcome out =
			ingest_input(NULL, input_of_bytes(sample_of(&arena, rows[i].path)));
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		ck_assert_ptr_eq(out.used, &neff_reader);
		ck_assert_uint_eq(out.result.companions.count, 1);
		const struct companion *companion = &out.result.companions.items[0];
		ck_assert_str_eq(companion->kernel_hash, "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a");
		ck_assert_str_eq(attribute_of(companion, "neff_name"), "mlp.neff");
		ck_assert_str_eq(attribute_of(companion, "neff_uuid"),
				 "0102030405060708090a0b0c0d0e0f10");
		const char *version = attribute_of(companion, "neff_tool_version");
		ck_assert_msg(span_text_eq(version, rows[i].version), "%s",
			      version ? version : "none");
		ck_assert(span_text_eq(companion->compiler, version));
		ck_assert_str_eq(companion->uuid, attribute_of(companion, "neff_uuid"));
		arena_free(&out.arena);
		arena_free(&arena);
	}
}
END_TEST

/* NAN where the companion does not say it. */
static double value_of(const struct companion *companion, enum metric metric)
{
	for (size_t i = 0; i < companion->value_count; i++)
		if (companion->values[i].metric == metric) {
			ck_assert_int_eq(companion->values[i].value.provenance,
					 PROVENANCE_REPORTED);
			return companion->values[i].value.number;
		}
	return NAN;
}

static const char *tensors_text(struct arena *arena, const struct companion *companion)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < companion->tensor_count; i++) {
		const struct run_tensor *one = &companion->tensors[i];
		strbuf_addf(&sb, "%s %s %s %g; ", one->role, one->name,
			    one->shape ? one->shape : "?", one->bytes);
	}
	return strbuf_into(&sb, arena);
}

/* Two cores name the same variables: each is one tensor. */
START_TEST(reads_tensors)
{
	static const struct {
		const char *path, *tensors;
		double read, all, weights;
	} rows[] = {
		{"samples/formats/neuron/neff/sample.neff",
		 "IN w [128 128] 32768; IN x [128 128] 32768; OUT out [128 128] 65536; "
		 "WEIGHT scale_7 [1 128 1] 512; ",
		 66048, 131584, 512},
		{"samples/formats/neuron/neff/sample-without-a-size.neff",
		 "IN w [128 128] nan; IN x [128 128] 32768; OUT out [128 128] 65536; "
		 "WEIGHT scale_7 [1 128 1] 512; ",
		 NAN, NAN, 512},
		{"samples/formats/neuron/neff/sample-without-info.neff", "", NAN, NAN, NAN},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct ingest_outcome out =
			ingest_input(NULL, input_of_bytes(sample_of(&arena, rows[i].path)));
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		const struct companion *companion = &out.result.companions.items[0];
		ck_assert_str_eq(tensors_text(&arena, companion), rows[i].tensors);
		ingest_number(value_of(companion, METRIC_INPUTS_WEIGHTS_BYTES), rows[i].read);
		ingest_number(value_of(companion, METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES),
			      rows[i].all);
		ingest_number(value_of(companion, METRIC_WEIGHT_BYTES), rows[i].weights);
		arena_free(&out.arena);
		arena_free(&arena);
	}
}
END_TEST

/* What graphs say that are odd, one file after the other. */
START_TEST(copes_with_odd_graphs)
{
	static const struct {
		const char *definition, *other, *shapes, *tensors;
	} rows[] = {
		{"{\"var\":{\"a\":{\"type\":\"input\",\"size\":8}}}",
		 "{\"var\":{\"a\":{\"type\":\"input\",\"size\":16}}}", "{}", "IN a ? nan; "},
		{"{\"var\":{\"a\":{\"type\":\"input\",\"size\":8}}}",
		 "{\"var\":{\"a\":{\"type\":\"output\",\"size\":8}}}",
		 "{\"a\":{\"tf_shape\":[2,4]}}", "IN a [2 4] 8; OUT a [2 4] 8; "},
		{"{\"var\":{\"a\":{\"type\":\"file\",\"size\":-1},\"b\":{\"type\":\"file\","
		 "\"size\":"
		 "\"8\"}}}",
		 "{\"var\":[1,2]}", "[]", "WEIGHT a ? nan; WEIGHT b ? nan; "},
		{"{\"var\":{\"a\":{\"type\":\"input\",\"size\":1.5},\"b\":{\"type\":7},\"c\":3}}",
		 "[]", "{\"a\":{\"tf_shape\":[2,\"x\"]}}", "IN a ? nan; "},
		{"{\"var\":{\"a\":{\"type\":\"input\",\"size\":0}}}", "{}",
		 "{\"a\":{\"tf_shape\":[]}}", "IN a [] 0; "},
		{"{}", "{}", "{}", ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct error err;
		struct companion companion = {0};
		struct neff_tensors tensors = {.arena = &arena};
		ck_assert_int_eq(neff_tensors_read(&tensors, "sg01/tensor_map.json",
						   span_of(rows[i].shapes), &err),
				 0);
		ck_assert_int_eq(neff_tensors_read(&tensors, "sg00/def.json",
						   span_of(rows[i].definition), &err),
				 0);
		ck_assert_int_eq(
			neff_tensors_read(&tensors, "sg01/def.json", span_of(rows[i].other), &err),
			0);
		neff_tensors_give(&tensors, &companion);
		ck_assert_str_eq(tensors_text(&arena, &companion), rows[i].tensors);
		arena_free(&arena);
	}
}
END_TEST

/* Cut anywhere it is refused, or read where only the end of its archive is lost. */
START_TEST(copes_with_cut_neff)
{
	struct arena arena = {0};
	struct span whole = sample_of(&arena, "samples/formats/neuron/neff/sample.neff");
	size_t refused = 0;
	for (size_t len = 0; len < whole.len; len++) {
		struct ingest_outcome out =
			ingest_input(&neff_reader, input_of_bytes((struct span){whole.ptr, len}));
		refused += out.rc < 0;
		ck_assert(out.rc == 0 ? out.result.companions.count == 1
				      : out.result.companions.count == 0 && out.err.text[0]);
		arena_free(&out.arena);
	}
	ck_assert_uint_gt(refused, whole.len - 64);
	arena_free(&arena);
}
END_TEST

/* --- times --- */

static const struct {
	const struct reader *reader;
	const char *text;
	const char *tool;
	enum metric metric;
	double number;
} good[] = {
	{&neuron_bench_reader, "  B   NC   L(50)   NCL(50)   NCL(99)\n  1   1    42  37   N/A\n",
	 "neuron-bench", METRIC_TOTAL_TIME, 37e-6},
	{&neuron_bench_reader, "L(50)  NCL(50)\r\n42  37.5\r\n", "neuron-bench", METRIC_HOST_TIME,
	 42e-6},
	{&neuron_bench_reader, "L(50)  NCL(50)\nN/A  37\n", "neuron-bench", METRIC_HOST_TIME, NAN},
	{&neuron_bench_reader, "NCLatency:\n\n  p50 = 2ms\n  p99 = 3.5ms\n", "neuron-bench",
	 METRIC_TIME_P99, 3.5e-3},
	{&neuron_bench_reader, "NCLatency:\np50 = 37.2us\nL(50)  NCL(50)\n42  37\n", "neuron-bench",
	 METRIC_TOTAL_TIME, 37e-6},
	{&neuron_bench_json_reader, "{\"latency_data\":{\"0\":[5,7,6],\"1\":[1,2,3]}}",
	 "neuron-bench", METRIC_TOTAL_TIME, 6e-6},
	{&nxdi_benchmark_reader, "{\"e2e_model\":{\"latency_ms_p50\":2.5,\"throughput\":7}}",
	 "nxdi-benchmark", METRIC_HOST_TIME, 2.5e-3},
	{&nxdi_benchmark_reader,
	 "{\"x\":1,\"e2e_model\":{\"latency_ms_p50\":2.5},\"speculation_model\":null}",
	 "nxdi-benchmark", METRIC_THROUGHPUT, NAN},
	{&neuron_paste_reader,
	 "| total_time | 2 ms |\n|hbm_read_bytes|**3 **KiB** |\n|g|dma_queue_count|7||\n",
	 "neuron-ui-paste", METRIC_HBM_READ_BYTES, 3072},
	{&neuron_paste_reader, "|total_time|2 ms|\n|event_count|1|\n|hardware_flops|2.5 GFLOPS|\n",
	 "neuron-ui-paste", METRIC_HARDWARE_FLOPS, 2.5e9},
};

START_TEST(reads_times)
{
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct ingest_outcome out = ingest_text(good[i].reader, good[i].text);
		ck_assert_msg(out.rc == 0, "%s: %s", good[i].text, out.err.text);
		ck_assert(good[i].reader->detect(span_of(good[i].text)));
		const struct run *run = out.result.runs.items[0];
		ck_assert_str_eq(run->tool, good[i].tool);
		double number = run->given[good[i].metric].number;
		ck_assert_msg((isnan(number) && isnan(good[i].number)) ||
				      fabs(number / good[i].number - 1) < 1e-12,
			      "%s: %.17g", good[i].text, number);
		arena_free(&out.arena);
	}
}
END_TEST

static const struct {
	const struct reader *reader;
	const char *text, *message;
} wrong[] = {
	{&neuron_bench_reader, "L(50)  NCL(50)\n42  -1\n",
	 "line 2: NCL(50) is \"-1\", not a number"},
	{&neuron_bench_reader, "L(50)  NCL(50)\n42  0\n",
	 "line 2: NCL(50) is \"0\": no time was measured"},
	{&neuron_bench_reader, "L(50)  NCL(50)\n42\n", "line 2: 1 cell, but the header has 2"},
	{&neuron_bench_reader, "NCLatency:\np50 = 9us\nL(50)  NCL(50)\n42  37\n",
	 "two results (lines 1 and 3) without kernel names: put each into its own file"},
	{&neuron_bench_reader, "NCLatency:\np99 = 1us\n", "line 1: NCLatency has no p50 above 0"},
	{&neuron_bench_reader, "NCLatency:\np50 = 1us\nNCLatency:\np50 = 2us\n",
	 "two results (lines 1 and 3) without kernel names: put each into its own file"},
	{&neuron_bench_json_reader, "{\"latency_data\":{\"0\":[]}}",
	 "latency_data.0: expected a list of microseconds"},
	{&neuron_bench_json_reader, "{\"latency_data\":{\"0\":[1,0]}}",
	 "latency_data.0[1]: expected a number of microseconds above 0"},
	{&nxdi_benchmark_reader, "{\"e2e_model\":{\"latency_ms_p90\":1}}",
	 "e2e_model.latency_ms_p50: expected a time above 0"},
	{&nxdi_benchmark_reader, "{\"e2e_model\":null}", "no sub-model has latencies"},
	{&neuron_paste_reader, "|event_count|3|\n",
	 "line 1: the table has no positive total_time; each table is one run"},
	{&neuron_paste_reader, "# A\n|total_time|1 ms|\n\n# B\n|event_count|3|\n",
	 "line 5: the table has no positive total_time; each table is one run"},
	{&neuron_paste_reader, "nothing\n", "no table has a positive total_time"},
	{&neuron_paste_reader, "|total_time|1 ms|\n\n# B\n\n|total_time|2 ms|\n",
	 "two tables (lines 1 and 5) without distinct headings: give each a heading, or put each "
	 "into its own file"},
	{&neuron_paste_reader, "# A\n|total_time|1 ms|\n\n|total_time|2 ms|\n",
	 "two tables (lines 2 and 4) without distinct headings: give each a heading, or put each "
	 "into its own file"},
	{&timings_reader, "{\"host_time\":1.41}", "host_time: 1.41 has no unit; write \"1.41 ms\""},
	{&timings_reader, "{\"host_time\":[\"1 ms\",2]}",
	 "host_time: 2 has no unit; write \"1.41 ms\""},
	{&timings_reader, "{\"host_time\":[]}", "host_time: expected a list of 1 to 65536 repeats"},
	{&timings_reader, "{\"host_time\":\"1 B\"}",
	 "host_time: \"1 B\" is not a quantity in s; write for example \"1.41 ms\""},
	{&timings_reader, "{\"host_time\":true}",
	 "host_time: expected a quantity with its unit, such as \"1.41 ms\""},
	{&timings_reader, "{\"host_time\":\"1 ms\",\"params\":{\"a\":[1]}}",
	 "params: a value must be a number or one line of text"},
	{&timings_reader, "{\"host_time\":\"1 ms\",\"kernel\":\"\"}",
	 "kernel: expected one line of text"},
	{&timings_reader, "{\"kernel\":\"a\"}", "no host_time, compile_time or total_time found"},
};

START_TEST(refuses_the_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ingest_refuses(wrong[i].reader, wrong[i].text, wrong[i].message);
}
END_TEST

/* A person copies some tables; a file with thousands of them would be compared for hours. */
START_TEST(refuses_thousands_of_tables)
{
	struct strbuf text = {0};
	for (int i = 0; i < 1001; i++)
		strbuf_addf(&text, "# %d\n|total_time|1 ms|\n\n", i);
	ingest_refuses(&neuron_paste_reader, strbuf_text(&text),
		       "line 3002: more than 1000 tables in one file: split the file");
	strbuf_free(&text);
}
END_TEST

START_TEST(reads_a_run_per_table)
{
	struct ingest_outcome out = ingest_text(
		&neuron_paste_reader,
		"# Baseline\n\n|total_time|53.78 ms|\n|tensor_engine_active_time|9.81 ms|\n\n"
		"## **Batch 16**\ntext\n|total_time|73.37 ms|\n|hardware_flops|1.287 TFLOPS|\n\n"
		"| 0 | 0 | Tensor | 25 **MiB** |\n");
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_uint_eq(out.result.runs.count, 2);
	const struct run *first = out.result.runs.items[0], *second = out.result.runs.items[1];
	ck_assert_str_eq(first->kernel, "Baseline");
	ck_assert_str_eq(second->kernel, "Batch 16");
	ck_assert(isnan(first->given[METRIC_HARDWARE_FLOPS].number));
	ck_assert_ptr_nonnull(run_engine(first, "tensor"));
	ck_assert_ptr_null(run_engine(second, "tensor"));
	ingest_number(second->given[METRIC_TOTAL_TIME].number, 73.37e-3);
	arena_free(&out.arena);
}
END_TEST

START_TEST(reads_timings)
{
	struct ingest_outcome out = ingest_text(
		NULL, "{\"kernel\":\"mlp\",\"variant\":\"nkilib\",\"host_time\":\"4039.86 ms\","
		      "\"compile_time\":[\"4 s\",\"5 s\",\"6 s\"],\"params\":{\"b\":1}}");
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_uint_eq(out.result.runs.count, 0);
	ck_assert_uint_eq(out.result.companions.count, 1);
	const struct companion *companion = &out.result.companions.items[0];
	ck_assert_str_eq(companion->kernel, "mlp");
	ck_assert_str_eq(companion->variant, "nkilib");
	const struct run *run = companion->figures;
	ck_assert_str_eq(run->tool, "timings");
	ck_assert_str_eq(run_param(run, "b"), "1");
	ck_assert(fabs(run->given[METRIC_HOST_TIME].number - 4.03986) < 1e-12);
	ingest_number(run->given[METRIC_COMPILE_TIME].number, 5);
	ingest_number(run_spread(run, METRIC_COMPILE_TIME)->maximum, 6);
	arena_free(&out.arena);
}
END_TEST

/* Small objects of other programs stay theirs. */
START_TEST(leaves_the_foreign)
{
	static const char *const texts[] = {
		"{\"host_time\":1,\"answer\":2}", "{\"kernel\":\"a\",\"dtype\":\"bf16\"}",
		"{\"total_time\":1,\"hbm_read_bytes\":2}", "[{\"host_time\":\"1 ms\"}]",
		"{\"a\":{\"host_time\":\"1 ms\"}}"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		ck_assert_msg(!timings_reader.detect(span_of(texts[i])), "%s", texts[i]);
	ck_assert(!neuron_paste_reader.detect(span_of("| total_time | 1 ms |\n")));
	ck_assert(!neuron_bench_reader.detect(span_of("NCLatency is a word.\n\np. 5\n")));
}
END_TEST

UNIT_MAIN("neuron_beside", reads_neff, reads_tensors, copes_with_odd_graphs, copes_with_cut_neff,
	  reads_times, refuses_the_wrong, refuses_thousands_of_tables, reads_a_run_per_table,
	  reads_timings, leaves_the_foreign)
