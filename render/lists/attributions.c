/* Time, or samples, by source lines and opcodes of runs. */
#include "render/lists/lists.h"

#include "base/text/text.h"
#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

static const struct {
	const char *key, *text;
} wholes[SHARE_LIMIT] = {
	[SHARE_OF_WORK] = {"work", "all instructions of the run except EVENT_SEMAPHORE, which "
				   "waits"},
	[SHARE_OF_INSTRUCTIONS] = {"instructions", "all instructions of the run, waits included"},
	[SHARE_OF_LINES] = {"lines", "all source lines of the run"},
	[SHARE_OF_NOTHING] = {"none", NULL},
	[SHARE_OF_SAMPLES] = {"samples", "warp samples of the kernel"},
	[SHARE_OF_EXECUTED] = {"executed", "warp instructions that the kernel executed; nothing "
					   "was sampled"},
	[SHARE_OF_LINES_SAMPLES] = {"line_samples", "warp samples, added up over all source lines"},
	[SHARE_OF_LINES_EXECUTED] = {"line_executed", "warp instructions, added up over all source "
						      "lines; nothing was sampled"},
};

/* --- what was sampled --- */

/* The folder that all source lines of the list are in, with its slash. */
static struct span common_folder(const struct attribution_list *hits)
{
	const char *first = "";
	size_t common = 0;
	for (size_t i = 0; i < hits->count; i++) {
		const struct run_tally *tally = hits->items[i].tally;
		if (!attribution_is_sampled(&hits->items[i]) || tally->kind != TALLY_SOURCE ||
		    !strchr(tally->name, '/'))
			continue;
		if (!first[0]) {
			first = tally->name;
			common = (size_t)(strrchr(first, '/') - first) + 1;
		}
		size_t len = 0;
		while (len < common && tally->name[len] == first[len])
			len++;
		while (len && first[len - 1] != '/')
			len--;
		common = len;
	}
	return (struct span){first, common};
}

/* The beginning of a line's text, as much as a table of some width has room for. */
static const char *text_cell(struct arena *arena, const struct attribution *hit, size_t width)
{
	enum { shown = 28 };
	const char *text = run_tally_text(hit->run, hit->index);
	if (!width || strlen(text) <= shown)
		return text;
	return arena_printf(
		arena, "%s...",
		arena_strndup(arena, text, utf8_valid_prefix((struct span){text, shown - 3})));
}

static const char *figure_text(struct arena *arena, const struct attribution *hit, const char *name)
{
	double number = run_tally_figure(hit->run, hit->index, name);
	return isnan(number) ? "--" : quantity_text(arena, number, UNIT_COUNT);
}

static const char *count_text(struct arena *arena, double count)
{
	return isnan(count) ? "--" : quantity_text(arena, count, UNIT_COUNT);
}

static void add_sampled(struct arena *arena, const struct short_names *naming,
			const struct attribution_list *hits, size_t width, struct strbuf *sb)
{
	const struct span folder = common_folder(hits);
	bool several = false;
	for (size_t i = 1; i < hits->count; i++)
		several |= hits->items[i].run != hits->items[0].run;
	struct md_table table = md_table_of(
		arena, width,
		vocabulary_label(
			several ? "name|>samples|>share|main stall|>executed|>excess|text|run"
				: "name|>samples|>share|main stall|>executed|>excess|text"));
	table.say = vocabulary_value;
	for (size_t i = 0; i < hits->count; i++) {
		const struct attribution *hit = &hits->items[i];
		const char *stall = report_stall(arena, hit->run, hit->index, hit->samples);
		const char *name = hit->tally->name;
		bool inside = hit->tally->kind == TALLY_SOURCE && strchr(name, '/');
		if (!attribution_is_sampled(hit))
			continue;
		md_table_cell(&table, name + (inside ? folder.len : 0));
		md_table_cell(&table, count_text(arena, hit->samples));
		md_table_cell(&table, quantity_text(arena, hit->share, UNIT_FRACTION));
		md_table_cell(&table, stall ? stall : "--");
		md_table_cell(&table, count_text(arena, hit->tally->count));
		md_table_cell(&table, figure_text(arena, hit, "global_sectors_excess"));
		md_table_cell(&table, text_cell(arena, hit, width));
		if (several)
			md_table_cell(&table, short_names_name(arena, naming, hit->run));
	}
	md_table_plain(&table, sb);
	if (folder.len)
		strbuf_addf(sb, vocabulary_format("Source lines are in %.*s\n"), (int)folder.len,
			    folder.ptr);
	strbuf_addstr(sb, vocabulary_label("excess: sectors of global memory beyond those of "
					   "coalesced access.\n"));
}

/* --- what has a time --- */

static void add_timed(struct arena *arena, const struct short_names *naming,
		      const struct attribution_list *hits, size_t width, struct strbuf *sb)
{
	struct md_table table =
		md_table_of(arena, width, vocabulary_label("name|>count|>time|>share|>FLOP|run"));
	table.say = vocabulary_value;
	for (size_t i = 0; i < hits->count; i++) {
		const struct attribution *hit = &hits->items[i];
		if (attribution_is_sampled(hit))
			continue;
		md_table_row(&table, hit->tally->name,
			     quantity_text(arena, hit->tally->count, UNIT_COUNT),
			     quantity_text(arena, hit->tally->seconds, UNIT_SECOND),
			     hit->of == SHARE_OF_NOTHING
				     ? vocabulary_label("waits")
				     : quantity_text(arena, hit->share, UNIT_FRACTION),
			     isnan(hit->tally->flops)
				     ? "--"
				     : quantity_text(arena, hit->tally->flops, UNIT_FLOP),
			     short_names_name(arena, naming, hit->run));
	}
	md_table_plain(&table, sb);
}

void render_attributions_text(struct arena *arena, const struct short_names *naming,
			      const struct attribution_list *hits, size_t width, struct strbuf *sb)
{
	size_t sampled = 0;
	for (size_t i = 0; i < hits->count; i++)
		sampled += attribution_is_sampled(&hits->items[i]);
	if (sampled < hits->count)
		add_timed(arena, naming, hits, width, sb);
	if (sampled)
		add_sampled(arena, naming, hits, width, sb);
	bool used[SHARE_LIMIT] = {false};
	for (size_t i = 0; i < hits->count; i++)
		used[hits->items[i].of] = true;
	for (size_t of = 0; of < SHARE_LIMIT; of++)
		if (used[of] && of != SHARE_OF_NOTHING)
			strbuf_addf(sb,
				    of < SHARE_OF_SAMPLES
					    ? vocabulary_format("The share is of the time of %s.\n")
					    : vocabulary_format("The share is of the %s.\n"),
				    vocabulary_label(wholes[of].text));
	if (used[SHARE_OF_SAMPLES] || used[SHARE_OF_EXECUTED])
		strbuf_addstr(sb,
			      vocabulary_label("An inlined instruction counts for each line that "
					       "it comes from.\n"));
}

void render_attributions_slowest_text(struct arena *arena, const struct executed_list *slowest,
				      size_t width, struct strbuf *sb)
{
	struct md_table table = md_table_of(
		arena, width,
		vocabulary_label(">time|>begins at|engine|opcode|source line|operands"));
	for (size_t i = 0; i < slowest->count; i++) {
		const struct executed *one = &slowest->items[i];
		md_table_row(&table, quantity_text(arena, one->seconds, UNIT_SECOND),
			     quantity_text(arena, one->begin, UNIT_SECOND),
			     arena_printf(arena, "%s%s%s", one->core, one->core[0] ? " " : "",
					  one->engine),
			     one->opcode, one->source[0] ? one->source : "--", one->operands);
	}
	md_table_plain(&table, sb);
	strbuf_addf(sb, vocabulary_format("the longest %zu of %s"), slowest->count,
		    arena_printf(arena,
				 slowest->found == 1 ? vocabulary_format("%zu instruction")
						     : vocabulary_format("%zu instructions"),
				 slowest->found));
	if (slowest->waiting)
		strbuf_addf(sb, vocabulary_format("; skipped: %s that wait (EVENT_SEMAPHORE)"),
			    quantity_text(arena, (double)slowest->waiting, UNIT_COUNT));
	strbuf_addch(sb, '\n');
}

static void add_executed(struct arena *arena, struct json *document,
			 const struct executed_list *slowest)
{
	struct json *list = json_set_array(arena, document, KEY(instructions));
	for (size_t i = 0; i < slowest->count; i++) {
		const struct executed *one = &slowest->items[i];
		const struct document_member members[] = {
			{KEY(time), QUANTITY(one->seconds, UNIT_SECOND)},
			{KEY(start), NUMBER(one->begin)},
			{KEY(core), TEXT(one->core)},
			{KEY(engine), TEXT(one->engine)},
			{KEY(opcode), TEXT(one->opcode)},
			{KEY(operands), TEXT(one->operands)},
			{KEY(source), TEXT(one->source)},
		};
		document_fill(arena, json_add_object(arena, list), members);
	}
}

static void add_figures(struct arena *arena, struct json *row, const struct attribution *hit)
{
	const struct run *run = hit->run;
	struct json *figures = json_set_array(arena, row, KEY(figures));
	for (size_t i = hit->index + 1; i < run->tally_count; i++) {
		const struct run_tally *tally = &run->tallies[i];
		if (tally->kind == TALLY_TEXT)
			continue;
		if (tally->kind != TALLY_FIGURE)
			break;
		struct json *one = json_add_object(arena, figures);
		json_set_text(arena, one, KEY(name), tally->name);
		document_quantity(arena, one, KEY(count), tally->count, UNIT_COUNT);
	}
	json_set_text(arena, row, KEY(text), run_tally_text(run, hit->index));
}

struct json *render_attributions_json(struct arena *arena, const struct attribution_list *hits,
				      const struct executed_list *slowest)
{
	struct json *document = document_begin(arena, SCHEMA(attributions));
	struct json *list = json_set_array(arena, document, KEY(attributions));
	for (size_t i = 0; i < hits->count; i++) {
		const struct attribution *hit = &hits->items[i];
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, "run", hit->id);
		json_set_text(arena, row, KEY(kind),
			      hit->tally->kind == TALLY_SOURCE ? "source" : "opcode");
		json_set_text(arena, row, KEY(name), hit->tally->name);
		document_quantity(arena, row, KEY(count), hit->tally->count, UNIT_COUNT);
		document_quantity(arena, row, KEY(time), hit->tally->seconds, UNIT_SECOND);
		document_quantity(arena, row, KEY(share), hit->share, UNIT_FRACTION);
		json_set_text(arena, row, KEY(share_of), wholes[hit->of].key);
		document_quantity(arena, row, KEY(flops), hit->tally->flops, UNIT_FLOP);
		if (attribution_is_sampled(hit))
			add_figures(arena, row, hit);
	}
	if (slowest)
		add_executed(arena, document, slowest);
	return document;
}
