/* rooflog log: lists the stored runs, one per line, newest first, or shows the history of
 * series. */
#include "render/document/key.h"
#include "cli/command.h"

#include "cli/query/log_history.h"
#include "cli/runs/runs.h"
#include "render/lists/lists.h"
#include "render/terminal/terminal.h"

/* The runs as entries of a report, without baselines. */
static struct report_run *entries_of(struct arena *arena, const struct loaded_list *list)
{
	struct report_run *entries = arena_array(arena, list->count, sizeof *entries);
	for (size_t i = 0; i < list->count; i++) {
		const struct loaded_run *loaded = &list->items[i];
		entries[i] = (struct report_run){
			.run = loaded->stored.run,
			.id = loaded->stored.id,
			.revision = &loaded->stored.revision,
			.peaks = loaded->peaks,
			.hardware = loaded->hardware,
			.baseline_age = -1,
		};
	}
	return entries;
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
	struct run_query query = runs_query(&asked->filter, NULL);
	query.limit = asked->limit;
	if (asked->series || asked->metric)
		return error_set(err, ERR_USAGE,
				 "--%s is about histories: use --view series or history, or "
				 "--kernel and the other filters",
				 asked->series ? "series" : "metric");
	if ((asked->json ? runs_load : runs_load_figures)(cli, &query, &list, err) < 0)
		return -1;
	const struct report_run *entries = entries_of(&cli->arena, &list);
	if (asked->json)
		return cli_print_json(render_runs_json(&cli->arena, entries, list.count), err);
	if (list.count == 0) {
		cli_note(cli, "no run matches");
		return EXIT_PASS;
	}
	struct strbuf sb = {0};
	render_runs_text(&cli->arena, entries, list.count, cli_table_width(), &sb);
	return cli_print_built(&sb, err);
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
	if (cli_query_log_history(cli, &request, &document, err) < 0)
		return -1;
	if (asked->json)
		return cli_print_json(document, err);
	const struct json *list = json_get(document, KEY(series));
	if (!list->first) {
		cli_note(cli,
			 "no series of this history matches; \"rooflog log --view runs\" lists the "
			 "runs of all commits");
		return EXIT_PASS;
	}
	bool has_points = json_get(list->first, KEY(points)) != NULL;
	size_t most = asked->limit || !has_points ? asked->limit : COMMITS;
	const struct terminal terminal = cli_terminal(cli);
	struct strbuf sb = {0};
	terminal_history(&cli->arena, &terminal, document, most, &sb);
	return cli_output(NULL, &sb, err);
}

static int log_stored(struct cli *cli, void *options, struct error *err)
{
	const struct asked *asked = options;
	/* The default view depends on the options only, never on how much matches, so that the JSON
	 * for programs is stable. */
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
	{OPTION_GROUP(struct asked, filter, run_filter_options)},
	{FIELD(limit), "limit", "N", "at most N runs, series, or commits of each series", .low = 1,
	 .high = 1e9},
	{FIELD(json), "json", NULL, "the same as JSON (docs/formats/report-document.md)"},
	{.kind = OPTION_END},
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
	.examples = {"rooflog log", "rooflog log --kernel attention --limit 20",
		     "rooflog log --metric mfu --view history --json"},
	.options_size = sizeof(struct asked),
	.needs = NEEDS_STORE,
	.run = log_stored,
};
