/* Tests one boundary. */
#include "model/changepoint/boundary_test.h"

#include "model/statistics/statistics.h"

/* In units of the noise: where a value stops to pull at the mean, to count for the variance, and to
 * have a rank. */
static const double huber = 2, winsor = 2.5, ranked = 6;
/* Shrinkage for short segments, in commits: the variance towards the noise of the series, that of
 * one side towards that of both, autocorrelation towards 0. */
static const double prior = 16, side_prior = 4, rho_prior = 20;
/* Smallest share of a side's commits that keep a rank; otherwise all keep one. */
static const double ranked_share = 0.75;
/* Bound on the evidence of one commit for the position of a boundary, in log likelihood. */
static const double position_cap = 9;

enum { NEAR_LIMIT = 100 };

/* Newton steps of Huber's location. */
static double settle(const double *x, size_t n, double at, double sigma)
{
	for (int round = 0; round < 20; round++) {
		double sum = 0;
		for (size_t i = 0; i < n; i++)
			sum += noise_clip(x[i] - at, huber * sigma);
		at += sum / (double)n;
		if (fabs(sum) < 1e-6 * sigma * (double)n)
			break;
	}
	return at;
}

double boundary_level(const double *x, double sigma, size_t from, size_t to)
{
	double copy[NEAR_LIMIT];
	size_t n = to - from, near = n > NEAR_LIMIT ? NEAR_LIMIT : n;
	assert(from < to);
	memcpy(copy, x + to - near, near * sizeof *copy);
	return settle(x + from, n, median_in_place(copy, near), sigma);
}

static double location(const double *x, double sigma, size_t from, size_t to, double other)
{
	size_t n = to - from;
	/* With two commits, the one that claims the smaller change. */
	if (n == 2)
		return fabs(x[from] - other) < fabs(x[from + 1] - other) ? x[from] : x[from + 1];
	return n == 1 ? x[from] : boundary_level(x, sigma, from, to);
}

/* Variance of the mean of w values whose neighbours correlate by rho, over that of one value. */
static double mean_variance(double w, double rho)
{
	double sum = 0, power = rho;
	for (int j = 1; j < (int)w && power > 1e-12; j++, power *= rho)
		sum += (1 - j / w) * power;
	return (1 + 2 * sum) / w;
}

/* Copies the values near the mean; all values if too few are near it. */
static size_t copy_ranked(double *out, const double *x, size_t n, double level, double sigma)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (fabs(x[i] - level) < ranked * sigma)
			out[kept++] = x[i];
	if ((double)kept >= ranked_share * (double)n)
		return kept;
	memcpy(out, x, n * sizeof *out);
	return n;
}

/* One-sided rank test in the direction of the difference. Outliers have no rank: an old spike above
 * the new mean is not evidence about that mean. */
static double rank_test(const double *x, double sigma, const size_t range[3],
			const struct boundary_test *t, double inflation)
{
	double a[NEAR_LIMIT], b[NEAR_LIMIT];
	size_t na = copy_ranked(a, x + range[0], range[1] - range[0], t->left, sigma);
	size_t nb = copy_ranked(b, x + range[1], range[2] - range[1], t->right, sigma);
	long wins = 0, all = (long)(na * nb);
	for (size_t i = 0; i < na; i++)
		for (size_t k = 0; k < nb; k++)
			wins += (b[k] > a[i]) - (b[k] < a[i]);
	if (t->right < t->left)
		wins = -wins;
	double u = (double)(wins + all) / 2, m = (double)all, n = (double)(na + nb);
	if (wins == all)
		return exp(-log_choose(n, (double)nb));
	return normal_upper((u - m / 2 - 0.5) / sqrt(m * (n + 1) / 12 * inflation));
}

/* The index between `from` and `to` at which the two means put the boundary. */
static size_t find_likeliest(const double *x, const size_t range[3], double variance,
			     const struct boundary_test *t)
{
	double sum = 0, top = -HUGE_VAL;
	size_t likeliest = range[1];
	for (size_t i = range[0]; i + 1 < range[2]; i++) {
		double a = x[i] - t->left, b = x[i] - t->right;
		sum += fmin(b * b / variance, position_cap) - fmin(a * a / variance, position_cap);
		if (sum > top) {
			top = sum;
			likeliest = i + 1;
		}
	}
	return likeliest;
}

/* Sums over the deviations from the two means, outliers clipped. */
struct errors {
	double left, right; /* sums of squares */
	double products;    /* of neighbours on the same side */
};

static struct errors add_errors(const double *x, double sigma, const size_t range[3],
				const struct boundary_test *t)
{
	struct errors sums = {0};
	double last = 0;
	for (size_t i = range[0]; i < range[2]; i++) {
		bool left = i < range[1];
		double e = noise_clip(x[i] - (left ? t->left : t->right), winsor * sigma);
		*(left ? &sums.left : &sums.right) += e * e;
		sums.products += i == range[0] || i == range[1] ? 0 : e * last;
		last = e;
	}
	return sums;
}

struct boundary_test boundary_test(const double *x, double sigma, size_t from, size_t at, size_t to)
{
	struct boundary_test t = {0};
	assert(from < at && at < to && sigma > 0);
	from = at - from > NEAR_LIMIT ? at - NEAR_LIMIT : from;
	to = to - at > NEAR_LIMIT ? at + NEAR_LIMIT : to;
	const size_t range[3] = {from, at, to};
	double na = (double)(at - from), nb = (double)(to - at), m = na + nb;
	t.right = location(x, sigma, at, to, x[at - 1]);
	t.left = location(x, sigma, from, at, t.right);
	struct errors sums = add_errors(x, sigma, range, &t);
	double squares = sums.left + sums.right, r = squares > 0 ? sums.products / squares : 0;
	double rho = noise_clip(m / (m + rho_prior) * (r + (1 + 3 * r) / m), 0.95);
	rho = rho < 0 ? 0 : rho;
	double variance = (squares + prior * sigma * sigma) / (m - 2 + prior);
	double left = (sums.left + side_prior * variance) / (na - 1 + side_prior);
	double right = (sums.right + side_prior * variance) / (nb - 1 + side_prior);
	double ratio = (1 + rho) / (1 - rho);
	t.se = sqrt(left * mean_variance(na, rho) + right * mean_variance(nb, rho));
	t.df = (m - 2) / ratio + prior;
	t.p = 2 * student_upper(fabs(t.right - t.left) / t.se, t.df);
	t.rank_p = rank_test(x, sigma, range, &t, ratio);
	t.likeliest = find_likeliest(x, range, variance, &t);
	return t;
}
