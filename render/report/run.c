/* One run in the report document. */
#include "render/document/document.h"
#include "render/report/report.h"

#include "base/base.h"
#include "base/text/text.h"
#include "render/report/contract.h"
#include "render/vocabulary/vocabulary.h"

static void add_identity(struct arena *arena, struct json *out, const struct report_run *entry)
{
	const struct run *run = entry->run;
	const char *params = run_params_text(arena, run);
	const char *title = arena_printf(
		arena, "%s%s%s, %s%s%s", run->kernel, run->variant[0] ? " " : "", run->variant,
		run->dtype ? run->dtype : "unknown dtype", params[0] ? ", " : "", params);
	const struct document_member members[] = {
		{KEY(title), TEXT(title)},
		{KEY(id), TEXT(entry->id), OPTIONAL},
		{KEY(series), TEXT(entry->series), OPTIONAL},
		{KEY(kernel), TEXT(run->kernel)},
		{KEY(variant), TEXT(run->variant[0] ? run->variant : NULL), OPTIONAL},
		{KEY(dtype), TEXT(run->dtype)},
		{KEY(device), TEXT(run->device)},
		{KEY(instance_type), TEXT(run->instance_type), OPTIONAL},
		{KEY(cores), NUMBER(run->cores ? (double)run->cores : NAN)},
		{KEY(tool), TEXT(run->tool)},
		{KEY(node), TEXT(run->node[0] ? run->node : NULL), OPTIONAL},
		{KEY(source), TEXT(run->source), OPTIONAL},
		{KEY(source_commit), TEXT(entry->revision ? NULL : run->commit), OPTIONAL},
		{KEY(kernel_hash), TEXT(run->kernel_hash), OPTIONAL},
	};
	document_fill(arena, out, members);
	struct json *list = json_set_array(arena, out, KEY(params));
	for (size_t i = 0; i < run->param_count; i++) {
		const struct document_member param[] = {
			{KEY(name), TEXT(run->params[i].name)},
			{KEY(value), TEXT(run->params[i].value)},
		};
		document_fill(arena, json_add_object(arena, list), param);
	}
	const struct document_member rest[] = {
		{KEY(params_text), TEXT(params)},
		{KEY(commit), COMMIT(entry->revision, run->dirty)},
	};
	document_fill(arena, out, rest);
}

/* Adds how many repeats the run represents, and their range. */
static void add_samples(struct arena *arena, struct json *out, const struct report_run *entry)
{
	if (entry->samples < 2)
		return;
	const char *text =
		arena_printf(arena, vocabulary_format("median of %zu runs, %s to %s"),
			     entry->samples, quantity_text(arena, entry->fastest, UNIT_SECOND),
			     quantity_text(arena, entry->slowest, UNIT_SECOND));
	const struct document_member members[] = {
		{KEY(count), NUMBER(entry->samples)},
		{KEY(fastest), QUANTITY(entry->fastest, UNIT_SECOND)},
		{KEY(slowest), QUANTITY(entry->slowest, UNIT_SECOND)},
		{KEY(text), TEXT(text)},
	};
	document_fill(arena, json_set_object(arena, out, KEY(samples)), members);
}

static void add_metrics(struct arena *arena, struct json *out, const struct run *run)
{
	struct json *object = json_set_object(arena, out, KEY(metrics));
	struct json *rows = json_set_array(arena, out, KEY(metric_rows));
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		enum metric metric = (enum metric)i;
		if (run_value(run, metric).provenance == PROVENANCE_UNKNOWN)
			continue;
		report_metric(arena, object, metric_info(metric)->key, run, metric);
		report_metric(arena, rows, NULL, run, metric);
	}
}

static void add_peaks(struct arena *arena, struct json *out, const struct report_run *entry)
{
	const struct peaks *peaks = &entry->peaks;
	const double ridge = peaks->flops / peaks->bandwidth;
	const double core_ridge = peaks->core_flops / peaks->bandwidth;
	const struct document_member members[] = {
		{KEY(flops), QUANTITY(peaks->flops, UNIT_FLOP_PER_SECOND)},
		{KEY(core_flops), QUANTITY(peaks->core_flops, UNIT_FLOP_PER_SECOND)},
		{KEY(bandwidth), QUANTITY(peaks->bandwidth, UNIT_BYTE_PER_SECOND)},
		{KEY(ridge), QUANTITY(ridge, UNIT_FLOP_PER_BYTE)},
		{KEY(core_ridge), QUANTITY(core_ridge, UNIT_FLOP_PER_BYTE)},
		{KEY(dtype), TEXT(peaks->dtype)},
		{KEY(flops_source), TEXT(peaks->flops_source)},
		{KEY(bandwidth_source), TEXT(peaks->bandwidth_source)},
		{KEY(confidence),
		 TEXT(vocabulary_label(hardware_confidence_name(peaks->confidence)))},
	};
	document_fill(arena, json_set_object(arena, out, KEY(peaks)), members);
}

static void add_roof(struct arena *arena, struct json *roofs, double flops, const char *dtype,
		     int cores, const char *source)
{
	const char *rate = quantity_text(arena, flops, UNIT_FLOP_PER_SECOND);
	const char *label = cores ? arena_printf(arena, "%s %s, %d core%s", rate, dtype, cores,
						 cores == 1 ? "" : "s")
				  : arena_printf(arena, "%s %s", rate, dtype);
	const struct document_member members[] = {
		{KEY(label), TEXT(label)},
		{KEY(flops), NUMBER(flops)},
		{KEY(dtype), TEXT(dtype)},
		{KEY(source), TEXT(source)},
		{KEY(cores), NUMBER(cores ? (double)cores : NAN)},
	};
	document_fill(arena, json_add_object(arena, roofs), members);
}

/* Adds the roof at the measured clock, if it differs from the peak's clock. */
static void add_clock_roof(struct arena *arena, struct json *roofs, const struct report_run *entry)
{
	double flops = run_number(entry->run, METRIC_PEAK_FLOPS_AT_CLOCK);
	double clock = run_number(entry->run, METRIC_SM_CLOCK);
	if (isnan(flops) || !(fabs(flops / entry->peaks.flops - 1) > 0.01))
		return;
	add_roof(arena, roofs, flops,
		 arena_printf(arena, "%s at %s", entry->peaks.dtype,
			      quantity_text(arena, clock, UNIT_HERTZ)),
		 0, "");
	json_set_number(arena, roofs->last, KEY(clock), clock);
}

/* Adds what a tool measured as the peak of the dtype by which the run is judged. */
static void add_measured_roofs(struct arena *arena, struct json *roofs,
			       const struct report_run *entry)
{
	for (size_t i = 0; i < CEILING_PEAKS; i++) {
		const char *source;
		double rate = ceiling_rate(entry->run, &ceiling_peaks[i], &source);
		if (!ceiling_peaks[i].compute || !(rate > 0) || !entry->peaks.dtype ||
		    strcmp(ceiling_peaks[i].name, entry->peaks.dtype) != 0)
			continue;
		add_roof(arena, roofs, rate, entry->peaks.dtype, 0, source);
		json_set_bool(arena, roofs->last, KEY(measured), true);
	}
}

/* Adds the roof of the ratios, that of one core, that at the measured clock, what was measured, and
 * that of the run's own dtype, in this order. */
static void add_roofs(struct arena *arena, struct json *out, const struct report_run *entry)
{
	const struct peaks *peaks = &entry->peaks;
	struct json *roofs = json_set_array(arena, out, KEY(roofs));
	int cores = peaks->flops > peaks->core_flops ? entry->run->cores : 0;
	if (isnan(peaks->flops))
		return;
	add_roof(arena, roofs, peaks->flops, peaks->dtype, cores, peaks->flops_source);
	if (cores > 1)
		add_roof(arena, roofs, peaks->core_flops, peaks->dtype, 1, peaks->flops_source);
	add_clock_roof(arena, roofs, entry);
	add_measured_roofs(arena, roofs, entry);
	enum dtype own = entry->run->dtype ? dtype_find(entry->run->dtype) : DTYPE_LIMIT;
	const struct hardware *hardware = entry->hardware;
	if (!hardware || own == DTYPE_LIMIT || isnan(hardware->peak_flops[own]) ||
	    strcmp(dtype_name(own), peaks->dtype) == 0 ||
	    hardware->peak_flops[own] == peaks->core_flops)
		return;
	double own_peak = hardware->peak_flops[own] * (cores ? cores : 1);
	add_roof(arena, roofs, own_peak, dtype_name(own), cores, hardware->source);
}

/* A bar of 20 cells, in eighths of a cell. */
static const char *bar_of(struct arena *arena, double fraction)
{
	struct strbuf sb = {0};
	int eighths = isnan(fraction) ? 0 : (int)lround(fmin(fmax(fraction, 0), 1) * 160);
	strbuf_repeat(&sb, "█", (size_t)(eighths / 8));
	if (eighths % 8) {
		char block[4];
		strbuf_add(&sb, block, utf8_put(block, (uint32_t)(0x2590 - eighths % 8)));
	}
	return strbuf_into(&sb, arena);
}

static const struct {
	const char *name, *title;
	enum metric active, occupancy;
} engines[] = {
	{"tensor", "Tensor", METRIC_TENSOR_ACTIVE_TIME, METRIC_TENSOR_OCCUPANCY},
	{"vector", "Vector", METRIC_VECTOR_ACTIVE_TIME, METRIC_VECTOR_OCCUPANCY},
	{"scalar", "Scalar", METRIC_SCALAR_ACTIVE_TIME, METRIC_SCALAR_OCCUPANCY},
	{"gpsimd", "GpSimd", METRIC_GPSIMD_ACTIVE_TIME, METRIC_GPSIMD_OCCUPANCY},
	{"sync", "Sync", METRIC_SYNC_ACTIVE_TIME, METRIC_SYNC_OCCUPANCY},
	{"dma", "DMA", METRIC_DMA_ACTIVE_TIME, METRIC_DMA_OCCUPANCY},
};

const char *report_engine_title(const char *name)
{
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
		if (strcmp(engines[i].name, name) == 0)
			return engines[i].title;
	return name;
}

static void add_bins(struct arena *arena, struct json *engine, const char *name,
		     const struct run_engine *intervals)
{
	if (!intervals || !intervals->has_timeline)
		return;
	struct json *timeline = json_set_array(arena, engine, name);
	for (size_t bin = 0; bin < TIMELINE_BINS; bin++) {
		/* four decimals are finer than a pixel */
		double busy = round((double)intervals->timeline[bin] * 1e4) / 1e4;
		json_add_number(arena, timeline, busy);
	}
}

static void add_engines(struct arena *arena, struct json *out, const struct report_run *entry)
{
	const struct run *run = entry->run;
	struct json *list = json_set_array(arena, out, KEY(engines));
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
		double occupancy = run_number(run, engines[i].occupancy);
		if (isnan(occupancy))
			continue;
		struct json *engine = json_add_object(arena, list);
		json_set_text(arena, engine, KEY(name), engines[i].name);
		json_set_text(arena, engine, KEY(title), vocabulary_label(engines[i].title));
		report_metric(arena, engine, KEY(active_time), run, engines[i].active);
		report_metric(arena, engine, KEY(occupancy), run, engines[i].occupancy);
		double before =
			entry->baseline ? run_number(entry->baseline, engines[i].occupancy) : NAN;
		if (entry->baseline)
			json_set_number(arena, engine, KEY(baseline_occupancy), before);
		if (!isnan(before))
			json_set_text(arena, engine, KEY(baseline_occupancy_text),
				      quantity_text(arena, before, UNIT_FRACTION));
		json_set_text(arena, engine, KEY(bar), bar_of(arena, occupancy));
		add_bins(arena, engine, "timeline", run_engine(run, engines[i].name));
		if (entry->baseline)
			add_bins(arena, engine, "baseline_timeline",
				 run_engine(entry->baseline, engines[i].name));
	}
}

static void add_bottleneck(const struct form *form, struct json *out)
{
	const struct bottleneck *bottleneck = &form->bottleneck;
	const struct document_member members[] = {
		{KEY(class), TEXT(bottleneck_bound_name(bottleneck->class))},
		{KEY(title), TERM(bottleneck->title)},
		{KEY(reason), MESSAGE(bottleneck->reason)},
		{KEY(side), TEXT(bottleneck_bound_name(bottleneck->side))},
		{KEY(roofline), MESSAGE(bottleneck->roofline), OPTIONAL},
		{KEY(locality), BOOL(bottleneck->locality)},
	};
	struct json *object = json_set_object(form->arena, out, KEY(bottleneck));
	report_add_verdicts(form->arena, document_fill(form->arena, object, members),
			    form->entry->run, bottleneck);
}

static void add_findings(struct arena *arena, struct json *out, const struct finding_list *list)
{
	struct json *array = json_set_array(arena, out, KEY(findings));
	for (size_t i = 0; i < list->count; i++) {
		const struct finding *finding = &list->items[i];
		const struct document_member members[] = {
			{KEY(rule), TEXT(finding->rule)},
			{KEY(title), MESSAGE(finding->title)},
			{KEY(severity), TEXT(findings_severity_name(finding->severity))},
			{KEY(severity_text),
			 TEXT(vocabulary_label(findings_severity_name(finding->severity)))},
			{KEY(text), MESSAGE(finding->text)},
			{KEY(advice), TERM(finding->advice), OPTIONAL},
			{KEY(metric), TEXT(finding->metric)},
			{KEY(value), QUANTITY(finding->value, finding->unit)},
			{KEY(threshold), QUANTITY(finding->threshold, finding->unit)},
		};
		const struct document_member formula[] = {
			{KEY(gain_formula), MESSAGE(finding->gain.formula), OPTIONAL},
		};
		struct json *object = json_add_object(arena, array);
		document_fill(arena, object, members);
		report_add_gain(arena, object, finding);
		document_fill(arena, object, formula);
	}
}

static void add_tallies(struct arena *arena, struct json *out, const struct run *run,
			enum tally_kind kind, const char *name)
{
	double total = 0;
	for (size_t i = 0; i < run->tally_count; i++)
		if (run->tallies[i].kind == kind && run->tallies[i].seconds > 0)
			total += run->tallies[i].seconds;
	struct json *array = json_set_array(arena, out, name);
	for (size_t i = 0; i < run->tally_count; i++) {
		const struct run_tally *tally = &run->tallies[i];
		if (tally->kind != kind)
			continue;
		const double share = total > 0 ? tally->seconds / total : NAN;
		const struct document_member time[] = {
			{KEY(time), QUANTITY(tally->seconds, UNIT_SECOND)},
			{KEY(share), QUANTITY(share, UNIT_FRACTION)},
		};
		const struct document_member count[] = {
			{KEY(name), TEXT(tally->name)},
			{KEY(count), QUANTITY(tally->count, UNIT_COUNT), OPTIONAL},
		};
		const struct document_member work[] = {
			{KEY(bytes), QUANTITY(tally->bytes, UNIT_BYTE), OPTIONAL},
			{KEY(flops), QUANTITY(tally->flops, UNIT_FLOP), OPTIONAL},
		};
		struct json *object = json_add_object(arena, array);
		document_fill(arena, object, count);
		if (!isnan(tally->seconds))
			document_fill(arena, object, time);
		document_fill(arena, object, work);
	}
}

/* Adds the distribution of the metrics over the repeats that the run represents. */
static void add_spreads(struct arena *arena, struct json *out, const struct run *run)
{
	struct json *array = json_set_array(arena, out, KEY(spreads));
	for (size_t i = 0; i < run->spread_count; i++) {
		const struct run_spread *spread = &run->spreads[i];
		const struct metric_info *info = metric_info(spread->metric);
		const struct document_member members[] = {
			{KEY(metric), TEXT(info->key)},
			{KEY(count), NUMBER(spread->count)},
			{KEY(minimum), QUANTITY(spread->minimum, info->unit)},
			{KEY(median), QUANTITY(spread->median, info->unit)},
			{KEY(mean), QUANTITY(spread->mean, info->unit)},
			{KEY(maximum), QUANTITY(spread->maximum, info->unit)},
			{KEY(deviation), QUANTITY(spread->deviation, info->unit)},
		};
		document_fill(arena, json_add_object(arena, array), members);
	}
}

static void add_tallies_of_all(struct arena *arena, struct json *out, const struct run *run)
{
	static const char *const names[] = {
		[TALLY_OPCODE] = "opcodes", [TALLY_SOURCE] = "sources", [TALLY_DMA_QUEUE] = "dma",
		[TALLY_MEMORY] = "memory",  [TALLY_KERNEL] = "kernels", [TALLY_TUNING] = "tuning"};
	for (size_t kind = 0; kind < sizeof names / sizeof *names; kind++)
		add_tallies(arena, out, run, (enum tally_kind)kind, names[kind]);
}

static void add_cores(struct arena *arena, struct json *out, const struct run *run)
{
	struct json *cores = json_set_array(arena, out, KEY(cores_work));
	for (size_t i = 0; i < run->core_count; i++) {
		const struct run_core *core = &run->core_work[i];
		const struct document_member members[] = {
			{KEY(name), TEXT(core->name)},
			{KEY(cycles), QUANTITY(core->cycles, UNIT_COUNT)},
			{KEY(instructions), QUANTITY(core->instructions, UNIT_COUNT)},
			{KEY(flops), QUANTITY(core->flops, UNIT_FLOP)},
		};
		document_fill(arena, json_add_object(arena, cores), members);
	}
}

static void add_throttles(struct arena *arena, struct json *out, const struct run *run)
{
	struct json *throttles = json_set_array(arena, out, KEY(throttles));
	for (size_t i = 0; i < run->throttle_count; i++) {
		const struct run_throttle *throttle = &run->throttles[i];
		const struct document_member members[] = {
			{KEY(core), NUMBER(throttle->core)},
			{KEY(type), TEXT(throttle->type)},
			{KEY(start), NUMBER(throttle->start)},
			{KEY(duration), NUMBER(throttle->duration)},
			{KEY(limit), NUMBER(throttle->limit)},
		};
		document_fill(arena, json_add_object(arena, throttles), members);
	}
}

static void add_tensors(struct arena *arena, struct json *out, const struct run *run)
{
	struct json *tensors = json_set_array(arena, out, KEY(tensors));
	for (size_t i = 0; i < run->tensor_count; i++) {
		const struct run_tensor *tensor = &run->tensors[i];
		const struct document_member members[] = {
			{KEY(name), TEXT(tensor->name)},
			{KEY(role), TEXT(tensor->role)},
			{KEY(shape), TEXT(tensor->shape)},
			{KEY(bytes), QUANTITY(tensor->bytes, UNIT_BYTE)},
		};
		document_fill(arena, json_add_object(arena, tensors), members);
	}
}

static void add_warning(struct arena *arena, struct json *warnings, const char *category,
			const char *message)
{
	const struct document_member members[] = {
		{KEY(category), TEXT(category)},
		{KEY(message), TEXT(message)},
	};
	document_fill(arena, json_add_object(arena, warnings), members);
}

/* Adds what is text only: attributes and warnings. */
static void add_attributes(struct arena *arena, struct json *out, const struct run *run)
{
	struct json *versions = json_set_array(arena, out, KEY(versions));
	for (size_t i = 0; i < run->attribute_count; i++) {
		const struct document_member members[] = {
			{KEY(key), TEXT(run->attributes[i].key)},
			{KEY(text), TEXT(run->attributes[i].text)},
		};
		document_fill(arena, json_add_object(arena, versions), members);
	}
	struct json *warnings = json_set_array(arena, out, KEY(warnings));
	for (size_t i = 0; i < run->note_count; i++)
		add_warning(arena, warnings, run->notes[i].category, run->notes[i].message);
	if (run->work && run->work->fault)
		add_warning(arena, warnings, run->work->source, run->work->fault);
}

/* Why the run differs from its baseline; without text if the difference is negligible. */
struct explanation form_why(const struct form *form)
{
	const struct report_run *entry = form->entry;
	struct explanation why =
		explain_runs(form->arena, entry->baseline, entry->run, METRIC_COUNT);
	if (!explain_is_worth(&why))
		why.text = NULL;
	return why;
}

static void add_changes(struct arena *arena, struct json *baseline, const struct report_run *entry)
{
	struct json *changes = json_set_object(arena, baseline, KEY(changes));
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		enum metric metric = (enum metric)i;
		double old = run_number(entry->baseline, metric);
		double new = run_number(entry->run, metric);
		if (isnan(old) || isnan(new))
			continue;
		struct json *change = json_set_object(arena, changes, metric_info(metric)->key);
		report_metric(arena, change, KEY(previous), entry->baseline, metric);
		json_set_number(arena, change, KEY(change), new / old - 1);
		json_set_text(arena, change, KEY(change_text),
			      quantity_change_text(arena, new / old - 1));
		json_set_text(arena, change, KEY(words),
			      report_change_words(arena, metric, old, new));
	}
}

static void add_baseline(const struct form *form, struct json *out)
{
	struct arena *arena = form->arena;
	const struct report_run *entry = form->entry;
	bool whole = form->extent <= REPORT_SHOWN;
	if (!entry->baseline)
		return;
	struct json *baseline = json_set_object(arena, out, KEY(baseline));
	document_commit(arena, baseline, KEY(commit), entry->baseline_revision, false);
	json_set_text(arena, baseline, KEY(kind), vocabulary_label(entry->baseline_kind));
	report_age(arena, baseline, entry->baseline_age);
	if (whole)
		report_add_why(arena, baseline, &form->why);
	struct json *point = json_set_object(arena, baseline, KEY(point));
	/* on the same basis (counters or formula) as the run's own point */
	bool counted = run_number(entry->run, METRIC_ARITHMETIC_INTENSITY) > 0;
	json_set_number(arena, point, KEY(ai),
			run_number(entry->baseline, counted ? METRIC_ARITHMETIC_INTENSITY
							    : METRIC_ALGORITHMIC_INTENSITY));
	json_set_number(arena, point, KEY(flops),
			run_number(entry->baseline,
				   counted ? METRIC_ACHIEVED_FLOPS : METRIC_ALGORITHMIC_RATE));
	report_add_timeline(arena, baseline, entry, form->extent != REPORT_LENGTHS);
	if (whole)
		add_changes(arena, baseline, entry);
}

void form_add_run(struct form *form, struct json *runs)
{
	struct arena *arena = form->arena;
	const struct report_run *entry = form->entry;
	struct json *out = json_add_object(arena, runs);
	bool whole = form->extent <= REPORT_SHOWN;
	add_identity(arena, out, entry);
	add_samples(arena, out, entry);
	report_add_figures(arena, out, entry);
	add_metrics(arena, out, entry->run);
	add_peaks(arena, out, entry);
	add_roofs(arena, out, entry);
	add_engines(arena, out, entry);
	if (whole) {
		add_bottleneck(form, out);
		add_findings(arena, out, &form->findings);
		add_tallies_of_all(arena, out, entry->run);
		report_add_source_lines(arena, out, entry->run);
	}
	add_spreads(arena, out, entry->run);
	if (whole)
		add_cores(arena, out, entry->run);
	add_throttles(arena, out, entry->run);
	if (whole) {
		add_tensors(arena, out, entry->run);
		add_attributes(arena, out, entry->run);
		form_add_tiling(arena, entry->run, out);
	}
	if (whole)
		form->why = form_why(form);
	add_baseline(form, out);
	if (whole)
		report_add_opportunities(arena, out, &form->findings);
}

void report_add_run(struct arena *arena, struct json *runs, const struct report_run *entry)
{
	struct form form = form_of(arena, entry, vocabulary_spoken());
	form_add_run(&form, runs);
	struct form_group alone = form_group_of(&form, NULL, 0);
	form_add_devlog(&alone, runs->last);
}
