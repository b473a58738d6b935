/* Files of one measurement are repeats of it, and so are the runs of a file. Where files lie too
 * far apart for that, one of them measured something else, or was never measured. Where many runs
 * of a file do, the kernel is now and then slow. The median must not hide what they show. */

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

/* The values of the runs: of one that sums up repeats, those of the repeats. */
static struct verdict_values repeats_of(struct arena *arena, const struct comparison *one,
					const struct run_list *runs)
{
	size_t room = 0, count = 0;
	for (size_t i = 0; i < runs->count; i++) {
		const struct run_spread *spread = run_spread(runs->items[i], one->metric);
		room += 1 + (spread ? spread->number_count : 0);
	}
	double *values = arena_array(arena, room, sizeof *values);
	for (size_t i = 0; i < runs->count; i++) {
		const struct run_spread *spread = run_spread(runs->items[i], one->metric);
		double own = run_number(runs->items[i], one->metric);
		if (spread && spread->number_count) {
			memcpy(values + count, spread->numbers,
			       spread->number_count * sizeof *values);
			count += spread->number_count;
		} else if (isfinite(own)) {
			values[count++] = own;
		}
	}
	return (struct verdict_values){values, count};
}

/* Those that are worse than the baseline, beyond what repeats may differ by. */
static struct verdict_values slow_of(struct arena *arena, const struct comparison *one,
				     struct verdict_values all)
{
	double level = one->judged.baseline, limit = limit_of(one) * fabs(level);
	double *values = arena_array(arena, all.count, sizeof *values);
	size_t count = 0;
	for (size_t i = 0; i < all.count; i++)
		if (gate_is_worse_than(one, level, all.values[i]) &&
		    fabs(all.values[i] - level) > limit)
			values[count++] = all.values[i];
	return (struct verdict_values){values, count};
}

/* A kernel that is slow in two repeats and a third of all, and was not so before, is slower: its
 * median is a matter of luck. */
static void doubt_modes(struct arena *arena, struct comparison *one,
			const struct repeated_file *file)
{
	enum { LEAST_SLOW = 2, SHARE = 3 };
	enum unit unit = metric_info(one->metric)->unit;
	if (!verdict_is_by_history(&one->judged))
		return;
	struct verdict_values now = repeats_of(arena, one, &file->runs);
	struct verdict_values before = repeats_of(arena, one, &one->series->baseline);
	struct verdict_values slow = slow_of(arena, one, now);
	if (slow.count < LEAST_SLOW || SHARE * slow.count < now.count ||
	    SHARE * slow_of(arena, one, before).count > before.count ||
	    gate_judge_values(arena, one, slow).verdict != VERDICT_REGRESSED)
		return;
	one->judged.verdict = VERDICT_SUSPECT;
	one->judged.reason = message_of(arena, MESSAGE_REPEATS_SLOW, message_integer(slow.count),
					message_integer(now.count), message_text(file->source),
					message_quantity(median_of(slow.values, slow.count), unit),
					message_quantity(one->judged.baseline, unit));
}

void gate_doubt_repeats(struct arena *arena, struct comparison *one)
{
	enum verdict verdict = one->judged.verdict;
	if (verdict != VERDICT_UNCHANGED && verdict != VERDICT_IMPROVED && verdict != VERDICT_HELD)
		return;
	struct run_list runs = sorted_runs(arena, one);
	struct repeated_file low = {0}, high = {0};
	for (size_t i = 0; i < runs.count;) {
		struct repeated_file file = file_at(arena, one, &runs, i);
		bool begins = i == 0 || run_by_measurement(runs.items[i], runs.items[i - 1]) != 0;
		i += file.runs.count;
		if (one->judged.verdict == verdict)
			doubt_modes(arena, one, &file);
		if (begins || file.value < low.value)
			low = file;
		if (begins || file.value > high.value)
			high = file;
		bool ends = i == runs.count || run_by_measurement(runs.items[i], runs.items[i - 1]);
		if (ends && one->judged.verdict == verdict)
			doubt(arena, one, &low, &high);
	}
}
