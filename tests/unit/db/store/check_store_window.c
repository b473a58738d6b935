/* store: what a verdict reads of a chain is the end of what lies there, and enough of it, in random
 * stores: series that are sparse, stopped or of a side branch, ingested in any order, some runs
 * dirty or incorrect or known by another metric, some commits of a wrong clock or without a
 * position. */
#include "unit/random.h"
#include "unit/store_fixture.h"

#include "db/store/internal.h"

enum { COMMITS = 90, SERIES = 9, STORES = 16, WINDOWS = 40 };

static const char *oid_of(struct arena *arena, size_t commit)
{
	return arena_printf(arena, "%s%02zu", "00000000000000000000000000000000000000", commit);
}

/* Commits 0 to 89 in one line, and 90 to 94 on a branch parallel to those from 40 on. */
static void add_commits(struct store *store, struct arena *arena)
{
	struct error err = {0};
	for (int i = 0; i < COMMITS; i++)
		add_commit(store, i);
	for (size_t i = 0; i < 5; i++) {
		struct revision side = {.oid = oid_of(arena, COMMITS + i),
					.parent = oid_of(arena, i ? COMMITS + i - 1 : 40),
					.position = 41 + (int64_t)i,
					.time = 1800000000};
		MUST(store_add_revision(store, &side, &err));
	}
}

/* Commits whose clock was wrong, and those of a shallow clone, which have no position. */
static void disturb(struct store *store, int kind)
{
	static const char *const kinds[] = {
		"SELECT 1",
		"UPDATE revision SET time = 0 WHERE id % 7 = 3",
		"UPDATE revision SET position = -1 WHERE id < 40",
		("UPDATE revision SET position = -1 WHERE id % 9 = 4; "
		 "UPDATE revision SET time = 0 WHERE id % 7 > 3"),
	};
	change(store, kinds[kind]);
}

/* Each series has a rate of its own, and a commit after which it is not measured. */
static void add_runs(struct store *store, struct arena *arena)
{
	size_t every[SERIES], last[SERIES];
	for (size_t i = 0; i < SERIES; i++) {
		every[i] = 1 + random_below(1 + i * i);
		last[i] = random_below(3) ? COMMITS + 5 : random_below(COMMITS);
	}
	for (size_t n = 0; n < 600; n++) {
		size_t series = random_below(SERIES), commit = random_below(COMMITS + 5);
		if (commit % every[series] || commit > last[series])
			continue;
		const char *kernel = arena_printf(arena, "k%zu", series);
		double time = random_below(6) ? (double)n : NAN;
		struct run *run = simple_run(arena, kernel, 0, time);
		if (random_below(3) == 0)
			run_set(run, METRIC_HOST_TIME, (double)n, PROVENANCE_MEASURED);
		run->commit = oid_of(arena, commit);
		run->dirty = random_below(12) == 0;
		if (random_below(12) == 0)
			run_add_attribute(arena, run, "correctness", "incorrect");
		add_run(store, run);
	}
}

static size_t first_run_below(const struct history *history, uint32_t limit)
{
	size_t at = 0;
	while (at < history->run_count && history->runs[at].commit >= limit)
		at++;
	return at;
}

/* The history within the window is that of the whole chain down to where it ends. */
static void same_end(const struct history *whole, const struct history *part, uint32_t end)
{
	size_t skipped = first_run_below(whole, end);
	ck_assert_uint_eq(whole->run_count - skipped, part ? part->run_count : 0);
	for (size_t i = 0; part && i < part->run_count; i++) {
		ck_assert_int_eq(part->runs[i].row, whole->runs[skipped + i].row);
		ck_assert_uint_eq(part->runs[i].commit, whole->runs[skipped + i].commit);
		for (size_t k = 0; k < 2; k++)
			same_number(part->values[k * part->run_count + i],
				    whole->values[k * whole->run_count + skipped + i]);
	}
}

/* Commits with the metric at this place of the set. */
static size_t commits_of(const struct history *history, size_t metric, uint32_t newest)
{
	const double *values = history->values + metric * history->run_count;
	size_t count = 0;
	uint32_t last = UINT32_MAX;
	for (size_t i = 0; i < history->run_count; i++) {
		uint32_t commit = history->runs[i].commit;
		if (commit < newest || commit == last || isnan(values[i]))
			continue;
		count++;
		last = commit;
	}
	return count;
}

/* The place of the series among those wanted; series_count: it is none of them. */
static size_t place_of(const struct history_window *window, const char *series)
{
	size_t place = 0;
	while (place < window->series_count && strcmp(window->series[place], series) != 0)
		place++;
	return place;
}

/* Checks how much of a wanted series a window with a number of commits contains. */
static void is_long_enough(const struct history *whole, const struct history *part,
			   const struct history_window *window, enum metric judged)
{
	if (judged == METRIC_COUNT) {
		ck_assert_uint_eq(part ? part->run_count : 0, whole->run_count);
		return;
	}
	size_t metric = judged == METRIC_HOST_TIME;
	size_t there = commits_of(whole, metric, window->newest);
	size_t read = part ? commits_of(part, metric, window->newest) : 0;
	ck_assert_uint_ge(read, there < window->commits ? there : window->commits);
}

/* Commits with runs of any series. */
static size_t data_of(const struct history_set *set, uint32_t newest)
{
	bool has[COMMITS + 5] = {false};
	size_t count = 0;
	for (size_t i = 0; i < set->count; i++)
		for (size_t k = 0; k < set->items[i].run_count; k++)
			has[set->items[i].runs[k].commit] = true;
	for (size_t i = newest; i < set->chain_count; i++)
		count += has[i];
	return count;
}

static bool is_pinned(const struct history_window *window, const char *oid)
{
	return window->pin_count && strcmp(window->pins[0], oid) == 0;
}

/* What was asked for is there, or nothing more is. */
static void is_enough(const struct history_set *whole, const struct history_set *part,
		      const struct history_window *window)
{
	bool ended = part->chain_count == whole->chain_count, pin = false, all = true;
	for (size_t i = 0; i < whole->count; i++) {
		const struct history *history = &whole->items[i];
		const struct history *seen = history_find(part, history->series);
		same_end(history, seen, (uint32_t)part->chain_count);
		all = all && seen;
		size_t place = place_of(window, history->series);
		if (place < window->series_count)
			is_long_enough(history, seen, window, window->judged[place]);
	}
	ck_assert(ended || data_of(part, window->newest) >= window->data_commits);
	for (size_t i = window->newest; i < part->chain_count; i++)
		pin = pin || is_pinned(window, part->chain[i].oid);
	for (size_t i = part->chain_count; i < whole->chain_count; i++) {
		ck_assert(all || whole->chain[i].time < window->since);
		ck_assert(pin || !is_pinned(window, whole->chain[i].oid));
	}
	ck_assert(ended ? part->truncated == whole->truncated : !part->truncated);
}

/* How many commits were left out. */
static size_t check_window(struct store *store, struct arena *arena, const char *const *keys)
{
	static const enum metric metrics[] = {METRIC_TOTAL_TIME, METRIC_HOST_TIME};
	static const enum metric rows[] = {METRIC_TOTAL_TIME, METRIC_TOTAL_TIME, METRIC_HOST_TIME,
					   METRIC_COUNT};
	enum metric judged[SERIES];
	struct error err = {0};
	struct history_set whole, part;
	const char *series[SERIES], *pins[1];
	const int64_t times[] = {0, 1900000000, 1700000000 + (int64_t)random_below(COMMITS)};
	struct history_window window = {
		.metrics = metrics,
		.metric_count = 2,
		.newest = (uint32_t)random_below(2),
		.commits = 1 + random_below(20),
		.series = series,
		.judged = judged,
		.data_commits = random_below(2) ? 0 : random_below(20),
		.since = times[random_below(3)],
		.pins = pins,
	};
	for (size_t i = 0; i < SERIES; i++)
		if (random_below(SERIES) < 2) {
			judged[window.series_count] = rows[random_below(COUNT_OF_ROWS(rows))];
			series[window.series_count++] = keys[i];
		}
	if (random_below(3) == 0) {
		struct revision pin;
		pins[0] = oid_of(arena, random_below(COMMITS));
		MUST(store_revision(store, arena, pins[0], &pin, &err));
		window.pin_count = 1;
		window.pin_floor = pin.position;
	}
	const char *oid = oid_of(arena, random_below(4) ? COMMITS - 1 : COMMITS + 4);
	MUST(store_histories(store, arena, oid, metrics, 2, &whole, &err));
	MUST(store_window(store, arena, oid, &window, &part, &err));
	is_enough(&whole, &part, &window);
	return whole.chain_count - part.chain_count;
}

START_TEST(a_window_is_the_end_of_the_chain)
{
	size_t left_out = 0;
	for (int i = 0; i < STORES; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		const char *keys[SERIES];
		place_make(&place);
		struct store *store = open_store(&place, STORE_CREATE);
		MUST(store_begin(store, &err));
		add_commits(store, &arena);
		disturb(store, i % 4);
		add_runs(store, &arena);
		MUST(store_commit(store, &err));
		for (size_t k = 0; k < SERIES; k++) {
			const char *kernel = arena_printf(&arena, "k%zu", k);
			keys[k] = run_series_key(&arena, simple_run(&arena, kernel, 0, 1));
		}
		/* The same from the runs themselves, where the table lacks them. */
		for (int k = 0; k < WINDOWS; k++) {
			if (k == WINDOWS / 2 && i % 3 == 0)
				MUST(sql_execute(store->sql, "DELETE FROM history", &err));
			left_out += check_window(store, &arena, keys);
		}
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
	ck_assert_uint_gt(left_out, 2500);
}
END_TEST

UNIT_MAIN("store window", a_window_is_the_end_of_the_chain)
