/*
 * A calibration of the gate's limits for people, for programs, and as rows of the
 * configuration. How the limits are chosen is model/calibrate's matter; nothing
 * here computes one.
 *
 * Never add the choice of thresholds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "base/json/json.h"
#include "model/calibrate/calibrate.h"

/* Tables and sentences. `width`: what lines keep within; 0: they are as long as they are. */
const char *render_calibrate_text(struct arena *arena, const struct calibration *calibration,
				  const struct calibrate_request *request, size_t width);
/* Every number of the text, and those it was computed from. */
struct json *render_calibrate_json(struct arena *arena, const struct calibration *calibration,
				   const struct calibrate_request *request);

/* The limits as configuration: comments, and a [gate] row for each group that has one. `now` in
 * Unix seconds. */
void render_calibrate_rows(struct arena *arena, const struct calibration *calibration,
			   const struct calibrate_request *request, int64_t now,
			   struct strbuf *out);
const char *render_calibrate_row_name(struct arena *arena, const struct calibrate_group *group);
/* Whether the group's limits are worth a row: they were judged, and chosen for a reason. */
bool render_calibrate_has_row(const struct calibrate_group *group);
/* Whether its kernel can stand in a configuration; else the row is left out. */
bool render_calibrate_can_name(const struct calibrate_group *group);

/* "gemm fused m=512": kernel, variant and parameters; the row where there are several. */
const char *render_calibrate_name(struct arena *arena, const struct calibration *calibration,
				  const struct calibrate_series *series);
