/*
 * The layout of an NTFF's records, the clocks that give them times, and the programs that they
 * refer to, for the files that walk over records: window.c, pairs.c and trace.c.
 */
#pragma once

#include "base/base.h"
#include "base/text/text.h"
#include "ingest/input/random_access.h"
#include "model/ntff/trace.h"

enum { ntff_buffer_size = 32 * 1024, ntff_program_window = 16 * 1024 };

/* --- records --- */

static inline uint32_t ntff_u24(const unsigned char *record)
{
	return record[0] | (uint32_t)record[1] << 8 | (uint32_t)record[2] << 16;
}

static inline uint16_t ntff_u16(const unsigned char *record, size_t at)
{
	return (uint16_t)(record[at] | record[at + 1] << 8);
}

static inline uint64_t ntff_raw_time(const unsigned char *record)
{
	return word_at((const char *)record + 8);
}

/* The engine of an instruction record: enum ntff_engine, or -1 or at least NTFF_ENGINES if it
 * belongs to none. */
static inline int ntff_record_engine(const unsigned char *record)
{
	return (record[3] >> 2 & 7) - 1;
}

static inline bool ntff_segment_is(const struct ntff_segment *segment, uint64_t type,
				   uint64_t subtype)
{
	return segment->type == type && segment->subtype == subtype;
}

/* Reads the records of a segment, one buffer at a time. */
struct ntff_chunks {
	struct random_access *bytes;
	const struct ntff_segment *segment;
	uint64_t at; /* start of the next chunk, bytes from the segment's start */
	size_t len;  /* bytes of the chunk, always whole records */
	unsigned char buffer[ntff_buffer_size];
};

/* 1 and the next chunk; 0 at the end of the segment; -1 and *err. */
int ntff_trace_next_chunk(struct ntff_chunks *chunks, struct error *err);
/* Whether the core has any records of this kind. */
bool ntff_trace_has_records(const struct ntff_core *core, uint64_t type, uint64_t subtype);

/* --- times --- */

/* Converts raw times to picoseconds. */
struct ntff_ticks {
	uint64_t base, den, num;
	uint64_t origin; /* ps, subtracted from all times: devices count from their start */
	uint64_t easy;   /* differences up to this can be multiplied in 64 bits */
	bool plain;      /* raw times are picoseconds, and the origin is included in the base */
};

/* Requires clock->den > 0. */
static inline struct ntff_ticks ntff_ticks_of(const struct ntff_clock *clock, uint64_t origin)
{
	assert(clock->den > 0);
	struct ntff_ticks ticks = {clock->base, clock->den, clock->num, origin, 0, false};
	ticks.easy = (uint64_t)INT64_MAX / (clock->num ? clock->num : 1);
	ticks.plain = clock->den == 1 && clock->num == 1 && clock->base <= UINT64_MAX - origin;
	if (ticks.plain)
		ticks.base += origin;
	return ticks;
}

/* floor((raw - base) num / den) - origin; NTFF_NO_TIME if it is beyond +-2^61 ps,
 * that is 26 days. */
static inline int64_t ntff_ps(const struct ntff_ticks *ticks, uint64_t raw)
{
	const int64_t limit = (int64_t)1 << 61;
	bool before = raw < ticks->base;
	uint64_t difference = before ? ticks->base - raw : raw - ticks->base;
	uint64_t ps;
	if (ticks->plain) {
		if (difference >= (uint64_t)limit)
			return NTFF_NO_TIME;
		return before ? -(int64_t)difference : (int64_t)difference;
	}
	if (difference <= ticks->easy) {
		uint64_t product = difference * ticks->num;
		ps = product / ticks->den;
		ps += before && product % ticks->den != 0;
	} else {
		unsigned __int128 product = (unsigned __int128)difference * ticks->num;
		unsigned __int128 quotient = product / ticks->den;
		quotient += before && product % ticks->den != 0;
		if (quotient > UINT64_MAX)
			return NTFF_NO_TIME;
		ps = (uint64_t)quotient;
	}
	__int128 time = (before ? -(__int128)ps : (__int128)ps) - ticks->origin;
	return time >= limit || time <= -limit ? NTFF_NO_TIME : (int64_t)time;
}

/* What the times of a core depend on, except for the unit's own clock. */
struct ntff_time_base {
	const struct ntff *ntff;
	const struct ntff_core *core;
	uint64_t origin; /* see struct ntff_window */
};

/* The clock of a unit. -1 and *err, which names the unit, if the header has no clock for it. */
int ntff_trace_make_ticks(const struct ntff_time_base *base, const struct ntff_clock *clock,
			  const char *unit, struct ntff_ticks *ticks, struct error *err);
int ntff_trace_make_engine_ticks(const struct ntff_time_base *base,
				 struct ntff_ticks ticks[NTFF_ENGINES], struct error *err);

/* --- programs --- */

/* A window on one engine's program. */
struct ntff_program {
	const struct ntff_stream *stream;
	uint64_t at; /* start of the window, bytes from the program's start */
	size_t len;  /* of the window, bytes; 0: nothing read yet */
	unsigned char window[ntff_program_window];
};

/* The index of an instruction's word. A record has only 20 bits of the address. */
static inline uint32_t ntff_pc(const struct ntff_stream *stream, uint32_t address)
{
	return (address - (uint32_t)(stream->address >> 6)) & 0xfffff;
}

/* Sets *word to the instruction's 64 bytes, valid until the next call; NULL if the program has no
 * such index. 0, or -1 and *err. */
int ntff_trace_program_word(struct ntff_program *program, struct random_access *bytes, uint32_t pc,
			    const unsigned char **word, struct error *err);
