/* A table with one row per kind of oddity that is only counted, and code for those that need more
 * words. */
#include "ingest/ntff/warnings.h"

/* The text after the count: singular and plural. */
static const struct {
	size_t count; /* offset of a uint64_t in struct ntff_counts */
	const char *one, *several;
} rows[] = {
	{offsetof(struct ntff_counts, orphan_ends), "instruction ends that never began",
	 "instructions end that never began"},
	{offsetof(struct ntff_counts, orphan_transfers), "DMA transfer ends that never began",
	 "DMA transfers end that never began"},
	{offsetof(struct ntff_counts, open_transfers), "DMA transfer begins that never ends",
	 "DMA transfers begin that never end"},
	{offsetof(struct ntff_counts, wrong_times), "record has an impossible time and is left out",
	 "records have impossible times and are left out"},
	{offsetof(struct ntff_counts, unknown_records),
	 "record is of a kind that nobody has explained",
	 "records are of a kind that nobody has explained"},
	{offsetof(struct ntff_counts, errors), "error record: what it means is not known",
	 "error records: what they mean is not known"},
};

/* The vendor's tool leaves these transfers out as well, so this is information, not a warning. */
static void add_left_out(struct arena *arena, struct run *run, const struct ntff_counts *counts)
{
	bool one = counts->left_out == 1;
	if (counts->left_out)
		run_add_note(
			arena, run, "note",
			arena_printf(arena,
				     "%" PRIu64 " DMA transfer%s (%" PRIu64 " bytes, %.3f us%s) %s "
				     "left out as the vendor's tool leaves %s out: another one "
				     "of %s queue was under way when the execution began",
				     counts->left_out, one ? "" : "s", counts->left_out_bytes,
				     (double)counts->left_out_ps / 1e6, one ? "" : " together",
				     one ? "is" : "are", one ? "it" : "them",
				     one ? "its" : "their"));
}

void ntff_run_add_warnings(struct arena *arena, struct run *run, const struct ntff *ntff,
			   const struct ntff_window *window, const struct ntff_counts *counts)
{
	if (window->guessed)
		run_warn(arena, run,
			 "no note tells when the program began: the execution is counted from the "
			 "first instruction on");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t count =
			*(const uint64_t *)(const void *)((const char *)counts + rows[i].count);
		if (count)
			run_warn(arena, run, "%" PRIu64 " %s", count,
				 count == 1 ? rows[i].one : rows[i].several);
	}
	/* One open instruction per core is normal: the one that runs when the trace stops. */
	if (counts->open_begins > ntff->core_count)
		run_warn(arena, run, "%" PRIu64 " instructions begin that never end",
			 counts->open_begins);
	if (counts->unknown_segments)
		run_warn(arena, run,
			 "%" PRIu64
			 " bytes of traces of a kind that nobody has explained are left out",
			 counts->unknown_segment_bytes);
	add_left_out(arena, run, counts);
}
