/* rooflog chart: draws charts of the same runs into files. It only reads the store. */
#include "cli/command.h"

#include <unistd.h>

#include "base/system/system.h"
#include "cli/runs/files/files.h"
#include "cli/gate/gate.h"
#include "cli/output/output.h"
#include "cli/runs/runs.h"
#include "cli/query/query.h"
#include "render/sizing/sizing.h"
#include "model/trend/trend.h"
#include "render/chart/chart.h"
#include "render/report/report.h"

struct request {
	struct sweep_request sweep;
	enum report_extent extent;  /* for charts of runs: which parts of the document they need */
	struct trust_options trust; /* for charts of what a gate compares */
	struct arguments given;     /* the arguments, */
	struct words words;         /* and what they mean */
	struct reading_options reading;
};

/* --- documents to draw --- */

/* The runs of a commit, each with what it is compared with. */
static int load_runs(struct cli *cli, const struct request *request, struct json **document,
		     struct error *err)
{
	enum { CHARTED_RUNS = 1000 }; /* a chart of more would be a blot; it says so */
	struct loaded_list runs = {0};
	struct document_request asked = {.runs = &runs,
					 .lacks_details = true,
					 .title = "",
					 .extent = request->extent,
					 .kept_runs = CHARTED_RUNS};
	struct run_filter filter = request->sweep.filter;
	if (files_choose(cli, &request->words, &filter, &runs, err) < 0)
		return -1;
	return runs_document_of(cli, &asked, document, err);
}

static int load_sweep(struct cli *cli, const struct request *request, struct json **document,
		      struct error *err)
{
	struct sweep sweep;
	if (cli_query_sweep(cli, &request->sweep, &sweep, err) < 0)
		return -1;
	*document = render_sweep_json(&cli->arena, &cli->settings.devices, &sweep);
	return 0;
}

/* The series that a gate compares, the worst first. */
static int load_compared(struct cli *cli, const struct request *request, const char *against,
			 struct gate_result *gate, struct json **document, struct error *err)
{
	char oid[65];
	struct loaded_list none = {0};
	struct gate_request asked = {.oid = oid,
				     .filter = &request->sweep.filter,
				     .against = against,
				     .trust = request->trust};
	if (runs_select_commit(cli, request->sweep.commit, oid, err) < 0)
		return -1;
	store_read_once(cli->store);
	if (gate_command_run(cli, &asked, gate, err) < 0)
		return -1;
	output_warn_of_configuration(cli, gate);
	/* All comparisons get a trend or a distribution. */
	struct document_request whole = {
		.runs = &none, .title = "", .gate = gate, .comparisons = gate->count};
	return runs_document_of(cli, &whole, document, err);
}

static int load_trends(struct cli *cli, const struct request *request, struct json **document,
		       struct error *err)
{
	struct gate_result gate = {0};
	if (load_compared(cli, request, "window", &gate, document, err) < 0)
		return -1;
	size_t count;
	const struct trend *trends = gate_trends(&cli->arena, &gate, gate.count, &count);
	report_add_trends(&cli->arena, *document, &gate, trends, count);
	struct release_list releases = {0};
	runs_releases(cli, &releases);
	report_add_releases(&cli->arena, *document, &releases);
	return 0;
}

static int load_distributions(struct cli *cli, const struct request *request,
			      struct json **document, struct error *err)
{
	struct gate_result gate = {0};
	if (load_compared(cli, request, "nearest", &gate, document, err) < 0)
		return -1;
	report_add_distributions(&cli->arena, *document, &gate, gate.count);
	return 0;
}

struct source {
	const char *chart;
	int (*load)(struct cli *cli, const struct request *request, struct json **document,
		    struct error *err);
	bool takes_x, takes_files;
};

static const struct source sources[] = {
	{"latency", load_sweep, true, true},
	{"trend", load_trends, false, false},
	{"distribution", load_distributions, false, false},
	/* All other charts draw runs side by side. */
	{NULL, load_runs, false, true},
};

static const struct source *source_of(const char *chart)
{
	const struct source *source = sources;
	while (source->chart && strcmp(source->chart, chart) != 0)
		source++;
	return source;
}

/* --- the pictures of one call --- */

struct picture {
	const char *chart;
	const struct output *output;
	const struct source *source;
	struct json *document;
};

struct pictures {
	struct picture items[1 + text_list_limit];
	size_t count;
};

/* Charts of buckets and fusion are drawn by the commands that analyze them. */
static bool is_drawn_here(const char *chart)
{
	const struct output_kind *kind = output_kind_find(span_of(chart));
	return kind && (kind->commands & OUTPUT_CHART) != 0;
}

/* The names of all charts: "roofline|occupancy|...". */
static const char *chart_names(struct arena *arena, const char *separator)
{
	struct strbuf sb = {0};
	for (const struct chart *chart = charts; chart->name; chart++)
		if (is_drawn_here(chart->name))
			strbuf_addf(&sb, "%s%s", sb.len ? separator : "", chart->name);
	return strbuf_into(&sb, arena);
}

static const char *list_charts(struct arena *arena)
{
	return chart_names(arena, "|");
}

/* The chart that a file is named after: "trend.svg"; NULL: none. */
static const char *chart_of_file(const char *name)
{
	const char *dot = strrchr(name, '.');
	for (const struct chart *chart = charts; dot && chart->name; chart++)
		if (is_drawn_here(chart->name) && strlen(chart->name) == (size_t)(dot - name) &&
		    strncmp(chart->name, name, (size_t)(dot - name)) == 0)
			return chart->name;
	return NULL;
}

/* What was meant by a word in the place of the kind. */
static const char *chart_hint(struct arena *arena, const char *name)
{
	const char *written = chart_of_file(name);
	struct similar similar = similar_to(span_of(name));
	struct strbuf sb = {0};
	if (written)
		return arena_printf(arena, "\nhint: rooflog chart %s -o %.200s", written, name);
	if (file_exists(name))
		return arena_printf(
			arena, "\nhint: the kind comes first: rooflog chart roofline %.200s", name);
	for (const struct chart *chart = charts; chart->name; chart++)
		if (is_drawn_here(chart->name))
			similar_offer(&similar, chart->name);
	similar_hint(&similar, &sb);
	return strbuf_into(&sb, arena);
}

static int no_chart(struct cli *cli, const char *name, struct error *err)
{
	if (chart_find(name))
		return error_set(err, ERR_USAGE,
				 "analyze %s draws this chart\nhint: rooflog analyze %s -o %s.svg",
				 name, name, name);
	return error_set(err, ERR_USAGE, "unknown chart \"%s\"; available: %s%s", name,
			 chart_names(&cli->arena, ", "), chart_hint(&cli->arena, name));
}

static bool draws(const struct pictures *pictures, const char *chart)
{
	size_t i = 0;
	while (i < pictures->count && strcmp(pictures->items[i].chart, chart) != 0)
		i++;
	return i < pictures->count;
}

/* Refuses an option that none of the requested charts uses. */
static int check_options(const struct pictures *pictures, const struct request *request,
			 struct error *err)
{
	bool takes_x = false;
	for (size_t i = 0; i < pictures->count; i++)
		takes_x = takes_x || pictures->items[i].source->takes_x;
	if (request->sweep.x && !takes_x)
		return error_set(err, ERR_USAGE, "--over is for the latency chart");
	return 0;
}

/* Loads each document once: charts with the same source share it. */
static int load_documents(struct cli *cli, const struct request *request, struct pictures *pictures,
			  struct error *err)
{
	for (size_t i = 0; i < pictures->count; i++) {
		struct picture *picture = &pictures->items[i];
		for (size_t k = 0; k < i && !picture->document; k++)
			if (pictures->items[k].source == picture->source)
				picture->document = pictures->items[k].document;
		if (!picture->document &&
		    picture->source->load(cli, request, &picture->document, err) < 0)
			return -1;
	}
	return 0;
}

/* --- the command --- */

struct chart_options {
	struct request request;
	const char *chart;
	struct output_wish wish;
	struct output_list outputs;
	bool dark;
	struct pictures pictures;
};

static int find_pictures(struct cli *cli, struct chart_options *o, struct error *err)
{
	const struct output_rules rules = {OUTPUT_CHART, "chart", o->chart, o->chart, false};
	if (!is_drawn_here(o->chart))
		return no_chart(cli, o->chart, err);
	if (!o->wish.files.count && isatty(STDOUT_FILENO))
		return error_set(err, ERR_USAGE, "a terminal shows no SVG\nhint: add -o %s.svg",
				 o->chart);
	if (output_choose(cli, &rules, &o->wish, &o->outputs, err) < 0)
		return -1;
	for (size_t i = 0; i < o->outputs.count; i++) {
		const struct output *output = &o->outputs.items[i];
		o->pictures.items[i] = (struct picture){
			.chart = output->name, .output = output, .source = source_of(output->name)};
	}
	o->pictures.count = o->outputs.count;
	if (!draws(&o->pictures, o->chart))
		return error_set(err, ERR_USAGE, "no file is for the chart %s\nhint: add -o %s.svg",
				 o->chart, o->chart);
	if (cli->common.json && cli_is_standard_output(o->outputs.items[o->outputs.count - 1].path))
		return error_set(err, ERR_USAGE,
				 "--json says which files were written\nhint: add -o %s.svg",
				 o->chart);
	return 0;
}

static int check(struct cli *cli, void *options, struct error *err)
{
	struct chart_options *o = options;
	if (find_pictures(cli, o, err) < 0)
		return -1;
	o->request.extent = draws(&o->pictures, "timeline") ? REPORT_DRAWN : REPORT_LENGTHS;
	return check_options(&o->pictures, &o->request, err) < 0
		       ? -1
		       : output_claim(cli, &o->outputs, err);
}

static const struct words_rules rules = {
	.command = "chart",
	.kinds = WORD_FILE | WORD_RUN | WORD_COMMIT | WORD_SERIES,
	.judges = true,
};

/* Reads the files, or opens the store. */
static int open_runs(struct cli *cli, struct chart_options *o, struct error *err)
{
	struct request *request = &o->request;
	const struct files_request asked = {&request->given, &request->reading,
					    &request->sweep.filter};
	if (files_open(cli, &rules, &asked, &request->words, err) < 0)
		return -1;
	request->sweep.commit = words_commit(&request->words);
	bool runs = words_count(&request->words, WORD_RUN) > 0;
	for (size_t i = 0; (cli->files.count || runs) && i < o->pictures.count; i++) {
		const struct picture *picture = &o->pictures.items[i];
		if (runs && picture->source->load != load_runs)
			return error_set(err, ERR_USAGE,
					 "the chart %s is of a commit, not of single runs",
					 picture->chart);
		if (!runs && !picture->source->takes_files)
			return error_set(err, ERR_USAGE,
					 "the chart %s is of stored runs, not of files: \"rooflog "
					 "ingest\" stores them",
					 picture->chart);
	}
	return 0;
}

static int draw(struct cli *cli, void *context, const struct output *output, struct error *err)
{
	const struct chart_options *o = context;
	const struct picture *picture = &o->pictures.items[output - o->outputs.items];
	struct strbuf bytes = {0};
	bool dark = o->dark || cli->settings.chart_dark;
	if (output_draw_chart(cli, picture->chart, picture->document, dark, output->path, &bytes,
			      err) == 0)
		return cli_output(cli, output->path, &bytes, err);
	strbuf_free(&bytes);
	return -1;
}

static int draw_charts(struct cli *cli, void *options, struct error *err)
{
	struct chart_options *o = options;
	if (open_runs(cli, o, err) < 0 || output_choose_language(cli, NULL, err) < 0)
		return -1;
	output_speak(cli, true);
	if (load_documents(cli, &o->request, &o->pictures, err) < 0 ||
	    output_write_each(cli, &o->outputs, draw, o, err) < 0)
		return -1;
	for (size_t i = 0; i < o->outputs.count; i++) {
		const char *path = o->outputs.items[i].path;
		if (!cli_is_standard_output(path))
			output_wrote(cli, path, true);
	}
	return output_print_written(cli, false, err);
}

#define FIELD(member) OPTION_FIELD(struct chart_options, member)
static const struct option rows[] = {
	{FIELD(wish.files), "output", "[KIND=]FILE",
	 "write FILE: .svg, .png or .pdf; with KIND a further chart of the same runs (default: SVG "
	 "to a pipe)",
	 .letter = 'o'},
	{FIELD(request.sweep.x), "over", "PARAM",
	 "latency: the size to draw over, if several vary"},
	{FIELD(dark), "dark", NULL, "draw for a dark background"},
	{OPTION_GROUP(struct chart_options, request.trust, trust_option_rows)},
	{OPTION_GROUP(struct chart_options, request.sweep.filter, run_filter_options)},
	{OPTION_GROUP(struct chart_options, request.reading, reading_option_rows)},
	{.kind = OPTION_END},
};

const struct command command_chart = {
	.name = "chart",
	.group = GROUP_PUBLISH,
	.summary = "draw a roofline, timeline, trend ... as SVG, PNG or PDF",
	.listing = list_charts,
	.usage = "KIND [FILE | RUN | COMMIT | SERIES]... [OPTION]...",
	.about = "Draw a chart of a commit (default: HEAD, or its nearest ancestor with runs), of\n"
		 "one run, or of files.",
	.lists = "Kinds\n"
		 "  roofline      runs below the roofs of their device\n"
		 "  occupancy     how busy each engine was\n"
		 "  timeline      a run and its baseline, and where the time went\n"
		 "  trend         series over their commits\n"
		 "  distribution  how the repeats spread, candidate and baseline\n"
		 "  latency       time over a size, with tile boundaries",
	.notes = "For charts of bucket sizes and fusion: 'rooflog analyze ... -o FILE.svg'.",
	.examples = {"rooflog chart roofline -o roofline.svg",
		     "rooflog chart timeline before.json after.json -o timeline.png",
		     "rooflog chart trend attention -o trend.svg --dark",
		     "rooflog chart roofline -o roofline.svg -o occupancy=occupancy.svg"},
	.options = rows,
	.arguments = {{"CHART", ARGUMENT(struct chart_options, chart)},
		      {"FILE | RUN | COMMIT | SERIES",
		       ARGUMENT(struct chart_options, request.given)}},
	.required = 1,
	.expected = "expected: chart {} [-o FILE] [FILE | RUN | COMMIT | SERIES]...",
	.options_size = sizeof(struct chart_options),
	.check = check,
	.run = draw_charts,
	.sections = "chart rule gate alias device work",
	.documents = "written",
	.see_also = "report analyze site metrics",
};
