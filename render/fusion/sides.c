/* Fused and unfused times, shape by shape, as text and JSON. */
#include "render/fusion/internal.h"

#include "base/text/text.h"
#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

struct counts {
	size_t of[FUSION_LIMIT];
	size_t shapes;
};

static struct fusion_judgement judge_fusion(const struct fusion_work *work, double margin)
{
	return fusion_judge(&work->times[FUSION_SIDE_UNFUSED], &work->times[FUSION_SIDE_FUSED],
			    margin);
}

/* --- text --- */

const char *render_fusion_decision(enum fusion_decision decision)
{
	return vocabulary_label(fusion_decision_name(decision));
}

void render_fusion_heading(struct arena *arena, struct strbuf *sb, const struct run *run)
{
	strbuf_addf(sb, vocabulary_format("%s on %s\n"), run->kernel,
		    vocabulary_say(arena, fusion_group_message(arena, run)));
}

static const char *mark_of(const struct fusion_reader_time *time)
{
	return time->provenance == PROVENANCE_ESTIMATED ? "~"
	       : time->provenance == PROVENANCE_DERIVED ? "="
							: "";
}

static const char *time_text(struct arena *arena, const struct fusion_reader_time *time)
{
	return arena_printf(arena, "%s%s", mark_of(time),
			    quantity_text(arena, time->time, UNIT_SECOND));
}

static void add_row(struct arena *arena, struct md_table *table, const struct fusion_work *work,
		    const struct fusion_judgement *judged)
{
	bool known = judged->decision != FUSION_UNKNOWN;
	md_table_row(table,
		     arena_printf(arena, "%s%s", work->shape[0] ? work->shape : "--",
				  work->run->dirty ? "+" : ""),
		     time_text(arena, &work->times[FUSION_SIDE_UNFUSED]),
		     time_text(arena, &work->times[FUSION_SIDE_FUSED]),
		     known ? arena_printf(arena, "%.3f", judged->speedup) : "--",
		     known ? arena_printf(arena, vocabulary_format("%.3f to %.3f"), judged->lowest,
					  judged->highest)
			   : "--",
		     judged->decision == FUSION_FUSE || judged->decision == FUSION_KEEP
			     ? render_fusion_decision(judged->decision)
			     : arena_printf(arena, vocabulary_format("%s: %s"),
					    render_fusion_decision(judged->decision),
					    vocabulary_term(vocabulary_spoken(), judged->reason)));
}

enum { flips_shown = 4 };

/* Adds the sizes between which the decision changes; undecided shapes are ignored. */
static void add_flips(struct strbuf *sb, const struct fusion_works *works, size_t start, size_t end,
		      double margin)
{
	const struct fusion_work *last = NULL;
	enum fusion_decision before = FUSION_UNKNOWN;
	size_t flips = 0;
	for (size_t i = start; i < end; i++) {
		enum fusion_decision decision = judge_fusion(&works->items[i], margin).decision;
		if (decision != FUSION_FUSE && decision != FUSION_KEEP)
			continue;
		if (last && decision != before && flips++ < flips_shown)
			strbuf_addf(sb, vocabulary_format("from %s to %s between %s and %s\n"),
				    render_fusion_decision(before),
				    render_fusion_decision(decision), last->shape,
				    works->items[i].shape);
		last = &works->items[i];
		before = decision;
	}
	if (flips > flips_shown)
		strbuf_addf(sb, vocabulary_format("and %zu changes more\n"), flips - flips_shown);
}

static void add_group(const struct fusion_view *view, struct strbuf *sb, size_t start)
{
	struct arena *arena = view->arena;
	const struct fusion_works *works = view->works;
	double margin = view->margin;
	size_t end = fusion_group_end(works, start, true);
	const struct run *run = works->items[start].run;
	struct counts counts = {.shapes = end - start};
	struct md_table table =
		md_table_of(arena, view->width,
			    vocabulary_label("shape|>unfused|>fused|>speed-up|>interval|decision"));
	table.say = vocabulary_value;
	for (size_t i = start; i < end; i++) {
		struct fusion_judgement judged = judge_fusion(&works->items[i], margin);
		counts.of[judged.decision]++;
		add_row(arena, &table, &works->items[i], &judged);
	}
	strbuf_addstr(sb, start ? "\n" : "");
	render_fusion_heading(arena, sb, run);
	strbuf_addch(sb, '\n');
	md_table_plain(&table, sb);
	strbuf_addch(sb, '\n');
	for (int i = 0; i < FUSION_LIMIT; i++)
		strbuf_addf(sb, vocabulary_format("%s%s %zu of %zu"),
			    i ? vocabulary_format(", ") : "",
			    render_fusion_decision((enum fusion_decision)i), counts.of[i],
			    counts.shapes);
	strbuf_addch(sb, '\n');
	add_flips(sb, works, start, end, margin);
}

void render_fusion_text(const struct fusion_view *view, struct strbuf *sb)
{
	const struct fusion_works *works = view->works;
	struct strbuf legend = {0};
	bool derived = false, estimated = false;
	for (size_t start = 0; start < works->count; start = fusion_group_end(works, start, true))
		add_group(view, sb, start);
	for (size_t i = 0; i < works->count; i++)
		for (int side = 0; side < 2; side++) {
			derived |= works->items[i].times[side].provenance == PROVENANCE_DERIVED;
			estimated |= works->items[i].times[side].provenance == PROVENANCE_ESTIMATED;
		}
	strbuf_addf(&legend,
		    vocabulary_format("fuse: the whole confidence interval of unfused / fused "
				      "exceeds %.4g; with fewer than 3 repeats, noise is assumed "
				      "to be %.3g %%\n"),
		    1 + view->margin, 100 * view->noise);
	strbuf_addch(sb, '\n');
	fill_lines(sb, strbuf_text(&legend), view->width);
	strbuf_free(&legend);
	if (derived)
		strbuf_addf(sb, "%s\n", vocabulary_label("= sum of operators timed alone"));
	if (estimated)
		strbuf_addf(sb, "%s\n", vocabulary_label("~ estimate from the file, not measured"));
}

/* --- JSON --- */

void render_fusion_add_time(struct arena *arena, struct json *parent, const char *name,
			    const struct fusion_reader_time *time)
{
	struct json *object = document_quantity(arena, parent, name, time->time, UNIT_SECOND);
	json_set_number(arena, object, KEY(lowest), time->lowest);
	json_set_number(arena, object, KEY(highest), time->highest);
	json_set_number(arena, object, KEY(repeats), (double)time->repeats);
	json_set_text(arena, object, KEY(provenance), metric_provenance_name(time->provenance));
}

void render_fusion_add_group(struct arena *arena, struct json *object, const struct run *run)
{
	json_set_text(arena, object, KEY(device), run->device);
	json_set_text(arena, object, KEY(dtype), run->dtype);
	json_set_text(arena, object, KEY(tool), run->tool);
}

static void add_shape(struct arena *arena, struct json *array, const struct fusion_work *work,
		      const struct fusion_judgement *judged)
{
	struct json *object = json_add_object(arena, array);
	json_set_text(arena, object, KEY(shape), work->shape);
	json_set_bool(arena, object, KEY(dirty), work->run->dirty);
	render_fusion_add_time(arena, object, "unfused", &work->times[FUSION_SIDE_UNFUSED]);
	render_fusion_add_time(arena, object, "fused", &work->times[FUSION_SIDE_FUSED]);
	json_set_number(arena, object, KEY(speedup), judged->speedup);
	json_set_number(arena, object, KEY(lowest), judged->lowest);
	json_set_number(arena, object, KEY(highest),
			isfinite(judged->highest) ? judged->highest : NAN);
	json_set_text(arena, object, KEY(decision), fusion_decision_name(judged->decision));
	json_set_text(arena, object, KEY(reason),
		      vocabulary_term(LANGUAGE_ENGLISH, judged->reason));
}

struct json *render_fusion_json(const struct fusion_view *view)
{
	struct arena *arena = view->arena;
	const struct fusion_works *works = view->works;
	struct json *out = document_begin(arena, SCHEMA(fusion));
	json_set_text(arena, out, KEY(commit), view->commit);
	json_set_number(arena, out, KEY(margin), view->margin);
	json_set_number(arena, out, KEY(noise), view->noise);
	struct json *operators = json_set_array(arena, out, KEY(operators));
	for (size_t start = 0, end; start < works->count; start = end) {
		end = fusion_group_end(works, start, true);
		struct json *one = json_add_object(arena, operators);
		struct counts counts = {.shapes = end - start};
		json_set_text(arena, one, KEY(kernel), works->items[start].run->kernel);
		render_fusion_add_group(arena, one, works->items[start].run);
		struct json *shapes = json_set_array(arena, one, KEY(shapes));
		for (size_t i = start; i < end; i++) {
			struct fusion_judgement judged =
				judge_fusion(&works->items[i], view->margin);
			counts.of[judged.decision]++;
			add_shape(arena, shapes, &works->items[i], &judged);
		}
		struct json *numbers = json_set_object(arena, one, KEY(counts));
		json_set_number(arena, numbers, KEY(shapes), (double)counts.shapes);
		for (int i = 0; i < FUSION_LIMIT; i++)
			json_set_number(arena, numbers,
					fusion_decision_name((enum fusion_decision)i),
					(double)counts.of[i]);
	}
	return out;
}
