/* model: GPU runs, Nsight Compute's rules and the health table. */
#include "unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/system/file.h"
#include "ingest/table/csv.h"
#include "model/roofline/bottleneck.h"
#include "model/run/derive.h"
#include "model/roofline/findings.h"
#include "model/run/gpu.h"
#include "model/roofline/speed_of_light.h"
#include "render/vocabulary/vocabulary.h"

static struct run *gpu_run(struct arena *arena)
{
	struct run *run = run_new(arena);
	run->kernel = "gemm";
	run->device = "a100-sxm-80gb";
	run->dtype = "bf16";
	run->tool = "ncu";
	return run;
}

/* Branches and edges of the rule: 80 % is high, 60 % is not low, 10 points apart are not balanced.
 */
START_TEST(the_speed_of_light_rule)
{
	static const struct {
		double sm, memory, waves;
		enum sol sol;
		enum bound bound;
	} rows[] = {
		{0.516, 0.31, 1, SOL_LATENCY, BOUND_LATENCY},
		{0.516, 0.31, 0.99, SOL_SMALL_GRID, BOUND_LATENCY},
		{0.516, 0.31, NAN, SOL_LOW, BOUND_LATENCY},
		{0.5999, 0.5999, 2, SOL_LATENCY, BOUND_LATENCY},
		{0.6, 0.1, 2, SOL_COMPUTE, BOUND_COMPUTE},
		{0.1, 0.6, NAN, SOL_MEMORY, BOUND_MEMORY},
		{0.7, 0.6, 2, SOL_COMPUTE, BOUND_COMPUTE},
		{0.699, 0.6, 2, SOL_BALANCED, BOUND_BALANCED},
		{0.6, 0.69, 2, SOL_BALANCED, BOUND_BALANCED},
		{0.6, 0.71, 2, SOL_MEMORY, BOUND_MEMORY},
		{0.7999, 0.05, 2, SOL_COMPUTE, BOUND_COMPUTE},
		{0.8, 0.05, 2, SOL_HIGH, BOUND_COMPUTE},
		{0.05, 0.8, 0.1, SOL_HIGH, BOUND_MEMORY},
		{0.95, 0.9, 2, SOL_HIGH, BOUND_BALANCED},
		{NAN, 0.9, 2, SOL_HIGH, BOUND_UNKNOWN},
		{0.9, NAN, 2, SOL_HIGH, BOUND_UNKNOWN},
		{0.7, NAN, 2, SOL_UNKNOWN, BOUND_UNKNOWN},
		{NAN, 0.2, 2, SOL_UNKNOWN, BOUND_UNKNOWN},
		{NAN, NAN, 2, SOL_UNKNOWN, BOUND_UNKNOWN},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enum sol sol = speed_of_light_of(rows[i].sm, rows[i].memory, rows[i].waves);
		ck_assert_msg(sol == rows[i].sol, "row %zu: %s", i,
			      speed_of_light_info(sol)->title);
		ck_assert_int_eq(speed_of_light_bound(sol, rows[i].sm, rows[i].memory),
				 rows[i].bound);
	}
	ck_assert_int_eq(speed_of_light_of_text(
				 span_of("Small Grid: This kernel grid is too small to fill")),
			 SOL_SMALL_GRID);
	ck_assert_int_eq(speed_of_light_of_text(span_of("High Throughput")), SOL_HIGH);
	ck_assert_int_eq(speed_of_light_of_text(span_of("something else")), SOL_UNKNOWN);
}
END_TEST

/* What a details page says of one kernel; percentages. */
struct real {
	double sm, memory, waves;
	enum sol rule;
};

static void take_number(const struct csv *csv, double *number)
{
	char digits[64];
	size_t len = 0;
	struct span value = csv_cell(csv, "Metric Value");
	for (size_t i = 0; i < value.len && len < sizeof digits - 1; i++)
		if (value.ptr[i] != ',')
			digits[len++] = value.ptr[i];
	ck_assert(span_number((struct span){digits, len}, number));
}

static void take_row(const struct csv *csv, struct real *real)
{
	struct span section = csv_cell(csv, "Section Name"), metric = csv_cell(csv, "Metric Name");
	bool sol = span_is(section, "GPU Speed Of Light Throughput");
	if (sol && span_is(metric, "Compute (SM) Throughput"))
		take_number(csv, &real->sm);
	if (sol && span_is(metric, "Memory Throughput"))
		take_number(csv, &real->memory);
	if (span_is(metric, "Waves Per SM"))
		take_number(csv, &real->waves);
	if (span_is(csv_cell(csv, "Rule Name"), "SOLBottleneck"))
		real->rule = speed_of_light_of_text(csv_cell(csv, "Rule Description"));
}

static size_t compare_file(const char *path)
{
	struct arena arena = {0};
	struct error err = {0};
	struct span bytes;
	double id;
	struct real kernels[64];
	size_t count = 0;
	if (!file_exists(path))
		return 0;
	for (size_t i = 0; i < 64; i++)
		kernels[i] = (struct real){NAN, NAN, NAN, SOL_UNKNOWN};
	ck_assert_msg(file_read(&arena, path, 1 << 24, &bytes, &err) == 0, "%s", err.text);
	size_t head = span_find(bytes, "\"ID\",");
	struct csv csv = csv_of(&arena, span_from(bytes, head), ',');
	ck_assert_int_eq(csv_header(&csv, &err), 1);
	while (csv_next(&csv, &err) > 0) {
		if (!span_number(csv_cell(&csv, "ID"), &id) || id >= 64)
			continue;
		take_row(&csv, &kernels[(size_t)id]);
		count = id + 1 > (double)count ? (size_t)id + 1 : count;
	}
	for (size_t i = 0; i < count; i++) {
		const struct real *real = &kernels[i];
		enum sol own = speed_of_light_of(real->sm / 100, real->memory / 100, real->waves);
		ck_assert_msg(own == real->rule && own != SOL_UNKNOWN, "%s, kernel %zu: %s, not %s",
			      path, i, speed_of_light_info(own)->title,
			      speed_of_light_info(real->rule)->title);
	}
	arena_free(&arena);
	return count;
}

/* Published details pages of Nsight Compute, where they are available. */
START_TEST(real_profiles_agree_with_their_rule)
{
	static const struct {
		const char *path;
		size_t kernels;
	} files[] = {
		{"petebachant+clima-gpu-profiling/results/ncu/baseline-details.csv", 6},
		{"petebachant+clima-gpu-profiling/results/ncu/mod-details.csv", 6},
		{"brycelelbach+nsightful/tests/copy_blocked.csv", 1},
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char path[300];
		snprintf(path, sizeof path, "../shared/data/gpu/%s", files[i].path);
		size_t compared = compare_file(path);
		if (!compared)
			printf("skipped: no %s\n", path);
		else
			ck_assert_uint_eq(compared, files[i].kernels);
	}
}
END_TEST

/* DRAM and tensor pipe: above the limits is high, at them is not. */
START_TEST(classes_of_the_health_table)
{
	static const struct {
		double dram, tensor, l2, sm, memory;
		enum bound class;
		bool locality;
		const char *reason;
	} rows[] = {
		{0.9, 0.1, 0.5, NAN, NAN, BOUND_MEMORY, true,
		 "DRAM throughput 90.00 % (high: threshold 70 %), tensor pipe 10.00 % (low: "
		 "threshold 60 "
		 "%)"},
		{0.1, 0.9, 0.8, NAN, NAN, BOUND_COMPUTE, false, NULL},
		{0.7, 0.6, NAN, NAN, NAN, BOUND_LATENCY, false, NULL},
		{0.701, 0.601, NAN, NAN, NAN, BOUND_BALANCED, false, NULL},
		{0.1, 0, NAN, 0.9, 0.2, BOUND_LATENCY, false, NULL},
		{0.9, NAN, NAN, NAN, NAN, BOUND_UNKNOWN, false,
		 "DRAM throughput 90.00 % (high: threshold 70 %), but tensor pipe utilization is "
		 "unknown: memory-bound or balanced"},
		{0.1, NAN, NAN, 0.9, 0.2, BOUND_COMPUTE, false,
		 "DRAM throughput 10.00 % (low: threshold 70 %), but tensor pipe utilization is "
		 "unknown: compute- or latency-bound; by Nsight Compute's SpeedOfLight rule: "
		 "High Throughput, SM 90.00 %, memory 20.00 % of peak throughput"},
		{NAN, 0.9, NAN, NAN, NAN, BOUND_UNKNOWN, false,
		 "tensor pipe 90.00 % (high: threshold 60 %), but DRAM throughput is unknown: "
		 "compute-bound or balanced"},
		{NAN, NAN, NAN, NAN, NAN, BOUND_UNKNOWN, false,
		 "DRAM throughput and tensor pipe utilization are unknown"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = gpu_run(&arena);
		run_set(run, METRIC_DRAM_THROUGHPUT, rows[i].dram, PROVENANCE_MEASURED);
		run_set(run, METRIC_TENSOR_PIPE, rows[i].tensor, PROVENANCE_MEASURED);
		run_set(run, METRIC_L2_HIT_RATE, rows[i].l2, PROVENANCE_MEASURED);
		run_set(run, METRIC_SM_THROUGHPUT, rows[i].sm, PROVENANCE_MEASURED);
		run_set(run, METRIC_MEMORY_THROUGHPUT, rows[i].memory, PROVENANCE_MEASURED);
		struct peaks peaks = hardware_peaks_of(run, NULL);
		run_derive(run, &peaks);
		struct bottleneck b = bottleneck_of(&arena, run);
		ck_assert_msg(b.class == rows[i].class, "row %zu: %s", i,
			      vocabulary_term(LANGUAGE_ENGLISH, b.title));
		ck_assert_int_eq(b.locality, rows[i].locality);
		if (rows[i].reason)
			ck_assert_str_eq(vocabulary_say(&arena, b.reason), rows[i].reason);
		arena_free(&arena);
	}
}
END_TEST

/* A copy executes no FLOP: that is known, not unknown. The vector pipe counts like the tensor pipe.
 */
START_TEST(pipes_that_are_idle)
{
	static const struct {
		double flops, tensor_flops, tensor, vector, mbu;
		enum bound class, side;
	} rows[] = {
		{0, 0, NAN, NAN, 0.75, BOUND_MEMORY, BOUND_MEMORY},
		{0, 0, NAN, NAN, 0.5, BOUND_LATENCY, BOUND_MEMORY},
		{0, 0, NAN, NAN, NAN, BOUND_UNKNOWN, BOUND_UNKNOWN},
		{0, NAN, NAN, NAN, 0.75, BOUND_UNKNOWN, BOUND_MEMORY},
		{1e3, 0, NAN, NAN, 0.5, BOUND_UNKNOWN, BOUND_MEMORY}, /* another pipe may be busy */
		{1e3, 0, NAN, 0.5, 0.5, BOUND_LATENCY, BOUND_MEMORY},
		{1e3, 0, NAN, 0.7, 0.5, BOUND_COMPUTE, BOUND_MEMORY},
		{1e3, 0, 0, 0.7, 0.75, BOUND_BALANCED, BOUND_MEMORY},
		{1e3, NAN, NAN, 0.7, 0.5, BOUND_UNKNOWN, BOUND_MEMORY},
		{0, 0, 0.9, NAN, 0.75, BOUND_BALANCED, BOUND_UNKNOWN}, /* integers */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = gpu_run(&arena);
		struct peaks peaks = hardware_peaks_of(run, NULL);
		run_set(run, METRIC_TOTAL_TIME, 1e-3, PROVENANCE_MEASURED);
		run_set(run, METRIC_HARDWARE_FLOPS, rows[i].flops, PROVENANCE_MEASURED);
		run_set(run, METRIC_TENSOR_FLOPS, rows[i].tensor_flops, PROVENANCE_MEASURED);
		run_set(run, METRIC_TENSOR_PIPE, rows[i].tensor, PROVENANCE_MEASURED);
		run_set(run, METRIC_VECTOR_PIPE, rows[i].vector, PROVENANCE_MEASURED);
		run_set(run, METRIC_HBM_READ_BYTES, rows[i].mbu * peaks.bandwidth * 1e-3,
			PROVENANCE_MEASURED);
		run_set(run, METRIC_HBM_WRITE_BYTES, 0, PROVENANCE_MEASURED);
		run_derive(run, &peaks);
		struct bottleneck b = bottleneck_of(&arena, run);
		ck_assert_msg(b.class == rows[i].class && b.side == rows[i].side,
			      "row %zu: %s, %s side", i, bottleneck_bound_name(b.class),
			      bottleneck_bound_name(b.side));
		arena_free(&arena);
	}
}
END_TEST

START_TEST(three_rules_may_disagree)
{
	struct arena arena = {0};
	struct run *run = gpu_run(&arena);
	static const struct {
		enum metric metric;
		double number;
	} given[] = {
		{METRIC_TOTAL_TIME, 1e-3},       {METRIC_HARDWARE_FLOPS, 1e9},
		{METRIC_HBM_READ_BYTES, 1e8},    {METRIC_HBM_WRITE_BYTES, 0},
		{METRIC_DRAM_THROUGHPUT, 0.05},  {METRIC_SM_THROUGHPUT, 0.973},
		{METRIC_MEMORY_THROUGHPUT, 0.5}, {METRIC_TENSOR_PIPE, 0},
	};
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		run_set(run, given[i].metric, given[i].number, PROVENANCE_MEASURED);
	struct peaks peaks = hardware_peaks_of(run, NULL);
	run_derive(run, &peaks);
	struct bottleneck b = bottleneck_of(&arena, run);
	ck_assert_int_eq(b.class, BOUND_LATENCY);
	ck_assert(b.disagree);
	ck_assert_uint_eq(b.verdict_count, 3);
	ck_assert_str_eq(vocabulary_say(&arena, b.verdicts[0].title), "memory side");
	ck_assert_str_eq(vocabulary_say(&arena, b.verdicts[1].title), "High Throughput");
	ck_assert_int_eq(b.verdicts[1].bound, BOUND_COMPUTE);
	ck_assert_str_eq(vocabulary_say(&arena, b.verdicts[2].title), "Latency-bound");
	run_set(run, METRIC_DRAM_THROUGHPUT, 0.9, PROVENANCE_MEASURED);
	run_set(run, METRIC_MEMORY_THROUGHPUT, 0.95, PROVENANCE_MEASURED);
	run_set(run, METRIC_SM_THROUGHPUT, 0.3, PROVENANCE_MEASURED);
	ck_assert(!bottleneck_of(&arena, run).disagree);
	arena_free(&arena);
}
END_TEST

static const struct finding *finding_of(const struct finding_list *list, const char *rule)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].rule, rule) == 0)
			return &list->items[i];
	return NULL;
}

/* Each rule at its limit and next to it. */
START_TEST(rules_fire_at_their_thresholds)
{
	enum { M = 4 };
	static const struct {
		const char *rule;
		struct {
			enum metric metric;
			double number;
		} given[M];
		bool fires;
		double gain;
	} rows[] = {
		{"health-occupancy", {{METRIC_ACHIEVED_OCCUPANCY, 0.25}}, true, NAN},
		{"health-occupancy", {{METRIC_ACHIEVED_OCCUPANCY, 0.2501}}, false, NAN},
		{"health-tensor", {{METRIC_TENSOR_PIPE, 0.6}}, true, NAN},
		{"health-tensor", {{METRIC_TENSOR_PIPE, 0.61}}, false, NAN},
		{"health-tensor",
		 {{METRIC_TENSOR_PIPE, 0.1}, {METRIC_DRAM_THROUGHPUT, 0.71}},
		 false,
		 NAN},
		{"health-tensor",
		 {{METRIC_TENSOR_PIPE, 0.1}, {METRIC_DRAM_THROUGHPUT, 0.7}},
		 true,
		 NAN},
		{"health-dram", {{METRIC_DRAM_THROUGHPUT, 0.7}}, true, NAN},
		{"health-dram", {{METRIC_DRAM_THROUGHPUT, 0.71}}, false, NAN},
		{"health-dram",
		 {{METRIC_DRAM_THROUGHPUT, 0.1}, {METRIC_TENSOR_PIPE, 0.61}},
		 false,
		 NAN},
		{"health-l2", {{METRIC_L2_HIT_RATE, 0.8}}, true, NAN},
		{"health-l2", {{METRIC_L2_HIT_RATE, 1.0039}}, false, NAN},
		{"health-spills", {{METRIC_SPILL_REQUESTS, 0}}, false, NAN},
		{"health-spills", {{METRIC_SPILL_REQUESTS, 1}}, true, NAN},
		{"launch-gaps", {{METRIC_IDLE_BEFORE, 0.5}}, false, NAN},
		{"launch-gaps", {{METRIC_IDLE_BEFORE, 0.75}}, true, NAN},
		{"access-global-loads", {{METRIC_GLOBAL_LOAD_EFFICIENCY, 0.8}}, false, NAN},
		{"access-global-loads", {{METRIC_GLOBAL_LOAD_EFFICIENCY, 0.79}}, true, NAN},
		{"access-global-stores", {{METRIC_GLOBAL_STORE_EFFICIENCY, 0.125}}, true, NAN},
		{"access-global", {{METRIC_GLOBAL_LOAD_SECTORS, 16}}, false, NAN},
		{"access-global", {{METRIC_GLOBAL_LOAD_SECTORS, 16.5}}, true, NAN},
		{"access-global",
		 {{METRIC_GLOBAL_LOAD_SECTORS, 4}, {METRIC_GLOBAL_STORE_SECTORS, 32}},
		 true,
		 NAN},
		/* The efficiency says it already. */
		{"access-global",
		 {{METRIC_GLOBAL_STORE_EFFICIENCY, 0.125}, {METRIC_GLOBAL_STORE_SECTORS, 32}},
		 false,
		 NAN},
		{"access-bank-conflicts",
		 {{METRIC_BANK_CONFLICTS, 10}, {METRIC_SHARED_WAVEFRONTS, 100}},
		 false,
		 NAN},
		{"access-bank-conflicts",
		 {{METRIC_BANK_CONFLICTS, 50}, {METRIC_SHARED_WAVEFRONTS, 100}},
		 true,
		 NAN},
		{"access-bank-conflicts", {{METRIC_BANK_CONFLICTS, 50}}, false, NAN},
		{"health-waves", {{METRIC_WAVES_PER_SM, 1}}, true, NAN},
		{"health-waves", {{METRIC_WAVES_PER_SM, 0.25}}, true, 0.75},
		{"health-waves", {{METRIC_WAVES_PER_SM, 1.01}}, false, NAN},
		{"ncu-tail", {{METRIC_WAVES_PER_SM, 2.1}}, true, 1 - 2.1 / 3},
		{"ncu-tail", {{METRIC_WAVES_PER_SM, 2.5}}, false, NAN},
		{"ncu-tail", {{METRIC_WAVES_PER_SM, 0.5}}, false, NAN},
		{"ncu-achieved-occupancy",
		 {{METRIC_THEORETICAL_OCCUPANCY, 0.5}, {METRIC_ACHIEVED_OCCUPANCY, 0.375}},
		 true,
		 0.25},
		{"ncu-achieved-occupancy",
		 {{METRIC_THEORETICAL_OCCUPANCY, 0.5}, {METRIC_ACHIEVED_OCCUPANCY, 0.4375}},
		 false,
		 NAN},
		{"ncu-theoretical-occupancy", {{METRIC_THEORETICAL_OCCUPANCY, 0.79}}, true, 0.21},
		{"ncu-theoretical-occupancy", {{METRIC_THEORETICAL_OCCUPANCY, 0.8}}, false, NAN},
		{"ncu-issue-slots", {{METRIC_ISSUE_ACTIVE, 0.5}}, true, 0.5},
		{"ncu-issue-slots",
		 {{METRIC_ISSUE_ACTIVE, 0.5},
		  {METRIC_SM_THROUGHPUT, 0.25},
		  {METRIC_MEMORY_THROUGHPUT, 0.75}},
		 true,
		 0.25},
		{"ncu-issue-slots", {{METRIC_ISSUE_ACTIVE, 0.6}}, false, NAN},
		{"ncu-sol-latency",
		 {{METRIC_SM_THROUGHPUT, 0.5},
		  {METRIC_MEMORY_THROUGHPUT, 0.3},
		  {METRIC_WAVES_PER_SM, 2}},
		 true,
		 NAN},
		{"ncu-sol-small-grid",
		 {{METRIC_SM_THROUGHPUT, 0.5},
		  {METRIC_MEMORY_THROUGHPUT, 0.3},
		  {METRIC_WAVES_PER_SM, 0.5}},
		 true,
		 0.5},
		{"ncu-sol-low",
		 {{METRIC_SM_THROUGHPUT, 0.5}, {METRIC_MEMORY_THROUGHPUT, 0.3}},
		 true,
		 NAN},
		{"ncu-sol-compute",
		 {{METRIC_SM_THROUGHPUT, 0.7}, {METRIC_MEMORY_THROUGHPUT, 0.3}},
		 true,
		 NAN},
		{"ncu-sol-memory",
		 {{METRIC_SM_THROUGHPUT, 0.3}, {METRIC_MEMORY_THROUGHPUT, 0.7}},
		 true,
		 NAN},
		{"ncu-sol-balanced",
		 {{METRIC_SM_THROUGHPUT, 0.65}, {METRIC_MEMORY_THROUGHPUT, 0.7}},
		 true,
		 NAN},
		{"ncu-sol-high",
		 {{METRIC_SM_THROUGHPUT, 0.65}, {METRIC_MEMORY_THROUGHPUT, 0.8}},
		 true,
		 NAN},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = gpu_run(&arena);
		for (size_t k = 0; k < M && rows[i].given[k].metric; k++)
			run_set(run, rows[i].given[k].metric, rows[i].given[k].number,
				PROVENANCE_MEASURED);
		run_set(run, METRIC_TOTAL_TIME, 1, PROVENANCE_MEASURED);
		run_derive(run, &(struct peaks){0});
		struct finding_list list = {0};
		findings_of(&arena, run, &list);
		const struct finding *finding = finding_of(&list, rows[i].rule);
		ck_assert_msg((finding != NULL) == rows[i].fires, "row %zu: %s", i, rows[i].rule);
		if (finding && !isnan(rows[i].gain))
			ck_assert_double_eq_tol(finding->gain.fraction, rows[i].gain, 1e-12);
		else if (finding)
			ck_assert_double_nan(finding->gain.fraction);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(the_tools_own_verdict_is_checked)
{
	static const struct {
		const char *text;
		bool differs;
	} rows[] = {
		{"This workload exhibits low compute throughput and memory bandwidth utilization",
		 false},
		{"Memory is more heavily utilized than Compute: Look at", true},
		{"nothing known", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = gpu_run(&arena);
		struct finding_list list = {0};
		run_set(run, METRIC_SM_THROUGHPUT, 0.5, PROVENANCE_MEASURED);
		run_set(run, METRIC_MEMORY_THROUGHPUT, 0.4, PROVENANCE_MEASURED);
		run_set(run, METRIC_WAVES_PER_SM, 4, PROVENANCE_MEASURED);
		run_add_attribute(&arena, run, "ncu_sol_rule", rows[i].text);
		findings_of(&arena, run, &list);
		ck_assert_int_eq(finding_of(&list, "ncu-sol-differs") != NULL, rows[i].differs);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(gpu_runs_are_told_from_others)
{
	static const struct {
		const char *device;
		double occupancy;
		bool gpu;
	} rows[] = {
		{"NVIDIA A100-SXM4-80GB", NAN, true},
		{"trn2", NAN, false},
		{"my-device", NAN, false},
		{"my-device", 0.5, true},
		{NULL, 0.5, true},
		{NULL, NAN, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = run_new(&arena);
		run->device = rows[i].device;
		run_set(run, METRIC_ACHIEVED_OCCUPANCY, rows[i].occupancy, PROVENANCE_MEASURED);
		ck_assert_msg(run_is_gpu(run, NULL) == rows[i].gpu, "row %zu", i);
		arena_free(&arena);
	}
}
END_TEST

/* Neuron's summary leaves out what is zero; elsewhere what is absent was not collected. */
START_TEST(half_of_the_traffic_is_not_all_of_it)
{
	static const struct {
		const char *tool;
		double written, bytes;
	} rows[] = {
		{"rocprof", NAN, NAN},        {"ncu", NAN, NAN}, {"ncu", 50, 150}, {"ncu", 0, 100},
		{"neuron-profile", NAN, 100}, {NULL, NAN, NAN},
	};
	struct peaks peaks = {.core_flops = 1,
			      .flops = 1,
			      .bandwidth = 1000,
			      .clock = NAN,
			      .confidence = CONFIDENCE_HIGH};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = run_new(&arena);
		run->tool = rows[i].tool;
		run_set(run, METRIC_TOTAL_TIME, 1, PROVENANCE_MEASURED);
		run_set(run, METRIC_HBM_READ_BYTES, 100, PROVENANCE_MEASURED);
		run_set(run, METRIC_HBM_WRITE_BYTES, rows[i].written, PROVENANCE_MEASURED);
		run_derive(run, &peaks);
		ck_assert_msg(isnan(rows[i].bytes)
				      ? isnan(run_number(run, METRIC_MBU))
				      : run_number(run, METRIC_MBU) == rows[i].bytes / 1000,
			      "row %zu", i);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("gpu", the_speed_of_light_rule, real_profiles_agree_with_their_rule,
	  classes_of_the_health_table, pipes_that_are_idle, three_rules_may_disagree,
	  rules_fire_at_their_thresholds, the_tools_own_verdict_is_checked,
	  half_of_the_traffic_is_not_all_of_it, gpu_runs_are_told_from_others)
