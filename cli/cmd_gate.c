/* rooflog gate: one table, one sentence, one exit status. */
#include "cli/command.h"

#include <string.h>

#include "cli/gate_data.h"
#include "cli/gate_text.h"
#include "cli/render.h"

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

static int print_gate(struct cli *cli, const char *format, const char *output, const char *oid,
		      const struct gate *gate, struct error *err)
{
	struct json *document;
	struct loaded_list runs = {0};
	struct run_query query = {.commit = oid};
	if (strcmp(format, "text") == 0) {
		struct strbuf sb = {0};
		cli_clean(&sb, span_of(gate_text(cli, gate)));
		int rc = cli_output(output, strbuf_span(&sb), err);
		strbuf_free(&sb);
		return rc;
	}
	if (cli_load_runs(cli, &query, &runs, err) < 0)
		return -1;
	loaded_median_per_series(cli, &runs);
	const char *title = arena_printf(&cli->arena, "Performance of %.10s", oid);
	if (cli_document(cli, &runs, title, gate, &document, err) < 0)
		return -1;
	return cli_render(cli, document, format, NULL, output, err);
}

int cmd_gate(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct gate_request request = {.against = "nearest"};
	const char *format = "text", *output = NULL;
	struct text_list treat = {0};
	bool json = false;
	char oid[65];
	int rest;
	const struct option options[] = {
		{OPTION_TEXT, "against", "WHAT", GATE_AGAINST_HELP, &request.against},
		{OPTION_LIST, "treat", "V=R", "let verdict V (undecided, missing ...) pass or fail",
		 &treat},
		{OPTION_TEXT, "format", "F", "text (default), md, html or json", &format},
		{OPTION_TEXT, "output", "FILE", "write there instead of standard output", &output},
		{OPTION_FLAG, "json", NULL, "the same as --format json", &json},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(
		    cli, "gate", "[OPTION]... [COMMIT]",
		    "Judges every series of COMMIT (default: HEAD) by the record of its commits, "
		    "row\n"
		    "by row of the configuration ([gate]; default: the time).\n"
		    "Exit status: 0 pass; 1 regression, creep or a limit missed; 2 error; 3 "
		    "undecided,\n"
		    "or to be measured again; 4 no baseline; 5 missing or incomparable series;\n"
		    "6 stale data.",
		    options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest > 1)
		return error_set(err, ERR_USAGE, "takes one commit, not %d", rest);
	if (json)
		format = "json";
	struct gate gate = {0};
	request.oid = oid;
	if (parse_treatment(&treat, &request.treatment, err) < 0 ||
	    cli_check_format(format, true, err) < 0 ||
	    cli_resolve_commit(cli, rest ? argv[1] : "HEAD", oid, err) < 0 ||
	    cli_gate(cli, &request, &gate, err) < 0 ||
	    print_gate(cli, format, output, oid, &gate, err) < 0)
		return -1;
	return gate.exit_status;
}
