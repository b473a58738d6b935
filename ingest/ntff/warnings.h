/* What a run says of the odd things in its native trace. */
#pragma once

#include "base/base.h"
#include "ingest/ntff/trace/trace.h"
#include "model/run/run.h"

/* Adds a note for each kind of oddity that was counted; none for what every trace has. */
void ntff_add_notes(struct arena *arena, struct run *run, const struct ntff *ntff,
		    const struct ntff_window *window, const struct ntff_counts *counts);
