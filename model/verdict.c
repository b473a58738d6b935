/* The judge: medians against limits. */
#include "model/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"

static const struct {
	const char *name, *mark;
} words[VERDICT_LIMIT] = {
	[VERDICT_REGRESSED] = {"regressed", "▲"},
	[VERDICT_MISSING] = {"missing", "?"},
	[VERDICT_INCOMPARABLE] = {"incomparable", "≠"},
	[VERDICT_UNDECIDED] = {"undecided", "~"},
	[VERDICT_NO_BASELINE] = {"no-baseline", "·"},
	[VERDICT_NEW] = {"new", "+"},
	[VERDICT_STALE] = {"stale", "…"},
	[VERDICT_IMPROVED] = {"improved", "▼"},
	[VERDICT_UNCHANGED] = {"unchanged", "="},
};

const char *verdict_name(enum verdict verdict)
{
	return words[verdict].name;
}

const char *verdict_mark(enum verdict verdict)
{
	return words[verdict].mark;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* A sorted copy. */
static double *sorted(struct arena *arena, const double *values, size_t count)
{
	double *copy = arena_array(arena, count, sizeof *copy);
	if (count)
		memcpy(copy, values, count * sizeof *copy);
	qsort(copy, count, sizeof *copy, by_value);
	return copy;
}

static double middle(const double *values, size_t count)
{
	if (count == 0)
		return NAN;
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

double median_of(const double *values, size_t count)
{
	struct arena arena = {0};
	double result = middle(sorted(&arena, values, count), count);
	arena_free(&arena);
	return result;
}

static struct judgement decide(struct arena *arena, enum metric metric, const struct limits *limits,
			       struct judgement judged, bool overlap)
{
	double difference = judged.candidate - judged.baseline;
	double limit = fmax(limits->relative * fabs(judged.baseline), limits->absolute);
	const struct metric_info *info = metric_info(metric);
	/* A metric that is neither good nor bad counts any change as one for the worse. */
	bool worse = info->direction == METRIC_HIGHER ? difference < 0 : difference > 0;
	const char *by = quantity_text(arena, fabs(difference), info->unit);
	const char *allowed = quantity_text(arena, limit, info->unit);

	if (fabs(difference) <= limit) {
		judged.verdict = VERDICT_UNCHANGED;
		judged.reason =
			arena_printf(arena, "differs by %s, within the limit of %s", by, allowed);
	} else if (overlap) {
		judged.verdict = VERDICT_UNDECIDED;
		judged.reason = arena_printf(arena,
					     "the medians differ by %s (limit %s), but the repeats "
					     "of both sides overlap: "
					     "more runs would decide",
					     by, allowed);
	} else {
		judged.verdict = worse || info->direction == METRIC_NEITHER ? VERDICT_REGRESSED
									    : VERDICT_IMPROVED;
		judged.reason = arena_printf(arena, "%s by %s, the limit is %s",
					     difference > 0 ? "larger" : "smaller", by, allowed);
	}
	return judged;
}

struct judgement verdict_of(struct arena *arena, enum metric metric, const struct limits *limits,
			    const double *baseline, size_t baseline_count, const double *candidate,
			    size_t candidate_count)
{
	double *old = sorted(arena, baseline, baseline_count);
	double *new = sorted(arena, candidate, candidate_count);
	struct judgement judged = {VERDICT_NO_BASELINE, middle(old, baseline_count),
				   middle(new, candidate_count), NAN, ""};
	if (isnan(judged.candidate)) {
		judged.verdict = VERDICT_MISSING;
		judged.reason = "the candidate has no value";
		return judged;
	}
	if (isnan(judged.baseline)) {
		judged.reason = "the baseline has no value";
		return judged;
	}
	if (judged.baseline != 0)
		judged.change = judged.candidate / judged.baseline - 1;
	bool repeats = baseline_count > 1 || candidate_count > 1;
	bool overlap =
		repeats && old[0] <= new[candidate_count - 1] && new[0] <= old[baseline_count - 1];
	return decide(arena, metric, limits, judged, overlap);
}
