/*
 * Options as a table: each command lists what it takes, and that list is both the
 * parser and the help text.
 */
#ifndef CLI_CONFIG_OPTION_H
#define CLI_CONFIG_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"

enum option_kind {
	OPTION_END,
	OPTION_FLAG, /* bool * */
	OPTION_TEXT, /* const char ** */
	OPTION_LIST, /* struct text_list *: may be repeated */
	OPTION_MAYBE /* const char **: "" for --name, else --name=value */
};

enum { text_list_limit = 64 };

struct text_list {
	const char *items[text_list_limit];
	size_t count;
};

struct option {
	enum option_kind kind;
	const char *name;     /* without dashes */
	const char *argument; /* "K" in the help; NULL for flags */
	const char *help;
	void *target;
};

/* Parses argv[1..]; what is no option is moved to the front of argv[1..] and counted in *rest.
 * "--name value", "--name=value", "--" ends the options, "-" alone is no option. */
int options_parse(const struct option *options, int argc, char **argv, int *rest,
		  struct error *err);
/* The next pair of "b=1,s=512", blanks trimmed: 1, 0 at the end, -1 when it is no NAME=VALUE.
 * `option` names the option in the message. */
int option_pair(const char *option, struct span *rest, struct span *name, struct span *value,
		struct error *err);
/* The option lines of a help text. */
void options_help(const struct option *options, struct strbuf *out);

#endif
