/*
 * The launches of a capture in their order: streams, what runs at once, and gaps. Kernels are the
 * trace's events on engines, copies and memory sets those on queues.
 *
 * Never add metrics of single kernels.
 */
#pragma once

#include "base/base.h"
#include "model/timeline/trace/trace.h"

enum { LAUNCH_GAPS = 10 };

/* Times are ticks; those of a moment count from the origin of the trace. */
struct launch_stream {
	uint32_t track;
	size_t count;
	uint64_t busy, begin, end;
};

struct launch_gap {
	uint64_t begin, ticks;
	const struct trace_event *before, *after; /* the gap: what ended last, what begins next */
};

struct launch_device {
	uint32_t name; /* a text of the trace */
	size_t kernel_count, copy_count, stream_count;
	uint64_t begin, end;
	uint64_t kernels, concurrent;        /* one or more run; two or more */
	uint64_t copies, hidden;             /* a copy runs; a kernel runs, too */
	uint64_t busy;                       /* anything runs */
	struct launch_gap gaps[LAUNCH_GAPS]; /* the longest first */
	size_t gap_count;
};

struct launch_item {
	const struct trace_event *event;
	uint64_t idle;
	bool first; /* nothing ran before: idle is unknown */
};

struct launch_order {
	const struct trace *trace;
	struct launch_device *devices;
	size_t device_count;
	struct launch_stream *streams;
	size_t stream_count;
	struct launch_item *items; /* those that run in the part, in the order of their begin */
	size_t count, left_out;
};

struct launch_request {
	double from, to; /* s since the origin; NAN: all */
	size_t limit;    /* of items */
};

struct launch_order launch_order_of(struct arena *arena, const struct trace *trace,
				    const struct launch_request *request);
