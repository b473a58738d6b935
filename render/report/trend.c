/* The trends of comparisons in the report document. */
#include "render/document/document.h"
#include "render/report/report.h"

#include "model/trend/trend.h"

struct trending {
	struct arena *arena;
	const struct trend *trend;
	enum unit unit;
};

static void add_point(const struct trending *of, struct json *list, const struct trend_point *point)
{
	struct json *row = json_add_array(of->arena, list);
	json_add_number(of->arena, row, point->place);
	json_add_number(of->arena, row, point->low);
	json_add_number(of->arena, row, point->middle);
	json_add_number(of->arena, row, point->high);
	json_add_number(of->arena, row, point->runs);
}

static void add_levels(const struct trending *of, struct json *out)
{
	struct json *list = json_set_array(of->arena, out, KEY(levels));
	struct json *noises = json_set_array(of->arena, out, KEY(noises));
	for (size_t i = 0; i < of->trend->level_count; i++) {
		const struct trend_level *level = &of->trend->levels[i];
		struct json *row = json_add_array(of->arena, list);
		json_add_number(of->arena, row, level->from);
		json_add_number(of->arena, row, level->to);
		json_add_number(of->arena, row, level->value);
		json_add_number(of->arena, noises, level->noise);
	}
}

static void add_changes(const struct trending *of, struct json *out)
{
	struct json *list = json_set_array(of->arena, out, KEY(changes));
	for (size_t i = 0; i < of->trend->change_count; i++) {
		const struct trend_change *change = &of->trend->changes[i];
		const struct document_member members[] = {
			{KEY(place), NUMBER(change->first_after)},
			{KEY(last_before_place), NUMBER(change->last_before)},
			{KEY(last_before), COMMIT(change->last_commit_before, false)},
			{KEY(first_after), COMMIT(change->first_commit_after, false)},
			{KEY(before), QUANTITY(change->before, of->unit)},
			{KEY(after), QUANTITY(change->after, of->unit)},
			{KEY(effect), NUMBER(change->effect)},
			{KEY(effect_text), EFFECT(change->effect, change->relative, of->unit)},
			{KEY(low), NUMBER(change->low)},
			{KEY(high), NUMBER(change->high)},
			{KEY(p), NUMBER(change->p)},
			{KEY(confirmed), BOOL(change->confirmed)},
			{KEY(worse), BOOL(change->worse)},
			{KEY(better), BOOL(change->better)},
		};
		document_fill(of->arena, json_add_object(of->arena, list), members);
	}
}

static void add_accepted(const struct trending *of, struct json *out)
{
	struct json *list = json_set_array(of->arena, out, KEY(accepted));
	const struct trend_acceptance *accepted = of->trend->accepted;
	if (!accepted)
		return;
	const struct document_member members[] = {
		{KEY(place), NUMBER(accepted->place)},
		{KEY(line), NUMBER(accepted->line)},
		{KEY(author), TEXT(accepted->author)},
		{KEY(reason), TEXT(accepted->reason)},
		{KEY(expires), TEXT(accepted->expires)},
		{KEY(limit), QUANTITY(accepted->limit, of->unit), OPTIONAL},
	};
	document_fill(of->arena, json_add_object(of->arena, list), members);
}

static void add_ends(const struct trending *of, struct json *out)
{
	const struct trend *trend = of->trend;
	struct json *points = json_set_array(of->arena, out, KEY(points));
	for (size_t i = 0; i < trend->point_count; i++)
		add_point(of, points, &trend->points[i]);
	if (!trend->point_count)
		return;
	document_commit(of->arena, out, KEY(oldest), trend->oldest, false);
	document_commit(of->arena, out, KEY(newest), trend->newest, false);
}

static void add_candidate(const struct trending *of, struct json *out)
{
	if (!of->trend->candidate.runs)
		return;
	struct json *candidate = document_quantity(of->arena, out, KEY(candidate),
						   of->trend->candidate.value, of->unit);
	json_set_number(of->arena, candidate, KEY(place), of->trend->candidate.commit);
	json_set_number(of->arena, candidate, KEY(runs), of->trend->candidate.runs);
}

void report_add_trend(struct arena *arena, struct json *comparison, const struct trend *trend,
		      enum unit unit)
{
	const struct trending whole = {arena, trend, unit}, *of = &whole;
	struct json *out = json_set_object(of->arena, comparison, KEY(trend));
	json_set_text(of->arena, out, KEY(unit), quantity_unit_symbol(of->unit));
	json_set_number(of->arena, out, KEY(commits), (double)trend->commits);
	json_set_number(of->arena, out, KEY(bin), trend->bin);
	json_set_number(of->arena, out, KEY(gap), trend->gap);
	add_ends(of, out);
	add_candidate(of, out);
	json_set_number(of->arena, out, KEY(level), trend->level);
	if (!isnan(trend->band_low)) {
		struct json *band = json_set_object(of->arena, out, KEY(band));
		json_set_number(of->arena, band, KEY(low), trend->band_low);
		json_set_number(of->arena, band, KEY(high), trend->band_high);
	}
	add_levels(of, out);
	add_changes(of, out);
	add_accepted(of, out);
	json_set_text(of->arena, out, KEY(spark), trend->spark);
}

/* The commits of all places up to the oldest point of a trend. A page has one axis. */
static void add_commits(struct arena *arena, struct json *gate_out, const struct gate_result *gate,
			const struct trend *trends, size_t count)
{
	enum { COMMITS_LIMIT = 2000 };
	const struct history_set *set = gate->input->histories;
	const struct trend *any = NULL;
	uint32_t oldest = 0;
	for (size_t i = 0; i < count; i++)
		if (trends[i].point_count) {
			any = &trends[i];
			oldest = any->points[0].place > oldest ? any->points[0].place : oldest;
		}
	if (!any || !set || oldest >= COMMITS_LIMIT)
		return;
	struct json *list = json_set_array(arena, gate_out, KEY(commits));
	for (uint32_t place = 0; place <= oldest; place++) {
		size_t index = place - any->shift;
		bool known = place >= any->shift && index < set->chain_count;
		document_add_commit(arena, list,
				    known ? &set->chain[index] : &gate->input->candidate, false);
	}
}

void report_add_trends(struct arena *arena, struct json *document, const struct gate_result *gate,
		       const struct trend *trends, size_t count)
{
	const struct json *list = json_get(json_get(document, KEY(gate)), KEY(comparisons));
	struct json *comparison = list ? list->first : NULL;
	assert(!list || !list->more || count <= REPORT_KEPT_COMPARISONS);
	for (size_t i = 0; comparison && i < count; i++, comparison = comparison->next)
		if (trends[i].point_count)
			report_add_trend(arena, comparison, &trends[i],
					 metric_info(gate->comparisons[i].metric)->unit);
	add_commits(arena, (struct json *)json_get(document, KEY(gate)), gate, trends, count);
}

void report_add_releases(struct arena *arena, struct json *document,
			 const struct release_list *releases)
{
	struct json *one = json_first(json_get(document, KEY(gate)), KEY(commits));
	for (; one; one = one->next) {
		const char *oid = json_text(one, KEY(oid), NULL);
		const char *names = oid ? releases_at(arena, releases, oid) : NULL;
		if (names)
			json_set_text(arena, one, KEY(release), names);
	}
}
