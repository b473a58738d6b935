/* The files that a command wrote. */
#include "render/lists/lists.h"

#include "render/document/document.h"

struct json *render_written_json(struct arena *arena, const struct written_list *files,
				 bool dry_run)
{
	struct json *document = document_begin(arena, SCHEMA(written));
	json_set_bool(arena, document, KEY(dry_run), dry_run);
	struct json *list = json_set_array(arena, document, KEY(files));
	for (size_t i = 0; i < files->count; i++) {
		struct json *file = json_add_object(arena, list);
		json_set_text(arena, file, KEY(path), files->items[i].path);
		json_set_text(arena, file, KEY(state),
			      files->items[i].changed ? "written" : "kept");
	}
	return document;
}
