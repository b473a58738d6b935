/*
 * The command line: a table of commands, one file each. Only cli/ prints, exits and picks an exit
 * status.
 *
 * Never add the work of a command.
 */
#pragma once

#include "cli/config/config.h"
#include "cli/context.h"
#include "model/gate/exit_status.h"

/* What the driver opens before a command runs. Most commands need no repository when the store
 * answers; those that do open it with cli_open_repository(). */
enum command_needs {
	NEEDS_NOTHING,
	NEEDS_STORE,     /* for reading; a store that does not exist yet is an error */
	NEEDS_REPOSITORY /* even when --store names a store */
};

/* Any number of arguments, in the order of the command line. The items belong to argv. */
struct arguments {
	char **items;
	size_t count;
};

/* Which member of the command's options an argument fills: a const char * takes one argument, a
 * struct arguments takes all that are left and must be the last row. */
struct argument {
	const char *name; /* its name in the usage line; NULL ends the rows */
	size_t offset;
	bool all;
};

#define ARGUMENT(type, member)                                                                     \
	.offset = offsetof(type, member),                                                          \
	.all = _Generic(((type *)0)->member, const char *: false, struct arguments: true)

/* The first page has a part for each, in this order. */
enum command_group {
	GROUP_EVERY_DAY,
	GROUP_STORE,
	GROUP_FOLLOW_UP,
	GROUP_PUBLISH,
	GROUP_OTHER,
	GROUP_LIMIT
};

enum { EXAMPLES_LIMIT = 8 }; /* including the NULL at the end */

/*
 * A command is a row: cmd_show.c defines command_show, and commands.def lists it. The driver
 * (cli/program) parses the command line into a struct that the command declares, prints --help,
 * counts arguments, opens what the command needs, and turns errors into messages and exit statuses.
 * check() and run() never see argc and argv.
 *
 * A group is a row with verbs, which are commands themselves ("stats detect"). The page of the
 * group is theirs, and the rows of its options are those that they share. Without a verb it runs
 * what it has in run.
 */
struct command {
	const char *name;
	enum command_group group; /* where the list of commands has it */
	const char *summary;      /* one line for the list of commands */
	bool with_next;           /* it shares that line with the next command */
	const char *usage;        /* after "rooflog <command>"; one line per way to call it */
	const char *about;        /* the lead of its page; lines that are too long are folded */
	const char *lists; /* what stands between examples and options, as it is; NULL: nothing */
	const char *notes; /* the same after the options */
	const struct command *const *verbs; /* of a group, NULL at the end */
	/* The names of a registry, which replace {} in usage, about and expected. May be NULL. */
	const char *(*listing)(struct arena *arena);
	const struct option *options; /* up to OPTION_END; NULL: only those of every command */
	struct argument arguments[3];
	size_t required;      /* at least this many arguments */
	const char *takes;    /* "one commit", for "takes one commit, not 3" ... */
	const char *expected; /* ... or the whole message when arguments are too few or too many */
	/* Command lines, NULL at the end. Two blanks or more separate a remark. */
	const char *examples[EXAMPLES_LIMIT];
	size_t options_size;  /* bytes of the struct that options and arguments fill */
	const void *defaults; /* its content before parsing; NULL: zero */
	enum command_needs needs;
	/* For the manual page: exit statuses besides 0 and 2, "1 text" each on a line; sections of
	 * the configuration, schemas of what --json prints, and related pages, with blanks between
	 * them. NULL: none. */
	const char *statuses, *sections, *documents, *see_also;
	/* --store or --config after the command is an error: it uses none. */
	bool without_store, without_config;
	/* Refuses options that exclude each other, before anything is opened, and removes outputs
	 * that a commit brought. It may ask git whether a word is a revision,
	 * but must not read the store or other files of the repository.
	 * May be NULL. */
	int (*check)(struct cli *cli, void *options, struct error *err);
	/* Returns an enum exit_status; -1 after filling *err. */
	int (*run)(struct cli *cli, void *options, struct error *err);
	/* The exit status of errors, for commands where that is not EXIT_ERROR; argv is as typed.
	 * May be NULL. */
	int (*error_status)(int argc, char **argv);
};

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

/* All commands in the order of the help text, NULL at the end. */
extern const struct command *const cli_commands[];
