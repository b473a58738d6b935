/* Stored runs, one line each. */
#include "render/lists/lists.h"

#include "render/document/document.h"
#include "render/document/key.h"
#include "render/markup/markup.h"
#include "render/vocabulary/vocabulary.h"

/* "17.33 us", or the metric that was asked for. */
static const char *figure(struct arena *arena, const struct run *run, enum metric metric)
{
	return metric == METRIC_COUNT
		       ? vocabulary_say(arena, run_headline_message(arena, run))
		       : quantity_text(arena, run_number(run, metric), metric_info(metric)->unit);
}

static void add_row(struct arena *arena, struct md_table *table, const struct short_names *naming,
		    const struct report_run *entry, enum metric metric)
{
	const struct run *run = entry->run;
	const char *day = document_day(arena, entry->revision->time);
	double mfu = run_number(run, METRIC_MFU);
	double algorithmic = run_number(run, METRIC_MFU_ALGORITHMIC);
	bool formula = isnan(mfu) && !isnan(algorithmic);
	md_table_row(table, arena_prefix(arena, entry->id, 8),
		     arena_printf(arena, "%.10s%s", entry->revision->oid, run->dirty ? "+" : ""),
		     day ? day : "?", short_names_name(arena, naming, run),
		     figure(arena, run, metric),
		     metric == METRIC_MFU
			     ? md_no_cell
			     : arena_printf(arena, "%s%s",
					    quantity_text(arena, formula ? algorithmic : mfu,
							  UNIT_FRACTION),
					    formula ? vocabulary_label(" alg") : ""));
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

void render_runs_text(struct arena *arena, const struct runs_view *view, struct strbuf *sb)
{
	struct short_names naming = naming_of_entries(arena, view->entries, view->count);
	const char *common = short_names_common(arena, &naming);
	if (common[0])
		strbuf_addf(sb, "%s%s\n\n", vocabulary_label("all "), common);
	struct md_table table =
		md_table_of(arena, view->width, vocabulary_label("run|commit|date|kernel"));
	table.say = vocabulary_value;
	md_table_column(
		&table,
		view->metric == METRIC_COUNT
			? vocabulary_term(vocabulary_spoken(), short_names_headline(&naming))
			: vocabulary_metric(vocabulary_spoken(), view->metric),
		MD_ALIGN_RIGHT);
	if (view->metric != METRIC_MFU)
		md_table_optional(&table, "MFU", MD_ALIGN_RIGHT);
	for (size_t i = 0; i < view->count; i++)
		add_row(arena, &table, &naming, &view->entries[i], view->metric);
	md_table_plain(&table, sb);
}

struct json *render_runs_item(struct arena *arena, const struct report_run *entry,
			      enum metric metric)
{
	struct json *array = json_array(arena);
	report_add_run(arena, array, entry);
	struct json *headline = json_get(array->first, KEY(headline));
	if (metric != METRIC_COUNT && !headline) {
		headline = json_set_object(arena, array->first, KEY(headline));
		json_set_text(arena, headline, KEY(key), "");
		json_set_text(arena, headline, KEY(text), "");
	}
	if (metric != METRIC_COUNT) {
		json_get(headline, KEY(key))->text = metric_info(metric)->key;
		json_get(headline, KEY(text))->text = figure(arena, entry->run, metric);
	}
	return array->first;
}
