/* rooflog analyze: a group of commands, and where their results go. */
#include "cli/analyze/analyze.h"

int analyze_check(struct cli *cli, struct analyze_outputs *outputs, const struct analysis *analysis,
		  struct error *err)
{
	const struct output_rules rules = {analysis->command, analysis->name, "text",
					   analysis->chart, false};
	if (output_choose(cli, &rules, &outputs->wish, &outputs->list, err) < 0)
		return -1;
	for (size_t i = 0; i < outputs->list.count; i++) {
		const struct output *output = &outputs->list.items[i];
		const struct output_kind *kind = output_kind_find(span_of(output->name));
		if (kind->maker != OUTPUT_FORM && !analysis->chart)
			return error_set(
				err, ERR_USAGE,
				"%s cannot be combined with --coverage, --shape or --strategies",
				output->name);
	}
	return output_claim(cli, &outputs->list, err);
}

static int write_one(struct cli *cli, void *context, const struct output *output, struct error *err)
{
	const struct analysis *analysis = context;
	const struct output_kind *kind = output_kind_find(span_of(output->name));
	struct strbuf bytes = {0};
	int rc = 0;
	if (strcmp(kind->name, "text") == 0)
		return output_text(cli, output, strbuf_text(&analysis->text), err);
	if (strcmp(kind->name, "json") == 0)
		return cli_output_json(cli, output->path, analysis->document, err);
	if (kind->maker == OUTPUT_CHARTED && output_choose_language(cli, NULL, err) < 0)
		return -1;
	output_speak(cli, kind->maker == OUTPUT_CHARTED);
	if (kind->maker == OUTPUT_CHARTED)
		rc = output_draw_chart(cli, analysis->chart, analysis->document,
				       cli->settings.chart_dark, output->path, &bytes, err);
	else
		rc = analysis->schedule(cli, analysis->context, output->path, &bytes, err);
	if (rc == 0)
		return cli_output(cli, output->path, &bytes, err);
	strbuf_free(&bytes);
	return -1;
}

int analyze_write(struct cli *cli, const struct analyze_outputs *outputs, struct analysis *analysis,
		  struct error *err)
{
	int rc = output_write_each(cli, &outputs->list, write_one, analysis, err);
	strbuf_free(&analysis->text);
	return rc;
}

#define FIELD(member) OPTION_FIELD(struct analyze_outputs, member)
const struct option analyze_output_rows[] = {
	{.kind = OPTION_TITLE, .help = "Output"},
	{FIELD(wish.files), "output", "[KIND=]FILE",
	 "a chart (.svg, .png, .pdf), .json, or scheduler=FILE for the fusion scheduler; "
	 "repeatable",
	 .letter = 'o'},
	{FIELD(wish.as), "as", "KIND", "print text (default), json or scheduler"},
	{.kind = OPTION_END},
};

static const struct command *const verbs[] = {&analyze_buckets, &analyze_fusion, NULL};

const struct command command_analyze = {
	.name = "analyze",
	.group = GROUP_OTHER,
	.summary = "choose bucket sizes; see whether fusing kernels pays",
	.usage = "buckets [FILE | COMMIT | SERIES]... [OPTION]...\n"
		 "fusion [FILE | COMMIT | SERIES]... [OPTION]...",
	.about =
		"buckets: choose the sizes to compile for from measured latencies, when a request\n"
		"is padded up to the next size.\n"
		"fusion: compare the variants 'fused' and 'unfused', and say for each shape\n"
		"whether fusing pays.",
	.verbs = verbs,
	.options = analyze_output_rows,
	.examples = {"rooflog analyze buckets --kernel prefill --over s --count 4",
		     "rooflog analyze buckets --sizes requests.csv -o buckets.svg",
		     "rooflog analyze fusion -o fusion.svg -o scheduler=profile_result.json",
		     "rooflog analyze fusion --coverage"},
	.options_size = sizeof(struct analyze_outputs),
	.sections = "fusion chart alias",
	.documents = "buckets fusion shapes coverage strategies",
	.see_also = "compare chart",
};
