/* Templates: the mustache specification, our additions, messages and limits. */
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "base/system/file.h"
#include "render/markup/escape.h"
#include "render/markup/template.h"

static const char *const spec_files[] = {
	"comments", "delimiters", "interpolation",  "inverted",
	"partials", "sections",   "~dynamic-names", "~inheritance",
};

static const char *partial_of(void *context, const char *name)
{
	return json_text(context, name, NULL);
}

/* One case of the specification; prints what differs. */
static bool spec_case_passes(const struct json *test)
{
	struct strbuf out = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	const char *expected = json_text(test, "expected", "");
	int result = template_render("template", span_of(json_text(test, "template", "")),
				     json_get(test, "data"), TEMPLATE_ESCAPE_HTML, partial_of,
				     json_get(test, "partials"), &out, &err);
	bool passes = result == 0 && strcmp(strbuf_text(&out), expected) == 0;
	if (!passes)
		printf("%s\n  expected %s\n  got      %s %s\n", json_text(test, "name", ""),
		       expected, strbuf_text(&out), err.text);
	strbuf_free(&out);
	return passes;
}

START_TEST(specification)
{
	int failed = 0;
	if (!file_is_directory("../shared/spec/mustache")) {
		puts("skipped: no ../shared/data");
		return;
	}
	for (size_t i = 0; i < sizeof spec_files / sizeof *spec_files; i++) {
		struct arena arena = {0};
		struct error err;
		struct span bytes;
		const char *path =
			arena_printf(&arena, "../shared/spec/mustache/%s.json", spec_files[i]);
		ck_assert_int_eq(file_read(&arena, path, 1 << 20, &bytes, &err), 0);
		const struct json *tests = json_get(json_parse(&arena, bytes, &err), "tests");
		ck_assert_ptr_nonnull(tests);
		size_t passed = 0;
		for (const struct json *test = tests->first; test; test = test->next)
			passed += spec_case_passes(test);
		printf("%s: %zu of %u pass\n", spec_files[i], passed, tests->count);
		failed += passed != tests->count;
		arena_free(&arena);
	}
	ck_assert_int_eq(failed, 0);
}
END_TEST

/* Partials of the tables below. */
static const char *const partials[][2] = {
	{"self", "{{>self}}"},
	{"twice", "{{>twice}}{{>twice}}"},
	{"broken", "a\n{{#open}}"},
	{"lines", "a\n\nb {{x}}\n"},
	{"row.md", "| {{x}} |\n"},
	{"page", "<{{$main}}none{{/main}}>\n"},
	{"section", "{{$a}}\n  x\n{{/a}}\ny\n"},
};

static const char *table_partial(void *context, const char *name)
{
	(void)context;
	for (size_t i = 0; i < sizeof partials / sizeof *partials; i++)
		if (strcmp(partials[i][0], name) == 0)
			return partials[i][1];
	return NULL;
}

static int render(const char *text, const char *data, enum template_escape escape,
		  struct strbuf *out, struct error *err)
{
	struct arena arena = {0};
	struct json *document = json_parse(&arena, span_of(data), err);
	ck_assert_ptr_nonnull(document);
	int result = template_render("t.md", span_of(text), document, escape, table_partial, NULL,
				     out, err);
	arena_free(&arena);
	return result;
}

START_TEST(rendering)
{
	static const struct {
		const char *text, *data, *expected;
	} rows[] = {
		{"{{n}} {{m}} {{k}}", "{\"n\":4.5256596e-05,\"m\":3458,\"k\":0.1}",
		 "4.5256596e-05 3458 0.1"},
		{"{{#zero}}yes{{/zero}}", "{\"zero\":0}", "yes"},
		{"{{#empty}}yes{{/empty}}{{^empty}}no{{/empty}}", "{\"empty\":\"\"}", "no"},
		{"{{o}}", "{\"o\":{\"a\":[1,true]}}", "{\"a\":[1,true]}"},
		{"{{#run}}{{commit}},{{.commit}}{{/run}}", "{\"commit\":\"c\",\"run\":{\"x\":1}}",
		 "c,"},
		{"{{#run}}{{.a.b}}{{/run}}", "{\"run\":{\"a\":{\"b\":\"B\"}}}", "B"},
		{"{{#l.0}}first {{.}}{{/l.0}}{{^l.2}} no third{{/l.2}}", "{\"l\":[7,8]}",
		 "first 7 no third"},
		{"{{l.1}}{{l.x}}{{l.99999999999}}", "{\"l\":[7,8]}", "8"},
		{"  {{>lines}}\nc", "{\"x\":\"1\\n2\"}", "  a\n\n  b 1\n2\nc"},
		{"{{#l}}\n{{>row.md}}\n{{/l}}\n", "{\"l\":[{\"x\":1},{\"x\":2}]}",
		 "| 1 |\n| 2 |\n"},
		{"{{<page}}{{$main}}hi{{/main}}{{/page}}\n", "{}", "<hi>\n"},
		{"{{<section}}\n  {{$a}}\n    1\n      2\n  {{/a}}\n{{/section}}\n", "{}",
		 "  1\n    2\ny\n"},
		{"  {{<page}}{{/page}} tail\n", "{}", "  <none>\n tail\n"},
		{"{{>none}}{{>*none}}x", "{}", "x"},
		{"{{=<< >>=}}<<{x}>><<&x>><<! gone >>", "{\"x\":\"&\"}", "&&"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf out = {NULL, 0, 0};
		struct error err = {ERR_NONE, ""};
		int result = render(rows[i].text, rows[i].data, TEMPLATE_ESCAPE_NONE, &out, &err);
		ck_assert_msg(result == 0, "%s: %s", rows[i].text, err.text);
		ck_assert_str_eq(strbuf_text(&out), rows[i].expected);
		strbuf_free(&out);
	}
}
END_TEST

START_TEST(messages)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"a\n{{#b}}\n", "t.md:2: {{#b}}: the section is not closed"},
		{"{{#b}}\n{{/c}}", "t.md:2: {{/c}}: \"b\" of line 1 is open"},
		{"x\ny {{/c}}", "t.md:2: {{/c}}: no open section to close"},
		{"x\n{{c", "t.md:2: {{c: unclosed tag"},
		{"{{#if x}}{{/if}}", "t.md:1: {{#if x}}: a name with a blank inside"},
		{"{{}}", "t.md:1: {{}}: tag without a name"},
		{"{{>*}}", "t.md:1: {{>*}}: tag without a name"},
		{"{{=a=}}", "t.md:1: {{=a=}}: two delimiters with a blank between are expected"},
		{"\n{{>self}}", "self:1: {{>self}}: partials are nested deeper than 100 levels"},
		{"{{>twice}}", "twice:1: {{>twice}}: partials are nested deeper than 100 levels"},
		{"\n{{>broken}}", "t.md:2: broken:2: {{#open}}: the section is not closed"},
		{"{{<page}}{{$main}}{{$main}}{{/main}}{{/main}}{{/page}}",
		 "page:1: {{$main}}: partials are nested deeper than 100 levels"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf out = {NULL, 0, 0};
		struct error err = {ERR_NONE, ""};
		strbuf_addstr(&out, "before");
		ck_assert_int_eq(render(rows[i].text, "{}", TEMPLATE_ESCAPE_NONE, &out, &err), -1);
		ck_assert_str_eq(err.text, rows[i].message);
		ck_assert_int_eq(err.kind, ERR_FORMAT);
		ck_assert_str_eq(strbuf_text(&out), "before");
		strbuf_free(&out);
	}
}
END_TEST

START_TEST(work_is_bounded)
{
	struct strbuf text = {NULL, 0, 0}, out = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	for (int i = 0; i < 201; i++)
		strbuf_addstr(&text, "{{#a}}");
	ck_assert_int_eq(render(strbuf_text(&text), "{}", TEMPLATE_ESCAPE_NONE, &out, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "deeper than 200 levels"));

	/* 10^9 rounds of nothing. */
	strbuf_reset(&text);
	strbuf_repeat(&text, "{{#l}}", 9);
	strbuf_repeat(&text, "{{/l}}", 9);
	ck_assert_int_eq(render(strbuf_text(&text), "{\"l\":[1,2,3,4,5,6,7,8,9,0]}",
				TEMPLATE_ESCAPE_NONE, &out, &err),
			 -1);
	ck_assert_ptr_nonnull(strstr(err.text, "does not terminate"));
	strbuf_free(&text);
	strbuf_free(&out);
}
END_TEST

START_TEST(markdown_is_escaped)
{
	static const struct {
		const char *text, *line, *cell;
	} rows[] = {
		{"fused_rms_norm", "fused_rms_norm", "fused_rms_norm"},
		{"_x_ a_", "\\_x\\_ a\\_", "\\_x\\_ a\\_"},
		{"a|b`c<d>e*f[g]h\\i", "a\\|b\\`c\\<d\\>e\\*f\\[g\\]h\\\\i",
		 "a\\|b\\`c\\<d\\>e\\*f\\[g\\]h\\\\i"},
		{"# title", "\\# title", "# title"},
		{"a\r\nb\tc", "a  b c", "a  b c"},
		{"a\x1b[31mb", "a\\<U+001B\\>\\[31mb", "a\\<U+001B\\>\\[31mb"},
		{"\x7f\xc2\x85", "\\<U+007F\\>\\<U+0085\\>", "\\<U+007F\\>\\<U+0085\\>"},
		{"a\xe2\x80\xae"
		 "b",
		 "a\\<U+202E\\>b", "a\\<U+202E\\>b"},
		{"\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"--", "\\--", "--"},
		{"- a", "\\- a", "- a"},
		{"-3.1 % less", "-3.1 % less", "-3.1 % less"},
		{"1. a", "1\\. a", "1. a"},
		{"1.5 a", "1.5 a", "1.5 a"},
		{"a & b &amp; c&#x41;", "a & b \\&amp; c\\&#x41;", "a & b \\&amp; c\\&#x41;"},
		/* No mentions, no links. */
		{"by @someone", "by @&#8203;someone", "by @&#8203;someone"},
		{"see #12, o/r#3", "see #&#8203;12, o/r#&#8203;3", "see #&#8203;12, o/r#&#8203;3"},
		{"a @ b # c", "a @ b # c", "a @ b # c"},
		{"https://x www.y.z", "https\\://x www\\.y.z", "https\\://x www\\.y.z"},
		{"prof-kernel.py:33", "prof-kernel.py:33", "prof-kernel.py:33"},
		{"$x$", "\\$x\\$", "\\$x\\$"},
		{"\xe2\x80\xa8\xd8\x9c", "\\<U+2028\\>\\<U+061C\\>", "\\<U+2028\\>\\<U+061C\\>"},
		{"HEAD~1 100%5", "HEAD\\~1 100%5", "HEAD\\~1 100%5"},
		{"~ x ~~y~~", "~ x \\~\\~&#8203;y\\~\\~", "~ x \\~\\~&#8203;y\\~\\~"},
		{"    code", "code", "    code"},
		{"µs 中", "µs 中", "µs 中"},
		/* What does not show separates nothing: it is text itself. */
		{"\x01    code", "\\<U+0001\\>    code", "\\<U+0001\\>    code"},
		{"&\x01lt;x", "&\\<U+0001\\>lt;x", "&\\<U+0001\\>lt;x"},
		{"a\xe2\x80\x8b"
		 "_b",
		 "a\\<U+200B\\>\\_b", "a\\<U+200B\\>\\_b"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf line = {NULL, 0, 0}, cell = {NULL, 0, 0};
		md_text(&line, span_of(rows[i].text));
		md_cell(&cell, span_of(rows[i].text));
		ck_assert_str_eq(strbuf_text(&line), rows[i].line);
		ck_assert_str_eq(strbuf_text(&cell), rows[i].cell);
		strbuf_free(&line);
		strbuf_free(&cell);
	}
}
END_TEST

START_TEST(html_is_escaped)
{
	struct strbuf out = {NULL, 0, 0}, err_out = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	html_text(&out, span_of("<a href=\"x\" b='y'>&\n\x01\xe2\x80\xae\xff"));
	ck_assert_str_eq(strbuf_text(&out),
			 "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;\n&lt;U+0001&gt;"
			 "&lt;U+202E&gt;\xef\xbf\xbd");
	ck_assert_int_eq(render("{{x}}|{{{x}}}|{{&x}}", "{\"x\":\"a|b\"}", TEMPLATE_ESCAPE_MARKDOWN,
				&err_out, &err),
			 0);
	ck_assert_str_eq(strbuf_text(&err_out), "a\\|b|a|b|a|b");
	strbuf_free(&out);
	strbuf_free(&err_out);
}
END_TEST

UNIT_MAIN("template", specification, rendering, messages, work_is_bounded, markdown_is_escaped,
	  html_is_escaped)
