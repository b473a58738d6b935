/* Rules of the gate: their defaults, what they match, and what they demand. */
#include "model/verdict/policy.h"

#include "base/text/text.h"
#include "base/base.h"

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
	.drift = true,
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

const struct message *policy_message(struct arena *arena, const struct policy *policy)
{
	enum unit unit = metric_info(policy->metric)->unit;
	struct message_value least = message_quantity(policy->at_least, unit);
	struct message_value most = message_quantity(policy->at_most, unit);
	if (!isnan(policy->at_least) && !isnan(policy->at_most))
		return message_of(arena, MESSAGE_RULE_BETWEEN, least, most);
	if (!isnan(policy->at_most))
		return message_of(arena, MESSAGE_RULE_AT_MOST, most);
	if (!isnan(policy->at_least))
		return message_of(arena, MESSAGE_RULE_AT_LEAST, least);
	struct message_value relative = message_fraction(
		isnan(policy->limits.relative) ? least_of_noisy : policy->limits.relative);
	if (policy->limits.absolute > 0)
		return message_of(arena, MESSAGE_RULE_WORSE_AND, relative,
				  message_quantity(policy->limits.absolute, unit));
	return message_of(arena, MESSAGE_RULE_WORSE, relative);
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

static void refine(struct policy *policy, const struct policy *by)
{
	if (by->given & POLICY_RELATIVE)
		policy->limits.relative = by->limits.relative;
	if (by->given & POLICY_TOLERANCE)
		policy->tolerance = by->tolerance;
	if (by->given & POLICY_ALPHA)
		policy->alpha = by->alpha;
	if (by->given & POLICY_NOISE)
		policy->noise = by->noise;
}

const struct policy *policy_refined(struct arena *arena, const struct policy_list *policies,
				    const struct policy *policy, const struct run *run)
{
	struct policy *refined = NULL;
	for (size_t i = 0; i < policies->count; i++) {
		const struct policy *by = &policies->items[i];
		if (!by->refines || strcmp(by->refines, policy->name) != 0 || !policy_fits(by, run))
			continue;
		if (!refined) {
			refined = arena_new(arena, struct policy);
			*refined = *policy;
		}
		refine(refined, by);
	}
	return refined ? refined : policy;
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

enum metric_direction policy_list_direction(const struct policy_list *policies,
					    const struct run *run, enum metric metric)
{
	const struct policy *found = NULL;
	for (size_t i = 0; i < policies->count; i++) {
		const struct policy *row = &policies->items[i];
		bool decides = row->role == POLICY_PRIMARY;
		if (row->refines || !policy_fits(row, run) || policy_metric(row, run) != metric)
			continue;
		if (!found || (decides && found->role != POLICY_PRIMARY))
			found = row;
	}
	return found ? policy_direction(found, metric) : metric_info(metric)->direction;
}
