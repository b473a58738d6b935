/*
 * Compares the objects of a file with those that the migrations make. A view in the place of a
 * table, a trigger, a table without its constraints: whatever is not exactly as this program makes
 * it changes what every statement means, so such a file is refused.
 *
 * The newest version is recognised by a checksum of its objects. Otherwise the migrations run in
 * memory, and the first object that differs is named.
 */
#include "db/sqlite/migrate.h"
#include "db/sqlite/seal.h"

/* The checksum of the newest version's objects; unit/check_store_schema computes it again. */
static const int64_t newest_seal = -7437451177418919054;

/* SQLite's own tables: PRAGMA optimize makes them in any version. */
static const struct {
	const char *name, *sql;
} own_tables[] = {
	{"sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"},
	{"sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"},
};

struct object {
	const char *type, *name, *table;
	const char *sql; /* "" for indexes that belong to a constraint */
};

struct objects {
	struct object *items;
	size_t count, capacity;
};

static bool is_own_table(const struct object *object)
{
	for (size_t i = 0; i < sizeof own_tables / sizeof *own_tables; i++)
		if (strcmp(object->type, "table") == 0 &&
		    strcmp(object->name, own_tables[i].name) == 0 &&
		    strcmp(object->table, own_tables[i].name) == 0 &&
		    strcmp(object->sql, own_tables[i].sql) == 0)
			return true;
	return false;
}

static int read_objects(struct sql *sql, struct arena *arena, struct objects *objects,
			struct error *err)
{
	struct query query = query_start(sql, "store/schema");
	while (query_next(&query)) {
		struct object object = {.type = query_required_text(&query, arena),
					.name = query_required_text(&query, arena),
					.table = query_required_text(&query, arena),
					.sql = query_text(&query, arena)};
		if (!object.sql)
			object.sql = "";
		if (!is_own_table(&object))
			*arena_next(arena, objects->items, objects->count, objects->capacity) =
				object;
	}
	return query_finish(&query, err);
}

static void add_text(struct seal *seal, const char *text)
{
	seal_add_bytes(seal, true, text, strlen(text));
}

static int64_t seal_of(const struct objects *objects)
{
	struct seal seal = {0};
	for (size_t i = 0; i < objects->count; i++) {
		add_text(&seal, objects->items[i].type);
		add_text(&seal, objects->items[i].name);
		add_text(&seal, objects->items[i].table);
		add_text(&seal, objects->items[i].sql);
	}
	return seal_value(&seal);
}

/* The order of the statement: by type, then by name. */
static int compare_places(const struct object *a, const struct object *b)
{
	int order = strcmp(a->type, b->type);
	return order ? order : strcmp(a->name, b->name);
}

static int refuse(struct sql *sql, const char *what, const struct object *object, struct error *err)
{
	return error_set(err, ERR_STORE,
			 "%s: the store is damaged or was changed by another program: the %s %s "
			 "%s; restore it from a copy, or copy what is left into a new store",
			 sql_path(sql), object->type, object->name, what);
}

/* Names the first object that differs. */
static int compare_objects(struct sql *sql, const struct objects *found,
			   const struct objects *expected, struct error *err)
{
	for (size_t i = 0; i < found->count || i < expected->count; i++) {
		const struct object *is = i < found->count ? &found->items[i] : NULL;
		const struct object *must = i < expected->count ? &expected->items[i] : NULL;
		assert(is || must);
		int order = !is ? 1 : !must ? -1 : compare_places(is, must);
		if (order < 0)
			return refuse(sql, "is not part of it", is, err);
		if (order > 0)
			return refuse(sql, "is missing", must, err);
		if (strcmp(is->table, must->table) != 0 || strcmp(is->sql, must->sql) != 0)
			return refuse(sql, "is not defined as rooflog defines it", is, err);
	}
	return 0;
}

static int read_expected(int version, struct arena *arena, struct objects *expected,
			 struct error *err)
{
	struct sql *memory;
	if (sql_open("the program's own schema", SQL_MEMORY, &memory, err) < 0)
		return -1;
	int failed = schema_run(memory, 0, version, err) < 0 ||
		     read_objects(memory, arena, expected, err) < 0;
	sql_close(memory);
	return failed ? -1 : 0;
}

static int compare(struct sql *sql, int version, struct arena *arena, struct error *err)
{
	struct objects found = {0}, expected = {0};
	if (read_objects(sql, arena, &found, err) < 0)
		return -1;
	if (version == schema_version() && seal_of(&found) == newest_seal)
		return 0;
	if (read_expected(version, arena, &expected, err) < 0)
		return -1;
	return compare_objects(sql, &found, &expected, err);
}

int schema_compare(struct sql *sql, int version, struct error *err)
{
	struct arena arena = {0};
	int failed = compare(sql, version, &arena, err);
	arena_free(&arena);
	return failed;
}

int schema_seal(struct sql *sql, int64_t *known, int64_t *computed, struct error *err)
{
	struct arena arena = {0};
	struct objects found = {0};
	int failed = read_objects(sql, &arena, &found, err);
	*known = newest_seal;
	*computed = seal_of(&found);
	arena_free(&arena);
	return failed;
}
