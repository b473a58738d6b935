/* Two sides take turns: the second work tree, the builds, the processes in their order, and what
 * each of them measured. */
#include "cli/query/measure/against.h"

#include <time.h>

#include "base/system/system.h"
#include "cli/gate/gate.h"
#include "cli/ingest/ingest.h"
#include "vcs/checkout/checkout.h"

/* A series with its numbers by process; NAN where there is none. */
struct numbers {
	const struct run *run; /* one of its runs */
	const struct policy *policy;
	double *values;
	size_t *repeats; /* of which a value is the sum */
};

struct turns {
	struct cli *cli;
	const struct against_request *request;
	struct against *result;
	struct session_request requests[2]; /* by enum paired_side, like the following */
	size_t read[2];                     /* paths of each side whose runs are known */
	size_t *process[2];                 /* which wrote a path */
	size_t slots;                       /* processes that were run */
	size_t known, judged;   /* series at the first look, and of these on both sides */
	struct numbers *series; /* as result->paired.series */
	size_t series_capacity, number_capacity;
	struct policy_list rules;
};

static double seconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The most processes of a session. */
static size_t slot_limit(void)
{
	return paired_slots(paired_most_pairs());
}

/* --- numbers --- */

static void begin_series(struct turns *turns, const struct run *run, const char *key)
{
	struct arena *arena = &turns->cli->arena;
	struct paired_session *paired = &turns->result->paired;
	const struct policy *policy =
		policy_refined(arena, &turns->rules, &turns->rules.items[0], run);
	struct numbers numbers = {run, policy, arena_array(arena, slot_limit(), sizeof(double)),
				  arena_array(arena, slot_limit(), sizeof(size_t))};
	for (size_t i = 0; i < slot_limit(); i++) {
		numbers.values[i] = NAN;
		numbers.repeats[i] = 0;
	}
	const enum metric metric = run_headline(run);
	size_t count = paired->series_count, copy = count;
	*arena_next(arena, turns->series, copy, turns->number_capacity) = numbers;
	*arena_next(arena, paired->series, paired->series_count, turns->series_capacity) =
		(struct paired_series){.key = key,
				       .metric = metric,
				       .lower_is_better =
					       policy_direction(policy, metric) != METRIC_HIGHER};
}

static void add_number(struct turns *turns, const struct run *run, size_t slot)
{
	struct paired_session *paired = &turns->result->paired;
	const enum metric metric = run_headline(run);
	if (run_is_incorrect(run))
		*(paired_slot(slot).side == PAIRED_BASE ? &paired->base_incorrect
							: &paired->incorrect) = true;
	if (metric == METRIC_COUNT)
		return;
	const char *key = run_series_key(&turns->cli->arena, run);
	size_t at = 0;
	while (at < paired->series_count && strcmp(paired->series[at].key, key) != 0)
		at++;
	if (at == paired->series_count)
		begin_series(turns, run, key);
	double *value = &turns->series[at].values[slot];
	double number = run_number(run, paired->series[at].metric);
	if (isnan(number))
		return;
	*value = turns->series[at].repeats[slot]++ ? *value + number : number;
	paired->series[at].on_side[paired_slot(slot).side] = true;
}

/* A process that is measured by its time alone. */
static void add_process(struct turns *turns, double seconds, size_t slot)
{
	struct arena *arena = &turns->cli->arena;
	struct run *run = run_new(arena);
	run->kernel = turns->result->sides[PAIRED_BASE].command;
	run->tool = "process";
	run_set(run, METRIC_HOST_TIME, seconds, PROVENANCE_MEASURED);
	add_number(turns, run, slot);
}

/* The process that wrote the file of a run: the file itself, or one in its folder. */
static size_t process_of(const struct turns *turns, enum paired_side side, const char *path)
{
	const struct arguments_of_session *paths = &turns->result->sides[side].paths;
	for (size_t i = turns->read[side]; i < paths->count; i++) {
		struct span name = span_of(paths->items[i]);
		if (span_starts(span_of(path), paths->items[i]) &&
		    (path[name.len] == '\0' || path[name.len] == '/'))
			return turns->process[side][i];
	}
	return SIZE_MAX;
}

/* Reads what a side's processes wrote since the last time. */
static int read_side(struct turns *turns, enum paired_side side, struct error *err)
{
	struct session *session = &turns->result->sides[side];
	if (session->paths.count == turns->read[side])
		return 0; /* the array may be NULL */
	const struct ingest_options options = {.reading = *turns->request->reading,
					       .max_series = INGEST_SERIES};
	const struct arguments paths = {session->paths.items + turns->read[side],
					session->paths.count - turns->read[side]};
	struct ingest ingest = {.cli = turns->cli,
				.arena = &turns->cli->arena,
				.options = &options,
				.paths = &paths};
	if (ingest_read(&ingest, &paths, err) < 0 || ingest_complete(&ingest, err) < 0)
		return -1;
	for (size_t i = 0; i < ingest.run_count; i++) {
		size_t slot = process_of(turns, side, ingest.runs[i].path);
		if (slot != SIZE_MAX)
			add_number(turns, ingest.runs[i].run, slot);
	}
	turns->read[side] = session->paths.count;
	return 0;
}

/* --- judging --- */

static void name_series(struct turns *turns)
{
	struct arena *arena = &turns->cli->arena;
	struct paired_session *paired = &turns->result->paired;
	const struct run **runs = arena_array(arena, paired->series_count + 1, sizeof *runs);
	for (size_t i = 0; i < paired->series_count; i++)
		runs[i] = turns->series[i].run;
	struct short_names names = short_names_of(arena, runs, paired->series_count);
	for (size_t i = 0; i < paired->series_count; i++)
		paired->series[i].name = short_names_name(arena, &names, runs[i]);
}

static void judge_one(struct turns *turns, size_t at)
{
	struct arena *arena = &turns->cli->arena;
	struct paired_session *paired = &turns->result->paired;
	struct paired_series *series = &paired->series[at];
	struct numbers *numbers = &turns->series[at];
	double *values = arena_array(arena, turns->slots + 1, sizeof *values);
	double base = NAN;
	for (size_t i = 0; i < turns->slots; i++) {
		values[i] = numbers->repeats[i] ? numbers->values[i] / (double)numbers->repeats[i]
						: NAN;
		if (isnan(base) && paired_slot(i).side == PAIRED_BASE)
			base = values[i];
	}
	series->limit = base > 0 ? policy_limit(numbers->policy, base, false) / base : 0;
	const struct paired_rule rule = {series->limit, turns->judged};
	series->result = paired_judge(arena, values, turns->slots, &rule);
}

/* Judges what is not decided yet. Returns whether something is left. */
static bool judge_open(struct turns *turns)
{
	struct paired_session *paired = &turns->result->paired;
	bool open = false;
	/* The shares of the error are dealt out at the first look: a series that comes later has
	 * none, and is shown without a verdict. */
	if (!turns->known) {
		turns->known = paired->series_count;
		for (size_t i = 0; i < paired->series_count; i++)
			turns->judged +=
				paired->series[i].on_side[0] && paired->series[i].on_side[1];
	}
	for (size_t i = 0; i < turns->known; i++) {
		struct paired_series *series = &paired->series[i];
		if (series->result.verdict == PAIRED_UNCLEAR)
			judge_one(turns, i);
		open |= series->on_side[0] && series->on_side[1] &&
			series->result.verdict == PAIRED_UNCLEAR;
	}
	return open;
}

/* --- the turns --- */

static const char *name_of(const struct turns *turns, int side)
{
	return side == PAIRED_BASE ? turns->request->base : "here";
}

static int run_slot(struct turns *turns, struct error *err)
{
	size_t slot = turns->slots;
	enum paired_side side = paired_slot(slot).side;
	struct session *session = &turns->result->sides[side];
	size_t before = session->paths.count;
	/* Both of a pair have the same inputs. */
	turns->requests[side].turn = (uint32_t)(slot / 2) + 2;
	if (session_measure(turns->cli, &turns->requests[side], session, slot + 1, err) < 0)
		return error_prefix(err, "%s, process %zu", name_of(turns, side), slot + 1);
	turns->slots++;
	if (!isnan(session->seconds))
		add_process(turns, session->seconds, slot);
	for (size_t i = before; i < session->paths.count; i++)
		turns->process[side][i] = slot;
	return 0;
}

/* Looks again and again, until all is decided or the time is up; a pair that was begun is ended. */
static int take_turns(struct turns *turns, struct error *err)
{
	struct paired_session *paired = &turns->result->paired;
	const double began = seconds_now();
	bool open = true, time_is_up = false;
	size_t look = paired_next_look(0);
	while (open && look && !time_is_up) {
		while (turns->slots < paired_slots(look) && !time_is_up) {
			if (run_slot(turns, err) < 0)
				return -1;
			time_is_up = turns->slots % 2 == 0 &&
				     seconds_now() - began >= turns->request->budget;
		}
		paired->seconds = seconds_now() - began;
		if (read_side(turns, PAIRED_BASE, err) < 0 ||
		    read_side(turns, PAIRED_CANDIDATE, err) < 0)
			return -1;
		open = judge_open(turns);
		look = paired_next_look(look);
	}
	for (size_t i = 0; i + 1 < turns->slots; i += 2)
		*(paired_slot(i).control ? &paired->controls : &paired->pairs) += 1;
	for (size_t i = turns->known; i < paired->series_count; i++)
		paired->series[i].result = paired_judge(&turns->cli->arena, turns->series[i].values,
							0, &(struct paired_rule){0, 1});
	name_series(turns);
	return 0;
}

/* --- two work trees --- */

static int build(struct turns *turns, enum paired_side side, struct error *err)
{
	const struct against_request *request = turns->request;
	const char *name = name_of(turns, side);
	if (!request->build)
		return 0;
	cli_note(turns->cli, "building %s: %s", name, request->build);
	if (session_build(turns->cli, request->build, turns->requests[side].directory, err) < 0)
		return error_prefix(err, "building %s", name);
	return 0;
}

static int measure_turns(struct turns *turns, struct error *err)
{
	struct against *result = turns->result;
	for (int side = 0; side < 2; side++) {
		turns->requests[side].turn = 1;
		if (session_begin(turns->cli, &turns->requests[side], &result->sides[side], err) <
		    0)
			return error_prefix(err, "%s", name_of(turns, side));
	}
	cli_note(turns->cli, "measuring %s and here in turns, at most %d s", turns->request->base,
		 turns->request->budget);
	struct error ignored;
	int rc = take_turns(turns, err);
	for (int side = 0; side < 2; side++)
		if (session_end(turns->cli, &turns->requests[side], &result->sides[side],
				rc < 0 ? &ignored : err) < 0)
			rc = -1;
	return rc;
}

static int measure_both(struct turns *turns, struct error *err)
{
	struct against *result = turns->result;
	struct session *here = &result->sides[PAIRED_CANDIDATE];
	result->machine = machine_look(turns->cli);
	const char *program = turns->requests[PAIRED_BASE].program[0];
	const char *there = turns->requests[PAIRED_BASE].directory;
	if (!file_exists(there))
		return error_set(err, ERR_USAGE, "%s does not have this folder",
				 turns->request->base);
	if (build(turns, PAIRED_BASE, err) < 0)
		return -1;
	if (strchr(program, '/') &&
	    !file_exists(arena_printf(&turns->cli->arena, "%s/%s", there, program)))
		return error_set(err, ERR_USAGE, "%s does not have %.300s: --build COMMAND %s it",
				 turns->request->base, program,
				 turns->request->build ? "did not make" : "makes");
	if (build(turns, PAIRED_CANDIDATE, err) < 0 ||
	    session_check(turns->cli, &turns->requests[PAIRED_CANDIDATE], here, err) < 0)
		return -1;
	result->paired.incorrect = here->checked && !here->correct;
	if (result->paired.incorrect)
		return 0;
	if (machine_begin(result->machine, turns->request->session.lock_clocks, err) < 0)
		return -1;
	int rc = measure_turns(turns, err);
	machine_end(result->machine);
	return rc;
}

/* A program by its absolute path would be the same file on both sides. */
static int check_program(const struct against_request *request, struct error *err)
{
	const char *program = request->session.program[0];
	return *program == '/' ? error_set(err, ERR_USAGE,
					   "--against runs PROGRAM in both work trees: name it by "
					   "its path from here, not as %.300s",
					   program)
			       : 0;
}

/* The folder of the session, and where the current directory is in the second work tree. */
static int find_places(struct turns *turns, const char **tree, struct error *err)
{
	struct cli *cli = turns->cli;
	struct arena *arena = &cli->arena;
	const char *top = repository_worktree(cli->repository);
	char here[PATH_MAX], real[PATH_MAX];
	if (!top)
		return error_set(err, ERR_REVISION, "--against needs a work tree");
	if (!getcwd(here, sizeof here) || !realpath(top, real) || !span_starts(span_of(here), real))
		return error_set(err, ERR_SYSTEM, "the current directory is not in %.300s", top);
	const char *folder = session_folder(cli, turns->request->session.program[0]);
	*tree = arena_printf(arena, "%s/tree", folder);
	turns->result->paired.folder = folder;
	turns->result->sides[PAIRED_BASE].folder = arena_printf(arena, "%s/base", folder);
	turns->result->sides[PAIRED_CANDIDATE].folder = arena_printf(arena, "%s/here", folder);
	turns->requests[PAIRED_BASE].here = arena_strdup(arena, here);
	turns->requests[PAIRED_BASE].directory =
		arena_printf(arena, "%s%s", *tree, here + strlen(real));
	return file_make_directory(folder, err);
}

int against_describe(struct cli *cli, const struct against_request *request, struct error *err)
{
	struct strbuf sb = {0};
	const struct session_request *session = &request->session;
	const char *folder = session_folder(cli, session->program[0]);
	size_t first = paired_next_look(0);
	if (check_program(request, err) < 0)
		return -1;
	strbuf_addf(&sb, "check out %s in %s/tree\n", request->base, folder);
	if (request->build)
		strbuf_addf(&sb, "build     both sides: %s\n", request->build);
	if (session->check)
		strbuf_addf(&sb, "check     %s\n", session->check);
	if (session->lock_clocks)
		strbuf_addstr(&sb, "lock      the GPU's clocks, until it is decided\n");
	if (session->warmup && !session->tool->suffix)
		strbuf_addf(&sb, "warm up   both sides, %zu x %s\n", session->warmup,
			    measuring_tool_line(&cli->arena, session->program));
	strbuf_addf(&sb, "measure   both sides in turns, %zu to %zu x %s\n", paired_slots(first),
		    slot_limit(), session_line(cli, session, folder));
	strbuf_addf(&sb, "until     it is decided, at most %d s\n", request->budget);
	return cli_print_built(&sb, err);
}

/* The second work tree is removed before a signal ends this process. */
static int measure_in_trees(struct turns *turns, const char *tree, const char *base,
			    struct error *err)
{
	struct process_hold hold;
	struct error after;
	process_hold(&hold);
	bool made = checkout_add_worktree(tree, base, err) == 0;
	int rc = made ? measure_both(turns, err) : -1;
	if (checkout_remove_worktree(tree, &after) < 0 && made)
		cli_warn(turns->cli, "the work tree %s stays: %s", tree, after.text);
	process_release(&hold);
	return rc;
}

int against_run(struct cli *cli, const struct against_request *request, struct against *result,
		struct error *err)
{
	char base[65], head[65];
	const char *tree;
	*result =
		(struct against){.paired = {.base_name = request->base, .budget = request->budget}};
	struct turns turns = {.cli = cli,
			      .request = request,
			      .result = result,
			      .requests = {request->session, request->session}};
	for (int side = 0; side < 2; side++)
		turns.process[side] = arena_array(&cli->arena, slot_limit(), sizeof(size_t));
	if (check_program(request, err) < 0 || cli_load_config(cli, err) < 0 ||
	    repository_resolve(cli->repository, request->base, base, err) < 0 ||
	    repository_resolve(cli->repository, "HEAD", head, err) < 0 ||
	    repository_is_dirty(cli->repository, &result->paired.dirty, err) < 0 ||
	    find_places(&turns, &tree, err) < 0)
		return -1;
	gate_command_add_metric_rows(&cli->arena, &cli->settings.policies, METRIC_COUNT,
				     &turns.rules);
	result->paired.base = arena_strdup(&cli->arena, base);
	result->paired.head = arena_strdup(&cli->arena, head);
	return measure_in_trees(&turns, tree, base, err);
}
