/* What a commit accepts: its acceptances as text and as JSON. */
#include "render/lists/lists.h"

#include "render/document/document.h"
#include "render/markup/markup.h"

static void add_line(struct arena *arena, struct json *array, const struct acceptance *line,
		     const char *state)
{
	struct json *object = json_add_object(arena, array);
	bool any = line->metric == METRIC_COUNT;
	double limit = any ? NAN : acceptance_limit(line, line->metric);
	json_set_number(arena, object, KEY(line), (double)line->line);
	json_set_text(arena, object, KEY(state), state);
	json_set_text(arena, object, KEY(series), line->series);
	json_set_text(arena, object, KEY(metric), acceptance_metric(line));
	json_set_bool(arena, object, "retired", line->retired);
	json_set_text(arena, object, KEY(limit_text), line->limit);
	json_set_number(arena, object, KEY(limit), limit);
	json_set_text(arena, object, KEY(unit),
		      isnan(limit) ? NULL : quantity_unit_symbol(metric_info(line->metric)->unit));
	json_set_text(arena, object, KEY(expires), line->expires);
	json_set_text(arena, object, KEY(author), line->author);
	json_set_text(arena, object, KEY(reason), line->reason);
}

void render_acceptances_text(struct arena *arena, const struct acceptance_list *list,
			     const struct acceptance_clock *clock, size_t width, struct strbuf *sb)
{
	struct md_table table =
		md_table_of(arena, width, ">line|state|series|metric|>limit|expires|author|reason");
	for (size_t i = 0; i < list->count; i++) {
		const struct acceptance *line = &list->items[i];
		md_table_row(&table, arena_printf(arena, "%zu", line->line),
			     acceptance_standing_name(acceptance_standing(line, clock)),
			     line->series, acceptance_metric(line), line->limit, line->expires,
			     line->author, line->reason);
	}
	md_table_plain(&table, sb);
}

struct json *render_acceptances_json(struct arena *arena, const struct acceptance_list *list,
				     const struct acceptance_clock *clock)
{
	struct json *document = document_begin(arena, SCHEMA(acceptances));
	struct json *array = json_set_array(arena, document, KEY(acceptances));
	for (size_t i = 0; i < list->count; i++)
		add_line(arena, array, &list->items[i],
			 acceptance_standing_name(acceptance_standing(&list->items[i], clock)));
	return document;
}

struct json *render_acceptance_json(struct arena *arena, const struct acceptance *line,
				    const char *state)
{
	struct json *document = document_begin(arena, SCHEMA(acceptances));
	add_line(arena, json_set_array(arena, document, KEY(acceptances)), line, state);
	return document;
}
