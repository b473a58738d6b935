/* rooflog chart: one chart to one file. */
#include "cli/command.h"

#include "cli/render.h"
#include "cli/runs.h"
#include "render/chart.h"

int cmd_chart(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct run_filter filter = {0};
	const char *output = NULL;
	bool dark = false;
	char oid[65];
	int rest;
	const struct option options[] = {
		RUN_FILTER_OPTIONS(filter),
		{OPTION_TEXT, "output", "FILE", "where to: FILE.svg, FILE.png or FILE.pdf",
		 &output},
		{OPTION_FLAG, "dark", NULL, "for dark backgrounds", &dark},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(
		    cli, "chart", "roofline|occupancy --output FILE [OPTION]... [COMMIT]",
		    "Draws the runs of COMMIT (default: HEAD, or its nearest ancestor with runs).",
		    options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest < 1 || rest > 2)
		return error_set(err, ERR_USAGE,
				 "expected: chart roofline|occupancy --output FILE "
				 "[COMMIT]");
	if (!chart_find(argv[1]))
		return error_set(err, ERR_USAGE,
				 "there is no chart \"%s\"; there are roofline and "
				 "occupancy",
				 argv[1]);
	if (!output)
		return error_set(err, ERR_USAGE, "--output FILE.svg (or .png, .pdf) is missing");
	struct loaded_list runs = {0};
	struct run_query query = {
		.kernel = filter.kernel,
		.variant = filter.variant,
		.dtype = filter.dtype,
		.device = filter.device,
		.commit = oid,
	};
	struct json *document;
	if (cli_select_commit(cli, rest == 2 ? argv[2] : NULL, oid, err) < 0 ||
	    cli_load_runs(cli, &query, &runs, err) < 0)
		return -1;
	loaded_median_per_series(cli, &runs);
	if (runs.count == 0)
		return error_set(err, ERR_STORE, "commit %.10s has no stored runs that match", oid);
	if (cli_document(cli, &runs, "", NULL, &document, err) < 0 ||
	    cli_write_chart(cli, argv[1], document, dark, output, err) < 0)
		return -1;
	cli_note(cli, "wrote %s", output);
	return EXIT_PASS;
}
