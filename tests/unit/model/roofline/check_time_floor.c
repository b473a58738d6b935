/* Times that no hardware can reach. 1 GFLOP takes 1.0107 us at 989.4 TFLOP/s (h100-sxm, bf16), 1 MB
 * takes 0.29851 us at 3350 GB/s; shares of these by hand. */
#include "unit/unit.h"

#include <math.h>

#include "model/roofline/time_floor.h"
#include "model/run/derive.h"

struct sample {
	const char *device, *dtype;
	double flops, bytes, time, sm_clock, memory_clock;
	bool impossible;
};

static struct run *run_like(struct arena *arena, const struct sample *sample)
{
	struct run *run = run_new(arena);
	run->device = sample->device;
	run->dtype = sample->dtype;
	run->cores = 1;
	run->tool = "table";
	const struct {
		enum metric metric;
		double number;
	} given[] = {{METRIC_TOTAL_TIME, sample->time},
		     {METRIC_HARDWARE_FLOPS, sample->flops},
		     {METRIC_HBM_READ_BYTES, sample->bytes},
		     {METRIC_HBM_WRITE_BYTES, sample->bytes > 0 ? 0 : NAN},
		     {METRIC_SM_CLOCK, sample->sm_clock},
		     {METRIC_MEMORY_CLOCK, sample->memory_clock}};
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		if (given[i].number > 0 || given[i].metric == METRIC_HBM_WRITE_BYTES)
			run_set(run, given[i].metric, given[i].number, PROVENANCE_MEASURED);
	struct peaks peaks = hardware_peaks_of(run, NULL);
	run_derive(run, &peaks);
	return run;
}

START_TEST(a_time_is_possible_down_to_a_share_of_the_floor)
{
	static const double compute = 1e9 / 989.4e12, memory = 1e6 / 3350e9;
	const struct sample rows[] = {
		/* The clock is measured. */
		{"h100-sxm", "bf16", 1e9, 0, 0.97 * compute, 1830e6, 0, true},
		{"h100-sxm", "bf16", 1e9, 0, 0.99 * compute, 1830e6, 0, false},
		{"h100-sxm", "bf16", 0, 1e6, 0.97 * memory, 0, 2619e6, true},
		{"h100-sxm", "bf16", 0, 1e6, 0.99 * memory, 0, 2619e6, false},
		/* It is not. */
		{"h100-sxm", "bf16", 1e9, 0, 0.79 * compute, 0, 0, true},
		{"h100-sxm", "bf16", 1e9, 0, 0.81 * compute, 0, 0, false},
		{"h100-sxm", "bf16", 0, 1e6, 0.79 * memory, 0, 0, true},
		{"h100-sxm", "bf16", 0, 1e6, 0.81 * memory, 0, 0, false},
		/* A clock above the table's raises the peak; one below it, as of an idle device,
		 * does not lower it. */
		{"h100-sxm", "bf16", 1e9, 0, 0.97 * compute, 1980e6, 0, false},
		{"h100-sxm", "bf16", 1e9, 0, 0.90 * compute, 1980e6, 0, true},
		{"h100-sxm", "bf16", 1e9, 0, 0.99 * compute, 345e6, 0, false},
		/* So far below that MFU is out of bounds. */
		{"h100-sxm", "bf16", 1e9, 0, 1e-10, 0, 0, true},
		/* The larger of both floors counts. */
		{"h100-sxm", "bf16", 1e9, 1e6, 0.79 * compute, 0, 0, true},
		{"h100-sxm", "bf16", 1e9, 1e6, 0.81 * compute, 0, 0, false},
		{"h100-sxm", "bf16", 1e9, 1e7, 0.79e1 * memory, 0, 0, true},
		/* Libraries compute with TF32 on fp32 operands: 494.7 TFLOP/s. */
		{"h100-sxm", "fp32", 1e9, 0, 1e9 / 400e12, 0, 0, false},
		{"h100-sxm", "fp32", 1e9, 0, 1e9 / 700e12, 0, 0, true},
		/* GeForce: FP16 accumulation doubles the rate. */
		{"rtx-4090", "fp16", 1e9, 0, 1e9 / 300e12, 0, 0, false},
		{"rtx-4090", "fp16", 1e9, 0, 1e9 / 450e12, 0, 0, true},
		{"rtx-4090", "fp8", 1e9, 0, 1e9 / 600e12, 0, 0, false},
		{"rtx-4090", "fp8", 1e9, 0, 1e9 / 900e12, 0, 0, true},
		{"rtx-4090", "bf16", 1e9, 0, 1e9 / 300e12, 0, 0, true},
		{"rtx-5090", "fp8", 1e9, 0, 1e9 / 800e12, 0, 0, false},
		/* Neuron: FP8 is twice as fast as the peak that MFU is relative to. */
		{"trn2", "bf16", 1e9, 0, 1e9 / 110e12, 0, 0, true},
		{"trn2", "fp8", 1e9, 0, 1e9 / 110e12, 0, 0, false},
		{"trn2", NULL, 1e9, 0, 1e9 / 110e12, 0, 0, false},
		{"trn2", "fp8", 1e9, 0, 1e9 / 400e12, 0, 0, true},
		/* Neuron's bandwidth is one stack's share: no limit. */
		{"trn2", "bf16", 0, 1e9, 1e-6, 0, 0, false},
		/* AMD's Infinity Cache serves a part of the bytes that were counted: no limit,
		 * either. Older devices have none: 1 MB takes 0.61 us at 1638.4 GB/s. */
		{"mi300x", "bf16", 0, 1e8, 12.5e-6, 0, 0, false},
		{"mi325x", "bf16", 0, 1e8, 12.5e-6, 0, 0, false},
		{"mi350x", "bf16", 0, 1e8, 8e-6, 0, 0, false},
		{"mi355x", "bf16", 0, 1e8, 8e-6, 0, 0, false},
		{"mi300x", "bf16", 1e9, 1e8, 1e9 / 2500e12, 0, 0, true},
		{"mi210", "bf16", 0, 1e6, 0.4e-6, 0, 0, true},
		/* Peaks of low confidence, or unknown ones. */
		{"bi-v100", "bf16", 1e9, 1e9, 1e-9, 0, 0, false},
		{"nothing", "bf16", 1e9, 1e9, 1e-9, 0, 0, false},
		{"h100-sxm", NULL, 1e9, 0, 1e-9, 0, 0, false},
		{"mi210", "fp32", 1e9, 0, 1e-9, 0, 0, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		const struct run *run = run_like(&arena, &rows[i]);
		ck_assert_msg(time_floor_is_broken(run) == rows[i].impossible, "row %zu", i);
		ck_assert_msg((time_floor_message(&arena, run) != NULL) == rows[i].impossible,
			      "row %zu", i);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(an_engine_is_not_active_for_longer_than_the_run)
{
	static const struct {
		double active;
		bool impossible;
	} rows[] = {{1e-3, false}, {1.005e-3, false}, {1.02e-3, true}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		const struct sample sample = {"trn2", "bf16", 0, 0, 1e-3, 0, 0, false};
		struct run *run = run_like(&arena, &sample);
		struct peaks peaks = hardware_peaks_of(run, NULL);
		run_set(run, METRIC_VECTOR_ACTIVE_TIME, rows[i].active, PROVENANCE_MEASURED);
		run_derive(run, &peaks);
		ck_assert_msg(time_floor_is_broken(run) == rows[i].impossible, "row %zu", i);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(a_run_without_figures_is_possible)
{
	struct arena arena = {0};
	ck_assert(!time_floor_is_broken(run_new(&arena)));
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("time floor", a_time_is_possible_down_to_a_share_of_the_floor,
	  an_engine_is_not_active_for_longer_than_the_run, a_run_without_figures_is_possible)
