/* JSON lines: one object a comparison, with schema, commit and time in each. */
#include "render/export/exporter.h"

/* The line stands for itself: what it is, of which commit, made when. */
static void add_line(struct arena *arena, const struct json *document, const struct json *gate,
		     const struct json *comparison, struct strbuf *out)
{
	struct json *line = json_object(arena);
	json_set_text(arena, line, "schema", "rooflog-comparison/1");
	json_set_text(arena, line, "generated_at", json_text(document, "generated_at", NULL));
	json_set_text(arena, line, "candidate_commit",
		      json_text(json_get(gate, "candidate"), "oid", NULL));
	/* The members are shared with the document, which is not written again. */
	line->last->next = comparison->first;
	json_write(out, line, true);
	strbuf_addch(out, '\n');
}

void export_jsonl(struct arena *arena, const struct json *document, struct strbuf *out)
{
	const struct json *gate = json_get(document, "gate");
	const struct json *list = json_get(gate, "comparisons");
	for (const struct json *one = list ? list->first : NULL; one; one = one->next)
		if (one->type == JSON_OBJECT)
			add_line(arena, document, gate, one, out);
}
