/* Engine occupancy: for each run a bar per engine and its activity over the run's time. */
#ifndef RENDER_CHART_ENGINES_OCCUPANCY_H
#define RENDER_CHART_ENGINES_OCCUPANCY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json/json.h"
#include "render/scene/scene.h"

/* See struct chart. ERR_FORMAT when there are no runs or none of them has engines. */
int chart_occupancy(struct arena *arena, const struct json *report, bool dark, struct scene **scene,
		    struct error *err);

#endif
