/* Stored runs, one line each. */
#include "render/lists/lists.h"

#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/vocabulary/vocabulary.h"

static void add_row(struct arena *arena, struct md_table *table, const struct short_names *naming,
		    const struct report_run *entry)
{
	const struct run *run = entry->run;
	const char *day = document_day(arena, entry->revision->time);
	double mfu = run_number(run, METRIC_MFU);
	double algorithmic = run_number(run, METRIC_MFU_ALGORITHMIC);
	bool formula = isnan(mfu) && !isnan(algorithmic);
	md_table_row(table, arena_prefix(arena, entry->id, 8),
		     arena_printf(arena, "%.10s%s", entry->revision->oid, run->dirty ? "+" : ""),
		     day ? day : "?", short_names_name(arena, naming, run),
		     vocabulary_english(arena, run_headline_message(arena, run)),
		     arena_printf(arena, "%s%s",
				  quantity_text(arena, formula ? algorithmic : mfu, UNIT_FRACTION),
				  formula ? " alg" : ""));
}

static struct short_names naming_of_entries(struct arena *arena, const struct report_run *entries,
					    size_t count)
{
	const struct run **runs = arena_array(arena, count, sizeof *runs);
	for (size_t i = 0; i < count; i++)
		runs[i] = entries[i].run;
	struct short_names naming = short_names_of(arena, runs, count);
	naming.dirty = false; /* the column of commits shows it */
	return naming;
}

void render_runs_text(struct arena *arena, const struct report_run *entries, size_t count,
		      size_t width, struct strbuf *sb)
{
	struct short_names naming = naming_of_entries(arena, entries, count);
	const char *common = short_names_common(arena, &naming);
	if (common[0])
		strbuf_addf(sb, "all %s\n\n", common);
	struct md_table table = md_table_of(arena, width, "run|commit|date|kernel");
	md_table_column(&table, vocabulary_term(LANGUAGE_ENGLISH, short_names_headline(&naming)),
			MD_ALIGN_RIGHT);
	md_table_optional(&table, "MFU", MD_ALIGN_RIGHT);
	for (size_t i = 0; i < count; i++)
		add_row(arena, &table, &naming, &entries[i]);
	md_table_plain(&table, sb);
}

struct json *render_runs_item(struct arena *arena, const struct report_run *entry)
{
	struct json *array = json_array(arena);
	report_add_run(arena, array, entry);
	return array->first;
}
