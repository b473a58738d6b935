/* rooflog fusion: fused against unfused, shape by shape, and what follows from it. */
#include "cli/command.h"

#include <math.h>

#include "cli/fusion/fusion.h"
#include "cli/output/render.h"
#include "render/markup/table.h"
#include "render/vocabulary/vocabulary.h"

struct counts {
	size_t of[FUSION_LIMIT];
	size_t shapes;
};

static struct fusion_judgement judge_fusion(const struct fusion_work *work, double margin)
{
	return fusion_judge(&work->times[FUSION_SIDE_UNFUSED], &work->times[FUSION_SIDE_FUSED],
			    margin);
}

/* --- text --- */

static const char *mark_of(const struct fusion_time *time)
{
	return time->provenance == PROVENANCE_ESTIMATED ? "~"
	       : time->provenance == PROVENANCE_DERIVED ? "="
							: "";
}

static const char *time_text(struct arena *arena, const struct fusion_time *time)
{
	return arena_printf(arena, "%s%s", mark_of(time),
			    quantity_text(arena, time->time, UNIT_SECOND));
}

static void add_row(struct arena *arena, struct md_table *table, const struct fusion_work *work,
		    const struct fusion_judgement *judged)
{
	bool known = judged->decision != FUSION_UNKNOWN;
	md_table_cell(table, arena_printf(arena, "%s%s", work->shape[0] ? work->shape : "--",
					  work->run->dirty ? "+" : ""));
	md_table_cell(table, time_text(arena, &work->times[FUSION_SIDE_UNFUSED]));
	md_table_cell(table, time_text(arena, &work->times[FUSION_SIDE_FUSED]));
	md_table_cell(table, known ? arena_printf(arena, "%.3f", judged->speedup) : "--");
	md_table_cell(table,
		      known ? arena_printf(arena, "%.3f to %.3f", judged->lowest, judged->highest)
			    : "--");
	md_table_cell(table,
		      judged->decision == FUSION_FUSE || judged->decision == FUSION_KEEP
			      ? fusion_decision_name(judged->decision)
			      : arena_printf(arena, "%s: %s",
					     fusion_decision_name(judged->decision),
					     vocabulary_term(LANGUAGE_ENGLISH, judged->reason)));
}

enum { flips_shown = 4 };

/* Where the decision changes between neighbours in size, undecided ones left out. */
static void add_flips(struct strbuf *sb, const struct fusion_works *works, size_t start, size_t end,
		      double margin)
{
	const struct fusion_work *last = NULL;
	enum fusion_decision before = FUSION_UNKNOWN;
	size_t flips = 0;
	for (size_t i = start; i < end; i++) {
		enum fusion_decision decision = judge_fusion(&works->items[i], margin).decision;
		if (decision != FUSION_FUSE && decision != FUSION_KEEP)
			continue;
		if (last && decision != before && flips++ < flips_shown)
			strbuf_addf(sb, "from %s to %s between %s and %s\n",
				    fusion_decision_name(before), fusion_decision_name(decision),
				    last->shape, works->items[i].shape);
		last = &works->items[i];
		before = decision;
	}
	if (flips > flips_shown)
		strbuf_addf(sb, "and %zu changes more\n", flips - flips_shown);
}

static void add_group(struct cli *cli, struct strbuf *sb, const struct fusion_works *works,
		      size_t start, double margin)
{
	struct arena *arena = &cli->arena;
	size_t end = fusion_group_end(works, start, true);
	const struct run *run = works->items[start].run;
	struct counts counts = {.shapes = end - start};
	struct md_table table;
	md_table_init(&table, arena);
	table.width = cli_table_width();
	md_table_column(&table, "shape", MD_ALIGN_LEFT);
	md_table_column(&table, "unfused", MD_ALIGN_RIGHT);
	md_table_column(&table, "fused", MD_ALIGN_RIGHT);
	md_table_column(&table, "speed-up", MD_ALIGN_RIGHT);
	md_table_column(&table, "interval", MD_ALIGN_RIGHT);
	md_table_column(&table, "decision", MD_ALIGN_LEFT);
	for (size_t i = start; i < end; i++) {
		struct fusion_judgement judged = judge_fusion(&works->items[i], margin);
		counts.of[judged.decision]++;
		add_row(arena, &table, &works->items[i], &judged);
	}
	strbuf_addf(sb, "%s%s on %s\n\n", start ? "\n" : "", run->kernel,
		    fusion_group_name(arena, run));
	md_table_plain(&table, sb);
	strbuf_addch(sb, '\n');
	for (int i = 0; i < FUSION_LIMIT; i++)
		strbuf_addf(sb, "%s%s %zu of %zu", i ? ", " : "",
			    fusion_decision_name((enum fusion_decision)i), counts.of[i],
			    counts.shapes);
	strbuf_addch(sb, '\n');
	add_flips(sb, works, start, end, margin);
}

static int print_text(struct cli *cli, const struct fusion_options *options,
		      const struct fusion_works *works, struct error *err)
{
	struct strbuf sb = {0};
	bool derived = false, estimated = false;
	for (size_t start = 0; start < works->count; start = fusion_group_end(works, start, true))
		add_group(cli, &sb, works, start, options->margin);
	for (size_t i = 0; i < works->count; i++)
		for (int side = 0; side < 2; side++) {
			derived |= works->items[i].times[side].provenance == PROVENANCE_DERIVED;
			estimated |= works->items[i].times[side].provenance == PROVENANCE_ESTIMATED;
		}
	strbuf_addf(
		&sb,
		"\nfuse: all of the interval of unfused / fused is above %.4g; with fewer than 3 "
		"repeats\na time is taken as known to %.3g %%\n",
		1 + options->margin, 100 * options->noise);
	if (derived)
		strbuf_addstr(&sb, "= is a sum of operators timed alone\n");
	if (estimated)
		strbuf_addstr(&sb, "~ is an estimate of the producer, not measured\n");
	int rc = cli_print_clean(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

/* --- JSON --- */

void fusion_add_time(struct arena *arena, struct json *parent, const char *name,
		     const struct fusion_time *time)
{
	struct json *object = report_quantity(arena, parent, name, time->time, UNIT_SECOND);
	json_set_number(arena, object, "lowest", time->lowest);
	json_set_number(arena, object, "highest", time->highest);
	json_set_number(arena, object, "repeats", (double)time->repeats);
	json_set_text(arena, object, "provenance", provenance_name(time->provenance));
}

void fusion_add_group(struct arena *arena, struct json *object, const struct run *run)
{
	json_set_text(arena, object, "device", run->device);
	json_set_text(arena, object, "dtype", run->dtype);
	json_set_text(arena, object, "tool", run->tool);
}

static void add_shape(struct arena *arena, struct json *array, const struct fusion_work *work,
		      const struct fusion_judgement *judged)
{
	struct json *object = json_add_object(arena, array);
	json_set_text(arena, object, "shape", work->shape);
	json_set_bool(arena, object, "dirty", work->run->dirty);
	fusion_add_time(arena, object, "unfused", &work->times[FUSION_SIDE_UNFUSED]);
	fusion_add_time(arena, object, "fused", &work->times[FUSION_SIDE_FUSED]);
	json_set_number(arena, object, "speedup", judged->speedup);
	json_set_number(arena, object, "lowest", judged->lowest);
	json_set_number(arena, object, "highest",
			isfinite(judged->highest) ? judged->highest : NAN);
	json_set_text(arena, object, "decision", fusion_decision_name(judged->decision));
	json_set_text(arena, object, "reason", vocabulary_term(LANGUAGE_ENGLISH, judged->reason));
}

static struct json *document_of(struct cli *cli, const struct fusion_options *options,
				const struct fusion_works *works)
{
	struct arena *arena = &cli->arena;
	struct json *out = json_object(arena);
	json_set_text(arena, out, "commit", options->commit);
	json_set_number(arena, out, "margin", options->margin);
	json_set_number(arena, out, "noise", options->noise);
	struct json *operators = json_set_array(arena, out, "operators");
	for (size_t start = 0, end; start < works->count; start = end) {
		end = fusion_group_end(works, start, true);
		struct json *one = json_add_object(arena, operators);
		struct counts counts = {.shapes = end - start};
		json_set_text(arena, one, "kernel", works->items[start].run->kernel);
		fusion_add_group(arena, one, works->items[start].run);
		struct json *shapes = json_set_array(arena, one, "shapes");
		for (size_t i = start; i < end; i++) {
			struct fusion_judgement judged =
				judge_fusion(&works->items[i], options->margin);
			counts.of[judged.decision]++;
			add_shape(arena, shapes, &works->items[i], &judged);
		}
		struct json *numbers = json_set_object(arena, one, "counts");
		json_set_number(arena, numbers, "shapes", (double)counts.shapes);
		for (int i = 0; i < FUSION_LIMIT; i++)
			json_set_number(arena, numbers,
					fusion_decision_name((enum fusion_decision)i),
					(double)counts.of[i]);
	}
	return out;
}

/* --- the command --- */

/* What becomes of the comparison; all of them exclude each other. */
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
	if (cli_write_chart(cli, "fusion", document, outputs->dark, outputs->chart, err) < 0)
		return -1;
	cli_note(cli, "wrote %s", outputs->chart);
	return 0;
}

static int load(struct cli *cli, const struct fusion_options *options, struct fusion_works *works,
		struct error *err)
{
	if (fusion_load(cli, options, fusion_sides, works, err) < 0)
		return -1;
	if (works->count == 0)
		return error_set(err, ERR_STORE,
				 "commit %.10s has no runs of the variants fused and unfused that "
				 "match; \"rooflog log --variant fused\" lists what is stored",
				 options->commit);
	return 0;
}

int fusion_document(struct cli *cli, const struct fusion_options *options, struct json **document,
		    struct error *err)
{
	struct fusion_works works = {0};
	if (load(cli, options, &works, err) < 0)
		return -1;
	*document = document_of(cli, options, &works);
	return 0;
}

static int compare(struct cli *cli, const struct fusion_options *options,
		   const struct outputs *outputs, struct error *err)
{
	struct fusion_works works = {0};
	if (load(cli, options, &works, err) < 0)
		return -1;
	if (outputs->export)
		return fusion_export(cli, options, &works, outputs->export, err);
	if (outputs->chart)
		return draw_chart(cli, outputs, document_of(cli, options, &works), err);
	return outputs->json ? cli_print_json(document_of(cli, options, &works), err)
			     : print_text(cli, options, &works, err);
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
		if (cli_select_commit(cli, asked->commit, oid, err) < 0)
			return -1;
		o->commit = oid;
	}
	int rc = outputs->coverage     ? fusion_coverage(cli, o, outputs->json, err)
		 : outputs->strategies ? fusion_strategies(cli, o, outputs->json, err)
				       : compare(cli, o, outputs, err);
	return rc < 0 ? -1 : EXIT_PASS;
}

#define FIELD(member) OPTION_FIELD(struct fusion_arguments, member)
static const struct option rows[] = {
	{FIELD(fusion.filter), .rows = run_filter_options},
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

static const char *const examples[] = {
	"rooflog fusion --margin '5 %'",
	"rooflog fusion --export profile_result.json main",
	"rooflog fusion --coverage",
	NULL,
};

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
	.examples = examples,
	.options_size = sizeof(struct fusion_arguments),
	.defaults = &defaults,
	.needs = NEEDS_STORE,
	.check = check,
	.run = print_fusion,
};
