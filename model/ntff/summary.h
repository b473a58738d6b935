/*
 * Sums over the records of an NTFF: counts, times and work by engine, core, opcode and DMA queue,
 * and the longest instructions. They cover the window, as for `rooflog ingest`. Times are
 * picoseconds. ingest/ntff/ntff.h fills this in one pass; render/ntff/ shows it.
 */
#pragma once

#include "base/base.h"
#include "model/ntff/ntff.h"
#include "model/ntff/records.h"
#include "model/run/run.h"
#include "model/timeline/interval.h"

enum {
	ntff_top_limit = 1000,
	ntff_throttle_limit = 1024,
	ntff_outside_program = 256,
	ntff_figure_count = 10
};

struct ntff_sum {
	uint64_t count, ps, bytes, flops;
	bool has_active;               /* the next two are known */
	uint64_t active_ps, late;      /* if late > 0, active_ps is a lower bound */
	struct interval_union *active; /* during reading; NULL afterwards */
};

struct ntff_core_sum {
	struct ntff_sum engines[NTFF_ENGINES];
	uint64_t instructions, flops;
};

/* Rows of the DMA table. Those after NTFF_ROW_STATIC are in the order of enum ntff_traffic. */
enum ntff_traffic_row {
	NTFF_ROW_STATIC,
	NTFF_ROW_STATIC_INSTRUCTION,
	NTFF_ROW_STATIC_DATA,
	NTFF_ROW_STATIC_IO,
	NTFF_ROW_STATIC_UNKNOWN,
	NTFF_ROW_SOFTWARE,
	NTFF_ROW_HARDWARE,
	NTFF_ROW_ALL,
	NTFF_TRAFFIC_ROWS
};

struct ntff_longest {
	struct ntff_instruction one; /* its `word` is dangling */
	bool has_word;
	unsigned char word[ntff_word_size];
};

/* The longest instructions of a kind, in descending order. */
struct ntff_top {
	struct ntff_longest *items;
	size_t count;
	uint64_t of; /* number of all instructions of the kind */
};

/* How a stated number relates to the true one. */
enum ntff_bound { NTFF_EXACT, NTFF_AT_LEAST, NTFF_AT_MOST, NTFF_ABOUT };

/* A metric of the work; the number itself is in the run. */
struct ntff_figure {
	enum metric metric;
	enum ntff_bound bound;
};

struct ntff_summary {
	struct arena *arena; /* owns everything that the summary points to */
	const struct ntff *ntff;
	size_t top_limit; /* length of each list of longest instructions */
	bool has_records; /* false if only the header of this version can be read: no sums */
	bool guessed; /* the window starts with the first instruction, for lack of a better start */
	struct ntff_counts counts;
	uint64_t total_ps; /* 0 unknown */
	struct ntff_core_sum *cores;
	struct ntff_sum engines[NTFF_ENGINES], all;
	struct ntff_sum opcodes[ntff_outside_program + 1]; /* the last one: without a known word */
	uint64_t instructions, events;
	struct ntff_sum shown[NTFF_TRAFFIC_ROWS]; /* as the vendor's tool counts */
	struct ntff_sum whole[NTFF_TRAFFIC_ROWS]; /* including what it leaves out */
	struct ntff_top work_top, wait_top;
	struct ntff_throttle *throttles; /* in the window */
	size_t throttle_count;
	uint64_t more_throttles;
	struct run *run; /* with the metrics of the work, and warnings */
	struct ntff_figure figures[ntff_figure_count]; /* of the run, in the order of display */
};

/* Saturating addition, because a hostile file can contain any number. */
static inline void ntff_add(uint64_t *sum, uint64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum))
		*sum = UINT64_MAX;
}
