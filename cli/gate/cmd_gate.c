/* rooflog gate: one table, one sentence, one exit status. */
#include "cli/command.h"

#include <string.h>

#include "base/text/quantity.h"
#include "cli/gate/data.h"
#include "cli/output/report_kinds.h"
#include "cli/output/output_files.h"
#include "render/gate/gate.h"
#include "render/markup/escape.h"

/* "undecided=pass", "missing=fail" ... */
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
				"--treat %s: expected undecided, suspect, environment, creep, "
				"missing, incomparable, no-baseline, stale or new, then "
				"=pass or =fail",
				list->items[i]);
		treatment->treat[verdict] = pass ? TREAT_PASS : TREAT_FAIL;
	}
	return 0;
}

struct gate_output {
	const char *format, *path;
	const char *explain;  /* series; NULL: all, as a table */
	const char *rerun;    /* where the list of what to measure again goes; NULL: nowhere */
	const char *selftest; /* how much is planted, "" the usual; NULL: nothing */
	const struct text_list *writes; /* NAME=FILE */
	struct report_place place;
};

static bool is_standard(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

static int print_text(const struct gate_output *output, const char *text, struct error *err)
{
	struct strbuf sb = {0};
	if (is_standard(output->path))
		return cli_print_clean(text, err);
	terminal_text_lines(&sb, span_of(text));
	int rc = cli_output(output->path, strbuf_span(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static int print_json(const struct gate_output *output, const struct json *document,
		      struct error *err)
{
	struct strbuf sb = {0};
	json_write(&sb, document, false);
	strbuf_addch(&sb, '\n');
	int rc = cli_output(output->path, strbuf_span(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static int print_explained(struct cli *cli, const struct gate_output *output,
			   const struct gate_result *gate, struct error *err)
{
	struct json *document = render_gate_explain(&cli->arena, gate, output->explain, err);
	if (!document)
		return -1;
	if (strcmp(output->format, "json") == 0)
		return print_json(output, document, err);
	return print_text(output, render_gate_explain_text(&cli->arena, document), err);
}

/* "25 %", "0.25" -> 0.25; an empty text is the default. */
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

/* The self-test has an exit status of its own. */
static int print_selftest(struct cli *cli, const struct gate_output *output,
			  const struct gate_result *gate, struct error *err)
{
	double share;
	if (parse_share(output->selftest, &share, err) < 0)
		return -1;
	struct gate_selftest_plan plan = gate_selftest_plan(&cli->arena, gate, share);
	gate_load_older(cli, gate->input, &plan.needed);
	struct gate_selftest test = gate_selftest_run(&cli->arena, &plan);
	const struct json *document = render_gate_selftest(&cli->arena, &test);
	int rc = strcmp(output->format, "json") == 0
			 ? print_json(output, document, err)
			 : print_text(output,
				      render_gate_selftest_text(&cli->arena, document,
								cli_table_width()),
				      err);
	return rc < 0 ? -1 : (int)test.status;
}

static int print_gate(struct cli *cli, const struct gate_output *output,
		      const struct gate_result *gate, struct error *err)
{
	struct output report;
	struct output_subject subject = {
		.oid = gate->input->candidate.oid, .gate = gate, .place = output->place};
	if (strcmp(output->format, "text") == 0)
		return print_text(
			output, render_gate_text(&cli->arena, gate, cli_table_width(), cli_utf8()),
			err);
	if (output_named(output->format, output->path, &report_kinds[0], &report, err) < 0)
		return -1;
	return output_write(cli, &subject, &report, err);
}

/* "junit=results.xml" */
static int parse_write(struct arena *arena, const char *text, struct output *output,
		       struct error *err)
{
	struct span rest = span_of(text), name = span_cut(&rest, '=');
	if (!name.len || !rest.len)
		return error_set(err, ERR_USAGE, "--write %s: expected NAME=FILE", text);
	return output_named(arena_strndup(arena, name.ptr, name.len), rest.ptr, &report_kinds[0],
			    output, err);
}

static int write_reports(struct cli *cli, const struct gate_output *all,
			 const struct gate_result *gate, struct error *err)
{
	struct json *bare = NULL;
	struct output_subject subject = {.oid = gate->input->candidate.oid,
					 .gate = gate,
					 .place = all->place,
					 .bare = &bare};
	for (size_t i = 0; i < all->writes->count; i++) {
		struct output output;
		if (parse_write(&cli->arena, all->writes->items[i], &output, err) < 0 ||
		    output_write(cli, &subject, &output, err) < 0)
			return -1;
	}
	return 0;
}

/* A name that is none, and a file that is named twice, are told before anything is measured by
 * them. */
static int check_files(struct cli *cli, const struct gate_output *all, struct error *err)
{
	struct targets targets = {.count = 0};
	struct output output;
	if (targets_add(cli, &targets, "--output", all->path, err) < 0 ||
	    targets_add(cli, &targets, "--rerun-list", all->rerun, err) < 0)
		return -1;
	for (size_t i = 0; i < all->writes->count; i++) {
		const char *what = arena_printf(&cli->arena, "--write %s", all->writes->items[i]);
		if (parse_write(&cli->arena, all->writes->items[i], &output, err) < 0 ||
		    targets_add(cli, &targets, what, output.path, err) < 0)
			return -1;
	}
	return 0;
}

static int write_reruns(struct cli *cli, const struct gate_output *output,
			const struct gate_result *gate, struct error *err)
{
	struct strbuf list = {0};
	int rc = render_gate_rerun_list(&cli->arena, gate, &list, err);
	if (rc == 0)
		rc = cli_output(output->rerun, strbuf_span(&list), err);
	strbuf_free(&list);
	return rc;
}

/* The list on standard output takes the place of the table. */
static int print_all(struct cli *cli, const struct gate_output *output,
		     const struct gate_result *gate, struct error *err)
{
	if (write_reports(cli, output, gate, err) < 0 ||
	    (output->rerun && write_reruns(cli, output, gate, err) < 0))
		return -1;
	if (output->rerun && is_standard(output->rerun) && is_standard(output->path))
		return 0;
	if (output->explain)
		return print_explained(cli, output, gate, err);
	return print_gate(cli, output, gate, err);
}

/* What is neither a table nor a report has no Markdown and no HTML. */
static int check_output(const struct gate_output *output, struct error *err)
{
	bool plain = strcmp(output->format, "text") == 0 || strcmp(output->format, "json") == 0;
	double share;
	struct output named;
	if (strcmp(output->format, "text") != 0 &&
	    output_named(output->format, output->path, &report_kinds[0], &named, err) < 0)
		return -1;
	if ((output->explain || output->selftest) && !plain)
		return error_set(err, ERR_USAGE, "--%s prints text or json, not %s",
				 output->explain ? "explain" : "selftest", output->format);
	if (output->selftest && (output->explain || output->rerun || output->writes->count))
		return error_set(err, ERR_USAGE,
				 "--selftest is about slowdowns that are not there: use it without "
				 "--explain, --rerun-list and --write");
	if (output->selftest && parse_share(output->selftest, &share, err) < 0)
		return -1;
	if (output->rerun && is_standard(output->rerun) && is_standard(output->path) &&
	    (output->explain || strcmp(output->format, "text") != 0))
		return error_set(err, ERR_USAGE,
				 "--rerun-list - and the %s both go to standard output: give one "
				 "of them a file",
				 output->explain ? "explanation" : output->format);
	return 0;
}

static const char about[] =
	"Judges every series of COMMIT (default: HEAD) by the record of its commits, row\n"
	"by row of the configuration ([gate]; default: the time).\n"
	"Exit status: 0 pass; 1 regression, creep or a limit missed; 2 error; 3 undecided,\n"
	"or to be measured again; 4 no baseline; 5 missing or incomparable series;\n"
	"6 stale data.";

int cmd_gate(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct gate_request request = {.against = "nearest"};
	struct text_list treat = {0}, writes = {0};
	struct gate_output output = {.format = "text", .writes = &writes};
	bool json = false;
	char oid[65];
	int rest;
	const struct option options[] = {
		{OPTION_TEXT, "against", "WHAT", GATE_AGAINST_HELP, &request.against},
		{OPTION_LIST, "treat", "V=R", "let verdict V (undecided, missing ...) pass or fail",
		 &treat},
		{OPTION_TEXT, "format", "F",
		 "text (default), md, html, json, or a kind or format that \"rooflog report "
		 "--help\" lists",
		 &output.format},
		{OPTION_TEXT, "output", "FILE", "write there instead of standard output",
		 &output.path},
		{OPTION_LIST, "write", "NAME=FILE",
		 "write a report as well, before the exit status is chosen: summary=night.md",
		 &writes},
		{OPTION_TEXT, "explain", "SERIES",
		 "the numbers behind the verdicts of what is called so; * is anything",
		 &output.explain},
		{OPTION_TEXT, "rerun-list", "FILE",
		 "write what to measure again, a JSON object a line; - is standard output",
		 &output.rerun},
		{OPTION_MAYBE, "selftest", "PERCENT",
		 "plant a slowdown (25 %) into each series and tell which would be seen",
		 &output.selftest},
		{OPTION_FLAG, "json", NULL, "the same as --format json", &json},
		REPORT_PLACE_OPTIONS(output.place),
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(cli, "gate", "[OPTION]... [COMMIT]", about, options, argc, argv, &rest,
			err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest > 1)
		return error_set(err, ERR_USAGE, "takes one commit, not %d", rest);
	if (json)
		output.format = "json";
	struct gate_result gate = {0};
	request.oid = oid;
	request.every_number = output.explain != NULL;
	if (parse_treatment(&treat, &request.treatment, err) < 0 ||
	    check_output(&output, err) < 0 || output_check_place(&output.place, err) < 0 ||
	    check_files(cli, &output, err) < 0 ||
	    cli_resolve_commit(cli, rest ? argv[1] : "HEAD", oid, err) < 0 ||
	    cli_open_store(cli, STORE_READ, err) < 0)
		return -1;
	store_read_once(cli->store);
	if (cli_gate(cli, &request, &gate, err) < 0)
		return -1;
	if (output.selftest)
		return print_selftest(cli, &output, &gate, err);
	if (print_all(cli, &output, &gate, err) < 0)
		return -1;
	return (int)gate.exit_status;
}
