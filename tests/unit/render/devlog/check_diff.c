/* Unified diffs: what they look like, and that they lead from one text to the other. */
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "render/devlog/diff.h"
#include "unit/random.h"

static const struct {
	const char *name, *before, *after, *diff;
} cases[] = {
	{"nothing", "a\nb\n", "a\nb\n", ""},
	{"a line", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
	{"into an empty text", "", "a\n", "@@ -0,0 +1,1 @@\n+a\n"},
	{"all away", "a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
	{"three lines around", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\nx\n5\n",
	 "@@ -2,4 +2,5 @@\n 2\n 3\n 4\n+x\n 5\n"},
	{"two hunks", "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
	 "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
	{"hunks that touch are one", "a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
	 "@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n"},
	{"no final newline", "a\nb", "a\nb\n",
	 "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
	{"the fewest lines", "a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n",
	 "@@ -1,7 +1,6 @@\n-a\n-b\n c\n+b\n a\n b\n-b\n a\n+c\n"},
};

START_TEST(looks)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct strbuf out = {NULL, 0, 0};
		const struct span texts[] = {span_of(cases[i].before), span_of(cases[i].after)};
		struct diff_look look = {"x.md", false, false};
		diff_unified(&arena, texts, &look, &out);
		const char *names = "--- x.md\n+++ x.md\n";
		const char *body = strbuf_text(&out);
		if (cases[i].diff[0]) {
			ck_assert_msg(strncmp(body, names, strlen(names)) == 0, "%s", body);
			body += strlen(names);
		}
		ck_assert_msg(strcmp(body, cases[i].diff) == 0, "%s: got\n%s", cases[i].name, body);
		strbuf_free(&out);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(names_and_colours)
{
	static const struct {
		struct diff_look look;
		const char *start;
	} rows[] = {
		{{"a b.md", false, false}, "--- a b.md\t\n+++ a b.md\t\n@@"},
		{{"a\n\"b\\", false, false},
		 "--- \"a\\012\\\"b\\\\\"\n+++ \"a\\012\\\"b\\\\\"\n@@"},
		{{"x", true, true},
		 "\033[1m--- x\033[0m\n\033[1m+++ x\033[0m\n\033[36m@@ -1,1 +1,1 @@"
		 "\033[0m\n\033[31m-a<U+001B>[2J\033[0m\n\033[32m+b\033[0m\n"},
		{{"x", false, true}, "--- x\n+++ x\n@@ -1,1 +1,1 @@\n-a<U+001B>[2J\n+b\n"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct strbuf out = {NULL, 0, 0};
		const struct span texts[] = {span_of("a\033[2J\n"), span_of("b\n")};
		diff_unified(&arena, texts, &rows[i].look, &out);
		ck_assert_msg(span_starts(strbuf_span(&out), rows[i].start), "%s",
			      strbuf_text(&out));
		strbuf_free(&out);
		arena_free(&arena);
	}
}
END_TEST

static struct strbuf random_text(size_t most, size_t words)
{
	struct strbuf text = {NULL, 0, 0};
	for (size_t lines = random_below(most); lines > 0; lines--)
		strbuf_addf(&text, "line %zu\n", random_below(words));
	return text;
}

static void take(struct span *rest, struct span *line)
{
	size_t end = span_find(*rest, "\n");
	*line = (struct span){rest->ptr, end < rest->len ? end + 1 : end};
	*rest = (struct span){rest->ptr + line->len, rest->len - line->len};
}

/* What patch does: copies to the hunk, leaves out "-" lines, puts in "+" lines. */
static struct strbuf apply(struct span before, struct span diff)
{
	struct strbuf out = {NULL, 0, 0};
	struct span row, line;
	size_t at = 0;
	while (diff.len) {
		take(&diff, &row);
		size_t start, count;
		if (sscanf(row.ptr, "@@ -%zu,%zu", &start, &count) == 2) {
			for (start -= count > 0; at < start; at++) {
				take(&before, &line);
				strbuf_addspan(&out, line);
			}
		} else if (!span_starts(row, "---") && !span_starts(row, "+++")) {
			struct span text = span_from(row, 1);
			if (*row.ptr != '+') {
				take(&before, &line);
				ck_assert(span_eq(line, text));
				at++;
			}
			if (*row.ptr != '-')
				strbuf_addspan(&out, text);
		}
	}
	strbuf_addspan(&out, before);
	return out;
}

/* The last line of a text without a final newline is tested by its look above. */
START_TEST(random_texts_are_reached)
{
	for (int round = 0; round < 600; round++) {
		struct arena arena = {0};
		bool large = round % 100 == 0; /* more differences than are searched for */
		struct strbuf before = random_text(large ? 3000 : 60, large ? 9000 : 12);
		struct strbuf after = random_text(large ? 3000 : 60, large ? 9000 : 12), out = {0};
		const struct span texts[] = {strbuf_span(&before), strbuf_span(&after)};
		struct diff_look look = {"x", false, false};
		diff_unified(&arena, texts, &look, &out);
		struct strbuf reached = apply(texts[0], strbuf_span(&out));
		ck_assert_msg(span_eq(strbuf_span(&reached), texts[1]), "%s", strbuf_text(&out));
		strbuf_free(&before);
		strbuf_free(&after);
		strbuf_free(&reached);
		strbuf_free(&out);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("diff", looks, names_and_colours, random_texts_are_reached)
