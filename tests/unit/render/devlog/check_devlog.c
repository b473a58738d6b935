/* Devlog: what is replaced, where a block is put, and that no other byte changes. */
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "render/devlog/devlog.h"
#include "unit/markdown_html.h"
#include "unit/random.h"

#define BLOCK                                                                                      \
	"**Performance** (d):\n\n| M | V |\n| - | - |\n| a | 1 |\n\n**Bottleneck**: "              \
	"Memory-bound\n"
#define ISSUES "- small DMA\n- spills\n"
#define INSIGHTS "- fewer bytes\n"
#define TEXT BLOCK "\n**Issues**:\n" ISSUES "\n**Insights**:\n" INSIGHTS
#define MARK(hash) "<!-- rooflog " hash ": proposed; edited text is never overwritten -->\n"
#define MACHINE_ISSUES ISSUES MARK("7c070eb258bc2a4b")
#define MACHINE_INSIGHTS INSIGHTS MARK("56b7ab78d9e8235c")
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

/* "@" becomes the block, "@-" the block without its last newline; "{I}" and "{J}" the proposals. */
static void expand(struct strbuf *out, const char *expected)
{
	for (const char *c = expected; *c; c++) {
		if (strncmp(c, "{I}", 3) == 0 || strncmp(c, "{J}", 3) == 0) {
			strbuf_addstr(out, c[1] == 'I' ? MACHINE_ISSUES : MACHINE_INSIGHTS);
			c += 2;
		} else if (*c == '@') {
			strbuf_addstr(out, BLOCK);
		} else {
			strbuf_addch(out, *c);
			continue;
		}
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

/* The newest entry of `file`. */
static int fill_newest(struct arena *arena, struct span file, const char *text, struct strbuf *out,
		       struct error *err)
{
	struct devlog_fill fill = {file, span_of(text), -1, DEVLOG_ENGLISH};
	const char *unplaced = NULL;
	int result = devlog_fill(arena, &fill, out, &unplaced, err);
	ck_assert_msg(result < 0 || !unplaced, "%s in %s", unplaced, file.ptr);
	return result;
}

static void check_fill(const char *name, const char *text, const char *file, const char *expected)
{
	struct arena arena = {0};
	struct strbuf once = {NULL, 0, 0}, twice = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	int result = fill_newest(&arena, span_of(file), text, &once, &err);
	ck_assert_msg(result == 0, "%s: %s", name, err.text);
	ck_assert_msg(strcmp(strbuf_text(&once), expected) == 0, "%s: got\n%s", name,
		      strbuf_text(&once));
	ck_assert_int_eq(fill_newest(&arena, strbuf_span(&once), text, &twice, &err), 0);
	ck_assert_str_eq(strbuf_text(&twice), expected);
	strbuf_free(&once);
	strbuf_free(&twice);
	arena_free(&arena);
}

/* With LF and with CRLF. */
static void check_case(const char *name, const char *text, const char *before, const char *after)
{
	struct strbuf expected = {NULL, 0, 0}, file = {NULL, 0, 0}, crlf = {NULL, 0, 0};
	struct strbuf given = {NULL, 0, 0};
	expand(&given, before);
	expand(&expected, after);
	check_fill(name, text, strbuf_text(&given), strbuf_text(&expected));
	to_crlf(&file, strbuf_text(&given));
	to_crlf(&crlf, strbuf_text(&expected));
	/* A file of one line without an end shows no line end to follow. */
	if (strchr(before, '\n'))
		check_fill(name, text, strbuf_text(&file), strbuf_text(&crlf));
	strbuf_free(&given);
	strbuf_free(&expected);
	strbuf_free(&file);
	strbuf_free(&crlf);
}

START_TEST(filling)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_case(cases[i].name, BLOCK, cases[i].file, cases[i].expected);
}
END_TEST

static const struct {
	const char *name, *file, *expected;
} slots[] = {
	{"nothing below", "### V1: a\n\n**Issues**:\n\n**Insights**:\n",
	 "### V1: a\n\n@\n**Issues**:\n{I}\n**Insights**:\n{J}"},
	{"headings right below each other", "### V1: a\n**Issues**:\n**Insights**:\n## End\n",
	 "### V1: a\n\n@\n**Issues**:\n{I}\n**Insights**:\n{J}\n## End\n"},
	{"the form's placeholders",
	 "### V1: a\n\n**Issues**:\n- [Remaining problems]\n\n**Insights**:\n- [Key lessons — "
	 "why]\n"
	 "- [Guidance]\n\n---\n\ntail\n",
	 "### V1: a\n\n@\n**Issues**:\n{I}\n**Insights**:\n{J}\n---\n\ntail\n"},
	{"placeholders of hands",
	 "### V1: a\n\n**Issues:**\n\n* todo\n1. *Tbd*\n- [ ] ...\n\n**Insights**\n-\n\n#### "
	 "More\nx\n",
	 "### V1: a\n\n@\n**Issues:**\n{I}\n**Insights**\n{J}\n#### More\nx\n"},
	{"a placeholder on the heading's line",
	 "### V1: a\n\n**Issues**: todo\n**Insights** [x y]\n",
	 "### V1: a\n\n@\n**Issues**:\n{I}\n**Insights**\n{J}"},
	{"a person's text stays",
	 "### V1: a\n\n**Issues**:\n- todo\n- slow\n\n**Insights**:\n  none\n",
	 "### V1: a\n\n@\n**Issues**:\n- todo\n- slow\n\n**Insights**:\n  none\n"},
	{"also on the heading's line",
	 "### V1: a\n\n**Issues**: none\n\n**Insights** (later): use it\n- todo\n",
	 "### V1: a\n\n@\n**Issues**: none\n\n**Insights** (later): use it\n- todo\n"},
	{"links, boxes, code, tables and comments are a person's",
	 "### V1: a\n\n**Issues**:\n- [#12]\n\n**Insights**:\n```\n```\n\n[#12]: http://x\n",
	 "### V1: a\n\n@\n**Issues**:\n- [#12]\n\n**Insights**:\n```\n```\n\n[#12]: http://x\n"},
	{"a box that is ticked",
	 "### V1: a\n\n**Issues**:\n- [x]\n\n**Insights**:\n<!-- later -->\n",
	 "### V1: a\n\n@\n**Issues**:\n- [x]\n\n**Insights**:\n<!-- later -->\n"},
	{"an earlier proposal gives way",
	 "### V1: a\n\n**Issues**:\n- old\n" MARK("093bfb880169a095") "\n**Insights**:\n{J}",
	 "### V1: a\n\n@\n**Issues**:\n{I}\n**Insights**:\n{J}"},
	{"unless somebody edited it",
	 "### V1: a\n\n**Issues**:\n- older\n" MARK(
		 "093bfb880169a095") "\n**Insights**:\n{J}- more\n",
	 "### V1: a\n\n@\n**Issues**:\n- older\n" MARK(
		 "093bfb880169a095") "\n**Insights**:\n{J}- more\n"},
	{"or took it away", "### V1: a\n\n**Issues**:\n" MARK("093bfb880169a095"),
	 "### V1: a\n\n@\n**Issues**:\n" MARK("093bfb880169a095")},
	{"blanks at the end of its lines are no edit",
	 "### V1: a\n\n**Issues**:\n- old  \n" MARK("093bfb880169a095"),
	 "### V1: a\n\n@\n**Issues**:\n{I}"},
	{"nothing without a heading", "### V1: a\n\ntext\n", "### V1: a\n\ntext\n\n@"},
	{"no final newline", "### V1: a\n\n**Issues**:\n-", "### V1: a\n\n@\n**Issues**:\n{I}-"},
	{"below a list without a blank line", "### V1: a\n- item\n**Issues**:\n- todo\n",
	 "### V1: a\n- item\n\n@\n**Issues**:\n{I}"},
	{"in Chinese, with the marks of either width",
	 "## 开发日志\n\n### V2：甲\n\n**性能**（旧）：\n\n| 指标 | 数值 |\n|---|---|\n| x | y "
	 "|\n\n"
	 "**瓶颈**：旧\n\n**现存问题**：\n- [剩余问题]\n\n**洞察**:\n- 待补充\n",
	 "## 开发日志\n\n### V2：甲\n\n@\n**现存问题**：\n{I}\n**洞察**:\n{J}"},
};

START_TEST(proposals)
{
	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
		check_case(slots[i].name, TEXT, slots[i].file, slots[i].expected);
	/* Without anything to propose what was proposed goes, and nothing else. */
	check_case("nothing to propose", BLOCK "\n**Issues**:\n\n**Insights**:\n",
		   "### V1: a\n\n**Issues**:\n{I}\n**Insights**:\n- todo\n",
		   "### V1: a\n\n@\n**Issues**:\n\n**Insights**:\n- todo\n");
}
END_TEST

START_TEST(refusals)
{
	static const struct {
		const char *file, *block, *message;
	} rows[] = {
		{"# T\n", BLOCK, "no development log"},
		{"", BLOCK, "no development log"},
		{"## Development log\n### Version 1\n### Vx: a\n", BLOCK, "no entries in"},
		{"### V1: a\n```\nopen\n", BLOCK, "again"},
		{"### V1: a\n<!-- open\n", BLOCK, "again"},
		{"### V1: a\n", "no performance\n", "again"},
		{"### V1: a\n", BLOCK "\nand more\n", "again"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct strbuf out = {NULL, 0, 0};
		struct error err = {ERR_NONE, ""};
		ck_assert_int_eq(
			fill_newest(&arena, span_of(rows[i].file), rows[i].block, &out, &err), -1);
		ck_assert_int_eq(err.kind, ERR_FORMAT);
		ck_assert_msg(strstr(err.text, rows[i].message) != NULL, "%s", err.text);
		ck_assert_uint_eq(out.len, 0);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(entry_is_named)
{
	struct arena arena = {0};
	struct error err;
	struct devlog_entry entry;
	ck_assert_int_eq(
		devlog_find(&arena, span_of("### V2: fuse `exp` *and* sum\n"), -1, &entry, &err),
		0);
	ck_assert_str_eq(entry.heading, "V2: fuse exp and sum");
	ck_assert_int_eq(entry.version, 2);
	arena_free(&arena);
}
END_TEST

START_TEST(entries_are_chosen)
{
	static const char log[] = "## Development log\n\n### V2: b\n**性能**:\n\n### V10: c\n\n"
				  "**Issues**:\n\n### V9: d\n";
	static const struct {
		const char *file;
		int64_t version, found;
		enum devlog_language language;
		const char *text; /* heading or message */
	} rows[] = {
		{log, -1, 10, DEVLOG_ENGLISH, "V10: c"},
		{log, 2, 2, DEVLOG_CHINESE, "V2: b"},
		{log, 9, 9, DEVLOG_CHINESE, "V9: d"},
		{log, 3, -1, DEVLOG_ENGLISH,
		 "no entry V3 in the development log; the latest is V10"},
		{"## 开发日志\n### V1：x\n", -1, 1, DEVLOG_CHINESE, "V1：x"},
		{"## 开发日志\n### V1: x\n### V0: y\n**Issues**:\n", 1, 1, DEVLOG_ENGLISH, "V1: x"},
		{"Development log\n---\n### V1: x\n", -1, 1, DEVLOG_ENGLISH, "V1: x"},
		{"## Development log\n## V1: x\n", -1, -1, DEVLOG_ENGLISH, "--new adds one"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct error err = {ERR_NONE, ""};
		struct devlog_entry entry = {-1, NULL, DEVLOG_ENGLISH, {NULL, 0}};
		int result =
			devlog_find(&arena, span_of(rows[i].file), rows[i].version, &entry, &err);
		ck_assert_int_eq(result, rows[i].found < 0 ? -1 : 0);
		ck_assert_int_eq(entry.version, rows[i].found);
		ck_assert_int_eq(entry.language, rows[i].language);
		ck_assert(result < 0 || entry.text.ptr == strstr(rows[i].file, "### V") ||
			  rows[i].file == log);
		ck_assert_msg(strstr(entry.heading ? entry.heading : err.text, rows[i].text),
			      "%zu: %s", i, err.text);
		arena_free(&arena);
	}
}
END_TEST

/* "$" stands for the new entry's number, "+" for the entry without its last newline. */
static const struct {
	const char *name, *file, *expected;
	int64_t version, number;
} additions[] = {
	{"behind the newest", "## Development log\n\n### V1: a\n\nx\n\n## End\n",
	 "## Development log\n\n### V1: a\n\nx\n\n+\n\n## End\n", -1, 2},
	{"oldest first", "### V1: a\n### V2: b\ny\n", "### V1: a\n### V2: b\ny\n\n+\n", -1, 3},
	{"in no order", "### V1: a\n### V3: c\n### V2: b\n",
	 "### V1: a\n### V3: c\n\n+\n\n### V2: b\n", -1, 4},
	{"newest first", "## Development log\n\nNews.\n\n### V2: b\n\n### V1: a\n",
	 "## Development log\n\nNews.\n\n+\n\n### V2: b\n\n### V1: a\n", -1, 3},
	{"newest first, right below the heading", "## Development log\n### V2: b\n### V1: a\n",
	 "## Development log\n\n+\n\n### V2: b\n### V1: a\n", -1, 3},
	{"an empty log", "# T\n\n## Development log\n\nSoon.\n\n## End\n",
	 "# T\n\n## Development log\n\nSoon.\n\n+\n\n## End\n", -1, 1},
	{"no log", "# T\n\ntext", "# T\n\ntext\n\n## Development log\n\n+", -1, 1},
	{"nothing at all", "", "## Development log\n\n+\n", -1, 1},
	{"a number that is asked for", "### V1: a\n", "### V1: a\n\n+\n", 7, 7},
	{"the newest of several logs",
	 "## Development log\n### V9: z\n## Development log\n### V3: c\n### V2: b\n",
	 "## Development log\n### V9: z\n\n+\n\n## Development log\n### V3: c\n### V2: b\n", -1,
	 10},
	{"not below what only looks like an entry",
	 "## Development log\n### V1: a\n```\n### V5: no\n```\n",
	 "## Development log\n### V1: a\n```\n### V5: no\n```\n\n+\n", -1, 2},
};

static int add_newest(struct arena *arena, const char *file, int64_t version, struct strbuf *out,
		      struct error *err)
{
	struct devlog_entry entry;
	if (devlog_next(arena, span_of(file), version, &entry, err) < 0)
		return -1;
	const char *text =
		arena_printf(arena, "### V%d: new\n\nwords\n\n" TEXT, (int)entry.version);
	struct devlog_fill fill = {span_of(file), span_of(text), entry.version, DEVLOG_ENGLISH};
	return devlog_add(&fill, out, err);
}

START_TEST(entries_are_added)
{
	for (size_t i = 0; i < sizeof additions / sizeof *additions; i++) {
		struct arena arena = {0};
		struct strbuf out = {NULL, 0, 0}, expected = {NULL, 0, 0};
		struct error err = {ERR_NONE, ""};
		for (const char *c = additions[i].expected; *c; c++)
			if (*c == '+')
				strbuf_addf(&expected,
					    "### V%d: new\n\nwords\n\n**Issues**:\n\n**Insights**:",
					    (int)additions[i].number);
			else
				strbuf_addch(&expected, *c);
		int result =
			add_newest(&arena, additions[i].file, additions[i].version, &out, &err);
		ck_assert_msg(result == 0, "%s: %s", additions[i].name, err.text);
		ck_assert_msg(strcmp(strbuf_text(&out), strbuf_text(&expected)) == 0, "%s: got\n%s",
			      additions[i].name, strbuf_text(&out));
		strbuf_free(&out);
		strbuf_free(&expected);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(entries_that_cannot_be_added)
{
	static const struct {
		const char *file;
		int64_t version;
		const char *message;
	} rows[] = {
		{"### V1: a\n", 1, "already has an entry \"V1: a\""},
		{"### V1: a\n\n```\ncode\n", -1, "must not end inside code or HTML"},
		{"<!-- open\n", -1, "must not end inside code or HTML"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct strbuf out = {NULL, 0, 0};
		struct error err = {ERR_NONE, ""};
		ck_assert_int_eq(add_newest(&arena, rows[i].file, rows[i].version, &out, &err), -1);
		ck_assert_msg(strstr(err.text, rows[i].message) != NULL, "%s", err.text);
		ck_assert_uint_eq(out.len, 0);
		arena_free(&arena);
	}
}
END_TEST

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
		"===",
		"---",

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
		"## 开发日志",
		"### V4：d",
		"Development log\n---",
		"**性能**（x）：",
		"**现存问题**：",
		"**Insights:**",
		"**Issues**: todo",
		"- Todo",
		"- [Remaining problems]",
		"-",
		"- small DMA\n- spills\n<!-- rooflog 7c070eb258bc2a4b: proposed -->",
		"<!-- rooflog 7c070eb258bc2a4b: proposed -->",
		"**Issues**:\n- mine",
		"**Insights**:\n\n> mine",
		"- [x] done\n  - todo",
		"```\n### V9: in code\n```",
		"<details>\n\n- folded\n\n</details>",
		"|",
		"-",
	};
	static const char *const ends[] = {"\n", "\n", "\n", "\r\n", "\r"};
	size_t mixed = random_below(8), usual = random_below(5);
	if (random_below(3) == 0)
		strbuf_addstr(out, "## Development log\n\n### V2: b\n\n**Issues**:\n\n");
	for (size_t lines = random_below(40); lines > 0; lines--) {
		strbuf_addstr(out, pieces[random_below(sizeof pieces / sizeof *pieces)]);
		if (lines > 1 || random_below(2))
			strbuf_addstr(out, ends[mixed ? usual : random_below(5)]);
	}
}

/* The next line with its end, as Markdown splits them. */
static struct span next_line(struct span *rest)
{
	size_t len = 0;
	while (len < rest->len && rest->ptr[len] != '\n' && rest->ptr[len] != '\r')
		len++;
	if (len < rest->len)
		len += span_starts(span_from(*rest, len), "\r\n") ? 2 : 1;
	struct span line = {rest->ptr, len};
	*rest = span_from(*rest, len);
	return line;
}

/* A line that can neither belong to a block or a slot nor be written by the machine. */
static bool is_persons(struct span line)
{
	static const char *const kept[] = {
		"## ",    "### V",    "#### deep", "# top",    "- item",    "  - nested", "> ",
		"1. one", "**bold**", "```",       "~~~",      "<div>",     "</div>",     "<!-- c",
		"---",    "- mine",   "- [x]",     "- folded", "<details>", "</details>"};
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (span_starts(line, kept[i]))
			return true;
	return false;
}

/* Every line of a person's is there in its order with its end, up to that of the last line. */
static bool same_persons_lines(struct span a, struct span b)
{
	for (;;) {
		struct span x = {NULL, 0}, y = {NULL, 0};
		while (a.len && !x.ptr) {
			struct span line = next_line(&a);
			x = is_persons(line) ? line : x;
		}
		while (b.len && !y.ptr) {
			struct span line = next_line(&b);
			y = is_persons(line) ? line : y;
		}
		if (!x.ptr || !y.ptr)
			return !x.ptr && !y.ptr;
		if (!span_eq(a.len ? x : span_trim(x), a.len ? y : span_trim(y)))
			return false;
	}
}

/* How many bytes both texts begin with, and how many of the rest they end with. */
static size_t common_bytes(struct span a, struct span b)
{
	size_t prefix = 0, suffix = 0, least = a.len < b.len ? a.len : b.len;
	while (prefix < least && a.ptr[prefix] == b.ptr[prefix])
		prefix++;
	while (suffix < least - prefix && a.ptr[a.len - 1 - suffix] == b.ptr[b.len - 1 - suffix])
		suffix++;
	return prefix + suffix;
}

struct tally {
	size_t filled, refused, proposed, unplaced;
};

/* One document, filled twice: the second time changes nothing, and what a person wrote is there. */
static void check_random(struct span file, const char *text, struct tally *tally)
{
	struct arena arena = {0};
	struct strbuf once = {NULL, 0, 0}, twice = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	const char *unplaced = NULL;
	struct devlog_fill fill = {file, span_of(text), -1, DEVLOG_ENGLISH};
	if (devlog_fill(&arena, &fill, &once, &unplaced, &err) < 0) {
		tally->refused += strstr(err.text, "found again") != NULL;
	} else {
		tally->filled++;
		tally->unplaced += unplaced != NULL;
		tally->proposed += strstr(strbuf_text(&once), ": proposed; ") != NULL;
		ck_assert_msg(same_persons_lines(file, strbuf_span(&once)), "%.*s\n=====\n%s",
			      (int)file.len, file.ptr, strbuf_text(&once));
		/* Without slots one piece differs, which is no longer than a block. */
		size_t same = common_bytes(file, strbuf_span(&once));
		enum { line_ends = 16 };
		ck_assert(strcmp(text, BLOCK) != 0 || once.len - same <= sizeof BLOCK + line_ends);
		fill.file = strbuf_span(&once);
		ck_assert_int_eq(devlog_fill(&arena, &fill, &twice, &unplaced, &err), 0);
		ck_assert_msg(span_eq(strbuf_span(&once), strbuf_span(&twice)),
			      "%.*s\n=====\n%s\n=====\n%s", (int)file.len, file.ptr,
			      strbuf_text(&once), strbuf_text(&twice));
	}
	strbuf_free(&once);
	strbuf_free(&twice);
	arena_free(&arena);
}

START_TEST(random_documents_keep_every_other_byte)
{
	struct tally tally = {0, 0, 0, 0};
	for (int round = 0; round < 5000; round++) {
		struct strbuf file = {NULL, 0, 0};
		random_document(&file);
		check_random(strbuf_span(&file), round % 2 ? TEXT : BLOCK, &tally);
		strbuf_free(&file);
	}
	printf("%zu documents filled, %zu refused, %zu with proposals, %zu without place\n",
	       tally.filled, tally.refused, tally.proposed, tally.unplaced);
	fflush(stdout);
	ck_assert_uint_gt(tally.filled, 2000);
	ck_assert_uint_gt(tally.proposed, 100);
	ck_assert_uint_lt(tally.refused, tally.filled / 4);
	ck_assert_uint_lt(tally.unplaced, tally.filled / 20);
}
END_TEST

/* A new entry is put in, and nothing else. */
START_TEST(random_documents_get_entries)
{
	size_t added = 0, refused = 0;
	for (int round = 0; round < 1000; round++) {
		struct arena arena = {0};
		struct strbuf file = {NULL, 0, 0}, out = {NULL, 0, 0};
		struct error err = {ERR_NONE, ""};
		random_document(&file);
		if (memchr(strbuf_text(&file), '\0', file.len))
			continue;
		if (add_newest(&arena, strbuf_text(&file), -1, &out, &err) < 0) {
			refused++;
		} else {
			added++;
			ck_assert_msg(common_bytes(strbuf_span(&file), strbuf_span(&out)) ==
					      file.len,
				      "%s\n=====\n%s", strbuf_text(&file), strbuf_text(&out));
		}
		strbuf_free(&file);
		strbuf_free(&out);
		arena_free(&arena);
	}
	printf("%zu entries added, %zu refused\n", added, refused);
	ck_assert_uint_gt(added, refused * 3);
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
	strbuf_repeat(&text, "0123456789abcde\n", (1 << 20) + 1);
	ck_assert_int_eq(fill_newest(&arena, strbuf_span(&text), BLOCK, &out, &err), -1);
	ck_assert_str_eq(err.text, "a Markdown text of more than 16 MiB");
	strbuf_free(&text);
}
END_TEST

UNIT_MAIN("devlog", filling, proposals, entries_are_chosen, entries_are_added,
	  entries_that_cannot_be_added, random_documents_get_entries, refusals, entry_is_named,
	  random_documents_keep_every_other_byte, markdown_becomes_safe_html, size_is_limited)
