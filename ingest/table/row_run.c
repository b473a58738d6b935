/* What the columns of a row say about new work. */
#include "ingest/table/row_run.h"

#include "base/text/text.h"
#include "ingest/json/document/document.h"

/* Relative: recovered counts are below 1e14 and have 15 significant digits or more. */
static const double whole_tolerance = 1e-9, whole_limit = 1e14;

double row_run_scaled(double number, double scale)
{
	return scale != 0 ? json_document_scale(number, scale) : number;
}

/* --- parameters --- */

static bool is_none(const struct row_reading *r, struct span cell)
{
	return cell.len == 0 || (r->reader->none && span_is(cell, r->reader->none));
}

struct span row_run_param(const struct row_reading *r, size_t column, char printed[row_number_size])
{
	double number;
	struct span cell = r->params[column].name ? csv_at(&r->csv, column) : (struct span){0};
	if (is_none(r, cell))
		return (struct span){"", 0};
	if (!r->unit || !span_number(cell, &number) || number != floor(number) ||
	    fabs(number) >= 1e15)
		return cell;
	snprintf(printed, row_number_size, "%.0f", number);
	return span_of(printed);
}

/* The column that gives the dtype; NULL if none does. */
static const struct row_column *dtype_source(const struct row_reading *r)
{
	for (const struct row_column *c = r->reader->columns; row_run_is_column(c); c++) {
		struct span cell = csv_cell(&r->csv, c->name);
		if (c->role == ROW_OPERAND_DTYPE && !is_none(r, cell))
			return c->as || dtype_normalise(cell) ? c : NULL;
	}
	return NULL;
}

/* Columns with the same name are one parameter if their values agree. Otherwise the later ones are
 * named by their position, "k#10". */
static void set_params(const struct row_reading *r, struct run *run)
{
	char printed[row_number_size];
	const struct row_column *source = dtype_source(r);
	if (source)
		run->dtype = source->as ? source->as : csv_text(&r->csv, source->name);
	for (size_t i = 0; i < r->csv.name_count; i++) {
		const char *name = r->params[i].name;
		struct span cell = row_run_param(r, i, printed);
		if (cell.len == 0 || (source && !source->as && strcmp(name, source->name) == 0))
			continue;
		const char *before = r->params[i].again ? run_param(run, name) : NULL;
		if (before && !span_is(cell, before))
			name = arena_printf(r->arena, "%s#%zu", name, i + 1);
		run_set_param(r->arena, run, name, arena_strndup(r->arena, cell.ptr, cell.len));
	}
}

static int fail_object(const struct row_reading *r, const char *name, const char *what,
		       struct error *err)
{
	return error_set(err, ERR_FORMAT, "line %zu: %s %s", r->csv.line, name, what);
}

/* The text if it is a line; else the JSON, so that different texts remain different. */
static const char *member_text(struct arena *arena, const struct json *node)
{
	struct strbuf sb = {0};
	const char *text = json_plain(arena, node);
	if (utf8_is_line(span_of(text)))
		return text;
	json_exact(&sb, node);
	return strbuf_into(&sb, arena);
}

/* {"B": 8, "dtype": "torch.bfloat16"} */
static int set_object(const struct row_reading *r, struct run *run, const char *name,
		      struct error *err)
{
	const struct json *object = json_parse(r->arena, csv_cell(&r->csv, name), err);
	if (!object)
		return error_prefix(err, "line %zu: %s", r->csv.line, name);
	if (object->type == JSON_NULL)
		return 0;
	if (object->type != JSON_OBJECT)
		return fail_object(r, name, "is not a JSON object", err);
	if (object->count > csv_known_limit)
		return fail_object(r, name, "has more than 256 members", err);
	for (const struct json *node = object->first; node; node = node->next) {
		if (!utf8_is_line(span_of(node->name)))
			return fail_object(r, name, "has a member with an unprintable name", err);
		if (node->type == JSON_NULL || !node->name[0])
			continue;
		const char *value = member_text(r->arena, node);
		if (strcmp(node->name, "dtype") == 0 && dtype_normalise(span_of(value)))
			run->dtype = value;
		else
			run_set_param(r->arena, run, node->name, value);
	}
	return 0;
}

static void set_attribute(const struct row_reading *r, const struct row_column *column,
			  struct run *run, const char *text)
{
	run_add_attribute(r->arena, run, column->as ? column->as : column->name, text);
	for (size_t i = 0; i < sizeof column->wrong / sizeof *column->wrong; i++) {
		if (!column->wrong[i] || strcmp(text, column->wrong[i]) != 0)
			continue;
		run_add_attribute(r->arena, run, "correctness", "incorrect");
		run_add_note(r->arena, run, "rooflog",
			     arena_printf(r->arena,
					  "line %zu: the profiler marks the result of %s as "
					  "\"%s\"; not used in comparisons",
					  r->csv.line, run->kernel, text));
	}
}

static int set_column(const struct row_reading *r, const struct row_column *column, struct run *run,
		      struct error *err)
{
	const char *text = csv_text(&r->csv, column->name);
	const char *as = column->title ? csv_text(&r->csv, column->title)
			 : column->as  ? column->as
				       : column->name;
	if (!text && (column->role == ROW_KERNEL || column->filled))
		return error_set(err, ERR_FORMAT, "line %zu: %s is empty or unprintable",
				 r->csv.line, column->name);
	if (!text)
		return 0;
	if (column->role == ROW_KERNEL)
		run->kernel = column->is_symbol ? kernel_name_short(r->arena, span_of(text)) : text;
	else if (column->role == ROW_VARIANT)
		run->variant = text;
	else if (column->role == ROW_DTYPE)
		run->dtype = text;
	else if (column->role == ROW_DEVICE)
		run->device = text;
	else if (column->role == ROW_PARAM)
		run_set_param(r->arena, run, as, text);
	else if (column->role == ROW_PARAMS)
		return set_object(r, run, column->name, err);
	else if (column->role == ROW_ATTRIBUTE)
		set_attribute(r, column, run, text);
	return 0;
}

/* Gives what the first row of the work states: counts, and counts or rates from rates. */
static void set_stated(const struct row_reading *r, struct run *run, double seconds)
{
	for (const struct row_column *c = r->reader->columns; row_run_is_column(c); c++) {
		double number = row_run_scaled(r->numbers[c - r->reader->columns], c->scale);
		double count = number * seconds;
		bool stated = c->role == ROW_STATED || (c->role == ROW_RATE && !c->of);
		if (!stated || !(number > 0))
			continue;
		if (c->role == ROW_RATE && count >= 1 && count < whole_limit &&
		    fabs(count - round(count)) <= whole_tolerance * count)
			run_set(run, c->count, round(count), PROVENANCE_REPORTED);
		else
			run_set(run, c->metric, number, PROVENANCE_REPORTED);
	}
}

int row_run_describe(const struct row_reading *r, struct run *run, struct span variant,
		     double value, struct error *err)
{
	run->tool = r->reader->tool;
	run->variant = arena_strndup(r->arena, variant.ptr, variant.len);
	set_params(r, run);
	for (const struct row_column *c = r->reader->columns; row_run_is_column(c); c++)
		if (set_column(r, c, run, err) < 0)
			return -1;
	set_stated(r, run, value);
	if (r->reader->describe)
		r->reader->describe(r, run);
	return 0;
}

void row_run_add_quantiles(const struct row_reading *r, const struct row_column *value,
			   struct run *run)
{
	for (const struct row_column *c = r->reader->columns; value && row_run_is_column(c); c++) {
		double number;
		if (c->role != ROW_QUANTILE)
			continue;
		const char *text = csv_text(&r->csv, c->name);
		const char *key = arena_printf(r->arena, "%s_%s", value->as, c->as);
		if (text && span_number(span_of(text), &number) && !run_attribute(run, key))
			run_add_attribute(r->arena, run, key,
					  arena_printf(r->arena, "%s %s", text, value->shown));
	}
}
