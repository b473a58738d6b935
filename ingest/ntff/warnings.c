/* Tables with one row per kind of record, and one per kind of oddity that is only counted. */
#include "ingest/ntff/warnings.h"

#include "ingest/ntff/trace/records.h"

/* --- what was traced --- */

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
				 "%s not traced: metrics that depend on it are unavailable",
				 kinds[kind].what);
}

/* --- oddities --- */

/* The text after the count: singular and plural. */
static const struct {
	size_t count; /* offset of a uint64_t in struct ntff_counts */
	const char *one, *several;
} rows[] = {
	{offsetof(struct ntff_counts, orphan_ends), "instruction end without a begin",
	 "instruction ends without a begin"},
	{offsetof(struct ntff_counts, orphan_transfers), "DMA transfer end without a begin",
	 "DMA transfer ends without a begin"},
	{offsetof(struct ntff_counts, open_transfers), "DMA transfer begin without an end",
	 "DMA transfer begins without an end"},
	{offsetof(struct ntff_counts, wrong_times), "record with an impossible time, skipped",
	 "records with impossible times, skipped"},
	{offsetof(struct ntff_counts, unknown_records), "record is of an undocumented type",
	 "records are of an undocumented type"},
	{offsetof(struct ntff_counts, errors), "error record of unknown meaning",
	 "error records of unknown meaning"},
};

/* The vendor's tool leaves these transfers out as well, so this is information, not a warning. */
static void add_left_out(struct arena *arena, struct run *run, const struct ntff_counts *counts)
{
	bool one = counts->left_out == 1;
	if (counts->left_out)
		run_add_note(arena, run, "note",
			     arena_printf(arena,
					  "%" PRIu64 " DMA transfer%s (%" PRIu64
					  " bytes, %.3f us%s) %s skipped, as in the vendor's tool, "
					  "because another transfer of %s queue was in progress "
					  "when the execution began",
					  counts->left_out, one ? "" : "s", counts->left_out_bytes,
					  (double)counts->left_out_ps / 1e6, one ? "" : " together",
					  one ? "is" : "are", one ? "its" : "their"));
}

void ntff_run_add_warnings(struct arena *arena, struct run *run, const struct ntff *ntff,
			   const struct ntff_window *window, const struct ntff_counts *counts)
{
	if (window->guessed)
		run_warn(arena, run,
			 "no start marker: the execution is measured from its first instruction");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t count =
			*(const uint64_t *)(const void *)((const char *)counts + rows[i].count);
		if (count)
			run_warn(arena, run, "%" PRIu64 " %s", count,
				 count == 1 ? rows[i].one : rows[i].several);
	}
	/* One open instruction per core is normal: the one that runs when the trace stops. */
	if (counts->open_begins > ntff->core_count)
		run_warn(arena, run, "%" PRIu64 " instruction begins without an end",
			 counts->open_begins);
	if (counts->unknown_segments)
		run_warn(arena, run, "%" PRIu64 " bytes of undocumented trace types skipped",
			 counts->unknown_segment_bytes);
	add_left_out(arena, run, counts);
}
