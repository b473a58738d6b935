/* Adjusted p values: by hand, and against the definition. */
#include "model/statistics/false_discovery.h"

#include <math.h>

#include "unit/unit.h"

static const struct {
	size_t count;
	double p[6], q[6];
} cases[] = {
	{0, {0}, {0}},
	{1, {0.03}, {0.03}},
	/* .01*4/1 = .04; .02*4/2 = .04; .03*4/3 = .04; .04*4/4 = .04 */
	{4, {0.01, 0.02, 0.03, 0.04}, {0.04, 0.04, 0.04, 0.04}},
	/* .001*5 = .005; .008*5/2 = .02; .039*5/3 = .065, .041*5/4 = .05125, which pulls the one
	 * before down; .9 */
	{5, {0.041, 0.001, 0.9, 0.039, 0.008}, {0.05125, 0.005, 0.9, 0.05125, 0.02}},
	/* Equal p have equal q. */
	{4, {0.02, 0.5, 0.02, 0.5}, {0.04, 0.5, 0.04, 0.5}},
	/* NAN was not judged and does not count as a test. */
	{4, {NAN, 0.02, NAN, 0.01}, {NAN, 0.02, NAN, 0.02}},
	{2, {NAN, NAN}, {NAN, NAN}},
	{3, {1, 0, 1}, {1, 0, 1}},
};

START_TEST(by_hand)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		const double *q = false_discovery_adjust(&arena, cases[i].p, cases[i].count);
		for (size_t k = 0; k < cases[i].count; k++)
			ck_assert_msg(isnan(cases[i].q[k]) ? isnan(q[k])
							   : fabs(q[k] - cases[i].q[k]) < 1e-12,
				      "case %zu, p %g: q %.17g", i, cases[i].p[k], q[k]);
		arena_free(&arena);
	}
}
END_TEST

/* The smallest level at which the step-up procedure rejects p[at]: over every cut at one of the p,
 * that many times as many tests as it rejects. */
static double defined_q(const double *p, size_t count, size_t at)
{
	double least = 1, m = 0;
	for (size_t i = 0; i < count; i++)
		m += !isnan(p[i]);
	for (size_t cut = 0; cut < count; cut++) {
		double rank = 0;
		for (size_t i = 0; i < count; i++)
			rank += p[i] <= p[cut];
		if (p[cut] >= p[at])
			least = fmin(least, p[cut] * m / rank);
	}
	return least;
}

START_TEST(by_definition)
{
	enum { COUNT = 200 };
	double p[COUNT];
	unsigned state = 12345;
	for (size_t round = 0; round < 20; round++) {
		struct arena arena = {0};
		for (size_t i = 0; i < COUNT; i++) {
			state = state * 1103515245u + 12345u;
			double u = (double)(state >> 16 & 1023) / 1024; /* with ties */
			p[i] = i % 17 == 3 ? NAN : i % 5 ? u : u * u * u;
		}
		const double *q = false_discovery_adjust(&arena, p, COUNT);
		for (size_t i = 0; i < COUNT; i++)
			ck_assert(isnan(p[i]) ? isnan(q[i])
					      : fabs(q[i] - defined_q(p, COUNT, i)) < 1e-12);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("multiplicity", by_hand, by_definition)
