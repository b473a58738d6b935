/*
 * Planes of an XSpace (tsl/profiler/protobuf/xplane.proto), which JAX and XLA write as .xplane.pb:
 *
 *   XSpace {1: plane}     XPlane {2: name, 3: line, 4: event metadata, 5: stat metadata, 6: stat}
 *   XLine {2: name, 4: event}         XEvent {1: metadata id, 3: duration in ps, 4: stat}
 *   metadata: a map {1: id, 2: {2: name, 4: shown name, 5: stat}}
 *   XStat {1: id, 2: double, 3: uint64, 4: int64, 5: text, 6: bytes, 7: id of a text}
 *
 * Metadata follow the lines that refer to them, so a plane is read twice.
 */
#pragma once

#include "base/base.h"
#include "ingest/protobuf/wire.h"

struct xplane_metadata {
	uint64_t id;
	struct span name, shown;
	struct wire message; /* of an event: its stats */
	size_t order;        /* in the file */
};

struct xplane_table {
	struct xplane_metadata *items; /* sorted by id */
	size_t count, capacity;
};

struct xplane {
	struct span name;
	struct wire message;
	struct xplane_table events, stats;
};

enum { xplane_metadata_limit = 1000000 };

/* Reads names and metadata of a plane. -1 and *err if it is damaged. */
int xplane_open(struct xplane *plane, struct arena *arena, struct wire message, struct error *err);
/* The metadata of an event; NULL if the plane lacks them. */
const struct xplane_metadata *xplane_event(const struct xplane *plane, uint64_t id);

struct xplane_stat {
	struct span name;
	double number;    /* NAN: it has none, or an infinite one */
	struct span text; /* or the bytes; may be empty */
	uint64_t integer; /* exactly, if it is one */
};
/* The next stat among the fields `field` of a message; false at the end. */
bool xplane_next_stat(const struct xplane *plane, struct wire *message, uint32_t field,
		      struct xplane_stat *stat);
