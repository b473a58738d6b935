/*
 * Reader of the benchmark data of Liger-Kernel (all_benchmark_data.csv): speed in ms and peak
 * memory in MB of 2^20 bytes, as its scripts compute them. Speed and memory of the same work are
 * one run.
 *
 *   kernel_name                  kernel
 *   kernel_provider              variant
 *   y_value_50 of speed, ms      total_time, measured; of memory, MB: device_memory_bytes
 *   y_value_20, y_value_80       attributes, because they are not minimum and maximum
 *   kernel_operation_mode        parameter operation_mode
 *   x_name, x_value, the config  parameters; its "dtype" is the dtype
 *   gpu_name                     device
 */

#include "base/json/json.h"
#include "base/text/text.h"
#include "ingest/table/tables.h"

/* The metrics of the table; each row has one of them. */
static const struct kind {
	const char *name, *unit;
	double scale;
	enum metric metric;
} kinds[] = {
	{"speed", "ms", 1e-3, METRIC_TOTAL_TIME},
	{"memory", "MB", 1048576, METRIC_DEVICE_MEMORY_BYTES},
};
enum { kind_count = sizeof kinds / sizeof *kinds };

/* What identifies work, measurement and software. The metric is not a part of it. */
static const struct row_column columns[] = {
	{"kernel_name", .role = ROW_KERNEL, .required = true},
	{"kernel_provider", .role = ROW_VARIANT, .required = true},
	{"kernel_operation_mode", .role = ROW_WORK},
	{"x_name", .role = ROW_WORK, .required = true},
	{"x_value", .role = ROW_WORK},
	{"extra_benchmark_config_str", .role = ROW_WORK},
	{"gpu_name", .role = ROW_DEVICE, .required = true},
	{"liger_version", .role = ROW_ATTRIBUTE, .apart = true},
	{"metric_name", .role = ROW_RESULT, .required = true},
	{"metric_unit", .role = ROW_RESULT, .required = true},
	{"y_value_50", .role = ROW_NUMBER, .required = true},
	{.role = ROW_END},
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
static int take_config(const struct row_reading *r, struct run *run, struct error *err)
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

static int describe(struct row_reading *r, struct run *run, struct error *err)
{
	const struct csv *csv = &r->csv;
	const char *x_name = csv_text(csv, "x_name"), *x_value = csv_text(csv, "x_value");
	if (!csv_text(csv, "kernel_name") || !x_name || !x_value)
		return error_set(err, ERR_FORMAT,
				 "line %zu: kernel_name, x_name or x_value is empty or no readable "
				 "text",
				 csv->line);
	if (take_config(r, run, err) < 0)
		return -1;
	if (csv_text(csv, "kernel_operation_mode"))
		run_set_param(r->arena, run, "operation_mode",
			      csv_text(csv, "kernel_operation_mode"));
	run_set_param(r->arena, run, x_name, x_value);
	return 0;
}

/* Adds a percentile as an attribute, "0.5291 ms", because the run has minimum and maximum only. For
 * repeats the first row counts. */
static void add_percentile(const struct row_reading *r, struct run *run, const char *column,
			   const char *percentile)
{
	const struct kind *kind = r->state;
	const char *text = csv_text(&r->csv, column);
	const char *key = arena_printf(r->arena, "%s_%s", kind->name, percentile);
	double number;
	if (text && span_number(span_of(text), &number) && !run_attribute(run, key))
		run_add_attribute(r->arena, run, key,
				  arena_printf(r->arena, "%s %s", text,
					       kind->metric == METRIC_TOTAL_TIME ? "ms" : "MiB"));
}

static void add(struct row_reading *r, struct run *run)
{
	add_percentile(r, run, "y_value_20", "p20");
	add_percentile(r, run, "y_value_80", "p80");
}

static int take(struct row_reading *r, double *line, struct error *err)
{
	double number = r->numbers[0];
	const struct kind *kind = kind_of(&r->csv, err);
	if (!kind)
		return -1;
	r->state = kind;
	line[kind - kinds] = kind->scale < 1 ? number / (1 / kind->scale) : number * kind->scale;
	return number > 0;
}

static const struct row_reader rows = {
	.tool = "liger",
	.size_limit = 64u << 20,
	.columns = columns,
	.width = kind_count,
	.metrics = {METRIC_TOTAL_TIME, METRIC_DEVICE_MEMORY_BYTES},
	.left_out = "left out, y_value_50 is 0 or missing",
	.nothing = "no row has a y_value_50 above 0",
	.take = take,
	.describe = describe,
	.add = add,
};

static bool detect(struct span head)
{
	return row_reader_detect(&rows, head);
}

static int read_liger(struct arena *arena, struct input *input, struct ingest_result *result,
		      struct error *err)
{
	return row_reader_read(&rows, arena, input, result, err);
}

const struct reader liger_reader = {"liger", "Liger-Kernel all_benchmark_data.csv", NEEDS_COMMIT,
				    detect, read_liger};
