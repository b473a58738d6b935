/*
 * Files in the place of stored runs: what show, compare, chart and report do without a repository
 * and without a store.
 *
 * Each path that is named, a file or a folder, stands for a commit. Its runs are read as ingest
 * reads them into a store in memory, which becomes the store of the command, so that everything
 * which is said of stored runs is said of files.
 *
 * Never add a way to keep what was read: that is ingest.
 */
#pragma once

#include "cli/command.h"
#include "cli/ingest/facts/facts.h"
#include "cli/runs/runs.h"

/* Files are "-", what begins with "/", "./" or "../" or ends with "/", and what has a "." or a "/"
 * in it and exists. ERR_USAGE for what is a file and a revision. */
int files_is(struct cli *cli, const char *word, bool *is_file, struct error *err);
/* Reads the files of each path as the runs of one commit. The commits follow each other in the
 * order of the paths; cli->files has them. What the files leave open is unknown. */
int files_read(struct cli *cli, const struct arguments *paths,
	       const struct reading_options *reading, struct error *err);
/* Reads the files of a path as the runs of the commit after `parent`, into a copy of the open
 * store, which the command uses from then on. NULL: a commit without history. */
int files_read_after(struct cli *cli, const char *path, const struct reading_options *reading,
		     const struct revision *parent, struct error *err);
/* Reads the words if they are files; otherwise opens the store, and *word is the only word, or NULL
 * if there is none. ERR_USAGE for files among other words. */
int files_open(struct cli *cli, const struct arguments *words,
	       const struct reading_options *reading, const char **word, struct error *err);
/* Adds to a failure what the word, NULL if there is none, may have been meant for. Returns -1. */
int files_explain(struct cli *cli, const char *word, struct error *err);
/* Appends the runs of the files that were read, as runs_load_facts() does. ERR_STORE if none
 * matches the filter. */
int files_runs(struct cli *cli, const struct run_filter *filter, struct loaded_list *runs,
	       struct error *err);
/* After files_open(): the runs of the files, or as runs_choose() does. */
int files_choose(struct cli *cli, const char *word, const struct run_filter *filter,
		 struct loaded_list *runs, struct error *err);
