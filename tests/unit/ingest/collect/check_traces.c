/* Launches and summaries become runs: grouping, spreads, similar names, invalid numbers; then the
 * text formats of Nsight Systems and rocprof. */
#include "ingest/rocm/amd_counters.h"
#include "ingest/collect/kernel_runs.h"
#include "ingest/collect/launches.h"
#include "ingest/reader.h"
#include "ingest/rocm/rocprof_table.h"

#include "tests/unit/ingest_fixture.h"

static double given(const struct run *run, enum metric metric)
{
	return run->given[metric].number;
}

static const struct launch_metric metrics[] = {
	{METRIC_TOTAL_TIME, PROVENANCE_MEASURED, NULL},
	{METRIC_REGISTERS_PER_THREAD, PROVENANCE_MEASURED, NULL},
	{METRIC_COUNT, PROVENANCE_MEASURED, "waves"},
};
static const struct launch_table table = {"tool", metrics, 3};

static void add(struct launches *launches, const char *symbol, const char *device, double blocks,
		double seconds, double waves)
{
	struct error err;
	struct launch launch = launches_unknown();
	launch.symbol = span_of(symbol);
	launch.device = span_of(device);
	for (int i = 0; i < 3; i++)
		launch.grid[i] = launch.block[i] = 1;
	launch.grid[0] = blocks;
	launch.values[0] = seconds;
	launch.values[1] = 32;
	launch.values[2] = waves;
	ck_assert_msg(launches_add(launches, &launch, &err) == 0, "%s", err.text);
}

START_TEST(launches_become_runs)
{
	struct arena arena = {0};
	struct run_list runs = {0};
	struct launches launches = launches_of(&arena, &table);
	for (int i = 0; i < 5; i++) /* 1, 2, 3, 4, 5 s */
		add(&launches, "void k<int>(int)", "t4", 8, 1 + i, i == 2 ? 9 : NAN);
	add(&launches, "void k<int>(int)", "t4", 4, 100, 1);
	add(&launches, "void k<int>(float)", "t4", 4, 1, 1);
	add(&launches, "void k<int>(int)", "l4", 8, 2, 1);
	for (int i = 0; i < 1000; i++)
		add(&launches, arena_printf(&arena, "many%d", i % 500), "", 1, 1e-9, 2);
	kernel_runs_add(&arena, launches_works(&launches), launches.group_count, &runs);
	ck_assert_uint_eq(runs.count, 504);
	const struct run *longest = runs.items[0], *run = runs.items[1];
	ck_assert_str_eq(run_param(longest, "grid"), "4x1x1");
	ck_assert_str_eq(run->kernel, "k<int>");
	ck_assert_str_eq(run->tool, "tool");
	ck_assert_str_eq(run->device, "t4");
	ck_assert_str_eq(run_attribute(run, "kernel_symbol"), "void k<int>(int)");
	ck_assert_str_eq(run_attribute(run, "waves"), "9");
	ck_assert_str_eq(run_param(run, "grid"), "8x1x1");
	ck_assert_ptr_null(run_param(run, "block"));
	ck_assert_ptr_nonnull(run_param(run, "symbol"));
	ck_assert_str_ne(run_param(run, "symbol"), run_param(runs.items[3], "symbol"));
	ingest_number(given(run, METRIC_TOTAL_TIME), 3);
	ingest_number(given(run, METRIC_LAUNCH_COUNT), 5);
	ingest_number(given(run, METRIC_GRID_SIZE), 8);
	ingest_number(given(run, METRIC_REGISTERS_PER_THREAD), 32);
	ck_assert_uint_eq(run->spread_count, 1);
	ingest_number(run->spreads[0].maximum, 5);
	ck_assert_uint_eq(run->spreads[0].number_count, 5);
	/* The same name on another device is alone there. */
	ck_assert_str_eq(runs.items[2]->device, "l4");
	ck_assert_uint_eq(runs.items[2]->param_count, 0);
	ck_assert_ptr_null(runs.items[503]->device);
	arena_free(&arena);
}
END_TEST

START_TEST(many_kernels_are_cut)
{
	struct arena arena = {0};
	struct run_list runs = {0};
	struct launches launches = launches_of(&arena, &table);
	for (int i = 0; i < kernel_run_limit + 2; i++)
		add(&launches, arena_printf(&arena, "k%d", i), "", 1, 1 + i, 1);
	kernel_runs_add(&arena, launches_works(&launches), launches.group_count, &runs);
	ck_assert_uint_eq(runs.count, kernel_run_limit);
	ck_assert_str_eq(runs.items[0]->kernel, "k4097");
	ck_assert(ingest_has_note(
		runs.items[0],
		"2 kernels with less time skipped; only the top 4096 per file are stored"));
	arena_free(&arena);
}
END_TEST

START_TEST(launches_refuse)
{
	static const struct {
		const char *symbol;
		double grid, seconds;
		const char *message;
	} wrong[] = {
		{" ", 1, 1, "kernel launch without a name"},
		{"k", 0, 1, "a kernel launch with a grid or block of 0 x 1"},
		{"k", 1, -1, "total_time of a kernel launch is -1"},
		{"k", 1, INFINITY, "total_time of a kernel launch is inf"},
	};
	struct arena arena = {0};
	struct launches launches = launches_of(&arena, &table);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct error err;
		struct launch launch = launches_unknown();
		launch.symbol = span_of(wrong[i].symbol);
		launch.grid[0] = wrong[i].grid;
		launch.block[0] = 1;
		launch.values[0] = wrong[i].seconds;
		ck_assert_int_lt(launches_add(&launches, &launch, &err), 0);
		ck_assert_str_eq(err.text, wrong[i].message);
	}
	arena_free(&arena);
}
END_TEST

/* A database can hold a name once and refer to it a million times. */
START_TEST(a_name_without_end_is_refused)
{
	static char name[launch_name_limit + 2];
	struct arena arena = {0};
	struct error err;
	struct launches launches = launches_of(&arena, &table);
	struct launch launch = launches_unknown();
	memset(name, 'k', sizeof name - 1);
	launch.symbol = span_of(name);
	ck_assert_int_lt(launches_add(&launches, &launch, &err), 0);
	ck_assert_str_eq(err.text, "a kernel name of 65537 bytes is too long");
	launch.symbol.len--;
	ck_assert_int_eq(launches_add(&launches, &launch, &err), 0);
	arena_free(&arena);
}
END_TEST

START_TEST(names_that_are_no_text_are_not_merged)
{
	struct arena arena = {0};
	struct run_list runs = {0};
	struct launches launches = launches_of(&arena, &table);
	add(&launches, "k\xff", "t4", 1, 3, 1);
	add(&launches, "j\xff", "t4", 1, 1, 1);
	add(&launches, "j\xff", "t4", 1, 2, 1);
	kernel_runs_add(&arena, launches_works(&launches), launches.group_count, &runs);
	ck_assert_uint_eq(runs.count, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_str_eq(runs.items[i]->kernel, "?");
		ck_assert_ptr_null(run_attribute(runs.items[i], "kernel_symbol"));
		ingest_number(given(runs.items[i], METRIC_LAUNCH_COUNT), 1 + i);
		ck_assert_uint_eq(runs.items[i]->note_count, 0);
	}
	ck_assert_str_ne(run_param(runs.items[0], "symbol"), run_param(runs.items[1], "symbol"));
	arena_free(&arena);
}
END_TEST

/* --- nsys stats --- */

#define NSYS                                                                                       \
	"Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "           \
	"(ns),Name\n"

START_TEST(nsys_logs)
{
	struct ingest_outcome out = ingest_text(
		NULL,
		"[5/8] Executing 'cuda_api_sum' stats report\r\n\r\n"
		" Time (%)  Total Time (ns)  Num Calls  Name \r\n"
		" --------  ---------------  ---------  -----\r\n"
		"    100.0               10          1  cuInit\r\n\r\n"
		"[6/8] Executing 'cuda_gpu_kern_sum' stats report\r\n\r\n"
		" Time (%)  Total Time (ms)  Instances  Avg (ms)  Med (ms)  Name \r\n"
		" --------  ---------------  ---------  --------  --------  -----\r\n"
		"    100.0          1,234.5      1,000    1.2345    1.2000  k\xe2\x80\xa6 l\r\n\r\n"
		" Time (%)  Total Time (ms)  Instances  Avg (ms)  Med (ms)  Name \r\n");
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_ptr_eq(out.used, &nsys_stats_reader);
	ck_assert_uint_eq(out.result.runs.count, 1);
	const struct run *run = out.result.runs.items[0];
	ck_assert_str_eq(run->kernel, "k\xe2\x80\xa6 l");
	ck_assert_ptr_null(run->device);
	ingest_number(given(run, METRIC_TOTAL_TIME), 1.2e-3);
	ingest_number(given(run, METRIC_LAUNCH_COUNT), 1000);
	ingest_number(run->spreads[0].mean, 1.2345e-3);
	ingest_number(run->spreads[0].minimum, NAN);
	ck_assert(ingest_has_note(run,
				  "the file has 2 kernel tables; only the first (line 9) is used"));
	arena_free(&out.arena);
}
END_TEST

START_TEST(names_that_were_cut_are_one_run)
{
	struct ingest_outcome out = ingest_text(NULL, NSYS "60,30,3,10,9,8,13,1,same\n"
							   "40,20,1,20,20,20,20,0,same\n");
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_uint_eq(out.result.runs.count, 1);
	const struct run *run = out.result.runs.items[0];
	ingest_number(given(run, METRIC_TOTAL_TIME), 12.5e-9);
	ingest_number(given(run, METRIC_LAUNCH_COUNT), 4);
	ck_assert_uint_eq(run->spread_count, 1);
	ingest_number(run->spreads[0].minimum, 8e-9);
	ingest_number(run->spreads[0].maximum, 20e-9);
	ingest_number(run->spreads[0].median, NAN);
	ck_assert(ingest_has_note(run, "2 kernels in the file share this name and cannot be "
				       "distinguished; they are merged into one run"));
	arena_free(&out.arena);
}
END_TEST

/* --- AMD --- */

START_TEST(amd_formulas)
{
	static const char *const columns[] = {
		"SQ_INSTS_VALU_ADD_F32", "SQ_INSTS_VALU_MUL_F32", "SQ_INSTS_VALU_TRANS_F32",
		"SQ_INSTS_VALU_FMA_F32", "TCC_EA_RDREQ_sum",      "TCC_EA_RDREQ_32B_sum",
		"TCC_EA0_RDREQ_sum",     "TCC_EA0_RDREQ_32B_sum", "TCC_BUBBLE_sum",
		"TCC_EA0_WRREQ_64B_sum",
	};
	static const double numbers[] = {1, 2, 3, 4, 100, 10, 1000, 30, 500, 7};
	struct span names[10];
	double values[amd_metric_count];
	for (size_t i = 0; i < 10; i++)
		names[i] = span_of(columns[i]);
	struct amd_columns mi200 = rocm_counter_columns_of(names, 6);
	rocm_counters_derive(&mi200, numbers, values);
	ck_assert(rocm_counter_columns_use(&mi200, 3) && !rocm_counter_columns_use(&mi200, 6));
	for (size_t i = 0; i < amd_metric_count; i++)
		switch (amd_metrics[i].metric) {
		case METRIC_FP32_FLOPS:
			ingest_number(values[i], 64 * (1 + 2 + 3 + 2 * 4));
			break;
		case METRIC_HBM_READ_BYTES:
			ingest_number(values[i], 32 * 10 + 64 * 90);
			break;
		default:
			ingest_number(values[i], NAN);
		}
	struct amd_columns mi300 = rocm_counter_columns_of(names, 10);
	rocm_counters_derive(&mi300, numbers, values);
	for (size_t i = 0; i < amd_metric_count; i++)
		if (amd_metrics[i].metric == METRIC_HBM_READ_BYTES)
			ingest_number(values[i], 128 * 500 + 64 * (1000 - 500 - 30) + 32 * 30);
		else if (amd_metrics[i].metric != METRIC_FP32_FLOPS)
			ingest_number(values[i], NAN);
}
END_TEST

/* Operations of 8 bits count where there is a counter of them. */
START_TEST(amd_matrix_operations)
{
	static const char *const columns[] = {
		"SQ_INSTS_VALU_MFMA_MOPS_F16", "SQ_INSTS_VALU_MFMA_MOPS_BF16",
		"SQ_INSTS_VALU_MFMA_MOPS_F32", "SQ_INSTS_VALU_MFMA_MOPS_F64",
		"SQ_INSTS_VALU_MFMA_MOPS_F8",
	};
	static const double numbers[] = {1, 2, 3, 4, 100};
	struct span names[5];
	for (size_t i = 0; i < 5; i++)
		names[i] = span_of(columns[i]);
	for (size_t count = 4; count <= 5; count++) {
		double values[amd_metric_count];
		struct amd_columns found = rocm_counter_columns_of(names, count);
		rocm_counters_derive(&found, numbers, values);
		for (size_t i = 0; i < amd_metric_count; i++)
			if (amd_metrics[i].metric == METRIC_TENSOR_FLOPS)
				ingest_number(values[i], 512 * (count == 4 ? 10 : 110));
	}
}
END_TEST

/* rocprof's own sums together with the counters that they consist of. */
START_TEST(one_metric_has_one_spread)
{
	struct ingest_outcome out = ingest_text(
		&rocprof_csv_reader,
		"Index,KernelName,gpu-id,grd,wgr,TCC_EA_RDREQ_sum,TCC_EA_RDREQ_32B_sum,FetchSize\n"
		"0,k,1,256,64,1600,0,99\n1,k,1,256,64,1616,0,100\n");
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	const struct run *run = out.result.runs.items[0];
	ingest_number(given(run, METRIC_HBM_READ_BYTES), 64 * 1608);
	ck_assert_uint_eq(run->spread_count, 1);
	arena_free(&out.arena);
}
END_TEST

START_TEST(names_of_amd)
{
	static const struct {
		const char *name, *symbol;
		bool is_no_kernel;
	} names[] = {
		{"k(float*) [clone .kd]", "k(float*)", false},
		{"k(float*) (.kd)", "k(float*)", false},
		{"_Z1kPf.kd", "_Z1kPf", false},
		{"__amd_rocclr_fillBufferAligned", "__amd_rocclr_fillBufferAligned", false},
		{"hipMemcpy", "hipMemcpy", true},
		{"hip_kernel(int)", "hip_kernel(int)", false},
		{"CopyDeviceToHost", "CopyDeviceToHost", true},
		{"MEMORY_COPY_DEVICE_TO_HOST", "MEMORY_COPY_DEVICE_TO_HOST", true},
		{"KERNEL_DISPATCH", "KERNEL_DISPATCH", true},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		ck_assert(span_is(rocprof_symbol(span_of(names[i].name)), names[i].symbol));
		ck_assert(rocprof_is_no_kernel(span_of(names[i].name)) == names[i].is_no_kernel);
	}
}
END_TEST

/* A trace has a column per dimension, a table of counters one column with the product. */
START_TEST(sizes_of_amd)
{
	static const struct {
		const char *columns, *cells;
		double trace_grid, trace_block, counters_grid, counters_block;
	} rows[] = {
#define BLOCKS "Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z"
		{"Grid_Size_X,Workgroup_Size_X", "1024,64", NAN, NAN, NAN, NAN},
		{"Grid_Size_X,Workgroup_Size_X,Workgroup_Size_Y", "1024,64,4", NAN, NAN, NAN, NAN},
		{"Grid_Size," BLOCKS, "4096,16,16,1", NAN, NAN, NAN, NAN},
		{"Grid_Size,Workgroup_Size", "4096,256", NAN, NAN, 16, 256},
		{"grd,wgr", "4096,256", NAN, NAN, 16, 256},
		{"Grid_Size,Workgroup_Size," BLOCKS, "4096,256,16,16,1", NAN, NAN, 16, 256},
		{"Grid_Size_X,Grid_Size_Y,Grid_Size_Z," BLOCKS, "64,64,2,16,16,1", 32, 256, NAN,
		 NAN},
		{"Grid_Size,Workgroup_Size,Grid_Size_X,Grid_Size_Y,Grid_Size_Z," BLOCKS,
		 "9216,128,64,64,2,16,16,1", 32, 256, 72, 128},
#undef BLOCKS
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int counters = 0; counters <= 1; counters++) {
			char text[512];
			snprintf(
				text, sizeof text,
				"Kind,Kernel_Name,Dispatch_Id,%s,Start_Timestamp,End_Timestamp,%s\n"
				"KERNEL_DISPATCH,k,1,%s,1,9,%s\n",
				counters ? "Counter_Name,Counter_Value" : "x,y", rows[i].columns,
				counters ? "SQ_WAVES,3" : "1,2", rows[i].cells);
			struct ingest_outcome out = ingest_text(NULL, text);
			ck_assert_msg(out.rc == 0, "%s: %s", text, out.err.text);
			const struct run *run = out.result.runs.items[0];
			ingest_number(given(run, METRIC_GRID_SIZE),
				      counters ? rows[i].counters_grid : rows[i].trace_grid);
			ingest_number(given(run, METRIC_BLOCK_SIZE),
				      counters ? rows[i].counters_block : rows[i].trace_block);
			arena_free(&out.arena);
		}
}
END_TEST

/* --- what must be refused --- */

#define COMPUTE                                                                                    \
	"Dispatch_ID,Kernel_Name,Grid_Size,SQ_INSTS_VALU_ADD_F32,Start_Timestamp,End_Timestamp\n"

static const struct {
	const struct reader *reader;
	const char *text, *message;
} wrong[] = {
	{&nsys_stats_reader, NSYS "1,10,0,10,10,10,10,0,k\n",
	 "line 2: the launch count must be a number above 0"},
	{&nsys_stats_reader, NSYS "1,10,1,10,10,11,10,0,k\n",
	 "line 2: the time is not between the minimum and the maximum"},
	{&nsys_stats_reader, NSYS "1,10,1,-10,10,10,10,0,k\n",
	 "line 2: a time or count is below 0"},
	{&nsys_stats_reader, "x\n" NSYS "1,10,1,10,10,10,10,0,\n",
	 "line 3: kernel name missing; the file is truncated"},
	{&nsys_stats_reader, NSYS "1,10,1,10,10,10,10\n",
	 "line 2: kernel name missing; the file is truncated"},
	{&nsys_stats_reader, "Time (%),Total Time (ns),Instances,Name\n1,1,1,k\n",
	 "line 1: the kernel table needs the columns Instances, Avg or Med, and Name"},
	{&nsys_stats_reader, "Time (%),Total Time,Instances,Average,GridXYZ,Name\n1,1,1,1,1 2,k\n",
	 "line 2: GridXYZ is not three numbers"},
	{&nsys_stats_reader, NSYS "1,x,y,10,10,10,10,0,k\n",
	 "line 2: Total Time is \"x\", not a number"},
	{&rocprof_csv_reader, "Name,Calls,TotalDurationNs,AverageNs\nhipFree,1,1,1\n",
	 "these are API or copy statistics, not kernel statistics"},
	{&rocprof_csv_reader, "Name,Calls,TotalDurationNs,AverageNs\nk,0,1,1\n",
	 "line 2: the launch count must be a number above 0"},
	{&rocprof_csv_reader, "Index,KernelName,gpu-id,grd,wgr\n0,k,1,0,64\n0,,1,1,64\n",
	 "line 3: kernel name missing"},
	{&rocprof_csv_reader, "Index,KernelName,gpu-id,grd,wgr,EndNs\n0,k,1,0,64,7\n",
	 "line 2: the begin or end column of the kernel is missing"},
	/* The first fault: sizes, counters, times, missing cells. */
	{&rocprof_compute_reader, COMPUTE "1,k,soon,x,z,9\n",
	 "line 2: Grid_Size is \"soon\", not a number"},
	{&rocprof_compute_reader, COMPUTE "1,k,64,x,z,9\n",
	 "line 2: SQ_INSTS_VALU_ADD_F32 is \"x\", not a number"},
	{&rocprof_compute_reader, COMPUTE "1,k,64,1,z\n",
	 "line 2: Start_Timestamp is \"z\", not a time in nanoseconds"},
	{&rocprof_compute_reader, "workload_name,gpu_model,hbm_bw\na,NA,\n",
	 "line 2: neither gpu_model nor hbm_bw or num_hbm_channels has a value"},
	{&rocprof_compute_reader, "device,HBMBw,x\n0,,1\n", "no peak values below the header"},
	{&rocprof_json_reader, "{\"traceEvents\":{}}", "traceEvents is missing or not an array"},
};

START_TEST(refuses_the_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ingest_refuses(wrong[i].reader, wrong[i].text, wrong[i].message);
	/* No reader takes API statistics, so that a directory with them can be read. */
	ck_assert(!rocprof_csv_reader.detect(
		span_of("\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n"
			"\"hipMemcpy\",3,1,1,60\n\"hipFree\",3,1,1,40\n")));
}
END_TEST

UNIT_MAIN("traces", launches_become_runs, many_kernels_are_cut, launches_refuse,
	  a_name_without_end_is_refused, names_that_are_no_text_are_not_merged, nsys_logs,
	  names_that_were_cut_are_one_run, amd_formulas, amd_matrix_operations,
	  one_metric_has_one_spread, names_of_amd, sizes_of_amd, refuses_the_wrong)
