/* Reads the footer of a Parquet file from its end, and checks every offset against the file. */
#include "ingest/container/parquet/footer.h"

#include "base/text/text.h"
#include "ingest/container/parquet/thrift.h"

enum { magic_size = 4, column_limit = 4096, name_limit = 256, depth_limit = 16 };
static const uint32_t footer_limit = 32u << 20; /* bytes */
static const uint64_t row_limit = (uint64_t)1 << 28;

struct reading {
	struct arena *arena;
	struct thrift thrift;
	struct parquet_footer *footer;
	size_t column_capacity, group_capacity;
	uint64_t size; /* of the file before the footer */
	const char *fault;
};

/* --- columns --- */

struct element {
	int64_t type, length, repetition, children, converted, scale;
	struct span name;
	bool is_decimal, is_unsigned;
};

enum { REQUIRED = 0, REPEATED = 2 };
enum { CONVERTED_DECIMAL = 5, CONVERTED_UINT_8 = 11, CONVERTED_UINT_64 = 14 };
enum { LOGICAL_DECIMAL = 5, LOGICAL_INTEGER = 10 };

/* A union: one field, whose number is the kind of the value. */
static void read_logical(struct thrift *thrift, struct element *element)
{
	int kind = 0;
	enum thrift_type type;
	while ((type = thrift_field(thrift, &kind)) != THRIFT_STOP) {
		bool wanted = kind == LOGICAL_DECIMAL || kind == LOGICAL_INTEGER;
		if (!wanted || !thrift_struct(thrift, type)) {
			thrift_skip(thrift, type);
			continue;
		}
		element->is_decimal |= kind == LOGICAL_DECIMAL;
		for (int id = 0; (type = thrift_field(thrift, &id)) != THRIFT_STOP;) {
			int64_t value = thrift_integer(thrift, type);
			if (kind == LOGICAL_DECIMAL && id == 1)
				element->scale = value;
			if (kind == LOGICAL_INTEGER && id == 2)
				element->is_unsigned = !value;
		}
	}
}

static struct element read_element(struct thrift *thrift)
{
	struct element element = {.type = -1, .converted = -1};
	enum thrift_type type;
	for (int id = 0; (type = thrift_field(thrift, &id)) != THRIFT_STOP;) {
		int64_t *const numbers[] = {
			[1] = &element.type,       [2] = &element.length,
			[3] = &element.repetition, [5] = &element.children,
			[6] = &element.converted,  [7] = &element.scale,
		};
		if (id == 4)
			element.name = thrift_bytes(thrift, type);
		else if (id == 10 && thrift_struct(thrift, type))
			read_logical(thrift, &element);
		else if (id >= 0 && id < 8 && numbers[id])
			*numbers[id] = thrift_integer(thrift, type);
		else
			thrift_skip(thrift, type);
	}
	element.is_decimal |= element.converted == CONVERTED_DECIMAL;
	element.is_unsigned |=
		element.converted >= CONVERTED_UINT_8 && element.converted <= CONVERTED_UINT_64;
	return element;
}

static void add_column(struct reading *r, const struct element *element, const char *name,
		       int max_definition, int max_repetition)
{
	struct parquet_footer *footer = r->footer;
	if (element->type < 0 || element->type >= PARQUET_TYPE_LIMIT)
		r->fault = "a column of an unknown type";
	else if (element->type == PARQUET_FIXED_BYTES &&
		 (element->length < 1 || element->length > 1 << 20))
		r->fault = "a column of an impossible length";
	else if (element->is_decimal && (element->scale < 0 || element->scale > 38))
		r->fault = "a decimal number of an impossible scale";
	else if (footer->column_count == column_limit)
		r->fault = "more than 4,096 columns";
	if (r->fault)
		return;
	*arena_next(r->arena, footer->columns, footer->column_count, r->column_capacity) =
		(struct parquet_column){
			.name = name,
			.type = (enum parquet_type)element->type,
			.length = (int)element->length,
			.max_definition = max_definition,
			.max_repetition = max_repetition,
			.is_unsigned = element->is_unsigned,
			.scale = element->is_decimal ? (int)element->scale : parquet_no_scale,
		};
}

/* The elements are the tree of columns in the order of a walk; `left` of them are to come. */
static void read_columns(struct reading *r, size_t *left, const char *above, int max_definition,
			 int max_repetition, int depth)
{
	if (*left == 0 || depth == depth_limit)
		r->fault = "a tree of columns without an end";
	if (r->fault)
		return;
	struct element element = read_element(&r->thrift);
	(*left)--;
	if (!utf8_is_line(element.name) || element.name.len > name_limit) {
		r->fault = "a name that is not a line of text";
		return;
	}
	const char *name = depth < 2 ? arena_strndup(r->arena, element.name.ptr, element.name.len)
				     : arena_printf(r->arena, "%s.%.*s", above,
						    (int)element.name.len, element.name.ptr);
	if (depth) {
		max_definition += element.repetition != REQUIRED;
		max_repetition += element.repetition == REPEATED;
	}
	if (element.children <= 0 && depth) {
		add_column(r, &element, name, max_definition, max_repetition);
		return;
	}
	for (int64_t i = 0; i < element.children && !r->fault && !r->thrift.damaged; i++)
		read_columns(r, left, name, max_definition, max_repetition, depth + 1);
}

/* --- groups --- */

struct place {
	int64_t codec, values, size, data, dictionary;
	bool seen;
};

static void read_place(struct thrift *thrift, struct place *place)
{
	enum thrift_type type;
	place->seen = true;
	for (int id = 0; (type = thrift_field(thrift, &id)) != THRIFT_STOP;) {
		int64_t *const numbers[] = {
			[4] = &place->codec, [5] = &place->values,      [7] = &place->size,
			[9] = &place->data,  [11] = &place->dictionary,
		};
		if (id >= 0 && id < 12 && numbers[id])
			*numbers[id] = thrift_integer(thrift, type);
		else
			thrift_skip(thrift, type);
	}
}

static void read_chunk(struct reading *r, struct parquet_chunk *chunk)
{
	struct place place = {.seen = false};
	enum thrift_type type;
	for (int id = 0; (type = thrift_field(&r->thrift, &id)) != THRIFT_STOP;) {
		if (id == 1)
			r->fault = "columns in other files";
		else if (id == 8 || id == 9)
			r->fault = "encrypted columns";
		if (id == 3 && thrift_struct(&r->thrift, type))
			read_place(&r->thrift, &place);
		else
			thrift_skip(&r->thrift, type);
	}
	/* Some writers set the dictionary's offset to 0 if there is none. */
	int64_t at = place.dictionary > 0 && place.dictionary < place.data ? place.dictionary
									   : place.data;
	if (!r->fault && (!place.seen || at < magic_size || place.size < 0 || place.values < 0 ||
			  (uint64_t)at > r->size || (uint64_t)place.size > r->size - (uint64_t)at))
		r->fault = "a column outside of the file";
	*chunk = (struct parquet_chunk){(int)place.codec, (uint64_t)place.values, (uint64_t)at,
					(uint64_t)at + (uint64_t)place.size};
}

static void read_group(struct reading *r)
{
	struct parquet_footer *footer = r->footer;
	struct parquet_group group = {
		.chunks = arena_array(r->arena, footer->column_count, sizeof *group.chunks)};
	enum thrift_type type;
	size_t count = 0;
	for (int id = 0; (type = thrift_field(&r->thrift, &id)) != THRIFT_STOP && !r->fault;) {
		if (id == 1) {
			count = thrift_list(&r->thrift, type, THRIFT_STRUCT);
			for (size_t i = 0; i < count && i < footer->column_count && !r->fault; i++)
				read_chunk(r, &group.chunks[i]);
		} else if (id == 3) {
			group.rows = (uint64_t)thrift_integer(&r->thrift, type);
		} else {
			thrift_skip(&r->thrift, type);
		}
	}
	if (!r->fault && count != footer->column_count)
		r->fault = "a group of rows with other columns";
	for (size_t i = 0; i < footer->column_count && !r->fault; i++)
		if (footer->columns[i].max_repetition == 0 && group.chunks[i].values != group.rows)
			r->fault = "a column with more or fewer values than rows";
	if (!r->fault && (group.rows > row_limit || (footer->rows += group.rows) > row_limit))
		r->fault = "more than 268,435,456 rows";
	*arena_next(r->arena, footer->groups, footer->group_count, r->group_capacity) = group;
}

/* --- the footer --- */

static void read_metadata(struct reading *r)
{
	enum thrift_type type;
	size_t count;
	for (int id = 0; (type = thrift_field(&r->thrift, &id)) != THRIFT_STOP && !r->fault;) {
		/* Groups have room for the columns that were read before them. */
		bool in_order = id == 2 ? !r->footer->column_count : r->footer->column_count;
		if ((id == 2 || id == 4) && !in_order) {
			r->fault = "columns after its groups of rows";
		} else if (id == 2) {
			count = thrift_list(&r->thrift, type, THRIFT_STRUCT);
			read_columns(r, &count, "", 0, 0, 0);
			if (!r->fault && count)
				r->fault = "columns that belong to no group";
		} else if (id == 4) {
			count = thrift_list(&r->thrift, type, THRIFT_STRUCT);
			for (size_t i = 0; i < count && !r->fault && !r->thrift.damaged; i++)
				read_group(r);
		} else {
			thrift_skip(&r->thrift, type);
		}
	}
	if (r->thrift.damaged)
		r->fault = "a damaged footer";
	else if (!r->fault && r->footer->column_count == 0)
		r->fault = "no columns";
}

static int fail_cut(struct error *err)
{
	return error_set(err, ERR_FORMAT,
			 "the Parquet file has no footer: it was cut off, or its writer has not "
			 "finished; copy or write it again");
}

int parquet_footer_read(struct arena *arena, struct random_access *bytes,
			struct parquet_footer *footer, struct error *err)
{
	unsigned char tail[2 * magic_size];
	uint64_t size = random_access_size(bytes);
	if (size < 3 * magic_size)
		return fail_cut(err);
	if (random_access_read(bytes, size - sizeof tail, tail, sizeof tail, err) < 0)
		return -1;
	if (memcmp(tail + magic_size, "PARE", magic_size) == 0)
		return error_set(err, ERR_FORMAT,
				 "the Parquet file is encrypted; write it without encryption");
	if (memcmp(tail + magic_size, "PAR1", magic_size) != 0)
		return fail_cut(err);
	uint32_t length = (uint32_t)tail[0] | (uint32_t)tail[1] << 8 | (uint32_t)tail[2] << 16 |
			  (uint32_t)tail[3] << 24;
	if (length > footer_limit)
		return error_set(err, ERR_FORMAT,
				 "the footer of the Parquet file has %u bytes, more than %u; write "
				 "larger groups of rows",
				 length, footer_limit);
	if (length > size - 3 * magic_size)
		return error_set(err, ERR_FORMAT,
				 "the footer of the Parquet file is damaged: it has %u bytes, and "
				 "the file %" PRIu64,
				 length, size);
	struct reading r = {.arena = arena, .footer = footer, .size = size - sizeof tail - length};
	char *text = memory_buffer(length ? length : 1);
	int rc = random_access_read(bytes, r.size, text, length, err);
	r.thrift.rest = (struct span){text, length};
	if (rc == 0)
		read_metadata(&r);
	free(text);
	if (rc == 0 && r.fault)
		rc = error_set(err, ERR_FORMAT, "the Parquet file has %s", r.fault);
	return rc;
}
