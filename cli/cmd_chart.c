/* rooflog chart: one chart to one file. */
#include "cli/command.h"

#include <string.h>

#include "cli/buckets.h"
#include "cli/fusion.h"
#include "cli/gate_data.h"
#include "cli/render.h"
#include "cli/runs.h"
#include "cli/sweep.h"
#include "render/chart.h"
#include "render/report.h"

struct request {
	const char *chart;
	struct run_filter filter;
	const char *commit, *x, *k, *sizes; /* or NULL */
};

/* --- what the charts draw --- */

/* Each run beside what it is compared with. */
static int load_runs(struct cli *cli, const struct request *request, struct json **document,
		     struct error *err)
{
	struct loaded_list runs = {0};
	struct run_query query = {
		.kernel = request->filter.kernel,
		.variant = request->filter.variant,
		.dtype = request->filter.dtype,
		.device = request->filter.device,
	};
	if (cli_choose_runs(cli, request->commit, &query, &runs, err) < 0)
		return -1;
	return cli_document(cli, &runs, "", NULL, document, err);
}

static int load_sweep(struct cli *cli, const struct request *request, struct json **document,
		      struct error *err)
{
	struct sweep sweep;
	if (cli_sweep(cli, request->commit, &request->filter, request->x, &sweep, err) < 0)
		return -1;
	*document = cli_sweep_document(cli, &sweep);
	return 0;
}

static int load_fusion(struct cli *cli, const struct request *request, struct json **document,
		       struct error *err)
{
	char oid[65];
	struct fusion_options options = {
		.filter = request->filter, .noise = FUSION_NOISE, .commit = oid};
	if (cli_select_commit(cli, request->commit, oid, err) < 0)
		return -1;
	return fusion_document(cli, &options, document, err);
}

static int load_buckets(struct cli *cli, const struct request *request, struct json **document,
			struct error *err)
{
	struct buckets_options options = {.filter = request->filter,
					  .commit = request->commit,
					  .x = request->x,
					  .k = request->k,
					  .sizes = request->sizes};
	return buckets_document(cli, &options, document, err);
}

/* Of what a gate compares, the worst first. */
static int load_compared(struct cli *cli, const struct request *request, const char *against,
			 struct gate *gate, struct json **document, struct error *err)
{
	char oid[65];
	struct loaded_list none = {0};
	struct gate_request asked = {.oid = oid, .filter = &request->filter, .against = against};
	if (cli_select_commit(cli, request->commit, oid, err) < 0 ||
	    cli_gate(cli, &asked, gate, err) < 0)
		return -1;
	return cli_document(cli, &none, "", gate, document, err);
}

static int load_trends(struct cli *cli, const struct request *request, struct json **document,
		       struct error *err)
{
	struct gate gate = {0};
	if (load_compared(cli, request, "window", &gate, document, err) < 0)
		return -1;
	report_add_trends(&cli->arena, *document, &gate, gate.count);
	return 0;
}

static int load_distributions(struct cli *cli, const struct request *request,
			      struct json **document, struct error *err)
{
	struct gate gate = {0};
	if (load_compared(cli, request, "nearest", &gate, document, err) < 0)
		return -1;
	report_add_distributions(&cli->arena, *document, &gate, gate.count);
	return 0;
}

/* Charts that do not draw runs side by side. */
static const struct {
	const char *chart;
	int (*load)(struct cli *cli, const struct request *request, struct json **document,
		    struct error *err);
	bool takes_x, takes_buckets;
} sources[] = {
	{"latency", load_sweep, true, false},
	{"trend", load_trends, false, false},
	{"distribution", load_distributions, false, false},
	{"fusion", load_fusion, false, false},
	{"buckets", load_buckets, true, true},
};

static int load_document(struct cli *cli, const struct request *request, struct json **document,
			 struct error *err)
{
	size_t i = 0, count = sizeof sources / sizeof *sources;
	while (i < count && strcmp(sources[i].chart, request->chart) != 0)
		i++;
	if (request->x && !(i < count && sources[i].takes_x))
		return error_set(err, ERR_USAGE, "--x is for the latency and the buckets chart");
	if ((request->k || request->sizes) && !(i < count && sources[i].takes_buckets))
		return error_set(err, ERR_USAGE, "--%s is for the buckets chart",
				 request->k ? "k" : "sizes");
	return (i < count ? sources[i].load : load_runs)(cli, request, document, err);
}

/* --- the command --- */

/* "roofline|occupancy|..." */
static const char *chart_names(struct cli *cli, const char *separator)
{
	struct strbuf sb = {0};
	for (const struct chart *chart = charts; chart->name; chart++)
		strbuf_addf(&sb, "%s%s", chart == charts ? "" : separator, chart->name);
	return strbuf_into(&sb, &cli->arena);
}

static int check_arguments(struct cli *cli, int rest, char **argv, const char *output,
			   struct error *err)
{
	if (rest < 1 || rest > 2)
		return error_set(err, ERR_USAGE, "expected: chart %s --output FILE [COMMIT]",
				 chart_names(cli, "|"));
	if (!chart_find(argv[1]))
		return error_set(err, ERR_USAGE, "there is no chart \"%s\"; there are %s", argv[1],
				 chart_names(cli, ", "));
	if (!output)
		return error_set(err, ERR_USAGE, "--output FILE.svg (or .png, .pdf) is missing");
	return 0;
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
		 "latency, buckets: the size to draw over, where several parameters vary",
		 &request.x},
		{OPTION_TEXT, "k", "N", "buckets: at most N of them (default 5)", &request.k},
		{OPTION_TEXT, "sizes", "FILE",
		 "buckets: sizes of requests, \"size\" or \"size,weight\" a line", &request.sizes},
		{OPTION_TEXT, "output", "FILE", "where to: FILE.svg, FILE.png or FILE.pdf",
		 &output},
		{OPTION_FLAG, "dark", NULL, "for dark backgrounds", &dark},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	const char *usage = arena_printf(&cli->arena, "%s --output FILE [OPTION]... [RUN|COMMIT]",
					 chart_names(cli, "|"));
	if (cli_options(cli, "chart", usage,
			"Draws the runs of COMMIT (default: HEAD, or its nearest ancestor with "
			"runs), or one "
			"that is\nnamed by its id (roofline, occupancy, timeline).",
			options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (check_arguments(cli, rest, argv, output, err) < 0)
		return -1;
	struct json *document;
	request.chart = argv[1];
	request.commit = rest == 2 ? argv[2] : NULL;
	if (load_document(cli, &request, &document, err) < 0 ||
	    cli_write_chart(cli, argv[1], document, dark, output, err) < 0)
		return -1;
	cli_note(cli, "wrote %s", output);
	return EXIT_PASS;
}
