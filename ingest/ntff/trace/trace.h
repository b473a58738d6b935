/*
 * Reads the records of an NTFF (model/ntff/records.h). Memory does not grow with their number.
 * Instructions and DMA transfers are paired, clocks are applied, and each is passed to the caller
 * with its word in the engine's program.
 *
 * Times are whole picoseconds from the start of the execution, negative before it. Begin and end
 * are rounded down separately, as the vendor's tool does.
 *
 * Order: first the instructions and transfers of all cores, each when it ends, roughly sorted by
 * time. Then, core by core, events and throttling in the order of the file.
 *
 * The window (docs/formats/ntff.md, "Pairs and window"): version 6 states start and end. In earlier
 * versions it starts when the first core's tensor engine has notified the start of the program, and
 * has no end.
 */
#pragma once

#include "base/base.h"
#include "ingest/input/random_access.h"
#include "model/ntff/trace.h"

/* Callbacks, which may be NULL. If one returns -1 with *err, the reading ends with that error.
 * `one` and everything it points to, including the word, is valid during the call only; the cores
 * and queues are those of struct ntff. */
struct ntff_sink {
	void *context;
	int (*instruction)(void *context, const struct ntff_instruction *one, struct error *err);
	int (*transfer)(void *context, const struct ntff_transfer *one, struct error *err);
	int (*event)(void *context, const struct ntff_event *one, struct error *err);
	int (*throttle)(void *context, const struct ntff_throttle *one, struct error *err);
};

/* The window of the execution on the cores' common clock, ps. */
struct ntff_window {
	uint64_t origin;    /* a time near the window: start and end are relative to it */
	int64_t start, end; /* end: INT64_MAX if there is none */
	bool guessed;       /* no program start was found: start is the first instruction's begin */
	/* A core's instructions are timed from here on; ps from `start`. */
	int64_t core_start[ntff_core_limit];
};

/* 0, or -1 and *err; ERR_FORMAT if the start of the execution cannot be determined. */
int ntff_trace_find_window(const struct ntff *ntff, struct random_access *bytes,
			   struct ntff_window *window, struct error *err);
/* Reads all records; 0, or -1 and *err. Odd records are counted and not an error. On success
 * *counts is complete and includes records outside the window. */
int ntff_trace_read(const struct ntff *ntff, struct random_access *bytes,
		    const struct ntff_window *window, const struct ntff_sink *sink,
		    struct ntff_counts *counts, struct error *err);
