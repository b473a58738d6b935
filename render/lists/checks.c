/* The checks of doctor: what works on this machine. */
#include "render/lists/lists.h"

#include "render/document/document.h"

struct json *render_checks_json(struct arena *arena, const struct check_row *rows, size_t count)
{
	struct json *document = document_begin(arena, SCHEMA(doctor));
	struct json *array = json_set_array(arena, document, KEY(checks));
	for (size_t i = 0; i < count; i++) {
		struct json *object = json_add_object(arena, array);
		json_set_text(arena, object, "topic", rows[i].topic);
		json_set_bool(arena, object, "ok", rows[i].ok);
		json_set_text(arena, object, KEY(text), rows[i].text);
	}
	return document;
}

void render_checks_text(const struct check_row *rows, size_t count, struct strbuf *sb)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(sb, "%-4s %-13s %s\n", rows[i].ok ? "ok" : "FAIL", rows[i].topic,
			    rows[i].text);
}
