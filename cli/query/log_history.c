/* Histories out of the store, changes of level as the gate finds them, acceptances of the tree. */
#include "cli/query/log_history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/accept/accept.h"
#include "cli/gate/gate.h"
#include "model/changepoint/detect.h"
#include "model/gate/trend.h"

/* One series that fits, with its points of one metric, oldest first. */
struct told {
	const struct history *history;
	enum metric metric;
	enum metric_direction direction; /* which way is better of it */
	struct history_points points;
	struct detect_result changes, suspects;
	uint32_t changed; /* place of the newest change; UINT32_MAX: none */
};

struct telling {
	struct cli *cli;
	const struct log_request *request;
	struct policy_list configured;
	struct history_set set;
	struct told *told;
	size_t count;
	struct acceptance_list acceptances;
	struct acceptance_clock clock;
	struct naming naming;
};

/* --- what there is --- */

static bool is_wanted(const struct log_request *request, const struct history *history)
{
	return gate_wants(request->filter, history->identity) &&
	       (!request->series || strcmp(request->series, history->series) == 0 ||
		acceptance_names(request->series, history->identity));
}

/* The metric that was asked for, or the first of the headlines that the newest commit knows. */
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

static void find_changes(struct arena *arena, struct told *one)
{
	const struct detect_options confirmed = detect_defaults(), young = detect_suspects();
	double *values = arena_array(arena, one->points.count, sizeof *values);
	for (size_t i = 0; i < one->points.count; i++)
		values[i] = one->points.items[i].value;
	one->changes = detect_changes(arena, values, one->points.count, &confirmed);
	one->suspects = detect_changes(arena, values, one->points.count, &young);
	/* A suspect is what too few commits follow for a verdict. */
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

/* What changed last comes first. */
static int by_change(const void *a, const void *b)
{
	const struct told *x = a, *y = b;
	if (x->changed != y->changed)
		return x->changed < y->changed ? -1 : 1;
	return strcmp(x->history->series, y->history->series);
}

static void find_all(struct telling *t)
{
	const struct run **runs = arena_array(&t->cli->arena, t->set.count + 1, sizeof *runs);
	t->told = arena_array(&t->cli->arena, t->set.count + 1, sizeof *t->told);
	for (size_t i = 0; i < t->set.count; i++) {
		if (!is_wanted(t->request, &t->set.items[i]))
			continue;
		struct told one = {.history = &t->set.items[i]};
		one.points = points_of(&t->cli->arena, t, one.history, &one.metric);
		if (!one.points.count)
			continue;
		one.direction =
			policy_list_direction(&t->configured, one.history->identity, one.metric);
		find_changes(&t->cli->arena, &one);
		t->told[t->count++] = one;
	}
	if (t->count)
		qsort(t->told, t->count, sizeof *t->told, by_change);
	for (size_t i = 0; i < t->count; i++)
		runs[i] = t->told[i].history->identity;
	t->naming = naming_of(&t->cli->arena, runs, t->count);
}

/* --- a series --- */

/* The valid line that puts up with the level after the change; NULL: none. */
static const struct acceptance *accepted_by(const struct telling *t, const struct told *one,
					    const struct detect_change *change)
{
	if (!acceptance_is_worse(change->after, change->before, one->direction))
		return NULL;
	for (size_t i = 0; i < t->acceptances.count; i++) {
		const struct acceptance *line = &t->acceptances.items[i];
		double ceiling = acceptance_ceiling(line, one->metric);
		if (isnan(ceiling) || acceptance_is_worse(change->after, ceiling, one->direction) ||
		    !acceptance_names(line->series, one->history->identity))
			continue;
		enum acceptance_standing standing = acceptance_standing(line, &t->clock);
		if (standing == ACCEPTANCE_VALID || standing == ACCEPTANCE_WAITING)
			return line;
	}
	return NULL;
}

static void add_change(const struct telling *t, struct json *list, const struct told *one,
		       const struct detect_change *change, bool confirmed)
{
	struct arena *arena = &t->cli->arena;
	const struct history_point *points = one->points.items;
	uint32_t last = points[change->index - 1].commit, first = points[change->index].commit;
	enum unit unit = metric_info(one->metric)->unit;
	const struct acceptance *line = accepted_by(t, one, change);
	struct json *out = json_add_object(arena, list);
	json_set_bool(arena, out, "confirmed", confirmed);
	json_set_bool(arena, out, "worse",
		      acceptance_is_worse(change->after, change->before, one->direction));
	json_set_number(arena, out, "effect", change->effect);
	json_set_text(arena, out, "effect_text",
		      report_effect_text(arena, change->effect, change->relative, unit));
	json_set_number(arena, out, "low", change->low);
	json_set_number(arena, out, "high", change->high);
	json_set_text(arena, out, "interval_text",
		      report_effect_interval_text(arena, change->low, change->high,
						  change->relative, unit));
	json_set_number(arena, out, "p", change->p);
	json_set_number(arena, out, "index", (double)(one->points.count - 1 - change->index));
	json_set_number(arena, out, "commits_between", last - first);
	json_set_number(arena, out, "age_commits", first);
	report_commit(arena, out, "last_before", &t->set.chain[last], false);
	report_commit(arena, out, "first_after", &t->set.chain[first], false);
	if (!line)
		return;
	struct json *accepted = json_set_object(arena, out, "accepted");
	json_set_number(arena, accepted, "line", (double)line->line);
	json_set_text(arena, accepted, "author", line->author);
	json_set_text(arena, accepted, "reason", line->reason);
	json_set_text(arena, accepted, "expires", line->expires);
}

static void add_changes(const struct telling *t, struct json *out, const struct told *one)
{
	struct json *list = json_set_array(&t->cli->arena, out, "changes");
	for (size_t i = one->suspects.count; i-- > 0;)
		add_change(t, list, one, &one->suspects.changes[i], false);
	for (size_t i = one->changes.count; i-- > 0;)
		add_change(t, list, one, &one->changes.changes[i], true);
}

/* The median of the commits between two changes; NAN where they are too few to call it a level. */
static double level_of(struct arena *arena, const struct told *one, size_t from, size_t to)
{
	enum { LEAST = 8 };
	double *values = arena_array(arena, to - from, sizeof *values);
	for (size_t i = from; i < to; i++)
		values[i - from] = one->points.items[i].value;
	return to - from < LEAST ? NAN : median_of(values, to - from);
}

static size_t start_of_level(const struct told *one, size_t before)
{
	size_t start = 0;
	const struct detect_result *both[] = {&one->changes, &one->suspects};
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < both[k]->count; i++)
			if (both[k]->changes[i].index < before)
				start = both[k]->changes[i].index;
	return start;
}

/* Newest first. */
static void add_points(const struct telling *t, struct json *out, const struct told *one)
{
	struct arena *arena = &t->cli->arena;
	struct json *list = json_set_array(arena, out, "points");
	for (size_t end = one->points.count, start; end > 0; end = start) {
		start = start_of_level(one, end);
		double level = level_of(arena, one, start, end);
		for (size_t i = end; i-- > start;) {
			const struct history_point *point = &one->points.items[i];
			struct json *row = json_add_object(arena, list);
			report_commit(arena, row, "commit", &t->set.chain[point->commit], false);
			json_set_number(arena, row, "age_commits", point->commit);
			json_set_number(arena, row, "value", point->value);
			json_set_number(arena, row, "runs", point->runs);
			json_set_number(arena, row, "level", level);
		}
	}
}

static void add_series(const struct telling *t, struct json *list, const struct told *one)
{
	struct arena *arena = &t->cli->arena;
	const struct metric_info *info = metric_info(one->metric);
	const struct history_point *newest = &one->points.items[one->points.count - 1];
	double low = INFINITY, high = -INFINITY;
	for (size_t i = 0; i < one->points.count; i++) {
		low = fmin(low, one->points.items[i].value);
		high = fmax(high, one->points.items[i].value);
	}
	struct json *out = json_add_object(arena, list);
	json_set_text(arena, out, "series", one->history->series);
	json_set_text(arena, out, "name", naming_name(arena, &t->naming, one->history->identity));
	json_set_text(arena, out, "metric", info->key);
	json_set_text(arena, out, "title",
		      report_title(arena, one->history->identity, one->metric));
	json_set_number(arena, out, "commits", (double)one->points.count);
	json_set_text(arena, out, "spark", trend_spark(arena, &one->points, t->request->spark));
	report_quantity(arena, out, "low", low, info->unit);
	report_quantity(arena, out, "high", high, info->unit);
	struct json *last = report_quantity(arena, out, "newest", newest->value, info->unit);
	json_set_number(arena, last, "age_commits", newest->commit);
	report_commit(arena, last, "commit", &t->set.chain[newest->commit], false);
	add_changes(t, out, one);
	if (t->count <= t->request->points_up_to)
		add_points(t, out, one);
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
	if (cli_select_commit(cli, NULL, oid, err) < 0 || cli_load_config(cli, err) < 0)
		return -1;
	t->configured = cli->policies;
	/* Which metrics are loaded is said by rows. */
	*row = default_policy;
	row->own_headline = t->request->metric == METRIC_COUNT;
	row->metric = row->own_headline ? row->metric : t->request->metric;
	cli->policies = (struct policy_list){row, 1, 1};
	if (gate_load_histories(cli, oid, &t->set, err) < 0)
		return -1;
	/* What is put up with now, whether or not this commit was measured. */
	if (cli_open_repository(cli, &ignored) < 0 ||
	    repository_resolve(cli->repository, "HEAD", head, &ignored) < 0)
		memcpy(head, t->set.chain[0].oid, sizeof head);
	struct candidate_clock *clock = arena_new(&cli->arena, struct candidate_clock);
	*clock = (struct candidate_clock){cli, arena_strdup(&cli->arena, head)};
	t->clock = cli_acceptance_clock(clock);
	return cli_acceptances(cli, head, &t->acceptances, &unread, err);
}

int cli_log_history(struct cli *cli, const struct log_request *request, struct json **document,
		    struct error *err)
{
	struct telling t = {.cli = cli, .request = request};
	struct arena *arena = &cli->arena;
	if (load(&t, err) < 0)
		return -1;
	find_all(&t);
	struct json *out = json_object(arena);
	report_commit(arena, out, "commit", &t.set.chain[0], false);
	json_set_number(arena, out, "chain", (double)t.set.chain_count);
	json_set_bool(arena, out, "truncated", t.set.truncated);
	json_set_text(arena, out, "common", naming_common(arena, &t.naming));
	struct json *list = json_set_array(arena, out, "series");
	for (size_t i = 0; i < t.count; i++)
		add_series(&t, list, &t.told[i]);
	*document = out;
	return 0;
}
