/*
 * rooflog bisect: which commit made a series worse, and what to measure to know it.
 *
 * Four ways to use it: a report; --run, which measures until there is an answer; --next, the commit
 * to measure next, for a loop; and --run-step, the answer about the commit that is checked out, for
 * `git bisect run`.
 */

#include "cli/bisect/bisect.h"
#include "cli/bisect/search.h"
#include "cli/command.h"
#include "cli/runs/words/words.h"
#include "render/bisect/bisect.h"

/* Exit statuses of --run-step, as `git bisect run` defines them. */
enum { STEP_GOOD = 0, STEP_BAD = 1, STEP_SKIP = 125, STEP_ABORT = 128 };
/* The status of --next when there is nothing left to measure. The reason is in the text, and in
 * the document's state. */
enum { NOTHING_LEFT = EXIT_REGRESSION };

struct bisect_options {
	struct bisect_request request;
	struct arguments series;
	const char *run; /* a command that measures */
	bool next, run_step;
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
		 bisect_command_sessions(cli, &c->change, head, &commit, NULL, err) < 0)
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
			 "%.10s matches neither side after %zu session%s: re-measure it, or it "
			 "contains a change of its own",
			 step->oid, step->sessions, step->sessions == 1 ? "" : "s");
	else
		cli_note(cli,
			 "%.10s is bad with probability %.1f %% after %zu session%s, not enough "
			 "for an error of %g %%: re-measure (%zu usually suffice%s)",
			 step->oid, 100 * step->moved, step->sessions,
			 step->sessions == 1 ? "" : "s", 100 * c->error, c->sessions,
			 c->sessions == 1 ? "s" : "");
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
	if (cli->common.json && cli_print_json(render_bisect_no_change(&cli->arena, why), err) < 0)
		return -1;
	cli_note(cli, "%s", why);
	return o->next ? NOTHING_LEFT : EXIT_PASS;
}

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct bisect_options *o = options;
	(void)cli;
	if (o->next + o->run_step + (o->run != NULL) > 1)
		return error_set(err, ERR_USAGE,
				 "--run, --next and --run-step are different ways: choose one");
	return 0;
}

static const struct words_rules rules = {
	.command = "bisect", .kinds = WORD_SERIES, .does = "bisect looks at series"};

/* Finds the change and loads its case; *why says why there is none, and is NULL otherwise. */
static int look(struct cli *cli, struct bisect_options *o, struct bisect_case *c, const char **why,
		struct error *err)
{
	struct bisect_change change;
	struct words words;
	bool found = false;
	*why = NULL;
	*c = (struct bisect_case){0};
	if (words_read(cli, &rules, &o->series, &words, &o->request.filter, err) < 0 ||
	    runs_require(cli, &o->request.filter, err) < 0)
		return -1;
	o->request.noise = cli->settings.bisect_noise;
	o->request.error = cli->settings.bisect_error;
	if (bisect_command_find_change(cli, &o->request, &change, &found, why, err) < 0)
		return -1;
	assert(found == !*why);
	return found ? bisect_command_load_case(cli, &o->request, &change, c, err) : 0;
}

/* For --run: opens everything again, since the command of the round before wrote to the store. */
static int next_to_measure(struct cli *cli, const void *context, char oid[65], int64_t *runs,
			   struct error *err)
{
	struct cli round = {
		.common = cli->common, .in_work_tree = cli->in_work_tree, .now = cli->now};
	struct bisect_options o = *(const struct bisect_options *)context;
	struct bisect_case c;
	struct store_counts counts;
	const char *why;
	int rc = look(&round, &o, &c, &why, err);
	if (rc == 0)
		rc = store_counts(round.store, &counts, err);
	if (rc == 0) {
		bool more = !why && !c.decided && !c.identical && c.next != bisect_none;
		snprintf(oid, 65, "%s", more ? c.lineage.items[c.next].revision.oid : "");
		*runs = counts.runs;
	}
	cli_free(&round);
	return rc;
}

/* The range stays what it is now: HEAD moves while it is searched. */
static int fix_range(struct cli *cli, struct bisect_request *request, struct error *err)
{
	const char **names[] = {&request->good, &request->bad};
	char oid[65];
	if (!request->bad)
		request->bad = "HEAD";
	for (size_t i = 0; i < 2; i++) {
		struct cli once = {.common = cli->common, .in_work_tree = cli->in_work_tree};
		if (!*names[i])
			continue;
		int rc = cli_open_store(&once, STORE_READ, err);
		if (rc == 0)
			rc = runs_resolve_baseline(&once, *names[i], oid, err);
		cli_free(&once);
		if (rc < 0)
			return -1;
		*names[i] = arena_strdup(&cli->arena, oid);
	}
	return 0;
}

static int search(struct cli *cli, struct bisect_options *o, struct error *err)
{
	const struct bisect_search request = {o->run, next_to_measure, o};
	return fix_range(cli, &o->request, err) < 0 ? -1
						    : bisect_command_search(cli, &request, err);
}

static int bisect(struct cli *cli, void *options, struct error *err)
{
	struct bisect_options *o = options;
	struct bisect_case c;
	const char *why;
	if ((o->run && search(cli, o, err) < 0) || look(cli, o, &c, &why, err) < 0)
		return -1;
	if (why && o->run_step)
		return error_set(err, ERR_STORE, "%s", why);
	if (why)
		return no_change(cli, o, why, err);
	if (c.identical && o->run_step)
		return error_set(
			err, ERR_REVISION,
			"the %s is identical at both ends: no commit in between caused this",
			c.identical == BISECT_SAME_TREE ? "code" : "kernel");
	if (o->run_step)
		return run_step(cli, &c, cli->common.json, err);
	if (o->next)
		return print_next(cli, &c, cli->common.json, err);
	return cli->common.json
		       ? cli_print_json(render_bisect_json(&cli->arena, &c), err)
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
	{FIELD(run), "run", "COMMAND",
	 "check out, measure with COMMAND and judge, until the commit is found"},
	{FIELD(next), "next", NULL,
	 "print only the commit to measure next; status 1 when there is none"},
	{FIELD(run_step), "run-step", NULL,
	 "judge the commit that is checked out, for git bisect run: 0 good, 1 bad, 125 unclear, "
	 "128 error"},
	{OPTION_GROUP(struct bisect_options, request.filter, run_filter_options)},
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
		"the series with the latest confirmed change point.",
	.examples = {"rooflog bisect attention s=512",
		     "rooflog bisect attention --run 'make profile && rooflog ingest out'",
		     "rooflog bisect --good v1.2 --bad HEAD",
		     "git bisect run rooflog bisect --run-step attention"},
	.options = rows,
	.arguments = {{"SERIES", ARGUMENT(struct bisect_options, series)}},
	.options_size = sizeof(struct bisect_options),
	.check = check,
	.run = bisect,
	.error_status = error_status,
	.statuses = "1 With --next: nothing is left to measure. With --run-step: bad.\n"

		    "125 With --run-step: unclear.\n"
		    "128 With --run-step: an error.",
	.sections = "bisect alias",
	.documents = "bisect",
	.see_also = "gate log verdicts",
};
