/*
 * The profiler's output contract, in both languages. Runs that differ only in the parameter
 * "stage" form one contract with one row per stage; the first of these runs carries it. Stages may
 * overlap, so their times are never added.
 */
#include "render/report/contract.h"

#include "render/document/key.h"

#include "base/base.h"
#include "render/markup/markup.h"

/* Whether the device has engines and DMA (Neuron) rather than occupancy and tensor pipes (GPU). */
static bool has_engines(const struct report_run *entry)
{
	static const enum metric engines[] = {METRIC_TENSOR_OCCUPANCY, METRIC_VECTOR_OCCUPANCY,
					      METRIC_DMA_OCCUPANCY};
	const struct run *run = entry->run;
	if (entry->hardware)
		return entry->hardware->per_core;
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
		if (!isnan(run_number(run, engines[i])))
			return true;
	return run->cores > 0;
}

struct form form_of(struct arena *arena, const struct report_run *entry, enum language language)
{
	struct form form = {.arena = arena, .entry = entry, .language = language};
	form.engines = has_engines(entry);
	form.bottleneck = bottleneck_of(arena, entry->run);
	findings_of(arena, entry->run, &form.findings);
	return form;
}

const char *form_text(const struct form *form, const struct message *message)
{
	return vocabulary_text(form->arena, form->language, message);
}

const char *form_term(const struct form *form, enum message_code code)
{
	return vocabulary_term(form->language, code);
}

const char *form_versus(const struct form *form, enum metric metric)
{
	if (!form->entry->baseline)
		return "--";
	const double values[] = {run_number(form->entry->baseline, metric),
				 run_number(form->entry->run, metric)};
	if (isnan(values[0]) || isnan(values[1]))
		return "--";
	const struct message *change = report_change(form->arena, metric, values[0], values[1]);
	return vocabulary_figure(form->arena, form->language, form_text(form, change));
}

const char *form_quantity(const struct form *form, double number, enum unit unit)
{
	return form_text(form,
			 message_of(form->arena, MESSAGE_FIGURE, message_quantity(number, unit)));
}

const char *form_figure(const struct form *form, double number, enum unit unit)
{
	if (isnan(number) && !form->engines)
		return "--";
	return form_quantity(form, number, unit);
}

static const char *stage_of(const struct form *form)
{
	const char *stage = run_param(form->entry->run, "stage");
	return stage ? stage : form->entry->run->kernel;
}

static void set_words(const struct form_group *contract, enum language language)
{
	for (size_t i = 0; i < contract->count; i++)
		contract->items[i].language = language;
}

/* The stage to start with: the one with the longest time. */
static const struct form *longest_of(const struct form_group *contract)
{
	assert(contract->count > 0);
	const struct form *longest = &contract->items[0];
	for (size_t i = 1; i < contract->count; i++) {
		double time = run_time(contract->items[i].entry->run);
		double most = run_time(longest->entry->run);
		if (time > most || (isnan(most) && !isnan(time)))
			longest = &contract->items[i];
	}
	return longest;
}

static const char *configuration_table(const struct form *form)
{
	const struct run *run = form->entry->run;
	struct md_table table;
	md_table_init(&table, form->arena);
	for (size_t i = 0; i < run->param_count; i++)
		if (!span_text_eq(run->params[i].name, "stage"))
			md_table_column(&table, run->params[i].name, MD_ALIGN_LEFT);
	md_table_column(&table, form_term(form, MESSAGE_LABEL_DTYPE), MD_ALIGN_LEFT);
	for (size_t i = 0; i < run->param_count; i++)
		if (!span_text_eq(run->params[i].name, "stage"))
			md_table_cell(&table, run->params[i].value);
	md_table_cell(&table, vocabulary_dtype(form->language, run->dtype));
	return md_table_text(&table);
}

/* The most important problem; findings are sorted. */
static const struct finding *key_issue(const struct form *form)
{
	for (size_t i = 0; i < form->findings.count; i++)
		if (form->findings.items[i].severity == SEVERITY_PROBLEM)
			return &form->findings.items[i];
	return NULL;
}

/* A percentage without its sign, for a table whose column titles carry it. */
static const char *bare_percent(const struct form *form, double fraction)
{
	return form_figure(form, fraction * 100, UNIT_NONE);
}

static const struct {
	const char *title;
	enum metric metric;
	bool engines;
} stage_columns[] = {
	{"MFU%", METRIC_MFU, true},
	{"MBU%", METRIC_MBU, true},
	{"Tensor%", METRIC_TENSOR_OCCUPANCY, true},
	{"DMA%", METRIC_DMA_OCCUPANCY, true},
	{"TC%", METRIC_TENSOR_PIPE, false},
	{"DRAM%", METRIC_DRAM_THROUGHPUT, false},
	{"Occ%", METRIC_ACHIEVED_OCCUPANCY, false},
};
enum { stage_column_count = sizeof stage_columns / sizeof *stage_columns };

static void add_stage(const struct form *form, bool engines, struct md_table *table)
{
	const struct run *run = form->entry->run;
	const struct finding *issue = key_issue(form);
	md_table_cell(table, stage_of(form));
	md_table_cell(table, form_quantity(form, run_time(run) * 1e6, UNIT_NONE));
	for (size_t i = 0; i < stage_column_count; i++)
		if (stage_columns[i].engines == engines)
			md_table_cell(table,
				      bare_percent(form, run_number(run, stage_columns[i].metric)));
	md_table_cell(table, form_term(form, form->bottleneck.title));
	md_table_cell(table, issue ? form_text(form, issue->text) : "--");
}

static const char *stages_table(const struct form_group *contract)
{
	const struct form *first = &contract->items[0];
	struct md_table table;
	md_table_init(&table, first->arena);
	md_table_column(&table, form_term(first, MESSAGE_LABEL_STAGE), MD_ALIGN_LEFT);
	md_table_column(&table, form_term(first, MESSAGE_LABEL_STAGE_DURATION), MD_ALIGN_LEFT);
	for (size_t i = 0; i < stage_column_count; i++)
		if (stage_columns[i].engines == first->engines)
			md_table_column(&table, stage_columns[i].title, MD_ALIGN_LEFT);
	md_table_column(&table, form_term(first, MESSAGE_LABEL_BOTTLENECK), MD_ALIGN_LEFT);
	md_table_column(&table, form_term(first, MESSAGE_LABEL_KEY_ISSUE), MD_ALIGN_LEFT);
	for (size_t i = 0; i < contract->count; i++)
		add_stage(&contract->items[i], first->engines, &table);
	return md_table_text(&table);
}

static void add_baseline_rows(const struct form *form, bool with_stage, struct md_table *table)
{
	const enum metric rows[] = {run_time_metric(form->entry->run),
				    METRIC_ACHIEVED_FLOPS,
				    METRIC_ALGORITHMIC_RATE,
				    METRIC_MFU,
				    METRIC_MFU_ALGORITHMIC,
				    METRIC_ARITHMETIC_INTENSITY,
				    METRIC_HBM_BYTES,
				    METRIC_MBU,
				    METRIC_ALGORITHMIC_BANDWIDTH,
				    METRIC_TENSOR_OCCUPANCY,
				    METRIC_DMA_OCCUPANCY,
				    METRIC_TENSOR_PIPE,
				    METRIC_DRAM_THROUGHPUT,
				    METRIC_ACHIEVED_OCCUPANCY,
				    METRIC_L2_HIT_RATE,
				    METRIC_SPILL_REQUESTS};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i] == METRIC_COUNT)
			continue;
		enum unit unit = metric_info(rows[i])->unit;
		double old = run_number(form->entry->baseline, rows[i]);
		double new = run_number(form->entry->run, rows[i]);
		if (isnan(old) && isnan(new))
			continue;
		if (with_stage)
			md_table_cell(table, stage_of(form));
		md_table_cell(table, report_for_device(form->arena, form->entry->run,
						       vocabulary_metric(form->language, rows[i])));
		md_table_cell(table, form_quantity(form, old, unit));
		md_table_cell(table, form_quantity(form, new, unit));
		md_table_cell(table, form_versus(form, rows[i]));
	}
}

/* NULL if no stage has a baseline. */
static const char *baseline_table(const struct form_group *contract)
{
	static const enum message_code columns[] = {MESSAGE_LABEL_METRIC, MESSAGE_LABEL_PREVIOUS,
						    MESSAGE_LABEL_CURRENT, MESSAGE_LABEL_CHANGE};
	const struct form *first = &contract->items[0];
	bool with_stage = contract->count > 1, any = false;
	struct md_table table;
	md_table_init(&table, first->arena);
	if (with_stage)
		md_table_column(&table, form_term(first, MESSAGE_LABEL_STAGE), MD_ALIGN_LEFT);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		md_table_column(&table, form_term(first, columns[i]), MD_ALIGN_LEFT);
	for (size_t i = 0; i < contract->count; i++) {
		if (!contract->items[i].entry->baseline)
			continue;
		add_baseline_rows(&contract->items[i], with_stage, &table);
		any = true;
	}
	return any ? md_table_text(&table) : NULL;
}

/* An opportunity of one stage. */
struct opportunity {
	const struct form *form;
	const struct finding *finding;
	double seconds; /* potential gain, s; below 0: unknown */
};

struct opportunity_list {
	struct opportunity items[OPPORTUNITIES];
	size_t count;
};

/* Keeps the list sorted: largest gain first, then unknown gains in the order of the stages. */
static void insert(struct opportunity_list *list, const struct form *form,
		   const struct finding *finding)
{
	double fraction = finding->gain.fraction, time = run_time(form->entry->run);
	/* Unknown gains come last, before them local ones; 0: the fraction is known, but not the
	 * time. */
	struct opportunity item = {form, finding, finding->local ? -1 : isnan(fraction) ? -2 : 0};
	if (!isnan(fraction * time) && !finding->local)
		item.seconds = fraction * time;
	size_t at = list->count;
	while (at > 0 && list->items[at - 1].seconds < item.seconds)
		at--;
	if (at == OPPORTUNITIES)
		return;
	assert(at < OPPORTUNITIES);
	size_t last = list->count < OPPORTUNITIES ? list->count++ : OPPORTUNITIES - 1;
	for (; last > at; last--)
		list->items[last] = list->items[last - 1];
	list->items[at] = item;
}

static struct opportunity_list opportunities_of_stages(const struct form_group *contract)
{
	struct opportunity_list list = {.count = 0};
	for (size_t i = 0; i < contract->count; i++) {
		const struct form *form = &contract->items[i];
		const struct finding *found[OPPORTUNITIES];
		size_t count = findings_opportunities(&form->findings, found);
		for (size_t k = 0; k < count; k++)
			insert(&list, form, found[k]);
	}
	return list;
}

static const struct message *basis_of(struct arena *arena, const struct potential_gain *gain)
{
	if (gain->estimated_by)
		return message_of(arena, MESSAGE_BY_THE_ESTIMATE, message_text(gain->estimated_by));
	return message_plain(gain->bound ? MESSAGE_AT_MOST : MESSAGE_AT_THE_PEAK_RATE);
}

/* "transpose_fraction=66.67 %" */
static const char *trigger_of(const struct form *form, const struct finding *finding)
{
	return arena_printf(form->arena, "%s=%s", finding->metric,
			    form_quantity(form, finding->value, finding->unit));
}

static void add_opportunities(const struct form_group *contract, struct json *out)
{
	struct arena *arena = contract->items[0].arena;
	struct opportunity_list found = opportunities_of_stages(contract);
	struct json *list = json_set_array(arena, out, KEY(opportunities));
	for (size_t i = 0; i < found.count; i++) {
		const struct opportunity *one = &found.items[i];
		const struct potential_gain *gain = &one->finding->gain;
		const char *name = form_text(one->form, one->finding->title);
		struct json *item = json_add_object(arena, list);
		if (contract->count > 1)
			name = arena_printf(arena, "%s: %s", stage_of(one->form), name);
		json_set_text(arena, item, KEY(name), name);
		json_set_text(arena, item, KEY(trigger), trigger_of(one->form, one->finding));
		if (isnan(gain->fraction))
			continue;
		json_set_text(arena, item, KEY(gain),
			      arena_printf(arena, "%s%%", bare_percent(one->form, gain->fraction)));
		json_set_text(arena, item, KEY(basis), form_text(one->form, basis_of(arena, gain)));
		json_set_text(arena, item, KEY(formula), form_text(one->form, gain->formula));
	}
}

/* At most two sentences: the figures, then the main problem or, without one, the position in the
 * roofline. */
static const char *root_cause(const struct form_group *contract)
{
	const struct form *form = longest_of(contract);
	const struct finding *issue = key_issue(form);
	struct arena *arena = form->arena;
	const struct message *reason = form->bottleneck.reason;
	const struct message *second = issue ? issue->text : form->bottleneck.roofline;
	if (contract->count > 1)
		reason = message_of(arena, MESSAGE_LONGEST_STAGE, message_text(stage_of(form)),
				    message_part(reason));
	return form_text(form, second ? message_of(arena, MESSAGE_CAUSE_AND_ISSUE,
						   message_part(reason), message_part(second))
				      : message_of(arena, MESSAGE_CAUSE, message_part(reason)));
}

static void add_contract(const struct form_group *contract, enum language language,
			 struct json *out)
{
	const struct form *first = &contract->items[0];
	const struct run *run = first->entry->run;
	struct arena *arena = first->arena;
	set_words(contract, language);
	json_set_text(arena, out, KEY(title),
		      arena_printf(arena, "%s%s%s (%s)", run->kernel, run->variant[0] ? " " : "",
				   run->variant, run->tool ? run->tool : "unknown tool"));
	json_set_text(arena, out, KEY(configuration), configuration_table(first));
	json_set_text(arena, out, KEY(stages), stages_table(contract));
	json_set_bool(arena, out, KEY(several_stages), contract->count > 1);
	const char *tiling = form_tiling_table(contract);
	if (tiling)
		json_set_text(arena, out, KEY(tiling), tiling);
	json_set_text(arena, out, KEY(bottleneck),
		      vocabulary_term(language, longest_of(contract)->bottleneck.title));
	json_set_text(arena, out, KEY(root_cause), root_cause(contract));
	add_opportunities(contract, out);
	const char *baseline = baseline_table(contract);
	if (baseline)
		json_set_text(arena, out, KEY(baseline_table), baseline);
}

void form_add_contract(const struct form_group *contract, struct json *run_document)
{
	struct arena *arena = contract->items[0].arena;
	struct json *out = json_set_object(arena, run_document, KEY(contract));
	add_contract(contract, LANGUAGE_ENGLISH, out);
	add_contract(contract, LANGUAGE_CHINESE, json_set_object(arena, out, KEY(zh)));
}
