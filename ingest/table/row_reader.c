/* The loop that all CSV tables of measurements share: header, rows, groups, runs. */
#include "ingest/table/row_reader.h"

#include "base/text/text.h"
#include "ingest/table/lines.h"
#include "ingest/table/row_run.h"

/* Rates are printed with six digits, and so is the time from which they are recomputed. */
static const double rate_tolerance = 1e-4;

static char separator_of(const struct row_reader *reader)
{
	return reader->separator ? reader->separator : ',';
}

/* --- the header --- */

/* Whether the columns say what the column is. Dtypes of operands may be parameters as well. */
static bool is_listed(const struct row_reader *reader, struct span name)
{
	for (const struct row_column *c = reader->columns; row_run_is_column(c); c++)
		if ((c->role != ROW_OPERAND_DTYPE && span_is(name, c->name)) ||
		    span_is(name, c->deviation))
			return true;
	for (const char *const *result = reader->results; result && *result; result++)
		if (span_is(name, *result))
			return true;
	return false;
}

/* The unit in "Triton (GB/s)", and the name before it. */
static const struct row_unit *unit_of(const struct row_reader *reader, struct span heading,
				      struct span *name)
{
	for (const struct row_unit *unit = reader->headings; unit->word; unit++) {
		char end[24];
		size_t len = (size_t)snprintf(end, sizeof end, " (%s)", unit->word);
		assert(len < sizeof end);
		if (heading.len > len && span_ends(heading, end)) {
			*name = span_trim((struct span){heading.ptr, heading.len - len});
			return unit;
		}
	}
	return NULL;
}

/* Whether the columns are parameters, then values with one unit, then at most one listed column. */
static bool find_headings(struct row_reading *r)
{
	struct span name = {NULL, 0};
	const struct csv *csv = &r->csv;
	r->variants = arena_array(csv->arena, csv->name_count + 1, sizeof *r->variants);
	while (r->first < csv->name_count && !unit_of(r->reader, csv->names[r->first], &name)) {
		struct span param = csv->names[r->first++];
		if (param.len == 0 || !utf8_is_line(param))
			return false;
	}
	if (r->first == 0 || r->first == csv->name_count)
		return false;
	r->unit = unit_of(r->reader, csv->names[r->first], &name);
	r->end = r->first;
	while (r->end < csv->name_count &&
	       unit_of(r->reader, csv->names[r->end], &name) == r->unit && name.len &&
	       utf8_is_line(name))
		r->variants[r->end++] = name;
	return r->end > r->first &&
	       (r->end == csv->name_count ||
		(r->end + 1 == csv->name_count && is_listed(r->reader, csv->names[r->end])));
}

/* --- tables in the output of a program --- */

/* Makes r->csv the table below the next line that is reader->after; false if there is none. */
static bool next_table(struct row_reading *r, struct lines *lines)
{
	struct span line = {"", 0};
	bool begun = false;
	if (!r->reader->after)
		return false;
	while (!span_is(span_trim(line), r->reader->after))
		if (!lines_next(lines, &line))
			return false;
	struct span table = lines->rest;
	size_t number = lines->number;
	for (bool blank = true; !(begun && blank) && lines_next(lines, &line); begun |= !blank)
		blank = span_trim(line).len == 0;
	table.len -= lines->rest.len;
	r->csv = csv_of(r->arena, table, separator_of(r->reader));
	r->csv.next_line = number + 1;
	return true;
}

static bool is_output(const struct row_reader *reader, struct span text)
{
	struct lines lines = lines_of(text);
	struct span line;
	while (reader->sign && lines_next(&lines, &line))
		if (span_starts(span_trim(line), reader->sign))
			return true;
	return false;
}

bool row_reader_detect(const struct row_reader *reader, struct span head)
{
	struct arena arena = {0};
	struct error ignored;
	struct lines lines = lines_of(head);
	struct row_reading r = {.reader = reader, .arena = &arena};
	if (is_output(reader, head))
		return true;
	if (!next_table(&r, &lines))
		r.csv = csv_of(&arena, head, separator_of(reader));
	bool found = csv_header(&r.csv, &ignored) > 0 && (!reader->headings || find_headings(&r));
	for (const struct row_column *c = reader->columns; found && row_run_is_column(c); c++)
		found = !c->required || csv_has(&r.csv, c->name);
	arena_free(&arena);
	return found;
}

static int read_header(struct row_reading *r, struct error *err)
{
	if (csv_known_header(&r->csv, err) < 0)
		return -1;
	if (r->reader->headings && !find_headings(r))
		return error_set(
			err, ERR_FORMAT,
			"line 1: expected argument columns, then provider columns with one unit, "
			"such as \"Triton (ms)\"; use --columns for other tables");
	r->params = arena_array(r->arena, r->csv.name_count + 1, sizeof *r->params);
	for (size_t i = 0; r->reader->rest_are_params && i < r->csv.name_count; i++) {
		struct span name = r->csv.names[i];
		if (name.len == 0 || (r->unit ? i >= r->first : is_listed(r->reader, name)))
			continue;
		r->params[i].name = arena_strndup(r->arena, name.ptr, name.len);
		r->params[i].again = csv_column(&r->csv, r->params[i].name) < i;
	}
	return 0;
}

/* --- the identity of a row's work --- */

static bool is_identity(const struct row_column *column)
{
	return column->role == ROW_ATTRIBUTE
		       ? column->apart
		       : column->role > ROW_RESULT && column->role < ROW_OPERAND_DTYPE;
}

/* Sets the key to everything in the row that distinguishes work, as a text. Parameters, among them
 * the dtypes of operands, include the index of their column. */
static void set_key(struct row_reading *r)
{
	char printed[row_number_size];
	strbuf_reset(&r->key);
	for (const struct row_column *c = r->reader->columns; row_run_is_column(c); c++)
		if (is_identity(c)) {
			strbuf_addch(&r->key, '\n');
			strbuf_addspan(&r->key, csv_cell(&r->csv, c->name));
		}
	for (size_t i = 0; i < r->csv.name_count; i++) {
		struct span cell = row_run_param(r, i, printed);
		if (cell.len == 0)
			continue;
		strbuf_addf(&r->key, "\n%zu=", i);
		strbuf_addspan(&r->key, cell);
	}
}

/* --- a row --- */

/* Whether the row has the value of the column: in a long table it has one of them. */
static bool has_value(const struct row_reading *r, const struct row_column *column)
{
	const struct row_reader *reader = r->reader;
	return column->role == ROW_VALUE &&
	       (!reader->names || (span_is(csv_cell(&r->csv, reader->names), column->as) &&
				   span_is(csv_cell(&r->csv, reader->units), column->unit)));
}

/* The first column whose value the row has; NULL if a long table's metric or unit is unknown. */
static const struct row_column *first_value(const struct row_reading *r)
{
	const struct row_column *c = r->reader->columns;
	while (row_run_is_column(c) && !has_value(r, c))
		c++;
	return row_run_is_column(c) ? c : NULL;
}

static int fail_value(const struct row_reading *r, struct error *err)
{
	char name[lines_excerpt_size], unit[lines_excerpt_size];
	struct strbuf known = {0};
	for (const struct row_column *c = r->reader->columns; row_run_is_column(c); c++)
		if (c->role == ROW_VALUE)
			strbuf_addf(&known, "%s%s in %s", known.len ? " and " : "", c->as, c->unit);
	error_set(err, ERR_FORMAT, "line %zu: %s \"%s\" in \"%s\" is not supported; expected %s",
		  r->csv.line, r->reader->names,
		  lines_excerpt(name, csv_cell(&r->csv, r->reader->names)),
		  lines_excerpt(unit, csv_cell(&r->csv, r->reader->units)), strbuf_text(&known));
	strbuf_free(&known);
	return -1;
}

/* Reads the numbers of the row, and the values and deviations to `line`. */
static int read_numbers(struct row_reading *r, double *line, struct error *err)
{
	for (const struct row_column *c = r->reader->columns; row_run_is_column(c); c++) {
		double *number = &r->numbers[c - r->reader->columns];
		if (c->role != ROW_VALUE && c->role != ROW_STATED && c->role != ROW_RATE)
			continue;
		if (csv_amount(&r->csv, c->name, number, err) < 0)
			return -1;
		if (c->role != ROW_VALUE)
			continue;
		*line++ = has_value(r, c) ? row_run_scaled(*number, c->scale) : NAN;
		if (c->deviation && csv_amount(&r->csv, c->deviation, line, err) < 0)
			return -1;
		if (c->deviation) {
			*line = row_run_scaled(*line, c->scale);
			line++;
		}
	}
	return 0;
}

static bool is_left_out(const struct row_reading *r, const struct row_column *value)
{
	for (const struct row_column *c = r->reader->columns; row_run_is_column(c); c++)
		if (c->only && csv_has(&r->csv, c->name) &&
		    !span_is(csv_cell(&r->csv, c->name), c->only))
			return true;
	double number = r->numbers[value - r->reader->columns];
	return !(number > 0 || (number == 0 && !metric_zero_is_nothing(value->metric)));
}

static bool is_near(double number, double expected)
{
	return fabs(number - expected) <= rate_tolerance * fabs(expected);
}

/* Whether a rate does not follow from its count and the time. */
static bool is_strange(const struct row_reading *r, double seconds)
{
	const struct row_column *columns = r->reader->columns;
	for (const struct row_column *c = columns; row_run_is_column(c); c++) {
		size_t of = 0;
		double rate = r->numbers[c - columns];
		if (!c->of || isnan(rate) || rate == 0)
			continue;
		while (strcmp(columns[of].name, c->of) != 0)
			of++;
		double expected = r->numbers[of] / seconds;
		if (!isnan(expected) && !is_near(rate, expected / c->scale) &&
		    !(c->other_scale > 0 && is_near(rate, expected / c->other_scale)))
			return true;
	}
	return false;
}

/* Rows that state other FLOP are not repeats, whatever the other columns say. */
static int check_work(const struct row_reading *r, const struct row_group *group, struct error *err)
{
	const struct row_column *columns = r->reader->columns;
	for (const struct row_column *c = columns; row_run_is_column(c); c++) {
		if (c->role != ROW_STATED || metric_info(c->metric)->unit != UNIT_FLOP)
			continue;
		double number = row_run_scaled(r->numbers[c - columns], c->scale);
		double first = group->run->given[c->metric].number;
		if (number > 0 && first > 0 && !run_flops_agree(first, number))
			return error_set(err, ERR_FORMAT,
					 "line %zu has the same kernel and parameters as an "
					 "earlier line, but %s is %s, there %s",
					 r->csv.line, c->name,
					 quantity_text(r->arena, number, UNIT_FLOP),
					 quantity_text(r->arena, first, UNIT_FLOP));
	}
	return 0;
}

/* Adds the values to the work of the row and the variant; value is NULL in a table with headings.
 * set_key() was called for the row. */
static int add_line(struct row_reading *r, struct span variant, const double *line,
		    const struct row_column *value, struct error *err)
{
	size_t len = r->key.len;
	strbuf_addch(&r->key, '\n');
	strbuf_addspan(&r->key, variant);
	struct row_group *group =
		row_groups_find(&r->groups, strbuf_span(&r->key), r->csv.line, err);
	strbuf_truncate(&r->key, len);
	if (!group ||
	    (group->row_count == 0 ? row_run_describe(r, group->run, variant, line[0], err)
				   : check_work(r, group, err)) < 0)
		return -1;
	memcpy(row_groups_add(&r->groups, group), line, r->groups.width * sizeof *line);
	row_run_add_quantiles(r, value, group->run);
	return 0;
}

static int read_row(struct row_reading *r, struct error *err)
{
	double line[row_width_limit] = {0};
	const struct row_column *value = first_value(r);
	if (!value && r->reader->others) {
		row_groups_count_add(&r->others, r->csv.line);
		return 0;
	}
	if (!value)
		return fail_value(r, err);
	if (read_numbers(r, line, err) < 0)
		return -1;
	if (is_left_out(r, value)) {
		row_groups_count_add(&r->left_out, r->csv.line);
		return 0;
	}
	if (is_strange(r, line[0]))
		row_groups_count_add(&r->strange, r->csv.line);
	set_key(r);
	return add_line(r, (struct span){"", 0}, line, value, err);
}

/* A row with a value per variant. */
static int read_variants(struct row_reading *r, struct error *err)
{
	char excerpt[lines_excerpt_size];
	set_key(r);
	for (size_t i = r->first; i < r->end; i++) {
		struct span cell = csv_at(&r->csv, i);
		double number = 0;
		if (!csv_is_absent(cell) && (!span_number(cell, &number) || number < 0))
			return error_set(err, ERR_FORMAT,
					 "line %zu: column %zu is \"%s\", expected a %s",
					 r->csv.line, i + 1, lines_excerpt(excerpt, cell),
					 r->unit->metric == METRIC_TOTAL_TIME ? "time" : "rate");
		if (!(number > 0))
			row_groups_count_add(&r->left_out, r->csv.line);
		else if (add_line(r, r->variants[i],
				  (double[]){row_run_scaled(number, r->unit->scale)}, NULL,
				  err) < 0)
			return -1;
	}
	return 0;
}

/* --- the table --- */

/* Numbers per row: the values, and their deviations. */
static size_t width_of(const struct row_reader *reader)
{
	size_t width = reader->headings != NULL;
	for (const struct row_column *c = reader->columns; row_run_is_column(c); c++) {
		assert(c - reader->columns < row_column_limit);
		assert(c->role != ROW_OPERAND_DTYPE || reader->rest_are_params);
		if (c->role == ROW_VALUE)
			width += c->deviation ? 2 : 1;
	}
	assert(width > 0 && width <= row_width_limit);
	return width;
}

/* A group with a single row represents repeats, too, if the file has their deviation. */
static void set_deviation(const struct row_reading *r, const struct row_group *group,
			  enum metric metric, const double numbers[2])
{
	struct run_spread spread = run_spread_unknown(metric);
	if (group->row_count > 1 || isnan(numbers[1]))
		return;
	spread.median = numbers[0];
	spread.deviation = numbers[1];
	run_add_spread(r->arena, group->run, spread);
}

static void set_values(const struct row_reading *r, const struct row_group *group)
{
	size_t slot = 0;
	for (const struct row_column *c = r->reader->columns; row_run_is_column(c); c++) {
		if (c->role != ROW_VALUE)
			continue;
		if (c->deviation)
			set_deviation(r, group, c->metric, &group->numbers[slot]);
		row_groups_set_metric(&r->groups, group, slot, c->metric, PROVENANCE_MEASURED);
		slot += c->deviation ? 2 : 1;
	}
	if (r->unit)
		row_groups_set_metric(&r->groups, group, 0, r->unit->metric,
				      r->unit->metric == METRIC_TOTAL_TIME ? PROVENANCE_MEASURED
									   : PROVENANCE_REPORTED);
}

static int read_table(struct row_reading *r, struct error *err)
{
	int rc = read_header(r, err);
	while (rc >= 0 && (rc = csv_next(&r->csv, err)) > 0) {
		rc = csv_known_row(&r->csv, err);
		if (rc >= 0)
			rc = r->unit ? read_variants(r, err) : read_row(r, err);
	}
	return rc;
}

static int read_tables(struct row_reading *r, struct span bytes, struct error *err)
{
	struct lines lines = lines_of(bytes);
	size_t count = 0;
	for (; next_table(r, &lines); count++)
		if (read_table(r, err) < 0)
			return -1;
	if (count)
		return 0;
	if (is_output(r->reader, bytes))
		return error_set(err, ERR_FORMAT,
				 "no table below a line \"%s\"; the program writes it at the end "
				 "of its output, or to the file that it was given",
				 r->reader->after);
	r->csv = csv_of(r->arena, bytes, separator_of(r->reader));
	return read_table(r, err);
}

int row_reader_read(const struct row_reader *reader, struct arena *arena, struct input *input,
		    struct ingest_result *result, struct error *err)
{
	struct span bytes;
	if (input_read_all(arena, input, reader->size_limit, &bytes, err) < 0)
		return -1;
	struct row_reading r = {.reader = reader,
				.arena = arena,
				.groups = {.arena = arena, .width = width_of(reader)}};
	int rc = read_tables(&r, bytes, err);
	strbuf_free(&r.key);
	if (rc < 0)
		return -1;
	if (r.groups.count == 0)
		return error_set(err, ERR_FORMAT, "%s", reader->nothing);
	row_groups_note(&r.groups, r.left_out, reader->left_out);
	row_groups_note(&r.groups, r.strange, reader->strange);
	row_groups_note(&r.groups, r.others, reader->others);
	for (size_t i = 0; i < r.groups.count; i++)
		set_values(&r, &r.groups.items[i]);
	row_groups_finish(&r.groups, &result->runs);
	return 0;
}
