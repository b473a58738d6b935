/* What the text and the JSON of a trace share: names, and the irregularities of the trace. */
#include "render/ntff/internal.h"

const char *render_ntff_short_version(struct arena *arena, const struct ntff_version *version)
{
	const char *text = ntff_version_text(arena, version);
	return text && span_ends(span_of(text), " ()")
		       ? arena_strndup(arena, text, strlen(text) - strlen(" ()"))
		       : text;
}

const char *render_ntff_hex(struct arena *arena, const unsigned char *bytes, size_t len,
			    const char *between)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < len; i++)
		strbuf_addf(&sb, "%s%02x", i && i % 4 == 0 ? between : "", bytes[i]);
	return strbuf_into(&sb, arena);
}

const char *render_ntff_opcode_text(struct arena *arena, unsigned opcode)
{
	const char *name = ntff_opcode_name(opcode);
	return name                            ? name
	       : opcode < ntff_outside_program ? arena_printf(arena, "opcode 0x%02x", opcode)
					       : "(outside the program)";
}

const char *render_ntff_traffic_name(enum ntff_traffic_row row)
{
	static const char *const names[NTFF_TRAFFIC_ROWS] = {
		[NTFF_ROW_STATIC] = "static",
		[NTFF_ROW_STATIC_INSTRUCTION] = "static: instruction",
		[NTFF_ROW_STATIC_DATA] = "static: data",
		[NTFF_ROW_STATIC_IO] = "static: io",
		[NTFF_ROW_STATIC_UNKNOWN] = "static: unknown",
		[NTFF_ROW_SOFTWARE] = "software_dynamic",
		[NTFF_ROW_HARDWARE] = "hardware_dynamic",
		[NTFF_ROW_ALL] = "all",
	};
	return names[row];
}

/* --- irregularities --- */

void render_ntff_add_warnings(const struct ntff_summary *summary, struct json *list)
{
	const struct ntff_counts *counts = &summary->counts;
	uint64_t late = summary->all.late, strays = 0;
	for (int i = 0; i < NTFF_ENGINES; i++)
		late += summary->engines[i].late;
	for (int i = 0; i < NTFF_TRAFFIC_ROWS; i++)
		late += summary->shown[i].late;
	for (size_t i = 0; i < summary->ntff->stray_count; i++)
		strays += summary->ntff->strays[i].size / ntff_record_size;
	if (summary->has_records && summary->guessed)
		json_add_text(
			summary->arena, list,
			"no start marker: the execution is measured from its first instruction");
	if (summary->has_records && summary->total_ps == 0)
		json_add_text(summary->arena, list, "the header has no execution time");
	const struct {
		uint64_t count;
		const char *what;
	} rows[] = {
		{counts->orphan_ends, "instruction ends without a begin"},
		{counts->open_begins > summary->ntff->core_count ? counts->open_begins : 0,
		 "instruction begins without an end, one per core is normal"},
		{counts->orphan_transfers, "DMA transfer ends without a begin"},
		{counts->open_transfers, "DMA transfer begins without an end"},
		{counts->wrong_times, "records with impossible times, skipped"},
		{counts->unknown_records, "records of an undocumented type, skipped"},
		{counts->errors, "error records of unknown meaning"},
		{counts->unknown_segment_bytes,
		 "bytes in traces of an undocumented type or core, skipped"},
		{strays, "records of cores missing in the header, skipped"},
		{counts->outside_program,
		 "instructions of the window that ran outside the programs that the trace holds"},
		{late, "intervals out of order; active times are lower bounds"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].count)
			json_add_text(summary->arena, list,
				      arena_printf(summary->arena, "%s: %" PRIu64, rows[i].what,
						   rows[i].count));
	if (summary->ntff->more_unknowns)
		json_add_text(summary->arena, list,
			      "the header has more unknown fields than are listed");
}
