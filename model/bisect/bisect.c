/* Bisection with noisy measurements: belief, choice of the next commit, forecast. */
#include "model/bisect/bisect.h"

#include "model/statistics/statistics.h"

static const double stray_from = 4;        /* standard deviations from both means */
static const double sure = 1.64;           /* standard deviations subtracted from a variance
					    * estimate: one in twenty is lower */
static const double most_build = 0.95;     /* share of the variance */
static const double winsor = 3.5;          /* standard deviations at which the spread of sessions is
					    * winsorized */
static const double level_clip = 2;        /* standard deviations by which a value can pull at a
					    * mean */
static const double spent_share = 0.02;    /* share of the first session's gain below which more
					    * sessions are not worth it */
static const double least_doubt = 0.01;    /* bits */
static const double usual_error = 0.01;    /* error probability of one commit's side */
static const double steady_noise = 1.1e-4; /* noise below which sessions are treated as equal */
enum { ROUNDS = 5 };

/* --- who descends from whom --- */

static uint64_t *row_of(const struct bisect *b, size_t x)
{
	return b->ancestors + x * b->words;
}

bool bisect_is_ancestor(const struct bisect *b, size_t ancestor, size_t of)
{
	return row_of(b, of)[ancestor / 64] >> (ancestor % 64) & 1;
}

static void fill_row(struct bisect *b, size_t x)
{
	const struct bisect_commit *commit = &b->range.commits[x];
	uint64_t *row = row_of(b, x);
	size_t ancestors = 0;
	row[x / 64] |= (uint64_t)1 << (x % 64);
	for (size_t i = 0; i < commit->parent_count; i++) {
		assert(commit->parents[i] < x);
		const uint64_t *parent = row_of(b, commit->parents[i]);
		for (size_t word = 0; word < b->words; word++)
			row[word] |= parent[word];
	}
	for (size_t word = 0; word < b->words; word++)
		ancestors += (size_t)__builtin_popcountll(row[word]);
	b->whole[x] = ancestors == x + 1;
}

struct bisect *bisect_start(struct arena *arena, const struct bisect_range *range)
{
	struct bisect *b = arena_new(arena, struct bisect);
	assert(range->count >= 1 && range->count <= BISECT_COMMITS && range->noise > 0);
	b->range = *range;
	b->words = (range->count + 63) / 64;
	b->ancestors = arena_array(arena, range->count * b->words, sizeof *b->ancestors);
	b->whole = arena_array(arena, range->count, sizeof *b->whole);
	b->inert = arena_array(arena, range->count, sizeof *b->inert);
	b->stray = arena_array(arena, range->count, sizeof *b->stray);
	b->cause = arena_array(arena, range->count, sizeof *b->cause);
	b->moved = arena_array(arena, range->count, sizeof *b->moved);
	for (size_t x = 0; x < range->count; x++)
		fill_row(b, x);
	bisect_update(b);
	return b;
}

static bool is_between(const struct bisect *b, size_t h, size_t from, size_t to)
{
	return bisect_is_ancestor(b, h, to) &&
	       (from == bisect_none || !bisect_is_ancestor(b, h, from));
}

bool bisect_exclude(struct bisect *b, size_t from, size_t to)
{
	size_t left = 0;
	for (size_t h = 0; h < b->range.count; h++)
		left += !b->inert[h] && !is_between(b, h, from, to);
	if (left == 0)
		return false;
	for (size_t h = 0; h < b->range.count; h++)
		b->inert[h] = b->inert[h] || is_between(b, h, from, to);
	return true;
}

/* --- noise and levels --- */

static double mean_of(const struct bisect_commit *commit)
{
	double sum = 0;
	for (size_t i = 0; i < commit->session_count; i++)
		sum += commit->sessions[i];
	return sum / (double)commit->session_count;
}

/* If sessions of one commit differ less than commits do, the rest of the noise belongs to the
 * build. Uses a lower confidence bound: overestimating that share would end the search too
 * early. */
static double build_share(const struct bisect_range *range)
{
	double squares = 0, freedom = 0, commits = range->count_before + range->count_after;
	for (size_t x = 0; x < range->count; x++) {
		const struct bisect_commit *commit = &range->commits[x];
		double mean = commit->session_count > 1 ? mean_of(commit) : 0;
		for (size_t i = 0; commit->session_count > 1 && i < commit->session_count; i++) {
			double e = noise_clip((commit->sessions[i] - mean) / range->noise, winsor);
			squares += e * e;
			freedom += i > 0;
		}
	}
	if (freedom == 0)
		return 0;
	/* Wilson and Hilferty's approximation of the chi-square quantile: few sessions may agree by
	 * chance. */
	double root = fmax(1e-3, 1 - 2 / (9 * freedom) - sure * sqrt(2 / (9 * freedom)));
	double ratio = squares / (freedom * root * root * root) * exp(sure * sqrt(2 / commits));
	return fmin(fmax(0, 1 - ratio), most_build);
}

/* Evidence of this many sessions of one commit, in units of independent commits. */
static double worth(const struct bisect *b, double sessions)
{
	return sessions / (sessions * b->build + 1 - b->build);
}

/* Refines the means: commits of the range count on each side with the probability of being there.
 * The last commit is in the given means already. */
static void refine_levels(struct bisect *b)
{
	const struct bisect_range *range = &b->range;
	double limit = level_clip * range->noise;
	double sums[2] = {0, 0}, weights[2] = {range->count_before, range->count_after};
	for (size_t x = 0; x + 1 < range->count; x++) {
		const struct bisect_commit *commit = &range->commits[x];
		if (commit->session_count == 0 || b->stray[x])
			continue;
		double mean = mean_of(commit), weight = worth(b, (double)commit->session_count);
		sums[0] += weight * (1 - b->moved[x]) * noise_clip(mean - b->before, limit);
		sums[1] += weight * b->moved[x] * noise_clip(mean - b->after, limit);
		weights[0] += weight * (1 - b->moved[x]);
		weights[1] += weight * b->moved[x];
	}
	sums[0] += range->count_before * (range->before - b->before);
	sums[1] += range->count_after * (range->after - b->after);
	b->before += sums[0] / weights[0];
	b->after += sums[1] / weights[1];
	b->weight_before = weights[0];
	b->weight_after = weights[1];
}

/* --- belief --- */

/* The common offset of a commit's sessions from the mean, caused by the build and by the error of
 * the mean itself: its standard deviation, and a grid of its possible values. */
struct offset {
	double sd, from, step;
	int nodes;
};

/* A grid that is wide and fine enough for the offset before and after the sessions are known. */
static struct offset offset_of(const struct bisect *b, const struct bisect_commit *commit,
			       double level, double level_weight)
{
	enum { LEAST = 17, MOST = 401 };
	double noise = b->range.noise, count = (double)commit->session_count;
	struct offset offset = {.sd = noise * sqrt(b->build + 1 / level_weight)};
	double precision = count / (noise * noise * (1 - b->build));
	double seen = 1 / sqrt(1 / (offset.sd * offset.sd) + precision);
	double middle = (mean_of(commit) - level) * precision * seen * seen;
	middle = noise_clip(middle, 6 * offset.sd);
	double low = fmin(-4 * offset.sd, middle - 4 * seen);
	double high = fmax(4 * offset.sd, middle + 4 * seen);
	offset.nodes = (int)fmin(MOST, fmax(LEAST, ceil(2 * (high - low) / seen)));
	offset.from = low;
	offset.step = (high - low) / (offset.nodes - 1);
	return offset;
}

/* Log likelihood of a commit's sessions at a mean, integrated over their common offset. */
static double likelihood(const struct bisect *b, const struct bisect_commit *commit, double level,
			 double level_weight)
{
	struct offset offset = offset_of(b, commit, level, level_weight);
	double sd = b->range.noise * sqrt(1 - b->build), top = -HUGE_VAL, sum = 0;
	double noise = b->range.noise,
	       peak = (1 - noise_outlier_share) * noise_normal_peak * noise / sd;
	for (int node = 0; node < offset.nodes; node++) {
		double shift = offset.from + node * offset.step, z = shift / offset.sd;
		double one = -z * z / 2;
		for (size_t i = 0; i < commit->session_count; i++) {
			double error = commit->sessions[i] - level, u = (error - shift) / sd;
			one += log(peak * exp(-u * u / 2) + noise_outlier_density(error / noise));
		}
		sum = one > top ? sum * exp(top - one) + 1 : sum + exp(one - top);
		top = fmax(top, one);
	}
	return top + log(sum * offset.step / offset.sd);
}

/* Log likelihood ratio of a commit's sessions: new mean vs. old mean. */
static double evidence(const struct bisect *b, const struct bisect_commit *commit)
{
	if (commit->session_count == 0)
		return 0;
	return likelihood(b, commit, b->after, b->weight_after) -
	       likelihood(b, commit, b->before, b->weight_before);
}

static bool is_stray(const struct bisect *b, size_t x)
{
	const struct bisect_commit *commit = &b->range.commits[x];
	double limit = stray_from * b->range.noise;
	if (commit->session_count == 0)
		return false;
	double low = fmin(b->before, b->after) - limit, high = fmax(b->before, b->after) + limit;
	for (size_t i = 0; i < commit->session_count; i++) {
		double value = commit->sessions[i];
		bool outside = value < low || value > high;
		bool between = fabs(value - b->before) > limit && fabs(value - b->after) > limit;
		if (!outside && !between)
			return false;
	}
	return true;
}

/* Converts log odds to probabilities that add up to 1; -inf is impossible. */
static void normalise(double *p, size_t count)
{
	double top = -HUGE_VAL, sum = 0;
	for (size_t h = 0; h < count; h++)
		top = fmax(top, p[h]);
	for (size_t h = 0; h < count; h++)
		sum += p[h] = exp(p[h] - top);
	for (size_t h = 0; h < count; h++)
		p[h] /= sum;
}

/* A merge that does not have all earlier commits as ancestors: these have to be looked at one by
 * one. */
static bool is_tangled(const struct bisect *b, size_t x)
{
	return !b->whole[x] && b->range.commits[x].parent_count > 1;
}

/* The probability of each commit to be at the new level. */
static void fill_moved(const struct bisect *b, const double *cause, double *moved)
{
	double before = 0;
	for (size_t x = 0; x < b->range.count; x++) {
		const struct bisect_commit *commit = &b->range.commits[x];
		before += cause[x];
		moved[x] = before;
		if (b->whole[x])
			continue;
		moved[x] = cause[x] + (commit->parent_count ? moved[commit->parents[0]] : 0);
		if (!is_tangled(b, x))
			continue;
		moved[x] = 0;
		for (size_t h = 0; h <= x; h++)
			moved[x] += bisect_is_ancestor(b, h, x) ? cause[h] : 0;
	}
}

/* Adds the evidence at x to the log odds of all commits that would put x at the new mean. */
static void add_evidence(const struct bisect *b, size_t x, double said, double *p)
{
	for (size_t h = 0; said != 0 && h <= x; h++)
		if (b->whole[x] || bisect_is_ancestor(b, h, x))
			p[h] += said;
}

static void believe(struct bisect *b)
{
	size_t count = b->range.count;
	for (size_t h = 0; h < count; h++)
		b->cause[h] = b->inert[h] ? -HUGE_VAL : 0;
	for (size_t x = 0; x + 1 < count; x++)
		add_evidence(b, x, evidence(b, &b->range.commits[x]), b->cause);
	normalise(b->cause, count);
	fill_moved(b, b->cause, b->moved);
}

static size_t most_probable(const double *cause, size_t count)
{
	size_t best = 0;
	for (size_t h = 1; h < count; h++)
		best = cause[h] > cause[best] ? h : best;
	return best;
}

void bisect_update(struct bisect *b)
{
	b->before = b->range.before;
	b->after = b->range.after;
	b->weight_before = b->range.count_before;
	b->weight_after = b->range.count_after;
	b->build = build_share(&b->range);
	for (size_t x = 0; x < b->range.count; x++)
		b->stray[x] = is_stray(b, x);
	believe(b);
	for (int round = 0; round < ROUNDS; round++) {
		refine_levels(b);
		believe(b);
	}
	b->best = most_probable(b->cause, b->range.count);
}

double bisect_side(const struct bisect *b, const double *sessions, size_t count)
{
	struct bisect_commit commit = {.sessions = sessions, .session_count = count};
	return 1 / (1 + exp(-evidence(b, &commit)));
}

/* --- what to measure --- */

/* How well sessions separate the two means: squared step / variance. */
static double separation(const struct bisect *b, double sessions)
{
	double step = (b->after - b->before) / b->range.noise;
	return sessions > 0 ? step * step * worth(b, sessions) : 0;
}

size_t bisect_sessions(const struct bisect *b, double error)
{
	enum { MOST = 1000 };
	double z = normal_upper_inverse(error);
	/* The midpoint is only as certain as the two means. */
	double middle = (1 / b->weight_before + 1 / b->weight_after) / 4;
	double step = fabs(b->after - b->before) / b->range.noise;
	for (size_t sessions = 1; sessions <= MOST; sessions++)
		if (step / 2 >= z * sqrt(1 / worth(b, (double)sessions) + middle))
			return sessions;
	return 0;
}

/* Most sessions that are worthwhile for one commit. */
static double most_sessions(const struct bisect *b, bool stray)
{
	size_t needed = bisect_sessions(b, usual_error);
	if (stray)
		return b->range.noise <= steady_noise ? 1 : 3;
	return needed ? 2 * (double)needed + 2 : HUGE_VAL;
}

struct choice {
	const struct bisect *bisect;
	const double *moved;
	const double *sessions; /* sessions of each commit so far */
	double most;
};

/* Expected information gain of one more session of the commit, in bits. */
static double gain(const struct choice *c, size_t x)
{
	const struct bisect *b = c->bisect;
	double p = c->moved[x], n = c->sessions[x], first = separation(b, 1);
	double more = separation(b, n + 1) - separation(b, n);
	double most = b->stray[x] ? most_sessions(b, true) : c->most;
	if (p <= 0 || p >= 1 || more < spent_share * first || n >= most)
		return 0;
	double doubt = -(p * log2(p) + (1 - p) * log2(1 - p));
	return doubt < least_doubt ? 0 : doubt * -expm1(-more / 8);
}

/* The most informative commit; among equals one that was measured already, then the oldest. */
static size_t choose(const struct choice *c)
{
	size_t best = bisect_none;
	double most = 0;
	for (size_t x = 0; x + 1 < c->bisect->range.count; x++) {
		double bits = gain(c, x);
		bool better = bits > most * (1 + 1e-9);
		bool known = best != bisect_none && bits > most * (1 - 1e-9) && bits > 0 &&
			     c->sessions[x] > c->sessions[best];
		if (better || known) {
			best = x;
			most = bits;
		}
	}
	return best;
}

static double *session_counts(struct arena *arena, const struct bisect *b)
{
	double *sessions = arena_array(arena, b->range.count, sizeof *sessions);
	for (size_t x = 0; x < b->range.count; x++)
		sessions[x] = (double)b->range.commits[x].session_count;
	return sessions;
}

size_t bisect_next(const struct bisect *b)
{
	struct arena arena = {0};
	struct choice c = {b, b->moved, session_counts(&arena, b), most_sessions(b, false)};
	size_t next = choose(&c);
	arena_free(&arena);
	return next;
}

size_t bisect_next_after(struct arena *arena, const struct bisect *b, size_t measured, bool moved)
{
	double *cause = arena_array(arena, b->range.count, sizeof *cause);
	double *after = arena_array(arena, b->range.count, sizeof *after);
	double odds = log((1 - usual_error) / usual_error);
	for (size_t h = 0; h < b->range.count; h++)
		cause[h] = log(b->cause[h]);
	add_evidence(b, measured, moved ? odds : -odds, cause);
	normalise(cause, b->range.count);
	fill_moved(b, cause, after);
	struct choice c = {b, after, session_counts(arena, b), most_sessions(b, false)};
	return choose(&c);
}

/* --- forecast --- */

/* A fixed sequence of numbers in (0, 1): splitmix64, i.e. Weyl steps, mixed. */
static double uniform(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return ((double)((z ^ z >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

struct play {
	double *log_cause, *cause, *moved, *sessions;
	uint64_t random;
};

/* One simulation in which `truth` is the cause: sessions until one commit is certain, or NAN. */
static double play_out(const struct bisect *b, struct play *play, size_t truth, double certainty)
{
	enum { MOST = 1000 };
	size_t count = b->range.count;
	struct choice c = {b, play->moved, play->sessions, most_sessions(b, false)};
	for (int measured = 0; measured < MOST; measured++) {
		memcpy(play->cause, play->log_cause, count * sizeof *play->cause);
		normalise(play->cause, count);
		if (play->cause[most_probable(play->cause, count)] > certainty)
			return measured;
		fill_moved(b, play->cause, play->moved);
		size_t x = choose(&c);
		if (x == bisect_none)
			break;
		double n = play->sessions[x]++, more = separation(b, n + 1) - separation(b, n);
		double said = (bisect_is_ancestor(b, truth, x) ? 0.5 : -0.5) * more +
			      sqrt(more) * normal_upper_inverse(uniform(&play->random));
		double most = log((1 - noise_outlier_share) * noise_normal_peak /
				  noise_outlier_density(0));
		add_evidence(b, x, noise_clip(said, most), play->log_cause);
	}
	return NAN;
}

/* The cause at a quantile of the probabilities. */
static size_t cause_at(const struct bisect *b, double quantile)
{
	size_t h = 0, last = b->best;
	for (double sum = 0; h < b->range.count; h++) {
		sum += b->cause[h];
		if (b->cause[h] > 0)
			last = h;
		if (sum >= quantile && b->cause[h] > 0)
			return h;
	}
	return last;
}

double bisect_forecast(struct arena *arena, const struct bisect *b, double certainty)
{
	size_t count = b->range.count, branched = 0, plays = 64, ended = 0;
	struct play play = {.cause = arena_array(arena, count, sizeof(double)),
			    .log_cause = arena_array(arena, count, sizeof(double)),
			    .moved = arena_array(arena, count, sizeof(double)),
			    .random = 1};
	double sum = 0;
	for (size_t x = 0; x < count; x++)
		branched += is_tangled(b, x);
	while (plays > 8 && plays * (branched + 16) * count > 8000000)
		plays /= 2;
	for (size_t i = 0; i < plays; i++) {
		play.sessions = session_counts(arena, b);
		for (size_t h = 0; h < count; h++)
			play.log_cause[h] = log(b->cause[h]);
		size_t truth = cause_at(b, ((double)i + 0.5) / (double)plays);
		double measured = play_out(b, &play, truth, certainty);
		ended += !isnan(measured);
		sum += isnan(measured) ? 0 : measured;
	}
	return 2 * ended >= plays ? sum / (double)ended : NAN;
}
