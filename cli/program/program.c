/* The command table and its driver: the command line, and errors as messages and statuses. */
#include "cli/program/program.h"

#include <time.h>
#include <unistd.h>

#include "base/text/text.h"
#include "cli/config/config.h"
#include "cli/program/guesses.h"
#include "cli/program/help.h"
#include "cli/program/topics.h"
#include "render/markup/markup.h"

const struct command *program_command(const char *name)
{
	for (size_t i = 0; cli_commands[i]; i++)
		if (strcmp(name, cli_commands[i]->name) == 0)
			return cli_commands[i];
	return strcmp(name, program_version.name) == 0 ? &program_version : NULL;
}

const struct command *program_verb(const struct command *group, const char *name)
{
	for (size_t i = 0; group->verbs[i]; i++)
		if (strcmp(name, strrchr(group->verbs[i]->name, ' ') + 1) == 0)
			return group->verbs[i];
	return NULL;
}

/* --- the command line --- */

#define FIELD(member) OPTION_FIELD(struct common_options, member)
const struct option program_common_options[] = {
	{FIELD(directories), .letter = 'C', .argument = "DIR", .help = "start in DIR"},
	{FIELD(given), .letter = 'c', .argument = "KEY=VALUE",
	 .help = "set a key of the configuration for this call: gate.noise=2%"},
	{FIELD(store_path), "store", .argument = "STORE",
	 .help = "file or postgresql:// address (default: .rooflog/runs.db)"},
	{FIELD(config_path), "config", .argument = "PATH",
	 .help = "the configuration (default: .rooflog/config)"},
	{FIELD(color), "color", .argument = "WHEN", .help = "auto, always or never",
	 .choices = "auto|always|never"},
	{FIELD(json), "json", .help = "one JSON document instead of text"},
	{FIELD(no_pager), "no-pager", .help = "do not page long output"},
	{FIELD(quiet), "quiet", .help = "suppress notes and warnings", .letter = 'q'},
	{.kind = OPTION_END},
};
static const struct option help_option[] = {
	{.kind = OPTION_FLAG, .name = "help", .letter = 'h', .help = "show this help"},
	{.kind = OPTION_END},
};
static const struct option version_option[] = {
	{.kind = OPTION_FLAG, .name = "version", .letter = 'V', .help = "the version"},
	{.kind = OPTION_END},
};

static int refuse_count(struct arena *arena, const struct command *command, size_t count,
			const char *first, struct error *err)
{
	if (command->expected)
		return error_set(err, ERR_USAGE, "%s",
				 help_text(arena, command, command->expected));
	if (command->takes)
		return error_set(err, ERR_USAGE, "takes %s, not %zu", command->takes, count);
	return error_set(err, ERR_USAGE, "unexpected argument: %s", first);
}

/* Fills the members that the argument rows name. A row for all arguments takes the rest, so it is
 * the last one. */
static int assign_arguments(struct arena *arena, const struct command *command, void *options,
			    const struct arguments *given, struct error *err)
{
	const struct argument *row = command->arguments;
	size_t used = 0;
	assert(command->required <= sizeof command->arguments / sizeof *command->arguments);
	for (; row->name && !row->all && used < given->count; row++)
		*(const char **)((char *)options + row->offset) = given->items[used++];
	if (row->name && row->all) {
		*(struct arguments *)((char *)options + row->offset) =
			(struct arguments){given->items + used, given->count - used};
		used = given->count;
	}
	if (used < given->count || given->count < command->required)
		return refuse_count(arena, command, given->count, given->items[0], err);
	return 0;
}

/* The keys before the command come first, so that those after it win. */
static int join_given(const struct text_list *before, struct text_list *after, struct error *err)
{
	struct text_list all = *before;
	for (size_t i = 0; i < after->count; i++) {
		if (all.count == text_list_limit)
			return error_set(err, ERR_USAGE, "-c is given more than %d times",
					 text_list_limit);
		all.items[all.count++] = after->items[i];
	}
	*after = all;
	return 0;
}

int program_parse(const struct command *command, struct arguments line, struct cli *cli,
		  void *options, struct error *err)
{
	struct option_set set = {.command = command->name, .guess = guess_option};
	bool help = false;
	int rest;
	if (command->defaults)
		memcpy(options, command->defaults, command->options_size);
	options_add(&set, command->options, options);
	options_add(&set, program_common_options, &cli->common);
	options_add(&set, help_option, &help);
	/* Before the command these are accepted, so that wrappers can set them blindly. */
	const struct common_options before = cli->common;
	cli->common.store_path = cli->common.config_path = NULL;
	cli->common.given.count = 0;
	if (options_parse(&set, (int)line.count, line.items, &rest, err) < 0)
		return -1;
	bool configures = cli->common.config_path || cli->common.given.count;
	if ((command->without_store && cli->common.store_path) ||
	    (command->without_config && configures))
		return error_set(err, ERR_USAGE, "%s uses no %s", command->name,
				 command->without_store && cli->common.store_path
					 ? "store"
					 : "configuration");
	if (join_given(&before.given, &cli->common.given, err) < 0)
		return -1;
	if (!cli->common.store_path)
		cli->common.store_path = before.store_path;
	if (!cli->common.config_path)
		cli->common.config_path = before.config_path;
	if (help) {
		struct strbuf page = {0};
		help_page(&cli->arena, command, &page);
		cli_page(cli);
		return cli_print_built(&page, err) < 0 ? -1 : 1;
	}
	struct arguments given = {line.items + 1, (size_t)rest};
	if (assign_arguments(&cli->arena, command, options, &given, err) < 0)
		return -1;
	return options_convert(&set, err);
}

/* --- running --- */

/* The time in reports, Unix seconds, up to the year 9999. SOURCE_DATE_EPOCH makes reports
 * reproducible (https://reproducible-builds.org/specs/source-date-epoch/). */
static int64_t present_time(void)
{
	static const double end = 253402300800;
	const char *fixed = getenv("SOURCE_DATE_EPOCH");
	double seconds;
	if (fixed && span_number(span_of(fixed), &seconds) && seconds >= 0 && seconds < end)
		return (int64_t)seconds;
	return (int64_t)time(NULL);
}

static int64_t microseconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int open_needs(struct cli *cli, enum command_needs needs, struct error *err)
{
	switch (needs) {
	case NEEDS_NOTHING:
		return 0;
	case NEEDS_STORE:
		return cli_open_store(cli, STORE_READ, err);
	case NEEDS_REPOSITORY:
		return cli_open_repository(cli, err);
	}
	return 0;
}

static int change_directory(const struct cli *cli, struct error *err)
{
	const struct text_list *list = &cli->common.directories;
	for (size_t i = 0; i < list->count; i++)
		if (chdir(list->items[i]) < 0)
			return error_errno(err, "-C %.200s", list->items[i]);
	return 0;
}

/* The order matters: no file is opened until the whole command line is known to be valid, so a
 * typing mistake never creates or locks a store. The repository is opened only on demand: most
 * commands never need it, and opening it costs more than many of them. */
static int run_command(struct cli *cli, const struct command *command, struct arguments line,
		       struct error *err)
{
	/* One byte more, because a command without options has options_size 0. */
	void *options = arena_alloc(&cli->arena, command->options_size + 1);
	int rc = program_parse(command, line, cli, options, err);
	if (rc > 0)
		return EXIT_PASS;
	if (rc < 0 ||
	    (cli->common.given.count && settings_check(&cli->arena, &cli->common.given, err) < 0) ||
	    instruction_set_choose(err) < 0 || change_directory(cli, err) < 0 ||
	    cli_protect_work_tree(cli, err) < 0 ||
	    (command->check && command->check(cli, options, err) < 0) ||
	    open_needs(cli, command->needs, err) < 0)
		return -1;
	int status = command->run(cli, options, err);
	if (status >= 0 && cli_failed(cli, err))
		status = -1;
	assert(status >= -1 && status <= 255);
	return status;
}

static void print_error(const char *command, const struct error *err)
{
	struct strbuf clean = {0};
	fflush(stdout);
	terminal_text_lines(&clean, span_of(err->text));
	fprintf(stderr, "rooflog%s%s: %s\n", command[0] ? " " : "", command, strbuf_text(&clean));
	strbuf_free(&clean);
}

/* "'frob': expected detect or judge". */
static int no_verb(const struct command *group, const char *word, struct error *err)
{
	struct strbuf message = {0};
	struct similar similar = similar_to(span_of(word ? word : ""));
	if (word)
		strbuf_addf(&message, "'%.40s': ", word);
	strbuf_addstr(&message, "expected ");
	for (size_t i = 0; group->verbs[i]; i++) {
		const char *name = strrchr(group->verbs[i]->name, ' ') + 1;
		similar_offer(&similar, name);
		strbuf_addf(&message, "%s%s",
			    i == 0                ? ""
			    : group->verbs[i + 1] ? ", "
						  : " or ",
			    name);
	}
	similar_refuse(&similar, strbuf_text(&message), err);
	strbuf_free(&message);
	return -1;
}

/* Finds the verb of a group, after common options, and takes the group's name out of the line.
 * Without a verb the line stays that of the group, if that does anything. */
static int find_verb(struct cli *cli, const struct command **command, struct arguments *line,
		     struct error *err)
{
	const struct command *group = *command;
	struct common_options ignored = {.quiet = false};
	struct option_set set = {.command = group->name, .guess = guess_option};
	void *own = arena_alloc(&cli->arena, group->options_size + 1);
	bool help = false;
	int at = 0;
	options_add(&set, group->options, own);
	options_add(&set, program_common_options, &ignored);
	options_add(&set, help_option, &help);
	int rc = options_parse_leading(&set, (int)line->count, line->items, &at, err);
	if (rc < 0 || help)
		return rc;
	char *word = (size_t)at < line->count ? line->items[at] : NULL;
	const struct command *verb = word ? program_verb(group, word) : NULL;
	if (!verb)
		return group->run && !word ? 0 : no_verb(group, word, err);
	for (; at > 1; at--)
		line->items[at] = line->items[at - 1];
	line->items[1] = word;
	*line = (struct arguments){line->items + 1, line->count - 1};
	*command = verb;
	return 0;
}

/* Runs one command; argv[0] is its name. Returns the exit status of the program. */
static int command_status(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct error err = {0};
	struct arguments line = {argv, (size_t)argc};
	if (command->verbs && find_verb(cli, &command, &line, &err) < 0) {
		print_error(command->name, &err);
		return EXIT_ERROR;
	}
	/* Asked first: parsing reorders argv, and error_status() gets it as typed. */
	int error_status =
		command->error_status ? command->error_status(argc, argv) : (int)EXIT_ERROR;
	int status = run_command(cli, command, line, &err);
	if (status >= 0)
		return status;
	print_error(command->name, &err);
	return error_status;
}

static int no_command(const char *name)
{
	struct error err;
	struct strbuf message = {0};
	struct similar similar = similar_to(span_of(name));
	const char *guess = guess_command(name);
	for (size_t i = 0; cli_commands[i]; i++)
		similar_offer(&similar, cli_commands[i]->name);
	for (size_t i = 0; topics[i].name; i++)
		similar_offer(&similar, topics[i].name);
	strbuf_addf(&message, "'%.100s' is not a command", name);
	if (guess || !similar.count)
		strbuf_addf(&message, "\nhint: %s", guess ? guess : "'rooflog help' lists them");
	else
		similar_hint(&similar, &message);
	error_set(&err, ERR_USAGE, "%s", strbuf_text(&message));
	strbuf_free(&message);
	print_error("", &err);
	return EXIT_ERROR;
}

void program_help(struct arena *arena, const struct command *command, struct strbuf *out)
{
	if (command)
		help_page(arena, command, out);
	else
		help_first_page(out);
}

const char *program_topic_name(size_t index)
{
	return topics[index].name;
}

void program_topic(const char *name, struct strbuf *out)
{
	topic_page(topic_find(name), out);
}

static int print_page(struct strbuf *page)
{
	struct error err;
	if (cli_print_built(page, &err) == 0)
		return EXIT_PASS;
	print_error("help", &err);
	return EXIT_ERROR;
}

static int print_first_page(void)
{
	struct strbuf page = {0};
	help_first_page(&page);
	return print_page(&page);
}

static int without_command(void)
{
	struct strbuf page = {0};
	help_first_page(&page);
	fputs(strbuf_text(&page), stderr);
	strbuf_free(&page);
	return EXIT_ERROR;
}

/* What may follow a command or topic is a verb of the command, whose page is the same. */
static int check_help_words(const struct command *command, int argc, char **argv, struct error *err)
{
	bool group = command && command->verbs && argc > 2;
	if (group && !program_verb(command, argv[2]))
		return no_verb(command, argv[2], err);
	int known = group ? 3 : 2;
	return argc <= known ? 0
			     : error_set(err, ERR_USAGE,
					 "unexpected argument: %.100s\nhint: 'rooflog help %s' "
					 "explains %s",
					 argv[known], argv[1], argv[1]);
}

/* rooflog help [COMMAND | TOPIC] */
static int help(struct cli *cli, int argc, char **argv)
{
	struct error err;
	const struct command *command = argc > 1 ? program_command(argv[1]) : NULL;
	const struct topic *topic = argc > 1 ? topic_find(argv[1]) : NULL;
	if (argc < 2)
		return print_first_page();
	if ((topic || command) && check_help_words(command, argc, argv, &err) < 0) {
		print_error("help", &err);
		return EXIT_ERROR;
	}
	if (topic) {
		struct strbuf page = {0};
		topic_page(topic, &page);
		cli_page(cli);
		return print_page(&page);
	}
	if (!command)
		return no_command(argv[1]);
	char option[] = "--help", *line[] = {argv[1], option};
	return command_status(cli, command, 2, line);
}

/* Takes the common options, which every command takes, and -h out of the line of help. */
static int help_command(struct cli *cli, int argc, char **argv)
{
	struct option_set set = {.command = "help", .guess = guess_option};
	struct error err;
	bool ignored = false;
	int count;
	options_add(&set, program_common_options, &cli->common);
	options_add(&set, help_option, &ignored);
	if (options_parse(&set, argc, argv, &count, &err) < 0) {
		print_error("help", &err);
		return EXIT_ERROR;
	}
	return help(cli, 1 + count, argv);
}

/* The command, if there is one, and the options before it. */
static int run_line(struct cli *cli, int argc, char **argv)
{
	struct option_set set = {.guess = guess_option};
	struct error err;
	bool wants_help = false, wants_version = false;
	int first;
	options_add(&set, program_common_options, &cli->common);
	options_add(&set, help_option, &wants_help);
	options_add(&set, version_option, &wants_version);
	if (options_parse_leading(&set, argc, argv, &first, &err) < 0 ||
	    options_convert(&set, &err) < 0) {
		print_error("", &err);
		return EXIT_ERROR;
	}
	if (wants_version) {
		char name[] = "version", *line[] = {name};
		return command_status(cli, &program_version, 1, line);
	}
	if (first == argc)
		return wants_help ? print_first_page() : without_command();
	if (wants_help) /* with a command's own arguments, like COMMAND ... -h */
		return help(cli, 2, argv + first - 1);
	if (strcmp(argv[first], "help") == 0)
		return help_command(cli, argc - first, argv + first);
	const struct command *command = program_command(argv[first]);
	return command ? command_status(cli, command, argc - first, argv + first)
		       : no_command(argv[first]);
}

int program_main(int argc, char **argv)
{
	struct cli cli = {.now = present_time(), .begun = microseconds_now()};
	int status = run_line(&cli, argc, argv);
	cli_free(&cli);
	return status;
}
