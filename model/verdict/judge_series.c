/* Judges the series of a table. */
#include "model/verdict/judge_series.h"

#include "model/changepoint/changepoint.h"
#include "model/statistics/statistics.h"

/* --- one case --- */

static struct judge_result judge_commits(const struct measured_series *series, size_t count,
					 const double *candidate, size_t repeats,
					 const struct judge_options *options)
{
	struct arena scratch = {NULL, 0};
	struct detect_options detect = detect_defaults();
	struct measured_series before = {series->name, series->commits, count};
	const double *history = measured_series_values(&scratch, &before);
	struct detect_result changes = detect_changes(&scratch, history, count, &detect);
	size_t from = changes.count ? changes.changes[changes.count - 1].index : 0;
	struct judge_result result =
		judge(&scratch, history + from, count - from, candidate, repeats, options);
	arena_free(&scratch);
	return result;
}

/* Index of the candidate: the last one, or the first one after --base. */
static size_t find_candidate(const struct measured_series *series, const struct judge_table *asked)
{
	size_t at = 0;
	assert(series->count > 0);
	if (!asked->has_base)
		return series->count - 1;
	while (at < series->count && series->commits[at].index <= asked->base)
		at++;
	return at;
}

/* The repeats of all commits from `at` on. */
static size_t gather(struct arena *arena, const struct measured_series *series, size_t at,
		     double **values)
{
	size_t count = 0, used = 0;
	for (size_t i = at; i < series->count; i++)
		count += series->commits[i].count;
	*values = arena_array(arena, count, sizeof **values);
	for (size_t i = at; i < series->count; i++)
		for (size_t k = 0; k < series->commits[i].count; k++)
			(*values)[used++] = series->commits[i].values[k];
	return count;
}

int judge_series(struct arena *arena, const struct judge_table *asked,
		 const struct measured_series *series, struct judged_series *out, struct error *err)
{
	struct judge_options options = judge_defaults();
	size_t at = find_candidate(series, asked);
	*out = (struct judged_series){.series = series, .q = NAN, .q_faster = NAN};
	options.pool_noise = asked->pool_noise;
	if (at == series->count)
		return error_set(err, ERR_USAGE, "--base %lld: %s%shas no row after this index",
				 asked->base, series->name, series->name[0] ? " " : "the table ");
	const struct measured_commit *candidate = &series->commits[at];
	out->first = judge_commits(series, at, candidate->values, candidate->count, &options);
	out->verdict = judge_name(out->first.verdict);
	out->has_second = at + 1 < series->count;
	if (out->has_second) {
		double *values;
		size_t count = gather(arena, series, at + 1, &values);
		out->second = judge_commits(series, at, values, count, &options);
	}
	return 0;
}

/* --- all cases --- */

/* A slowdown among many series is believed if a second measurement alone shows it. A speed-up is
 * believed at once, because a false one does no harm. */
static const char *decide_together(const struct judged_series *one, double q)
{
	const struct judge_result *first = &one->first;
	bool small = (first->slower ? one->q : one->q_faster) <= q;
	enum judge_verdict verdict = judge_decide(first, small);
	if (verdict != JUDGE_REGRESSED)
		return judge_name(verdict);
	if (!one->has_second)
		return "suspect";
	if (one->second.verdict == JUDGE_REGRESSED)
		return judge_name(JUDGE_REGRESSED);
	return judge_name(one->second.equivalent ? JUDGE_UNCHANGED : JUDGE_UNDECIDED);
}

void judge_series_together(struct arena *arena, struct judged_series *cases, size_t count, double q)
{
	double *slower = arena_array(arena, count, sizeof *slower);
	double *faster = arena_array(arena, count, sizeof *faster);
	for (size_t i = 0; i < count; i++) {
		bool enough = cases[i].first.gates[JUDGE_GATE_COMMITS].passed;
		slower[i] = enough ? cases[i].first.p : NAN;
		faster[i] = enough ? cases[i].first.p_faster : NAN;
	}
	const double *q_slower = false_discovery_adjust(arena, slower, count);
	const double *q_faster = false_discovery_adjust(arena, faster, count);
	for (size_t i = 0; i < count; i++) {
		cases[i].q = q_slower[i];
		cases[i].q_faster = q_faster[i];
		cases[i].verdict = decide_together(&cases[i], q);
	}
}
