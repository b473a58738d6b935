/* The registry: which reader takes what, what is said of files that none takes, and what becomes
 * of real files when they are present. */
#include "ingest/reader.h"
#include "ingest/registry/registry.h"

#include <fnmatch.h>
#include <stdio.h>

#include "base/system/file.h"
#include "base/strbuf.h"
#include "ingest/registry/unknown_format.h"
#include "cli/ingest/folders/directory_walk.h"
#include "tests/unit/ingest_fixture.h"

#define MAPPABLE "; map them with --columns, for example --columns kernel=NAME,time=NAME:ms"
#define READABLE "; \"rooflog list formats\" lists the supported formats"

START_TEST(readers_are_told_apart)
{
	static const struct {
		const char *text, *reader;
	} files[] = {
		{"\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
		 "\"0\",\"k(int)\",\"gpu__time_duration.sum\",\"ns\",\"9\"\n",
		 "ncu-csv"},
		{"\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"\",\"\",\"ns\"\n"
		 "\"0\",\"k(int)\",\"9\"\n",
		 "ncu-raw"},
		{"  k(int) (1, 1, 1)x(1, 1, 1), Context 1, Stream 7, Device 0, CC 9.0\n"
		 "    Section: GPU Speed Of Light Throughput\n    -------- -- -\n"
		 "    Duration ns 9\n",
		 "ncu-text"},
		{"\"Kernel Name\",\"k(int)\",\n\"Address\",\"Source\",\"# Samples\"\n"
		 "\"0x10\",\"EXIT\",\"1\"\n",
		 "ncu-source"},
		{"{\"summary\":[{\"total_time\":1e-6}]}", "neuron-profile-json"},
		{"WARN[0000] x\n{\"n_1a\":{\"total_time\":1e-6}}", "neuron-summary-json"},
		{"n_1a\n    total_time    1e-6\n", "neuron-summary-text"},
		{"| NODE ID | CYCLES |\n| 0 | 9 |\n+---+\n", "neuron-session"},
		{"Problem,Provider,OperationKind,Operation,Disposition,Status,m,Runtime\n"
		 "1,CUTLASS,gemm,g,passed,success,8,1\n",
		 "cutlass-profiler"},
		{"kernel_name,kernel_provider,metric_name,metric_unit,x_name,x_value,y_value_50,"
		 "gpu_name\nk,p,speed,ms,T,1,1,g\n",
		 "liger"},
		{"routine,median_time,std_time,tflops,tb_per_sec,backend\nr,1,0.1,1,1,b\n",
		 "flashinfer"},
		{"N,Triton (ms),Torch (ms)\n8,1,2\n", "perf-report"},
		{"{\"unfused\":{\"add+mul\":{\"[1, 8]\":0.1}},\"fused\":{}}", "fusion-profile"},
		{"{\"single\":{\"add\":1,\"mul\":2},\"fused\":{\"add+mul\":2}}", "fusion-profile"},
		{"{\"metadata\":{\"device\":\"cuda\"},\"profiles\":[{\"shape\":{\"hidden_size\":8,"
		 "\"batch_size\":1,\"seq_len\":1},\"shape_key\":\"h8_b1_s1\",\"g\":{\"a\":1,\"b\":"
		 "2,"
		 "\"a+b\":2}}]}",
		 "fusion-ops"},
		{"{\"config\":{\"runs\":1},\"results\":{\"never_fuse\":{\"[prefill=8, decode=4]\":"
		 "{\"total_ms\":1}}}}",
		 "fusion-e2e"},
		{"|total_time|1 ms|\n|event_count|2|\n|trace_count|3|\n", "neuron-ui-paste"},
		{"  B  NC  L(50)  NCL(50)\n  1  1  9  8\n", "neuron-bench"},
		{"NCLatency:\n  p50 = 8us\n", "neuron-bench"},
		{"{\"latency_data\":{\"0\":[519]}}", "neuron-bench-json"},
		{"{\"e2e_model\":{\"latency_ms_p50\":2.5}}", "nxdi-benchmark"},
		{"{\"kernel\":\"mlp\",\"host_time\":\"1.4 ms\"}", "timings"},
		{"{\"meta\":{\"version\":{\"nvbench\":{}}},\"devices\":[],\"benchmarks\":[{"
		 "\"name\":"
		 "\"k\",\"states\":[{\"summaries\":[{\"tag\":\"nv/cold/time/gpu/mean\",\"data\":"
		 "[{\"name\":\"value\",\"value\":\"1e-6\"}]}]}]}]}",
		 "nvbench"},
		{"{\"context\":{\"num_cpus\":1},\"benchmarks\":[{\"name\":\"k\",\"time_unit\":"
		 "\"s\",\"real_time\":1,"
		 "\"cpu_time\":1}]}",
		 "google-benchmark"},
		{"{\"level1\":{\"k\":{\"mean\":1,\"num_trials\":1,\"hardware\":\"x\"}}}",
		 "kernelbench"},
		{"{\"kernel_name\":\"k\",\"tune_params_keys\":[\"x\"],\"cache\":{\"1\":{\"x\":1,"
		 "\"time\":1}}}",
		 "kernel-tuner"},
		{"[{\"children\":[],\"frame\":{\"name\":\"k\"},\"metrics\":{\"count\":1,"
		 "\"time (ns)\":1}},{}]",
		 "proton"},
		{"{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":"
		 "\"k\",\"dur\":1}]}",
		 "kineto"},
		{"window.BENCHMARK_DATA = {\"entries\":{\"s\":[{\"commit\":{\"id\":\"abcdef1\"},"
		 "\"benches\":[{\"name\":\"k\",\"value\":1,\"unit\":\"ns\"}]}]}}",
		 "github-action-benchmark"},
		{"{\"commit_hash\":\"abcdef1\",\"env_name\":\"e\",\"results\":{\"time_k\":1}}",
		 "asv"},
		{"{\"x\":{\"peak_gbps\":1,\"dtype\":\"bf16\"}}", "devices"},
		{"{\"dtype\":\"bf16\"}", "params"},
		{"| Stage | Duration (us) |\n|--|--|\n| a | 1 |\n", "profile-report"},
		{"{\"Bm\":64}", "tiling"},
		{"[{\"Bm\":64,\"time_us\":1}]", "autotuning"},
		{"M,K,N,latency_ms\n1,2,3,0.5\n", "npu-matmul-csv"},
		{"Time (%),Total Time (ns),Instances,Avg (ns),Name\n9,9,1,9,k\n", "nsys-stats"},
		{"\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\"\n\"k\",1,9,9\n",
		 "rocprof-csv"},
		{"Index,KernelName,gpu-id,grd,wgr,BeginNs,EndNs\n0,k,1,64,64,1,9\n", "rocprof-csv"},
		{"{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,"
		 "\"args\":{\"name\":\"GPU0\"}},{\"ph\":\"X\",\"pid\":1,\"name\":\"k\","
		 "\"args\":{\"BeginNs\":1,\"EndNs\":\"9\"}}]}",
		 "rocprof-json"},
		{"{ \"rocprofiler-sdk-tool\": "
		 "[{\"kernel_symbols\":[{\"kernel_id\":1,\"kernel_name\":\"k\"}],"
		 "\"buffer_records\":{\"kernel_dispatch\":[{\"start_timestamp\":1,\"end_"
		 "timestamp\":2,"
		 "\"dispatch_info\":{\"kernel_id\":1}}]}}]}",
		 "rocprofv3-json"},
		{"workload_name,gpu_model,hbm_bw\na,MI200,1638.4\n", "rocprof-compute"},
		{"device,HBMBw,L2Bw\n0,1388.8,5000\n", "rocprof-compute"},
		{"Dispatch_ID,Kernel_Name,SQ_WAVES,Start_Timestamp,End_Timestamp\n0,k,1,1,9\n",
		 "rocprof-compute"},
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct ingest_outcome out = ingest_text(NULL, files[i].text);
		ck_assert_msg(out.rc == 0, "%s: %s", files[i].text, out.err.text);
		ck_assert_str_eq(out.used->name, files[i].reader);
		for (size_t k = 0; readers[k]; k++)
			ck_assert(readers[k] == out.used ||
				  !readers[k]->detect(span_of(files[i].text)));
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(failures_leave_the_result_alone)
{
	struct ingest_outcome out = ingest_text(NULL, "n_1a\n    total_time    soon\n");
	ck_assert_int_lt(out.rc, 0);
	ck_assert_str_eq(out.used->name, "neuron-summary-text");
	ck_assert_uint_eq(out.result.runs.count, 0);
	arena_free(&out.arena);
	out = ingest_text(NULL, "hello");
	ck_assert_ptr_null(out.used);
	arena_free(&out.arena);
	ingest_refuses(NULL, "", "the file is empty");
	ingest_refuses(NULL, " \r\n\t\n", "the file contains only whitespace");
	ingest_refuses(NULL, "hello",
		       "unsupported format: the file looks like text that begins with "
		       "\"hello\"" READABLE);
}
END_TEST

#define BYTES(literal)                                                                             \
	{                                                                                          \
		(literal), sizeof(literal) - 1                                                     \
	}
#define ZERO8 "\0\0\0\0\0\0\0\0"
#define ZERO64 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8

#define PERFETTO                                                                                   \
	"a trace of Perfetto; let the profiler write another format: rocprofv3 --output-format "   \
	"csv, prof.export_chrome_trace() of PyTorch, neuron-profile view --output-format json"
#define CHAKRA                                                                                     \
	"an execution trace of Chakra, which has operators but no device times; give the "         \
	"profiler's trace of the same run: prof.export_chrome_trace()"

static const struct {
	struct span head;
	const char *look;
} foreign[] = {
	{BYTES("\x1f\x8b\x08\0"), "gzip inside gzip or zstd; unpack it once"},
	{BYTES("\x28\xb5\x2f\xfd\0"), "zstd inside gzip or zstd; unpack it once"},
	{BYTES("PK\x03\x04.."), "a zip archive; unpack it"},
	{BYTES("SQLite format 3\0..."), "an SQLite database"},
	{BYTES("\x40" ZERO8 "\x04" ZERO8 ZERO8 ZERO8), "a binary file"},
	{BYTES("\x07\x20\0\0\0\0\0\0\0" ZERO64 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8
	       "\0\0\0\0\0\0\0\x0a"),
	 "an NTFF trace of version 7 (supported: 4 to 6); convert it with: neuron-profile view -n "
	 "FILE.neff -s FILE.ntff --output-format json"},
	/* Too short to be one, and one whose header begins with another field. */
	{BYTES("\x07\x20\0\0\0\0\0\0\0" ZERO64), "a binary file"},
	{BYTES("\x07\x20\0\0\0\0\0\0\0" ZERO64 ZERO64 "\x12"), "a binary file"},
	{BYTES("a\0b"), "a binary file"},
	{BYTES("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"),
	 "a pointer of Git LFS; fetch the file itself: git lfs pull"},
	/* Two packets: a sequence's number with a description of a track, and a timestamp; the
	 * third is cut. */
	{BYTES("\x0a\x05\x50\x01\xe2\x03\0\x0a\x02\x40\x09\x0a\x7f\x50"), PERFETTO},
	{BYTES("\x0a\x02\x50\x01\x12\x02\x40\x09\0"), "a binary file"},
	{BYTES("\x07\x0a\x05"
	       "0.0.4\x0a\x02\x08\x01"),
	 CHAKRA},
	{BYTES("{\"schema\":\"1.1.1-chakra.0.0.4\",\"pid\":1,\"nodes\":[{\"id\":1}]}"), CHAKRA},
	{BYTES("{\"name\":\"gemm\",\"op_type\":\"gemm\",\"axes\":{}}"),
	 "a definition of flashinfer-bench; give its results: traces/*.jsonl"},
	{BYTES("{\"m.time_k\":{\"code\":\"\",\"param_names\":[\"n\"],\"unit\":\"seconds\"},"
	       "\"version\":2}"),
	 "descriptions of asv benchmarks; give their results: results/MACHINE/*.json"},
	{BYTES("{\"backend\":\"vllm\",\"request_throughput\":9.5,\"mean_ttft_ms\":12.5}"),
	 "a serving benchmark, which times requests and no kernels; for its times, map members: "
	 "--columns host_time=mean_ttft_ms:ms"},
	{BYTES("NVR\0\x40\0\0\0"),
	 "a report of Nsight Compute of an unknown version; export it with: ncu "
	 "--import FILE --page raw --csv"},
	{BYTES("\x12\0\0/opt/nvidia/nsight-systems/2025.3"),
	 "a native report of Nsight Systems; export it with: nsys export --type sqlite FILE"},
	{BYTES("\x80\x81\x82\x83\x84\x85\x86"), "a binary file"},
	{BYTES("\xff\xfen\0_\0"), "UTF-16 text; convert it to UTF-8"},
	{BYTES("{\"schema\":1,\"measurements\":{\"a\":1}}"),
	 "JSON with results computed by another program, with unverified units; give the "
	 "profiler's own output (its first member is \"schema\")"},
	{BYTES("{\"traceEvents\":[{\"ph\":\"X\"}]}"),
	 "JSON with a Chrome or PyTorch trace (its first member is \"traceEvents\")"},
	{BYTES("{\"total_time\":1,\"hbm_read_bytes\":2,\"hbm_write_bytes\":3}"),
	 "summary fields without their node; unmodified summary-json has them inside \"n_<hash>\""},
	{BYTES("{\"at\":1,\"rows\":[{\"x\":1}]}"),
	 "tables written by another program (JSON) (its first member is \"at\")"},
	{BYTES("{\"at\":1}\n{\"at\":2}\n"), "several concatenated JSON documents; for one object "
					    "per line, use --columns (its first member is \"at\")"},
	{BYTES("{\"at\":{\"x\":1}}"), "JSON of an unknown kind (its first member is \"at\")"},
	{BYTES("[1,2]"), "a JSON list"},
	{BYTES("{}"), "an empty JSON document"},
	{BYTES("{{name}} says"), "text that begins with \"{{name}} says\""},
	{BYTES("[INFO] hello"), "text that begins with \"[INFO] hello\""},
	{BYTES("<!DOCTYPE html>\n<p>"), "an HTML page"},
	{BYTES("==PROF== x\n\"ID\",\"Process ID\",\"Kernel Name\"\n"), "CSV of Nsight Compute"},
	{BYTES("M,K,N\n1,2,3\n"), "a CSV table with the columns \"M\", \"K\", \"N\"" MAPPABLE},
	{BYTES("a\tb\n1\t2\n"), "a table with tabs with the columns \"a\", \"b\"" MAPPABLE},
	{BYTES("a,b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8,9\n"),
	 "a CSV table with the columns \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\" "
	 "..." MAPPABLE},
	{BYTES("== MODULE_1\n   total_time = 0.1\n"),
	 "hand-copied summary fields (\"key = value\"); give the profiler's own output "
	 "(summary-text or summary-json)"},
	{BYTES("| **total_time** | 54.82 **ms** |\n"),
	 "a Markdown table of summary fields; give the profiler's own output (summary-text or "
	 "summary-json)"},
	{BYTES("    total_time     1e-6\n"),
	 "summary-text fields without the \"n_<hash>\" line above them"},
	{BYTES("One, two, three.\nFour.\n"), "text that begins with \"One, two, three.\""},
};

START_TEST(says_what_foreign_files_look_like)
{
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
		struct strbuf sb = {0};
		struct error err;
		ck_assert_ptr_null(reader_detect(foreign[i].head, &err));
		unknown_format_describe(&sb, foreign[i].head);
		ck_assert_str_eq(strbuf_text(&sb), foreign[i].look);
		ck_assert_int_eq(err.kind, ERR_FORMAT);
		ck_assert(strstr(err.text, foreign[i].look) && strstr(err.text, READABLE));
		strbuf_free(&sb);
	}
}
END_TEST

/* --- real files --- */

/* The first row whose pattern fits a path says which reader takes the file, or why none does. */
static const struct {
	const char *pattern, *expected;
} real[] = {
	{"*.neff", "neff"},
	{"*.ntff", "ntff"},
	{"*/AnchovyPark*/profile_*.json", "neuron-profile-json"},
	{"*/json_reports/*.json", "neuron-profile-json"},
	{"*/results/pairs/*/summary.json", "neuron-summary-json"},
	{"*/chenhzhu*/part1/*.txt", "neuron-summary-text"},
	{"*/matmul_benchmark_trn3.log", "neuron-summary-text"},
	{"*/03-profile-session-summary.txt", "neuron-session"},
	{"*/02-profiler-counters.txt", "neuron-summary-values"},
	{"*-throttle-probe.log", "neuron-summary-values"},
	{"*/06-neuron-bench.txt", "text that begins with \"neuron-bench"},
	{"*/reports/*.json", "tables written by another program"},
	{"*/profile_nki_matmul_tiled_.json", "results computed by another program"},
	{"*/baselines.json", "results computed by another program"},
	{"*/mp2_energy_profile_findings.raw-block.json", "summary fields without their node"},
	{"*/AnchovyPark*.csv", "npu-matmul-csv"},
	{"*.csv", "a CSV table"},
	{"*.tsv", "a table with tabs"},
	{"*.md", "neuron-ui-paste"},
};

static const char *expected_of(const char *path)
{
	for (size_t i = 0; i < sizeof real / sizeof *real; i++)
		if (fnmatch(real[i].pattern, path, 0) == 0)
			return real[i].expected;
	return "a row in the table above";
}

static void check_real(const char *path)
{
	const char *expected = expected_of(path);
	struct error err;
	struct input *input = input_open(path, &err);
	ck_assert_msg(input != NULL, "%s", path);
	struct ingest_outcome out = ingest_input(NULL, input);
	const char *said = out.rc == 0 ? out.used->name : out.err.text;
	const char *end = strstr(said, READABLE);
	printf("%s: %.*s\n", path, end ? (int)(end - said) : (int)strlen(said), said);
	ck_assert_msg(strstr(said, expected) != NULL, "%s: %s\nnot %s", path, said, expected);
	for (size_t i = 0; i < out.result.runs.count; i++)
		ck_assert(run_time(out.result.runs.items[i]) > 0);
	arena_free(&out.arena);
}

START_TEST(real_files)
{
	static const char folder[] = "../shared/data/neuron";
	struct arena arena = {0};
	struct tree_list files = {0};
	struct error err;
	if (!file_is_directory(folder)) {
		puts("skipped: no ../shared/data");
		return;
	}
	ck_assert_int_eq(directory_walk_expand(&arena, folder, &files, &err), 0);
	for (size_t i = 0; i < files.count; i++)
		check_real(files.items[i].path);
	arena_free(&arena);
}
END_TEST

/* A few figures of them, read by eye. */
START_TEST(real_figures)
{
	static const struct {
		const char *path;
		enum metric metric;
		double number;
	} figures[] = {
		{"chenhzhu+asst4-trainium2/part1/transpose_1024_perf.txt", METRIC_TOTAL_TIME,
		 4.6470761e-05},
		{"chenhzhu+asst4-trainium2/part1/transpose_1024_perf.txt", METRIC_THROTTLE_TIME,
		 12645e-9},
		{"yahavb+trn2-matmul-bench/matmul_benchmark_trn3.log",
		 METRIC_ADJUSTED_HARDWARE_FLOPS, 2198519939072},
		{"yahavb+trn2-matmul-bench/matmul_benchmark_trn3.log", METRIC_TOTAL_EXEC_TIME,
		 0.016639235668},
		{"pantheongpu+pantheonneuron/data/probe-2026-08-26-tools/"
		 "03-profile-session-summary.txt",
		 METRIC_TOTAL_TIME, 149.710075e-6},
		{"pantheongpu+pantheonneuron/data/probe-2026-08-26-tools/"
		 "03-profile-session-summary.txt",
		 METRIC_TENSOR_INSTRUCTION_COUNT, 2182},
	};
	if (!file_is_directory("../shared/data/neuron")) {
		puts("skipped: no ../shared/data");
		return;
	}
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		struct error err;
		struct arena arena = {0};
		struct input *input = input_open(
			arena_printf(&arena, "../shared/data/neuron/%s", figures[i].path), &err);
		ck_assert_msg(input != NULL, "%s", err.text);
		struct ingest_outcome out = ingest_input(NULL, input);
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		double number = out.result.runs.items[0]->given[figures[i].metric].number;
		ck_assert_msg(fabs(number / figures[i].number - 1) < 1e-12, "%s: %.17g",
			      figures[i].path, number);
		arena_free(&out.arena);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("readers", readers_are_told_apart, failures_leave_the_result_alone,
	  says_what_foreign_files_look_like, real_files, real_figures)
