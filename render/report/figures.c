/* What a run's figures are based on: the basis of its time, the formulas of its work, the rules
 * that classify it, and the levels of the memory hierarchy. */
#include "render/document/document.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

#include "base/base.h"
#include "model/run/runs.h"

static const char *seconds(struct arena *arena, double number)
{
	return quantity_text(arena, number, UNIT_SECOND);
}

/* "median of 30 executions, 118.2 us to 131.0 us": the parts that are known. */
static const char *repeats_text(struct arena *arena, const struct run *run,
				const struct run_spread *spread)
{
	double time = run_time(run);
	bool median = time == spread->median, mean = time == spread->mean;
	struct strbuf sb = {0};
	if (median || mean)
		strbuf_addstr(&sb, median ? "median" : "mean");
	if (spread->count >= 1)
		strbuf_addf(&sb, "%s%s execution%s", sb.len ? " of " : "",
			    quantity_text(arena, spread->count, UNIT_COUNT),
			    spread->count == 1 ? "" : "s");
	if (!isnan(spread->minimum) && !isnan(spread->maximum))
		strbuf_addf(&sb, "%s%s to %s", sb.len ? ", " : "", seconds(arena, spread->minimum),
			    seconds(arena, spread->maximum));
	if (!median && !isnan(spread->median))
		strbuf_addf(&sb, "%smedian %s", sb.len ? ", " : "", seconds(arena, spread->median));
	if (!isnan(spread->deviation))
		strbuf_addf(&sb, "%sdeviation %s", sb.len ? ", " : "",
			    seconds(arena, spread->deviation));
	return strbuf_into(&sb, arena);
}

static void add_time(struct arena *arena, struct json *out, const struct run *run)
{
	enum metric metric = run_time_metric(run), headline = run_headline(run);
	if (headline != METRIC_COUNT) {
		struct json *object = json_set_object(arena, out, KEY(headline));
		json_set_text(arena, object, KEY(key), metric_info(headline)->key);
		json_set_text(arena, object, KEY(text),
			      vocabulary_say(arena, run_headline_message(arena, run)));
	}
	if (metric == METRIC_COUNT)
		return;
	struct json *time = report_metric(arena, out, KEY(timing), run, metric);
	json_set_text(arena, time, KEY(basis),
		      metric == METRIC_HOST_TIME ? "host time" : "device time");
	const struct run_spread *spread = run_spread(run, metric);
	if (spread && !(spread->count == 1))
		json_set_text(arena, time, KEY(repeats), repeats_text(arena, run, spread));
}

static void add_work(struct arena *arena, struct json *out, const struct run *run)
{
	const struct run_work *work = run->work;
	if (!work)
		return;
	const struct document_member members[] = {
		{KEY(source), TEXT(work->source)},
		{KEY(flops_formula), TEXT(work->flops_formula), OPTIONAL},
		{KEY(bytes_formula), TEXT(work->bytes_formula), OPTIONAL},
		{KEY(fault), TEXT(work->fault), OPTIONAL},
	};
	document_fill(arena, json_set_object(arena, out, KEY(work)), members);
}

static void add_level(struct arena *arena, struct json *levels, const struct run *run,
		      const char *name, const enum metric metrics[3])
{
	double bytes = run_number(run, metrics[0]);
	if (!(bytes > 0))
		return;
	struct json *level = json_add_object(arena, levels);
	json_set_text(arena, level, KEY(name), name);
	report_metric(arena, level, KEY(bytes), run, metrics[0]);
	report_metric(arena, level, KEY(intensity), run, metrics[1]);
	document_quantity(arena, level, KEY(bandwidth), bytes / run_number(run, METRIC_TOTAL_TIME),
			  UNIT_BYTE_PER_SECOND);
	double peak = run_number(run, metrics[2]);
	if (!isnan(peak))
		document_quantity(arena, level, KEY(peak_bandwidth), peak, UNIT_BYTE_PER_SECOND);
}

/* Adds traffic per level, nearest to the threads first, if it is known for more than the device
 * memory. */
static void add_levels(struct arena *arena, struct json *out, const struct report_run *entry)
{
	static const enum metric l1[] = {METRIC_L1_BYTES, METRIC_L1_INTENSITY,
					 METRIC_PEAK_L1_BANDWIDTH};
	static const enum metric l2[] = {METRIC_L2_BYTES, METRIC_L2_INTENSITY,
					 METRIC_PEAK_L2_BANDWIDTH};
	static const enum metric dram[] = {METRIC_HBM_BYTES, METRIC_ARITHMETIC_INTENSITY,
					   METRIC_PEAK_BANDWIDTH};
	const struct run *run = entry->run;
	if (!(run_number(run, METRIC_L1_BYTES) > 0) && !(run_number(run, METRIC_L2_BYTES) > 0))
		return;
	struct json *levels = json_set_array(arena, out, KEY(levels));
	add_level(arena, levels, run, "L1", l1);
	add_level(arena, levels, run, "L2", l2);
	add_level(arena, levels, run, "DRAM", dram);
	struct json *last = levels->last;
	if (last && strcmp(json_text(last, KEY(name), ""), "DRAM") == 0 &&
	    !json_get(last, KEY(peak_bandwidth)) && !isnan(entry->peaks.bandwidth))
		document_quantity(arena, last, KEY(peak_bandwidth), entry->peaks.bandwidth,
				  UNIT_BYTE_PER_SECOND);
}

/* The list exists from the first one on. */
static void add_ceiling(struct arena *arena, struct json *out, const char *name, double rate,
			const char *source, bool measured)
{
	struct json *list = (struct json *)json_get(out, KEY(ceilings));
	list = list ? list : json_set_array(arena, out, KEY(ceilings));
	const struct document_member members[] = {
		{KEY(name), TEXT(name)},
		{KEY(bandwidth), QUANTITY(rate, UNIT_BYTE_PER_SECOND)},
		{KEY(source), TEXT(source)},
		{KEY(measured), BOOL(measured)},
	};
	document_fill(arena, json_add_object(arena, list), members);
}

/* Adds the bandwidths that a roofline draws in addition to its roof: peaks of the caches that the
 * profile states, and what a tool measured. */
static void add_ceilings(struct arena *arena, struct json *out, const struct run *run)
{
	static const struct {
		const char *name;
		enum metric peak;
	} caches[] = {{"L1", METRIC_PEAK_L1_BANDWIDTH}, {"L2", METRIC_PEAK_L2_BANDWIDTH}};
	for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
		double peak = run_number(run, caches[i].peak);
		if (peak > 0)
			add_ceiling(arena, out, caches[i].name, peak, "profile", false);
	}
	for (size_t i = 0; i < CEILING_PEAKS; i++) {
		const char *source;
		double rate = ceiling_rate(run, &ceiling_peaks[i], &source);
		if (!ceiling_peaks[i].compute && rate > 0)
			add_ceiling(arena, out, ceiling_peaks[i].name, rate, source, true);
	}
}

void report_add_figures(struct arena *arena, struct json *out, const struct report_run *entry)
{
	json_set_bool(arena, out, KEY(gpu), run_is_gpu(entry->run, entry->hardware));
	add_time(arena, out, entry->run);
	add_work(arena, out, entry->run);
	add_levels(arena, out, entry);
	add_ceilings(arena, out, entry->run);
}

void report_add_verdicts(struct arena *arena, struct json *bottleneck_document,
			 const struct run *run, const struct bottleneck *bottleneck)
{
	if (bottleneck->verdict_count == 0)
		return;
	json_set_bool(arena, bottleneck_document, KEY(disagree), bottleneck->disagree);
	struct json *list = json_set_array(arena, bottleneck_document, KEY(verdicts));
	for (size_t i = 0; i < bottleneck->verdict_count; i++) {
		const struct bottleneck_verdict *verdict = &bottleneck->verdicts[i];
		const char *own = run_attribute(run, "ncu_sol_rule");
		const struct document_member members[] = {
			{KEY(rule), TEXT(verdict->rule)},
			{KEY(title), MESSAGE(verdict->title)},
			{KEY(class), TEXT(bottleneck_bound_name(verdict->bound))},
			{KEY(reason), MESSAGE(verdict->reason)},
			{KEY(tool_text), TEXT(strcmp(verdict->rule, "ncu-sol") == 0 ? own : NULL),
			 OPTIONAL},
		};
		document_fill(arena, json_add_object(arena, list), members);
	}
}
