/* Tails of Student's t, the normal and the beta distribution. */
#include "model/statistics/distributions.h"

#include <float.h>
#include "base/base.h"

static double log_gamma(double x)
{
	int sign;
	return lgamma_r(x, &sign);
}

/* log Gamma(x) - ((x - 1/2) log x - x + log(2 pi)/2), the rest of Stirling's series, x >= 10. */
static double stirling_rest(double x)
{
	static const double terms[] = {1. / 12,   -1. / 360,      1. / 1260, -1. / 1680,
				       1. / 1188, -691. / 360360, 1. / 156};
	double square = 1 / (x * x), power = 1 / x, sum = 0;
	for (int i = 0; i < (int)(sizeof terms / sizeof *terms); i++, power *= square)
		sum += terms[i] * power;
	return sum;
}

/* log B(a, b) without the cancellation of large logarithms. */
static double log_beta(double a, double b)
{
	double small = fmin(a, b), large = fmax(a, b);
	const double half_log_two_pi = 0.918938533204672741780329736406;
	if (large < 10)
		return log_gamma(small) + log_gamma(large) - log_gamma(small + large);
	double ratio = log1p(small / large);
	if (small < 10)
		return log_gamma(small) + stirling_rest(large) - stirling_rest(small + large) -
		       (large - 0.5) * ratio - small * log(small + large) + small;
	return half_log_two_pi - 0.5 * log(large) + stirling_rest(small) + stirling_rest(large) -
	       stirling_rest(small + large) - (small - 0.5) * log1p(large / small) - large * ratio;
}

/* The continued fraction of I_x(a, b), for x below the mean. */
static double beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1);
	d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
	double value = d;
	for (int m = 1; m < 100000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double factor = 1;
		for (int half = 0; half < 2; half++) {
			double term = half ? odd : even;
			d = 1 + term * d;
			c = 1 + term / c;
			d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
			c = fabs(c) < DBL_MIN ? DBL_MIN : c;
			factor *= c * d;
		}
		value *= factor;
		if (fabs(factor - 1) < 1e-16)
			break;
	}
	return value;
}

/* I_x(a, b) with the complement of x given, so that neither loses digits, and log B(a, b). */
static double beta_of(double x, double complement, double a, double b, double log_beta_ab)
{
	if (x <= 0)
		return 0;
	if (complement <= 0)
		return 1;
	double front = exp(a * (x < 0.5 ? log(x) : log1p(-complement)) +
			   b * (x < 0.5 ? log1p(-x) : log(complement)) - log_beta_ab);
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(complement, b, a) / b;
}

double beta_lower(double x, double a, double b)
{
	return beta_of(x, 1 - x, a, b, log_beta(a, b));
}

/* log_beta_df: log B(df / 2, 1 / 2). */
static double upper_of(double t, double df, double log_beta_df)
{
	double square = t * t, x = df / (df + square), complement = square / (df + square);
	if (isinf(square))
		return t > 0 ? 0 : 1;
	double tail = 0.5 * beta_of(x, complement, df / 2, 0.5, log_beta_df);
	/* Near the middle the tail is nearly a half: its distance from it has the digits. */
	return t >= 0 ? tail : 1 - tail;
}

double student_upper(double t, double df)
{
	return upper_of(t, df, log_beta(df / 2, 0.5));
}

double normal_upper(double z)
{
	return 0.5 * erfc(z / sqrt(2.0));
}

/* An upper tail and its density. */
struct distribution {
	double (*tail)(double x, double df);
	double (*density)(double x, double df);
};

/* Inverts the tail: brackets x, then takes Newton steps on the logarithm, halved if they leave the
 * bracket. */
static double invert(struct distribution d, double p, double df)
{
	double low = -1, high = 1, x = 0;
	while (d.tail(low, df) < p && low > -1e300)
		low *= 2;
	while (d.tail(high, df) > p && high < 1e300)
		high *= 2;
	for (int i = 0; i < 200 && high - low > 1e-15 * (fabs(low) + fabs(high)); i++) {
		double tail = d.tail(x, df), slope = d.density(x, df) / tail;
		if (tail > p)
			low = x;
		else
			high = x;
		double next = x + log(tail / p) / slope;
		if (!(next > low && next < high))
			next = low + (high - low) / 2;
		if (fabs(next - x) <= 1e-15 * fabs(next))
			return next;
		x = next;
	}
	return low + (high - low) / 2;
}

static double density_of(double t, double df, double log_beta_df)
{
	return exp(-(df + 1) / 2 * log1p(t * t / df) - log_beta_df) / sqrt(df);
}

static double student_density(double t, double df)
{
	return density_of(t, df, log_beta(df / 2, 0.5));
}

/* Cornish and Fisher's expansion around the normal quantile (Abramowitz and Stegun 26.2.23,
 * 26.7.5). */
static double student_guess(double p, double df)
{
	double s = sqrt(-2 * log(fmin(p, 1 - p)));
	double z = s - (2.515517 + s * (0.802853 + s * 0.010328)) /
			       (1 + s * (1.432788 + s * (0.189269 + s * 0.001308)));
	double square = z * z, first = z * (square + 1) / 4;
	double second = z * (square * (5 * square + 16) + 3) / 96;
	double t = z + first / df + second / (df * df);
	return p > 0.5 ? -t : t;
}

static double find_inverse(double p, double df)
{
	enum { MOST_STEPS = 8 };
	double t = student_guess(p, df), log_beta_df = log_beta(df / 2, 0.5);
	/* Converges in three steps, nearly always. */
	for (int i = 0; i < MOST_STEPS; i++) {
		double tail = upper_of(t, df, log_beta_df);
		double step = tail * log(tail / p) / density_of(t, df, log_beta_df);
		t += step;
		if (fabs(step) <= 1e-6 * fabs(t) && fabs(t) > 1e-3)
			return t; /* the next step would be the square of this one */
		if (!isfinite(t))
			break;
	}
	return invert((struct distribution){student_upper, student_density}, p, df);
}

/* Cached: histories of equal length without correlation have the same degrees of freedom, and a
 * gate asks for hundreds of them in a row. */
double student_upper_inverse(double p, double df)
{
	enum { CACHED = 16 };
	static _Thread_local struct {
		double p, df, t;
	} cache[CACHED];
	static _Thread_local size_t oldest;
	for (size_t i = 0; i < CACHED; i++)
		if (cache[i].p == p && cache[i].df == df)
			return cache[i].t;
	double t = find_inverse(p, df);
	cache[oldest].p = p;
	cache[oldest].df = df;
	cache[oldest].t = t;
	oldest = (oldest + 1) % CACHED;
	return t;
}

static double normal_density(double z, double unused)
{
	(void)unused;
	return 0.398942280401432678 * exp(-z * z / 2);
}

static double normal_tail(double z, double unused)
{
	(void)unused;
	return normal_upper(z);
}

double normal_upper_inverse(double p)
{
	return invert((struct distribution){normal_tail, normal_density}, p, 0);
}

double log_choose(double n, double k)
{
	return k <= 0 || k >= n ? 0 : -log(n + 1) - log_beta(n - k + 1, k + 1);
}
