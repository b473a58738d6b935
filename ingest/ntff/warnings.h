/* Warnings about a native trace: what the capture left out, and oddities. */
#pragma once

#include "base/base.h"
#include "ingest/ntff/trace/trace.h"
#include "model/run/run.h"

/* Kinds of records. If a kind was not traced, its values are unknown, not 0. */
enum ntff_traced {
	NTFF_TRACED_INSTRUCTIONS,
	NTFF_TRACED_DMA,
	NTFF_TRACED_EVENTS,
	NTFF_TRACED_THROTTLES,
	NTFF_TRACED_KINDS
};

/* Sets traced[kind] if the header lists a trace of that kind for any core, even an empty one. */
void ntff_run_find_capture_flags(const struct ntff *ntff, bool traced[NTFF_TRACED_KINDS]);
/* Adds a warning for each kind that was not traced. */
void ntff_run_note_untraced(struct arena *arena, struct run *run,
			    const bool traced[NTFF_TRACED_KINDS]);
/* Adds a warning for each kind of oddity that was counted, except those that every trace has. */
void ntff_run_add_warnings(struct arena *arena, struct run *run, const struct ntff *ntff,
			   const struct ntff_window *window, const struct ntff_counts *counts);
