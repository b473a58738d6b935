/* command: rows and command lines, without running anything. */
#include "cli/command.h"

#include <string.h>

#include "cli/config/similar.h"
#include "unit/unit.h"

enum { WORD_LIMIT = 16 };

/* The words of a line, as a shell splits them: blanks, and quotes around words. */
static size_t split(struct arena *arena, const char *line, char *words[WORD_LIMIT])
{
	size_t count = 0;
	while (*line) {
		line += strspn(line, " ");
		size_t quoted = *line == '\'';
		size_t len = strcspn(line + quoted, quoted ? "'" : " ");
		ck_assert_uint_lt(count, WORD_LIMIT);
		words[count++] = arena_strndup(arena, line + quoted, len);
		line += quoted + len + quoted;
	}
	return count;
}

/* What a line of words after "rooflog" gives: 0, 1 or -1 with the error's text. */
static int parse_line(struct arena *arena, const char *line, struct error *err)
{
	char *words[WORD_LIMIT];
	struct arguments all = {words, split(arena, line, words)};
	struct cli cli = {.now = 0};
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, words[0]) == 0) {
			void *options = arena_alloc(arena, commands[i]->options_size + 1);
			int rc = command_parse(commands[i], all, &cli, options, err);
			cli_free(&cli);
			return rc;
		}
	ck_abort_msg("%s: no such command", line);
}

static void check_rows(const char *name, const struct option *rows)
{
	for (const struct option *o = rows; o && o->kind != OPTION_END; o++) {
		if (o->kind == OPTION_ROWS) {
			ck_assert_msg(o->rows != NULL, "%s has an empty group", name);
			check_rows(name, o->rows);
			continue;
		}
		ck_assert_msg((o->name || o->letter) && o->help &&
				      !o->argument == (o->kind == OPTION_FLAG),
			      "%s --%s", name, o->name ? o->name : "?");
		if (o->kind == OPTION_NUMBER)
			ck_assert_msg(o->expected != NULL, "%s --%s", name, o->name);
		if (o->kind == OPTION_WHOLE)
			ck_assert_msg(o->high > o->low, "%s --%s", name, o->name);
	}
}

START_TEST(rows_are_complete)
{
	for (size_t i = 0; commands[i]; i++) {
		const struct command *row = commands[i];
		const char *name = row->name;
		ck_assert_msg(row->summary && row->usage && row->about && row->run, "%s", name);
		ck_assert_msg(row->examples[0], "%s has no example", name);
		check_rows(name, row->options);
	}
}
END_TEST

START_TEST(examples_parse)
{
	struct arena arena = {0};
	for (size_t i = 0; commands[i]; i++)
		for (size_t k = 0; commands[i]->examples[k]; k++) {
			const char *text = commands[i]->examples[k];
			const char *start = strstr(text, "rooflog ");
			struct error err = {0};
			ck_assert_msg(start != NULL, "%s", text);
			start += strlen("rooflog ");
			ck_assert_msg(
				strncmp(start, commands[i]->name, strlen(commands[i]->name)) == 0,
				"%s is an example of %s", text, commands[i]->name);
			ck_assert_msg(parse_line(&arena, start, &err) == 0, "%s: %s", text,
				      err.text);
		}
	arena_free(&arena);
}
END_TEST

static const struct {
	const char *line, *message; /* NULL: none */
} lines[] = {
	{"show", NULL},
	{"show --json HEAD", NULL},
	{"buckets HEAD HEAD~1", "takes one commit, not 2"},
	{"log attention s=512", NULL},
	{"doctor HEAD", "takes no argument: HEAD"},
	{"log --limit 1e9", NULL},
	{"log --limit 0", "--limit 0: expected a whole number from 1 to 1000000000"},
	{"log --limit 1.5", "--limit 1.5: expected a whole number from 1 to 1000000000"},
	{"log --view series", NULL},
	{"log --view serie", "--view serie: expected runs, series, history or edits"},
	{"ingest --decimal , x", NULL},
	{"ingest --decimal ; x", "--decimal ;: expected . or ,"},
	{"ingest", "no PATH is given; - reads standard input"},
	{"ingest a b c d", NULL},
	{"fusion --margin 0", NULL},
	{"fusion --margin '5 %'", NULL},
	{"fusion --noise 1", "--noise 1: expected a fraction such as 0.05 or 5 %"},
	{"bisect --error 0", "--error 0: expected a share like 1% or 0.01, below 0.5"},
	{"bisect --error 0.49", NULL},
	{"judge --q 1", "--q 1: expected a number between 0 and 1"},
	{"show --color sometimes", "--color sometimes: expected auto, always or never"},
	{"show --jsn", "unknown option --jsn\nhint: did you mean --json?"},
	{"show -json", "unknown option -json\nhint: did you mean --json?"},
	{"show --xyz", "unknown option --xyz; -h lists them"},
	{"show -x", "unknown option -x; -h lists them"},
	{"show -q -k mlp HEAD", NULL},
	{"show -qk mlp", "unknown option -qk; -h lists them"},
	{"log -n 5", NULL},
	{"log -n5", NULL},
	{"log -5", NULL},
	{"log -n", "--limit needs a value: --limit N"},
	{"log -0", "--limit 0: expected a whole number from 1 to 1000000000"},
	{"show -5", "unknown option -5; -h lists them"},
	{"gate -C one -C two -o verdict.txt", NULL},
	{"gate -C", "-C needs a value: -C DIR"},
	{"show --json=1", "--json takes no value"},
	{"show --kernel", "--kernel needs a value: --kernel GLOB"},
	{"gate --selftest", NULL},
	{"gate --selftest=5 HEAD", NULL},
	{"gate -- --json", NULL},
	{"chart", "expected: chart roofline|occupancy|timeline|latency|fusion|buckets|distribution|"
		  "trend [-o FILE] [FILE | RUN | COMMIT | SERIES]..."},
};

START_TEST(lines_are_checked)
{
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct error err = {0};
		int rc = parse_line(&arena, lines[i].line, &err);
		ck_assert_msg(rc == (lines[i].message ? -1 : 0), "%s: %s", lines[i].line, err.text);
		if (lines[i].message)
			ck_assert_str_eq(err.text, lines[i].message);
	}
	arena_free(&arena);
}
END_TEST

static const struct {
	const char *wanted, *word; /* NULL: nothing is near */
} similar_words[] = {
	{"gate", "gate"},
	{"gaet", "gate"},
	{"gat", "gate"},
	{"gates", "gate"},
	{"aget", NULL},
	{"calbirate", "calibrate"},
	{"calibrtaes", "calibrate"},
	{"ingets", "ingest"},
	{"g", NULL},
	{"", NULL},
	{"measure", NULL},
	{"a-word-of-more-than-thirty-one-letters", NULL},
};

START_TEST(similar_words_are_found)
{
	for (size_t i = 0; i < sizeof similar_words / sizeof *similar_words; i++) {
		struct similar similar = similar_to(span_of(similar_words[i].wanted));
		for (size_t k = 0; commands[k]; k++)
			similar_offer(&similar, commands[k]->name);
		const char *expected = similar_words[i].word;
		ck_assert_msg(span_text_eq(similar.word, expected), "%s: %s",
			      similar_words[i].wanted, similar.word ? similar.word : "nothing");
	}
}
END_TEST

UNIT_MAIN("command", rows_are_complete, examples_parse, lines_are_checked, similar_words_are_found)
