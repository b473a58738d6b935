/*
 * The history of series along the first parents of a commit, as the document that "log" prints and
 * render/terminal shows. Points and change points are given by the caller.
 *
 * Never add statistics.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/changepoint/changepoint.h"
#include "model/run/runs.h"
#include "model/acceptance/acceptance.h"
#include "model/verdict/series_history.h"

/* One series with its points of one metric, oldest first. */
struct history_line {
	const struct history *history;
	enum metric metric;
	enum metric_direction direction; /* which direction is better */
	struct history_points points;    /* at least one */
	struct detect_result changes, suspects;
	uint32_t changed; /* commit index of the newest change; UINT32_MAX: none */
};

struct history_view {
	struct arena *arena;
	const struct history_set *set;
	struct history_line *lines;
	size_t count;
	struct acceptance_list acceptances; /* of the newest commit */
	struct acceptance_clock clock;
	struct short_names naming; /* of the runs of all series */
	size_t points_up_to; /* the document contains points if it has at most this many series */
	size_t spark;        /* cells of a sparkline, at most TREND_SPARK */
};

/* The document "history" of docs/formats/report-document.md. The view must live as long. */
struct json *render_history_json(const struct history_view *view);
