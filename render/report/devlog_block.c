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
	const char *text = quantity_text(form->arena, run_time(run), UNIT_SECOND);
	add_row(table, vocabulary_label(form->language, host ? "Duration (host time)" : "Duration"),
		with_micro(form->arena, vocabulary_label(form->language, text)),
		form_versus(form, metric));
}

/* Adds a rate divided by `scale`, marked if it is algorithmic (from the work formula). */
static void add_rate(const struct form *form, struct md_table *table, const char *title,
		     const enum metric metrics[2])
{
	const struct run *run = form->entry->run;
	enum metric metric = first_known(run, metrics[0], metrics[1]);
	double scale = metric_info(metric)->unit == UNIT_FLOP_PER_SECOND ? 1e12 : 1e9;
	double rate = run_number(run, metric) / scale;
	const char *text = form_figure(form, rate, UNIT_NONE);
	if (metric == metrics[0])
		text = arena_printf(form->arena, "%s (%s)", text,
				    vocabulary_label(form->language, "algorithmic"));
	add_row(table, vocabulary_label(form->language, title), text, form_versus(form, metric));
}

static const char *devlog_table(const struct form *form)
{
	static const enum metric flops[] = {METRIC_ALGORITHMIC_RATE, METRIC_ACHIEVED_FLOPS};
	static const enum metric bytes[] = {METRIC_ALGORITHMIC_BANDWIDTH,
					    METRIC_ACHIEVED_BANDWIDTH};
	static const struct {
		const char *title;
		enum metric metric;
		bool engines;
	} rows[] = {
		{"MFU", METRIC_MFU, true},
		{"Tensor engine active", METRIC_TENSOR_OCCUPANCY, true},
		{"DMA active", METRIC_DMA_OCCUPANCY, true},
		{"Occupancy", METRIC_ACHIEVED_OCCUPANCY, false},
		{"TC Util", METRIC_TENSOR_PIPE, false},
	};
	static const char *const columns[] = {"Metric", "Value", "vs Previous"};
	struct md_table table;
	md_table_init(&table, form->arena);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		md_table_column(&table, vocabulary_label(form->language, columns[i]),
				MD_ALIGN_LEFT);
	add_duration(form, &table);
	add_rate(form, &table, "Achieved TFLOPs/s", flops);
	add_rate(form, &table, "Achieved GB/s", bytes);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double number = run_number(form->entry->run, rows[i].metric);
		if (rows[i].engines == form->engines)
			add_row(&table, vocabulary_label(form->language, rows[i].title),
				form_figure(form, number, UNIT_FRACTION), "--");
	}
	return md_table_text(&table);
}

/* "**Performance** (trn2, bfloat16, b=1, s=512):" */
static const char *devlog_heading(const struct form *form)
{
	const struct run *run = form->entry->run;
	const char *params = run_params_text(form->arena, run);
	bool chinese = form->language == LANGUAGE_CHINESE;
	struct strbuf sb = {0};
	strbuf_addstr(&sb, chinese ? "**性能** (" : "**Performance** (");
	md_text(&sb, span_of(run->device ? run->device
					 : vocabulary_label(form->language, "unknown device")));
	/* Under a profiler the clock is rarely the boost clock. */
	double clock = run_number(run, METRIC_SM_CLOCK);
	if (!isnan(clock))
		strbuf_addf(&sb, ", SM %s%s", chinese ? "" : "at ",
			    quantity_text(form->arena, clock, UNIT_HERTZ));
	strbuf_addstr(&sb, ", ");
	md_text(&sb, span_of(vocabulary_dtype(form->language, run->dtype)));
	strbuf_addstr(&sb, params[0] ? ", " : "");
	md_text(&sb, span_of(params));
	strbuf_addstr(&sb, "):");
	return strbuf_into(&sb, form->arena);
}

/* "; by rule: roofline: memory side, ncu-sol: High Throughput". Empty if the rules agree. */
static const char *other_verdicts(const struct form *form)
{
	const struct bottleneck *bottleneck = &form->bottleneck;
	const char *start = form->language == LANGUAGE_CHINESE ? "；按规则：" : "; by rule: ";
	struct strbuf sb = {0};
	for (size_t i = 0; bottleneck->disagree && i < bottleneck->verdict_count; i++) {
		strbuf_addf(&sb, "%s%s: ", i ? ", " : start, bottleneck->verdicts[i].rule);
		vocabulary_add(&sb, form->language, bottleneck->verdicts[i].title);
	}
	return strbuf_into(&sb, form->arena);
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
	struct strbuf sb = {0};
	const struct potential_gain *gain = &finding->gain;
	const char *share = quantity_text(form->arena, gain->fraction, UNIT_FRACTION);
	bool chinese = form->language == LANGUAGE_CHINESE;
	strbuf_addf(&sb, chinese ? "下一步：%s" : "Next: %s",
		    vocabulary_term(form->language, finding->title));
	if (finding->advice)
		strbuf_addf(&sb, chinese ? "：%s" : ": %s",
			    vocabulary_term(form->language, finding->advice));
	if (isnan(gain->fraction))
		return strbuf_into(&sb, form->arena);
	const char *of = vocabulary_term(form->language, gain->of);
	if (chinese)
		strbuf_addf(&sb,
			    gain->bound ? "（至多可节省%s的 %s）" : "（按峰值速率可节省%s的 %s）",
			    of, share);
	else
		strbuf_addf(&sb, gain->bound ? " (up to %s of %s)" : " (%s of %s at the peak rate)",
			    share, of);
	return strbuf_into(&sb, form->arena);
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
			      arena_printf(form->arena,
					   form->language == LANGUAGE_CHINESE ? "与 %s 相比，%s"
									      : "Against %s: %s",
					   before, form_text(form, form->why.text)));
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
	const char *class = vocabulary_term(form->language, form->bottleneck.title);
	const char *reason = form_text(form, form->bottleneck.reason);
	json_set_text(form->arena, out, KEY(heading), devlog_heading(form));
	json_set_text(form->arena, out, KEY(table), devlog_table(form));
	json_set_text(form->arena, out, KEY(bottleneck),
		      arena_printf(form->arena,
				   form->language == LANGUAGE_CHINESE ? "%s（%s）%s" : "%s (%s)%s",
				   class, reason, other_verdicts(form)));
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
