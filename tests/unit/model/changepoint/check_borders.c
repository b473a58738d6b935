/* Between which values a change lies: certain where the step is clear, wider where it is not. */
#include "model/changepoint/location_interval.h"

#include <math.h>

#include "unit/unit.h"

enum { COUNT = 20, CHANGE = 12 };

/* Twelve values around 0 and eight around `step`, in a fixed pattern of sd about 1. */
static struct border_series make(double *values, double *gaps, double step)
{
	static const double pattern[] = {0.3, -1.1, 0.8, -0.2, 1.4, -0.7,
					 0.1, -1.6, 1.0, 0.0,  -0.4};
	for (size_t i = 0; i < COUNT; i++) {
		values[i] = pattern[i * 7 % 11] + (i < CHANGE ? 0 : step);
		gaps[i] = 1;
	}
	return (struct border_series){values, gaps, COUNT, CHANGE, 1};
}

START_TEST(a_clear_step_lies_between_two_values)
{
	double values[COUNT], gaps[COUNT];
	struct border_series series = make(values, gaps, 12);
	struct location_interval borders = location_interval_of(&series, 0.01);
	ck_assert_uint_eq(borders.good, CHANGE - 1);
	ck_assert_uint_eq(borders.bad, CHANGE);
	ck_assert_double_eq_tol(borders.before, 0, 0.3);
	ck_assert_double_eq_tol(borders.after, 12, 0.5);
	ck_assert_uint_eq(borders.count_before, CHANGE);
	ck_assert_uint_eq(borders.count_after, COUNT - CHANGE);
}
END_TEST

START_TEST(a_small_step_lies_in_a_wider_range)
{
	double values[COUNT], gaps[COUNT];
	struct border_series series = make(values, gaps, 2);
	struct location_interval borders = location_interval_of(&series, 0.005),
				 sure = location_interval_of(&series, 0.2);
	ck_assert_uint_lt(borders.good, CHANGE - 1);
	ck_assert_uint_gt(borders.bad, CHANGE);
	ck_assert_uint_ge(borders.good, CHANGE - 8);
	ck_assert(sure.good >= borders.good && sure.bad <= borders.bad);
	ck_assert(sure.good > borders.good || sure.bad < borders.bad);
}
END_TEST

/* Many unmeasured commits may hide the change, if the value before it is a stray. */
START_TEST(commits_without_data_weigh)
{
	double values[COUNT], gaps[COUNT];
	struct border_series series = make(values, gaps, 12);
	gaps[CHANGE - 1] = 40;
	struct location_interval borders = location_interval_of(&series, 0.005);
	ck_assert_uint_eq(borders.good, CHANGE - 2);
	ck_assert_uint_eq(borders.bad, CHANGE);
}
END_TEST

START_TEST(few_values)
{
	double values[] = {0, 100}, gaps[] = {1, 50};
	struct border_series series = {values, gaps, 2, 1, 1};
	struct location_interval borders = location_interval_of(&series, 0.005);
	ck_assert_uint_eq(borders.good, 0);
	ck_assert_uint_eq(borders.bad, 1);
	ck_assert_double_eq(borders.before, 0);
	ck_assert_double_eq(borders.after, 100);
}
END_TEST

/* A thousand values on each side; a level is made by the sixty nearest. */
START_TEST(far_values_do_not_count)
{
	enum { MANY = 2000 };
	static double values[MANY], gaps[MANY];
	for (size_t i = 0; i < MANY; i++) {
		values[i] = (i < 500 ? -1 : i < 1000 ? 0 : 5) + (double)(i % 3) - 1;
		gaps[i] = 1;
	}
	struct border_series series = {values, gaps, MANY, 1000, 1};
	struct location_interval borders = location_interval_of(&series, 0.005);
	ck_assert_double_eq_tol(borders.before, 0, 0.1);
	ck_assert_uint_eq(borders.count_before, 60);
	ck_assert_uint_ge(borders.good, 990);
	ck_assert_uint_le(borders.bad, 1010);
}
END_TEST

UNIT_MAIN("borders", a_clear_step_lies_between_two_values, a_small_step_lies_in_a_wider_range,
	  commits_without_data_weigh, few_values, far_values_do_not_count)
