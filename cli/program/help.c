/* Pages of help, 80 columns wide. */
#include "cli/program/help.h"

#include "base/text/text.h"
#include "cli/program/program.h"
#include "cli/program/topics.h"

enum { COLUMNS = 80 };

static const char *const group_titles[GROUP_LIMIT] = {
	[GROUP_EVERY_DAY] = "Every day",
	[GROUP_STORE] = "Store",
	[GROUP_FOLLOW_UP] = "Follow up a regression",
	[GROUP_PUBLISH] = "Publish",
	[GROUP_OTHER] = "Look closer, set up",
};

static const struct command *next_of(const struct command *command)
{
	for (size_t i = 0; cli_commands[i]; i++)
		if (cli_commands[i] == command)
			return cli_commands[i + 1];
	return NULL;
}

/* "  rm, mv            remove runs; rename series" */
static void add_summary(const struct command *command, struct strbuf *out)
{
	enum { TEXT = 20 };
	const struct command *next = command->with_next ? next_of(command) : NULL;
	size_t start = out->len;
	strbuf_addf(out, "  %s%s%s", command->name, next ? ", " : "", next ? next->name : "");
	strbuf_pad(out, out->len - start, TEXT);
	strbuf_addf(out, "%s%s%s\n", command->summary, next ? "; " : "", next ? next->summary : "");
}

void help_first_page(struct strbuf *out)
{
	strbuf_addstr(out, "usage: rooflog COMMAND [ARGUMENT]... [OPTION]...\n\n"
			   "Track accelerator kernel performance by git commit, from profiler "
			   "output.\n");
	for (int group = 0; group < GROUP_LIMIT; group++) {
		strbuf_addf(out, "\n%s\n", group_titles[group]);
		for (size_t i = 0; cli_commands[i]; i++) {
			if ((int)cli_commands[i]->group != group)
				continue;
			add_summary(cli_commands[i], out);
			i += cli_commands[i]->with_next;
		}
	}
	strbuf_addstr(out, "\n'rooflog help COMMAND' explains a command, 'rooflog help TOPIC' a "
			   "topic:\n");
	for (size_t i = 0; topics[i].summary; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", topics[i].name);
	strbuf_addstr(out, ".\n");
}

const char *help_text(struct arena *arena, const struct command *command, const char *text)
{
	size_t at = span_find(span_of(text), "{}");
	if (!command->listing || !text[at])
		return text;
	return arena_printf(arena, "%.*s%s%s", (int)at, text, command->listing(arena),
			    text + at + 2);
}

static void add_usage(struct arena *arena, const struct command *command, struct strbuf *out)
{
	struct span rest = span_of(help_text(arena, command, command->usage));
	for (bool first = true; rest.ptr; first = false) {
		struct span line = span_cut(&rest, '\n');
		strbuf_addstr(out, first ? "usage: " : "       ");
		fill_words(out,
			   arena_printf(arena, "rooflog %s %.*s", command->name, (int)line.len,
					line.ptr),
			   7);
	}
}

static void add_examples(const struct command *command, struct strbuf *out)
{
	strbuf_addstr(out, "\nExamples\n");
	for (size_t i = 0; command->examples[i]; i++)
		strbuf_addf(out, "  %s\n", command->examples[i]);
}

/* The rows of a group: a part for each verb, and what they share. */
static void add_verb_options(const struct command *group, struct strbuf *out)
{
	for (size_t i = 0; group->verbs[i]; i++) {
		const struct command *verb = group->verbs[i];
		if (verb->options != group->options)
			options_help(verb->options, group->options, strrchr(verb->name, ' ') + 1,
				     out);
	}
}

/* "Also: filters ('rooflog help filters'), common options ('rooflog help options')." */
static void add_shared(struct arena *arena, const struct command *command, struct strbuf *out)
{
	struct strbuf sets = {0};
	options_sets(command->options, &sets);
	for (size_t i = 0; command->verbs && command->verbs[i]; i++)
		options_sets(command->verbs[i]->options, &sets);
	strbuf_addstr(&sets, "common options ('rooflog help options')");
	fill_words(out, arena_printf(arena, "Also: %s.", strbuf_text(&sets)), 0);
	strbuf_free(&sets);
}

void help_page(struct arena *arena, const struct command *command, struct strbuf *out)
{
	const char *blank = strchr(command->name, ' ');
	if (blank)
		command = program_command(
			arena_strndup(arena, command->name, (size_t)(blank - command->name)));
	assert(command);
	add_usage(arena, command, out);
	strbuf_addch(out, '\n');
	fill_lines(out, help_text(arena, command, command->about), COLUMNS);
	add_examples(command, out);
	if (command->lists)
		strbuf_addf(out, "\n%s\n", command->lists);
	if (command->verbs)
		add_verb_options(command, out);
	options_help(command->options, NULL, "Options", out);
	strbuf_addch(out, '\n');
	if (command->notes)
		strbuf_addf(out, "%s\n", command->notes);
	add_shared(arena, command, out);
}
