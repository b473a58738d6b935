/* rooflog log: lists the stored runs, one per line, newest first, or shows the history of
 * series. */
#include "cli/command.h"

#include "cli/query/candidates.h"
#include "cli/runs/runs.h"
#include "cli/runs/words/words.h"
#include "render/document/document.h"
#include "render/lists/lists.h"
#include "render/terminal/terminal.h"
#include "cli/accept/accept.h"
#include "cli/runs/edit/edit.h"
#include "cli/output/output.h"
#include "cli/gate/gate.h"
#include "model/changepoint/changepoint.h"
#include "render/series/history.h"

struct asked {
	struct run_filter filter;
	struct arguments series;
	const char *metric, *view;
	size_t limit; /* 0: none */
};

/* What the histories of one call share. */
struct histories {
	struct cli *cli;
	const struct asked *asked;
	enum metric metric; /* METRIC_COUNT: each series' own headline */
	struct policy_list configured;
	struct history_set set;
	struct history_view view;
};

/* --- histories: the lines of the view --- */

/* The points of the requested metric; without one, of the headline with the newest point (the first
 * such in the order of run_headline()). */
static struct history_points points_of(struct arena *arena, const struct histories *t,
				       const struct history *history, enum metric *metric)
{
	struct history_points best = {0};
	for (size_t i = 0; i < t->set.metric_count; i++) {
		if (t->metric != METRIC_COUNT && t->set.metrics[i] != t->metric)
			continue;
		struct history_points points = history_points(arena, history, i, 0, 0);
		bool newer =
			points.count && (!best.count || points.items[points.count - 1].commit <
								best.items[best.count - 1].commit);
		if (!newer)
			continue;
		best = points;
		*metric = t->set.metrics[i];
	}
	return best;
}

static void find_changes(struct arena *arena, struct history_line *one)
{
	const struct detect_options confirmed = detect_defaults(), young = detect_suspects();
	double *values = arena_array(arena, one->points.count, sizeof *values);
	for (size_t i = 0; i < one->points.count; i++)
		values[i] = one->points.items[i].value;
	one->changes = detect_changes(arena, values, one->points.count, &confirmed);
	one->suspects = detect_changes(arena, values, one->points.count, &young);
	/* A suspect is a change that too few commits follow to confirm it. Older ones were either
	 * confirmed or dropped. */
	while (one->suspects.count &&
	       one->points.count - one->suspects.changes[0].index >= confirmed.least_after) {
		one->suspects.changes++;
		one->suspects.count--;
	}
	const struct detect_result *newest = one->suspects.count ? &one->suspects : &one->changes;
	one->changed = newest->count
			       ? one->points.items[newest->changes[newest->count - 1].index].commit
			       : UINT32_MAX;
}

/* The newest change first. */
static int by_change(const void *a, const void *b)
{
	const struct history_line *x = a, *y = b;
	if (x->changed != y->changed)
		return x->changed < y->changed ? -1 : 1;
	return strcmp(x->history->series, y->history->series);
}

static void find_all(struct histories *t)
{
	const struct run **runs = arena_array(&t->cli->arena, t->set.count + 1, sizeof *runs);
	t->view.lines = arena_array(&t->cli->arena, t->set.count + 1, sizeof *t->view.lines);
	for (size_t i = 0; i < t->set.count; i++) {
		if (!runs_filter_wants(&t->asked->filter, t->set.items[i].identity))
			continue;
		struct history_line one = {.history = &t->set.items[i]};
		one.points = points_of(&t->cli->arena, t, one.history, &one.metric);
		if (!one.points.count)
			continue;
		one.direction =
			policy_list_direction(&t->configured, one.history->identity, one.metric);
		find_changes(&t->cli->arena, &one);
		assert(t->view.count < t->set.count);
		t->view.lines[t->view.count++] = one;
	}
	array_sort(t->view.lines, t->view.count, sizeof *t->view.lines, by_change);
	for (size_t i = 0; i < t->view.count; i++)
		runs[i] = t->view.lines[i].history->identity;
	t->view.naming = short_names_of(&t->cli->arena, runs, t->view.count);
}

static int load(struct histories *t, struct error *err)
{
	char oid[65];
	struct cli *cli = t->cli;
	struct policy *row = arena_new(&cli->arena, struct policy);
	const char *unread;
	char head[65];
	struct error ignored;
	if (runs_select_commit(cli, NULL, oid, err) < 0 || cli_load_config(cli, err) < 0)
		return -1;
	t->configured = cli->settings.policies;
	/* The gate's loader loads the metrics that rows judge, so one row with the requested metric
	 * replaces the configured ones. */
	*row = default_policy;
	row->own_headline = t->metric == METRIC_COUNT;
	row->metric = row->own_headline ? row->metric : t->metric;
	cli->settings.policies = (struct policy_list){row, 1, 1};
	if (gate_command_load_histories(cli, oid, &t->set, err) < 0)
		return -1;
	/* The acceptances of HEAD, whether or not it was measured: what counts is what is accepted
	 * now. */
	if (cli_open_repository(cli, &ignored) < 0 ||
	    repository_resolve(cli->repository, "HEAD", head, &ignored) < 0)
		memcpy(head, t->set.chain[0].oid, sizeof head);
	struct candidate_clock *clock = arena_new(&cli->arena, struct candidate_clock);
	*clock = (struct candidate_clock){.cli = cli, .candidate = arena_strdup(&cli->arena, head)};
	t->view.clock = accept_clock(clock);
	return accept_load(cli, head, &t->view.acceptances, &unread, err);
}

/* --- the views --- */

/* The runs of a page, in the order of the log. The list shows what the key is made of. */
static const struct report_run *entries_of(struct arena *arena, const struct loaded_list *list)
{
	struct report_run *entries = arena_array(arena, list->count, sizeof *entries);
	for (size_t i = 0; i < list->count; i++) {
		entries[i] = runs_entry(&list->items[i]);
		entries[i].series = NULL;
	}
	return entries;
}

/* A long list is laid out and printed in pages, each a table of its own. */
static int print_pages(struct cli *cli, struct store_cursor *cursor, enum metric metric,
		       struct error *err)
{
	enum { PAGE = 10000 };
	int rc = 0;
	for (size_t page = 0; rc == 0; page++) {
		struct arena arena = {0};
		struct loaded_list list;
		struct strbuf sb = {0};
		rc = runs_load_next(cli, cursor, &arena, PAGE, &list, err);
		if (rc == 0 && list.count) {
			if (page)
				strbuf_addch(&sb, '\n');
			const struct runs_view view = {entries_of(&arena, &list), list.count,
						       cli_table_width(), metric};
			render_runs_text(&arena, &view, &sb);
			rc = cli_print_built(&sb, err);
		}
		arena_free(&arena);
		if (rc == 0 && !list.count && !page)
			cli_note(cli, "no matching runs");
		if (!list.count)
			break;
	}
	return rc;
}

/* The runs as items of an array, read a batch at a time. */
struct listing {
	struct cli *cli;
	struct store_cursor *cursor;
	enum metric metric;
	struct arena arena; /* the batch's */
	struct loaded_list batch;
	const struct report_run *entries;
	size_t first; /* the batch's index */
	bool failed;
	struct error err;
};

static struct json *item_of(void *context, struct arena *arena, size_t index)
{
	enum { BATCH = 500 };
	struct listing *listing = context;
	if (listing->failed)
		return NULL;
	if (index - listing->first == listing->batch.count) {
		arena_free(&listing->arena);
		listing->first = index;
		listing->failed = runs_load_next(listing->cli, listing->cursor, &listing->arena,
						 BATCH, &listing->batch, &listing->err) < 0;
		listing->entries = entries_of(&listing->arena, &listing->batch);
	}
	return !listing->failed && listing->batch.count
		       ? render_runs_item(arena, &listing->entries[index - listing->first],
					  listing->metric)
		       : NULL;
}

static int print_items(struct cli *cli, struct store_cursor *cursor, enum metric metric,
		       struct error *err)
{
	struct listing listing = {.cli = cli, .cursor = cursor, .metric = metric};
	const struct json_items items = {item_of, &listing};
	struct json *document = document_begin(&cli->arena, SCHEMA(runs));
	struct json *runs = json_set_array(&cli->arena, document, KEY(runs));
	json_set_items(&cli->arena, runs, SIZE_MAX, items);
	int rc = cli_print_json(document, err);
	arena_free(&listing.arena);
	if (listing.failed)
		*err = listing.err;
	return listing.failed ? -1 : rc;
}

static int log_runs(struct cli *cli, const struct asked *asked, struct error *err)
{
	struct store_cursor *cursor;
	struct run_query query = runs_query(&asked->filter, NULL);
	query.limit = asked->limit;
	query.details = cli->common.json;
	enum metric metric = METRIC_COUNT;
	if ((asked->metric && option_metric(asked->metric, &metric, err) < 0) ||
	    cli_load_config(cli, err) < 0 ||
	    store_runs_start(cli->store, &cli->arena, &query, &cursor, err) < 0)
		return -1;
	int rc = (cli->common.json ? print_items : print_pages)(cli, cursor, metric, err);
	store_runs_end(cursor);
	return rc;
}

static int log_histories(struct cli *cli, const struct asked *asked, struct error *err)
{
	enum { FEW = 6, COMMITS = 40, NARROW = 12, WIDE = 24, WIDE_FROM = 100 };
	/* With at most FEW series the document has the points, unless the view says otherwise. */
	bool lines = asked->view && strcmp(asked->view, "series") == 0;
	bool points = asked->view && strcmp(asked->view, "history") == 0;
	bool wide = cli->common.json || !lines || cli_columns() >= WIDE_FROM;
	struct histories t = {
		.cli = cli,
		.asked = asked,
		.metric = METRIC_COUNT,
		.view = {.arena = &cli->arena,
			 .points_up_to = lines    ? 0
					 : points ? SIZE_MAX
						  : FEW,
			 .spark = wide ? WIDE : NARROW},
	};
	t.view.set = &t.set;
	if (asked->metric && option_metric(asked->metric, &t.metric, err) < 0)
		return -1;
	store_read_once(cli->store);
	if (load(&t, err) < 0)
		return -1;
	find_all(&t);
	const struct json *document = render_history_json(&t.view);
	if (cli->common.json)
		return cli_print_json(document, err);
	const struct json *list = json_get(document, KEY(series));
	if (!list->first) {
		cli_note(cli, "no matching series in this history; \"rooflog log --view runs\" "
			      "lists runs of all commits");
		return EXIT_PASS;
	}
	bool has_points = json_get(list->first, KEY(points)) != NULL;
	size_t limit = asked->limit || !has_points ? asked->limit : COMMITS;
	struct terminal terminal = cli_terminal(cli);
	struct cli_stream stream = {.failed = false};
	const struct strbuf_drain drain = cli_drain(&stream);
	struct strbuf sb = {0};
	terminal.drain = &drain;
	terminal_history(&cli->arena, &terminal, document, limit, &sb);
	return cli_output_rest(&stream, &sb, err);
}

static const struct words_rules rules = {
	.command = "log", .kinds = WORD_SERIES, .does = "log lists the runs of all commits"};

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct asked *asked = options;
	enum metric metric;
	(void)cli;
	if (asked->view && strcmp(asked->view, "candidates") == 0 &&
	    (asked->limit || asked->metric))
		return error_set(err, ERR_USAGE, "--view candidates takes neither -n nor --metric");
	return asked->metric ? option_metric(asked->metric, &metric, err) : 0;
}

static int log_stored(struct cli *cli, void *options, struct error *err)
{
	struct asked *asked = options;
	struct words words;
	/* Only SERIES chooses the view, never a filter or how much matches. */
	bool runs = asked->view ? strcmp(asked->view, "runs") == 0 : !asked->series.count;
	if (words_read(cli, &rules, &asked->series, &words, &asked->filter, err) < 0 ||
	    runs_require(cli, &asked->filter, err) < 0 ||
	    output_choose_language(cli, NULL, err) < 0)
		return -1;
	output_speak(cli, !cli->common.json);
	if (!cli->common.json)
		cli_page(cli);
	if (asked->view && strcmp(asked->view, "edits") == 0)
		return edit_command_list(cli, asked->limit, err);
	if (asked->view && strcmp(asked->view, "candidates") == 0)
		return cli_query_print_candidates(cli, &asked->filter, err);
	return runs ? log_runs(cli, asked, err) : log_histories(cli, asked, err);
}

#define FIELD(member) OPTION_FIELD(struct asked, member)
static const struct option rows[] = {
	{FIELD(limit), "max-count", "N",
	 "show at most N runs, series, or commits of a series; -20 is short for -n 20", .low = 1,
	 .high = 1e9, .letter = 'n'},
	{FIELD(view), "view", "VIEW",
	 "runs, series, history, candidates: a leaderboard, or edits: what was removed, replaced "
	 "or "
	 "renamed",
	 .choices = "runs|series|history|candidates|edits"},
	{FIELD(metric), "metric", "KEY", "show this metric instead of the time"},
	{OPTION_GROUP(struct asked, filter, run_filter_options)},
	{.kind = OPTION_END},
};

const struct command command_log = {
	.name = "log",
	.group = GROUP_EVERY_DAY,
	.summary = "list runs, or show the history of a series",
	.usage = "[SERIES] [OPTION]...",
	.about = "List the stored runs, newest commit first. With SERIES, show the history of the\n"
		 "series that match, commit by commit, with their change points; more than six\n"
		 "series get one line each.",
	.notes = "A + after a commit marks a run with uncommitted changes.",
	.examples = {"rooflog log -n 20                         the last 20 runs",
		     "rooflog log attention s=512               the history of a series",
		     "rooflog log 'attention*' --metric mfu     MFU over time",
		     "rooflog log --view series                 all series, last changed first",
		     "rooflog log --view candidates             which candidate is the fastest"},
	.options = rows,
	.arguments = {{"SERIES", ARGUMENT(struct asked, series)}},
	.options_size = sizeof(struct asked),
	.needs = NEEDS_STORE,
	.check = check,
	.run = log_stored,
	.sections = "alias device work",
	.documents = "runs history candidates edits",
	.see_also = "show bisect rm mv verdicts",
};
