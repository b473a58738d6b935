/* Files of one measurement are repeats of it. Where they lie too far apart for that, one of them
 * measured something else, or was never measured: their median must not hide what one of them
 * shows. */

#include "model/gate/internal.h"
#include "model/statistics/statistics.h"

/* The runs of one file in one measurement. */
struct repeated_file {
	const char *source;
	struct run_list runs;
	double value; /* median */
};

static int by_file(const void *a, const void *b)
{
	const struct run *x = *(const struct run *const *)a, *y = *(const struct run *const *)b;
	int order = run_by_measurement(x, y);
	return order ? order : strcmp(x->source ? x->source : "", y->source ? y->source : "");
}

/* The runs that have the metric, sorted by measurement and file. */
static struct run_list sorted_runs(struct arena *arena, const struct comparison *one)
{
	const struct run_list *all = &one->series->candidate;
	struct run_list runs = {0};
	for (size_t i = 0; i < all->count; i++)
		if (isfinite(run_number(all->items[i], one->metric)))
			run_list_add(arena, &runs, all->items[i]);
	array_sort(runs.items, runs.count, sizeof *runs.items, by_file);
	return runs;
}

/* The runs from `at` on that are of one file. */
static struct repeated_file file_at(struct arena *arena, const struct comparison *one,
				    const struct run_list *runs, size_t at)
{
	const char *source = runs->items[at]->source;
	struct repeated_file file = {.source = source ? source : ""};
	for (size_t i = at;
	     i < runs->count && by_file(&runs->items[i], (const void *)&runs->items[at]) == 0; i++)
		run_list_add(arena, &file.runs, runs->items[i]);
	file.value = gate_median(&file.runs, one->metric);
	return file;
}

static bool is_bad_alone(struct arena *arena, const struct comparison *one,
			 const struct repeated_file *file)
{
	struct verdict_values values = gate_values_of_runs(arena, &file->runs, one->metric);
	double noise = isnan(one->history.noise) ? one->history.pooled : one->history.noise;
	struct judgement alone =
		policy_is_absolute(one->policy)
			? verdict_by_limit(arena, one->policy, one->metric, noise, values)
			: gate_judge_runs(arena, one, &file->runs);
	return alone.verdict == VERDICT_REGRESSED || alone.verdict == VERDICT_FAILED;
}

/* How far apart, relative to their values, files are that cannot be repeats. Single captures are
 * noisier than commits, and a capture that went wrong is not rare, so the limit is wide. */
static double limit_of(const struct comparison *one)
{
	static const double usual = 10; /* standard deviations between commits */
	static const double tolerances = 2;
	const struct judgement *judged = &one->judged;
	bool relative = verdict_is_by_history(judged) && judged->result.relative;
	double sd = relative ? judged->result.scale : one->history.noise;
	return fmax(usual * sd, tolerances * one->policy->tolerance);
}

static void doubt(struct arena *arena, struct comparison *one, const struct repeated_file *low,
		  const struct repeated_file *high)
{
	enum unit unit = metric_info(one->metric)->unit;
	double middle = (fabs(low->value) + fabs(high->value)) / 2;
	if (!(high->value - low->value > limit_of(one) * middle) ||
	    (!is_bad_alone(arena, one, low) && !is_bad_alone(arena, one, high)))
		return;
	one->judged.verdict = VERDICT_SUSPECT;
	one->judged.reason =
		message_of(arena, MESSAGE_REPEATS_APART, message_text(low->source),
			   message_quantity(low->value, unit), message_text(high->source),
			   message_quantity(high->value, unit));
}

void gate_doubt_repeats(struct arena *arena, struct comparison *one)
{
	enum verdict verdict = one->judged.verdict;
	if (one->series->candidate.count < 2 ||
	    (verdict != VERDICT_UNCHANGED && verdict != VERDICT_IMPROVED &&
	     verdict != VERDICT_HELD))
		return;
	struct run_list runs = sorted_runs(arena, one);
	struct repeated_file low = {0}, high = {0};
	for (size_t i = 0; i < runs.count;) {
		struct repeated_file file = file_at(arena, one, &runs, i);
		bool begins = i == 0 || run_by_measurement(runs.items[i], runs.items[i - 1]) != 0;
		i += file.runs.count;
		if (begins || file.value < low.value)
			low = file;
		if (begins || file.value > high.value)
			high = file;
		bool ends = i == runs.count || run_by_measurement(runs.items[i], runs.items[i - 1]);
		if (ends && one->judged.verdict == verdict)
			doubt(arena, one, &low, &high);
	}
}
