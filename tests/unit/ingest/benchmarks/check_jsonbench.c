/* Benchmark results, traces and histories in JSON: names, units, repeats, and what is refused. */
#include "ingest/json/document/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "ingest/reader.h"
#include "tests/unit/ingest_fixture.h"

static double given(const struct run *run, enum metric metric)
{
	return run->given[metric].number;
}

/* `inner` between `before` and `after`, read by the reader; it must succeed. */
static struct ingest_outcome read_inside(const struct reader *reader, const char *before,
					 const char *inner, const char *after)
{
	struct strbuf sb = {0};
	strbuf_addf(&sb, "%s%s%s", before, inner, after);
	struct ingest_outcome out = ingest_text(reader, strbuf_text(&sb));
	ck_assert_msg(out.rc == 0, "%s\n%s", strbuf_text(&sb), out.err.text);
	strbuf_free(&sb);
	return out;
}

/* --- documents --- */

START_TEST(documents_have_no_nan)
{
	static const struct {
		const char *text, *read; /* the document, or the message */
	} rows[] = {
		{"{\"a\":NaN,\"b\":-Infinity,\"c\":[Infinity]}",
		 "{\"a\":\"\",\"b\":\"\",\"c\":[\"\"]}"},
		{"{\"NaN\":\"NaN \\\" NaN\",\"b\":-1}", "{\"NaN\":\"NaN \\\" NaN\",\"b\":-1}"},
		{"{\"a\":NaN,\n\"b\":x}", "invalid JSON at line 2, column 5 (byte 14)"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct error err;
		const struct json *root = json_document_parse(&arena, span_of(rows[i].text), &err);
		ck_assert_str_eq(root ? json_plain(&arena, root) : err.text, rows[i].read);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(lines_are_clean)
{
	static const struct {
		const char *text;
		size_t limit;
		const char *line;
	} rows[] = {
		{NULL, 10, ""},
		{" a\tb\n", 10, "a b"},
		{"abcdefgh", 8, "abcdefgh"},
		{"abcdefghi", 8, "abcde..."},
		{"abcd\xc3\xa9xyz", 8, "abcd..."},
	};
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ck_assert_str_eq(json_document_line(&arena, rows[i].text, rows[i].limit),
				 rows[i].line);
	ingest_number(json_document_scale(204800, 1e-9), 0.0002048);
	ingest_number(json_document_scale(9.5, 1e-6), 9.5e-6);
	ingest_number(json_document_scale(2, 1e6), 2e6);
	arena_free(&arena);
}
END_TEST

/* --- Google Benchmark --- */

START_TEST(google_names)
{
	static const struct {
		const char *name, *kernel, *params;
	} rows[] = {
		{"BM_x", "BM_x", ""},
		{"BM_x/8/-4", "BM_x", "arg0=8, arg1=-4"},
		{"Prefix/BM_x/8", "Prefix/BM_x", "arg0=8"},
		{"BM_x<a/1>/f(1/2)/n:64", "BM_x<a/1>/f(1/2)", "n=64"},
		{"BM_x/min_time:0.5s/threads:4", "BM_x", "min_time=0.5, threads=4"},
		{"BM_x/process_time/real_time", "BM_x", "timer=process_time/real_time"},
		{"BM_x/dtype:half/8", "BM_x/dtype:half", "arg0=8"},
		/* A second value of one name must not hide the first. */
		{"BM_x/n:1/n:2", "BM_x/n:2", "n=1"},
		{"BM_x/arg0:1/2", "BM_x/2", "arg0=1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ingest_outcome out =
			read_inside(&google_benchmark_reader, "{\"benchmarks\":[{\"name\":\"",
				    rows[i].name, "\",\"real_time\":2,\"time_unit\":\"ms\"}]}");
		const struct run *run = out.result.runs.items[0];
		ck_assert_str_eq(run->kernel, rows[i].kernel);
		ck_assert_str_eq(run_params_text(&out.arena, run), rows[i].params);
		ingest_number(given(run, METRIC_HOST_TIME), 0.002);
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(google_bytes)
{
	static const struct {
		const char *row;
		double bytes;
	} rows[] = {
		/* The rate is over the CPU's time unless the name says otherwise. */
		{"\"name\":\"a\",\"real_time\":4,\"cpu_time\":2,\"bytes_per_second\":1e9", 2},
		{"\"name\":\"a/real_time\",\"real_time\":4,\"cpu_time\":2,\"bytes_per_second\":1e9",
		 4},
		{"\"name\":\"a/threads:2\",\"threads\":2,\"real_time\":4,\"cpu_time\":2,"
		 "\"bytes_per_second\":1e9",
		 NAN},
		{"\"name\":\"a\",\"real_time\":4,\"cpu_time\":NaN,\"bytes_per_second\":1e9", NAN},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ingest_outcome out =
			read_inside(&google_benchmark_reader,
				    "{\"benchmarks\":[{\"time_unit\":\"ns\",", rows[i].row, "}]}");
		ingest_number(given(out.result.runs.items[0], METRIC_ALGORITHMIC_BYTES),
			      rows[i].bytes);
		arena_free(&out.arena);
	}
}
END_TEST

/* Releases before 1.5 write no run_type: only the ends of names identify aggregates. */
START_TEST(google_old_aggregates)
{
	static const struct {
		const char *rows, *kernels;
		double seconds; /* time of the first */
	} files[] = {
		{"a 1 a 3 a_mean 2 a_median 2 a_stddev 1.4", "a ", 2e-9},
		{"a 1 a_mean 2", "a a_mean ", 1e-9}, /* two benchmarks: nothing was repeated */
		{"a_mean 2 a_stddev 0.1", "a_mean ", 2e-9},
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct strbuf rows = {0}, kernels = {0};
		struct span rest = span_of(files[i].rows);
		while (rest.ptr) {
			struct span name = span_cut(&rest, ' '), time = span_cut(&rest, ' ');
			strbuf_addf(&rows,
				    "%s{\"name\":\"%.*s\",\"real_time\":%.*s,"
				    "\"time_unit\":\"ns\"}",
				    rows.len ? "," : "", (int)name.len, name.ptr, (int)time.len,
				    time.ptr);
		}
		struct ingest_outcome out = read_inside(
			&google_benchmark_reader, "{\"benchmarks\":[", strbuf_text(&rows), "]}");
		for (size_t k = 0; k < out.result.runs.count; k++)
			strbuf_addf(&kernels, "%s ", out.result.runs.items[k]->kernel);
		ck_assert_str_eq(strbuf_text(&kernels), files[i].kernels);
		ingest_number(given(out.result.runs.items[0], METRIC_HOST_TIME), files[i].seconds);
		strbuf_free(&rows);
		strbuf_free(&kernels);
		arena_free(&out.arena);
	}
}
END_TEST

/* Aggregates count only if the file has no repetitions. */
START_TEST(google_aggregates)
{
#define MEAN                                                                                       \
	"{\"name\":\"a_mean\",\"run_name\":\"a\",\"run_type\":\"aggregate\",\"aggregate_name\":"   \
	"\"mean\",\"repetitions\":7,\"real_time\":5,\"time_unit\":\"s\"}"
	struct ingest_outcome out =
		ingest_text(&google_benchmark_reader, "{\"benchmarks\":[" MEAN "]}");
	ingest_number(given(out.result.runs.items[0], METRIC_HOST_TIME), 5);
	ingest_number(run_spread(out.result.runs.items[0], METRIC_HOST_TIME)->count, 7);
	arena_free(&out.arena);
	out = ingest_text(&google_benchmark_reader,
			  "{\"context\":{\"host_name\":\"h\"},\"benchmarks\":[" MEAN
			  ",{\"name\":\"a\",\"real_time\":3,\"time_unit\":\"s\"}]}");
	ck_assert_uint_eq(out.result.runs.count, 1);
	ingest_number(given(out.result.runs.items[0], METRIC_HOST_TIME), 3);
	ck_assert_str_eq(out.result.runs.items[0]->instance_type, "host:h");
	arena_free(&out.arena);
#undef MEAN
}
END_TEST

/* --- nvbench, Kernel Tuner, Proton --- */

START_TEST(nvbench_values)
{
	static const struct {
		const char *value;
		double time;
	} rows[] = {{"\"2.5e-06\"", 2.5e-06}, {"2.5e-06", 2.5e-06}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ingest_outcome out = read_inside(
			&nvbench_reader,
			"{\"devices\":[{\"id\":1,\"name\":\"X\"}],\"benchmarks\":[{\"name\":\"k\","
			"\"states\":[{\"device\":1,\"summaries\":[{\"tag\":\"nv/cold/sample_size\","
			"\"data\":[{\"name\":\"value\",\"value\":\"9\"}]},{\"tag\":"
			"\"nv/cold/time/gpu/stdev/"
			"relative\",\"data\":[{\"name\":\"value\",\"value\":"
			"\"inf\"}]},{\"tag\":\"nv/cold/time/gpu/"
			"mean\",\"data\":[{\"name\":\"value\","
			"\"value\":",
			rows[i].value, "}]}]}]}]}");
		const struct run *run = out.result.runs.items[0];
		ingest_number(given(run, METRIC_TOTAL_TIME), rows[i].time);
		ingest_number(run_spread(run, METRIC_TOTAL_TIME)->deviation, NAN);
		ck_assert_str_eq(run->device, "X");
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(tuner_caches)
{
#define HEAD                                                                                       \
	"{\"kernel_name\":\"k\",\"tune_params_keys\":[\"x\"],\"cache\":{\"1\":{\"x\":1,\"time\":"  \
	"2}"
	static const struct {
		const char *text;
		double time;
		size_t notes;
		const char *x, *tried, *failed, *median, *worst;
	} rows[] = {
		{HEAD "}}", 0.002, 0, "1", "1", "0", "2.000 ms", "2.000 ms"},
		{HEAD ",\n", 0.002, 1, "1", "1", "0", "2.000 ms", "2.000 ms"},
		{HEAD ",\"2\":{\"x\":2,\"time\":1,\"times\":[9,1,2]},\n", 0.002, 1, "2", "2", "0",
		 "1.500 ms", "2.000 ms"},
		{HEAD ",\"2\":{\"x\":2,\"time\":NaN},\"3\":{\"x\":3,\"time\":\"InvalidConfig\"},"
		      "\"4\":{\"x\":4,\"time\":3},\"5\":{\"x\":5,\"time\":9}}}",
		 0.002, 0, "1", "5", "2", "3.000 ms", "9.000 ms"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ingest_outcome out = ingest_text(&kernel_tuner_reader, rows[i].text);
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		ingest_number(given(out.result.runs.items[0], METRIC_TOTAL_TIME), rows[i].time);
		const struct run *run = out.result.runs.items[0];
		ck_assert_uint_eq(run->note_count, rows[i].notes);
		ck_assert_str_eq(run_attribute(run, "tiling.x"), rows[i].x);
		ck_assert_str_eq(run_attribute(run, "tiling.tuning_tried"), rows[i].tried);
		ck_assert_str_eq(run_attribute(run, "tiling.tuning_failed"), rows[i].failed);
		ck_assert_str_eq(run_attribute(run, "tiling.tuning_median"), rows[i].median);
		ck_assert_str_eq(run_attribute(run, "tiling.tuning_worst"), rows[i].worst);
		arena_free(&out.arena);
	}
#undef HEAD
}
END_TEST

/* A kernel that is called from two places is one run; a scope's FLOP go to its only kernel. */
START_TEST(proton_scopes)
{
#define LEAF(name, count, time)                                                                    \
	"{\"children\":[],\"frame\":{\"name\":\"" name "\"},\"metrics\":{\"count\":" count         \
	",\"time (ns)\":" time ",\"device_type\":\"HIP\",\"device_id\":\"0\"}}"
#define SCOPE(children)                                                                            \
	"{\"children\":[" children "],\"frame\":{\"name\":\"s\"},\"metrics\":{\"flops\":600}}"
	static const struct {
		const char *children;
		double time, flops, launches;
		size_t runs;
	} rows[] = {
		{SCOPE(LEAF("k", "2", "2000")) "," LEAF("k", "1", "4000"), 2e-6, 200, 3, 1},
		{SCOPE(LEAF("k", "2", "2000") "," LEAF("j", "1", "1")), 1e-6, NAN, 2, 2},
		{LEAF("a.py:1@k", "1", "5000"), 5e-6, NAN, 1, 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ingest_outcome out =
			read_inside(&proton_reader,
				    "[{\"frame\":{\"name\":\"ROOT\"},\"metrics\":{},\"children\":[",
				    rows[i].children,
				    "]},{\"HIP\":{\"0\":{\"arch\":\"gfx90a\",\"num_sms\":104,\"bus_"
				    "width\":4096,"
				    "\"memory_clock_rate\":1600000}}}]");
		const struct run *run = out.result.runs.items[0];
		ck_assert_uint_eq(out.result.runs.count, rows[i].runs);
		ck_assert_str_eq(run->kernel, "k");
		ck_assert_str_eq(run->device, "hip-gfx90a-104cu");
		ingest_number(given(run, METRIC_TOTAL_TIME), rows[i].time);
		ingest_number(given(run, METRIC_ALGORITHMIC_FLOPS), rows[i].flops);
		ingest_number(given(run, METRIC_LAUNCH_COUNT), rows[i].launches);
		ingest_number(given(run, METRIC_PEAK_BANDWIDTH), NAN);
		arena_free(&out.arena);
	}
#undef LEAF
#undef SCOPE
}
END_TEST

/* --- Kineto --- */

#define KERNEL(name, dur, args)                                                                    \
	"{\"args\":{" args "},\"dur\":" dur ",\"cat\":\"kernel\",\"name\":\"" name "\"}"
#define GRID(x) "\"grid\":[" x ",1,1],\"block\":[32,1,1]"

START_TEST(kineto_kernels)
{
	static const struct {
		const char *events;
		size_t runs;
		double time, launches;
		const char *params;
	} rows[] = {
		{KERNEL("k", "3", "") "," KERNEL("k", "1.5", "") ",{},null," KERNEL("k", "2", ""),
		 1, 2e-6, 3, ""},
		{KERNEL("k", "3", GRID("1")) "," KERNEL("k", "3", GRID("1")), 1, 3e-6, 2, ""},
		{KERNEL("k", "3", GRID("1")) "," KERNEL("k", "3", GRID("2")), 2, 3e-6, 1,
		 "block=32x1x1, grid=1x1x1"},
		{KERNEL("k", "3", "\"device\":0") "," KERNEL("k", "3", "\"device\":1"), 2, 3e-6, 1,
		 ""},
		{KERNEL("k", "3", "") ",{\"cat\":\"gpu_memcpy\",\"name\":\"k\",\"dur\":9}", 1, 3e-6,
		 1, ""},
		{KERNEL("\\u006b", "3", "\"grid\":\"big\",\"device\":\"x\""), 1, 3e-6, 1, ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ingest_outcome out =
			read_inside(&kineto_reader, "{\"traceEvents\":[", rows[i].events,
				    "],\"deviceProperties\":[{\"id\":0,\"name\":\"A\"},{\"id\":1,"
				    "\"name\":\"B\"}]}");
		const struct run *run = out.result.runs.items[0];
		ck_assert_uint_eq(out.result.runs.count, rows[i].runs);
		ck_assert_str_eq(run->kernel, "k");
		ingest_number(given(run, METRIC_TOTAL_TIME), rows[i].time);
		ingest_number(given(run, METRIC_LAUNCH_COUNT), rows[i].launches);
		ck_assert_str_eq(run_params_text(&out.arena, run), rows[i].params);
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(kineto_devices)
{
	struct ingest_outcome out = ingest_text(
		&kineto_reader,
		"{\"deviceProperties\":[{\"id\":0,\"name\":\"A\"},{\"id\":1,\"name\":\"B\"}],"
		"\"traceEvents\":[" KERNEL("k", "1", "\"device\":1") "," KERNEL(
			"k", "2", "\"device\":0") "]}");
	ck_assert_int_eq(out.rc, 0);
	ck_assert_str_eq(out.result.runs.items[0]->device, "B");
	ck_assert_str_eq(out.result.runs.items[0]->node, "device 1");
	ck_assert_str_eq(out.result.runs.items[1]->device, "A");
	arena_free(&out.arena);
}
END_TEST

/* Overloads share a short name and nothing else. */
START_TEST(kineto_twins)
{
	struct ingest_outcome out = ingest_text(
		&kineto_reader, "{\"traceEvents\":[" KERNEL("void k(float*)", "1", "") "," KERNEL(
					"void k(half*)", "2", "") "," KERNEL("j", "2", "") "]}");
	ck_assert_uint_eq(out.result.runs.count, 3);
	const struct run *a = out.result.runs.items[0], *b = out.result.runs.items[1];
	ck_assert_str_eq(a->kernel, b->kernel);
	ck_assert_str_ne(run_param(a, "symbol"), run_param(b, "symbol"));
	ck_assert_ptr_null(run_param(out.result.runs.items[2], "symbol"));
	arena_free(&out.arena);
}
END_TEST

/* Overloads with the same three grids are six series. */
START_TEST(kineto_twins_of_several_sizes)
{
#define SIZES(name)                                                                                \
	KERNEL(name, "1", GRID("1"))                                                               \
	"," KERNEL(name, "1", GRID("2")) "," KERNEL(name, "1", GRID("3"))
	struct ingest_outcome out = ingest_text(
		&kineto_reader,
		"{\"traceEvents\":[" SIZES("void k(float*)") "," SIZES("void k(half*)") "]}");
#undef SIZES
	const struct run_list *runs = &out.result.runs;
	ck_assert_uint_eq(runs->count, 6);
	for (size_t i = 0; i < runs->count; i++)
		for (size_t k = 0; k < i; k++)
			ck_assert_str_ne(run_params_text(&out.arena, runs->items[i]),
					 run_params_text(&out.arena, runs->items[k]));
	arena_free(&out.arena);
}
END_TEST

/* Names of templates that differ only near their end are two kernels. */
START_TEST(kineto_long_names)
{
	char names[2][5001], text[11000];
	for (int i = 0; i < 2; i++) {
		memset(names[i], 'k', 5000);
		names[i][4999] = (char)('0' + i);
		names[i][5000] = '\0';
	}
	snprintf(text, sizeof text,
		 "{\"traceEvents\":[" KERNEL("%s", "1", "") "," KERNEL("%s", "9", "") "]}",
		 names[0], names[1]);
	struct ingest_outcome out = ingest_text(&kineto_reader, text);
	ck_assert_uint_eq(out.result.runs.count, 2);
	ck_assert_str_ne(run_param(out.result.runs.items[0], "symbol"),
			 run_param(out.result.runs.items[1], "symbol"));
	arena_free(&out.arena);
}
END_TEST

/* --- histories --- */

START_TEST(history_units)
{
	static const struct {
		const char *tool, *bench;
		enum metric metric;
		double number, deviation; /* NAN: no spread */
	} rows[] = {
		{"go", "\"value\":5,\"unit\":\"ns/op\",\"range\":\"\xc2\xb1 2\"", METRIC_HOST_TIME,
		 5e-9, 2e-9},
		{"cargo", "\"value\":5,\"unit\":\"ns/iter\",\"range\":\"\xc2\xb1 2\"",
		 METRIC_HOST_TIME, 5e-9, NAN},
		{"x", "\"value\":5,\"unit\":\"us\",\"range\":\"+/- 10%\"", METRIC_HOST_TIME, 5e-6,
		 5e-7},
		/* The action drops the unit of Catch2's deviation: 800 us beside 5 ms. */
		{"catch2", "\"value\":5,\"unit\":\"ms\",\"range\":\"\xc2\xb1 800\"",
		 METRIC_HOST_TIME, 5e-3, NAN},
		{"go", "\"value\":5,\"unit\":\"ns/op\\t  48 B/op\\t  2 allocs/op\"",
		 METRIC_HOST_TIME, 5e-9, NAN},
		{"x", "\"value\":5,\"unit\":\"\xc2\xb5s\"", METRIC_HOST_TIME, 5e-6, NAN},
		{"x", "\"value\":5,\"unit\":\"GB/s\"", METRIC_ALGORITHMIC_BANDWIDTH, 5e9, NAN},
		{"x", "\"value\":5,\"unit\":\"MiB/s\"", METRIC_ALGORITHMIC_BANDWIDTH, 5242880, NAN},
		{"x", "\"value\":5,\"unit\":\"tokens/s\"", METRIC_THROUGHPUT, 5, NAN},
		{"x", "\"value\":4,\"unit\":\"ops/sec\"", METRIC_HOST_TIME, NAN, NAN},
		{"benchmarkjs",
		 "\"value\":4,\"unit\":\"ops/sec\",\"range\":\"\xc2\xb1"
		 "1.5%\"",
		 METRIC_HOST_TIME, 0.25, NAN},
		{"pytest",
		 "\"value\":4,\"unit\":\"iter/sec\",\"range\":\"stddev: 0.01\",\"extra\":\"mean: "
		 "250.5 msec\\nrounds: 5\"",
		 METRIC_HOST_TIME, 0.2505, 0.01},
		{"pytest", "\"value\":4,\"unit\":\"iter/sec\"", METRIC_HOST_TIME, 0.25, NAN},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf before = {0};
		strbuf_addf(&before,
			    "{\"entries\":{\"s\":[{\"commit\":{\"id\":\"abcdef1\"},\"tool\":\"%s\","
			    "\"benches\":[{\"name\":\"k\",",
			    rows[i].tool);
		struct ingest_outcome out = read_inside(
			&benchmark_action_reader, strbuf_text(&before), rows[i].bench, "}]}]}}");
		const struct run *run = out.result.runs.items[0];
		const struct run_spread *spread = run_spread(run, METRIC_HOST_TIME);
		ingest_number(given(run, rows[i].metric), rows[i].number);
		ingest_number(spread ? spread->deviation : NAN, rows[i].deviation);
		ck_assert_str_eq(run->commit, "abcdef1");
		arena_free(&out.arena);
		strbuf_free(&before);
	}
}
END_TEST

/* A coefficient of variation has the unit "ns/iter", but is not a time. */
START_TEST(history_deviations)
{
	struct ingest_outcome out = read_inside(
		&benchmark_action_reader,
		"{\"entries\":{\"s\":[{\"commit\":{\"id\":\"abcdef1\"},\"tool\":\"googlecpp\","
		"\"benches\":[",
		"{\"name\":\"k\",\"value\":5,\"unit\":\"ns/iter\"},"
		"{\"name\":\"k_stddev\",\"value\":1,\"unit\":\"ns/iter\"},"
		"{\"name\":\"k_cv\",\"value\":0.2,\"unit\":\"ns/iter\"}",
		"]}]}}");
	ck_assert_uint_eq(out.result.runs.count, 1);
	ck_assert(ingest_has_note(out.result.runs.items[0], "deviation entries, skipped: 2"));
	arena_free(&out.arena);
}
END_TEST

/* Names that differ only after the stored part are different kernels. */
START_TEST(long_names_stay_apart)
{
	static const struct {
		const struct reader *reader;
		const char *before, *between, *after;
	} rows[] = {
		{&google_benchmark_reader, "{\"benchmarks\":[{\"name\":\"",
		 "\",\"real_time\":2,\"time_unit\":\"ms\"},{\"name\":\"",
		 "\",\"real_time\":2,\"time_unit\":\"ms\"}]}"},
		{&benchmark_action_reader,
		 "{\"entries\":{\"s\":[{\"commit\":{\"id\":\"abcdef1\"},\"tool\":\"go\","
		 "\"benches\":[{\"value\":5,\"unit\":\"ns\",\"name\":\"",
		 "\"},{\"value\":5,\"unit\":\"ns\",\"name\":\"", "\"}]}]}}"},
		{&asv_reader, "{\"commit_hash\":\"abcdef1\",\"results\":{\"time_", "\":1,\"time_",
		 "\":1}}"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf sb = {0};
		for (int last = 'a'; last <= 'b'; last++) {
			strbuf_addstr(&sb, last == 'a' ? rows[i].before : rows[i].between);
			strbuf_repeat(&sb, "x", 300);
			strbuf_addch(&sb, (char)last);
		}
		struct ingest_outcome out =
			read_inside(rows[i].reader, "", strbuf_text(&sb), rows[i].after);
		ck_assert_uint_eq(out.result.runs.count, 2);
		const char *one = out.result.runs.items[0]->kernel;
		ck_assert_uint_eq(strlen(one), json_line_limit);
		ck_assert_str_ne(one, out.result.runs.items[1]->kernel);
		strbuf_free(&sb);
		arena_free(&out.arena);
	}
}
END_TEST

/* The last parameter runs fastest. */
START_TEST(asv_combinations)
{
	static const char *const params[] = {"arg0=1, arg1=x", "arg0=1, arg1=y", "arg0=2, arg1=x",
					     "arg0=2, arg1=y"};
	struct ingest_outcome out = ingest_text(
		&asv_reader,
		"{\"commit_hash\":\"abcdef1\",\"results\":{\"m.time_k\":{\"result\":[1,2,"
		"3,4],\"params\":[[\"1\",\"2\"],[\"'x'\",\"'y'\"]]}}}");
	ck_assert_uint_eq(out.result.runs.count, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct run *run = out.result.runs.items[i];
		ck_assert_str_eq(run_params_text(&out.arena, run), params[i]);
		ingest_number(given(run, METRIC_HOST_TIME), (double)i + 1);
	}
	arena_free(&out.arena);
}
END_TEST

/* --- refusals --- */

START_TEST(refuses)
{
	static const struct {
		const struct reader *reader;
		const char *text, *message;
	} rows[] = {
		{&google_benchmark_reader, "{\"benchmarks\":[{\"name\":\"k\",\"real_time\":1}]}",
		 "benchmarks[0]: time_unit \"\": expected ns, us, ms or s"},
		{&nvbench_reader, "{\"devices\":{},\"benchmarks\":[]}",
		 "\"devices\" and \"benchmarks\" must be lists, as nvbench --json writes them"},
		{&nvbench_reader, "{\"devices\":[],\"benchmarks\":[]}",
		 "no state was measured: the file has no states"},
		{&nvbench_reader, "{\"devices\":[],\"benchmarks\":[{\"name\":\"\"}]}",
		 "benchmarks[0] has no name"},
		{&google_benchmark_reader, "{\"benchmarks\":{}}", "\"benchmarks\" must be a list"},
		{&google_benchmark_reader, "{\"benchmarks\":[{}]}",
		 "benchmarks[0]: a benchmark without a name"},
		{&google_benchmark_reader, "{\"benchmarks\":[1]}",
		 "benchmarks[0] is not an object"},
		{&kernelbench_reader, "{\"level1\":[]}", "level1 is not an object"},
		{&kernel_tuner_reader, "{\"cache\":[]}",
		 "\"cache\" must be an object and \"tune_params_keys\" a list"},
		{&kernel_tuner_reader, "{\"cache\":{},\"tune_params_keys\":[]}",
		 "\"kernel_name\" is missing"},
		{&proton_reader, "[]", "expected a list of a tree and its devices"},
		{&proton_reader, "[{\"frame\":{\"name\":\"R\"},\"children\":[{\"metrics\":{}}]}]",
		 "a node below R is not of the form {\"children\": [...], \"frame\": {...}, "
		 "\"metrics\": {...}}"},
		{&kineto_reader, "{}", "the trace has no \"traceEvents\" list"},
		{&kineto_reader, "[]", "byte 0: the trace must start with '{'"},
		{&kineto_reader, "{\"traceEvents\":{}}", "byte 15: traceEvents is not a list"},
		{&kineto_reader, "{\"traceEvents\":[]} x",
		 "byte 19: trailing data after the end of the trace"},
		{&kineto_reader, "{\"traceEvents\":[],\"traceEvents\":[]}",
		 "byte 32: duplicate traceEvents"},
		{&benchmark_action_reader, "{\"entries\":[]}",
		 "\"entries\" must be an object of suites"},
		{&benchmark_action_reader, "{\"entries\":{\"s\":[{\"commit\":{\"id\":\"main\"}}]}}",
		 "entries[\"s\"][0]: commit.id is not a commit id"},
		{&benchmark_action_reader,
		 "{\"entries\":{\"s\":[{\"commit\":{\"id\":\"abcdef1\"}}]}}",
		 "entries[\"s\"][0]: \"benches\" is missing or not a list"},
		{&asv_reader, "{\"results\":[]}", "\"results\" must be an object of benchmarks"},
		{&asv_reader, "{\"commit_hash\":\"x\",\"results\":{}}",
		 "commit_hash is not a commit id"},
		{&asv_reader, "{\"commit_hash\":\"abcdef1\",\"results\":{\"time_k\":\"soon\"}}",
		 "results[\"time_k\"]: expected seconds, found a string"},
		{&asv_reader,
		 "{\"commit_hash\":\"abcdef1\",\"results\":{\"time_k\":{\"result\":[1,2],"
		 "\"params\":"
		 "[[]]}}}",
		 "results[\"time_k\"]: parameters must be lists of values, at most 16"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ingest_refuses(rows[i].reader, rows[i].text, rows[i].message);
}
END_TEST

UNIT_MAIN("jsonbench", documents_have_no_nan, lines_are_clean, google_names, google_bytes,
	  google_aggregates, nvbench_values, tuner_caches, proton_scopes, kineto_kernels,
	  kineto_devices, kineto_twins, kineto_twins_of_several_sizes, kineto_long_names,
	  history_units, history_deviations, long_names_stay_apart, google_old_aggregates,
	  asv_combinations, refuses)
