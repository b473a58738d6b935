/*
 * The files that commands write: reports, charts, lists; and how --json says which.
 *
 * Never add words or JSON.
 */
#pragma once

#include "cli/output/choose.h"
#include "cli/output/kinds.h"
#include "cli/output/render.h"
#include "cli/output/report_kinds.h"

/* Notes that a file was written, or kept as it was. The path must live as long as the command. */
void output_wrote(struct cli *cli, const char *path, bool changed);
/* With --json, prints the files that were noted; `dry_run`: they would have been written. */
int output_print_written(struct cli *cli, bool dry_run, struct error *err);
