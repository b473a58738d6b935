/*
 * The command line: a table of verbs, one file each. Only this folder prints,
 * exits and picks an exit status.
 *
 * Never add the work of a command.
 */
#pragma once

#include "cli/config/config.h"
#include "cli/context.h"
#include "model/gate/exit_status.h"

/* What the driver opens before a command runs. The repository is opened by who needs it: most
 * commands do without where the store answers. */
enum command_needs {
	NEEDS_NOTHING,
	NEEDS_STORE,     /* to read; one that does not exist yet is an error */
	NEEDS_REPOSITORY /* even where a store is given */
};

/* Arguments that are taken as they come, however many. */
struct arguments {
	char **items;
	size_t count;
};

/* An argument fills a member of the command's options: a const char *, or all that are left a
 * struct arguments. */
struct argument {
	const char *name; /* as the usage calls it; NULL ends the rows */
	size_t offset;
	bool all;
};

#define ARGUMENT(type, member)                                                                     \
	.offset = offsetof(type, member),                                                          \
	.all = _Generic(((type *)0)->member, const char *: false, struct arguments: true)

/*
 * A command is a row: cmd_show.c defines command_show, and commands.def lists it. The driver
 * parses the command line into a struct of the command's own, prints --help, counts arguments,
 * opens what is needed, and turns errors into messages and exit statuses; check() and run() see
 * nothing of argc and argv.
 */
struct command {
	const char *name;
	const char *summary; /* one line for the list of commands */
	const char *usage;   /* the line after "rooflog <command> " */
	const char *about;   /* lines that begin with two blanks are rows of a list */
	/* Replaces {} in usage, about and expected: the names of a registry. May be NULL. */
	const char *(*listing)(struct arena *arena);
	const struct option *options; /* NULL: only those that every command takes */
	struct argument arguments[3];
	size_t required;      /* how many of the arguments */
	const char *takes;    /* "one commit", for "takes one commit, not 3" ... */
	const char *expected; /* ... or the whole message when arguments are too few or too many */
	const char *const *examples; /* command lines, NULL at the end */
	size_t options_size;         /* of the struct that options and arguments fill */
	const void *defaults;        /* what is in it before; NULL: zero */
	enum command_needs needs;
	/* Refuses options that do not go together, before anything is opened. May be NULL. */
	int (*check)(struct cli *cli, void *options, struct error *err);
	/* Returns an enum exit_status; -1 after filling *err. */
	int (*run)(struct cli *cli, void *options, struct error *err);
	/* The exit status of an error where that is not EXIT_ERROR; argv is as typed. May be NULL.
	 */
	int (*error_status)(int argc, char **argv);
};

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

/* All of them, NULL at the end. */
extern const struct command *const commands[];

/* Parses a command line, of which the first word is the command's name, into `options`, a struct of
 * options_size bytes. 1 when it asked for help, which was printed. */
int command_parse(const struct command *command, struct arguments line, struct cli *cli,
		  void *options, struct error *err);
int command_main(int argc, char **argv);
