/* GitLab code-quality report: an array of issues (description, check_name, fingerprint, severity,
 * location), one for each comparison that keeps the gate from passing. */
#include "render/document/key.h"
#include "render/export/exporter.h"

#include "render/export/annotation.h"

static void add_issue(struct arena *arena, struct json *list, const struct annotation *annotation)
{
	struct json *issue = json_add_object(arena, list);
	json_set_text(arena, issue, "description",
		      arena_printf(arena, "%s: %s: %s", annotation->word, annotation->label,
				   annotation->message));
	json_set_text(arena, issue, "check_name",
		      arena_printf(arena, "rooflog-%s", annotation->verdict));
	json_set_text(arena, issue, "fingerprint", annotation->fingerprint);
	json_set_text(arena, issue, KEY(severity), annotation->level->gitlab);
	struct json *location = json_set_object(arena, issue, "location");
	json_set_text(arena, location, "path", annotation->path);
	struct json *lines = json_set_object(arena, location, KEY(lines));
	json_set_number(arena, lines, "begin", annotation->line);
}

void export_gitlab(struct arena *arena, const struct json *document, const struct export_target *to)
{
	size_t count;
	const struct json *gate = json_get(document, KEY(gate));
	const struct annotation *annotations = annotations_of(arena, gate, &count);
	struct json *list = json_array(arena);
	for (size_t i = 0; i < count; i++)
		add_issue(arena, list, &annotations[i]);
	json_write(to->out, list, false);
	strbuf_addch(to->out, '\n');
}
