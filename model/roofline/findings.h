/*
 * Findings: messages about a run, each from one row of the rule table. A finding has its trigger
 * (metric, value, threshold), advice, and an upper bound of the gain, computed by formula if the
 * profile allows it.
 */
#pragma once

#include "base/base.h"
#include "base/text/text.h"
#include "model/message/message.h"
#include "model/roofline/potential_gain.h"
#include "model/run/run.h"

/* Most important first: data problems that make the numbers doubtful, then problems, then good
 * news. */
enum severity { SEVERITY_DATA, SEVERITY_PROBLEM, SEVERITY_INFO };

struct finding {
	const char *rule;            /* "startup-dominated" */
	const struct message *title; /* what to do, as a short name for a list of opportunities */
	enum severity severity;
	const struct message *text; /* one sentence with value and limit */
	enum message_code advice;   /* what to do; MESSAGE_NONE: nothing */
	const char *metric;         /* name of the trigger: a metric key, or the rule's own word */
	double value;
	double threshold;
	enum unit unit; /* of value and threshold */
	struct potential_gain gain;
	bool local; /* the profiler estimates it for one unit alone, not for the run's time */
};

struct finding_list {
	struct finding *items;
	size_t count;
	size_t capacity;
};

/* The vendor's library whose kernels have names like this symbol; NULL: none known. */
const char *findings_library_of(const char *symbol);
const char *findings_severity_name(enum severity severity);

/* The opportunities: problems with the largest gains first, then those whose estimate is local,
 * then problems of unknown gain; each title once. Returns their number, at most OPPORTUNITIES. */
enum { OPPORTUNITIES = 3 };
size_t findings_opportunities(const struct finding_list *findings,
			      const struct finding *opportunities[OPPORTUNITIES]);

/* All findings of a derived run, those of the profiler included: by severity, then by gain, then in
 * table order. */
void findings_of(struct arena *arena, const struct run *run, struct finding_list *list);
