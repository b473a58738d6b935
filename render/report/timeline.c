/* Which part of a run became longer, in the report document. */
#include "render/document/document.h"
#include "render/report/report.h"

#include "base/base.h"
#include "model/timeline/alignment.h"

static const char *title_of(const struct timeline_part *part)
{
	return strcmp(part->engine, "idle") == 0 ? "idle" : report_engine_title(part->engine);
}

/* "+4.92 us from 11.49 us to 15.80 us (DMA +4.10 us)" */
static const char *part_text(struct arena *arena, const struct timeline_part *part)
{
	struct strbuf sb = {0};
	strbuf_addf(&sb, "%s from %s to %s", quantity_signed_text(arena, part->change, UNIT_SECOND),
		    quantity_text(arena, part->from, UNIT_SECOND),
		    quantity_text(arena, part->to, UNIT_SECOND));
	if (part->engine)
		strbuf_addf(&sb, " (%s %s)", title_of(part),
			    quantity_signed_text(arena, part->engine_change, UNIT_SECOND));
	return strbuf_into(&sb, arena);
}

static const struct timeline_part *largest(const struct timeline_difference *difference)
{
	const struct timeline_part *part = &difference->parts[0];
	for (size_t i = 1; i < difference->count; i++)
		if (fabs(difference->parts[i].change) > fabs(part->change))
			part = &difference->parts[i];
	return part;
}

static const char *text_of(struct arena *arena, const struct timeline_difference *difference)
{
	const struct timeline_part *part = largest(difference);
	if (!difference->aligned)
		return "the timelines differ too much to locate the change";
	if (fabs(part->change) < difference->resolution)
		return arena_printf(arena, "no part of the run changed by at least %s",
				    quantity_text(arena, difference->resolution, UNIT_SECOND));
	return part_text(arena, part);
}

static void add_part(struct arena *arena, struct json *parts, const struct timeline_part *part,
		     double resolution)
{
	const struct document_member lengths[] = {
		{KEY(from), NUMBER(part->from)},
		{KEY(to), NUMBER(part->to)},
		{KEY(baseline_from), NUMBER(part->baseline_from)},
		{KEY(baseline_to), NUMBER(part->baseline_to)},
		{KEY(before_seconds), NUMBER(part->baseline_to - part->baseline_from)},
		{KEY(after_seconds), NUMBER(part->to - part->from)},
		{KEY(change_seconds), NUMBER(part->change)},
	};
	const struct document_member engine[] = {
		{KEY(engine), TEXT(part->engine)},
		{KEY(engine_title), TEXT(part->engine ? title_of(part) : NULL)},
		{KEY(engine_seconds), NUMBER(part->engine_change)},
	};
	struct json *out = json_add_object(arena, parts);
	document_fill(arena, out, lengths);
	if (part->engine)
		document_fill(arena, out, engine);
	if (fabs(part->change) >= resolution)
		json_set_text(arena, out, KEY(text), part_text(arena, part));
}

void report_add_timeline(struct arena *arena, struct json *baseline, const struct report_run *entry,
			 bool parts)
{
	struct timeline_difference difference;
	bool found = parts ? timeline_compare(entry->baseline, entry->run, &difference)
			   : timeline_lengths(entry->baseline, entry->run, &difference);
	if (!found)
		return;
	struct json *out = json_set_object(arena, baseline, KEY(timeline_difference));
	json_set_number(arena, out, KEY(before_seconds), difference.before);
	json_set_number(arena, out, KEY(after_seconds), difference.after);
	json_set_number(arena, out, KEY(change_seconds), difference.after - difference.before);
	json_set_number(arena, out, KEY(resolution_seconds), difference.resolution);
	if (!parts)
		return;
	json_set_bool(arena, out, KEY(aligned), difference.aligned);
	json_set_number(arena, out, KEY(likeness), difference.likeness);
	json_set_text(arena, out, KEY(text), text_of(arena, &difference));
	struct json *list = json_set_array(arena, out, KEY(parts));
	for (size_t i = 0; i < difference.count; i++)
		add_part(arena, list, &difference.parts[i], difference.resolution);
}
