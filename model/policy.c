/* Rows of the gate: defaults and what they fit. */
#include "model/policy.h"

#include <math.h>

#include "base/span.h"

const struct policy default_policy = {
	.name = "default",
	.kernel = "*",
	.metric = METRIC_TOTAL_TIME,
	.own_headline = true,
	.own_direction = true,
	.limits = {NAN, 0},
	.tolerance = 0.05,
	.alpha = 0.01,
	.noise = NAN,
	.least_runs = 1,
	.confirm = true,
	.at_least = NAN,
	.at_most = NAN,
};

const struct gate_settings default_settings = {
	.false_discovery = 0.10,
	.together = 0.20,
	.window = 30,
	.stale_days = 30,
	.creep = true,
};

double policy_limit(const struct policy *policy, double baseline, bool exact)
{
	static const double least_of_noisy = 0.01;
	double relative = policy->limits.relative;
	if (isnan(relative))
		relative = exact ? 0 : least_of_noisy;
	return fmax(relative * fabs(baseline), policy->limits.absolute);
}

bool policy_is_absolute(const struct policy *policy)
{
	return !isnan(policy->at_least) || !isnan(policy->at_most);
}

static bool fits(const char *pattern, const char *text)
{
	return !pattern || span_glob(pattern, text ? text : "");
}

bool policy_fits(const struct policy *policy, const struct run *run)
{
	return fits(policy->kernel, run->kernel) && fits(policy->variant, run->variant) &&
	       fits(policy->device, run->device);
}

enum metric policy_metric(const struct policy *policy, const struct run *run)
{
	enum metric own = policy->own_headline ? run_headline(run) : policy->metric;
	return own == METRIC_COUNT ? policy->metric : own;
}

enum metric_direction policy_direction(const struct policy *policy, enum metric metric)
{
	return policy->own_direction ? metric_info(metric)->direction : policy->direction;
}
