/* Rows of the gate: defaults and what they fit. */
#include "model/policy.h"

#include <math.h>

#include "base/quantity.h"
#include "base/span.h"

static const double least_of_noisy = 0.01;

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
	double relative = policy->limits.relative;
	if (isnan(relative))
		relative = exact ? 0 : least_of_noisy;
	return fmax(relative * fabs(baseline), policy->limits.absolute);
}

bool policy_is_absolute(const struct policy *policy)
{
	return !isnan(policy->at_least) || !isnan(policy->at_most);
}

const char *policy_words(struct arena *arena, const struct policy *policy)
{
	enum unit unit = metric_info(policy->metric)->unit;
	const char *least = quantity_text(arena, policy->at_least, unit);
	const char *most = quantity_text(arena, policy->at_most, unit);
	if (!isnan(policy->at_least) && !isnan(policy->at_most))
		return arena_printf(arena, "%s to %s", least, most);
	if (policy_is_absolute(policy))
		return isnan(policy->at_least) ? arena_printf(arena, "at most %s", most)
					       : arena_printf(arena, "at least %s", least);
	double relative = isnan(policy->limits.relative) ? least_of_noisy : policy->limits.relative;
	const char *words = quantity_text(arena, relative, UNIT_FRACTION);
	if (policy->limits.absolute > 0)
		words = arena_printf(arena, "%s and %s", words,
				     quantity_text(arena, policy->limits.absolute, unit));
	return arena_printf(arena, "worse by %s or more", words);
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
