/*
 * Measurements over sizes, and which sizes to compile for. The charts of render/chart/sizes are
 * drawn from the same documents. The caller chooses the sizes.
 *
 * Never add the plans.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/run/run.h"
#include "model/sizing/grid/grid.h"
#include "model/sizing/sizing.h"

/* Prints the shapes of one sweep, at least one. */
void render_buckets_text(struct arena *arena, const struct bucket_shape *shapes, size_t count,
			 struct strbuf *sb);
/* An array with one object per shape: seconds and fractions. */
struct json *render_buckets_json(struct arena *arena, const struct bucket_shape *shapes,
				 size_t count);

/* The same for plans over two parameters; the array is the member "grids". */
void render_buckets_pairs_text(struct arena *arena, const struct grid_shape *shapes, size_t count,
			       struct strbuf *sb);
struct json *render_buckets_pairs_json(struct arena *arena, const struct grid_shape *shapes,
				       size_t count);

/* The document of the latency chart: only the member "sweep". `devices` come from the
 * configuration. */
struct json *render_sweep_json(struct arena *arena, const struct hardware_list *devices,
			       const struct sweep *sweep);
