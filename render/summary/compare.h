/*
 * The member `compare` of the report document: a gate's comparisons as two columns, a block a
 * metric, all numbers of a block in one unit.
 */
#pragma once

#include "render/report/report.h"

/* What a person calls the two commits. */
struct report_sides {
	const char *baseline, *candidate;
};

/* `document` has the gate's comparisons. */
void summary_add_compare(struct arena *arena, struct json *document, const struct gate_result *gate,
			 const struct report_sides *sides);
/* The same with the beginnings of the commits' ids. */
void summary_add_compare_of_gate(struct arena *arena, struct json *document,
				 const struct gate_result *gate);
