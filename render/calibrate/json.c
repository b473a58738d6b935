/* A calibration as JSON: every number of the text, and the numbers they were computed from. */
#include "render/calibrate/calibrate.h"

#include "render/document/document.h"

static void add_tally(struct arena *arena, struct json *object, const char *name,
		      const struct calibrate_tally *tally)
{
	struct json *child = json_set_object(arena, object, name);
	json_set_number(arena, child, KEY(judged), (double)tally->judged);
	json_set_number(arena, child, KEY(flagged), (double)tally->flagged);
	json_set_number(arena, child, KEY(undecided), (double)tally->undecided);
	json_set_number(arena, child, KEY(environment), (double)tally->environment);
}

static void add_limits(struct arena *arena, struct json *object, const char *name,
		       const struct policy *limits)
{
	struct json *child = json_set_object(arena, object, name);
	json_set_number(arena, child, KEY(alpha), limits->alpha);
	json_set_number(arena, child, KEY(relative), calibrate_relative(limits));
	json_set_number(arena, child, KEY(tolerance), limits->tolerance);
	json_set_number(arena, child, KEY(noise), limits->noise);
}

static void add_series(struct arena *arena, struct json *list, const struct calibration *c,
		       const struct calibrate_series *one)
{
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, KEY(series), one->history->series);
	json_set_text(arena, object, KEY(name), render_calibrate_name(arena, c, one));
	json_set_text(arena, object, KEY(row), one->row->name);
	json_set_text(arena, object, KEY(metric), metric_info(one->metric)->key);
	json_set_number(arena, object, KEY(commits), (double)one->points.count);
	json_set_number(arena, object, KEY(changes), (double)one->levels - 1);
	json_set_number(arena, object, "missing_commits", (double)one->missing);
	json_set_number(arena, object, KEY(noise), one->noise);
	json_set_number(arena, object, KEY(noise_of_sisters), one->pooled);
	json_set_number(arena, object, "noise_within_commits", one->within);
	json_set_number(arena, object, "commits_in_sessions", (double)one->sessions);
	json_set_text(arena, object, KEY(shape), calibrate_shape_name(one->shape));
	json_set_number(arena, object, "correlation", one->correlation);
	json_set_number(arena, object, "outliers",
			one->shape == SHAPE_UNKNOWN ? NAN : (double)one->outliers);
	json_set_number(arena, object, "modes_apart", one->gap);
	json_set_number(arena, object, "upper_mode", one->share);
	add_limits(arena, object, "limits", one->now);
	add_tally(arena, object, "as_it_is", &one->before);
	add_tally(arena, object, "with_chosen", &one->after);
	json_set_number(arena, object, "shows_as_it_is", one->shown_before);
	json_set_number(arena, object, "shows_with_chosen", one->shown_after);
}

static void add_group(struct arena *arena, struct json *list, const struct calibrate_group *group)
{
	static const char *const evidence[] = {"own", "sisters", "formula", "unknown", "none"};
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, KEY(kernel), group->kernel);
	json_set_text(arena, object, KEY(row), group->row->name);
	json_set_number(arena, object, KEY(series), (double)group->series);
	json_set_number(arena, object, KEY(commits), (double)group->commits);
	json_set_number(arena, object, KEY(noise), group->noise);
	json_set_text(arena, object, KEY(shape), calibrate_shape_name(group->shape));
	add_limits(arena, object, "chosen", &group->limits);
	json_set_text(arena, object, "evidence", evidence[group->evidence]);
	json_set_number(arena, object, "judged_to_show_it", (double)group->needed);
	json_set_number(arena, object, "tolerance_for_90_percent", group->tolerable);
	add_tally(arena, object, "as_it_is", &group->before);
	add_tally(arena, object, "with_chosen", &group->after);
	json_set_number(arena, object, "shows_as_it_is", group->shown_before);
	json_set_number(arena, object, "shows_with_chosen", group->shown_after);
}

static void add_week(struct arena *arena, struct json *child, const struct calibration *c,
		     const struct calibrate_request *request, const struct calibrate_tally *tally)
{
	json_set_number(arena, child, "false_alarms",
			calibrate_weekly(c, request, (double)tally->flagged));
	json_set_number(arena, child, "upper_90", calibrate_weekly_bound(c, request, tally));
}

struct json *render_calibrate_json(struct arena *arena, const struct calibration *c,
				   const struct calibrate_request *request)
{
	struct json *document = document_begin(arena, SCHEMA(calibration));
	size_t series;
	double within = calibrate_within(arena, c, &series);
	json_set_text(arena, document, KEY(commit), request->oid);
	json_set_number(arena, document, KEY(commits), (double)c->data);
	json_set_number(arena, document, "days", (double)c->seconds / 86400);
	json_set_number(arena, document, "calls", (double)c->calls);
	json_set_number(arena, document, "calls_flagged", (double)c->calls_flagged);
	json_set_number(arena, document, "calls_a_week", request->calls_a_week);
	struct json *wished = json_set_object(arena, document, "wished");
	json_set_number(arena, wished, "false_alarms", request->target);
	json_set_text(arena, wished, "per", request->per);
	json_set_number(arena, wished, "a_call", c->target);
	add_tally(arena, document, "as_it_is", &c->before);
	add_tally(arena, document, "with_chosen", &c->after);
	add_week(arena, json_set_object(arena, document, "week_as_it_is"), c, request, &c->before);
	add_week(arena, json_set_object(arena, document, "week_with_chosen"), c, request,
		 &c->after);
	json_set_number(arena, document, "week_repeated_if_sessions",
			calibrate_weekly(c, request, calibrate_repeated(c)));
	json_set_number(arena, document, "variance_within_commits", within);
	json_set_number(arena, document, "exact", (double)c->exact);
	json_set_number(arena, document, KEY(absolute), (double)c->absolute);
	struct json *list = json_set_array(arena, document, KEY(series));
	for (size_t i = 0; i < c->count; i++)
		add_series(arena, list, c, &c->series[i]);
	list = json_set_array(arena, document, KEY(kernels));
	for (size_t i = 0; i < c->group_count; i++)
		add_group(arena, list, &c->groups[i]);
	return document;
}
