/*
 * The work of a trace: what its instructions computed and moved, summed over all cores from their
 * words. FLOP, transposes, traffic of HBM, SBUF and PSUM, data type. For formulas, how they were
 * checked, and which values are only bounds see docs/formats/ntff.md, section "Metrics".
 */
#pragma once

#include "base/base.h"
#include "ingest/ntff/trace/trace.h"
#include "model/timeline/interval.h"
#include "model/run/run.h"

enum { ntff_candidate_limit = 256, ntff_dtype_codes = 16 };

/* A matmul that may be a transpose: the range of its moving operand, in bytes of a partition. */
struct ntff_candidate {
	uint64_t start, end;
	uint64_t payload; /* bytes of the operand in all rows */
	uint64_t flops;
};

struct ntff_work {
	uint64_t flops, flagged_flops;       /* of MATMUL; of those flagged as transposes */
	uint64_t flops_of[ntff_dtype_codes]; /* of MATMUL by data type */
	/* Bytes: of one partition if an engine moves them, the total if DMA does. */
	uint64_t sbuf_read, sbuf_write, psum_read, psum_write;
	uint64_t psum_to_sbuf;        /* written to SBUF by instructions that read PSUM */
	uint64_t hbm_read, hbm_write; /* by instructions and the static queues */
	uint64_t weights;             /* part of hbm_read that the static weight queues moved */
	uint64_t static_io;           /* moved by static queues whose name gives the direction */
	uint64_t aimless_io;          /* moved by static queues whose name does not */
	uint64_t aimless_static;      /* moved by static queues of an unknown type */
	uint64_t described;           /* described by instructions, comparable with `dynamic` */
	uint64_t dynamic;             /* moved by the dynamic queues in the window */
	uint64_t unknown_layouts;     /* number of instructions that move an unknown amount */
	uint64_t unknown_layout_of[256];
	uint64_t unsized;               /* number of instructions with elements of unknown size */
	bool untraced_dma;              /* set by the caller: DMA transfers were not traced */
	uint64_t overflows;             /* additions to these sums that saturated at UINT64_MAX */
	struct interval_union *written; /* SBUF addresses that were written, bytes of a partition */
	struct ntff_candidate candidates[ntff_candidate_limit];
	size_t candidate_count;
	bool more_candidates;
};

/* Never NULL; released by ntff_trace_work_free(). */
struct ntff_work *ntff_trace_work_new(void);
/* Adds an instruction and returns its FLOP. Instructions outside the window or without a word add
 * nothing. */
uint64_t ntff_trace_work_instruction(struct ntff_work *work, const struct ntff_instruction *one);
void ntff_trace_work_transfer(struct ntff_work *work, const struct ntff_transfer *one);
/* Gives the run its work: metrics, data type, and warnings where a metric is only a bound. Such a
 * metric has the provenance "estimated".
 * - flags: the words of this device have a flag that marks transposes, as they do since trn2
 * - outside: number of instructions in the window without a word */
void ntff_trace_work_set(struct arena *arena, struct run *run, const struct ntff_work *work,
			 bool flags, uint64_t outside);
void ntff_trace_work_free(struct ntff_work *work);
