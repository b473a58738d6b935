/*
 * What the scripts of a kernel's page draw:
 *
 *   data/k-SLUG.js  rooflog.kernel: the values of each series, of the metric that leads
 *   data/m-SLUG.js  rooflog.metrics: those of its other metrics, read when a person asks for one
 */
#include "render/site/internal.h"

#include "render/document/document.h"
#include "base/text/text.h"
#include "model/acceptance/acceptance.h"
#include "render/report/report.h"

/* "p" stores the oldest commit index, then the steps to newer (smaller) ones: small numbers. */
static void add_points(struct strbuf *out, const struct site_series *series)
{
	uint32_t before = 0;
	strbuf_addstr(out, ",\"p\":[");
	for (size_t i = 0; i < series->points.count; i++) {
		uint32_t index = series->points.items[i].commit;
		assert(i == 0 || index < before);
		strbuf_addf(out, i ? ",%u" : "%u", i ? before - index : index);
		before = index;
	}
	strbuf_addstr(out, "],\"v\":[");
	for (size_t i = 0; i < series->points.count; i++) {
		if (i)
			strbuf_addch(out, ',');
		render_site_add_number(out, series->points.items[i].value);
	}
	strbuf_addch(out, ']');
}

/* "n": the runs of each point, and "r" the range of their values, where there are repeats. */
static void add_repeats(struct strbuf *out, const struct site_series *series)
{
	const struct history *history = series->history;
	bool repeated = false;
	for (size_t i = 0; i < series->points.count; i++)
		repeated = repeated || series->points.items[i].runs > 1;
	if (!repeated || !history)
		return;
	const double *values = history->values + series->column * history->run_count;
	strbuf_addstr(out, ",\"n\":[");
	for (size_t i = 0; i < series->points.count; i++)
		strbuf_addf(out, "%s%u", i ? "," : "", series->points.items[i].runs);
	strbuf_addstr(out, "],\"r\":[");
	for (size_t i = 0, run = 0; i < series->points.count; i++) {
		double low = HUGE_VAL, high = -HUGE_VAL;
		uint32_t commit = series->points.items[i].commit;
		while (run < history->run_count && history->runs[run].commit > commit)
			run++;
		for (; run < history->run_count && history->runs[run].commit == commit; run++)
			if (isfinite(values[run])) {
				low = fmin(low, values[run]);
				high = fmax(high, values[run]);
			}
		strbuf_addstr(out, i ? ",[" : "[");
		render_site_add_number(out, low);
		strbuf_addch(out, ',');
		render_site_add_number(out, high);
		strbuf_addch(out, ']');
	}
	strbuf_addch(out, ']');
}

/* The noise between commits that the gate judges this metric by; null: it does not. */
static double noise_of(const struct site_series *series)
{
	const struct comparison *one = series->comparison;
	return one && one->metric == series->metric && verdict_is_by_history(&one->judged) &&
			       one->judged.result.relative
		       ? one->judged.result.scale
		       : NAN;
}

static void add_levels(const struct site *site, struct strbuf *out,
		       const struct site_series *series)
{
	bool accepted =
		series->comparison && series->comparison->judged.verdict == VERDICT_ACCEPTED;
	enum unit unit = metric_info(series->metric)->unit;
	strbuf_addstr(out, ",\"c\":[");
	for (size_t i = 0; i < series->change_count; i++) {
		const struct detect_change *change = &series->changes[i];
		assert(change->index < series->points.count);
		strbuf_addf(out, "%s[%u,", i ? "," : "",
			    series->points.items[change->index].commit);
		render_site_add_number(out, change->before);
		strbuf_addch(out, ',');
		render_site_add_number(out, change->after);
		strbuf_addch(out, ',');
		json_string(out,
			    document_effect(site->arena, change->effect, change->relative, unit));
		strbuf_addch(out, ',');
		const char *interval = report_effect_interval_text(
			site->arena, change->low, change->high, change->relative, unit);
		json_string(out, interval ? interval : "");
		bool worse = acceptance_is_worse(change->after, change->before, series->direction);
		strbuf_addf(out, ",%d,%d]",
			    series->direction == METRIC_NEITHER ? 0
			    : worse                             ? 1
								: -1,
			    accepted && worse && i + 1 == series->change_count);
	}
	strbuf_addch(out, ']');
}

static const char *better_of(const struct site_series *series)
{
	return series->direction == METRIC_LOWER    ? "lower"
	       : series->direction == METRIC_HIGHER ? "higher"
						    : "";
}

/* A member {name, title, unit, ...} of the data. */
static void add_record(const struct site *site, const struct site_series *series, const char *key,
		       struct strbuf *out)
{
	const struct metric_info *info = metric_info(series->metric);
	strbuf_addstr(out, out->buf[out->len - 1] == '{' ? "\n" : ",\n");
	json_string(out, key);
	strbuf_addstr(out, ":{\"name\":");
	render_site_add_text(out, series->name);
	strbuf_addstr(out, ",\"title\":");
	json_string(out, info->title);
	strbuf_addstr(out, ",\"unit\":");
	quantity_add_unit(out, info->unit);
	strbuf_addf(out, ",\"better\":\"%s\",\"noise\":", better_of(series));
	render_site_add_number(out, noise_of(series));
	add_points(out, series);
	add_repeats(out, series);
	add_levels(site, out, series);
}

/* --- other metrics --- */

/* site->compared is in the order of the series: the first row of one. */
static size_t first_compared(const struct site *site, size_t series)
{
	size_t low = 0, high = site->compared_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (site->compared[middle].series < series)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The next row of the series, from `at` on, with another metric than the one that leads; NULL at
 * the end. */
static const struct site_compared *next_other(const struct site *site, size_t series, size_t *at)
{
	while (*at < site->compared_count && site->compared[*at].series == series) {
		const struct site_compared *one = &site->compared[(*at)++];
		if (one->metric != site->series[series].metric)
			return one;
	}
	return NULL;
}

/* The series, with another of its metrics in the lead. */
static struct site_series with_metric(const struct site *site, const struct site_compared *one)
{
	struct site_series series = site->series[one->series];
	series.metric = one->metric;
	series.direction = site->rules[one->rule].direction;
	series.points = one->points;
	series.history = one->history;
	series.column = one->column;
	series.changes = one->changes;
	series.change_count = one->change_count;
	series.comparison = NULL;
	for (size_t i = 0; i < series.compared_count && !series.comparison; i++)
		if (series.compared[i]->metric == one->metric)
			series.comparison = series.compared[i];
	return series;
}

bool render_site_metrics_data(const struct site *site, const struct site_kernel *kernel,
			      struct strbuf *out)
{
	bool any = false;
	strbuf_addstr(out, "\"use strict\";var rooflog=self.rooflog||{};rooflog.metrics={");
	for (size_t i = 0; i < kernel->series_count; i++) {
		size_t index = kernel->series[i], at = first_compared(site, index);
		const struct site_compared *one = next_other(site, index, &at);
		if (!one)
			continue;
		strbuf_addstr(out, any ? "},\n" : "\n");
		any = true;
		json_string(out, site->series[index].anchor);
		strbuf_addstr(out, ":{");
		for (; one; one = next_other(site, index, &at)) {
			struct site_series series = with_metric(site, one);
			add_record(site, &series, metric_info(one->metric)->key, out);
			strbuf_addch(out, '}');
		}
	}
	strbuf_addstr(out, any ? "}\n};\n" : "};\n");
	return any;
}

/* The keys and titles of the other metrics. */
static void add_metrics(const struct site *site, size_t index, struct strbuf *out)
{
	size_t at = first_compared(site, index);
	const struct site_compared *one = next_other(site, index, &at);
	if (!one)
		return;
	strbuf_addstr(out, ",\"metrics\":[");
	for (bool first = true; one; one = next_other(site, index, &at), first = false) {
		strbuf_addf(out, "%s[\"%s\",", first ? "" : ",", metric_info(one->metric)->key);
		json_string(out, metric_info(one->metric)->title);
		strbuf_addch(out, ']');
	}
	strbuf_addch(out, ']');
}

void render_site_kernel_data(const struct site *site, const struct site_kernel *kernel,
			     struct strbuf *out)
{
	strbuf_addstr(out, "\"use strict\";var rooflog=self.rooflog||{};rooflog.kernel={");
	for (size_t i = 0; i < kernel->series_count; i++) {
		const struct site_series *series = &site->series[kernel->series[i]];
		if (series->points.count == 0)
			continue;
		add_record(site, series, series->anchor, out);
		add_metrics(site, kernel->series[i], out);
		strbuf_addch(out, '}');
	}
	strbuf_addstr(out, "\n};\n");
}
