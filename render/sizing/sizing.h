/*
 * What is measured over sizes, and which sizes to compile for. Both documents are
 * also what charts are drawn from (render/chart/sizes); nothing here chooses sizes.
 *
 * Never add the plans.
 */
#pragma once

#include <stddef.h>

#include "base/base.h"
#include "base/json/json.h"
#include "model/run/run.h"
#include "model/sizing/sizing.h"

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
