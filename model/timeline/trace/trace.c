/* Collects the events of a run. */
#include "model/timeline/trace/trace.h"

#include "base/hash/hash.h"
#include "base/text/text.h"

struct trace *trace_new(struct arena *arena)
{
	struct trace *trace = arena_new(arena, struct trace);
	trace->arena = arena;
	*arena_next(arena, trace->texts, trace->text_count, trace->text_capacity) =
		(struct trace_text){.text = ""};
	return trace;
}

static void put(struct trace *trace, uint32_t number)
{
	size_t at = trace->texts[number].hash & (trace->slot_count - 1);
	while (trace->slots[at])
		at = (at + 1) & (trace->slot_count - 1);
	trace->slots[at] = number + 1;
}

/* Twice as many slots as texts at least. */
static void make_slots(struct trace *trace)
{
	if (trace->text_count * 2 < trace->slot_count)
		return;
	trace->slot_count = trace->slot_count ? trace->slot_count * 2 : 1024;
	trace->slots = arena_array(trace->arena, trace->slot_count, sizeof *trace->slots);
	for (size_t i = 1; i < trace->text_count; i++)
		put(trace, (uint32_t)i);
}

/* The beginning of a text, without half a character at its end. */
static struct span cut(struct span text)
{
	if (text.len > TRACE_TEXT_LIMIT)
		text.len = TRACE_TEXT_LIMIT;
	text.len = utf8_valid_prefix(text);
	return text;
}

static uint32_t find(const struct trace *trace, struct span text, uint64_t hash)
{
	if (trace->slot_count == 0)
		return 0;
	for (size_t at = hash & (trace->slot_count - 1); trace->slots[at];
	     at = (at + 1) & (trace->slot_count - 1)) {
		const struct trace_text *one = &trace->texts[trace->slots[at] - 1];
		if (one->hash == hash && span_eq((struct span){one->text, one->len}, text))
			return trace->slots[at] - 1;
	}
	return 0;
}

uint32_t trace_find_text(const struct trace *trace, struct span text)
{
	text = cut(span_trim(text));
	return text.len ? find(trace, text, table_hash_quickly(text)) : 0;
}

uint32_t trace_text(struct trace *trace, struct span text)
{
	text = cut(span_trim(text));
	if (text.len == 0)
		return 0;
	uint64_t hash = table_hash_quickly(text);
	uint32_t known = find(trace, text, hash);
	if (known)
		return known;
	make_slots(trace);
	if (trace->text_bytes + text.len > TRACE_TEXTS_LIMIT) {
		trace->lost++;
		return 0;
	}
	trace->text_bytes += text.len;
	*arena_next(trace->arena, trace->texts, trace->text_count, trace->text_capacity) =
		(struct trace_text){.text = arena_strndup(trace->arena, text.ptr, text.len),
				    .len = text.len,
				    .hash = hash};
	put(trace, (uint32_t)(trace->text_count - 1));
	return (uint32_t)(trace->text_count - 1);
}

/* At most a quarter of them is taken. */
enum { TRACK_SLOTS = 4 * TRACE_TRACK_LIMIT };

/* The slot of a track, or the free one that it would take. */
static uint32_t *track_slot(struct trace *trace, const struct trace_track *track)
{
	uint64_t hash = (uint64_t)track->core << 34 ^ (uint64_t)track->name << 2 ^ track->kind;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	if (!trace->track_slots)
		trace->track_slots =
			arena_array(trace->arena, TRACK_SLOTS, sizeof *trace->track_slots);
	for (size_t at = hash >> 32 & (TRACK_SLOTS - 1);; at = (at + 1) & (TRACK_SLOTS - 1)) {
		uint32_t number = trace->track_slots[at];
		const struct trace_track *one = number ? &trace->tracks[number - 1] : NULL;
		if (!one || (one->kind == track->kind && one->core == track->core &&
			     one->name == track->name))
			return &trace->track_slots[at];
	}
}

uint32_t trace_track(struct trace *trace, enum trace_kind kind, struct span core, struct span name)
{
	const struct trace_track track = {kind, trace_text(trace, core), trace_text(trace, name)};
	uint32_t *slot = track_slot(trace, &track);
	if (*slot)
		return *slot - 1;
	if (trace->track_count == TRACE_TRACK_LIMIT)
		return UINT32_MAX;
	*arena_next(trace->arena, trace->tracks, trace->track_count, trace->track_capacity) = track;
	*slot = (uint32_t)trace->track_count;
	return *slot - 1;
}

void trace_add(struct trace *trace, struct trace_event event)
{
	uint64_t end;
	if (event.track >= trace->track_count || trace->count == TRACE_EVENT_LIMIT ||
	    event.duration > trace_tick_limit ||
	    __builtin_add_overflow(event.begin, event.duration, &end) || end > INT64_MAX) {
		trace->more++;
		return;
	}
	*arena_next(trace->arena, trace->events, trace->count, trace->capacity) = event;
}

void trace_add_from_origin(struct trace *trace, struct trace_event event)
{
	size_t before = trace->count;
	trace_add(trace, event);
	if (trace->count > before && (before == 0 || event.begin < trace->origin))
		trace->origin = event.begin;
}
