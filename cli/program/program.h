/*
 * The driver of the program: the table of commands, the command line, help, and errors as messages
 * and exit statuses.
 *
 * Never add the work of a command.
 */
#pragma once

#include "cli/command.h"

/* The options of every command. */
extern const struct option program_common_options[];

/* Not in the table: the first page does not list it. */
extern const struct command program_version;

/* The command with this name; NULL if there is none. */
const struct command *program_command(const char *name);
/* Its verb with this name, such as "detect" of "stats"; NULL if there is none. */
const struct command *program_verb(const struct command *group, const char *name);
/* The page of a command; that of the program for NULL. */
void program_help(struct arena *arena, const struct command *command, struct strbuf *out);
/* The topics of help in their order; NULL after the last. */
const char *program_topic_name(size_t index);
void program_topic(const char *name, struct strbuf *out);
/* Parses a command line, whose first word is the command's name, into `options`, a struct of
 * options_size bytes. Returns 0, -1 after filling *err, or 1 after printing the help text. */
int program_parse(const struct command *command, struct arguments line, struct cli *cli,
		  void *options, struct error *err);
/* The whole program. Returns its exit status. */
int program_main(int argc, char **argv);
