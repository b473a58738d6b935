/* Warnings about oddities in a native trace. */
#ifndef INGEST_NTFF_NOTES_H
#define INGEST_NTFF_NOTES_H

#include "base/arena.h"
#include "ingest/ntff/trace/trace.h"
#include "model/run/run.h"

/* Adds a warning for each kind of oddity that was counted, except those that every trace has. */
void ntff_add_notes(struct arena *arena, struct run *run, const struct ntff *ntff,
		    const struct ntff_window *window, const struct ntff_counts *counts);

#endif
