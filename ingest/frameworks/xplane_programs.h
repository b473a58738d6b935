/*
 * FLOP of matrix products in the programs of an XSpace: the plane "/host:metadata" has an event
 * metadata for each compiled module, whose id is the program's and whose stat "Hlo Proto" is the
 * module (xla/service/hlo.proto).
 *
 *   FLOP of a dot = 2 x elements of its result x elements that are contracted
 *
 * A fusion has those of the dots in its computation; a call of __cublas$gemm and the like is a dot
 * whose dimensions are in its configuration. Other operations are not counted: theirs are unknown.
 */
#pragma once

#include "base/base.h"
#include "ingest/protobuf/wire.h"

struct xplane_product {
	uint64_t program;
	struct span operation; /* "gemm_fusion_dot.1" */
	double flops;
	const void *kernel; /* the caller's: what ran for it */
	bool several;       /* more than one kernel ran for it */
};

struct xplane_products {
	struct xplane_product *items; /* sorted by program and operation */
	size_t count, capacity;
};

/* Adds the products of all programs of the space. Damaged programs are left out. */
void xplane_products_read(struct xplane_products *products, struct arena *arena, struct wire space);
/* NULL: the operation has no matrix product, or is unknown. */
struct xplane_product *xplane_products_find(const struct xplane_products *products,
					    uint64_t program, struct span operation);
