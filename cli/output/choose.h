/* -o and --as: what a command is asked to write, and where. */
#pragma once

#include "cli/output/kinds.h"

/* As typed. */
struct output_wish {
	struct text_list files; /* -o [KIND=]FILE */
	const char *as;         /* --as KIND */
};
/* The option rows of a struct output_wish. */
extern const struct option output_option_rows[];

/* A command and what it writes without -o and --as. */
struct output_rules {
	enum output_command command;
	const char *name;     /* the command's, for messages */
	const char *fallback; /* the kind for standard output */
	const char *picture;  /* the kind of a file that ends in .svg, .png or .pdf; NULL: none */
	bool prints;          /* files are written in addition to what is printed, not instead */
};

/* What is written, in the order of the command line; at most one to standard output, which is the
 * last. */
struct output_list {
	struct output items[text_list_limit + 1];
	size_t count;
};

/* Chooses what is written, by these rules:
 *   1. KIND=FILE, if what stands before the first = is a kind that the command writes;
 *   2. else --as KIND, which is for one file without KIND=, or else for standard output;
 *   3. else the ending of FILE;
 *   4. else, for standard output, the fallback;
 *   5. else it is an error.
 * To be called before anything is loaded. */
int output_choose(struct cli *cli, const struct output_rules *rules, const struct output_wish *wish,
		  struct output_list *outputs, struct error *err);
/* The last check: files must be different, and their folders be there. What a commit brought in the
 * place of one is removed (output_remove_brought()). */
int output_claim(struct cli *cli, const struct output_list *outputs, struct error *err);

/* Prints a text that is clean already, with its verdicts in color where there is color. */
int output_painted(const struct cli *cli, struct strbuf *text, struct error *err);
/* Prints a text for people, or writes it as it would be printed. */
int output_text(struct cli *cli, const struct output *output, const char *text, struct error *err);
/* The width of its tables; 0: no limit. */
size_t output_width(const struct output *output);

/* What writes one output of a command. */
typedef int output_writer(struct cli *cli, void *context, const struct output *output,
			  struct error *err);
/* Writes all of them: the files together, or none, and then what is printed. */
int output_write_each(struct cli *cli, const struct output_list *outputs, output_writer *write,
		      void *context, struct error *err);
/* The same where all are reports or exports of one subject. */
int output_write_all(struct cli *cli, const struct output_subject *subject,
		     const struct output_list *outputs, struct error *err);
