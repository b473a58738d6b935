/* rooflog gate: compares a commit with its baseline and prints a table, a report or an explanation.
 * It only reads the store; it writes the files that options name. */
#include "cli/command.h"

#include "base/text/text.h"
#include "cli/gate/internal.h"
#include "cli/runs/words/words.h"
#include "cli/output/output.h"
#include "render/gate/gate.h"
#include "render/markup/markup.h"

/* The classes of what tables call slower or unclear, and of words that are almost known. */
static const char *fail_on_hint(struct arena *arena, const char *text)
{
	static const struct {
		const char *word, *means;
	} verdicts[] = {{"slower", "regression"},
			{"worse", "regression"},
			{"limit", "failed"},
			{"unclear", "suspect,undecided"},
			{"unconfirmed", "suspect"}};
	for (struct span rest = span_of(text), word; rest.ptr;) {
		struct policy_fail_on ignored;
		word = span_trim(span_cut(&rest, ','));
		if (gate_fail_on_parse(arena_strndup(arena, word.ptr, word.len), &ignored))
			continue;
		for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
			if (span_is(word, verdicts[i].word))
				return arena_printf(arena, "\nhint: '%s' is %s here",
						    verdicts[i].word, verdicts[i].means);
		struct similar similar = similar_to(word);
		struct strbuf hint = {0};
		struct span known = span_of(gate_fail_on_known(arena));
		while (known.ptr) {
			struct span one = span_trim(span_cut(&known, ','));
			similar_offer(&similar, arena_strndup(arena, one.ptr, one.len));
		}
		similar_hint(&similar, &hint);
		return strbuf_into(&hint, arena);
	}
	return "";
}

static int parse_fail_on(struct cli *cli, const char *text, struct policy_fail_on *list,
			 struct error *err)
{
	if (!text || gate_fail_on_parse(text, list))
		return 0;
	return error_set(err, ERR_USAGE, "--fail-on %.80s: expected a list of %s%s",
			 text[0] ? text : "''", gate_fail_on_known(&cli->arena),
			 fail_on_hint(&cli->arena, text));
}

struct gate_output {
	struct output_wish wish;
	bool explain; /* what the filter selects, in place of the table */
	struct run_filter *filter;
	const char *selftest; /* the planted slowdown, "" for the default; NULL: no self-test */
	/* What check() makes of the texts: */
	double share; /* the planted slowdown */
	struct output_list all;
};

/* The gate's own document: the table, an explanation or a self-test. */
static bool is_own(const struct output *output)
{
	return output->format &&
	       (strcmp(output->name, "text") == 0 || strcmp(output->name, "json") == 0);
}

static bool wants(const void *filter, const struct run *run)
{
	return runs_filter_wants(filter, run);
}

static int print_explained(struct cli *cli, const struct gate_output *all,
			   const struct output *output, const struct gate_result *gate,
			   struct error *err)
{
	/* By the names that the configuration of this gate gives. */
	if (runs_prepare_filter(cli, all->filter, err) < 0)
		return -1;
	bool people = strcmp(output->format, "text") == 0;
	output_speak(cli, people);
	struct json *document = render_gate_explain(&cli->arena, gate, wants, all->filter);
	const char *text =
		document && people ? render_gate_explain_text(&cli->arena, document) : NULL;
	output_speak(cli, false);
	if (!document)
		return runs_none(cli, all->filter, gate->input->candidate.oid, err);
	if (!people)
		return cli_output_json(cli, output->path, document, err);
	if (cli_is_standard_output(output->path))
		cli_page(cli);
	return output_text(cli, output, text, err);
}

/* "25 %" and "0.25" both mean 0.25; an empty text is the default of 25 %. */
static int parse_share(const char *text, double *share, struct error *err)
{
	*share = 0.25;
	if (!text[0])
		return 0;
	if (!quantity_parse(span_of(text), UNIT_FRACTION, share) || !(*share > 0) || *share > 100)
		return error_set(err, ERR_USAGE,
				 "--selftest=%.40s: expected a slowdown such as 25 %%", text);
	if (*share >= 1 && !strchr(text, '%'))
		return error_set(err, ERR_USAGE, "--selftest=%.40s: write 25 %% or 0.25, not 25",
				 text);
	return 0;
}

static int print_selftest(struct cli *cli, void *context, const struct output *output,
			  struct error *err)
{
	bool people = strcmp(output->format, "json") != 0;
	output_speak(cli, people);
	const struct json *document = render_gate_selftest(&cli->arena, context);
	const char *text =
		people ? render_gate_selftest_text(&cli->arena, document, output_width(output))
		       : NULL;
	output_speak(cli, false);
	return people ? output_text(cli, output, text, err)
		      : cli_output_json(cli, output->path, document, err);
}

/* Returns the exit status of the self-test, not that of the gate. */
static int write_selftest(struct cli *cli, const struct gate_output *all,
			  const struct gate_result *gate, struct error *err)
{
	struct gate_selftest_plan plan = gate_selftest_plan(&cli->arena, gate, all->share);
	gate_command_load_older(cli, &plan.needed);
	struct gate_selftest test = gate_selftest_run(&cli->arena, &plan);
	if (test.status != EXIT_PASS && !gate->input->fine_status)
		test.status = EXIT_REGRESSION;
	return output_write_each(cli, &all->all, print_selftest, &test, err) < 0 ? -1
										 : (int)test.status;
}

static int write_rerun_list(struct cli *cli, const struct output *output,
			    const struct gate_result *gate, struct error *err)
{
	struct strbuf list = {0};
	if (render_gate_rerun_list(&cli->arena, gate, &list, err) == 0)
		return cli_output(cli, output->path, &list, err);
	strbuf_free(&list);
	return -1;
}

struct judged {
	const struct gate_output *all;
	const struct gate_result *gate;
	struct json *bare; /* shared by the outputs */
};

static int print_text(struct cli *cli, const struct judged *judged, const struct output *output,
		      struct error *err)
{
	output_speak(cli, true);
	const char *text =
		render_gate_text(&cli->arena, judged->gate, output_width(output), cli_utf8());
	output_speak(cli, false);
	return output_text(cli, output, text, err);
}

static int write_one(struct cli *cli, void *context, const struct output *output, struct error *err)
{
	struct judged *judged = context;
	const struct gate_result *gate = judged->gate;
	struct output_subject subject = {
		.oid = gate->input->candidate.oid, .gate = gate, .bare = &judged->bare};
	if (cli_is_standard_output(output->path) && !output->format)
		output_warn_of_configuration(cli, gate);
	if (judged->all->explain && is_own(output))
		return print_explained(cli, judged->all, output, gate, err);
	if (output->format && strcmp(output->format, "text") == 0)
		return print_text(cli, judged, output, err);
	return strcmp(output->name, "rerun") == 0 ? write_rerun_list(cli, output, gate, err)
						  : output_write(cli, &subject, output, err);
}

/* Explanations and self-tests are text or JSON, in the place of the table. */
static int check_output(struct gate_output *all, struct error *err)
{
	const char *option = all->explain ? "explain" : all->selftest ? "selftest" : NULL;
	if (all->explain && all->selftest)
		return error_set(err, ERR_USAGE, "--selftest and --explain cannot be combined");
	for (size_t i = 0; option && i < all->all.count; i++) {
		const struct output *output = &all->all.items[i];
		bool form = strcmp(output->name, "md") == 0 || strcmp(output->name, "html") == 0;
		if (!is_own(output) && (all->selftest || form))
			return error_set(err, ERR_USAGE, "--%s writes text or json, not %s", option,
					 output->name);
	}
	return all->selftest ? parse_share(all->selftest, &all->share, err) : 0;
}

struct gate_options {
	struct gate_request request;
	struct run_filter filter;
	const char *fail_on, *rerun; /* rerun: "" without a folder */
	struct gate_output output;
	struct arguments given;
};

static const struct words_rules words_rules = {
	.command = "gate",
	.kinds = WORD_COMMIT | WORD_SERIES,
	.does = "gate judges stored runs",
	.judges = true,
};

static int check(struct cli *cli, void *options, struct error *err)
{
	static const struct output_rules rules = {OUTPUT_GATE, "gate", "text", NULL, true};
	struct gate_options *o = options;
	struct gate_output *output = &o->output;
	if (parse_fail_on(cli, o->fail_on, &o->request.fail_on, err) < 0 ||
	    output_choose(cli, &rules, &output->wish, &output->all, err) < 0 ||
	    check_output(output, err) < 0)
		return -1;
	return output_claim(cli, &output->all, err);
}

/* Measures what is suspect again, and judges with it. */
static int judge_again(struct cli *cli, const struct gate_options *o, struct gate_result *gate,
		       struct error *err)
{
	const struct gate_rerun_request request = {o->request.against,
						   o->rerun[0] ? o->rerun : NULL};
	int rc = gate_command_rerun(cli, &request, gate, err);
	if (rc <= 0)
		return rc;
	store_read_once(cli->store);
	*gate = (struct gate_result){0};
	return gate_command_run(cli, &o->request, gate, err);
}

static int gate_commit(struct cli *cli, void *options, struct error *err)
{
	struct gate_options *o = options;
	struct gate_result gate = {0};
	struct words words;
	char oid[65];
	o->request.oid = oid;
	o->request.why = !o->output.selftest;
	o->request.every_number = o->output.explain;
	o->output.filter = &o->filter;
	/* All is judged as without --explain, so that the verdicts are the same. */
	o->request.filter = o->output.explain ? NULL : &o->filter;
	if (words_begin(cli, &words_rules, &o->given, &words, err) < 0 ||
	    words_resolve(cli, &words_rules, &words, &o->filter, err) < 0)
		return -1;
	const char *commit = words_commit(&words);
	if (runs_resolve_commit(cli, commit ? commit : "HEAD", oid, err) < 0)
		return -1;
	/* The gate reads each page of the store about once, so a large page cache would only cost
	 * time. */
	store_read_once(cli->store);
	if (gate_command_run(cli, &o->request, &gate, err) < 0 ||
	    (o->rerun && judge_again(cli, o, &gate, err) < 0))
		return -1;
	if (o->output.selftest)
		return write_selftest(cli, &o->output, &gate, err);
	struct judged judged = {&o->output, &gate, NULL};
	if (output_write_each(cli, &o->output.all, write_one, &judged, err) < 0)
		return -1;
	return (int)gate.exit_status;
}

#define FIELD(member) OPTION_FIELD(struct gate_options, member)
static const struct option rows[] = {
	{.kind = OPTION_TITLE, .help = "Judging"},
	{FIELD(request.against), "against", "WHAT",
	 "nearest (ancestor with runs, default), merge-base, merge-base:BRANCH, window (last 30 "
	 "measured commits), best, a baseline or a commit"},
	{FIELD(rerun), "rerun", "FOLDER",
	 "measure suspects again with the command of [gate] rerun, ingest FOLDER if it is given, "
	 "then "
	 "judge",
	 .maybe = true},
	{OPTION_GROUP(struct gate_options, request.trust, trust_option_rows)},
	{.kind = OPTION_TITLE, .help = "Exit status"},
	{FIELD(fail_on), "fail-on", "LIST",
	 "exit with 1 on any of these (default: regression, missing, suspect, unproven, "
	 "environment; with --against window regression, missing). Also: undecided, no-baseline, "
	 "stale, a single verdict, default, any, none"},
	{FIELD(request.fine_status), "exit-code", NULL,
	 "give each class its own status (3 undecided, 4 no baseline, 5 missing, 6 stale)"},
	{.kind = OPTION_TITLE, .help = "Output"},
	{OPTION_GROUP(struct gate_options, output.wish, output_option_rows)},
	{FIELD(output.explain), "explain", NULL, "print every number of the verdicts"},
	{FIELD(output.selftest), "selftest", "PERCENT",
	 "plant a slowdown (default: 25 %) in each series and report which ones the gate would "
	 "catch",
	 .maybe = true},
	{OPTION_GROUP(struct gate_options, filter, run_filter_options)},
	{.kind = OPTION_END},
};

static const struct gate_options defaults = {.request = {.against = "nearest"}};

const struct command command_gate = {
	.name = "gate",
	.group = GROUP_EVERY_DAY,
	.summary = "judge a commit by its history; fail on regressions",
	.usage = "[COMMIT] [SERIES] [OPTION]...",
	.about = "Judge every series of COMMIT (default: HEAD) by its baseline history and the\n"
		 "rules in .rooflog/config. Exit with 1 on a regression.",
	.notes =
		"Files are written before the exit status is chosen. 'rooflog list kinds' has all\n"
		"kinds, 'rooflog help exit-status' all verdicts.",
	.examples = {"rooflog gate                                      is this commit slower?",
		     "rooflog gate --against merge-base --rerun -o comment=comment.md",
		     "rooflog gate --against window -o nightly=night.html",
		     "rooflog gate --explain attention s=512            show the statistics"},
	.options = rows,
	.arguments = {{"COMMIT | SERIES", ARGUMENT(struct gate_options, given)}},
	.options_size = sizeof(struct gate_options),
	.defaults = &defaults,
	.needs = NEEDS_STORE,
	.check = check,
	.run = gate_commit,
	.statuses = "1 Something in --fail-on happened, or with --selftest a planted slowdown "
		    "would be missed.\n"
		    "3 Undecided, with --exit-code.\n"
		    "4 No baseline, with --exit-code.\n"
		    "5 Missing, with --exit-code.\n"
		    "6 Stale, with --exit-code.",
	.sections = "rule gate project alias device work scenario epoch",
	.documents = "report explanation selftest",
	.see_also = "compare accept baseline calibrate verdicts config",
};
