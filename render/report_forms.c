/*
 * The two fixed forms of a run: the Performance block of a development log and
 * the profiler's output contract. Their tables are made here, aligned, so that the
 * templates only place them.
 */
#include "render/report.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/bottleneck.h"
#include "model/findings.h"
#include "render/escape.h"
#include "render/table.h"

static const char *long_dtype(const char *dtype)
{
	static const struct {
		const char *name, *text;
	} rows[] = {
		{"bf16", "bfloat16"}, {"fp16", "float16"},  {"fp32", "float32"},
		{"fp64", "float64"},  {"tf32", "tfloat32"}, {"fp8", "float8"},
	};
	for (size_t i = 0; dtype && i < sizeof rows / sizeof *rows; i++)
		if (strcmp(dtype, rows[i].name) == 0)
			return rows[i].text;
	return dtype ? dtype : "unknown dtype";
}

static const char *with_micro(struct arena *arena, const char *text)
{
	size_t len = strlen(text);
	if (len < 3 || strcmp(text + len - 3, " us") != 0)
		return text;
	return arena_printf(arena, "%.*s μs", (int)(len - 3), text);
}

static const char *plain_number(struct arena *arena, double number)
{
	return quantity_text(arena, number, UNIT_NONE);
}

/* A cell of the "vs Previous" column. */
static const char *versus(struct arena *arena, const struct report_run *entry, enum metric metric)
{
	if (!entry->baseline)
		return "--";
	double old = run_number(entry->baseline, metric), new = run_number(entry->run, metric);
	return isnan(old) || isnan(new) ? "--" : report_change_words(arena, metric, old, new);
}

/* The two forms differ by what a device has: engines and a DMA, or occupancy and a tensor pipe. */
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

/* The first of two metrics that the run has: what its formula says comes before what was counted.
 */
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

static const char *or_dashes(const char *text, double number)
{
	return isnan(number) ? "--" : text;
}

static void add_duration(struct arena *arena, struct md_table *table,
			 const struct report_run *entry)
{
	enum metric metric = run_time_metric(entry->run);
	bool host = metric == METRIC_HOST_TIME;
	if (metric == METRIC_COUNT)
		metric = METRIC_TOTAL_TIME;
	add_row(table, host ? "Duration (host time)" : "Duration",
		with_micro(arena, quantity_text(arena, run_time(entry->run), UNIT_SECOND)),
		versus(arena, entry, metric));
}

/* A rate divided by `scale`, marked when it is of the work by its formula. */
static void add_rate(struct arena *arena, struct md_table *table, const struct report_run *entry,
		     const char *title, const enum metric metrics[2])
{
	enum metric metric = first_known(entry->run, metrics[0], metrics[1]);
	double scale = metric_info(metric)->unit == UNIT_FLOP_PER_SECOND ? 1e12 : 1e9;
	double rate = run_number(entry->run, metric) / scale;
	const char *text = plain_number(arena, rate);
	if (metric == metrics[0])
		text = arena_printf(arena, "%s (algorithmic)", text);
	add_row(table, title, has_engines(entry) ? text : or_dashes(text, rate),
		versus(arena, entry, metric));
}

static const char *devlog_table(struct arena *arena, const struct report_run *entry)
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
	bool with_engines = has_engines(entry);
	struct md_table table;
	md_table_init(&table, arena);
	md_table_column(&table, "Metric", MD_ALIGN_LEFT);
	md_table_column(&table, "Value", MD_ALIGN_LEFT);
	md_table_column(&table, "vs Previous", MD_ALIGN_LEFT);
	add_duration(arena, &table, entry);
	add_rate(arena, &table, entry, "Achieved TFLOPs/s", flops);
	add_rate(arena, &table, entry, "Achieved GB/s", bytes);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double number = run_number(entry->run, rows[i].metric);
		const char *text = quantity_text(arena, number, UNIT_FRACTION);
		if (rows[i].engines == with_engines)
			add_row(&table, rows[i].title,
				with_engines ? text : or_dashes(text, number), "--");
	}
	return md_table_text(&table);
}

/* "**Performance** (trn2, bfloat16, b=1, s=512):" */
static const char *devlog_heading(struct arena *arena, const struct run *run)
{
	const char *params = run_params_text(arena, run);
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "**Performance** (");
	md_text(&sb, span_of(run->device ? run->device : "unknown device"));
	/* Under a profiler the clock is seldom the boost clock. */
	double clock = run_number(run, METRIC_SM_CLOCK);
	if (!isnan(clock))
		strbuf_addf(&sb, ", SM at %s", quantity_text(arena, clock, UNIT_HERTZ));
	strbuf_addstr(&sb, ", ");
	md_text(&sb, span_of(long_dtype(run->dtype)));
	strbuf_addstr(&sb, params[0] ? ", " : "");
	md_text(&sb, span_of(params));
	strbuf_addstr(&sb, "):");
	return strbuf_into(&sb, arena);
}

/* "; but roofline: memory side, ncu-sol: High Throughput": only where the rules disagree. */
static const char *other_verdicts(struct arena *arena, const struct bottleneck *bottleneck)
{
	struct strbuf sb = {0};
	for (size_t i = 0; bottleneck->disagree && i < bottleneck->verdict_count; i++)
		strbuf_addf(&sb, "%s%s: %s", i ? ", " : "; by rule: ", bottleneck->verdicts[i].rule,
			    bottleneck->verdicts[i].title);
	return strbuf_into(&sb, arena);
}

static void add_devlog(struct arena *arena, struct json *out, const struct report_run *entry,
		       const struct bottleneck *bottleneck)
{
	struct json *devlog = json_set_object(arena, out, "devlog");
	json_set_text(arena, devlog, "heading", devlog_heading(arena, entry->run));
	json_set_text(arena, devlog, "table", devlog_table(arena, entry));
	json_set_text(arena, devlog, "bottleneck",
		      arena_printf(arena, "%s (%s)%s", bottleneck->title, bottleneck->reason,
				   other_verdicts(arena, bottleneck)));
}

static const char *configuration_table(struct arena *arena, const struct run *run)
{
	struct md_table table;
	md_table_init(&table, arena);
	for (size_t i = 0; i < run->param_count; i++)
		md_table_column(&table, run->params[i].name, MD_ALIGN_LEFT);
	md_table_column(&table, "dtype", MD_ALIGN_LEFT);
	for (size_t i = 0; i < run->param_count; i++)
		md_table_cell(&table, run->params[i].value);
	md_table_cell(&table, long_dtype(run->dtype));
	return md_table_text(&table);
}

/* Percentages of a table whose column titles carry the sign. */
static const char *bare_percent(struct arena *arena, double fraction)
{
	return plain_number(arena, fraction * 100);
}

static const char *key_issue(const struct finding_list *findings)
{
	const char *issue = "--";
	for (size_t i = findings->count; i-- > 0;)
		if (findings->items[i].severity == SEVERITY_PROBLEM)
			issue = findings->items[i].text;
	return issue;
}

static const char *stages_table(struct arena *arena, const struct report_run *entry,
				const struct bottleneck *bottleneck,
				const struct finding_list *findings)
{
	static const struct {
		const char *title;
		enum metric metric;
		bool engines;
	} columns[] = {
		{"MFU%", METRIC_MFU, true},
		{"MBU%", METRIC_MBU, true},
		{"Tensor%", METRIC_TENSOR_OCCUPANCY, true},
		{"DMA%", METRIC_DMA_OCCUPANCY, true},
		{"TC%", METRIC_TENSOR_PIPE, false},
		{"DRAM%", METRIC_DRAM_THROUGHPUT, false},
		{"Occ%", METRIC_ACHIEVED_OCCUPANCY, false},
	};
	const size_t count = sizeof columns / sizeof *columns;
	const struct run *run = entry->run;
	const char *stage = run_param(run, "stage");
	bool engines = has_engines(entry);
	struct md_table table;
	md_table_init(&table, arena);
	md_table_column(&table, "Stage", MD_ALIGN_LEFT);
	md_table_column(&table, "Duration (us)", MD_ALIGN_LEFT);
	for (size_t i = 0; i < count; i++)
		if (columns[i].engines == engines)
			md_table_column(&table, columns[i].title, MD_ALIGN_LEFT);
	md_table_column(&table, "Bottleneck", MD_ALIGN_LEFT);
	md_table_column(&table, "Key Issue", MD_ALIGN_LEFT);
	md_table_cell(&table, stage ? stage : run->kernel);
	md_table_cell(&table, plain_number(arena, run_time(run) * 1e6));
	for (size_t i = 0; i < count; i++) {
		double number = run_number(run, columns[i].metric);
		const char *text = bare_percent(arena, number);
		if (columns[i].engines == engines)
			md_table_cell(&table, engines ? text : or_dashes(text, number));
	}
	md_table_cell(&table, bottleneck->title);
	md_table_cell(&table, key_issue(findings));
	return md_table_text(&table);
}

static const char *baseline_table(struct arena *arena, const struct report_run *entry)
{
	const enum metric rows[] = {run_time_metric(entry->run),
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
	struct md_table table;
	md_table_init(&table, arena);
	md_table_column(&table, "Metric", MD_ALIGN_LEFT);
	md_table_column(&table, "Previous", MD_ALIGN_LEFT);
	md_table_column(&table, "Current", MD_ALIGN_LEFT);
	md_table_column(&table, "Change", MD_ALIGN_LEFT);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i] == METRIC_COUNT)
			continue;
		enum unit unit = metric_info(rows[i])->unit;
		double old = run_number(entry->baseline, rows[i]);
		double new = run_number(entry->run, rows[i]);
		if (isnan(old) && isnan(new))
			continue;
		md_table_cell(&table, report_title(arena, entry->run, rows[i]));
		md_table_cell(&table, quantity_text(arena, old, unit));
		md_table_cell(&table, quantity_text(arena, new, unit));
		md_table_cell(&table, versus(arena, entry, rows[i]));
	}
	return md_table_text(&table);
}

/* Findings with a bound on what they cost: the list is sorted by severity, then by gain. Few rules
 * of GPU runs bound anything; there the other problems follow. */
static void add_opportunities(struct arena *arena, struct json *contract,
			      const struct finding_list *findings, bool all)
{
	struct json *list = json_set_array(arena, contract, "opportunities");
	for (size_t i = 0; i < findings->count && list->count < 3; i++) {
		const struct finding *finding = &findings->items[i];
		bool problem = finding->severity == SEVERITY_PROBLEM && isnan(finding->gain);
		if (!(finding->gain > 0) && !(all && problem))
			continue;
		struct json *item = json_add_object(arena, list);
		json_set_text(arena, item, "name", finding->title);
		if (!isnan(finding->gain))
			json_set_text(
				arena, item, "gain",
				arena_printf(arena, "%s%%", bare_percent(arena, finding->gain)));
		json_set_text(arena, item, "trigger",
			      arena_printf(arena, "%s=%s", finding->metric,
					   quantity_text(arena, finding->value, finding->unit)));
		if (finding->gain_formula)
			json_set_text(arena, item, "formula", finding->gain_formula);
	}
}

static void add_contract(struct arena *arena, struct json *out, const struct report_run *entry,
			 const struct bottleneck *bottleneck, const struct finding_list *findings)
{
	const struct run *run = entry->run;
	struct json *contract = json_set_object(arena, out, "contract");
	json_set_text(arena, contract, "title",
		      run->variant[0] ? arena_printf(arena, "%s %s", run->kernel, run->variant)
				      : run->kernel);
	json_set_text(arena, contract, "configuration", configuration_table(arena, run));
	json_set_text(arena, contract, "stages", stages_table(arena, entry, bottleneck, findings));
	json_set_text(arena, contract, "bottleneck", bottleneck->title);
	const char *issue = key_issue(findings);
	const char *second = strcmp(issue, "--") == 0 ? bottleneck->roofline : issue;
	json_set_text(arena, contract, "root_cause",
		      second[0] ? arena_printf(arena, "%s. %s.", bottleneck->reason, second)
				: arena_printf(arena, "%s.", bottleneck->reason));
	add_opportunities(arena, contract, findings, !has_engines(entry));
	if (entry->baseline)
		json_set_text(arena, contract, "baseline_table", baseline_table(arena, entry));
}

void report_add_forms(struct arena *arena, struct json *run_document,
		      const struct report_run *entry)
{
	struct bottleneck bottleneck = bottleneck_of(arena, entry->run);
	struct finding_list findings = {0};
	findings_of(arena, entry->run, &findings);
	add_devlog(arena, run_document, entry, &bottleneck);
	add_contract(arena, run_document, entry, &bottleneck, &findings);
}
