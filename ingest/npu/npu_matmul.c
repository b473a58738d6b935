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

/* A line of a group: a time and its deviation in seconds. */
enum { TIME, DEVIATION, WIDTH };

struct reading {
	struct csv csv;
	struct npu_tiling tiling;
	struct row_groups groups;
	size_t rows;
};

/* --- a row --- */

static int size_of(struct reading *r, const char *column, double *size, struct error *err)
{
	if (csv_number(&r->csv, column, size, err) < 0)
		return -1;
	if (*size >= 1 && *size <= size_limit && *size == floor(*size))
		return 0;
	return error_set(err, ERR_FORMAT, "line %zu: %s must be a whole number from 1 to %.0f",
			 r->csv.line, column, size_limit);
}

/* The time in a column in seconds; NAN if the table lacks the column. */
static int seconds_of(struct reading *r, const char *column, double *seconds, struct error *err)
{
	if (csv_number(&r->csv, column, seconds, err) < 0)
		return -1;
	if (!isnan(*seconds) && !(*seconds >= 0 && *seconds <= 1e12))
		return error_set(err, ERR_FORMAT, "line %zu: %s is %g ms, not a valid time",
				 r->csv.line, column, *seconds);
	*seconds /= 1e3;
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

static void set_shape(struct run *run, const struct matmul *matmul)
{
	double count = tiles_count(matmul);
	if (isnan(count))
		return;
	run_set(run, METRIC_TILE_COUNT, count, PROVENANCE_DERIVED);
	run_set(run, METRIC_PADDING_FRACTION, tiles_padding(matmul), PROVENANCE_DERIVED);
	run_set(run, METRIC_ALGORITHMIC_FLOPS, tiles_flops(matmul), PROVENANCE_DERIVED);
}

static void set_work(struct run *run, double flops, double bytes)
{
	if (flops > 0)
		run_set(run, METRIC_ALGORITHMIC_FLOPS, flops, PROVENANCE_REPORTED);
	if (bytes > 0)
		run_set(run, METRIC_ALGORITHMIC_BYTES, bytes, PROVENANCE_REPORTED);
}

/* Adds one time of a row to the rows of the same work: equal sizes and time column. */
static int add_time(struct reading *r, const struct time_column *time, struct error *err)
{
	struct arena *arena = r->csv.arena;
	struct run *run = run_new(arena);
	struct matmul matmul;
	double seconds, deviation, flops, bytes = NAN;
	if (seconds_of(r, time->column, &seconds, err) < 0 ||
	    seconds_of(r, time->deviation, &deviation, err) < 0 ||
	    set_sizes(r, run, &matmul, err) < 0)
		return -1;
	if (!(seconds > 0))
		return error_set(err, ERR_FORMAT,
				 "line %zu: %s is empty or 0: no time was measured", r->csv.line,
				 time->column);
	if (csv_amount(&r->csv, "flops", &flops, err) < 0 ||
	    (time->bytes && csv_amount(&r->csv, time->bytes, &bytes, err) < 0))
		return -1;
	run->kernel = run_param(run, "K2") ? "matmul_chain" : "matmul";
	run->tool = "npu-matmul";
	if (time->variant)
		run->variant = time->variant;
	if (time->scope)
		run_set_param(arena, run, "scope", time->scope);
	struct span work =
		span_of(arena_printf(arena, "%s %s", time->column, run_params_text(arena, run)));
	struct row_group *group = row_groups_find(&r->groups, work, r->csv.line, err);
	if (!group)
		return -1;
	if (group->row_count == 0) {
		group->run = run;
		set_shape(run, &matmul);
		set_work(run, flops, bytes);
		if (csv_text(&r->csv, "total_tiles"))
			run_add_attribute(arena, run, "total_tiles",
					  csv_text(&r->csv, "total_tiles"));
	}
	memcpy(row_groups_add(&r->groups, group), (double[]){seconds, deviation},
	       WIDTH * sizeof seconds);
	return 0;
}

static int add_row(struct reading *r, struct error *err)
{
	if (r->csv.cell_count != r->csv.name_count)
		return error_set(err, ERR_FORMAT,
				 "line %zu: %zu cell%s, but the header has %zu; the file is "
				 "truncated or damaged",
				 r->csv.line, r->csv.cell_count, r->csv.cell_count == 1 ? "" : "s",
				 r->csv.name_count);
	if (r->rows == row_limit)
		return error_set(err, ERR_FORMAT, "line %zu: more than %d rows", r->csv.line,
				 (int)row_limit);
	for (size_t i = 0; i < time_count; i++)
		if (csv_has(&r->csv, times[i].column) && add_time(r, &times[i], err) < 0)
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
	return span_among(name, others, sizeof others / sizeof *others);
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
				return error_set(err, ERR_FORMAT,
						 "line %zu: duplicate column \"%.*s\"", csv->line,
						 (int)csv->names[i].len, csv->names[i].ptr);
	for (size_t i = 0; i < size_count; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(sizes[i].param, sizes[k].param) == 0 &&
			    csv_has(csv, sizes[i].column) && csv_has(csv, sizes[k].column))
				return error_set(err, ERR_FORMAT,
						 "line %zu: both %s and %s define %s", csv->line,
						 sizes[k].column, sizes[i].column, sizes[i].param);
	return 0;
}

static void set_times(const struct reading *r, struct run_list *runs)
{
	for (size_t i = 0; i < r->groups.count; i++) {
		const struct row_group *group = &r->groups.items[i];
		row_groups_set_metric(&r->groups, group, TIME, METRIC_HOST_TIME,
				      PROVENANCE_MEASURED);
		if (group->row_count > 1 || isnan(group->numbers[DEVIATION]))
			continue;
		struct run_spread spread = run_spread_unknown(METRIC_HOST_TIME);
		spread.mean = group->numbers[TIME];
		spread.deviation = group->numbers[DEVIATION];
		run_add_spread(r->csv.arena, group->run, spread);
	}
	row_groups_finish(&r->groups, runs);
}

static int read_matmuls(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	struct span bytes;
	struct reading r = {
		.tiling = npu_tiling_new(),
		.groups = {.arena = arena, .width = WIDTH, .limit = row_limit * time_count}};
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
	if (r.groups.count == 0)
		return error_set(err, ERR_FORMAT, "the table has no rows");
	struct run *first = r.groups.items[0].run;
	npu_tiling_note(&r.tiling, arena, first);
	if (csv_has(&r.csv, "npu_only_ms"))
		run_add_note(arena, first, "rooflog",
			     "npu_only_ms is host wall time including dispatch: stored as "
			     "host_time, not device time");
	set_times(&r, &result->runs);
	return 0;
}

const struct reader npu_matmul_reader = {"npu-matmul-csv", "matmul tables of an NPU profiler",
					 NEEDS_DTYPE | NEEDS_DEVICE, detect, read_matmuls};
