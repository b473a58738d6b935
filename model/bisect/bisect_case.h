/*
 *  A case of a bisection: the change of a series, the commits in question, and what is believed of
 * them. The command fills it from the store and git; render/bisect shows it.
 *
 * Never add git, the store or commands.
 */
#pragma once

#include <math.h>

#include "model/bisect/bisect.h"
#include "model/changepoint/changepoint.h"
#include "model/commits/commits.h"
#include "model/verdict/series_history.h"

/* A change of one series, and between which commits of the chain it lies. */
struct bisect_change {
	const struct history *history;
	enum metric metric;
	bool relative; /* sessions and levels of the model are logs */
	double noise;  /* between commits; relative where `relative` is */
	struct location_interval borders;
	const struct revision *good, *bad;
	double effect, low, high; /* with its 95 % interval; a difference where not `relative` */
	bool worse;
	const char **others; /* series that got worse in the same range, besides this one */
	size_t other_count;
};

/* Why a commit cannot be the cause. */
enum bisect_same { BISECT_SAME_NOT, BISECT_SAME_TREE, BISECT_SAME_KERNEL };

/* The commits in question with what was measured of them. */
struct bisect_case {
	struct bisect_change change;
	struct commit_range lineage;
	struct bisect_commit *commits; /* beside lineage.items */
	enum bisect_same *same;
	struct bisect *bisect;
	enum bisect_same identical; /* the code, or the kernel, is the same before and after */
	size_t without_data;
	/* What follows. */
	bool decided;    /* lineage.items[bisect->best] is it */
	size_t next;     /* bisect_none: decided, or nothing would tell more */
	size_t sessions; /* of one commit; 0: no number is enough */
	double forecast; /* sessions until it is decided; NAN unknown */
	double error;
	const char *name; /* of the series, short */
};

/* What is believed with more is decided. */
static const double bisect_certainty = 0.95;

/* A value of the model as the metric's number. */
static inline double bisect_number(const struct bisect_change *change, double value)
{
	return change->relative ? exp(value) : value;
}
