/* What the scheduler decides for shapes that were not measured, as text and JSON. */
#include "render/fusion/internal.h"

#include "base/text/text.h"
#include "render/document/document.h"
#include "render/vocabulary/vocabulary.h"

static const char *shape_text(struct arena *arena, const struct fusion_shape *shape)
{
	struct strbuf sb = {0};
	for (size_t d = 0; d < shape->rank; d++)
		strbuf_addf(&sb, "%s%.0f", d ? ", " : "[", shape->sizes[d]);
	strbuf_addstr(&sb, "]");
	return strbuf_into(&sb, arena);
}

static const char *source_name(enum fusion_source source)
{
	static const char *const names[] = {"measured", "interpolated", "extrapolated", "nearest",
					    "unknown"};
	return names[source];
}

/* The weaker of the two sides. */
static enum fusion_source source_of(const struct fusion_answer *answer)
{
	enum fusion_source a = answer->sides[FUSION_SIDE_UNFUSED].source;
	enum fusion_source b = answer->sides[FUSION_SIDE_FUSED].source;
	return a > b ? a : b;
}

static const char *evidence_of(const struct fusion_answer *answer)
{
	if (answer->judgement.decision == FUSION_UNKNOWN)
		return "one side has no shape to derive it from";
	if (answer->judgement.decision == FUSION_UNDECIDED)
		return answer->judgement.reason == MESSAGE_FUSION_WITHIN_NOISE
			       ? "too close to call: within noise"
			       : vocabulary_term(vocabulary_spoken(), answer->judgement.reason);
	return source_of(answer) > FUSION_BY_INTERPOLATION
		       ? "beyond noise, but of shapes that do not enclose this one"
		       : "beyond noise";
}

static void add_label(struct strbuf *sb, const char *label)
{
	enum { WIDTH = 11 };
	label = vocabulary_label(label);
	strbuf_addf(sb, "  %s", label);
	strbuf_pad(sb, utf8_columns(span_of(label)), WIDTH);
}

/* "123.4 us, interpolated: 66 % of [1, 256, 4096], 34 % of [1, 384, 4096]" */
static void add_side(struct arena *arena, const char *name, const struct fusion_derived *side,
		     struct strbuf *sb)
{
	add_label(sb, name);
	strbuf_addf(sb, vocabulary_format("%s, %s"),
		    vocabulary_value(arena, quantity_text(arena, side->time.time, UNIT_SECOND)),
		    vocabulary_label(source_name(side->source)));
	for (size_t i = 0; side->source != FUSION_BY_MEASURING && i < side->count; i++)
		strbuf_addf(sb, vocabulary_format("%s%s of %s"), vocabulary_label(i ? ", " : ": "),
			    vocabulary_value(arena, quantity_text(arena, side->neighbours[i].weight,
								  UNIT_FRACTION)),
			    side->neighbours[i].work->shape);
	strbuf_addch(sb, '\n');
}

static void add_answer(const struct fusion_view *view, const struct fusion_answer *answer,
		       struct strbuf *sb)
{
	static const char *const dimensions[] = {"b", "s", "h"};
	struct arena *arena = view->arena;
	const struct run *run = answer->group->run;
	const struct fusion_judgement *judged = &answer->judgement;
	bool open = answer->shape.rank == 0;
	strbuf_addf(sb, vocabulary_format("%s%s%s on %s\n"), run->kernel, open ? "" : " ",
		    open ? "" : shape_text(arena, &answer->shape),
		    vocabulary_say(arena, fusion_group_message(arena, run)));
	if (open) {
		strbuf_addf(sb,
			    vocabulary_format("  unknown: its shapes have not one %s; name it in "
					      "--shape\n"),
			    dimensions[answer->ambiguous]);
		return;
	}
	add_label(sb, "scheduler");
	strbuf_addf(sb, "%s%s\n", vocabulary_label(answer->fuses ? "fuse" : "keep"),
		    answer->too_small
			    ? vocabulary_label(": it never fuses fewer than 1024 elements")
			    : "");
	add_side(arena, "unfused", &answer->sides[FUSION_SIDE_UNFUSED], sb);
	add_side(arena, "fused", &answer->sides[FUSION_SIDE_FUSED], sb);
	if (judged->decision != FUSION_UNKNOWN) {
		add_label(sb, "speed-up");
		strbuf_addf(sb,
			    vocabulary_format("%.3f, %.3f to %.3f; fusing needs more than %.4g\n"),
			    judged->speedup, judged->lowest, judged->highest, 1 + view->margin);
	}
	add_label(sb, "evidence");
	strbuf_addf(sb, "%s\n", vocabulary_label(evidence_of(answer)));
}

void render_fusion_answers_text(const struct fusion_view *view, const struct fusion_answer *answers,
				size_t count, struct strbuf *sb)
{
	for (size_t i = 0; i < count; i++) {
		strbuf_addstr(sb, i ? "\n" : "");
		add_answer(view, &answers[i], sb);
	}
}

static void add_side_json(struct arena *arena, struct json *object, const char *name,
			  const struct fusion_derived *side)
{
	render_fusion_add_time(arena, object, name, &side->time);
	struct json *time = json_get(object, name);
	json_set_text(arena, time, KEY(source), source_name(side->source));
	struct json *list = json_set_array(arena, time, KEY(neighbours));
	for (size_t i = 0; i < side->count; i++) {
		struct json *one = json_add_object(arena, list);
		json_set_text(arena, one, KEY(shape), side->neighbours[i].work->shape);
		json_set_number(arena, one, KEY(weight), side->neighbours[i].weight);
	}
}

struct json *render_fusion_answers_json(const struct fusion_view *view,
					const struct fusion_answer *answers, size_t count)
{
	struct arena *arena = view->arena;
	struct json *out = document_begin(arena, SCHEMA(shapes));
	json_set_text(arena, out, KEY(commit), view->commit);
	json_set_number(arena, out, KEY(margin), view->margin);
	json_set_number(arena, out, KEY(noise), view->noise);
	struct json *list = json_set_array(arena, out, KEY(answers));
	for (size_t i = 0; i < count; i++) {
		const struct fusion_answer *answer = &answers[i];
		const struct fusion_judgement *judged = &answer->judgement;
		struct json *one = json_add_object(arena, list);
		json_set_text(arena, one, KEY(kernel), answer->group->run->kernel);
		render_fusion_add_group(arena, one, answer->group->run);
		if (answer->shape.rank == 0)
			continue;
		json_set_text(arena, one, KEY(shape), shape_text(arena, &answer->shape));
		json_set_text(arena, one, KEY(scheduler), answer->fuses ? "fuse" : "keep");
		json_set_text(arena, one, KEY(decision), fusion_decision_name(judged->decision));
		json_set_text(arena, one, KEY(evidence), evidence_of(answer));
		json_set_number(arena, one, KEY(speedup), judged->speedup);
		json_set_number(arena, one, KEY(lowest), judged->lowest);
		json_set_number(arena, one, KEY(highest),
				isfinite(judged->highest) ? judged->highest : NAN);
		add_side_json(arena, one, "unfused", &answer->sides[FUSION_SIDE_UNFUSED]);
		add_side_json(arena, one, "fused", &answer->sides[FUSION_SIDE_FUSED]);
	}
	return out;
}
