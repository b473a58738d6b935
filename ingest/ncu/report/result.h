/* The fields of a result, that is of one launch, in a report of Nsight Compute. */
#pragma once

#include "ingest/ncu/report/container.h"

struct native_report_names {
	struct span symbol; /* with parameters where the report has them; may be empty */
	uint64_t grid[3], block[3];
};

struct native_report_names native_report_names_of(struct wire result);

struct native_report_metric {
	uint64_t id;
	struct span name; /* empty: the report's table of texts lacks it */
	double number;    /* in base units (ns, byte, %); NAN: a text, or none */
	struct span text; /* empty: a number, or none */
};

enum { native_report_metric_field = 13, native_report_rule_field = 19 };

/* The metric in a field of that number. False if it is damaged. */
bool native_report_metric_of(const struct native_report *report, struct wire field,
			     struct native_report_metric *metric);
