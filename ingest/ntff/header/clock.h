/*
 * Converts the raw times of an NTFF's records to picoseconds.
 *
 * Never add records and instruction words.
 */
#pragma once

#include "model/ntff/trace.h"

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
	const int64_t most = (int64_t)1 << 61;
	bool before = raw < ticks->base;
	uint64_t difference = before ? ticks->base - raw : raw - ticks->base;
	uint64_t ps;
	if (ticks->plain) {
		if (difference >= (uint64_t)most)
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
	return time >= most || time <= -most ? NTFF_NO_TIME : (int64_t)time;
}
