/* The built-in templates over sample documents: golden files, rewritten with GOLDEN_UPDATE=1. */
#include "render/document/document.h"
#include "unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/system/file.h"
#include "render/devlog/devlog.h"
#include "unit/markdown_html.h"
#include "render/report/contract.h"
#include "render/markup/template.h"
#include "unit/golden.h"

extern const struct embedded_file template_files[];

static const char *const documents[] = {"nightly", "runs", "empty", "hostile"};

static const struct {
	const char *template;
	enum template_escape escape;
} outputs[] = {
	{"report.md", TEMPLATE_ESCAPE_MARKDOWN},    {"summary.md", TEMPLATE_ESCAPE_MARKDOWN},
	{"contract.md", TEMPLATE_ESCAPE_MARKDOWN},  {"devlog.md", TEMPLATE_ESCAPE_MARKDOWN},
	{"report.html", TEMPLATE_ESCAPE_HTML},      {"comment.md", TEMPLATE_ESCAPE_MARKDOWN},
	{"devlog-zh.md", TEMPLATE_ESCAPE_MARKDOWN}, {"contract-zh.md", TEMPLATE_ESCAPE_MARKDOWN},
};

static const char *template_text(void *context, const char *name)
{
	(void)context;
	const struct embedded_file *file = embedded_find(template_files, name);
	return file ? file->text : NULL;
}

static const struct json *sample(struct arena *arena, const char *name)
{
	struct error err = {ERR_NONE, ""};
	struct span bytes;
	const char *path = arena_printf(arena, "tests/golden/report/%s/document.json", name);
	ck_assert_msg(file_read(arena, path, 1 << 20, &bytes, &err) == 0, "%s", err.text);
	const struct json *document = json_parse(arena, bytes, &err);
	ck_assert_msg(document != NULL, "%s: %s", path, err.text);
	return document;
}

static void render(const struct json *data, size_t output, struct strbuf *out)
{
	struct error err = {ERR_NONE, ""};
	const char *name = outputs[output].template;
	int result = template_render(name, span_of(template_text(NULL, name)), data,
				     outputs[output].escape, template_text, NULL, out, &err);
	ck_assert_msg(result == 0, "%s", err.text);
}

START_TEST(golden_files)
{
	for (size_t d = 0; d < sizeof documents / sizeof *documents; d++) {
		struct arena arena = {0};
		const struct json *document = sample(&arena, documents[d]);
		for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
			struct strbuf out = {NULL, 0, 0};
			render(document, i, &out);
			golden_compare(&arena,
				       arena_printf(&arena, "tests/golden/report/%s/%s",
						    documents[d], outputs[i].template),
				       strbuf_span(&out));
			strbuf_free(&out);
		}
		arena_free(&arena);
	}
}
END_TEST

START_TEST(effects_are_shares_or_differences)
{
	static const struct {
		double effect, low, high;
		bool relative;
		enum unit unit;
		const char *text, *interval;
	} cases[] = {
		{0.0312, 0.029, 0.033, true, UNIT_BYTE, "+3.12 %", "+2.9 to +3.3 %"},
		{-0.5, -0.6, -0.4, true, UNIT_SECOND, "-50.00 %", "-60.0 to -40.0 %"},
		{4096, 4000, 4200, false, UNIT_BYTE, "+4.096 kB", "+4.000 kB to +4.200 kB"},
		{-2e-6, -3e-6, 1e-6, false, UNIT_SECOND, "-2.000 us", "-3.000 us to +1.000 us"},
		{NAN, NAN, NAN, false, UNIT_BYTE, "unknown", NULL},
		{1, -INFINITY, INFINITY, true, UNIT_BYTE, "+100.00 %", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		const char *interval = report_effect_interval_text(
			&arena, cases[i].low, cases[i].high, cases[i].relative, cases[i].unit);
		ck_assert_str_eq(
			document_effect(&arena, cases[i].effect, cases[i].relative, cases[i].unit),
			cases[i].text);
		ck_assert_pstr_eq(interval, cases[i].interval);
		arena_free(&arena);
	}
}
END_TEST

/* What the devlog template renders is a block that devlog_fill accepts and finds again. */
START_TEST(devlog_block_fits)
{
	struct arena arena = {0};
	struct strbuf block = {NULL, 0, 0}, out = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	const char *unplaced;
	render(sample(&arena, "runs"), 3, &block);
	struct devlog_fill fill = {span_of("### V1: a\n\n**Issues**:\n"), strbuf_span(&block), -1,
				   DEVLOG_ENGLISH};
	ck_assert_msg(devlog_fill(&arena, &fill, &out, &unplaced, &err) == 0, "%s", err.text);
	ck_assert_ptr_nonnull(
		strstr(strbuf_text(&out), "**Bottleneck**: Memory-bound\n\n**Issues**:\n- DMA "));
	ck_assert_ptr_null(unplaced);
	strbuf_free(&block);
	strbuf_free(&out);
	arena_free(&arena);
}
END_TEST

/* The only link of a page: its icon, which is within it. */
static void blank_icon(struct strbuf *page)
{
	static const char icon[] = "<link rel=\"icon\" type=\"image/svg+xml\" href=\"data:";
	char *link = strstr(page->buf, icon);
	ck_assert_ptr_nonnull(link);
	memset(link, ' ', strlen(icon));
}

/* Hostile names stay text: no script, no link, no table cell more than the header has. */
START_TEST(hostile_documents_stay_text)
{
	struct arena arena = {0};
	struct strbuf markdown = {NULL, 0, 0}, html = {NULL, 0, 0}, page = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	const struct json *document = sample(&arena, "hostile");
	render(document, 0, &markdown);
	render(document, 3, &markdown);
	render(document, 4, &page);
	blank_icon(&page);
	ck_assert_int_eq(markdown_html(strbuf_span(&markdown), &html, &err), 0);
	static const char *const forbidden[] = {
		"<script",      "href=",     "<em>g",   "<h1>x",
		"<li>\n<ul>",   "<strong>d", "<code>c", "raw HTML omitted",
		"\xe2\x80\xae", "\x1b"};
	for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
		ck_assert_msg(!strstr(strbuf_text(&html), forbidden[i]), "%s in\n%s", forbidden[i],
			      strbuf_text(&html));
		ck_assert_msg(!strstr(strbuf_text(&page), forbidden[i]), "%s", forbidden[i]);
	}
	strbuf_free(&markdown);
	strbuf_free(&html);
	strbuf_free(&page);
	arena_free(&arena);
}
END_TEST

START_TEST(devlog_heading_is_escaped)
{
	static const struct {
		const char *device, *dtype, *param, *value, *heading;
	} rows[] = {
		{"trn2", "bf16", "s", "512", "**Performance** (trn2, bfloat16, s=512):"},
		{NULL, NULL, "s_q", "1", "**Performance** (unknown device, unknown dtype, s_q=1):"},
		{"a*b*", "`x`", "<b", "[1](x)|",
		 "**Performance** (a\\*b\\*, \\`x\\`, \\<b=\\[1\\](x)\\|):"},
		{"two\nlines", "bf16", "a", "&amp;",
		 "**Performance** (two lines, bfloat16, a=\\&amp;):"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = run_new(&arena);
		run->device = rows[i].device;
		run->dtype = rows[i].dtype;
		run_set_param(&arena, run, rows[i].param, rows[i].value);
		struct json *document = json_object(&arena);
		struct report_run entry = {.run = run};
		struct form form = form_of(&arena, &entry, LANGUAGE_ENGLISH);
		struct form_group alone = form_group_of(&form, NULL, 0);
		form_add_devlog(&alone, document);
		ck_assert_str_eq(json_text(json_get(document, "devlog"), "heading", ""),
				 rows[i].heading);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(page_is_self_contained)
{
	struct arena arena = {0};
	struct strbuf page = {NULL, 0, 0};
	render(sample(&arena, "nightly"), 4, &page);
	static const char *const forbidden[] = {"<script", "src=\"", "<link", "@import", "url("};
	blank_icon(&page);
	for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
		ck_assert_msg(!strstr(strbuf_text(&page), forbidden[i]), "%s", forbidden[i]);
	strbuf_free(&page);
	arena_free(&arena);
}
END_TEST

/* The judge sees -value for a higher-is-better metric with values that are not positive. */
START_TEST(level_is_shown_as_measured)
{
	struct arena arena = {0};
	struct run run = {.kernel = "k", .variant = ""};
	struct policy policy = {.name = "p"};
	struct gate_series series = {.key = "s", .run = &run, .baseline_age = -1};
	struct comparison one = {
		.series = &series,
		.run = &run,
		.policy = &policy,
		.metric = METRIC_MFU,
		.judged = {.method = METHOD_BASELINE,
			   .turn = TURN_NEGATIVE,
			   .result = {.level = -0.5}},
	};
	struct json *comparison = report_add_comparison(&arena, json_array(&arena), &one);
	const struct json *level = json_get(json_get(comparison, "record"), "level");
	ck_assert_double_eq(json_number(level, "value", NAN), 0.5);
	ck_assert_str_eq(json_text(level, "text", ""), "50.00 %");
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("report", golden_files, effects_are_shares_or_differences, devlog_block_fits,
	  hostile_documents_stay_text, devlog_heading_is_escaped, page_is_self_contained,
	  level_is_shown_as_measured)
