/* Writes row groups as they fill, and at last what they are (the footer). */
#include "db/parquet/columns.h"

#include "base/hash/hash.h"
#include "base/text/text.h"

/* Numbers of the format. */
enum { BOOLEAN = 0, INT64 = 2, DOUBLE = 5, BYTE_ARRAY = 6 }; /* types */
enum { PLAIN = 0, RLE = 3, RLE_DICTIONARY = 8 };             /* encodings */
enum { UTF8 = 0, TIMESTAMP_MILLIS = 9 };                     /* converted types */
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };                 /* pages */
enum {
	COMPACT_I32 = 5,
	COMPACT_I64 = 6,
	COMPACT_BINARY = 8,
	COMPACT_LIST = 9,
	COMPACT_STRUCT = 12
};
enum { GROUP_ROWS = 1 << 16, SLOTS = 4 * GROUP_ROWS };

/* The values of a row group. */
struct values {
	struct strbuf plain; /* those that are not NULL, or of the dictionary */
	uint32_t *there;     /* of each row: 0 is NULL, else 1 */
	uint32_t *index;     /* into the dictionary, of those that are not NULL */
	size_t count, words; /* not NULL; in the dictionary */
	uint32_t *slots;     /* of the dictionary: its index + 1; 0 is free */
	size_t *offsets;     /* of the words in `plain` */
	unsigned char bits;  /* of truths, up to eight */
};

/* Where a column of a row group is. */
struct chunk {
	int64_t dictionary, data, bytes; /* dictionary: -1 if there is none */
};
struct group {
	struct chunk *chunks;
	size_t rows;
};

struct columns {
	const struct column_kind *columns;
	size_t count;
	struct strbuf *out;
	const struct strbuf_drain *drain;
	int64_t drained; /* bytes */
	size_t base;     /* of `out` at the beginning */
	struct values *values;
	size_t row; /* in the group */
	size_t rows;
	struct arena arena;
	struct group *groups;
	size_t group_count, group_capacity;
};

static bool is_text(enum column_type type)
{
	return type == COLUMN_TEXT || type == COLUMN_UNIQUE;
}

/* --- Thrift's compact protocol --- */

static void put_varint(struct strbuf *sb, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		strbuf_addch(sb, (char)(number | 0x80));
	strbuf_addch(sb, (char)number);
}

static void put_zigzag(struct strbuf *sb, int64_t number)
{
	put_varint(sb, ((uint64_t)number << 1) ^ (number < 0 ? UINT64_MAX : 0));
}

/* A struct that is being written: fields are numbered by what they add to the last one. */
struct fields {
	struct strbuf *out;
	int last;
};

static void put_field(struct fields *fields, int number, int type)
{
	assert(number > fields->last && number - fields->last < 16);
	strbuf_addch(fields->out, (char)((number - fields->last) << 4 | type));
	fields->last = number;
}

static void put_integer(struct fields *fields, int number, int type, int64_t value)
{
	put_field(fields, number, type);
	put_zigzag(fields->out, value);
}

static void put_text(struct fields *fields, int number, const char *text)
{
	put_field(fields, number, COMPACT_BINARY);
	put_varint(fields->out, strlen(text));
	strbuf_addstr(fields->out, text);
}

static void put_list(struct fields *fields, int number, int type, size_t count)
{
	put_field(fields, number, COMPACT_LIST);
	strbuf_addch(fields->out, (char)((count < 15 ? count : 15) << 4 | (unsigned)type));
	if (count >= 15)
		put_varint(fields->out, count);
}

static void end_fields(struct fields *fields)
{
	strbuf_addch(fields->out, 0);
}

/* --- encodings --- */

static void put_word(struct strbuf *sb, uint32_t word)
{
	unsigned char bytes[4];
	half_word_put(bytes, word);
	strbuf_add(sb, bytes, sizeof bytes);
}

static size_t same_from(const uint32_t *numbers, size_t at, size_t count)
{
	size_t end = at + 1;
	while (end < count && numbers[end] == numbers[at])
		end++;
	return end - at;
}

static void put_packed(struct strbuf *sb, const uint32_t *numbers, size_t count, unsigned width)
{
	uint64_t bits = 0;
	unsigned filled = 0;
	put_varint(sb, 1 << 1 | 1);
	for (size_t i = 0; i < 8; i++) {
		bits |= (uint64_t)(i < count ? numbers[i] : 0) << filled;
		for (filled += width; filled >= 8; filled -= 8, bits >>= 8)
			strbuf_addch(sb, (char)bits);
	}
}

/* Runs of eight equal numbers or more, else eight packed ones. */
static void put_runs(struct strbuf *sb, const uint32_t *numbers, size_t count, unsigned width)
{
	enum { PACKED = 8 };
	for (size_t at = 0; at < count;) {
		size_t same = same_from(numbers, at, count);
		if (same < PACKED) {
			size_t left = count - at;
			put_packed(sb, numbers + at, left < PACKED ? left : PACKED, width);
			at += left < PACKED ? left : PACKED;
			continue;
		}
		put_varint(sb, (uint64_t)same << 1);
		for (unsigned bit = 0; bit < width; bit += 8)
			strbuf_addch(sb, (char)(numbers[at] >> bit));
		at += same;
	}
}

static unsigned width_of(size_t words)
{
	unsigned width = 1;
	while (((size_t)1 << width) < words)
		width++;
	return width;
}

/* --- values --- */

static void add_bytes(struct strbuf *sb, struct span text)
{
	put_word(sb, (uint32_t)text.len);
	strbuf_addspan(sb, text);
}

static struct span dictionary_word(const struct values *values, size_t index)
{
	const unsigned char *begin =
		(const unsigned char *)values->plain.buf + values->offsets[index];
	return (struct span){(const char *)begin + 4, half_word_at(begin)};
}

/* The index of a text in the dictionary. */
static uint32_t word_of(struct values *values, struct span text)
{
	size_t slot = table_hash_quickly(text) % SLOTS;
	while (values->slots[slot]) {
		if (span_eq(dictionary_word(values, values->slots[slot] - 1), text))
			return values->slots[slot] - 1;
		slot = (slot + 1) % SLOTS;
	}
	values->offsets[values->words] = values->plain.len;
	values->slots[slot] = (uint32_t)++values->words;
	add_bytes(&values->plain, text);
	return (uint32_t)values->words - 1;
}

void columns_set_text(struct columns *file, size_t column, const char *text)
{
	struct values *values = &file->values[column];
	assert(column < file->count && is_text(file->columns[column].type));
	if (!text)
		return;
	values->there[file->row] = 1;
	if (file->columns[column].type == COLUMN_UNIQUE)
		add_bytes(&values->plain, span_of(text));
	else
		values->index[values->count] = word_of(values, span_of(text));
	values->count++;
}

static void add_bits(struct values *values, uint64_t bits)
{
	put_word(&values->plain, (uint32_t)bits);
	put_word(&values->plain, (uint32_t)(bits >> 32));
}

void columns_set_whole(struct columns *file, size_t column, int64_t number)
{
	struct values *values = &file->values[column];
	enum column_type type = file->columns[column].type;
	values->there[file->row] = 1;
	if (type == COLUMN_TRUTH) {
		values->bits |= (unsigned char)((number != 0) << values->count % 8);
		if (values->count % 8 == 7) {
			strbuf_addch(&values->plain, (char)values->bits);
			values->bits = 0;
		}
	} else {
		add_bits(values, (uint64_t)(type == COLUMN_TIME ? number * 1000 : number));
	}
	values->count++;
}

void columns_set_number(struct columns *file, size_t column, double number)
{
	struct values *values = &file->values[column];
	uint64_t bits;
	if (isnan(number))
		return;
	memcpy(&bits, &number, sizeof bits);
	values->there[file->row] = 1;
	add_bits(values, bits);
	values->count++;
}

/* --- pages --- */

static int64_t position(const struct columns *file)
{
	return file->drained + (int64_t)(file->out->len - file->base);
}

static void drain(struct columns *file)
{
	int64_t before = position(file);
	strbuf_drain_long(file->out, file->drain);
	if (file->out->len == 0) {
		file->drained = before;
		file->base = 0;
	}
}

static void put_page(struct columns *file, int type, size_t count, int encoding,
		     const struct strbuf *body)
{
	struct fields page = {file->out, 0}, header = {file->out, 0};
	put_integer(&page, 1, COMPACT_I32, type);
	put_integer(&page, 2, COMPACT_I32, (int64_t)body->len);
	put_integer(&page, 3, COMPACT_I32, (int64_t)body->len);
	put_field(&page, type == DATA_PAGE ? 5 : 7, COMPACT_STRUCT);
	put_integer(&header, 1, COMPACT_I32, (int64_t)count);
	put_integer(&header, 2, COMPACT_I32, encoding);
	if (type == DATA_PAGE) {
		put_integer(&header, 3, COMPACT_I32, RLE);
		put_integer(&header, 4, COMPACT_I32, RLE);
	}
	end_fields(&header);
	end_fields(&page);
	strbuf_addspan(file->out, strbuf_span(body));
}

/* Which values are there, then the values. */
static void put_body(const struct columns *file, const struct values *values, bool has_words,
		     struct strbuf *body)
{
	struct strbuf levels = {0};
	put_runs(&levels, values->there, file->row, 1);
	add_bytes(body, strbuf_span(&levels));
	strbuf_free(&levels);
	if (!has_words) {
		strbuf_addspan(body, strbuf_span(&values->plain));
		return;
	}
	unsigned width = width_of(values->words);
	strbuf_addch(body, (char)width);
	put_runs(body, values->index, values->count, width);
}

static void put_column(struct columns *file, size_t column, struct chunk *chunk)
{
	struct values *values = &file->values[column];
	bool has_words = file->columns[column].type == COLUMN_TEXT;
	struct strbuf body = {0};
	int64_t begin = position(file);
	if (file->columns[column].type == COLUMN_TRUTH && values->count % 8)
		strbuf_addch(&values->plain, (char)values->bits);
	chunk->dictionary = has_words ? begin : -1;
	if (has_words)
		put_page(file, DICTIONARY_PAGE, values->words, PLAIN, &values->plain);
	chunk->data = position(file);
	put_body(file, values, has_words, &body);
	put_page(file, DATA_PAGE, file->row, has_words ? RLE_DICTIONARY : PLAIN, &body);
	chunk->bytes = position(file) - begin;
	strbuf_free(&body);
}

static void clear(struct values *values)
{
	strbuf_reset(&values->plain);
	memset(values->there, 0, GROUP_ROWS * sizeof *values->there);
	if (values->slots && values->words)
		memset(values->slots, 0, SLOTS * sizeof *values->slots);
	values->count = values->words = 0;
	values->bits = 0;
}

static void put_group(struct columns *file)
{
	struct group *group =
		arena_next(&file->arena, file->groups, file->group_count, file->group_capacity);
	*group = (struct group){arena_array(&file->arena, file->count, sizeof *group->chunks),
				file->row};
	for (size_t i = 0; i < file->count; i++) {
		put_column(file, i, &group->chunks[i]);
		clear(&file->values[i]);
		drain(file);
	}
	file->rows += file->row;
	file->row = 0;
}

void columns_end_row(struct columns *file)
{
	if (++file->row == GROUP_ROWS)
		put_group(file);
}

/* --- the footer --- */

static const int types[] = {
	[COLUMN_TEXT] = BYTE_ARRAY, [COLUMN_UNIQUE] = BYTE_ARRAY, [COLUMN_WHOLE] = INT64,
	[COLUMN_TIME] = INT64,      [COLUMN_NUMBER] = DOUBLE,     [COLUMN_TRUTH] = BOOLEAN};

static void put_schema(struct fields *footer, const struct columns *file)
{
	struct fields root = {footer->out, 0};
	put_list(footer, 2, COMPACT_STRUCT, file->count + 1);
	put_text(&root, 4, "rooflog");
	put_integer(&root, 5, COMPACT_I32, (int64_t)file->count);
	end_fields(&root);
	for (size_t i = 0; i < file->count; i++) {
		enum { OPTIONAL = 1 };
		const struct column_kind *column = &file->columns[i];
		struct fields element = {footer->out, 0};
		put_integer(&element, 1, COMPACT_I32, types[column->type]);
		put_integer(&element, 3, COMPACT_I32, OPTIONAL);
		put_text(&element, 4, column->name);
		if (is_text(column->type))
			put_integer(&element, 6, COMPACT_I32, UTF8);
		if (column->type == COLUMN_TIME)
			put_integer(&element, 6, COMPACT_I32, TIMESTAMP_MILLIS);
		end_fields(&element);
	}
}

static void put_chunk(struct strbuf *out, const struct column_kind *column,
		      const struct chunk *chunk, size_t rows, int type)
{
	struct fields outer = {out, 0}, data = {out, 0};
	bool has_words = chunk->dictionary >= 0;
	put_integer(&outer, 2, COMPACT_I64, has_words ? chunk->dictionary : chunk->data);
	put_field(&outer, 3, COMPACT_STRUCT);
	put_integer(&data, 1, COMPACT_I32, type);
	put_list(&data, 2, COMPACT_I32, has_words ? 3 : 2);
	put_zigzag(out, PLAIN);
	put_zigzag(out, RLE);
	if (has_words)
		put_zigzag(out, RLE_DICTIONARY);
	put_list(&data, 3, COMPACT_BINARY, 1);
	put_varint(out, strlen(column->name));
	strbuf_addstr(out, column->name);
	put_integer(&data, 4, COMPACT_I32, 0); /* not compressed */
	put_integer(&data, 5, COMPACT_I64, (int64_t)rows);
	put_integer(&data, 6, COMPACT_I64, chunk->bytes);
	put_integer(&data, 7, COMPACT_I64, chunk->bytes);
	put_integer(&data, 9, COMPACT_I64, chunk->data);
	if (has_words)
		put_integer(&data, 11, COMPACT_I64, chunk->dictionary);
	end_fields(&data);
	end_fields(&outer);
}

static void put_groups(struct fields *footer, const struct columns *file)
{
	put_list(footer, 4, COMPACT_STRUCT, file->group_count);
	for (size_t i = 0; i < file->group_count; i++) {
		const struct group *group = &file->groups[i];
		struct fields fields = {footer->out, 0};
		int64_t bytes = 0;
		put_list(&fields, 1, COMPACT_STRUCT, file->count);
		for (size_t k = 0; k < file->count; k++) {
			bytes += group->chunks[k].bytes;
			put_chunk(footer->out, &file->columns[k], &group->chunks[k], group->rows,
				  types[file->columns[k].type]);
		}
		put_integer(&fields, 2, COMPACT_I64, bytes);
		put_integer(&fields, 3, COMPACT_I64, (int64_t)group->rows);
		end_fields(&fields);
	}
}

struct columns *columns_begin(const struct column_kind *columns, size_t count, struct strbuf *out,
			      const struct strbuf_drain *to)
{
	struct columns *file = memory_allocate(1, sizeof *file);
	*file = (struct columns){.columns = columns, .count = count, .out = out, .drain = to};
	file->base = out->len;
	file->values = memory_allocate(count, sizeof *file->values);
	for (size_t i = 0; i < count; i++) {
		struct values *values = &file->values[i];
		values->there = memory_allocate(GROUP_ROWS, sizeof *values->there);
		if (columns[i].type != COLUMN_TEXT)
			continue;
		values->index = memory_allocate(GROUP_ROWS, sizeof *values->index);
		values->offsets = memory_allocate(GROUP_ROWS, sizeof *values->offsets);
		values->slots = memory_allocate(SLOTS, sizeof *values->slots);
	}
	strbuf_addstr(out, "PAR1");
	return file;
}

size_t columns_end(struct columns *file)
{
	struct fields footer = {file->out, 0};
	if (file->row || file->group_count == 0)
		put_group(file);
	int64_t begin = position(file);
	put_integer(&footer, 1, COMPACT_I32, 1);
	put_schema(&footer, file);
	put_integer(&footer, 3, COMPACT_I64, (int64_t)file->rows);
	put_groups(&footer, file);
	put_text(&footer, 6, "rooflog");
	end_fields(&footer);
	put_word(file->out, (uint32_t)(position(file) - begin));
	strbuf_addstr(file->out, "PAR1");
	size_t rows = file->rows;
	columns_abandon(file);
	return rows;
}

void columns_abandon(struct columns *file)
{
	for (size_t i = 0; i < file->count; i++) {
		strbuf_free(&file->values[i].plain);
		free(file->values[i].there);
		free(file->values[i].index);
		free(file->values[i].offsets);
		free(file->values[i].slots);
	}
	free(file->values);
	arena_free(&file->arena);
	free(file);
}
