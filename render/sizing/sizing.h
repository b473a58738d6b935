/*
 * What is measured over sizes, and which sizes to compile for. Both documents are
 * also what charts are drawn from (render/chart/sizes); nothing here chooses sizes.
 */
#ifndef RENDER_SIZING_SIZING_H
#define RENDER_SIZING_SIZING_H

#include <stddef.h>

#include "base/arena.h"
#include "base/json/json.h"
#include "base/strbuf.h"
#include "model/run/hardware.h"
#include "model/sizing/bucket_plans.h"
#include "model/sizing/sweep.h"

/* Shapes of one sweep, at least one. */
void render_buckets_text(struct arena *arena, const struct bucket_shape *shapes, size_t count,
			 struct strbuf *sb);
/* An array, one object a shape: seconds and fractions. */
struct json *render_buckets_json(struct arena *arena, const struct bucket_shape *shapes,
				 size_t count);

/* The document that the latency chart draws: only the member "sweep". `devices`: those of the
 * configuration. */
struct json *render_sweep_json(struct arena *arena, const struct hardware_list *devices,
			       const struct sweep *sweep);

#endif
