/* The machine, as rocprof-compute describes it: the names of its sysinfo.csv. Its analysis database
 * has the same names. */
#pragma once

#include "ingest/reader.h"
#include "model/roofline/roofline.h"

/* The names of measured peaks in roofline.csv and in the database, in units of 1e9 per second, in
 * the order of ceiling_peaks. */
extern const char *const rocprof_peak_columns[CEILING_PEAKS];

struct rocprof_system {
	/* The text under a name, which is in the arena; NULL: there is none. */
	const char *(*text)(const void *context, struct arena *arena, const char *name);
	const void *context;
};

/* Sets device, values and attributes of the companion; further CEILING_PEAKS attributes have room.
 * 0, or -1 and *err. */
int rocprof_system_describe(struct arena *arena, const struct rocprof_system *system,
			    struct companion *companion, struct error *err);
