/* rooflog analyze fusion: compares fused with unfused times, shape by shape, and recommends which
 * to use. It only reads the store. */
#include "cli/analyze/analyze.h"

#include "cli/runs/runs.h"
#include "model/sizing/sizing.h"
#include "model/sizing/fusion/fusion_coverage.h"
#include "model/sizing/fusion/fusion_shapes.h"
#include "render/fusion/fusion.h"
#include "render/vocabulary/vocabulary.h"

struct fusion_options {
	struct run_filter filter;
	double margin;      /* how much faster fused must be: 0.05 is 5 % */
	const char *commit; /* full oid; NULL: all commits, or files */
};

struct fusion_arguments {
	struct fusion_options fusion;
	struct analyze_outputs outputs;
	bool coverage, strategies; /* instead of the comparison: at most one of these */
	struct text_list shapes;
	struct reading_options reading;
	struct arguments words; /* none: HEAD or its nearest ancestor with runs */
};

static const struct words_rules rules = {
	.command = "analyze fusion",
	.kinds = WORD_FILE | WORD_COMMIT | WORD_SERIES,
	.does = "analyze takes the runs of a commit or of files",
};

/* Loads the works of these variants (a NULL-terminated list) that match the options. */
static int load_works(struct cli *cli, const struct fusion_options *options,
		      const char *const *variants, struct fusion_works *works, struct error *err)
{
	struct loaded_list list = {0};
	struct run_query query = runs_query(&options->filter, options->commit);
	if (cli->files.count ? files_runs(cli, &options->filter, &list, err) < 0
			     : runs_load(cli, &query, &list, err) < 0)
		return -1;
	runs_drop_incorrect(cli, &list);
	const struct run **runs = arena_array(&cli->arena, list.count, sizeof *runs);
	for (size_t i = 0; i < list.count; i++)
		runs[i] = list.items[i].stored.run;
	*works = fusion_works_of(&cli->arena, runs, list.count, variants,
				 cli->settings.fusion_noise);
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
				"times of both %s and %s match, but the file can hold only one: "
				"choose with --device, --dtype or --tool",
				vocabulary_say(arena, fusion_group_message(arena, first->run)),
				vocabulary_say(arena, fusion_group_message(arena, work->run)));
		if (last && span_text_eq(last->run->kernel, work->run->kernel) &&
		    fusion_shape_compare(&last->sizes, &work->sizes) == 0)
			return error_set(
				err, ERR_USAGE,
				"%s %s has two measurements with different setups (uncommitted "
				"changes or parameters): choose another commit",
				work->run->kernel, work->shape);
		last = work;
	}
	if (!first)
		return error_set(err, ERR_STORE,
				 "nothing to export: no shape was timed both fused and unfused");
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
	cli_note(cli, "%s: %zu shape%s, for should_fuse(margin=%.4g)", path, exported,
		 exported == 1 ? "" : "s", options->margin);
	if (undecided)
		cli_warn(cli, "%zu of them %s unclear: the scheduler's choice there is noise",
			 undecided, undecided == 1 ? "is" : "are");
	if (exported < works->count)
		cli_warn(cli, "skipped %zu: estimated, without a shape, or timed on one side only",
			 works->count - exported);
}

/* The comparison, for export_times(). */
struct compared {
	const struct fusion_options *options;
	const struct fusion_works *works;
};

/* Writes the times as the profile_result.json that the scheduler loads. */
static int export_times(struct cli *cli, const void *context, const char *path, struct strbuf *out,
			struct error *err)
{
	const struct compared *compared = context;
	if (check_uniform(&cli->arena, compared->works, err) < 0)
		return -1;
	json_write(out, render_fusion_export(&cli->arena, compared->works), false);
	note_export(cli, compared->options, compared->works, path);
	return 0;
}

static struct fusion_view view_of(struct cli *cli, const struct fusion_options *options,
				  const struct fusion_works *works)
{
	return (struct fusion_view){&cli->arena,
				    works,
				    options->commit,
				    options->margin,
				    cli->settings.fusion_noise,
				    cli_table_width()};
}

static int refuse_none(const struct fusion_options *options, const char *variants,
		       struct error *err)
{
	if (!options->commit)
		return error_set(err, ERR_STORE,
				 "no matching runs of the variants %s in these files", variants);
	return error_set(err, ERR_STORE,
			 "commit %.10s has no matching runs of the variants %s; \"rooflog log "
			 "--variant fused\" lists stored runs",
			 options->commit, variants);
}

static int compare(struct cli *cli, const struct fusion_options *options, struct analysis *made,
		   struct error *err)
{
	struct fusion_works *works = arena_new(&cli->arena, struct fusion_works);
	struct compared *compared = arena_new(&cli->arena, struct compared);
	if (load_works(cli, options, fusion_sides, works, err) < 0)
		return -1;
	if (works->count == 0)
		return refuse_none(options, "fused and unfused", err);
	const struct fusion_view view = view_of(cli, options, works);
	*compared = (struct compared){options, works};
	made->context = compared;
	made->document = render_fusion_json(&view);
	output_speak(cli, true);
	render_fusion_text(&view, &made->text);
	return 0;
}

/* What the scheduler decides for each shape, by the measured ones of each operator. */
static int answer_shapes(struct cli *cli, const struct fusion_options *options,
			 const struct text_list *shapes, struct analysis *made, struct error *err)
{
	struct fusion_works works = {0};
	if (load_works(cli, options, fusion_sides, &works, err) < 0)
		return -1;
	if (works.count == 0)
		return refuse_none(options, "fused and unfused", err);
	struct {
		struct fusion_answer *items;
		size_t count, capacity;
	} answers = {NULL, 0, 0};
	for (size_t i = 0; i < shapes->count; i++) {
		struct fusion_wanted wanted;
		if (fusion_wanted_of(shapes->items[i], &wanted, err) < 0)
			return -1;
		for (size_t start = 0, end; start < works.count; start = end) {
			end = fusion_group_end(&works, start, true);
			struct fusion_answer one =
				fusion_answer_of(&cli->arena, &works, start, end, &wanted);
			fusion_answer_decide(&one, options->margin);
			*arena_add(&cli->arena, &answers) = one;
		}
	}
	const struct fusion_view view = view_of(cli, options, &works);
	made->document = render_fusion_answers_json(&view, answers.items, answers.count);
	output_speak(cli, true);
	render_fusion_answers_text(&view, answers.items, answers.count, &made->text);
	return 0;
}

static int cover(struct cli *cli, const struct fusion_options *options, struct analysis *made,
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
	if (load_works(cli, options, fusion_sides, &works, err) < 0)
		return -1;
	struct fusion_coverages lines = fusion_coverage_of(&question, &works);
	made->document = render_fusion_coverage_json(&cli->arena, &lines);
	output_speak(cli, true);
	render_fusion_coverage_text(&cli->arena, &lines, &made->text);
	return 0;
}

static int compare_strategies(struct cli *cli, const struct fusion_options *options,
			      struct analysis *made, struct error *err)
{
	struct fusion_works works = {0};
	if (load_works(cli, options, fusion_strategies, &works, err) < 0)
		return -1;
	if (works.count == 0)
		return refuse_none(options, "never_fuse, always_fuse and smart_schedule", err);
	const struct fusion_view view = view_of(cli, options, &works);
	made->document = render_fusion_strategies_json(&view);
	output_speak(cli, true);
	render_fusion_strategies_text(&view, &made->text);
	return 0;
}

/* What can be written: only the comparison is drawn, and read by the scheduler. */
static struct analysis analysis_of(const struct fusion_arguments *o)
{
	struct analysis analysis = {.command = OUTPUT_FUSION, .name = "analyze fusion"};
	if (!o->coverage && !o->strategies && !o->shapes.count) {
		analysis.chart = "fusion";
		analysis.schedule = export_times;
	}
	return analysis;
}

static int check(struct cli *cli, void *options, struct error *err)
{
	struct fusion_arguments *o = options;
	const struct analysis analysis = analysis_of(o);
	if (o->coverage + o->strategies + (o->shapes.count > 0) > 1)
		return error_set(err, ERR_USAGE, "--%s and --%s cannot be combined",
				 o->shapes.count ? "shape" : "coverage",
				 o->strategies ? "strategies" : "coverage");
	return analyze_check(cli, &o->outputs, &analysis, err);
}

static int run(struct cli *cli, void *options, struct error *err)
{
	struct fusion_arguments *o = options;
	struct analysis made = analysis_of(o);
	const struct files_request asked = {&o->words, &o->reading, &o->fusion.filter};
	struct words_rules wanted = rules;
	struct words words;
	wanted.all_commits = o->coverage;
	if (files_open(cli, &wanted, &asked, &words, err) < 0 ||
	    runs_prepare_filter(cli, &o->fusion.filter, err) < 0 ||
	    output_choose_language(cli, NULL, err) < 0)
		return -1;
	o->fusion.commit = words_commit(&words);
	if ((o->coverage       ? cover(cli, &o->fusion, &made, err)
	     : o->strategies   ? compare_strategies(cli, &o->fusion, &made, err)
	     : o->shapes.count ? answer_shapes(cli, &o->fusion, &o->shapes, &made, err)
			       : compare(cli, &o->fusion, &made, err)) < 0)
		return -1;
	output_speak(cli, false);
	return analyze_write(cli, &o->outputs, &made, err);
}

#define FIELD(member) OPTION_FIELD(struct fusion_arguments, member)
static const struct option rows[] = {
	{FIELD(fusion.margin), "margin", "PERCENT", "how much faster fused must be (default: 0)",
	 .share = true, .zero = true, .high = 100, .expected = "a fraction such as 0.05 or 5 %"},
	{FIELD(shapes), "shape", "SIZES",
	 "what the scheduler decides for a shape, measured or not: 1x300x4096, b=1,s=300"},
	{FIELD(coverage), "coverage", NULL,
	 "list shapes not measured yet, for each platform (all commits, unless one is named)"},
	{FIELD(strategies), "strategies", NULL,
	 "compare never, always and smart fusing, end to end"},
	{OPTION_GROUP(struct fusion_arguments, fusion.filter, run_filter_options)},
	{OPTION_GROUP(struct fusion_arguments, reading, reading_option_rows)},
	{OPTION_GROUP(struct fusion_arguments, outputs, analyze_output_rows)},
	{.kind = OPTION_END},
};

const struct command analyze_fusion = {
	.name = "analyze fusion",
	.summary = "see whether fusing kernels pays",
	.options = rows,
	.arguments = {{"FILE | COMMIT | SERIES", ARGUMENT(struct fusion_arguments, words)}},
	.options_size = sizeof(struct fusion_arguments),
	.check = check,
	.run = run,
};
