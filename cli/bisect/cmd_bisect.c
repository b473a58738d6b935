/*
 * rooflog bisect: which commit made a series worse, and what to measure to know it.
 *
 * Three ways to use it: a report; --next, the commit to measure next, for a loop; and
 * --run-step, the answer about the commit that is checked out, for `git bisect run`.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/bisect/bisect.h"
#include "cli/command.h"
#include "render/bisect/bisect.h"

/* What `git bisect run` understands. */
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
	size_t x = lineage_find(&c->lineage, head);
	*step = (struct bisect_step){.oid = arena_strdup(&cli->arena, head), .moved = NAN};
	if (x != lineage_none)
		commit = c->commits[x];
	else if (store_has_revision(cli->store, head) &&
		 bisect_sessions_of(cli, &c->change, head, &commit, NULL, err) < 0)
		return -1;
	step->sessions = commit.session_count;
	step->stray = x != lineage_none && c->bisect->stray[x];
	step->verdict = "unknown";
	if (commit.session_count == 0)
		return 0;
	/* Outside of the range, as a merge base may be, its own measurements are all there is. */
	step->moved = x == lineage_none
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

/* --- options --- */

static int parse_fraction(const char *option, const char *text, double most, double *number,
			  struct error *err)
{
	if (!text)
		return 0;
	if (quantity_parse(span_of(text), UNIT_FRACTION, number) && *number > 0 && *number < most)
		return 0;
	return error_set(err, ERR_USAGE, "--%s %.40s: expected a share like 1%% or 0.01, below %g",
			 option, text, most);
}

static int parse_options(struct cli *cli, int argc, char **argv, struct bisect_options *parsed,
			 struct error *err)
{
	struct bisect_request *request = &parsed->request;
	const char *noise = NULL, *error = NULL;
	int rest;
	const struct option options[] = {
		{OPTION_TEXT, "metric", "KEY", "bisect by this metric (default: time, else rate)",
		 &request->metric},
		{OPTION_TEXT, "good", "REV", "a commit or baseline at the old level; with --bad",
		 &request->good},
		{OPTION_TEXT, "bad", "REV", "a commit at the new level; with --good",
		 &request->bad},
		{OPTION_TEXT, "commit", "REV",
		 "whose history (default: HEAD; while git bisect runs, what was checked out "
		 "before it)",
		 &request->commit},
		{OPTION_TEXT, "noise", "R",
		 "noise between commits, as a share (default: what the history shows)", &noise},
		{OPTION_TEXT, "error", "R",
		 "how often the side of one commit may be told wrong (default: 1%)", &error},
		{OPTION_FLAG, "next", NULL, "print only the commit to measure next, for a loop",
		 &parsed->next},
		{OPTION_FLAG, "run-step", NULL,
		 "judge the commit that is checked out, for git bisect run: status 0 good, 1 bad, "
		 "125 cannot tell, 128 error",
		 &parsed->run_step},
		{OPTION_FLAG, "json", NULL, "everything as JSON (docs/user/bisect.md)",
		 &parsed->json},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(cli, "bisect", "[OPTION]... [SERIES]",
			"Finds the commits that may have made a series worse, how probable each "
			"is, and which\none to measure next. SERIES is a pattern for the kernel or "
			"the name of the series;\nof several the one with the newest confirmed "
			"change is taken. Exit status: 0 there\nis something to measure, 4 no "
			"change was found; with --next also 1 the cause is found,\n3 nothing more "
			"would tell.",
			options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return 0;
	if (rest > 1)
		return error_set(err, ERR_USAGE, "takes one pattern of series, not %d", rest);
	if (parsed->next && parsed->run_step)
		return error_set(err, ERR_USAGE, "--next and --run-step are two ways: choose one");
	request->pattern = rest ? argv[1] : NULL;
	return parse_fraction("noise", noise, 1, &request->noise, err) < 0 ||
			       parse_fraction("error", error, 0.5, &request->error, err) < 0
		       ? -1
		       : 0;
}

static int bisect(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct bisect_options options = {.request = {.noise = NAN, .error = 0.01}};
	struct bisect_change change;
	struct bisect_case c;
	const char *why = NULL;
	bool found = false;
	if (parse_options(cli, argc, argv, &options, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (bisect_find_change(cli, &options.request, &change, &found, &why, err) < 0)
		return -1;
	if (!found && options.run_step)
		return error_set(err, ERR_STORE, "%s", why);
	if (!found) {
		cli_note(cli, "%s", why);
		return EXIT_NO_BASELINE;
	}
	if (bisect_load(cli, &options.request, &change, &c, err) < 0)
		return -1;
	if (c.identical && options.run_step)
		return error_set(err, ERR_REVISION,
				 "the %s of both ends is the same: no commit between them did this",
				 c.identical == BISECT_SAME_TREE ? "code" : "kernel");
	if (options.run_step)
		return run_step(cli, &c, options.json, err);
	if (options.next)
		return print_next(cli, &c, options.json, err);
	if ((options.json ? cli_print_json(render_bisect_json(&cli->arena, &c), err)
			  : cli_print_clean(render_bisect_text(&cli->arena, &c, cli_table_width()),
					    err)) < 0)
		return -1;
	return EXIT_PASS;
}

/* `git bisect run` takes 1 to 127 for "bad": errors have to be above. */
static bool wants_step(int argc, char **argv)
{
	bool wants = false;
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		wants = wants || strcmp(argv[i], "--run-step") == 0;
	return wants;
}

int cmd_bisect(struct cli *cli, int argc, char **argv, struct error *err)
{
	bool step = wants_step(argc, argv);
	int status = bisect(cli, argc, argv, err);
	if (status >= 0 || !step)
		return status;
	cli->quiet = false; /* an error is told in any case */
	cli_note(cli, "rooflog bisect: %s", err->text);
	return STEP_ABORT;
}
