/*
 * Reading the records of an NTFF (model/ntff/records.h), in memory that does not grow with their
 * number: instructions and DMA transfers paired, clocks applied, each handed to the caller with
 * what the instruction's program says.
 *
 * Times are whole picoseconds from the start of the execution, rounded down
 * separately for begin and end as the vendor's tool does; before it they are
 * negative. Instructions and transfers of all cores come first, when they end,
 * roughly in the order of time; then core by core its events and its throttling,
 * in the order of the file.
 *
 * The window (docs/formats/ntff.md, "Window"): version 6 states start and end; before,
 * it starts when the tensor engine of the first core has told that the program
 * begins, and has no end.
 */
#ifndef INGEST_NTFF_TRACE_TRACE_H
#define INGEST_NTFF_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "ingest/input/random_access.h"
#include "model/ntff/records.h"

/* A callback may be NULL. Those that return -1 with *err end the reading. What `one` is and points
 * to, the word too, is valid during the call; the cores and queues are those of struct ntff. */
struct ntff_sink {
	void *context;
	int (*instruction)(void *context, const struct ntff_instruction *one, struct error *err);
	int (*transfer)(void *context, const struct ntff_transfer *one, struct error *err);
	int (*event)(void *context, const struct ntff_event *one, struct error *err);
	int (*throttle)(void *context, const struct ntff_throttle *one, struct error *err);
};

/* Where the execution is on the cores' common clock, ps. */
struct ntff_window {
	uint64_t origin;    /* a time near the window: start and end are counted from it */
	int64_t start, end; /* end: INT64_MAX when there is none */
	bool guessed;       /* no program start was found: the first instruction's begin */
	/* From which on a core's instructions are timed, ps from `start`. */
	int64_t core_start[ntff_core_limit];
};

/* An error (ERR_FORMAT) when nothing tells where the execution begins. */
int ntff_find_window(const struct ntff *ntff, struct random_access *bytes,
		     struct ntff_window *window, struct error *err);
/* Reads all records; what is odd about them is no error but counted. *counts is complete on
 * success, also of what lies outside the window. */
int ntff_read_trace(const struct ntff *ntff, struct random_access *bytes,
		    const struct ntff_window *window, const struct ntff_sink *sink,
		    struct ntff_counts *counts, struct error *err);

#endif
