/* JSON of a shields.io endpoint badge: the gate in two words. Words carry the meaning; color
 * repeats it. */
#include "render/document/key.h"
#include "render/export/exporter.h"

#include "render/export/annotation.h"

/* "fail, 3 of 482", "pass, 482 judged" */
static const char *message_of(struct arena *arena, const struct json *gate, enum exit_status status)
{
	const struct json *counts = json_get(gate, KEY(counts));
	const char *word = json_text(gate, KEY(word), "unknown");
	size_t failing = 0;
	struct json_walk walk = json_walk_of(json_get(gate, KEY(comparisons)));
	while (json_walk_next(&walk))
		failing += annotation_status(walk.child) != EXIT_PASS;
	if (failing)
		return arena_printf(arena, "%s, %zu of %.0f", word, failing,
				    json_number(counts, KEY(primary), 0));
	if (status == EXIT_PASS && strcmp(word, "pass") == 0 &&
	    annotation_code(gate) == EXIT_NO_BASELINE)
		return arena_printf(arena, "%s, baseline recorded", word);
	if (status != EXIT_PASS || annotation_code(gate) == EXIT_NO_BASELINE)
		return word;
	return arena_printf(arena, "%s, %.0f judged", word, json_number(counts, KEY(judged), 0));
}

void export_badge(struct arena *arena, const struct json *document, const struct export_target *to)
{
	const struct json *gate = json_get(document, KEY(gate));
	enum exit_status status = gate ? annotation_status(gate) : EXIT_NO_BASELINE;
	const struct annotation_level *level =
		annotation_level_of(gate ? annotation_code(gate) : status);
	struct json *badge = json_object(arena);
	json_set_number(arena, badge, "schemaVersion", 1);
	json_set_text(arena, badge, KEY(label), "rooflog");
	json_set_text(arena, badge, KEY(message),
		      gate ? message_of(arena, gate, status) : "no baseline");
	json_set_text(arena, badge, "color", level ? level->badge : "brightgreen");
	json_set_bool(arena, badge, "isError", status != EXIT_PASS);
	json_write(to->out, badge, false);
	strbuf_addch(to->out, '\n');
}
