/*
 * The pages that Nsight Compute prints on a terminal: a line for the kernel, then sections. A
 * section has tables of fixed width, whose columns are given by rules of hyphens, and paragraphs of
 * advice.
 *
 *   k(int) (1024, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 7.5
 *     Section: GPU Speed Of Light Throughput
 *     ----------------------- ----------- ------------
 *     Duration                         ms         4.83
 *
 * With --print-summary the line of the kernel ends in the number of launches, and tables have
 * their minimum, maximum and average in place of the value:
 *
 *   k(int) (1024, 1, 1)x(256, 1, 1), Device 0, CC 7.5, Invocations 4
 */
#pragma once

#include "base/base.h"
#include "ingest/ncu/profile.h"

struct ncu_text {
	struct ncu_profile *profile;
	struct ncu_launch *launch; /* NULL before the first kernel */
	struct span process;
	struct span section;
	size_t unit_at, value_at[3]; /* offsets of the current table's columns */
	size_t value_count;          /* 1, 3 in a summary; 0: no table */
	bool in_rule;                /* inside a paragraph */
	bool is_advice;              /* the paragraph is of the kind OPT */
	struct span estimate;
	enum advice_scope scope;
	struct strbuf paragraph;
};

/* Whether the line names a kernel and its launch. */
bool ncu_text_is_kernel(struct span line);
/* Reads one line; `number` is its line number for messages. 0, or -1 and *err. */
int ncu_text_line(struct ncu_text *text, struct span line, size_t number, struct error *err);
/* Ends the current paragraph and releases the memory. */
void ncu_text_end(struct ncu_text *text);
