/* rooflog chart: one chart to one file. */
#include "cli/command.h"

#include <string.h>

#include "cli/render.h"
#include "cli/runs.h"
#include "cli/sweep.h"
#include "render/chart.h"

struct request {
	const char *chart;
	const char *commit, *x; /* or NULL */
	struct run_filter filter;
};

/* The latency chart draws its runs as lines over a size; the others draw each run beside what it
 * is compared with. */
static int load_document(struct cli *cli, const struct request *request, struct json **document,
			 struct error *err)
{
	struct loaded_list runs = {0};
	struct sweep sweep;
	char oid[65];
	struct run_query query = {
		.kernel = request->filter.kernel,
		.variant = request->filter.variant,
		.dtype = request->filter.dtype,
		.device = request->filter.device,
		.commit = oid,
	};
	if (strcmp(request->chart, "latency") == 0) {
		if (cli_sweep(cli, request->commit, &request->filter, request->x, &sweep, err) < 0)
			return -1;
		*document = cli_sweep_document(cli, &sweep);
		return 0;
	}
	if (request->x)
		return error_set(err, ERR_USAGE, "--x is for the latency chart");
	if (cli_select_commit(cli, request->commit, oid, err) < 0 ||
	    cli_load_runs(cli, &query, &runs, err) < 0)
		return -1;
	loaded_median_per_series(cli, &runs);
	if (runs.count == 0)
		return error_set(err, ERR_STORE, "commit %.10s has no stored runs that match", oid);
	return cli_document(cli, &runs, "", NULL, document, err);
}

int cmd_chart(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct request request = {0};
	const char *output = NULL;
	bool dark = false;
	int rest;
	const struct option options[] = {
		RUN_FILTER_OPTIONS(request.filter),
		{OPTION_TEXT, "x", "PARAM",
		 "latency: the size to draw over, where several parameters vary", &request.x},
		{OPTION_TEXT, "output", "FILE", "where to: FILE.svg, FILE.png or FILE.pdf",
		 &output},
		{OPTION_FLAG, "dark", NULL, "for dark backgrounds", &dark},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(
		    cli, "chart", "roofline|occupancy|latency --output FILE [OPTION]... [COMMIT]",
		    "Draws the runs of COMMIT (default: HEAD, or its nearest ancestor with runs).",
		    options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest < 1 || rest > 2)
		return error_set(err, ERR_USAGE,
				 "expected: chart roofline|occupancy|latency --output FILE "
				 "[COMMIT]");
	if (!chart_find(argv[1]))
		return error_set(err, ERR_USAGE,
				 "there is no chart \"%s\"; there are roofline, "
				 "occupancy and latency",
				 argv[1]);
	if (!output)
		return error_set(err, ERR_USAGE, "--output FILE.svg (or .png, .pdf) is missing");
	struct json *document;
	request.chart = argv[1];
	request.commit = rest == 2 ? argv[2] : NULL;
	if (load_document(cli, &request, &document, err) < 0 ||
	    cli_write_chart(cli, argv[1], document, dark, output, err) < 0)
		return -1;
	cli_note(cli, "wrote %s", output);
	return EXIT_PASS;
}
