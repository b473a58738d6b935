/* Converts the counts of a calibration to rates per week. */

#include "model/calibrate/calibrate.h"
#include "model/statistics/statistics.h"

double calibrate_weekly(const struct calibration *c, const struct calibrate_request *request,
			double flagged)
{
	return c->calls ? flagged / (double)c->calls * request->calls_a_week : NAN;
}

double calibrate_weekly_bound(const struct calibration *c, const struct calibrate_request *request,
			      const struct calibrate_tally *tally)
{
	double rate = calibrate_upper(tally->flagged, tally->judged);
	return calibrate_weekly(c, request, rate * (double)tally->judged);
}

double calibrate_repeated(const struct calibration *c)
{
	double sum = 0;
	for (size_t i = 0; i < c->count; i++) {
		const struct calibrate_tally *tally = &c->series[i].after;
		double flagged = (double)tally->flagged;
		sum += tally->judged ? flagged * flagged / (double)tally->judged : 0;
	}
	return sum;
}

double calibrate_within(struct arena *arena, const struct calibration *c, size_t *series)
{
	double *shares = arena_array(arena, c->count + 1, sizeof *shares);
	*series = 0;
	for (size_t i = 0; i < c->count; i++) {
		const struct calibrate_series *one = &c->series[i];
		double share = one->within / one->noise;
		if (!isnan(share))
			shares[(*series)++] = fmin(share * share, 1);
	}
	return median_of(shares, *series);
}
