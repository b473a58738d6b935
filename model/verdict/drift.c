/* Compares the current mean with a fixed reference. */
#include "model/verdict/drift.h"

#include "model/changepoint/changepoint.h"
#include "model/statistics/statistics.h"

static const double winsor = 2, correlation_limit = 0.95, agreement = 0.8;
/* Commits on either side whose median a commit's noise is measured from; newest commits that the
 * correlation is estimated from; steps between windows; most commits of a window. */
enum { NEIGHBOURS = 10, CORRELATION_COMMITS = 512, WINDOW_STEP = 5, WINDOW_LIMIT = 64 };

struct drift_options drift_defaults(enum drift_reference to)
{
	return (struct drift_options){
		.alpha = 1e-3,
		.least_effect = 0.005,
		.current = 10,
		.least_current = 4,
		.reference = 20,
		.to = to,
	};
}

struct drifting {
	struct arena *arena;
	const struct drift_options *options;
	const double *x; /* logs, or multiples of the usual size */
	size_t n;
	bool relative;
	double size, sigma, rho;
};

/* Usual size of values that are not all positive. */
static double usual_size(double *x, const double *values, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += x[i] = fabs(values[i]);
	double size = median_in_place(x, count);
	return size != 0 ? size : sum > 0 ? sum / (double)count : 1;
}

static double *as_judged(struct drifting *d, const double *values, size_t count)
{
	double *x = arena_array(d->arena, count, sizeof *x);
	d->relative = true;
	for (size_t i = 0; i < count; i++)
		d->relative = d->relative && values[i] > 0;
	d->size = d->relative ? 1 : usual_size(x, values, count);
	for (size_t i = 0; i < count; i++)
		x[i] = d->relative ? log(values[i]) : values[i] / d->size;
	return x;
}

/* --- noise --- */

/* Median of a moving window: its values, sorted, with one leaving and one entering per step. */
struct moving {
	double sorted[2 * NEIGHBOURS + 1];
	size_t count;
};

static void add_value(struct moving *m, double value)
{
	assert(m->count < sizeof m->sorted / sizeof *m->sorted);
	size_t at = m->count++;
	for (; at > 0 && m->sorted[at - 1] > value; at--)
		m->sorted[at] = m->sorted[at - 1];
	m->sorted[at] = value;
}

static void remove_value(struct moving *m, double value)
{
	size_t at = 0;
	assert(m->count > 0);
	while (m->sorted[at] < value)
		at++;
	m->count--;
	for (; at < m->count; at++)
		m->sorted[at] = m->sorted[at + 1];
}

/* Autocorrelation of neighbouring commits around the median of their surroundings. The median of a
 * small window hides some of it; the last lines correct that bias. */
static double correlation_of(const double *x, size_t n, double sigma)
{
	struct moving m = {.count = 0};
	double squares = 0, products = 0, last = 0;
	for (size_t i = 0; i < n && i < NEIGHBOURS; i++)
		add_value(&m, x[i]);
	for (size_t i = 0; i < n; i++) {
		if (i > NEIGHBOURS)
			remove_value(&m, x[i - NEIGHBOURS - 1]);
		if (i + NEIGHBOURS < n)
			add_value(&m, x[i + NEIGHBOURS]);
		double e = noise_clip(x[i] - median_of_sorted(m.sorted, m.count), 3 * sigma);
		squares += e * e;
		products += e * last;
		last = e;
	}
	double r = squares > 0 ? products / squares : 0;
	double few = fmin((double)n, 2 * NEIGHBOURS + 1);
	return fmin(fmax(r + (1 + 3 * r) / few, 0), correlation_limit);
}

/* Variance of the mean of w commits over that of one. */
static double mean_variance(size_t w, double rho)
{
	double sum = 0, power = rho;
	for (size_t j = 1; j < w && power > 1e-12; j++, power *= rho)
		sum += (1 - (double)j / (double)w) * power;
	return (1 + 2 * sum) / (double)w;
}

/* --- levels --- */

/* The mean of at most WINDOW_LIMIT values, winsorized around their median. */
static double level_of(const struct drifting *d, size_t from, size_t to)
{
	double copy[WINDOW_LIMIT], sum = 0;
	size_t n = to - from;
	assert(from < to && to <= d->n && n <= WINDOW_LIMIT);
	memcpy(copy, d->x + from, n * sizeof *copy);
	double middle = median_in_place(copy, n);
	for (size_t i = from; i < to; i++)
		sum += noise_clip(d->x[i] - middle, winsor * d->sigma);
	return middle + sum / (double)n;
}

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Chooses the commits that are compared; returns how many more are needed, 0 if there are
 * enough. */
static size_t choose_commits(const struct drifting *d, size_t level_at, struct drift_result *r)
{
	const struct drift_options *o = d->options;
	size_t reference = least_of(o->reference, WINDOW_LIMIT),
	       least = reference + o->least_current;
	if (d->n < least)
		return least - d->n;
	r->reference_to = reference;
	r->current_to = d->n;
	r->current_from = d->n - least_of(least_of(o->current, WINDOW_LIMIT), d->n - reference);
	if (level_at > r->current_from && level_at + o->least_current <= d->n)
		r->current_from = level_at;
	return 0;
}

/* A lower bound of level_of(), which skips most windows: only values far above the lowest one are
 * drawn in. `digits` absorbs the rounding of sums. */
static double least_level(const struct drifting *d, size_t from, size_t to)
{
	static const double digits = 1e-12;
	const double *x = d->x;
	double low = x[from], sum = 0;
	for (size_t i = from; i < to; i++)
		low = x[i] < low ? x[i] : low;
	double far = low + winsor * d->sigma;
	for (size_t i = from; i < to; i++)
		sum += x[i] < far ? x[i] : far;
	return sum / (double)(to - from) - digits * (fabs(low) + winsor * d->sigma);
}

/* The lowest window before the current level. */
static double find_best(const struct drifting *d, struct drift_result *r)
{
	size_t width = least_of(least_of(d->options->current, WINDOW_LIMIT), r->current_from);
	double best = HUGE_VAL;
	r->windows = 0;
	for (size_t from = 0; from + width <= r->current_from; from += WINDOW_STEP) {
		r->windows++;
		if (least_level(d, from, from + width) > best)
			continue;
		double level = level_of(d, from, from + width);
		if (level < best) {
			best = level;
			r->reference_from = from;
			r->reference_to = from + width;
		}
	}
	return best;
}

/* Nearly all commits of each side must be nearer to their own mean: a short stretch of slow commits
 * moves a mean, and ends again. */
static bool sides_agree(const struct drifting *d, double half, const struct drift_result *r)
{
	size_t slower = 0, faster = 0;
	for (size_t i = r->current_from; i < r->current_to; i++)
		slower += d->x[i] > half;
	for (size_t i = r->reference_from; i < r->reference_to; i++)
		faster += d->x[i] < half;
	return (double)slower >= agreement * (double)(r->current_to - r->current_from) &&
	       (double)faster >= agreement * (double)(r->reference_to - r->reference_from);
}

static double effect_of(const struct drifting *d, double difference, double level)
{
	if (d->relative)
		return expm1(difference);
	return level == 0 ? NAN : difference / fabs(level);
}

struct levels {
	double reference, current;
};

static struct levels find_levels(const struct drifting *d, struct drift_result *r)
{
	struct levels levels;
	r->windows = 1;
	levels.reference = d->options->to == DRIFT_BEST
				   ? find_best(d, r)
				   : level_of(d, r->reference_from, r->reference_to);
	levels.current = level_of(d, r->current_from, r->current_to);
	return levels;
}

/* The conditions of a drift other than that it exceeds the noise. */
static bool is_drift(const struct drifting *d, const struct levels *levels,
		     const struct drift_result *r)
{
	double least = d->options->least_effect;
	double worth = d->relative ? log1p(least) : least * fabs(levels->reference);
	double difference = levels->current - levels->reference;
	return difference > 0 && difference >= worth &&
	       sides_agree(d, (levels->current + levels->reference) / 2, r);
}

/* Quick exit: whether the highest current value is so near to the lowest reference value that no
 * two means can differ by the smallest drift that counts. `digits` absorbs the rounding of
 * logarithms. */
static bool is_flat(const struct drifting *d, const double *values, const struct drift_result *r)
{
	static const double digits = 1e-9;
	size_t to = d->options->to == DRIFT_BEST ? r->current_from : r->reference_to;
	double low = HUGE_VAL, high = 0;
	bool positive = true;
	for (size_t i = 0; i < to; i++)
		low = values[i] < low ? values[i] : low;
	for (size_t i = to; i < d->n; i++)
		positive = positive && values[i] > 0;
	for (size_t i = r->current_from; i < r->current_to; i++)
		high = values[i] > high ? values[i] : high;
	return positive && low > 0 && high < low * (1 + d->options->least_effect) * (1 - digits);
}

static void compare(struct drifting *d, const struct levels *levels, struct drift_result *r)
{
	const struct drift_options *o = d->options;
	double reference = levels->reference, current = levels->current;
	assert(r->reference_from < r->reference_to && r->current_from < r->current_to &&
	       r->current_to <= d->n);
	size_t before = r->reference_to - r->reference_from, now = r->current_to - r->current_from;
	size_t newest =
		r->current_from > CORRELATION_COMMITS ? r->current_from - CORRELATION_COMMITS : 0;
	d->rho = correlation_of(d->x + newest, r->current_from - newest, d->sigma);
	/* With autocorrelated noise, the differences of neighbours show only a part of it, and the
	 * remainder around a moving median shows too little of that: applying the square root twice
	 * corrects both. */
	double noise = d->sigma / (1 - d->rho);
	double se = noise * sqrt(mean_variance(now, d->rho) + mean_variance(before, d->rho));
	double df = fmax(5, (double)(before + now - 2) * (1 - d->rho) / (1 + d->rho));
	double difference = current - reference, wide = student_upper_inverse(0.025, df) * se;
	r->p = fmin(1, student_upper(difference / se, df) * (double)r->windows);
	r->flagged = r->p < o->alpha && is_drift(d, levels, r);
	r->reference = d->relative ? exp(reference) : reference * d->size;
	r->current = d->relative ? exp(current) : current * d->size;
	r->drift = effect_of(d, difference, reference);
	r->low = effect_of(d, difference - wide, reference);
	r->high = effect_of(d, difference + wide, reference);
	r->scale = d->relative ? noise : effect_of(d, noise, reference);
	r->correlation = d->rho;
}

struct drift_result drift_measure(struct arena *arena, const struct drift_series *series,
				  const struct drift_options *options)
{
	struct drift_result r = {.judged = false};
	r.reference = r.current = r.drift = r.low = r.high = r.p = r.scale = r.correlation = NAN;
	struct drifting d = {.arena = arena, .options = options};
	d.n = series->count > series->pinned ? series->count - series->pinned : 0;
	size_t level_at = series->level_at > series->pinned ? series->level_at - series->pinned : 0;
	r.missing_commits = choose_commits(&d, level_at, &r);
	if (r.missing_commits > 0)
		return r;
	r.judged = true;
	const double *values = series->values + series->pinned;
	if (options->brief && is_flat(&d, values, &r))
		return r;
	d.x = as_judged(&d, values, d.n);
	d.sigma = noise_measure(arena, d.x, d.n);
	struct levels levels = find_levels(&d, &r);
	if (options->brief && !is_drift(&d, &levels, &r))
		return r;
	compare(&d, &levels, &r);
	r.reference_from += series->pinned, r.reference_to += series->pinned;
	r.current_from += series->pinned, r.current_to += series->pinned;
	return r;
}

size_t drift_since(const struct drift_series *series, const struct drift_options *options)
{
	struct drift_options brief = *options;
	brief.brief = true;
	for (size_t count = series->pinned + 1; count <= series->count; count++) {
		struct arena scratch = {0};
		struct drift_series prefix = *series;
		prefix.count = count;
		prefix.level_at = prefix.level_at < count ? prefix.level_at : 0;
		bool flagged = drift_measure(&scratch, &prefix, &brief).flagged;
		arena_free(&scratch);
		if (flagged)
			return count - 1;
	}
	return series->count;
}
