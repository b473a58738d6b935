/* The verbs of rooflog store. Never add how runs of two stores become one: that is the store's. */
#pragma once

#include "cli/command.h"
#include "cli/runs/runs.h"
#include "db/store/exchange.h"

struct move_options {
	struct run_filter filter; /* export */
	const char *output;       /* export; NULL: standard output */
	struct arguments paths;
};

int move_merge(struct cli *cli, void *options, struct error *err);
int move_export(struct cli *cli, void *options, struct error *err);
int move_import(struct cli *cli, void *options, struct error *err);
int move_copy(struct cli *cli, void *options, struct error *err);
