/* vcs/config: a table of documents, and the git program as the judge of these and random ones. */
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/system/file.h"
#include "base/system/process.h"
#include "base/strbuf.h"
#include "vcs/backend/config.h"

/* "section.subsection.key\nvalue" and a NUL per entry, as `git config --list -z` prints them;
 * only git distinguishes a missing value from "true", so both are printed with a value here. */
static void print_ours(struct strbuf *out, const struct config *config)
{
	for (size_t i = 0; i < config->count; i++) {
		const struct config_entry *entry = &config->entries[i];
		strbuf_addf(out, "%s%s%s.%s\n%s", entry->section, *entry->subsection ? "." : "",
			    entry->subsection, entry->key, entry->value);
		strbuf_addch(out, '\0');
	}
}

/* False if git is not installed. The text is empty if git rejects the document. */
static bool print_gits(struct strbuf *out, struct span document, bool *accepted)
{
	char path[] = "/tmp/check_config.XXXXXX";
	struct error err;
	struct process_result result;
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(file_write(path, document, &err), 0);
	const char *const argv[] = {"git", "config", "--file", path, "--list", "-z", NULL};
	struct process_request request = {
		.argv = argv, .directory = "/", .limit = 1 << 20, .seconds = 60};
	int code = process_run(&request, &result, &err);
	unlink(path);
	if (code)
		return false;
	*accepted = result.status == 0;
	struct span rest = strbuf_span(&result.out);
	while (*accepted && rest.len) {
		struct span entry = span_cut(&rest, '\0');
		strbuf_addspan(out, entry);
		if (memchr(entry.ptr, '\n', entry.len) == NULL)
			strbuf_addstr(out, "\ntrue");
		strbuf_addch(out, '\0');
	}
	process_result_free(&result);
	return true;
}

static void compare_with_git(const char *text, size_t len)
{
	struct span document = {text, len};
	struct arena arena = {0};
	struct config config = {0};
	struct error err = {0};
	struct strbuf ours = {0}, gits = {0};
	bool accepted = false;
	int code = config_parse(&arena, "X", document, &config, &err);
	if (print_gits(&gits, document, &accepted)) {
		ck_assert_msg((code == 0) == accepted, "%s: ours %d, git's %d: %s", text, code,
			      accepted, err.text);
		print_ours(&ours, &config);
		if (code == 0)
			ck_assert_msg(span_eq(strbuf_span(&ours), strbuf_span(&gits)),
				      "%s\nours: %s\ngit's: %s", text, strbuf_text(&ours),
				      strbuf_text(&gits));
	}
	strbuf_free(&ours);
	strbuf_free(&gits);
	arena_free(&arena);
}

START_TEST(values_are_read_as_git_reads_them)
{
	static const struct {
		const char *document, *section, *subsection, *key, *value;
	} rows[] = {
		{"[a]\nb = c\n", "a", NULL, "b", "c"},
		{"[a]\nb=c", "a", "", "b", "c"},
		{"[A]\nB=C", "a", "", "b", "C"},
		{"[a \"X y\"]\nb=c", "a", "X y", "b", "c"},
		{"[a \"X\"]\nb=c", "a", "x", "b", NULL},
		{"[a \"q\\\"\\\\z\"]\nb=c", "a", "q\"\\z", "b", "c"},
		{"[a.B]\nb=c", "a", "b", "b", "c"},
		{"[a]\nflag\n", "a", "", "flag", "true"},
		{"[a]\nflag", "a", "", "flag", "true"},
		{"[a]\nempty=\n", "a", "", "empty", ""},
		{"[a]\nb = \"  x ; y # z  \" ; comment\n", "a", "", "b", "  x ; y # z  "},
		{"[a]\nb = one  two\t\n", "a", "", "b", "one  two"},
		{"[a]\nb = \\ttab\\n\\\\\\\"\\b.\n", "a", "", "b", "\ttab\n\\\"\b."},
		{"[a]\nb = one \\\n  two\n", "a", "", "b", "one   two"},
		{"[a]\nb = \"one \\\n  two\"\n", "a", "", "b", "one   two"},
		{"[a]\r\nb = c\r\nd\r\n", "a", "", "b", "c"},
		{"\xef\xbb\xbf[a]\nb=c\n", "a", "", "b", "c"},
		{"# x\n; y\n[a] b = c # d\n", "a", "", "b", "c"},
		{"[a]\nb=1\n[A]\nb=2\n", "a", "", "b", "2"},
		{"[a]\nb = x\"y z\"w\n", "a", "", "b", "xy zw"},
		{"[a]\nb = x\\", "a", "", "b", "x"},
		{"[a]\nb = \"\" x\n", "a", "", "b", "x"},
		{"[a]\nb = x \"\"\n", "a", "", "b", "x "},
		{"[a]\nb = x \\\n\n", "a", "", "b", "x "},
		{"", "a", "", "b", NULL},
		{"[a]", "a", "", "b", NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct config config = {0};
		struct error err = {0};
		ck_assert_msg(config_parse(&arena, "X", span_of(rows[i].document), &config, &err) ==
				      0,
			      "%s: %s", rows[i].document, err.text);
		ck_assert_pstr_eq(
			config_get(&config, rows[i].section, rows[i].subsection, rows[i].key),
			rows[i].value);
		arena_free(&arena);
		compare_with_git(rows[i].document, strlen(rows[i].document));
	}
}
END_TEST

START_TEST(faults_are_named_with_file_and_line)
{
	static const struct {
		const char *document, *message;
	} rows[] = {
		{"[a]\nb = \"open\n", "X:2: the quoted value is not closed on its line"},
		{"\n[a\n", "X:2: expected [section \"subsection\"]"},
		{"[a", "X:1: a section's name has letters, digits, - and ., and ends with ]"},
		{"[a b]\n", "X:1: expected [section \"subsection\"]"},
		{"[a \"b\n\"]\n", "X:1: the subsection's name is not closed"},
		{"[a \"b\" ]\n", "X:1: expected ] after the subsection's name"},
		{"[]", "X:1: a section's name has letters, digits, - and ., and ends with ]"},
		{"[a_b]\n", "X:1: a section's name has letters, digits, - and ., and ends with ]"},
		{"[a]\nb c\n", "X:2: expected = after the key (a key has letters, digits and -)"},
		{"[a]\nb # c\n", "X:2: expected = after the key (a key has letters, digits and -)"},
		{"[a]\n\n= c\n", "X:3: expected a [section], a key or a comment"},
		{"[a]\nb = \\\n\\q\n",
		 "X:3: after a backslash only n, t, b, \\, \" and the end of the line are allowed"},
		{"[a]\n1b = c\n", "X:2: expected a [section], a key or a comment"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct config config = {.count = 7};
		struct error err = {0};
		ck_assert_int_eq(
			config_parse(&arena, "X", span_of(rows[i].document), &config, &err), -1);
		ck_assert_int_eq(err.kind, ERR_USAGE);
		ck_assert_str_eq(err.text, rows[i].message);
		ck_assert_uint_eq(config.count, 7);
		arena_free(&arena);
		compare_with_git(rows[i].document, strlen(rows[i].document));
	}
}
END_TEST

START_TEST(faults_that_git_lets_pass)
{
	static const struct {
		struct span document;
		const char *message;
	} rows[] = {
		{{"b = c\n", 6}, "X:1: a key comes before the first [section]"},
		{{"[a]\nb = c\0d\n", 12}, "X:2: a NUL byte is not allowed"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct config config;
		struct error err = {0};
		ck_assert_int_eq(config_parse(&arena, "X", rows[i].document, &config, &err), -1);
		ck_assert_str_eq(err.text, rows[i].message);
		arena_free(&arena);
	}
}
END_TEST

/* Pieces rather than letters, so that many documents are right or nearly so. Unquoted tabs inside
 * values are left out: git kept them from 2.45 on only. */
START_TEST(random_documents_agree_with_git)
{
	static const char *const pieces[] = {
		"[a]\n", "[b \"s\"]\n", "[c.D]", "[",       "]",    "\"",   "\\", "\n", "\n",
		" ",     "x",           "key",   " = ",     "=",    "#",    ";",  "v",  "\\n",
		"é",     "-",           "\r\n",  "\n k = ", "\\\n", "\\\"", "Q1", ".",
	};
	unsigned seed = 20240607;
	for (int i = 0; i < 600; i++) {
		struct strbuf document = {0};
		strbuf_addstr(&document, "[first]\n");
		for (int n = 0; n < 12; n++) {
			seed = seed * 1103515245u + 12345u;
			strbuf_addstr(&document,
				      pieces[(seed >> 16) % (sizeof pieces / sizeof *pieces)]);
		}
		compare_with_git(document.buf, document.len);
		strbuf_free(&document);
	}
}
END_TEST

UNIT_MAIN("config", values_are_read_as_git_reads_them, faults_are_named_with_file_and_line,
	  faults_that_git_lets_pass, random_documents_agree_with_git)
