/* Kinds of records: their numbers in the header's list of traces, and their names. */
#include "ingest/ntff/capture_flags.h"

#include "ingest/ntff/trace/records.h"

static const struct {
	uint64_t type, subtype;
	const char *what;
} kinds[NTFF_TRACED_KINDS] = {
	[NTFF_TRACED_INSTRUCTIONS] = {NTFF_INSTRUCTIONS, 0, "instructions"},
	[NTFF_TRACED_DMA] = {NTFF_DMA, 1, "DMA transfers"},
	[NTFF_TRACED_EVENTS] = {NTFF_EVENTS, 0, "semaphores and events"},
	[NTFF_TRACED_THROTTLES] = {NTFF_THROTTLES, 0, "throttling"},
};

static bool has_trace(const struct ntff_core *core, enum ntff_traced kind)
{
	for (size_t i = 0; i < core->segment_count; i++)
		if (ntff_segment_is(&core->segments[i], kinds[kind].type, kinds[kind].subtype))
			return true;
	return false;
}

void ntff_run_find_capture_flags(const struct ntff *ntff, bool traced[NTFF_TRACED_KINDS])
{
	for (int kind = 0; kind < NTFF_TRACED_KINDS; kind++) {
		traced[kind] = false;
		for (size_t i = 0; i < ntff->core_count; i++)
			traced[kind] |= has_trace(&ntff->cores[i], (enum ntff_traced)kind);
	}
}

void ntff_run_note_untraced(struct arena *arena, struct run *run,
			    const bool traced[NTFF_TRACED_KINDS])
{
	for (int kind = 0; kind < NTFF_TRACED_KINDS; kind++)
		if (!traced[kind])
			run_warn(arena, run,
				 "nothing is traced of %s: the figures that need it are unknown",
				 kinds[kind].what);
}
