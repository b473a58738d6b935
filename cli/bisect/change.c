/*
 * Chooses the change to bisect: the newest confirmed change for the worse among the matching
 * series, or whatever lies between two given revisions.
 */

#include "cli/bisect/bisect.h"
#include "cli/runs/runs.h"
#include "model/statistics/statistics.h"

/* Probability that the cause lies outside the borders, on each side. */
static const double location_error = 0.005;
/* In sd of the noise. To put one commit on the right side of half an sd with an error of 1 % takes
 * about 90 sessions: (2 * 2.33 / 0.5)^2. */
static const double minimum_step = 0.5;
enum { NOISE_FROM = 5 }; /* at least this many points estimate the noise from their differences */

/* One series on the chain with the detector's result. Points are ordered from the oldest to the
 * newest. */
struct traced {
	const struct history *history;
	enum metric metric;
	struct history_points points;
	struct detect_result detected;
	double *values; /* one per point; logarithms if detected.relative */
	double *gaps;
	double noise; /* NAN: too few points */
};

/* What all series have in common. */
struct search {
	struct cli *cli;
	const struct bisect_request *request;
	struct history_set set;
	uint32_t good, bad; /* places of the given revisions: good data at or before, bad data at or
			     * after */
};

/* --- the chain --- */

/* The newest commit in the store on the first-parent chain from `oid`, itself included. */
static int newest_stored(struct cli *cli, const char *oid, char stored[65], struct error *err)
{
	snprintf(stored, 65, "%s", oid);
	if (runs_newest_stored(cli, stored, err) < 0)
		return -1;
	if (!stored[0])
		return error_set(
			err, ERR_STORE,
			"neither %.10s nor any ancestor has measurements: ingest its history first",
			oid);
	return 0;
}

static const char *default_commit(struct cli *cli)
{
	struct error ignored;
	const char *start = NULL;
	if (cli_open_repository(cli, &ignored) == 0)
		start = repository_bisect_start(cli->repository, &cli->arena);
	return start ? start : "HEAD";
}

static size_t chain_index(const struct history_set *set, const char *oid)
{
	for (size_t i = 0; i < set->chain_count; i++)
		if (strcmp(set->chain[i].oid, oid) == 0)
			return i;
	return SIZE_MAX;
}

/* The metrics that the request may mean, in order of preference. Derived metrics are refused: they
 * have no stored history. */
static int metrics_of(struct cli *cli, const struct bisect_request *request, enum metric **metrics,
		      size_t *count, struct error *err)
{
	/* In the order of run_headline(). */
	static const enum metric headlines[] = {METRIC_TOTAL_TIME, METRIC_HOST_TIME,
						METRIC_ALGORITHMIC_RATE,
						METRIC_ALGORITHMIC_BANDWIDTH, METRIC_THROUGHPUT};
	*metrics = arena_array(&cli->arena, sizeof headlines / sizeof *headlines, sizeof **metrics);
	*count = sizeof headlines / sizeof *headlines;
	memcpy(*metrics, headlines, sizeof headlines);
	if (!request->metric)
		return 0;
	*count = 1;
	if (option_metric(request->metric, *metrics, err) < 0)
		return -1;
	if (metric_is_derived(**metrics))
		return error_set(err, ERR_USAGE, "%s is derived (%s): choose a measured metric",
				 request->metric, metric_info(**metrics)->formula);
	return 0;
}

static int load_chain(struct search *search, const char *oid, struct error *err)
{
	enum metric *metrics;
	size_t count;
	char stored[65];
	struct cli *cli = search->cli;
	if (metrics_of(cli, search->request, &metrics, &count, err) < 0 ||
	    newest_stored(cli, oid, stored, err) < 0)
		return -1;
	if (store_histories(cli->store, &cli->arena, stored, metrics, count, &search->set, err) < 0)
		return -1;
	return runs_drop_impossible(cli, &search->set, err);
}

/* Finds the places of the given revisions. If the chain does not contain `bad`, the chain of `bad`
 * itself is loaded; otherwise what was measured after `bad` counts as well. `good` need not be on
 * the chain: its place is the newest commit that is not between the two. */
static int locate_given(struct search *search, const char *good, const char *bad, struct error *err)
{
	struct cli *cli = search->cli;
	struct commit_range lineage;
	if (chain_index(&search->set, bad) == SIZE_MAX && load_chain(search, bad, err) < 0)
		return -1;
	if (cli_open_repository(cli, err) < 0 ||
	    repository_between(cli->repository, &cli->arena, good, bad, &lineage, err) < 0)
		return -1;
	if (lineage.count == 0)
		return error_set(err, ERR_USAGE,
				 "no commits between %.10s and %.10s; --good must be the older one",
				 good, bad);
	size_t index = chain_index(&search->set, bad);
	search->bad = index == SIZE_MAX ? 0 : (uint32_t)index;
	search->good = search->bad;
	while (search->good < search->set.chain_count &&
	       commit_range_find(&lineage, search->set.chain[search->good].oid) !=
		       commit_range_none)
		search->good++;
	return 0;
}

/* --- one series --- */

/* Leaves out commits that were first measured after a newer commit was, which are those that a
 * bisection measured. The change must stay the same while it is being bisected, or each new
 * measurement could move the target. */
static struct history_points without_hindsight(struct arena *arena, const struct history *history,
					       const struct history_points *all)
{
	struct history_points selected = {arena_array(arena, all->count, sizeof *selected.items),
					  0};
	int64_t newer = INT64_MAX;
	size_t run = history->run_count;
	for (size_t i = all->count; i-- > 0;) {
		while (run > 0 && history->runs[run - 1].commit < all->items[i].commit)
			run--;
		while (run > 0 && history->runs[run - 1].commit == all->items[i].commit)
			run--;
		int64_t first = history->runs[run].row;
		if (first < newer)
			selected.items[selected.count++] = all->items[i];
		newer = first < newer ? first : newer;
	}
	for (size_t i = 0; i < selected.count / 2; i++) {
		struct history_point swapped = selected.items[i];
		selected.items[i] = selected.items[selected.count - 1 - i];
		selected.items[selected.count - 1 - i] = swapped;
	}
	return selected;
}

/* Fills in all members except the history, the metric and the points. */
static void detect(const struct search *search, struct traced *traced)
{
	struct arena *arena = &search->cli->arena;
	struct detect_options options = detect_defaults();
	size_t count = traced->points.count;
	bool positive = true;
	traced->values = arena_array(arena, count, sizeof *traced->values);
	traced->gaps = arena_array(arena, count, sizeof *traced->gaps);
	for (size_t i = 0; i < count; i++) {
		const struct history_point *point = &traced->points.items[i];
		traced->values[i] = point->value;
		traced->gaps[i] = i ? (double)((point - 1)->commit - point->commit) : 1;
		positive = positive && point->value > 0;
	}
	traced->detected = detect_changes(arena, traced->values, count, &options);
	traced->detected.relative = positive;
	for (size_t i = 0; positive && i < count; i++)
		traced->values[i] = log(traced->values[i]);
	traced->noise = count >= NOISE_FROM ? traced->detected.noise : NAN;
	if (!isnan(search->request->noise) && positive)
		traced->noise = log1p(search->request->noise);
}

static bool is_worse(const struct traced *traced, double difference)
{
	switch (metric_info(traced->metric)->direction) {
	case METRIC_LOWER:
		return difference > 0;
	case METRIC_HIGHER:
		return difference < 0;
	case METRIC_NEITHER:
		break;
	}
	return false;
}

static bool has_worse(const struct traced *traced)
{
	bool has = false;
	for (size_t i = 0; i < traced->detected.count; i++)
		has = has || is_worse(traced, traced->detected.changes[i].after -
						      traced->detected.changes[i].before);
	return has;
}

/* Traces the first metric for which the series has points. False if it has none. */
static bool trace(struct search *search, const struct history *history, struct traced *traced)
{
	struct arena *arena = &search->cli->arena;
	*traced = (struct traced){.history = history};
	for (size_t m = 0; m < search->set.metric_count && traced->points.count == 0; m++) {
		traced->metric = search->set.metrics[m];
		traced->points = history_points(arena, history, m, 0, 0);
	}
	if (traced->points.count == 0)
		return false;
	struct traced in_order = *traced;
	in_order.points = without_hindsight(arena, history, &traced->points);
	/* If more than half of the points would be left out, the history was not ingested in the
	 * order of commits (an import, say), and the filter means nothing. */
	if (!search->request->good && 2 * in_order.points.count >= traced->points.count) {
		detect(search, &in_order);
		if (has_worse(&in_order)) {
			*traced = in_order;
			return true;
		}
	}
	detect(search, traced);
	return true;
}

static struct border_series piece(const struct traced *traced, size_t from, size_t to,
				  size_t change)
{
	assert(from <= change && change < to && to <= traced->points.count);
	return (struct border_series){.values = traced->values + from,
				      .gaps = traced->gaps + from,
				      .count = to - from,
				      .change = change - from,
				      .noise = traced->noise};
}

/* Fills in what follows from the borders, whose indices count from the point `from`. The 95 %
 * interval of the effect uses Student's t with n - 2 degrees of freedom for the difference of two
 * means with equal noise. */
static void describe(const struct search *search, const struct traced *traced, size_t from,
		     struct bisect_change *change)
{
	const struct location_interval *b = &change->borders;
	assert(b->good < b->bad && from + b->bad < traced->points.count);
	const struct history_point *points = traced->points.items + from;
	double difference = b->after - b->before;
	double before = (double)b->count_before, after = (double)b->count_after;
	double reach = student_upper_inverse(0.025, fmax(1, before + after - 2)) * traced->noise *
		       sqrt(1 / before + 1 / after);
	change->history = traced->history;
	change->metric = traced->metric;
	change->relative = traced->detected.relative;
	change->noise = traced->noise;
	change->good = &search->set.chain[points[b->good].commit];
	change->bad = &search->set.chain[points[b->bad].commit];
	change->worse = is_worse(traced, difference);
	change->effect = change->relative ? expm1(difference) : difference;
	change->low = change->relative ? expm1(difference - reach) : difference - reach;
	change->high = change->relative ? expm1(difference + reach) : difference + reach;
}

/* The newest change for the worse; false if there is none. Its segment reaches from the change
 * before it to the change after it, so that only its own two levels count. */
static bool newest_change(const struct search *search, const struct traced *traced,
			  struct bisect_change *change)
{
	const struct detect_result *detected = &traced->detected;
	for (size_t i = detected->count; i-- > 0;) {
		const struct detect_change *one = &detected->changes[i];
		size_t from = i ? detected->changes[i - 1].index : 0;
		size_t to = i + 1 < detected->count ? detected->changes[i + 1].index
						    : traced->points.count;
		if (!is_worse(traced, one->after - one->before) || isnan(traced->noise))
			continue;
		struct border_series series = piece(traced, from, to, one->index);
		change->borders = location_interval_of(&series, location_error);
		describe(search, traced, from, change);
		change->effect = one->effect;
		change->low = one->low;
		change->high = one->high;
		return true;
	}
	return false;
}

/* The levels up to `good` and from `bad` on, each as far as the next detected change. False if
 * nothing was measured on one side or the noise is unknown. */
static bool given_change(const struct search *search, const struct traced *traced,
			 struct bisect_change *change)
{
	const struct history_point *points = traced->points.items;
	size_t good = 0, bad = traced->points.count, from = 0, to = traced->points.count;
	while (good < traced->points.count && points[good].commit >= search->good)
		good++;
	while (bad > good && points[bad - 1].commit <= search->bad)
		bad--;
	if (good == 0 || bad == traced->points.count || isnan(traced->noise))
		return false;
	for (size_t i = 0; i < traced->detected.count; i++) {
		size_t index = traced->detected.changes[i].index;
		from = index < good ? index : from;
		to = index > bad && index < to ? index : to;
	}
	struct border_series series = piece(traced, from, to, bad);
	change->borders = location_interval_given(&series, good - 1 - from, bad - from);
	describe(search, traced, from, change);
	return true;
}

/* --- all series --- */

static double strength(const struct bisect_change *change)
{
	return fabs(change->borders.after - change->borders.before) / change->noise;
}

/* Whether a change is preferred to the best one so far. A change for the worse comes first, then
 * the newer one (unless the range is given), then the stronger one. */
static bool is_better(const struct bisect_change *one, const struct bisect_change *best, bool given)
{
	if (!best->history || one->worse != best->worse)
		return !best->history || one->worse;
	if (!given && one->bad->position != best->bad->position)
		return one->bad->position > best->bad->position;
	return strength(one) > strength(best);
}

static const char *no_change(struct search *search, size_t fitting, size_t noiseless)
{
	struct arena *arena = &search->cli->arena;
	const char *oid = search->set.chain[0].oid;
	if (fitting == 0)
		return arena_printf(
			arena, "no%s series was measured in the history of %.10s",
			runs_filter_narrows(&search->request->filter) ? " matching" : "", oid);
	if (noiseless == fitting)
		return arena_printf(arena,
				    "noise unknown: fewer than %d measured commits; measure more, "
				    "or set it with -c bisect.noise=R",
				    NOISE_FROM);
	if (search->request->good)
		return "no series was measured at both ends: measure the good and the bad commit "
		       "first";
	return arena_printf(arena,
			    "%zu series in the history of %.10s, none with a confirmed slowdown; "
			    "give another last commit with --bad, or a range with --good and --bad",
			    fitting, oid);
}

static bool in_range(const struct bisect_change *one, const struct bisect_change *chosen)
{
	return one->worse && one->history != chosen->history &&
	       one->bad->position > chosen->good->position &&
	       one->good->position < chosen->bad->position;
}

static void find_others(struct cli *cli, const struct bisect_change *all, size_t count,
			struct bisect_change *chosen)
{
	chosen->others = arena_array(&cli->arena, count, sizeof *chosen->others);
	chosen->other_count = 0;
	for (size_t i = 0; i < count; i++)
		if (in_range(&all[i], chosen))
			chosen->others[chosen->other_count++] = all[i].history->series;
}

static int choose(struct search *search, struct bisect_change *change, bool *found,
		  const char **why, struct error *err)
{
	struct cli *cli = search->cli;
	bool given = search->request->good;
	size_t fitting = 0, noiseless = 0, count = 0;
	struct bisect_change best = {0};
	struct bisect_change *all = arena_array(&cli->arena, search->set.count, sizeof *all);
	for (size_t i = 0; i < search->set.count; i++) {
		struct bisect_change *one = &all[count];
		struct traced traced;
		bool fit =
			runs_filter_wants(&search->request->filter, search->set.items[i].identity);
		if (!trace(search, &search->set.items[i], &traced))
			continue;
		fitting += fit;
		noiseless += fit && isnan(traced.noise);
		if (!(given ? given_change : newest_change)(search, &traced, one))
			continue;
		count++;
		best = fit && is_better(one, &best, given) ? *one : best;
	}
	*found = best.history;
	if (!best.history) {
		*why = no_change(search, fitting, noiseless);
		return 0;
	}
	if (!best.relative && !isnan(search->request->noise))
		return error_set(
			err, ERR_USAGE,
			"bisect.noise is a ratio, but %s of this series is not always positive",
			metric_info(best.metric)->key);
	if (strength(&best) < minimum_step)
		return error_set(
			err, ERR_USAGE,
			"the means up to the good commit and from the bad commit on differ "
			"by %s, less than half of the noise (%s): the commit cannot be "
			"identified",
			quantity_change_text(&cli->arena, best.effect),
			quantity_text(&cli->arena, best.noise, UNIT_FRACTION));
	find_others(cli, all, count, &best);
	*change = best;
	return 0;
}

int bisect_command_find_change(struct cli *cli, const struct bisect_request *request,
			       struct bisect_change *change, bool *found, const char **why,
			       struct error *err)
{
	struct search search = {.cli = cli, .request = request};
	char commit[65], good[65], bad[65];
	const char *start = default_commit(cli), *last = request->bad ? request->bad : start;
	if (runs_resolve_baseline(cli, last, bad, err) < 0 ||
	    runs_resolve_commit(cli, request->good ? start : bad, commit, err) < 0 ||
	    load_chain(&search, commit, err) < 0)
		return -1;
	if (request->good && (runs_resolve_baseline(cli, request->good, good, err) < 0 ||
			      locate_given(&search, good, bad, err) < 0))
		return -1;
	if (choose(&search, change, found, why, err) < 0)
		return -1;
	if (*found && request->good) {
		struct revision *ends = arena_array(&cli->arena, 2, sizeof *ends);
		ends[0].oid = arena_strdup(&cli->arena, good);
		ends[1].oid = arena_strdup(&cli->arena, bad);
		change->good = &ends[0];
		change->bad = &ends[1];
	}
	return 0;
}
