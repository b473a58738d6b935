/* Formats that can be read. */
#include "render/lists/lists.h"
#include "render/markup/table.h"

struct json *render_formats_json(struct arena *arena, const struct format_row *rows, size_t count)
{
	struct json *list = json_array(arena);
	for (size_t i = 0; i < count; i++) {
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, "format", rows[i].name);
		json_set_text(arena, row, "title", rows[i].title);
		json_set_text(arena, row, "needs", rows[i].needs);
	}
	return list;
}

void render_formats_text(struct arena *arena, const struct format_row *rows, size_t count,
			 struct strbuf *sb)
{
	struct md_table table;
	md_table_init(&table, arena);
	md_table_column(&table, "format", MD_ALIGN_LEFT);
	md_table_column(&table, "written by", MD_ALIGN_LEFT);
	md_table_column(&table, "may need", MD_ALIGN_LEFT);
	for (size_t i = 0; i < count; i++) {
		md_table_cell(&table, rows[i].name);
		md_table_cell(&table, rows[i].title);
		md_table_cell(&table, rows[i].needs);
	}
	md_table_plain(&table, sb);
}
