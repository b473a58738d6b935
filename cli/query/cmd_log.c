/* rooflog log: the stored runs, a line each, newest first; or what became of series. */
#include "cli/command.h"

#include <math.h>
#include <string.h>

#include "cli/query/log_history.h"
#include "cli/runs/runs.h"
#include "render/markup/table.h"
#include "render/terminal/terminal.h"
#include "render/vocabulary/vocabulary.h"

static void add_row(struct cli *cli, struct md_table *table, const struct naming *naming,
		    const struct loaded_run *loaded)
{
	struct arena *arena = &cli->arena;
	const struct run *run = loaded->stored.run;
	const char *day = report_day(arena, loaded->stored.revision.time);
	md_table_cell(table, arena_strndup(arena, loaded->stored.id, 8));
	md_table_cell(table, arena_printf(arena, "%.10s%s", loaded->stored.revision.oid,
					  run->dirty ? "+" : ""));
	md_table_cell(table, day ? day : "?");
	md_table_cell(table, naming_name(arena, naming, run));
	double mfu = run_number(run, METRIC_MFU);
	double algorithmic = run_number(run, METRIC_MFU_ALGORITHMIC);
	md_table_cell(table, vocabulary_english(arena, run_headline_message(arena, run)));
	bool formula = isnan(mfu) && !isnan(algorithmic);
	md_table_cell(table,
		      arena_printf(arena, "%s%s",
				   quantity_text(arena, formula ? algorithmic : mfu, UNIT_FRACTION),
				   formula ? " alg" : ""));
}

static int print_table(struct cli *cli, const struct loaded_list *list, struct error *err)
{
	struct md_table table;
	struct strbuf sb = {0};
	struct naming naming = loaded_naming(&cli->arena, list);
	naming.dirty = false; /* the column of commits says it */
	const char *common = naming_common(&cli->arena, &naming);
	if (common[0])
		strbuf_addf(&sb, "all %s\n\n", common);
	md_table_init(&table, &cli->arena);
	table.width = cli_table_width();
	md_table_column(&table, "run", MD_ALIGN_LEFT);
	md_table_column(&table, "commit", MD_ALIGN_LEFT);
	md_table_column(&table, "date", MD_ALIGN_LEFT);
	md_table_column(&table, "kernel", MD_ALIGN_LEFT);
	md_table_column(&table, vocabulary_term(LANGUAGE_ENGLISH, naming_headline(&naming)),
			MD_ALIGN_RIGHT);
	md_table_optional(&table, "MFU", MD_ALIGN_RIGHT);
	for (size_t i = 0; i < list->count; i++)
		add_row(cli, &table, &naming, &list->items[i]);
	md_table_plain(&table, &sb);
	int rc = cli_print_clean(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static int print_json(struct cli *cli, const struct loaded_list *list, struct error *err)
{
	struct json *array = json_array(&cli->arena);
	for (size_t i = 0; i < list->count; i++) {
		const struct loaded_run *loaded = &list->items[i];
		struct report_run entry = {
			.run = loaded->stored.run,
			.id = loaded->stored.id,
			.revision = &loaded->stored.revision,
			.peaks = loaded->peaks,
			.hardware = loaded->hardware,
			.baseline_age = -1,
		};
		report_add_run(&cli->arena, array, &entry);
	}
	return cli_print_json(array, err);
}

struct asked {
	struct run_filter filter;
	const char *series, *metric, *view;
	size_t limit; /* 0: none */
	bool json;
};

/* --- the views --- */

static int log_runs(struct cli *cli, const struct asked *asked, struct error *err)
{
	struct loaded_list list = {0};
	struct run_query query = {
		.kernel = asked->filter.kernel,
		.variant = asked->filter.variant,
		.dtype = asked->filter.dtype,
		.device = asked->filter.device,
		.limit = asked->limit,
	};
	if (asked->series || asked->metric)
		return error_set(err, ERR_USAGE,
				 "--%s is about histories: use --view series or history, or "
				 "--kernel and the other filters",
				 asked->series ? "series" : "metric");
	if ((asked->json ? cli_load_runs : cli_load_figures)(cli, &query, &list, err) < 0)
		return -1;
	if (asked->json)
		return print_json(cli, &list, err);
	if (list.count == 0) {
		cli_note(cli, "no run matches");
		return EXIT_PASS;
	}
	return print_table(cli, &list, err);
}

static int print_history(struct cli *cli, const struct json *document, size_t most,
			 struct error *err)
{
	const struct terminal terminal = cli_terminal(cli);
	struct strbuf sb = {0};
	terminal_history(&cli->arena, &terminal, document, most, &sb);
	int rc = cli_print(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static int log_histories(struct cli *cli, const struct asked *asked, struct error *err)
{
	enum { FEW = 6, COMMITS = 40, NARROW = 12, WIDE = 24, WIDE_FROM = 100 };
	bool lines = asked->view && strcmp(asked->view, "series") == 0;
	bool points = asked->view && strcmp(asked->view, "history") == 0;
	bool wide = asked->json || !lines || cli_columns() >= WIDE_FROM;
	struct json *document;
	struct log_request request = {
		.filter = &asked->filter,
		.series = asked->series,
		.metric = asked->metric ? metric_find(span_of(asked->metric)) : METRIC_COUNT,
		.points_up_to = lines    ? 0
				: points ? SIZE_MAX
					 : FEW,
		.spark = wide ? WIDE : NARROW,
	};
	if (asked->metric && request.metric == METRIC_COUNT)
		return error_set(err, ERR_USAGE,
				 "--metric %.60s: there is no such metric; \"rooflog show --json\" "
				 "lists those of a run by their keys",
				 asked->metric);
	if (cli_log_history(cli, &request, &document, err) < 0)
		return -1;
	if (asked->json)
		return cli_print_json(document, err);
	const struct json *list = json_get(document, "series");
	if (!list->first) {
		cli_note(cli,
			 "no series of this history matches; \"rooflog log --view runs\" lists the "
			 "runs of all commits");
		return EXIT_PASS;
	}
	bool has_points = json_get(list->first, "points") != NULL;
	size_t most = asked->limit || !has_points ? asked->limit : COMMITS;
	return print_history(cli, document, most, err);
}

static int log_stored(struct cli *cli, void *options, struct error *err)
{
	const struct asked *asked = options;
	/* What a program reads does not depend on how much matches. */
	bool narrowed = asked->series || asked->metric || (asked->filter.kernel && !asked->json);
	bool runs = asked->view ? strcmp(asked->view, "runs") == 0 : !narrowed;
	return runs ? log_runs(cli, asked, err) : log_histories(cli, asked, err);
}

#define FIELD(member) OPTION_FIELD(struct asked, member)
static const struct option rows[] = {
	{FIELD(view), "view", "VIEW",
	 "runs: a line each; series: a line each; history: series commit by commit",
	 .words = "runs|series|history"},
	{FIELD(series), "series", "NAME",
	 "only series that are called so, as in any table; * is anything"},
	{FIELD(metric), "metric", "KEY", "histories of this metric instead of the time"},
	{FIELD(filter), .rows = run_filter_options},
	{FIELD(limit), "limit", "N", "at most N runs, series, or commits of each series", .low = 1,
	 .high = 1e9},
	{FIELD(json), "json", NULL, "the same as JSON (docs/formats/report-document.md)"},
	{.kind = OPTION_END},
};

static const char *const examples[] = {
	"rooflog log",
	"rooflog log --kernel attention --limit 20",
	"rooflog log --metric mfu --view history --json",
	NULL,
};

const struct command command_log = {
	.name = "log",
	.summary = "list the stored runs, newest first",
	.usage = "[OPTION]...",
	.about = "Lists the stored runs, newest commit first. A + after the commit marks a run "
		 "that\n"
		 "was measured with uncommitted changes.\n"
		 "With --kernel, --series or --metric it shows histories up to HEAD instead: of "
		 "few\n"
		 "series commit by commit, with the changes of level; of many a line each.",
	.options = rows,
	.examples = examples,
	.options_size = sizeof(struct asked),
	.needs = NEEDS_STORE,
	.run = log_stored,
};
