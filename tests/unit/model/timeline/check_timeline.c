/* Timelines that are compared: stretches that were planted are found where they are. */
#include "model/timeline/alignment.h"

#include <math.h>

#include <string.h>

#include "tests/unit/unit.h"

enum { ENGINES = 4, PHASE_LIMIT = 40 };
static const char *const names[ENGINES] = {"tensor", "vector", "scalar", "dma"};

/* For so long exactly one engine is active; none with -1. */
struct phase {
	double seconds;
	int engine;
};

static double random_of(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) / 16777216.0;
}

static double total_of(const struct phase *phases, size_t count)
{
	double total = 0;
	for (size_t i = 0; i < count; i++)
		total += phases[i].seconds;
	return total;
}

/* `noise` of the activity in every bin. */
static const struct run *make(struct arena *arena, const struct phase *phases, size_t count,
			      double noise, unsigned seed)
{
	struct run *run = run_new(arena);
	double total = total_of(phases, count), bin = total / TIMELINE_BINS;
	run_set(run, METRIC_TOTAL_TIME, total, PROVENANCE_MEASURED);
	for (int e = 0; e < ENGINES; e++) {
		struct run_engine engine = {.name = names[e], .has_timeline = true};
		double start = 0;
		for (size_t i = 0; i < count; start += phases[i++].seconds)
			for (int b = 0; b < TIMELINE_BINS && phases[i].engine == e; b++) {
				double end = start + phases[i].seconds;
				double in = fmin(end, (b + 1) * bin) - fmax(start, b * bin);
				engine.timeline[b] += (float)(fmax(in, 0) / bin);
			}
		for (int b = 0; b < TIMELINE_BINS; b++) {
			double busy = (double)engine.timeline[b];
			engine.timeline[b] =
				(float)fmin(fmax(busy + noise * (random_of(&seed) - 0.5), 0), 1);
		}
		run_add_engine(arena, run, engine);
	}
	return run;
}

static void check_sums(const struct timeline_difference *found, double before, double after)
{
	double was = 0, is = 0, changes = 0;
	ck_assert_uint_ge(found->count, 1);
	for (size_t i = 0; i < found->count; i++) {
		const struct timeline_part *part = &found->parts[i];
		ck_assert_double_eq_tol(part->baseline_from, was, 1e-12);
		ck_assert_double_eq_tol(part->from, is, 1e-12);
		ck_assert(part->to >= part->from && part->baseline_to >= part->baseline_from);
		was = part->baseline_to;
		is = part->to;
		changes += part->change;
	}
	ck_assert_double_eq_tol(was, before, 1e-12);
	ck_assert_double_eq_tol(is, after, 1e-12);
	ck_assert_double_eq_tol(changes, after - before, 1e-12);
}

static const struct timeline_part *largest(const struct timeline_difference *found)
{
	const struct timeline_part *part = &found->parts[0];
	for (size_t i = 1; i < found->count; i++)
		if (fabs(found->parts[i].change) > fabs(part->change))
			part = &found->parts[i];
	return part;
}

static const struct phase program[] = {{4, 3}, {6, 0}, {2, 1}, {3, -1}, {5, 3},
				       {9, 0}, {1, 2}, {4, 1}, {6, 3},  {2, 2}};
enum { PROGRAM = sizeof program / sizeof *program };

/* One phase is longer, shorter, gone, or new. Times are in units of 1 s. */
static const struct {
	size_t phase; /* that changes, or before which another is put */
	double seconds;
	int put; /* the engine of the new phase; -2: none is put */
	const char *engine;
	double change;
} planted[] = {
	{4, 8, -2, "dma", 3},   {0, 6, -2, "dma", 2},     {9, 5, -2, "scalar", 3},
	{3, 6, -2, "idle", 3},  {5, 5, -2, "tensor", -4}, {6, 0, -2, "scalar", -1},
	{3, 1, -2, "idle", -2}, {4, 2, 2, "scalar", 2},   {5, 3, -1, "idle", 3},
	{8, 30, -2, "dma", 24}, {2, 0, -2, "vector", -2}, {5, 200, -2, "tensor", 191},
};
enum { PLANTED = sizeof planted / sizeof *planted };

static size_t plant(size_t row, struct phase *phases)
{
	size_t count = 0;
	for (size_t i = 0; i < PROGRAM; i++) {
		bool here = i == planted[row].phase, put = planted[row].put != -2;
		if (here && put)
			phases[count++] = (struct phase){planted[row].seconds, planted[row].put};
		phases[count++] = program[i];
		if (here && !put)
			phases[count - 1].seconds = planted[row].seconds;
	}
	return count;
}

START_TEST(planted_changes_are_found)
{
	for (size_t row = 0; row < PLANTED * 4; row++) {
		struct arena arena = {0};
		struct timeline_difference found;
		struct phase phases[PHASE_LIMIT];
		size_t at = row % PLANTED, count = plant(at, phases);
		double noise = (double)(row / PLANTED) * 0.02;
		const struct run *before =
			make(&arena, program, PROGRAM, noise, (unsigned)row * 2 + 1);
		const struct run *after = make(&arena, phases, count, noise, (unsigned)row * 2 + 2);
		ck_assert(timeline_compare(before, after, &found));
		ck_assert_msg(found.aligned, "row %zu: %g alike", row, found.likeness);
		check_sums(&found, total_of(program, PROGRAM), total_of(phases, count));
		const struct timeline_part *part = largest(&found);
		double start = total_of(program, planted[at].phase), slack = 2 * found.resolution;
		ck_assert_msg(fabs(part->change - planted[at].change) <= slack, "row %zu: %g s",
			      row, part->change);
		ck_assert_msg(part->from >= start - slack &&
				      part->from <= start + program[planted[at].phase].seconds,
			      "row %zu: from %g, not %g", row, part->from, start);
		ck_assert_msg(part->engine && strcmp(part->engine, planted[at].engine) == 0,
			      "row %zu: %s", row, part->engine ? part->engine : "none");
		ck_assert_double_eq_tol(part->engine_change, planted[at].change, slack);
		for (size_t i = 0; i < found.count; i++)
			ck_assert_msg(&found.parts[i] == part ||
					      fabs(found.parts[i].change) <= slack,
				      "row %zu: another %g s", row, found.parts[i].change);
		arena_free(&arena);
	}
}
END_TEST

/* Two changes in one run: each by itself, though they cancel in the total. */
START_TEST(changes_that_cancel_are_told_apart)
{
	struct arena arena = {0};
	struct timeline_difference found;
	struct phase phases[PROGRAM];
	memcpy(phases, program, sizeof program);
	phases[1].seconds += 3;
	phases[8].seconds -= 3;
	ck_assert(timeline_compare(make(&arena, program, PROGRAM, 0, 1),
				   make(&arena, phases, PROGRAM, 0, 1), &found));
	check_sums(&found, 42, 42);
	ck_assert_uint_ge(found.count, 4);
	double most = 0, least = 0;
	for (size_t i = 0; i < found.count; i++) {
		most = fmax(most, found.parts[i].change);
		least = fmin(least, found.parts[i].change);
	}
	ck_assert_double_eq_tol(most, 3, found.resolution);
	ck_assert_double_eq_tol(least, -3, found.resolution);
	arena_free(&arena);
}
END_TEST

/* Where the time was lost in a run that does the same all the time cannot be said. */
START_TEST(a_change_is_no_better_placed_than_the_data_allow)
{
	struct arena arena = {0};
	struct timeline_difference found;
	const struct phase even[] = {{10, 0}}, longer[] = {{12, 0}};
	ck_assert(timeline_compare(make(&arena, even, 1, 0, 1), make(&arena, longer, 1, 0, 1),
				   &found));
	ck_assert_uint_eq(found.count, 1);
	ck_assert_double_eq_tol(found.parts[0].change, 2, 1e-9);
	ck_assert_str_eq(found.parts[0].engine, "tensor");
	ck_assert(
		timeline_compare(make(&arena, even, 1, 0, 1), make(&arena, even, 1, 0, 1), &found));
	ck_assert_uint_eq(found.count, 1);
	ck_assert(found.parts[0].change == 0 && !found.parts[0].engine);
	ck_assert_double_eq_tol(found.likeness, 1, 1e-9);
	arena_free(&arena);
}
END_TEST

/* Unrelated programs: only the total is reported. */
START_TEST(unlike_runs_are_not_aligned)
{
	size_t refused = 0;
	unsigned seed = 7;
	for (int round = 0; round < 30; round++) {
		struct arena arena = {0};
		struct timeline_difference found;
		struct phase a[PHASE_LIMIT], b[PHASE_LIMIT];
		for (int i = 0; i < PHASE_LIMIT; i++) {
			a[i] = (struct phase){1 + random_of(&seed),
					      (int)(random_of(&seed) * ENGINES)};
			b[i] = (struct phase){1 + random_of(&seed),
					      (int)(random_of(&seed) * ENGINES)};
		}
		ck_assert(timeline_compare(make(&arena, a, PHASE_LIMIT, 0.1, seed),
					   make(&arena, b, PHASE_LIMIT, 0.1, seed + 1), &found));
		check_sums(&found, total_of(a, PHASE_LIMIT), total_of(b, PHASE_LIMIT));
		refused += !found.aligned;
		ck_assert(found.aligned || found.count == 1);
		arena_free(&arena);
	}
	ck_assert_uint_ge(refused, 27);
}
END_TEST

START_TEST(nothing_is_compared_without_timelines_or_times)
{
	struct arena arena = {0};
	struct timeline_difference found;
	const struct run *run = make(&arena, program, PROGRAM, 0, 1);
	struct run *other = run_new(&arena);
	ck_assert(!timeline_compare(other, run, &found));
	run_set(other, METRIC_TOTAL_TIME, 42, PROVENANCE_MEASURED);
	ck_assert(!timeline_compare(run, other, &found));
	run_add_engine(&arena, other, (struct run_engine){.name = "tensor", .active_time = 3});
	ck_assert(!timeline_compare(run, other, &found));
	run_add_engine(&arena, other, (struct run_engine){.name = "dma", .has_timeline = true});
	ck_assert(timeline_compare(run, other, &found));
	/* A thousand times as long: no cell of the shorter would be left. */
	run_set(other, METRIC_TOTAL_TIME, 42e3, PROVENANCE_MEASURED);
	ck_assert(timeline_compare(run, other, &found));
	ck_assert(!found.aligned && isnan(found.likeness) && found.count == 1);
	check_sums(&found, 42, 42e3);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("timeline", planted_changes_are_found, changes_that_cancel_are_told_apart,
	  a_change_is_no_better_placed_than_the_data_allow, unlike_runs_are_not_aligned,
	  nothing_is_compared_without_timelines_or_times)
