/* Warnings about oddities in a native trace. */
#pragma once

#include "base/base.h"
#include "ingest/ntff/trace/trace.h"
#include "model/run/run.h"

/* Adds a warning for each kind of oddity that was counted, except those that every trace has. */
void ntff_run_add_warnings(struct arena *arena, struct run *run, const struct ntff *ntff,
			   const struct ntff_window *window, const struct ntff_counts *counts);
