/* Time by source lines and opcodes of runs. */
#include "render/lists/lists.h"

#include "render/document/document.h"
#include "render/markup/markup.h"

static const struct {
	const char *key, *text;
} wholes[SHARE_LIMIT] = {
	[SHARE_OF_WORK] = {"work", "all instructions of the run except EVENT_SEMAPHORE, which "
				   "waits"},
	[SHARE_OF_INSTRUCTIONS] = {"instructions", "all instructions of the run, waits included"},
	[SHARE_OF_LINES] = {"lines", "all source lines of the run"},
	[SHARE_OF_NOTHING] = {"none", NULL},
};

void render_attributions_text(struct arena *arena, const struct short_names *naming,
			      const struct attribution_list *hits, size_t width, struct strbuf *sb)
{
	struct md_table table = md_table_of(arena, width, "name|>count|>time|>share|>FLOP|run");
	for (size_t i = 0; i < hits->count; i++) {
		const struct attribution *hit = &hits->items[i];
		md_table_row(&table, hit->tally->name,
			     quantity_text(arena, hit->tally->count, UNIT_COUNT),
			     quantity_text(arena, hit->tally->seconds, UNIT_SECOND),
			     hit->of == SHARE_OF_NOTHING
				     ? "waits"
				     : quantity_text(arena, hit->share, UNIT_FRACTION),
			     isnan(hit->tally->flops)
				     ? "--"
				     : quantity_text(arena, hit->tally->flops, UNIT_FLOP),
			     short_names_name(arena, naming, hit->run));
	}
	md_table_plain(&table, sb);
	bool used[SHARE_LIMIT] = {false};
	for (size_t i = 0; i < hits->count; i++)
		used[hits->items[i].of] = true;
	for (size_t of = 0; of < SHARE_LIMIT; of++)
		if (used[of] && of != SHARE_OF_NOTHING)
			strbuf_addf(sb, "The share is of the time of %s.\n", wholes[of].text);
}

void render_attributions_slowest_text(struct arena *arena, const struct executed_list *slowest,
				      size_t width, struct strbuf *sb)
{
	struct md_table table =
		md_table_of(arena, width, ">time|>begins at|engine|opcode|source line|operands");
	for (size_t i = 0; i < slowest->count; i++) {
		const struct executed *one = &slowest->items[i];
		md_table_row(&table, quantity_text(arena, one->seconds, UNIT_SECOND),
			     quantity_text(arena, one->begin, UNIT_SECOND),
			     arena_printf(arena, "%s%s%s", one->core, one->core[0] ? " " : "",
					  one->engine),
			     one->opcode, one->source[0] ? one->source : "--", one->operands);
	}
	md_table_plain(&table, sb);
	strbuf_addf(sb, "the longest %zu of %s", slowest->count,
		    quantity_count_text(arena, slowest->found, "instruction", "instructions"));
	if (slowest->waiting)
		strbuf_addf(sb, "; skipped: %s that wait (EVENT_SEMAPHORE)",
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
	}
	if (slowest)
		add_executed(arena, document, slowest);
	return document;
}
