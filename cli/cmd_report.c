/* rooflog report: the report document of a commit through a template. */
#include "cli/command.h"

#include <string.h>

#include "cli/gate_data.h"
#include "cli/render.h"

/* The gate's result belongs into a report wherever there is something to compare with. */
static int add_gate(struct cli *cli, const char *oid, const struct run_filter *filter,
		    struct gate *gate, bool *compared, struct error *err)
{
	struct gate_request request = {.oid = oid, .against = "nearest", .filter = filter};
	if (cli_gate(cli, &request, gate, err) < 0) {
		if (err->kind != ERR_REVISION)
			return -1;
		/* A history cut short hides the baseline; the runs themselves are there. */
		cli_warn(cli, "%s", err->text);
		return 0;
	}
	*compared = gate->judged > 0;
	return 0;
}

int cmd_report(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct run_filter filter = {0};
	const char *format = "md", *template = NULL, *output = NULL;
	bool json = false;
	char oid[65];
	int rest;
	const struct option options[] = {
		RUN_FILTER_OPTIONS(filter),
		{OPTION_TEXT, "template", "T",
		 "report (default), contract, devlog, or a file of yours", &template},
		{OPTION_TEXT, "format", "F", "md (default), html or json", &format},
		{OPTION_FLAG, "json", NULL, "the same as --format json", &json},
		{OPTION_TEXT, "output", "FILE", "write there, with the charts beside it", &output},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(cli, "report", "[OPTION]... [COMMIT]",
			"Writes a report of COMMIT (default: HEAD, or its nearest ancestor with "
			"runs).\n"
			"Templates are mustache over the document that --format json prints.",
			options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest > 1)
		return error_set(err, ERR_USAGE, "takes one commit, not %d", rest);
	if (json)
		format = "json";
	if (template && strcmp(format, "json") == 0)
		return error_set(err, ERR_USAGE,
				 "--format json is the document itself: it takes no "
				 "--template");
	if (cli_check_format(format, false, err) < 0 ||
	    cli_select_commit(cli, rest ? argv[1] : NULL, oid, err) < 0)
		return -1;
	struct loaded_list runs = {0};
	struct run_query query = {
		.kernel = filter.kernel,
		.variant = filter.variant,
		.dtype = filter.dtype,
		.device = filter.device,
		.commit = oid,
	};
	if (cli_load_runs(cli, &query, &runs, err) < 0)
		return -1;
	loaded_median_per_series(cli, &runs);
	if (runs.count == 0)
		return error_set(err, ERR_STORE, "commit %.10s has no stored runs that match", oid);
	struct gate gate = {0};
	bool compared = false;
	struct json *document;
	if (add_gate(cli, oid, &filter, &gate, &compared, err) < 0)
		return -1;
	const char *title = arena_printf(&cli->arena, "Performance of %.10s", oid);
	if (cli_document(cli, &runs, title, compared ? &gate : NULL, &document, err) < 0 ||
	    cli_render(cli, document, format, template, output, err) < 0)
		return -1;
	return EXIT_PASS;
}
