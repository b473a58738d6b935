/*
 * Series of a table with what was found in them: changes of level, verdicts,
 * creep. Each is one object of a JSON array, for those who score the judge and the
 * detector; nothing here judges.
 *
 * Never add the statistics behind them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "base/json/json.h"
#include "model/changepoint/changepoint.h"
#include "model/verdict/verdicts.h"

struct detected_series {
	const struct measured_series *series;
	struct detect_result result;
};
/* "INDEX,+" a line and change, with the series' name in front where it is `named`. */
void render_detect_lines(struct strbuf *out, const struct detected_series *found, bool named);
void render_detect_json(struct arena *arena, struct json *list,
			const struct detected_series *found);

void render_judge_json(struct arena *arena, struct json *list, const struct judged_series *one);
/* `since`: from which commit on it creeps; the number of commits where it does not. */
void render_drift_json(struct arena *arena, struct json *list, const struct measured_series *series,
		       const struct drift_result *result, size_t since);
