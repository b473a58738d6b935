/* Sums over the records of an NTFF, computed in one pass. */
#pragma once

#include "base/base.h"
#include "ingest/input/random_access.h"
#include "model/ntff/trace.h"

/* The caller sets arena, header and top_limit of `summary`. If the version of the file is unknown,
 * only the first record of each unknown kind is read. 0, or -1 and *err. */
int ntff_run_summary_read(struct ntff_summary *summary, struct random_access *bytes,
			  struct error *err);
