/* Aligns two timelines, and cuts them where every good alignment agrees. */
#include "model/timeline/alignment.h"

enum { ENGINE_LIMIT = 16, MIN_CELLS = 16 };
/* Cost of an unmatched cell. Two cells whose activities differ by more than twice that stay
 * unmatched. */
static const double gap_cost = 0.4;
/* Additional cost up to which an alignment counts as good: less than leaving one cell unmatched on
 * both sides, which would make every position uncertain. */
static const double tolerance = 0.36;
static const double min_likeness = 0.6;
/* Smallest growth of a part, in cells; timelines are not more accurate. */
static const int min_growth = 2;

struct side {
	double total; /* s */
	int count;    /* cells */
	double *cells[ENGINE_LIMIT];
};

struct alignment {
	struct arena arena; /* only for this comparison */
	const char *engines[ENGINE_LIMIT];
	size_t engine_count;
	struct side before, after;
	double *distances;     /* of two cells */
	double *costs;         /* cost of the best path from the start to a node, by before,
				* after */
	double *rest;          /* from there to the end */
	int *lowest, *highest; /* range of nodes of `before` on good paths, by node of `after` */
};

struct piece {
	int before[2], after[2]; /* nodes */
};

/* --- cells --- */

/* Resamples the timeline to `count` cells of equal length: means of the bins in each. */
static void resample(const float *bins, double *cells, int count)
{
	double scale = (double)TIMELINE_BINS / count;
	for (int i = 0; i < count; i++) {
		double from = i * scale, to = (i + 1) * scale, sum = 0;
		for (int bin = (int)from; bin < TIMELINE_BINS && bin < to; bin++)
			sum += (fmin(to, bin + 1) - fmax(from, bin)) * (double)bins[bin];
		cells[i] = sum / scale;
	}
}

static void read_engines(struct alignment *a, const struct run *baseline, const struct run *run)
{
	for (size_t i = 0; i < run->engine_count && a->engine_count < ENGINE_LIMIT; i++) {
		const struct run_engine *engine = &run->engines[i];
		const struct run_engine *other = run_engine(baseline, engine->name);
		if (!engine->has_timeline || !other || !other->has_timeline)
			continue;
		size_t at = a->engine_count++;
		a->engines[at] = engine->name;
		a->before.cells[at] =
			arena_array(&a->arena, (size_t)a->before.count, sizeof(double));
		a->after.cells[at] = arena_array(&a->arena, (size_t)a->after.count, sizeof(double));
		resample(other->timeline, a->before.cells[at], a->before.count);
		resample(engine->timeline, a->after.cells[at], a->after.count);
	}
}

/* --- the best ways --- */

static double *node(const struct alignment *a, double *table, int before, int after)
{
	return &table[(size_t)before * (size_t)(a->after.count + 1) + (size_t)after];
}

static double minimum(double a, double b)
{
	return a < b ? a : b;
}

/* Distance of two cells, 0 to 1: share of the activity in either that is missing in the other. Row
 * by row, because this takes most of the time. */
static void find_distances(struct alignment *a)
{
	size_t columns = (size_t)a->after.count;
	double *together = arena_array(&a->arena, columns, sizeof *together);
	a->distances = arena_array(&a->arena, (size_t)a->before.count * columns, sizeof(double));
	for (int i = 0; i < a->before.count; i++) {
		double *apart = a->distances + (size_t)i * columns;
		memset(together, 0, columns * sizeof *together);
		for (size_t e = 0; e < a->engine_count; e++) {
			double x = a->before.cells[e][i];
			const double *other = a->after.cells[e];
			for (size_t k = 0; k < columns; k++) {
				double y = other[k], more = x > y ? x : y;
				together[k] += more;
				apart[k] += 2 * more - x - y;
			}
		}
		for (size_t k = 0; k < columns; k++)
			apart[k] /= together[k] > 1 ? together[k] : 1;
	}
}

static double distance(const struct alignment *a, int before, int after)
{
	return a->distances[(size_t)before * (size_t)a->after.count + (size_t)after];
}

/* Fills `costs` with the cost of the best path from the first node to each node, or, if
 * `backwards`, from each node to the last one. */
static inline void find_costs(const struct alignment *a, double *costs, bool backwards)
{
	const int rows = a->before.count, columns = a->after.count, step = backwards ? 1 : -1;
	for (int n = 0; n <= rows; n++)
		for (int m = 0; m <= columns; m++) {
			int i = backwards ? rows - n : n, k = backwards ? columns - m : m;
			double best = n || m ? INFINITY : 0;
			if (n && m)
				best = *node(a, costs, i + step, k + step) +
				       distance(a, i - !backwards, k - !backwards);
			if (n)
				best = minimum(best, *node(a, costs, i + step, k) + gap_cost);
			if (m)
				best = minimum(best, *node(a, costs, i, k + step) + gap_cost);
			*node(a, costs, i, k) = best;
		}
}

static double best_cost(const struct alignment *a)
{
	return *node(a, a->costs, a->before.count, a->after.count);
}

/* 1 if only the difference of the lengths costs anything. */
static double likeness_of(const struct alignment *a)
{
	double shorter = fmin(a->before.count, a->after.count);
	double longer = fmax(a->before.count, a->after.count);
	return 1 - (best_cost(a) - gap_cost * (longer - shorter)) / (2 * gap_cost * shorter);
}

static void find_good(struct alignment *a)
{
	double limit = best_cost(a) + tolerance;
	for (int k = 0; k <= a->after.count; k++) {
		a->lowest[k] = a->before.count;
		a->highest[k] = 0;
		for (int i = 0; i <= a->before.count; i++) {
			if (*node(a, a->costs, i, k) + *node(a, a->rest, i, k) > limit)
				continue;
			a->lowest[k] = a->lowest[k] < i ? a->lowest[k] : i;
			a->highest[k] = i;
		}
	}
}

/* --- parts --- */

static int growth_of(const struct piece *piece)
{
	return (piece->after[1] - piece->after[0]) - (piece->before[1] - piece->before[0]);
}

static int sign_of(const struct piece *piece)
{
	int growth = growth_of(piece);
	return (growth > 0) - (growth < 0);
}

static void extend(struct piece *piece, const struct piece *next)
{
	piece->before[1] = next->before[1];
	piece->after[1] = next->after[1];
}

/* Adds the path between two certain nodes to a piece that grows or shrinks in the same way. */
static size_t add_piece(struct piece *pieces, size_t count, const struct piece *next)
{
	if (count && sign_of(&pieces[count - 1]) == sign_of(next)) {
		extend(&pieces[count - 1], next);
		return count;
	}
	pieces[count] = *next;
	return count + 1;
}

static size_t cut(const struct alignment *a, struct piece *pieces)
{
	struct piece next = {0};
	size_t count = 0;
	for (int k = 1; k <= a->after.count; k++) {
		bool last = k == a->after.count;
		if (!last && a->lowest[k] != a->highest[k])
			continue;
		next.before[1] = last ? a->before.count : a->lowest[k];
		next.after[1] = k;
		count = add_piece(pieces, count, &next);
		next.before[0] = next.before[1];
		next.after[0] = k;
	}
	return count;
}

/* Joins successive pieces that hardly change: changes of less than a cell each add up in the joined
 * piece, and have no exact position. */
static size_t join_steady(struct piece *pieces, size_t count)
{
	size_t joined = 0;
	bool before = false;
	for (size_t i = 0; i < count; i++) {
		int growth = growth_of(&pieces[i]);
		bool steady = growth < min_growth && growth > -min_growth;
		if (steady && before)
			extend(&pieces[joined - 1], &pieces[i]);
		else
			pieces[joined++] = pieces[i];
		before = steady;
	}
	return joined;
}

static size_t join(struct piece *pieces, size_t count, size_t at)
{
	extend(&pieces[at], &pieces[at + 1]);
	memmove(&pieces[at + 1], &pieces[at + 2], (count - at - 2) * sizeof *pieces);
	return count - 1;
}

/* Joins the part that changed least with its smaller neighbour until few enough are left. */
static size_t thin(struct piece *pieces, size_t count)
{
	while (count > TIMELINE_PART_LIMIT) {
		size_t flattest = 0;
		int smallest = 2 * TIMELINE_BINS;
		for (size_t i = 0; i + 1 < count; i++) {
			int size = growth_of(&pieces[i]), next = growth_of(&pieces[i + 1]);
			size = (size < 0 ? -size : size) + (next < 0 ? -next : next);
			if (size < smallest) {
				smallest = size;
				flattest = i;
			}
		}
		count = join(pieces, count, flattest);
	}
	return count;
}

static double active(const struct side *side, size_t engine, const int nodes[2])
{
	double sum = 0;
	for (int i = nodes[0]; i < nodes[1]; i++)
		sum += side->cells[engine][i];
	return sum * side->total / side->count;
}

/* Lower bound of the time in which no engine was active: bins do not show which intervals
 * overlap. */
static double idle(const struct alignment *a, const struct side *side, const int nodes[2])
{
	double sum = 0;
	for (int i = nodes[0]; i < nodes[1]; i++) {
		double busy = 0;
		for (size_t e = 0; e < a->engine_count; e++)
			busy += side->cells[e][i];
		sum += 1 - fmin(busy, 1);
	}
	return sum * side->total / side->count;
}

static void find_cause(const struct alignment *a, const struct piece *piece, double resolution,
		       struct timeline_part *part)
{
	double direction = part->change < 0 ? -1 : 1, largest = fabs(part->change) / 4;
	part->engine = NULL;
	part->engine_change = NAN;
	for (size_t i = 0; i <= a->engine_count && fabs(part->change) >= resolution; i++) {
		bool engine = i < a->engine_count;
		double change = engine ? active(&a->after, i, piece->after) -
						 active(&a->before, i, piece->before)
				       : idle(a, &a->after, piece->after) -
						 idle(a, &a->before, piece->before);
		if (change * direction <= largest)
			continue;
		largest = change * direction;
		part->engine = engine ? a->engines[i] : "idle";
		part->engine_change = change;
	}
}

static void add_part(const struct alignment *a, const struct piece *piece,
		     struct timeline_difference *out)
{
	struct timeline_part *part = &out->parts[out->count++];
	double before = a->before.total / a->before.count, after = a->after.total / a->after.count;
	*part = (struct timeline_part){
		.baseline_from = piece->before[0] * before,
		.baseline_to = piece->before[1] * before,
		.from = piece->after[0] * after,
		.to = piece->after[1] * after,
	};
	part->change = (part->to - part->from) - (part->baseline_to - part->baseline_from);
	find_cause(a, piece, out->resolution, part);
}

static void compare(struct alignment *a, struct timeline_difference *out)
{
	size_t nodes = (size_t)(a->before.count + 1) * (size_t)(a->after.count + 1);
	size_t columns = (size_t)a->after.count + 1;
	struct piece whole = {{0, a->before.count}, {0, a->after.count}}, *pieces = &whole;
	size_t count = 1;
	if (a->before.count >= MIN_CELLS && a->after.count >= MIN_CELLS) {
		a->costs = arena_array(&a->arena, nodes, sizeof *a->costs);
		find_distances(a);
		find_costs(a, a->costs, false);
		out->likeness = likeness_of(a);
		out->aligned = out->likeness >= min_likeness;
	}
	if (out->aligned) {
		a->lowest = arena_array(&a->arena, columns, sizeof *a->lowest);
		a->highest = arena_array(&a->arena, columns, sizeof *a->highest);
		a->rest = arena_array(&a->arena, nodes, sizeof *a->rest);
		find_costs(a, a->rest, true);
		find_good(a);
		pieces = arena_array(&a->arena, columns, sizeof *pieces);
		count = thin(pieces, join_steady(pieces, cut(a, pieces)));
	}
	for (size_t i = 0; i < count; i++)
		add_part(a, &pieces[i], out);
}

/* Reads both sides; false if they cannot be compared. */
static bool begin(struct alignment *a, const struct run *baseline, const struct run *run,
		  struct timeline_difference *difference)
{
	double before = run_number(baseline, METRIC_TOTAL_TIME);
	double after = run_number(run, METRIC_TOTAL_TIME);
	if (!(before > 0) || !(after > 0) || isinf(before) || isinf(after))
		return false;
	/* The coarser resolution of both: finer cells would compare blurred edges with sharp
	 * ones. */
	double cell = fmax(before, after) / TIMELINE_BINS;
	a->before.total = before;
	a->after.total = after;
	a->before.count = (int)fmax(round(before / cell), 1);
	a->after.count = (int)fmax(round(after / cell), 1);
	read_engines(a, baseline, run);
	if (!a->engine_count)
		return false;
	*difference = (struct timeline_difference){
		.before = before,
		.after = after,
		.resolution = min_growth * cell,
		.likeness = NAN,
	};
	return true;
}

bool timeline_lengths(const struct run *baseline, const struct run *run,
		      struct timeline_difference *difference)
{
	struct alignment a = {.engine_count = 0};
	bool found = begin(&a, baseline, run, difference);
	arena_free(&a.arena);
	return found;
}

bool timeline_compare(const struct run *baseline, const struct run *run,
		      struct timeline_difference *difference)
{
	struct alignment a = {.engine_count = 0};
	bool found = begin(&a, baseline, run, difference);
	if (found)
		compare(&a, difference);
	arena_free(&a.arena);
	return found;
}
