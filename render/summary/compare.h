/*
 * The member `compare` of the report document: a gate's comparisons as two columns, one block per
 * metric, all numbers of a block in one unit.
 */
#pragma once

#include "render/report/report.h"

/* The names that the user gave the two commits. */
struct report_sides {
	const char *baseline, *candidate;
};

/* Adds `compare`. `document` must contain the gate's comparisons. */
void summary_add_compare(struct arena *arena, struct json *document, const struct gate_result *gate,
			 const struct report_sides *sides);
/* The same, with the commits' abbreviated ids as names. */
void summary_add_compare_of_gate(struct arena *arena, struct json *document,
				 const struct gate_result *gate);
