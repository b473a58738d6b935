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
#include "cli/runs/words/words.h"

/* Reads the files of a path as the runs of the commit after `parent`, into a copy of the open
 * store, which the command uses from then on. NULL: a commit without history. */
int files_read_after(struct cli *cli, const char *path, const struct reading_options *reading,
		     const struct revision *parent, struct error *err);
/* The same for a run of the store: it becomes the only run of that commit. */
int files_add_run(struct cli *cli, const char *id, const struct revision *parent,
		  struct error *err);
struct files_request {
	const struct arguments *words;
	const struct reading_options *reading;
	struct run_filter *filter;
};
/* Resolves the words; without any, and one side only, they are HEAD or its nearest ancestor with
 * runs, unless the rules say otherwise. Reads the files among them, if there are any: the files of
 * each path are the runs of one commit, cli->files has these commits in the order of the paths, and
 * what the files leave open is unknown. Otherwise, and for a file on only one of two sides, opens
 * the store.
 */
int files_open(struct cli *cli, const struct words_rules *rules,
	       const struct files_request *request, struct words *words, struct error *err);
/* Appends the runs of the files that were read, as runs_load_facts() does. ERR_STORE if none
 * matches the filter. */
int files_runs(struct cli *cli, const struct run_filter *filter, struct loaded_list *runs,
	       struct error *err);
/* Prepares the filter, and appends what the words name: the runs of the files, the runs, or those
 * of the commit, one per series. */
int files_choose(struct cli *cli, const struct words *words, struct run_filter *filter,
		 struct loaded_list *runs, struct error *err);
