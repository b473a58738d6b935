/* Checks the table `history`, which is derived from the runs, and rebuilds it if it is damaged. */
#include "db/store/history_table.h"
#include "db/store/store.h"

/* Damage: a row with an invalid length or series, or a commit with covered runs but without a row.
 */
static int find_damage(struct store *store, int64_t newest, bool *damaged, struct error *err)
{
	int64_t gone = 0;
	struct series_extent extent = {0};
	if (store_series_extent_read(store, &extent, err) < 0)
		return -1;
	struct query query = query_start(store->sql, "history/rows");
	while (query_next(&query)) {
		*damaged |= !store_history_row_is_whole(&query, extent.last_series);
	}
	if (query_finish(&query, err) < 0)
		return -1;
	query = query_start(store->sql, "history/gone");
	query_bind_integer(&query, newest);
	if (query_find(&query, &gone, err) < 0)
		return -1;
	*damaged |= gone != 0;
	return 0;
}

/* Empties a damaged table; store_scope_end() fills it again. */
static int repair(struct store *store, bool *repaired, struct error *err)
{
	struct history_source source;
	struct arena scratch = {0};
	int failed = store_history_source_read(store, &scratch, &source, err);
	arena_free(&scratch);
	if (failed || find_damage(store, source.looked_at, repaired, err) < 0)
		return -1;
	if (!*repaired)
		return 0;
	return store_history_clear(store, err);
}

int store_repair(struct store *store, bool *repaired, struct error *err)
{
	bool done = false;
	if (store_scope_begin(store, err) < 0 ||
	    store_scope_end(store, repair(store, &done, err) < 0, err) < 0)
		return -1;
	*repaired = done;
	return 0;
}
