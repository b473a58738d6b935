/* Fuse, keep or undecided; which shapes the scheduler can answer for. */
#include "model/sizing/fusion/fusion.h"

#include "base/text/text.h"
#include "model/verdict/verdicts.h"
#include "model/statistics/statistics.h"

enum { enough_repeats = 3 };

/* The resolution of a sum is that of its parts, which are tallies of the run, added up. */
static double resolution_of(const struct run *run)
{
	const char *text = run_attribute(run, "time_resolution");
	double seconds;
	if (!text || !quantity_parse(span_of(text), UNIT_SECOND, &seconds))
		return 0;
	return run->tally_count > 1 ? seconds * (double)run->tally_count : seconds;
}

static void widen(struct fusion_reader_time *time, double low, double high)
{
	time->lowest = fmin(time->lowest, low);
	time->highest = fmax(time->highest, high);
}

/* Sets a time and the range of its own repeats. */
static void add_run(struct fusion_reader_time *time, const struct run *run)
{
	enum metric metric = run_time_metric(run);
	struct value value = run_value(run, metric);
	const struct run_spread *spread = run_spread(run, metric);
	bool repeated =
		spread && spread->count >= 1 && !isnan(spread->minimum) && !isnan(spread->maximum);
	time->repeats += repeated ? (size_t)spread->count : 1;
	widen(time, repeated ? spread->minimum : value.number,
	      repeated ? spread->maximum : value.number);
	if (value.provenance > time->provenance)
		time->provenance = value.provenance;
}

struct fusion_reader_time fusion_time_of(struct arena *arena, const struct run *const *runs,
					 size_t count, double noise)
{
	struct fusion_reader_time time = {.lowest = INFINITY, .highest = -INFINITY};
	double *values = arena_array(arena, count, sizeof *values), resolution = 0;
	size_t known = 0;
	for (size_t i = 0; i < count; i++) {
		double value = run_time(runs[i]);
		if (isnan(value))
			continue;
		values[known++] = value;
		add_run(&time, runs[i]);
		resolution = fmax(resolution, resolution_of(runs[i]));
	}
	if (known == 0)
		return (struct fusion_reader_time){.time = NAN, .lowest = NAN, .highest = NAN};
	time.time = median_of(values, known);
	if (time.repeats < enough_repeats)
		widen(&time, time.time * (1 - noise), time.time * (1 + noise));
	time.lowest = fmax(time.lowest - resolution / 2, 0);
	time.highest += resolution / 2;
	return time;
}

const char *fusion_decision_name(enum fusion_decision decision)
{
	static const char *const names[FUSION_LIMIT] = {"fuse", "keep", "undecided", "unknown"};
	return names[decision];
}

struct fusion_judgement fusion_judge(const struct fusion_reader_time *unfused,
				     const struct fusion_reader_time *fused, double margin)
{
	struct fusion_judgement judged = {FUSION_UNKNOWN, NAN, NAN, NAN, MESSAGE_FUSION_ONE_SIDE};
	if (isnan(unfused->time) || isnan(fused->time))
		return judged;
	judged.speedup = unfused->time / fused->time;
	judged.lowest = unfused->lowest / fused->highest;
	judged.highest = fused->lowest > 0 ? unfused->highest / fused->lowest : INFINITY;
	judged.decision = FUSION_UNDECIDED;
	judged.reason = MESSAGE_FUSION_WITHIN_NOISE;
	if (fused->provenance == PROVENANCE_ESTIMATED)
		judged.reason = MESSAGE_FUSION_FUSED_ESTIMATED;
	else if (unfused->provenance == PROVENANCE_ESTIMATED)
		judged.reason = MESSAGE_FUSION_UNFUSED_ESTIMATED;
	else if (judged.lowest > 1 + margin)
		judged = (struct fusion_judgement){FUSION_FUSE, judged.speedup, judged.lowest,
						   judged.highest, MESSAGE_FUSION_FASTER};
	else if (judged.highest <= 1 + margin)
		judged = (struct fusion_judgement){FUSION_KEEP, judged.speedup, judged.lowest,
						   judged.highest, MESSAGE_FUSION_NOT_FASTER};
	return judged;
}

/* --- shapes --- */

struct fusion_shape fusion_shape_of(const char *text)
{
	static const struct fusion_shape none = {{0}, 0};
	struct fusion_shape shape = none;
	struct span rest = span_of(text);
	if (!span_starts(rest, "[") || !span_ends(rest, "]"))
		return none;
	rest = (struct span){rest.ptr + 1, rest.len - 2};
	while (rest.ptr) {
		double size;
		struct span part = span_trim(span_cut(&rest, ','));
		if (shape.rank == FUSION_RANK || !span_number(part, &size) || size < 1 ||
		    size != floor(size))
			return none;
		shape.sizes[shape.rank++] = size;
	}
	return shape;
}

int fusion_shape_compare(const struct fusion_shape *a, const struct fusion_shape *b)
{
	if (a->rank != b->rank || a->rank == 0)
		return (a->rank > b->rank) - (a->rank < b->rank);
	for (size_t i = 0; i < a->rank; i++) {
		size_t at = i == 0 ? a->rank - 1 : i - 1;
		if (a->sizes[at] != b->sizes[at])
			return a->sizes[at] < b->sizes[at] ? -1 : 1;
	}
	return 0;
}

static bool is_among(const struct fusion_shape *measured, size_t count,
		     const struct fusion_shape *wanted)
{
	for (size_t i = 0; i < count; i++)
		if (fusion_shape_compare(&measured[i], wanted) == 0)
			return true;
	return false;
}

/* The nearest measured sizes below and above the wanted one, per dimension; infinite, and thus
 * never a corner, if the size is outside. */
static void find_cell(const struct fusion_shape *measured, size_t count,
		      const struct fusion_shape *wanted, struct fusion_shape cell[2])
{
	cell[0] = cell[1] = *wanted;
	for (size_t d = 0; d < wanted->rank; d++) {
		double low = -INFINITY, high = INFINITY;
		for (size_t i = 0; i < count; i++) {
			double size = measured[i].sizes[d];
			if (measured[i].rank != wanted->rank)
				continue;
			if (size <= wanted->sizes[d])
				low = fmax(low, size);
			if (size >= wanted->sizes[d])
				high = fmin(high, size);
		}
		cell[0].sizes[d] = low;
		cell[1].sizes[d] = high;
	}
}

enum fusion_cover fusion_cover(const struct fusion_shape *measured, size_t count,
			       const struct fusion_shape *wanted)
{
	struct fusion_shape cell[2];
	if (is_among(measured, count, wanted))
		return FUSION_MEASURED;
	if (wanted->rank == 0)
		return FUSION_MISSING;
	find_cell(measured, count, wanted, cell);
	for (unsigned corner = 0; corner < 1u << wanted->rank; corner++) {
		struct fusion_shape shape = *wanted;
		for (size_t d = 0; d < wanted->rank; d++)
			shape.sizes[d] = cell[corner >> d & 1].sizes[d];
		if (!is_among(measured, count, &shape))
			return FUSION_MISSING;
	}
	return FUSION_INTERPOLATED;
}
