/* rooflog gate: compares a commit with its baseline and prints a table, a report or an explanation.
 * It only reads the store; it writes the files that options name. */
#include "cli/command.h"

#include "base/text/text.h"
#include "cli/gate/gate.h"
#include "cli/runs/words/words.h"
#include "cli/output/output.h"
#include "render/gate/gate.h"
#include "render/markup/markup.h"

/* Values of --treat: "undecided=pass", "missing=fail". */
static int parse_treatment(const struct text_list *list, struct gate_treatment *treatment,
			   struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		struct span rest = span_of(list->items[i]);
		enum verdict verdict = verdict_find(span_cut(&rest, '='));
		bool pass = span_is(rest, "pass");
		if (verdict == VERDICT_LIMIT || !gate_is_treatable(verdict) ||
		    !(pass || span_is(rest, "fail")))
			return error_set(
				err, ERR_USAGE,
				"--treat %s: expected undecided, suspect, unproven, environment, "
				"creep, impossible, missing, incomparable, no-baseline, stale or "
				"new, then =pass or =fail",
				list->items[i]);
		treatment->treat[verdict] = pass ? TREAT_PASS : TREAT_FAIL;
	}
	return 0;
}

static int parse_fail_on(struct cli *cli, const char *text, struct policy_fail_on *list,
			 struct error *err)
{
	if (!text || gate_fail_on_parse(text, list))
		return 0;
	return error_set(err, ERR_USAGE, "--fail-on %.80s: expected a list of %s",
			 text[0] ? text : "''", gate_fail_on_known(&cli->arena));
}

struct gate_output {
	const char *format, *path;
	bool explain; /* what the filter selects, in place of the table */
	struct run_filter *filter;
	const char *rerun;    /* file for the list of series to measure again; NULL: no list */
	const char *selftest; /* the planted slowdown, "" for the default; NULL: no self-test */
	/* What check() makes of the texts: */
	double share;         /* the planted slowdown */
	struct output report; /* of --format and --output, unless the format is "text" */
	struct output reports[text_list_limit]; /* of each --write */
	size_t report_count;
	struct publication publication;
};

static bool is_standard(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

static int print_text(const struct cli *cli, const struct gate_output *output, const char *text,
		      struct error *err)
{
	struct strbuf sb = {0};
	if (is_standard(output->path))
		return cli_print_clean(text, err);
	terminal_text_lines(&sb, span_of(text));
	return cli_output(cli, output->path, &sb, err);
}

static bool wants(const void *filter, const struct run *run)
{
	return runs_filter_wants(filter, run);
}

static int print_explained(struct cli *cli, const struct gate_output *output,
			   const struct gate_result *gate, struct error *err)
{
	/* By the names that the configuration of this gate gives. */
	if (runs_prepare_filter(cli, output->filter, err) < 0)
		return -1;
	struct json *document = render_gate_explain(&cli->arena, gate, wants, output->filter);
	if (!document)
		return runs_none(cli, output->filter, gate->input->candidate.oid, err);
	if (strcmp(output->format, "json") == 0)
		return cli_output_json(cli, output->path, document, err);
	return print_text(cli, output, render_gate_explain_text(&cli->arena, document), err);
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

/* Returns the exit status of the self-test, not that of the gate. */
static int print_selftest(struct cli *cli, const struct gate_output *output,
			  const struct gate_result *gate, struct error *err)
{
	struct gate_selftest_plan plan = gate_selftest_plan(&cli->arena, gate, output->share);
	gate_command_load_older(cli, &plan.needed);
	struct gate_selftest test = gate_selftest_run(&cli->arena, &plan);
	const struct json *document = render_gate_selftest(&cli->arena, &test);
	int rc = strcmp(output->format, "json") == 0
			 ? cli_output_json(cli, output->path, document, err)
			 : print_text(cli, output,
				      render_gate_selftest_text(&cli->arena, document,
								cli_table_width()),
				      err);
	return rc < 0 ? -1 : (int)test.status;
}

static int print_gate(struct cli *cli, const struct gate_output *output,
		      const struct gate_result *gate, struct error *err)
{
	struct output_subject subject = {.oid = gate->input->candidate.oid,
					 .gate = gate,
					 .publication = output->publication};
	if (strcmp(output->format, "text") == 0)
		return print_text(
			cli, output,
			render_gate_text(&cli->arena, gate, cli_table_width(), cli_utf8()), err);
	if (output->report.exporter)
		output_warn_of_configuration(cli, gate);
	return output_write(cli, &subject, &output->report, err);
}

/* A value of --write: "junit=results.xml". */
static int parse_write(struct arena *arena, const char *text, struct output *output,
		       struct error *err)
{
	const char *name, *path;
	if (output_split(arena, text, &name, &path, err) < 0)
		return -1;
	return output_named(name, path, &report_kinds[0], output, err);
}

static int write_reports(struct cli *cli, const struct gate_output *all,
			 const struct gate_result *gate, struct error *err)
{
	struct json *bare = NULL;
	struct output_subject subject = {.oid = gate->input->candidate.oid,
					 .gate = gate,
					 .publication = all->publication,
					 .bare = &bare};
	for (size_t i = 0; i < all->report_count; i++)
		if (output_write(cli, &subject, &all->reports[i], err) < 0)
			return -1;
	return 0;
}

/* Removes what a commit brought in the place of any output, also where another output is refused.
 */
static int remove_brought(struct cli *cli, const struct gate_output *all, struct error *err)
{
	const char *paths[text_list_limit + 2] = {all->path, all->rerun};
	struct error later;
	int rc = 0;
	for (size_t i = 0; i < all->report_count; i++)
		paths[i + 2] = all->reports[i].path;
	for (size_t i = 0; i < all->report_count + 2; i++)
		if (output_remove_brought(cli, paths[i], rc < 0 ? &later : err) < 0)
			rc = -1;
	return rc;
}

/* Refuses invalid names and files that are named twice, before anything is loaded. */
static int check_files(struct cli *cli, const struct text_list *writes, struct gate_output *all,
		       struct error *err)
{
	struct targets targets = {.count = 0};
	for (size_t i = 0; i < writes->count; i++)
		if (parse_write(&cli->arena, writes->items[i], &all->reports[all->report_count++],
				err) < 0)
			return -1;
	if (remove_brought(cli, all, err) < 0 ||
	    output_files_add(cli, &targets, "--output", all->path, err) < 0 ||
	    output_files_add(cli, &targets, "--rerun-list", all->rerun, err) < 0)
		return -1;
	for (size_t i = 0; i < writes->count; i++) {
		const char *what = arena_printf(&cli->arena, "--write %s", writes->items[i]);
		if (output_files_add(cli, &targets, what, all->reports[i].path, err) < 0)
			return -1;
	}
	return 0;
}

/* Nothing is written if the list of series to measure again cannot be made. */
static int write_files(struct cli *cli, const struct gate_output *output,
		       const struct gate_result *gate, struct error *err)
{
	struct strbuf list = {0};
	if ((output->rerun && render_gate_rerun_list(&cli->arena, gate, &list, err) < 0) ||
	    write_reports(cli, output, gate, err) < 0) {
		strbuf_free(&list);
		return -1;
	}
	return output->rerun ? cli_output(cli, output->rerun, &list, err) : 0;
}

/* A list of series to measure again on standard output replaces the table. */
static int print_all(struct cli *cli, const struct gate_output *output,
		     const struct gate_result *gate, struct error *err)
{
	if (write_files(cli, output, gate, err) < 0)
		return -1;
	if (output->rerun && is_standard(output->rerun) && is_standard(output->path)) {
		output_warn_of_configuration(cli, gate);
		return 0;
	}
	if (output->explain)
		return print_explained(cli, output, gate, err);
	return print_gate(cli, output, gate, err);
}

/* Explanations and self-tests are available as text and JSON only. */
static int check_output(const struct text_list *writes, struct gate_output *output,
			struct error *err)
{
	bool plain = strcmp(output->format, "text") == 0 || strcmp(output->format, "json") == 0;
	if (strcmp(output->format, "text") != 0 &&
	    output_named(output->format, output->path, &report_kinds[0], &output->report, err) < 0)
		return -1;
	if ((output->explain || output->selftest) && !plain)
		return error_set(err, ERR_USAGE, "--%s prints text or json, not %s",
				 output->explain ? "explain" : "selftest", output->format);
	if (output->selftest && (output->explain || output->rerun || writes->count))
		return error_set(err, ERR_USAGE,
				 "--selftest is about slowdowns that are not there: use it without "
				 "--explain, --rerun-list and --write");
	if (output->selftest && parse_share(output->selftest, &output->share, err) < 0)
		return -1;
	if (output->rerun && is_standard(output->rerun) && is_standard(output->path) &&
	    (output->explain || strcmp(output->format, "text") != 0))
		return error_set(err, ERR_USAGE,
				 "--rerun-list - and the %s both go to standard output: give one "
				 "of them a file",
				 output->explain ? "explanation" : output->format);
	return 0;
}

struct gate_options {
	struct gate_request request;
	struct run_filter filter;
	struct text_list treat, writes;
	const char *fail_on;
	struct gate_output output;
	bool json;
	struct arguments given;
};

static const struct words_rules rules = {
	.command = "gate",
	.kinds = WORD_COMMIT | WORD_SERIES,
	.does = "gate judges stored runs",
	.judges = true,
};

static int check(struct cli *cli, void *options, struct error *err)
{
	struct gate_options *o = options;
	if (o->json)
		o->output.format = "json";
	if (parse_treatment(&o->treat, &o->request.treatment, err) < 0 ||
	    parse_fail_on(cli, o->fail_on, &o->request.fail_on, err) < 0 ||
	    check_output(&o->writes, &o->output, err) < 0 ||
	    output_check_publication(&o->output.publication, err) < 0)
		return -1;
	return check_files(cli, &o->writes, &o->output, err);
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
	if (words_begin(cli, &rules, &o->given, &words, err) < 0 ||
	    words_resolve(cli, &rules, &words, &o->filter, err) < 0)
		return -1;
	const char *commit = words_commit(&words);
	if (runs_resolve_commit(cli, commit ? commit : "HEAD", oid, err) < 0)
		return -1;
	/* The gate reads each page of the store about once, so a large page cache would only cost
	 * time. */
	store_read_once(cli->store);
	if (gate_command_run(cli, &o->request, &gate, err) < 0)
		return -1;
	if (o->output.selftest)
		return print_selftest(cli, &o->output, &gate, err);
	if (print_all(cli, &o->output, &gate, err) < 0)
		return -1;
	return (int)gate.exit_status;
}

#define FIELD(member) OPTION_FIELD(struct gate_options, member)
static const struct option rows[] = {
	{FIELD(request.against), "against", "WHAT", GATE_AGAINST_HELP},
	{OPTION_GROUP(struct gate_options, filter, run_filter_options)},
	{FIELD(fail_on), "fail-on", "LIST",
	 "what fails: regression, missing, suspect, unproven, undecided, environment, "
	 "no-baseline, stale, or none"},
	{FIELD(request.fine_status), "exit-code", NULL,
	 "end with a number for each kind of failure: 1, 3, 4, 5 or 6"},
	{FIELD(treat), "treat", "V=R", "let verdict V (undecided, missing ...) pass or fail"},
	{FIELD(output.format), "format", "F",
	 "text (default), md, html, json, or a kind or format that \"rooflog report --help\" "
	 "lists"},
	{FIELD(output.path), "output", "FILE", "write there instead of standard output",
	 .letter = 'o'},
	{FIELD(writes), "write", "NAME=FILE",
	 "write a report as well, before the exit status is chosen: summary=night.md"},
	{FIELD(output.explain), "explain", NULL,
	 "print every number behind the verdicts of SERIES, or of all series"},
	{FIELD(output.rerun), "rerun-list", "FILE",
	 "write what to measure again, a JSON object a line; - is standard output"},
	{FIELD(output.selftest), "selftest", "PERCENT",
	 "plant a slowdown (25 %) into each series; show which would be seen", .maybe = true},
	{FIELD(json), "json", NULL, "the same as --format json"},
	{OPTION_GROUP(struct gate_options, request.trust, trust_option_rows)},
	{OPTION_GROUP(struct gate_options, output.publication, publication_options)},
	{.kind = OPTION_END},
};

static const struct gate_options defaults = {.request = {.against = "nearest"},
					     .output = {.format = "text"}};

const struct command command_gate = {
	.name = "gate",
	.group = GROUP_EVERY_DAY,
	.summary = "judge a commit by its history; fail on regressions",
	.usage = "[COMMIT] [SERIES] [OPTION]...",
	.about = "Judges every series of COMMIT (default: HEAD) by the record of its commits, row\n"
		 "by row of the configuration ([gate]; default: the time).\n"
		 "Exit status: 0 pass; 1 something fails that --fail-on lists (default: "
		 "regression,\n"
		 "missing, suspect, unproven, environment; with --against window regression,\n"
		 "missing); 2 error; with --exit-code 3 undecided, or to be measured again;\n"
		 "4 no baseline; 5 missing or incomparable series, or an impossible time; 6 stale\n"
		 "data.",
	.options = rows,
	.arguments = {{"COMMIT | SERIES", ARGUMENT(struct gate_options, given)}},
	.examples = {"rooflog gate",
		     "rooflog gate --against merge-base --fail-on regression,missing --write "
		     "comment=comment.md",
		     "rooflog gate --explain attention s=512"},
	.options_size = sizeof(struct gate_options),
	.defaults = &defaults,
	.needs = NEEDS_STORE,
	.check = check,
	.run = gate_commit,
};
