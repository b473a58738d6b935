/* Numbers that an older commit has: a file that was measured there and is brought again says
 * nothing about the candidate. A noisy series hits an old value now and then. Many series do not do
 * so at once, with the values of one commit.
 *
 * In a deterministic series, for example a simulator's, a change of the documentation must have the
 * old numbers. The history of such series has equal values, too. So a series is not a witness if
 * its neighbouring commits are often equal, if its values stay where a commit put them, or if it
 * moves in step with another one. If two commits of the history are as equal, no series is. */
#include "model/gate/internal.h"
#include "model/statistics/statistics.h"

enum {
	NEWEST = 30,      /* commits with data in which equal values are counted */
	LEAST = 20,       /* commits that show how a series varies */
	NEAR = 8,         /* commits within this distance are neighbours */
	LEAST_EQUAL = 3,  /* equal values; fewer are never beyond chance */
	RULE_OF_THREE = 3 /* equal pairs that may not have shown, with 95 % confidence */
};
/* Smaller probabilities are not chance: for the candidate, and for pairs in the history. */
static const double no_chance = 1e-6, no_chance_on_record = 1e-3;
/* The share of the pairs that may be equal. */
static const double most_equal = 0.05;
/* Squares of the steps from commit to commit, in squares of the distances from the mean: 2 for
 * independent values, and near 0 where they stay where a commit put them. */
static const double least_steps = 1.2;
/* Correlation of two series beyond which they show one noise. */
static const double in_step = 0.95;

/* One series that may be a witness. */
struct witness {
	const struct comparison *one;
	size_t metric;                /* index into the histories' metrics */
	struct history_points points; /* the newest ones */
	double pairs, equal;          /* of values of neighbours */
	double repeats, same;         /* pairs of repeats, and equal ones */
};

/* Two commits at which a series has a value in common. */
struct twins {
	uint32_t newer, older; /* indices into the chain */
	const struct comparison *one;
};

struct record {
	struct witness *witnesses;
	size_t count;
	size_t varying; /* series whose neighbours are rarely equal, witnesses or not */
	struct {
		struct twins *items;
		size_t count, capacity;
	} twins;
	double pairs, equal; /* of all witnesses */
};

static bool is_judged_by_values(const struct gate_result *gate, const struct comparison *one)
{
	return one->series->history && one->series->candidate.count &&
	       metric_info(one->metric)->role != METRIC_ROLE_COUNTER &&
	       gate_metric_index(gate, one->metric) < gate->input->histories->metric_count;
}

/* The first comparison of each series speaks for it, because its metrics depend on each other. */
static bool speaks(const struct gate_result *gate, size_t at)
{
	const struct comparison *one = &gate->comparisons[at];
	for (size_t i = at; i-- > 0 && gate->comparisons[i].series == one->series;)
		if (is_judged_by_values(gate, &gate->comparisons[i]))
			return false;
	return is_judged_by_values(gate, one);
}

static const double *values_of(const struct comparison *one, size_t metric)
{
	const struct history *history = one->series->history;
	return history->values + metric * history->run_count;
}

/* Whether the candidate's numbers may be copied from the commit. */
static bool is_older(const struct gate_result *gate, uint32_t commit)
{
	const struct revision *chain = gate->input->histories->chain;
	return commit >= gate->input->newest &&
	       (commit > 0 || strcmp(chain[0].oid, gate->input->candidate.oid) != 0);
}

/* The runs' different values of the metric, ascending. */
static struct verdict_values different(struct arena *arena, const struct run_list *runs,
				       enum metric metric)
{
	struct verdict_values all = gate_values_of_runs(arena, runs, metric);
	double *values = arena_array(arena, all.count + 1, sizeof *values);
	size_t count = 0;
	memcpy(values, all.values, all.count * sizeof *values);
	qsort(values, all.count, sizeof *values, array_by_double);
	for (size_t i = 0; i < all.count; i++)
		if (i == 0 || values[i] != values[i - 1])
			values[count++] = values[i];
	return (struct verdict_values){values, count};
}

/* One commit of a series' history, whose runs end at `to`. */
struct at_commit {
	size_t to;
	size_t known; /* runs that have the metric */
	size_t equal; /* values of `now` that they have */
};

static struct at_commit look_at(const struct history *history, const double *values, size_t from,
				struct verdict_values now)
{
	struct at_commit at = {.to = from};
	for (; at.to < history->run_count &&
	       history->runs[at.to].commit == history->runs[from].commit;
	     at.to++)
		at.known += isfinite(values[at.to]) != 0;
	for (size_t i = 0; i < now.count; i++) {
		bool found = false;
		for (size_t k = from; k < at.to && !found; k++)
			found = values[k] == now.values[i];
		at.equal += found;
	}
	return at;
}

/* What the values of a measurement have in common with each commit of the chain. */
struct matches {
	size_t *equal, *trials; /* by index into the chain */
	double *expected;       /* of `equal`, by chance */
};

static void add_matches(struct arena *scratch, const struct gate_result *gate,
			const struct comparison *one, const struct run_list *runs, double chance,
			struct matches *m)
{
	const struct history *history = one->series->history;
	const double *values = values_of(one, gate_metric_index(gate, one->metric));
	struct verdict_values now = different(scratch, runs, one->metric);
	for (size_t i = 0, next; now.count && i < history->run_count; i = next) {
		struct at_commit at = look_at(history, values, i, now);
		uint32_t commit = history->runs[i].commit;
		next = at.to;
		if (at.known == 0 || !is_older(gate, commit))
			continue;
		m->equal[commit] += at.equal;
		m->trials[commit] += now.count;
		m->expected[commit] += (double)now.count * fmin(1, (double)at.known * chance);
	}
}

static struct matches no_matches(struct arena *arena, size_t commits)
{
	return (struct matches){arena_array(arena, commits, sizeof(size_t)),
				arena_array(arena, commits, sizeof(size_t)),
				arena_array(arena, commits, sizeof(double))};
}

/* The probability that `equal` or more of the values are equal when `expected` are. The values may
 * differ in what is expected: where `equal` is beyond `expected` + 1, this is an upper bound
 * (Hoeffding 1956). */
static double chance_of(size_t equal, size_t trials, double expected)
{
	double n = (double)trials, k = (double)equal;
	return equal == 0 || k <= expected + 1 ? 1 : beta_lower(expected / n, k, n - k + 1);
}

struct numbered {
	double value;
	uint32_t rank, commit;
};

static int by_value(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The values of the witness's newest commits, sorted; counts the pairs of neighbours. */
static struct numbered *newest_values(struct arena *arena, const struct gate_result *gate,
				      struct witness *w, size_t *count)
{
	const struct history *history = w->one->series->history;
	const double *values = values_of(w->one, w->metric);
	struct numbered *sorted = arena_array(arena, history->run_count + 1, sizeof *sorted);
	double runs[NEWEST] = {0};
	uint32_t rank = 0;
	*count = 0;
	for (size_t i = history->run_count; i-- > 0;) {
		uint32_t commit = history->runs[i].commit;
		if (!isfinite(values[i]) || !is_older(gate, commit))
			continue;
		rank += *count && sorted[*count - 1].commit != commit;
		if (rank == NEWEST)
			break;
		sorted[(*count)++] = (struct numbered){values[i], rank, commit};
		runs[rank]++;
	}
	for (size_t i = 0; i < NEWEST; i++) {
		w->repeats += runs[i] * (runs[i] - 1) / 2;
		for (size_t k = i + 1; k < NEWEST && k - i <= NEAR; k++)
			w->pairs += runs[i] * runs[k];
	}
	array_sort(sorted, *count, sizeof *sorted, by_value);
	return sorted;
}

/* Counts equal pairs of neighbours and of repeats. False: there are too many. */
static bool count_equal(struct arena *arena, const struct numbered *sorted, size_t count,
			struct witness *w, struct record *record)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count && sorted[k].value == sorted[i].value; k++) {
			uint32_t apart = sorted[k].rank - sorted[i].rank;
			if (apart > NEAR)
				continue;
			if (++*(apart ? &w->equal : &w->same) >
			    most_equal * (apart ? w->pairs : w->repeats))
				return false;
			if (apart == 0)
				continue;
			*arena_add(arena, &record->twins) =
				(struct twins){sorted[i].commit, sorted[k].commit, w->one};
		}
	return true;
}

/* Values as they are compared with each other: logs, if all are positive. */
static void take_logs(struct history_points *points)
{
	bool positive = true;
	for (size_t i = 0; i < points->count; i++)
		positive = positive && points->items[i].value > 0;
	for (size_t i = 0; positive && i < points->count; i++)
		points->items[i].value = log(points->items[i].value);
}

static double mean_of(const struct history_points *points)
{
	double sum = 0;
	for (size_t i = 0; i < points->count; i++)
		sum += points->items[i].value;
	return sum / (double)points->count;
}

/* Whether the values go back and forth, and do not stay where a commit put them. */
static bool is_like_noise(const struct history_points *points)
{
	double mean = mean_of(points), steps = 0, squares = 0;
	for (size_t i = 0; i < points->count; i++) {
		double x = points->items[i].value, before = i ? points->items[i - 1].value : x;
		squares += (x - mean) * (x - mean);
		steps += (x - before) * (x - before);
	}
	return steps > least_steps * squares;
}

static bool are_in_step(const struct history_points *a, const struct history_points *b)
{
	double x = mean_of(a), y = mean_of(b), xx = 0, yy = 0, xy = 0;
	for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
		uint32_t left = a->items[i].commit, right = b->items[k].commit;
		if (left == right) {
			double dx = a->items[i].value - x, dy = b->items[k].value - y;
			xx += dx * dx, yy += dy * dy, xy += dx * dy;
		}
		i += left >= right;
		k += right >= left;
	}
	return fabs(xy) > in_step * sqrt(xx * yy);
}

/* Series in step are looked for among the first ones; where none is, there are many. */
static bool is_one_more(const struct record *record, const struct witness *w)
{
	enum { LOOKED_AT = 32 };
	for (size_t i = 0; i < record->count && i < LOOKED_AT; i++)
		if (are_in_step(&record->witnesses[i].points, &w->points))
			return false;
	return true;
}

static void hear(struct arena *arena, const struct gate_result *gate, const struct comparison *one,
		 struct record *record)
{
	struct witness w = {.one = one, .metric = gate_metric_index(gate, one->metric)};
	size_t twins = record->twins.count, count;
	w.points =
		history_points(arena, one->series->history, w.metric, gate->input->newest, NEWEST);
	if (w.points.count < LEAST)
		return;
	take_logs(&w.points);
	struct numbered *sorted = newest_values(arena, gate, &w, &count);
	bool varies = count_equal(arena, sorted, count, &w, record);
	record->varying += varies;
	if (varies && is_like_noise(&w.points) && is_one_more(record, &w)) {
		record->witnesses[record->count++] = w;
		record->pairs += w.pairs;
		record->equal += w.equal;
	} else {
		record->twins.count = twins;
	}
}

static int by_commits(const void *a, const void *b)
{
	const struct twins *x = a, *y = b;
	if (x->newer != y->newer)
		return x->newer < y->newer ? -1 : 1;
	if (x->older != y->older)
		return x->older < y->older ? -1 : 1;
	return (x->one > y->one) - (x->one < y->one);
}

/* Whether two neighbours in the history have more values in common than chance explains. */
static bool repeats_itself(struct record *record, double chance)
{
	const struct twins *twins = record->twins.items;
	size_t most = 0;
	array_sort(record->twins.items, record->twins.count, sizeof *twins, by_commits);
	for (size_t i = 0, series = 0; i < record->twins.count; i++) {
		bool same = i && twins[i].newer == twins[i - 1].newer &&
			    twins[i].older == twins[i - 1].older;
		series = same ? series + (twins[i].one != twins[i - 1].one) : 1;
		most = series > most ? series : most;
	}
	double expected = (double)record->count * chance;
	return most > 1 &&
	       chance_of(most, record->count, expected) * NEWEST * NEAR < no_chance_on_record;
}

/* The chance that a value of a witness equals one of an older commit; NAN: unknown. */
static double hear_all(struct arena *arena, const struct gate_result *gate, struct record *record)
{
	record->witnesses = arena_array(arena, gate->count, sizeof *record->witnesses);
	for (size_t i = 0; i < gate->count; i++)
		if (speaks(gate, i))
			hear(arena, gate, &gate->comparisons[i], record);
	double chance = (record->equal + RULE_OF_THREE) / record->pairs;
	bool known = record->count > 0 && 2 * record->count >= record->varying &&
		     !repeats_itself(record, chance);
	return known ? chance : NAN;
}

/* --- the candidate: `like` is one run of each measurement --- */

static struct run_list runs_like(struct arena *arena, const struct comparison *one,
				 const struct run *like)
{
	struct run_list runs = {0};
	for (size_t i = 0; i < one->series->candidate.count; i++)
		if (run_by_measurement(one->series->candidate.items[i], like) == 0)
			run_list_add(arena, &runs, one->series->candidate.items[i]);
	return runs;
}

/* Finds the commit that has most of the measurement's values; false: that may be chance. */
static bool find_commit(struct arena *scratch, const struct gate_result *gate,
			const struct record *record, double chance, const struct run *like,
			struct gate_copy *copy)
{
	size_t commits = gate->input->histories->chain_count, looked_at = 0;
	struct matches m = no_matches(scratch, commits);
	copy->chance = 1;
	for (size_t i = 0; i < record->count; i++) {
		struct run_list runs = runs_like(scratch, record->witnesses[i].one, like);
		add_matches(scratch, gate, record->witnesses[i].one, &runs, chance, &m);
	}
	for (size_t i = 0; i < commits; i++)
		looked_at += m.trials[i] > 0;
	for (size_t i = 0; i < commits; i++) {
		double here = chance_of(m.equal[i], m.trials[i], m.expected[i]) * (double)looked_at;
		if (m.equal[i] < LEAST_EQUAL || here >= copy->chance)
			continue;
		copy->chance = here;
		copy->at = (uint32_t)i;
	}
	return copy->chance < no_chance;
}

/* How many values the runs have in common with the commit. */
static size_t count_copied(const struct gate_result *gate, const struct comparison *one,
			   struct verdict_values now, uint32_t commit)
{
	const struct history *history = one->series->history;
	const double *values = values_of(one, gate_metric_index(gate, one->metric));
	for (size_t i = 0; i < history->run_count; i++)
		if (history->runs[i].commit == commit)
			return look_at(history, values, i, now).equal;
	return 0;
}

/* Marks what the measurement has in common with copy->at. */
static void mark(struct arena *arena, struct gate_result *gate, const struct run *like,
		 struct gate_copy copy)
{
	struct arena scratch = {0};
	struct gate_copy *all = arena_new(arena, struct gate_copy);
	*all = copy;
	all->commit = &gate->input->histories->chain[copy.at];
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		if (!is_judged_by_values(gate, one))
			continue;
		struct run_list runs = runs_like(arena, one, like);
		struct verdict_values now = different(&scratch, &runs, one->metric);
		size_t equal = count_copied(gate, one, now, copy.at);
		all->values += speaks(gate, i) ? now.count : 0;
		all->equal += speaks(gate, i) ? equal : 0;
		if (equal == 0)
			continue;
		one->copy = one->copy ? one->copy : all;
		for (size_t k = 0; k < runs.count; k++)
			run_list_add(arena, &one->copied, runs.items[k]);
	}
	arena_free(&scratch);
}

/* Whether the candidate has any number of an older commit often enough to look further. */
static bool any_equal(struct arena *scratch, const struct gate_result *gate)
{
	size_t commits = gate->input->histories->chain_count, most = 0;
	struct matches m = no_matches(scratch, commits);
	for (size_t i = 0; i < gate->count; i++)
		if (speaks(gate, i))
			add_matches(scratch, gate, &gate->comparisons[i],
				    &gate->comparisons[i].series->candidate, 0, &m);
	for (size_t i = 0; i < commits; i++)
		most = m.equal[i] > most ? m.equal[i] : most;
	return most >= LEAST_EQUAL;
}

/* The candidate's runs, those of one measurement next to each other. */
static struct run_list by_measurement(struct arena *arena, const struct gate_result *gate)
{
	struct run_list all = {0};
	for (size_t i = 0; i < gate->count; i++) {
		const struct run_list *runs = &gate->comparisons[i].series->candidate;
		for (size_t k = 0; speaks(gate, i) && k < runs->count; k++)
			run_list_add(arena, &all, runs->items[k]);
	}
	run_sort_by_measurement(all.items, all.count);
	return all;
}

void gate_find_copies(struct arena *arena, struct gate_result *gate)
{
	struct arena scratch = {0};
	struct record record = {0};
	if (gate->input->histories && any_equal(&scratch, gate)) {
		double chance = hear_all(&scratch, gate, &record);
		struct run_list all = by_measurement(&scratch, gate);
		for (size_t i = 0; !isnan(chance) && i < all.count; i++) {
			struct gate_copy copy = {0};
			const struct run *like = all.items[i];
			bool begins = i == 0 || run_by_measurement(like, all.items[i - 1]) != 0;
			if (begins && find_commit(&scratch, gate, &record, chance, like, &copy))
				mark(arena, gate, like, copy);
		}
	}
	arena_free(&scratch);
}
