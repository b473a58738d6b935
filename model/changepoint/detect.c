/* The detector of change points. */
#include "model/changepoint/detect.h"

#include "model/changepoint/boundary_test.h"
#include "model/changepoint/random_walk.h"
#include "model/changepoint/boundary_position.h"
#include "model/changepoint/segmentation.h"
#include "model/statistics/statistics.h"

struct detection {
	struct arena *arena; /* scratch */
	const struct detect_options *options;
	const double *x; /* values or their logs */
	size_t n;
	double sigma;
};

struct detect_options detect_defaults(void)
{
	return (struct detect_options){
		.alpha = 3e-4,
		.rank_alpha = 5e-3,
		.least_effect = 0.003,
		.least_after = 5,
		.least_before = 3,
		.short_alpha = 3e-8,
		.short_before = 8,
		.model_cost = 3.5,
	};
}

struct detect_options detect_suspects(void)
{
	struct detect_options options = detect_defaults();
	options.alpha = 1e-5;
	options.rank_alpha = 2e-3;
	options.least_after = 2;
	options.short_alpha = options.alpha;
	return options;
}

/* --- elimination --- */

struct model {
	size_t *bounds;
	struct boundary_test *tests;
	size_t count;
};

static size_t start_of(const struct model *m, size_t i)
{
	return i ? m->bounds[i - 1] : 0;
}

static size_t end_of(const struct detection *d, const struct model *m, size_t i)
{
	return i + 1 < m->count ? m->bounds[i + 1] : d->n;
}

static void retest(const struct detection *d, struct model *m, size_t i)
{
	m->tests[i] = boundary_test(d->x, d->sigma, start_of(m, i), m->bounds[i], end_of(d, m, i));
}

/* How badly the boundary misses the requirements; above 1 it fails. */
static double badness(const struct detection *d, const struct model *m, size_t i)
{
	const struct detect_options *o = d->options;
	const struct boundary_test *t = &m->tests[i];
	size_t before = m->bounds[i] - start_of(m, i), after = end_of(d, m, i) - m->bounds[i];
	double worst = t->p / (before < o->short_before ? o->short_alpha : o->alpha);
	if (m->bounds[i] < o->least_before || after < o->least_after)
		return HUGE_VAL;
	if (fabs(expm1(t->right - t->left)) < o->least_effect)
		worst = fmax(worst, 1e30);
	return fmax(worst, t->rank_p / o->rank_alpha);
}

static void drop(const struct detection *d, struct model *m, size_t i)
{
	memmove(m->bounds + i, m->bounds + i + 1, (m->count - i - 1) * sizeof *m->bounds);
	memmove(m->tests + i, m->tests + i + 1, (m->count - i - 1) * sizeof *m->tests);
	m->count--;
	if (i > 0)
		retest(d, m, i - 1);
	if (i < m->count)
		retest(d, m, i);
}

static size_t weakest(const struct detection *d, const struct model *m, double *worst)
{
	size_t at = 0;
	*worst = -1;
	for (size_t i = 0; i < m->count; i++) {
		double bad = badness(d, m, i);
		/* Of several that fail equally, the one with the weakest evidence. */
		if (bad > *worst || (bad == *worst && m->tests[i].p > m->tests[at].p)) {
			*worst = bad;
			at = i;
		}
	}
	return at;
}

/* --- positions --- */

/* Moves a boundary if it passes the tests there. */
static bool move(const struct detection *d, struct model *m, size_t i, size_t to)
{
	size_t was = m->bounds[i];
	struct boundary_test test = m->tests[i];
	if (to == was)
		return false;
	m->bounds[i] = to;
	retest(d, m, i);
	if (badness(d, m, i) > 1) {
		m->bounds[i] = was;
		m->tests[i] = test;
		return false;
	}
	if (i > 0)
		retest(d, m, i - 1);
	if (i + 1 < m->count)
		retest(d, m, i + 1);
	return true;
}

/* Moves all boundaries to where the means around them put them. */
static void relocate_all(const struct detection *d, struct model *m)
{
	enum { ROUNDS = 3 };
	bool moved = true;
	for (int round = 0; moved && round < ROUNDS; round++) {
		moved = false;
		for (size_t i = 0; i < m->count; i++)
			moved = move(d, m, i, m->tests[i].likeliest) || moved;
	}
}

/* --- against drifting noise --- */

static void deviate(const struct detection *d, const struct model *m, size_t segment,
		    double *deviations)
{
	size_t from = start_of(m, segment), to = segment < m->count ? m->bounds[segment] : d->n;
	double level = boundary_level(d->x, d->sigma, from, to);
	for (size_t i = from; i < to; i++)
		deviations[i] = d->x[i] - level;
}

static double model_cost(const struct detection *d, const struct model *m, const double *deviations)
{
	return random_walk_cost(deviations, d->n, d->sigma) +
	       d->options->model_cost * (double)m->count * log((double)d->n);
}

/* Removes boundaries one by one, and keeps the model that explains the series best. */
static void choose_size(const struct detection *d, struct model *m)
{
	double *deviations = arena_array(d->arena, d->n, sizeof *deviations), worst;
	struct model path = {
		.bounds = arena_array(d->arena, m->count, sizeof *path.bounds),
		.tests = arena_array(d->arena, m->count, sizeof *path.tests),
		.count = m->count,
	};
	memcpy(path.bounds, m->bounds, m->count * sizeof *path.bounds);
	memcpy(path.tests, m->tests, m->count * sizeof *path.tests);
	for (size_t i = 0; i <= path.count; i++)
		deviate(d, &path, i, deviations);
	double least = model_cost(d, &path, deviations);
	while (path.count > 0) {
		size_t gone = weakest(d, &path, &worst);
		drop(d, &path, gone);
		deviate(d, &path, gone, deviations);
		double cost = model_cost(d, &path, deviations);
		if (cost < least) {
			least = cost;
			m->count = path.count;
			memcpy(m->bounds, path.bounds, path.count * sizeof *path.bounds);
			memcpy(m->tests, path.tests, path.count * sizeof *path.tests);
		}
	}
}

/* --- positions, once the error distribution is known --- */

/* How the errors are spread that are noise by their size: none is half way to the other level. */
static struct error_density density_within(const struct detection *d, const double *deviations,
					   double half)
{
	static const double always = 4; /* noise widths that always count */
	static const double least_density = 1e-30;
	struct error_density density;
	double widths = fmin(fmax(always, half / d->sigma), DENSITY_REACH);
	error_density_start(&density, d->sigma, least_density);
	for (size_t i = 0; i < d->n; i++)
		if (fabs(deviations[i]) < widths * d->sigma)
			error_density_add(&density, deviations[i]);
	error_density_settle(&density);
	return density;
}

static void refine(const struct detection *d, struct model *m)
{
	double *deviations = arena_array(d->arena, d->n, sizeof *deviations);
	for (size_t i = 0; i <= m->count; i++)
		deviate(d, m, i, deviations);
	for (size_t i = 0; i < m->count; i++) {
		const size_t range[3] = {start_of(m, i), m->bounds[i], end_of(d, m, i)};
		const double level[2] = {
			boundary_level(d->x, d->sigma, range[0], range[1]),
			boundary_level(d->x, d->sigma, range[1], range[2]),
		};
		struct error_density density =
			density_within(d, deviations, fabs(level[1] - level[0]) / 2);
		move(d, m, i, boundary_position_find(&density, d->x, range, level));
	}
}

/* --- all of it --- */

static struct detect_change describe(const struct detection *d, const struct model *m, size_t i,
				     bool relative)
{
	const struct boundary_test *t = &m->tests[i];
	double difference = t->right - t->left;
	double reach = student_upper_inverse(0.025, t->df) * t->se;
	return (struct detect_change){
		.index = m->bounds[i],
		.before = relative ? exp(t->left) : t->left,
		.after = relative ? exp(t->right) : t->right,
		.effect = relative ? expm1(difference) : difference,
		.low = relative ? expm1(difference - reach) : difference - reach,
		.high = relative ? expm1(difference + reach) : difference + reach,
		.p = t->p,
		.rank_p = t->rank_p,
		.count_before = m->bounds[i] - start_of(m, i),
		.count_after = end_of(d, m, i) - m->bounds[i],
		.relative = relative,
	};
}

static struct model find_model(const struct detection *d, const struct detect_series *series)
{
	struct model m = {.bounds = arena_array(d->arena, series->bound_count, sizeof *m.bounds),
			  .tests = arena_array(d->arena, series->bound_count, sizeof *m.tests),
			  .count = series->bound_count};
	double worst;
	for (size_t i = 0; i < m.count; i++)
		m.bounds[i] = series->bounds[i];
	for (size_t i = 0; i < m.count; i++)
		retest(d, &m, i);
	while (m.count > 0) {
		size_t i = weakest(d, &m, &worst);
		if (worst <= 1)
			break;
		drop(d, &m, i);
	}
	if (m.count > 0) {
		relocate_all(d, &m);
		choose_size(d, &m);
		refine(d, &m);
	}
	return m;
}

/* The values, or their logarithms if all are positive. */
static double *as_compared(struct arena *arena, const double *values, size_t count, bool *relative)
{
	double *x = arena_array(arena, count, sizeof *x);
	*relative = true;
	for (size_t i = 0; i < count; i++)
		*relative = *relative && values[i] > 0;
	for (size_t i = 0; i < count; i++)
		x[i] = *relative ? log(values[i]) : values[i];
	return x;
}

struct detect_series detect_series_of(struct arena *arena, const double *values, size_t count)
{
	struct detect_series series = {.count = count};
	double *x = as_compared(arena, values, count, &series.relative);
	size_t *bounds = arena_array(arena, count, sizeof *bounds);
	series.noise = noise_measure(arena, x, count);
	if (count > 1)
		series.bound_count = segmentation_bounds(arena, x, count, series.noise, bounds);
	series.x = x;
	series.bounds = bounds;
	return series;
}

struct detect_result detect_in(struct arena *arena, const struct detect_series *series,
			       const struct detect_options *options)
{
	struct detect_result result = {.relative = series->relative, .noise = series->noise};
	struct arena scratch = {0};
	struct detection d = {&scratch, options, series->x, series->count, series->noise};
	if (series->bound_count == 0 ||
	    series->count < options->least_before + options->least_after)
		return result;
	struct model m = find_model(&d, series);
	result.changes = arena_array(arena, m.count, sizeof *result.changes);
	result.count = m.count;
	for (size_t i = 0; i < m.count; i++)
		result.changes[i] = describe(&d, &m, i, result.relative);
	arena_free(&scratch);
	return result;
}

double detect_chance(const double *values, size_t count, size_t at)
{
	struct arena scratch = {0};
	bool relative;
	const double *x = as_compared(&scratch, values, count, &relative);
	double noise = noise_measure(&scratch, x, at);
	double p = boundary_test(x, noise, 0, at, count).p;
	arena_free(&scratch);
	return p;
}

struct detect_result detect_changes(struct arena *arena, const double *values, size_t count,
				    const struct detect_options *options)
{
	struct arena scratch = {0};
	struct detect_series series = detect_series_of(&scratch, values, count);
	struct detect_result result = detect_in(arena, &series, options);
	arena_free(&scratch);
	return result;
}
