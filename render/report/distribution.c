/* The distribution of the repeats of both sides of a comparison, in the report document. */
#include "render/document/document.h"
#include "render/report/report.h"

enum { ROW_LIMIT = 4, VALUE_LIMIT = 240, BOX_FROM = 5 };

struct telling {
	struct arena *arena;
	const struct comparison *one;
	enum unit unit;
};

/* Quantile of sorted values, linearly interpolated between the two nearest. */
static double quantile(const double *values, size_t count, double share)
{
	assert(count > 0 && 0 <= share && share <= 1);
	double at = share * (double)(count - 1);
	size_t below = (size_t)floor(at);
	if (below + 1 >= count)
		return values[count - 1];
	return values[below] + (at - (double)below) * (values[below + 1] - values[below]);
}

/* Adds all values, or a limited number at equal steps of their ranks, including minimum and
 * maximum. */
static void add_values(const struct telling *of, struct json *row, const double *values,
		       size_t count)
{
	struct json *list = json_set_array(of->arena, row, KEY(values));
	size_t shown = count < VALUE_LIMIT ? count : VALUE_LIMIT;
	for (size_t i = 0; i < shown; i++)
		json_add_number(of->arena, list,
				values[shown > 1 ? i * (count - 1) / (shown - 1) : 0]);
}

/* Adds the values of a side, with quartiles from five values on: fewer do not determine
 * quartiles. */
static void add_known(const struct telling *of, struct json *row, double *values, size_t count)
{
	assert(count > 0);
	qsort(values, count, sizeof *values, array_by_double);
	document_quantity(of->arena, row, KEY(minimum), values[0], of->unit);
	if (count >= BOX_FROM) {
		json_set_number(of->arena, row, KEY(quartile_low), quantile(values, count, 0.25));
		json_set_number(of->arena, row, KEY(quartile_high), quantile(values, count, 0.75));
	}
	document_quantity(of->arena, row, KEY(median), quantile(values, count, 0.5), of->unit);
	document_quantity(of->arena, row, KEY(maximum), values[count - 1], of->unit);
	add_values(of, row, values, count);
}

static void set_known(const struct telling *of, struct json *row, const char *name, double value)
{
	if (!isnan(value))
		document_quantity(of->arena, row, name, value, of->unit);
}

/* Adds a single run with several executions: all of them if the source lists them, otherwise the
 * source's statistics. */
static void add_executions(const struct telling *of, struct json *list,
			   const struct run_spread *spread)
{
	struct json *row = json_add_object(of->arena, list);
	json_set_text(of->arena, row, KEY(what), "executions");
	json_set_number(of->arena, row, KEY(count), spread->count);
	if (spread->number_count > 0) {
		double *values = arena_array(of->arena, spread->number_count, sizeof *values);
		memcpy(values, spread->numbers, spread->number_count * sizeof *values);
		add_known(of, row, values, spread->number_count);
		json_set_number(of->arena, row, KEY(known), (double)spread->number_count);
	} else {
		set_known(of, row, KEY(minimum), spread->minimum);
		set_known(of, row, KEY(median), spread->median);
		set_known(of, row, KEY(maximum), spread->maximum);
	}
	set_known(of, row, KEY(mean), spread->mean);
	set_known(of, row, KEY(deviation), spread->deviation);
}

static void add_runs(const struct telling *of, struct json *list, const struct run_list *runs)
{
	double *values = arena_array(of->arena, runs->count + 1, sizeof *values);
	size_t count = 0;
	for (size_t i = 0; i < runs->count; i++)
		if (isfinite(run_number(runs->items[i], of->one->metric)))
			values[count++] = run_number(runs->items[i], of->one->metric);
	if (!count)
		return;
	struct json *row = json_add_object(of->arena, list);
	json_set_text(of->arena, row, KEY(what), count == 1 ? "run" : "runs");
	json_set_number(of->arena, row, KEY(count), (double)count);
	add_known(of, row, values, count);
}

static bool has_executions(const struct run_spread *spread)
{
	return spread &&
	       (spread->number_count > 1 ||
		(spread->count > 1 && !isnan(spread->minimum) && !isnan(spread->maximum)));
}

static void add_side(const struct telling *of, struct json *out, const char *name,
		     const struct run_list *runs, const struct revision *revision)
{
	size_t more = 0, spreads = 0;
	if (!runs->count)
		return;
	struct json *side = json_set_object(of->arena, out, name);
	if (revision)
		document_commit(of->arena, side, KEY(commit), revision, false);
	struct json *rows = json_set_array(of->arena, side, KEY(rows));
	for (size_t i = 0; i < runs->count; i++) {
		const struct run_spread *spread = run_spread(runs->items[i], of->one->metric);
		if (!has_executions(spread))
			continue;
		if (spreads++ < ROW_LIMIT)
			add_executions(of, rows, spread);
		else
			more++;
	}
	/* The row of runs adds nothing for a single run whose executions are already listed. */
	if (spreads < runs->count || spreads > 1)
		add_runs(of, rows, runs);
	if (more)
		json_set_number(of->arena, side, KEY(more), (double)more);
}

void report_add_distributions(struct arena *arena, struct json *document,
			      const struct gate_result *gate, size_t most)
{
	const struct json *list = json_get(json_get(document, KEY(gate)), KEY(comparisons));
	struct json *comparison = list && gate ? list->first : NULL;
	assert(!list || !list->more || most <= REPORT_KEPT_COMPARISONS);
	for (size_t i = 0; comparison && i < most; i++, comparison = comparison->next) {
		const struct comparison *one = &gate->comparisons[i];
		struct telling of = {arena, one, metric_info(one->metric)->unit};
		struct json *out = json_set_object(arena, comparison, KEY(distribution));
		add_side(&of, out, "baseline", &one->series->baseline,
			 one->series->baseline_revision);
		add_side(&of, out, "candidate", &one->series->candidate, &gate->input->candidate);
	}
}
