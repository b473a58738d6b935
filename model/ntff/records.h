/*
 * The records of an NTFF as data: instructions and DMA transfers with begin and end, events, clock
 * limits, and the number of each. Times are whole picoseconds from the start of the execution,
 * negative before it.
 */
#pragma once

#include "model/ntff/ntff.h"

/* An impossible time. */
#define NTFF_NO_TIME INT64_MIN

struct ntff_instruction {
	const struct ntff_core *core;
	int engine;         /* enum ntff_engine */
	uint32_t pc;        /* index of the word in the engine's program */
	unsigned hint;      /* debug hint of the word */
	uint16_t wait;      /* for a semaphore, in cycles: of 1.2 GHz on trn2, 1.4 on inf2 */
	bool in_window;     /* inside the window */
	bool timed;         /* also counts for active and instruction time; implies in_window */
	int64_t begin, end; /* ps */
	const unsigned char *word; /* 64 bytes; NULL: it is not part of the known program */
};

enum ntff_transfer_status {
	NTFF_TRANSFER_OUTSIDE, /* not inside the window */
	NTFF_TRANSFER_INSIDE,
	NTFF_TRANSFER_SKIPPED /* inside, but the vendor's tool loses it: another transfer of the
			       * same engine and ring was in progress at the start */
};

/* The kind of traffic, as the vendor's tool names it. */
enum ntff_traffic {
	NTFF_TRAFFIC_INSTRUCTION,
	NTFF_TRAFFIC_DATA,
	NTFF_TRAFFIC_IO,
	NTFF_TRAFFIC_UNKNOWN,
	NTFF_TRAFFIC_SOFTWARE,
	NTFF_TRAFFIC_HARDWARE,
	NTFF_TRAFFIC_KINDS
};

enum ntff_dma_class { NTFF_DMA_STATIC, NTFF_DMA_SOFTWARE, NTFF_DMA_HARDWARE, NTFF_DMA_CLASSES };

struct ntff_transfer {
	const struct ntff_core *core;
	unsigned engine, ring;          /* as the records number them */
	const struct ntff_queue *queue; /* NULL if the header names none */
	enum ntff_dma_class class;
	enum ntff_traffic traffic;
	enum ntff_transfer_status status;
	uint32_t bytes;
	uint16_t crc;       /* of the data */
	int64_t begin, end; /* ps */
};

struct ntff_event {
	const struct ntff_core *core;
	unsigned id;
	unsigned source;   /* engine + 1; 6 a DMA queue */
	unsigned op;       /* 0xf3 increment, 0xf4 decrement, 0xf9 write; 0xf1 set, 0x07 clear */
	bool is_semaphore; /* else an event */
	bool in_window;    /* inside the window */
	bool counted;   /* by the vendor's tool: versions 4 and 5 include those before the window */
	uint32_t value; /* after the update */
	int64_t time;   /* ps; NTFF_NO_TIME if impossible */
};

struct ntff_throttle {
	const struct ntff_core *core;
	bool other;         /* a record of another kind, which does not set a limit */
	unsigned k, n;      /* the clock is limited to k of n cycles */
	unsigned type;      /* 0 or 1; the meaning is unknown */
	int64_t begin, end; /* ps; the end is the next record or the core's last instruction */
	bool in_window;     /* begins inside the window */
};

struct ntff_counts {
	uint64_t instructions, transfers, events, throttles, errors; /* pairs, records */
	uint64_t begins, ends, notifications;                        /* instruction records */
	uint64_t orphan_ends;                                        /* without a begin */
	uint64_t open_begins; /* without an end: one per core is normal */
	uint64_t transfer_begins, transfer_data, transfer_completions;
	uint64_t orphan_transfers, open_transfers;
	uint64_t unknown_records; /* of a known segment, but a kind whose meaning is unknown */
	uint64_t unknown_segments, unknown_segment_bytes;
	uint64_t wrong_times;              /* ends before its begin, or out of range */
	uint64_t outside_program;          /* instructions in the window without a known word */
	uint64_t left_out, left_out_bytes; /* transfers, see NTFF_TRANSFER_SKIPPED */
	int64_t left_out_ps;               /* sum of their durations */
	uint64_t straddling; /* transfers in progress at the start or end of the window */
};

const char *ntff_dma_class_name(enum ntff_dma_class dma_class); /* "software_dynamic" */
/* The kind of traffic as the vendor's tool names it: "instruction", "data", "io" ... */
const char *ntff_traffic_kind_name(enum ntff_traffic traffic);
/* What an event does to its semaphore: "increment", "write" ...; NULL for an unknown code. */
const char *ntff_update_name(unsigned op);
