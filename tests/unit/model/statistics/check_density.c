/* How errors are spread, and where that puts a boundary. */
#include "model/statistics/error_density.h"

#include <math.h>

#include "model/changepoint/random_walk.h"
#include "model/changepoint/boundary_position.h"
#include "unit/unit.h"

enum { LENGTH = 120, CHANGE = 60 };

/* Two modes six apart, two in three commits at the lower, and little around them. */
static double two_modes(int i)
{
	return (i * 7 % 3 == 0 ? 4.0 : -2.0) + 0.25 * (i * 5 % 4 - 1.5);
}

static void learn(struct error_density *density, double scale)
{
	error_density_start(density, scale, 0.005);
	for (int i = 0; i < LENGTH; i++)
		error_density_add(density, scale * two_modes(i));
	error_density_settle(density);
}

START_TEST(modes_are_likelier_than_what_is_between)
{
	struct error_density density;
	learn(&density, 0.01);
	double low = error_density_log(&density, -0.02),
	       between = error_density_log(&density, 0.01);
	double high = error_density_log(&density, 0.04), far = error_density_log(&density, 1);
	ck_assert(low > high);
	ck_assert(high > between + 1);
	ck_assert(far < between);
	ck_assert_msg(high - far < 6, "one error says no more than the floor lets it");
	ck_assert(error_density_log(&density, -1e300) == error_density_log(&density, -1));
	ck_assert(error_density_log(&density, INFINITY) == error_density_log(&density, 1));
}
END_TEST

START_TEST(nothing_learnt_is_normal)
{
	struct error_density density;
	error_density_start(&density, 2, 0.005);
	error_density_settle(&density);
	ck_assert_double_eq_tol(error_density_log(&density, 0) - error_density_log(&density, 2),
				log(1.005 / (exp(-0.5) + 0.005)), 1e-9);
	ck_assert_double_eq_tol(error_density_log(&density, 3), error_density_log(&density, -3),
				1e-12);
	ck_assert(error_density_cost(&density) == 0);
}
END_TEST

START_TEST(one_error_is_not_a_rule)
{
	struct error_density density;
	error_density_start(&density, 1, 0.005);
	error_density_add(&density, 4);
	error_density_settle(&density);
	ck_assert(error_density_log(&density, 4) < error_density_log(&density, 1));
	ck_assert(error_density_log(&density, 4) > error_density_log(&density, -4));
}
END_TEST

START_TEST(the_cost_is_that_of_the_errors)
{
	struct error_density density;
	double sum = 0;
	learn(&density, 1);
	for (int i = 0; i < LENGTH; i++)
		sum -= 2 * error_density_log(&density, two_modes(i));
	ck_assert_double_eq_tol(error_density_cost(&density), sum, 1e-6);
}
END_TEST

START_TEST(a_boundary_between_modes_is_found)
{
	struct error_density density;
	double x[LENGTH];
	const double level[2] = {0, 1.5};
	learn(&density, 1);
	for (int i = 0; i < LENGTH; i++)
		x[i] = two_modes(i) + (i < CHANGE ? 0 : 1.5);
	for (size_t at = 10; at < LENGTH - 10; at += 10) {
		size_t from = at > CHANGE ? 5 : 0, found;
		const size_t place[3] = {from, at, LENGTH};
		found = boundary_position_find(&density, x, place, level);
		ck_assert_msg(found == CHANGE, "from %zu: %zu", at, found);
	}
}
END_TEST

/* Of places that are alike the one in the middle. */
START_TEST(the_place_has_likely_places_around_it)
{
	struct error_density density;
	double x[] = {0, 0, 0, 0, 0, 0.5, 0.5, 0.5, 1, 1, 1, 1};
	const double level[2] = {0, 1};
	const size_t place[3] = {0, 5, sizeof x / sizeof *x};
	error_density_start(&density, 1, 0.005);
	error_density_settle(&density);
	size_t found = boundary_position_find(&density, x, place, level);
	ck_assert_msg(found == 6 || found == 7, "%zu", found);
}
END_TEST

/* The same squares: errors in two tight modes are cheaper than spread ones. */
START_TEST(tight_modes_cost_less)
{
	double modes[LENGTH], spread[LENGTH];
	for (int i = 0; i < LENGTH; i++) {
		modes[i] = i * 7 % 5 < 3 ? -1 : 1;
		spread[i] = 1.7 * ((i * 37 % LENGTH) / (LENGTH / 2.0) - 1);
	}
	ck_assert(random_walk_cost(modes, LENGTH, 1) + 10 < random_walk_cost(spread, LENGTH, 1));
}
END_TEST

UNIT_MAIN("density", modes_are_likelier_than_what_is_between, nothing_learnt_is_normal,
	  one_error_is_not_a_rule, the_cost_is_that_of_the_errors,
	  a_boundary_between_modes_is_found, the_place_has_likely_places_around_it,
	  tight_modes_cost_less)
