/* Both printers escape all cells, measure the columns, then pad. */
#include "render/markup/table.h"

#include "base/text/text.h"
#include "render/markup/escape.h"
#include "render/markup/shorten.h"

void md_table_init(struct md_table *table, struct arena *arena)
{
	*table = (struct md_table){.arena = arena};
}

void md_table_column(struct md_table *table, const char *title, enum md_align align)
{
	assert(table->cell_count == 0);
	*arena_next(table->arena, table->columns, table->column_count, table->column_capacity) =
		(struct md_column){arena_strdup(table->arena, title), align, false, false};
}

void md_table_optional(struct md_table *table, const char *title, enum md_align align)
{
	md_table_column(table, title, align);
	table->columns[table->column_count - 1].optional = true;
}

void md_table_expendable(struct md_table *table, const char *title, enum md_align align)
{
	md_table_column(table, title, align);
	table->columns[table->column_count - 1].expendable = true;
}

void md_table_cell(struct md_table *table, const char *text)
{
	assert(table->column_count > 0);
	*arena_next(table->arena, table->cells, table->cell_count, table->cell_capacity) =
		arena_strdup(table->arena, text ? text : "unknown");
}

void md_table_columns(struct md_table *table, const char *columns)
{
	size_t len;
	for (const char *title = columns;; title += len + 1) {
		len = strcspn(title, "|");
		bool right = title[0] == '>';
		md_table_column(table, arena_strndup(table->arena, title + right, len - right),
				right ? MD_ALIGN_RIGHT : MD_ALIGN_LEFT);
		if (!title[len])
			break;
	}
}

struct md_table md_table_of(struct arena *arena, size_t width, const char *columns)
{
	struct md_table table = {.arena = arena, .width = width};
	md_table_columns(&table, columns);
	return table;
}

const char md_no_cell[] = "";

void md_table_cells(struct md_table *table, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (texts[i] != md_no_cell)
			md_table_cell(table, texts[i]);
	assert(table->cell_count % table->column_count == 0);
}

size_t md_table_rows(const struct md_table *table)
{
	if (table->column_count == 0)
		return 0;
	return (table->cell_count + table->column_count - 1) / table->column_count;
}

typedef void escape_function(struct strbuf *out, struct span text);

/* The table as printed: escaped texts, titles first, and the widths of the columns. */
struct layout {
	const char **texts;
	size_t *widths;
	size_t rows, columns;
};

static struct layout layout_of(const struct md_table *table, escape_function *escape,
			       size_t narrowest)
{
	struct layout layout = {.rows = md_table_rows(table) + 1, .columns = table->column_count};
	size_t count = layout.rows * layout.columns;
	layout.texts = arena_array(table->arena, count, sizeof *layout.texts);
	layout.widths = arena_array(table->arena, layout.columns, sizeof *layout.widths);
	for (size_t i = 0; i < count; i++) {
		struct strbuf cell = {NULL, 0, 0};
		size_t at = i - layout.columns, column = i % layout.columns;
		const char *text = i < layout.columns       ? table->columns[i].title
				   : at < table->cell_count ? table->cells[at]
							    : "";
		if (i >= layout.columns && table->say)
			text = table->say(table->arena, text);
		escape(&cell, span_of(text));
		layout.texts[i] = strbuf_into(&cell, table->arena);
		size_t width = utf8_columns(span_of(layout.texts[i]));
		if (width < narrowest)
			width = narrowest;
		if (width > layout.widths[column])
			layout.widths[column] = width;
	}
	return layout;
}

static void add_padded(struct strbuf *out, const char *text, size_t width, enum md_align align)
{
	size_t own = utf8_columns(span_of(text));
	if (align == MD_ALIGN_RIGHT)
		strbuf_pad(out, own, width);
	strbuf_addstr(out, text);
	if (align == MD_ALIGN_LEFT)
		strbuf_pad(out, own, width);
}

static void add_rule(const struct md_table *table, const struct layout *layout, struct strbuf *out)
{
	for (size_t column = 0; column < layout->columns; column++) {
		bool right = table->columns[column].align == MD_ALIGN_RIGHT;
		strbuf_addstr(out, "| ");
		strbuf_repeat(out, "-", layout->widths[column] - (right ? 1 : 0));
		strbuf_addstr(out, right ? ": " : " ");
	}
	strbuf_addstr(out, "|\n");
}

void md_table_markdown(const struct md_table *table, struct strbuf *out)
{
	enum { shortest_rule = 3 };
	if (table->column_count == 0)
		return;
	struct layout layout = layout_of(table, md_cell, shortest_rule);
	for (size_t row = 0; row < layout.rows; row++) {
		for (size_t column = 0; column < layout.columns; column++) {
			strbuf_addstr(out, "| ");
			add_padded(out, layout.texts[row * layout.columns + column],
				   layout.widths[column], table->columns[column].align);
			strbuf_addch(out, ' ');
		}
		strbuf_addstr(out, "|\n");
		if (row == 0)
			add_rule(table, &layout, out);
	}
}

const char *md_table_text(const struct md_table *table)
{
	struct strbuf text = {NULL, 0, 0};
	md_table_markdown(table, &text);
	if (text.len > 0)
		strbuf_truncate(&text, text.len - 1);
	return strbuf_into(&text, table->arena);
}

/* The widest column of texts that exceeds that width; NULL: none. */
static size_t *widest_column(const struct md_table *table, struct layout *layout,
			     const bool *hidden, size_t narrowest)
{
	size_t *widest = NULL;
	for (size_t i = 0; i < layout->columns; i++)
		if (table->columns[i].align == MD_ALIGN_LEFT && !hidden[i] &&
		    layout->widths[i] > narrowest && (!widest || layout->widths[i] > *widest))
			widest = &layout->widths[i];
	return widest;
}

/* Narrows the widest text columns until the table fits; each keeps a minimal width. False: it does
 * not fit. */
static bool narrow(const struct md_table *table, struct layout *layout, const bool *hidden)
{
	static const size_t narrowest = 12;
	size_t total = 0, *widest;
	for (size_t column = 0; column < layout->columns; column++)
		total += hidden[column] ? 0 : layout->widths[column] + 2;
	/* Invariant: `total` is the width of the table with two blanks after every column, but the
	 * last one has none. */
	while (table->width && total > table->width + 2 &&
	       (widest = widest_column(table, layout, hidden, narrowest))) {
		--*widest;
		total--;
	}
	return !table->width || total <= table->width + 2;
}

/* The first expendable column that is still there; column_count: none. */
static size_t expendable_column(const struct md_table *table, const bool *hidden)
{
	size_t i = 0;
	while (i < table->column_count && (hidden[i] || !table->columns[i].expendable))
		i++;
	return i;
}

/* Makes the table fit; hides expendable columns if narrow ones are not enough. */
static void make_fit(const struct md_table *table, struct layout *layout, bool *hidden)
{
	size_t size = layout->columns * sizeof *layout->widths, expendable;
	size_t *natural = arena_array(table->arena, layout->columns, sizeof *natural);
	memcpy(natural, layout->widths, size);
	while (!narrow(table, layout, hidden) &&
	       (expendable = expendable_column(table, hidden)) < layout->columns) {
		hidden[expendable] = true;
		memcpy(layout->widths, natural, size);
	}
}

static bool *hidden_columns(const struct md_table *table)
{
	assert(table->column_count > 0);
	bool *hidden = arena_array(table->arena, table->column_count, sizeof *hidden);
	for (size_t i = 0; i < table->column_count; i++)
		hidden[i] = table->columns[i].optional && table->cell_count > 0;
	for (size_t i = 0; i < table->cell_count; i++)
		if (strcmp(table->cells[i], "unknown") != 0)
			hidden[i % table->column_count] = false;
	return hidden;
}

static struct span without_blanks_in_front(struct span text)
{
	while (span_starts(text, " "))
		text = span_from(text, 1);
	return text;
}

/* Cuts off as many words as fit, at least one. Blanks at the ends of a line that is cut go. */
static struct span cut_line(struct span *rest, size_t width)
{
	struct span fitting = utf8_fitting(*rest, width);
	if (fitting.len == rest->len) {
		*rest = (struct span){rest->ptr + rest->len, 0};
		return fitting;
	}
	assert(rest->ptr); /* otherwise all of it fits */
	*rest = without_blanks_in_front(*rest);
	size_t end = 0;
	for (size_t i = 0; i <= rest->len; i++) {
		if (i < rest->len && rest->ptr[i] != ' ')
			continue;
		if (end > 0 && utf8_columns((struct span){rest->ptr, i}) > width)
			break;
		end = i;
	}
	struct span line = {rest->ptr, end};
	*rest = without_blanks_in_front(span_from(*rest, end));
	return line;
}

/* How the words of each column are shortened. */
static const struct md_shortening *shortenings_of(const struct md_table *table,
						  const struct layout *layout)
{
	struct md_shortening *all = arena_array(table->arena, layout->columns, sizeof *all);
	for (size_t i = 0; i < layout->columns; i++)
		all[i] = md_shortening_of(layout->texts + i, layout->rows, layout->columns,
					  layout->widths[i]);
	return all;
}

static void add_plain_row(const struct md_table *table, const struct layout *layout,
			  const struct md_shortening *shortenings, const bool *hidden,
			  const char *const *texts, struct strbuf *out)
{
	struct span *rests = arena_array(table->arena, layout->columns, sizeof *rests);
	for (size_t i = 0; i < layout->columns; i++)
		rests[i] = span_of(md_shortened(table->arena, &shortenings[i], texts[i]));
	for (bool more = true; more; strbuf_end_line(out)) {
		const char *separator = "";
		more = false;
		for (size_t i = 0; i < layout->columns; i++) {
			if (hidden[i])
				continue;
			struct span line = cut_line(&rests[i], layout->widths[i]);
			strbuf_addstr(out, separator);
			add_padded(out, arena_strndup(table->arena, line.ptr, line.len),
				   layout->widths[i], table->columns[i].align);
			more = more || rests[i].len > 0;
			separator = "  ";
		}
	}
}

void md_table_plain(const struct md_table *table, struct strbuf *out)
{
	if (table->column_count == 0)
		return;
	bool *hidden = hidden_columns(table);
	struct layout layout = layout_of(table, table->ascii ? terminal_ascii : terminal_text, 0);
	make_fit(table, &layout, hidden);
	const struct md_shortening *shortenings = shortenings_of(table, &layout);
	for (size_t row = 0; row < layout.rows; row++)
		add_plain_row(table, &layout, shortenings, hidden,
			      layout.texts + row * layout.columns, out);
}
