/*
 * A rule of model/roofline/findings.c is a row: a trigger value, how it compares with its
 * threshold, the sentence, the advice, and the gain it bounds. In sentences
 * {value}, {limit} and {detail} are filled in. The rows of GPU runs are those of
 * model/roofline/rules_gpu.c.
 */
#ifndef MODEL_ROOFLINE_RULE_H
#define MODEL_ROOFLINE_RULE_H

#include "model/roofline/findings.h"
#include "model/roofline/potential_gain.h"

enum comparison { ABOVE, AT_LEAST, BELOW, AT_MOST };

/* A trigger returns its value, NAN when the rule does not apply; `detail` may be set. */
typedef double trigger(struct arena *arena, const struct run *run, const char **detail);

struct rule {
	const char *id;
	const char *title;
	enum severity severity;
	const char *metric;
	trigger *value;
	enum comparison comparison;
	double threshold;
	enum unit unit;
	const char *text;
	const char *advice;
	gain_function *gain; /* NULL: none can be computed */
};

const struct rule *rules_gpu(size_t *count);

#endif
