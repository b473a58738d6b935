/* Chooses sizes of one parameter for given sizes of the other, and tries or improves the latter. */
#include "model/sizing/grid/grid_best.h"

#include "model/statistics/statistics.h"

/* What a plan costs: first what it leaves uncovered, then the weighted time of the rest. */
struct cost {
	double missed, seconds;
};

struct chosen {
	uint16_t *at; /* measured sizes by index, increasing */
	size_t count;
};

/* The problem seen from one side: rows are given, columns are chosen. */
struct side {
	size_t rows, columns;
	double *seconds;          /* row by row; NAN: no measured pair is that large */
	double *weight;           /* of all requests up to each pair, row by row */
	double all;               /* weight of all requests */
	struct cost *band;        /* [below][column]: the bucket `column` above `below` - 1 */
	struct cost *cost, *next; /* all columns up to each, with the present number of buckets */
	uint16_t *before;         /* [buckets][column]: the column of the bucket below */
};

struct search {
	struct side sides[2]; /* sides[s]: the sizes of parameter s are given */
	size_t most[2];
	struct chosen best[2];
	struct cost least;
};

/* Whether the cost is less by more than rounding. */
static bool is_less(const struct side *side, struct cost a, struct cost b)
{
	if (fabs(a.missed - b.missed) > 1e-9 * side->all)
		return a.missed < b.missed;
	return a.seconds < b.seconds * (1 - 1e-12);
}

static struct cost sum_of(struct cost a, struct cost b)
{
	return (struct cost){a.missed + b.missed, a.seconds + b.seconds};
}

/* Weights are cumulated along both sides. Requests above all measured sizes cost the same in every
 * plan: they are left out. */
static struct side side_of(struct arena *arena, const struct grid_problem *problem, int given,
			   size_t most)
{
	size_t rows = problem->counts[given], columns = problem->counts[!given];
	struct side side = {.rows = rows, .columns = columns};
	side.seconds = arena_array(arena, rows * columns, sizeof(double));
	side.weight = arena_array(arena, rows * columns, sizeof(double));
	side.band = arena_array(arena, columns * columns, sizeof *side.band);
	side.cost = arena_array(arena, columns, sizeof *side.cost);
	side.next = arena_array(arena, columns, sizeof *side.next);
	side.before = arena_array(arena, most * columns, sizeof *side.before);
	for (size_t i = 0; i < rows; i++)
		for (size_t k = 0; k < columns; k++)
			side.seconds[i * columns + k] =
				problem->seconds[given ? k * rows + i : i * columns + k];
	for (size_t i = 0; i < problem->request_count; i++) {
		const struct grid_request *request = &problem->requests[i];
		size_t row = grid_place(problem, given, request->sizes[given]);
		size_t column = grid_place(problem, !given, request->sizes[!given]);
		if (row < rows && column < columns)
			side.weight[row * columns + column] += request->weight;
	}
	for (size_t i = 0; i < rows * columns; i++)
		side.weight[i] += i % columns ? side.weight[i - 1] : 0;
	for (size_t i = columns; i < rows * columns; i++)
		side.weight[i] += side.weight[i - columns];
	side.all = side.weight[rows * columns - 1];
	return side;
}

/* --- the best columns for given rows --- */

/* Adds what the bucket of rows above `below` (-1: none) up to `row` costs to every band of
 * columns. */
static void add_row(struct side *side, size_t row, ptrdiff_t below)
{
	size_t columns = side->columns;
	const double *high = side->weight + row * columns;
	const double *low = below < 0 ? NULL : side->weight + (size_t)below * columns;
	for (size_t column = 0; column < columns; column++) {
		double seconds = side->seconds[row * columns + column];
		double upto = high[column] - (low ? low[column] : 0);
		for (size_t from = 0; from <= column; from++) {
			struct cost *cost = &side->band[from * columns + column];
			double weight =
				upto - (from ? high[from - 1] - (low ? low[from - 1] : 0) : 0);
			if (isnan(seconds))
				cost->missed += fmax(weight, 0);
			else
				cost->seconds += fmax(weight, 0) * seconds;
		}
	}
}

/* What remains uncovered above the last row and the column. */
static struct cost rest_of(const struct side *side, size_t row, size_t column)
{
	return (struct cost){side->all - side->weight[row * side->columns + column], 0};
}

/* The cheapest last column, with its cost; NULL costs are infinite before the first. */
static size_t cheapest(const struct side *side, size_t row, size_t buckets, struct cost *least)
{
	size_t best = side->columns;
	for (size_t column = buckets - 1; column < side->columns; column++) {
		struct cost cost = sum_of(side->cost[column], rest_of(side, row, column));
		if (best == side->columns || is_less(side, cost, *least)) {
			*least = cost;
			best = column;
		}
	}
	return best;
}

/* Adds one bucket: computes the next row of costs. With `buckets` buckets the last one is at least
 * column buckets - 1. */
static void extend(struct side *side, size_t buckets)
{
	size_t columns = side->columns;
	uint16_t *before = side->before + (buckets - 1) * columns;
	for (size_t column = buckets - 1; column < columns; column++) {
		for (size_t last = buckets - 2; last < column; last++) {
			struct cost cost =
				sum_of(side->cost[last], side->band[(last + 1) * columns + column]);
			if (last == buckets - 2 || is_less(side, cost, side->next[column])) {
				side->next[column] = cost;
				before[column] = (uint16_t)last;
			}
		}
	}
	struct cost *present = side->cost;
	side->cost = side->next;
	side->next = present;
}

/* Fills `columns` with the best of at most `most` for these rows, and returns the cost. */
static struct cost best_columns(struct side *side, const struct chosen *rows, size_t most,
				struct chosen *columns)
{
	size_t width = side->columns, last_row = rows->at[rows->count - 1], best_count = 1;
	struct cost least = {INFINITY, INFINITY}, cost = least;
	memset(side->band, 0, width * width * sizeof *side->band);
	for (size_t i = 0; i < rows->count; i++)
		add_row(side, rows->at[i], i ? (ptrdiff_t)rows->at[i - 1] : -1);
	memcpy(side->cost, side->band, width * sizeof *side->cost);
	size_t best = cheapest(side, last_row, 1, &least);
	for (size_t buckets = 2; buckets <= most && buckets <= width; buckets++) {
		extend(side, buckets);
		size_t candidate = cheapest(side, last_row, buckets, &cost);
		if (is_less(side, cost, least)) {
			least = cost;
			best = candidate;
			best_count = buckets;
		}
	}
	columns->count = best_count;
	for (size_t i = best_count; i-- > 0;) {
		columns->at[i] = (uint16_t)best;
		best = i ? side->before[i * width + best] : 0;
	}
	return least;
}

/* --- which rows --- */

/* Keeps the plan if it is cheaper, or as cheap with fewer buckets. */
static void keep(struct search *search, int given, const struct chosen *rows,
		 const struct chosen *columns, struct cost cost)
{
	const struct side *side = &search->sides[given];
	const struct chosen *lists[2] = {given ? columns : rows, given ? rows : columns};
	bool is_first = search->best[0].count == 0;
	bool is_equal =
		!is_first && !is_less(side, search->least, cost) &&
		rows->count * columns->count < search->best[0].count * search->best[1].count;
	if (!is_first && !is_equal && !is_less(side, cost, search->least))
		return;
	search->least = cost;
	for (int s = 0; s < 2; s++) {
		search->best[s].count = lists[s]->count;
		memcpy(search->best[s].at, lists[s]->at, lists[s]->count * sizeof(uint16_t));
	}
}

static struct chosen chosen_new(struct arena *arena)
{
	return (struct chosen){arena_array(arena, GRID_SIDE_LIMIT, sizeof(uint16_t)), 0};
}

/* The next set of as many rows; false after the last. */
static bool next_set(struct chosen *rows, size_t of)
{
	size_t i = rows->count;
	while (i > 0 && rows->at[i - 1] == of - rows->count + i - 1)
		i--;
	if (i == 0)
		return false;
	rows->at[i - 1]++;
	for (; i < rows->count; i++)
		rows->at[i] = (uint16_t)(rows->at[i - 1] + 1);
	return true;
}

static void try_all(struct arena *arena, struct search *search, int given)
{
	struct side *side = &search->sides[given];
	struct chosen rows = chosen_new(arena), columns = chosen_new(arena);
	for (size_t count = 1; count <= search->most[given] && count <= side->rows; count++) {
		rows.count = count;
		for (size_t i = 0; i < count; i++)
			rows.at[i] = (uint16_t)i;
		do {
			struct cost cost =
				best_columns(side, &rows, search->most[!given], &columns);
			keep(search, given, &rows, &columns, cost);
		} while (next_set(&rows, side->rows));
	}
}

/* Steps that try_all() takes. */
static double steps_of(const struct search *search, int given)
{
	const struct side *side = &search->sides[given];
	double sets = 0, pairs = (double)(side->columns * (side->columns + 1)) / 2;
	for (size_t count = 1; count <= search->most[given] && count <= side->rows; count++)
		sets += exp(log_choose((double)side->rows, (double)count)) *
			(double)(count + search->most[!given]);
	return sets * pairs;
}

/* Improves both lists in turn, from these sizes of the given side. */
static void improve(struct arena *arena, struct search *search, int given, struct chosen begin)
{
	enum { ROUNDS = 64 };
	struct chosen lists[2] = {chosen_new(arena), chosen_new(arena)};
	struct cost last = {INFINITY, INFINITY};
	memcpy(lists[given].at, begin.at, begin.count * sizeof(uint16_t));
	lists[given].count = begin.count;
	for (int round = 0; round < ROUNDS; round++, given = !given) {
		struct cost cost = best_columns(&search->sides[given], &lists[given],
						search->most[!given], &lists[!given]);
		if (lists[given].count <= search->most[given])
			keep(search, given, &lists[given], &lists[!given], cost);
		if (round > 1 && !is_less(&search->sides[given], cost, last))
			break;
		last = cost;
	}
}

static void improve_all(struct arena *arena, struct search *search)
{
	struct chosen begin = chosen_new(arena);
	for (int given = 0; given < 2; given++) {
		for (begin.count = 0; begin.count < search->sides[given].rows; begin.count++)
			begin.at[begin.count] = (uint16_t)begin.count;
		improve(arena, search, given, begin);
	}
	begin.at[0] = (uint16_t)(search->sides[0].rows - 1);
	begin.count = 1;
	improve(arena, search, 0, begin);
}

struct grid_best grid_best_of(struct arena *arena, const struct grid_problem *problem,
			      const size_t most[2], double effort)
{
	struct arena scratch = {0};
	struct search search = {.most = {most[0], most[1]}};
	const double *sizes[2];
	size_t counts[2];
	for (int s = 0; s < 2; s++) {
		assert(most[s] >= 1 && most[s] <= GRID_BUCKET_LIMIT);
		assert(problem->counts[s] >= 1 && problem->counts[s] <= GRID_SIDE_LIMIT);
		search.sides[s] = side_of(&scratch, problem, s, most[!s]);
		search.best[s] = chosen_new(&scratch);
	}
	double steps[2] = {steps_of(&search, 0), steps_of(&search, 1)};
	int given = steps[1] < steps[0];
	bool exact = steps[given] <= effort;
	if (exact)
		try_all(&scratch, &search, given);
	else
		improve_all(&scratch, &search);
	for (int s = 0; s < 2; s++) {
		double *list = arena_array(&scratch, search.best[s].count, sizeof *list);
		counts[s] = search.best[s].count;
		for (size_t i = 0; i < counts[s]; i++)
			list[i] = problem->sizes[s][search.best[s].at[i]];
		sizes[s] = list;
	}
	struct grid_best best = {grid_judge(arena, problem, sizes, counts), exact};
	arena_free(&scratch);
	return best;
}
