/* Builds one comparison per series and rule, with its baseline history, and runs the steps of the
 * gate. */
#include "model/gate/gate.h"

#include "model/gate/internal.h"
#include "model/statistics/statistics.h"

enum {
	OWN_NOISE_FROM = 8, /* commits at one level whose noise is known */
	BEST_LENGTH = 10,   /* commits that make a best level */
	YOUNG_LIMIT = 60,   /* commits in which young changes are looked for */
};

/* --- records --- */

size_t gate_metric_index(const struct gate_result *gate, enum metric metric)
{
	size_t at = 0;
	while (at < gate->input->histories->metric_count &&
	       gate->input->histories->metrics[at] != metric)
		at++;
	return at;
}

double *gate_values(struct arena *arena, const struct history_points *points, size_t from)
{
	assert(from <= points->count);
	double *values = arena_array(arena, points->count + 1, sizeof *values);
	for (size_t i = from; i < points->count; i++)
		values[i - from] = points->items[i].value;
	return values;
}

/* Noise of the logarithms; if a value is not positive, noise relative to the median. */
static double level_noise(struct arena *arena, const double *values, size_t count)
{
	double *x = arena_array(arena, count, sizeof *x), scale = 1;
	bool logs = true;
	for (size_t i = 0; i < count; i++)
		logs = logs && values[i] > 0;
	if (!logs)
		scale = fabs(median_of(values, count));
	for (size_t i = 0; i < count; i++)
		x[i] = logs ? log(values[i]) : values[i] / scale;
	return scale > 0 ? noise_measure(arena, x, count) : NAN;
}

/* Keeps only the best period: the BEST_LENGTH consecutive commits with the best median. */
static void cut_to_best(struct arena *arena, const struct comparison *one,
			struct history_points *points)
{
	const double *values = gate_values(arena, points, 0);
	bool higher = policy_direction(one->policy, one->metric) == METRIC_HIGHER;
	size_t length = points->count < BEST_LENGTH ? points->count : BEST_LENGTH, best = 0;
	double least = HUGE_VAL;
	for (size_t i = 0; i + length <= points->count; i++) {
		double level = median_of(values + i, length);
		level = higher ? -level : level;
		if (level < least) {
			least = level;
			best = i;
		}
	}
	points->items += best;
	points->count = length;
}

double gate_own_noise(struct arena *arena, const double *values, size_t from, size_t to)
{
	return to - from < OWN_NOISE_FROM ? NAN : level_noise(arena, values + from, to - from);
}

/* Noise of the newest segment, which may be the whole series. */
static double newest_noise(struct arena *arena, const struct detect_series *series,
			   const double *values, size_t from)
{
	if (from == 0 && series->relative && series->count >= OWN_NOISE_FROM)
		return series->noise;
	return gate_own_noise(arena, values, from, series->count);
}

size_t gate_young_change(struct arena *arena, const struct detect_series *series,
			 const double *values, size_t level)
{
	struct detect_options options = detect_suspects();
	size_t count = series->count;
	size_t from = count - level > YOUNG_LIMIT ? count - YOUNG_LIMIT : level;
	struct detect_series newest =
		from ? detect_series_of(arena, values + from, count - from) : *series;
	struct detect_result young = detect_in(arena, &newest, &options);
	return young.count ? from + young.changes[young.count - 1].index : level;
}

/* Whether the judge borrows noise for the newest level. */
static bool is_short(const struct gate_history *history)
{
	return history->points.count - history->start < JUDGE_LENT_TO;
}

/* Copies what outlives the search: the points and the changes. */
static void copy_history(struct arena *arena, struct gate_history *history)
{
	struct history_point *points = arena_array(arena, history->points.count, sizeof *points);
	struct detect_change *changes =
		arena_array(arena, history->detected.count, sizeof *changes);
	memcpy(points, history->points.items, history->points.count * sizeof *points);
	if (history->detected.count)
		memcpy(changes, history->detected.changes,
		       history->detected.count * sizeof *changes);
	history->points.items = points;
	history->detected.changes = changes;
}

static void search_history(struct arena *arena, const struct gate_result *gate,
			   struct comparison *one, size_t index)
{
	struct gate_history *history = &one->history;
	history->points = history_points(arena, one->series->history, index, gate->input->newest,
					 GATE_BASELINE_COMMITS);
	history_take_unproven(arena, &history->points);
	if (history->points.count == 0)
		return;
	if (gate->input->best)
		cut_to_best(arena, one, &history->points);
	struct detect_options options = detect_defaults();
	const double *values = gate_values(arena, &history->points, 0);
	struct detect_series series = detect_series_of(arena, values, history->points.count);
	history->detected = detect_in(arena, &series, &options);
	if (history->detected.count)
		history->start = history->detected.changes[history->detected.count - 1].index;
	size_t level = history->start;
	/* A nightly gate looks for young changes itself and reports them as suspects. */
	if (!gate->input->windowed)
		history->start = gate_young_change(arena, &series, values, level);
	size_t before = history->start > level ? level
			: history->detected.count > 1
				? history->detected.changes[history->detected.count - 2].index
				: 0;
	history->noise = newest_noise(arena, &series, values, history->start);
	history->noise_of_all = series.relative ? series.noise : NAN;
	/* Right after a change the noise is still that of the previous segment. */
	if (is_short(history))
		history->pooled = gate_own_noise(arena, values, before, history->start);
}

static void find_history(struct arena *arena, const struct gate_result *gate,
			 struct comparison *one)
{
	struct gate_history *history = &one->history;
	struct arena scratch = {0};
	history->noise = history->noise_of_all = history->pooled = NAN;
	history->alone = !gate->input->windowed;
	if (!gate->input->histories || !one->series->history)
		return;
	size_t index = gate_metric_index(gate, one->metric);
	if (index == gate->input->histories->metric_count)
		return;
	search_history(&scratch, gate, one, index);
	if (history->points.count)
		copy_history(arena, history);
	arena_free(&scratch);
}

static bool are_similar(const struct comparison *a, const struct comparison *b)
{
	return a->metric == b->metric && span_text_eq(a->run->device, b->run->device) &&
	       span_text_eq(a->run->tool, b->run->tool);
}

/* What similar series have in common: their known noise, sorted. */
struct family {
	const struct comparison *one; /* a member */
	double *noise;
	size_t count;
};

struct families {
	struct family *items;
	size_t count, capacity;
};

static const struct family *family_of(struct arena *arena, const struct gate_result *gate,
				      struct families *families, const struct comparison *one)
{
	for (size_t i = 0; i < families->count; i++)
		if (are_similar(families->items[i].one, one))
			return &families->items[i];
	struct family *family = arena_add(arena, families);
	*family = (struct family){one, arena_array(arena, gate->count, sizeof(double)), 0};
	for (size_t i = 0; i < gate->count; i++)
		if (!isnan(gate->comparisons[i].history.noise) &&
		    are_similar(one, &gate->comparisons[i]))
			family->noise[family->count++] = gate->comparisons[i].history.noise;
	noise_sort(arena, family->noise, family->count);
	return family;
}

/* The first index whose noise is not below `own`. */
static size_t find_own(const struct family *family, double own)
{
	size_t low = 0, high = family->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (family->noise[middle] < own)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The median noise of the family without the series itself, whose noise is `own` (NAN: unknown);
 * NAN without any. */
static double noise_of_similar(const struct family *family, double own)
{
	size_t gone = isnan(own) ? family->count : find_own(family, own);
	size_t count = family->count - (gone < family->count);
	if (count == 0)
		return NAN;
	size_t low = (count - 1) / 2, high = count / 2;
	return (family->noise[low + (low >= gone)] + family->noise[high + (high >= gone)]) / 2;
}

static void pool_all(struct gate_result *gate)
{
	struct arena scratch = {0};
	struct families families = {0};
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		if (!isnan(one->history.pooled))
			continue;
		if (!isnan(one->policy->noise))
			one->history.pooled = one->policy->noise;
		else if (is_short(&one->history))
			one->history.pooled = noise_of_similar(
				family_of(&scratch, gate, &families, one), one->history.noise);
	}
	arena_free(&scratch);
}

/* --- young levels --- */

/* Finds jumps in histories that are too short for the detector: far beyond the noise, and beyond
 * the median step from commit to commit. `far` is in multiples of either. */
static void start_at_last_jump(struct arena *arena, const struct gate_result *gate,
			       struct gate_history *history)
{
	static const double far = 6;
	enum { LEAST_JUMPS = 2 }; /* with one alone, what is usual is unknown */
	size_t count = history->points.count - history->start;
	if (count == 0)
		return;
	const struct history_point *points = history->points.items + history->start;
	double *jumps = arena_array(arena, count, sizeof *jumps);
	size_t known = 0;
	for (size_t i = 1; i < count; i++) {
		if (!(points[i].value > 0) || !(points[i - 1].value > 0))
			return;
		jumps[known++] = fabs(log(points[i].value / points[i - 1].value));
	}
	if (known < LEAST_JUMPS)
		return;
	double *sorted = arena_array(arena, known, sizeof *sorted);
	memcpy(sorted, jumps, known * sizeof *sorted);
	qsort(sorted, known, sizeof *sorted, array_by_double);
	double limit = far * fmax(history->pooled, sorted[(known - 1) / 2]);
	/* A single commit may be an accident, unless the user named it. */
	size_t from = known;
	if (jumps[known - 1] > limit && !gate->input->named) {
		history->accidents = 1;
		from = known - 2;
	}
	for (size_t i = from; i-- > 0;)
		if (jumps[i] > limit) {
			history->start += i + 1;
			return;
		}
}

/* If the noise of a short history is known from elsewhere, its newest segment can be separated from
 * the earlier ones. */
static void find_young_levels(struct arena *arena, struct gate_result *gate)
{
	for (size_t i = 0; i < gate->count; i++) {
		struct gate_history *history = &gate->comparisons[i].history;
		if (isnan(history->noise) && !isnan(history->pooled))
			start_at_last_jump(arena, gate, history);
	}
}

/* --- comparisons --- */

/* Chooses the metric: the run's own headline, or that of the baseline if only that one has a
 * history. A run that lost its time is thus the old series with a missing value, not a new
 * series. */
static void find_headline(struct arena *arena, const struct gate_result *gate,
			  struct comparison *one)
{
	const struct run_list *baseline = &one->series->baseline;
	enum metric own = one->metric;
	find_history(arena, gate, one);
	if (!one->policy->own_headline || one->history.points.count || baseline->count == 0)
		return;
	one->metric = policy_metric(one->policy, baseline->items[0]);
	if (one->metric != own)
		find_history(arena, gate, one);
	if (one->history.points.count == 0)
		one->metric = own;
}

/* Whether the rule judges the comparison's series, or refines the rule that does. */
static bool takes_part(const struct policy *policy, const struct comparison *one)
{
	const char *judging = policy->refines ? policy->refines : policy->name;
	return strcmp(one->policy->name, judging) == 0 && policy_fits(policy, one->run);
}

static void note_idle(struct arena *arena, struct gate_plan *plan)
{
	const struct policy_list *policies = plan->input->policies;
	plan->idle = arena_array(arena, policies->count, sizeof *plan->idle);
	for (size_t i = 0; i < policies->count; i++) {
		bool used = false;
		for (size_t j = 0; j < plan->count && !used; j++)
			used = takes_part(&policies->items[i], &plan->comparisons[j]);
		if (!used)
			plan->idle[plan->idle_count++] = &policies->items[i];
	}
}

/* The run by which rules match a series. */
static const struct run *run_of(const struct gate_series *one)
{
	return one->candidate.count  ? one->candidate.items[0]
	       : one->baseline.count ? one->baseline.items[0]
				     : one->run;
}

static size_t count_comparisons(const struct gate_series_list *series,
				const struct policy_list *policies)
{
	size_t count = 0;
	for (size_t i = 0; i < series->count; i++)
		for (size_t j = 0; j < policies->count; j++)
			count += !policies->items[j].refines &&
				 policy_fits(&policies->items[j], run_of(&series->items[i]));
	return count;
}

static void compare(struct arena *arena, struct gate_result *gate)
{
	const struct gate_series_list *series = gate->input->series;
	const struct policy_list *policies = gate->input->policies;
	gate->comparisons =
		arena_array(arena, count_comparisons(series, policies), sizeof *gate->comparisons);
	for (size_t i = 0; i < series->count; i++)
		for (size_t j = 0; j < policies->count; j++) {
			const struct gate_series *one = &series->items[i];
			const struct policy *policy = &policies->items[j];
			const struct run *run = run_of(one);
			if (policy->refines || !policy_fits(policy, run))
				continue;
			struct comparison *made = &gate->comparisons[gate->count++];
			*made = (struct comparison){
				.series = one,
				.run = run,
				.policy = policy_refined(arena, policies, policy, run),
				.metric = policy_metric(policy, run),
				.first = VERDICT_LIMIT,
				.second = VERDICT_LIMIT,
			};
			find_headline(arena, gate, made);
		}
	pool_all(gate);
	if (!gate->input->windowed)
		find_young_levels(arena, gate);
}

struct gate_plan gate_plan(struct arena *arena, const struct gate_input *input)
{
	struct gate_plan plan = {.input = input};
	struct gate_result gate = {.input = input};
	assert(input->series && input->policies && input->settings);
	assert(!(input->windowed && input->best));
	compare(arena, &gate);
	gate_find_copies(arena, &gate);
	gate_decide_each(arena, &gate);
	gate_need_changes(arena, &gate, &plan.needed);
	plan.comparisons = gate.comparisons;
	plan.count = gate.count;
	note_idle(arena, &plan);
	return plan;
}

struct gate_result gate_run(struct arena *arena, const struct gate_plan *plan)
{
	struct gate_result gate = {
		.input = plan->input,
		.comparisons = plan->comparisons,
		.count = plan->count,
		.series = plan->input->series->count,
	};
	gate_decide_together(arena, &gate);
	gate_decide_drift(arena, &gate);
	gate_accept(arena, &gate);
	gate_propose_epoch(arena, &gate);
	gate_conclude(arena, &gate);
	gate_describe(arena, &gate);
	return gate;
}

size_t gate_end_used(const struct comparison *one)
{
	size_t skipped = one->history.open > one->history.accidents ? one->history.open
								    : one->history.accidents;
	assert(skipped <= one->history.points.count);
	return one->history.points.count - skipped;
}

size_t gate_first_used(const struct comparison *one)
{
	const struct judge_result *result = &one->judged.result;
	size_t end = gate_end_used(one), used = result->count + result->away.count;
	return verdict_is_by_history(&one->judged) && used && used <= end ? end - used
									  : one->history.start;
}

const struct revision *gate_revision_at(const struct gate_result *gate,
					const struct comparison *one, size_t point)
{
	const struct history_points *points = &one->history.points;
	return point < points->count ? &gate->input->histories->chain[points->items[point].commit]
				     : &gate->input->candidate;
}

size_t gate_night_before(const struct gate_result *gate, const struct comparison *one)
{
	enum { HALF_DAY = 12 * 3600 };
	const struct history_points *points = &one->history.points;
	size_t count = points->count;
	while (count > 0 && llabs(gate->input->candidate.time -
				  gate_revision_at(gate, one, count - 1)->time) < HALF_DAY)
		count--;
	return count ? count : points->count;
}
