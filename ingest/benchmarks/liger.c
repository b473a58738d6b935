/*
 * Reader of the benchmark data of Liger-Kernel (all_benchmark_data.csv): speed in ms and peak
 * memory in MB of 2^20 bytes, as its scripts compute them. Speed and memory of the same work are
 * one run.
 *
 *   kernel_name                  kernel
 *   kernel_provider              variant
 *   y_value_50 of speed, ms      total_time, measured; of memory, MB: device_memory_bytes
 *   y_value_20, y_value_80       attributes, not minimum and maximum
 *   kernel_operation_mode        parameter operation_mode
 *   x_name, x_value, the config  parameters; "dtype" of the config is the dtype
 *   gpu_name                     device
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/strbuf.h"
#include "base/text/utf8.h"
#include "ingest/reader.h"
#include "ingest/table/csv.h"
#include "ingest/table/lines.h"
#include "ingest/collect/row_groups.h"

static const size_t size_limit = 64u << 20;

/* The metrics of the table; a row has the number of one of them. */
static const struct kind {
	const char *name, *unit;
	double scale;
	enum metric metric;
} kinds[] = {
	{"speed", "ms", 1e-3, METRIC_TOTAL_TIME},
	{"memory", "MB", 1048576, METRIC_DEVICE_MEMORY_BYTES},
};
enum { kind_count = sizeof kinds / sizeof *kinds };

struct reading {
	struct arena *arena;
	struct csv csv;
	struct row_groups groups;
	struct row_count empty;
};

static const struct kind *kind_of(const struct csv *csv, struct error *err)
{
	char name[lines_excerpt_size], unit[lines_excerpt_size];
	for (size_t i = 0; i < kind_count; i++)
		if (span_is(csv_cell(csv, "metric_name"), kinds[i].name) &&
		    span_is(csv_cell(csv, "metric_unit"), kinds[i].unit))
			return &kinds[i];
	error_set(
		err, ERR_FORMAT,
		"line %zu: metric_name is \"%s\" in \"%s\"; known are speed in ms and memory in MB",
		csv->line, lines_excerpt(name, csv_cell(csv, "metric_name")),
		lines_excerpt(unit, csv_cell(csv, "metric_unit")));
	return NULL;
}

static const char *value_of(struct arena *arena, const struct json *node)
{
	struct strbuf sb = {0};
	if (node->type == JSON_STRING && utf8_is_line(span_of(node->text)))
		return node->text;
	if (node->type == JSON_NULL)
		return NULL;
	json_write(&sb, node, true);
	while (sb.len && sb.buf[sb.len - 1] == '\n')
		strbuf_truncate(&sb, sb.len - 1);
	return strbuf_into(&sb, arena);
}

/* {"B": 8, "dtype": "torch.bfloat16"} */
static int take_config(const struct reading *r, struct run *run, struct error *err)
{
	struct span cell = csv_cell(&r->csv, "extra_benchmark_config_str");
	if (cell.len == 0)
		return 0;
	const struct json *config = json_parse(r->arena, cell, err);
	if (!config)
		return error_prefix(err, "line %zu: extra_benchmark_config_str", r->csv.line);
	if (config->type == JSON_NULL)
		return 0;
	if (config->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT,
				 "line %zu: extra_benchmark_config_str is no JSON object",
				 r->csv.line);
	if (config->count > csv_known_limit)
		return error_set(err, ERR_FORMAT,
				 "line %zu: extra_benchmark_config_str has more than %d members",
				 r->csv.line, (int)csv_known_limit);
	for (const struct json *node = config->first; node; node = node->next) {
		const char *value = value_of(r->arena, node);
		if (!utf8_is_line(span_of(node->name)))
			return error_set(err, ERR_FORMAT,
					 "line %zu: extra_benchmark_config_str has a member whose "
					 "name is no readable text",
					 r->csv.line);
		if (!value || !node->name[0])
			continue;
		if (strcmp(node->name, "dtype") == 0 && dtype_normalise(span_of(value)))
			run->dtype = value;
		else
			run_set_param(r->arena, run, node->name, value);
	}
	return 0;
}

static int describe(const struct reading *r, struct run *run, struct error *err)
{
	const struct csv *csv = &r->csv;
	const char *variant = csv_text(csv, "kernel_provider");
	const char *mode = csv_text(csv, "kernel_operation_mode");
	const char *x_name = csv_text(csv, "x_name"), *x_value = csv_text(csv, "x_value");
	const char *version = csv_text(csv, "liger_version");
	run->kernel = csv_text(csv, "kernel_name");
	if (!run->kernel || !x_name || !x_value)
		return error_set(err, ERR_FORMAT,
				 "line %zu: kernel_name, x_name or x_value is empty or no readable "
				 "text",
				 csv->line);
	run->variant = variant ? variant : "";
	run->device = csv_text(csv, "gpu_name");
	run->tool = "liger";
	if (take_config(r, run, err) < 0)
		return -1;
	if (mode)
		run_set_param(r->arena, run, "operation_mode", mode);
	run_set_param(r->arena, run, x_name, x_value);
	if (version)
		run_add_attribute(r->arena, run, "liger_version", version);
	return 0;
}

/* What distinguishes work, measurement and software; the metric does not. */
static struct span key_of(const struct csv *csv, struct strbuf *key)
{
	static const char *const columns[] = {
		"kernel_name",   "kernel_provider", "kernel_operation_mode",
		"x_name",        "x_value",         "extra_benchmark_config_str",
		"liger_version", "gpu_name"};
	strbuf_reset(key);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		strbuf_addspan(key, csv_cell(csv, columns[i]));
		strbuf_addch(key, '\n');
	}
	return strbuf_span(key);
}

/* "0.5291 ms": what is no minimum and no maximum has no place among the numbers. Of repeats those
 * of the first row. */
static void add_percentile(const struct reading *r, struct run *run, const struct kind *kind,
			   const char *column, const char *percentile)
{
	const char *text = csv_text(&r->csv, column);
	const char *key = arena_printf(r->arena, "%s_%s", kind->name, percentile);
	double number;
	if (text && span_number(span_of(text), &number) && !run_attribute(run, key))
		run_add_attribute(r->arena, run, key,
				  arena_printf(r->arena, "%s %s", text,
					       kind->metric == METRIC_TOTAL_TIME ? "ms" : "MiB"));
}

static int take_row(struct reading *r, struct strbuf *key, struct error *err)
{
	double number;
	const struct csv *csv = &r->csv;
	if (csv_known_row(csv, err) < 0)
		return -1;
	const struct kind *kind = kind_of(csv, err);
	if (!kind || csv_amount(csv, "y_value_50", &number, err) < 0)
		return -1;
	if (!(number > 0)) {
		row_count_add(&r->empty, csv->line);
		return 0;
	}
	struct row_group *group = row_groups_find(&r->groups, key_of(csv, key), csv->line, err);
	if (!group || (group->row_count == 0 && describe(r, group->run, err) < 0))
		return -1;
	double scaled = kind->scale < 1 ? number / (1 / kind->scale) : number * kind->scale;
	row_group_add(&r->groups, group)[kind - kinds] = scaled;
	add_percentile(r, group->run, kind, "y_value_20", "p20");
	add_percentile(r, group->run, kind, "y_value_80", "p80");
	return 0;
}

static int read_rows(struct reading *r, struct error *err)
{
	struct strbuf key = {0};
	int rc = csv_known_header(&r->csv, err);
	while (rc >= 0 && (rc = csv_next(&r->csv, err)) > 0)
		rc = take_row(r, &key, err);
	strbuf_free(&key);
	return rc;
}

static int read_liger(struct arena *arena, struct input *input, struct ingest_result *result,
		      struct error *err)
{
	struct span bytes;
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	struct reading r = {.arena = arena,
			    .csv = csv_of(arena, bytes, ','),
			    .groups = {.arena = arena, .width = kind_count}};
	if (read_rows(&r, err) < 0)
		return -1;
	if (r.groups.count == 0)
		return error_set(err, ERR_FORMAT, "no row has a y_value_50 above 0");
	row_groups_note(&r.groups, r.empty, "left out, y_value_50 is 0 or missing");
	for (size_t i = 0; i < r.groups.count; i++)
		for (size_t k = 0; k < kind_count; k++)
			row_group_give(&r.groups, &r.groups.items[i], k, kinds[k].metric,
				       PROVENANCE_MEASURED);
	row_groups_finish(&r.groups, &result->runs);
	return 0;
}

static bool detect(struct span head)
{
	static const char *const names[] = {"kernel_name", "kernel_provider", "metric_name",
					    "metric_unit", "x_name",          "y_value_50",
					    "gpu_name"};
	return csv_head_has(head, ',', names, sizeof names / sizeof *names);
}

const struct reader liger_reader = {"liger", "Liger-Kernel all_benchmark_data.csv", NEEDS_COMMIT,
				    detect, read_liger};
