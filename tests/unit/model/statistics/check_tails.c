/* Tails of distributions against the GNU Scientific Library, which is a package of the tests only.
 * Its t distribution approximates above 30 degrees of freedom; there its beta distribution is
 * asked. */
#include "model/statistics/distributions.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdbool.h>

#include "unit/unit.h"

static const double wanted = 1e-10;

static bool near(double found, double expected)
{
	return fabs(found - expected) <= wanted * fabs(expected) || fabs(found - expected) < 1e-300;
}

static double student_by_gsl(double t, double df)
{
	if (df <= 30)
		return gsl_cdf_tdist_Q(t, df);
	/* The form whose argument keeps its digits. */
	double square = t * t;
	double tail = square < df ? gsl_cdf_beta_Q(square / (df + square), 0.5, df / 2) / 2
				  : gsl_cdf_beta_P(df / (df + square), df / 2, 0.5) / 2;
	return t > 0 ? tail : 1 - tail;
}

static const double degrees[] = {0.5, 1, 2, 3, 4.7, 10, 29.9, 31, 100.25, 1000, 20000};

static void compare_student(double df)
{
	for (int i = 0; i < 74; i++) {
		double t = 1e-6 * pow(1.37, i);
		ck_assert_msg(near(student_upper(t, df), student_by_gsl(t, df)),
			      "t %g, df %g: %.17g, not %.17g", t, df, student_upper(t, df),
			      student_by_gsl(t, df));
		ck_assert_msg(near(student_upper(-t, df), 1 - student_by_gsl(t, df)), "t %g, df %g",
			      -t, df);
	}
	ck_assert_double_eq(student_upper(0, df), 0.5);
	ck_assert_double_eq(student_upper(HUGE_VAL, df), 0);
	ck_assert_double_eq(student_upper(-HUGE_VAL, df), 1);
}

START_TEST(student_is_as_gsl_has_it)
{
	for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++)
		compare_student(degrees[i]);
}
END_TEST

static void invert_student(double df)
{
	for (int i = 0; i < 80; i++) {
		double p = i < 20 ? 1e-12 * pow(3.1, i) : 0.016 * (i - 19);
		double t = student_upper_inverse(p, df);
		ck_assert_msg(fabs(student_upper(t, df) - p) <= wanted * p, "p %g, df %g: %g", p,
			      df, t);
	}
}

START_TEST(student_is_inverted)
{
	for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++)
		invert_student(degrees[i]);
}
END_TEST

START_TEST(normal_is_as_gsl_has_it)
{
	for (int i = 0; i < 346; i++) {
		double z = -8 + 0.13 * i;
		ck_assert_msg(near(normal_upper(z), gsl_cdf_ugaussian_Q(z)), "z %g", z);
		double p = normal_upper(z);
		if (p > 1e-300 && p < 0.999999)
			ck_assert_msg(fabs(normal_upper_inverse(p) - z) <= wanted * fabs(z) + 1e-9,
				      "p %g: %g, not %g", p, normal_upper_inverse(p), z);
	}
}
END_TEST

START_TEST(beta_is_as_gsl_has_it)
{
	static const double shapes[] = {0.5, 1, 1.5, 3, 9.9, 10, 25, 120, 2500};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
			for (int at = 0; at < 33; at++) {
				double x = 0.001 + 0.031 * at;
				double expected = gsl_cdf_beta_P(x, shapes[i], shapes[k]);
				double found = beta_lower(x, shapes[i], shapes[k]);
				ck_assert_msg(near(found, expected) || expected < 1e-250,
					      "x %g, a %g, b %g: %.17g, not %.17g", x, shapes[i],
					      shapes[k], found, expected);
			}
	ck_assert_double_eq(beta_lower(0, 2, 3), 0);
	ck_assert_double_eq(beta_lower(1, 2, 3), 1);
}
END_TEST

START_TEST(ways_to_choose)
{
	for (unsigned n = 0; n <= 200; n++)
		for (unsigned k = 0; k <= n; k++)
			ck_assert_msg(fabs(log_choose(n, k) - gsl_sf_lnchoose(n, k)) <=
					      1e-10 * (1 + gsl_sf_lnchoose(n, k)),
				      "%u of %u", k, n);
}
END_TEST

UNIT_MAIN("tails", student_is_as_gsl_has_it, student_is_inverted, normal_is_as_gsl_has_it,
	  beta_is_as_gsl_has_it, ways_to_choose)
