/* Line diff: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986. */
#include "render/devlog/diff.h"

#include "base/hash/hash.h"
#include "base/text/text.h"
#include "render/markup/markup.h"

enum { context_lines = 3, edit_limit = 1000 };

struct line {
	struct span text; /* includes the line end */
	uint64_t hash;
};

/* The lines of one text; `edited` marks those that the other text lacks. */
struct side {
	struct line *items;
	bool *edited;
	size_t count;
};

static struct side split(struct arena *arena, struct span text)
{
	struct side side = {NULL, NULL, 0};
	for (size_t i = 0; i < text.len; i++)
		side.count += text.ptr[i] == '\n' || i + 1 == text.len;
	side.items = arena_array(arena, side.count, sizeof *side.items);
	side.edited = arena_array(arena, side.count, sizeof *side.edited);
	for (size_t i = 0; i < side.count; i++) {
		const char *end = memchr(text.ptr, '\n', text.len);
		struct span line = {text.ptr, end ? (size_t)(end + 1 - text.ptr) : text.len};
		side.items[i] = (struct line){line, table_hash_of(line)};
		text = (struct span){text.ptr + line.len, text.len - line.len};
	}
	return side;
}

static bool same(const struct line *a, const struct line *b)
{
	return a->hash == b->hash && span_eq(a->text, b->text);
}

/* Both sides without their common leading and trailing lines. */
struct middle {
	struct side *sides;
	size_t first, counts[2];
};

static struct middle middle_of(struct side sides[2])
{
	size_t before = 0, after = 0;
	size_t shorter = sides[0].count < sides[1].count ? sides[0].count : sides[1].count;
	while (before < shorter && same(&sides[0].items[before], &sides[1].items[before]))
		before++;
	while (after < shorter - before && same(&sides[0].items[sides[0].count - 1 - after],
						&sides[1].items[sides[1].count - 1 - after]))
		after++;
	return (struct middle){
		sides, before, {sides[0].count - before - after, sides[1].count - before - after}};
}

static bool same_at(const struct middle *middle, int64_t x, int64_t y)
{
	return same(&middle->sides[0].items[middle->first + (size_t)x],
		    &middle->sides[1].items[middle->first + (size_t)y]);
}

/* reach[k + edit_limit + 1] is the furthest x on diagonal k = x - y, where x and y count lines of
 * the old and the new text. */
typedef int64_t reach_row[2 * edit_limit + 3];

/* Whether the furthest path on diagonal k arrives from the diagonal above (an insertion), not from
 * below (a deletion). */
static bool from_above(const int64_t *reach, int64_t k, int64_t edits)
{
	assert(-edits <= k && k <= edits);
	const int64_t *at = reach + edit_limit + 1 + k;
	return k == -edits || (k != edits && at[-1] < at[1]);
}

/* Fills one row of `rows` per number of edits. Returns the minimal number of edits, or -1 if it
 * exceeds edit_limit. */
static int64_t search(const struct middle *middle, reach_row *rows)
{
	int64_t n = (int64_t)middle->counts[0], m = (int64_t)middle->counts[1];
	for (int64_t edits = 0; edits <= edit_limit; edits++) {
		int64_t *reach = rows[edits];
		if (edits)
			memcpy(reach, rows[edits - 1], sizeof *rows);
		for (int64_t k = -edits; k <= edits; k += 2) {
			int64_t *at = reach + edit_limit + 1 + k;
			int64_t x = from_above(reach, k, edits) ? at[1] : at[-1] + 1;
			while (x < n && x - k < m && same_at(middle, x, x - k))
				x++;
			*at = x;
			if (x >= n && x - k >= m)
				return edits;
		}
	}
	return -1;
}

/* Follows the rows back from the end and marks the edited lines. */
static void trace(const struct middle *middle, reach_row *rows, int64_t edits)
{
	int64_t x = (int64_t)middle->counts[0], y = (int64_t)middle->counts[1];
	for (; edits > 0; edits--) {
		const int64_t *reach = rows[edits - 1];
		int64_t k = x - y;
		bool added = from_above(reach, k, edits);
		k += added ? 1 : -1;
		x = reach[edit_limit + 1 + k];
		y = x - k;
		if (added)
			middle->sides[1].edited[middle->first + (size_t)y] = true;
		else
			middle->sides[0].edited[middle->first + (size_t)x] = true;
	}
	/* Only the common beginning is left. */
	assert(x == y);
}

static void mark_edits(struct arena *arena, struct side sides[2])
{
	struct middle middle = middle_of(sides);
	size_t total = middle.counts[0] + middle.counts[1];
	size_t limit = total < edit_limit ? total : edit_limit;
	reach_row *rows = arena_array(arena, limit + 1, sizeof *rows);
	int64_t edits = search(&middle, rows);
	if (edits >= 0) {
		trace(&middle, rows, edits);
		return;
	}
	for (int i = 0; i < 2; i++)
		for (size_t at = 0; at < middle.counts[i]; at++)
			sides[i].edited[middle.first + at] = true;
}

/* A line of the diff: ' ', '-' or '+', the line, and how many lines of both texts precede it. */
struct row {
	char kind;
	struct span text;
	size_t before[2];
};

static struct row *rows_of(struct arena *arena, const struct side sides[2], size_t *count)
{
	struct row *rows = arena_array(arena, sides[0].count + sides[1].count, sizeof *rows);
	size_t i = 0, j = 0, n = 0;
	while (i < sides[0].count || j < sides[1].count) {
		struct row row = {' ', {NULL, 0}, {i, j}};
		bool removed = i < sides[0].count && sides[0].edited[i];
		bool added = !removed && j < sides[1].count && sides[1].edited[j];
		row.kind = (char)(removed ? '-' : added ? '+' : ' ');
		row.text = added ? sides[1].items[j].text : sides[0].items[i].text;
		i += !added;
		j += !removed;
		rows[n++] = row;
	}
	*count = n;
	return rows;
}

static void add_colored(const struct diff_look *look, const char *color, const char *text,
			struct strbuf *out)
{
	strbuf_addf(out, "%s%s%s", look->color ? color : "", text, look->color ? "\033[0m" : "");
}

static const char *color_of(char kind)
{
	return kind == '-' ? "\033[31m" : kind == '+' ? "\033[32m" : "";
}

static void add_row(const struct diff_look *look, const struct row *row, struct strbuf *out)
{
	bool ended = span_ends(row->text, "\n");
	bool color = look->color && row->kind != ' ';
	struct span text = {row->text.ptr, row->text.len - ended};
	strbuf_addf(out, "%s%c", color ? color_of(row->kind) : "", row->kind);
	if (look->clean)
		terminal_text(out, text);
	else
		strbuf_addspan(out, text);
	strbuf_addf(out, "%s\n", color ? "\033[0m" : "");
	if (!ended)
		strbuf_addstr(out, "\\ No newline at end of file\n");
}

static void add_hunk(const struct diff_look *look, const struct row *rows, size_t count,
		     struct strbuf *out)
{
	size_t lengths[2] = {0, 0}, starts[2];
	char title[128];
	for (size_t i = 0; i < count; i++) {
		lengths[0] += rows[i].kind != '+';
		lengths[1] += rows[i].kind != '-';
	}
	/* An empty range is named by the line before it, as patch(1) expects. */
	for (int side = 0; side < 2; side++)
		starts[side] = rows[0].before[side] + (lengths[side] > 0);
	snprintf(title, sizeof title, "@@ -%zu,%zu +%zu,%zu @@", starts[0], lengths[0], starts[1],
		 lengths[1]);
	add_colored(look, "\033[36m", title, out);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < count; i++)
		add_row(look, &rows[i], out);
}

/* Adds a file name so that patch(1) reads all of it: a name with special bytes is quoted as in C,
 * and a name with blanks ends in a tab. */
static void add_name(const struct diff_look *look, const char *sign, struct strbuf *out)
{
	struct strbuf line = {NULL, 0, 0};
	bool quoted = !utf8_is_line(span_of(look->name)) || strpbrk(look->name, "\"\\");
	strbuf_addf(&line, "%s %s", sign, quoted ? "\"" : "");
	for (const unsigned char *c = (const unsigned char *)look->name; *c; c++) {
		if (quoted && (*c < 0x20 || *c >= 0x7f))
			strbuf_addf(&line, "\\%03o", *c);
		else
			strbuf_addf(&line, "%s%c", quoted && strchr("\"\\", *c) ? "\\" : "", *c);
	}
	strbuf_addstr(&line, quoted ? "\"" : strchr(look->name, ' ') ? "\t" : "");
	add_colored(look, "\033[1m", strbuf_text(&line), out);
	strbuf_addch(out, '\n');
	strbuf_free(&line);
}

void diff_unified(struct arena *arena, const struct span texts[2], const struct diff_look *look,
		  struct strbuf *out)
{
	struct side sides[2] = {split(arena, texts[0]), split(arena, texts[1])};
	size_t count, end = 0;
	if (span_eq(texts[0], texts[1]))
		return;
	mark_edits(arena, sides);
	const struct row *rows = rows_of(arena, sides, &count);
	add_name(look, "---", out);
	add_name(look, "+++", out);
	for (size_t at = 0; at < count; at = end) {
		while (at < count && rows[at].kind == ' ')
			at++;
		if (at == count)
			break;
		size_t last = at;
		for (size_t i = at; i < count && i <= last + 2 * context_lines + 1; i++)
			last = rows[i].kind == ' ' ? last : i;
		size_t begin = at > end + context_lines ? at - context_lines : end;
		end = last + 1 + context_lines < count ? last + 1 + context_lines : count;
		add_hunk(look, rows + begin, end - begin, out);
	}
}
