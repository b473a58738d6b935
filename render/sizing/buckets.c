/* Buckets to compile for, shape by shape, as text and JSON. */
#include "render/sizing/sizing.h"

#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/vocabulary/vocabulary.h"

enum { LISTED_LIMIT = 16 };

static const char *size_text(struct arena *arena, double size)
{
	return arena_printf(arena, "%.10g", size);
}

static const char *sizes_text(struct arena *arena, const struct bucket_plan *plan)
{
	struct strbuf sb = {0};
	if (plan->count > LISTED_LIMIT)
		return arena_printf(arena, vocabulary_format("%zu sizes"), plan->count);
	for (size_t i = 0; i < plan->count; i++) {
		const struct bucket *bucket = &plan->buckets[i];
		strbuf_addf(&sb, "%s%s%.10g", i ? " " : "",
			    bucket->measured > bucket->size ? "~" : "", bucket->size);
	}
	return plan->count ? strbuf_into(&sb, arena) : vocabulary_label("none");
}

static void add_plans(struct arena *arena, const struct bucket_shape *shape, struct strbuf *out)
{
	bool borrowed = false;
	struct md_table table = md_table_of(
		arena, 0, vocabulary_label("plan|>covered|>time|>waste|>padding|buckets"));
	table.say = vocabulary_value;
	for (size_t i = 0; i < BUCKET_PLANS; i++) {
		const struct bucket_plan *plan = &shape->plans[i].plan;
		md_table_row(&table, vocabulary_say(arena, shape->plans[i].name),
			     quantity_text(arena, plan->covered, UNIT_FRACTION),
			     quantity_text(arena, plan->seconds, UNIT_SECOND),
			     quantity_change_text(arena, plan->waste),
			     quantity_text(arena, plan->padding, UNIT_FRACTION),
			     sizes_text(arena, plan));
		for (size_t b = 0; b < plan->count && plan->count <= LISTED_LIMIT; b++)
			borrowed |= plan->buckets[b].measured > plan->buckets[b].size;
	}
	md_table_plain(&table, out);
	if (borrowed)
		strbuf_addf(out, "%s\n",
			    vocabulary_label("~ not measured: time of the next larger measured "
					     "size"));
}

static void add_best(struct arena *arena, const struct bucket_shape *shape, struct strbuf *out)
{
	const struct bucket_plan *plan = &shape->plans[0].plan;
	double below = 0;
	struct md_table table =
		md_table_of(arena, 0, vocabulary_label(">bucket|for sizes|>share|>time"));
	table.say = vocabulary_value;
	for (size_t i = 0; i < plan->count; i++) {
		const struct bucket *bucket = &plan->buckets[i];
		md_table_row(&table, size_text(arena, bucket->size),
			     below > 0
				     ? arena_printf(arena, vocabulary_format("above %.10g"), below)
				     : arena_printf(arena, vocabulary_format("up to %.10g"),
						    bucket->size),
			     quantity_text(arena, bucket->share, UNIT_FRACTION),
			     quantity_text(arena, bucket->seconds, UNIT_SECOND));
		below = bucket->size;
	}
	md_table_plain(&table, out);
}

static void add_dependence(struct arena *arena, const struct bucket_shape *shape,
			   struct strbuf *out)
{
	const struct dependence *dependence = &shape->dependence;
	if (!dependence->none) {
		double waste = shape->plans[0].plan.waste;
		if (waste < 0 && -waste <= 3 * dependence->noise)
			strbuf_addf(out,
				    vocabulary_format("A waste of %s is within noise: neighboring "
						      "sizes differ by %s (standard deviation of "
						      "one time).\n"),
				    quantity_change_text(arena, waste),
				    quantity_text(arena, dependence->noise, UNIT_FRACTION));
		return;
	}
	strbuf_addf(out,
		    vocabulary_format("These latencies do not depend on %s: they differ by %s in "
				      "no order (p = %.2f for a trend, %.2f\nfor a pattern). The "
				      "plans use their median; one bucket is enough.\n"),
		    shape->sweep->x, quantity_text(arena, dependence->spread, UNIT_FRACTION),
		    dependence->trend, dependence->order);
}

static void add_shape(struct arena *arena, const struct bucket_shape *shape, struct strbuf *out)
{
	const struct bucket_problem *problem = &shape->problem;
	const struct bucket_plan *best = &shape->plans[0].plan;
	double largest = problem->points[problem->point_count - 1].size;
	strbuf_addf(
		out, vocabulary_format("%s: %s from %.10g to %.10g in %zu measured sizes, %s\n"),
		shape->line->name, shape->sweep->x, problem->points[0].size, largest,
		problem->point_count, vocabulary_metric(vocabulary_spoken(), shape->line->time));
	if (best->covered < 1)
		strbuf_addf(out,
			    vocabulary_format("%s of requests exceed %.10g, the largest measured "
					      "size\n"),
			    quantity_text(arena, 1 - best->covered, UNIT_FRACTION), largest);
	add_dependence(arena, shape, out);
	strbuf_addch(out, '\n');
	add_best(arena, shape, out);
	strbuf_addch(out, '\n');
	add_plans(arena, shape, out);
}

void render_buckets_text(struct arena *arena, const struct bucket_shape *shapes, size_t count,
			 struct strbuf *sb)
{
	const struct sweep *sweep = shapes[0].sweep;
	if (sweep->common[0])
		strbuf_addf(sb, "%s%s\n", vocabulary_label("all "), sweep->common);
	strbuf_addf(
		sb, "%s\n",
		vocabulary_label(shapes[0].uniform
					 ? "requests: every size up to the largest measured alike"
					 : "requests: weights from --sizes"));
	for (size_t i = 0; i < count; i++) {
		strbuf_addch(sb, '\n');
		add_shape(arena, &shapes[i], sb);
	}
	vocabulary_close_percents(sb);
}

static void add_json_plan(struct arena *arena, struct json *list, const struct named_plan *named)
{
	const struct bucket_plan *plan = &named->plan;
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, KEY(name), vocabulary_say(arena, named->name));
	json_set_number(arena, object, KEY(covered), plan->covered);
	json_set_number(arena, object, KEY(seconds), plan->seconds);
	json_set_number(arena, object, KEY(ideal_seconds), plan->ideal);
	json_set_number(arena, object, KEY(waste), plan->waste);
	json_set_number(arena, object, KEY(padding), plan->padding);
	struct json *buckets = json_set_array(arena, object, KEY(buckets));
	for (size_t i = 0; i < plan->count; i++) {
		struct json *bucket = json_add_object(arena, buckets);
		json_set_number(arena, bucket, KEY(size), plan->buckets[i].size);
		json_set_number(arena, bucket, KEY(measured), plan->buckets[i].measured);
		json_set_number(arena, bucket, KEY(seconds), plan->buckets[i].seconds);
		json_set_number(arena, bucket, KEY(share), plan->buckets[i].share);
	}
}

static void add_json_points(struct arena *arena, struct json *parent,
			    const struct bucket_shape *shape)
{
	struct json *points = json_set_array(arena, parent, KEY(measured));
	for (size_t i = 0; i < shape->problem.point_count; i++) {
		struct json *point = json_add_object(arena, points);
		json_set_number(arena, point, KEY(size), shape->problem.points[i].size);
		json_set_number(arena, point, KEY(seconds), shape->line->points[i].seconds);
	}
}

struct json *render_buckets_json(struct arena *arena, const struct bucket_shape *shapes,
				 size_t count)
{
	struct json *document = document_begin(arena, SCHEMA(buckets));
	struct json *list = json_set_array(arena, document, KEY(shapes));
	for (size_t i = 0; i < count; i++) {
		const struct bucket_shape *shape = &shapes[i];
		struct json *object = json_add_object(arena, list);
		json_set_text(arena, object, KEY(name), shape->line->name);
		json_set_text(arena, object, KEY(common), shape->sweep->common);
		json_set_text(arena, object, KEY(x), shape->sweep->x);
		json_set_text(arena, object, KEY(time), metric_info(shape->line->time)->key);
		json_set_number(arena, object, KEY(measured_sizes),
				(double)shape->problem.point_count);
		json_set_bool(arena, object, KEY(uniform), shape->uniform);
		add_json_points(arena, object, shape);
		const struct document_member members[] = {
			{KEY(depends), BOOL(!shape->dependence.none)},
			{KEY(spread), NUMBER(shape->dependence.spread)},
			{KEY(noise), NUMBER(shape->dependence.noise)},
			{KEY(trend_p), NUMBER(shape->dependence.trend)},
			{KEY(pattern_p), NUMBER(shape->dependence.order)},
		};
		document_fill(arena, json_set_object(arena, object, KEY(dependence)), members);
		struct json *plans = json_set_array(arena, object, KEY(plans));
		for (size_t p = 0; p < BUCKET_PLANS; p++)
			add_json_plan(arena, plans, &shape->plans[p]);
	}
	return document;
}
