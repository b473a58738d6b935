/*
 * The events of a PyTorch trace, one at a time in fixed memory: what kernels are told apart by and
 * timed with, also inside of "args". All else is stepped over, but checked as strictly.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "ingest/input/input.h"

enum { kineto_dimensions = 3 };

/* NAN and empty spans: not there. Valid during the callback. */
struct kineto_event {
	struct span name, category;
	double duration; /* us */
	double device, registers, shared, occupancy;
	double grid[kineto_dimensions], block[kineto_dimensions];
};

struct kineto_visitor {
	void *context;
	int (*event)(void *context, const struct kineto_event *event, struct error *err);
	/* An item of deviceProperties; `id` may be NAN, `name` empty. */
	void (*device)(void *context, double id, struct span name);
	bool has_events; /* set: the document has the list traceEvents */
};

int kineto_trace_read(struct kineto_visitor *visitor, struct input *input, struct error *err);
