/* Groups the lines of a sweep over the second parameter into grids. */
#include "model/sizing/grid/size_grid.h"

#include "model/run/runs.h"
#include "model/sizing/sizing.h"

struct grid_row {
	const struct sweep_line *line;
	const struct run *rest; /* a run of the line without both parameters */
	const char *key;        /* of the rest */
	double size;            /* of the first parameter */
};

static int by_row(const void *a, const void *b)
{
	const struct grid_row *p = a, *q = b;
	int order = strcmp(p->key, q->key);
	if (!order)
		order = (p->size > q->size) - (p->size < q->size);
	return order ? order : (p->line > q->line) - (p->line < q->line);
}

static int by_grid(const void *a, const void *b)
{
	const struct grid_row *p = *(const struct grid_row *const *)a;
	const struct grid_row *q = *(const struct grid_row *const *)b;
	return (p->line > q->line) - (p->line < q->line);
}

/* Sorts the sizes, and returns how many different ones there are. */
static size_t distinct(double *sizes, size_t count)
{
	size_t kept = 0;
	array_sort(sizes, count, sizeof *sizes, array_by_double);
	for (size_t i = 0; i < count; i++)
		if (!kept || sizes[kept - 1] != sizes[i])
			sizes[kept++] = sizes[i];
	return kept;
}

static void set_sizes(struct arena *arena, const struct grid_row *rows, size_t count,
		      struct size_grid *grid)
{
	size_t points = 0, used = 0;
	for (size_t i = 0; i < count; i++)
		points += rows[i].line->count;
	grid->sizes[0] = arena_array(arena, count, sizeof(double));
	grid->sizes[1] = arena_array(arena, points, sizeof(double));
	for (size_t i = 0; i < count; i++) {
		grid->sizes[0][i] = rows[i].size;
		for (size_t k = 0; k < rows[i].line->count; k++)
			grid->sizes[1][used++] = rows[i].line->points[k].x;
	}
	grid->counts[0] = distinct(grid->sizes[0], count);
	grid->counts[1] = distinct(grid->sizes[1], points);
}

static size_t place_of(const struct size_grid *grid, int side, double size)
{
	return array_lower_bound(&size, grid->sizes[side], grid->counts[side], sizeof(double),
				 array_by_double);
}

/* Two lines may have one size, as "8" and "8.0": of two times the faster counts. */
static void set_times(struct arena *arena, const struct grid_row *rows, size_t count,
		      struct size_grid *grid)
{
	size_t cells = grid->counts[0] * grid->counts[1];
	grid->seconds = arena_array(arena, cells, sizeof(double));
	for (size_t i = 0; i < cells; i++)
		grid->seconds[i] = NAN;
	for (size_t i = 0; i < count; i++) {
		double *row = grid->seconds + place_of(grid, 0, rows[i].size) * grid->counts[1];
		for (size_t k = 0; k < rows[i].line->count; k++) {
			const struct sweep_point *point = &rows[i].line->points[k];
			double *cell = &row[place_of(grid, 1, point->x)];
			grid->measured += isnan(*cell);
			*cell = fmin(*cell, point->seconds);
		}
	}
}

static void name_grids(struct arena *arena, const struct run *const *rests,
		       struct size_grids *grids)
{
	struct short_names naming = short_names_of(arena, rests, grids->count);
	for (size_t i = 0; i < grids->count; i++)
		grids->items[i].name = short_names_name(arena, &naming, rests[i]);
	grids->common = grids->count > 1   ? short_names_common(arena, &naming)
			: rests[0]->device ? rests[0]->device
					   : "";
}

static int refuse_large(const struct size_grids *grids, const struct size_grid *grid,
			struct error *err)
{
	int side = grid->counts[0] > GRID_SIDE_LIMIT ? 0 : 1;
	return error_set(
		err, ERR_USAGE,
		"%zu sizes of %.80s were measured, and a plan over two parameters takes at "
		"most %d: select some with --params, or plan with --over %.80s alone",
		grid->counts[side], grids->names[side], (int)GRID_SIDE_LIMIT, grids->names[side]);
}

/* Cuts the sorted rows into grids. */
static int cut_grids(struct arena *arena, const struct grid_row *rows, size_t count,
		     struct size_grids *grids, struct error *err)
{
	const struct grid_row **firsts = arena_array(arena, count, sizeof *firsts);
	const struct run **rests = arena_array(arena, count, sizeof *rests);
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		if (i == 0 || strcmp(rows[i].key, rows[i - 1].key) != 0)
			firsts[found++] = &rows[i];
	array_sort(firsts, found, sizeof *firsts, by_grid);
	grids->items = arena_array(arena, found, sizeof *grids->items);
	for (size_t i = 0; i < found; i++) {
		struct size_grid grid = {.run = firsts[i]->line->run,
					 .time = firsts[i]->line->time};
		const struct grid_row *end = firsts[i];
		while (end < rows + count && strcmp(end->key, firsts[i]->key) == 0)
			end++;
		set_sizes(arena, firsts[i], (size_t)(end - firsts[i]), &grid);
		if (grid.counts[0] < 2 || grid.counts[1] < 2) {
			grids->flat++;
			continue;
		}
		if (grid.counts[0] > GRID_SIDE_LIMIT || grid.counts[1] > GRID_SIDE_LIMIT)
			return refuse_large(grids, &grid, err);
		set_times(arena, firsts[i], (size_t)(end - firsts[i]), &grid);
		rests[grids->count] = firsts[i]->rest;
		grids->items[grids->count++] = grid;
	}
	if (!grids->count)
		return error_set(err, ERR_USAGE,
				 "no runs differ in both %.80s and %.80s and in nothing else: no "
				 "pairs of sizes to choose from",
				 grids->names[0], grids->names[1]);
	name_grids(arena, rests, grids);
	return 0;
}

int grid_all_of(struct arena *arena, const struct run *const *runs, size_t count,
		const char *const names[2], struct size_grids *grids, struct error *err)
{
	const struct run **kept = arena_array(arena, count, sizeof *kept);
	struct size_grids found = {.names = {names[0], names[1]}};
	struct sweep sweep;
	size_t used = 0;
	for (size_t i = 0; i < count; i++)
		if (!isnan(sweep_size(runs[i], names[0])))
			kept[used++] = runs[i];
	if (!used)
		return error_set(err, ERR_USAGE, "no run has a positive value for parameter %.80s",
				 names[0]);
	if (sweep_of(arena, kept, used, names[1], &sweep, err) < 0)
		return -1;
	struct grid_row *rows = arena_array(arena, sweep.count, sizeof *rows);
	for (size_t i = 0; i < sweep.count; i++) {
		const struct sweep_line *line = &sweep.lines[i];
		rows[i] = (struct grid_row){.line = line};
		rows[i].rest =
			sweep_without(arena, sweep_without(arena, line->run, names[0]), names[1]);
		rows[i].key = sweep_key(arena, rows[i].rest);
		rows[i].size = sweep_size(line->run, names[0]);
	}
	array_sort(rows, sweep.count, sizeof *rows, by_row);
	found.skipped = count - used + sweep.skipped;
	if (cut_grids(arena, rows, sweep.count, &found, err) < 0)
		return -1;
	*grids = found;
	return 0;
}
