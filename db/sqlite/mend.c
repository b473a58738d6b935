/* Bits flip alone, in memory and on disks, and the seal of a row says which one it was: all are
 * tried. A row of 100 bytes takes microseconds; that a seal of 64 bits fits by chance is out of the
 * question.
 */
#include "db/sqlite/sqlite.h"

#include "base/system/library_sqlite.h"

/* The longest row takes 30 ms. */
enum { MOST_BYTES = 4096 };

static struct sql_cell copy_cell(const struct query *query, int column, struct arena *arena)
{
	struct sqlite3_stmt *statement = query->statement;
	struct sql_cell cell = {.type = sqlite3_column_type(statement, column)};
	double number;
	switch (cell.type) {
	case SQLITE_INTEGER:
		cell.integer = sqlite3_column_int64(statement, column);
		break;
	case SQLITE_FLOAT:
		number = sqlite3_column_double(statement, column);
		memcpy(&cell.integer, &number, sizeof number);
		break;
	case SQLITE_TEXT:
	case SQLITE_BLOB: {
		const void *bytes = cell.type == SQLITE_TEXT
					    ? (const void *)sqlite3_column_text(statement, column)
					    : sqlite3_column_blob(statement, column);
		cell.len = (size_t)sqlite3_column_bytes(statement, column);
		cell.text = arena_alloc(arena, cell.len + 1);
		if (cell.len && bytes)
			memcpy(cell.text, bytes, cell.len);
		cell.text[cell.len] = '\0';
		break;
	}
	default:
		break;
	}
	return cell;
}

struct sql_row sql_row_copy(const struct query *query, struct arena *arena)
{
	int count = sqlite3_column_count(query->statement);
	struct sql_row row = {arena_array(arena, (size_t)count, sizeof *row.cells), (size_t)count};
	for (int i = 0; i < count; i++)
		row.cells[i] = copy_cell(query, i, arena);
	return row;
}

struct sql_row sql_row_again(const struct sql_row *row, struct arena *arena)
{
	struct sql_row again = {arena_array(arena, row->count, sizeof *again.cells), row->count};
	for (size_t i = 0; i < row->count; i++) {
		struct sql_cell *cell = &again.cells[i];
		*cell = row->cells[i];
		if (cell->text)
			cell->text = (unsigned char *)arena_strndup(arena, (const char *)cell->text,
								    cell->len);
	}
	return again;
}

int64_t sql_row_seal(const struct sql_row *row)
{
	struct seal seal = {0};
	for (size_t i = 0; i + 1 < row->count; i++) {
		const struct sql_cell *cell = &row->cells[i];
		double number;
		memcpy(&number, &cell->integer, sizeof number);
		if (cell->type == SQLITE_INTEGER)
			seal_add_integer(&seal, cell->integer);
		else if (cell->type == SQLITE_FLOAT)
			seal_add_number(&seal, number);
		else if (cell->type == SQLITE_NULL)
			seal_add_null(&seal);
		else
			seal_add_bytes(&seal, cell->type == SQLITE_TEXT, cell->text, cell->len);
	}
	return seal_value(&seal);
}

static bool fits(const struct sql_row *row)
{
	const struct sql_cell *seal = &row->cells[row->count - 1];
	return seal->type == SQLITE_INTEGER && seal->integer == sql_row_seal(row);
}

/* SQLite stores an integer in 1, 2, 3, 4, 6 or 8 bytes: in a shorter one, the highest bit is all
 * the bits above it, too. */
static bool mend_integer(const struct sql_row *row, struct sql_cell *cell)
{
	static const int widths[] = {8, 16, 24, 32, 48};
	uint64_t stored = (uint64_t)cell->integer;
	for (int bit = 0; bit < 64; bit++) {
		cell->integer = (int64_t)(stored ^ (uint64_t)1 << bit);
		if (fits(row))
			return true;
	}
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		cell->integer = (int64_t)(stored ^ UINT64_MAX << (widths[i] - 1));
		if (fits(row))
			return true;
	}
	cell->integer = (int64_t)stored;
	return false;
}

static bool mend_bytes(const struct sql_row *row, struct sql_cell *cell)
{
	for (size_t i = 0; i < cell->len * 8; i++) {
		unsigned char bit = (unsigned char)(1 << i % 8);
		cell->text[i / 8] ^= bit;
		if (fits(row))
			return true;
		cell->text[i / 8] ^= bit;
	}
	return false;
}

bool sql_row_mend(struct sql_row *row)
{
	size_t bytes = 0;
	for (size_t i = 0; i < row->count; i++)
		bytes += row->cells[i].len;
	if (bytes > MOST_BYTES)
		return false;
	for (size_t i = 0; i < row->count; i++) {
		struct sql_cell *cell = &row->cells[i];
		if (cell->type == SQLITE_INTEGER ? mend_integer(row, cell) : mend_bytes(row, cell))
			return true;
	}
	return false;
}

static void bind_bytes(struct query *query, const struct sql_cell *cell)
{
	const char *text = (const char *)cell->text;
	query->at++;
	if (query->status != SQLITE_OK)
		return;
	query->status = cell->type == SQLITE_TEXT
				? sqlite3_bind_text64(query->statement, query->at, text, cell->len,
						      SQLITE_STATIC, SQLITE_UTF8)
				: sqlite3_bind_blob64(query->statement, query->at, text, cell->len,
						      SQLITE_STATIC);
}

void sql_row_bind(struct query *query, const struct sql_row *row)
{
	for (size_t i = 0; i < row->count; i++) {
		const struct sql_cell *cell = &row->cells[i];
		double number;
		memcpy(&number, &cell->integer, sizeof number);
		if (cell->type == SQLITE_INTEGER)
			query_bind_integer(query, cell->integer);
		else if (cell->type == SQLITE_FLOAT)
			query_bind_number(query, number);
		else if (cell->type == SQLITE_NULL)
			query_bind_text(query, NULL);
		else
			bind_bytes(query, cell);
	}
}
