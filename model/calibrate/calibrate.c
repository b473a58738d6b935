/* Finds the series of each rule, and the segments, noise and shape of their histories. */
#include "model/calibrate/calibrate.h"

#include "base/base.h"
#include "model/changepoint/changepoint.h"
#include "model/statistics/statistics.h"
#include "model/verdict/verdicts.h"

enum { LEAST_OF_NOISE = 8, LEAST_OF_SHAPE = 20 };

void calibrate_add(struct calibrate_tally *sum, const struct calibrate_tally *part)
{
	sum->judged += part->judged;
	sum->flagged += part->flagged;
	sum->undecided += part->undecided;
	sum->environment += part->environment;
}

double calibrate_upper(size_t flagged, size_t judged)
{
	double low = 0, high = 1;
	if (flagged >= judged)
		return 1;
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;
		bool above =
			beta_lower(middle, (double)flagged + 1, (double)(judged - flagged)) > 0.9;
		*(above ? &high : &low) = middle;
	}
	return high;
}

double calibrate_step_of(const struct calibrate_series *series, double limit)
{
	return series->over && limit < 1 ? -log1p(-limit) : log1p(limit);
}

/* --- shape --- */

/* Distances from the median of their segment; of logarithms if all values are positive. */
static double *residuals(struct arena *arena, const struct calibrate_series *series)
{
	size_t count = series->points.count;
	double *e = arena_array(arena, count + 1, sizeof *e);
	bool logs = true;
	for (size_t i = 0; i < count; i++)
		logs = logs && series->points.items[i].value > 0;
	for (size_t i = 0; i < count; i++)
		e[i] = logs ? log(series->points.items[i].value) : series->points.items[i].value;
	for (size_t k = 0; k < series->levels; k++) {
		size_t from = series->starts[k];
		size_t to = k + 1 < series->levels ? series->starts[k + 1] : count;
		double middle = median_of(e + from, to - from);
		double scale = logs || middle == 0 ? 1 : fabs(middle);
		for (size_t i = from; i < to; i++)
			e[i] = (series->over ? -1 : 1) * (e[i] - middle) / scale;
	}
	return e;
}

static double correlation_of(const double *e, size_t count, double sigma)
{
	double squares = 0, products = 0;
	for (size_t i = 0; i < count; i++) {
		double here = noise_clip(e[i], 3.5 * sigma);
		squares += here * here;
		products += i ? here * noise_clip(e[i - 1], 3.5 * sigma) : 0;
	}
	return squares > 0 ? products / squares : 0;
}

/* Cuts the values in two with the least variance within the parts. For normal values the parts are
 * 2.6 of their inner deviations apart, for uniform ones 3.5. */
static bool has_modes(struct arena *arena, const double *e, size_t count,
		      struct calibrate_series *series)
{
	static const double least_share = 0.1, least_distance = 4.5;
	double *sorted = arena_array(arena, count, sizeof *sorted), sum = 0, squares = 0;
	memcpy(sorted, e, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, array_by_double);
	for (size_t i = 0; i < count; i++) {
		sum += sorted[i];
		squares += sorted[i] * sorted[i];
	}
	double below = 0, least = HUGE_VAL, gap = 0;
	size_t cut = 0;
	for (size_t i = 1; i < count; i++) {
		below += sorted[i - 1];
		double above = sum - below, low = (double)i, high = (double)(count - i);
		double inner = squares - below * below / low - above * above / high;
		if (inner >= least)
			continue;
		least = inner;
		cut = i;
		gap = above / high - below / low;
	}
	double share = (double)(count - cut) / (double)count;
	if (share < least_share || share > 1 - least_share ||
	    gap <= least_distance * sqrt(fmax(least, 0) / (double)count))
		return false;
	series->gap = expm1(gap);
	series->share = share;
	return true;
}

static bool is_constant(const double *e, size_t count)
{
	size_t equal = 0;
	for (size_t i = 0; i < count; i++)
		equal += e[i] == 0;
	return 2 * equal > count;
}

/* The robust deviation of the residuals: drifting noise is wider than its steps suggest. */
static double spread_of(struct arena *arena, const double *e, size_t count)
{
	double *sizes = arena_array(arena, count, sizeof *sizes);
	for (size_t i = 0; i < count; i++)
		sizes[i] = fabs(e[i]);
	return median_in_place(sizes, count) / 0.6744897501960817;
}

static void find_shape(struct arena *arena, struct calibrate_series *series)
{
	static const double least_correlation = 0.3;
	size_t count = series->points.count;
	const double *e = residuals(arena, series);
	series->correlation = series->gap = series->share = NAN;
	if (count < LEAST_OF_SHAPE)
		return;
	if (is_constant(e, count)) {
		series->shape = SHAPE_CONSTANT;
		return;
	}
	double spread = spread_of(arena, e, count);
	series->correlation = correlation_of(e, count, spread);
	for (size_t i = 0; i < count; i++)
		series->outliers += fabs(e[i]) > 5 * spread;
	/* By chance one in a million. */
	series->shape = has_modes(arena, e, count, series)         ? SHAPE_MODES
			: series->outliers > 0                     ? SHAPE_OUTLIERS
			: series->correlation >= least_correlation ? SHAPE_FOLLOWING
								   : SHAPE_PLAIN;
}

const char *calibrate_shape_name(enum calibrate_shape shape)
{
	static const char *const names[SHAPE_LIMIT] = {"unknown",  "constant",  "two modes",
						       "outliers", "following", "plain"};
	return names[shape];
}

const struct message *calibrate_shape_message(struct arena *arena,
					      const struct calibrate_series *series)
{
	static const enum message_code codes[SHAPE_LIMIT] = {
		[SHAPE_UNKNOWN] = MESSAGE_UNKNOWN,
		[SHAPE_CONSTANT] = MESSAGE_SHAPE_CONSTANT,
		[SHAPE_PLAIN] = MESSAGE_SHAPE_PLAIN,
	};
	switch (series->shape) {
	case SHAPE_MODES:
		return message_of(arena, MESSAGE_SHAPE_MODES, message_fraction(series->gap),
				  message_fraction(series->share));
	case SHAPE_OUTLIERS:
		return message_of(arena, MESSAGE_SHAPE_OUTLIERS, message_integer(series->outliers),
				  message_integer(series->points.count));
	case SHAPE_FOLLOWING:
		return message_of(arena, MESSAGE_SHAPE_FOLLOWING,
				  message_number(series->correlation));
	default:
		return message_plain(codes[series->shape]);
	}
}

/* --- noise --- */

static void find_levels(struct arena *arena, struct calibrate_series *series)
{
	struct arena scratch = {NULL, 0};
	struct detect_options options = detect_defaults();
	size_t count = series->points.count;
	double *values = arena_array(&scratch, count + 1, sizeof *values);
	for (size_t i = 0; i < count; i++)
		values[i] = series->points.items[i].value;
	struct detect_result found = detect_changes(&scratch, values, count, &options);
	size_t *starts = arena_array(arena, found.count + 1, sizeof *starts);
	series->levels = count ? found.count + 1 : 0;
	for (size_t i = 0; i < found.count; i++)
		starts[i + 1] = found.changes[i].index;
	series->starts = starts;
	size_t newest = count - (count ? starts[series->levels - 1] : 0);
	series->missing = newest < LEAST_OF_NOISE ? LEAST_OF_NOISE - newest : 0;
	series->noise = count >= LEAST_OF_NOISE
				? noise_measure(&scratch, residuals(&scratch, series), count)
				: NAN;
	find_shape(&scratch, series);
	arena_free(&scratch);
}

static bool are_similar(const struct calibrate_series *a, const struct calibrate_series *b)
{
	const struct run *x = a->history->identity, *y = b->history->identity;
	return a->metric == b->metric && span_text_eq(x->device, y->device) &&
	       span_text_eq(x->tool, y->tool);
}

/* As the gate does for short histories. */
static void pool_noise(struct arena *arena, struct calibration *c)
{
	double *known = arena_array(arena, c->count + 1, sizeof *known);
	const struct calibrate_series *last = NULL;
	for (size_t i = 0; i < c->count; i++) {
		struct calibrate_series *one = &c->series[i];
		size_t count = 0;
		if (!isnan(one->now->noise)) {
			one->pooled = one->now->noise;
			continue;
		}
		if (last && are_similar(last, one)) {
			one->pooled = last->pooled;
			continue;
		}
		for (size_t k = 0; k < c->count; k++)
			if (!isnan(c->series[k].noise) && are_similar(one, &c->series[k]))
				known[count++] = c->series[k].noise;
		one->pooled = median_of(known, count);
		last = one;
	}
}

/* --- series and groups --- */

/* The metric that the rule judges, by the series' newest run. */
static enum metric metric_of(struct arena *arena, const struct history_set *set,
			     const struct history *history, const struct policy *policy)
{
	struct run *run = arena_new(arena, struct run);
	*run = *history->identity;
	for (size_t i = 0; i < set->metric_count && history->run_count; i++)
		run_set(run, set->metrics[i], history->values[(i + 1) * history->run_count - 1],
			PROVENANCE_MEASURED);
	return policy_metric(policy, run);
}

static bool all_positive(const struct history_points *points)
{
	for (size_t i = 0; i < points->count; i++)
		if (!(points->items[i].value > 0))
			return false;
	return true;
}

static size_t metric_index(const struct history_set *set, enum metric metric)
{
	size_t at = 0;
	while (at < set->metric_count && set->metrics[at] != metric)
		at++;
	return at;
}

static void add_series(struct arena *arena, struct calibration *c, const struct history *history,
		       const struct policy *row, size_t *capacity)
{
	struct arena scratch = {NULL, 0};
	enum metric metric = metric_of(&scratch, c->set, history, row);
	size_t index = metric_index(c->set, metric);
	arena_free(&scratch);
	if (index == c->set->metric_count)
		return;
	c->series = arena_grow(arena, c->series, c->count, capacity, sizeof *c->series);
	struct calibrate_series *one = &c->series[c->count];
	*one = (struct calibrate_series){
		.history = history,
		.row = row,
		.now = policy_refined(arena, c->policies, row, history->identity),
		.metric = metric,
		.points = history_points(arena, history, index, 0, 0),
		.within = NAN,
		.shown_before = NAN,
		.shown_after = NAN,
		.group = SIZE_MAX,
	};
	if (one->points.count == 0)
		return;
	one->over = policy_direction(row, metric) == METRIC_HIGHER && all_positive(&one->points);
	find_levels(arena, one);
	c->too_short += one->missing > 0;
	c->count++;
}

/* The pattern of the series' group; NULL if it has none. */
static const char *pattern_of(const struct calibration *c, const struct calibrate_series *one)
{
	const char *kernel = one->history->identity->kernel;
	for (size_t i = 0; i < c->pattern_count; i++)
		if (span_glob(c->patterns[i], kernel ? kernel : ""))
			return c->patterns[i];
	return c->pattern_count ? NULL : kernel;
}

static void join_group(struct arena *arena, struct calibration *c, struct calibrate_series *one,
		       size_t *capacity)
{
	const char *pattern = pattern_of(c, one);
	size_t at = 0;
	if (!pattern)
		return;
	/* Series of one kernel usually follow each other. */
	if (c->group_count && strcmp(c->groups[c->group_count - 1].kernel, pattern) == 0 &&
	    c->groups[c->group_count - 1].row == one->row)
		at = c->group_count - 1;
	while (at < c->group_count &&
	       (c->groups[at].row != one->row || strcmp(c->groups[at].kernel, pattern) != 0))
		at++;
	if (at == c->group_count) {
		c->groups = arena_grow(arena, c->groups, at, capacity, sizeof *c->groups);
		c->groups[c->group_count++] =
			(struct calibrate_group){.kernel = pattern, .row = one->row};
	}
	one->group = at;
	c->groups[at].series++;
	if (one->points.count > c->groups[at].commits)
		c->groups[at].commits = one->points.count;
}

/* First and last commit with values of the series, and the number of such commits. */
static void find_span(struct arena *arena, struct calibration *c)
{
	bool *has = arena_array(arena, c->set->chain_count + 1, sizeof *has);
	int64_t first = INT64_MAX, last = INT64_MIN;
	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < c->series[i].points.count; k++)
			has[c->series[i].points.items[k].commit] = true;
	for (size_t i = 0; i < c->set->chain_count; i++) {
		int64_t time = c->set->chain[i].time;
		if (!has[i])
			continue;
		c->data++;
		first = time < first ? time : first;
		last = time > last ? time : last;
	}
	c->seconds = c->data ? last - first : 0;
}

void calibrate_read(struct arena *arena, struct calibration *c)
{
	size_t capacity = 0, group_capacity = 0;
	for (size_t i = 0; i < c->policies->count; i++) {
		const struct policy *row = &c->policies->items[i];
		for (size_t k = 0; k < c->set->count && !row->refines; k++) {
			const struct history *history = &c->set->items[k];
			bool counter = !row->own_headline &&
				       metric_info(row->metric)->role == METRIC_ROLE_COUNTER;
			if (row->role == POLICY_CONTEXT || !policy_fits(row, history->identity))
				continue;
			c->absolute += policy_is_absolute(row);
			c->exact += counter && !policy_is_absolute(row);
			if (!counter && !policy_is_absolute(row))
				add_series(arena, c, history, row, &capacity);
		}
	}
	for (size_t i = 0; i < c->count; i++)
		join_group(arena, c, &c->series[i], &group_capacity);
	pool_noise(arena, c);
	find_span(arena, c);
}
