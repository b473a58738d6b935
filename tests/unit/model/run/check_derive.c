/* The formulas of metric.def, and what they read of a run in addition to its metrics. */
#include "unit/unit.h"

#include <math.h>

#include "model/run/derive.h"

START_TEST(every_formula_is_one_and_reads_rows_above)
{
	struct error err = {ERR_NONE, ""};
	ck_assert_msg(derive_parse(&err) == 0, "%s", err.text);
}
END_TEST

/* A run of the tool with these numbers; NAN: not given. */
static struct run *run_of(struct arena *arena, const char *tool, double read, double written)
{
	struct run *run = run_new(arena);
	run->tool = tool;
	run_set(run, METRIC_TOTAL_TIME, 2, PROVENANCE_MEASURED);
	if (!isnan(read))
		run_set(run, METRIC_HBM_READ_BYTES, read, PROVENANCE_MEASURED);
	if (!isnan(written))
		run_set(run, METRIC_HBM_WRITE_BYTES, written, PROVENANCE_MEASURED);
	return run;
}

static double derived(struct run *run, enum metric metric)
{
	struct peaks peaks = hardware_peaks_of(run, NULL);
	run_derive(run, &peaks);
	return run->derived[metric_computed(metric)];
}

static void expect(double actual, double expected, const char *what)
{
	ck_assert_msg(isnan(expected) ? isnan(actual) : actual == expected, "%s: %g, not %g", what,
		      actual, expected);
}

/* Neuron's profiler leaves out counters that are zero, others those that were not collected. */
START_TEST(a_counter_that_is_not_there)
{
	static const struct {
		const char *tool;
		double read, written, bytes;
	} rows[] = {{"neuron-profile", 8, 4, 12},
		    {"neuron-profile", 8, NAN, 8},
		    {"neuron-profile", NAN, 4, 4},
		    {"neuron-profile", NAN, NAN, NAN},
		    {"ncu", 8, 4, 12},
		    {"ncu", 8, NAN, NAN},
		    {"ncu", NAN, 4, NAN},
		    {NULL, 8, NAN, NAN}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = run_of(&arena, rows[i].tool, rows[i].read, rows[i].written);
		expect(derived(run, METRIC_HBM_BYTES), rows[i].bytes, "hbm_bytes");
		expect(derived(run, METRIC_ACHIEVED_BANDWIDTH), rows[i].bytes / 2, "bandwidth");
		run_set(run, METRIC_DEVICE_MEMORY_TRAFFIC, 100, PROVENANCE_MEASURED);
		expect(derived(run, METRIC_HBM_BYTES), 100, "hbm_bytes where the sum is known");
		arena_free(&arena);
	}
}
END_TEST

START_TEST(throttling_is_summed_over_windows)
{
	struct arena arena = {0};
	struct run *run = run_of(&arena, "neuron-profile", 1, 1);
	run->cores = 2;
	expect(derived(run, METRIC_THROTTLE_LOSS), NAN, "without windows");
	run_add_throttle(&arena, run, (struct run_throttle){.duration = 0.5, .limit = 0.25});
	run_add_throttle(&arena, run, (struct run_throttle){.duration = 0.25, .limit = 0.5});
	expect(derived(run, METRIC_THROTTLE_LOSS), (0.75 * 0.5 + 0.5 * 0.25) / (2 * 2), "two");
	run->cores = 0;
	expect(derived(run, METRIC_THROTTLE_LOSS), NAN, "unknown cores");
	arena_free(&arena);
}
END_TEST

/* Formulas read what was recomputed, or nothing: never what a file reports of a derived metric. */
START_TEST(what_is_reported_is_not_read)
{
	struct arena arena = {0};
	struct run *run = run_of(&arena, "ncu", NAN, NAN);
	run_set(run, METRIC_HBM_BYTES, 64, PROVENANCE_REPORTED);
	run_set(run, METRIC_USEFUL_FLOPS, 64, PROVENANCE_REPORTED);
	expect(derived(run, METRIC_ARITHMETIC_INTENSITY), NAN, "intensity");
	expect(run_number(run, METRIC_HBM_BYTES), 64, "hbm_bytes");
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("derive", every_formula_is_one_and_reads_rows_above, a_counter_that_is_not_there,
	  throttling_is_summed_over_windows, what_is_reported_is_not_read)
