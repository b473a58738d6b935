/*
 * Tails of the distributions that verdicts use, accurate to 1e-10 relative (checked against GSL in
 * tests/unit/model/statistics/check_tails.c). Upper tails have functions of their own, so that
 * small ones keep their digits.
 *
 * Sources: the continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8,
 * evaluated by Lentz' method), and Student's t by it (26.7.1).
 */
#pragma once

/* The regularised incomplete beta function I_x(a, b), a and b > 0, x in [0, 1]. */
double beta_lower(double x, double a, double b);
/* P(T > t) of Student's t with df > 0 degrees of freedom, which need not be whole. */
double student_upper(double t, double df);
/* The t with P(T > t) = p, 0 < p < 1. */
double student_upper_inverse(double p, double df);
/* P(Z > z) of the normal distribution. */
double normal_upper(double z);
/* The z with P(Z > z) = p, 0 < p < 1. */
double normal_upper_inverse(double p);
/* log of the number of ways to choose k of n, 0 <= k <= n. */
double log_choose(double n, double k);
