/* rooflog site: writes the history of all kernels as a folder of static pages. It only reads the
 * store and writes nothing outside the folder. */
#include "cli/command.h"

#include "base/system/system.h"
#include "base/text/text.h"
#include "cli/gate/gate.h"
#include "cli/runs/runs.h"
#include "cli/site/site.h"
#include "model/roofline/roofline.h"
#include "render/scene/palette.h"
#include "render/vocabulary/vocabulary.h"

/* Each page has an arena of its own and loads from the store only what it needs, so memory does not
 * grow with the number of pages. */
struct site_pages {
	struct cli *cli;
	struct site_files *files;
	struct site *site;
};

/* Frees the text. */
static int write_data(const struct site_pages *pages, const char *name, struct strbuf *data,
		      struct error *err)
{
	int rc = site_files_write(pages->files, name, strbuf_span(data), err);
	strbuf_free(data);
	return rc;
}

/* --- kernels --- */

/* Loads the newest run of a series. Without a section of its own, a series shows only MFU and
 * bottleneck, which need no details. Returns 1, 0 if there is none, or -1. */
static int load_newest(struct cli *cli, const struct site_series *series, bool shown,
		       struct loaded_list *runs, struct error *err)
{
	struct loaded_list some = {0};
	struct run_query query = {.series = series->key, .clean_only = !series->dirty};
	if (!series->revision)
		return 0;
	query.commit = series->revision->oid;
	if ((shown ? runs_load(cli, &query, &some, err)
		   : runs_load_facts(cli, &query, &some, err)) < 0)
		return -1;
	runs_median_per_series(cli, &some);
	for (size_t i = 0; i < some.count; i++) {
		const struct run *run = some.items[i].stored.run;
		if (run->dirty != series->dirty)
			continue;
		runs_loaded_add(cli, runs, &some.items[i]);
		return 1;
	}
	return 0;
}

/* Details of the runs of which the newest points of a series consist, in the arena of the page. */
static int load_latest(struct cli *cli, const struct site *site, struct site_series *series,
		       struct error *err)
{
	size_t count = series->points.count;
	for (size_t i = 0; i < site_newest_points; i++) {
		struct loaded_list runs = {0};
		series->latest[i] = (struct site_run){NAN, NAN, NULL};
		if (i >= count)
			continue;
		uint32_t commit = series->points.items[count - 1 - i].commit;
		const struct run_query query = {.series = series->key,
						.commit = site->set->chain[commit].oid,
						.clean_only = true};
		if (runs_load_figures(cli, &query, &runs, err) < 0)
			return -1;
		runs_median_per_series(cli, &runs);
		if (!runs.count)
			continue;
		const struct run *run = runs.items[0].stored.run;
		const char *machine = run->instance_type;
		if (machine && strncmp(machine, "host:", strlen("host:")) == 0)
			machine += strlen("host:");
		series->latest[i] = (struct site_run){run_number(run, METRIC_ROOFLINE_EFFICIENCY),
						      run_number(run, METRIC_HBM_BYTES), machine};
	}
	return 0;
}

/* Copies the facts that outlive the page into the arena `lasting`. */
static void copy_facts(struct arena *lasting, struct arena *scratch, const struct run *run,
		       struct site_series *series)
{
	double mfu = run_number(run, METRIC_MFU);
	series->mfu = isnan(mfu) ? run_number(run, METRIC_MFU_ALGORITHMIC) : mfu;
	struct bottleneck found = bottleneck_of(scratch, run);
	if (found.class != BOUND_UNKNOWN)
		series->bottleneck =
			arena_strdup(lasting, vocabulary_term(LANGUAGE_ENGLISH, found.title));
	if (series->metric == METRIC_COUNT)
		series->metric = run_headline(run);
	/* With several runs at a commit, the chart shows their location estimate; the table keeps
	 * the same value. */
	if (series->metric == METRIC_COUNT)
		return;
	struct value value = run_value(run, series->metric);
	series->newest.provenance = value.provenance;
	if (series->points.count == 0 || series->dirty)
		series->newest = value;
}

/* The gate's order: comparisons are elements of one array. */
static int by_order(const void *a, const void *b)
{
	const struct comparison *x = *(const struct comparison *const *)a;
	const struct comparison *y = *(const struct comparison *const *)b;
	return (x > y) - (x < y);
}

/* A copy of the gate's result with the comparisons of these series only. */
static const struct gate_result *gate_of(const struct site *site, const struct site_kernel *kernel)
{
	struct arena *arena = site->arena;
	if (!site->gate)
		return NULL;
	struct gate_result *part = arena_new(arena, struct gate_result);
	*part = *site->gate;
	part->count = 0;
	for (size_t i = 0; i < kernel->series_count; i++)
		part->count += site->series[kernel->series[i]].compared_count;
	const struct comparison **list = arena_array(arena, part->count, sizeof *list);
	for (size_t i = 0, count = 0; i < kernel->series_count; i++) {
		const struct site_series *series = &site->series[kernel->series[i]];
		for (size_t k = 0; k < series->compared_count; k++)
			list[count++] = series->compared[k];
	}
	array_sort(list, part->count, sizeof *list, by_order);
	part->comparisons = arena_array(arena, part->count, sizeof *part->comparisons);
	for (size_t i = 0; i < part->count; i++) {
		assert(list[i]);
		part->comparisons[i] = *list[i];
	}
	return part;
}

static int write_metrics(const struct site_pages *pages, const struct site_kernel *kernel,
			 struct error *err)
{
	struct strbuf data = {0};
	if (render_site_metrics_data(pages->site, kernel, &data))
		return write_data(pages,
				  arena_printf(pages->site->arena, "data/m-%s.js", kernel->slug),
				  &data, err);
	strbuf_free(&data);
	return 0;
}

/* Everything is allocated in the arena of the page; `lasting` is that of the site. */
static int write_kernel(const struct site_pages *pages, const struct site_kernel *kernel,
			struct arena *lasting, struct error *err)
{
	struct site *site = pages->site;
	struct arena *arena = site->arena;
	struct loaded_list runs = {0};
	struct json *report;
	bool *has_run = arena_array(arena, kernel->series_count, sizeof *has_run);
	for (size_t i = 0; i < kernel->series_count; i++) {
		struct site_series *series = &site->series[kernel->series[i]];
		bool shown = i < site_shown_series;
		int found = load_newest(pages->cli, series, shown, &runs, err);
		if (found < 0 || (shown && load_latest(pages->cli, site, series, err) < 0))
			return -1;
		has_run[i] = found > 0;
		if (!found)
			continue;
		copy_facts(lasting, arena, runs.items[runs.count - 1].stored.run, series);
		if (!shown)
			runs.count--;
	}
	/* The page takes runs and comparisons out of the document. */
	const struct gate_result *gate = gate_of(site, kernel);
	const struct document_request request = {.runs = &runs,
						 .title = kernel->name,
						 .gate = gate,
						 .comparisons = gate ? gate->count : 0,
						 .kept_runs = SIZE_MAX};
	if (runs_document_of(pages->cli, &request, &report, err) < 0)
		return -1;
	struct strbuf data = {0};
	render_site_kernel_data(site, kernel, &data);
	if (write_data(pages, arena_printf(arena, "data/k-%s.js", kernel->slug), &data, err) < 0 ||
	    write_metrics(pages, kernel, err) < 0)
		return -1;
	return site_files_render(pages->files, "site-kernel.html",
				 render_site_kernel(site, kernel, report, has_run),
				 arena_printf(arena, "k/%s.html", kernel->slug), err);
}

static int write_kernels(const struct site_pages *pages, struct error *err)
{
	struct arena *arena = &pages->cli->arena;
	for (size_t i = 0; i < pages->site->kernel_count; i++) {
		/* The arena of the command is exchanged during a page, because the loaders allocate
		 * there. */
		struct arena lasting = *arena;
		*arena = (struct arena){0};
		int rc = write_kernel(pages, &pages->site->kernels[i], &lasting, err);
		arena_free(arena);
		*arena = lasting;
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* --- commits --- */

static int write_commit(const struct site_pages *pages, size_t index, struct error *err)
{
	const struct site *site = pages->site;
	const char *oid = site->set->chain[index].oid;
	struct strbuf data = {0};
	if (render_site_commit_is_cut(site, index)) {
		render_site_commit_data(site, index, &data);
		if (write_data(pages, arena_printf(site->arena, "data/c-%s.js", oid), &data, err) <
		    0)
			return -1;
	}
	return site_files_render(pages->files, "site-commit.html", render_site_commit(site, index),
				 arena_printf(site->arena, "c/%s.html", oid), err);
}

static int write_commits(const struct site_pages *pages, struct error *err)
{
	struct arena *arena = &pages->cli->arena;
	for (size_t index = 0; index < pages->site->set->chain_count; index++) {
		/* The newest commit always has a page: it may have runs of uncommitted changes
		 * only. */
		if (pages->site->commits[index].count == 0 && index > 0)
			continue;
		struct arena lasting = *arena;
		*arena = (struct arena){0};
		int rc = write_commit(pages, index, err);
		arena_free(arena);
		*arena = lasting;
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* --- the first page, and what all pages share --- */

static int write_index(const struct site_pages *pages, struct error *err)
{
	const struct site *site = pages->site;
	struct strbuf data = {0};
	render_site_series_data(site, &data);
	if (write_data(pages, "data/series.js", &data, err) < 0)
		return -1;
	render_site_commits_data(site, &data);
	if (write_data(pages, "data/commits.js", &data, err) < 0 ||
	    site_files_render(pages->files, "site-commits.html", render_site_commits(site),
			      "commits.html", err) < 0)
		return -1;
	return site_files_render(pages->files, "site-index.html", render_site_index(site),
				 "index.html", err);
}

/* The page that compares any two commits, and the values that its script reads. */
static int write_compare(const struct site_pages *pages, struct error *err)
{
	const struct site *site = pages->site;
	struct strbuf data = {0};
	render_site_compare_data(site, &data);
	if (write_data(pages, "data/compare.js", &data, err) < 0)
		return -1;
	for (size_t i = 0; i < site->value_files.count; i++) {
		render_site_values(site, i, &data);
		const char *name = arena_printf(site->arena, "data/v-%zu.js", i);
		if (write_data(pages, name, &data, err) < 0)
			return -1;
	}
	return site_files_render(pages->files, "site-compare.html", render_site_compare(site),
				 "compare.html", err);
}

static int copy_template(struct site_files *files, const char *name, const char *to,
			 struct error *err)
{
	return site_files_write(files, to, span_of(site_files_template(files, name)), err);
}

/* The end of the block that begins at an opening brace. */
static const char *end_of_block(const char *at)
{
	size_t depth = 0;
	for (; *at; at++) {
		depth += *at == '{';
		depth -= *at == '}' && depth;
		if (*at == '}' && depth == 0)
			return at;
	}
	return at;
}

/* Moves the rules for dark screens to a sheet of their own, which a reader may choose. */
static void take_dark(const char *css, struct strbuf *light, struct strbuf *dark)
{
	static const char rule[] = "@media screen and (prefers-color-scheme: dark) {";
	for (const char *at; (at = strstr(css, rule));) {
		const char *end = end_of_block(at + sizeof rule - 2);
		strbuf_add(light, css, (size_t)(at - css));
		at += sizeof rule - 1;
		strbuf_add(dark, at, (size_t)(end - at));
		css = *end ? end + 1 : end;
	}
	strbuf_addstr(light, css);
}

static int write_scripts(struct site_files *files, struct error *err)
{
	static const char *const scripts[][2] = {
		{"site-theme.js", "data/theme.js"}, {"site.js", "data/site.js"},
		{"site-trend.js", "data/trend.js"}, {"site-kernel.js", "data/kernel.js"},
		{"site-judge.js", "data/judge.js"}, {"site-pair.js", "data/pair.js"},
		{"site-strip.js", "data/strip.js"}, {"site-compare.js", "data/comparison.js"}};
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		if (copy_template(files, scripts[i][0], scripts[i][1], err) < 0)
			return -1;
	return 0;
}

/* Writes the style sheets: that of reports, that of sites, and the colors of charts. */
static int write_style(struct site_files *files, struct error *err)
{
	struct strbuf text = {0}, light = {0}, dark = {0};
	strbuf_addstr(&text, site_files_template(files, "style.css"));
	strbuf_addstr(&text, site_files_template(files, "site.css"));
	strbuf_addstr(&text, site_files_template(files, "site-compare.css"));
	palette_add_css(&text);
	take_dark(strbuf_text(&text), &light, &dark);
	int rc = site_files_write(files, "data/site.css", strbuf_span(&light), err);
	rc = rc < 0 ? rc : site_files_write(files, "data/dark.css", strbuf_span(&dark), err);
	strbuf_free(&text);
	strbuf_free(&light);
	strbuf_free(&dark);
	return rc;
}

/* Writes all pages and their data. Fills in MFU, bottleneck and newest value of the series on the
 * way: the index is therefore the last page. */
static int write_site(struct cli *cli, struct site_files *files, struct site *site,
		      size_t timelines, struct error *err)
{
	const struct site_pages pages = {cli, files, site};
	if (site_files_begin(files, err) < 0 || write_scripts(files, err) < 0 ||
	    site_write_timelines(cli, files, site, timelines, err) < 0 ||
	    write_kernels(&pages, err) < 0 || write_commits(&pages, err) < 0 ||
	    write_style(files, err) < 0 || write_index(&pages, err) < 0 ||
	    write_compare(&pages, err) < 0)
		return -1;
	return site_files_end(files, site->set->chain[0].oid, err);
}

struct site_options {
	const char *folder, *templates;
	const char *commit; /* NULL: HEAD or its nearest ancestor with runs */
	size_t timelines;   /* pages of them */
	struct site_question question;
};

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct site_options *o = options;
	struct path at;
	if (o->templates && !file_is_directory(o->templates))
		return error_set(err, ERR_USAGE, "--templates %s is not a folder", o->templates);
	if (!o->templates ||
	    path_open("read", arena_printf(&cli->arena, "%s/.", o->templates), &at, err) < 0)
		return o->templates ? -1 : 0;
	path_close(&at);
	return 0;
}

static const char *timelines_text(struct arena *arena, const struct site *site)
{
	if (site->timelines == 0)
		return "";
	return arena_printf(arena, ", %s",
			    quantity_count_text(arena, site->timelines, "timeline", "timelines"));
}

static int make_site(struct cli *cli, void *options, struct error *err)
{
	const struct site_options *o = options;
	struct site_files files = {.cli = cli, .folder = o->folder, .templates = o->templates};
	struct site site = {.common = ""};
	char oid[65];
	if (runs_select_commit(cli, o->commit, oid, err) < 0 ||
	    site_collect(cli, oid, &o->question, &site, err) < 0)
		return -1;
	int rc = write_site(cli, &files, &site, o->timelines, err);
	if (rc == 0)
		cli_note(cli, "%s/index.html: %s, %zu series%s; %s, %zu of them new or changed",
			 files.folder,
			 quantity_count_text(&cli->arena, site.kernel_count, "kernel", "kernels"),
			 site.series_count, timelines_text(&cli->arena, &site),
			 quantity_count_text(&cli->arena, files.count, "file", "files"),
			 files.written);
	if (rc == 0 && cli->common.json)
		rc = cli_print_json(site_files_list(&files, site.set->chain[0].oid), err);
	site_files_free(&files);
	return rc < 0 ? -1 : EXIT_PASS;
}

#define FIELD(member) OPTION_FIELD(struct site_options, member)
static const struct option rows[] = {
	{FIELD(templates), "templates", "FOLDER",
	 "use your own templates; a file replaces the built-in one of the same name"},
	{FIELD(question.against), "against", "WHAT",
	 "what the latest commit is compared with, as for gate (default: nearest)"},
	{FIELD(timelines), "timelines", "N",
	 "write the timelines of the latest runs of N series, the worst first, if their files are "
	 "still there (default: 20; 0: none)",
	 .zero = true, .high = 1000},
	{OPTION_GROUP(struct site_options, question.trust, trust_option_rows)},
	{.kind = OPTION_END},
};

static const struct site_options defaults = {.timelines = 20, .question = {.against = "nearest"}};

const struct command command_site = {
	.name = "site",
	.group = GROUP_EVERY_DAY,
	.summary = "write the history of all kernels as web pages",
	.usage = "FOLDER [COMMIT] [OPTION]...",
	.about =
		"Write the history of all series up to COMMIT (default: HEAD, or its nearest\n"
		"ancestor with runs) as static web pages. Open FOLDER/index.html, or serve FOLDER\n"
		"from any web server. An existing site in FOLDER is updated.",
	.notes = "A FOLDER that holds anything other than a site is left alone, with an error.",
	.examples = {"rooflog site public", "rooflog site public main",
		     "rooflog site public --templates docs/templates"},
	.options = rows,
	.arguments = {{"FOLDER", ARGUMENT(struct site_options, folder)},
		      {"COMMIT", ARGUMENT(struct site_options, commit)}},
	.required = 1,
	.expected = "expected: site FOLDER [COMMIT]",
	.options_size = sizeof(struct site_options),
	.defaults = &defaults,
	.needs = NEEDS_STORE,
	.check = check,
	.run = make_site,
	.sections = "rule gate project alias",
	.documents = "site",
	.see_also = "report log chart",
};
