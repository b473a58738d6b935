/* Bisection with noise: ranges whose answer is plain, and many made-up ones of which the share of
 * right answers and the number of measurements are counted. */
#include "model/bisect/bisect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/changepoint/detect.h"
#include "unit/unit.h"

enum { MOST_COMMITS = 200, MOST_SESSIONS = 400 };

/* A range whose measurements are made when asked for. */
struct world {
	struct bisect_commit commits[MOST_COMMITS];
	uint32_t parents[MOST_COMMITS][2];
	double sessions[MOST_COMMITS][MOST_SESSIONS];
	double shift[MOST_COMMITS]; /* what sessions of a commit share */
	struct bisect_range range;
	double step, session_noise, stray;
	size_t cause, measured;
	uint64_t random;
};

static double uniform(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return ((double)((z ^ z >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(uniform(state)));
	return radius * cos(6.283185307179586 * uniform(state));
}

static void make_chain(struct world *world, size_t count)
{
	memset(world, 0, sizeof *world);
	for (size_t i = 0; i < count; i++) {
		world->commits[i].parents = world->parents[i];
		world->commits[i].parent_count = i > 0;
		world->commits[i].sessions = world->sessions[i];
		world->parents[i][0] = i ? (uint32_t)i - 1 : 0;
	}
	world->range = (struct bisect_range){.commits = world->commits,
					     .count = count,
					     .after = 10,
					     .count_before = 30,
					     .count_after = 10,
					     .noise = 1};
	world->step = 10;
	world->session_noise = 1;
	world->random = 7;
}

static void give(struct world *world, size_t x, double value)
{
	world->sessions[x][world->commits[x].session_count++] = value;
}

static void measure(struct world *world, const struct bisect *b, size_t x)
{
	bool moved = bisect_is_ancestor(b, world->cause, x);
	double noise = world->session_noise * normal(&world->random);
	if (uniform(&world->random) < world->stray)
		noise += 3 + 20 * uniform(&world->random);
	ck_assert_uint_lt(world->commits[x].session_count, MOST_SESSIONS);
	give(world, x, (moved ? world->step : 0) + world->shift[x] + noise);
	world->measured++;
}

/* --- plain ranges --- */

START_TEST(a_clear_step_is_halved)
{
	struct arena arena = {0};
	static struct world world;
	make_chain(&world, 64);
	struct bisect *b = bisect_start(&arena, &world.range);
	ck_assert_double_eq_tol(b->cause[0], 1 / 64.0, 1e-12);
	ck_assert_double_eq_tol(b->moved[63], 1, 1e-12);
	ck_assert_uint_eq(bisect_next(b), 31);
	ck_assert_uint_eq(bisect_next_after(&arena, b, 31, true), 15);
	ck_assert_uint_eq(bisect_next_after(&arena, b, 31, false), 47);
	ck_assert_uint_eq(bisect_sessions(b, 0.01), 1);
	give(&world, 31, 10.2);
	give(&world, 30, -0.4);
	bisect_update(b);
	ck_assert_uint_eq(b->best, 31);
	/* Either may be a stray, and thirty commits on each side hope for it. */
	ck_assert_double_gt(b->cause[31], 0.8);
	ck_assert_double_lt(b->cause[31], 0.98);
	give(&world, 31, 9.7);
	give(&world, 30, 0.9);
	bisect_update(b);
	ck_assert_double_gt(b->cause[31], 0.95);
	double forecast = bisect_forecast(&arena, b, 0.95);
	ck_assert_double_eq(forecast, 0);
	arena_free(&arena);
}
END_TEST

/* 0 - 1 - - - - - 6, a merge of 2..4 (from 0) and 5 (after 1): only ancestors count. */
START_TEST(side_branches_count)
{
	struct arena arena = {0};
	static struct world world;
	static const uint32_t parents[][2] = {{0}, {0}, {0}, {2}, {3}, {1}, {5, 4}};
	static const size_t counts[] = {0, 1, 1, 1, 1, 1, 2};
	make_chain(&world, 7);
	for (size_t i = 0; i < 7; i++) {
		memcpy(world.parents[i], parents[i], sizeof parents[i]);
		world.commits[i].parent_count = counts[i];
	}
	struct bisect *b = bisect_start(&arena, &world.range);
	ck_assert(bisect_is_ancestor(b, 2, 6) && bisect_is_ancestor(b, 0, 4));
	ck_assert(!bisect_is_ancestor(b, 1, 4) && !bisect_is_ancestor(b, 4, 5));
	ck_assert_double_eq_tol(b->moved[4], 4 / 7.0, 1e-12);
	give(&world, 5, 0.3);
	bisect_update(b);
	ck_assert_double_lt(b->cause[1] + b->cause[5] + b->cause[0], 0.01);
	ck_assert_uint_eq(bisect_next(b), 3);
	give(&world, 3, 9.5);
	give(&world, 2, 0.1);
	bisect_update(b);
	ck_assert_uint_eq(b->best, 3);
	/* The merge itself, when all that it merges is fast. */
	world.commits[3].session_count = 0;
	give(&world, 4, -0.2);
	bisect_update(b);
	ck_assert_uint_eq(b->best, 6);
	ck_assert_double_gt(b->cause[6], 0.95);
	arena_free(&arena);
}
END_TEST

/* Whatever the merges are: a commit has moved when its cause is among its ancestors. */
START_TEST(tangled_merges)
{
	struct arena arena = {0};
	static struct world world;
	enum { COUNT = 120 };
	make_chain(&world, COUNT);
	for (uint32_t x = 1; x < COUNT; x++) {
		uint32_t most = x < 9 ? x : 9;
		world.parents[x][0] = x - 1 - (uint32_t)(most * uniform(&world.random));
		world.parents[x][1] = x - 1 - (uint32_t)(most * uniform(&world.random));
		world.commits[x].parent_count = 1 + (uniform(&world.random) < 0.4);
	}
	struct bisect *b = bisect_start(&arena, &world.range);
	for (size_t x = 5; x < COUNT - 1; x += 17)
		give(&world, x, x < 60 ? 1.5 : 6);
	bisect_update(b);
	for (size_t x = 0; x < COUNT; x++) {
		double sum = 0;
		for (size_t h = 0; h < COUNT; h++)
			sum += bisect_is_ancestor(b, h, x) ? b->cause[h] : 0;
		ck_assert_double_eq_tol(b->moved[x], sum, 1e-12);
	}
	arena_free(&arena);
}
END_TEST

START_TEST(what_is_the_same_is_no_cause)
{
	struct arena arena = {0};
	static struct world world;
	make_chain(&world, 8);
	struct bisect *b = bisect_start(&arena, &world.range);
	ck_assert(bisect_exclude(b, 2, 5));
	ck_assert(bisect_exclude(b, bisect_none, 1));
	ck_assert(!bisect_exclude(b, bisect_none, 7));
	bisect_update(b);
	static const double expected[] = {0, 0, 1, 0, 0, 0, 1, 1};
	for (size_t h = 0; h < 8; h++)
		ck_assert_double_eq_tol(b->cause[h], expected[h] / 3, 1e-12);
	arena_free(&arena);
}
END_TEST

/* A commit half way between the levels has no information and is not measured for ever. */
START_TEST(strays_tell_nothing)
{
	struct arena arena = {0};
	static struct world world;
	make_chain(&world, 3);
	world.range.after = 1000;
	struct bisect *b = bisect_start(&arena, &world.range);
	size_t first = bisect_next(b);
	give(&world, first, 500);
	bisect_update(b);
	ck_assert(b->stray[first]);
	ck_assert_double_eq_tol(b->cause[0], 1 / 3.0, 1e-3);
	for (int i = 0; i < 2; i++)
		give(&world, first, 500 + i);
	bisect_update(b);
	size_t other = bisect_next(b);
	ck_assert(other != first && other != bisect_none);
	for (size_t i = 0; i < 4 && bisect_next(b) != bisect_none; i++) {
		ck_assert_uint_eq(bisect_next(b), other);
		give(&world, other, 1000);
		bisect_update(b);
	}
	ck_assert_uint_eq(bisect_next(b), bisect_none);
	ck_assert_double_eq_tol(b->cause[0], 0.5, 0.01);
	ck_assert(isnan(bisect_forecast(&arena, b, 0.95)));
	arena_free(&arena);
}
END_TEST

/* A value outside of both levels belongs to the nearer one. */
START_TEST(the_nearer_level_has_a_stray)
{
	struct arena arena = {0};
	static struct world world;
	make_chain(&world, 3);
	world.range.after = 100;
	struct bisect *b = bisect_start(&arena, &world.range);
	give(&world, 0, -6);
	bisect_update(b);
	ck_assert(b->stray[0]);
	ck_assert_double_lt(b->cause[0], 0.01);
	arena_free(&arena);
}
END_TEST

/* Sessions that agree where commits do not are no better than one of them. */
START_TEST(builds_are_not_averaged_away)
{
	struct arena arena = {0};
	static struct world world;
	make_chain(&world, 4);
	world.range.after = 2;
	struct bisect *b = bisect_start(&arena, &world.range);
	size_t sessions = bisect_sessions(b, 0.01), first = bisect_next(b);
	ck_assert(sessions >= 5 && sessions <= 8);
	ck_assert_uint_eq(first, 1);
	for (size_t i = 0; i < 30; i++)
		give(&world, 1, 1.4 + 0.02 * (double)(i % 3));
	bisect_update(b);
	ck_assert_double_gt(b->build, 0.7);
	ck_assert_double_lt(b->moved[1], 0.9);
	ck_assert_uint_eq(bisect_sessions(b, 0.01), 0);
	ck_assert_uint_ne(bisect_next(b), 1);
	arena_free(&arena);
}
END_TEST

/* --- many ranges --- */

struct tally {
	size_t ranges, right, undecided, measured, plain, plain_right;
	double forecast;
};

/* What a detector would estimate of both levels from commits outside the range. */
static void learn_levels(struct world *world, struct arena *arena, size_t before, size_t after)
{
	double values[64], sums[2] = {0, 0};
	for (size_t i = 0; i < before + after; i++) {
		values[i] = (i < before ? 0 : world->step) + normal(&world->random);
		sums[i >= before] += values[i];
	}
	world->range.before = sums[0] / (double)before;
	world->range.after = sums[1] / (double)after;
	world->range.count_before = (double)before;
	world->range.count_after = (double)after;
	world->range.noise = noise_measure(arena, values, before + after);
}

static const double certainty = 0.95;

static void play(struct world *world, struct tally *tally)
{
	struct arena arena = {0};
	learn_levels(world, &arena, 30, 6);
	struct bisect *b = bisect_start(&arena, &world->range);
	double forecast = bisect_forecast(&arena, b, certainty);
	ck_assert(!isnan(forecast));
	tally->forecast += forecast;
	while (b->cause[b->best] <= certainty) {
		size_t x = bisect_next(b);
		if (x == bisect_none)
			break;
		measure(world, b, x);
		bisect_update(b);
	}
	tally->ranges++;
	tally->undecided += b->cause[b->best] <= certainty;
	tally->right += b->cause[b->best] > certainty && b->best == world->cause;
	tally->measured += world->measured;
	arena_free(&arena);
}

/* Halving, with as many sessions at each commit as put it on the wrong side in 1 of 100 cases. */
static void play_plainly(struct world *world, struct tally *tally)
{
	size_t low = 0, high = world->range.count - 1, sessions = 1;
	double z = 2.3263478740408408;
	while (world->step / 2 < z / sqrt((double)sessions))
		sessions++;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		double sum = 0;
		for (size_t i = 0; i < sessions; i++)
			sum += (middle >= world->cause ? world->step : 0) + world->shift[middle] +
			       world->session_noise * normal(&world->random);
		tally->plain += sessions;
		if (sum / (double)sessions > world->step / 2)
			high = middle;
		else
			low = middle + 1;
	}
	tally->plain_right += low == world->cause;
}

static struct tally play_many(double step, double stray, double build, size_t ranges)
{
	static struct world world;
	struct tally tally = {0};
	for (size_t i = 0; i < ranges; i++) {
		uint64_t random = 1000003 * (i + 1) + (uint64_t)(step * 16);
		make_chain(&world, 10 + (size_t)(191 * uniform(&random)));
		world.cause = (size_t)(uniform(&random) * (double)world.range.count);
		world.step = step;
		world.stray = stray;
		world.random = random;
		world.session_noise = sqrt(1 - build);
		for (size_t x = 0; x < world.range.count; x++)
			world.shift[x] = sqrt(build) * normal(&world.random);
		play(&world, &tally);
		play_plainly(&world, &tally);
	}
	printf("step %4.1f sd, strays %2.0f %%, build %2.0f %%: right %.3f (undecided %.3f), "
	       "%.1f measurements (forecast %.1f); plain %.3f, %.1f\n",
	       step, 100 * stray, 100 * build, (double)tally.right / (double)ranges,
	       (double)tally.undecided / (double)ranges, (double)tally.measured / (double)ranges,
	       tally.forecast / (double)ranges, (double)tally.plain_right / (double)ranges,
	       (double)tally.plain / (double)ranges);
	fflush(stdout);
	return tally;
}

static const double steps[] = {2, 3, 4, 6, 10};
enum { STEPS = sizeof steps / sizeof *steps, RANGES = 120, FEWER = 60 };

START_TEST(finds_the_commit_with_fewer_measurements)
{
	size_t right = 0, measured = 0, plain = 0;
	for (size_t i = 0; i < STEPS; i++) {
		struct tally tally = play_many(steps[i], 0, 0, RANGES);
		ck_assert_double_ge((double)tally.right, 0.95 * RANGES);
		right += tally.right;
		measured += tally.measured;
		plain += tally.plain;
	}
	ck_assert_double_ge((double)right, 0.95 * RANGES * STEPS);
	ck_assert_double_le((double)measured, 0.65 * (double)plain);
}
END_TEST

START_TEST(strays_and_builds_are_survived)
{
	for (size_t i = 0; i < STEPS; i++) {
		struct tally strays = play_many(steps[i], 0.03, 0, FEWER);
		ck_assert_double_ge((double)strays.right, 0.9 * FEWER);
		/* What differs between builds misleads, but less than it misleads halving. */
		struct tally builds = play_many(steps[i], 0, 0.5, FEWER);
		ck_assert_uint_ge(builds.right + builds.undecided + 2, builds.plain_right);
		ck_assert_double_ge((double)(builds.right + builds.undecided), 0.7 * FEWER);
	}
}
END_TEST

UNIT_MAIN("bisect", a_clear_step_is_halved, side_branches_count, tangled_merges,
	  what_is_the_same_is_no_cause, strays_tell_nothing, the_nearer_level_has_a_stray,
	  builds_are_not_averaged_away, finds_the_commit_with_fewer_measurements,
	  strays_and_builds_are_survived)
