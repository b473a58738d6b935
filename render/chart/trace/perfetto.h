/*
 * The events of a run as a trace for Perfetto (ui.perfetto.dev): protobuf packets of TrackEvent,
 * its native format.
 *
 * A track group for each core; in it a track for each engine, queue and semaphore. Perfetto counts
 * whole nanoseconds: where events have finer times, those are in the arguments start_ps and
 * duration_ps of each. Events that overlap are on tracks of equal name, which Perfetto shows as
 * one: slices of one track must nest.
 *
 * Never add other formats: each is a file of its own.
 */
#pragma once

#include "base/base.h"
#include "model/timeline/trace/trace.h"

struct perfetto_request {
	const char *title;
	double from, to; /* s since the start of the execution; NAN: all */
};

struct perfetto_counts {
	size_t events;  /* written */
	size_t rounded; /* of these, events whose times are not whole nanoseconds */
	size_t crowded; /* not written: too many events of one track at one time */
};

/* Sorts the events of the trace. */
struct perfetto_counts render_trace_perfetto(struct trace *trace,
					     const struct perfetto_request *request,
					     struct strbuf *out);
