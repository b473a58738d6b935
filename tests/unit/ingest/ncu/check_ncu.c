/* The forms of Nsight Compute's files, what runs they become, and what is refused. */
#include "ingest/reader.h"

#include <stdio.h>

#include "tests/unit/ingest_fixture.h"

#define HEAD                                                                                       \
	"\"ID\",\"Kernel Name\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric "        \
	"Value\"\n"
#define FULL                                                                                       \
	"\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\","  \
	"\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define SPEED "GPU Speed Of Light Throughput"

static double given(const struct run *run, enum metric metric)
{
	return run->given[metric].number;
}

static struct ingest_outcome read_text(const char *text)
{
	struct ingest_outcome out = ingest_text(NULL, text);
	ck_assert_msg(out.rc == 0, "%s\n%s", text, out.err.text);
	return out;
}

static const struct run *run_at(const struct ingest_outcome *out, size_t at)
{
	ck_assert_uint_lt(at, out->result.runs.count);
	return out->result.runs.items[at];
}

/* --- one metric by its names --- */

static const struct {
	const char *section, *name, *unit, *text;
	enum metric metric;
	double expected;
} cells[] = {
	{"", "gpu__time_duration.sum", "ns", "9,589,248", METRIC_TOTAL_TIME, 0.009589248},
	{SPEED, "Duration", "us", "56.06", METRIC_TOTAL_TIME, 56.06e-6},
	{"SpeedOfLight", "Duration", "second", "2", METRIC_TOTAL_TIME, 2},
	{SPEED, "Memory Throughput", "%", "61.84", METRIC_MEMORY_THROUGHPUT, 0.6184},
	{"", "Memory Throughput", "%", "61.84", METRIC_MEMORY_THROUGHPUT, 0.6184},
	{"GPU Speed Of Light", "Memory [%]", "%", "12", METRIC_MEMORY_THROUGHPUT, 0.12},
	{"GPU Speed Of Light", "SOL L1/TEX Cache", "%", "12", METRIC_L1_THROUGHPUT, 0.12},
	{"GPU Speed Of Light", "SM [%]", "%", "12", METRIC_SM_THROUGHPUT, 0.12},
	{SPEED, "Compute (SM) Throughput", "%", "12", METRIC_SM_THROUGHPUT, 0.12},
	{"", "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", "9", METRIC_DRAM_THROUGHPUT,
	 0.09},
	{SPEED, "SM Frequency", "cycle/nsecond", "1.13", METRIC_SM_CLOCK, 1.13e9},
	{SPEED, "DRAM Frequency", "Ghz", "1.59", METRIC_MEMORY_CLOCK, 1.59e9},
	{SPEED, "Elapsed Cycles", "cycle", "63,957", METRIC_ELAPSED_CYCLES, 63957},
	{"", "lts__t_sector_hit_rate.pct", "%", "100.39", METRIC_L2_HIT_RATE, 1.0039},
	{"Memory Workload Analysis", "L1/TEX Hit Rate", "%", "0.46", METRIC_L1_HIT_RATE, 0.0046},
	{"Memory Workload Analysis", "Local Memory Spilling Requests", "", "18,883,760",
	 METRIC_SPILL_REQUESTS, 18883760},
	{"Memory Workload Analysis", "Local Memory Spilling Request Overhead", "%", "21.15",
	 METRIC_SPILL_OVERHEAD, 0.2115},
	{"Launch Statistics", "Waves Per SM", "", "6.40", METRIC_WAVES_PER_SM, 6.4},
	{"Launch Statistics", "Static Shared Memory Per Block", "Kbyte/block", "4.10",
	 METRIC_SHARED_STATIC_BYTES, 4100},
	{"Occupancy", "Achieved Occupancy", "%", "46.61", METRIC_ACHIEVED_OCCUPANCY, 0.4661},
	{"", "sm__pipe_tensor_cycles_active_v2.avg.pct_of_peak_sustained_active", "%", "9.25",
	 METRIC_TENSOR_PIPE, 0.0925},
	{"", "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active", "%", "9.25",
	 METRIC_TENSOR_PIPE, 0.0925},
	{"", "sm__pipe_tensor_subpipe_imma_cycles_active.avg.pct_of_peak_sustained_elapsed", "%",
	 "7.16", METRIC_TENSOR_PIPE, 0.0716},
	{"", "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active", "%", "3",
	 METRIC_TENSOR_PIPE, 0.03},
	{"Compute Workload Analysis", "Tensor (All)", "%", "50", METRIC_TENSOR_PIPE, 0.5},
	{"", "dram__bytes_read.sum", "Gbyte", "1.5", METRIC_HBM_READ_BYTES, 1.5e9},
	{"", "dram__bytes_op_write.sum", "byte", "26,601,216", METRIC_HBM_WRITE_BYTES, 26601216},
	{"", "dram__sectors_read.sum", "sector", "10", METRIC_HBM_READ_BYTES, 320},
	{"", "dram__bytes.sum", "byte", "5,318,969,728.00", METRIC_DEVICE_MEMORY_TRAFFIC,
	 5318969728},
	{"", "lts__lts2xbar_cycles_active.sum", "cycle", "10", METRIC_L2_BYTES, 320},
	{"", "l1tex__lsu_writeback_active_mem_lg.sum", "", "10", METRIC_L1_BYTES, 1280},
	{"", "sm__ops_path_tensor_src_bf16_dst_fp32.sum", "", "2147483648", METRIC_TENSOR_FLOPS,
	 2147483648},
	/* Nothing is known, nothing is zero. */
	{"", "dram__bytes_read.sum", "", "n/a", METRIC_HBM_READ_BYTES, NAN},
	{SPEED, "Duration", "", "no data", METRIC_TOTAL_TIME, NAN},
};

START_TEST(metrics_are_known_by_all_their_names)
{
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
		char text[1024];
		snprintf(text, sizeof text,
			 HEAD "\"0\",\"k(int)\",\"%s\",\"%s\",\"%s\",\"%s\"\n"
			      "\"0\",\"k(int)\",\"\",\"launch__registers_per_thread\",\"\",\"8\"\n",
			 cells[i].section, cells[i].name, cells[i].unit, cells[i].text);
		struct ingest_outcome out = read_text(text);
		double number = given(run_at(&out, 0), cells[i].metric);
		double expected = cells[i].expected;
		ck_assert_msg(number == expected || (isnan(number) && isnan(expected)),
			      "%s / %s: %.17g, not %.17g", cells[i].section, cells[i].name, number,
			      expected);
		arena_free(&out.arena);
	}
}
END_TEST

/* Shares of the active cycles come before shares of the elapsed ones, wherever they stand; what is
 * absent gives way. */
START_TEST(preferred_names_win)
{
	static const char active[] =
		"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active";
	static const char elapsed[] =
		"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
	static const struct {
		const char *names[2], *texts[2];
		double expected;
	} pairs[] = {{{active, elapsed}, {"9", "7"}, 0.09},
		     {{elapsed, active}, {"7", "9"}, 0.09},
		     {{active, elapsed}, {"n/a", "7"}, 0.07}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		char text[1024];
		snprintf(text, sizeof text,
			 HEAD "\"0\",\"k\",\"\",\"%s\",\"%%\",\"%s\"\n"
			      "\"0\",\"k\",\"\",\"%s\",\"%%\",\"%s\"\n",
			 pairs[i].names[0], pairs[i].texts[0], pairs[i].names[1],
			 pairs[i].texts[1]);
		struct ingest_outcome out = read_text(text);
		ingest_number(given(run_at(&out, 0), METRIC_TENSOR_PIPE), pairs[i].expected);
		arena_free(&out.arena);
	}
}
END_TEST

/* --- long tables --- */

START_TEST(application_output_stands_anywhere)
{
	struct ingest_outcome out =
		read_text("\xef\xbb\xbf==PROF== Connected to process 1 (a)\r\n\"hello\" said it, "
			  "twice\r\n" HEAD
			  "\"0\",\"k(int)\",\"\",\"gpu__time_duration.sum\",\"ns\",\"1,000\"\r\n"
			  "loss 0.5, 0.25\r\n\"quoted\", too\r\n==WARNING== slow\r\n"
			  "\"0\",\"k(int)\",\"\",\"dram__bytes_read.sum\",\"byte\",\"64\"\r\n"
			  "==ERROR== Failed to profile \"j\" in process 1\r\nsecond epoch\r\n" HEAD
			  "\"0\",\"k(int)\",\"\",\"gpu__time_duration.sum\",\"ns\",\"3,000\"\r\n"
			  "\"1\",\"j\",\"\",\"gpu__time_duration.sum\",\"ns\",\"5\"\r\n");
	ck_assert_str_eq(out.used->name, "ncu-csv");
	ck_assert_uint_eq(out.result.runs.count, 2);
	const struct run *run = run_at(&out, 0);
	ck_assert_str_eq(run->kernel, "k");
	ck_assert_str_eq(run->tool, "ncu");
	ck_assert_str_eq(run_attribute(run, "kernel_symbol"), "k(int)");
	ck_assert_ptr_null(run->device);
	ck_assert_ptr_null(run->dtype);
	ingest_number(given(run, METRIC_TOTAL_TIME), 2e-6);
	ingest_number(given(run, METRIC_LAUNCH_COUNT), 2);
	ingest_number(given(run, METRIC_HBM_READ_BYTES), 64);
	ck_assert(ingest_has_note(
		run,
		"incomplete file: Nsight Compute failed: Failed to profile \"j\" in process 1"));
	ck_assert_ptr_null(run_attribute(run_at(&out, 1), "kernel_symbol"));
	arena_free(&out.arena);
}
END_TEST

START_TEST(launches_are_repeats_or_other_work)
{
	struct ingest_outcome out =
		read_text(FULL "\"0\",\"k(int)\",\"(8, 1, 1)\",\"(4, 2, 1)\",\"0\",\"8.0\",\"\","
			       "\"gpu__time_duration.sum\",\"ns\",\"10\"\n"
			       "\"1\",\"k(int)\",\"(8, 1, 1)\",\"(9, 1, 1)\",\"0\",\"8.0\",\"\","
			       "\"gpu__time_duration.sum\",\"ns\",\"20\"\n"
			       "\"2\",\"k(int)\",\"(8, 1, 1)\",\"(4, 2, 1)\",\"0\",\"8.0\",\"\","
			       "\"gpu__time_duration.sum\",\"ns\",\"30\"\n"
			       "\"3\",\"k(float)\",\"(8, 1, 1)\",\"(4, 2, 1)\",\"1\",\"8.0\",\"\","
			       "\"gpu__time_duration.sum\",\"ns\",\"40\"\n");
	ck_assert_uint_eq(out.result.runs.count, 3);
	const struct run *run = run_at(&out, 0);
	ck_assert_str_eq(run_param(run, "grid"), "4x2x1");
	ck_assert_str_eq(run_param(run, "block"), "8x1x1");
	ck_assert_str_eq(run->node, "gpu0");
	ck_assert_str_eq(run_attribute(run, "compute_capability"), "8.0");
	ingest_number(given(run, METRIC_GRID_SIZE), 8);
	ingest_number(given(run, METRIC_BLOCK_SIZE), 8);
	const struct run_spread *spread = run_spread(run, METRIC_TOTAL_TIME);
	ck_assert_ptr_nonnull(spread);
	ck_assert_uint_eq(spread->number_count, 2);
	ingest_number(spread->numbers[0], 1e-8);
	ingest_number(spread->numbers[1], 3e-8);
	ck_assert_str_eq(run_param(run_at(&out, 1), "grid"), "9x1x1");
	/* The overload is another kernel. */
	ck_assert_str_eq(run_at(&out, 2)->node, "gpu1");
	ck_assert_ptr_nonnull(run_param(run, "symbol"));
	ck_assert_str_ne(run_param(run, "symbol"), run_param(run_at(&out, 2), "symbol"));
	arena_free(&out.arena);
}
END_TEST

START_TEST(few_columns_are_enough)
{
	/* Without ids a launch ends where its first metric is repeated; without units, values are
	 * in base units; a table that was saved again by another program has no quotes. */
	struct ingest_outcome out = read_text("Kernel Name,Metric Name,Metric Value\n"
					      "k,gpu__time_duration.sum,1000\n"
					      "k,lts__t_sector_hit_rate.pct,50\n"
					      "k,gpu__time_duration.sum,3000\n"
					      "j,gpu__time_duration.sum,7\n");
	ck_assert_uint_eq(out.result.runs.count, 2);
	ingest_number(given(run_at(&out, 0), METRIC_TOTAL_TIME), 2e-6);
	ingest_number(given(run_at(&out, 0), METRIC_L2_HIT_RATE), 0.5);
	ingest_number(given(run_at(&out, 0), METRIC_LAUNCH_COUNT), 2);
	arena_free(&out.arena);
}
END_TEST

START_TEST(advice_is_kept_in_order)
{
	struct ingest_outcome out = read_text(
		"\"ID\",\"Kernel Name\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric "
		"Value\",\"Rule Name\",\"Rule Type\",\"Rule Description\",\"Estimated Speedup "
		"Type\",\"Estimated Speedup\"\n"
		"\"0\",\"k\",\"" SPEED "\",\"Duration\",\"ms\",\"2\",\n"
		"\"0\",\"k\",\"SpeedOfLight\",\"\",\"\",\"\",\"SOLBottleneck\",\"OPT\",\"Memory is "
		"more "
		"heavily utilized than Compute: Look\",\"\",\"\"\n"
		"\"0\",\"k\",\"X\",\"\",\"\",\"\",\"Small\",\"OPT\",\"a \"\"word\"\"\n,  "
		"b\",\"local\","
		"\"1.5\"\n"
		"\"0\",\"k\",\"X\",\"\",\"\",\"\",\"None\",\"OPT\",\"c\",\"\",\"\"\n"
		"\"0\",\"k\",\"X\",\"\",\"\",\"\",\"Info\",\"INF\",\"d\",\"\",\"\"\n"
		"\"0\",\"k\",\"X\",\"\",\"\",\"\",\"Large\",\"OPT\",\"e\",\"global\",\"42.17\"\n");
	const struct run *run = run_at(&out, 0);
	ck_assert_uint_eq(run->note_count, 3);
	ck_assert_str_eq(run->notes[0].category, "ncu");
	ck_assert_str_eq(run->notes[0].message, "Large: estimated speedup 42.17 % (global): e");
	ck_assert_str_eq(run->notes[1].message,
			 "Small: estimated speedup 1.5 % (local): a \"word\" , b");
	ck_assert_str_eq(run->notes[2].message, "None: c");
	ck_assert_str_eq(run_attribute(run, "ncu_sol_rule"),
			 "Memory is more heavily utilized than Compute");
	arena_free(&out.arena);
}
END_TEST

/* Each process has a summary of its own. */
START_TEST(summaries_of_processes_are_one)
{
	struct ingest_outcome out =
		read_text("Process ID,Kernel Name,Invocations,Metric Name,Metric "
			  "Unit,Minimum,Maximum,Average\n"
			  "1,k,4,gpu__time_duration.sum,ns,10,30,20\n"
			  "2,k,6,gpu__time_duration.sum,ns,100,300,200\n");
	const struct run *run = run_at(&out, 0);
	ck_assert_uint_eq(out.result.runs.count, 1);
	ingest_number(given(run, METRIC_LAUNCH_COUNT), 10);
	ingest_number(given(run, METRIC_TOTAL_TIME), (4 * 20e-9 + 6 * 200e-9) / 10);
	ck_assert_uint_eq(run->spread_count, 1);
	ingest_number(run->spreads[0].count, 10);
	ingest_number(run->spreads[0].minimum, 10e-9);
	ingest_number(run->spreads[0].maximum, 300e-9);
	arena_free(&out.arena);
}
END_TEST

/* "9,5" is not 95 where the file has decimal commas; the rule comes before anything says so. */
START_TEST(estimates_follow_the_decimal_sign)
{
	struct ingest_outcome out = read_text(
		"\"ID\",\"Kernel Name\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric "
		"Value\",\"Rule Name\",\"Rule Type\",\"Rule Description\",\"Estimated Speedup\"\n"
		"\"0\",\"k\",\"X\",\"\",\"\",\"\",\"Occupancy\",\"OPT\",\"a\",\"9,5\"\n"
		"\"0\",\"k\",\"" SPEED "\",\"Duration\",\"ms\",\"2,25\"\n");
	ck_assert_str_eq(run_at(&out, 0)->notes[0].message,
			 "Occupancy: estimated speedup 9.5 %: a");
	arena_free(&out.arena);
}
END_TEST

START_TEST(summaries_have_a_spread)
{
	struct ingest_outcome out = read_text(
		"\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
		"\"Invocations\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Minimum\","
		"\"Maximum\",\"Average\"\n"
		"\"1\",\"k(int)\",\"(2, 1, 1)\",\"(4, 1, 1)\",\"0\",\"11.0\",\"14\",\"" SPEED
		"\",\"Duration\",\"us\",\"10.00\",\"14.00\",\"11.50\"\n"
		"\"1\",\"k(int)\",\"(2, 1, 1)\",\"(9, 1, 1)\",\"0\",\"11.0\",\"3\",\"" SPEED
		"\",\"Duration\",\"us\",\"1.00\",\"1.00\",\"1.00\"\n");
	ck_assert_uint_eq(out.result.runs.count, 2);
	const struct run *run = run_at(&out, 0);
	ingest_number(given(run, METRIC_TOTAL_TIME), 11.5e-6);
	ingest_number(given(run, METRIC_LAUNCH_COUNT), 14);
	const struct run_spread *spread = run_spread(run, METRIC_TOTAL_TIME);
	ck_assert_ptr_nonnull(spread);
	ingest_number(spread->count, 14);
	ingest_number(spread->minimum, 10e-6);
	ingest_number(spread->maximum, 14e-6);
	ingest_number(spread->mean, 11.5e-6);
	ingest_number(spread->median, NAN);
	ck_assert_ptr_null(run_spread(run_at(&out, 1), METRIC_TOTAL_TIME));
	arena_free(&out.arena);
}
END_TEST

/* --- formulas --- */

#define ROW(name, unit, text) "\"0\",\"k\",\"\",\"" name "\",\"" unit "\",\"" text "\"\n"
#define OPERATION(op, text)                                                                        \
	ROW("smsp__sass_thread_inst_executed_op_" op "_pred_on.sum", "inst", text)
#define NO_DOUBLES OPERATION("dadd", "0") OPERATION("dmul", "0") OPERATION("dfma", "0")

START_TEST(flop_are_counted_by_type)
{
	struct ingest_outcome out = read_text(
		HEAD OPERATION("hadd", "1") OPERATION("hmul", "2") OPERATION("hfma", "3") OPERATION(
			"fadd", "10") OPERATION("fmul", "20") OPERATION("ffma", "30")
			OPERATION("ffma2", "100") OPERATION("fadd2", "1") OPERATION(
				"dadd", "5") OPERATION("dmul", "6") OPERATION("dfma", "7")
				ROW("sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_off.sum", "",
				    "1000")
					ROW("sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_on.sum",
					    "", "24") ROW("sm__ops_path_tensor_src_fp16.sum", "",
							  "4000")
						ROW("sm__ops_path_tensor_src_fp16_sparsity_off.sum",
						    "", "4000")
							ROW("sm__ops_path_tensor_op_hmma_src_fp16_"
							    "dst_fp32_sparsity_off.sum",
							    "", "4000"));
	const struct run *run = run_at(&out, 0);
	ingest_number(given(run, METRIC_FP16_FLOPS), 2 + 4 + 12);
	ingest_number(given(run, METRIC_FP32_FLOPS), 10 + 20 + 60 + 400 + 2);
	ingest_number(given(run, METRIC_FP64_FLOPS), 5 + 6 + 14);
	ingest_number(given(run, METRIC_TENSOR_FLOPS), 5024);
	ingest_number(given(run, METRIC_HARDWARE_FLOPS), 18 + 492 + 25 + 5024);
	arena_free(&out.arena);
}
END_TEST

START_TEST(rates_become_counts_with_cycles)
{
	struct ingest_outcome out = read_text(
		HEAD ROW("smsp__cycles_elapsed.avg", "cycle",
			 "1,000") ROW("smsp__cycles_elapsed.avg.per_second", "cycle/second",
				      "2,000") ROW("smsp__sass_thread_inst_executed_op_fadd_pred_"
						   "on.sum.per_cycle_elapsed",
						   "inst/cycle", "1.5")
			ROW("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed",
			    "inst/cycle",
			    "0") ROW("derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2",
				     "inst", "4") ROW("dram__bytes_read.sum.per_second",
						      "byte/second", "100")
				ROW("dram__bytes.sum.peak_sustained", "byte/cycle",
				    "64") ROW("dram__cycles_elapsed.avg.per_second", "Ghz", "2")
					ROW("lts__lts2xbar_cycles_active.sum.peak_sustained", "",
					    "80") ROW("lts__cycles_elapsed.avg.per_second", "Ghz",
						      "1.5") ROW("l1tex__lsu_writeback_active_mem_"
								 "lgds.sum.peak_sustained",
								 "", "100")
						ROW("l1tex__cycles_elapsed.avg.per_second", "Ghz",
						    "1"));
	const struct run *run = run_at(&out, 0);
	ingest_number(given(run, METRIC_TOTAL_TIME), 0.5);
	ck_assert_int_eq(run->given[METRIC_TOTAL_TIME].provenance, PROVENANCE_DERIVED);
	ingest_number(given(run, METRIC_FP32_FLOPS), 1500 + 2 * 2000);
	ingest_number(given(run, METRIC_HBM_READ_BYTES), 50);
	ingest_number(given(run, METRIC_PEAK_BANDWIDTH), 128e9);
	ingest_number(given(run, METRIC_PEAK_L2_BANDWIDTH), 80 * 32 * 1.5e9);
	ingest_number(given(run, METRIC_PEAK_L1_BANDWIDTH), 100 * 128 * 1e9);
	ingest_number(given(run, METRIC_HARDWARE_FLOPS), NAN);
	ck_assert(ingest_has_note(run,
				  "hardware FLOP unknown; not collected: fp16 instructions, fp64 "
				  "instructions, tensor operations (sm__ops_path_tensor_src_*)"));
	arena_free(&out.arena);
}
END_TEST

static const struct {
	const char *rows;
	double tensor; /* FLOP */
} tensors[] = {
	{"\"0\",\"k\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"7.0\",\"\","
	 "\"sm__inst_executed_pipe_tensor.sum\",\"inst\",\"3\"\n",
	 1536},
	{"\"0\",\"k\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"8.0\",\"\","
	 "\"sm__inst_executed_pipe_tensor.sum\",\"inst\",\"3\"\n",
	 NAN},
	{"\"0\",\"k\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"8.0\",\"\","
	 "\"sm__inst_executed_pipe_tensor.sum\",\"inst\",\"0\"\n",
	 0},
	{"\"0\",\"k\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"9.0\",\"\","
	 "\"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active\",\"%\",\"0\"\n",
	 0},
	{"\"0\",\"k\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"9.0\",\"\","
	 "\"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active\",\"%\",\"5\"\n",
	 NAN},
};

START_TEST(tensor_instructions_have_a_size_on_volta)
{
	for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
		char text[1024];
		snprintf(text, sizeof text, FULL "%s", tensors[i].rows);
		struct ingest_outcome out = read_text(text);
		ingest_number(given(run_at(&out, 0), METRIC_TENSOR_FLOPS), tensors[i].tensor);
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(the_best_founded_peak_is_shared)
{
	struct ingest_outcome out = read_text(
		HEAD "\"0\",\"k\",\"" SPEED "\",\"DRAM Throughput\",\"%\",\"0.50\"\n"
		     "\"0\",\"k\",\"Memory Workload Analysis\",\"Memory Throughput\",\"Gbyte/s\","
		     "\"11.00\"\n"
		     "\"1\",\"j\",\"" SPEED "\",\"DRAM Throughput\",\"%\",\"50.00\"\n"
		     "\"1\",\"j\",\"Memory Workload Analysis\",\"Memory Throughput\",\"Tbyte/s\","
		     "\"1.00\"\n");
	ingest_number(given(run_at(&out, 0), METRIC_PEAK_BANDWIDTH), 2e12);
	ingest_number(given(run_at(&out, 1), METRIC_PEAK_BANDWIDTH), 2e12);
	ingest_number(given(run_at(&out, 0), METRIC_DEVICE_MEMORY_TRAFFIC), NAN);
	arena_free(&out.arena);
}
END_TEST

/* --- raw and text --- */

START_TEST(raw_pages_name_their_device)
{
	struct ingest_outcome out = read_text(
		"==PROF== Connected to process 1 (a)\n"
		"\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
		"\"device__attribute_display_name\",\"device__attribute_memory_clock_rate\","
		"\"device__attribute_global_memory_bus_width\",\"gpu__time_duration.sum\"\n"
		"\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"us\"\n"
		"\"0\",\"k\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"10.0\",\"NVIDIA "
		"B200\",\"3996000\","
		"\"7680\",\"15.5\"\n");
	ck_assert_str_eq(out.used->name, "ncu-raw");
	const struct run *run = run_at(&out, 0);
	ck_assert_str_eq(run->device, "NVIDIA B200");
	ingest_number(given(run, METRIC_TOTAL_TIME), 15.5e-6);
	ingest_number(given(run, METRIC_PEAK_BANDWIDTH), 7672.32e9);
	arena_free(&out.arena);
}
END_TEST

START_TEST(pages_of_a_terminal_are_read)
{
	struct ingest_outcome out = read_text(
		"==PROF== Connected to process 7 (a)\r\nhello, Context 1\r\n[7] app@127.0.0.1\r\n"
		"  void k<(int)2>(int) (4, 2, 1)x(8, 1, 1), Context 1, Stream 7, Device 0, CC "
		"7.5\r\n"
		"    Section: " SPEED "\r\n"
		"    ----------- ----------- ------------\r\n"
		"    Metric Name Metric Unit Metric Value\r\n"
		"    ----------- ----------- ------------\r\n"
		"    Duration             ms     1,234.50\r\n"
		"    ----------- ----------- ------------\r\n\r\n"
		"    INF   Compute and Memory are well-balanced: To reduce   \r\n"
		"          runtime, both must be.\r\n\r\n"
		"    Section: Occupancy\r\n"
		"    OPT   Est. Local Speedup: 25%    \r\n          One\r\n          two.\r\n"
		"    ----- ---------------\r\n"
		"    OPT   Est. Speedup: 30.5%\r\n          Three.\r\n"
		"    ----- ---------------\r\n"
		"    OPT   Four\r\n"
		/* As until 2022: a date for the sizes, tables without a head. */
		"  j(int), 2021-Mar-03 10:20:30, Context 1, Stream 7\r\n"
		"    Section: GPU Speed Of Light\r\n"
		"    ------------ ------- -----\r\n"
		"    SOL DRAM           %  9.50\r\n"
		"    ----- -----\r\n    SM: Pipe 3.5\r\n"
		"    ------------ ------- -----\r\n"
		"    Duration     usecond    12\r\n"
		"    ------------ ------- -----\r\n");
	ck_assert_str_eq(out.used->name, "ncu-text");
	ck_assert_uint_eq(out.result.runs.count, 2);
	const struct run *run = run_at(&out, 0);
	ck_assert_str_eq(run->kernel, "k<2>");
	ck_assert_str_eq(run_attribute(run, "process"), "app");
	ck_assert_str_eq(run_attribute(run, "compute_capability"), "7.5");
	ck_assert_str_eq(run_attribute(run, "ncu_sol_rule"),
			 "Compute and Memory are well-balanced");
	ingest_number(given(run, METRIC_TOTAL_TIME), 1.2345);
	ingest_number(given(run, METRIC_GRID_SIZE), 8);
	ck_assert_uint_eq(run->note_count, 3);
	ck_assert_str_eq(run->notes[0].message,
			 "Occupancy: estimated speedup 30.5 % (global): Three.");
	ck_assert_str_eq(run->notes[1].message,
			 "Occupancy: estimated speedup 25 % (local): One two.");
	ck_assert_str_eq(run->notes[2].message, "Occupancy: Four");
	ck_assert_str_eq(run_at(&out, 1)->kernel, "j");
	ingest_number(given(run_at(&out, 1), METRIC_TOTAL_TIME), 12e-6);
	ingest_number(given(run_at(&out, 1), METRIC_DRAM_THROUGHPUT), 0.095);
	arena_free(&out.arena);
}
END_TEST

/* --- what is refused --- */

#define CHILDREN "check --kernel-name, and profile child processes (--target-processes all)"

static const struct {
	const char *text, *message;
} wrong[] = {
	{HEAD, "no kernels were profiled: ncu attached to 0 processes but recorded no "
	       "launch; " CHILDREN},
	{"==PROF== Connected to process 1 (a)\n==PROF== Disconnected from process 1\n",
	 "no kernels were profiled: ncu attached to 1 process but recorded no "
	 "launch; " CHILDREN},
	{"==ERROR== ERR_NVGPUCTRPERM - The user does not have permission.\n",
	 "no kernels were profiled, Nsight Compute failed: ERR_NVGPUCTRPERM - The user does not "
	 "have permission; run ncu as administrator, or load the NVIDIA kernel module with "
	 "NVreg_RestrictProfilingToAdminUsers=0"},
	{"==ERROR== Something\n", "no kernels were profiled, Nsight Compute failed: Something; "
				  "check the application's output"},
	{HEAD "\"0\",\"k\",\"\",\"own__metric.sum\",\"\",\"1\"\n",
	 "no usable metrics in this file; collect at least "
	 "gpu__time_duration.sum, or profile with ncu --set full"},
	{HEAD "\"0\",\"k\",\"\",\"gpu__time_duration.sum\",\"ns\",\"soon\"\n",
	 "line 2: gpu__time_duration.sum is \"soon\", not a number"},
	{HEAD "\"0\",\"k\",\"\",\"gpu__time_duration.sum\",\"byte\",\"1\"\n",
	 "line 2: gpu__time_duration.sum has unit \"byte\", which does not fit a time"},
	{HEAD "\"0\",\"k\",\"\",\"gpu__time_duration.sum\",\"ns\",\"-1\"\n",
	 "line 2: gpu__time_duration.sum is negative"},
	{HEAD "\"0\",\"\",\"\",\"gpu__time_duration.sum\",\"ns\",\"1\"\n",
	 "line 2: kernel name missing"},
	{HEAD "\"0\",\"k\xff\",\"\",\"gpu__time_duration.sum\",\"ns\",\"1\"\n",
	 "line 2: the kernel name is not valid UTF-8"},
	{HEAD "\"0\"\n",
	 "line 2: the row ends before \"Kernel Name\"; the file is truncated or damaged"},
	{HEAD "\"0\",\"k\",\"\",\"gpu__time_duration.sum\",\"ns\"\n",
	 "line 2: the row ends before \"Metric Value\"; the file is truncated or damaged"},
	{HEAD "\"0\",\"k", "line 2: unterminated quote; the file is truncated or damaged"},
	{"\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"0\",\"k\"\n",
	 "line 2: 2 cells, but the header has 3; the file is truncated or damaged"},
	{"  k (1, 1, 1)x(1, 1, 1), Context 1, Stream 7\n    Section: X\n    --- --- ---\n    abc\n",
	 "line 4: the row does not match the columns of its table; the file is truncated or "
	 "damaged"},
};

START_TEST(refuses_the_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ingest_refuses(NULL, wrong[i].text, wrong[i].message);
}
END_TEST

UNIT_MAIN("ncu", metrics_are_known_by_all_their_names, preferred_names_win,
	  application_output_stands_anywhere, launches_are_repeats_or_other_work,
	  few_columns_are_enough, advice_is_kept_in_order, estimates_follow_the_decimal_sign,
	  summaries_of_processes_are_one, summaries_have_a_spread, flop_are_counted_by_type,
	  rates_become_counts_with_cycles, tensor_instructions_have_a_size_on_volta,
	  the_best_founded_peak_is_shared, raw_pages_name_their_device,
	  pages_of_a_terminal_are_read, refuses_the_wrong)
