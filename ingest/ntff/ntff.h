/*
 * Native Neuron traces: the reader that makes runs of them, and sums over their records. Never add
 * printing; the data go to model/ntff.
 */
#pragma once

#include "ingest/input/random_access.h"
#include "ingest/reader.h"
#include "model/ntff/trace.h"

/* Whether the instruction words of the trace's device have a flag that marks transposes. */
bool ntff_run_flags_transposes(struct arena *arena, const struct ntff *ntff);
/* Computes sums over the records in one pass. The caller sets arena, header and top_limit of
 * `summary`. If the version of the file is unknown, only the first record of each unknown kind is
 * read. 0, or -1 and *err. */
int ntff_run_summary_read(struct ntff_summary *summary, struct random_access *bytes,
			  struct error *err);
/* What a native trace leaves unknown, and which file would supply it, in one sentence; NULL if
 * nothing is missing. Called once a run is complete, so that values from companions are not asked
 * for. */
const char *ntff_run_missing_data(struct arena *arena, const struct run *run);
