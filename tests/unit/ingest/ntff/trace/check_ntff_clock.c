/* Raw times of native traces as picoseconds. */
#include "ingest/ntff/trace/record.h"

#include <inttypes.h>

#include "tests/unit/unit.h"

static const struct {
	struct ntff_clock clock;
	uint64_t origin, raw;
	int64_t ps;
} clocks[] = {
	{{0, 1, 1}, 0, 5, 5},
	{{10, 1, 1}, 0, 7, -3},
	{{0, 1, 1}, 100, 7, -93},
	/* Rounded down, also before the base. */
	{{10, 2, 3}, 0, 11, 1},
	{{10, 2, 3}, 0, 9, -2},
	{{10, 2, 3}, 0, 8, -3},
	{{10, 2, 3}, 100, 9, -102},
	{{1000, 1024, 731408}, 0, 1001, 714},
	{{1000, 1024, 731408}, 0, 999, -715},
	{{1000, 1024, 1204672}, 0, 1001, 1176},
	{{1000, 1, 0}, 0, 5000, 0},
	/* Products beyond 64 bits. */
	{{455000000000000, 731428, 731408}, 0, 36483797018963968, 36027811855775821},
	{{455000000000000, 731428, 731408}, 0, 331543210987655, -123453413238134},
	{{1000000000000000, 1024, 1204672}, 0, 2000000000000000, 1176437500000000000},
	{{1000000000000000, 1024, 1204672},
	 1000000000000000000,
	 2000000000000000,
	 176437500000000000},
	/* No clock can mean these. */
	{{0, 1, 1}, 0, ((uint64_t)1 << 61) - 1, ((int64_t)1 << 61) - 1},
	{{0, 1, 1}, 0, (uint64_t)1 << 61, NTFF_NO_TIME},
	{{0, 1, 1}, 0, UINT64_MAX, NTFF_NO_TIME},
	{{UINT64_MAX, 1, 1}, 0, 0, NTFF_NO_TIME},
	{{0, 1, UINT64_MAX}, 0, UINT64_MAX, NTFF_NO_TIME},
	{{0, 1024, 1204672}, 0, UINT64_MAX / 4, NTFF_NO_TIME},
	/* But after months of counting they are times near the origin. */
	{{0, 1, 1}, UINT64_MAX - 5, UINT64_MAX, 5},
	{{0, 1, 1}, (uint64_t)1 << 63, ((uint64_t)1 << 63) - 9, -9},
	{{(uint64_t)1 << 63, 1, 1}, (uint64_t)1 << 63, UINT64_MAX, -1},
};

START_TEST(times_are_rounded_down)
{
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
		struct ntff_ticks ticks = ntff_ticks_of(&clocks[i].clock, clocks[i].origin);
		int64_t ps = ntff_ps(&ticks, clocks[i].raw);
		ck_assert_msg(ps == clocks[i].ps, "clock %zu: %" PRId64 ", not %" PRId64, i, ps,
			      clocks[i].ps);
	}
}
END_TEST

UNIT_MAIN("ntff_clock", times_are_rounded_down)
