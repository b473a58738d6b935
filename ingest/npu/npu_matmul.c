/*
 * Tables of a matmul profiler for Neuron devices, one row per shape. Sizes are M, K, N, or the
 * actual size and the bucket to which it was padded. Times are means over repeated calls in ms. All
 * times are wall times of the host around the call, even npu_only_ms: each of them includes 0.27 ms
 * of dispatch.
 */

#include "ingest/reader.h"
#include "ingest/table/tables.h"
#include "ingest/npu/npu_tiling.h"
#include "model/sizing/sizing.h"

static const size_t byte_limit = 16u << 20;
enum { row_limit = 20000 };
static const double size_limit = 2147483647;

/* Columns with sizes, and the parameters that they become. The device computes on a bucket, of
 * which the actual size is a part. */
static const struct {
	const char *column, *param;
} sizes[] = {
	{"M", "M"},
	{"K", "K"},
	{"N", "N"},
	{"K1", "K1"},
	{"K2", "K2"},
	{"bucket_N", "N"},
	{"actual_N", "actual_N"},
	{"M_bucket", "M"},
	{"K_bucket", "K"},
	{"N_bucket", "N"},
	{"M_actual", "actual_M"},
	{"K_actual", "actual_K"},
	{"N_actual", "actual_N"},
	{"seq_len_bucket", "K"},
	{"seq_len_actual", "actual_K"},
	{"batch_seq_bucket", "M"},
	{"batch_seq_actual", "actual_M"},
	{"hidden_dim", "K"},
	{"intermediate_dim", "N"},
};
enum { size_count = sizeof sizes / sizeof *sizes };

/* Columns with times; each gives a run of its own. The scope distinguishes calls whose data is
 * already on the device from those that include padding and transfer. */
static const struct time_column {
	const char *column, *deviation, *bytes;
	const char *variant, *scope; /* or NULL */
} times[] = {
	{"latency_ms", "latency_std", NULL, NULL, NULL},
	{"npu_only_ms", "npu_only_std", NULL, NULL, "npu_only"},
	{"e2e_ms", "e2e_std", NULL, NULL, "e2e"},
	{"e2e_total_ms", "e2e_total_std", NULL, NULL, "e2e"},
	{"fused_ms", "fused_std", "bytes_fused", "fused", NULL},
	{"separate_ms", "separate_std", "bytes_separate", "separate", NULL},
};
enum { time_count = sizeof times / sizeof *times };

/* The other columns: computed from those above, or not times of the matmul. */
static const char *const others[] = {
	"flops",
	"tflops",
	"cycles",
	"latency_per_cycle",
	"num_tiles_M",
	"num_tiles_K",
	"num_tiles_N",
	"total_tiles",
	"padding_size",
	"padding_pct",
	"padding_ratio",
	"padding_M",
	"padding_K",
	"padding_N",
	"padding_only_ms",
	"padding_only_std",
	"transfer_only_ms",
	"transfer_only_std",
	"e2e_overhead_ms",
	"overhead_ms",
	"overhead_pct",
	"intermediate_size",
	"intermediate_bytes",
	"ai_fused",
	"ai_separate",
	"difference_ms",
	"fusion_effective",
};

/* A measurement, that is one time in one row. */
struct entry {
	const struct time_column *time;
	const char *work; /* sizes and time column: equal for repeats */
	size_t row;
	double seconds;
	struct run *run;
};

struct reading {
	struct csv csv;
	struct npu_tiling tiling;
	struct entry *entries;
	size_t count, capacity;
	size_t rows;
};

/* --- a row --- */

static int size_of(struct reading *r, const char *column, double *size, struct error *err)
{
	if (csv_number(&r->csv, column, size, err) < 0)
		return -1;
	if (*size >= 1 && *size <= size_limit && *size == floor(*size))
		return 0;
	return error_set(err, ERR_FORMAT, "line %zu: %s is no size: a whole number from 1 to %.0f",
			 r->csv.line, column, size_limit);
}

/* The time in a column in seconds; NAN if the table lacks the column. */
static int seconds_of(struct reading *r, const char *column, double *seconds, struct error *err)
{
	if (csv_number(&r->csv, column, seconds, err) < 0)
		return -1;
	if (!isnan(*seconds) && !(*seconds >= 0 && *seconds <= 1e12))
		return error_set(err, ERR_FORMAT, "line %zu: %s is %g ms, which is no time",
				 r->csv.line, column, *seconds);
	*seconds /= 1e3;
	return 0;
}

static int give_reported(struct reading *r, struct run *run, const char *column, enum metric metric,
			 struct error *err)
{
	double number;
	if (!column || !csv_has(&r->csv, column))
		return 0;
	if (csv_number(&r->csv, column, &number, err) < 0)
		return -1;
	if (number < 0)
		return error_set(err, ERR_FORMAT, "line %zu: %s is negative", r->csv.line, column);
	if (number > 0)
		run_give(run, metric, number, PROVENANCE_REPORTED);
	return 0;
}

static int set_sizes(struct reading *r, struct run *run, struct matmul *matmul, struct error *err)
{
	*matmul = (struct matmul){NAN, NAN, NAN};
	for (size_t i = 0; i < size_count; i++) {
		double size, *known[] = {&matmul->m, &matmul->k, &matmul->n};
		if (!csv_has(&r->csv, sizes[i].column))
			continue;
		if (size_of(r, sizes[i].column, &size, err) < 0)
			return -1;
		run_set_param(r->csv.arena, run, sizes[i].param,
			      arena_printf(r->csv.arena, "%.0f", size));
		for (size_t d = 0; d < 3; d++)
			if (strlen(sizes[i].param) == 1 && sizes[i].param[0] == "MKN"[d])
				*known[d] = size;
	}
	return 0;
}

static void give_shape(struct run *run, const struct matmul *matmul)
{
	double count = tiles_count(matmul);
	if (isnan(count))
		return;
	run_give(run, METRIC_TILE_COUNT, count, PROVENANCE_DERIVED);
	run_give(run, METRIC_PADDING_FRACTION, tiles_padding(matmul), PROVENANCE_DERIVED);
	run_give(run, METRIC_ALGORITHMIC_FLOPS, tiles_flops(matmul), PROVENANCE_DERIVED);
}

static int add_entry(struct reading *r, const struct time_column *time, struct error *err)
{
	struct arena *arena = r->csv.arena;
	struct run *run = run_new(arena);
	struct matmul matmul;
	double seconds, deviation;
	if (seconds_of(r, time->column, &seconds, err) < 0 ||
	    seconds_of(r, time->deviation, &deviation, err) < 0 ||
	    set_sizes(r, run, &matmul, err) < 0)
		return -1;
	if (!(seconds > 0))
		return error_set(err, ERR_FORMAT, "line %zu: %s is empty or 0: nothing was timed",
				 r->csv.line, time->column);
	give_shape(run, &matmul);
	if (give_reported(r, run, "flops", METRIC_ALGORITHMIC_FLOPS, err) < 0 ||
	    give_reported(r, run, time->bytes, METRIC_ALGORITHMIC_BYTES, err) < 0)
		return -1;
	run->kernel = run_param(run, "K2") ? "matmul_chain" : "matmul";
	run->tool = "npu-matmul";
	if (time->variant)
		run->variant = time->variant;
	if (time->scope)
		run_set_param(arena, run, "scope", time->scope);
	if (csv_text(&r->csv, "total_tiles"))
		run_add_attribute(arena, run, "total_tiles", csv_text(&r->csv, "total_tiles"));
	run_give(run, METRIC_HOST_TIME, seconds, PROVENANCE_MEASURED);
	if (!isnan(deviation))
		run_add_spread(arena, run,
			       (struct run_spread){.metric = METRIC_HOST_TIME,
						   .count = NAN,
						   .minimum = NAN,
						   .median = NAN,
						   .mean = seconds,
						   .maximum = NAN,
						   .deviation = deviation});
	r->entries = arena_grow(arena, r->entries, r->count, &r->capacity, sizeof *r->entries);
	r->entries[r->count++] = (struct entry){
		time, arena_printf(arena, "%s %s", time->column, run_params_text(arena, run)),
		r->rows, seconds, run};
	return 0;
}

static int add_row(struct reading *r, struct error *err)
{
	if (r->csv.cell_count != r->csv.name_count)
		return error_set(err, ERR_FORMAT,
				 "line %zu: %zu cells in a table of %zu columns: the file is cut "
				 "off or damaged",
				 r->csv.line, r->csv.cell_count, r->csv.name_count);
	if (r->rows == row_limit)
		return error_set(err, ERR_FORMAT, "line %zu: there are more than %d rows",
				 r->csv.line, (int)row_limit);
	for (size_t i = 0; i < time_count; i++)
		if (csv_has(&r->csv, times[i].column) && add_entry(r, &times[i], err) < 0)
			return -1;
	r->rows++;
	return npu_tiling_add(&r->tiling, &r->csv, err);
}

/* --- the table --- */

static bool is_known(struct span name, bool *is_size, bool *is_time)
{
	for (size_t i = 0; i < size_count; i++)
		if (span_is(name, sizes[i].column))
			return *is_size = true;
	for (size_t i = 0; i < time_count; i++) {
		if (span_is(name, times[i].column))
			return *is_time = true;
		if (span_is(name, times[i].deviation) ||
		    (times[i].bytes && span_is(name, times[i].bytes)))
			return true;
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (span_is(name, others[i]))
			return true;
	return false;
}

/* Whether all columns are known, and a size and a time are among them. */
static bool detect(struct span head)
{
	struct arena arena = {0};
	struct error ignored;
	bool is_size = false, is_time = false, known = true;
	struct csv csv = csv_of(&arena, head, ',');
	known = csv_header(&csv, &ignored) > 0;
	for (size_t i = 0; known && i < csv.name_count; i++)
		known = is_known(csv.names[i], &is_size, &is_time);
	arena_free(&arena);
	return known && is_size && is_time;
}

static int check_header(const struct csv *csv, struct error *err)
{
	for (size_t i = 0; i < csv->name_count; i++)
		for (size_t k = 0; k < i; k++)
			if (span_eq(csv->names[i], csv->names[k]))
				return error_set(err, ERR_FORMAT, "line %zu: two columns \"%.*s\"",
						 csv->line, (int)csv->names[i].len,
						 csv->names[i].ptr);
	for (size_t i = 0; i < size_count; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(sizes[i].param, sizes[k].param) == 0 &&
			    csv_has(csv, sizes[i].column) && csv_has(csv, sizes[k].column))
				return error_set(err, ERR_FORMAT,
						 "line %zu: both %s and %s say what %s is",
						 csv->line, sizes[k].column, sizes[i].column,
						 sizes[i].param);
	return 0;
}

static int by_work(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->work, y->work);
	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int by_row(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

/* Merges runs with the same work: their times become samples of the first one. */
static void merge_repeats(struct reading *r)
{
	struct arena *arena = r->csv.arena;
	size_t kept = 0;
	qsort(r->entries, r->count, sizeof *r->entries, by_work);
	for (size_t i = 0, next; i < r->count; i = next) {
		struct entry first = r->entries[i];
		for (next = i + 1; next < r->count; next++)
			if (strcmp(r->entries[next].work, first.work) != 0)
				break;
		r->entries[kept] = first;
		if (next - i > 1) {
			double *numbers = arena_array(arena, next - i, sizeof *numbers);
			numbers[0] = first.seconds;
			for (size_t k = i + 1; k < next; k++)
				numbers[k - i] = r->entries[k].seconds;
			first.run->spread_count = 0;
			run_give_samples(arena, first.run, METRIC_HOST_TIME, numbers, next - i,
					 PROVENANCE_MEASURED);
		}
		kept++;
	}
	r->count = kept;
	qsort(r->entries, r->count, sizeof *r->entries, by_row);
}

static int read_matmuls(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	struct span bytes;
	struct reading r = {.tiling = npu_tiling_new()};
	int rc;
	if (input_read_all(arena, input, byte_limit, &bytes, err) < 0)
		return -1;
	r.csv = csv_of(arena, bytes, ',');
	if (csv_header(&r.csv, err) < 0 || check_header(&r.csv, err) < 0)
		return -1;
	while ((rc = csv_next(&r.csv, err)) > 0)
		if (add_row(&r, err) < 0)
			return -1;
	if (rc < 0)
		return -1;
	if (r.count == 0)
		return error_set(err, ERR_FORMAT, "the table has a header and no row");
	merge_repeats(&r);
	npu_tiling_note(&r.tiling, arena, r.entries[0].run);
	if (csv_has(&r.csv, "npu_only_ms"))
		run_add_note(
			arena, r.entries[0].run, "rooflog",
			"npu_only_ms is wall time of the host around calls on data that lies on "
			"the "
			"device, dispatch included: it is host_time and no time of the device");
	for (size_t i = 0; i < r.count; i++)
		run_list_add(arena, &result->runs, r.entries[i].run);
	return 0;
}

const struct reader npu_matmul_reader = {"npu-matmul-csv", "matmul tables of an NPU profiler",
					 NEEDS_DTYPE | NEEDS_DEVICE, detect, read_matmuls};
