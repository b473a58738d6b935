/* Buckets over two sizes, grid by grid, as text and JSON. */
#include "render/sizing/sizing.h"

#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/vocabulary/vocabulary.h"

enum { ACROSS_LIMIT = 6, LISTED_LIMIT = 24 };

static const char *list_text(struct arena *arena, const double *sizes, size_t count)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < count && i < LISTED_LIMIT; i++)
		strbuf_addf(&sb, "%s%.10g", i ? " " : "", sizes[i]);
	if (count > LISTED_LIMIT)
		strbuf_addf(&sb, vocabulary_format(" ... (%zu sizes)"), count);
	return strbuf_into(&sb, arena);
}

/* --- the best plan --- */

static bool is_borrowed(const struct grid_plan *plan, size_t row, size_t column)
{
	const struct grid_bucket *bucket = &plan->buckets[row * plan->counts[1] + column];
	return !isnan(bucket->seconds) && (bucket->measured[0] != plan->sizes[0][row] ||
					   bucket->measured[1] != plan->sizes[1][column]);
}

static const char *time_text(struct arena *arena, const struct grid_plan *plan, size_t row,
			     size_t column)
{
	double seconds = plan->buckets[row * plan->counts[1] + column].seconds;
	if (isnan(seconds))
		return "unknown";
	return arena_printf(arena, "%s%s", is_borrowed(plan, row, column) ? "~" : "",
			    quantity_text(arena, seconds, UNIT_SECOND));
}

/* The part of the plan's waste that the requests of a bucket cause; all of them add up to it. */
static const char *lost_text(struct arena *arena, const struct grid_plan *plan, size_t row,
			     size_t column)
{
	const struct grid_bucket *bucket = &plan->buckets[row * plan->counts[1] + column];
	if (!(bucket->share > 0))
		return "--";
	double lost = bucket->share * (bucket->seconds - bucket->ideal) / plan->ideal;
	return quantity_change_text(arena, fabs(lost) < 1e-9 ? 0 : lost); /* rounding */
}

/* A table of all buckets: one row per size of the first parameter. */
static void add_cells(struct arena *arena, const struct grid_shape *shape,
		      const char *(*text)(struct arena *, const struct grid_plan *, size_t, size_t),
		      struct strbuf *out)
{
	const struct grid_plan *plan = &shape->plans[0].plan;
	const char *const *names = shape->grids->names;
	struct md_table table;
	md_table_init(&table, arena);
	table.say = vocabulary_value;
	md_table_column(&table, arena_printf(arena, "%.40s \\ %.40s", names[0], names[1]),
			MD_ALIGN_RIGHT);
	for (size_t k = 0; k < plan->counts[1]; k++)
		md_table_column(&table, arena_printf(arena, "%.10g", plan->sizes[1][k]),
				MD_ALIGN_RIGHT);
	for (size_t i = 0; i < plan->counts[0]; i++) {
		md_table_cell(&table, arena_printf(arena, "%.10g", plan->sizes[0][i]));
		for (size_t k = 0; k < plan->counts[1]; k++)
			md_table_cell(&table, text(arena, plan, i, k));
	}
	md_table_plain(&table, out);
}

static void add_best(struct arena *arena, const struct grid_shape *shape, struct strbuf *out)
{
	const struct grid_plan *plan = &shape->plans[0].plan;
	const char *const *names = shape->grids->names;
	bool borrowed = false;
	for (size_t i = 0; i < plan->counts[0] * plan->counts[1]; i++)
		borrowed |= is_borrowed(plan, i / plan->counts[1], i % plan->counts[1]);
	for (int s = 0; s < 2; s++)
		strbuf_addf(out, "%.40s: %s\n", names[s],
			    list_text(arena, plan->sizes[s], plan->counts[s]));
	if (plan->counts[1] > ACROSS_LIMIT || plan->counts[0] > LISTED_LIMIT) {
		strbuf_addf(out, "%s\n",
			    vocabulary_label("(--json lists the time of each bucket)"));
		return;
	}
	strbuf_addf(out, "\n%s\n", vocabulary_label("Time of a request in each bucket"));
	add_cells(arena, shape, time_text, out);
	if (borrowed)
		strbuf_addf(out, "%s\n",
			    vocabulary_label("~ not measured: time of a larger measured pair"));
	if (!(plan->covered > 0))
		return;
	strbuf_addf(out, vocabulary_format("\nTime lost to padding in each bucket, %s in all\n"),
		    quantity_change_text(arena, plan->waste));
	add_cells(arena, shape, lost_text, out);
}

/* --- what the times depend on --- */

static void add_dependence(struct arena *arena, const struct grid_shape *shape, int side,
			   struct strbuf *out)
{
	const struct grid_dependence *dependence = &shape->dependence[side];
	if (!dependence->none)
		return;
	strbuf_addf(out,
		    vocabulary_format("These latencies do not depend on %.40s: they differ by up "
				      "to %s in no order\n(p = %.2f for a trend, %.2f for a "
				      "pattern, %.2f for some %.40s only). The plans use\nmedians"),
		    shape->grids->names[side],
		    quantity_text(arena, dependence->spread, UNIT_FRACTION), dependence->trend,
		    dependence->pattern, dependence->uneven, shape->grids->names[!side]);
	if (shape->plans[0].plan.counts[side] == 1)
		strbuf_addf(out, vocabulary_format("; one size of %.40s is enough"),
			    shape->grids->names[side]);
	strbuf_addf(out, "%s\n", vocabulary_format("."));
}

static void add_noise(struct arena *arena, const struct grid_shape *shape, struct strbuf *out)
{
	double waste = shape->plans[0].plan.waste;
	double noise = fmin(shape->dependence[0].noise, shape->dependence[1].noise);
	if (waste < 0 && -waste <= 3 * noise)
		strbuf_addf(out,
			    vocabulary_format("A waste of %s is within noise: neighboring sizes "
					      "differ by %s\n(standard deviation of one time).\n"),
			    quantity_change_text(arena, waste),
			    quantity_text(arena, noise, UNIT_FRACTION));
}

/* --- plans --- */

static void add_plans(struct arena *arena, const struct grid_shape *shape, struct strbuf *out)
{
	struct md_table table = md_table_of(
		arena, 0, vocabulary_label("plan|>covered|>time|>waste|>padding|>buckets"));
	table.say = vocabulary_value;
	for (size_t i = 0; i < GRID_PLANS; i++) {
		const struct grid_plan *plan = &shape->plans[i].plan;
		md_table_row(&table, vocabulary_say(arena, shape->plans[i].name),
			     quantity_text(arena, plan->covered, UNIT_FRACTION),
			     quantity_text(arena, plan->seconds, UNIT_SECOND),
			     quantity_change_text(arena, plan->waste),
			     quantity_text(arena, plan->padding, UNIT_FRACTION),
			     arena_printf(arena, "%zu x %zu", plan->counts[0], plan->counts[1]));
	}
	md_table_plain(&table, out);
	if (!shape->exact)
		strbuf_addf(out, "%s\n",
			    vocabulary_label("Too many lists to try them all: each list of the "
					     "first plan is the best for\nthe other; another pair "
					     "may be better."));
}

static void add_shape(struct arena *arena, const struct grid_shape *shape, struct strbuf *out)
{
	const struct size_grid *grid = shape->grid;
	const char *const *names = shape->grids->names;
	const struct grid_plan *best = &shape->plans[0].plan;
	size_t pairs = grid->counts[0] * grid->counts[1];
	strbuf_addf(out, vocabulary_format("%s: %zu sizes of %.40s, %zu of %.40s, %s\n"),
		    grid->name, grid->counts[0], names[0], grid->counts[1], names[1],
		    vocabulary_metric(vocabulary_spoken(), grid->time));
	if (grid->measured < pairs)
		strbuf_addf(out,
			    vocabulary_format("%zu of %zu pairs measured; the others take the "
					      "time of a larger one\n"),
			    grid->measured, pairs);
	if (best->covered < 1)
		strbuf_addf(out, vocabulary_format("%s of requests exceed what was measured\n"),
			    quantity_text(arena, 1 - best->covered, UNIT_FRACTION));
	for (int s = 0; s < 2; s++)
		add_dependence(arena, shape, s, out);
	add_noise(arena, shape, out);
	strbuf_addch(out, '\n');
	add_best(arena, shape, out);
	strbuf_addch(out, '\n');
	add_plans(arena, shape, out);
}

void render_buckets_pairs_text(struct arena *arena, const struct grid_shape *shapes, size_t count,
			       struct strbuf *sb)
{
	if (shapes[0].grids->common[0])
		strbuf_addf(sb, "%s%s\n", vocabulary_label("all "), shapes[0].grids->common);
	strbuf_addf(
		sb, "%s\n",
		vocabulary_label(
			shapes[0].uniform
				? "requests: every pair of sizes up to the largest measured alike"
				: "requests: weights from --sizes"));
	for (size_t i = 0; i < count; i++) {
		strbuf_addch(sb, '\n');
		add_shape(arena, &shapes[i], sb);
	}
	vocabulary_close_percents(sb);
}

/* --- JSON --- */

static void add_sizes(struct arena *arena, struct json *parent, const char *name,
		      const double *sizes, size_t count)
{
	struct json *list =
		name ? json_set_array(arena, parent, name) : json_add_array(arena, parent);
	for (size_t i = 0; i < count; i++)
		json_add_number(arena, list, sizes[i]);
}

static void add_json_plan(struct arena *arena, struct json *list,
			  const struct named_grid_plan *named)
{
	const struct grid_plan *plan = &named->plan;
	struct json *object = json_add_object(arena, list);
	const struct document_member members[] = {
		{KEY(name), TEXT(vocabulary_say(arena, named->name))},
		{KEY(covered), NUMBER(plan->covered)},
		{KEY(seconds), NUMBER(plan->seconds)},
		{KEY(ideal_seconds), NUMBER(plan->ideal)},
		{KEY(waste), NUMBER(plan->waste)},
		{KEY(padding), NUMBER(plan->padding)},
	};
	document_fill(arena, object, members);
	struct json *sizes = json_set_array(arena, object, KEY(sizes));
	for (int s = 0; s < 2; s++)
		add_sizes(arena, sizes, NULL, plan->sizes[s], plan->counts[s]);
	struct json *buckets = json_set_array(arena, object, KEY(buckets));
	for (size_t i = 0; i < plan->counts[0] * plan->counts[1]; i++) {
		const struct grid_bucket *bucket = &plan->buckets[i];
		const double pair[2] = {plan->sizes[0][i / plan->counts[1]],
					plan->sizes[1][i % plan->counts[1]]};
		struct json *one = json_add_object(arena, buckets);
		add_sizes(arena, one, KEY(sizes), pair, 2);
		add_sizes(arena, one, KEY(measured), bucket->measured,
			  isnan(bucket->seconds) ? 0 : 2);
		json_set_number(arena, one, KEY(seconds), bucket->seconds);
		json_set_number(arena, one, KEY(ideal_seconds), bucket->ideal);
		json_set_number(arena, one, KEY(share), bucket->share);
	}
}

static void add_json_measured(struct arena *arena, struct json *object,
			      const struct grid_shape *shape)
{
	const struct size_grid *grid = shape->grid;
	struct json *points = json_set_array(arena, object, KEY(measured));
	for (size_t i = 0; i < grid->counts[0] * grid->counts[1]; i++) {
		if (isnan(grid->seconds[i]))
			continue;
		const double pair[2] = {grid->sizes[0][i / grid->counts[1]],
					grid->sizes[1][i % grid->counts[1]]};
		struct json *point = json_add_object(arena, points);
		add_sizes(arena, point, KEY(sizes), pair, 2);
		json_set_number(arena, point, KEY(seconds), grid->seconds[i]);
		json_set_number(arena, point, KEY(used_seconds), shape->problem.seconds[i]);
	}
}

static void add_json_dependence(struct arena *arena, struct json *object,
				const struct grid_shape *shape)
{
	struct json *list = json_set_array(arena, object, KEY(dependence));
	for (int s = 0; s < 2; s++) {
		const struct grid_dependence *dependence = &shape->dependence[s];
		const struct document_member members[] = {
			{KEY(parameter), TEXT(shape->grids->names[s])},
			{KEY(depends), BOOL(!dependence->none)},
			{KEY(spread), NUMBER(dependence->spread)},
			{KEY(noise), NUMBER(dependence->noise)},
			{KEY(trend_p), NUMBER(dependence->trend)},
			{KEY(pattern_p), NUMBER(dependence->pattern)},
			{KEY(uneven_p), NUMBER(dependence->uneven)},
		};
		document_fill(arena, json_add_object(arena, list), members);
	}
}

struct json *render_buckets_pairs_json(struct arena *arena, const struct grid_shape *shapes,
				       size_t count)
{
	struct json *document = document_begin(arena, SCHEMA(buckets));
	json_set_array(arena, document, KEY(shapes));
	struct json *list = json_set_array(arena, document, KEY(grids));
	for (size_t i = 0; i < count; i++) {
		const struct grid_shape *shape = &shapes[i];
		struct json *object = json_add_object(arena, list);
		const struct document_member members[] = {
			{KEY(name), TEXT(shape->grid->name)},
			{KEY(common), TEXT(shape->grids->common)},
			{KEY(time), TEXT(metric_info(shape->grid->time)->key)},
			{KEY(measured_pairs), NUMBER(shape->grid->measured)},
			{KEY(uniform), BOOL(shape->uniform)},
			{KEY(exact), BOOL(shape->exact)},
		};
		struct json *parameters = json_set_array(arena, object, KEY(parameters));
		for (int s = 0; s < 2; s++)
			json_add_text(arena, parameters, shape->grids->names[s]);
		document_fill(arena, object, members);
		add_json_measured(arena, object, shape);
		add_json_dependence(arena, object, shape);
		struct json *plans = json_set_array(arena, object, KEY(plans));
		for (size_t p = 0; p < GRID_PLANS; p++)
			add_json_plan(arena, plans, &shape->plans[p]);
	}
	return document;
}
