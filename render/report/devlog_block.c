/*
 * The Performance block of a development log, and the proposals for its Issues and Insights, in
 * both languages. The aligned table is made here; the templates only place it.
 */

#include "render/document/key.h"
#include "base/base.h"
#include "render/markup/markup.h"
#include "render/report/contract.h"

enum { proposals = 3 };

static const char *with_micro(struct arena *arena, const char *text)
{
	size_t len = strlen(text);
	if (len < 3 || strcmp(text + len - 3, " us") != 0)
		return text;
	return arena_printf(arena, "%.*s μs", (int)(len - 3), text);
}

/* The preferred of two metrics that the run has: the algorithmic value comes before the counted
 * one. */
static enum metric first_known(const struct run *run, enum metric algorithmic, enum metric counted)
{
	return isnan(run_number(run, algorithmic)) ? counted : algorithmic;
}

static void add_row(struct md_table *table, const char *title, const char *value,
		    const char *versus_previous)
{
	md_table_cell(table, title);
	md_table_cell(table, value);
	md_table_cell(table, versus_previous);
}

static void add_duration(const struct form *form, struct md_table *table)
{
	const struct run *run = form->entry->run;
	enum metric metric = run_time_metric(run);
	bool host = metric == METRIC_HOST_TIME;
	if (metric == METRIC_COUNT)
		metric = METRIC_TOTAL_TIME;
	const char *text = form_quantity(form, run_time(run), UNIT_SECOND);
	add_row(table, form_term(form, host ? MESSAGE_LABEL_HOST_DURATION : MESSAGE_LABEL_DURATION),
		with_micro(form->arena, text), form_versus(form, metric));
}

/* Adds a rate divided by `scale`, marked if it is algorithmic (from the work formula). */
static void add_rate(const struct form *form, struct md_table *table, enum message_code title,
		     const enum metric metrics[2])
{
	const struct run *run = form->entry->run;
	enum metric metric = first_known(run, metrics[0], metrics[1]);
	double scale = metric_info(metric)->unit == UNIT_FLOP_PER_SECOND ? 1e12 : 1e9;
	double rate = run_number(run, metric) / scale;
	const char *text = form_figure(form, rate, UNIT_NONE);
	if (metric == metrics[0])
		text = arena_printf(form->arena, "%s (%s)", text,
				    form_term(form, MESSAGE_ALGORITHMIC));
	add_row(table, form_term(form, title), text, form_versus(form, metric));
}

static const char *devlog_table(const struct form *form)
{
	static const enum metric flops[] = {METRIC_ALGORITHMIC_RATE, METRIC_ACHIEVED_FLOPS};
	static const enum metric bytes[] = {METRIC_ALGORITHMIC_BANDWIDTH,
					    METRIC_ACHIEVED_BANDWIDTH};
	static const struct {
		enum message_code title;
		enum metric metric;
		bool engines;
	} rows[] = {
		{MESSAGE_LABEL_MFU, METRIC_MFU, true},
		{MESSAGE_LABEL_TENSOR_ACTIVE, METRIC_TENSOR_OCCUPANCY, true},
		{MESSAGE_LABEL_DMA_ACTIVE, METRIC_DMA_OCCUPANCY, true},
		{MESSAGE_LABEL_OCCUPANCY, METRIC_ACHIEVED_OCCUPANCY, false},
		{MESSAGE_LABEL_TC_UTIL, METRIC_TENSOR_PIPE, false},
	};
	static const enum message_code columns[] = {MESSAGE_LABEL_METRIC, MESSAGE_LABEL_VALUE,
						    MESSAGE_LABEL_VERSUS_PREVIOUS};
	struct md_table table;
	md_table_init(&table, form->arena);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		md_table_column(&table, form_term(form, columns[i]), MD_ALIGN_LEFT);
	add_duration(form, &table);
	add_rate(form, &table, MESSAGE_LABEL_TFLOPS, flops);
	add_rate(form, &table, MESSAGE_LABEL_GBS, bytes);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double number = run_number(form->entry->run, rows[i].metric);
		if (rows[i].engines == form->engines)
			add_row(&table, form_term(form, rows[i].title),
				form_figure(form, number, UNIT_FRACTION), "--");
	}
	return md_table_text(&table);
}

/* "**Performance** (trn2, bfloat16, b=1, s=512):" */
static const char *devlog_heading(const struct form *form)
{
	const struct run *run = form->entry->run;
	const char *params = run_params_text(form->arena, run);
	struct strbuf sb = {0};
	strbuf_addf(&sb, "**%s** (", form_term(form, MESSAGE_PERFORMANCE));
	md_text_about(&sb,
		      span_of(run->device ? run->device : form_term(form, MESSAGE_DEVICE_UNKNOWN)),
		      &md_all_ids);
	/* Under a profiler the clock is rarely the boost clock. */
	double clock = run_number(run, METRIC_SM_CLOCK);
	if (!isnan(clock))
		strbuf_addf(&sb, ", %s",
			    form_text(form, message_of(form->arena, MESSAGE_CLOCK_AT,
						       message_quantity(clock, UNIT_HERTZ))));
	strbuf_addstr(&sb, ", ");
	md_text_about(&sb, span_of(vocabulary_dtype(form->language, run->dtype)), &md_all_ids);
	strbuf_addstr(&sb, params[0] ? ", " : "");
	md_text_about(&sb, span_of(params), &md_all_ids);
	strbuf_addstr(&sb, "):");
	return strbuf_into(&sb, form->arena);
}

/* "; by rule: roofline: memory side, ncu-sol: High Throughput". Empty if the rules agree. */
static const struct message *other_verdicts(const struct form *form)
{
	const struct bottleneck *bottleneck = &form->bottleneck;
	size_t count = bottleneck->verdict_count;
	const struct message **rules = arena_array(form->arena, count + 1, sizeof(*rules));
	if (!bottleneck->disagree)
		return NULL;
	for (size_t i = 0; i < count; i++)
		rules[i] = message_of(form->arena, MESSAGE_CLASS_OF_RULE,
				      message_text(bottleneck->verdicts[i].rule),
				      message_part(bottleneck->verdicts[i].title));
	return message_of(form->arena, MESSAGE_CLASSES_BY_RULE, message_parts(rules, count));
}

/* Adds the problems, most important first. */
static void add_issues(const struct form *form, struct json *out)
{
	struct json *issues = NULL;
	for (size_t i = 0; i < form->findings.count; i++) {
		const struct finding *finding = &form->findings.items[i];
		if (finding->severity == SEVERITY_INFO)
			continue;
		if (!issues)
			issues = json_set_array(form->arena, out, KEY(issues));
		if (issues->count < proposals)
			json_add_text(form->arena, issues, form_text(form, finding->text));
	}
}

/* "Overlap the engines: overlap DMA with compute, ... (up to 62.3 % of total time)" */
static const char *guidance(const struct form *form, const struct finding *finding)
{
	struct arena *arena = form->arena;
	const struct message *advice = NULL, *gain = report_gain(arena, &finding->gain);
	if (finding->advice)
		advice = message_of(arena, MESSAGE_NEXT_ADVICE, message_term(finding->advice));
	if (gain)
		gain = message_of(arena, MESSAGE_NEXT_GAIN, message_part(gain));
	return form_text(form, message_of(arena, MESSAGE_NEXT, message_term(finding->title),
					  message_part(advice), message_part(gain)));
}

/* Adds why the time changed, or else the position in the roofline, and what to do next. */
static void add_insights(const struct form *form, const struct json *run, struct json *out)
{
	const struct json *baseline = json_get(run, KEY(baseline));
	const char *before = json_text(json_get(baseline, KEY(commit)), KEY(short), NULL);
	const struct finding *best[OPPORTUNITIES];
	struct json *insights = json_array(form->arena);
	if (form->why.text && before)
		json_add_text(form->arena, insights,
			      form_text(form, message_of(form->arena, MESSAGE_AGAINST,
							 message_text(before),
							 message_part(form->why.text))));
	else if (form->bottleneck.roofline)
		json_add_text(form->arena, insights, form_text(form, form->bottleneck.roofline));
	if (findings_opportunities(&form->findings, best) > 0)
		json_add_text(form->arena, insights, guidance(form, best[0]));
	if (insights->count == 0)
		return;
	struct json *list = json_set_array(form->arena, out, KEY(insights));
	for (const struct json *item = insights->first; item; item = item->next)
		json_add_text(form->arena, list, item->text);
}

static void add_block(const struct form *form, const struct json *run, struct json *out)
{
	json_set_text(form->arena, out, KEY(heading), devlog_heading(form));
	json_set_text(form->arena, out, KEY(table), devlog_table(form));
	json_set_text(form->arena, out, KEY(bottleneck),
		      form_text(form, message_of(form->arena, MESSAGE_CLASS_WHY,
						 message_term(form->bottleneck.title),
						 message_part(form->bottleneck.reason),
						 message_part(other_verdicts(form)))));
	add_issues(form, out);
	add_insights(form, run, out);
}

void form_add_devlog(const struct form *form, struct json *run_document)
{
	struct form chinese = *form;
	struct json *out = json_set_object(form->arena, run_document, KEY(devlog));
	add_block(form, run_document, out);
	chinese.language = LANGUAGE_CHINESE;
	add_block(&chinese, run_document, json_set_object(form->arena, out, KEY(zh)));
}
