/* Reduces the points of a history to what is drawn. */
#include "model/trend/trend.h"

#include "base/base.h"
#include "model/verdict/verdicts.h"
#include "model/statistics/statistics.h"

enum { YOUNG_LIMIT = 60, LEAST_GAP = 3, GAP_FACTOR = 3 };
static const double spark_range = 0.05;

static double *values_of(struct arena *arena, const struct history_point *points, size_t count)
{
	double *values = arena_array(arena, count + 1, sizeof *values);
	for (size_t i = 0; i < count; i++)
		values[i] = points[i].value;
	return values;
}

/* --- points --- */

static uint32_t usual_gap(const struct history_points *points)
{
	struct arena scratch = {0};
	double *steps = arena_array(&scratch, points->count + 1, sizeof *steps);
	for (size_t i = 1; i < points->count; i++)
		steps[i - 1] = points->items[i - 1].commit - points->items[i].commit;
	double usual = points->count > 1 ? median_of(steps, points->count - 1) : 1;
	arena_free(&scratch);
	return (uint32_t)fmax(LEAST_GAP, ceil(GAP_FACTOR * usual));
}

/* End of the measured commits that share a bin with `from`. */
static size_t bin_end(const struct history_points *points, size_t from, uint32_t bin)
{
	size_t to = from + 1;
	while (to < points->count &&
	       points->items[to].commit / bin == points->items[from].commit / bin)
		to++;
	return to;
}

static struct trend_point bin_of(const struct history_point *points, size_t count)
{
	struct arena scratch = {0};
	const double *values = values_of(&scratch, points, count);
	struct trend_point point = {.place = points[count / 2].commit,
				    .commits = (uint32_t)count,
				    .low = values[0],
				    .middle = median_of(values, count),
				    .high = values[0]};
	for (size_t i = 0; i < count; i++) {
		point.low = fmin(point.low, values[i]);
		point.high = fmax(point.high, values[i]);
		point.runs += points[i].runs;
	}
	arena_free(&scratch);
	return point;
}

static void set_points(struct arena *arena, const struct history_points *points,
		       struct trend *trend)
{
	uint32_t span = points->items[0].commit - points->items[points->count - 1].commit + 1;
	trend->bin = 1;
	/* One more bin than requested may be started, because bins start at multiples of their
	 * size. */
	if (points->count > TREND_POINTS)
		trend->bin = span / (TREND_POINTS - 1) + 1;
	trend->gap = usual_gap(points);
	if (trend->bin > 1 && trend->gap < 2 * trend->bin)
		trend->gap = 2 * trend->bin;
	trend->points = arena_array(arena, points->count, sizeof *trend->points);
	for (size_t from = 0, to; from < points->count; from = to) {
		to = bin_end(points, from, trend->bin);
		trend->points[trend->point_count++] = bin_of(points->items + from, to - from);
	}
}

/* --- changes and levels --- */

static size_t known_of(const struct history_points *points, const struct trend_options *options)
{
	return options->known && options->known < points->count ? options->known : points->count;
}

static struct trend_change *add_change(struct trend *trend, const struct history_points *points,
				       const struct detect_change *change, size_t offset,
				       enum metric_direction direction)
{
	size_t at = offset + change->index;
	bool up = change->after > change->before;
	struct trend_change *added = &trend->changes[trend->change_count++];
	*added = (struct trend_change){
		.last_before = points->items[at ? at - 1 : 0].commit,
		.first_after = points->items[at].commit,
		.before = change->before,
		.after = change->after,
		.effect = change->effect,
		.low = change->low,
		.high = change->high,
		.p = change->p,
		.relative = change->relative,
		.worse = direction == (up ? METRIC_LOWER : METRIC_HIGHER),
		.better = direction == (up ? METRIC_HIGHER : METRIC_LOWER),
	};
	return added;
}

/* The confirmed changes, and one suspect among the newest commits of the last segment. */
static void set_changes(struct arena *arena, const struct history_points *points,
			const struct trend_options *options, struct trend *trend)
{
	struct arena scratch = {0};
	const double *values = values_of(&scratch, points->items, points->count);
	size_t known = known_of(points, options);
	struct detect_options confirmed = detect_defaults(), suspects = detect_suspects();
	struct detect_result found = options->detected
					     ? *options->detected
					     : detect_changes(&scratch, values, known, &confirmed);
	size_t start = found.count ? found.changes[found.count - 1].index : 0;
	if (points->count - start > YOUNG_LIMIT)
		start = points->count - YOUNG_LIMIT;
	struct detect_result young = {0};
	if (!options->open)
		young = detect_changes(&scratch, values + start, points->count - start, &suspects);
	trend->changes = arena_array(arena, found.count + young.count + 1, sizeof *trend->changes);
	for (size_t i = 0; i < found.count; i++)
		add_change(trend, points, &found.changes[i], 0, options->direction)->confirmed =
			true;
	if (options->open)
		add_change(trend, points, options->open, 0, options->direction);
	else if (young.count)
		add_change(trend, points, &young.changes[young.count - 1], start,
			   options->direction);
	arena_free(&scratch);
}

/* The noise of a level: 1.4826 times the median distance is the standard deviation of normally
 * distributed values, and a few far ones do not change it. */
static double noise_of(const double *values, size_t count, double level)
{
	struct arena scratch = {0};
	double *distances = arena_array(&scratch, count + 1, sizeof *distances);
	for (size_t i = 0; i < count; i++)
		distances[i] = fabs(values[i] - level);
	double noise = count < TREND_NOISE_LEAST ? NAN : 1.4826 * median_of(distances, count);
	arena_free(&scratch);
	return noise;
}

static void set_levels(struct arena *arena, const struct history_points *points,
		       const struct trend_options *options, struct trend *trend)
{
	struct arena scratch = {0};
	const double *values = values_of(&scratch, points->items, points->count);
	size_t known = known_of(points, options), from = 0;
	trend->levels = arena_array(arena, trend->change_count + 1, sizeof *trend->levels);
	for (size_t i = 0; i <= trend->change_count; i++) {
		size_t to = from;
		while (to < known && (i == trend->change_count ||
				      points->items[to].commit > trend->changes[i].first_after))
			to++;
		if (to == from)
			continue;
		double level = median_of(values + from, to - from);
		trend->levels[trend->level_count++] = (struct trend_level){
			points->items[from].commit, points->items[to - 1].commit, level,
			noise_of(values + from, to - from, level)};
		from = to;
	}
	trend->level = trend->level_count ? trend->levels[trend->level_count - 1].value : NAN;
	arena_free(&scratch);
}

void trend_set_band(const struct judge_result *judged, enum verdict_turn turn, struct trend *trend)
{
	if (isnan(judged->level) || isnan(judged->scale) || !(judged->df > 0))
		return;
	double reach = student_upper_inverse(0.025, judged->df) * judged->error;
	double low = judged->relative ? judged->level * exp(-reach)
				      : judged->level - reach * fabs(judged->level);
	double high = judged->relative ? judged->level * exp(reach)
				       : judged->level + reach * fabs(judged->level);
	low = verdict_turned(turn, low);
	high = verdict_turned(turn, high);
	trend->level = verdict_turned(turn, judged->level);
	trend->band_low = fmin(low, high);
	trend->band_high = fmax(low, high);
}

/* Sets mean and band by the commits of the last segment, as the judge would judge the next
 * commit. */
static void set_band(const struct history_points *points, const struct trend_options *options,
		     struct trend *trend)
{
	struct arena scratch = {0};
	size_t known = known_of(points, options), from = 0;
	uint32_t first = trend->level_count ? trend->levels[trend->level_count - 1].from : 0;
	while (from < known && points->items[from].commit > first)
		from++;
	double *values = values_of(&scratch, points->items + from, known - from);
	enum verdict_turn turn = verdict_turn_of(options->direction, values, known - from);
	for (size_t i = 0; i < known - from; i++)
		values[i] = verdict_turned(turn, values[i]);
	struct judge_options judging = judge_defaults();
	/* judge() requires a candidate, which does not affect its figures about the history. */
	if (known > from) {
		struct judge_result judged =
			judge(&scratch, values, known - from, values, 1, &judging);
		if (judged.count >= judging.least || judged.scale == 0)
			trend_set_band(&judged, turn, trend);
	}
	arena_free(&scratch);
}

struct trend trend_of(struct arena *arena, const struct history_points *points,
		      const struct trend_options *options)
{
	struct trend trend = {.bin = 1, .gap = LEAST_GAP, .commits = points->count};
	trend.level = trend.band_low = trend.band_high = NAN;
	trend.spark = trend_spark(arena, points, TREND_SPARK);
	if (points->count == 0)
		return trend;
	set_points(arena, points, &trend);
	set_changes(arena, points, options, &trend);
	set_levels(arena, points, options, &trend);
	set_band(points, options, &trend);
	return trend;
}

/* --- sparklines --- */

static const char *block_of(double value, double low, double high)
{
	/* The middle of the range is the middle of a block. */
	static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	double share = high > low ? (value - low) / (high - low) : 0.5;
	int at = (int)floor(share * 8 - 0.5);
	return blocks[at < 0 ? 0 : at > 7 ? 7 : at];
}

struct trend_bins trend_bins_of(struct arena *arena, const struct history_points *points,
				size_t cells, uint32_t last)
{
	struct trend_bins bins = {.low = HUGE_VAL, .high = -HUGE_VAL};
	if (points->count == 0)
		return bins;
	struct arena scratch = {0};
	const double *values = values_of(&scratch, points->items, points->count);
	uint32_t oldest = points->items[0].commit;
	size_t span = oldest - last + 1;
	bins.count = span < cells ? span : cells;
	bins.middles = arena_array(arena, bins.count, sizeof *bins.middles);
	for (size_t cell = 0, from = 0, to; cell < bins.count; cell++, from = to) {
		for (to = from; to < points->count; to++)
			if ((oldest - points->items[to].commit) * bins.count / span != cell)
				break;
		bins.middles[cell] = to > from && to == points->count
					     ? values[to - 1]
					     : median_of(values + from, to - from);
		bins.low = fmin(bins.low, bins.middles[cell]);
		bins.high = fmax(bins.high, bins.middles[cell]);
	}
	double middle = (bins.low + bins.high) / 2, half = spark_range / 2 * fabs(middle);
	bins.low = fmin(bins.low, middle - half);
	bins.high = fmax(bins.high, middle + half);
	arena_free(&scratch);
	return bins;
}

const char *trend_spark(struct arena *arena, const struct history_points *points, size_t cells)
{
	struct arena scratch = {0};
	struct strbuf spark = {0};
	cells = cells > TREND_SPARK || cells == 0 ? TREND_SPARK : cells;
	uint32_t last = points->count ? points->items[points->count - 1].commit : 0;
	struct trend_bins bins = trend_bins_of(&scratch, points, cells, last);
	for (size_t cell = 0; cell < bins.count; cell++)
		strbuf_addstr(&spark, isnan(bins.middles[cell])
					      ? "·"
					      : block_of(bins.middles[cell], bins.low, bins.high));
	arena_free(&scratch);
	return strbuf_into(&spark, arena);
}

/* --- commits --- */

struct trend_chain {
	const struct revision *revisions;
	size_t count;
	uint32_t shift;
	const struct revision *candidate;
};

static const struct revision *commit_at(const struct trend_chain *chain, uint32_t place)
{
	if (place < chain->shift || place - chain->shift >= chain->count)
		return chain->candidate;
	return &chain->revisions[place - chain->shift];
}

void trend_find_commits(struct trend *trend, const struct revision *chain, size_t count,
			const struct revision *candidate)
{
	const struct trend_chain commits = {chain, count, trend->shift, candidate};
	if (trend->point_count) {
		trend->oldest = commit_at(&commits, trend->points[0].place);
		trend->newest = commit_at(&commits, trend->points[trend->point_count - 1].place);
	}
	for (size_t i = 0; i < trend->change_count; i++) {
		struct trend_change *change = &trend->changes[i];
		change->last_commit_before = commit_at(&commits, change->last_before);
		change->first_commit_after = commit_at(&commits, change->first_after);
	}
}
