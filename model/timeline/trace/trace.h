/*
 * The events of one run on tracks: instructions of engines, transfers of DMA queues, updates of
 * semaphores. Readers fill it; pack.h makes it small.
 *
 * Times are whole ticks. The reader states the length of a tick, and the tick at which the
 * execution began, when it knows them. Texts are one line of valid UTF-8 and stored once. What does
 * not fit is counted.
 *
 * Never add drawing, or the reading of traces.
 */
#pragma once

#include "base/base.h"

enum {
	TRACE_EVENT_LIMIT = 4000000,
	TRACE_TRACK_LIMIT = 4096,
	TRACE_TEXT_LIMIT = 1024,     /* bytes of a text; a longer one is cut */
	TRACE_TEXTS_LIMIT = 64 << 20 /* bytes of all texts */
};

/* Ticks of a duration, and from the origin to the last event: a double has twice of it exactly. */
static const uint64_t trace_tick_limit = UINT64_C(1) << 52;

enum trace_kind { TRACE_ENGINE, TRACE_QUEUE, TRACE_SEMAPHORE, TRACE_KINDS };

struct trace_track {
	enum trace_kind kind;
	uint32_t core, name; /* texts; the core is 0 if the file names none */
};

struct trace_event {
	uint64_t begin, duration; /* ticks */
	uint32_t track;
	uint32_t name, operands, source; /* texts; 0: none */
	bool waits; /* the engine is not active: it waits, or the execution has not begun */
};

struct trace_text {
	const char *text;
	size_t len;
	uint64_t hash;
};

struct trace {
	struct arena *arena;
	double tick;     /* s; 0: unknown */
	uint64_t origin; /* ticks: the start of the execution */
	double length;   /* of the execution, ticks; 0: unknown */
	struct trace_event *events;
	size_t count, capacity;
	struct trace_track *tracks;
	size_t track_count, track_capacity;
	uint32_t *track_slots;    /* hash table: 1 + index of a track, 0 free; NULL: no track */
	struct trace_text *texts; /* the first is "" */
	size_t text_count, text_capacity, text_bytes;
	uint32_t *slots; /* hash table: 1 + index of a text, 0 free */
	size_t slot_count;
	uint64_t more;    /* events beyond a limit, which are not kept */
	uint64_t lost;    /* texts beyond the limit: their events have none */
	uint64_t unshown; /* transfers that the vendor's tool leaves out, and so the reader */
};

/* Everything belongs to the arena. */
struct trace *trace_new(struct arena *arena);
/* The number of a text; 0 for an empty one, and beyond the limit. */
uint32_t trace_text(struct trace *trace, struct span text);
/* The number of a text that is there; 0 for another. */
uint32_t trace_find_text(const struct trace *trace, struct span text);
/* The number of a track, added if it is new; UINT32_MAX beyond the limit. */
uint32_t trace_track(struct trace *trace, enum trace_kind kind, struct span core, struct span name);
/* Adds an event to a track, which may be UINT32_MAX: then it is only counted. */
void trace_add(struct trace *trace, struct trace_event event);
/* The same; the origin becomes the begin of the earliest event that was added. */
void trace_add_from_origin(struct trace *trace, struct trace_event event);
