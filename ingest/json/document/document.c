/* Parses JSON with NaN, and makes texts fit for names. */
#include "ingest/json/document/document.h"

#include "base/json/token.h"
#include "base/base.h"
#include "ingest/collect/collect.h"

static const size_t size_limit = 64u << 20;

/* --- reading --- */

static size_t not_a_number_at(struct span text)
{
	for (const struct json_literal *each = json_literals; each->text; each++)
		if (each->value == json_nan && span_starts(text, each->text))
			return strlen(each->text);
	return 0;
}

/* Replaces each NaN or infinity by an empty text and blanks of the same length, so that positions
 * in messages stay correct. */
static void blank_not_numbers(char *bytes, size_t len)
{
	bool quoted = false;
	for (size_t i = 0; i < len; i++) {
		if (quoted && bytes[i] == '\\')
			i++;
		else if (bytes[i] == '"')
			quoted = !quoted;
		if (quoted || i >= len || (bytes[i] != 'N' && bytes[i] != 'I' && bytes[i] != '-'))
			continue;
		size_t word = not_a_number_at((struct span){bytes + i, len - i});
		if (!word)
			continue;
		memset(bytes + i, ' ', word);
		bytes[i] = bytes[i + 1] = '"';
		i += word - 1;
	}
}

static struct json *parse(struct arena *arena, struct span bytes, struct error *err)
{
	char *copy = arena_strndup(arena, bytes.ptr, bytes.len);
	blank_not_numbers(copy, bytes.len);
	return json_parse(arena, (struct span){copy, bytes.len}, err);
}

const struct json *json_document_parse(struct arena *arena, struct span bytes, struct error *err)
{
	return parse(arena, bytes, err);
}

const struct json *json_document_read(struct arena *arena, struct input *input, struct error *err)
{
	struct span bytes;
	return input_read_all(arena, input, size_limit, &bytes, err) < 0
		       ? NULL
		       : json_document_parse(arena, bytes, err);
}

/* Whether the first line is a whole object: those of one document have more lines. */
static bool has_lines(struct span text)
{
	struct span line = span_trim(span_cut(&text, '\n'));
	return line.len > 1 && span_starts(line, "{") && span_ends(line, "}");
}

const struct json *json_document_records(struct arena *arena, struct input *input,
					 struct error *err)
{
	struct json *records = json_array(arena), *one;
	struct span bytes, line;
	size_t number = 0;
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return NULL;
	if (span_starts(bytes, "\xef\xbb\xbf"))
		span_cut(&bytes, '\xbf');
	if (!has_lines(span_trim(bytes))) {
		one = parse(arena, bytes, err);
		if (!one || one->type == JSON_ARRAY)
			return one;
		return json_append(records, one), records;
	}
	while (bytes.len) {
		line = span_trim(span_cut(&bytes, '\n'));
		number++;
		if (line.len == 0)
			continue;
		one = parse(arena, line, err);
		if (!one) {
			error_prefix(err, "line %zu of the file", number);
			return NULL;
		}
		json_append(records, one);
	}
	return records;
}

const struct json *json_document_list(const struct json *object, const char *name)
{
	const struct json *list = json_get(object, name);
	return list && list->type == JSON_ARRAY ? list : NULL;
}

/* --- texts and numbers --- */

const char *json_document_line(struct arena *arena, const char *text, size_t limit)
{
	struct span all = span_trim(span_of(text ? text : ""));
	size_t len = all.len;
	if (len > limit)
		for (len = limit - 3; len && ((unsigned char)all.ptr[len] & 0xc0) == 0x80;)
			len--;
	char *line = arena_printf(arena, "%.*s%s", (int)len, all.ptr ? all.ptr : "",
				  len < all.len ? "..." : "");
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	return line;
}

const char *json_document_name(struct arena *arena, const char *text)
{
	const char *line = json_document_line(arena, text, SIZE_MAX);
	struct strbuf sb = {0};
	if (strlen(line) <= json_line_limit)
		return line;
	strbuf_addstr(&sb, line);
	kernel_name_shorten(&sb, json_line_limit);
	return strbuf_into(&sb, arena);
}

const char *json_document_scalar(struct arena *arena, const struct json *node)
{
	if (!node || node->type == JSON_NULL || node->type == JSON_ARRAY ||
	    node->type == JSON_OBJECT)
		return NULL;
	return json_document_name(arena, json_plain(arena, node));
}

const char *json_document_text(struct arena *arena, const struct json *object, const char *name)
{
	const char *text = json_document_scalar(arena, json_get(object, name));
	return text && *text ? text : NULL;
}

void json_document_attribute(struct arena *arena, struct run *run, const struct json *object,
			     const char *name, const char *key)
{
	const char *text = json_document_text(arena, object, name);
	if (text)
		run_add_attribute(arena, run, key, text);
}

const struct json *json_document_small(const struct json *node)
{
	return node && node->count <= 256 ? node : NULL;
}

double json_document_scale(double number, double scale)
{
	return scale < 1 ? number / round(1 / scale) : number * scale;
}

double json_document_quantity(const struct json *object, const char *name, double scale)
{
	double number = json_document_scale(json_number(object, name, NAN), scale);
	return isfinite(number) && number >= 0 ? number : NAN;
}

/* --- detection and the end --- */

unsigned json_document_marks(struct span head, const struct json_mark *marks)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	unsigned found = 0;
	struct span text = span_trim(peek.rest);
	if (!span_starts(text, "{") && !span_starts(text, "["))
		return 0;
	while (json_peek_next(&peek, &value))
		for (unsigned i = 0; marks[i].name; i++)
			if (value.depth == marks[i].depth && !value.is_item &&
			    (!marks[i].kind || marks[i].kind == value.kind) &&
			    span_is(value.name, marks[i].name))
				found |= 1u << i;
	return peek.end == JSON_PEEK_BROKEN && peek.depth < json_peek_depth && !found ? 0 : found;
}

void json_document_add_run(struct json_runs *runs, struct run *run)
{
	run_list_add(runs->arena, &runs->list, run);
}

void json_document_note(struct json_runs *runs, const char *format, ...)
{
	va_list args;
	if (runs->note.len)
		strbuf_addstr(&runs->note, "; ");
	va_start(args, format);
	strbuf_vaddf(&runs->note, format, args);
	va_end(args);
}

int json_document_finish(struct json_runs *runs, const char *nothing, struct ingest_result *result,
			 struct error *err)
{
	const char *note = runs->note.len ? strbuf_into(&runs->note, runs->arena) : NULL;
	if (runs->list.count == 0)
		return error_set(err, ERR_FORMAT, "%s%s%s", nothing, note ? ": " : "",
				 note ? note : "");
	if (note)
		run_add_note(runs->arena, runs->list.items[0], "rooflog", note);
	run_list_add_all(runs->arena, &result->runs, &runs->list);
	return 0;
}
