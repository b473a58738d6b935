/* Texts of limited size: they fit whatever the gate holds, and what matters most stays. */
#include "unit/unit.h"

#include <stdio.h>

#include "base/text/utf8.h"
#include "cli/output/render.h"
#include "render/markup/size_limit.h"
#include "unit/markdown_html.h"
#include "render/summary/summary.h"
#include "unit/gate_fixture.h"

static const char hostile[] = "k|`x`</details><script>alert(1)</script>-->\r\n@mention #123 "
			      "\xe2\x80\xae\xe2\x80\x8f[a](javascript:b) **c** www.evil.example ";

struct made {
	struct gate_fixture f;
	struct cli cli;
	struct json *document;
};

/* A name of `bytes` bytes. */
static const char *name_of(struct arena *arena, size_t number, size_t bytes)
{
	char *name = arena_alloc(arena, bytes + 32);
	int len = snprintf(name, bytes + 32, "kernel%zu", number);
	for (size_t at = (size_t)len; at < bytes; at++)
		name[at] = hostile[(at - (size_t)len) % (sizeof hostile - 1)];
	return name;
}

/* One of eight is slower by a tenth and was measured twice, one is faster, one has no data. */
static void make(struct made *made, size_t count, size_t name_bytes)
{
	static const double factors[] = {1.1, 1, 0.9, 1, NAN, 1.001, 1, 0.999};
	struct report report = {.version = "1", .title = "t", .gate = &made->f.gate};
	struct report_shown shown = {.bad = 100, .folded = 50};
	*made = (struct made){0};
	fixture_init(&made->f);
	for (size_t i = 0; i < count; i++) {
		const double *record =
			fixture_noise(&made->f, 1e-3, 0.002, 20, (unsigned)(i % 97) + 1);
		const char *name = name_of(&made->f.arena, i, name_bytes);
		struct gate_series *series =
			fixture_series(&made->f, name, METRIC_TOTAL_TIME, record, 20);
		for (int when = 2; when < 4 && !isnan(factors[i % 8]); when++)
			fixture_candidate(&made->f, series, METRIC_TOTAL_TIME,
					  1e-3 * factors[i % 8], when * 1000);
	}
	made->f.input.against = hostile;
	made->f.input.candidate.subject = name_of(&made->f.arena, 0, name_bytes);
	fixture_judge(&made->f);
	report.revision = &made->f.input.candidate;
	made->document = report_document(&made->f.arena, &report);
	json_set_text(&made->f.arena, made->document, "marker", "rooflog:p:0123");
	summary_add_bounded(&made->f.arena, made->document, &made->f.gate, &shown);
}

static void discard(struct made *made)
{
	arena_free(&made->cli.arena);
	arena_free(&made->f.arena);
}

static int comment(void *context, const struct json *document, struct strbuf *out,
		   struct error *err)
{
	struct made *made = context;
	return output_render_text(&made->cli, "comment", "md", document, out, err);
}

static void fit(struct made *made, size_t limit, struct strbuf *out)
{
	struct error err = {ERR_NONE, ""};
	ck_assert_msg(size_limit_fit(&made->f.arena, made->document, limit, comment, made, out,
				     &err) == 0,
		      "%s", err.text);
}

static size_t count_of(const char *text, const char *word)
{
	size_t count = 0;
	while ((text = strstr(text, word))) {
		text += strlen(word);
		count++;
	}
	return count;
}

/* A name stays text wherever it stands, and in one cell. Extra cells of a row would be dropped
 * silently. */
static void check_names(const char *html)
{
	static const char start[] = "kernel", rest[] = "k|`x`&lt;/details&gt;&lt;script&gt;";
	size_t seen = 0;
	for (const char *at = strstr(html, start); at; at = strstr(at, start)) {
		at += strlen(start);
		size_t digits = strspn(at, "0123456789");
		if (digits == 0)
			continue;
		seen++;
		ck_assert_msg(strncmp(at + digits, rest, strlen(rest)) == 0, "%.60s", at);
	}
	ck_assert_uint_gt(seen, 0);
}

/* Every row has the cells of its head, and nothing became markup. */
static void check_html(const struct strbuf *markdown, size_t name_bytes)
{
	struct strbuf out = {0};
	struct error err = {ERR_NONE, ""};
	ck_assert_int_eq(markdown_html(strbuf_span(markdown), &out, &err), 0);
	const char *html = strbuf_text(&out);
	for (const char *table = strstr(html, "<table"); table;
	     table = strstr(table + 1, "<table")) {
		size_t heads = 0;
		const char *end = strstr(table, "</table>");
		for (const char *row = strstr(table, "<tr>"); row && row < end;
		     row = strstr(row + 1, "<tr>")) {
			char *cells = strndup(row, (size_t)(strstr(row, "</tr>") - row));
			size_t width = count_of(cells, "<td") + count_of(cells, "<th");
			heads = heads ? heads : width;
			ck_assert_uint_eq(width, heads);
			free(cells);
		}
	}
	if (name_bytes > 100) /* shorter ones do not reach what is dangerous */
		check_names(html);
	ck_assert_ptr_null(strstr(html, "<script"));
	ck_assert_ptr_null(strstr(html, "<a "));
	ck_assert_ptr_null(strstr(html, "<em>"));
	ck_assert_uint_eq(count_of(html, "<code"), count_of(html, "<code>rooflog "));
	ck_assert_ptr_null(strstr(html, "@mention"));
	ck_assert_ptr_null(strstr(html, "#123"));
	ck_assert_ptr_null(strstr(html, "\xe2\x80\x8f"));
	strbuf_free(&out);
}

/* Raw HTML is what the templates write: folded parts, and the marker in the end. */
static void check_raw(const char *text)
{
	ck_assert_uint_eq(count_of(text, "\n<details>\n"), count_of(text, "\n</details>\n"));
	ck_assert_uint_eq(count_of(text, "<!--"), 1);
	for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<'))
		ck_assert_msg(at > text && (at[-1] == '\\' || strncmp(at, "<details>", 9) == 0 ||
					    strncmp(at, "</details>", 10) == 0 ||
					    strncmp(at, "<summary>", 9) == 0 ||
					    strncmp(at, "</summary>", 10) == 0 ||
					    strncmp(at, "<br>", 4) == 0 ||
					    strncmp(at, "<sub>", 5) == 0 ||
					    strncmp(at, "</sub>", 6) == 0 ||
					    strncmp(at, "<!-- rooflog:p:0123 -->\n", 24) == 0),
			      "%.60s", at);
}

/* Rows of what is slower or missing. */
static size_t failures_in(const char *text)
{
	return count_of(text, "| ❌ ") + count_of(text, "<br><sub>missing</sub> |");
}

START_TEST(a_comment_fits)
{
	static const struct {
		size_t series, name;
	} rows[] = {{0, 8},    {1, 8},      {1, 500},    {10, 8},     {10, 500},
		    {1000, 8}, {1000, 200}, {1000, 500}, {10000, 500}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct made made;
		struct strbuf out = {0};
		make(&made, rows[i].series, rows[i].name);
		fit(&made, SIZE_LIMIT_COMMENT, &out);
		const char *text = strbuf_text(&out);
		size_t bad =
			made.f.gate.counts[VERDICT_REGRESSED] + made.f.gate.counts[VERDICT_MISSING];
		ck_assert_uint_eq(bad, (rows[i].series + 7) / 8 + (rows[i].series + 3) / 8);
		ck_assert_uint_le(out.len, SIZE_LIMIT_COMMENT);
		ck_assert_uint_eq(utf8_valid_prefix(strbuf_span(&out)), out.len);
		/* The answer, the counts, the first rows. */
		ck_assert(strstr(text, rows[i].series ? "### ❌ "
						      : "### ❔ Nothing could be compared") == text);

		ck_assert(!bad ||
			  strstr(text, arena_printf(&made.f.arena, " · ❌ %zu slower",
						    made.f.gate.counts[VERDICT_REGRESSED])));
		ck_assert_uint_ge(failures_in(text), bad < 100 ? bad : 50);
		ck_assert(bad <= 100 || strstr(text, "more failures; "));
		check_raw(text);
		check_html(&out, rows[i].name);
		strbuf_free(&out);
		discard(&made);
	}
}
END_TEST

/* A shrinking limit drops the folded rows first, and the number of dropped rows is stated. */
START_TEST(less_room)
{
	struct made made;
	size_t before = SIZE_MAX;
	make(&made, 60, 200);
	for (size_t limit = 30000; limit > 200; limit = limit * 4 / 5) {
		struct strbuf out = {0};
		fit(&made, limit, &out);
		const char *text = strbuf_text(&out);
		size_t bad = failures_in(text);
		size_t folded =
			count_of(text, "\n| kernel") - count_of(text, "<br><sub>missing</sub> |");
		ck_assert_uint_le(out.len, limit);
		ck_assert_uint_le(bad, before);
		ck_assert(folded == 0 || bad == 15);
		ck_assert(bad == 15 || strstr(text, "more failures") || strstr(text, "Truncated") ||
			  limit < 400);
		before = bad;
		if (limit > 400) {
			ck_assert(strstr(text, "### ❌ 8 of 60 series slower") == text);
			ck_assert_ptr_nonnull(strstr(text, "\n<!-- rooflog:p:0123 -->\n"));
		}
		strbuf_free(&out);
	}
	ck_assert_uint_eq(before, 0);
	discard(&made);
}
END_TEST

/* For a rate, less is worse: the interval is that of the change, not of the judged number. */
START_TEST(intervals_are_those_of_the_change)
{
	static const struct {
		enum metric metric;
		double factor;
	} rows[] = {{METRIC_TOTAL_TIME, 1.1},
		    {METRIC_TOTAL_TIME, 0.9},
		    {METRIC_ALGORITHMIC_RATE, 0.9},
		    {METRIC_ALGORITHMIC_RATE, 1.1}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gate_fixture f;
		struct report report = {.version = "1", .title = "t", .gate = &f.gate};
		struct report_shown shown = {.bad = 10, .folded = 10};
		fixture_init(&f);
		const double *record = fixture_noise(&f, 1e12, 0.002, 20, 1);
		struct gate_series *series = fixture_series(&f, "k", rows[i].metric, record, 20);
		for (int when = 2; when < 4; when++)
			fixture_candidate(&f, series, rows[i].metric, 1e12 * rows[i].factor,
					  when * 1000);
		f.input.against = "x";
		series->baseline_age = 60;
		fixture_judge(&f);
		struct json *document = report_document(&f.arena, &report);
		summary_add_bounded(&f.arena, document, &f.gate, &shown);
		const struct json *out = json_get(json_get(document, "gate"), "shown");
		const struct json *list = json_get(json_get(out, "bad"), "comparisons");
		if (!list->count)
			list = json_get(json_get(out, "folded")->first, "comparisons");
		const struct json *interval = json_get(list->first, "interval");
		double change = json_number(list->first, "change", NAN);
		ck_assert_double_eq_tol(change, rows[i].factor - 1, 0.01);
		ck_assert_double_lt(json_number(interval, "low", NAN), change);
		ck_assert_double_gt(json_number(interval, "high", NAN), change);
		ck_assert_double_eq_tol(json_number(interval, "high", NAN), change, 0.02);
		/* And a baseline of sixty commits ago is worth a word. */
		ck_assert_ptr_nonnull(
			strstr(json_get(out, "notes")->first->text, "The baseline is 60 commits"));
		arena_free(&f.arena);
	}
}
END_TEST

struct fixed {
	const char *text;
};

static int fixed_text(void *context, const struct json *document, struct strbuf *out,
		      struct error *err)
{
	(void)document, (void)err;
	strbuf_addstr(out, ((struct fixed *)context)->text);
	return 0;
}

/* What no row is to blame for is cut. */
START_TEST(cut_at_a_line)
{
	static const struct {
		const char *text;
		size_t limit;
		const char *expected;
	} rows[] = {
		{"short\n", 6, "short\n"},
		{"first\nsecond second second\nthird third third third\n<!-- m -->\n", 60,
		 "first\n\n(Truncated: 3 more lines omitted.)\n\n<!-- m -->\n"},
		{"first\nsecond second second\nthird third third third third\n", 48,
		 "first\n\n(Truncated: 2 more lines omitted.)\n"},
		{"a\n<details>\nb\nlong long long long long long long long long long "
		 "long\n</details>\n",
		 75, "a\n<details>\nb\n\n</details>\n\n(Truncated: 2 more lines omitted.)\n"},
		{"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 3, ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct strbuf out = {0};
		struct error err = {ERR_NONE, ""};
		struct fixed fixed = {rows[i].text};
		ck_assert_int_eq(size_limit_fit(&arena, json_object(&arena), rows[i].limit,
						fixed_text, &fixed, &out, &err),
				 0);
		ck_assert_uint_le(out.len, rows[i].limit);
		ck_assert_str_eq(strbuf_text(&out), rows[i].expected);
		strbuf_free(&out);
		arena_free(&arena);
	}
}
END_TEST

/* Names are as dangerous in the other Markdown reports. */
START_TEST(every_report_is_tables_and_text)
{
	static const char *const templates[] = {"report", "summary", "nightly", "weekly",
						"compare"};
	struct made made;
	make(&made, 60, 300);
	made.f.input.windowed = true;
	struct nightly nightly = nightly_of(&made.f.arena, &made.f.gate, REPORT_NIGHTLY_ROWS);
	summary_add_nightly(&made.f.arena, made.document, &nightly);
	struct weekly weekly = weekly_of(&made.f.arena, &made.f.gate, 0, REPORT_NIGHTLY_ROWS);
	summary_add_weekly(&made.f.arena, made.document, &weekly);
	summary_add_compare_of_gate(&made.f.arena, made.document, &made.f.gate, NULL);
	for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
		struct strbuf out = {0};
		struct error err = {ERR_NONE, ""};
		ck_assert_msg(output_render_text(&made.cli, templates[i], "md", made.document, &out,
						 &err) == 0,
			      "%s", err.text);
		ck_assert_msg(strstr(strbuf_text(&out), "kernel0"), "%s names nothing",
			      templates[i]);
		if (strcmp(templates[i], "weekly") == 0)
			ck_assert_ptr_nonnull(strstr(strbuf_text(&out),
						     "# 8 new regressions at the latest commit\n"));
		check_html(&out, 300);
		strbuf_free(&out);
	}
	discard(&made);
}
END_TEST

UNIT_MAIN("budget", every_report_is_tables_and_text, a_comment_fits, less_room,
	  intervals_are_those_of_the_change, cut_at_a_line)
