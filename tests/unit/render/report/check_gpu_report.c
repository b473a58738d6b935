/* What a GPU run looks like: cards, tables, forms and reports of runs built here, as golden files
 * in tests/golden/gpu; GOLDEN_UPDATE=1 rewrites them. */
#include "unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/text/utf8.h"
#include "model/run/derive.h"
#include "model/roofline/work_formulas.h"
#include "render/report/report.h"
#include "render/markup/template.h"
#include "render/terminal/terminal.h"
#include "unit/golden.h"

extern const struct embedded_file template_files[];

struct given {
	enum metric metric;
	double number;
};

/* A bf16 GEMM of 4096 x 4096 x 4096 at a locked clock. */
static const struct given gemm[] = {
	{METRIC_TOTAL_TIME, 600e-6},
	{METRIC_HARDWARE_FLOPS, 137438953472},
	{METRIC_TENSOR_FLOPS, 137438953472},
	{METRIC_HBM_READ_BYTES, 80e6},
	{METRIC_HBM_WRITE_BYTES, 34e6},
	{METRIC_L2_BYTES, 1.1e9},
	{METRIC_L1_BYTES, 3.3e9},
	{METRIC_PEAK_L2_BANDWIDTH, 4.5e12},
	{METRIC_PEAK_L1_BANDWIDTH, 15.6e12},
	{METRIC_SM_THROUGHPUT, 0.83},
	{METRIC_MEMORY_THROUGHPUT, 0.52},
	{METRIC_DRAM_THROUGHPUT, 0.093},
	{METRIC_L2_THROUGHPUT, 0.41},
	{METRIC_L1_THROUGHPUT, 0.52},
	{METRIC_ACHIEVED_OCCUPANCY, 0.1234},
	{METRIC_THEORETICAL_OCCUPANCY, 0.125},
	{METRIC_TENSOR_PIPE, 0.812},
	{METRIC_ISSUE_ACTIVE, 0.31},
	{METRIC_L1_HIT_RATE, 0.02},
	{METRIC_L2_HIT_RATE, 0.913},
	{METRIC_WAVES_PER_SM, 4.74},
	{METRIC_REGISTERS_PER_THREAD, 232},
	{METRIC_SHARED_STATIC_BYTES, 0},
	{METRIC_SHARED_DYNAMIC_BYTES, 147456},
	{METRIC_GRID_SIZE, 512},
	{METRIC_BLOCK_SIZE, 128},
	{METRIC_SPILL_REQUESTS, 0},
	{METRIC_LAUNCH_COUNT, 20},
	{METRIC_SM_CLOCK, 1.095e9},
	{METRIC_MEMORY_CLOCK, 1.593e9},
};

/* An fp32 kernel from a details page: without FLOP, bytes and tensor pipe. */
static const struct given stencil[] = {
	{METRIC_TOTAL_TIME, 30.86e-3},      {METRIC_SM_THROUGHPUT, 0.5169},
	{METRIC_MEMORY_THROUGHPUT, 0.4},    {METRIC_DRAM_THROUGHPUT, 0.28},
	{METRIC_ACHIEVED_OCCUPANCY, 0.375}, {METRIC_THEORETICAL_OCCUPANCY, 0.5},
	{METRIC_L2_HIT_RATE, 0.62},         {METRIC_WAVES_PER_SM, 1},
	{METRIC_SPILL_REQUESTS, 18883760},  {METRIC_SPILL_OVERHEAD, 0.3},
};

static const struct given host_only[] = {{METRIC_HOST_TIME, 1.25e-3}};
static const struct given timed[] = {{METRIC_TOTAL_TIME, 419e-6}};
static const struct given nothing[] = {{METRIC_LAUNCH_COUNT, 1}};

#define GIVEN(list) list, sizeof(list) / sizeof *(list)

static const struct {
	const char *name, *kernel, *variant, *dtype, *device, *tool, *params;
	const struct given *given;
	size_t count;
	bool repeats;
} runs[] = {
	{"gemm", "gemm", "v2", "bf16", "a100-sxm-80gb", "ncu", "m=4096,n=4096", GIVEN(gemm), true},
	{"stencil", "set_cache", "", NULL, "a100-sxm-80gb", "ncu", "", GIVEN(stencil), false},
	{"host", "rms_norm", "", "fp16", NULL, "liger", "x=1024", GIVEN(host_only), true},
	{"mla", "FlashMLA", "", "bf16", "rtx-5090", "annotation",
	 "b=32,s=1,t=4096,h=128,k=512,p=64", GIVEN(timed), false},
	{"nothing", "k", "", NULL, NULL, NULL, "", GIVEN(nothing), false},
};
enum { RUN_COUNT = sizeof runs / sizeof *runs };

static void set_params(struct arena *arena, struct run *run, const char *text)
{
	struct span rest = span_of(text);
	while (rest.len) {
		struct span one = span_cut(&rest, ',');
		struct span name = span_cut(&one, '=');
		run_set_param(arena, run, arena_strndup(arena, name.ptr, name.len),
			      arena_strndup(arena, one.ptr, one.len));
	}
}

static struct run *build(struct arena *arena, size_t index)
{
	struct run *run = run_new(arena);
	run->kernel = runs[index].kernel;
	run->variant = runs[index].variant;
	run->dtype = runs[index].dtype;
	run->device = runs[index].device;
	run->tool = runs[index].tool;
	set_params(arena, run, runs[index].params);
	for (size_t i = 0; i < runs[index].count; i++)
		run_set(run, runs[index].given[i].metric, runs[index].given[i].number,
			PROVENANCE_MEASURED);
	if (runs[index].repeats) {
		double time = run_time(run);
		const double times[] = {time, time * 0.98, time * 1.05};
		run_set_samples(arena, run, run_time_metric(run), times, 3, PROVENANCE_MEASURED);
	}
	return run;
}

static struct report_run *entries_of(struct arena *arena)
{
	struct report_run *entries = arena_array(arena, RUN_COUNT, sizeof *entries);
	struct work_rule rule = {"FlashMLA",
				 "FlashMLA",
				 NULL,
				 "2*b*h*s*t*(2*k + p)",
				 "w*(b*h*s*(2*k + p) + b*t*(k + p))",
				 ".rooflog/config:7"};
	const struct work_list works = {&rule, 1, 1};
	for (size_t i = 0; i < RUN_COUNT; i++) {
		struct run *run = build(arena, i);
		run->work = work_formulas_apply(arena, &works, run);
		entries[i].run = run;
		entries[i].peaks = hardware_peaks_of(run, NULL);
		entries[i].hardware = run->device ? hardware_find(NULL, run->device) : NULL;
		entries[i].baseline_age = -1;
		run_derive(run, &entries[i].peaks);
	}
	return entries;
}

static struct json *document_of(struct arena *arena, const struct report_run *entries, size_t count)
{
	const struct report report = {
		.version = "0", .title = "GPU runs", .runs = entries, .run_count = count};
	return report_document(arena, &report);
}

static void compare(struct arena *arena, const char *name, struct strbuf *text)
{
	const char *path = arena_printf(arena, "tests/golden/gpu/%s", name);
	ck_assert_ptr_null(strstr(strbuf_text(text), "(null)"));
	const char *nan = strstr(strbuf_text(text), " nan");
	ck_assert_msg(!nan, "%s: %.100s", name, nan);
	golden_compare(arena, path, strbuf_span(text));
	strbuf_free(text);
}

static void fits(const char *text, size_t columns)
{
	struct span rest = span_of(text);
	while (rest.ptr) {
		struct span line = span_cut(&rest, '\n');
		ck_assert_msg(utf8_columns(line) <= columns, "%.*s", (int)line.len, line.ptr);
	}
}

START_TEST(cards)
{
	struct arena arena = {0};
	const struct terminal terminal = {80, true, false, false, NULL};
	struct json *document = document_of(&arena, entries_of(&arena), RUN_COUNT);
	const struct json *run = json_get(document, "runs")->first;
	for (size_t i = 0; i < RUN_COUNT; i++, run = run->next) {
		struct strbuf sb = {0};
		terminal_card(&arena, &terminal, run, true, &sb);
		fits(strbuf_text(&sb), 80);
		compare(&arena, arena_printf(&arena, "%s.card.txt", runs[i].name), &sb);
	}
	arena_free(&arena);
}
END_TEST

/* Two GPU runs; all kinds together; host times alone. */
START_TEST(tables)
{
	static const struct {
		const char *name;
		size_t first, count;
	} rows[] = {{"gpus", 0, 2}, {"mixed", 0, RUN_COUNT}, {"host", 2, 1}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct strbuf sb = {0};
		const struct terminal terminal = {80, true, false, false, NULL};
		struct json *document =
			document_of(&arena, entries_of(&arena) + rows[i].first, rows[i].count);
		terminal_table(&arena, &terminal, document, &sb);
		/* Long names are never cut. */
		if (rows[i].count < RUN_COUNT)
			fits(strbuf_text(&sb), 80);
		compare(&arena, arena_printf(&arena, "%s.table.txt", rows[i].name), &sb);
		arena_free(&arena);
	}
}
END_TEST

static const char *template_text(void *context, const char *name)
{
	(void)context;
	const struct embedded_file *file = embedded_find(template_files, name);
	return file ? file->text : NULL;
}

START_TEST(templates)
{
	static const char *const names[] = {"devlog.md", "contract.md", "summary.md", "report.md",
					    "report.html"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct arena arena = {0};
		struct strbuf sb = {0};
		struct error err = {ERR_NONE, ""};
		struct json *document = document_of(&arena, entries_of(&arena), RUN_COUNT);
		int rc = template_render(names[i], span_of(template_text(NULL, names[i])), document,
					 strstr(names[i], ".html") ? TEMPLATE_ESCAPE_HTML
								   : TEMPLATE_ESCAPE_MARKDOWN,
					 template_text, NULL, &sb, &err);
		ck_assert_msg(rc == 0, "%s", err.text);
		compare(&arena, names[i], &sb);
		arena_free(&arena);
	}
}
END_TEST

/* The documents that check_chart draws: a run with levels and a measured clock, one by its formula,
 * and all together. */
START_TEST(documents_of_charts)
{
	static const struct {
		const char *name;
		size_t first, count;
	} rows[] = {{"levels", 0, 1}, {"formula", 3, 1}, {"kinds", 0, RUN_COUNT}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct strbuf text = {0};
		struct json *document =
			document_of(&arena, entries_of(&arena) + rows[i].first, rows[i].count);
		json_write(&text, document, false);
		strbuf_addch(&text, '\n');
		compare(&arena, arena_printf(&arena, "../charts/%s/document.json", rows[i].name),
			&text);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("gpu_report", cards, tables, templates, documents_of_charts)
