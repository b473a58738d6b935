/* command: rows and command lines, without running anything. */
#include "cli/program/program.h"

#include <string.h>

#include "cli/config/similar.h"
#include "unit/unit.h"

enum { WORD_LIMIT = 16 };

/* The words of a line, as a shell splits them: blanks, and quotes. */
static size_t split(struct arena *arena, const char *line, char *words[WORD_LIMIT])
{
	size_t count = 0;
	for (line += strspn(line, " "); *line; line += strspn(line, " ")) {
		struct strbuf word = {0};
		for (bool quoted = false; *line && (quoted || *line != ' '); line++) {
			if (*line == '\'')
				quoted = !quoted;
			else
				strbuf_addch(&word, *line);
		}
		ck_assert_uint_lt(count, WORD_LIMIT);
		words[count++] = arena_strndup(arena, strbuf_text(&word), word.len);
		strbuf_free(&word);
	}
	return count;
}

/* What a line of words after "rooflog" gives: 0, 1 or -1 with the error's text. */
static int parse_line(struct arena *arena, const char *line, struct error *err)
{
	char *words[WORD_LIMIT] = {NULL};
	struct arguments all = {words, split(arena, line, words)};
	struct cli cli = {.now = 0};
	const struct command *command = program_command(words[0]);
	ck_assert_msg(command != NULL, "%s: no such command", line);
	const struct command *verb =
		command->verbs && all.count > 1 ? program_verb(command, words[1]) : NULL;
	if (verb) {
		command = verb;
		all = (struct arguments){words + 1, all.count - 1};
	}
	void *options = arena_alloc(arena, command->options_size + 1);
	int rc = program_parse(command, all, &cli, options, err);
	cli_free(&cli);
	return rc;
}

static void check_rows(const char *name, const struct option *rows)
{
	for (const struct option *o = rows; o && o->kind != OPTION_END; o++) {
		if (o->kind == OPTION_TITLE || o->kind == OPTION_SET) {
			ck_assert_msg(o->help != NULL, "%s has an empty heading", name);
			continue;
		}
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

static void check_verbs(const struct command *group)
{
	for (size_t i = 0; group->verbs && group->verbs[i]; i++) {
		const struct command *verb = group->verbs[i];
		size_t len = strlen(group->name);
		ck_assert_msg(strncmp(verb->name, group->name, len) == 0 && verb->name[len] == ' ',
			      "%s is a verb of %s", verb->name, group->name);
		ck_assert_msg(verb->summary && verb->run, "%s", verb->name);
		check_rows(verb->name, verb->options);
	}
}

START_TEST(rows_are_complete)
{
	for (size_t i = 0; cli_commands[i]; i++) {
		const struct command *row = cli_commands[i];
		const char *name = row->name;
		ck_assert_msg(row->summary && row->usage && row->about, "%s", name);
		ck_assert_msg(row->run || row->verbs, "%s does nothing", name);
		ck_assert_msg(row->examples[0], "%s has no example", name);
		check_rows(name, row->options);
		check_verbs(row);
	}
}
END_TEST

START_TEST(examples_parse)
{
	struct arena arena = {0};
	for (size_t i = 0; cli_commands[i]; i++)
		for (size_t k = 0; cli_commands[i]->examples[k]; k++) {
			const char *text = cli_commands[i]->examples[k];
			const char *start = strstr(text, "rooflog ");
			struct error err = {0};
			ck_assert_msg(start != NULL, "%s", text);
			start += strlen("rooflog ");
			/* Where it starts comes before the command. */
			if (strncmp(start, "-C ", 3) == 0 && strchr(start + 3, ' '))
				start = strchr(start + 3, ' ') + 1;
			/* The remark, and what the shell takes. */
			size_t end = span_find(span_of(start), "  ");
			char *line = arena_strndup(&arena, start, strcspn(start, ">"));
			line[end < strlen(line) ? end : strlen(line)] = '\0';
			const char *name = cli_commands[i]->name;
			ck_assert_msg(strncmp(start, name, strlen(name)) == 0,
				      "%s is an example of %s", text, name);
			ck_assert_msg(parse_line(&arena, line, &err) == 0, "%s: %s", text,
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
	{"analyze buckets HEAD matmul", NULL},
	{"calibrate HEAD HEAD~1", "takes one commit, not 2"},
	{"log attention s=512", NULL},
	{"doctor HEAD", "unexpected argument: HEAD"},
	{"log --max-count 1e9", NULL},
	{"log --max-count 0", "--max-count 0: expected a whole number from 1 to 1000000000"},
	{"log --max-count 1.5", "--max-count 1.5: expected a whole number from 1 to 1000000000"},
	{"log --view series", NULL},
	{"log --view serie", "--view serie: expected runs, series, history, candidates or edits\n"
			     "hint: did you mean 'series'?"},
	{"ingest --decimal , x", NULL},
	{"ingest --decimal ; x", "--decimal ;: expected . or ,"},
	{"ingest", "FILE is missing (- reads standard input)"},
	{"ingest a b c d", NULL},
	{"analyze fusion --margin 0", NULL},
	{"analyze fusion --margin '5 %'", NULL},
	{"stats judge --q 1", "--q 1: expected a share like 10% or 0.1, between 0 and 1"},
	{"stats judge --q 10%", NULL},
	{"stats judge --noise 0.01", NULL},
	{"baseline", NULL},
	{"inspect --store x f", "inspect uses no store"},
	{"stats judge --config x f", "stats judge uses no configuration"},
	{"list metrics --store x", "list metrics uses no store"},
	{"list devices --config x", NULL},
	{"list kernels --store x", NULL},
	{"baseline set", "takes NAME and perhaps COMMIT, not 0"},
	{"baseline pin v1 HEAD", NULL},
	{"list metrics mfu", NULL},
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
	{"log -n", "--max-count needs a value: --max-count N"},
	{"log -0", "--max-count 0: expected a whole number from 1 to 1000000000"},
	{"show -5", "unknown option -5; -h lists them"},
	{"gate -C one -C two -o verdict.txt", NULL},
	{"gate -C", "-C needs a value: -C DIR"},
	{"show --json=1", "--json takes no value"},
	{"show --kernel", "--kernel needs a value: --kernel GLOB"},
	{"gate --selftest", NULL},
	{"gate --selftest=5 HEAD", NULL},
	{"gate -- --json", NULL},
	{"chart", "expected: chart roofline|occupancy|timeline|latency|distribution|trend"
		  " [-o FILE] [FILE | RUN | COMMIT | SERIES]..."},
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
	{"cal", "calibrate"},
	{"ba", NULL},
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
		for (size_t k = 0; cli_commands[k]; k++)
			similar_offer(&similar, cli_commands[k]->name);
		const char *expected = similar_words[i].word;
		ck_assert_msg(span_text_eq(similar.word, expected), "%s: %s",
			      similar_words[i].wanted, similar.word ? similar.word : "nothing");
	}
}
END_TEST

UNIT_MAIN("command", rows_are_complete, examples_parse, lines_are_checked, similar_words_are_found)
