/*
 * usage: store FOLDER COMMITS SEED [rooflog | plain]
 * Fills FOLDER/rooflog.db through the store's own functions, and FOLDER/plain.db, two tables of
 * SQLite without anything else (bench/tools/store_plain.c), with the same numbers: 20 kernels of 40
 * metrics, each measured once under every commit. They take turns, a block of commits or one
 * question each, and before a question is timed both have given the same answer. Prints a line for
 * each thing measured: what, whose, how often, then median, least and most: milliseconds of CPU,
 * and the median of wall time.
 */
#include "bench/tools/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "bench/tools/schedule.h"
#include "db/store/store.h"

enum { BLOCK_COMMITS = 100, SINGLE_RUNS = 210, ROUNDS = 21, WINDOW = 50 };
/* Those of 500 series and a few more. */
enum { NEAR_KERNELS = 13 };
enum { MOST_TIMES = 4096, FIRST_SECOND = 1700000000, COMMIT_SECONDS = 3600 };

static _Noreturn void give_up(const char *why)
{
	fprintf(stderr, "store: %s\n", why);
	exit(1);
}

static void check(int failed, const struct error *err)
{
	if (failed < 0)
		give_up(err->text);
}

/* --- times --- */

struct times {
	double cpu[MOST_TIMES], wall[MOST_TIMES];
	size_t count;
};
struct watch {
	struct timespec cpu, wall;
};

static double ms_between(struct timespec from, struct timespec to)
{
	return (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) * 1e-6;
}

static struct watch watch_start(void)
{
	struct watch watch;
	clock_gettime(CLOCK_MONOTONIC, &watch.wall);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &watch.cpu);
	return watch;
}

static void watch_stop(const struct watch *watch, struct times *times)
{
	struct watch now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now.cpu);
	clock_gettime(CLOCK_MONOTONIC, &now.wall);
	if (times->count == MOST_TIMES)
		give_up("too many commits");
	times->cpu[times->count] = ms_between(watch->cpu, now.cpu);
	times->wall[times->count++] = ms_between(watch->wall, now.wall);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *numbers, size_t count)
{
	qsort(numbers, count, sizeof *numbers, by_size);
	return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

static void print_times(const char *what, const char *whose, struct times *times)
{
	if (times->count == 0)
		return;
	double middle = median(times->cpu, times->count);
	printf("%s %s %zu %.6f %.6f %.6f %.6f\n", what, whose, times->count, middle, times->cpu[0],
	       times->cpu[times->count - 1], median(times->wall, times->count));
}

/* --- the two stores --- */

struct bench {
	const char *folder;
	unsigned commits;
	struct random noise;
	enum metric metrics[METRICS];
	struct store *store;
	struct plain *plain;
	struct times ours, theirs;
	double numbers[BLOCK_COMMITS][KERNELS][METRICS];
};

static char *oid_of(struct arena *arena, unsigned commit)
{
	return arena_printf(arena, "%08x%032x", commit * 2654435761u, commit);
}

static void choose_metrics(struct bench *bench)
{
	size_t count = 0;
	for (int metric = 0; metric < METRIC_COUNT && count < METRICS; metric++)
		if (!metric_is_derived((enum metric)metric))
			bench->metrics[count++] = (enum metric)metric;
	if (count < METRICS)
		give_up("there are fewer metrics");
}

static struct run *run_of(struct arena *arena, const struct bench *bench, unsigned kernel,
			  unsigned commit, const double *numbers)
{
	struct run *run = run_new(arena);
	run->kernel =
		arena_printf(arena, "%s_%02u", kernel < NEAR_KERNELS ? "near" : "far", kernel);
	run_set_param(arena, run, "s", "4096");
	run->dtype = "bf16";
	run->device = "trn2";
	run->instance_type = "trn2.48xlarge";
	run->cores = 2;
	run->tool = "neuron-profile";
	run->commit = oid_of(arena, commit);
	run->ingested_at = FIRST_SECOND + (int64_t)commit * COMMIT_SECONDS + 600;
	run->source = arena_printf(arena, "kernel_%02u.json", kernel);
	for (unsigned i = 0; i < METRICS; i++)
		run_set(run, bench->metrics[i], numbers[i], PROVENANCE_REPORTED);
	return run;
}

static void add_commit(struct bench *bench, struct arena *arena, unsigned commit)
{
	struct error err;
	struct revision revision = {.oid = oid_of(arena, commit),
				    .tree = "",
				    .patch_id = "",
				    .parent = commit ? oid_of(arena, commit - 1) : "",
				    .position = commit,
				    .time = FIRST_SECOND + (int64_t)commit * COMMIT_SECONDS,
				    .subject = arena_printf(arena, "Step %u", commit)};
	revision.parents = revision.parent;
	check(store_add_revision(bench->store, &revision, &err), &err);
}

/* No number is whole: SQLite keeps whole ones in fewer bytes. */
static void draw_numbers(struct bench *bench)
{
	double *number = &bench->numbers[0][0][0];
	for (size_t i = 0; i < sizeof bench->numbers / sizeof *number; i++)
		number[i] = 1e-6 * (1 + (double)(draw(&bench->noise) >> 11) * 0x1p-53);
}

/* --- filling --- */

static void fill_ours(struct bench *bench, unsigned from, unsigned to, struct times *times)
{
	struct arena arena = {0};
	struct error err;
	struct run *runs[BLOCK_COMMITS][KERNELS];
	char id[65];
	enum store_added added;
	for (unsigned commit = from; commit < to; commit++)
		for (unsigned kernel = 0; kernel < KERNELS; kernel++)
			runs[commit - from][kernel] = run_of(&arena, bench, kernel, commit,
							     bench->numbers[commit - from][kernel]);
	struct watch watch = watch_start();
	check(store_begin(bench->store, &err), &err);
	for (unsigned commit = from; commit < to; commit++) {
		add_commit(bench, &arena, commit);
		for (unsigned kernel = 0; kernel < KERNELS; kernel++)
			check(store_add_run(bench->store, runs[commit - from][kernel], id, &added,
					    &err),
			      &err);
	}
	check(store_commit(bench->store, &err), &err);
	watch_stop(&watch, times);
	arena_free(&arena);
}

static void fill_theirs(struct bench *bench, unsigned from, unsigned to, struct times *times)
{
	struct watch watch = watch_start();
	plain_begin(bench->plain);
	for (unsigned commit = from; commit < to; commit++)
		for (unsigned kernel = 0; kernel < KERNELS; kernel++)
			plain_add_run(bench->plain, kernel, commit,
				      bench->numbers[commit - from][kernel]);
	plain_commit(bench->plain);
	watch_stop(&watch, times);
}

static void fill(struct bench *bench)
{
	for (unsigned from = 0; from < bench->commits; from += BLOCK_COMMITS) {
		unsigned to = from + BLOCK_COMMITS;
		to = to < bench->commits ? to : bench->commits;
		draw_numbers(bench);
		if (bench->store)
			fill_ours(bench, from, to, &bench->ours);
		if (bench->plain)
			fill_theirs(bench, from, to, &bench->theirs);
	}
	print_times("block", "rooflog", &bench->ours);
	print_times("block", "plain", &bench->theirs);
}

/* --- one run more --- */

static void add_singles(struct bench *bench)
{
	unsigned commit = bench->commits;
	struct arena arena = {0};
	struct error err;
	char id[65];
	enum store_added added;
	bench->ours.count = bench->theirs.count = 0;
	draw_numbers(bench);
	for (unsigned i = 0; i < SINGLE_RUNS; i++) {
		unsigned kernel = i % KERNELS, at = commit + i / KERNELS;
		const double *numbers = bench->numbers[i / KERNELS][kernel];
		struct run *run = run_of(&arena, bench, kernel, at, numbers);
		if (bench->store) {
			if (kernel == 0)
				add_commit(bench, &arena, at);
			struct watch watch = watch_start();
			check(store_add_run(bench->store, run, id, &added, &err), &err);
			watch_stop(&watch, &bench->ours);
		}
		if (bench->plain) {
			struct watch watch = watch_start();
			plain_begin(bench->plain);
			plain_add_run(bench->plain, kernel, at, numbers);
			plain_commit(bench->plain);
			watch_stop(&watch, &bench->theirs);
		}
	}
	arena_free(&arena);
	print_times("single", "rooflog", &bench->ours);
	print_times("single", "plain", &bench->theirs);
}

/* --- questions --- */

static double sum_of(const struct store_run_list *list, const struct bench *bench, size_t metrics)
{
	double sum = 0;
	for (size_t i = 0; i < list->count; i++)
		for (size_t k = 0; k < metrics; k++)
			sum += list->items[i].run->given[bench->metrics[k]].number;
	return sum;
}

static double ask_latest(struct bench *bench, struct arena *arena)
{
	struct store_run_list list = {0};
	struct error err;
	struct run_query query = {.commit = oid_of(arena, bench->commits - 1), .clean_only = true};
	check(store_runs(bench->store, arena, &query, &list, &err), &err);
	return sum_of(&list, bench, METRICS);
}

/* The last runs of several series: METRICS per kernel. */
static double ask_window(struct bench *bench, struct arena *arena)
{
	struct store_run_list list = {0};
	struct error err;
	struct run_query query = {
		.kernel = "near_*", .clean_only = true, .limit = (size_t)NEAR_KERNELS * WINDOW};
	check(store_runs(bench->store, arena, &query, &list, &err), &err);
	return sum_of(&list, bench, METRICS);
}

static struct history *own_history;

static void find_own_history(struct bench *bench, struct arena *arena)
{
	struct error err;
	struct history_set set;
	const char *series =
		run_series_key(arena, run_of(arena, bench, 0, 0, bench->numbers[0][0]));
	check(store_histories(bench->store, arena, oid_of(arena, bench->commits - 1),
			      bench->metrics, 1, &set, &err),
	      &err);
	for (size_t i = 0; i < set.count; i++)
		if (strcmp(set.items[i].series, series) == 0)
			own_history = &set.items[i];
	if (!own_history)
		give_up("the first kernel has no history");
}

static double ask_history(struct bench *bench, struct arena *arena)
{
	struct error err;
	double sum = 0;
	double *values = arena_array(arena, own_history->run_count, sizeof *values);
	check(store_history_values(bench->store, own_history, bench->metrics[METRICS / 2], 0,
				   values, &err),
	      &err);
	for (size_t i = 0; i < own_history->run_count; i++)
		sum += values[i];
	return sum;
}

static double ask_everything(struct bench *bench, struct arena *arena)
{
	struct error err;
	struct history_set set;
	double sum = 0;
	check(store_histories(bench->store, arena, oid_of(arena, bench->commits - 1),
			      bench->metrics, 1, &set, &err),
	      &err);
	for (size_t i = 0; i < set.count; i++)
		for (size_t k = 0; k < set.items[i].run_count; k++)
			sum += set.items[i].values[k];
	return sum;
}

static double plain_latest(struct bench *bench, struct arena *arena)
{
	(void)arena;
	return plain_window(bench->plain, KERNELS * METRICS, 1, bench->commits - 1);
}

static double plain_windows(struct bench *bench, struct arena *arena)
{
	(void)arena;
	return plain_window(bench->plain, NEAR_KERNELS * METRICS, WINDOW, bench->commits - 1);
}

static double plain_histories(struct bench *bench, struct arena *arena)
{
	(void)arena;
	return plain_history(bench->plain, 0, METRICS / 2);
}

static double plain_everything(struct bench *bench, struct arena *arena)
{
	double sum = 0;
	(void)arena;
	for (unsigned kernel = 0; kernel < KERNELS; kernel++)
		sum += plain_history(bench->plain, kernel, 0);
	return sum;
}

typedef double ask(struct bench *bench, struct arena *arena);

static double timed(struct bench *bench, ask *question, struct times *times)
{
	struct arena arena = {0};
	struct watch watch = watch_start();
	double answer = question(bench, &arena);
	arena_free(&arena);
	watch_stop(&watch, times);
	return answer;
}

static void put_questions(struct bench *bench)
{
	static const struct {
		const char *name;
		ask *ours, *theirs;
	} questions[] = {{"latest", ask_latest, plain_latest},
			 {"window", ask_window, plain_windows},
			 {"history", ask_history, plain_histories},
			 {"everything", ask_everything, plain_everything}};
	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
		bench->ours.count = bench->theirs.count = 0;
		for (unsigned round = 0; round < ROUNDS; round++) {
			double ours = timed(bench, questions[i].ours, &bench->ours);
			double theirs = timed(bench, questions[i].theirs, &bench->theirs);
			if (fabs(ours - theirs) > 1e-9 * fabs(ours))
				give_up("the stores give different answers");
		}
		print_times(questions[i].name, "rooflog", &bench->ours);
		print_times(questions[i].name, "plain", &bench->theirs);
	}
}

static void open_and_close(struct bench *bench, const char *path)
{
	struct error err;
	bench->ours.count = bench->theirs.count = 0;
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct watch watch = watch_start();
		check(store_open(path, STORE_READ, &bench->store, &err), &err);
		store_close(bench->store);
		watch_stop(&watch, &bench->ours);
		watch = watch_start();
		check(store_open(path, STORE_WRITE, &bench->store, &err), &err);
		store_close(bench->store);
		watch_stop(&watch, &bench->theirs);
	}
	print_times("open_read", "rooflog", &bench->ours);
	print_times("open_write", "rooflog", &bench->theirs);
}

static void print_size(const char *whose, const char *path, unsigned commits)
{
	struct stat status;
	if (stat(path, &status) < 0)
		give_up(path);
	printf("bytes %s 1 %.3f 0 0 0\n", whose,
	       (double)status.st_size / ((double)commits * KERNELS * METRICS));
}

int main(int argc, char **argv)
{
	static struct bench bench;
	struct arena arena = {0};
	struct error err;
	bench.commits = argc >= 4 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	if (bench.commits < WINDOW || bench.commits > MOST_TIMES * BLOCK_COMMITS) {
		fputs("usage: store FOLDER COMMITS SEED\n", stderr);
		return 2;
	}
	bench.folder = argv[1];
	bench.noise = random_of(strtoul(argv[3], NULL, 10), 1);
	choose_metrics(&bench);
	const char *ours = arena_printf(&arena, "%s/rooflog.db", bench.folder);
	const char *theirs = arena_printf(&arena, "%s/plain.db", bench.folder);
	check(store_open(ours, STORE_CREATE, &bench.store, &err), &err);
	bench.plain = plain_open(theirs);
	fill(&bench);
	store_close(bench.store);
	plain_close(bench.plain);
	print_size("rooflog", ours, bench.commits);
	print_size("plain", theirs, bench.commits);
	check(store_open(ours, STORE_READ, &bench.store, &err), &err);
	bench.plain = plain_open(theirs);
	find_own_history(&bench, &arena);
	put_questions(&bench);
	store_close(bench.store);
	open_and_close(&bench, ours);
	check(store_open(ours, STORE_WRITE, &bench.store, &err), &err);
	add_singles(&bench);
	store_close(bench.store);
	plain_close(bench.plain);
	arena_free(&arena);
	return 0;
}
