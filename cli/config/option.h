/*
 * Options as rows: a command lists what it takes in one static table, which is parser, help text
 * and documentation at once. A row names a member of the command's own struct; its kind is the
 * member's type, so a row that does not fit its member does not compile:
 *
 *   struct show_options { struct run_filter filter; bool details; const char *source; };
 *   #define FIELD(member) OPTION_FIELD(struct show_options, member)
 *   static const struct option options[] = {
 *           {OPTION_GROUP(struct show_options, filter, run_filter_options)},
 *           {FIELD(details), "details", NULL, "every number, with its source"},
 *           {FIELD(source), "source", "LINE", "only this source line"},
 *           {.kind = OPTION_END},
 *   };
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

enum option_kind {
	OPTION_END,
	OPTION_FLAG,   /* bool */
	OPTION_TEXT,   /* const char * */
	OPTION_LIST,   /* struct text_list: may be repeated */
	OPTION_WHOLE,  /* size_t, from low to high */
	OPTION_NUMBER, /* double, above low and below high, or zero where that is allowed */
	OPTION_ROWS,   /* any struct that shares its own table of rows */
	OPTION_TITLE,  /* no option: `help` is the heading of those that follow */
	OPTION_SET     /* the first row of a table whose options are printed on a page of their own:
			* `help` names them and that page. A row OPTION_ROWS that has
			* `help` prints them nevertheless, after that heading. */
};

#define OPTION_FIELD(type, member)                                                                 \
	.kind = _Generic(((type *)0)->member, bool: OPTION_FLAG, const char *: OPTION_TEXT,        \
			 struct text_list: OPTION_LIST, size_t: OPTION_WHOLE,                      \
			 double: OPTION_NUMBER),                                                   \
	.offset = offsetof(type, member)

/* A member that is a struct with rows of its own: {OPTION_GROUP(type, filter, run_filter_options)}
 */
#define OPTION_GROUP(type, member, table)                                                          \
	.kind = OPTION_ROWS, .offset = offsetof(type, member), .rows = table

/* Fixed sizes keep options free of allocation. options_add() asserts that a command fits. */
enum { text_list_limit = 64, option_limit = 40 };

struct text_list {
	const char *items[text_list_limit];
	size_t count;
};

struct option {
	enum option_kind kind;
	size_t offset;
	const char *name;     /* without dashes; NULL: it has a letter only */
	const char *argument; /* "K" in the help; NULL for flags */
	const char *help;
	const char *choices; /* for texts: the allowed words, "runs|series|history"; NULL: any */
	/* For texts: the value may be left out ("" then) and otherwise needs the form
	 * --name=value. */
	bool maybe;
	bool share; /* for numbers: "5 %" and 0.05 are the same */
	bool zero;  /* for numbers: 0 is allowed although it is not above low */
	double low, high;
	const char *expected;      /* for numbers, in the error message: "a number above 0" */
	const struct option *rows; /* for OPTION_ROWS; their offsets are into the member */
	char letter;               /* of the short form, -n; '\0': none */
};

/* The rows of several tables, each bound to the member that it fills. */
struct option_set {
	const char *command; /* whose options they are, for `guess`; NULL: none yet */
	/* What to say of an option that is not there; NULL: nothing. May be NULL. */
	const char *(*guess)(const char *command, struct span name);
	struct bound_option {
		const struct option *row;
		void *target;
		const char *text; /* the value as typed, until options_convert() checks it */
	} items[option_limit];
	size_t count;
};

/* Adds the rows of a table; `target` is the struct that their offsets refer to. At most
 * option_limit rows in total. */
void options_add(struct option_set *set, const struct option *rows, void *target);
/* Parses argv[1..argc-1]. Arguments that are not options are moved to the front of argv[1..] in
 * their order and counted in *rest. An option is "--name value", "--name=value", "-n value" or
 * "-nvalue", and "-5" is "-n5"; "--" ends the options; "-" alone is an argument. Flags, plain texts
 * and lists are set; options_convert() sets the rest. */
int options_parse(struct option_set *set, int argc, char **argv, int *rest, struct error *err);
/* Parses the options before the first argument, whose index *first receives; argc if there is none.
 */
int options_parse_leading(struct option_set *set, int argc, char **argv, int *first,
			  struct error *err);
/* Checks and sets the words and numbers that were given. ERR_USAGE names the option, its value and
 * what was expected. */
int options_convert(const struct option_set *set, struct error *err);
/* The option lines of a help text, each part after an empty line and its heading; `title` is that
 * of rows before the first heading, "" for none. Sets (OPTION_SET) are left out, and so is the
 * table `without`. */
void options_help(const struct option *rows, const struct option *without, const char *title,
		  struct strbuf *out);
/* Adds the name of each set among the rows that is not there yet, with ", " after it. */
void options_sets(const struct option *rows, struct strbuf *out);

/* The metric with this key. ERR_USAGE, with those that are similar, if there is none. */
int option_metric(const char *key, enum metric *metric, struct error *err);
/* The next pair of a list such as "b=1,s=512", blanks trimmed. Returns 1, 0 at the end, or -1 if it
 * is not NAME=VALUE. `option` is the option's name for the message. */
int option_pair(const char *option, struct span *rest, struct span *name, struct span *value,
		struct error *err);
