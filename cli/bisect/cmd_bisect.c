/*
 * rooflog bisect: which commit made a series worse, and what to measure to know it.
 *
 * Three ways to use it: a report; --next, the commit to measure next, for a loop; and
 * --run-step, the answer about the commit that is checked out, for `git bisect run`.
 */

#include "cli/bisect/bisect.h"
#include "cli/command.h"
#include "render/bisect/bisect.h"

/* Exit statuses of --run-step, as `git bisect run` defines them. */
enum { STEP_GOOD = 0, STEP_BAD = 1, STEP_SKIP = 125, STEP_ABORT = 128 };

struct bisect_options {
	struct bisect_request request;
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
		 bisect_command_sessions_of(cli, &c->change, head, &commit, NULL, err) < 0)
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

static void tell_unknown(const struct cli *cli, const struct bisect_case *c,
			 const struct bisect_step *step)
{
	if (step->sessions == 0)
		cli_note(cli, "%.10s has no data of %s: measure and ingest it first", step->oid,
			 c->name);
	else if (step->stray)
		cli_note(cli,
			 "%.10s is at neither level after %zu sessions: measure it again, or it "
			 "has a change of its own",
			 step->oid, step->sessions);
	else
		cli_note(cli,
			 "%.10s is at the new level with %.1f %% after %zu session%s, too little "
			 "for an error of %g %%: measure it again (%zu are enough for most)",
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
					    "%.10s is %s: %s, at the new level with %.1f %%\n",
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
	tell_unknown(cli, c, &step);
	return STEP_SKIP;
}

/* --- the next commit --- */

static int print_next(struct cli *cli, const struct bisect_case *c, bool json, struct error *err)
{
	const struct revision *best = &c->lineage.items[c->bisect->best].revision;
	if (json && cli_print_json(render_bisect_json(&cli->arena, c), err) < 0)
		return -1;
	if (c->decided) {
		cli_note(cli, "the cause, with %.1f %%: %s  %s",
			 100 * c->bisect->cause[c->bisect->best], best->oid, best->subject);
		return EXIT_REGRESSION;
	}
	if (c->identical) {
		cli_note(cli, "the %s of both ends is the same: no commit between them did this",
			 c->identical == BISECT_SAME_TREE ? "code" : "kernel");
		return EXIT_UNDECIDED;
	}
	assert(c->next == bisect_none || c->next < c->lineage.count);
	if (c->next == bisect_none) {
		cli_note(cli, "undecided: no further measurement would tell more; \"rooflog "
			      "bisect\" shows the most probable causes");
		return EXIT_UNDECIDED;
	}
	if (!json &&
	    cli_print(arena_printf(&cli->arena, "%s\n", c->lineage.items[c->next].revision.oid),
		      err) < 0)
		return -1;
	return EXIT_PASS;
}

/* --- the command --- */

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct bisect_options *o = options;
	(void)cli;
	if (o->next && o->run_step)
		return error_set(err, ERR_USAGE, "--next and --run-step are two ways: choose one");
	return 0;
}

static int bisect(struct cli *cli, void *options, struct error *err)
{
	const struct bisect_options *o = options;
	struct bisect_change change;
	struct bisect_case c;
	const char *why = NULL;
	bool found = false;
	if (bisect_command_find_change(cli, &o->request, &change, &found, &why, err) < 0)
		return -1;
	if (!found && o->run_step)
		return error_set(err, ERR_STORE, "%s", why);
	if (!found) {
		cli_note(cli, "%s", why);
		return EXIT_NO_BASELINE;
	}
	if (bisect_command_load(cli, &o->request, &change, &c, err) < 0)
		return -1;
	if (c.identical && o->run_step)
		return error_set(err, ERR_REVISION,
				 "the %s of both ends is the same: no commit between them did this",
				 c.identical == BISECT_SAME_TREE ? "code" : "kernel");
	if (o->run_step)
		return run_step(cli, &c, o->json, err);
	if (o->next)
		return print_next(cli, &c, o->json, err);
	if ((o->json ? cli_print_json(render_bisect_json(&cli->arena, &c), err)
		     : cli_print_clean(render_bisect_text(&cli->arena, &c, cli_table_width()),
				       err)) < 0)
		return -1;
	return EXIT_PASS;
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
	{FIELD(request.metric), "metric", "KEY",
	 "bisect by this metric (default: time, else rate)"},
	{FIELD(request.good), "good", "REV", "a commit or baseline at the old level; with --bad"},
	{FIELD(request.bad), "bad", "REV", "a commit at the new level; with --good"},
	{FIELD(request.commit), "commit", "REV",
	 "whose history (default: HEAD; while git bisect runs, what was checked out before it)"},
	{FIELD(request.noise), "noise", "R",
	 "noise between commits, as a share (default: what the history shows)", .share = true,
	 .high = 1, .expected = "a share like 1% or 0.01, below 1"},
	{FIELD(request.error), "error", "R",
	 "how often the side of one commit may be told wrong (default: 1%)", .share = true,
	 .high = 0.5, .expected = "a share like 1% or 0.01, below 0.5"},
	{FIELD(next), "next", NULL, "print only the commit to measure next, for a loop"},
	{FIELD(run_step), "run-step", NULL,
	 "judge the commit that is checked out, for git bisect run: status 0 good, 1 bad, 125 "
	 "cannot "
	 "tell, 128 error"},
	{FIELD(json), "json", NULL, "everything as JSON (docs/user/bisect.md)"},
	{.kind = OPTION_END},
};

static const struct bisect_options defaults = {.request = {.noise = NAN, .error = 0.01}};

static const char *const examples[] = {
	"rooflog bisect attention",
	"rooflog bisect --good v1.0 --bad HEAD --next attention",
	"git bisect run rooflog bisect --run-step attention",
	NULL,
};

const struct command command_bisect = {
	.name = "bisect",
	.summary = "find the commit that made a series worse",
	.usage = "[OPTION]... [SERIES]",
	.about =
		"Finds the commits that may have made a series worse, how probable each is, and "
		"which\none to measure next. SERIES is a pattern for the kernel or the name of the "
		"series;\nof several the one with the newest confirmed change is taken. Exit "
		"status: 0 there\nis something to measure, 4 no change was found; with --next also "
		"1 the cause is found,\n3 nothing more would tell.",
	.options = rows,
	.arguments = {{"SERIES", ARGUMENT(struct bisect_options, request.pattern)}},
	.takes = "one pattern of series",
	.examples = examples,
	.options_size = sizeof(struct bisect_options),
	.defaults = &defaults,
	.needs = NEEDS_STORE,
	.check = check,
	.run = bisect,
	.error_status = error_status,
};
