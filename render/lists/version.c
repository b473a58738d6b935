/* What this program is and was built from. */
#include "render/lists/lists.h"

#include "render/document/document.h"

struct json *render_version_json(struct arena *arena, const struct version_view *view)
{
	struct json *document = document_begin(arena, SCHEMA(version));
	json_set_text(arena, document, KEY(version), view->version);
	json_set_text(arena, document, KEY(commit), view->commit[0] ? view->commit : NULL);
	json_set_text(arena, document, KEY(compiler), view->compiler);
	json_set_text(arena, document, KEY(instructions), view->instructions);
	struct json *libraries = json_set_array(arena, document, KEY(libraries));
	for (size_t i = 0; i < view->count; i++) {
		const struct version_library *library = &view->libraries[i];
		struct json *object = json_add_object(arena, libraries);
		json_set_text(arena, object, KEY(name), library->name);
		json_set_text(arena, object, KEY(version), library->version);
		json_set_text(arena, object, KEY(file), library->file);
		json_set_text(arena, object, KEY(package), library->package);
		json_set_text(arena, object, KEY(used_for), library->used_for);
	}
	return document;
}

void render_version_text(const struct version_view *view, struct strbuf *sb)
{
	strbuf_addf(sb, "rooflog %s\n", view->version);
	strbuf_addf(sb, "commit: %.10s\n", view->commit[0] ? view->commit : "unknown");
	strbuf_addf(sb, "compiler: %s\n", view->compiler);
	strbuf_addf(sb, "instructions: %s\n\nlibraries\n", view->instructions);
	for (size_t i = 0; i < view->count; i++) {
		const struct version_library *library = &view->libraries[i];
		strbuf_addf(sb, "  %-11s %-13s %s", library->name,
			    library->version ? library->version : "missing", library->used_for);
		if (!library->version)
			strbuf_addf(sb, "; Debian package %s", library->package);
		strbuf_addch(sb, '\n');
	}
}
