/* The detector of change points. */
#include "model/detect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/tails.h"

static const double least_noise = 1e-4, loss_cap = 9, huber = 1.5, winsor = 3.5, prior = 8;
enum { NEAR_LIMIT = 60, RANK_LIMIT = 2 * NEAR_LIMIT };

struct detection {
	struct arena *arena;
	const struct detect_options *options;
	const double *x; /* values or their logs */
	size_t n;
	double sigma;
};

struct detect_options detect_defaults(void)
{
	return (struct detect_options){
		.alpha = 3e-4,
		.rank_alpha = 2e-3,
		.least_effect = 0.003,
		.least_after = 4,
		.least_before = 3,
		.model_cost = 3.5,
	};
}

struct detect_options detect_suspects(void)
{
	struct detect_options options = detect_defaults();
	options.alpha = 1e-5;
	options.least_after = 2;
	return options;
}

/* --- order statistics --- */

static void swap(double *a, double *b)
{
	double c = *a;
	*a = *b;
	*b = c;
}

/* Puts the k-th smallest at its place, smaller ones before it. */
static double select_kth(double *v, size_t count, size_t k)
{
	size_t low = 0, high = count - 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (v[middle] < v[low])
			swap(&v[middle], &v[low]);
		if (v[high] < v[low])
			swap(&v[high], &v[low]);
		if (v[high] < v[middle])
			swap(&v[high], &v[middle]);
		double pivot = v[middle];
		size_t i = low, j = high;
		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			swap(&v[i++], &v[j--]);
		}
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
	return v[k];
}

double detect_median(double *values, size_t count)
{
	double upper = select_kth(values, count, count / 2);
	if (count % 2)
		return upper;
	double lower = values[0];
	for (size_t i = 1; i < count / 2; i++)
		lower = values[i] > lower ? values[i] : lower;
	return (lower + upper) / 2;
}

double detect_location(struct arena *arena, const double *repeats, size_t count)
{
	enum { PAIRS_FROM = 5, PAIRS_TO = 64 };
	bool pairs = count >= PAIRS_FROM && count <= PAIRS_TO;
	double *means = arena_array(arena, pairs ? count * (count + 1) / 2 : count, sizeof *means);
	size_t used = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = i; k < (pairs ? count : i + 1); k++)
			means[used++] = (repeats[i] + repeats[k]) / 2;
	return detect_median(means, used);
}

static double clip(double value, double limit)
{
	return value > limit ? limit : value < -limit ? -limit : value;
}

/* --- noise --- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The standard deviation of neighbours' differences, from the many and not from the few. */
double detect_noise(struct arena *arena, const double *x, size_t n)
{
	if (n < 2)
		return least_noise;
	double *d = arena_array(arena, n - 1, sizeof *d);
	for (size_t i = 0; i + 1 < n; i++)
		d[i] = fabs(x[i + 1] - x[i]);
	double middle = detect_median(d, n - 1), mad = middle / (0.6744897501960817 * sqrt(2.0));
	if (middle == 0) {
		size_t kept = (n - 1) * 9 / 10;
		qsort(d, n - 1, sizeof *d, by_value);
		for (size_t i = 0; i < kept; i++)
			mad += d[i];
		mad *= kept ? 0.886 / (double)kept : 0;
	}
	double cap = winsor * sqrt(2.0) * mad, squares = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		double part = fmin(d[i], cap);
		squares += part * part;
	}
	double neighbours = sqrt(squares / (double)(n - 1) / 2);
	return fmax(fmax(mad, neighbours), least_noise);
}

/* --- candidates --- */

/* Levels that segments may have: values and means of 3 and 5 neighbours, thinned. */
static size_t make_levels(const struct detection *d, double **out)
{
	size_t count = 0;
	double *levels = arena_array(d->arena, 3 * d->n, sizeof *levels);
	for (size_t i = 0; i < d->n; i++) {
		levels[count++] = d->x[i];
		for (size_t half = 1; half <= 2; half++) {
			double sum = 0;
			if (i < half || i + half >= d->n)
				continue;
			for (size_t k = i - half; k <= i + half; k++)
				sum += d->x[k];
			levels[count++] = sum / (double)(2 * half + 1);
		}
	}
	qsort(levels, count, sizeof *levels, by_value);
	double step = d->sigma / 6;
	if (levels[count - 1] - levels[0] > 600 * step)
		step = (levels[count - 1] - levels[0]) / 600;
	size_t kept = 1;
	for (size_t i = 1; i < count; i++)
		if (levels[i] - levels[kept - 1] >= step)
			levels[kept++] = levels[i];
	*out = levels;
	return kept;
}

/* Boundaries of the segmentation with least capped squared error plus a penalty for each. */
static size_t find_candidates(const struct detection *d, size_t *bounds)
{
	double *levels;
	size_t g = make_levels(d, &levels), n = d->n, count = 0;
	double penalty = 2 * log(fmax((double)n, 20)), scale = 1 / d->sigma;
	double *cost = arena_array(d->arena, g, sizeof *cost);
	unsigned short *origin = arena_array(d->arena, n, sizeof *origin);
	unsigned char *cut = arena_array(d->arena, n * g, 1);
	for (size_t t = 0; t < n; t++) {
		size_t best = 0;
		for (size_t l = 1; l < g; l++)
			best = cost[l] < cost[best] ? l : best;
		double fresh = cost[best] + penalty;
		origin[t] = (unsigned short)best;
		for (size_t l = 0; l < g; l++) {
			double e = (d->x[t] - levels[l]) * scale;
			bool is_cut = t > 0 && fresh < cost[l];
			cut[t * g + l] = is_cut;
			cost[l] = (is_cut ? fresh : cost[l]) + fmin(e * e, loss_cap);
		}
	}
	size_t level = 0;
	for (size_t l = 1; l < g; l++)
		level = cost[l] < cost[level] ? l : level;
	for (size_t t = n; t-- > 1;)
		if (cut[t * g + level]) {
			bounds[count++] = t;
			level = origin[t];
		}
	for (size_t i = 0; i < count / 2; i++) {
		size_t other = bounds[i];
		bounds[i] = bounds[count - 1 - i];
		bounds[count - 1 - i] = other;
	}
	return count;
}

/* --- the test of a boundary --- */

struct boundary_test {
	double left, right, se, df, p, rank_p;
};

static double location(const struct detection *d, size_t from, size_t to, double other)
{
	const double *x = d->x;
	double copy[NEAR_LIMIT];
	size_t n = to - from;
	if (n == 1)
		return x[from];
	if (n == 2)
		return fabs(x[from] - other) < fabs(x[from + 1] - other) ? x[from] : x[from + 1];
	memcpy(copy, x + from, n * sizeof *copy);
	double at = detect_median(copy, n);
	for (int round = 0; round < 20; round++) {
		double sum = 0;
		for (size_t i = from; i < to; i++)
			sum += clip(x[i] - at, huber * d->sigma);
		at += sum / (double)n;
		if (fabs(sum) < 1e-9 * d->sigma * (double)n)
			break;
	}
	return at;
}

/* Variance of the mean of w values whose neighbours correlate by rho, over that of one value. */
static double mean_variance(double w, double rho)
{
	double sum = 0, power = rho;
	for (int j = 1; j < (int)w && power > 1e-12; j++, power *= rho)
		sum += (1 - j / w) * power;
	return (1 + 2 * sum) / w;
}

/* One-sided rank test that the right side is on the side it seems to be on. */
static double rank_test(const struct detection *d, size_t from, size_t at, size_t to,
			double inflation, bool up)
{
	double na = (double)(at - from), nb = (double)(to - at), u = 0;
	for (size_t i = from; i < at; i++)
		for (size_t k = at; k < to; k++) {
			double difference = up ? d->x[k] - d->x[i] : d->x[i] - d->x[k];
			u += difference > 0 ? 1 : difference == 0 ? 0.5 : 0;
		}
	if (u == na * nb)
		return exp(-log_choose(na + nb, nb));
	double sd = sqrt(na * nb * (na + nb + 1) / 12 * inflation);
	return normal_upper((u - na * nb / 2 - 0.5) / sd);
}

static struct boundary_test test_boundary(const struct detection *d, size_t from, size_t at,
					  size_t to)
{
	struct boundary_test t;
	from = at - from > NEAR_LIMIT ? at - NEAR_LIMIT : from;
	to = to - at > NEAR_LIMIT ? at + NEAR_LIMIT : to;
	double na = (double)(at - from), nb = (double)(to - at), m = na + nb;
	double limit = winsor * d->sigma, squares = 0, products = 0, last = 0;
	double right = location(d, at, to, d->x[at - 1]);
	t.left = location(d, from, at, right);
	t.right = location(d, at, to, t.left);
	for (size_t i = from; i < to; i++) {
		double e = clip(d->x[i] - (i < at ? t.left : t.right), limit);
		squares += e * e;
		products += i == from || i == at ? 0 : e * last;
		last = e;
	}
	double r = squares > 0 ? products / squares : 0;
	double rho = m / (m + 20) * (r + (1 + 3 * r) / m);
	rho = rho < 0 ? 0 : rho > 0.95 ? 0.95 : rho;
	double variance = (squares + prior * d->sigma * d->sigma) / (m - 2 + prior);
	double ratio = (1 + rho) / (1 - rho);
	t.se = sqrt(variance * (mean_variance(na, rho) + mean_variance(nb, rho)));
	t.df = (m - 2) / ratio + prior;
	t.p = 2 * student_upper(fabs(t.right - t.left) / t.se, t.df);
	t.rank_p = rank_test(d, from, at, to, ratio, t.right > t.left);
	return t;
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
	m->tests[i] = test_boundary(d, start_of(m, i), m->bounds[i], end_of(d, m, i));
}

/* Above 1: how far the boundary misses what is asked for. */
static double badness(const struct detection *d, const struct model *m, size_t i)
{
	const struct detect_options *o = d->options;
	const struct boundary_test *t = &m->tests[i];
	double worst = t->p / o->alpha;
	if (m->bounds[i] < o->least_before || end_of(d, m, i) - m->bounds[i] < o->least_after)
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
		/* Of several that cannot stand, the one with the weakest evidence. */
		if (bad > *worst || (bad == *worst && m->tests[i].p > m->tests[at].p)) {
			*worst = bad;
			at = i;
		}
	}
	return at;
}

/* --- against drifting noise --- */

/* Description length of the series as levels plus noise that follows itself. */
static double model_cost(const struct detection *d, const struct model *m, double *e)
{
	double least = HUGE_VAL, cap = winsor * d->sigma;
	for (size_t s = 0; s <= m->count; s++) {
		size_t from = s ? m->bounds[s - 1] : 0, to = s < m->count ? m->bounds[s] : d->n;
		size_t near = to - from > NEAR_LIMIT ? to - NEAR_LIMIT : from;
		double level = location(d, near, to, d->x[near]);
		if (to - from > NEAR_LIMIT) {
			level = 0;
			for (int round = 0; round < 10; round++) {
				double sum = 0;
				for (size_t i = from; i < to; i++)
					sum += round ? clip(d->x[i] - level, huber * d->sigma)
						     : d->x[i];
				level += sum / (double)(to - from);
			}
		}
		for (size_t i = from; i < to; i++)
			e[i] = d->x[i] - level;
	}
	for (int step = 0; step <= 18; step++) {
		double r = 0.05 * step, sum = 0;
		for (size_t i = 0; i < d->n; i++) {
			double u = i ? e[i] - r * e[i - 1] : e[0];
			u = clip(u, cap);
			sum += u * u;
		}
		least = fmin(least, sum);
	}
	double n = (double)d->n;
	return n * log(fmax(least / n, 1e-20)) + d->options->model_cost * (double)m->count * log(n);
}

static void choose_size(const struct detection *d, struct model *m)
{
	double *e = arena_array(d->arena, d->n, sizeof *e);
	struct model path = *m;
	path.bounds = arena_array(d->arena, m->count + 1, sizeof *path.bounds);
	path.tests = arena_array(d->arena, m->count + 1, sizeof *path.tests);
	memcpy(path.bounds, m->bounds, m->count * sizeof *path.bounds);
	memcpy(path.tests, m->tests, m->count * sizeof *path.tests);
	double least = model_cost(d, &path, e);
	while (path.count > 0) {
		double worst;
		drop(d, &path, weakest(d, &path, &worst));
		double cost = model_cost(d, &path, e);
		if (cost < least) {
			least = cost;
			m->count = path.count;
			memcpy(m->bounds, path.bounds, path.count * sizeof *path.bounds);
			memcpy(m->tests, path.tests, path.count * sizeof *path.tests);
		}
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
	};
}

struct detect_result detect_changes(struct arena *arena, const double *values, size_t count,
				    const struct detect_options *options)
{
	struct detect_result result = {.relative = true, .noise = NAN};
	double *x = arena_array(arena, count + 1, sizeof *x), worst;
	for (size_t i = 0; i < count; i++)
		result.relative = result.relative && values[i] > 0;
	for (size_t i = 0; i < count; i++)
		x[i] = result.relative ? log(values[i]) : values[i];
	struct detection d = {arena, options, x, count, detect_noise(arena, x, count)};
	result.noise = d.sigma;
	if (count < options->least_before + options->least_after)
		return result;
	struct model m = {
		.bounds = arena_array(arena, count, sizeof *m.bounds),
		.tests = arena_array(arena, count, sizeof *m.tests),
	};
	m.count = find_candidates(&d, m.bounds);
	for (size_t i = 0; i < m.count; i++)
		retest(&d, &m, i);
	while (m.count > 0) {
		size_t i = weakest(&d, &m, &worst);
		if (worst <= 1)
			break;
		drop(&d, &m, i);
	}
	if (m.count > 0)
		choose_size(&d, &m);
	result.changes = arena_array(arena, m.count, sizeof *result.changes);
	result.count = m.count;
	for (size_t i = 0; i < m.count; i++)
		result.changes[i] = describe(&d, &m, i, result.relative);
	return result;
}
