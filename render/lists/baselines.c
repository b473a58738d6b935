/* Named baselines: commits with a name. */
#include "render/lists/lists.h"

#include "render/document/document.h"
#include "render/markup/markup.h"

struct json *render_baselines_json(struct arena *arena, const struct baseline_row *rows,
				   size_t count)
{
	struct json *document = document_begin(arena, SCHEMA(baselines));
	struct json *array = json_set_array(arena, document, KEY(baselines));
	for (size_t i = 0; i < count; i++) {
		struct json *object = json_add_object(arena, array);
		json_set_text(arena, object, KEY(name), rows[i].name);
		json_set_text(arena, object, KEY(oid), rows[i].oid);
		json_set_text(arena, object, "set_at", document_time(arena, rows[i].set_at));
		json_set_bool(arena, object, "pinned", rows[i].pinned);
	}
	return document;
}

void render_baselines_text(struct arena *arena, const struct baseline_row *rows, size_t count,
			   size_t width, struct strbuf *sb)
{
	struct md_table table = md_table_of(arena, width, "name|commit|set at|kind");
	for (size_t i = 0; i < count; i++) {
		md_table_row(&table, rows[i].name, arena_prefix(arena, rows[i].oid, 10),
			     document_time(arena, rows[i].set_at),
			     rows[i].pinned ? "pinned" : "named");
	}
	md_table_plain(&table, sb);
}
