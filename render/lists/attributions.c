/* Time by source lines and opcodes of runs. */
#include "render/lists/lists.h"

#include "render/document/document.h"
#include "render/markup/markup.h"

void render_attributions_text(struct arena *arena, const struct short_names *naming,
			      const struct attribution_list *hits, size_t width, struct strbuf *sb)
{
	struct md_table table = md_table_of(arena, width, "name|>count|>time|>share|>FLOP|run");
	for (size_t i = 0; i < hits->count; i++) {
		const struct attribution *hit = &hits->items[i];
		md_table_row(&table, hit->tally->name,
			     quantity_text(arena, hit->tally->count, UNIT_COUNT),
			     quantity_text(arena, hit->tally->seconds, UNIT_SECOND),
			     quantity_text(arena, hit->share, UNIT_FRACTION),
			     isnan(hit->tally->flops)
				     ? "--"
				     : quantity_text(arena, hit->tally->flops, UNIT_FLOP),
			     short_names_name(arena, naming, hit->run));
	}
	md_table_plain(&table, sb);
}

struct json *render_attributions_json(struct arena *arena, const struct attribution_list *hits)
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
		document_quantity(arena, row, KEY(flops), hit->tally->flops, UNIT_FLOP);
	}
	return document;
}
