/* The events of a run, which its file has and the store does not. */
#pragma once

#include "cli/command.h"
#include "cli/runs/runs.h"
#include "model/timeline/trace/trace.h"

/* Whether a run was read from a file that the command line names. Otherwise the store has it. */
bool query_viewer_is_file(const struct cli *cli, const struct run *run);
/* Reads the file of the runs again. ERR_USAGE if they are of several files, or their file is gone,
 * has another run, or no events. */
int query_viewer_events(struct cli *cli, const struct loaded_list *runs, struct trace **events,
			struct error *err);
