/*
 * The events of a PyTorch trace, one at a time in fixed memory: the members that identify and time
 * a kernel, including those inside "args". All other members are skipped but their syntax is
 * checked.
 */
#pragma once

#include "base/base.h"
#include "ingest/input/input.h"

enum { kineto_dimensions = 3 };

/* Missing members are NAN and empty spans. Valid during the callback. */
struct kineto_event {
	struct span name, category;
	double duration; /* us */
	bool has_begin;  /* `begin` is known: */
	uint64_t begin;  /* ns, exact */
	double device, stream, bytes, registers, shared, occupancy;
	double grid[kineto_dimensions], block[kineto_dimensions];
};

struct kineto_visitor {
	void *context;
	int (*event)(void *context, const struct kineto_event *event, struct error *err);
	/* An item of deviceProperties; `id` may be NAN, `name` may be empty. */
	void (*device)(void *context, double id, struct span name);
	bool has_events; /* output: the document has the list traceEvents */
};

int kineto_trace_read(struct kineto_visitor *visitor, struct input *input, struct error *err);
