/*
 * Prints leaderboards of candidates (model/candidates) as text and as JSON.
 *
 * Never add how candidates are ranked.
 */
#pragma once

#include "base/json/json.h"
#include "model/statistics/trials/candidates.h"
#include "model/run/run.h"

/* What the board shows with the rank of a candidate; found by its name. */
struct leaderboard_row {
	const char *name;
	double value, mfu; /* medians; NAN unknown */
	size_t sessions;
	const char *run, *parent; /* ids; parent: NULL if none was named */
};

struct leaderboard {
	const char *key, *name; /* of the series */
	enum metric metric;
	bool lower_is_better;
	const char *base; /* id of its newest run; NULL: there is none */
	double base_value;
	size_t base_numbers;
	const struct candidate *candidates; /* ranked */
	const struct leaderboard_row *rows;
	size_t count;
};

/* `width` is the maximal width of a line in columns; 0 means unlimited. */
const char *render_candidates_text(struct arena *arena, const struct leaderboard *boards,
				   size_t count, size_t width);
/* docs/schema/measure/candidates-1.schema.json */
struct json *render_candidates_json(struct arena *arena, const struct leaderboard *boards,
				    size_t count);
