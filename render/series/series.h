/*
 * Series of a table with the results for them: change points, verdicts, drift. Each is one object
 * of a JSON array, for those who score the judge and the detector.
 *
 * Never add the statistics.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/changepoint/changepoint.h"
#include "model/verdict/verdicts.h"

struct detected_series {
	const struct measured_series *series;
	struct detect_result result;
};
/* Adds "INDEX,+", one line per change, preceded by the series' name if `named` is set. */
void render_detect_lines(struct strbuf *out, const struct detected_series *found, bool named);
void render_detect_json(struct arena *arena, struct json *list,
			const struct detected_series *found);

void render_judge_json(struct arena *arena, struct json *list, const struct judged_series *one);
/* `since`: the commit index at which the drift begins; the number of commits without a drift. */
void render_drift_json(struct arena *arena, struct json *list, const struct measured_series *series,
		       const struct drift_result *result, size_t since);
