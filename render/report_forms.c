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

static const char *devlog_table(struct arena *arena, const struct report_run *entry)
{
	const struct run *run = entry->run;
	struct md_table table;
	md_table_init(&table, arena);
	md_table_column(&table, "Metric", MD_ALIGN_LEFT);
	md_table_column(&table, "Value", MD_ALIGN_LEFT);
	md_table_column(&table, "vs Previous", MD_ALIGN_LEFT);
	md_table_cell(&table, "Duration");
	md_table_cell(&table,
		      with_micro(arena, quantity_text(arena, run_number(run, METRIC_TOTAL_TIME),
						      UNIT_SECOND)));
	md_table_cell(&table, versus(arena, entry, METRIC_TOTAL_TIME));
	md_table_cell(&table, "Achieved TFLOPs/s");
	md_table_cell(&table, plain_number(arena, run_number(run, METRIC_ACHIEVED_FLOPS) / 1e12));
	md_table_cell(&table, versus(arena, entry, METRIC_ACHIEVED_FLOPS));
	md_table_cell(&table, "Achieved GB/s");
	md_table_cell(&table,
		      plain_number(arena, run_number(run, METRIC_ACHIEVED_BANDWIDTH) / 1e9));
	md_table_cell(&table, versus(arena, entry, METRIC_ACHIEVED_BANDWIDTH));
	static const struct {
		const char *title;
		enum metric metric;
	} rows[] = {
		{"MFU", METRIC_MFU},
		{"Tensor engine active", METRIC_TENSOR_OCCUPANCY},
		{"DMA active", METRIC_DMA_OCCUPANCY},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		md_table_cell(&table, rows[i].title);
		md_table_cell(&table,
			      quantity_text(arena, run_number(run, rows[i].metric), UNIT_FRACTION));
		md_table_cell(&table, "--");
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
	strbuf_addstr(&sb, ", ");
	md_text(&sb, span_of(long_dtype(run->dtype)));
	strbuf_addstr(&sb, params[0] ? ", " : "");
	md_text(&sb, span_of(params));
	strbuf_addstr(&sb, "):");
	return strbuf_into(&sb, arena);
}

static void add_devlog(struct arena *arena, struct json *out, const struct report_run *entry,
		       const struct bottleneck *bottleneck)
{
	struct json *devlog = json_set_object(arena, out, "devlog");
	json_set_text(arena, devlog, "heading", devlog_heading(arena, entry->run));
	json_set_text(arena, devlog, "table", devlog_table(arena, entry));
	json_set_text(arena, devlog, "bottleneck",
		      arena_printf(arena, "%s (%s)", bottleneck->title, bottleneck->reason));
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

static const char *stages_table(struct arena *arena, const struct run *run,
				const struct bottleneck *bottleneck,
				const struct finding_list *findings)
{
	static const struct {
		const char *title;
		enum metric metric;
	} columns[] = {
		{"MFU%", METRIC_MFU},
		{"MBU%", METRIC_MBU},
		{"Tensor%", METRIC_TENSOR_OCCUPANCY},
		{"DMA%", METRIC_DMA_OCCUPANCY},
	};
	const size_t count = sizeof columns / sizeof *columns;
	struct md_table table;
	md_table_init(&table, arena);
	md_table_column(&table, "Stage", MD_ALIGN_LEFT);
	md_table_column(&table, "Duration (us)", MD_ALIGN_LEFT);
	for (size_t i = 0; i < count; i++)
		md_table_column(&table, columns[i].title, MD_ALIGN_LEFT);
	md_table_column(&table, "Bottleneck", MD_ALIGN_LEFT);
	md_table_column(&table, "Key Issue", MD_ALIGN_LEFT);
	md_table_cell(&table, run->kernel);
	md_table_cell(&table, plain_number(arena, run_number(run, METRIC_TOTAL_TIME) * 1e6));
	for (size_t i = 0; i < count; i++)
		md_table_cell(&table, bare_percent(arena, run_number(run, columns[i].metric)));
	md_table_cell(&table, bottleneck->title);
	const char *issue = "--";
	for (size_t i = findings->count; i-- > 0;)
		if (findings->items[i].severity == SEVERITY_PROBLEM)
			issue = findings->items[i].text;
	md_table_cell(&table, issue);
	return md_table_text(&table);
}

static const char *baseline_table(struct arena *arena, const struct report_run *entry)
{
	static const enum metric rows[] = {
		METRIC_TOTAL_TIME,           METRIC_ACHIEVED_FLOPS, METRIC_MFU,
		METRIC_ARITHMETIC_INTENSITY, METRIC_HBM_BYTES,      METRIC_MBU,
		METRIC_TENSOR_OCCUPANCY,     METRIC_DMA_OCCUPANCY};
	struct md_table table;
	md_table_init(&table, arena);
	md_table_column(&table, "Metric", MD_ALIGN_LEFT);
	md_table_column(&table, "Previous", MD_ALIGN_LEFT);
	md_table_column(&table, "Current", MD_ALIGN_LEFT);
	md_table_column(&table, "Change", MD_ALIGN_LEFT);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct metric_info *info = metric_info(rows[i]);
		double old = run_number(entry->baseline, rows[i]);
		double new = run_number(entry->run, rows[i]);
		if (isnan(old) && isnan(new))
			continue;
		md_table_cell(&table, info->title);
		md_table_cell(&table, quantity_text(arena, old, info->unit));
		md_table_cell(&table, quantity_text(arena, new, info->unit));
		md_table_cell(&table, versus(arena, entry, rows[i]));
	}
	return md_table_text(&table);
}

/* Findings with a bound on what they cost: the list is sorted by severity, then by gain. */
static void add_opportunities(struct arena *arena, struct json *contract,
			      const struct finding_list *findings)
{
	struct json *list = json_set_array(arena, contract, "opportunities");
	for (size_t i = 0; i < findings->count && list->count < 3; i++) {
		const struct finding *finding = &findings->items[i];
		if (!(finding->gain > 0))
			continue;
		struct json *item = json_add_object(arena, list);
		json_set_text(arena, item, "name", finding->title);
		json_set_text(arena, item, "gain",
			      arena_printf(arena, "%s%%", bare_percent(arena, finding->gain)));
		json_set_text(arena, item, "trigger",
			      arena_printf(arena, "%s=%s", finding->metric,
					   quantity_text(arena, finding->value, finding->unit)));
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
	json_set_text(arena, contract, "stages", stages_table(arena, run, bottleneck, findings));
	json_set_text(arena, contract, "bottleneck", bottleneck->title);
	const char *second = bottleneck->roofline;
	for (size_t i = findings->count; i-- > 0;)
		if (findings->items[i].severity == SEVERITY_PROBLEM)
			second = findings->items[i].text;
	json_set_text(arena, contract, "root_cause",
		      second[0] ? arena_printf(arena, "%s. %s.", bottleneck->reason, second)
				: arena_printf(arena, "%s.", bottleneck->reason));
	add_opportunities(arena, contract, findings);
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
