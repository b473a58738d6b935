/* Chooses buckets by dynamic programming, and evaluates any set of them. */
#include "model/sizing/buckets.h"

/* --- judging --- */

static int by_size(const void *point, const void *size)
{
	return array_by_double(&((const struct bucket_point *)point)->size, size);
}

/* Index of the first point of at least this size; point_count if there is none. */
static size_t point_for(const struct bucket_problem *problem, double size)
{
	return array_lower_bound(&size, problem->points, problem->point_count,
				 sizeof *problem->points, by_size);
}

static struct bucket *buckets_of(struct arena *arena, const struct bucket_problem *problem,
				 const double *sizes, size_t count, size_t *used)
{
	struct bucket *buckets = arena_array(arena, count, sizeof *buckets);
	*used = 0;
	for (size_t i = 0; i < count; i++) {
		size_t point = point_for(problem, sizes[i]);
		if (point == problem->point_count)
			break;
		buckets[(*used)++] = (struct bucket){.size = sizes[i],
						     .measured = problem->points[point].size,
						     .seconds = problem->points[point].seconds};
	}
	return buckets;
}

struct bucket_plan buckets_judge(struct arena *arena, const struct bucket_problem *problem,
				 const double *sizes, size_t count)
{
	struct bucket_plan plan = {0};
	double all = 0, covered = 0, seconds = 0, ideal = 0, wanted = 0, computed = 0;
	size_t bucket = 0, point = 0;
	plan.buckets = buckets_of(arena, problem, sizes, count, &plan.count);
	for (size_t i = 0; i < problem->request_count; i++) {
		const struct bucket_request *request = &problem->requests[i];
		all += request->weight;
		while (bucket < plan.count && plan.buckets[bucket].size < request->size)
			bucket++;
		while (point < problem->point_count && problem->points[point].size < request->size)
			point++;
		if (bucket == plan.count)
			continue;
		covered += request->weight;
		seconds += request->weight * plan.buckets[bucket].seconds;
		ideal += request->weight * problem->points[point].seconds;
		wanted += request->weight * request->size;
		computed += request->weight * plan.buckets[bucket].size;
		plan.buckets[bucket].share += request->weight;
	}
	for (size_t i = 0; i < plan.count; i++)
		plan.buckets[i].share = covered > 0 ? plan.buckets[i].share / covered : 0;
	plan.covered = all > 0 ? covered / all : 0;
	plan.seconds = seconds / covered;
	plan.ideal = ideal / covered;
	plan.waste = seconds / ideal - 1;
	plan.padding = 1 - wanted / computed;
	return plan;
}

struct bucket_plan buckets_all(struct arena *arena, const struct bucket_problem *problem)
{
	double *sizes = arena_array(arena, problem->point_count, sizeof *sizes);
	for (size_t i = 0; i < problem->point_count; i++)
		sizes[i] = problem->points[i].size;
	return buckets_judge(arena, problem, sizes, problem->point_count);
}

/* --- choosing --- */

/* Whether the cost is less by more than rounding. */
static bool is_less(double cost, double least)
{
	return cost < least * (1 - 1e-12);
}

/* cost[j][i]: least weighted time of all requests up to point i, with j + 1 buckets of which the
 * last is point i; before[j][i]: the point of the bucket below it. Only two rows of costs live. */
struct table {
	size_t points, last; /* last: the point that the largest request needs */
	double *weight;      /* of all requests up to each point */
	double *cost, *next;
	uint16_t **before;
};

static void sum_weights(const struct bucket_problem *problem, struct table *table)
{
	for (size_t i = 0; i < problem->request_count; i++) {
		size_t point = point_for(problem, problem->requests[i].size);
		if (point == problem->point_count)
			break;
		table->weight[point] += problem->requests[i].weight;
		if (problem->requests[i].weight > 0)
			table->last = point;
	}
	for (size_t i = 1; i < table->points; i++)
		table->weight[i] += table->weight[i - 1];
}

/* Adds one bucket: computes the next row of costs. */
static void extend(const struct bucket_problem *problem, struct table *table, uint16_t *before)
{
	for (size_t i = 0; i < table->points; i++) {
		table->next[i] = INFINITY;
		for (size_t p = 0; p < i; p++) {
			double cost =
				table->cost[p] +
				problem->points[i].seconds * (table->weight[i] - table->weight[p]);
			if (is_less(cost, table->next[i])) {
				table->next[i] = cost;
				before[i] = (uint16_t)p;
			}
		}
	}
	double *present = table->cost;
	table->cost = table->next;
	table->next = present;
}

/* The cheapest last bucket of the current row that holds the largest request. */
static size_t cheapest(const struct table *table)
{
	size_t best = table->last;
	for (size_t i = table->last + 1; i < table->points; i++)
		best = is_less(table->cost[i], table->cost[best]) ? i : best;
	return best;
}

struct bucket_plan buckets_best(struct arena *arena, const struct bucket_problem *problem, size_t k)
{
	assert(k >= 1 && k <= BUCKET_LIMIT);
	assert(problem->point_count >= 1 && problem->point_count <= BUCKET_POINT_LIMIT);
	size_t points = problem->point_count, rows = k < points ? k : points;
	struct table table = {.points = points};
	table.weight = arena_array(arena, points, sizeof *table.weight);
	table.cost = arena_array(arena, points, sizeof *table.cost);
	table.next = arena_array(arena, points, sizeof *table.next);
	table.before = arena_array(arena, rows, sizeof *table.before);
	sum_weights(problem, &table);
	for (size_t i = 0; i < points; i++)
		table.cost[i] = problem->points[i].seconds * table.weight[i];
	size_t best_row = 0, best = cheapest(&table);
	double least = table.cost[best];
	for (size_t row = 1; row < rows; row++) {
		table.before[row] = arena_array(arena, points, sizeof **table.before);
		extend(problem, &table, table.before[row]);
		size_t candidate = cheapest(&table);
		if (is_less(table.cost[candidate], least)) {
			least = table.cost[candidate];
			best_row = row;
			best = candidate;
		}
	}
	double *sizes = arena_array(arena, best_row + 1, sizeof *sizes);
	for (size_t row = best_row + 1; row-- > 0;) {
		sizes[row] = problem->points[best].size;
		best = row ? table.before[row][best] : 0;
	}
	return buckets_judge(arena, problem, sizes, best_row + 1);
}
