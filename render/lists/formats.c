/* Formats that can be read. */
#include "render/lists/lists.h"

#include "render/document/key.h"
#include "render/markup/markup.h"

struct json *render_formats_json(struct arena *arena, const struct format_row *rows, size_t count)
{
	struct json *list = json_array(arena);
	for (size_t i = 0; i < count; i++) {
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, "format", rows[i].name);
		json_set_text(arena, row, KEY(title), rows[i].title);
		json_set_text(arena, row, "needs", rows[i].needs);
	}
	return list;
}

void render_formats_text(struct arena *arena, const struct format_row *rows, size_t count,
			 struct strbuf *sb)
{
	struct md_table table = md_table_of(arena, 0, "format|written by|may need");
	for (size_t i = 0; i < count; i++) {
		md_table_row(&table, rows[i].name, rows[i].title, rows[i].needs);
	}
	md_table_plain(&table, sb);
}
