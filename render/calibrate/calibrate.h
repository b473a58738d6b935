/*
 * Prints a calibration of the gate's limits as text, as JSON, and as rows of the configuration.
 * model/calibrate computes the limits.
 *
 * Never add the choice of thresholds.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/calibrate/calibrate.h"

/* Prints tables and sentences. `width` is the maximal width of a line in columns; 0 means
 * unlimited. */
const char *render_calibrate_text(struct arena *arena, const struct calibration *calibration,
				  const struct calibrate_request *request, size_t width);
/* Every number of the text, and the numbers they were computed from. */
struct json *render_calibrate_json(struct arena *arena, const struct calibration *calibration,
				   const struct calibrate_request *request);

/* Adds the limits as configuration: comments, and one [gate] row for each group that has a row
 * (render_calibrate_has_row()). `now` is in Unix seconds. */
void render_calibrate_rows(struct arena *arena, const struct calibration *calibration,
			   const struct calibrate_request *request, int64_t now,
			   struct strbuf *out);
const char *render_calibrate_row_name(struct arena *arena, const struct calibrate_group *group);
/* Whether the group gets a row: the gate judged some of its values, and there is evidence for its
 * limits. */
bool render_calibrate_has_row(const struct calibrate_group *group);
/* Whether the configuration syntax can express the group's kernel name. Otherwise its row is left
 * out. */
bool render_calibrate_can_name(const struct calibrate_group *group);

/* "gemm fused m=512": kernel, variant and parameters. If the group has several series, the name of
 * its row. */
const char *render_calibrate_name(struct arena *arena, const struct calibration *calibration,
				  const struct calibrate_series *series);
