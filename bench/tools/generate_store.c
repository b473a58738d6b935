/*
 * usage: generate_store FOLDER SERIES COMMITS SEED
 *
 * Makes FOLDER a git repository with COMMITS commits in a row (git fast-import) and writes
 * FOLDER/.rooflog/runs.db through the store's own functions: SERIES kernels, each measured once at
 * every commit, with fifteen numbers per run. Every series has its own noise, 0.2 to 2 %. Prints
 * the planted changes, one per line: kind, kernel, index of the commit (0 is the oldest), size.
 * The same arguments give the same commits and, except for the last digits of logarithms, the same
 * numbers on every machine.
 *
 *   jump N s=M    49   +7.31 %      all runs from this commit on are slower
 *   creep ...     0    +12.00 %     slower at every commit, by this much over the whole history
 *   dip ...       800  +9.10 %      slower for 40 commits, then as before
 *
 * The newest commit has no new change; its series are those that `gate` judges.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"
#include "base/system/process.h"
#include "base/strbuf.h"
#include "bench/tools/schedule.h"
#include "db/store/store.h"

enum { id_digits = 40, dip_commits = 40, first_second = 1700000000, commit_seconds = 3600 };
enum { STREAM_SHAPE = 1, STREAM_NOISE = 2 };

enum change { STEADY, JUMP, CREEP, DIP };
static const char *const change_names[] = {"steady", "jump", "creep", "dip"};

struct kernel {
	const char *name, *size;
	double seconds, noise; /* one standard deviation, as a fraction */
	enum change change;
	unsigned from; /* commit */
	double by;     /* fraction */
};

struct plan {
	struct arena arena;
	const char *folder;
	unsigned series, commits;
	uint64_t seed;
	struct kernel *kernels;
	/* One full id per line, the oldest commit first. */
	const char *oids;
	struct store *store;
};

/* From `least` to `most`, or the end. */
static unsigned number_of(const char *text, unsigned least, unsigned most)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);
	if (*end || number < least || number > most) {
		fprintf(stderr, "generate_store: \"%s\" is no number from %u to %u\n", text, least,
			most);
		exit(2);
	}
	return (unsigned)number;
}

static _Noreturn void give_up(const struct error *err)
{
	fprintf(stderr, "generate_store: %s\n", err->text);
	exit(1);
}

/* From 0 to 1, neither of them. */
static double uniform(struct random *random)
{
	return ((double)(draw(random) >> 11) + 0.5) / 9007199254740992.0;
}

static double gaussian(struct random *random)
{
	double radius = sqrt(-2 * log(uniform(random)));
	return radius * cos(6.283185307179586 * uniform(random));
}

/* --- what is measured --- */

/* One series in forty jumps, one in sixty creeps, one in sixty dips. */
static void plant(struct kernel *kernel, unsigned commits, struct random *random)
{
	unsigned kind = below(random, 120);
	double size = uniform(random);
	unsigned from = commits / 8 + below(random, commits / 2 + 1);
	kernel->change = kind < 3 ? JUMP : kind < 5 ? CREEP : kind < 7 ? DIP : STEADY;
	kernel->from = kernel->change == CREEP ? 0 : from;
	kernel->by = kernel->change == STEADY ? 0 : 0.05 + 0.15 * size;
}

static void plan_kernels(struct plan *plan)
{
	static const char *const names[] = {"attention", "mlp",     "softmax", "rmsnorm", "rope",
					    "embedding", "qkv",     "router",  "conv",    "topk",
					    "layernorm", "swiglu",  "gemm",    "gemv",    "scan",
					    "transpose", "dequant", "cumsum",  "gather",  "argmax"};
	enum { name_count = sizeof names / sizeof *names };
	struct random random = random_of(plan->seed, STREAM_SHAPE);
	plan->kernels = arena_array(&plan->arena, plan->series, sizeof *plan->kernels);
	for (unsigned i = 0; i < plan->series; i++) {
		struct kernel *kernel = &plan->kernels[i];
		kernel->name = names[i % name_count];
		kernel->size = arena_printf(&plan->arena, "%u", 128 * (i / name_count + 1));
		kernel->seconds = 1e-5 * exp(5 * uniform(&random));
		kernel->noise = 0.002 * exp(log(10) * uniform(&random));
		plant(kernel, plan->commits, &random);
		if (kernel->change != STEADY)
			printf("%s %s s=%s %u %+.2f %%\n", change_names[kernel->change],
			       kernel->name, kernel->size, kernel->from, kernel->by * 100);
	}
}

static double level_at(const struct kernel *kernel, unsigned commit, unsigned commits)
{
	bool holds = commit >= kernel->from;
	if (kernel->change == DIP)
		holds = holds && commit < kernel->from + dip_commits;
	if (kernel->change == CREEP)
		return 1 + kernel->by * commit / commits;
	return holds ? 1 + kernel->by : 1;
}

/* Times follow the total; counters are those of the kernel and do not change. */
static void give_numbers(struct run *run, const struct kernel *kernel, double time)
{
	const struct {
		enum metric metric;
		double number;
	} rows[] = {
		{METRIC_TOTAL_TIME, time},
		{METRIC_TOTAL_ACTIVE_TIME, time * 0.96},
		{METRIC_TENSOR_ACTIVE_TIME, time * 0.71},
		{METRIC_VECTOR_ACTIVE_TIME, time * 0.32},
		{METRIC_SCALAR_ACTIVE_TIME, time * 0.28},
		{METRIC_DMA_ACTIVE_TIME, time * 0.55},
		{METRIC_HARDWARE_FLOPS, floor(kernel->seconds * 4e13)},
		{METRIC_TRANSPOSE_FLOPS, floor(kernel->seconds * 4e11)},
		{METRIC_HBM_READ_BYTES, floor(kernel->seconds * 2e11)},
		{METRIC_HBM_WRITE_BYTES, floor(kernel->seconds * 1e11)},
		{METRIC_TENSOR_INSTRUCTION_COUNT, floor(kernel->seconds * 2e7)},
		{METRIC_VECTOR_INSTRUCTION_COUNT, floor(kernel->seconds * 1e7)},
		{METRIC_MATMUL_COUNT, floor(kernel->seconds * 1.6e7)},
		{METRIC_DMA_TRANSFER_COUNT, floor(kernel->seconds * 3e6)},
		{METRIC_DMA_TRANSFER_BYTES, floor(kernel->seconds * 3e11)},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		run_set(run, rows[i].metric, rows[i].number, PROVENANCE_REPORTED);
}

static struct run *measure(struct arena *arena, const struct plan *plan,
			   const struct kernel *kernel, unsigned commit, struct random *noise)
{
	struct run *run = run_new(arena);
	double level = level_at(kernel, commit, plan->commits);
	run->kernel = kernel->name;
	run_set_param(arena, run, "s", kernel->size);
	run->dtype = "bf16";
	run->device = "trn2";
	run->instance_type = "trn2.48xlarge";
	run->cores = 2;
	run->tool = "neuron-profile";
	run->commit =
		arena_strndup(arena, plan->oids + (size_t)commit * (id_digits + 1), id_digits);
	run->ingested_at = first_second + (int64_t)commit * commit_seconds + 600;
	run->source = arena_printf(arena, "profiles/%s-s%s.json", kernel->name, kernel->size);
	run_add_attribute(arena, run, "compiler_version", "2.21.18209.0");
	run_add_attribute(arena, run, "correctness", "correct");
	give_numbers(run, kernel, kernel->seconds * level * (1 + kernel->noise * gaussian(noise)));
	return run;
}

/* --- the repository --- */

/* What git printed. */
static const char *git(struct plan *plan, const char *const *argv, struct span input)
{
	struct process_request request = {.argv = argv,
					  .directory = plan->folder,
					  .input = input,
					  .limit = (size_t)1 << 28,
					  .seconds = 600};
	struct process_result result;
	struct error err;
	if (process_run(&request, &result, &err) < 0)
		give_up(&err);
	if (result.status) {
		fprintf(stderr, "generate_store: git %s: %s\n", argv[1],
			strbuf_text(&result.error));
		exit(1);
	}
	const char *text = arena_strdup(&plan->arena, strbuf_text(&result.out));
	process_result_free(&result);
	return text;
}

static void make_repository(struct plan *plan)
{
	static const char *const init[] = {"git", "init", "-q", "-b", "main", ".", NULL};
	static const char *const import[] = {"git", "fast-import", "--quiet", NULL};
	static const char *const list[] = {"git", "rev-list", "--reverse", "main", NULL};
	struct strbuf sb = {0};
	for (unsigned i = 0; i < plan->commits; i++) {
		int64_t time = first_second + (int64_t)i * commit_seconds;
		strbuf_addf(&sb,
			    "commit refs/heads/main\ncommitter Ada <ada@example.org> %" PRId64
			    " +0000\n",
			    time);
		strbuf_addf(&sb, "data <<E\nStep %u\nE\nM 100644 inline step\ndata <<E\n%u\nE\n\n",
			    i, i);
	}
	git(plan, init, (struct span){0});
	git(plan, import, strbuf_span(&sb));
	strbuf_free(&sb);
	plan->oids = git(plan, list, (struct span){0});
	if (strlen(plan->oids) != (size_t)plan->commits * (id_digits + 1)) {
		fputs("generate_store: git has other commits than were made\n", stderr);
		exit(1);
	}
}

/* --- the store --- */

static void add_commit(struct plan *plan, struct arena *arena, unsigned commit)
{
	static const char *const files[] = {".rooflog/accept", ".rooflog/config"};
	struct error err;
	const char *oid = plan->oids + (size_t)commit * (id_digits + 1);
	struct revision revision = {
		.oid = arena_strndup(arena, oid, id_digits),
		.tree = "",
		.patch_id = "",
		.parent = commit ? arena_strndup(arena, oid - id_digits - 1, id_digits) : "",
		.position = commit,
		.time = first_second + (int64_t)commit * commit_seconds,
		.subject = arena_printf(arena, "Step %u", commit)};
	revision.parents = revision.parent;
	if (store_add_revision(plan->store, &revision, &err) < 0)
		give_up(&err);
	/* The files of a tree that ingest stores: a gate then asks git for nothing. */
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (store_add_tree_file(plan->store, (const char *const[]){revision.oid, files[i]},
					NULL, &err) < 0)
			give_up(&err);
}

static void add_runs(struct plan *plan, unsigned commit, struct random *noise)
{
	struct error err;
	char id[65];
	enum store_added added;
	for (unsigned i = 0; i < plan->series; i++) {
		struct arena arena = {0};
		struct run *run = measure(&arena, plan, &plan->kernels[i], commit, noise);
		if (store_add_run(plan->store, run, id, &added, &err) < 0)
			give_up(&err);
		arena_free(&arena);
	}
}

/* A transaction for every hundred commits keeps the log small. */
static void fill_store(struct plan *plan)
{
	struct random noise = random_of(plan->seed, STREAM_NOISE);
	struct error err;
	if (store_open(arena_printf(&plan->arena, "%s/.rooflog/runs.db", plan->folder),
		       STORE_CREATE, &plan->store, &err) < 0)
		give_up(&err);
	for (unsigned commit = 0; commit < plan->commits; commit++) {
		struct arena arena = {0};
		if (commit % 100 == 0 && store_begin(plan->store, &err) < 0)
			give_up(&err);
		add_commit(plan, &arena, commit);
		add_runs(plan, commit, &noise);
		bool ends = commit % 100 == 99 || commit + 1 == plan->commits;
		if (ends && store_commit(plan->store, &err) < 0)
			give_up(&err);
		arena_free(&arena);
	}
	store_close(plan->store);
}

int main(int argc, char **argv)
{
	struct error err;
	struct plan plan = {0};
	if (argc != 5) {
		fputs("usage: generate_store FOLDER SERIES COMMITS SEED\n", stderr);
		return 2;
	}
	plan.folder = argv[1];
	plan.series = number_of(argv[2], 1, 1000000);
	plan.commits = number_of(argv[3], 1, 1000000);
	plan.seed = number_of(argv[4], 0, UINT32_MAX);
	if (file_make_directory(arena_printf(&plan.arena, "%s/.rooflog", plan.folder), &err) < 0)
		give_up(&err);
	plan_kernels(&plan);
	make_repository(&plan);
	fill_store(&plan);
	arena_free(&plan.arena);
	return 0;
}
