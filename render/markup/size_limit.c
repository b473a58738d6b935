/* Finds the largest number of rows that fits by binary search: the text's length grows with the
 * rows. */
#include "render/markup/size_limit.h"

#include "render/document/key.h"

#include "base/text/text.h"

/* A list of the document that can be truncated and restored. */
struct rows {
	struct json *array;
	struct json *left_out; /* number of rows left out; null if none */
	struct json **items;
	size_t count;  /* original number of rows */
	double beyond; /* rows left out by the caller */
};

struct fitting {
	struct arena *arena;
	struct rows *lists; /* most important first */
	size_t count, capacity;
	const struct json *document;
	size_t limit;
	size_limit_render *render;
	void *context;
};

static void add_rows(struct fitting *f, struct json *owner, const char *array, const char *left_out)
{
	struct rows rows = {.array = json_get(owner, array), .left_out = json_get(owner, left_out)};
	if (!rows.array || rows.array->type != JSON_ARRAY)
		return;
	rows.items = arena_array(f->arena, rows.array->count + 1, sizeof *rows.items);
	for (struct json *item = rows.array->first; item; item = item->next)
		rows.items[rows.count++] = item;
	/* Rows that are made only on a visit are left out here, and counted. */
	rows.beyond = json_number(owner, left_out, 0) + (double)(rows.array->count - rows.count);
	rows.array->more = false;
	rows.array->count = (uint32_t)rows.count;
	if (!rows.left_out)
		rows.left_out = json_set_number(f->arena, owner, left_out, NAN);
	*arena_next(f->arena, f->lists, f->count, f->capacity) = rows;
}

static void find_lists(struct fitting *f, struct json *document)
{
	struct json *gate = json_get(document, KEY(gate)), *shown = json_get(gate, KEY(shown));
	add_rows(f, json_get(shown, KEY(bad)), "comparisons", "left_out");
	for (struct json *list = json_first(shown, KEY(folded)); list; list = list->next)
		add_rows(f, list, "comparisons", "left_out");
	add_rows(f, gate, "comparisons", "comparisons_left_out");
}

static void truncate_rows(struct rows *rows, size_t count)
{
	double left_out = (double)(rows->count - count) + rows->beyond;
	for (size_t i = 0; i < rows->count; i++)
		rows->items[i]->next = i + 1 < count ? rows->items[i + 1] : NULL;
	rows->array->first = count ? rows->items[0] : NULL;
	rows->array->last = count ? rows->items[count - 1] : NULL;
	rows->array->count = (uint32_t)count;
	rows->left_out->type = left_out > 0 ? JSON_NUMBER : JSON_NULL;
	rows->left_out->number = left_out;
}

static size_t all_rows(const struct fitting *f)
{
	size_t rows = 0;
	for (size_t i = 0; i < f->count; i++)
		rows += f->lists[i].count;
	return rows;
}

/* Renders with the first `rows` rows, counted across all lists. */
static int render_rows(struct fitting *f, size_t rows, struct strbuf *out, struct error *err)
{
	for (size_t i = 0; i < f->count; i++) {
		size_t count = f->lists[i].count < rows ? f->lists[i].count : rows;
		truncate_rows(&f->lists[i], count);
		rows -= count;
	}
	assert(rows == 0);
	strbuf_reset(out);
	return f->render(f->context, f->document, out, err);
}

/* --- texts that are too long without any row --- */

static size_t line_before(const char *text, size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

/* The last line if it is an HTML comment. */
static struct span marker_of(struct span text)
{
	while (span_ends(text, "\n"))
		text.len--;
	size_t start = line_before(text.ptr, text.len);
	struct span line = span_from(text, start);
	bool comment = line.len >= 7 && span_starts(line, "<!--") && span_ends(line, "-->");
	return comment ? line : (struct span){NULL, 0};
}

/* How many <details> are open at the end of the text. Escaped names cannot start a line with a
 * tag. */
static size_t open_parts(struct span text)
{
	size_t open = 0;
	while (text.len) {
		struct span line = span_cut(&text, '\n');
		open += span_starts(line, "<details>");
		open -= open && span_starts(line, "</details>");
	}
	return open;
}

static size_t count_lines(struct span text)
{
	size_t lines = 0;
	for (size_t i = 0; i < text.len; i++)
		lines += text.ptr[i] == '\n';
	return lines;
}

static void add_ending(struct strbuf *out, size_t open, size_t lines, struct span marker)
{
	strbuf_repeat(out, "\n</details>\n", open);
	strbuf_addf(out, "\n(Truncated: %zu more line%s omitted.)\n", lines, lines == 1 ? "" : "s");
	if (marker.len)
		strbuf_addf(out, "\n%.*s\n", (int)marker.len, marker.ptr);
}

/* The position at which to cut a text without line ends. */
static size_t inside_line(struct span text, size_t at)
{
	while (at > 0 && ((unsigned char)text.ptr[at] & 0xc0) == 0x80)
		at--;
	return at;
}

static void cut(const struct strbuf *whole, size_t limit, struct strbuf *out)
{
	struct span text = strbuf_span(whole), marker = marker_of(text);
	size_t room = limit;
	assert(text.len > limit);
	for (;;) {
		size_t at = line_before(text.ptr, room);
		at = at ? at : inside_line(text, room);
		struct span head = {text.ptr, at}, rest = span_from(text, at);
		struct strbuf ending = {0};
		add_ending(&ending, open_parts(head), count_lines(rest), marker);
		size_t over = at + ending.len > limit ? at + ending.len - limit : 0;
		if (!over || !at) {
			strbuf_reset(out);
			strbuf_addspan(out, head);
			/* If the limit is smaller than this sentence, only its beginning remains.
			 */
			if (!over)
				strbuf_addspan(out, strbuf_span(&ending));
		}
		strbuf_free(&ending);
		if (!over || !at)
			return;
		/* The ending depends on where the cut is, so the room shrinks by the excess, at
		 * least by one line, until both fit. */
		room = at - 1 < room - over ? at - 1 : room - over;
	}
}

static int fit(struct fitting *f, struct strbuf *out, struct error *err)
{
	size_t low = 0, high = all_rows(f);
	if (render_rows(f, high, out, err) < 0)
		return -1;
	if (out->len <= f->limit)
		return 0;
	/* Invariant: `high` rows do not fit; `low` rows fit, except that 0 rows are untested. */
	while (high - low > 1) {
		assert(low < high);
		size_t middle = low + (high - low) / 2;
		if (render_rows(f, middle, out, err) < 0)
			return -1;
		if (out->len <= f->limit)
			low = middle;
		else
			high = middle;
	}
	return render_rows(f, low, out, err);
}

int size_limit_fit(struct arena *arena, struct json *document, size_t limit,
		   size_limit_render *render, void *context, struct strbuf *out, struct error *err)
{
	struct fitting f = {.arena = arena,
			    .document = document,
			    .limit = limit,
			    .render = render,
			    .context = context};
	struct strbuf text = {0}, shorter = {0};
	find_lists(&f, document);
	int rc = fit(&f, &text, err);
	bool whole = text.len <= limit;
	if (rc == 0 && !whole)
		cut(&text, limit, &shorter);
	if (rc == 0)
		strbuf_addspan(out, strbuf_span(whole ? &text : &shorter));
	strbuf_free(&text);
	strbuf_free(&shorter);
	return rc;
}
