/*
 * rooflog bisect: which commit made a series worse, and what to measure to know it.
 *
 * Three ways to use it: a report; --next, the commit to measure next, for a loop; and
 * --run-step, the answer about the commit that is checked out, for `git bisect run`.
 */

#include "cli/bisect/bisect.h"
#include "cli/command.h"
#include "cli/runs/words/words.h"
#include "render/bisect/bisect.h"

/* Exit statuses of --run-step, as `git bisect run` defines them. */
enum { STEP_GOOD = 0, STEP_BAD = 1, STEP_SKIP = 125, STEP_ABORT = 128 };
/* The status of --next when there is nothing left to measure. The reason is in the text, and in
 * the document's state. */
enum { NOTHING_LEFT = EXIT_REGRESSION };

/* --- sessions --- */

static int by_time(const void *a, const void *b)
{
	const struct loaded_run *x = a, *y = b;
	int64_t left = x->stored.run->row, right = y->stored.run->row;
	int order = run_by_measurement(x->stored.run, y->stored.run);
	return order ? order : (left > right) - (left < right);
}

/* A run's value in the model's unit; NAN if it has none. */
static double value_of(const struct bisect_change *change, const struct run *run)
{
	double number = run_number(run, change->metric);
	if (!change->relative)
		return number;
	return number > 0 ? log(number) : NAN;
}

/* The measurements of the series at a commit: one value per session (one ingest), in the model's
 * unit. *hash is the kernel hash if all runs have the same, else NULL; `hash` may be NULL. */
static int sessions_of(struct cli *cli, const struct bisect_change *change, const char *oid,
		       struct bisect_commit *commit, const char **hash, struct error *err)
{
	struct loaded_list list = {0};
	if (runs_load_baseline(cli, oid, change->history->series, &list, err) < 0)
		return -1;
	double *sessions = arena_array(&cli->arena, list.count, sizeof *sessions);
	double *repeats = arena_array(&cli->arena, list.count, sizeof *repeats);
	size_t count = 0;
	const char *same = list.count ? list.items[0].stored.run->kernel_hash : NULL;
	/* Runs of the same measurement are repeats of one session: their noise is not
	 * that between sessions, so they count as one value. */
	array_sort(list.items, list.count, sizeof *list.items, by_time);
	for (size_t i = 0, next; i < list.count; i = next) {
		size_t repeat = 0;
		for (next = i; next < list.count; next++) {
			const struct run *run = list.items[next].stored.run;
			if (run_by_measurement(run, list.items[i].stored.run) != 0)
				break;
			double value = value_of(change, run);
			if (isfinite(value))
				repeats[repeat++] = value;
			same = span_text_eq(same, run->kernel_hash) ? same : NULL;
		}
		if (repeat)
			sessions[count++] = noise_location(&cli->arena, repeats, repeat);
	}
	commit->sessions = sessions;
	commit->session_count = count;
	if (hash)
		*hash = same;
	return 0;
}

/* --- commits that cannot be the cause --- */

/* Excludes the commits that changed nothing between `from` and `to`, and records why. The first
 * reason is kept. */
static void mark(struct bisect_case *c, size_t from, size_t to, enum bisect_same why)
{
	if (!bisect_exclude(c->bisect, from, to))
		return;
	for (size_t x = 0; x < c->lineage.count; x++)
		if (c->bisect->inert[x] && c->same[x] == BISECT_SAME_NOT)
			c->same[x] = why;
}

/* A commit whose tree is a parent's changed nothing against that parent. */
static int mark_trees(struct cli *cli, struct bisect_case *c, struct error *err)
{
	struct revision revision;
	for (size_t x = 0; x < c->lineage.count; x++) {
		const struct commit_range_item *commit = &c->lineage.items[x];
		for (size_t p = 0; p < commit->parent_count; p++)
			if (strcmp(c->lineage.items[commit->parents[p]].revision.tree,
				   commit->revision.tree) == 0)
				mark(c, commit->parents[p], x, BISECT_SAME_TREE);
	}
	for (size_t i = 0; i < c->lineage.outside_count; i++) {
		if (repository_revision(cli->repository, &cli->arena, c->lineage.outside[i], false,
					&revision, err) < 0)
			return -1;
		for (size_t x = 0; x < c->lineage.count; x++)
			if (strstr(c->lineage.items[x].revision.parents, revision.oid) &&
			    strcmp(c->lineage.items[x].revision.tree, revision.tree) == 0)
				mark(c, bisect_none, x, BISECT_SAME_TREE);
	}
	return 0;
}

/* Commits with the same kernel, byte by byte, have the same level, and all between them. */
static void mark_kernels(struct bisect_case *c, const char *good, const char *const *hashes)
{
	for (size_t b = 0; b < c->lineage.count; b++) {
		if (!hashes[b])
			continue;
		if (good && strcmp(good, hashes[b]) == 0)
			mark(c, bisect_none, b, BISECT_SAME_KERNEL);
		for (size_t a = 0; a < b; a++)
			if (hashes[a] && strcmp(hashes[a], hashes[b]) == 0 &&
			    bisect_is_ancestor(c->bisect, a, b))
				mark(c, a, b, BISECT_SAME_KERNEL);
	}
}

/* --- the case --- */

static int load_commits(struct cli *cli, struct bisect_case *c, const char **hashes,
			struct error *err)
{
	size_t count = c->lineage.count;
	c->commits = arena_array(&cli->arena, count, sizeof *c->commits);
	c->same = arena_array(&cli->arena, count, sizeof *c->same);
	for (size_t x = 0; x < count; x++) {
		const struct commit_range_item *commit = &c->lineage.items[x];
		c->commits[x].parents = commit->parents;
		c->commits[x].parent_count = commit->parent_count;
		if (store_has_revision(cli->store, commit->revision.oid) &&
		    sessions_of(cli, &c->change, commit->revision.oid, &c->commits[x], &hashes[x],
				err) < 0)
			return -1;
		c->without_data += c->commits[x].session_count == 0;
	}
	return 0;
}

/* Compares the two ends. If they have the same tree or the same compiled kernel, no commit between
 * them is the cause: the difference comes from the machine or the measurement. The probabilities
 * then state only at which commit it shows, so none is excluded. */
static int compare_ends(struct cli *cli, struct bisect_case *c, const char **hashes,
			struct error *err)
{
	struct bisect_commit ignored;
	struct revision good;
	const char *hash = NULL, *oid = c->change.good->oid;
	assert(c->lineage.count > 0);
	size_t last = c->lineage.count - 1;
	if (repository_revision(cli->repository, &cli->arena, oid, false, &good, err) < 0 ||
	    (store_has_revision(cli->store, oid) &&
	     sessions_of(cli, &c->change, oid, &ignored, &hash, err) < 0))
		return -1;
	struct revision *whole = arena_array(&cli->arena, 2, sizeof *whole);
	whole[0] = good;
	whole[1] = c->lineage.items[last].revision;
	c->change.good = &whole[0];
	c->change.bad = &whole[1];
	if (strcmp(good.tree, whole[1].tree) == 0)
		c->identical = BISECT_SAME_TREE;
	else if (hash && hashes[last] && strcmp(hash, hashes[last]) == 0)
		c->identical = BISECT_SAME_KERNEL;
	if (c->identical)
		return 0;
	mark_kernels(c, hash, hashes);
	return mark_trees(cli, c, err);
}

/* Updates the probabilities and chooses what to do next: nothing if both ends are identical, the
 * cause if it is certain enough, else the commit whose measurement is expected to say most. */
static void conclude(struct cli *cli, struct bisect_case *c)
{
	bisect_update(c->bisect);
	c->next = bisect_none;
	c->forecast = NAN;
	c->sessions = bisect_sessions(c->bisect, c->error);
	if (c->identical)
		return;
	c->decided = c->bisect->cause[c->bisect->best] > bisect_certainty;
	c->forecast = c->decided ? 0 : bisect_forecast(&cli->arena, c->bisect, bisect_certainty);
	c->next = c->decided ? bisect_none : bisect_next(c->bisect);
}

/* Loads the commits of the change and their measurements, and updates the model with them. */
static int load_case(struct cli *cli, const struct bisect_request *request,
		     const struct bisect_change *change, struct bisect_case *c, struct error *err)
{
	const struct run *one[] = {change->history->identity};
	struct short_names naming = short_names_of(&cli->arena, one, 1);
	*c = (struct bisect_case){.change = *change, .error = request->error};
	c->name = short_names_name(&cli->arena, &naming, one[0]);
	if (cli_open_repository(cli, err) < 0 ||
	    repository_between(cli->repository, &cli->arena, change->good->oid, change->bad->oid,
			       &c->lineage, err) < 0)
		return -1;
	if (c->lineage.count == 0 || c->lineage.count > BISECT_COMMITS)
		return error_set(err, ERR_REVISION,
				 "%zu commits between %.10s and %.10s; 1 to %d are supported: "
				 "narrow the range with --good and --bad",
				 c->lineage.count, change->good->oid, change->bad->oid,
				 BISECT_COMMITS);
	const char **hashes = arena_array(&cli->arena, c->lineage.count, sizeof *hashes);
	if (load_commits(cli, c, hashes, err) < 0)
		return -1;
	struct bisect_range range = {
		.commits = c->commits,
		.count = c->lineage.count,
		.before = change->borders.before,
		.after = change->borders.after,
		.count_before = (double)change->borders.count_before,
		.count_after = (double)change->borders.count_after,
		.noise = change->noise,
	};
	c->bisect = bisect_start(&cli->arena, &range);
	if (compare_ends(cli, c, hashes, err) < 0)
		return -1;
	conclude(cli, c);
	return 0;
}

struct bisect_options {
	struct bisect_request request;
	struct arguments series;
	bool next, run_step, json;
};

/* --- one step of git bisect run --- */

static int judge_step(struct cli *cli, const struct bisect_case *c, struct bisect_step *step,
		      struct error *err)
{
	char head[65];
	struct bisect_commit commit = {0};
	if (repository_resolve(cli->repository, "HEAD", head, err) < 0)
		return -1;
	size_t x = commit_range_find(&c->lineage, head);
	*step = (struct bisect_step){.oid = arena_strdup(&cli->arena, head), .moved = NAN};
	if (x != commit_range_none)
		commit = c->commits[x];
	else if (store_has_revision(cli->store, head) &&
		 sessions_of(cli, &c->change, head, &commit, NULL, err) < 0)
		return -1;
	step->sessions = commit.session_count;
	step->stray = x != commit_range_none && c->bisect->stray[x];
	step->verdict = "unknown";
	if (commit.session_count == 0)
		return 0;
	/* git bisect may check out a merge base outside the range. Only its own measurements count
	 * then. */
	step->moved = x == commit_range_none
			      ? bisect_side(c->bisect, commit.sessions, commit.session_count)
			      : c->bisect->moved[x];
	if (step->moved >= 1 - c->error)
		step->verdict = "bad";
	else if (step->moved <= c->error)
		step->verdict = "good";
	return 0;
}

static void explain_unknown(const struct cli *cli, const struct bisect_case *c,
			    const struct bisect_step *step)
{
	if (step->sessions == 0)
		cli_note(cli, "%.10s has no measurement of %s: measure and ingest it first",
			 step->oid, c->name);
	else if (step->stray)
		cli_note(cli,
			 "%.10s matches neither side after %zu sessions: re-measure it, or it "
			 "contains a change of its own",
			 step->oid, step->sessions);
	else
		cli_note(cli,
			 "%.10s is bad with probability %.1f %% after %zu session%s, not enough "
			 "for an error of %g %%: re-measure (%zu sessions usually suffice)",
			 step->oid, 100 * step->moved, step->sessions,
			 step->sessions == 1 ? "" : "s", 100 * c->error, c->sessions);
}

static int print_step(struct cli *cli, const struct bisect_case *c, const struct bisect_step *step,
		      bool json, struct error *err)
{
	if (json) {
		struct json *document = render_bisect_json(&cli->arena, c);
		render_bisect_add_step(&cli->arena, document, step);
		return cli_print_json(document, err);
	}
	if (strcmp(step->verdict, "unknown") == 0)
		return 0;
	return cli_print_clean(arena_printf(&cli->arena,
					    "%.10s is %s: %s, bad with probability %.1f %%\n",
					    step->oid, step->verdict, c->name, 100 * step->moved),
			       err);
}

static int run_step(struct cli *cli, const struct bisect_case *c, bool json, struct error *err)
{
	struct bisect_step step;
	if (judge_step(cli, c, &step, err) < 0 || print_step(cli, c, &step, json, err) < 0)
		return -1;
	if (strcmp(step.verdict, "good") == 0)
		return STEP_GOOD;
	if (strcmp(step.verdict, "bad") == 0)
		return STEP_BAD;
	explain_unknown(cli, c, &step);
	return STEP_SKIP;
}

/* --- the next commit --- */

static int print_next(struct cli *cli, const struct bisect_case *c, bool json, struct error *err)
{
	const struct revision *best = &c->lineage.items[c->bisect->best].revision;
	if (json && cli_print_json(render_bisect_json(&cli->arena, c), err) < 0)
		return -1;
	if (c->decided) {
		cli_note(cli, "cause found (%.1f %%): %s  %s",
			 100 * c->bisect->cause[c->bisect->best], best->oid, best->subject);
		return NOTHING_LEFT;
	}
	if (c->identical) {
		cli_note(cli, "the %s is identical at both ends: no commit in between caused this",
			 c->identical == BISECT_SAME_TREE ? "code" : "kernel");
		return NOTHING_LEFT;
	}
	assert(c->next == bisect_none || c->next < c->lineage.count);
	if (c->next == bisect_none) {
		cli_note(cli, "no single cause found: further measurements would not help; "
			      "\"rooflog bisect\" lists the most probable commits");
		return NOTHING_LEFT;
	}
	if (!json && cli_print_clean(arena_printf(&cli->arena, "%s\n",
						  c->lineage.items[c->next].revision.oid),
				     err) < 0)
		return -1;
	return EXIT_PASS;
}

/* --- the command --- */

static int no_change(struct cli *cli, const struct bisect_options *o, const char *why,
		     struct error *err)
{
	if (o->json && cli_print_json(render_bisect_no_change(&cli->arena, why), err) < 0)
		return -1;
	cli_note(cli, "%s", why);
	return o->next ? NOTHING_LEFT : EXIT_PASS;
}

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct bisect_options *o = options;
	(void)cli;
	if (o->next && o->run_step)
		return error_set(err, ERR_USAGE, "--next and --run-step cannot be combined");
	return 0;
}

static const struct words_rules rules = {
	.command = "bisect", .kinds = WORD_SERIES, .does = "bisect looks at series"};

static int bisect(struct cli *cli, void *options, struct error *err)
{
	struct bisect_options *o = options;
	struct bisect_change change;
	struct bisect_case c;
	const char *why = NULL;
	bool found = false;
	struct words words;
	if (words_read(cli, &rules, &o->series, &words, &o->request.filter, err) < 0 ||
	    runs_require(cli, &o->request.filter, err) < 0)
		return -1;
	o->request.noise = cli->settings.bisect_noise;
	o->request.error = cli->settings.bisect_error;
	if (bisect_command_find_change(cli, &o->request, &change, &found, &why, err) < 0)
		return -1;
	if (!found && o->run_step)
		return error_set(err, ERR_STORE, "%s", why);
	if (!found)
		return no_change(cli, o, why, err);
	if (load_case(cli, &o->request, &change, &c, err) < 0)
		return -1;
	if (c.identical && o->run_step)
		return error_set(
			err, ERR_REVISION,
			"the %s is identical at both ends: no commit in between caused this",
			c.identical == BISECT_SAME_TREE ? "code" : "kernel");
	if (o->run_step)
		return run_step(cli, &c, o->json, err);
	if (o->next)
		return print_next(cli, &c, o->json, err);
	return o->json ? cli_print_json(render_bisect_json(&cli->arena, &c), err)
		       : cli_print_clean(render_bisect_text(&cli->arena, &c, cli_table_width()),
					 err);
}

/* `git bisect run` reads 1 to 127 (except 125) as "bad", so errors need a status above 127. */
static int error_status(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--run-step") == 0)
			return STEP_ABORT;
	return EXIT_ERROR;
}

#define FIELD(member) OPTION_FIELD(struct bisect_options, member)
static const struct option rows[] = {
	{FIELD(request.good), "good", "COMMIT", "a commit or baseline from before the change"},
	{FIELD(request.bad), "bad", "COMMIT",
	 "a commit after the change (default: HEAD, or where git bisect started)"},
	{FIELD(request.metric), "metric", "KEY", "bisect this metric (default: time)"},
	{FIELD(next), "next", NULL,
	 "print only the commit to measure next; status 1 when there is none"},
	{FIELD(run_step), "run-step", NULL,
	 "judge the commit that is checked out, for git bisect run: 0 good, 1 bad, 125 undecided, "
	 "128 error"},
	{OPTION_GROUP(struct bisect_options, request.filter, run_filter_options)},
	{FIELD(json), "json", NULL, "print one JSON document"},
	{.kind = OPTION_END},
};

const struct command command_bisect = {
	.name = "bisect",
	.group = GROUP_FOLLOW_UP,
	.summary = "find the commit that made a series slower",
	.usage = "[SERIES] [OPTION]...",
	.about =
		"Find the commit that made a series slower, with as few measurements as possible.\n"
		"Print how probable each commit is and which one to measure next. Without SERIES:\n"
		"the series with the newest confirmed change point.",
	.examples = {"rooflog bisect attention s=512", "rooflog bisect --good v1.2 --bad HEAD",
		     "git bisect run rooflog bisect --run-step attention"},
	.options = rows,
	.arguments = {{"SERIES", ARGUMENT(struct bisect_options, series)}},
	.options_size = sizeof(struct bisect_options),
	.needs = NEEDS_STORE,
	.check = check,
	.run = bisect,
	.error_status = error_status,
};
