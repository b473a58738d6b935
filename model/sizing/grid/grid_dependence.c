/* Tests over the lines of a grid. */
#include "model/sizing/grid/grid_dependence.h"

#include "model/sizing/sizing.h"
#include "model/statistics/statistics.h"

static const double level = 0.01;

/* The measured times of one line, and which size each is of. */
struct line {
	double *times;
	size_t *at;
	size_t count;
	double mean;
};

struct lines {
	struct line *items; /* those with two times or more */
	size_t count, points, sizes;
};

static size_t cell_of(const struct size_grid *grid, int side, size_t at, size_t line)
{
	return side ? line * grid->counts[1] + at : at * grid->counts[1] + line;
}

static struct lines lines_of_grid(struct arena *arena, const struct size_grid *grid, int side)
{
	struct lines lines = {.sizes = grid->counts[side]};
	lines.items = arena_array(arena, grid->counts[!side], sizeof *lines.items);
	for (size_t k = 0; k < grid->counts[!side]; k++) {
		struct line line = {arena_array(arena, lines.sizes, sizeof(double)),
				    arena_array(arena, lines.sizes, sizeof(size_t)), 0, 0};
		for (size_t i = 0; i < lines.sizes; i++) {
			double seconds = grid->seconds[cell_of(grid, side, i, k)];
			if (isnan(seconds))
				continue;
			line.at[line.count] = i;
			line.times[line.count++] = seconds;
			line.mean += seconds;
		}
		line.mean /= (double)line.count;
		lines.points += line.count > 1 ? line.count : 0;
		if (line.count > 1)
			lines.items[lines.count++] = line;
	}
	return lines;
}

/* P(F > f) with a and b degrees of freedom. */
static double ratio_upper(double f, double a, double b)
{
	return beta_lower(b / (b + a * f), b / 2, a / 2);
}

/* Kendall's S of one line, its variance with ties, and the largest S with its variance. */
struct trend {
	double s, variance, most, untied;
};

static void add_trend(struct arena *arena, const struct line *line, struct trend *trend)
{
	double n = (double)line->count, ties = 0;
	double *sorted = arena_array(arena, line->count, sizeof *sorted);
	for (size_t i = 0; i < line->count; i++) {
		sorted[i] = line->times[i];
		for (size_t k = 0; k < i; k++)
			trend->s += (line->times[i] > line->times[k]) -
				    (line->times[i] < line->times[k]);
	}
	array_sort(sorted, line->count, sizeof *sorted, array_by_double);
	for (size_t i = 0, next; i < line->count; i = next) {
		for (next = i + 1; next < line->count && sorted[next] == sorted[i];)
			next++;
		double t = (double)(next - i);
		ties += t * (t - 1) * (2 * t + 5);
	}
	trend->variance += (n * (n - 1) * (2 * n + 5) - ties) / 18;
	trend->untied += n * (n - 1) * (2 * n + 5) / 18;
	trend->most += n * (n - 1) / 2;
}

/* Whether a perfect trend would be as plain as that of DEPENDENCE_LEAST sizes on one line. */
static bool is_enough(const struct trend *trend)
{
	double n = DEPENDENCE_LEAST;
	double least = (n * (n - 1) / 2 - 1) / sqrt(n * (n - 1) * (2 * n + 5) / 18);
	return trend->untied > 0 && (trend->most - 1) / sqrt(trend->untied) > least * (1 - 1e-9);
}

static double trend_of(const struct trend *trend)
{
	double step = trend->s > 0 ? 1 : trend->s < 0 ? -1 : 0;
	if (!(trend->variance > 0))
		return 1;
	return fmin(1, 2 * normal_upper(fabs(trend->s - step) / sqrt(trend->variance)));
}

/* Two-way analysis of variance of times relative to the mean of their line; with pairs that were
 * not measured approximately. */
static double pattern_of(struct arena *arena, const struct lines *lines)
{
	double *sums = arena_array(arena, lines->sizes, sizeof *sums), total = 0, between = 0;
	size_t *counts = arena_array(arena, lines->sizes, sizeof *counts), sizes = 0;
	for (size_t k = 0; k < lines->count; k++)
		for (size_t i = 0; i < lines->items[k].count; i++) {
			const struct line *line = &lines->items[k];
			double deviation = line->times[i] / line->mean - 1;
			sums[line->at[i]] += deviation;
			counts[line->at[i]]++;
			total += deviation * deviation;
		}
	for (size_t i = 0; i < lines->sizes; i++) {
		between += counts[i] ? sums[i] * sums[i] / (double)counts[i] : 0;
		sizes += counts[i] > 0;
	}
	double a = (double)sizes - 1, within = total - between;
	double b = (double)lines->points - (double)sizes - (double)lines->count + 1;
	if (!(total > 0) || b < 1)
		return 1;
	return within > 0 ? ratio_upper(between / a / (within / b), a, b) : 0;
}

/* The least p of a line's variance against that of all others, times their number. */
static double uneven_of(const struct lines *lines)
{
	double least = 1, all = 0, freedom = (double)(lines->points - lines->count);
	double *squares = NULL;
	struct arena scratch = {0};
	squares = arena_array(&scratch, lines->count, sizeof *squares);
	for (size_t k = 0; k < lines->count; k++) {
		const struct line *line = &lines->items[k];
		for (size_t i = 0; i < line->count; i++) {
			double deviation = line->times[i] / line->mean - 1;
			squares[k] += deviation * deviation;
		}
		all += squares[k];
	}
	for (size_t k = 0; k < lines->count && lines->count > 1 && all > 0; k++) {
		double a = (double)lines->items[k].count - 1, b = freedom - a;
		double others = all - squares[k];
		least = fmin(least,
			     others > 0 ? ratio_upper(squares[k] / a / (others / b), a, b) : 0);
	}
	arena_free(&scratch);
	return fmin(1, least * (double)lines->count);
}

static void measure_spread(const struct lines *lines, struct grid_dependence *found)
{
	double squares = 0, steps = 0;
	for (size_t k = 0; k < lines->count; k++) {
		const struct line *line = &lines->items[k];
		double least = line->times[0], most = least;
		for (size_t i = 1; i < line->count; i++) {
			double step = (line->times[i] - line->times[i - 1]) / line->mean;
			squares += step * step;
			least = fmin(least, line->times[i]);
			most = fmax(most, line->times[i]);
		}
		steps += (double)line->count - 1;
		found->spread = fmax(found->spread, most / least - 1);
	}
	found->noise = steps > 0 ? sqrt(squares / 2 / steps) : NAN;
}

struct grid_dependence grid_dependence_of(struct arena *arena, const struct size_grid *grid,
					  int side)
{
	struct grid_dependence found = {.trend = NAN, .pattern = NAN, .uneven = NAN};
	struct lines lines = lines_of_grid(arena, grid, side);
	struct trend trend = {0};
	measure_spread(&lines, &found);
	for (size_t k = 0; k < lines.count; k++)
		add_trend(arena, &lines.items[k], &trend);
	if (!is_enough(&trend))
		return found;
	found.trend = trend_of(&trend);
	found.pattern = pattern_of(arena, &lines);
	found.uneven = uneven_of(&lines);
	found.none = found.trend >= level && found.pattern >= level && found.uneven >= level;
	return found;
}

/* --- times of plans --- */

/* Replaces the measured times of each line by their median. */
static void flatten(struct arena *arena, const struct size_grid *grid, int side, double *times)
{
	double *line = arena_array(arena, grid->counts[side], sizeof *line);
	for (size_t k = 0; k < grid->counts[!side]; k++) {
		size_t count = 0;
		for (size_t i = 0; i < grid->counts[side]; i++)
			if (!isnan(times[cell_of(grid, side, i, k)]))
				line[count++] = times[cell_of(grid, side, i, k)];
		double median = median_in_place(line, count);
		for (size_t i = 0; i < grid->counts[side]; i++)
			if (!isnan(times[cell_of(grid, side, i, k)]))
				times[cell_of(grid, side, i, k)] = median;
	}
}

double *grid_dependence_times(struct arena *arena, const struct size_grid *grid,
			      const struct grid_dependence dependence[2])
{
	size_t cells = grid->counts[0] * grid->counts[1], count = 0;
	double *times = arena_array(arena, cells, sizeof *times);
	memcpy(times, grid->seconds, cells * sizeof *times);
	if (dependence[0].none && dependence[1].none) {
		double *known = arena_array(arena, cells, sizeof *known);
		for (size_t i = 0; i < cells; i++)
			if (!isnan(times[i]))
				known[count++] = times[i];
		double median = median_in_place(known, count);
		for (size_t i = 0; i < cells; i++)
			times[i] = isnan(times[i]) ? NAN : median;
	} else if (dependence[0].none || dependence[1].none) {
		flatten(arena, grid, dependence[0].none ? 0 : 1, times);
	}
	return times;
}
