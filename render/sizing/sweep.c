/* Runs in which one size varies, for the latency chart. */
#include "render/sizing/sizing.h"
#include "render/vocabulary/vocabulary.h"

#include "render/document/key.h"

/* Tile size of the PE array; NAN for a run that is not from a Neuron device. */
static double tile_of(const struct hardware_list *devices, const struct sweep *sweep)
{
	double tile = tiles_of_param(sweep->x);
	for (size_t i = 0; i < sweep->count; i++) {
		const char *device = sweep->lines[i].run->device;
		const struct hardware *known = device ? hardware_find(devices, device) : NULL;
		if (!known || !known->per_core)
			tile = NAN;
	}
	return tile;
}

static const char *subject_of(struct arena *arena, const struct sweep *sweep)
{
	size_t kernels = 0;
	for (size_t i = 0; i < sweep->count; i++) {
		size_t k = 0;
		while (k < i &&
		       !span_text_eq(sweep->lines[k].run->kernel, sweep->lines[i].run->kernel))
			k++;
		kernels += k == i;
	}
	if (kernels > 1)
		return arena_printf(arena, "%zu kernels", kernels);
	return sweep->lines[0].run->kernel;
}

struct json *render_sweep_json(struct arena *arena, const struct hardware_list *devices,
			       const struct sweep *sweep)
{
	struct json *document = json_object(arena);
	struct json *object = json_set_object(arena, document, KEY(sweep));
	enum metric time = sweep->lines[0].time;
	for (size_t i = 1; i < sweep->count; i++)
		time = sweep->lines[i].time == time ? time : METRIC_COUNT;
	json_set_text(arena, object, KEY(x), sweep->x);
	json_set_text(arena, object, KEY(subject), subject_of(arena, sweep));
	json_set_text(arena, object, KEY(common), sweep->common);
	json_set_text(arena, object, KEY(time),
		      time == METRIC_COUNT ? vocabulary_format("Time")
					   : vocabulary_metric(vocabulary_spoken(), time));
	json_set_number(arena, object, KEY(tile), tile_of(devices, sweep));
	json_set_number(arena, object, KEY(skipped), (double)sweep->skipped);
	struct json *lines = json_set_array(arena, object, KEY(lines));
	for (size_t i = 0; i < sweep->count; i++) {
		struct json *line = json_add_object(arena, lines);
		json_set_text(arena, line, KEY(name), sweep->lines[i].name);
		struct json *points = json_set_array(arena, line, KEY(points));
		for (size_t k = 0; k < sweep->lines[i].count; k++) {
			struct json *point = json_add_object(arena, points);
			json_set_number(arena, point, KEY(x), sweep->lines[i].points[k].x);
			json_set_number(arena, point, KEY(time), sweep->lines[i].points[k].seconds);
			json_set_number(arena, point, KEY(fastest),
					sweep->lines[i].points[k].fastest);
			json_set_number(arena, point, KEY(slowest),
					sweep->lines[i].points[k].slowest);
		}
	}
	return document;
}
