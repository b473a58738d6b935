/* rooflog fusion: compares fused with unfused times, shape by shape, and recommends which to use.
 * It only reads the store. */
#include "cli/command.h"

#include "cli/fusion/fusion.h"
#include "cli/output/output.h"
#include "render/fusion/fusion.h"
#include "render/vocabulary/vocabulary.h"

/* What to do with the comparison: at most one of these. */
struct outputs {
	const char *export, *chart;
	bool coverage, strategies, json, dark;
};

struct fusion_arguments {
	struct fusion_options fusion;
	struct outputs outputs;
	const char *commit; /* NULL: HEAD or its nearest ancestor with runs */
};

/* Loads the works of these variants (a NULL-terminated list) that match the options. */
static int load_works(struct cli *cli, const struct fusion_options *options,
		      const char *const *variants, struct fusion_works *works, struct error *err)
{
	struct loaded_list list = {0};
	struct run_query query = runs_query(&options->filter, options->commit);
	if (runs_load(cli, &query, &list, err) < 0)
		return -1;
	runs_drop_incorrect(cli, &list);
	const struct run **runs = arena_array(&cli->arena, list.count, sizeof *runs);
	for (size_t i = 0; i < list.count; i++)
		runs[i] = list.items[i].stored.run;
	*works = fusion_works_of(&cli->arena, runs, list.count, variants, options->noise);
	return 0;
}

/* The file has no field for device and dtype, so it can hold only one of each, and each shape only
 * once. */
static int check_uniform(struct arena *arena, const struct fusion_works *works, struct error *err)
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

static void note_export(const struct cli *cli, const struct fusion_options *options,
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

/* Writes the times as the profile_result.json that the scheduler loads. */
static int export_times(struct cli *cli, const struct fusion_options *options,
			const struct fusion_works *works, const char *path, struct error *err)
{
	struct strbuf sb = {0};
	if (check_uniform(&cli->arena, works, err) < 0)
		return -1;
	json_write(&sb, render_fusion_export(&cli->arena, works), false);
	if (cli_output(cli, path, &sb, err) < 0)
		return -1;
	note_export(cli, options, works, path);
	return 0;
}

static int draw_chart(struct cli *cli, const struct outputs *outputs, const struct json *document,
		      struct error *err)
{
	if (output_write_chart(cli, "fusion", document, outputs->dark, outputs->chart, err) < 0)
		return -1;
	cli_note(cli, "wrote %s", outputs->chart);
	return 0;
}

static struct fusion_view view_of(struct cli *cli, const struct fusion_options *options,
				  const struct fusion_works *works)
{
	return (struct fusion_view){&cli->arena,     works,          options->commit,
				    options->margin, options->noise, cli_table_width()};
}

static int load(struct cli *cli, const struct fusion_options *options, struct fusion_works *works,
		struct error *err)
{
	if (load_works(cli, options, fusion_sides, works, err) < 0)
		return -1;
	if (works->count == 0)
		return error_set(err, ERR_STORE,
				 "commit %.10s has no runs of the variants fused and unfused that "
				 "match; \"rooflog log --variant fused\" lists what is stored",
				 options->commit);
	return 0;
}

int fusion_command_document(struct cli *cli, const struct fusion_options *options,
			    struct json **document, struct error *err)
{
	struct fusion_works works = {0};
	if (load(cli, options, &works, err) < 0)
		return -1;
	const struct fusion_view view = view_of(cli, options, &works);
	*document = render_fusion_json(&view);
	return 0;
}

static int compare(struct cli *cli, const struct fusion_options *options,
		   const struct outputs *outputs, struct error *err)
{
	struct fusion_works works = {0};
	struct strbuf text = {0};
	if (load(cli, options, &works, err) < 0)
		return -1;
	const struct fusion_view view = view_of(cli, options, &works);
	if (outputs->export)
		return export_times(cli, options, &works, outputs->export, err);
	if (outputs->chart)
		return draw_chart(cli, outputs, render_fusion_json(&view), err);
	if (outputs->json)
		return cli_print_json(render_fusion_json(&view), err);
	render_fusion_text(&view, &text);
	return cli_print_built(&text, err);
}

static int print_coverage(struct cli *cli, const struct fusion_options *options, bool json,
			  struct error *err)
{
	const struct fusion_question question = {
		.arena = &cli->arena,
		.devices = &cli->settings.devices,
		.kernels = options->filter.kernel.items,
		.kernel_count = options->filter.kernel.count,
		/* With a filter, only the matching platforms count. */
		.all_platforms = !options->filter.device.count && !options->filter.dtype.count &&
				 !options->filter.tool.count,
	};
	struct fusion_works works = {0};
	struct strbuf text = {0};
	if (load_works(cli, options, fusion_sides, &works, err) < 0)
		return -1;
	struct fusion_coverages lines = fusion_coverage_of(&question, &works);
	if (json)
		return cli_print_json(render_fusion_coverage_json(&cli->arena, &lines), err);
	render_fusion_coverage_text(&cli->arena, &lines, &text);
	return cli_print_built(&text, err);
}

static int print_strategies(struct cli *cli, const struct fusion_options *options, bool json,
			    struct error *err)
{
	struct fusion_works works = {0};
	struct strbuf text = {0};
	if (load_works(cli, options, fusion_strategies, &works, err) < 0)
		return -1;
	if (works.count == 0)
		return error_set(err, ERR_STORE,
				 "commit %.10s has no runs of the variants never_fuse, always_fuse "
				 "and smart_schedule that match",
				 options->commit);
	const struct fusion_view view = view_of(cli, options, &works);
	if (json)
		return cli_print_json(render_fusion_strategies_json(&view), err);
	render_fusion_strategies_text(&view, &text);
	return cli_print_built(&text, err);
}

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct outputs *outputs = &((const struct fusion_arguments *)options)->outputs;
	(void)cli;
	if (!!outputs->export + !!outputs->chart + outputs->coverage + outputs->strategies > 1)
		return error_set(
			err, ERR_USAGE,
			"--export, --chart, --coverage and --strategies exclude each other");
	if (outputs->json && (outputs->export || outputs->chart))
		return error_set(err, ERR_USAGE,
				 "--export and --chart write their own format: leave --json out");
	return 0;
}

static int print_fusion(struct cli *cli, void *options, struct error *err)
{
	struct fusion_arguments *asked = options;
	struct fusion_options *o = &asked->fusion;
	const struct outputs *outputs = &asked->outputs;
	char oid[65];
	if (runs_prepare_filter(cli, &o->filter, err) < 0)
		return -1;
	if (asked->commit || !outputs->coverage) {
		if (runs_select_commit(cli, asked->commit, oid, err) < 0)
			return -1;
		o->commit = oid;
	}
	return outputs->coverage     ? print_coverage(cli, o, outputs->json, err)
	       : outputs->strategies ? print_strategies(cli, o, outputs->json, err)
				     : compare(cli, o, outputs, err);
}

#define FIELD(member) OPTION_FIELD(struct fusion_arguments, member)
static const struct option rows[] = {
	{OPTION_GROUP(struct fusion_arguments, fusion.filter, run_filter_options)},
	{FIELD(fusion.margin), "margin", "M", "how much faster fused must be (default: 0)",
	 .share = true, .zero = true, .high = 100, .expected = "a fraction such as 0.05 or 5 %"},
	{FIELD(fusion.noise), "noise", "R", "noise of a time with few repeats (default: 2 %)",
	 .share = true, .zero = true, .high = 1, .expected = "a fraction such as 0.05 or 5 %"},
	{FIELD(outputs.export), "export", "FILE", "write the times for the scheduler"},
	{FIELD(outputs.chart), "chart", "FILE",
	 "draw the speed-ups: FILE.svg, FILE.png or FILE.pdf"},
	{FIELD(outputs.dark), "dark", NULL, "for dark backgrounds"},
	{FIELD(outputs.coverage), "coverage", NULL, "what is not measured yet, by platform"},
	{FIELD(outputs.strategies), "strategies", NULL, "never, always and smart end to end"},
	{FIELD(outputs.json), "json", NULL, "the same as JSON"},
	{.kind = OPTION_END},
};

static const struct fusion_arguments defaults = {.fusion = {.noise = FUSION_NOISE}};

const struct command command_fusion = {
	.name = "fusion",
	.group = GROUP_OTHER,
	.summary = "see whether fusing kernels pays",
	.usage = "[OPTION]... [COMMIT]",
	.about = "Compares the runs of the variants fused and unfused of COMMIT (default: HEAD, or "
		 "its\n"
		 "nearest ancestor with runs), and says for each shape whether fusing pays. "
		 "--coverage\n"
		 "looks at all commits, unless one is named.",
	.options = rows,
	.arguments = {{"COMMIT", ARGUMENT(struct fusion_arguments, commit)}},
	.takes = "one commit",
	.examples = {"rooflog fusion --margin '5 %'",
		     "rooflog fusion --export profile_result.json main",
		     "rooflog fusion --coverage"},
	.options_size = sizeof(struct fusion_arguments),
	.defaults = &defaults,
	.needs = NEEDS_STORE,
	.check = check,
	.run = print_fusion,
};
