/* Finds and reads tables of Nsight Compute among lines of the application. */
#include "ingest/ncu/csv.h"

#include "base/text/text.h"
#include "ingest/table/tables.h"

enum column {
	ID,
	PROCESS_ID,
	PROCESS,
	KERNEL,
	BLOCK_SIZE,
	GRID_SIZE,
	DEVICE,
	CC,
	SECTION,
	METRIC,
	UNIT,
	VALUE,
	RULE,
	RULE_TYPE,
	RULE_TEXT,
	SCOPE,
	SPEEDUP,
	INVOCATIONS,
	MINIMUM,
	MAXIMUM,
	AVERAGE,
	COLUMN_COUNT
};

static const char *const column_names[COLUMN_COUNT] = {"ID",
						       "Process ID",
						       "Process Name",
						       "Kernel Name",
						       "Block Size",
						       "Grid Size",
						       "Device",
						       "CC",
						       "Section Name",
						       "Metric Name",
						       "Metric Unit",
						       "Metric Value",
						       "Rule Name",
						       "Rule Type",
						       "Rule Description",
						       "Estimated Speedup Type",
						       "Estimated Speedup",
						       "Invocations",
						       "Minimum",
						       "Maximum",
						       "Average"};

struct table {
	struct ncu_profile *profile;
	struct csv csv;
	size_t at[COLUMN_COUNT]; /* index of each column; csv_column_limit if it is missing */
	bool quoted;             /* the header is quoted, and so is every row */
	bool numbered;           /* the first column has ids */
	bool *is_metric;         /* whether a column of a wide table is a metric */
	struct span *units;      /* of a wide table, by column; NULL until they were read */
	bool seen_rows;
};

/* --- the header --- */

static bool has_name(const struct csv *csv, enum column column)
{
	return csv_has(csv, column_names[column]);
}

enum ncu_table ncu_csv_table(struct span line)
{
	struct arena arena = {0};
	struct error err;
	enum ncu_table kind = NCU_NO_TABLE;
	if (span_find(line, column_names[KERNEL]) == line.len)
		return kind;
	struct csv csv = csv_of(&arena, line, csv_guess_separator(line));
	if (csv_header(&csv, &err) == 1 && has_name(&csv, KERNEL)) {
		bool wide = false;
		for (size_t i = 0; i < csv.name_count; i++)
			wide |= span_find(csv.names[i], "__") < csv.names[i].len;
		if (has_name(&csv, METRIC) && (has_name(&csv, VALUE) || has_name(&csv, AVERAGE)))
			kind = NCU_LONG_TABLE;
		else if (wide && has_name(&csv, ID))
			kind = NCU_WIDE_TABLE;
	}
	arena_free(&arena);
	return kind;
}

static int open_table(struct table *table, struct span text, size_t line, struct error *err)
{
	struct arena *arena = table->profile->arena;
	struct csv *csv = &table->csv;
	*csv = csv_of(arena, text, csv_guess_separator(text));
	csv->line = csv->next_line = line;
	table->quoted = span_starts(csv->rest, "\"");
	if (csv_header(csv, err) <= 0)
		return -1;
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		table->at[i] = csv_column(csv, column_names[i]);
	table->numbered = table->at[ID] == 0 || table->at[PROCESS_ID] == 0;
	table->is_metric = arena_array(arena, csv->name_count, sizeof *table->is_metric);
	for (size_t i = 0; i < csv->name_count; i++)
		table->is_metric[i] = span_find(csv->names[i], "__") < csv->names[i].len;
	table->profile->blocks++;
	return 0;
}

/* --- lines that are not rows --- */

static struct span first_line(struct span text)
{
	return span_cut(&text, '\n');
}

static bool is_number_or_quote(char c)
{
	return c == '"' || (c >= '0' && c <= '9');
}

/* Rows of a quoted table begin with a quote. If the first column has ids, an id follows, or nothing
 * in the row of units. */
static bool looks_like_row(const struct table *table)
{
	struct span rest = table->csv.rest;
	if (table->quoted)
		return rest.ptr[0] == '"' &&
		       (!table->numbered || rest.len == 1 || is_number_or_quote(rest.ptr[1]));
	return !span_starts(rest, "==") && (!table->numbered || is_number_or_quote(rest.ptr[0]) ||
					    rest.ptr[0] == table->csv.separator);
}

static void skip_line(struct csv *csv)
{
	struct span line = first_line(csv->rest);
	size_t bytes = line.len + (line.len < csv->rest.len);
	csv->rest = span_from(csv->rest, bytes);
	csv->next_line++;
}

/* --- rows --- */

static struct span cell(const struct table *table, enum column column)
{
	return csv_at(&table->csv, table->at[column]);
}

/* For optional facts about a launch: invalid text counts as missing. */
static struct span clean(struct span text)
{
	return utf8_is_line(text) ? text : (struct span){"", 0};
}

static int identity_of(const struct table *table, struct ncu_identity *identity, struct error *err)
{
	*identity = (struct ncu_identity){
		.block = table->profile->blocks,
		.id = cell(table, ID),
		.process_id = cell(table, PROCESS_ID),
		.symbol = cell(table, KERNEL),
		.grid = clean(cell(table, GRID_SIZE)),
		.block_size = clean(cell(table, BLOCK_SIZE)),
		.device = clean(cell(table, DEVICE)),
	};
	if (identity->symbol.len == 0)
		return error_set(err, ERR_FORMAT, "line %zu: kernel name missing", table->csv.line);
	if (!utf8_is_line(identity->symbol))
		return error_set(err, ERR_FORMAT, "line %zu: the kernel name is not valid UTF-8",
				 table->csv.line);
	return 0;
}

static int invocations_of(const struct table *table, struct ncu_launch *launch, struct error *err)
{
	char excerpt[lines_excerpt_size];
	struct span text = cell(table, INVOCATIONS);
	double number = 1;
	if (table->at[INVOCATIONS] < csv_column_limit &&
	    (!ncu_number(text, '.', 0, &number) || !(number >= 1)))
		return error_set(err, ERR_FORMAT, "line %zu: Invocations is \"%s\"",
				 table->csv.line, lines_excerpt(excerpt, text));
	launch->invocations = number;
	return 0;
}

/* Without a column of ids a new launch begins where the first metric of the last one repeats. */
static struct ncu_launch *find_launch(const struct table *table, struct error *err)
{
	struct ncu_profile *profile = table->profile;
	struct ncu_identity identity;
	if (identity_of(table, &identity, err) < 0)
		return NULL;
	size_t before = profile->count;
	struct ncu_launch *launch = ncu_profile_launch(profile, &identity, err);
	bool summary = table->at[AVERAGE] < csv_column_limit;
	bool by_order = !summary && table->at[ID] == csv_column_limit;
	struct span metric = cell(table, METRIC);
	if (launch && by_order && profile->count == before &&
	    (launch != profile->launches[before - 1] || span_eq(launch->first_metric, metric)))
		launch = ncu_profile_new(profile, &identity, err);
	if (!launch)
		return NULL;
	if (profile->count > before) {
		launch->first_metric = metric;
		launch->process = clean(cell(table, PROCESS));
		launch->cc = clean(cell(table, CC));
		if (summary && invocations_of(table, launch, err) < 0)
			return NULL;
	}
	return launch;
}

static int add_values(const struct table *table, struct ncu_launch *launch, struct error *err)
{
	static const struct {
		enum column column;
		enum ncu_which which;
	} columns[] = {{VALUE, NCU_VALUE},
		       {AVERAGE, NCU_VALUE},
		       {MINIMUM, NCU_MINIMUM},
		       {MAXIMUM, NCU_MAXIMUM}};
	const struct csv *csv = &table->csv;
	struct ncu_entry entry = {.section = cell(table, SECTION),
				  .name = cell(table, METRIC),
				  .unit = cell(table, UNIT),
				  .has_unit = table->at[UNIT] < csv_column_limit,
				  .line = csv->line};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		size_t at = table->at[columns[i].column];
		if (at == csv_column_limit)
			continue;
		if (at >= csv->cell_count)
			return error_set(err, ERR_FORMAT,
					 "line %zu: the row ends before \"%s\"; the file is "
					 "truncated or damaged",
					 csv->line, column_names[columns[i].column]);
		entry.text = csv_at(csv, at);
		entry.which = columns[i].which;
		if (ncu_profile_add(table->profile, launch, &entry, err) < 0)
			return -1;
	}
	return 0;
}

static enum advice_scope scope_of(struct span text)
{
	if (span_is(text, "global"))
		return ADVICE_GLOBAL;
	return span_is(text, "local") ? ADVICE_LOCAL : ADVICE_SCOPE_UNKNOWN;
}

/* Stores advice (OPT) and the text of the rule about the bottleneck; ignores all other rules. */
static void add_rule(const struct table *table, struct ncu_launch *launch)
{
	struct span text = cell(table, RULE_TEXT);
	if (span_is(cell(table, RULE), "SOLBottleneck"))
		ncu_profile_bottleneck(launch, text);
	else if (text.len && span_is(cell(table, RULE_TYPE), "OPT"))
		ncu_profile_rule(table->profile, launch,
				 &(struct ncu_rule_entry){cell(table, RULE), text,
							  cell(table, SPEEDUP),
							  scope_of(cell(table, SCOPE))});
}

static int read_long_row(struct table *table, struct error *err)
{
	struct ncu_launch *launch = find_launch(table, err);
	if (!launch)
		return -1;
	if (cell(table, METRIC).len)
		return add_values(table, launch, err);
	add_rule(table, launch);
	return 0;
}

static void read_units(struct table *table)
{
	struct csv *csv = &table->csv;
	table->units = arena_array(csv->arena, csv->name_count, sizeof *table->units);
	for (size_t i = 0; i < csv->name_count; i++)
		table->units[i] = csv_at(csv, i);
}

static int read_wide_row(struct table *table, struct error *err)
{
	struct csv *csv = &table->csv;
	if (!table->seen_rows && !table->units && cell(table, ID).len == 0 &&
	    cell(table, KERNEL).len == 0) {
		read_units(table);
		return 0;
	}
	if (csv->cell_count < csv->name_count)
		return error_set(err, ERR_FORMAT,
				 "line %zu: %zu cell%s, but the header has %zu; the file is "
				 "truncated or damaged",
				 csv->line, csv->cell_count, csv->cell_count == 1 ? "" : "s",
				 csv->name_count);
	table->seen_rows = true;
	struct ncu_launch *launch = find_launch(table, err);
	if (!launch)
		return -1;
	for (size_t i = 0; i < csv->name_count; i++) {
		struct ncu_entry entry = {.name = csv->names[i],
					  .unit = table->units ? table->units[i]
							       : (struct span){"", 0},
					  .text = csv_at(csv, i),
					  .has_unit = table->units != NULL,
					  .line = csv->line};
		if (span_is(entry.name, "device__attribute_display_name"))
			launch->device_name = clean(entry.text);
		else if (table->is_metric[i] &&
			 ncu_profile_add(table->profile, launch, &entry, err) < 0)
			return -1;
	}
	return 0;
}

static int read_row(struct table *table, struct error *err)
{
	size_t kernel = table->at[KERNEL];
	if (table->csv.cell_count <= kernel) {
		/* Without quotes a short row cannot be distinguished from a line of the
		 * application. */
		if (!table->quoted)
			return 0;
		return error_set(err, ERR_FORMAT,
				 "line %zu: the row ends before \"Kernel Name\"; the file is "
				 "truncated or damaged",
				 table->csv.line);
	}
	return table->at[METRIC] < csv_column_limit ? read_long_row(table, err)
						    : read_wide_row(table, err);
}

int ncu_csv_read(struct ncu_profile *profile, struct span *rest, size_t *line, struct error *err)
{
	struct table table = {.profile = profile};
	struct csv *csv = &table.csv;
	if (open_table(&table, *rest, *line, err) < 0)
		return -1;
	while (csv->rest.len) {
		struct span next = first_line(csv->rest);
		if (ncu_csv_table(next) != NCU_NO_TABLE)
			break;
		if (!looks_like_row(&table)) {
			ncu_profile_log(profile, next);
			skip_line(csv);
			continue;
		}
		int rc = csv_next(csv, err);
		if (rc < 0 || (rc > 0 && read_row(&table, err) < 0))
			return -1;
	}
	*rest = csv->rest;
	*line = csv->next_line;
	return 0;
}
