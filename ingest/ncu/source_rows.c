/* Finds the tables of a source page and splits their rows. */
#include "ingest/ncu/source_rows.h"

#include "ingest/table/tables.h"

/* Columns by their names in versions of ncu, the preferred one first. */
static const struct {
	const char *column, *figure;
} known[] = {
	{"Warp Stall Sampling (All Samples)", "samples"},
	{"Warp Stall Sampling (All Cycles)", "samples"},
	{"Sampling Data (All)", "samples"},
	{"# Samples", "samples"},
	{"smsp__pcsamp_sample_count", "samples"},
	{"Warp Stall Sampling (Not-issued Samples)", "samples_not_issued"},
	{"Warp Stall Sampling (Not-issued Cycles)", "samples_not_issued"},
	{"Sampling Data (Not Issued)", "samples_not_issued"},
	{"Thread Instructions Executed", "thread_instructions"},
	{"Divergent Branches", "divergent_branches"},
	{"L2 Theoretical Sectors Global", "global_sectors"},
	{"L2 Theoretical Sectors Global Excessive", "global_sectors_excess"},
	{"L2 Theoretical Sectors Local", "local_sectors"},
	{"L1 Wavefronts Shared", "shared_wavefronts"},
	{"L1 Wavefronts Shared Excessive", "shared_wavefronts_excess"},
};
static const char *const executed_names[] = {"Instructions Executed", "inst_executed"};
static const char stall[] = "stall_";

static bool is_executed(struct span name)
{
	return span_among(name, executed_names, sizeof executed_names / sizeof *executed_names);
}

/* stall_wait, but not "stall_wait (Not Issued)". */
static bool is_stall(struct span name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	for (size_t i = 0; i < name.len; i++)
		if (!memchr(letters, name.ptr[i], sizeof letters - 1))
			return false;
	return span_starts(name, stall) && name.len > strlen(stall) && name.len <= 64;
}

static bool is_figure(struct span name)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (span_is(name, known[i].column))
			return true;
	return is_stall(name) || is_executed(name);
}

/* --- lines and cells --- */

/* Cells may have a carriage return, so lines_next() does not fit. */
static bool next_line(struct source_page *page, struct span *line)
{
	if (page->rest.len == 0)
		return false;
	*line = span_cut(&page->rest, '\n');
	while (line->len && (line->ptr[line->len - 1] == '\r' || line->ptr[line->len - 1] == ' '))
		line->len--;
	page->number++;
	return true;
}

static struct span inside(struct span line)
{
	if (span_ends(line, ","))
		line.len--;
	return line.len >= 2 && span_starts(line, "\"") && span_ends(line, "\"")
		       ? (struct span){line.ptr + 1, line.len - 2}
		       : line;
}

static const char between[] = "\",\"";

/* The cells of a quoted line as they are printed; returns how many there are, cells beyond `limit`
 * included. */
static size_t split(struct span line, struct span *cells, size_t limit)
{
	struct span rest = inside(line);
	size_t count = 0;
	for (;;) {
		size_t at = span_find(rest, between);
		if (count < limit)
			cells[count] = (struct span){rest.ptr, at};
		count++;
		if (at == rest.len)
			return count;
		rest = (struct span){rest.ptr + at + 3, rest.len - at - 3};
	}
}

/* The last `count` cells of a line; the rest is what is before them. */
static bool split_last(struct span line, struct span *cells, size_t count, struct span *rest)
{
	*rest = inside(line);
	while (count) {
		size_t at = rest->len;
		while (at >= 3 && memcmp(rest->ptr + at - 3, between, 3) != 0)
			at--;
		if (at < 3)
			return false;
		cells[--count] = span_from(*rest, at);
		rest->len = at - 3;
	}
	return true;
}

/* --- headers --- */

/* The value of a line such as "Kernel Name","copy(float *)", */
static bool is_label(struct span line, const char *label, struct span *value)
{
	size_t len = strlen(label);
	struct span text = inside(line);
	if (!span_starts(text, label) || text.len < len + 3 ||
	    memcmp(text.ptr + len, between, 3) != 0)
		return false;
	*value = (struct span){text.ptr + len + 3, text.len - len - 3};
	return true;
}

static size_t header_cells(struct span line, struct span *cells)
{
	if (span_starts(line, "\xef\xbb\xbf"))
		line = span_from(line, 3);
	return span_starts(line, "\"") ? split(line, cells, source_column_limit) : 0;
}

bool ncu_source_is_header(struct span line)
{
	struct span cells[source_column_limit];
	if (span_find(line, "\"Source\"") == line.len)
		return false;
	size_t count = header_cells(line, cells);
	bool text = false, place = false, figure = false;
	for (size_t i = 0; count <= source_column_limit && i < count; i++) {
		text |= span_is(cells[i], "Source");
		place |= span_is(cells[i], "Address") || span_is(cells[i], "Line No") ||
			 span_is(cells[i], "#");
		figure |= is_figure(cells[i]);
	}
	return text && place && figure;
}

static size_t figure_named(struct source_figures *figures, const char *name)
{
	size_t i = 0;
	while (i < figures->count && strcmp(figures->names[i], name) != 0)
		i++;
	if (i == figures->count && i < source_figure_limit)
		figures->names[figures->count++] = name;
	return i;
}

static size_t column_of(const struct span *cells, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (span_is(cells[i], name))
			return i;
	return source_column_limit;
}

/* Of several columns of one figure, the first row of `known` counts. */
static void find_figures(struct source_page *page, const struct span *cells, size_t count)
{
	bool used[source_figure_limit] = {false};
	memset(page->figure_of, source_figure_limit, sizeof page->figure_of);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		size_t at = column_of(cells, count, known[i].column);
		size_t figure = figure_named(&page->figures, known[i].figure);
		if (at < count && figure < source_figure_limit && !used[figure]) {
			page->figure_of[at] = (unsigned char)figure;
			used[figure] = true;
		}
	}
	for (size_t at = 0; at < count; at++) {
		if (!is_stall(cells[at]))
			continue;
		const char *name = arena_strndup(page->arena, cells[at].ptr, cells[at].len);
		size_t figure = figure_named(&page->figures, name);
		if (figure < source_figure_limit && !used[figure]) {
			page->figure_of[at] = (unsigned char)figure;
			used[figure] = true;
		}
	}
}

static void open_table(struct source_page *page, struct span line)
{
	struct span cells[source_column_limit];
	size_t count = header_cells(line, cells), text = 0;
	page->column_count = count;
	page->line_at = column_of(cells, count, "Line No");
	page->address_at = column_of(cells, count, "Address");
	page->executed_at = source_column_limit;
	page->texts_at[0] = page->texts_at[1] = source_column_limit;
	if (page->line_at == source_column_limit)
		page->line_at = column_of(cells, count, "#");
	for (size_t i = count; i-- > 0;)
		if (is_executed(cells[i]))
			page->executed_at = i;
	for (size_t i = 0; i < count && text < 2; i++)
		if (span_is(cells[i], "Source"))
			page->texts_at[text++] = i;
	find_figures(page, cells, count);
	page->open = page->new_table = true;
}

/* --- rows --- */

/* The cells of a row. Those that are too many are of the text of a line. */
static int cells_of(const struct source_page *page, struct span line, struct span *cells,
		    struct error *err)
{
	size_t want = page->column_count, count = split(line, cells, source_column_limit);
	size_t text = page->texts_at[0];
	struct span left, *last = cells + text + 1;
	if (count == want)
		return 0;
	if (count < want || !split_last(line, last, want - text - 1, &left))
		return error_set(err, ERR_FORMAT,
				 "line %zu: %zu cell%s, but the header has %zu; the file is "
				 "truncated or damaged",
				 page->number, count, count == 1 ? "" : "s", want);
	for (size_t i = 0; i < text; i++)
		left = (struct span){left.ptr + cells[i].len + 3, left.len - cells[i].len - 3};
	cells[text] = left;
	return 0;
}

static int number_of(const struct source_page *page, struct span cell, size_t column,
		     double *number, struct error *err)
{
	char excerpt[lines_excerpt_size];
	if (ncu_number(cell, page->decimal, 0, number) && !(*number < 0))
		return 0;
	return error_set(err, ERR_FORMAT, "line %zu: column %zu is \"%s\", not a count",
			 page->number, column + 1, lines_excerpt(excerpt, cell));
}

static struct span cell_at(const struct span *cells, size_t column)
{
	struct span cell =
		column < source_column_limit ? span_trim(cells[column]) : (struct span){"", 0};
	return span_is(cell, "-") ? (struct span){"", 0} : cell;
}

static int fill(const struct source_page *page, const struct span *cells, struct source_row *row,
		struct error *err)
{
	row->line = cell_at(cells, page->line_at);
	row->address = cell_at(cells, page->address_at);
	/* "#" counts the instructions of a table of instructions. */
	if (row->address.len)
		row->line.len = 0;
	bool second = row->address.len && page->texts_at[1] < source_column_limit;
	row->text = cell_at(cells, page->texts_at[second]);
	row->executed = NAN;
	for (size_t i = 0; i < source_figure_limit; i++)
		row->figures[i] = NAN;
	if (page->executed_at < source_column_limit &&
	    number_of(page, cells[page->executed_at], page->executed_at, &row->executed, err) < 0)
		return -1;
	for (size_t i = 0; i < page->column_count; i++) {
		size_t figure = page->figure_of[i];
		if (figure < source_figure_limit &&
		    number_of(page, cells[i], i, &row->figures[figure], err) < 0)
			return -1;
	}
	return 0;
}

/* Lines that are not rows: names, headers, and what the application printed. */
static bool is_between(struct source_page *page, struct span line)
{
	struct span value;
	if (is_label(line, "Kernel Name", &value) || is_label(line, "Function Name", &value)) {
		if (span_starts(line, "\"Kernel"))
			page->file.len = 0;
		page->kernel = value;
		page->open = false;
		return true;
	}
	if (is_label(line, "File Path", &value) || is_label(line, "File Name", &value)) {
		page->file = value;
		page->open = false;
		return true;
	}
	if (ncu_source_is_header(line)) {
		open_table(page, line);
		return true;
	}
	return !page->open || !span_starts(line, "\"");
}

int ncu_source_next(struct source_page *page, struct source_row *row, struct error *err)
{
	struct span line, cells[source_column_limit];
	while (next_line(page, &line)) {
		if (is_between(page, line))
			continue;
		if (cells_of(page, line, cells, err) < 0 || fill(page, cells, row, err) < 0)
			return -1;
		/* "..." stands for instructions of other lines. */
		if (!span_is(row->address, "...") && (row->address.len || row->line.len))
			return 1;
	}
	return 0;
}

/* All cells of the file show which decimal sign it uses. */
int ncu_source_open(struct source_page *page, struct arena *arena, struct span text,
		    const char *locale, struct error *err)
{
	struct ncu_numerals numerals = {0};
	struct span line, cells[source_column_limit];
	*page = (struct source_page){.arena = arena, .rest = text, .decimal = '.'};
	while (next_line(page, &line)) {
		if (is_between(page, line) ||
		    split(line, cells, source_column_limit) != page->column_count)
			continue;
		for (size_t i = 0; i < page->column_count; i++)
			if (page->figure_of[i] < source_figure_limit)
				ncu_numerals_look(&numerals, cells[i], page->number);
	}
	*page = (struct source_page){.arena = arena, .rest = text};
	return ncu_numerals_decide(&numerals, locale, &page->decimal, err);
}
