/*
 * The pages that Nsight Compute prints on a terminal: a line for the kernel, then sections with
 * tables of fixed width (rules of hyphens show the columns) and paragraphs of advice.
 *
 *   k(int) (1024, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 7.5
 *     Section: GPU Speed Of Light Throughput
 *     ----------------------- ----------- ------------
 *     Duration                         ms         4.83
 */
#pragma once

#include <stdbool.h>

#include "base/base.h"
#include "ingest/ncu/profile.h"

struct ncu_text {
	struct ncu_profile *profile;
	struct ncu_launch *launch; /* NULL before the first kernel */
	struct span process;
	struct span section;
	size_t unit_at, value_at; /* columns of the table being read; 0: there is none */
	bool in_rule;             /* a paragraph goes on */
	bool is_advice;           /* it is of the kind OPT */
	struct span estimate;
	struct strbuf paragraph;
};

/* Whether it is the line of a kernel. */
bool ncu_text_is_kernel(struct span line);
int ncu_text_line(struct ncu_text *text, struct span line, size_t number, struct error *err);
/* Ends a paragraph, and gives the memory back. */
void ncu_text_end(struct ncu_text *text);
