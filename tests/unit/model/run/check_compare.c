/* compare: groups of the same work, references, speed-ups and their geometric means. */
#include "model/run/variants.h"

#include <math.h>

#include "unit/unit.h"

#define COUNT_OF_ROWS(rows) (sizeof(rows) / sizeof *(rows))

struct case_run {
	const char *variant, *dtype, *s, *device;
	double time;
};

/* The fair comparison of the first seed document, and what must stay apart from it. */
static const struct case_run seed[] = {
	{"nkilib", "bf16", "128", "trn2", 43.22e-6},
	{"neuronxcc", "bf16", "128", "trn2", 39.36e-6},
	{"neuronxcc", "bf16", "256", "trn2", 67.21e-6},
	{"nkilib", "bf16", "256", "trn2", 85.26e-6},
	{"nkilib", "fp32", "128", "trn2", 99e-6},
	{"nkilib", "bf16", "128", "trn1", 98e-6},
	{"", "bf16", "128", "trn2", 97e-6},
	{"nkilib", "bf16", "512", "trn2", 96e-6},
};

static const struct run **runs_of(struct arena *arena, const struct case_run *cases, size_t count)
{
	const struct run **runs = arena_array(arena, count, sizeof *runs);
	for (size_t i = 0; i < count; i++) {
		struct run *run = run_new(arena);
		run->kernel = "mlp";
		run->variant = cases[i].variant;
		run->dtype = cases[i].dtype;
		run->device = cases[i].device;
		run->tool = "neuron-profile";
		run_set_param(arena, run, "b", "1");
		run_set_param(arena, run, "s", cases[i].s);
		run_set(run, METRIC_TOTAL_TIME, cases[i].time, PROVENANCE_MEASURED);
		runs[i] = run;
	}
	return runs;
}

START_TEST(the_seed_by_variant)
{
	struct arena arena = {0};
	const struct run **runs = runs_of(&arena, seed, COUNT_OF_ROWS(seed));
	struct compare compare = variants_of(&arena, runs, COUNT_OF_ROWS(seed), "variant", NULL);
	/* nkilib is in as many configurations and slower. */
	ck_assert_str_eq(compare.reference, "nkilib");
	ck_assert_uint_eq(compare.group_count, 2);
	ck_assert_uint_eq(compare.alone, 3);
	ck_assert_str_eq(compare.groups[0].name, "mlp s=128");
	ck_assert_str_eq(compare.common, "bf16, trn2, b=1");
	for (size_t i = 0; i < 2; i++) {
		const struct compare_group *group = &compare.groups[i];
		ck_assert_uint_eq(group->count, 2);
		ck_assert_str_eq(group->rows[0].value, "nkilib");
		ck_assert_double_eq(group->rows[0].speedup, 1);
		ck_assert_str_eq(group->rows[1].value, "neuronxcc");
	}
	ck_assert_double_eq_tol(compare.groups[0].rows[1].speedup, 1.098069, 1e-6);
	ck_assert_double_eq_tol(compare.groups[1].rows[1].speedup, 1.268561, 1e-6);
	ck_assert_uint_eq(compare.mean_count, 1);
	ck_assert_uint_eq(compare.means[0].configurations, 2);
	ck_assert_double_eq_tol(compare.means[0].speedup, 1.1802406, 1e-6);
	arena_free(&arena);
}
END_TEST

START_TEST(other_dimensions)
{
	static const struct {
		const char *by, *reference, *first, *second;
		size_t groups, alone;
	} rows[] = {
		{"s", NULL, "256", "128", 2, 3},
		{"s", "128", "128", "256", 2, 3},
		{"dtype", NULL, "fp32", "bf16", 1, 6},
		{"device", NULL, "trn1", "trn2", 1, 6},
		{"variant", "neuronxcc", "neuronxcc", "nkilib", 2, 3},
		{"variant", "triton", NULL, NULL, 0, 5},
		{"h", NULL, NULL, NULL, 0, 0},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		const struct run **runs = runs_of(&arena, seed, COUNT_OF_ROWS(seed));
		struct compare compare = variants_of(&arena, runs, COUNT_OF_ROWS(seed), rows[i].by,
						     rows[i].reference);
		ck_assert_msg(compare.group_count == rows[i].groups, "row %zu: %zu groups", i,
			      compare.group_count);
		ck_assert_msg(compare.alone == rows[i].alone, "row %zu: %zu alone", i,
			      compare.alone);
		if (rows[i].groups) {
			ck_assert_str_eq(compare.groups[0].rows[0].value, rows[i].first);
			ck_assert_str_eq(compare.groups[0].rows[1].value, rows[i].second);
		}
		arena_free(&arena);
	}
}
END_TEST

START_TEST(unknown_times_stay_unknown)
{
	static const struct case_run cases[] = {
		{"a", "bf16", "1", "trn2", NAN},
		{"b", "bf16", "1", "trn2", 2e-6},
		{"a", "bf16", "2", "trn2", 3e-6},
		{"b", "bf16", "2", "trn2", 1e-6},
	};
	struct arena arena = {0};
	const struct run **runs = runs_of(&arena, cases, COUNT_OF_ROWS(cases));
	struct compare compare = variants_of(&arena, runs, COUNT_OF_ROWS(cases), "variant", "a");
	ck_assert_double_nan(compare.groups[0].rows[1].speedup);
	ck_assert_double_eq(compare.groups[1].rows[1].speedup, 3);
	ck_assert_uint_eq(compare.means[0].configurations, 1);
	ck_assert_double_eq_tol(compare.means[0].speedup, 3, 1e-12);
	arena_free(&arena);
}
END_TEST

/* Host time against device time, and what a wrong result took: no speed-up. */
START_TEST(times_that_say_nothing_of_each_other)
{
	static const struct case_run cases[] = {
		{"a", "bf16", "1", "trn2", 2e-6},
		{"b", "bf16", "1", "trn2", NAN},
		{"c", "bf16", "1", "trn2", 1e-6},
		{"d", "bf16", "1", "trn2", 1e-6},
	};
	struct arena arena = {0};
	const struct run **runs = runs_of(&arena, cases, COUNT_OF_ROWS(cases));
	run_set((struct run *)runs[1], METRIC_HOST_TIME, 1e-6, PROVENANCE_MEASURED);
	run_add_attribute(&arena, (struct run *)runs[2], "correctness", "incorrect");
	struct compare compare = variants_of(&arena, runs, COUNT_OF_ROWS(cases), "variant", "a");
	const struct compare_row *rows = compare.groups[0].rows;
	ck_assert_double_nan(rows[1].speedup);
	ck_assert_double_eq(rows[1].time, 1e-6);
	ck_assert_double_nan(rows[2].speedup);
	ck_assert_double_eq(rows[3].speedup, 2);
	arena_free(&arena);
}
END_TEST

/* One core vs. two of the same device does not compare devices. */
START_TEST(one_device_in_several_sizes)
{
	static const struct case_run cases[] = {
		{"a", "bf16", "1", "trn2", 2e-6},
		{"a", "bf16", "1", "trn2", 1e-6},
		{"a", "bf16", "1", "trn1", 4e-6},
	};
	struct arena arena = {0};
	const struct run **runs = runs_of(&arena, cases, COUNT_OF_ROWS(cases));
	((struct run *)runs[0])->cores = 1;
	((struct run *)runs[1])->cores = 2;
	struct compare compare = variants_of(&arena, runs, COUNT_OF_ROWS(cases), "device", NULL);
	ck_assert_uint_eq(compare.group_count, 1);
	ck_assert_uint_eq(compare.groups[0].count, 2);
	ck_assert_str_eq(compare.groups[0].rows[0].value, "trn1");
	ck_assert_str_eq(compare.groups[0].rows[1].value, "trn2");
	ck_assert_uint_eq(compare.alone, 1);
	arena_free(&arena);
}
END_TEST

/* Tools are not variants: they have no speed-up, and nothing is averaged. */
START_TEST(tools_have_no_speedup)
{
	static const struct case_run cases[] = {
		{"a", "bf16", "1", "trn2", 2e-6},
		{"a", "bf16", "1", "trn2", 1e-6},
		{"b", "bf16", "1", "trn2", 1e-6},
	};
	struct arena arena = {0};
	const struct run **runs = runs_of(&arena, cases, COUNT_OF_ROWS(cases));
	((struct run *)runs[1])->tool = "ntff";
	struct compare compare = variants_of(&arena, runs, COUNT_OF_ROWS(cases), "tool", "ntff");
	ck_assert_uint_eq(compare.group_count, 1);
	ck_assert_uint_eq(compare.alone, 1);
	ck_assert_uint_eq(compare.mean_count, 0);
	ck_assert_str_eq(compare.groups[0].name, "mlp");
	ck_assert_str_eq(compare.groups[0].rows[0].value, "ntff");
	ck_assert_str_eq(compare.groups[0].rows[1].value, "neuron-profile");
	for (size_t i = 0; i < 2; i++)
		ck_assert_double_nan(compare.groups[0].rows[i].speedup);
	compare = variants_of(&arena, runs, COUNT_OF_ROWS(cases), "variant", NULL);
	ck_assert_uint_eq(compare.group_count, 1);
	ck_assert_uint_eq(compare.groups[0].count, 2);
	arena_free(&arena);
}
END_TEST

START_TEST(what_two_runs_both_know)
{
	struct arena arena = {0};
	struct run *a = run_new(&arena), *b = run_new(&arena);
	const struct {
		enum metric metric;
		double a, b;
	} rows[] = {
		{METRIC_TOTAL_TIME, 1e-6, 1e-6},
		{METRIC_HBM_READ_BYTES, 0, 0},
		{METRIC_HBM_WRITE_BYTES, 0, 4},
		{METRIC_EVENT_COUNT, 100, 99},
		{METRIC_MODEL_FLOPS, 5, NAN},
		{METRIC_TRACE_COUNT, NAN, 6},
		{METRIC_CYCLE_COUNT, 1, nextafter(1, 2)},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		if (!isnan(rows[i].a))
			run_set(a, rows[i].metric, rows[i].a, PROVENANCE_MEASURED);
		if (!isnan(rows[i].b))
			run_set(b, rows[i].metric, rows[i].b, PROVENANCE_REPORTED);
	}
	struct compare_agreement agreement = variants_agreement_of(&arena, a, b);
	ck_assert_uint_eq(agreement.common, 5);
	ck_assert_uint_eq(agreement.equal, 2);
	ck_assert_uint_eq(agreement.difference_count, 3);
	ck_assert_int_eq(agreement.differences[0].metric, METRIC_HBM_WRITE_BYTES);
	ck_assert_double_nan(agreement.differences[0].relative);
	ck_assert_int_eq(agreement.differences[1].metric, METRIC_EVENT_COUNT);
	ck_assert_double_eq_tol(agreement.differences[1].relative, -0.01, 1e-15);
	ck_assert_int_eq(agreement.differences[2].metric, METRIC_CYCLE_COUNT);
	ck_assert_uint_eq(agreement.only_reference_count, 1);
	ck_assert_int_eq(agreement.only_reference[0], METRIC_MODEL_FLOPS);
	ck_assert_uint_eq(agreement.only_other_count, 1);
	ck_assert_int_eq(agreement.only_other[0], METRIC_TRACE_COUNT);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("compare", the_seed_by_variant, other_dimensions, unknown_times_stay_unknown,
	  times_that_say_nothing_of_each_other, one_device_in_several_sizes, tools_have_no_speedup,
	  what_two_runs_both_know)
