/* Turns rows of tables into records of sections. */
#include "ingest/neuron/explorer/explorer_tables.h"

#include "base/text/text.h"

static const char ns[] = "nanoseconds", bytes[] = "bytes";
/* Counts FLOP where the section counts elements, of 2 FLOP. */
static const char raw_flops[] = "raw_flops";

const struct explorer_table explorer_tables[] = {
	{"Summary", "summary", NULL, {{NULL, NULL, NULL}}},
	{"Metadata",
	 "metadata",
	 NULL,
	 {{"tensor_engine_num_rows", "pe_num_rows", NULL},
	  {"tensor_engine_num_cols", "pe_num_cols", NULL},
	  {"tensor_engine_clock_freq", "pe_clock_freq", "gigahertz"},
	  {"hbm_ddr_bandwidth", "hbm_ddr_bandwidth", "bytes_per_second"},
	  {"num_physical_cores", "num_physical_cores", NULL},
	  {"is_simulation", "is_simulation", NULL},
	  {"ntff_version", "ntff_version", NULL}}},
	{"Metadata",
	 "profile_info",
	 NULL,
	 {{"explorer_version", "profiler_version", NULL},
	  {"explorer_build_time", "profiler_build_time", NULL},
	  {"profile_name", "profile_name", NULL}}},
	{"NeffHeader",
	 "neff_header",
	 NULL,
	 {{"hash", "hash", NULL},
	  {"uuid", "uuid", NULL},
	  {"network_name", "network_name", NULL},
	  {"enabled_features", "enabled_features", NULL}}},
	{"ActiveTime",
	 "active_time",
	 NULL,
	 {{"engine", "engine", NULL},
	  {"start_ts", "start_ts", ns},
	  {"end_ts", "end_ts", ns},
	  {"duration_ns", "duration_ns", ns},
	  {"pcore_idx", "subgraph", NULL}}},
	{"DmaPacket",
	 "dma",
	 NULL,
	 {{"start_ts", "timestamp", ns},
	  {"duration_ns", "duration", ns},
	  {"queue_type", "queue_type", NULL},
	  {"transfer_bytes", "transfer_size", bytes},
	  {"queue_name", "subgroup", NULL},
	  {"pcore_idx", "subgraph", NULL}}},
	{"DmaPacketAggregated",
	 "dma",
	 "DmaPacket",
	 {{"start_ts", "timestamp", ns},
	  {"duration_ns", "duration", ns},
	  {"queue_type", "queue_type", NULL},
	  {"transfer_bytes", "transfer_size", bytes},
	  {"queue_name", "subgroup", NULL},
	  {"pcore_idx", "subgraph", NULL}}},
	{"Instruction",
	 "instruction",
	 NULL,
	 {{"start_ts", "timestamp", ns},
	  {"duration_ns", "duration", ns},
	  {"opcode", "opcode", NULL},
	  {"tensor_elements", "elements", NULL},
	  {raw_flops, "elements", NULL},
	  {"tensor_instruction_type", "instruction_type", NULL},
	  {"nki_source_location", "nki_source_location", NULL},
	  {"operands", "operands", NULL},
	  {"engine", "subgroup", NULL},
	  {"pcore_idx", "subgraph", NULL}}},
	{"Throttle",
	 "ham",
	 NULL,
	 {{"timestamp", "timestamp", ns},
	  {"duration", "duration", ns},
	  {"k", "k", NULL},
	  {"n", "n", NULL},
	  {"type", "type", NULL},
	  {"pcore_idx", "subgraph", NULL}}},
	{"HbmUsageSummaryByType",
	 "nc_mem_usage",
	 NULL,
	 {{"usage_type", "usage_type", NULL}, {"usage_bytes", "amount_bytes", bytes}}},
	{"TensorInfo",
	 "neff_node",
	 NULL,
	 {{"variable_name", "variable_name", NULL},
	  {"type", "type", NULL},
	  {"shape", "shape", NULL},
	  {"size", "size", bytes}}},
	{"Warning",
	 "warnings",
	 NULL,
	 {{"category", "category", NULL}, {"message", "message", NULL}}},
	{"SemaphoreUpdate",
	 "semaphore_update",
	 NULL,
	 {{"timestamp", "timestamp", ns},
	  {"id", "id", NULL},
	  {"value", "value", NULL},
	  {"pcore_idx", "subgraph", NULL}}},
	{.name = NULL},
};

static bool has_column(const struct parquet *file, const char *name)
{
	return parquet_find_column(file, span_of(name)) < parquet_column_count(file);
}

bool explorer_is_summary(const struct parquet *file)
{
	return has_column(file, "total_time") && (has_column(file, "hardware_flops") ||
						  has_column(file, "tensor_engine_active_time"));
}

/* A summary's units follow from its names. */
static const char *summary_unit(struct span column)
{
	static const char *const units[][2] = {
		{"_percent", "percent"}, {"_time", "seconds"}, {"_bytes", "bytes"}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (span_ends(column, units[i][0]))
			return units[i][1];
	return NULL;
}

const char *explorer_unit(struct span table, struct span column)
{
	if (span_is(table, explorer_tables[0].name))
		return summary_unit(column);
	for (size_t i = 1; explorer_tables[i].name; i++) {
		const struct explorer_column *columns = explorer_tables[i].columns;
		for (size_t k = 0; span_is(table, explorer_tables[i].name) && columns[k].name; k++)
			if (span_is(column, columns[k].name))
				return columns[k].unit;
	}
	return NULL;
}

/* --- values --- */

/* False for null and what JSON has no value for; then *value is as before. */
static bool take_value(struct json_value *value, const struct parquet_value *from)
{
	if (from->kind == PARQUET_NULL ||
	    (from->kind == PARQUET_NUMBER && !isfinite(from->number)) ||
	    (from->kind == PARQUET_TEXT && !from->is_sound))
		return false;
	value->kind = from->kind == PARQUET_TRUTH  ? JSON_VALUE_BOOL
		      : from->kind == PARQUET_TEXT ? JSON_VALUE_TEXT
						   : JSON_VALUE_NUMBER;
	value->truth = from->kind == PARQUET_TRUTH && from->magnitude;
	value->exact = from->kind == PARQUET_WHOLE;
	value->negative = from->negative;
	value->magnitude = from->magnitude;
	value->number = from->number;
	value->text = from->text;
	return true;
}

/* --- the summary --- */

struct member {
	const char *name;
	struct json_value value;
};

static double number_of(const struct member *members, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(members[i].name, name) == 0)
			return members[i].value.number;
	return NAN;
}

/* What a percent of this file counts in: 100 or 1; 0: it does not show. The schema calls the unit
 * percent, and the summary as JSON has fractions under the same names. The largest active time
 * shows it, because it is in seconds as well. */
static double percent_of(const struct member *members, size_t count)
{
	static const char *const names[] = {
		"total_active_time",         "dma_active_time",
		"tensor_engine_active_time", "vector_engine_active_time",
		"scalar_engine_active_time", "gpsimd_engine_active_time",
		"sync_engine_active_time"};
	double total = number_of(members, count, "total_time"), most = 0, scale = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char percent[64];
		snprintf(percent, sizeof percent, "%s_percent", names[i]);
		double time = number_of(members, count, names[i]);
		double ratio = number_of(members, count, percent) / (time / total);
		if (!(time > most && ratio > 0 && isfinite(ratio)))
			continue;
		most = time;
		scale = ratio > 0.5 && ratio < 2 ? 1 : ratio > 50 && ratio < 200 ? 100 : 0;
	}
	return scale;
}

static int add_members(const struct json_section *section, struct member *members, size_t count,
		       struct collector *c, struct error *err)
{
	double percent = percent_of(members, count);
	bool has_percent = false;
	for (size_t i = 0; i < count; i++)
		has_percent |= span_ends(span_of(members[i].name), "_percent");
	if (has_percent && percent == 0)
		run_warn(c->arena, c->run,
			 "whether percentages are of 1 or of 100 does not show; they are unknown");
	for (size_t i = 0; i < count; i++) {
		struct span name = span_of(members[i].name);
		struct json_value *value = &members[i].value;
		if (span_ends(name, "_percent")) {
			value->number = percent > 0 ? value->number / percent : NAN;
			value->kind = isnan(value->number) ? JSON_VALUE_MISSING : value->kind;
		}
		if (section->member(c, span_of("summary"), name, value, err) < 0)
			return error_prefix(err, "%s", members[i].name);
	}
	return section->end(c, span_of("summary"), err);
}

static int read_summary(const struct json_section *section, struct parquet *file,
			struct collector *c, struct error *err)
{
	size_t columns = parquet_column_count(file), count = 0, known = 0;
	size_t *chosen = arena_array(c->arena, columns, sizeof *chosen);
	struct member *members = arena_array(c->arena, columns, sizeof *members);
	if (parquet_row_count(file) != 1)
		return error_set(err, ERR_FORMAT,
				 "%" PRIu64 " summaries in one profile; profile one execution at a "
				 "time",
				 parquet_row_count(file));
	for (size_t i = 0; i < columns; i++)
		if (parquet_can_choose(file, i))
			chosen[count++] = i;
	if (parquet_choose(file, chosen, count, err) < 0 || parquet_next(file, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (take_value(&members[known].value, parquet_value(file, i)))
			members[known++].name = parquet_column_name(file, chosen[i]);
	return add_members(section, members, known, c, err);
}

/* --- other tables --- */

/* For each field of the section the chosen column that fills it. */
struct plan {
	size_t chosen[explorer_column_limit];
	const struct explorer_column *columns[explorer_column_limit];
	int field[explorer_column_limit];
	size_t count;
};

static int field_of(const struct json_section *section, const char *name)
{
	for (int i = 0; section->fields[i].name; i++)
		if (strcmp(section->fields[i].name, name) == 0)
			return i;
	return -1;
}

static struct plan plan_of(const struct explorer_table *table, const struct json_section *section,
			   const struct parquet *file)
{
	struct plan plan = {.count = 0};
	for (size_t i = 0; i < explorer_column_limit && table->columns[i].name; i++) {
		const struct explorer_column *column = &table->columns[i];
		size_t at = parquet_find_column(file, span_of(column->name));
		int field = field_of(section, column->field);
		if (at == parquet_column_count(file) || field < 0)
			continue;
		plan.chosen[plan.count] = at;
		plan.columns[plan.count] = column;
		plan.field[plan.count++] = field;
	}
	return plan;
}

/* Texts that were made for small numbers, which rows repeat. */
enum { text_count = 4 };
struct number_text {
	uint64_t number;
	const char *field; /* its name in the section; NULL: none was made */
	size_t len;
	char text[32];
};

/* A section has the names of programs where a table has the number of the physical core. */
static struct span text_of(uint64_t number, const char *field, struct number_text *made)
{
	made += number % text_count;
	if (made->number != number || made->field != field) {
		*made = (struct number_text){.number = number, .field = field};
		made->len = (size_t)snprintf(made->text, sizeof made->text, "%s%" PRIu64,
					     strcmp(field, "subgraph") == 0 ? "pcore" : "", number);
	}
	return (struct span){made->text, made->len};
}

static int fill_field(const struct explorer_column *column, const struct json_field *field,
		      const struct parquet_value *from, struct json_value *value,
		      struct number_text *made, struct error *err)
{
	if (!take_value(value, from))
		return 0;
	if (field->type == JSON_FIELD_NUMBER && value->kind != JSON_VALUE_NUMBER)
		return error_set(err, ERR_FORMAT, "the column %s has no numbers", column->name);
	if (column->name == raw_flops) {
		value->magnitude /= 2;
		value->number /= 2;
	}
	/* Some tables have -1 for an event without a core. */
	if (field->type == JSON_FIELD_TEXT && value->negative) {
		value->kind = JSON_VALUE_MISSING;
		value->number = NAN;
	} else if (field->type == JSON_FIELD_TEXT && value->exact) {
		value->text = text_of(value->magnitude, field->name, made);
		value->kind = JSON_VALUE_TEXT;
		value->number = NAN;
	}
	return 0;
}

/* Resets the fields of a row. */
static void forget(const struct plan *plan, struct json_value *values)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct json_value *value = &values[plan->field[i]];
		value->kind = JSON_VALUE_MISSING;
		value->truth = value->exact = false;
		value->number = NAN;
		value->text.len = 0;
	}
}

struct filling {
	const struct json_section *section;
	struct plan plan;
	struct json_value values[json_field_limit]; /* those of a row */
	struct number_text made[text_count];
	const struct parquet_value *const *columns[explorer_column_limit];
};

static int add_row(struct filling *filling, size_t row, struct collector *c, struct error *err)
{
	const struct plan *plan = &filling->plan;
	forget(plan, filling->values);
	for (size_t i = 0; i < plan->count; i++)
		if (fill_field(plan->columns[i], &filling->section->fields[plan->field[i]],
			       filling->columns[i][row], &filling->values[plan->field[i]],
			       filling->made, err) < 0)
			return -1;
	filling->section->record(c, filling->values);
	return 0;
}

int explorer_table_read(const struct explorer_table *table, const struct json_section *section,
			struct parquet *file, struct collector *c, struct error *err)
{
	if (!section->fields)
		return read_summary(section, file, c, err);
	struct filling filling = {.section = section, .plan = plan_of(table, section, file)};
	const struct plan *plan = &filling.plan;
	for (size_t i = 0; i < json_field_limit; i++)
		filling.values[i] = (struct json_value){.kind = JSON_VALUE_MISSING, .number = NAN};
	size_t count = 0;
	int more = parquet_choose(file, plan->chosen, plan->count, err) < 0 ? -1 : 1;
	while (more > 0 && (more = parquet_next_rows(file, &count, err)) > 0) {
		for (size_t i = 0; i < plan->count; i++)
			filling.columns[i] = parquet_values(file, i);
		for (size_t row = 0; row < count && more > 0; row++)
			more = add_row(&filling, row, c, err) < 0 ? -1 : 1;
	}
	return more;
}
