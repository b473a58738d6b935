/* Words what a page leaves out. */
#include "cli/query/viewer/notes.h"

#include "base/text/text.h"

/* What is true of both runs is said once. */
void query_viewer_note(struct viewer_notes *notes, const char *text)
{
	if (!text)
		return;
	for (size_t i = 0; i < notes->count; i++)
		if (strcmp(notes->texts[i], text) == 0) {
			notes->items[i] = text;
			return;
		}
	assert(notes->count < NOTES);
	notes->texts[notes->count] = text;
	notes->items[notes->count++] =
		notes->of[0] ? arena_printf(notes->arena, "%.200s: %s", notes->of, text) : text;
}

static const char *counted(struct arena *arena, uint64_t count)
{
	return quantity_text(arena, (double)count, UNIT_COUNT);
}

/* "12 instructions and 3 semaphore updates": what is not on the page for want of room. */
static const char *left_out(struct arena *arena, const struct trace_packed *packed)
{
	static const char *const names[2][TRACE_KINDS][2] = {
		{{"instruction", "instructions"},
		 {"DMA transfer", "DMA transfers"},
		 {"semaphore update", "semaphore updates"}},
		{{"kernel", "kernels"}, {"copy", "copies"}, {"", ""}}};
	uint64_t counts[TRACE_KINDS] = {0};
	struct strbuf sb = {0};
	for (size_t i = 0; i < packed->track_count; i++)
		counts[packed->tracks[i].kind] += packed->tracks[i].left_out;
	for (int kind = 0; kind < TRACE_KINDS; kind++)
		if (counts[kind])
			strbuf_addf(&sb, "%s%s %s", sb.len ? " and " : "",
				    counted(arena, counts[kind]),
				    names[packed->streams][kind][counts[kind] > 1]);
	return strbuf_into(&sb, arena);
}

/* Each thing that the file has and the page has not. */
void query_viewer_notes(struct viewer_notes *notes, const struct trace_packed *packed)
{
	struct arena *arena = notes->arena;
	const struct trace *trace = packed->trace;
	if (packed->left_out)
		query_viewer_note(
			notes, arena_printf(arena,
					    "%s of %s events are not on this page, the shortest of "
					    "their kind: %s. --from and --to show a part in full.",
					    counted(arena, packed->left_out),
					    counted(arena, packed->left_out + packed->count),
					    left_out(arena, packed)));
	if (packed->without_operands)
		query_viewer_note(notes,
				  arena_printf(arena,
					       "The operands of %s did not fit on this page: "
					       "--from and --to show a part in full.",
					       quantity_count_text(arena, packed->without_operands,
								   "event", "events")));
	if (packed->without_texts)
		query_viewer_note(notes,
				  arena_printf(arena,
					       "The names or source lines of %s did not fit on "
					       "this page: --from and --to show a part in full.",
					       quantity_count_text(arena, packed->without_texts,
								   "event", "events")));
	if (packed->without_name)
		query_viewer_note(notes,
				  arena_printf(arena, "The names of %s did not fit on this page.",
					       quantity_count_text(arena, packed->without_name,
								   "track", "tracks")));
	if (trace->more)
		query_viewer_note(
			notes,
			arena_printf(arena,
				     "Not read of the file: %s without a possible time, or "
				     "beyond %s.",
				     quantity_count_text(arena, trace->more, "event", "events"),
				     counted(arena, TRACE_EVENT_LIMIT)));
	if (trace->lost)
		query_viewer_note(
			notes,
			arena_printf(arena, "Not read of the file: %s, because it has too many.",
				     quantity_count_text(arena, trace->lost, "text", "texts")));
	if (trace->unshown)
		query_viewer_note(
			notes,
			arena_printf(
				arena,
				"%s DMA transfers are not on this page: the vendor's tool loses "
				"them, and no metric counts them.",
				counted(arena, trace->unshown)));
}
