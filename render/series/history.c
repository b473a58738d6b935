/* Series along first parents: levels, change points, values. */
#include "render/series/history.h"

#include "model/trend/trend.h"
#include "render/document/document.h"
#include "render/report/report.h"

/* The valid acceptance that covers the level after the change; NULL: none. */
static const struct acceptance *accepted_by(const struct history_view *view,
					    const struct history_line *one,
					    const struct detect_change *change)
{
	if (!acceptance_is_worse(change->after, change->before, one->direction))
		return NULL;
	for (size_t i = 0; i < view->acceptances.count; i++) {
		const struct acceptance *line = &view->acceptances.items[i];
		double limit = acceptance_limit(line, one->metric);
		if (isnan(limit) || acceptance_is_worse(change->after, limit, one->direction) ||
		    !acceptance_names(line->series, one->history->identity))
			continue;
		enum acceptance_standing standing = acceptance_standing(line, &view->clock);
		if (standing == ACCEPTANCE_VALID || standing == ACCEPTANCE_WAITING)
			return line;
	}
	return NULL;
}

static void add_change(const struct history_view *view, struct json *list,
		       const struct history_line *one, const struct detect_change *change,
		       bool confirmed)
{
	struct arena *arena = view->arena;
	const struct history_point *points = one->points.items;
	uint32_t last = points[change->index - 1].commit, first = points[change->index].commit;
	enum unit unit = metric_info(one->metric)->unit;
	const struct acceptance *line = accepted_by(view, one, change);
	struct json *out = json_add_object(arena, list);
	json_set_bool(arena, out, KEY(confirmed), confirmed);
	json_set_bool(arena, out, KEY(worse),
		      acceptance_is_worse(change->after, change->before, one->direction));
	json_set_number(arena, out, KEY(effect), change->effect);
	json_set_text(arena, out, KEY(effect_text),
		      document_effect(arena, change->effect, change->relative, unit));
	json_set_number(arena, out, KEY(low), change->low);
	json_set_number(arena, out, KEY(high), change->high);
	json_set_text(arena, out, KEY(interval_text),
		      report_effect_interval_text(arena, change->low, change->high,
						  change->relative, unit));
	json_set_number(arena, out, KEY(p), change->p);
	json_set_number(arena, out, KEY(index), (double)(one->points.count - 1 - change->index));
	json_set_number(arena, out, KEY(commits_between), last - first);
	json_set_number(arena, out, KEY(age_commits), first);
	document_commit(arena, out, KEY(last_before), &view->set->chain[last], false);
	document_commit(arena, out, KEY(first_after), &view->set->chain[first], false);
	if (!line)
		return;
	struct json *accepted = json_set_object(arena, out, KEY(accepted));
	json_set_number(arena, accepted, KEY(line), (double)line->line);
	json_set_text(arena, accepted, KEY(author), line->author);
	json_set_text(arena, accepted, KEY(reason), line->reason);
	json_set_text(arena, accepted, KEY(expires), line->expires);
}

static void add_changes(const struct history_view *view, struct json *out,
			const struct history_line *one)
{
	struct json *list = json_set_array(view->arena, out, KEY(changes));
	for (size_t i = one->suspects.count; i-- > 0;)
		add_change(view, list, one, &one->suspects.changes[i], false);
	for (size_t i = one->changes.count; i-- > 0;)
		add_change(view, list, one, &one->changes.changes[i], true);
}

/* The median between two change points; NAN if there are too few commits for a level. */
static double level_of(struct arena *arena, const struct history_line *one, size_t from, size_t to)
{
	enum { LEAST = 8 };
	assert(from <= to && to <= one->points.count);
	double *values = arena_array(arena, to - from, sizeof *values);
	for (size_t i = from; i < to; i++)
		values[i - from] = one->points.items[i].value;
	return to - from < LEAST ? NAN : median_of(values, to - from);
}

/* The last change point, confirmed or not, before the point; 0: the level begins with the history.
 * Both lists are sorted by index. */
static size_t start_of_level(const struct history_line *one, size_t before)
{
	size_t start = 0;
	const struct detect_result *both[] = {&one->changes, &one->suspects};
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < both[k]->count; i++)
			if (both[k]->changes[i].index < before)
				start = both[k]->changes[i].index;
	return start;
}

/* Adds the points, newest first. */
static void add_points(const struct history_view *view, struct json *out,
		       const struct history_line *one)
{
	struct arena *arena = view->arena;
	struct json *list = json_set_array(arena, out, KEY(points));
	for (size_t end = one->points.count, start; end > 0; end = start) {
		start = start_of_level(one, end);
		assert(start < end);
		double level = level_of(arena, one, start, end);
		for (size_t i = end; i-- > start;) {
			const struct history_point *point = &one->points.items[i];
			struct json *row = json_add_object(arena, list);
			document_commit(arena, row, KEY(commit), &view->set->chain[point->commit],
					false);
			json_set_number(arena, row, KEY(age_commits), point->commit);
			json_set_number(arena, row, KEY(value), point->value);
			json_set_number(arena, row, KEY(runs), point->runs);
			json_set_number(arena, row, KEY(level), level);
		}
	}
}

static void add_series(const struct history_view *view, struct json *list,
		       const struct history_line *one)
{
	struct arena *arena = view->arena;
	const struct metric_info *info = metric_info(one->metric);
	const struct history_point *newest = &one->points.items[one->points.count - 1];
	double low = INFINITY, high = -INFINITY;
	for (size_t i = 0; i < one->points.count; i++) {
		low = fmin(low, one->points.items[i].value);
		high = fmax(high, one->points.items[i].value);
	}
	struct json *out = json_add_object(arena, list);
	json_set_text(arena, out, KEY(series), one->history->series);
	json_set_text(arena, out, KEY(name),
		      short_names_name(arena, &view->naming, one->history->identity));
	json_set_text(arena, out, KEY(metric), info->key);
	json_set_text(arena, out, KEY(title),
		      report_title(arena, one->history->identity, one->metric));
	json_set_number(arena, out, KEY(commits), (double)one->points.count);
	json_set_text(arena, out, KEY(spark), trend_spark(arena, &one->points, view->spark));
	document_quantity(arena, out, KEY(low), low, info->unit);
	document_quantity(arena, out, KEY(high), high, info->unit);
	struct json *last = document_quantity(arena, out, KEY(newest), newest->value, info->unit);
	json_set_number(arena, last, KEY(age_commits), newest->commit);
	document_commit(arena, last, KEY(commit), &view->set->chain[newest->commit], false);
	add_changes(view, out, one);
	if (view->count <= view->points_up_to)
		add_points(view, out, one);
}

static struct json *series_at(void *context, struct arena *arena, size_t index)
{
	const struct history_view *all = context;
	struct history_view view = *all;
	struct json *list = json_array(arena);
	view.arena = arena;
	add_series(&view, list, &view.lines[index]);
	return list->first;
}

struct json *render_history_json(const struct history_view *view)
{
	enum { KEPT = 100 }; /* further series are made when they are visited */
	struct arena *arena = view->arena;
	struct json *out = document_begin(arena, SCHEMA(history));
	document_commit(arena, out, KEY(commit), &view->set->chain[0], false);
	json_set_number(arena, out, "chain", (double)view->set->chain_count);
	json_set_bool(arena, out, "truncated", view->set->truncated);
	json_set_text(arena, out, KEY(common), short_names_common(arena, &view->naming));
	struct json *list = json_set_array(arena, out, KEY(series));
	for (size_t i = 0; i < view->count && i < KEPT; i++)
		add_series(view, list, &view->lines[i]);
	if (view->count > KEPT)
		json_set_items(arena, list, view->count,
			       (struct json_items){series_at, (void *)view});
	return out;
}
