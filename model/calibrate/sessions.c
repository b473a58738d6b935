/* Noise within commits: the differences between sessions of one commit. */

#include "model/calibrate/calibrate.h"
#include "model/changepoint/changepoint.h"

static int by_row(const void *a, const void *b)
{
	const struct calibrate_run *x = a, *y = b;
	return (x->row > y->row) - (x->row < y->row);
}

/* A value of a commit, as a logarithm, with its run, which determines the session. */
struct timed {
	const struct run *run;
	double value;
};

static int by_session(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;
	int order = run_by_measurement(x->run, y->run);
	if (order)
		return order;
	return (x->value > y->value) - (x->value < y->value);
}

/* Adds the squared distances of a commit's sessions from their mean, and their degrees of freedom;
 * returns the number of sessions. */
static size_t add_commit(struct arena *arena, struct timed *values, size_t count, double *squares,
			 double *freedom)
{
	double *x = arena_array(arena, count + 1, sizeof *x), mean = 0;
	double *session = arena_array(arena, count + 1, sizeof *session);
	size_t sessions = 0;
	array_sort(values, count, sizeof *values, by_session);
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from;
		     to < count && run_by_measurement(values[to].run, values[from].run) == 0; to++)
			session[to - from] = values[to].value;
		x[sessions++] = noise_location(arena, session, to - from);
	}
	if (sessions < 2)
		return sessions;
	for (size_t i = 0; i < sessions; i++)
		mean += x[i] / (double)sessions;
	for (size_t i = 0; i < sessions; i++)
		*squares += (x[i] - mean) * (x[i] - mean);
	*freedom += (double)sessions - 1;
	return sessions;
}

/* One series, and the runs whose session is known. */
struct reading {
	const struct history *history;
	const double *values;
	const struct calibrate_run *runs;
	size_t count;
};

/* Reads the runs from..to-1, which belong to one commit. */
static size_t read_commit(const struct reading *r, size_t from, size_t to, struct timed *values)
{
	size_t count = 0;
	for (size_t i = from; i < to; i++) {
		const struct calibrate_run wanted = {.row = r->history->runs[i].row};
		const struct calibrate_run *run =
			r->count ? bsearch(&wanted, r->runs, r->count, sizeof wanted, by_row)
				 : NULL;
		if (run && r->values[i] > 0)
			values[count++] = (struct timed){run->run, log(r->values[i])};
	}
	return count;
}

static void find_within(const struct calibration *c, struct calibrate_series *one,
			const struct calibrate_run *runs, size_t count)
{
	const struct history *history = one->history;
	struct reading reading = {history, history->values, runs, count};
	double squares = 0, freedom = 0;
	for (size_t metric = 0; c->set->metrics[metric] != one->metric; metric++)
		reading.values += history->run_count;
	for (size_t from = 0, to; from < history->run_count; from = to) {
		struct arena scratch = {NULL, 0};
		to = from + 1;
		while (to < history->run_count &&
		       history->runs[to].commit == history->runs[from].commit)
			to++;
		if (to - from < 2)
			continue;
		struct timed *values = arena_array(&scratch, to - from, sizeof *values);
		size_t known = read_commit(&reading, from, to, values);
		one->sessions += add_commit(&scratch, values, known, &squares, &freedom) > 1;
		arena_free(&scratch);
	}
	one->within = freedom > 0 ? sqrt(squares / freedom) : NAN;
}

void calibrate_sessions(struct calibration *c, const struct calibrate_run *runs, size_t count)
{
	for (size_t i = 0; i < c->count; i++)
		find_within(c, &c->series[i], runs, count);
}
