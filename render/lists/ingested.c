/* The result of an ingest: runs, formats, skipped files. */
#include "render/lists/lists.h"

#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/vocabulary/vocabulary.h"

enum { runs_shown = 40 };

static struct short_names naming_of_ingest(struct arena *arena, const struct ingest_view *ingest)
{
	const struct run **runs = arena_array(arena, ingest->run_count, sizeof *runs);
	for (size_t i = 0; i < ingest->run_count; i++)
		runs[i] = ingest->runs[i].run;
	return short_names_of(arena, runs, ingest->run_count);
}

/* Adds what all runs have in common once, including the file. */
static bool add_common(struct arena *arena, const struct ingest_view *ingest,
		       const struct short_names *naming, struct strbuf *sb)
{
	const char *common = short_names_common(arena, naming), *path = ingest->runs[0].path;
	bool one_file = ingest->run_count > 1;
	for (size_t i = 1; i < ingest->run_count; i++)
		one_file = one_file && strcmp(ingest->runs[i].path, path) == 0;
	if (ingest->run_count > 1 && common[0])
		strbuf_addf(sb, "all %s\n", common);
	if (one_file)
		strbuf_addf(sb, "from %s\n", path);
	if (sb->len)
		strbuf_addch(sb, '\n');
	return one_file;
}

static void add_runs(struct arena *arena, const struct ingest_view *ingest, struct strbuf *sb)
{
	struct short_names naming = naming_of_ingest(arena, ingest);
	bool one_file = add_common(arena, ingest, &naming, sb);
	struct md_table table = md_table_of(arena, ingest->width, "|run|kernel");
	md_table_column(&table, vocabulary_term(LANGUAGE_ENGLISH, short_names_headline(&naming)),
			MD_ALIGN_RIGHT);
	md_table_optional(&table, "MFU", MD_ALIGN_RIGHT);
	if (!one_file)
		md_table_column(&table, "file", MD_ALIGN_LEFT);
	for (size_t i = 0; i < ingest->run_count && i < runs_shown; i++) {
		const struct ingested_run *one = &ingest->runs[i];
		double mfu = run_number(one->run, METRIC_MFU);
		md_table_row(&table, one->state,
			     ingest->dry_run ? "--" : arena_prefix(arena, one->id, 8),
			     short_names_name(arena, &naming, one->run),
			     vocabulary_say(arena, run_headline_message(arena, one->run)),
			     quantity_text(arena, mfu, UNIT_FRACTION),
			     one_file ? md_no_cell : one->path);
	}
	md_table_plain(&table, sb);
	if (ingest->run_count > runs_shown)
		strbuf_addf(sb, "... and %zu more runs\n", ingest->run_count - runs_shown);
}

static void add_formats(struct arena *arena, const struct ingest_view *ingest, struct strbuf *sb)
{
	struct md_table table = md_table_of(
		arena, 0, ingest->dry_run ? "format|>files|>runs" : "format|>files|>stored|>known");
	for (size_t i = 0; i < ingest->format_count; i++) {
		const struct ingested_format *format = &ingest->formats[i];
		size_t runs = 0, added = 0;
		for (size_t k = 0; k < ingest->run_count; k++)
			if (strcmp(ingest->runs[k].format, format->name) == 0) {
				runs++;
				added += ingest->runs[k].added;
			}
		/* params.json and similar companions contain no runs. */
		bool empty = format->runs == 0;
		size_t counted = ingest->dry_run ? runs : added;
		md_table_row(&table, format->name, arena_printf(arena, "%zu", format->files),
			     empty ? "--" : arena_printf(arena, "%zu", counted),
			     ingest->dry_run ? md_no_cell
			     : empty         ? "--"
					     : arena_printf(arena, "%zu", runs - added));
	}
	strbuf_addch(sb, '\n');
	md_table_plain(&table, sb);
}

static bool has_several_formats(const struct ingest_view *ingest)
{
	size_t count = 0;
	for (size_t i = 0; i < ingest->format_count; i++)
		count += ingest->formats[i].runs > 0;
	return count > 1;
}

void render_ingest_text(struct arena *arena, const struct ingest_view *ingest, struct strbuf *sb)
{
	if (ingest->run_count)
		add_runs(arena, ingest, sb);
	if (has_several_formats(ingest) || ingest->run_count > runs_shown)
		add_formats(arena, ingest, sb);
}

struct json *render_ingest_json(struct arena *arena, const struct ingest_view *ingest)
{
	struct json *out = document_begin(arena, SCHEMA(ingest));
	json_set_bool(arena, out, "dry_run", ingest->dry_run);
	struct json *runs = json_set_array(arena, out, KEY(runs));
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct ingested_run *one = &ingest->runs[i];
		struct report_run entry = {
			.run = one->run,
			.id = ingest->dry_run ? NULL : one->id,
			.peaks = one->peaks,
			.hardware = one->hardware,
			.baseline_age = -1,
		};
		report_add_run(arena, runs, &entry);
		json_set_text(arena, runs->last, KEY(state), one->state);
		json_set_text(arena, runs->last, "format", one->format);
	}
	struct json *skipped = json_set_array(arena, out, KEY(skipped));
	for (size_t i = 0; i < ingest->skipped_count; i++) {
		struct json *object = json_add_object(arena, skipped);
		json_set_text(arena, object, "path", ingest->skipped[i].path);
		json_set_text(arena, object, KEY(reason), ingest->skipped[i].reason);
	}
	return out;
}
