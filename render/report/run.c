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
	json_set_text(arena, out, KEY(title), title);
	if (entry->id)
		json_set_text(arena, out, KEY(id), entry->id);
	if (entry->series)
		json_set_text(arena, out, KEY(series), entry->series);
	json_set_text(arena, out, KEY(kernel), run->kernel);
	if (run->variant[0])
		json_set_text(arena, out, KEY(variant), run->variant);
	json_set_text(arena, out, KEY(dtype), run->dtype);
	json_set_text(arena, out, KEY(device), run->device);
	if (run->instance_type)
		json_set_text(arena, out, KEY(instance_type), run->instance_type);
	json_set_number(arena, out, KEY(cores), run->cores ? run->cores : NAN);
	json_set_text(arena, out, KEY(tool), run->tool);
	if (run->node[0])
		json_set_text(arena, out, KEY(node), run->node);
	if (run->source)
		json_set_text(arena, out, KEY(source), run->source);
	if (!entry->revision && run->commit)
		json_set_text(arena, out, KEY(source_commit), run->commit);
	if (run->kernel_hash)
		json_set_text(arena, out, KEY(kernel_hash), run->kernel_hash);
	struct json *list = json_set_array(arena, out, KEY(params));
	for (size_t i = 0; i < run->param_count; i++) {
		struct json *param = json_add_object(arena, list);
		json_set_text(arena, param, KEY(name), run->params[i].name);
		json_set_text(arena, param, KEY(value), run->params[i].value);
	}
	json_set_text(arena, out, KEY(params_text), params);
	document_commit(arena, out, KEY(commit), entry->revision, run->dirty);
}

/* Adds how many repeats the run represents, and their range. */
static void add_samples(struct arena *arena, struct json *out, const struct report_run *entry)
{
	if (entry->samples < 2)
		return;
	struct json *samples = json_set_object(arena, out, KEY(samples));
	json_set_number(arena, samples, KEY(count), (double)entry->samples);
	document_quantity(arena, samples, KEY(fastest), entry->fastest, UNIT_SECOND);
	document_quantity(arena, samples, KEY(slowest), entry->slowest, UNIT_SECOND);
	json_set_text(arena, samples, KEY(text),
		      arena_printf(arena, "median of %zu runs, %s to %s", entry->samples,
				   quantity_text(arena, entry->fastest, UNIT_SECOND),
				   quantity_text(arena, entry->slowest, UNIT_SECOND)));
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
	struct json *object = json_set_object(arena, out, KEY(peaks));
	document_quantity(arena, object, KEY(flops), peaks->flops, UNIT_FLOP_PER_SECOND);
	document_quantity(arena, object, KEY(core_flops), peaks->core_flops, UNIT_FLOP_PER_SECOND);
	document_quantity(arena, object, KEY(bandwidth), peaks->bandwidth, UNIT_BYTE_PER_SECOND);
	document_quantity(arena, object, KEY(ridge), peaks->flops / peaks->bandwidth,
			  UNIT_FLOP_PER_BYTE);
	document_quantity(arena, object, KEY(core_ridge), peaks->core_flops / peaks->bandwidth,
			  UNIT_FLOP_PER_BYTE);
	json_set_text(arena, object, KEY(dtype), peaks->dtype);
	json_set_text(arena, object, KEY(flops_source), peaks->flops_source);
	json_set_text(arena, object, KEY(bandwidth_source), peaks->bandwidth_source);
	json_set_text(arena, object, KEY(confidence), hardware_confidence_name(peaks->confidence));
}

static void add_roof(struct arena *arena, struct json *roofs, double flops, const char *dtype,
		     int cores, const char *source)
{
	struct json *roof = json_add_object(arena, roofs);
	const char *rate = quantity_text(arena, flops, UNIT_FLOP_PER_SECOND);
	json_set_text(arena, roof, KEY(label),
		      cores ? arena_printf(arena, "%s %s, %d core%s", rate, dtype, cores,
					   cores == 1 ? "" : "s")
			    : arena_printf(arena, "%s %s", rate, dtype));
	json_set_number(arena, roof, KEY(flops), flops);
	json_set_text(arena, roof, KEY(dtype), dtype);
	json_set_text(arena, roof, KEY(source), source);
	json_set_number(arena, roof, KEY(cores), cores ? cores : NAN);
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

/* Adds the roof of the ratios, that of one core, that of the run's own dtype, and that at the
 * measured clock, in this order. */
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
		json_set_text(arena, engine, KEY(title), engines[i].title);
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
	struct arena *arena = form->arena;
	const struct bottleneck *bottleneck = &form->bottleneck;
	struct json *object = json_set_object(arena, out, KEY(bottleneck));
	json_set_text(arena, object, KEY(class), bottleneck_bound_name(bottleneck->class));
	json_set_text(arena, object, KEY(title),
		      vocabulary_term(LANGUAGE_ENGLISH, bottleneck->title));
	json_set_text(arena, object, KEY(reason), vocabulary_english(arena, bottleneck->reason));
	json_set_text(arena, object, KEY(side), bottleneck_bound_name(bottleneck->side));
	if (bottleneck->roofline)
		json_set_text(arena, object, KEY(roofline),
			      vocabulary_english(arena, bottleneck->roofline));
	json_set_bool(arena, object, KEY(locality), bottleneck->locality);
	report_add_verdicts(arena, object, form->entry->run, bottleneck);
}

static void add_findings(struct arena *arena, struct json *out, const struct finding_list *list)
{
	struct json *array = json_set_array(arena, out, KEY(findings));
	for (size_t i = 0; i < list->count; i++) {
		const struct finding *finding = &list->items[i];
		struct json *object = json_add_object(arena, array);
		json_set_text(arena, object, KEY(rule), finding->rule);
		json_set_text(arena, object, KEY(title),
			      vocabulary_term(LANGUAGE_ENGLISH, finding->title));
		json_set_text(arena, object, KEY(severity),
			      findings_severity_name(finding->severity));
		json_set_text(arena, object, KEY(text), vocabulary_english(arena, finding->text));
		if (finding->advice)
			json_set_text(arena, object, KEY(advice),
				      vocabulary_term(LANGUAGE_ENGLISH, finding->advice));
		json_set_text(arena, object, KEY(metric), finding->metric);
		document_quantity(arena, object, KEY(value), finding->value, finding->unit);
		document_quantity(arena, object, KEY(threshold), finding->threshold, finding->unit);
		report_add_gain(arena, object, finding);
		if (finding->gain.formula)
			json_set_text(arena, object, KEY(gain_formula),
				      vocabulary_english(arena, finding->gain.formula));
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
		struct json *object = json_add_object(arena, array);
		json_set_text(arena, object, KEY(name), tally->name);
		if (!isnan(tally->count))
			document_quantity(arena, object, KEY(count), tally->count, UNIT_COUNT);
		if (!isnan(tally->seconds)) {
			document_quantity(arena, object, KEY(time), tally->seconds, UNIT_SECOND);
			document_quantity(arena, object, KEY(share),
					  total > 0 ? tally->seconds / total : NAN, UNIT_FRACTION);
		}
		if (!isnan(tally->bytes))
			document_quantity(arena, object, KEY(bytes), tally->bytes, UNIT_BYTE);
		if (!isnan(tally->flops))
			document_quantity(arena, object, KEY(flops), tally->flops, UNIT_FLOP);
	}
}

/* Adds the distribution of the metrics over the repeats that the run represents. */
static void add_spreads(struct arena *arena, struct json *out, const struct run *run)
{
	struct json *array = json_set_array(arena, out, KEY(spreads));
	for (size_t i = 0; i < run->spread_count; i++) {
		const struct run_spread *spread = &run->spreads[i];
		const struct metric_info *info = metric_info(spread->metric);
		struct json *object = json_add_object(arena, array);
		json_set_text(arena, object, KEY(metric), info->key);
		json_set_number(arena, object, KEY(count), spread->count);
		document_quantity(arena, object, KEY(minimum), spread->minimum, info->unit);
		document_quantity(arena, object, KEY(median), spread->median, info->unit);
		document_quantity(arena, object, KEY(mean), spread->mean, info->unit);
		document_quantity(arena, object, KEY(maximum), spread->maximum, info->unit);
		document_quantity(arena, object, KEY(deviation), spread->deviation, info->unit);
	}
}

static void add_tallies_of_all(struct arena *arena, struct json *out, const struct run *run)
{
	add_tallies(arena, out, run, TALLY_OPCODE, "opcodes");
	add_tallies(arena, out, run, TALLY_SOURCE, "sources");
	add_tallies(arena, out, run, TALLY_DMA_QUEUE, "dma");
	add_tallies(arena, out, run, TALLY_MEMORY, "memory");
	add_tallies(arena, out, run, TALLY_KERNEL, "kernels");
	add_tallies(arena, out, run, TALLY_TUNING, "tuning");
}

static void add_cores(struct arena *arena, struct json *out, const struct run *run)
{
	struct json *cores = json_set_array(arena, out, KEY(cores_work));
	for (size_t i = 0; i < run->core_count; i++) {
		struct json *core = json_add_object(arena, cores);
		json_set_text(arena, core, KEY(name), run->core_work[i].name);
		document_quantity(arena, core, KEY(cycles), run->core_work[i].cycles, UNIT_COUNT);
		document_quantity(arena, core, KEY(instructions), run->core_work[i].instructions,
				  UNIT_COUNT);
		document_quantity(arena, core, KEY(flops), run->core_work[i].flops, UNIT_FLOP);
	}
}

static void add_throttles(struct arena *arena, struct json *out, const struct run *run)
{
	struct json *throttles = json_set_array(arena, out, KEY(throttles));
	for (size_t i = 0; i < run->throttle_count; i++) {
		struct json *window = json_add_object(arena, throttles);
		json_set_number(arena, window, KEY(core), run->throttles[i].core);
		json_set_text(arena, window, KEY(type), run->throttles[i].type);
		json_set_number(arena, window, KEY(start), run->throttles[i].start);
		json_set_number(arena, window, KEY(duration), run->throttles[i].duration);
		json_set_number(arena, window, KEY(limit), run->throttles[i].limit);
	}
}

static void add_tensors(struct arena *arena, struct json *out, const struct run *run)
{
	struct json *tensors = json_set_array(arena, out, KEY(tensors));
	for (size_t i = 0; i < run->tensor_count; i++) {
		struct json *tensor = json_add_object(arena, tensors);
		json_set_text(arena, tensor, KEY(name), run->tensors[i].name);
		json_set_text(arena, tensor, KEY(role), run->tensors[i].role);
		json_set_text(arena, tensor, KEY(shape), run->tensors[i].shape);
		document_quantity(arena, tensor, KEY(bytes), run->tensors[i].bytes, UNIT_BYTE);
	}
}

static void add_words(struct arena *arena, struct json *out, const struct run *run)
{
	struct json *versions = json_set_array(arena, out, KEY(versions));
	for (size_t i = 0; i < run->attribute_count; i++) {
		struct json *version = json_add_object(arena, versions);
		json_set_text(arena, version, KEY(key), run->attributes[i].key);
		json_set_text(arena, version, KEY(text), run->attributes[i].text);
	}
	struct json *warnings = json_set_array(arena, out, KEY(warnings));
	for (size_t i = 0; i < run->note_count; i++) {
		struct json *warning = json_add_object(arena, warnings);
		json_set_text(arena, warning, KEY(category), run->notes[i].category);
		json_set_text(arena, warning, KEY(message), run->notes[i].message);
	}
	if (run->work && run->work->fault) {
		struct json *warning = json_add_object(arena, warnings);
		json_set_text(arena, warning, KEY(category), run->work->source);
		json_set_text(arena, warning, KEY(message), run->work->fault);
	}
}

/* Why the run differs from its baseline; without text if the difference is negligible. */
static struct explanation why_of(const struct form *form)
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
	bool whole = form->extent == REPORT_WHOLE;
	if (!entry->baseline)
		return;
	struct json *baseline = json_set_object(arena, out, KEY(baseline));
	document_commit(arena, baseline, KEY(commit), entry->baseline_revision, false);
	json_set_text(arena, baseline, KEY(kind), entry->baseline_kind);
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
	bool whole = form->extent == REPORT_WHOLE;
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
	}
	add_spreads(arena, out, entry->run);
	if (whole)
		add_cores(arena, out, entry->run);
	add_throttles(arena, out, entry->run);
	if (whole) {
		add_tensors(arena, out, entry->run);
		add_words(arena, out, entry->run);
	}
	if (whole)
		form->why = why_of(form);
	add_baseline(form, out);
	if (whole) {
		report_add_opportunities(arena, out, &form->findings);
		form_add_devlog(form, out);
	}
}

void report_add_run(struct arena *arena, struct json *runs, const struct report_run *entry)
{
	struct form form = form_of(arena, entry, LANGUAGE_ENGLISH);
	form_add_run(&form, runs);
}
