/* rooflog fusion --export: writes the times as the profile_result.json that the scheduler loads. */
#include "cli/fusion/fusion.h"

#include "render/fusion/fusion.h"
#include "render/vocabulary/vocabulary.h"

/* The file has no field for device and dtype, so it can hold only one of each, and each shape only
 * once. */
static int check_alike(struct arena *arena, const struct fusion_works *works, struct error *err)
{
	const struct fusion_work *first = NULL, *last = NULL;
	for (size_t i = 0; i < works->count; i++) {
		const struct fusion_work *work = &works->items[i];
		if (!fusion_is_timed(work))
			continue;
		first = first ? first : work;
		if (!span_text_eq(first->run->device, work->run->device) ||
		    !span_text_eq(first->run->dtype, work->run->dtype) ||
		    !span_text_eq(first->run->tool, work->run->tool))
			return error_set(
				err, ERR_USAGE,
				"there are times of %s and of %s, and the file cannot tell them "
				"apart: choose with --device, --dtype or --tool",
				vocabulary_english(arena, fusion_group_message(arena, first->run)),
				vocabulary_english(arena, fusion_group_message(arena, work->run)));
		if (last && span_text_eq(last->run->kernel, work->run->kernel) &&
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
		if (!fusion_is_timed(work))
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

int fusion_command_export(struct cli *cli, const struct fusion_options *options,
			  const struct fusion_works *works, const char *path, struct error *err)
{
	struct strbuf sb = {0};
	if (check_alike(&cli->arena, works, err) < 0)
		return -1;
	json_write(&sb, render_fusion_export(&cli->arena, works), false);
	if (cli_output(path, &sb, err) < 0)
		return -1;
	tell(cli, options, works, path);
	return 0;
}
