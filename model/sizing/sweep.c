/* Finds the parameter that varies, and groups runs into lines by everything else. */
#include "model/sizing/sweep.h"

#include "base/base.h"
#include "model/run/runs.h"

enum { NAME_LIMIT = 64 }; /* parameters examined */

double sweep_size(const struct run *run, const char *param)
{
	const char *text = run_param(run, param);
	double number;
	return text && span_number(span_of(text), &number) && number > 0 ? number : NAN;
}

/* --- which parameter --- */

static bool varies(const struct run *const *runs, size_t count, const char *param)
{
	double first = NAN;
	for (size_t i = 0; i < count; i++) {
		double number = sweep_size(runs[i], param);
		if (!isnan(first) && !isnan(number) && number != first)
			return true;
		first = isnan(first) ? number : first;
	}
	return false;
}

static size_t varying(const struct run *const *runs, size_t count, const char *names[NAME_LIMIT])
{
	const char *seen[NAME_LIMIT];
	size_t seen_count = 0, found = 0;
	for (size_t i = 0; i < count; i++) {
		for (size_t p = 0; p < runs[i]->param_count && seen_count < NAME_LIMIT; p++) {
			const char *name = runs[i]->params[p].name;
			size_t k = 0;
			while (k < seen_count && strcmp(seen[k], name) != 0)
				k++;
			if (k < seen_count)
				continue;
			seen[seen_count++] = name;
			if (varies(runs, count, name))
				names[found++] = name;
		}
	}
	return found;
}

static int choose(struct arena *arena, const struct run *const *runs, size_t count, const char **x,
		  struct error *err)
{
	const char *names[NAME_LIMIT];
	size_t found = varying(runs, count, names);
	struct strbuf sb = {0};
	if (found == 1) {
		*x = names[0];
		return 0;
	}
	if (found == 0)
		return error_set(err, ERR_USAGE,
				 "no numeric parameter varies between these runs: no axis to "
				 "plot over");
	for (size_t i = 0; i < found; i++)
		strbuf_addf(&sb, "%s%.40s", i == 0 ? "" : i + 1 < found ? ", " : " and ", names[i]);
	return error_set(
		err, ERR_USAGE,
		"%.400s differ between these runs: choose one of them with --over, the others "
		"distinguish the lines",
		strbuf_into(&sb, arena));
}

/* --- lines --- */

struct sweep_position {
	const struct run *run;
	const struct run *rest; /* the run without x */
	const char *key;        /* of the rest */
	double x, seconds;
};

struct run *sweep_without(struct arena *arena, const struct run *run, const char *param)
{
	struct run *copy = arena_new(arena, struct run);
	*copy = *run;
	copy->params = arena_array(arena, run->param_count, sizeof *copy->params);
	copy->param_count = 0;
	for (size_t i = 0; i < run->param_count; i++)
		if (strcmp(run->params[i].name, param) != 0)
			copy->params[copy->param_count++] = run->params[i];
	return copy;
}

const char *sweep_key(struct arena *arena, const struct run *rest)
{
	return arena_printf(arena, "%d %d %s", (int)run_time_metric(rest), rest->dirty,
			    run_series_key(arena, rest));
}

static int by_position(const void *a, const void *b)
{
	const struct sweep_position *p = a, *q = b;
	int order = strcmp(p->key, q->key);
	if (order)
		return order;
	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->seconds > q->seconds) - (p->seconds < q->seconds);
}

static int by_text(const char *a, const char *b)
{
	double x, y;
	if (a && b && span_number(span_of(a), &x) && span_number(span_of(b), &y) && x != y)
		return x < y ? -1 : 1;
	return strcmp(a ? a : "", b ? b : "");
}

/* Orders lines by their first points, as a person would list them. */
static int by_line(const void *a, const void *b)
{
	const struct sweep_position *p = *(const struct sweep_position *const *)a;
	const struct sweep_position *q = *(const struct sweep_position *const *)b;
	int order = by_text(p->rest->kernel, q->rest->kernel);
	if (!order)
		order = by_text(p->rest->variant, q->rest->variant);
	for (size_t i = 0; !order && i < p->rest->param_count; i++)
		order = by_text(p->rest->params[i].value,
				run_param(q->rest, p->rest->params[i].name));
	return order ? order : strcmp(p->key, q->key);
}

/* Extends the range of a point to the repeats of a run; a NAN extends nothing. */
static void widen(struct sweep_point *point, const struct run_spread *spread)
{
	if (!spread)
		return;
	point->fastest = fmin(point->fastest, spread->minimum);
	point->slowest = fmax(point->slowest, spread->maximum);
}

static struct sweep_line line_of(struct arena *arena, const struct sweep_position *positions,
				 size_t count)
{
	struct sweep_line line = {.run = positions[0].run,
				  .time = run_time_metric(positions[0].run)};
	line.points = arena_array(arena, count, sizeof *line.points);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && positions[next].x == positions[i].x;)
			next++;
		struct sweep_point *point = &line.points[line.count++];
		*point = (struct sweep_point){positions[i].x,
					      positions[i + (next - i - 1) / 2].seconds,
					      positions[i].seconds, positions[next - 1].seconds};
		for (size_t k = i; k < next; k++)
			widen(point, run_spread(positions[k].run, line.time));
	}
	return line;
}

static void name_lines(struct arena *arena, struct sweep *sweep)
{
	const struct run **runs = arena_array(arena, sweep->count, sizeof *runs);
	for (size_t i = 0; i < sweep->count; i++)
		runs[i] = sweep_without(arena, sweep->lines[i].run, sweep->x);
	struct short_names naming = short_names_of(arena, runs, sweep->count);
	for (size_t i = 0; i < sweep->count; i++)
		sweep->lines[i].name = short_names_name(arena, &naming, runs[i]);
	sweep->common = sweep->count > 1              ? short_names_common(arena, &naming)
			: sweep->lines[0].run->device ? sweep->lines[0].run->device
						      : "";
}

/* Cuts the sorted points into lines. */
static void cut_lines(struct arena *arena, const struct sweep_position *positions, size_t count,
		      struct sweep *sweep)
{
	const struct sweep_position **firsts = arena_array(arena, count, sizeof *firsts);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || strcmp(positions[i].key, positions[i - 1].key) != 0)
			firsts[sweep->count++] = &positions[i];
	qsort(firsts, sweep->count, sizeof *firsts, by_line);
	sweep->lines = arena_array(arena, sweep->count, sizeof *sweep->lines);
	for (size_t i = 0; i < sweep->count; i++) {
		size_t begin = (size_t)(firsts[i] - positions), end = begin + 1;
		while (end < count && strcmp(positions[end].key, firsts[i]->key) == 0)
			end++;
		sweep->lines[i] = line_of(arena, firsts[i], end - begin);
	}
	name_lines(arena, sweep);
}

int sweep_of(struct arena *arena, const struct run *const *runs, size_t count, const char *x,
	     struct sweep *sweep, struct error *err)
{
	struct sweep_position *positions = arena_array(arena, count, sizeof *positions);
	struct sweep found = {0};
	size_t placed = 0;
	if (!x && choose(arena, runs, count, &x, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct sweep_position position = {.run = runs[i],
						  .rest = sweep_without(arena, runs[i], x),
						  .x = sweep_size(runs[i], x),
						  .seconds = run_time(runs[i])};
		position.key = sweep_key(arena, position.rest);
		if (!isnan(position.x) && position.seconds > 0)
			positions[placed++] = position;
	}
	if (!placed)
		return error_set(err, ERR_USAGE,
				 "no run has both a time and a positive value for parameter %.80s",
				 x);
	qsort(positions, placed, sizeof *positions, by_position);
	found.x = x;
	found.skipped = count - placed;
	cut_lines(arena, positions, placed, &found);
	*sweep = found;
	return 0;
}
