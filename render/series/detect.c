/* Change points of series, as lines and as JSON. */
#include "render/document/key.h"
#include "render/series/series.h"

void render_detect_lines(struct strbuf *out, const struct detected_series *found, bool named)
{
	for (size_t i = 0; i < found->result.count; i++) {
		const struct detect_change *change = &found->result.changes[i];
		strbuf_addf(out, "%s%s%lld,%c\n", named ? found->series->name : "",
			    named ? "," : "", found->series->commits[change->index].index,
			    change->after > change->before ? '+' : '-');
	}
}

void render_detect_json(struct arena *arena, struct json *list, const struct detected_series *found)
{
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, KEY(series), found->series->name);
	json_set_number(arena, object, KEY(commits), (double)found->series->count);
	json_set_number(arena, object, KEY(noise), found->result.noise);
	json_set_bool(arena, object, KEY(relative), found->result.relative);
	struct json *changes = json_set_array(arena, object, KEY(changes));
	for (size_t i = 0; i < found->result.count; i++) {
		const struct detect_change *change = &found->result.changes[i];
		struct json *row = json_add_object(arena, changes);
		json_set_number(arena, row, KEY(index),
				(double)found->series->commits[change->index].index);
		json_set_number(arena, row, KEY(before), change->before);
		json_set_number(arena, row, KEY(after), change->after);
		json_set_number(arena, row, KEY(effect), change->effect);
		json_set_number(arena, row, KEY(effect_low), change->low);
		json_set_number(arena, row, KEY(effect_high), change->high);
		json_set_number(arena, row, KEY(p), change->p);
		json_set_number(arena, row, KEY(rank_p), change->rank_p);
		json_set_number(arena, row, KEY(commits_before), (double)change->count_before);
		json_set_number(arena, row, KEY(commits_after), (double)change->count_after);
	}
}
