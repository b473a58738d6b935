/* The strategies never, always and smart end to end, as text and JSON. */
#include "render/fusion/internal.h"

#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/vocabulary/vocabulary.h"

enum { NEVER, ALWAYS, SMART, STRATEGIES };
const char *const fusion_strategies[] = {"never_fuse", "always_fuse", "smart_schedule", NULL};

static bool is_known(const struct fusion_work *work, int strategy)
{
	return !isnan(work->times[strategy].time);
}

static bool is_measured(const struct fusion_work *work, int strategy)
{
	return is_known(work, strategy) && work->times[strategy].provenance != PROVENANCE_ESTIMATED;
}

/* Speed-up of the strategy: time of never_fuse / time of the strategy; NAN: unknown. */
static double speedup_of(const struct fusion_work *work, int strategy)
{
	return work->times[NEVER].time / work->times[strategy].time;
}

/* The strategy whose whole interval lies below all others; NULL if they overlap. Only measured
 * strategies compete. */
static const char *fastest_of(const struct fusion_work *work)
{
	int best = -1, rivals = 0;
	for (int i = 0; i < STRATEGIES; i++) {
		if (!is_measured(work, i))
			continue;
		rivals++;
		if (best < 0 || work->times[i].time < work->times[best].time)
			best = i;
	}
	if (rivals < 2)
		return "nothing to compare with";
	for (int i = 0; i < STRATEGIES; i++)
		if (i != best && is_measured(work, i) &&
		    work->times[i].lowest <= work->times[best].highest)
			return "unclear";
	return fusion_strategies[best];
}

/* The mean over all works where both times are known; estimated times only on request. */
struct mean {
	double speedup; /* geometric mean; NAN without works */
	size_t count;
	bool estimated; /* at least one of the times is estimated */
};

static struct mean mean_of(const struct fusion_works *works, size_t start, size_t end, int strategy)
{
	struct mean mean = {0};
	double sum = 0;
	for (size_t i = start; i < end; i++) {
		const struct fusion_work *work = &works->items[i];
		if (!is_known(work, NEVER) || !is_known(work, strategy))
			continue;
		sum += log(speedup_of(work, strategy));
		mean.estimated |= !is_measured(work, NEVER) || !is_measured(work, strategy);
		mean.count++;
	}
	mean.speedup = mean.count ? exp(sum / (double)mean.count) : NAN;
	return mean;
}

/* --- text --- */

static const char *time_text(struct arena *arena, const struct fusion_work *work, int strategy)
{
	if (!is_known(work, strategy))
		return "--";
	return arena_printf(arena, "%s%s", is_measured(work, strategy) ? "" : "~",
			    quantity_text(arena, work->times[strategy].time, UNIT_SECOND));
}

static const char *ratio_text(struct arena *arena, double ratio, bool estimated)
{
	return isnan(ratio) ? "--" : arena_printf(arena, "%s%.3f", estimated ? "~" : "", ratio);
}

static void add_row(struct arena *arena, struct md_table *table, const struct fusion_work *work)
{
	md_table_cell(table, work->shape);
	md_table_cell(table, time_text(arena, work, NEVER));
	for (int i = ALWAYS; i < STRATEGIES; i++) {
		md_table_cell(table, time_text(arena, work, i));
		md_table_cell(table,
			      ratio_text(arena, speedup_of(work, i),
					 !is_measured(work, NEVER) || !is_measured(work, i)));
	}
	md_table_cell(table, vocabulary_label(fastest_of(work)));
}

static void add_mean(struct arena *arena, struct md_table *table, const struct fusion_works *works,
		     size_t start, size_t end)
{
	md_table_cell(table, vocabulary_label("geometric mean"));
	md_table_cell(table, "");
	for (int i = ALWAYS; i < STRATEGIES; i++) {
		struct mean mean = mean_of(works, start, end, i);
		md_table_cell(table, arena_printf(arena, vocabulary_format("of %zu of %zu"),
						  mean.count, end - start));
		md_table_cell(table, ratio_text(arena, mean.speedup, mean.estimated));
	}
	md_table_cell(table, "");
}

static bool add_group(const struct fusion_view *view, struct strbuf *sb, size_t start, size_t end)
{
	struct arena *arena = view->arena;
	const struct fusion_works *works = view->works;
	struct md_table table =
		md_table_of(arena, view->width, vocabulary_label("work|>never_fuse"));
	bool estimated = false;
	table.say = vocabulary_value;
	for (int i = ALWAYS; i < STRATEGIES; i++) {
		md_table_column(&table, fusion_strategies[i], MD_ALIGN_RIGHT);
		md_table_columns(&table, vocabulary_label(">speed-up"));
	}
	md_table_columns(&table, vocabulary_label("fastest measured"));
	for (size_t i = start; i < end; i++) {
		add_row(arena, &table, &works->items[i]);
		for (int k = 0; k < STRATEGIES; k++)
			estimated |=
				is_known(&works->items[i], k) && !is_measured(&works->items[i], k);
	}
	add_mean(arena, &table, works, start, end);
	strbuf_addstr(sb, start ? "\n" : "");
	render_fusion_heading(arena, sb, works->items[start].run);
	strbuf_addch(sb, '\n');
	md_table_plain(&table, sb);
	return estimated;
}

void render_fusion_strategies_text(const struct fusion_view *view, struct strbuf *sb)
{
	const struct fusion_works *works = view->works;
	bool estimated = false;
	for (size_t start = 0, end; start < works->count; start = end) {
		end = fusion_group_end(works, start, true);
		estimated |= add_group(view, sb, start, end);
	}
	if (estimated)
		strbuf_addf(sb, "\n%s\n",
			    vocabulary_label("~ is estimated, not measured, and wins nothing"));
}

/* --- JSON --- */

static void add_work(struct arena *arena, struct json *array, const struct fusion_work *work)
{
	struct json *object = json_add_object(arena, array);
	json_set_text(arena, object, KEY(work), work->shape);
	for (size_t i = 0; i < work->run->param_count; i++)
		json_set_text(arena, object, work->run->params[i].name, work->run->params[i].value);
	struct json *strategies = json_set_object(arena, object, "strategies");
	for (int i = 0; i < STRATEGIES; i++) {
		if (!is_known(work, i))
			continue;
		render_fusion_add_time(arena, strategies, fusion_strategies[i], &work->times[i]);
		json_set_number(arena, strategies->last, KEY(speedup), speedup_of(work, i));
		json_set_bool(arena, strategies->last, "estimated", !is_measured(work, i));
	}
	json_set_text(arena, object, "fastest_measured", fastest_of(work));
}

struct json *render_fusion_strategies_json(const struct fusion_view *view)
{
	struct arena *arena = view->arena;
	const struct fusion_works *works = view->works;
	struct json *out = document_begin(arena, SCHEMA(strategies));
	json_set_text(arena, out, KEY(commit), view->commit);
	json_set_number(arena, out, KEY(noise), view->noise);
	struct json *groups = json_set_array(arena, out, "groups");
	for (size_t start = 0, end; start < works->count; start = end) {
		end = fusion_group_end(works, start, true);
		struct json *group = json_add_object(arena, groups);
		json_set_text(arena, group, KEY(kernel), works->items[start].run->kernel);
		render_fusion_add_group(arena, group, works->items[start].run);
		struct json *array = json_set_array(arena, group, "works");
		for (size_t i = start; i < end; i++)
			add_work(arena, array, &works->items[i]);
		struct json *means = json_set_object(arena, group, "geometric_mean_speedup");
		for (int i = ALWAYS; i < STRATEGIES; i++) {
			struct mean mean = mean_of(works, start, end, i);
			struct json *one = json_set_object(arena, means, fusion_strategies[i]);
			json_set_number(arena, one, KEY(value), mean.speedup);
			json_set_number(arena, one, KEY(count), (double)mean.count);
			json_set_number(arena, one, "of", (double)(end - start));
			json_set_bool(arena, one, "estimated", mean.estimated);
		}
	}
	return out;
}
