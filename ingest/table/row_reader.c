/* The loop that all CSV tables of measurements share: header, rows, groups, runs. */
#include "ingest/table/row_reader.h"

/* --- the header --- */

bool row_reader_detect(const struct row_reader *reader, struct span head)
{
	const char *names[csv_known_limit];
	size_t count = 0;
	for (const struct row_column *c = reader->columns; c->role != ROW_END; c++)
		if (c->required)
			names[count++] = c->name;
	return csv_head_has(head, ',', names, count);
}

static bool is_named(const struct row_reader *reader, struct span name)
{
	for (const struct row_column *c = reader->columns; c->role != ROW_END; c++)
		if (span_is(name, c->name))
			return true;
	return false;
}

static int read_header(struct row_reading *r, struct error *err)
{
	if (csv_known_header(&r->csv, err) < 0)
		return -1;
	r->params = arena_array(r->arena, r->csv.name_count + 1, sizeof *r->params);
	for (size_t i = 0; r->reader->rest_are_params && i < r->csv.name_count; i++) {
		struct span name = r->csv.names[i];
		if (name.len == 0 || is_named(r->reader, name))
			continue;
		r->params[i].name = arena_strndup(r->arena, name.ptr, name.len);
		r->params[i].again = csv_column(&r->csv, r->params[i].name) < i;
	}
	return r->reader->begin ? r->reader->begin(r, err) : 0;
}

/* --- a row --- */

/* The cell of a parameter's column; empty if it means nothing. */
static struct span param_cell(const struct row_reading *r, size_t column)
{
	struct span cell = r->params[column].name ? csv_at(&r->csv, column) : (struct span){0};
	if (r->reader->none && span_is(cell, r->reader->none))
		cell.len = 0;
	return cell;
}

static bool is_identity(const struct row_column *column)
{
	return column->role == ROW_ATTRIBUTE
		       ? column->apart
		       : column->role != ROW_RESULT && column->role != ROW_NUMBER;
}

/* Everything that distinguishes work, as a text that identifies the group. Parameters include the
 * index of their column. */
static struct span key_of(struct row_reading *r)
{
	strbuf_reset(&r->key);
	for (const struct row_column *c = r->reader->columns; c->role != ROW_END; c++)
		if (is_identity(c)) {
			strbuf_addspan(&r->key, csv_cell(&r->csv, c->name));
			strbuf_addch(&r->key, '\n');
		}
	for (size_t i = 0; i < r->csv.name_count; i++) {
		struct span cell = param_cell(r, i);
		if (cell.len == 0)
			continue;
		strbuf_addf(&r->key, "%zu=", i);
		strbuf_addspan(&r->key, cell);
		strbuf_addch(&r->key, '\n');
	}
	return strbuf_span(&r->key);
}

static int take_numbers(struct row_reading *r, struct error *err)
{
	size_t count = 0;
	for (const struct row_column *c = r->reader->columns; c->role != ROW_END; c++)
		if (c->role == ROW_NUMBER) {
			assert(count < row_number_limit);
			if (csv_amount(&r->csv, c->name, &r->numbers[count++], err) < 0)
				return -1;
		}
	return 0;
}

/* --- the run of a group --- */

/* Columns with the same name are one parameter if their values agree. Otherwise the later ones are
 * named by their position, "k#10". */
static void set_params(const struct row_reading *r, struct run *run)
{
	const char *excluded = r->reader->not_param ? r->reader->not_param(r) : NULL;
	for (size_t i = 0; i < r->csv.name_count; i++) {
		const char *name = r->params[i].name;
		const char *value = param_cell(r, i).len ? csv_text_at(&r->csv, i) : NULL;
		if (!value || (excluded && strcmp(name, excluded) == 0))
			continue;
		const char *before = r->params[i].again ? run_param(run, name) : NULL;
		if (before && strcmp(before, value) != 0)
			name = arena_printf(r->arena, "%s#%zu", name, i + 1);
		run_set_param(r->arena, run, name, value);
	}
}

static int set_column(const struct row_reading *r, const struct row_column *column, struct run *run,
		      struct error *err)
{
	const char *text = csv_text(&r->csv, column->name);
	const char *as = column->as ? column->as : column->name;
	if (!text && column->role == ROW_KERNEL)
		return error_set(err, ERR_FORMAT, "line %zu: %s is empty or no readable text",
				 r->csv.line, column->name);
	if (!text)
		return 0;
	switch (column->role) {
	case ROW_KERNEL:
		run->kernel = text;
		break;
	case ROW_VARIANT:
		run->variant = text;
		break;
	case ROW_DTYPE:
		run->dtype = text;
		break;
	case ROW_DEVICE:
		run->device = text;
		break;
	case ROW_PARAM:
		run_set_param(r->arena, run, as, text);
		break;
	case ROW_ATTRIBUTE:
		run_add_attribute(r->arena, run, as, text);
		break;
	case ROW_END:
	case ROW_RESULT:
	case ROW_WORK:
	case ROW_NUMBER:
		break;
	}
	return 0;
}

static int describe(struct row_reading *r, struct run *run, struct error *err)
{
	run->tool = r->reader->tool;
	run->variant = "";
	set_params(r, run);
	if (r->reader->describe && r->reader->describe(r, run, err) < 0)
		return -1;
	for (const struct row_column *c = r->reader->columns; c->role != ROW_END; c++)
		if (set_column(r, c, run, err) < 0)
			return -1;
	return 0;
}

/* --- all rows --- */

/* 1; 0 for a row whose first number is missing or 0. */
static int take_plain(const struct row_reading *r, double *line)
{
	for (size_t i = 0; i < r->reader->width; i++)
		line[i] = r->numbers[i] / r->reader->divisors[i];
	return r->numbers[0] > 0;
}

static int take_row(struct row_reading *r, struct error *err)
{
	double line[row_width_limit];
	for (size_t i = 0; i < row_width_limit; i++)
		line[i] = NAN;
	if (take_numbers(r, err) < 0)
		return -1;
	int taken = r->reader->take ? r->reader->take(r, line, err) : take_plain(r, line);
	if (taken < 0)
		return -1;
	if (taken == 0) {
		row_groups_count_add(&r->left_out, r->csv.line);
		return 0;
	}
	struct row_group *group = row_groups_find(&r->groups, key_of(r), r->csv.line, err);
	if (!group || (group->row_count == 0 && describe(r, group->run, err) < 0))
		return -1;
	memcpy(row_groups_add(&r->groups, group), line, r->reader->width * sizeof *line);
	if (r->reader->add)
		r->reader->add(r, group->run);
	return 0;
}

static int read_rows(struct row_reading *r, struct error *err)
{
	int rc = read_header(r, err);
	while (rc >= 0 && (rc = csv_next(&r->csv, err)) > 0) {
		rc = csv_known_row(&r->csv, err);
		if (rc >= 0)
			rc = r->reader->row ? r->reader->row(r, err) : take_row(r, err);
	}
	strbuf_free(&r->key);
	return rc;
}

int row_reader_read(const struct row_reader *reader, struct arena *arena, struct input *input,
		    struct ingest_result *result, struct error *err)
{
	struct span bytes;
	assert(reader->width <= row_width_limit);
	if (input_read_all(arena, input, reader->size_limit, &bytes, err) < 0)
		return -1;
	struct row_reading r = {.reader = reader,
				.arena = arena,
				.csv = csv_of(arena, bytes, ','),
				.groups = {.arena = arena, .width = reader->width}};
	if (read_rows(&r, err) < 0)
		return -1;
	if (r.groups.count == 0)
		return error_set(err, ERR_FORMAT, "%s", reader->nothing);
	row_groups_note(&r.groups, r.left_out, reader->left_out);
	row_groups_note(&r.groups, r.strange, reader->strange);
	for (size_t i = 0; i < r.groups.count; i++) {
		const struct row_group *group = &r.groups.items[i];
		if (reader->finish)
			reader->finish(&r, group);
		for (size_t k = 0; k < reader->width; k++)
			if (reader->metrics[k] != METRIC_COUNT)
				row_groups_give(&r.groups, group, k, reader->metrics[k],
						PROVENANCE_MEASURED);
	}
	row_groups_finish(&r.groups, &result->runs);
	return 0;
}
