/*
 * A rule is a row of a table: trigger value, comparison, threshold, the codes of its title,
 * sentence and advice, and the gain that it bounds. General rules are in model/roofline/findings.c,
 * those for GPU runs in model/roofline/rules_gpu.c,
 * those for work that was not done in model/roofline/rules_skipped.c.
 */
#pragma once

#include "model/roofline/findings.h"
#include "model/roofline/potential_gain.h"

enum comparison { ABOVE, AT_LEAST, BELOW, AT_MOST };

enum { RULE_DETAILS = 4 };

/* Details added by a trigger: the values of the rule's message other than "value" and "limit", in
 * their order. */
struct rule_details {
	struct arena *arena; /* of parts */
	struct message_value values[RULE_DETAILS];
};

/* A trigger returns its value; NAN: the rule does not apply. */
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
	gain_function *gain; /* NULL: not computable */
};

const struct rule *findings_gpu_rules(size_t *count);
const struct rule *findings_skipped_rules(size_t *count);
