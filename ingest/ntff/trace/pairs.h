/*
 * Pairs the begin and the end of instructions and DMA transfers, which an NTFF records separately.
 * A begin is stored until its end comes, then both go to the sink. Used by trace.c, which
 * determines the order of reading.
 */
#pragma once

#include "base/base.h"
#include "ingest/ntff/trace/record.h"
#include "ingest/ntff/trace/trace.h"

enum {
	ntff_open_limit = 1024,             /* unfinished instructions of an engine */
	ntff_open_transfer_limit = 1 << 20, /* unfinished transfers of a trace */
	ntff_record_engines = 32            /* numbers of DMA engines in records: 0 to 31 */
};

struct ntff_pairing {
	const struct ntff *ntff;
	struct random_access *bytes;
	const struct ntff_window *window;
	const struct ntff_sink *sink;
	struct ntff_counts *counts;
	uint64_t open_transfers;
};

/* An instruction that has begun and not ended. */
struct ntff_open {
	uint32_t key; /* address and hint */
	uint16_t wait;
	int64_t begin;
};

/* Transfers of one DMA engine and ring that have begun and not ended. They end in the order in
 * which they began. */
struct ntff_ring {
	int64_t *begins;
	uint32_t first, count, capacity;
	bool straddled; /* a transfer was in progress at the start of the window */
	const struct ntff_queue *queue;
	enum ntff_dma_class class;
	enum ntff_traffic traffic;
};

/* The unfinished instructions and transfers of a core. */
struct ntff_pairs {
	const struct ntff_core *core;
	int64_t timed_from; /* instructions before are not timed; ps from the window's start */
	int64_t last;       /* end of the last instruction in the window, ps; -1 none */
	struct ntff_ticks engine_ticks[NTFF_ENGINES], dma_ticks[ntff_dma_engines];
	struct ntff_program programs[NTFF_ENGINES];
	struct ntff_open open[NTFF_ENGINES][ntff_open_limit];
	size_t open_count[NTFF_ENGINES];
	struct ntff_ring rings[ntff_record_engines][ntff_rings];
};

/* A part of a trace in memory. The bytes from `used` to `len` are whole, unread records. */
struct ntff_records {
	const unsigned char *bytes;
	size_t used, len;
	bool is_dma;
};

static inline struct ntff_time_base ntff_time_base_of(const struct ntff_pairing *pairing,
						      const struct ntff_core *core)
{
	return (struct ntff_time_base){pairing->ntff, core, pairing->window->origin};
}

/* Converts a time on the common clock to one from the window's start; NTFF_NO_TIME is unchanged. */
static inline int64_t ntff_from_start(const struct ntff_window *window, int64_t ps)
{
	return ps == NTFF_NO_TIME ? NTFF_NO_TIME : ps - window->start;
}

static inline int64_t ntff_window_length(const struct ntff_window *window)
{
	return window->end == INT64_MAX ? INT64_MAX : window->end - window->start;
}

/* NULL and *err if the header lacks a clock. Released by ntff_trace_pairs_free(). */
struct ntff_pairs *ntff_trace_pairs_new(const struct ntff_pairing *pairing, size_t core_index,
					struct error *err);
/* The time of the next record. If its unit is unknown, it is NTFF_NO_TIME and the record will only
 * be counted. */
int64_t ntff_trace_next_time(const struct ntff_pairing *pairing, const struct ntff_pairs *pairs,
			     const struct ntff_records *records);
/* Processes records until one is later than `limit`, but at most `count`. */
int ntff_trace_pass_records(struct ntff_pairing *pairing, struct ntff_pairs *pairs,
			    struct ntff_records *records, int64_t limit, size_t count,
			    struct error *err);
void ntff_trace_pairs_free(struct ntff_pairs *pairs);
