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

/* What these runs are when they are judged alone. */
static enum verdict alone(struct arena *arena, const struct comparison *one,
			  const struct run_list *runs)
{
	struct verdict_values values = gate_values_of_runs(arena, runs, one->metric);
	double noise = isnan(one->history.noise) ? one->history.pooled : one->history.noise;
	if (policy_is_absolute(one->policy))
		return verdict_by_limit(arena, one->policy, one->metric, noise, values).verdict;
	return gate_judge_runs(arena, one, runs).verdict;
}

static bool is_worse(enum verdict verdict)
{
	return verdict == VERDICT_REGRESSED || verdict == VERDICT_FAILED;
}

static bool is_held(enum verdict verdict)
{
	return verdict == VERDICT_UNCHANGED || verdict == VERDICT_IMPROVED ||
	       verdict == VERDICT_HELD;
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

/* Why files of one measurement are not repeats; NULL: they are. */
static const struct message *doubt_files(struct arena *arena, const struct comparison *one,
					 const struct repeated_file *low,
					 const struct repeated_file *high)
{
	enum unit unit = metric_info(one->metric)->unit;
	double middle = (fabs(low->value) + fabs(high->value)) / 2;
	if (!(high->value - low->value > limit_of(one) * middle) ||
	    (!is_worse(alone(arena, one, &low->runs)) && !is_worse(alone(arena, one, &high->runs))))
		return NULL;
	return message_of(arena, MESSAGE_REPEATS_APART, message_text(low->source),
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

/* Why the median of a file's repeats is a matter of luck: at least two of them, and at least a
 * third, are slow, and more than twice the share of before. NULL: it is not. */
static const struct message *doubt_modes(struct arena *arena, const struct comparison *one,
					 const struct repeated_file *file)
{
	enum { LEAST_SLOW = 2, SHARE = 3, RISE = 2 };
	enum unit unit = metric_info(one->metric)->unit;
	if (!verdict_is_by_history(&one->judged))
		return NULL;
	struct verdict_values now = repeats_of(arena, one, &file->runs);
	struct verdict_values before = repeats_of(arena, one, &one->series->baseline);
	struct verdict_values slow = slow_of(arena, one, now);
	size_t was_slow = slow_of(arena, one, before).count;
	bool rose = was_slow == 0 || slow.count * before.count > RISE * was_slow * now.count;
	if (slow.count < LEAST_SLOW || SHARE * slow.count < now.count || !rose ||
	    gate_judge_values(arena, one, slow).verdict != VERDICT_REGRESSED)
		return NULL;
	return message_of(arena, MESSAGE_REPEATS_SLOW, message_integer(slow.count),
			  message_integer(now.count), message_text(file->source),
			  message_quantity(median_of(slow.values, slow.count), unit),
			  message_quantity(one->judged.baseline, unit));
}

/* The measurement that begins at `at`. */
static struct run_list measurement_at(const struct run_list *runs, size_t at)
{
	struct run_list measurement = {.items = runs->items + at};
	while (at + measurement.count < runs->count &&
	       run_by_measurement(runs->items[at + measurement.count], runs->items[at]) == 0)
		measurement.count++;
	return measurement;
}

/* Why a measurement cannot be believed; NULL: it can. */
static const struct message *doubt(struct arena *arena, const struct comparison *one,
				   const struct run_list *measurement)
{
	struct repeated_file low = {0}, high = {0};
	const struct message *why = NULL;
	for (size_t i = 0; i < measurement->count && !why;) {
		struct repeated_file file = file_at(arena, one, measurement, i);
		if (i == 0 || file.value < low.value)
			low = file;
		if (i == 0 || file.value > high.value)
			high = file;
		i += file.runs.count;
		why = doubt_modes(arena, one, &file);
	}
	return why ? why : doubt_files(arena, one, &low, &high);
}

void gate_doubt_repeats(struct arena *arena, struct comparison *one)
{
	struct run_list runs = {0};
	const struct message *why = NULL;
	if (is_held(one->judged.verdict))
		runs = sorted_runs(arena, one);
	for (size_t i = 0; i < runs.count;) {
		struct run_list measurement = measurement_at(&runs, i);
		const struct message *doubted = doubt(arena, one, &measurement);
		i += measurement.count;
		/* A later measurement without doubts clears an earlier one. */
		if (doubted || (why && is_held(alone(arena, one, &measurement))))
			why = doubted;
	}
	if (!why)
		return;
	one->judged.verdict = VERDICT_SUSPECT;
	one->judged.reason = why;
}
