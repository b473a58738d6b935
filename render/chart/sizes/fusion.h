/* Speed-up of fused operators over the size of the work, with its interval. */
#ifndef RENDER_CHART_SIZES_FUSION_H
#define RENDER_CHART_SIZES_FUSION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json/json.h"
#include "render/scene/scene.h"

/* Draws the document of "rooflog fusion --json", not a report. ERR_FORMAT when no shape has a
 * speed-up. */
int chart_fusion(struct arena *arena, const struct json *document, bool dark, struct scene **scene,
		 struct error *err);

#endif
