/*
 * Limits for each group: of those tried, the ones that keep the group's share of
 * false alarms and show the smallest slowdown.
 *
 * A group's own commits are mostly too few to show a rate of one in ten thousand,
 * so groups whose series have the same shape are looked at together; limits are
 * multiples of each one's noise, which makes them alike.
 */

#include "model/calibrate/calibrate.h"
#include "model/verdict/verdicts.h"
#include "model/statistics/statistics.h"

static const double alphas[] = {0.05, 0.02, 0.01, 0.005, 0.002, 0.001,
				5e-4, 1e-4, 5e-5, 1e-5,  1e-6};
static const double multiples[] = {0, 2, 3, 4, 6, 8, 12, 16, 24}; /* of the noise */
enum {
	ALPHAS = sizeof alphas / sizeof *alphas,
	MULTIPLES = sizeof multiples / sizeof *multiples,
};
static const double doubt = 0.1, little_doubt = 0.01, power = 0.8, most_relative = 0.95;

/* Flags under each cell of the grid of limits. */
struct counts {
	size_t judged;
	size_t flagged[ALPHAS][MULTIPLES];
	size_t squares[ALPHAS][MULTIPLES]; /* sum of squared flags per block of commits */
	size_t blocks;
};

struct choosing {
	struct calibration *c;
	struct counts *groups;
	struct counts shapes[SHAPE_LIMIT];
	double share; /* wanted false alarms per comparison */
	double alone; /* p that a single regression among those of a call must have */
};

/* Rounds up to a number that people write: tenths of a percent, from ten on whole percents. */
static double rounded_up(double fraction)
{
	double steps = fraction < 0.1 ? 1000 : 100;
	return ceil(fraction * steps - 1e-9) / steps;
}

double calibrate_relative(const struct policy *row)
{
	return policy_limit(&(struct policy){.limits = {row->limits.relative, 0}}, 1, false);
}

static double relative_of(const struct calibrate_group *group, size_t multiple)
{
	double noise = isnan(group->noise) ? 0 : multiples[multiple] * group->noise;
	return fmin(fmax(calibrate_relative(group->row), rounded_up(expm1(noise))), most_relative);
}

/* --- counts of flags --- */

/* Limits as steps: the smallest that counts, and the one below which alpha is reduced. */
struct steps {
	double least, small;
};

static struct steps steps_of(const struct calibrate_series *one, double relative, double tolerance)
{
	double tolerated = expm1(calibrate_step_of(one, fmax(tolerance, relative)));
	return (struct steps){calibrate_step_of(one, relative),
			      log1p(judge_small_share * tolerated)};
}

static double alpha_at(double alpha, double step, double small)
{
	return step < small ? judge_small_alpha * alpha : alpha;
}

static void count_trial(struct counts *counts, const struct calibrate_trial *trial, double fdr,
			const struct steps *steps)
{
	counts->judged++;
	if (!trial->worse || !trial->passes || trial->environment || trial->older ||
	    !(trial->p < alphas[0]) || trial->q > fdr)
		return;
	for (size_t m = 0; m < MULTIPLES && trial->step >= steps[m].least; m++)
		for (size_t a = 0;
		     a < ALPHAS && trial->p < alpha_at(alphas[a], trial->step, steps[m].small); a++)
			counts->flagged[a][m]++;
}

static void add_counts(struct counts *sum, const struct counts *part)
{
	sum->judged += part->judged;
	sum->blocks += part->blocks;
	for (size_t a = 0; a < ALPHAS; a++)
		for (size_t m = 0; m < MULTIPLES; m++) {
			sum->flagged[a][m] += part->flagged[a][m];
			sum->squares[a][m] += part->squares[a][m];
		}
}

/* Counts flags also in blocks, because commits that share a history are flagged together. */
static void count_series(struct counts *own, const struct calibrate_series *one, double fdr,
			 const struct steps *steps)
{
	const size_t block = judge_defaults().most;
	for (size_t from = 0; from < one->trial_count; from += block) {
		struct counts part = {.blocks = 1};
		for (size_t k = from; k < one->trial_count && k < from + block; k++)
			count_trial(&part, &one->trials[k], fdr, steps);
		for (size_t a = 0; a < ALPHAS; a++)
			for (size_t m = 0; m < MULTIPLES && part.flagged[a][0]; m++)
				part.squares[a][m] = part.flagged[a][m] * part.flagged[a][m];
		add_counts(own, &part);
	}
}

static void count_group(struct choosing *choosing, size_t index)
{
	struct calibration *c = choosing->c;
	const struct calibrate_group *group = &c->groups[index];
	struct counts *own = &choosing->groups[index];
	for (size_t i = 0; i < c->count; i++) {
		const struct calibrate_series *one = &c->series[i];
		struct steps steps[MULTIPLES];
		if (one->group != index)
			continue;
		for (size_t m = 0; m < MULTIPLES; m++)
			steps[m] = steps_of(one, relative_of(group, m), group->limits.tolerance);
		count_series(own, one, c->settings->false_discovery, steps);
	}
	add_counts(&choosing->shapes[group->shape], own);
}

/* The gate's counts under other limits. */
static struct calibrate_tally tally_of(const struct calibrate_series *one,
				       const struct policy *limits, double fdr)
{
	struct calibrate_tally tally = {.judged = one->trial_count};
	double level = one->points.items[one->points.count - 1].value;
	double limit = level != 0 ? policy_limit(limits, level, false) / fabs(level) : 0;
	struct steps steps = steps_of(one, limit, limits->tolerance);
	/* A difference within the limit is not worse. */
	double tolerance = calibrate_step_of(one, fmax(limits->tolerance, limit));
	for (size_t i = 0; i < one->trial_count; i++) {
		const struct calibrate_trial *trial = &one->trials[i];
		double alpha = alpha_at(limits->alpha, fabs(trial->step), steps.small);
		bool looks = trial->worse && trial->passes && trial->p < alpha &&
			     trial->step >= steps.least;
		bool older = looks && trial->older;
		bool flagged = looks && !older && !trial->environment && trial->q <= fdr;
		tally.flagged += flagged;
		tally.environment += looks && trial->environment;
		tally.undecided += !flagged && !(looks && trial->environment) &&
				   (older || !(trial->ruled_out < tolerance));
	}
	return tally;
}

/* --- which cells keep the share --- */

/* Overdispersion: how much more the flags of a block vary than independent ones would. The commits
 * are worth this factor less. */
static double dispersion(const struct counts *counts, size_t a, size_t m)
{
	double flagged = (double)counts->flagged[a][m];
	if (flagged == 0)
		return 1;
	return fmax(1, (double)counts->squares[a][m] / flagged - flagged / (double)counts->blocks);
}

/* Probability that a rate of `share` would have flagged this few, or fewer. */
static double doubt_below(double flagged, double judged, double share)
{
	return judged > flagged ? 1 - beta_lower(share, flagged + 1, judged - flagged) : 1;
}

/* Whether a rate of `share` would have flagged this many only once in ten cases. */
static bool is_above(double flagged, double judged, double share)
{
	return flagged > 0 && beta_lower(share, flagged, judged - flagged + 1) <= doubt;
}

/* The best of many cells is partly luck: if the commits of similar series contradict, the group's
 * own must leave little doubt. */
static enum calibrate_evidence evidence_for(const struct counts *own, const struct counts *alike,
					    size_t a, size_t m, double share)
{
	double worth = dispersion(alike, a, m);
	double flagged = (double)own->flagged[a][m] / worth, judged = (double)own->judged / worth;
	double all = (double)alike->flagged[a][m] / worth, of = (double)alike->judged / worth;
	double doubted = doubt_below(flagged, judged, share);
	bool objected = is_above(all, of, share);
	if (doubted <= little_doubt || (doubted <= doubt && !objected))
		return EVIDENCE_OWN;
	if (objected || is_above(flagged, judged, share))
		return EVIDENCE_NONE;
	if (doubt_below(all, of, share) <= doubt)
		return EVIDENCE_SIMILAR;
	/* Alpha is the false-alarm rate by definition, if the noise follows the model. */
	bool expected = alphas[a] <= fmax(share, alphas[ALPHAS - 1]);
	return expected && flagged <= share * judged && all <= share * of ? EVIDENCE_MODEL
									  : EVIDENCE_NONE;
}

/* The slowdown that a cell detects, to compare cells. */
static double shown_by(const struct choosing *choosing, const struct calibrate_group *group,
		       size_t a, size_t m)
{
	enum { USUAL_DF = 40 };
	double noise = isnan(group->noise) ? 0 : group->noise;
	double reach = student_upper_inverse(fmin(alphas[a], choosing->alone), USUAL_DF) * noise;
	return fmax(reach, log1p(relative_of(group, m)));
}

/* The cell with evidence that detects the smallest slowdown; among equals the one with the smaller
 * alpha. Cells whose only evidence is the formula are used if there are no better ones. */
static void choose_cell(const struct choosing *choosing, size_t index, size_t *alpha,
			size_t *multiple)
{
	struct calibrate_group *group = &choosing->c->groups[index];
	const struct counts *own = &choosing->groups[index],
			    *alike = &choosing->shapes[group->shape];
	double least = HUGE_VAL;
	group->evidence = EVIDENCE_NONE;
	*alpha = ALPHAS - 1;
	*multiple = MULTIPLES - 1;
	for (size_t a = ALPHAS; a-- > 0;)
		for (size_t m = 0; m < MULTIPLES; m++) {
			enum calibrate_evidence evidence =
				evidence_for(own, alike, a, m, choosing->share);
			bool known = evidence <= EVIDENCE_SIMILAR;
			bool had = group->evidence <= EVIDENCE_SIMILAR;
			double shown = shown_by(choosing, group, a, m);
			if (evidence == EVIDENCE_NONE || (had && !known) ||
			    (had == known && shown >= least))
				continue;
			least = shown;
			group->evidence = evidence;
			*alpha = a;
			*multiple = m;
		}
}

/* --- detectable slowdowns and tolerances --- */

/* The quantile of the values. */
static double quantile(double *values, size_t count, double share)
{
	if (count == 0)
		return NAN;
	qsort(values, count, sizeof *values, array_by_double);
	size_t at = (size_t)ceil(share * (double)count);
	return values[at ? at - 1 : 0];
}

/* Quantiles of Student's t at one alpha, cached; df is rounded to a whole number, which is accurate
 * enough. */
static double quantile_of(double *known, double alpha, double df)
{
	enum { MOST_DF = 100 };
	size_t whole = df < 1 ? 1 : df > MOST_DF ? MOST_DF : (size_t)df;
	if (known[whole] == 0)
		known[whole] = student_upper_inverse(alpha, (double)whole);
	return known[whole];
}

/* The slowdown at which four of five commits of the history would have been flagged. A single one
 * among those of a call needs a correspondingly smaller p. */
static double shown_to(struct arena *arena, const struct calibration *c,
		       const struct calibrate_series *one, const struct policy *limits)
{
	double *needed = arena_array(arena, one->trial_count + 1, sizeof *needed);
	double known[128] = {0}, known_small[128] = {0};
	double calls = (double)(one->call_size ? one->call_size : 1);
	double alone = c->settings->false_discovery / calls;
	double alpha = fmin(limits->alpha, alone);
	double alpha_small = fmin(judge_small_alpha * limits->alpha, alone);
	double level = one->points.items[one->points.count - 1].value;
	double limit = level != 0 ? policy_limit(limits, level, false) / fabs(level) : 0;
	struct steps steps = steps_of(one, limit, limits->tolerance);
	for (size_t i = 0; i < one->trial_count; i++) {
		const struct calibrate_trial *trial = &one->trials[i];
		double small = quantile_of(known_small, alpha_small, trial->df) * trial->error;
		double large = quantile_of(known, alpha, trial->df) * trial->error;
		double step = fmax(fmin(small, fmax(large, steps.small)), steps.least);
		needed[i] = fmax(step, trial->exceeded) - trial->step;
	}
	double shown = quantile(needed, one->trial_count, power);
	return one->over ? -expm1(-shown) : expm1(shown);
}

static double median_shown(struct arena *arena, const struct calibration *c, size_t group,
			   bool after)
{
	double *values = arena_array(arena, c->count + 1, sizeof *values);
	size_t count = 0;
	for (size_t i = 0; i < c->count; i++) {
		double shown = after ? c->series[i].shown_after : c->series[i].shown_before;
		if (c->series[i].group == group && !isnan(shown))
			values[count++] = shown;
	}
	return median_of(values, count);
}

/* The tolerance at which nine of ten quiet commits are unchanged. */
static double tolerance_of(struct arena *arena, const struct calibration *c, size_t group)
{
	static const double mostly = 0.9;
	size_t count = 0, used = 0;
	for (size_t i = 0; i < c->count; i++)
		count += c->series[i].group == group ? c->series[i].trial_count : 0;
	double *values = arena_array(arena, count + 1, sizeof *values);
	for (size_t i = 0; i < c->count; i++) {
		const struct calibrate_series *one = &c->series[i];
		for (size_t k = 0; one->group == group && k < one->trial_count; k++) {
			double step = one->trials[k].ruled_out;
			values[used++] = one->over ? -expm1(-step) : expm1(step);
		}
	}
	return quantile(values, used, mostly);
}

/* --- groups --- */

static const enum calibrate_shape worst_first[] = {SHAPE_MODES, SHAPE_OUTLIERS, SHAPE_FOLLOWING,
						   SHAPE_PLAIN, SHAPE_CONSTANT, SHAPE_UNKNOWN};

static void describe(struct arena *arena, struct calibration *c, size_t index)
{
	struct calibrate_group *group = &c->groups[index];
	double *noise = arena_array(arena, c->count + 1, sizeof *noise);
	bool has[SHAPE_LIMIT] = {false};
	size_t count = 0, at = 0;
	for (size_t i = 0; i < c->count; i++) {
		const struct calibrate_series *one = &c->series[i];
		if (one->group != index)
			continue;
		has[one->shape] = true;
		if (!isnan(one->noise))
			noise[count++] = one->noise;
	}
	while (!has[worst_first[at]])
		at++;
	group->shape = worst_first[at];
	group->noise = median_of(noise, count);
}

/* Commits without a flag that would prove the share: (1 - share)^n <= doubt. */
static size_t needed_to_show(double share)
{
	return share >= 1 ? 1 : (size_t)ceil(log(doubt) / log1p(-share));
}

static void choose_tolerance(struct calibration *c, size_t index)
{
	struct arena scratch = {NULL, 0};
	struct calibrate_group *group = &c->groups[index];
	group->limits = *group->row;
	group->tolerable = tolerance_of(&scratch, c, index);
	if (group->tolerable > group->row->tolerance)
		group->limits.tolerance = fmin(rounded_up(group->tolerable), most_relative);
	arena_free(&scratch);
}

static void choose_limits(const struct choosing *choosing, size_t index)
{
	struct calibration *c = choosing->c;
	struct calibrate_group *group = &c->groups[index];
	size_t alpha, multiple;
	choose_cell(choosing, index, &alpha, &multiple);
	if (isnan(group->noise))
		group->evidence = EVIDENCE_UNKNOWN;
	if (group->evidence < EVIDENCE_UNKNOWN) {
		group->limits.alpha = alphas[alpha];
		group->limits.limits.relative = relative_of(group, multiple);
	}
	if (!isnan(group->noise))
		group->limits.noise = group->noise;
	group->needed = needed_to_show(choosing->share);
}

static void find_shown(struct calibration *c)
{
	struct arena scratch = {NULL, 0};
	for (size_t i = 0; i < c->count; i++) {
		struct calibrate_series *one = &c->series[i];
		const struct policy *chosen =
			one->group == SIZE_MAX ? one->now : &c->groups[one->group].limits;
		one->shown_before = shown_to(&scratch, c, one, one->now);
		one->shown_after = shown_to(&scratch, c, one, chosen);
		arena_free(&scratch);
	}
	for (size_t i = 0; i < c->group_count; i++) {
		c->groups[i].shown_before = median_shown(&scratch, c, i, false);
		c->groups[i].shown_after = median_shown(&scratch, c, i, true);
		arena_free(&scratch);
	}
}

void calibrate_choose(struct arena *arena, struct calibration *c)
{
	struct choosing choosing = {.c = c};
	double a_call = c->calls ? (double)c->before.judged / (double)c->calls : 1;
	choosing.groups = arena_array(arena, c->group_count + 1, sizeof *choosing.groups);
	choosing.share = fmin(c->target / fmax(a_call, 1), 0.5);
	choosing.alone = c->settings->false_discovery / fmax(a_call, 1);
	c->after = (struct calibrate_tally){0};
	for (size_t i = 0; i < c->group_count; i++) {
		c->groups[i].after = (struct calibrate_tally){0};
		describe(arena, c, i);
		choose_tolerance(c, i);
		count_group(&choosing, i);
	}
	for (size_t i = 0; i < c->group_count; i++)
		choose_limits(&choosing, i);
	find_shown(c);
	for (size_t i = 0; i < c->count; i++) {
		struct calibrate_series *one = &c->series[i];
		const struct policy *chosen =
			one->group == SIZE_MAX ? one->now : &c->groups[one->group].limits;
		one->after = tally_of(one, chosen, c->settings->false_discovery);
		calibrate_add(&c->after, &one->after);
		if (one->group != SIZE_MAX)
			calibrate_add(&c->groups[one->group].after, &one->after);
	}
}

enum message_code calibrate_evidence_message(enum calibrate_evidence evidence)
{
	static const enum message_code codes[] = {
		[EVIDENCE_OWN] = MESSAGE_EVIDENCE_OWN,
		[EVIDENCE_SIMILAR] = MESSAGE_EVIDENCE_SIMILAR,
		[EVIDENCE_MODEL] = MESSAGE_EVIDENCE_MODEL,
		[EVIDENCE_UNKNOWN] = MESSAGE_EVIDENCE_UNKNOWN,
		[EVIDENCE_NONE] = MESSAGE_EVIDENCE_NONE,
	};
	return codes[evidence];
}
