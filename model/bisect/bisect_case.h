/*
 * One bisection: the change of a series, the commits in question, and their probabilities. The
 * command fills it from the store and git; render/bisect shows it.
 *
 * Never add git, the store or commands.
 */
#pragma once

#include "model/bisect/bisect.h"
#include "model/changepoint/changepoint.h"
#include "model/commits/commits.h"
#include "model/verdict/series_history.h"

/* A change of one series, and the commits of the chain between which it lies. */
struct bisect_change {
	const struct history *history;
	enum metric metric;
	bool relative; /* sessions and means of the model are logarithms */
	double noise;  /* between commits; relative if `relative` */
	struct location_interval borders;
	const struct revision *good, *bad;
	double effect, low, high; /* with its 95 % confidence interval; a difference if not
				   * `relative` */
	bool worse;
	const char **others; /* other series that got worse in the same range */
	size_t other_count;
};

/* Why a commit cannot be the cause. */
enum bisect_same { BISECT_SAME_NOT, BISECT_SAME_TREE, BISECT_SAME_KERNEL };

/* The commits in question, with their measurements. */
struct bisect_case {
	struct bisect_change change;
	struct commit_range lineage;
	struct bisect_commit *commits; /* parallel to lineage.items */
	enum bisect_same *same;
	struct bisect *bisect;
	enum bisect_same identical; /* whether code or kernel is the same before and after */
	size_t without_data;
	/* What follows. */
	bool decided;    /* lineage.items[bisect->best] is the cause */
	size_t next;     /* bisect_none: decided, or no measurement would help */
	size_t sessions; /* sessions of one commit; 0: no number is enough */
	double forecast; /* expected sessions until it is decided; NAN: unknown */
	double error;
	const char *name; /* short name of the series */
};

/* Probability above which the cause counts as decided. */
static const double bisect_certainty = 0.95;

/* Converts a value of the model to the metric's unit. */
static inline double bisect_number(const struct bisect_change *change, double value)
{
	return change->relative ? exp(value) : value;
}
