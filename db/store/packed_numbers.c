/* Converts numbers to little-endian bytes and back, and reads single numbers of runs. */

#include "base/text/text.h"
#include "db/store/internal.h"

void store_packed_write(unsigned char bytes[PACKED_BYTES], const struct packed_number *number)
{
	uint64_t bits;
	assert(number->key > 0 && number->key < PACKED_KEYS);
	assert(number->provenance >= 0 && number->provenance <= UINT8_MAX);
	memcpy(&bits, &number->number, sizeof bits);
	bytes[0] = (unsigned char)number->key;
	bytes[1] = (unsigned char)(number->key >> 8);
	bytes[2] = (unsigned char)number->provenance;
	word_put(bytes + 3, bits);
}

int store_packed_read(struct query *query, struct packed *packed, struct error *err)
{
	struct seal own = {0}, *outer = query->seal;
	query->seal = &own;
	query_integer(query); /* rowid of the run */
	packed->bytes = query_bytes(query, &packed->len);
	if (outer) { /* a run's seal has its numbers, and names the run */
		query->at++;
		query->seal = outer;
		seal_add_bytes(outer, false, packed->bytes, packed->len);
	} else {
		query_check_seal(query);
	}
	if (packed->len % PACKED_BYTES == 0)
		return 0;
	return error_set(err, ERR_STORE,
			 "%s: the store is damaged: the numbers of a run are %zu bytes long",
			 sql_path(query->sql), packed->len);
}

bool store_packed_next(struct packed *packed, struct packed_number *number)
{
	assert(packed->len % PACKED_BYTES == 0);
	if (packed->len == 0)
		return false;
	const unsigned char *bytes = packed->bytes;
	uint64_t bits = word_at(bytes + 3);
	number->key = bytes[0] | bytes[1] << 8;
	number->provenance = bytes[2];
	memcpy(&number->number, &bits, sizeof bits);
	packed->bytes += PACKED_BYTES;
	packed->len -= PACKED_BYTES;
	return true;
}

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

int store_numbers_read(struct store *store, int64_t run, const struct wanted_keys *wanted,
		       double *values, struct error *err)
{
	struct query query = query_start(store->sql, "number/of_run");
	struct packed_number number;
	struct packed packed;
	int failed = 0;
	query_bind_integer(&query, run);
	bool is_packed = query_next(&query);
	for (size_t i = 0; i < wanted->count; i++)
		values[i] = NAN;
	if (is_packed && store_packed_read(&query, &packed, err) < 0)
		return query_abandon(&query);
	while (is_packed && store_packed_next(&packed, &number))
		for (size_t i = 0; i < wanted->count; i++)
			if (number.key == wanted->keys[i] && isnan(values[i]))
				values[i] = number.number;
	if (query_finish(&query, err) < 0)
		return -1;
	for (size_t i = 0; !is_packed && !failed && i < wanted->count; i++)
		failed = read_row_of_number(store, run, wanted->keys[i], &values[i], err);
	return failed;
}

int store_number_read(struct store *store, int64_t run, int64_t key, double *value,
		      struct error *err)
{
	const struct wanted_keys one = {&key, 1};
	return store_numbers_read(store, run, &one, value, err);
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
		if (!metric_in_bounds(metric, values[i - first]))
			values[i - first] = NAN;
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

static int read_run(struct store *store, int64_t row, const struct metric_list *metrics,
		    double *values, struct error *err)
{
	struct metric_keys keys;
	int64_t rows[METRIC_COUNT];
	const struct wanted_keys wanted = {rows, metrics->count};
	assert(metrics->count <= METRIC_COUNT);
	if (store_metric_keys_read(store, &keys, err) < 0)
		return -1;
	for (size_t i = 0; i < metrics->count; i++)
		rows[i] = store_key_of_metric(&keys, metrics->items[i]);
	if (store_numbers_read(store, row, &wanted, values, err) < 0)
		return -1;
	for (size_t i = 0; i < metrics->count; i++)
		if (!metric_in_bounds(metrics->items[i], values[i]))
			values[i] = NAN;
	return 0;
}

int store_run_values(struct store *store, int64_t row, const struct metric_list *metrics,
		     double *values, struct error *err)
{
	if (store_reading_begin(store, err) < 0)
		return -1;
	int failed = read_run(store, row, metrics, values, err);
	store_reading_end(store);
	return failed;
}
