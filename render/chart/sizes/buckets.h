/* The sizes to compile for: the time of a request over its size, and what padding costs. */
#ifndef RENDER_CHART_SIZES_BUCKETS_H
#define RENDER_CHART_SIZES_BUCKETS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json/json.h"
#include "render/scene/scene.h"

/* Draws the array of "rooflog buckets --json", not a report. ERR_FORMAT when no shape has a plan.
 */
int chart_buckets(struct arena *arena, const struct json *document, bool dark, struct scene **scene,
		  struct error *err);

#endif
