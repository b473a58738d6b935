/*
 * The layout of an NTFF's records and the clocks of a core, for the two files that walk over
 * records: window.c and trace.c.
 */
#pragma once

#include "base/base.h"
#include "model/ntff/ntff.h"
#include "ingest/ntff/header/clock.h"

enum { ntff_buffer_size = 32 * 1024 };

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
	uint64_t raw;
	memcpy(&raw, record + 8, sizeof raw);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	raw = __builtin_bswap64(raw);
#endif
	return raw;
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
