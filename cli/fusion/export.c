/* rooflog fusion --export: times back in the form that the scheduler loads. */
#include "cli/fusion/fusion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"

/* The shortest number of milliseconds that is read back as this time. */
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

/* The key that the scheduler looks up: Python's str() of a list. */
static const char *key_of(struct arena *arena, const struct fusion_shape *shape)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < shape->rank; i++)
		strbuf_addf(&sb, "%s%.0f", i ? ", " : "[", shape->sizes[i]);
	strbuf_addch(&sb, ']');
	return strbuf_into(&sb, arena);
}

/* Both sides are timed on a shape. */
static bool is_exported(const struct fusion_work *work)
{
	const struct fusion_time *unfused = &work->times[FUSION_SIDE_UNFUSED];
	const struct fusion_time *fused = &work->times[FUSION_SIDE_FUSED];
	return work->sizes.rank && !isnan(unfused->time) && !isnan(fused->time) &&
	       unfused->provenance != PROVENANCE_ESTIMATED &&
	       fused->provenance != PROVENANCE_ESTIMATED;
}

static void add_side(struct arena *arena, struct json *root, const struct fusion_works *works,
		     int side)
{
	struct json *operators = json_set_object(arena, root, fusion_sides[side]), *shapes = NULL;
	for (size_t i = 0; i < works->count; i++) {
		const struct fusion_work *work = &works->items[i];
		if (!is_exported(work))
			continue;
		if (!shapes || strcmp(shapes->name, work->run->kernel) != 0)
			shapes = json_set_object(arena, operators, work->run->kernel);
		json_set_number(arena, shapes, key_of(arena, &work->sizes),
				milliseconds_of(work->times[side].time));
	}
}

/* The file says neither device nor dtype, so it holds one of each, and no shape twice. */
static int check_alike(struct arena *arena, const struct fusion_works *works, struct error *err)
{
	const struct fusion_work *first = NULL, *last = NULL;
	for (size_t i = 0; i < works->count; i++) {
		const struct fusion_work *work = &works->items[i];
		if (!is_exported(work))
			continue;
		first = first ? first : work;
		if (!text_eq(first->run->device, work->run->device) ||
		    !text_eq(first->run->dtype, work->run->dtype) ||
		    !text_eq(first->run->tool, work->run->tool))
			return error_set(
				err, ERR_USAGE,
				"there are times of %s and of %s, and the file cannot tell them "
				"apart: choose with --device, --dtype or --tool",
				fusion_group_name(arena, first->run),
				fusion_group_name(arena, work->run));
		if (last && text_eq(last->run->kernel, work->run->kernel) &&
		    fusion_shape_compare(&last->sizes, &work->sizes) == 0)
			return error_set(err, ERR_USAGE,
					 "%s %s was measured twice, in different circumstances (a "
					 "changed work tree, other parameters): choose a commit "
					 "where it was not",
					 work->run->kernel, work->shape);
		last = work;
	}
	if (!first)
		return error_set(err, ERR_STORE,
				 "no shape was timed both fused and unfused: there is nothing to "
				 "export");
	return 0;
}

static void tell(const struct cli *cli, const struct fusion_options *options,
		 const struct fusion_works *works, const char *path)
{
	size_t exported = 0, undecided = 0;
	for (size_t i = 0; i < works->count; i++) {
		const struct fusion_work *work = &works->items[i];
		if (!is_exported(work))
			continue;
		exported++;
		undecided += fusion_judge(&work->times[FUSION_SIDE_UNFUSED],
					  &work->times[FUSION_SIDE_FUSED], options->margin)
				     .decision == FUSION_UNDECIDED;
	}
	cli_note(cli, "wrote %s: %zu shapes, for should_fuse(margin=%.4g)", path, exported,
		 options->margin);
	if (undecided)
		cli_warn(cli, "%zu of them are undecided: there the scheduler follows the noise",
			 undecided);
	if (exported < works->count)
		cli_warn(cli, "%zu were left out: estimated, without a shape, or timed on one side",
			 works->count - exported);
}

int fusion_export(struct cli *cli, const struct fusion_options *options,
		  const struct fusion_works *works, const char *path, struct error *err)
{
	struct strbuf sb = {0};
	struct json *root = json_object(&cli->arena);
	if (check_alike(&cli->arena, works, err) < 0)
		return -1;
	add_side(&cli->arena, root, works, FUSION_SIDE_UNFUSED);
	add_side(&cli->arena, root, works, FUSION_SIDE_FUSED);
	json_write(&sb, root, false);
	int rc = cli_output(path, strbuf_span(&sb), err);
	strbuf_free(&sb);
	if (rc == 0)
		tell(cli, options, works, path);
	return rc;
}
