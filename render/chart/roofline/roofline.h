/* The roofline: every run of a report at its arithmetic intensity under the roofs of its device. */
#ifndef RENDER_CHART_ROOFLINE_ROOFLINE_H
#define RENDER_CHART_ROOFLINE_ROOFLINE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json/json.h"
#include "render/scene/scene.h"

/* See struct chart. ERR_FORMAT when there are no runs or none of them states its peaks. */
int chart_roofline(struct arena *arena, const struct json *report, bool dark, struct scene **scene,
		   struct error *err);

#endif
