/*
 * Time over one size: a line for each set of the other parameters, and the boundaries of the
 * tiles that the size is cut into, where the time rises in steps. Drawn from the document's
 * member "sweep".
 */
#ifndef RENDER_CHART_SIZES_LATENCY_H
#define RENDER_CHART_SIZES_LATENCY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json/json.h"

struct scene;

int chart_latency(struct arena *arena, const struct json *report, bool dark, struct scene **scene,
		  struct error *err);

#endif
