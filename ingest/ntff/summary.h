/* One pass over an NTFF that adds up its records. */
#pragma once

#include "base/base.h"
#include "ingest/input/random_access.h"
#include "model/ntff/trace.h"

/* `summary` has arena, header and top_limit. Of an unknown version only the first records of
 * unknown kinds are read. */
int ntff_summary_read(struct ntff_summary *summary, struct random_access *bytes, struct error *err);
