/* Names and series of the runs in a report document. */
#include "render/chart/plot/run.h"

#include "render/document/key.h"

#include "base/text/text.h"
#include "base/base.h"
#include "render/vocabulary/vocabulary.h"

/* The members that identify a series, in the order of its name. */
static const char *const parts[] = {"kernel", "variant", "dtype", "device"};
enum { PART_COUNT = sizeof parts / sizeof *parts };

double plot_number(const struct json *object, const char *name)
{
	const struct json *member = json_get(object, name);
	if (member && member->type == JSON_OBJECT)
		return json_number(member, KEY(value), NAN);
	return json_number(object, name, NAN);
}

double plot_metric(const struct json *run, const char *key)
{
	return plot_number(json_get(run, KEY(metrics)), key);
}

static const char *text_of(struct arena *arena, const struct json *value)
{
	if (value && value->type == JSON_NUMBER)
		return arena_printf(arena, "%.10g", value->number);
	return value && value->type == JSON_STRING ? value->text : "";
}

static const struct json *param_of(const struct json *run, const char *name)
{
	for (const struct json *p = json_first(run, KEY(params)); p; p = p->next)
		if (strcmp(json_text(p, KEY(name), ""), name) == 0)
			return json_get(p, KEY(value));
	return NULL;
}

static bool same_value(const struct json *a, const struct json *b)
{
	if (!a || !b || a->type != b->type)
		return a == b;
	if (a->type == JSON_NUMBER)
		return a->number == b->number;
	return a->type != JSON_STRING || strcmp(a->text, b->text) == 0;
}

static void add_part(struct strbuf *sb, const char *separator, const char *text)
{
	if (!*text)
		return;
	if (sb->len)
		strbuf_addstr(sb, separator);
	strbuf_addstr(sb, text);
}

static bool part_differs(const struct chart_runs *runs, const char *part)
{
	const char *first = json_text(runs->items[0].json, part, "");
	for (size_t i = 1; i < runs->count; i++)
		if (strcmp(json_text(runs->items[i].json, part, ""), first) != 0)
			return true;
	return false;
}

static bool param_differs(const struct chart_runs *runs, const char *name)
{
	const struct json *first = param_of(runs->items[0].json, name);
	for (size_t i = 1; i < runs->count; i++)
		if (!same_value(param_of(runs->items[i].json, name), first))
			return true;
	return false;
}

/* The values of the parameters that differ between the runs: "b=1, s=512". */
static const char *point_name(struct arena *arena, const struct json *run,
			      const struct json *differing)
{
	struct strbuf sb = {0};
	for (const struct json *name = differing->first; name; name = name->next) {
		const struct json *value = param_of(run, name->text);
		if (value)
			add_part(&sb, ", ",
				 arena_printf(arena, "%s=%s", name->text, text_of(arena, value)));
	}
	return strbuf_into(&sb, arena);
}

/* The names of all parameters that differ, in order of appearance. Each name is compared across
 * the runs once, where it first appears, so that hundreds of runs stay cheap. */
static struct json *differing_params(struct arena *arena, const struct chart_runs *runs)
{
	struct json *names = json_array(arena), *seen = json_object(arena);
	for (size_t i = 0; i < runs->count; i++) {
		const struct json *run = runs->items[i].json;
		for (const struct json *p = json_first(run, KEY(params)); p; p = p->next) {
			const char *name = json_text(p, KEY(name), "");
			if (!*name || json_get(seen, name))
				continue;
			json_set_bool(arena, seen, name, true);
			if (param_differs(runs, name))
				json_add_text(arena, names, name);
		}
	}
	return names;
}

static size_t series_of(struct arena *arena, struct chart_runs *runs, size_t *capacity,
			const char *name)
{
	for (size_t i = 0; i < runs->series_count; i++)
		if (strcmp(runs->series[i], name) == 0)
			return i;
	runs->series = arena_grow(arena, (void *)runs->series, runs->series_count, capacity,
				  sizeof *runs->series);
	runs->series[runs->series_count] = name;
	return runs->series_count++;
}

static void name_series(struct arena *arena, struct chart_runs *runs)
{
	bool differs[PART_COUNT];
	size_t capacity = 0;
	for (size_t k = 0; k < PART_COUNT; k++)
		differs[k] = part_differs(runs, parts[k]);
	for (size_t i = 0; i < runs->count; i++) {
		struct strbuf sb = {0};
		for (size_t k = 0; k < PART_COUNT; k++)
			if (differs[k])
				add_part(&sb, ", ", json_text(runs->items[i].json, parts[k], ""));
		runs->items[i].series = series_of(arena, runs, &capacity, strbuf_into(&sb, arena));
	}
}

/* The name of a run that is alone, or that has the same name as all others. The chart's title
 * already names the kernel. */
static const char *own_name(struct arena *arena, const struct json *run)
{
	struct strbuf sb = {0};
	add_part(&sb, ", ", json_text(run, KEY(variant), ""));
	add_part(&sb, ", ", json_text(run, KEY(params_text), ""));
	if (!sb.len)
		add_part(&sb, "", json_text(run, KEY(kernel), ""));
	if (!sb.len)
		add_part(&sb, "", json_text(run, KEY(title), "run"));
	return strbuf_into(&sb, arena);
}

static void name_points(struct arena *arena, struct chart_runs *runs)
{
	const struct json *differing = differing_params(arena, runs);
	for (size_t i = 0; i < runs->count; i++) {
		struct chart_run *run = &runs->items[i];
		struct strbuf sb = {0};
		run->point = point_name(arena, run->json, differing);
		if (!*run->point && runs->count > 1)
			run->point = json_text(json_get(run->json, KEY(commit)), KEY(short), "");
		add_part(&sb, "", runs->series[run->series]);
		add_part(&sb, ", ", run->point);
		run->name = sb.len ? strbuf_into(&sb, arena) : own_name(arena, run->json);
		strbuf_free(&sb);
		const char *title = json_text(run->json, KEY(title), "");
		run->whole = *title ? title : run->name;
	}
}

static const char *device_of(struct arena *arena, const struct chart_runs *runs)
{
	const struct json *run = runs->items[0].json;
	const char *device = json_text(run, KEY(device), "");
	double cores = plot_number(run, KEY(cores));
	if (part_differs(runs, "device"))
		return vocabulary_format("several devices");
	if (!*device || !(cores > 1))
		return device;
	for (size_t i = 1; i < runs->count; i++)
		if (plot_number(runs->items[i].json, KEY(cores)) != cores)
			return device;
	return arena_printf(arena, vocabulary_format("%s, %.0f cores"), device, cores);
}

static const char *subject_of(struct arena *arena, const struct chart_runs *runs)
{
	const char *kernel = json_text(runs->items[0].json, KEY(kernel), "");
	if (!part_differs(runs, "kernel"))
		return *kernel ? kernel : vocabulary_format("unnamed kernel");
	struct json *seen = json_object(arena);
	for (size_t i = 0; i < runs->count; i++) {
		kernel = json_text(runs->items[i].json, KEY(kernel), "");
		if (!json_get(seen, kernel))
			json_set_bool(arena, seen, kernel, true);
	}
	return arena_printf(arena, vocabulary_format("%u kernels"), seen->count);
}

int plot_runs_read(struct arena *arena, const struct json *report, struct chart_runs *runs,
		   struct error *err)
{
	const struct json *list = json_get(report, KEY(runs));
	if (!list || list->type != JSON_ARRAY || !list->count)
		return error_set(err, ERR_FORMAT, "no runs to plot");
	/* Only the first runs of a report of thousands are in the tree. */
	struct chart_runs read = {.items = arena_array(arena, list->count, sizeof *read.items)};
	for (const struct json *run = list->first; run; run = run->next)
		if (run->type == JSON_OBJECT)
			read.items[read.count++].json = run;
	if (!read.count)
		return error_set(err, ERR_FORMAT, "no runs to plot");
	name_series(arena, &read);
	name_points(arena, &read);
	read.subject = subject_of(arena, &read);
	if (list->more)
		read.subject =
			arena_printf(arena, vocabulary_format("%s, the first %zu of %u runs"),
				     read.subject, read.count, list->count);
	read.device = device_of(arena, &read);
	*runs = read;
	return 0;
}
