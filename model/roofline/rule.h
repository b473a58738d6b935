/*
 * A rule of model/roofline/findings.c is a row: a trigger value, how it compares with its
 * threshold, the codes of its title, sentence and advice, and the gain it bounds. The
 * rows of GPU runs are those of model/roofline/findings_gpu_rules.c.
 */
#pragma once

#include "model/roofline/findings.h"
#include "model/roofline/potential_gain.h"

enum comparison { ABOVE, AT_LEAST, BELOW, AT_MOST };

enum { RULE_DETAILS = 4 };

/* What a trigger adds: those values of the rule's message that are neither "value" nor "limit", in
 * their order. */
struct rule_details {
	struct arena *arena; /* of parts */
	struct message_value values[RULE_DETAILS];
};

/* A trigger returns its value, NAN when the rule does not apply. */
typedef double trigger(const struct run *run, struct rule_details *details);

struct rule {
	const char *id;
	enum message_code title;
	enum severity severity;
	const char *metric;
	trigger *value; /* NULL: the metric itself */
	enum comparison comparison;
	double threshold;
	enum unit unit;
	enum message_code text;
	enum message_code advice;
	gain_function *gain; /* NULL: none can be computed */
};

const struct rule *findings_gpu_rules(size_t *count);
