/* rooflog fusion: compares fused with unfused times, shape by shape, and recommends which to use.
 * It only reads the store. */
#include "cli/command.h"

#include "cli/fusion/fusion.h"
#include "cli/output/output.h"
#include "render/fusion/fusion.h"

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
	if (fusion_command_load(cli, options, fusion_sides, works, err) < 0)
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
		return fusion_command_export(cli, options, &works, outputs->export, err);
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
		.kernel = options->filter.kernel,
		/* With a filter, only the matching platforms count. */
		.all_platforms =
			!options->filter.device && !options->filter.dtype && !options->tool,
	};
	struct fusion_works works = {0};
	struct strbuf text = {0};
	if (fusion_command_load(cli, options, fusion_sides, &works, err) < 0)
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
	if (fusion_command_load(cli, options, fusion_strategies, &works, err) < 0)
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
	{FIELD(fusion.tool), "tool", "GLOB", "only runs of this tool class"},
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
	.summary = "compare fused with unfused operators; feed the scheduler",
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
