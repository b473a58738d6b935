/*
 * What is known of fusing kernels, for people, for programs, and in the form that
 * the scheduler loads. The runs come paired (model/sizing/fusion_works.h); whether
 * fusing pays is decided there, nothing here decides it.
 *
 * Never add the decisions.
 */
#pragma once

#include <stddef.h>

#include "base/base.h"
#include "base/json/json.h"
#include "model/sizing/sizing.h"

struct fusion_view {
	struct arena *arena;
	const struct fusion_works *works;
	const char *commit;   /* full oid; NULL: all commits */
	double margin, noise; /* as they were asked for */
	size_t width;         /* of tables; 0: they are as wide as their cells */
};

/* Works of the two sides: each shape with its decision. */
void render_fusion_text(const struct fusion_view *view, struct strbuf *sb);
struct json *render_fusion_json(const struct fusion_view *view);

/* Works of the three variants, NULL-terminated: never, always, smart. */
extern const char *const fusion_strategies[];
void render_fusion_strategies_text(const struct fusion_view *view, struct strbuf *sb);
struct json *render_fusion_strategies_json(const struct fusion_view *view);

void render_fusion_coverage_text(struct arena *arena, const struct fusion_coverages *lines,
				 struct strbuf *sb);
struct json *render_fusion_coverage_json(struct arena *arena, const struct fusion_coverages *lines);

/* The times as profile_result.json: milliseconds by side, operator and shape. Only shapes that
 * were timed on both sides are in it. */
struct json *render_fusion_export(struct arena *arena, const struct fusion_works *works);
