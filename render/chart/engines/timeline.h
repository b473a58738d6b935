/* Which part of a run got longer: baseline and run over one time axis, and how they correspond. */
#ifndef RENDER_CHART_ENGINES_TIMELINE_H
#define RENDER_CHART_ENGINES_TIMELINE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json/json.h"
#include "render/scene/scene.h"

/* See struct chart. ERR_FORMAT when no run has a baseline with timelines. */
int chart_timeline(struct arena *arena, const struct json *report, bool dark, struct scene **scene,
		   struct error *err);

#endif
