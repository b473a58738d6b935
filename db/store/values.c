/* Reads single numbers of runs. */

#include "db/store/store.h"
#include "db/store/internal.h"

/* A number as programs before schema version 4 wrote it: in a row of its own. */
static int read_row_of_number(struct store *store, int64_t run, int64_t key, double *value,
			      struct error *err)
{
	struct query query = query_start(store->sql, "number/value_of_run");
	query_bind_integer(&query, run);
	query_bind_integer(&query, key);
	*value = query_next(&query) ? query_number(&query) : NAN;
	return query_finish(&query, err);
}

int store_number_read(struct store *store, int64_t run, int64_t key, double *value,
		      struct error *err)
{
	struct query query = query_start(store->sql, "number/of_run");
	struct packed_number number;
	struct packed packed;
	query_bind_integer(&query, run);
	bool is_packed = query_next(&query);
	*value = NAN;
	if (is_packed && store_packed_read(&query, &packed, err) < 0)
		return query_abandon(&query);
	while (is_packed && isnan(*value) && store_packed_next(&packed, &number))
		if (number.key == key)
			*value = number.number;
	if (query_finish(&query, err) < 0)
		return -1;
	return is_packed ? 0 : read_row_of_number(store, run, key, value, err);
}

static int read_values(struct store *store, const struct history *history, enum metric metric,
		       size_t first, double *values, struct error *err)
{
	struct query query = query_start(store->sql, "number/metric_find");
	int64_t key = -1;
	assert(first <= history->run_count);
	query_bind_text(&query, metric_info(metric)->key);
	if (query_find(&query, &key, err) < 0)
		return -1;
	for (size_t i = first; i < history->run_count; i++) {
		values[i - first] = NAN;
		if (key >= 0 && store_number_read(store, history->runs[i].row, key,
						  &values[i - first], err) < 0)
			return -1;
	}
	return 0;
}

/* One transaction, because beginning one per number would cost more than reading the number. */
int store_history_values(struct store *store, const struct history *history, enum metric metric,
			 size_t first, double *values, struct error *err)
{
	if (store_reading_begin(store, err) < 0)
		return -1;
	int failed = read_values(store, history, metric, first, values, err);
	store_reading_end(store);
	return failed;
}
