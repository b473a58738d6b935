/* rooflog analyze: a group of commands, and where their results go. */
#include "cli/analyze/analyze.h"

enum kind { PICTURE, DOCUMENT, SCHEDULE };

struct target {
	enum kind kind;
	const char *path;
	struct strbuf bytes;
};

static int kind_of_ending(const char *path, enum kind *kind, struct error *err)
{
	const char *dot = strrchr(path, '.');
	struct error ignored;
	if (dot && strcasecmp(dot, ".json") == 0)
		*kind = DOCUMENT;
	else if (output_check_picture(path, &ignored) == 0)
		*kind = PICTURE;
	else
		return error_set(
			err, ERR_USAGE,
			"cannot tell what to write to '%.200s'\nhint: -o json=%.200s, or a "
			"name that ends in .svg, .png, .pdf or .json",
			path, path);
	return 0;
}

/* "scheduler=FILE", "json=FILE", or FILE. */
static int find_target(const char *text, struct target *target, struct error *err)
{
	const struct span whole = span_of(text);
	*target = (struct target){.path = text};
	if (span_starts(whole, "scheduler=") || span_starts(whole, "json=")) {
		target->kind = text[0] == 's' ? SCHEDULE : DOCUMENT;
		target->path = strchr(text, '=') + 1;
		return 0;
	}
	return kind_of_ending(text, &target->kind, err);
}

int analyze_check(struct cli *cli, const struct analyze_outputs *outputs,
		  const struct analysis *analysis, struct error *err)
{
	struct targets targets = {.count = 0};
	if (outputs->files.count && outputs->json)
		return error_set(err, ERR_USAGE,
				 "-o writes instead of printing: leave --json out, or write -o "
				 "json=FILE");
	for (size_t i = 0; i < outputs->files.count; i++) {
		struct target target;
		if (find_target(outputs->files.items[i], &target, err) < 0)
			return -1;
		if (target.kind == SCHEDULE && !analysis->schedule)
			return error_set(
				err, ERR_USAGE,
				"-o scheduler=FILE is for the comparison of analyze fusion");
		if (target.kind == PICTURE && !analysis->chart)
			return error_set(err, ERR_USAGE, "%s: there is no chart of this",
					 target.path);
		if (output_files_add(cli, &targets, "-o", target.path, err) < 0)
			return -1;
	}
	return 0;
}

static int make(struct cli *cli, const struct analysis *analysis, bool dark, struct target *target,
		struct error *err)
{
	switch (target->kind) {
	case PICTURE:
		return output_draw_chart(cli, analysis->chart, analysis->document, dark,
					 target->path, &target->bytes, err);
	case SCHEDULE:
		return analysis->schedule(cli, analysis->context, target->path, &target->bytes,
					  err);
	case DOCUMENT:
		json_write(&target->bytes, analysis->document, false);
		strbuf_addch(&target->bytes, '\n');
		return 0;
	}
	return 0;
}

/* Makes all files before the first is written, so that an error leaves no half of a set. */
static int write_files(struct cli *cli, const struct analyze_outputs *outputs,
		       const struct analysis *analysis, struct error *err)
{
	const struct text_list *files = &outputs->files;
	struct target targets[text_list_limit];
	int rc = 0;
	for (size_t i = 0; i < files->count; i++)
		find_target(files->items[i], &targets[i], err);
	for (size_t i = 0; rc == 0 && i < files->count; i++)
		rc = make(cli, analysis, outputs->dark, &targets[i], err);
	for (size_t i = 0; i < files->count; i++) {
		if (rc < 0) {
			strbuf_free(&targets[i].bytes);
			continue;
		}
		rc = cli_output(cli, targets[i].path, &targets[i].bytes, err);
		if (rc == 0 && !cli_is_standard_output(targets[i].path))
			cli_note(cli, "wrote %s", targets[i].path);
	}
	return rc;
}

int analyze_write(struct cli *cli, const struct analyze_outputs *outputs, struct analysis *analysis,
		  struct error *err)
{
	if (!outputs->files.count && !outputs->json)
		return cli_print_built(&analysis->text, err);
	strbuf_free(&analysis->text);
	return outputs->files.count ? write_files(cli, outputs, analysis, err)
				    : cli_print_json(analysis->document, err);
}

#define FIELD(member) OPTION_FIELD(struct analyze_outputs, member)
const struct option analyze_output_rows[] = {
	{.kind = OPTION_TITLE, .help = "Output"},
	{FIELD(files), "output", "[KIND=]FILE",
	 "a chart (.svg, .png, .pdf), .json, or scheduler=FILE for the fusion scheduler; "
	 "repeatable",
	 .letter = 'o'},
	{FIELD(dark), "dark", NULL, "draw for a dark background"},
	{FIELD(json), "json", NULL, "print one JSON document"},
	{.kind = OPTION_END},
};

static const struct command *const verbs[] = {&analyze_buckets, &analyze_fusion, NULL};

const struct command command_analyze = {
	.name = "analyze",
	.group = GROUP_OTHER,
	.summary = "choose bucket sizes; see whether fusing kernels pays",
	.usage = "buckets [COMMIT] [OPTION]...\n"
		 "fusion [COMMIT] [OPTION]...",
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
};
