/* The kinds of reports, and the steps from a commit to a file. */
#include "cli/output/report_kinds.h"

#include "cli/output/render.h"
#include "model/trend/trend.h"
#include "render/document/key.h"
#include "render/markup/markup.h"
#include "render/report/report.h"
#include "render/summary/summary.h"
#include "render/vocabulary/vocabulary.h"

static void add_compare(struct cli *cli, const struct output_subject *subject,
			struct json *document)
{
	summary_add_compare_of_gate(&cli->arena, document, subject->gate, &cli->settings.scenarios);
}

/* The author of a commit; NULL without a repository. Only this question needs git: the store keeps
 * no authors. */
static const char *author_of(struct cli *cli, const char *oid)
{
	struct revision revision;
	struct error ignored;
	if (cli_open_repository(cli, &ignored) < 0 ||
	    repository_revision(cli->repository, &cli->arena, oid, false, &revision, &ignored) < 0)
		return NULL;
	return revision.author;
}

/* Adds the authors of the commits since which rows are as they are. Neighbors often share one. */
static void add_authors(struct cli *cli, struct json *list)
{
	const char *oid = NULL, *author = NULL;
	for (struct json *row = (struct json *)json_first(list, KEY(rows)); row; row = row->next) {
		const char *since = json_text(json_get(row, KEY(since)), KEY(oid), NULL);
		if (!since)
			continue;
		if (!oid || strcmp(oid, since) != 0)
			author = author_of(cli, since);
		oid = since;
		if (author && author[0])
			json_set_text(&cli->arena, row, KEY(since_author), author);
	}
}

static void add_nightly(struct cli *cli, const struct output_subject *subject,
			struct json *document)
{
	struct nightly nightly = nightly_of(&cli->arena, subject->gate, REPORT_NIGHTLY_ROWS);
	summary_add_nightly(&cli->arena, document, &nightly);
	struct json *night = json_get(document, KEY(night));
	static const char *const lists[] = {"newly", "suspect", "open", "fixed", "improved"};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		add_authors(cli, json_get(night, lists[i]));
	const struct json *news = json_get(night, KEY(newly)) ? json_get(night, KEY(newly))
							      : json_get(night, KEY(suspect));
	const char *author = json_text(json_first(news, KEY(rows)), KEY(since_author), NULL);
	if (author)
		json_set_text(&cli->arena, json_get(night, KEY(worst)), KEY(since_author), author);
}

static void add_weekly(struct cli *cli, const struct output_subject *subject, struct json *document)
{
	enum { WEEK_SECONDS = 7 * 86400 };
	const struct gate_result *gate = subject->gate;
	int64_t since =
		subject->since ? subject->since : gate->input->candidate.time - WEEK_SECONDS;
	struct weekly weekly = weekly_of(&cli->arena, gate, since, REPORT_NIGHTLY_ROWS);
	for (size_t i = 0; i < weekly.count && i < REPORT_WEEKLY_COMMITS; i++)
		weekly.commits[i].author = author_of(cli, weekly.commits[i].commit->oid);
	summary_add_weekly(&cli->arena, document, &weekly);
	add_authors(cli, json_get(json_get(document, KEY(week)), KEY(newly)));
	add_authors(cli, json_get(json_get(document, KEY(week)), KEY(older)));
}

const struct report_kind report_kinds[] = {
	{.name = "report",
	 .against = "nearest",
	 .html = true,
	 .charts = {"roofline", "occupancy", "timeline"},
	 .page_charts = {"roofline", "occupancy", "timeline"}},
	{.name = "contract", .form = true},
	{.name = "devlog", .form = true, .by_shape = true},
	{.name = "comment",
	 .against = "merge-base",
	 .runs = 10,
	 .charts = {"timeline"},
	 .worst = true,
	 .trends = 1,
	 .limit = SIZE_LIMIT_COMMENT,
	 .bad = 100,
	 .folded = 50},
	{.name = "summary",
	 .against = "nearest",
	 .runs = 20,
	 .limit = SIZE_LIMIT_SUMMARY,
	 .bad = 1000,
	 .folded = 200},
	{.name = "nightly",
	 .against = "window",
	 .needs_gate = true,
	 .windowed = true,
	 .html = true,
	 .runs = 1,
	 .charts = {"trend"},
	 .trends = 500,
	 .add = add_nightly},
	{.name = "compare",
	 .against = "nearest",
	 .needs_gate = true,
	 .runs = 1,
	 .add = add_compare},
	{.name = "weekly",
	 .against = "window",
	 .needs_gate = true,
	 .windowed = true,
	 .html = true,
	 .runs = 1,
	 .trends = 500,
	 .add = add_weekly,
	 .since = true},
	{.name = NULL},
};

const struct report_kind *output_report_kind_find(const char *name)
{
	for (const struct report_kind *kind = report_kinds; kind->name; kind++)
		if (strcmp(kind->name, name) == 0)
			return kind;
	return NULL;
}

static bool has_series(const struct loaded_list *runs, const char *series)
{
	for (size_t i = 0; i < runs->count; i++)
		if (strcmp(runs->items[i].stored.series, series) == 0)
			return true;
	return false;
}

/* Loads the runs of at most `most` series, the worst first, which is the order of the gate. */
static int load_worst(struct cli *cli, const struct output_subject *subject, size_t limit,
		      struct loaded_list *runs, struct error *err)
{
	const struct gate_result *gate = subject->gate;
	for (size_t i = 0; i < gate->count && runs->count < limit; i++) {
		const struct gate_series *series = gate->comparisons[i].series;
		struct loaded_list some = {0};
		struct run_query query = {.commit = subject->oid, .series = series->key};
		if (series->candidate.count == 0 || has_series(runs, series->key))
			continue;
		if (runs_load(cli, &query, &some, err) < 0)
			return -1;
		runs_median_per_series(cli, &some);
		for (size_t k = 0; k < some.count; k++)
			if (some.items[k].stored.run->dirty == gate->input->dirty)
				runs_loaded_add(cli, runs, &some.items[k]);
	}
	return 0;
}

/* Each output takes the medians of its own copy. */
static void copy_runs(struct arena *arena, const struct loaded_list *from, struct loaded_list *to)
{
	for (size_t i = 0; i < from->count; i++)
		*arena_add(arena, to) = from->items[i];
}

/* Without their details. */
static int load_all(struct cli *cli, const struct output_subject *subject, struct loaded_list *runs,
		    struct error *err)
{
	struct run_query query = runs_query(subject->filter, subject->oid);
	if (subject->runs && subject->runs->count)
		copy_runs(&cli->arena, subject->runs, runs);
	else if (runs_load_facts(cli, &query, runs, err) < 0)
		return -1;
	runs_median_per_series(cli, runs);
	return runs->count ? 0 : runs_none(cli, subject->filter, subject->oid, err);
}

static bool takes_all_runs(const struct output_subject *subject, const struct output *output)
{
	return (subject->all_runs && !output->kind->runs) || !subject->gate;
}

static bool wants_worst(const struct output *output)
{
	return output->exporter && output->exporter->needs == EXPORTER_NEEDS_WORST;
}

/* Whether the document needs no runs. Other formats for programs get all runs or none, never only
 * those of the worst series. */
static bool is_bare(const struct output_subject *subject, const struct output *output)
{
	return output->exporter && !wants_worst(output) &&
	       !(output->exporter->needs == EXPORTER_NEEDS_RUNS && takes_all_runs(subject, output));
}

static int load_runs(struct cli *cli, const struct output_subject *subject,
		     const struct output *output, struct loaded_list *runs, struct error *err)
{
	enum { GATE_RUNS = 100 }; /* runs in full, of the worst series; bounds time and memory */
	bool worst = wants_worst(output);
	size_t limit = worst ? EXPORT_WORST : output->kind->runs ? output->kind->runs : GATE_RUNS;
	if (is_bare(subject, output))
		return 0;
	return !worst && takes_all_runs(subject, output)
		       ? load_all(cli, subject, runs, err)
		       : load_worst(cli, subject, limit, runs, err);
}

/* Adds the rows that a text of limited size shows, and the marker by which a bot finds and replaces
 * an earlier comment. */
static void add_shown(struct cli *cli, const struct output_subject *subject,
		      const struct report_kind *kind, struct json *document)
{
	struct arena *arena = &cli->arena;
	const char *project = cli->settings.publication.project;
	struct report_shown shown = {.bad = kind->bad, .folded = kind->folded};
	json_set_text(
		arena, document, "marker",
		arena_printf(arena, "rooflog:%s:%s", project ? project : "default", subject->oid));
	if (!subject->gate)
		return;
	summary_add_bounded(arena, document, subject->gate, &shown);
}

/* The built-in templates of limited size use gate.shown; these comparisons are for the user's
 * templates. */
enum { COMPARISONS_IN_LIMITED = 1000 };

static void add_trends(struct cli *cli, const struct gate_result *gate, size_t limit,
		       struct json *document)
{
	size_t count;
	const struct trend *trends = gate_trends(&cli->arena, gate, limit, &count);
	report_add_trends(&cli->arena, document, gate, trends, count);
	struct release_list releases = {0};
	runs_releases(cli, &releases);
	report_add_releases(&cli->arena, document, &releases);
}

/* Of more runs than a document keeps, the first ones are in its tree for charts and for templates
 * of the user, which may refer to them. What visits each run once keeps none. */
static size_t kept_runs(const struct output *output, const struct loaded_list *runs)
{
	const char *format = output->format ? output->format : "";
	bool printed = strcmp(format, "md") == 0 && !output->template &&
		       cli_is_standard_output(output->path);
	bool once = output->exporter || strcmp(format, "json") == 0 || printed;
	return once && runs->count > REPORT_KEPT_RUNS ? 1 : REPORT_KEPT_RUNS;
}

/* How titles and messages call what is reported on. */
static const char *name_of(struct cli *cli, const char *oid)
{
	const struct revision_list *files = &cli->files;
	if (files->count > 1)
		return arena_printf(&cli->arena, vocabulary_format("%zu files"), files->count);
	return files->count ? files->items[0].file : arena_prefix(&cli->arena, oid, 10);
}

static int load_document(struct cli *cli, const struct output_subject *subject,
			 const struct output *output, struct json **document, struct error *err)
{
	struct loaded_list runs = {0};
	bool shared = subject->bare && is_bare(subject, output) && !output->kind->by_shape;
	if (shared && *subject->bare) {
		*document = *subject->bare;
		return 0;
	}
	if (load_runs(cli, subject, output, &runs, err) < 0)
		return -1;
	bool limited = output->kind->limit && !output->exporter;
	struct document_request request = {
		.runs = &runs,
		.lacks_details = takes_all_runs(subject, output),
		.title = arena_printf(&cli->arena, "%s%s", vocabulary_label("Performance of "),
				      name_of(cli, subject->oid)),
		.gate = subject->gate,
		.comparisons = limited ? COMPARISONS_IN_LIMITED : 0,
		.kept_runs = kept_runs(output, &runs),
		.by_shape = output->kind->by_shape,
		.links = true,
	};
	if (runs_document_of(cli, &request, document, err) < 0)
		return -1;
	if (subject->gate)
		add_trends(cli, subject->gate, output->kind->trends, *document);
	if (subject->gate && output->kind->add)
		output->kind->add(cli, subject, *document);
	if (limited)
		add_shown(cli, subject, output->kind, *document);
	if (shared)
		*subject->bare = *document;
	return 0;
}

static int write_exported(struct cli *cli, const struct output *output, const struct json *document,
			  struct error *err)
{
	struct strbuf sb = {0};
	struct cli_stream stream = {.cli = cli, .path = output->path};
	const struct strbuf_drain drain = cli_drain(&stream);
	const struct export_target to = {&sb, &drain};
	if (export_write(output->exporter, &cli->arena, document, &to, err) == 0)
		return cli_output_rest(&stream, &sb, err);
	cli_output_abandon(&stream, &sb);
	return -1;
}

void output_warn_of_configuration(const struct cli *cli, const struct gate_result *gate)
{
	struct arena arena = {0};
	const struct gate_configuration *configuration = gate->input->configuration;
	if (configuration && configuration->notice)
		cli_warn(cli, "configuration: %s", vocabulary_say(&arena, configuration->notice));
	arena_free(&arena);
}

int output_write(struct cli *cli, const struct output_subject *subject, const struct output *output,
		 struct error *err)
{
	struct json *document;
	/* Exports and the templates of users are English; so are the documents of forms, which have
	 * the Chinese texts, too. */
	output_speak(cli, !output->kind->form && !output->exporter && !output->template &&
				  strcmp(output->format, "json") != 0);
	if (output->kind->needs_gate && !subject->gate)
		return error_set(err, ERR_STORE,
				 "%s reports changes, but %s has nothing to be compared with",
				 output->kind->name, name_of(cli, subject->oid));
	if (output->kind->windowed && !subject->gate->input->windowed)
		return error_set(err, ERR_USAGE,
				 "%s reports changes between commits and needs --against window",
				 output->kind->name);
	if (load_document(cli, subject, output, &document, err) < 0)
		return -1;
	if (output->exporter)
		return write_exported(cli, output, document, err);
	const struct report_kind *kind = output->kind;
	bool page = strcmp(output->format, "html") == 0;
	const char *built_in = kind->form && output_is_chinese(cli)
				       ? arena_printf(&cli->arena, "%s-zh", kind->name)
				       : kind->name;
	struct rendering rendering = {
		.format = output->format,
		.template = output->template ? output->template : built_in,
		.charts = output->template ? NULL
			  : page           ? kind->page_charts
					   : kind->charts,
		.output = output->path,
		.worst = kind->worst && !output->template,
		.limit = kind->limit,
		.url_base = cli->settings.publication.charts,
	};
	return output_render(cli, document, &rendering, err);
}
