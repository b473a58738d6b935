/* Reads names, sizes and metrics of a result. */
#include "ingest/ncu/report/result.h"

static void read_sizes(struct wire sizes, uint64_t size[3])
{
	struct wire_field field;
	while (wire_next(&sizes, &field))
		if (field.number >= 1 && field.number <= 3)
			size[field.number - 1] = field.integer;
}

struct native_report_names native_report_names_of(struct wire result)
{
	struct native_report_names names = {.symbol = {"", 0}};
	struct span function = {"", 0};
	struct wire_field field;
	while (wire_next(&result, &field)) {
		if (field.number == 6)
			function = field.bytes;
		else if (field.number == 7)
			names.symbol = field.bytes;
		else if (field.number == 10)
			read_sizes(wire_inside(&field), names.grid);
		else if (field.number == 11)
			read_sizes(wire_inside(&field), names.block);
	}
	if (names.symbol.len == 0)
		names.symbol = function;
	return names;
}

/* Value {1 string | 2 float | 3 double | 4 uint32 | 5 uint64} */
static void read_value(struct wire value, struct native_report_metric *metric)
{
	struct wire_field field;
	while (wire_next(&value, &field))
		if (field.number == 1)
			metric->text = field.bytes;
		else if (field.number == 2 || field.number == 3)
			metric->number = wire_double(&field);
		else if (field.number == 4 || field.number == 5)
			metric->number = (double)field.integer;
}

bool native_report_metric_of(const struct native_report *report, struct wire message,
			     struct native_report_metric *metric)
{
	struct wire_field field;
	*metric = (struct native_report_metric){UINT64_MAX, {"", 0}, NAN, {"", 0}};
	while (wire_next(&message, &field))
		if (field.number == 1)
			metric->id = field.integer;
		else if (field.number == 2)
			read_value(wire_inside(&field), metric);
	metric->name = native_report_string(report, metric->id);
	return !message.damaged && metric->name.len;
}
