/* Times in the file format that the scheduler loads. */
#include "render/fusion/fusion.h"

/* The shortest decimal number of milliseconds that reads back as the same double of seconds. */
static double milliseconds_of(double seconds)
{
	char text[64];
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, seconds * 1000);
		double ms = strtod(text, NULL);
		if (ms / 1000 == seconds)
			return ms;
	}
	return seconds * 1000;
}

/* The scheduler's lookup key: Python's str() of a list. */
static const char *key_of(struct arena *arena, const struct fusion_shape *shape)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < shape->rank; i++)
		strbuf_addf(&sb, "%s%.0f", i ? ", " : "[", shape->sizes[i]);
	strbuf_addch(&sb, ']');
	return strbuf_into(&sb, arena);
}

static void add_side(struct arena *arena, struct json *root, const struct fusion_works *works,
		     int side)
{
	struct json *operators = json_set_object(arena, root, fusion_sides[side]), *shapes = NULL;
	for (size_t i = 0; i < works->count; i++) {
		const struct fusion_work *work = &works->items[i];
		if (!fusion_is_timed(work))
			continue;
		if (!shapes || strcmp(shapes->name, work->run->kernel) != 0)
			shapes = json_set_object(arena, operators, work->run->kernel);
		json_set_number(arena, shapes, key_of(arena, &work->sizes),
				milliseconds_of(work->times[side].time));
	}
}

struct json *render_fusion_export(struct arena *arena, const struct fusion_works *works)
{
	struct json *root = json_object(arena);
	add_side(arena, root, works, FUSION_SIDE_UNFUSED);
	add_side(arena, root, works, FUSION_SIDE_FUSED);
	return root;
}
