/* Which kinds of records a capture traced. If a kind was not traced,
 * its values are unknown, not 0. */
#pragma once

#include "base/base.h"
#include "model/ntff/ntff.h"
#include "model/run/run.h"

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
