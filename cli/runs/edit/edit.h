/*
 * Edits of the store for the commands: options that rm and mv share, the list of edits, and how an
 * edit is undone and shown.
 *
 * Never add what chooses runs.
 */
#pragma once

#include "cli/context.h"

/* Options of every command that edits. */
struct edit_options {
	const char *reason; /* NULL: none */
	bool dry_run, undo;
};

/* -1 unless the reason is one line of text or NULL. */
int edit_command_check(const struct edit_options *options, struct error *err);
/* Opens the store as the command needs it and, unless this is a dry run, begins a transaction. */
int edit_command_begin(struct cli *cli, const struct edit_options *options, struct error *err);
/* Ends the transaction. */
int edit_command_commit(struct cli *cli, const struct edit_options *options, struct error *err);
/* Undoes the last edit of these kinds, and prints it. `nothing`: what to say if there is none. */
int edit_command_undo(struct cli *cli, const struct edit_options *options, unsigned kinds,
		      const char *nothing, struct error *err);
/* Prints an edit with its runs, as a table or as JSON. */
int edit_command_print(struct cli *cli, const struct edit_options *options,
		       const struct store_edit *edit, struct error *err);
/* Prints all edits, newest first, at most `limit` of them (0: all). */
int edit_command_list(struct cli *cli, size_t limit, struct error *err);
