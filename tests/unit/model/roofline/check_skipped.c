/* Findings about work that was not done, or that something else did. Numbers by hand. */
#include "unit/unit.h"

#include <math.h>

#include "model/roofline/findings.h"
#include "model/run/derive.h"
#include "render/vocabulary/vocabulary.h"

static struct run *some_run(struct arena *arena)
{
	struct run *run = run_new(arena);
	run->kernel = "mine";
	run->variant = "";
	run->device = "h100-sxm";
	run->dtype = "bf16";
	run->tool = "ncu";
	run->cores = 1;
	run_set(run, METRIC_TOTAL_TIME, 1e-3, PROVENANCE_MEASURED);
	return run;
}

/* The sentence of the rule; NULL: it did not fire. */
static const char *sentence(struct arena *arena, struct run *run, const char *rule)
{
	struct finding_list list = {0};
	struct peaks peaks = hardware_peaks_of(run, NULL);
	run_derive(run, &peaks);
	findings_of(arena, run, &list);
	for (size_t i = 0; i < list.count; i++)
		if (strcmp(list.items[i].rule, rule) == 0)
			return vocabulary_say(arena, list.items[i].text);
	return NULL;
}

static void says(const char *found, const char *expected, size_t row)
{
	if (expected)
		ck_assert_msg(found && strcmp(found, expected) == 0, "row %zu: %s", row,
			      found ? found : "nothing");
	else
		ck_assert_msg(!found, "row %zu: %s", row, found);
}

START_TEST(less_work_than_the_formula_needs)
{
	static const double gib = 1024.0 * 1024 * 1024;
	const struct {
		const char *rule;
		double counted, needed;
		const char *expected;
	} rows[] = {
		{"fewer-flops", 50e9, 100e9,
		 "50.00 GFLOP counted, 50.00 % of the 100.0 GFLOP that the work formula needs "
		 "(threshold 90.00 %)"},
		{"fewer-flops", 90e9, 100e9, NULL},
		{"fewer-flops", 89e9, 100e9,
		 "89.00 GFLOP counted, 89.00 % of the 100.0 GFLOP that the work formula needs "
		 "(threshold 90.00 %)"},
		{"fewer-flops", 110e9, 100e9, NULL},
		{"fewer-flops", 50e9, NAN, NULL},
		{"fewer-flops", NAN, 100e9, NULL},
		{"fewer-bytes", 1 * gib, 4 * gib,
		 "1.074 GB of device memory traffic, 25.00 % of the "
		 "4.295 GB that the work formula needs (threshold 90.00 %)"},
		{"fewer-bytes", 3.7 * gib, 4 * gib, NULL},
		{"fewer-bytes", 0.1 * gib, 0.5 * gib, NULL}, /* a cache may have kept it */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = some_run(&arena);
		bool flops = strcmp(rows[i].rule, "fewer-flops") == 0;
		struct run_work work = {.flops = flops ? rows[i].needed : NAN,
					.bytes = flops ? NAN : rows[i].needed};
		run->work = &work;
		if (!isnan(rows[i].counted))
			run_set(run, flops ? METRIC_HARDWARE_FLOPS : METRIC_DEVICE_MEMORY_TRAFFIC,
				rows[i].counted, PROVENANCE_MEASURED);
		says(sentence(&arena, run, rows[i].rule), rows[i].expected, i);
		arena_free(&arena);
	}
}
END_TEST

/* 3 MB of 4 MB are 75 %. */
START_TEST(operands_that_are_never_moved)
{
	static const struct {
		double read, written, operands;
		const char *expected;
	} rows[] = {
		{2e6, 1e6, 4e6,
		 "3.000 MB of HBM traffic, 75.00 % of the 4.000 MB of inputs, outputs and weights "
		 "(threshold 90.00 %)"},
		{2.6e6, 1e6, 4e6, NULL},
		{4e6, 1e6, 4e6, NULL},
		{2e6, 1e6, NAN, NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = some_run(&arena);
		run->tool = "neuron-profile";
		run_set(run, METRIC_HBM_READ_BYTES, rows[i].read, PROVENANCE_MEASURED);
		run_set(run, METRIC_HBM_WRITE_BYTES, rows[i].written, PROVENANCE_MEASURED);
		if (!isnan(rows[i].operands))
			run_set(run, METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES, rows[i].operands,
				PROVENANCE_MEASURED);
		says(sentence(&arena, run, "operands-left"), rows[i].expected, i);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(repeats_in_two_far_groups)
{
	static const struct {
		double us[10];
		size_t count;
		double launches;
		const char *expected;
	} rows[] = {
		{{30, 31, 2, 2, 2, 30, 2, 2, 2, 2},
		 10,
		 NAN,
		 "The repeats fall into two groups: 7 of 10 take 2.000 us or less, the others "
		 "30.00 us "
		 "or more, 15.00 times as long (threshold 10.00)"},
		{{30, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 10, NAN, NULL},  /* the first one warms up */
		{{20, 20, 2, 2, 2, 2, 2, 2, 2, 2}, 10, NAN, NULL}, /* 10 times, not more */
		{{30, 30, 2, 2, 2, 2, 2, 2, 2, 2}, 10, 10, NULL},  /* launches of one name */
		{{30, 30, 2, 2}, 4, NAN, NULL},                    /* too few */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = some_run(&arena);
		double seconds[10];
		for (size_t k = 0; k < rows[i].count; k++)
			seconds[k] = rows[i].us[k] * 1e-6;
		run_set_samples(&arena, run, METRIC_TOTAL_TIME, seconds, rows[i].count,
				PROVENANCE_MEASURED);
		if (!isnan(rows[i].launches))
			run_set(run, METRIC_LAUNCH_COUNT, rows[i].launches, PROVENANCE_MEASURED);
		says(sentence(&arena, run, "far-modes"), rows[i].expected, i);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(a_kernel_of_a_library)
{
	static const struct {
		const char *kernel, *variant, *symbol, *expected;
	} rows[] = {
		{"my_matmul", "", "ampere_sgemm_128x64_tn",
		 "The kernel named my_matmul is ampere_sgemm_128x64_tn of cuBLAS"},
		{"my_matmul", "triton", "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NNT",
		 "The kernel named my_matmul is nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NNT "
		 "of "
		 "cuBLAS"},
		{"my_matmul", "", "Cijk_Ailk_Bljk_SB_MT128x128x8",
		 "The kernel named my_matmul is Cijk_Ailk_Bljk_SB_MT128x128x8 of Tensile"},
		{"my_matmul", "cublas", "ampere_sgemm_128x64_tn", NULL},
		{"torch_linear", "", "ampere_sgemm_128x64_tn", NULL},
		{"ampere_sgemm", "", "ampere_sgemm_128x64_tn", NULL},
		{"my_matmul", "", "my_matmul(float*, float*)", NULL},
		{"my_matmul", "", NULL, NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = some_run(&arena);
		run->kernel = rows[i].kernel;
		run->variant = rows[i].variant;
		if (rows[i].symbol)
			run_add_attribute(&arena, run, "kernel_symbol", rows[i].symbol);
		says(sentence(&arena, run, "library-kernel"), rows[i].expected, i);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(a_pipe_of_lower_precision)
{
	static const struct {
		const char *dtype, *tool;
		double tensor, all;
		const char *expected;
	} rows[] = {
		{"fp32", "ncu", 90e9, 100e9,
		 "The run's dtype is fp32, but 90.00 GFLOP of 100.0 GFLOP (90.00 %) come from the "
		 "tensor "
		 "pipe, which rounds operands to TF32 or less"},
		{"fp32", "ncu", 49e9, 100e9, NULL},
		{"tf32", "ncu", 90e9, 100e9, NULL},
		{"fp32", "rocprof", 90e9, 100e9, NULL}, /* AMD's matrix cores have FP32 */
		{NULL, "ncu", 90e9, 100e9, NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = some_run(&arena);
		run->dtype = rows[i].dtype;
		run->tool = rows[i].tool;
		run_set(run, METRIC_TENSOR_FLOPS, rows[i].tensor, PROVENANCE_MEASURED);
		run_set(run, METRIC_HARDWARE_FLOPS, rows[i].all, PROVENANCE_MEASURED);
		says(sentence(&arena, run, "lower-precision"), rows[i].expected, i);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("skipped work", less_work_than_the_formula_needs, operands_that_are_never_moved,
	  repeats_in_two_far_groups, a_kernel_of_a_library, a_pipe_of_lower_precision)
