/* Loading runs as a sweep, and the sweep as JSON. */
#include "cli/query/sweep.h"

#include <math.h>

#include "model/sizing/tiles.h"

int cli_sweep(struct cli *cli, const char *commit, const struct run_filter *filter, const char *x,
	      struct sweep *sweep, struct error *err)
{
	char oid[65];
	struct loaded_list list = {0};
	struct run_query query = {
		.kernel = filter->kernel,
		.variant = filter->variant,
		.dtype = filter->dtype,
		.device = filter->device,
		.commit = oid,
	};
	if (cli_select_commit(cli, commit, oid, err) < 0 ||
	    cli_load_runs(cli, &query, &list, err) < 0)
		return -1;
	loaded_drop_incorrect(cli, &list);
	if (list.count == 0)
		return error_set(err, ERR_STORE, "commit %.10s has no stored runs that match", oid);
	const struct run **runs = arena_array(&cli->arena, list.count, sizeof *runs);
	for (size_t i = 0; i < list.count; i++)
		runs[i] = list.items[i].stored.run;
	return sweep_of(&cli->arena, runs, list.count, x, sweep, err);
}

/* Tiles of the PE array are those of Neuron devices; NAN for a run elsewhere. */
static double tile_of(struct cli *cli, const struct sweep *sweep)
{
	double tile = tiles_of_param(sweep->x);
	for (size_t i = 0; i < sweep->count; i++) {
		const char *device = sweep->lines[i].run->device;
		const struct hardware *known = device ? hardware_find(&cli->devices, device) : NULL;
		if (!known || !known->per_core)
			tile = NAN;
	}
	return tile;
}

static const char *subject_of(struct cli *cli, const struct sweep *sweep)
{
	size_t kernels = 0;
	for (size_t i = 0; i < sweep->count; i++) {
		size_t k = 0;
		while (k < i && !text_eq(sweep->lines[k].run->kernel, sweep->lines[i].run->kernel))
			k++;
		kernels += k == i;
	}
	if (kernels > 1)
		return arena_printf(&cli->arena, "%zu kernels", kernels);
	return sweep->lines[0].run->kernel;
}

struct json *cli_sweep_document(struct cli *cli, const struct sweep *sweep)
{
	struct arena *arena = &cli->arena;
	struct json *document = json_object(arena);
	struct json *object = json_set_object(arena, document, "sweep");
	enum metric time = sweep->lines[0].time;
	for (size_t i = 1; i < sweep->count; i++)
		time = sweep->lines[i].time == time ? time : METRIC_COUNT;
	json_set_text(arena, object, "x", sweep->x);
	json_set_text(arena, object, "subject", subject_of(cli, sweep));
	json_set_text(arena, object, "common", sweep->common);
	json_set_text(arena, object, "time",
		      time == METRIC_COUNT ? "Time" : metric_info(time)->title);
	json_set_number(arena, object, "tile", tile_of(cli, sweep));
	json_set_number(arena, object, "skipped", (double)sweep->skipped);
	struct json *lines = json_set_array(arena, object, "lines");
	for (size_t i = 0; i < sweep->count; i++) {
		struct json *line = json_add_object(arena, lines);
		json_set_text(arena, line, "name", sweep->lines[i].name);
		struct json *points = json_set_array(arena, line, "points");
		for (size_t k = 0; k < sweep->lines[i].count; k++) {
			struct json *point = json_add_object(arena, points);
			json_set_number(arena, point, "x", sweep->lines[i].points[k].x);
			json_set_number(arena, point, "time", sweep->lines[i].points[k].seconds);
		}
	}
	return document;
}
