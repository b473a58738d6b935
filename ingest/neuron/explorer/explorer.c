/*
 * Reader of Neuron Explorer's Parquet profiles: a folder with a file for each table, of which the
 * reader takes the summary and opens the others next to it. A table without rows has no file; a
 * long one is split into T_0.parquet, T_1.parquet and so on.
 *
 * explorer_tables.c says what columns are in the sections of the full profile as JSON, whose
 * collector (profile.h) makes the run.
 */
#include "ingest/collect/collect.h"
#include "ingest/neuron/explorer/explorer_tables.h"
#include "ingest/neuron/neuron.h"
#include "ingest/reader.h"

enum { part_limit = 10000, name_size = 80, schema_major = 7, table_columns = 3 };

struct reading {
	struct input *input;
	struct collector *c;
	const struct explorer_table *table; /* whose rows are being read */
	bool summary_only;
};

/* Adds what a file has. */
typedef int visit(struct reading *r, struct parquet *file, struct error *err);

static int visit_input(struct reading *r, struct input *input, visit *add, struct error *err)
{
	struct parquet *file = parquet_open(input, err);
	int rc = file ? add(r, file, err) : -1;
	parquet_close(file);
	return rc;
}

/* Reads one file of a table: 1; 0 if it does not exist; -1 and *err. */
static int visit_file(struct reading *r, const char *name, visit *add, struct error *err)
{
	struct input *input = input_open_beside(r->input, name, err);
	if (!input)
		return err->kind ? -1 : 0;
	int rc = visit_input(r, input, add, err);
	input_close(input);
	return rc < 0 ? error_prefix(err, "%s", name) : 1;
}

/* Reads the files of a table: 1 if there is one, 0 if there is none, -1 and *err. */
static int visit_table(struct reading *r, const char *table, visit *add, struct error *err)
{
	char name[name_size];
	snprintf(name, sizeof name, "%s.parquet", table);
	int whole = visit_file(r, name, add, err), parts = 0, rc = whole;
	while (rc >= 0 && parts < part_limit) {
		snprintf(name, sizeof name, "%s_%d.parquet", table, parts);
		rc = visit_file(r, name, add, err);
		if (rc <= 0)
			break;
		parts++;
	}
	if (rc < 0)
		return -1;
	if (whole && parts)
		return error_set(
			err, ERR_FORMAT,
			"the folder has %s.parquet and %s_0.parquet, of two profiles: remove "
			"the older one",
			table, table);
	return whole || parts;
}

/* --- tables that are looked at --- */

/* Chooses the columns with these names: 1; 0 if the file lacks one; -1 and *err. */
static int choose(struct parquet *file, const char *const *names, size_t count, struct error *err)
{
	size_t columns[table_columns];
	for (size_t i = 0; i < count; i++) {
		columns[i] = parquet_find_column(file, span_of(names[i]));
		if (columns[i] == parquet_column_count(file))
			return 0;
	}
	return parquet_choose(file, columns, count, err) < 0 ? -1 : 1;
}

/* The text of a column in the first row; empty if there is none. */
static int first_text(struct parquet *file, const char *column, struct span *text,
		      struct error *err)
{
	*text = (struct span){NULL, 0};
	int more = choose(file, &column, 1, err);
	if (more > 0)
		more = parquet_next(file, err);
	if (more > 0)
		*text = parquet_value(file, 0)->text;
	return more < 0 ? -1 : 0;
}

static int look_at_version(struct reading *r, struct parquet *file, struct error *err)
{
	struct span version;
	double number;
	if (first_text(file, "profile_schema_version", &version, err) < 0)
		return -1;
	struct span major = version;
	major = span_cut(&major, '.');
	neuron_summary_attribute(r->c->arena, r->c->run, span_of("profile_schema_version"),
				 version);
	if (!span_number(major, &number) || number != schema_major)
		run_warn(r->c->arena, r->c->run,
			 "the profile has schema version %s, and this reads %d: check its figures",
			 version.len ? bounded_text_of(r->c->arena, version) : "?", schema_major);
	return 0;
}

static int fail_several(const char *what, uint64_t count, struct error *err)
{
	return error_set(err, ERR_FORMAT,
			 "the profile has %" PRIu64
			 " %s, whose times its tables mix; view one at a "
			 "time, or write the summary as JSON",
			 count, what);
}

static int look_at_executions(struct reading *r, struct parquet *file, struct error *err)
{
	(void)r;
	uint64_t count = parquet_row_count(file);
	return count > 1 ? fail_several("executions", count, err) : 0;
}

static int look_at_neffs(struct reading *r, struct parquet *file, struct error *err)
{
	(void)r;
	uint64_t count = parquet_row_count(file);
	return count > 1 ? fail_several("programs", count, err) : 0;
}

/* The profile describes its own units: where they are not those that are read, a wrong figure would
 * follow. */
static int look_at_units(struct reading *r, struct parquet *file, struct error *err)
{
	enum { TABLE, FIELD, UNIT };
	static const char *const names[] = {"table_name", "field_name", "field_unit"};
	struct arena *arena = r->c->arena;
	int more = choose(file, names, table_columns, err);
	while (more > 0 && (more = parquet_next(file, err)) > 0) {
		struct span table = parquet_value(file, TABLE)->text;
		struct span field = parquet_value(file, FIELD)->text;
		struct span unit = parquet_value(file, UNIT)->text;
		const char *known = explorer_unit(table, field);
		if (known && unit.len && !span_is(unit, known))
			return error_set(err, ERR_FORMAT, "%s.%s is in %s, and only %s can be read",
					 bounded_text_of(arena, table),
					 bounded_text_of(arena, field),
					 bounded_text_of(arena, unit), known);
	}
	return more;
}

/* --- tables that are read --- */

static int read_file(struct reading *r, struct parquet *file, struct error *err)
{
	const struct json_section *section =
		neuron_profile_section(r->c, r->summary_only, r->table->section);
	return explorer_table_read(r->table, section, file, r->c, err);
}

/* Versions of the runtime and so on, which JSON has in the summary. */
static int read_versions(struct reading *r, struct parquet *file, struct error *err)
{
	static const char *const names[] = {
		"instance_type",    "runtime_version", "collectives_version", "driver_version",
		"compiler_version", "ultraserver_id",  "ultraserver_type"};
	struct span text;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (first_text(file, names[i], &text, err) < 0)
			return -1;
		neuron_summary_text(r->c->arena, r->c->run, span_of(names[i]), text);
	}
	return 0;
}

/* Throttled times, which JSON has in the summary as "throttle_active_nc0_time_ns". */
static int read_throttled(struct reading *r, struct parquet *file, struct error *err)
{
	enum { CORE, TYPE, TIME };
	static const char *const names[] = {"nc_idx", "throttle_type", "throttle_active_time_ns"};
	char key[64];
	int more = choose(file, names, table_columns, err);
	while (more > 0 && (more = parquet_next(file, err)) > 0) {
		const struct parquet_value *core = parquet_value(file, CORE);
		if (!span_is(parquet_value(file, TYPE)->text, "all") ||
		    core->kind != PARQUET_WHOLE || core->negative)
			continue;
		snprintf(key, sizeof key, "throttle_active_nc%" PRIu64 "_time_ns", core->magnitude);
		neuron_summary_number(r->c->arena, r->c->run, span_of(key),
				      parquet_value(file, TIME)->number);
	}
	return more;
}

/* Tables that are not records of a section. */
static const struct {
	const char *table;
	visit *add;
} others[] = {
	{"SchemaFields", look_at_units}, {"ExecutionInfo", look_at_executions},
	{"NeffHeader", look_at_neffs},   {"Metadata", look_at_version},
	{"Metadata", read_versions},     {"ThrottleSummary", read_throttled},
};

static int read_others(struct reading *r, struct error *err)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (visit_table(r, others[i].table, others[i].add, err) < 0)
			return -1;
	return 0;
}

static int read_tables(struct reading *r, struct error *err)
{
	const char *last = "";
	int found = 0;
	for (const struct explorer_table *table = explorer_tables + 1; table->name; table++) {
		r->table = table;
		if (!neuron_profile_section(r->c, r->summary_only, table->section) ||
		    (table->instead && strcmp(last, table->instead) == 0 && found))
			continue;
		last = table->name;
		found = visit_table(r, table->name, read_file, err);
		if (found < 0)
			return -1;
		if (found && table->instead)
			run_warn(r->c->arena, r->c->run,
				 "the profile has no %s: DMA times are those of whole transfers, "
				 "with their pauses",
				 table->instead);
	}
	return 0;
}

/* --- the reader --- */

static int read_profile(struct arena *arena, struct input *input, struct parquet *summary,
			struct ingest_result *result, struct error *err)
{
	struct collector *c = neuron_collect_new(arena);
	struct reading r = {input, c, explorer_tables, input_hints(input)->summary_only};
	c->trace = result->trace;
	r.summary_only &= !c->trace;
	int rc = read_file(&r, summary, err);
	if (rc == 0)
		rc = read_others(&r, err);
	if (rc == 0)
		rc = read_tables(&r, err);
	if (rc == 0 && r.summary_only)
		rc = neuron_profile_note_summary_only(c, err);
	if (rc == 0)
		rc = neuron_collect_finish(c, NULL, err);
	if (rc == 0)
		run_list_add(arena, &result->runs, c->run);
	neuron_collect_free(c);
	return rc;
}

/* Whether there is a summary next to a file, whose reading opens this file as well. */
static int find_summary(struct input *input, bool *found, struct error *err)
{
	static const char *const names[] = {"Summary.parquet", "Summary_0.parquet"};
	*found = false;
	for (size_t i = 0; i < sizeof names / sizeof *names && !*found; i++) {
		struct input *summary = input_open_beside(input, names[i], err);
		if (!summary && err->kind)
			return -1;
		struct parquet *file = summary ? parquet_open(summary, err) : NULL;
		/* The reading of the summary itself reports damage. */
		*found = summary && (!file || explorer_is_summary(file));
		parquet_close(file);
		input_close(summary);
	}
	return 0;
}

static int fail_other(const struct parquet *file, struct error *err)
{
	struct strbuf names = {0};
	parquet_add_names(file, &names);
	error_set(
		err, ERR_FORMAT,
		"not a profile of Neuron Explorer, whose folder has a Summary.parquet; to read the "
		"Parquet file as a table, map its columns with --columns: %s",
		strbuf_text(&names));
	strbuf_free(&names);
	return -1;
}

static int read_parquet(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	bool is_table = false;
	struct parquet *file = parquet_open(input, err);
	if (!file)
		return -1;
	int rc = 0;
	if (explorer_is_summary(file))
		rc = read_profile(arena, input, file, result, err);
	else
		rc = find_summary(input, &is_table, err);
	if (rc == 0 && !is_table && result->runs.count == 0)
		rc = fail_other(file, err);
	parquet_close(file);
	return rc;
}

const struct reader neuron_explorer_reader = {
	"neuron-explorer", "neuron-explorer view --output-format parquet",
	NEEDS_NEURON | DTYPE_OF_OPERANDS, parquet_detect, read_parquet};
