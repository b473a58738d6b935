/* What GitHub makes links of, in names: the Markdown is rendered by cmark-gfm, then searched as
 * GitHub searches the text between its tags. */
#include "unit/unit.h"

#include <regex.h>
#include <string.h>

#include "base/text/text.h"
#include "unit/markdown_html.h"
#include "render/markup/escape.h"
#include "render/markup/template.h"

static const char *const references[] = {
	"(^|[^[:alnum:]_/])@[[:alnum:]]",
	"(^|[^[:alnum:]_])(gh-|#)[0-9]",
	"[[:alnum:]]#[0-9]",
	"(^|[^[:alnum:]_])[0-9a-f]{7,40}($|[^[:alnum:]_])",
	"(^|[^[:alnum:]_])[!$&%][0-9]",
	"(^|[^[:alnum:]_])~[[:alnum:]]",
};
enum { REFERENCES = sizeof references / sizeof *references };

/* The first text between tags that a forge would make a link of, in `found`. */
static bool has_reference(const char *html, char *found, size_t size)
{
	static const struct {
		const char *entity;
		char c;
	} entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
	struct strbuf text = {0};
	bool linked = false;
	for (const char *p = html; !linked; p++) {
		if (*p && *p != '<') {
			char c = *p;
			for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
				if (span_starts(span_of(p), entities[i].entity)) {
					c = entities[i].c;
					p += strlen(entities[i].entity) - 1;
					break;
				}
			strbuf_addch(&text, c);
			continue;
		}
		for (size_t i = 0; i < REFERENCES && !linked; i++) {
			regex_t pattern;
			regcomp(&pattern, references[i], REG_EXTENDED | REG_ICASE | REG_NOSUB);
			linked = regexec(&pattern, strbuf_text(&text), 0, NULL, 0) == 0;
			regfree(&pattern);
		}
		snprintf(found, size, "%s", strbuf_text(&text));
		strbuf_reset(&text);
		if (!*p)
			break;
		/* Code is not searched. */
		if (span_starts(span_of(p), "<code>"))
			p = strstr(p, "</code>");
		p += strcspn(p, ">");
	}
	strbuf_free(&text);
	return linked;
}

static bool is_linked(const char *markdown, char *found, size_t size)
{
	struct strbuf html = {0};
	struct error err;
	ck_assert_int_eq(markdown_html(span_of(markdown), &html, &err), 0);
	bool linked =
		strstr(strbuf_text(&html), "<a ") || has_reference(strbuf_text(&html), found, size);
	strbuf_free(&html);
	return linked;
}

static const char *const names[] = {
	"@someone",
	"by @some-one, @org/team",
	"#1",
	"GH-1",
	"gh-26 x",
	"(GH-7)",
	"org/repo#1",
	"user#12",
	"1f0e3dad99908345f7439f8ffabdffc4f0a1b2c3",
	"1234567890123456789012345678901234567890",
	"deadbee",
	"softmax deadbeef v2",
	"a/b@deadbeef",
	"user@1f0e3dad99908345f7439f8ffabdffc4f0a1b2c3",
	"x=1f0e3dad99,y",
	"x <!-- --> GH-1",
	"f1f0e3dad99908345f7439f8ffabdffc4f0a1b2c",
	"[1f0e3da](GH-2)",
	"`1f0e3da`1f0e3da` ``deadbeef",
	"!3 $4 &5 %6 ~bug",
	"https://example.org/x http://a.b www.example.org",
	"someone@example.org mailto:a@b.cd xmpp:a@b.cd",
};

START_TEST(names_become_no_links)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct strbuf line = {0}, row = {0};
		char found[200] = "";
		ck_assert_msg(is_linked(names[i], found, sizeof found), "not searched for: %s",
			      names[i]);
		md_text(&line, span_of(names[i]));
		ck_assert_msg(!is_linked(strbuf_text(&line), found, sizeof found), "%s: %s in %s",
			      names[i], found, strbuf_text(&line));
		strbuf_addstr(&row, "| a |\n|---|\n| ");
		md_cell(&row, span_of(names[i]));
		strbuf_addstr(&row, " |\n");
		ck_assert_msg(!is_linked(strbuf_text(&row), found, sizeof found), "%s: %s in %s",
			      names[i], found, strbuf_text(&row));
		strbuf_free(&line);
		strbuf_free(&row);
	}
}
END_TEST

/* Numbers, words and names that no forge takes for a reference stay as they are. */
START_TEST(other_names_stay)
{
	static const char *const plain[] = {
		"s=16777216",
		"gemm-1",
		"HIGH-1",
		"0xdeadbeef",
		"defaced_kernel",
		"fp8e4m3",
		"facade",
		"a @ b",
		"# c",
		"5 % & x ~ y",
		"1f0e3dad99908345f7439f8ffabdffc4f0a1b2c3d4",
	};
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
		struct strbuf cell = {0};
		md_cell(&cell, span_of(plain[i]));
		ck_assert_str_eq(strbuf_text(&cell), plain[i]);
		strbuf_free(&cell);
	}
}
END_TEST

START_TEST(commits_of_the_document_are_links)
{
	static const char template[] = "{{#list}}{{text}}; {{short}}{{/list}}; {{text}}";
	static const char data[] =
		"{\"gate\":{\"candidate\":{\"short\":\"1f0e3dad99\"}},\"text\":\"cafe123\","
		"\"list\":[{\"text\":\"1f0e3dad99 1f0e3dad9 deadbeef\",\"short\":\"cafe123\"}]}";
	struct arena arena = {0};
	struct error err;
	struct strbuf out = {0};
	const struct json *document = json_parse(&arena, span_of(data), &err);
	ck_assert_int_eq(template_render("t", span_of(template), document, TEMPLATE_ESCAPE_MARKDOWN,
					 NULL, NULL, &out, &err),
			 0);
	ck_assert_str_eq(strbuf_text(&out),
			 "1f0e3dad99 `1f0e3dad9` `deadbeef`; cafe123; `cafe123`");
	strbuf_free(&out);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("autolink", names_become_no_links, other_names_stay, commits_of_the_document_are_links)
