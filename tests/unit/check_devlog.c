/* Devlog: what is replaced, where a block is put, and that no other byte changes. */
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "render/devlog.h"

#define BLOCK                                                                                      \
	"**Performance** (d):\n\n| M | V |\n| - | - |\n| a | 1 |\n\n**Bottleneck**: "              \
	"Memory-bound\n"
#define OLD "**Performance** (old):\n\n| M | V |\n|---|---|\n| x | y |\n\n**Bottleneck**: old\n"

static const struct {
	const char *name, *file, *expected; /* "@" in `expected` stands for BLOCK */
} cases[] = {
	{"replaced", "## Development log\n\n### V1: a\n\n" OLD "\n**Issues**:\n- i\n",
	 "## Development log\n\n### V1: a\n\n@\n**Issues**:\n- i\n"},
	{"newest of several, in any order",
	 "## Development log\n### V2: b\n\ntext\n\n### V10: c\n\ntext\n\n### V9: d\n\ntext\n",
	 "## Development log\n### V2: b\n\ntext\n\n### V10: c\n\ntext\n\n@\n### V9: d\n\ntext\n"},
	{"the last of equal ones", "### V1: a\n\n### V1: b\n", "### V1: a\n\n### V1: b\n\n@"},
	{"no blank lines, issues right below",
	 "## DEVELOPMENT LOG\n### V1: a\n**What changed**: x\n**Performance** (o):\n| M | V "
	 "|\n|---|---|\n"
	 "| x | y |\n**Bottleneck**: old\n**Issues**:\n- i\n",
	 "## DEVELOPMENT LOG\n### V1: a\n**What changed**: x\n\n@\n**Issues**:\n- i\n"},
	{"block right below the heading", "### V1: a\n" OLD, "### V1: a\n@"},
	{"only the paragraph",
	 "### V1: a\n\n**Performance**: to be filled\nafter profiling\n\ntail\n",
	 "### V1: a\n\n@\ntail\n"},
	{"text between table and bottleneck stays",
	 "### V1: a\n\n**Performance**\n\n| M | V |\n|---|---|\n| x | y "
	 "|\n\nnote\n\n**Bottleneck**: o\n",
	 "### V1: a\n\n@\nnote\n\n**Bottleneck**: o\n"},
	{"a row without a pipe is text",
	 "### V1: a\n\n**Performance**\n\n| M | V |\n|---|---|\n| x | y |\nnote\n\nmore\n",
	 "### V1: a\n\n@\nnote\n\nmore\n"},
	{"lazy line below a list", "### V1: a\n- item\n**Performance** (o):\n\nx\n",
	 "### V1: a\n- item\n\n@\nx\n"},
	{"bottleneck of several lines",
	 "### V1: a\n\n**Performance**:\n\n**Bottleneck**: o\nmore o\n- list\n",
	 "### V1: a\n\n@\n- list\n"},
	{"before issues", "### V1: a\n\nx\n\n\n**Issues**:\n- i\n\n**Insights**:\n- j\n",
	 "### V1: a\n\nx\n\n@\n\n**Issues**:\n- i\n\n**Insights**:\n- j\n"},
	{"before insights in the same paragraph", "### V1: a\nx\n**Insights**: j\n",
	 "### V1: a\nx\n\n@\n**Insights**: j\n"},
	{"at the entry's end", "### V1: a\nx\n## Other\ny\n", "### V1: a\nx\n\n@\n## Other\ny\n"},
	{"deeper headings belong to the entry", "### V1: a\n\n#### More\n\nx\n\n# Top\n",
	 "### V1: a\n\n#### More\n\nx\n\n@\n# Top\n"},
	{"a bare heading", "### V1: a", "### V1: a\n\n@-"},
	{"no final newline, inserted", "### V1: a\nx", "### V1: a\nx\n\n@-"},
	{"no final newline, replaced", "### V1: a\n\n**Performance**: x", "### V1: a\n\n@-"},
	{"headings in code are none",
	 "## Development log\n\n### V1: a\n\n```\n### V2: b\n**Performance**\n```\n\n    ### V3: "
	 "c\n",
	 "## Development log\n\n### V1: a\n\n```\n### V2: b\n**Performance**\n```\n\n    ### V3: "
	 "c\n\n@"},
	{"entries outside the log are none",
	 "### V9: x\n\n## Development log\n\n### V1: a\n\n## Appendix\n\n### V8: y\n",
	 "### V9: x\n\n## Development log\n\n### V1: a\n\n@\n## Appendix\n\n### V8: y\n"},
	{"markup in headings", "## **Development** Log\n\n### `V3`: a\n\n### V2: b\n",
	 "## **Development** Log\n\n### `V3`: a\n\n@\n### V2: b\n"},
	{"BOM, tabs and bytes that are no UTF-8",
	 "\xef\xbb\xbf## Development log\n\t\xff\xfe\n### V1: a\n\xc0\n\n" OLD "\n\t\xff",
	 "\xef\xbb\xbf## Development log\n\t\xff\xfe\n### V1: a\n\xc0\n\n@\n\t\xff"},
	{"a link definition in front", "### V1: a\n[l]: http://x\n" OLD,
	 "### V1: a\n[l]: http://x\n\n@"},
};

/* "@" becomes the block, "@-" the block without its last newline. */
static void expand(struct strbuf *out, const char *expected)
{
	for (const char *c = expected; *c; c++) {
		if (*c != '@') {
			strbuf_addch(out, *c);
			continue;
		}
		strbuf_addstr(out, BLOCK);
		if (c[1] == '-') {
			strbuf_truncate(out, out->len - 1);
			c++;
		}
	}
}

static void to_crlf(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			strbuf_addch(out, '\r');
		strbuf_addch(out, *text);
	}
}

static void check_fill(const char *name, const char *file, const char *expected)
{
	struct arena arena = {0};
	struct strbuf once = {NULL, 0, 0}, twice = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	const char *entry = NULL;
	int result = devlog_fill(&arena, span_of(file), span_of(BLOCK), &once, &entry, &err);
	ck_assert_msg(result == 0, "%s: %s", name, err.text);
	ck_assert_msg(strcmp(strbuf_text(&once), expected) == 0, "%s: got\n%s", name,
		      strbuf_text(&once));
	ck_assert_int_eq(
		devlog_fill(&arena, strbuf_span(&once), span_of(BLOCK), &twice, &entry, &err), 0);
	ck_assert_str_eq(strbuf_text(&twice), expected);
	strbuf_free(&once);
	strbuf_free(&twice);
	arena_free(&arena);
}

START_TEST(filling)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf expected = {NULL, 0, 0}, file = {NULL, 0, 0}, crlf = {NULL, 0, 0};
		expand(&expected, cases[i].expected);
		check_fill(cases[i].name, cases[i].file, strbuf_text(&expected));
		to_crlf(&file, cases[i].file);
		to_crlf(&crlf, strbuf_text(&expected));
		/* A file of one line without an end shows no line end to follow. */
		if (strchr(cases[i].file, '\n'))
			check_fill(cases[i].name, strbuf_text(&file), strbuf_text(&crlf));
		strbuf_free(&expected);
		strbuf_free(&file);
		strbuf_free(&crlf);
	}
}
END_TEST

START_TEST(refusals)
{
	static const struct {
		const char *file, *block, *message;
	} rows[] = {
		{"# T\n", BLOCK, "no development log"},
		{"", BLOCK, "no development log"},
		{"## Development log\n### Version 1\n### Vx: a\n", BLOCK, "has no entry"},
		{"### V1: a\n```\nopen\n", BLOCK, "would not be found again"},
		{"### V1: a\n<!-- open\n", BLOCK, "would not be found again"},
		{"### V1: a\n", "no performance\n", "would not be found again"},
		{"### V1: a\n", BLOCK "\nand more\n", "would not be found again"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct strbuf out = {NULL, 0, 0};
		struct error err = {ERR_NONE, ""};
		const char *entry = "untouched";
		ck_assert_int_eq(devlog_fill(&arena, span_of(rows[i].file), span_of(rows[i].block),
					     &out, &entry, &err),
				 -1);
		ck_assert_int_eq(err.kind, ERR_FORMAT);
		ck_assert_msg(strstr(err.text, rows[i].message) != NULL, "%s", err.text);
		ck_assert_uint_eq(out.len, 0);
		ck_assert_str_eq(entry, "untouched");
		arena_free(&arena);
	}
}
END_TEST

START_TEST(entry_is_named)
{
	struct arena arena = {0};
	struct strbuf out = {NULL, 0, 0};
	struct error err;
	const char *entry = NULL;
	ck_assert_int_eq(devlog_fill(&arena, span_of("### V2: fuse `exp` *and* sum\n"),
				     span_of(BLOCK), &out, &entry, &err),
			 0);
	ck_assert_str_eq(entry, "V2: fuse exp and sum");
	strbuf_free(&out);
	arena_free(&arena);
}
END_TEST

static unsigned long long random_state = 88172645463325252ull;

static size_t random_below(size_t limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (size_t)(random_state % limit);
}

static void random_document(struct strbuf *out)
{
	static const char *const pieces[] = {
		"## Development log",
		"### V1: a",
		"### V2: b",
		"### V2: c",
		"#### deep",
		"# top",
		"text",
		"- item",
		"  - nested",
		"> quote",
		"1. one",
		"```",
		"~~~",
		"    code",
		"**Performance** (x):",
		"**Performance**: y",
		"  **Performance** (z)",
		"| a | b |",
		"|---|---|",
		"| 1 | 2 |",
		"**Bottleneck**: old",
		"**Issues**:",
		"**Insights**:",
		"**bold** text",
		"<div>",
		"</div>",
		"<!-- c -->",
		"[l]: http://x",
		"---",
		"===",
		"",
		"",
		"",
		"",
		"\t",
		" ",
		"\xff\xfe",
		"a|b",
		"\xef\xbb\xbf",
		"*x",
		"\\",
		"&amp;",
		"`code",
		"# ",
		"\x01",
		"**Performance**",
		"### V3 no",
		"|",
		"-",
	};
	static const char *const ends[] = {"\n", "\n", "\n", "\r\n", "\r"};
	size_t mixed = random_below(8), usual = random_below(5);
	for (size_t lines = random_below(40); lines > 0; lines--) {
		strbuf_addstr(out, pieces[random_below(sizeof pieces / sizeof *pieces)]);
		if (lines > 1 || random_below(2))
			strbuf_addstr(out, ends[mixed ? usual : random_below(5)]);
	}
}

static size_t occurrences(struct span text, const char *piece)
{
	size_t count = 0, len = strlen(piece), at;
	while ((at = span_find(text, piece)) < text.len) {
		count++;
		text.ptr += at + len;
		text.len -= at + len;
	}
	return count;
}

/* `filled` begins and ends with bytes of `file`, what is between is no longer than a block, and
 * whatever can never belong to a block is still there. */
static bool only_block_differs(struct span file, struct span filled)
{
	static const char *const kept[] = {
		"### V1: a", "### V2: b", "### V2: c",  "#### deep",    "# top",
		"- item",    "> quote",   "**Issues**", "**Insights**", "**bold** text",
		"```",       "<div>",     "### V3 no",  "<!-- c -->",   "## Development log"};
	size_t prefix = 0, suffix = 0;
	size_t least = file.len < filled.len ? file.len : filled.len;
	while (prefix < least && file.ptr[prefix] == filled.ptr[prefix])
		prefix++;
	while (suffix < least - prefix &&
	       file.ptr[file.len - 1 - suffix] == filled.ptr[filled.len - 1 - suffix])
		suffix++;
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (occurrences(file, kept[i]) != occurrences(filled, kept[i]))
			return false;
	enum { line_ends = 16 };
	return filled.len - prefix - suffix <= sizeof BLOCK + line_ends;
}

START_TEST(random_documents_keep_every_other_byte)
{
	size_t filled = 0, refused = 0;
	for (int round = 0; round < 8000; round++) {
		struct arena arena = {0};
		struct strbuf file = {NULL, 0, 0}, once = {NULL, 0, 0}, twice = {NULL, 0, 0};
		struct error err = {ERR_NONE, ""};
		const char *entry;
		random_document(&file);
		if (devlog_fill(&arena, strbuf_span(&file), span_of(BLOCK), &once, &entry, &err) <
		    0) {
			refused += strstr(err.text, "found again") != NULL;
		} else {
			filled++;
			ck_assert_msg(only_block_differs(strbuf_span(&file), strbuf_span(&once)),
				      "%s\n=====\n%s", strbuf_text(&file), strbuf_text(&once));
			ck_assert_int_eq(devlog_fill(&arena, strbuf_span(&once), span_of(BLOCK),
						     &twice, &entry, &err),
					 0);
			ck_assert_msg(span_eq(strbuf_span(&once), strbuf_span(&twice)),
				      "%s\n=====\n%s\n=====\n%s", strbuf_text(&file),
				      strbuf_text(&once), strbuf_text(&twice));
		}
		strbuf_free(&file);
		strbuf_free(&once);
		strbuf_free(&twice);
		arena_free(&arena);
	}
	printf("%zu documents filled, %zu refused\n", filled, refused);
	ck_assert_uint_gt(filled, 2000);
	ck_assert_uint_lt(refused, filled / 4);
}
END_TEST

START_TEST(markdown_becomes_safe_html)
{
	static const struct {
		const char *text, *html;
	} rows[] = {
		{"| a |\n| - |\n| 1 |\n",
		 "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n"
		 "<td>1</td>\n</tr>\n</tbody>\n</table>\n"},
		{"~~x~~", "<p><del>x</del></p>\n"},
		{"http://a.b", "<p><a href=\"http://a.b\">http://a.b</a></p>\n"},
		{"<script>x</script>\n", "<!-- raw HTML omitted -->\n"},
		{"[x](javascript:y)", "<p><a href=\"\">x</a></p>\n"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf out = {NULL, 0, 0};
		struct error err;
		ck_assert_int_eq(markdown_html(span_of(rows[i].text), &out, &err), 0);
		ck_assert_str_eq(strbuf_text(&out), rows[i].html);
		strbuf_free(&out);
	}
}
END_TEST

START_TEST(size_is_limited)
{
	struct strbuf text = {NULL, 0, 0}, out = {NULL, 0, 0};
	struct arena arena = {0};
	struct error err = {ERR_NONE, ""};
	const char *entry;
	strbuf_repeat(&text, "0123456789abcde\n", (1 << 20) + 1);
	ck_assert_int_eq(markdown_html(strbuf_span(&text), &out, &err), -1);
	ck_assert_str_eq(err.text, "a Markdown text of more than 16 MiB");
	ck_assert_int_eq(
		devlog_fill(&arena, strbuf_span(&text), span_of(BLOCK), &out, &entry, &err), -1);
	strbuf_free(&text);
}
END_TEST

UNIT_MAIN("devlog", filling, refusals, entry_is_named, random_documents_keep_every_other_byte,
	  markdown_becomes_safe_html, size_is_limited)
