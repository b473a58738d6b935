/*
 * Measurements of fused and unfused kernels as text, as JSON, and in the file format that the
 * scheduler loads. Runs come paired (model/sizing/fusion/fusion_works.h), with the decision whether
 * fusing pays.
 *
 * Never add the decisions.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/sizing/sizing.h"
#include "model/sizing/fusion/fusion_coverage.h"
#include "model/sizing/fusion/fusion_shapes.h"

struct fusion_view {
	struct arena *arena;
	const struct fusion_works *works;
	const char *commit;   /* full oid; NULL: all commits */
	double margin, noise; /* as requested, relative */
	size_t width;         /* of tables, in columns; 0: unlimited */
};

/* Works with two sides: each shape with its decision. */
void render_fusion_text(const struct fusion_view *view, struct strbuf *sb);
struct json *render_fusion_json(const struct fusion_view *view);

/* What the scheduler decides for shapes, one answer for each operator and shape. */
void render_fusion_answers_text(const struct fusion_view *view, const struct fusion_answer *answers,
				size_t count, struct strbuf *sb);
struct json *render_fusion_answers_json(const struct fusion_view *view,
					const struct fusion_answer *answers, size_t count);

/* The strategies of works with three variants: never, always, smart; NULL-terminated. */
extern const char *const fusion_strategies[];
void render_fusion_strategies_text(const struct fusion_view *view, struct strbuf *sb);
struct json *render_fusion_strategies_json(const struct fusion_view *view);

void render_fusion_coverage_text(struct arena *arena, const struct fusion_coverages *lines,
				 struct strbuf *sb);
struct json *render_fusion_coverage_json(struct arena *arena, const struct fusion_coverages *lines);

/* The times in the form of profile_result.json: milliseconds by side, operator and shape. Only
 * shapes that were measured on both sides are included. */
struct json *render_fusion_export(struct arena *arena, const struct fusion_works *works);
