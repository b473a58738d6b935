/*
 * What the instructions of a trace computed and moved, added up over all cores
 * from their words: FLOP, transposes, traffic of HBM, SBUF and PSUM, data type.
 * Formulas, checks and what is only bounded: docs/formats/ntff.md, section "Work".
 */
#ifndef INGEST_NTFF_TRACE_WORK_H
#define INGEST_NTFF_TRACE_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "ingest/ntff/trace/trace.h"
#include "model/timeline/interval.h"
#include "model/run/run.h"

enum { ntff_candidate_limit = 256, ntff_dtype_codes = 16 };

/* A matmul that could be a transpose: its moving operand, in bytes of a partition. */
struct ntff_candidate {
	uint64_t start, end;
	uint64_t payload; /* bytes of the operand over all rows */
	uint64_t flops;
};

struct ntff_work {
	uint64_t flops, flagged_flops;       /* of MATMUL; of those flagged as transposes */
	uint64_t flops_of[ntff_dtype_codes]; /* the same by data type */
	/* Bytes: of one partition by the engines, all of them by DMA. */
	uint64_t sbuf_read, sbuf_write, psum_read, psum_write;
	uint64_t psum_to_sbuf;        /* written to SBUF by instructions that read PSUM */
	uint64_t hbm_read, hbm_write; /* by instructions and the static queues */
	uint64_t weights;             /* of the static weight queues, in hbm_read */
	uint64_t static_io;           /* of static queues whose name tells the direction */
	uint64_t aimless_io;          /* of static queues whose name does not */
	uint64_t aimless_static;      /* of static queues of an unknown type */
	uint64_t described;           /* by instructions, as the dynamic queues count it */
	uint64_t dynamic;             /* of the dynamic queues in the window */
	uint64_t unknown_layouts;     /* instructions that move an unknown amount */
	uint64_t unknown_layout_of[256];
	uint64_t unsized;               /* with elements of an unknown size */
	bool untraced_dma;              /* the caller's: nothing is known of DMA transfers */
	uint64_t overflows;             /* additions to these sums that did not fit 64 bits */
	struct interval_union *written; /* bytes of a partition of SBUF */
	struct ntff_candidate candidates[ntff_candidate_limit];
	size_t candidate_count;
	bool more_candidates;
};

/* Never NULL; ended by ntff_work_free(). */
struct ntff_work *ntff_work_new(void);
/* FLOP of the instruction. Instructions outside the window or without a word add nothing. */
uint64_t ntff_work_instruction(struct ntff_work *work, const struct ntff_instruction *one);
void ntff_work_transfer(struct ntff_work *work, const struct ntff_transfer *one);
/* Gives the run its work: numbers, data type, and notes where a number is a bound; such a number is
 * estimated. `flags`: the words are known to tell transposes, as they do since trn2. `outside` kept
 * instructions had no word. */
void ntff_work_give(struct arena *arena, struct run *run, const struct ntff_work *work, bool flags,
		    uint64_t outside);
/* FLOP of the transposes that the rule of docs/formats/ntff.md finds where words have no flag;
 * false when there were too many candidates to keep. */
bool ntff_work_transposes(const struct ntff_work *work, uint64_t *flops);
void ntff_work_free(struct ntff_work *work);

#endif
