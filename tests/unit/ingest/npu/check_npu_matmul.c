/* Tables of an NPU matmul profiler: the kinds of columns, repeats, tiles and cycles, and what is
 * refused. */
#include "ingest/reader.h"

#include "base/strbuf.h"
#include "tests/unit/ingest_fixture.h"

#define TILES "M,K,N,latency_ms,num_tiles_M,num_tiles_K,num_tiles_N,total_tiles\n"

static struct ingest_outcome read_text(const char *text, size_t runs)
{
	struct ingest_outcome out = ingest_text(NULL, text);
	ck_assert_msg(out.rc == 0, "%s\n%s", text, out.err.text);
	ck_assert_ptr_eq(out.used, &npu_matmul_reader);
	ck_assert_uint_eq(out.result.runs.count, runs);
	return out;
}

static void check_value(const struct run *run, enum metric metric, double number,
			enum provenance provenance)
{
	ingest_number(run->given[metric].number, number);
	ck_assert_int_eq(run->given[metric].provenance, provenance);
}

START_TEST(reads_shapes)
{
	struct ingest_outcome out = read_text(
		"\xef\xbb\xbf" TILES "128,128,512,0.25,1,1,1,1\r\n160,128,512,0.5,2,1,1,2\r\n", 2);
	const struct run *run = out.result.runs.items[1];
	ck_assert_str_eq(run->kernel, "matmul");
	ck_assert_str_eq(run->variant, "");
	ck_assert_str_eq(run->tool, "npu-matmul");
	ck_assert_ptr_null(run->device);
	ck_assert_ptr_null(run->dtype);
	ck_assert_str_eq(run_params_text(&out.arena, run), "K=128, M=160, N=512");
	check_value(run, METRIC_HOST_TIME, 0.0005, PROVENANCE_MEASURED);
	check_value(run, METRIC_TOTAL_TIME, NAN, PROVENANCE_UNKNOWN);
	check_value(run, METRIC_TILE_COUNT, 2, PROVENANCE_DERIVED);
	check_value(run, METRIC_PADDING_FRACTION, 0.375, PROVENANCE_DERIVED);
	check_value(run, METRIC_ALGORITHMIC_FLOPS, 20971520, PROVENANCE_DERIVED);
	ck_assert_str_eq(run_attribute(run, "total_tiles"), "2");
	ck_assert_uint_eq(out.result.runs.items[0]->note_count, 0);
	ck_assert_uint_eq(run->spread_count, 0);
	arena_free(&out.arena);
}
END_TEST

START_TEST(reads_buckets)
{
	struct ingest_outcome out = read_text(
		"actual_N,bucket_N,padding_size,padding_pct,npu_only_ms,npu_only_std,e2e_ms,"
		"e2e_std,e2e_overhead_ms\n100,128,28,28.0,0.25,0.125,1.0,0.5,0.75\n",
		2);
	const struct run *npu = out.result.runs.items[0], *e2e = out.result.runs.items[1];
	ck_assert_str_eq(run_params_text(&out.arena, npu), "N=128, actual_N=100, scope=npu_only");
	ck_assert_str_eq(run_params_text(&out.arena, e2e), "N=128, actual_N=100, scope=e2e");
	check_value(npu, METRIC_HOST_TIME, 0.00025, PROVENANCE_MEASURED);
	check_value(e2e, METRIC_HOST_TIME, 0.001, PROVENANCE_MEASURED);
	ingest_number(run_spread(npu, METRIC_HOST_TIME)->deviation, 0.000125);
	ingest_number(run_spread(npu, METRIC_HOST_TIME)->mean, 0.00025);
	ingest_number(run_spread(npu, METRIC_HOST_TIME)->count, NAN);
	ingest_number(run_spread(e2e, METRIC_HOST_TIME)->deviation, 0.0005);
	check_value(npu, METRIC_TILE_COUNT, NAN, PROVENANCE_UNKNOWN);
	check_value(npu, METRIC_ALGORITHMIC_FLOPS, NAN, PROVENANCE_UNKNOWN);
	arena_free(&out.arena);
	out = read_text("bucket_N,flops,latency_ms,latency_std,tflops\n128,4194304,0.25,0,0.0168\n",
			1);
	check_value(out.result.runs.items[0], METRIC_ALGORITHMIC_FLOPS, 4194304,
		    PROVENANCE_REPORTED);
	arena_free(&out.arena);
	out = read_text("seq_len_actual,seq_len_bucket,M,N,npu_only_ms,e2e_total_ms\n"
			"2,256,128,128,0.25,1\n",
			2);
	ck_assert_str_eq(run_params_text(&out.arena, out.result.runs.items[1]),
			 "K=256, M=128, N=128, actual_K=2, scope=e2e");
	check_value(out.result.runs.items[0], METRIC_TILE_COUNT, 2, PROVENANCE_DERIVED);
	arena_free(&out.arena);
}
END_TEST

START_TEST(reads_chains)
{
	struct ingest_outcome out = read_text(
		"M,K1,K2,N,flops,bytes_fused,bytes_separate,ai_fused,ai_separate,separate_ms,"
		"separate_std,fused_ms,fused_std,difference_ms,fusion_effective\n"
		"1,4,8,4,128,100,120,1.28,1.067,2.0,0.5,1.0,0.25,1.0,True\n",
		2);
	const struct run *fused = out.result.runs.items[0], *separate = out.result.runs.items[1];
	ck_assert_str_eq(fused->kernel, "matmul_chain");
	ck_assert_str_eq(fused->variant, "fused");
	ck_assert_str_eq(separate->variant, "separate");
	ck_assert_str_eq(run_params_text(&out.arena, fused), "K1=4, K2=8, M=1, N=4");
	check_value(fused, METRIC_HOST_TIME, 0.001, PROVENANCE_MEASURED);
	check_value(separate, METRIC_HOST_TIME, 0.002, PROVENANCE_MEASURED);
	check_value(fused, METRIC_ALGORITHMIC_BYTES, 100, PROVENANCE_REPORTED);
	check_value(separate, METRIC_ALGORITHMIC_BYTES, 120, PROVENANCE_REPORTED);
	check_value(separate, METRIC_ALGORITHMIC_FLOPS, 128, PROVENANCE_REPORTED);
	check_value(fused, METRIC_TILE_COUNT, NAN, PROVENANCE_UNKNOWN);
	arena_free(&out.arena);
}
END_TEST

START_TEST(repeats_are_samples)
{
	struct ingest_outcome out =
		read_text("M,K,N,latency_ms\n128,128,512,1000\n64,128,512,9000\n"
			  "128,128,512,3000\n128,128,512,2000\n",
			  2);
	const struct run *run = out.result.runs.items[0];
	check_value(run, METRIC_HOST_TIME, 2, PROVENANCE_MEASURED);
	const struct run_spread *spread = run_spread(run, METRIC_HOST_TIME);
	ingest_number(spread->count, 3);
	ingest_number(spread->numbers[0], 1);
	ingest_number(spread->numbers[2], 2);
	ck_assert_str_eq(run_param(out.result.runs.items[1], "M"), "64");
	arena_free(&out.arena);
}
END_TEST

/* More runs than groups of other tables: 17,000 rows with four times each. */
START_TEST(many_rows_with_many_times)
{
	enum { rows = 17000 };
	struct strbuf text = {0};
	strbuf_addstr(&text, "M,K,N,latency_ms,npu_only_ms,e2e_ms,fused_ms\n");
	for (int i = 1; i <= rows; i++)
		strbuf_addf(&text, "%d,128,512,1,1,1,1\n", i);
	struct ingest_outcome out = read_text(strbuf_text(&text), (size_t)4 * rows);
	arena_free(&out.arena);
	strbuf_free(&text);
}
END_TEST

START_TEST(disagreements_are_said_once)
{
	static const struct {
		const char *text, *note;
	} cases[] = {
		{TILES "4,128,512,0.3,1,1,4,4\n128,128,512,0.3,1,1,4,4\n",
		 "total_tiles differs from tile_count (tiles of M 128, K 128, N 512) in 2 of 2 "
		 "rows, first at line 2: 4, not 1; the file's num_tiles fit N tiles of 128; the "
		 "file's counts are stored as attribute total_tiles"},
		{TILES "4,128,512,0.3,1,1,1,1\n128,128,512,0.3,3,1,4,12\n",
		 "total_tiles differs from tile_count (tiles of M 128, K 128, N 512) in 1 of 2 "
		 "rows, first at line 3: 12, not 1; the file's num_tiles fit M tiles of no single "
		 "size, N tiles of no single size; the file's counts are stored as attribute "
		 "total_tiles"},
		{TILES "128,128,512,0.3,1,1,2,1\n",
		 "total_tiles is not the product of num_tiles_M, num_tiles_K and num_tiles_N in 1 "
		 "row"},
		{"M,K,N,latency_ms,cycles,latency_per_cycle\n32,32,64,0.25,126,0.002\n",
		 "cycles equals M + K + N - 2 in every row (computed, not measured): ignored"},
		{"M,K,N,latency_ms,cycles,latency_per_cycle\n32,32,64,0.25,127,0.002\n",
		 "origin of cycles is undocumented: ignored"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ingest_outcome out = ingest_text(NULL, cases[i].text);
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		const struct run *run = out.result.runs.items[0];
		ck_assert_uint_eq(run->note_count, 1);
		ck_assert_str_eq(run->notes[0].message, cases[i].note);
		ingest_number(run->given[METRIC_CYCLE_COUNT].number, NAN);
		for (size_t k = 1; k < out.result.runs.count; k++)
			ck_assert_uint_eq(out.result.runs.items[k]->note_count, 0);
		arena_free(&out.arena);
	}
}
END_TEST

static const struct {
	const char *text, *message;
} wrong[] = {
	{"M,K,N,latency_ms\n", "the table has no rows"},
	{"M,K,N,latency_ms\n1,2,3\n",
	 "line 2: 3 cells, but the header has 4; the file is truncated or damaged"},
	{"M,K,N,latency_ms\n1,2,3,4,5\n",
	 "line 2: 5 cells, but the header has 4; the file is truncated or damaged"},
	{"M,K,N,latency_ms\n1,2,3,soon\n", "line 2: latency_ms is \"soon\", not a number"},
	{"M,K,N,latency_ms\n1,2,3,\n", "line 2: latency_ms is empty or 0: no time was measured"},
	{"M,K,N,latency_ms\n1,2,3,0\n", "line 2: latency_ms is empty or 0: no time was measured"},
	{"M,K,N,latency_ms\n1,2,3,-1\n", "line 2: latency_ms is -1 ms, not a valid time"},
	{"M,K,N,latency_ms,latency_std\n1,2,3,1,-1\n",
	 "line 2: latency_std is -1 ms, not a valid time"},
	{"M,K,N,latency_ms\n1,0,3,1\n", "line 2: K must be a whole number from 1 to 2147483647"},
	{"M,K,N,latency_ms\n1,,3,1\n", "line 2: K must be a whole number from 1 to 2147483647"},
	{"M,K,N,latency_ms\n1,1.5,3,1\n", "line 2: K must be a whole number from 1 to 2147483647"},
	{"M,K,N,latency_ms\n1,2,\"3,1\n",
	 "line 2: unterminated quote; the file is truncated or damaged"},
	{"N,latency_ms,flops\n1,1,-5\n", "line 2: flops is negative"},
	{"M,M,latency_ms\n1,1,1\n", "line 1: duplicate column \"M\""},
	{"N,bucket_N,latency_ms\n1,1,1\n", "line 1: both N and bucket_N define N"},
	{"M,K,N,latency_ms,cycles\n1,2,3,1,fast\n", "line 2: cycles is \"fast\", not a number"},
};

START_TEST(refuses_the_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ingest_refuses(NULL, wrong[i].text, wrong[i].message);
}
END_TEST

START_TEST(leaves_foreign_tables_alone)
{
	static const char *const foreign[] = {
		"M,K,N\n1,2,3\n",
		"M,K,N,latency_ms,speedup\n",
		"latency_ms\n1\n",
		"M;K;N;latency_ms\n1\n",
		"m,k,n,latency_ms\n1,2,3,4\n",
		"M,K,N,time_ms\n1,2,3,4\n",
		"",
		"M,K,N,latency_ms,\"open\n",
		"flops,latency_ms\n1,1\n",
		"M,N,K,TFLOPS\n",
		"{\"M\":1,\"latency_ms\":0.5}\n",
		"M\tlatency_ms\n1\t2\n",
	};
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		ck_assert_msg(!npu_matmul_reader.detect(span_of(foreign[i])), "%s", foreign[i]);
}
END_TEST

UNIT_MAIN("npu_matmul", reads_shapes, reads_buckets, reads_chains, repeats_are_samples,
	  many_rows_with_many_times, disagreements_are_said_once, refuses_the_wrong,
	  leaves_foreign_tables_alone)
