/* JSON lines: one object per comparison, each with schema, commit and time. */
#include "render/document/document.h"
#include "render/export/exporter.h"

/* A line is self-contained: it states its schema, commit and time. */
static void add_line(struct arena *arena, const struct json *document, const struct json *gate,
		     const struct json *comparison, struct strbuf *out)
{
	struct json *line = document_begin(arena, SCHEMA(comparison));
	json_set_text(arena, line, KEY(generated_at), json_text(document, KEY(generated_at), NULL));
	json_set_text(arena, line, KEY(candidate_commit),
		      json_text(json_get(gate, KEY(candidate)), KEY(oid), NULL));
	/* Shares the members with the document, which is not written afterwards. */
	line->last->next = comparison->first;
	json_write(out, line, true);
	strbuf_addch(out, '\n');
}

void export_jsonl(struct arena *arena, const struct json *document, const struct export_target *to)
{
	const struct json *gate = json_get(document, KEY(gate));
	(void)arena;
	struct json_walk walk = json_walk_of(json_get(gate, KEY(comparisons)));
	while (json_walk_next(&walk)) {
		struct arena line = {0};
		if (walk.child->type == JSON_OBJECT)
			add_line(&line, document, gate, walk.child, to->out);
		arena_free(&line);
		export_drain(to);
	}
}
