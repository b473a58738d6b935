/*
 * Reader of timings.json: times that were measured separately from a profile, each with its unit:
 *
 *   {"kernel": "mlp", "variant": "nkilib", "host_time": "4039.86 ms",
 *    "compile_time": "4312 ms"}
 *
 * - Host, compile and device time are separate metrics. A list of quantities contains repeats.
 * - The times join the runs of other files in the directory; if kernel and variant are given, only
 *   runs with these. Without such a run they become a run of their own with the tool "timings".
 * - A number without a unit is refused, because confusing ms and us is the most common mistake.
 * - An unknown name is refused.
 */

#include "base/json/json.h"
#include "base/text/text.h"
#include "ingest/json/document/peek.h"
#include "ingest/reader.h"

static const size_t size_limit = 1u << 20;
enum { sample_limit = 65536, param_limit = 256 };

static const struct {
	const char *name;
	enum metric metric;
	const char *example;
} figures[] = {
	{"host_time", METRIC_HOST_TIME, "1.41 ms"},
	{"compile_time", METRIC_COMPILE_TIME, "4312 ms"},
	{"total_time", METRIC_TOTAL_TIME, "45.26 us"},
	{"time_p99", METRIC_TIME_P99, "1.52 ms"},
	{"algorithmic_flops", METRIC_ALGORITHMIC_FLOPS, "402.7 MFLOP"},
	{"algorithmic_bytes", METRIC_ALGORITHMIC_BYTES, "3.67 MB"},
};
enum { figure_count = sizeof figures / sizeof *figures, timed = 2 };

/* Members that are texts, and the attributes they become. */
static const struct {
	const char *name;
	size_t offset;
} names[] = {
	{"kernel", offsetof(struct run, kernel)}, {"variant", offsetof(struct run, variant)},
	{"dtype", offsetof(struct run, dtype)},   {"device", offsetof(struct run, device)},
	{"commit", offsetof(struct run, commit)},
};

static size_t figure_of(struct span name)
{
	size_t i = 0;
	while (i < figure_count && !span_is(name, figures[i].name))
		i++;
	return i;
}

static bool is_name(struct span name)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (span_is(name, names[i].name))
			return true;
	return span_is(name, "params");
}

/* --- times --- */

static int quantity_of(const struct json *value, size_t figure, double *number, struct error *err)
{
	const char *name = figures[figure].name, *example = figures[figure].example;
	double bare;
	bool text = value->type == JSON_STRING;
	if (value->type == JSON_NUMBER || (text && span_number(span_of(value->text), &bare)))
		return error_set(err, ERR_FORMAT, "%s: %.15g has no unit; write \"%s\"", name,
				 text ? bare : value->number, example);
	if (!text || !utf8_is_line(span_of(value->text)))
		return error_set(err, ERR_FORMAT,
				 "%s: expected a quantity with its unit, such as \"%s\"", name,
				 example);
	enum unit unit = metric_info(figures[figure].metric)->unit;
	if (!quantity_parse(span_of(value->text), unit, number))
		return error_set(err, ERR_FORMAT,
				 "%s: \"%.40s\" is not a quantity in %s; write for example \"%s\"",
				 name, value->text, quantity_unit_symbol(unit), example);
	if (!(*number > 0))
		return error_set(err, ERR_FORMAT, "%s: \"%.40s\" must be above 0", name,
				 value->text);
	return 0;
}

static int add_figure(struct arena *arena, struct run *run, const struct json *value, size_t figure,
		      struct error *err)
{
	double number;
	if (value->type == JSON_NULL)
		return 0;
	if (value->type != JSON_ARRAY) {
		if (quantity_of(value, figure, &number, err) < 0)
			return -1;
		run_set(run, figures[figure].metric, number, PROVENANCE_MEASURED);
		return 0;
	}
	if (value->count == 0 || value->count > sample_limit)
		return error_set(err, ERR_FORMAT, "%s: expected a list of 1 to %d repeats",
				 figures[figure].name, (int)sample_limit);
	double *samples = arena_array(arena, value->count, sizeof *samples);
	size_t count = 0;
	for (const struct json *item = value->first; item; item = item->next)
		if (quantity_of(item, figure, &samples[count++], err) < 0)
			return -1;
	run_set_samples(arena, run, figures[figure].metric, samples, count, PROVENANCE_MEASURED);
	return 0;
}

/* --- names --- */

static int add_params(struct arena *arena, struct run *run, const struct json *params,
		      struct error *err)
{
	if (params->type != JSON_OBJECT || params->count > param_limit)
		return error_set(err, ERR_FORMAT, "params: expected an object of at most %d values",
				 (int)param_limit);
	for (const struct json *item = params->first; item; item = item->next) {
		const char *text = item->type == JSON_STRING ? item->text : NULL;
		if (item->type == JSON_NUMBER)
			text = arena_printf(arena, "%.15g", item->number);
		if (item->type == JSON_BOOL)
			text = item->truth ? "true" : "false";
		if (!text || !item->name[0] || !utf8_is_line(span_of(text)) ||
		    !utf8_is_line(span_of(item->name)))
			return error_set(err, ERR_FORMAT,
					 "params: a value must be a number or one line of text");
		run_set_param(arena, run, item->name, text);
	}
	return 0;
}

static int add_name(struct run *run, const struct json *value, struct error *err)
{
	if (value->type == JSON_NULL)
		return 0;
	if (value->type != JSON_STRING || !value->text[0] || !utf8_is_line(span_of(value->text)))
		return error_set(err, ERR_FORMAT, "%s: expected one line of text", value->name);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(value->name, names[i].name) == 0)
			*(const char **)((char *)run + names[i].offset) = value->text;
	return 0;
}

static int fail_unknown(const struct json *value, struct error *err)
{
	char list[256] = "";
	for (size_t i = 0, at = 0; i < figure_count && at < sizeof list; i++)
		at += (size_t)snprintf(list + at, sizeof list - at, "%s, ", figures[i].name);
	return error_set(err, ERR_FORMAT,
			 "unknown timing \"%.60s\"; available: %skernel, variant, dtype, device, "
			 "commit and params",
			 utf8_is_line(span_of(value->name)) ? value->name : "?", list);
}

static int add_member(struct arena *arena, struct run *run, const struct json *value,
		      struct error *err)
{
	struct span name = span_of(value->name);
	size_t figure = figure_of(name);
	if (figure < figure_count)
		return add_figure(arena, run, value, figure, err);
	if (span_is(name, "params"))
		return add_params(arena, run, value, err);
	return is_name(name) ? add_name(run, value, err) : fail_unknown(value, err);
}

static int read_timings(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	const struct json *root = input_read_json(arena, input, size_limit, err);
	if (!root)
		return -1;
	if (root->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "timings must be one JSON object");
	struct run *run = run_new(arena);
	run->tool = "timings";
	for (const struct json *value = root->first; value; value = value->next)
		if (add_member(arena, run, value, err) < 0)
			return -1;
	bool any = run_time_metric(run) != METRIC_COUNT ||
		   run->given[METRIC_COMPILE_TIME].provenance != PROVENANCE_UNKNOWN;
	if (!any)
		return error_set(err, ERR_FORMAT, "no host_time, compile_time or total_time found");
	*arena_add(arena, &result->companions) =
		(struct companion){.kernel = run->kernel,
				   .variant = run->variant[0] ? run->variant : NULL,
				   .figures = run};
	return 0;
}

/* Whether all names are known, or a host or compile time is a text that begins with a digit, which
 * no other program writes. */
static bool detect(struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	bool any = false, all = true, spelt = false;
	while (json_peek_next(&peek, &value)) {
		if (value.depth == 0 && value.kind != '{')
			return false;
		if (value.depth != 1 || value.is_item)
			continue;
		size_t figure = figure_of(value.name);
		any |= figure < figure_count;
		all &= figure < figure_count || is_name(value.name);
		spelt |= figure < timed && value.kind == '"' && value.text.len &&
			 value.text.ptr[0] >= '0' && value.text.ptr[0] <= '9';
	}
	return peek.end != JSON_PEEK_BROKEN && ((any && all) || spelt);
}

const struct reader timings_reader = {"timings", "timings.json", 0, detect, read_timings};
