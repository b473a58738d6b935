/* The verbs of rooflog store. Never add how runs of two stores become one: that is the store's. */
#pragma once

#include "cli/command.h"
#include "cli/runs/runs.h"
#include "db/store/exchange.h"

struct move_options {
	struct run_filter filter; /* export, prune */
	const char *output;       /* export; NULL: standard output */
	struct arguments paths;
	const char *remote; /* push, pull; NULL: origin */
	size_t keep;        /* prune: commits of each series; 0: all */
	size_t samples;     /* prune: those that keep their repeats; 0: all */
	bool dry_run;       /* prune */
};

int move_merge(struct cli *cli, void *options, struct error *err);
int move_export(struct cli *cli, void *options, struct error *err);
int move_check_export(struct cli *cli, void *options, struct error *err);
int move_import(struct cli *cli, void *options, struct error *err);
int move_copy(struct cli *cli, void *options, struct error *err);
int move_size(struct cli *cli, void *options, struct error *err);
int move_prune(struct cli *cli, void *options, struct error *err);
int move_check_prune(struct cli *cli, void *options, struct error *err);
int move_push(struct cli *cli, void *options, struct error *err);
int move_pull(struct cli *cli, void *options, struct error *err);

/* Says what came from the remote, and how many runs went there. */
int move_say_shared(struct cli *cli, const char *remote, const struct store_taken *taken,
		    size_t pushed, bool pushes, struct error *err);
