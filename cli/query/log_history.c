/* Loads histories from the store, finds changes of level as the gate does, and reads acceptances
 * from git's tree. */
#include "cli/query/log_history.h"

#include "cli/accept/accept.h"
#include "cli/gate/gate.h"
#include "model/changepoint/changepoint.h"
#include "render/series/history.h"

struct telling {
	struct cli *cli;
	const struct log_request *request;
	struct policy_list configured;
	struct history_set set;
	struct history_view view;
};

/* --- the lines of the view --- */

static bool is_wanted(const struct log_request *request, const struct history *history)
{
	return gate_command_wants(request->filter, history->identity) &&
	       (!request->series || strcmp(request->series, history->series) == 0 ||
		acceptance_names(request->series, history->identity));
}

/* The points of the requested metric; without one, of the headline with the newest point (the first
 * such in the order of run_headline()). */
static struct history_points points_of(struct arena *arena, const struct telling *t,
				       const struct history *history, enum metric *metric)
{
	struct history_points best = {0};
	for (size_t i = 0; i < t->set.metric_count; i++) {
		if (t->request->metric != METRIC_COUNT && t->set.metrics[i] != t->request->metric)
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

static void find_all(struct telling *t)
{
	const struct run **runs = arena_array(&t->cli->arena, t->set.count + 1, sizeof *runs);
	t->view.lines = arena_array(&t->cli->arena, t->set.count + 1, sizeof *t->view.lines);
	for (size_t i = 0; i < t->set.count; i++) {
		if (!is_wanted(t->request, &t->set.items[i]))
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

/* --- all of it --- */

static int load(struct telling *t, struct error *err)
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
	row->own_headline = t->request->metric == METRIC_COUNT;
	row->metric = row->own_headline ? row->metric : t->request->metric;
	cli->settings.policies = (struct policy_list){row, 1, 1};
	if (gate_command_load_histories(cli, oid, &t->set, err) < 0)
		return -1;
	/* The acceptances of HEAD, whether or not it was measured: what counts is what is accepted
	 * now. */
	if (cli_open_repository(cli, &ignored) < 0 ||
	    repository_resolve(cli->repository, "HEAD", head, &ignored) < 0)
		memcpy(head, t->set.chain[0].oid, sizeof head);
	struct candidate_clock *clock = arena_new(&cli->arena, struct candidate_clock);
	*clock = (struct candidate_clock){cli, arena_strdup(&cli->arena, head)};
	t->view.clock = accept_clock(clock);
	return accept_load(cli, head, &t->view.acceptances, &unread, err);
}

int cli_query_log_history(struct cli *cli, const struct log_request *request,
			  struct json **document, struct error *err)
{
	struct telling t = {.cli = cli, .request = request};
	t.view = (struct history_view){.arena = &cli->arena,
				       .set = &t.set,
				       .points_up_to = request->points_up_to,
				       .spark = request->spark};
	if (load(&t, err) < 0)
		return -1;
	find_all(&t);
	*document = render_history_json(&t.view);
	return 0;
}
