/* Edits of the store: what was removed, brought back and renamed, when and why. */
#include "render/lists/lists.h"

#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/vocabulary/vocabulary.h"

/* NULL: it is not known. */
static const char *time_of(struct arena *arena, const struct edit_row *row)
{
	return row->time < 0 ? NULL : document_time(arena, row->time);
}

static const char *date_of(struct arena *arena, const struct edit_row *row)
{
	const char *time = time_of(arena, row);
	return time ? time : vocabulary_label("unknown");
}

/* --- JSON --- */

static void add_run(struct arena *arena, struct json *array, const struct edited_row *row)
{
	const struct document_member members[] = {
		{KEY(id), TEXT(row->id)},
		{KEY(commit), TEXT(row->revision->oid)},
		{KEY(series), TEXT(run_series_key(arena, row->run))},
		{KEY(was), TEXT(row->was ? run_series_key(arena, row->was) : NULL)},
		{KEY(effect), TEXT(row->effect)},
		{KEY(removed), BOOL(row->removed)},
	};
	document_fill(arena, json_add_object(arena, array), members);
}

struct json *render_edits_json(struct arena *arena, const struct edit_row *rows, size_t count,
			       bool dry_run)
{
	struct json *document = document_begin(arena, SCHEMA(edits));
	json_set_bool(arena, document, KEY(dry_run), dry_run);
	struct json *array = json_set_array(arena, document, KEY(edits));
	for (size_t i = 0; i < count; i++) {
		const struct edit_row *row = &rows[i];
		const struct document_member members[] = {
			{KEY(kind), TEXT(row->kind)},
			{KEY(time), TEXT(time_of(arena, row))},
			{KEY(reason), TEXT(row->reason)},
			{KEY(undone_at),
			 TEXT(row->undone_at ? document_time(arena, row->undone_at) : NULL)},
		};
		struct json *object = json_add_object(arena, array);
		document_fill(arena, object, members);
		struct json *runs = json_set_array(arena, object, KEY(runs));
		for (size_t k = 0; k < row->count; k++)
			add_run(arena, runs, &row->runs[k]);
	}
	return document;
}

/* --- tables --- */

static struct short_names naming_of(struct arena *arena, const struct edit_row *rows, size_t count)
{
	size_t runs = 0, at = 0;
	for (size_t i = 0; i < count; i++)
		runs += 2 * rows[i].count;
	const struct run **named = arena_array(arena, runs, sizeof *named);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < rows[i].count; k++) {
			named[at++] = rows[i].runs[k].run;
			if (rows[i].runs[k].was)
				named[at++] = rows[i].runs[k].was;
		}
	struct short_names naming = short_names_of(arena, named, at);
	naming.dirty = false;
	return naming;
}

static const char *name_of(struct arena *arena, const struct short_names *naming,
			   const struct edited_row *row)
{
	const char *name = short_names_name(arena, naming, row->run);
	if (!row->was)
		return name;
	return arena_printf(arena, "%s -> %s", short_names_name(arena, naming, row->was), name);
}

void render_edited_runs_text(struct arena *arena, const struct edit_row *edit, size_t width,
			     struct strbuf *sb)
{
	struct short_names naming = naming_of(arena, edit, 1);
	struct md_table table = md_table_of(arena, width, "run|commit|date|kernel");
	md_table_column(&table, vocabulary_term(LANGUAGE_ENGLISH, short_names_headline(&naming)),
			MD_ALIGN_RIGHT);
	for (size_t i = 0; i < edit->count; i++) {
		const struct edited_row *row = &edit->runs[i];
		md_table_row(&table, arena_prefix(arena, row->id, 8),
			     arena_printf(arena, "%.10s%s", row->revision->oid,
					  row->run->dirty ? "+" : ""),
			     document_day(arena, row->revision->time), name_of(arena, &naming, row),
			     vocabulary_say(arena, run_headline_message(arena, row->run)));
	}
	md_table_plain(&table, sb);
}

enum { MOST_LINES = 40 }; /* of an edit */

/* Runs of an edit with the same effect and the same name are a row of the list. */
struct edit_line {
	const char *what, *name, *commit;
};

static int by_name(const void *a, const void *b)
{
	const struct edit_line *x = a, *y = b;
	int order = strcmp(x->what, y->what);
	return order ? order : strcmp(x->name, y->name);
}

static int by_commit(const void *a, const void *b)
{
	const struct edit_line *x = a, *y = b;
	int order = by_name(x, y);
	return order ? order : strcmp(x->commit, y->commit);
}

/* "d89c676580", or "3 commits". */
static const char *commits_of(struct arena *arena, const struct edit_line *lines, size_t count)
{
	size_t commits = 1;
	for (size_t i = 1; i < count; i++)
		commits += strcmp(lines[i].commit, lines[i - 1].commit) != 0;
	return commits == 1 ? arena_prefix(arena, lines->commit, 10)
			    : arena_printf(arena, vocabulary_format("%zu commits"), commits);
}

/* Columns that only some lists have. */
struct edit_columns {
	bool undone, reasons;
};

/* A time with a blank, at which a narrow column breaks it: a time cut in two says nothing. */
static const char *time_cell(struct arena *arena, const char *time)
{
	char *cell = arena_strdup(arena, time), *mark = strchr(cell, 'T');
	if (mark)
		*mark = ' ';
	return cell;
}

/* The runs of an edit that have no row of their own. */
static void add_rest(struct md_table *table, const struct edit_columns *shown,
		     const struct edit_row *edit, size_t runs)
{
	struct arena *arena = table->arena;
	md_table_row(table, time_cell(arena, date_of(arena, edit)), edit->by, "...",
		     arena_printf(arena, "%zu", runs), "", vocabulary_label("other series"),
		     shown->undone ? "" : md_no_cell, shown->reasons ? "" : md_no_cell);
}

static void add_lines(struct md_table *table, const struct short_names *naming,
		      const struct edit_columns *shown, const struct edit_row *edit)
{
	struct arena *arena = table->arena;
	struct edit_line *lines = arena_array(arena, edit->count, sizeof *lines);
	for (size_t i = 0; i < edit->count; i++)
		lines[i] = (struct edit_line){edit->runs[i].effect,
					      name_of(arena, naming, &edit->runs[i]),
					      edit->runs[i].revision->oid};
	array_sort(lines, edit->count, sizeof *lines, by_commit);
	size_t shown_lines = 0;
	for (size_t i = 0, end; i < edit->count; i = end) {
		if (shown_lines++ == MOST_LINES) {
			add_rest(table, shown, edit, edit->count - i);
			break;
		}
		for (end = i + 1; end < edit->count && by_name(&lines[i], &lines[end]) == 0;)
			end++;
		md_table_row(table, time_cell(arena, date_of(arena, edit)), edit->by,
			     vocabulary_label(lines[i].what), arena_printf(arena, "%zu", end - i),
			     commits_of(arena, lines + i, end - i), lines[i].name,
			     !shown->undone ? md_no_cell
			     : edit->undone_at
				     ? time_cell(arena, document_time(arena, edit->undone_at))
				     : "",
			     !shown->reasons ? md_no_cell
			     : edit->reason  ? edit->reason
					     : "");
	}
}

void render_edits_text(struct arena *arena, const struct edit_row *rows, size_t count, size_t width,
		       struct strbuf *sb)
{
	struct short_names naming = naming_of(arena, rows, count);
	struct md_table table =
		md_table_of(arena, width, vocabulary_label("date|by|what|>runs|commit|kernel"));
	struct edit_columns shown = {0};
	for (size_t i = 0; i < count; i++) {
		shown.undone |= rows[i].undone_at != 0;
		shown.reasons |= rows[i].reason != NULL;
	}
	if (shown.undone)
		md_table_columns(&table, vocabulary_label("undone"));
	if (shown.reasons)
		md_table_columns(&table, vocabulary_label("reason"));
	for (size_t i = 0; i < count; i++)
		add_lines(&table, &naming, &shown, &rows[i]);
	md_table_plain(&table, sb);
}
