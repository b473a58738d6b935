/*
 * OpenMetrics 1.0 text: the values of a commit per series, and the number of comparisons per
 * verdict. Values come from the document's runs if it has any, otherwise from the gate. Samples
 * have no timestamps: the specification leaves these to the collector, and a series that stops
 * becomes stale. The commit and the time of the report are metrics of their own.
 */
#include "render/document/key.h"
#include "render/export/exporter.h"

#include "base/text/text.h"

/* A metric is a column. */
struct family {
	const char *key;   /* NULL: the gate has no such member */
	const char *name;  /* "rooflog_total_time_seconds" */
	const char *unit;  /* the unit, as suffix of the name; "": dimensionless */
	const char *help;  /* that of the first row in the order of the labels */
	const char *first; /* labels of that row */
	size_t column;
};

struct row {
	const char *labels; /* {kernel="qkv",...} */
	double *values;     /* by column; NAN: none */
	size_t count, capacity;
};

/* All values: the format wants them by family, the document has them by series. */
struct table {
	struct arena *arena;
	struct {
		struct family *items;
		size_t count, capacity;
	} families;
	struct {
		struct row *items;
		size_t count, capacity;
	} rows;
};

/* --- text --- */

/* Escapes labels and HELP: backslash, quote and line feed. */
static void add_escaped(struct strbuf *out, const char *text)
{
	struct strbuf shown = {0};
	shown_value(&shown, span_of(text));
	for (const char *c = strbuf_text(&shown); *c; c++) {
		if (strchr("\n\\\"", *c))
			strbuf_addch(out, '\\');
		strbuf_addch(out, (char)(*c == '\n' ? 'n' : *c));
	}
	strbuf_free(&shown);
}

static void add_label(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addf(out, "%s%s=\"", out->len > 1 ? "," : "", name);
	add_escaped(out, value);
	strbuf_addch(out, '"');
}

/* The labels of a series. Unknown or absent members are left out. `more`: how many of the labels
 * that distinguish rows of the gate to add. */
static const char *labels_of(struct arena *arena, const struct json *object, size_t more)
{
	enum { OF_SERIES = 6 };
	static const struct {
		const char *name, *member;
	} labels[] = {{"series", "series"},      {"kernel", "kernel"}, {"variant", "variant"},
		      {"params", "params_text"}, {"dtype", "dtype"},   {"device", "device"},
		      {"metric", "metric"},      {"policy", "policy"}};
	struct strbuf sb = {0};
	strbuf_addch(&sb, '{');
	assert(OF_SERIES + more <= sizeof labels / sizeof *labels);
	for (size_t i = 0; i < OF_SERIES + more; i++) {
		const char *value = json_text(object, labels[i].member, NULL);
		if (value && value[0])
			add_label(&sb, labels[i].name, value);
	}
	strbuf_addch(&sb, '}');
	return strbuf_into(&sb, arena);
}

/* --- names --- */

/* Base units as words, as the naming convention of metrics requires. */
static const char *unit_of(const char *symbol)
{
	static const struct {
		const char *symbol, *name;
	} units[] = {{"s", "seconds"},
		     {"B", "bytes"},
		     {"FLOP", "flops"},
		     {"B/s", "bytes_per_second"},
		     {"FLOP/s", "flops_per_second"},
		     {"FLOP/B", "flops_per_byte"},
		     {"Hz", "hertz"},
		     {"1/s", "per_second"}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].symbol, symbol) == 0)
			return units[i].name;
	return "";
}

/* How many bytes at the end of the key repeat the beginning of the unit: "hbm_bytes" and "bytes"
 * give 5. */
static size_t overlap(const char *key, const char *unit)
{
	size_t word = strcspn(unit, "_"), len = strlen(key);
	bool same = len > word && key[len - word - 1] == '_' &&
		    strncmp(key + len - word, unit, word) == 0;
	return same ? word : 0;
}

static const char *family_name(struct arena *arena, const char *key, const char *unit)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "rooflog_");
	for (const char *at = key; *at; at++) {
		bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
			     ascii_is_digit(*at);
		strbuf_addch(&sb, plain ? *at : '_');
	}
	size_t shared = unit[0] ? overlap(strbuf_text(&sb), unit) : 0;
	if (unit[0] && !shared)
		strbuf_addch(&sb, '_');
	strbuf_addstr(&sb, unit + shared);
	return strbuf_into(&sb, arena);
}

/* --- what is measured --- */

static struct family *family_named(struct table *table, const char *name)
{
	for (size_t i = 0; i < table->families.count; i++)
		if (strcmp(table->families.items[i].name, name) == 0)
			return &table->families.items[i];
	return NULL;
}

/* The name must live as long as the table. */
static struct family *family_of(struct table *table, const char *name, const char *unit)
{
	struct family *found = family_named(table, name);
	if (found)
		return found;
	size_t column = table->families.count;
	found = arena_add(table->arena, &table->families);
	*found = (struct family){.name = name, .unit = unit, .column = column};
	return found;
}

static struct family *family_of_key(struct table *table, const char *key, const char *unit)
{
	for (size_t i = 0; i < table->families.count; i++) {
		struct family *one = &table->families.items[i];
		if (one->key && strcmp(one->key, key) == 0 && strcmp(one->unit, unit) == 0)
			return one;
	}
	struct family *found = family_of(table, family_name(table->arena, key, unit), unit);
	if (!found->key)
		found->key = arena_strdup(table->arena, key);
	return found;
}

static void set_value(struct table *table, struct row *row, struct family *family, double value,
		      const char *help)
{
	if (isnan(value))
		return;
	while (row->count <= family->column)
		*arena_next(table->arena, row->values, row->count, row->capacity) = NAN;
	row->values[family->column] = value;
	if (family->first && strcmp(family->first, row->labels) <= 0)
		return;
	family->first = row->labels;
	if (!family->help || strcmp(family->help, help) != 0)
		family->help = arena_strdup(table->arena, help);
}

/* Room for a value of each family so far: the rows are alike. */
static struct row row_begin(struct table *table, const char *labels)
{
	size_t capacity = table->families.count;
	return (struct row){.labels = labels,
			    .values = arena_array(table->arena, capacity, sizeof(double)),
			    .capacity = capacity};
}

static void row_end(struct table *table, const struct row *row)
{
	if (row->count)
		*arena_add(table->arena, &table->rows) = *row;
}

/* A metric's value in the row of its series. */
static void add_quantity(struct table *table, struct row *row, const char *key,
			 const struct json *quantity, const char *title)
{
	double value = json_number(quantity, KEY(value), NAN);
	if (!isnan(value))
		set_value(table, row,
			  family_of_key(table, key, unit_of(json_text(quantity, KEY(unit), ""))),
			  value, title);
}

static void add_runs(struct table *table, const struct json *runs)
{
	for (struct json_walk walk = json_walk_of(runs); json_walk_next(&walk);) {
		struct row row = row_begin(table, labels_of(table->arena, walk.child, 0));
		for (const struct json *one = json_first(walk.child, KEY(metrics));
		     one && one->name; one = one->next)
			add_quantity(table, &row, one->name, one,
				     json_text(one, KEY(title), one->name));
		row_end(table, &row);
	}
}

/* A row of one value. */
static void add_value(struct table *table, struct family family, const char *labels, double value)
{
	struct row row = row_begin(table, labels);
	set_value(table, &row, family_of(table, family.name, family.unit), value, family.help);
	row_end(table, &row);
}

static const char *verdict_label(struct arena *arena, const struct json *count)
{
	struct strbuf labels = {0};
	strbuf_addch(&labels, '{');
	add_label(&labels, "verdict", json_text(count, KEY(verdict), "unknown"));
	strbuf_addch(&labels, '}');
	return strbuf_into(&labels, arena);
}

/* The labels of a comparison with its verdict and class, which change from one report to the next.
 */
static const char *outcome_label(struct arena *arena, const struct json *one)
{
	static const char *const members[] = {"verdict", "class"};
	struct strbuf labels = {0};
	const char *of_row = labels_of(arena, one, 2);
	strbuf_addspan(&labels, (struct span){of_row, strlen(of_row) - 1});
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (json_text(one, members[i], NULL))
			add_label(&labels, members[i], json_text(one, members[i], NULL));
	strbuf_addch(&labels, '}');
	return strbuf_into(&labels, arena);
}

/* The changes and statuses of the comparisons, and the judged values for a gate without runs. */
static void add_comparisons(struct table *table, const struct json *comparisons, bool values)
{
	const struct family outcome = {.name = "rooflog_comparison_info",
				       .unit = "",
				       .help = "The verdict of a comparison and its class"};
	for (struct json_walk walk = json_walk_of(comparisons); json_walk_next(&walk);) {
		const struct json *one = walk.child;
		add_value(table, outcome, outcome_label(table->arena, one), 1);
		struct row row = row_begin(table, labels_of(table->arena, one, 2));
		set_value(table, &row, family_of(table, "rooflog_change_ratio", "ratio"),
			  json_number(one, KEY(change), NAN),
			  "Relative change: candidate / baseline - 1");
		set_value(table, &row, family_of(table, "rooflog_comparison_exit_status", ""),
			  json_number(one, KEY(exit_status), NAN),
			  "Exit status of this comparison, 0 is pass");
		row_end(table, &row);
		if (!values)
			continue;
		row = row_begin(table, labels_of(table->arena, one, 0));
		add_quantity(table, &row, json_text(one, KEY(metric), "unknown"),
			     json_get(one, KEY(candidate)), json_text(one, KEY(title), "unknown"));
		row_end(table, &row);
	}
}

static void add_gate(struct table *table, const struct json *gate, bool values)
{
	const struct family status = {.name = "rooflog_gate_exit_status",
				      .unit = "",
				      .help = "Exit status of the gate, 0 is pass"};
	const struct family verdict = {.name = "rooflog_comparisons",
				       .unit = "",
				       .help = "Comparisons of primary rules by verdict"};
	add_value(table, status, "", json_number(gate, KEY(exit_status), NAN));
	for (const struct json *one = json_first(gate, KEY(verdicts)); one; one = one->next)
		add_value(table, verdict, verdict_label(table->arena, one),
			  json_number(one, KEY(count), NAN));
	add_comparisons(table, json_get(gate, KEY(comparisons)), values);
}

/* --- the file --- */

static int by_name(const void *a, const void *b)
{
	const struct family *x = a, *y = b;
	return strcmp(x->name, y->name);
}

static int by_labels(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	return strcmp(x->labels, y->labels);
}

static void add_head(struct strbuf *out, const struct family *family)
{
	strbuf_addf(out, "# TYPE %s gauge\n", family->name);
	if (family->unit[0])
		strbuf_addf(out, "# UNIT %s %s\n", family->name, family->unit);
	/* OpenMetrics requires escaped quotes in HELP; Prometheus' own format requires them
	 * unescaped. */
	struct strbuf help = {0};
	for (const char *at = family->help; *at; at++)
		strbuf_addch(&help, (char)(*at == '"' ? '\'' : *at));
	strbuf_addf(out, "# HELP %s ", family->name);
	add_escaped(out, strbuf_text(&help));
	strbuf_addch(out, '\n');
	strbuf_free(&help);
}

/* Several rows can judge one series and repeat its value; it is added once. */
static void add_family(const struct table *table, const struct family *family,
		       const struct export_target *to)
{
	struct strbuf *out = to->out;
	const char *last = NULL;
	if (family->first)
		add_head(out, family);
	for (size_t i = 0; i < table->rows.count; i++) {
		const struct row *row = &table->rows.items[i];
		bool absent = family->column >= row->count || isnan(row->values[family->column]);
		if (absent || (last && strcmp(last, row->labels) == 0))
			continue;
		const struct json number = {.type = JSON_NUMBER,
					    .number = row->values[family->column]};
		strbuf_addf(out, "%s%s ", family->name, row->labels);
		json_write(out, &number, true);
		strbuf_addch(out, '\n');
		export_drain(to);
		last = row->labels;
	}
}

static void add_candidate(struct strbuf *out, const struct json *document)
{
	const struct json *gate = json_get(document, KEY(gate));
	const struct json *commit = json_get(gate ? gate : document, gate ? "candidate" : "commit");
	const char *oid = json_text(commit, KEY(oid), NULL);
	struct strbuf labels = {0};
	if (!oid)
		return;
	strbuf_addch(&labels, '{');
	add_label(&labels, "commit", oid);
	if (gate) {
		add_label(&labels, "verdict", json_text(gate, KEY(verdict), "unknown"));
		add_label(&labels, "against", json_text(gate, KEY(against), "unknown"));
	}
	/* A gauge, not OpenMetrics' type "info", which readers of Prometheus' own format do not
	 * support. */
	strbuf_addf(out,
		    "# TYPE rooflog_candidate_info gauge\n"
		    "# HELP rooflog_candidate_info The commit that the values are of\n"
		    "rooflog_candidate_info%s} 1\n",
		    strbuf_text(&labels));
	strbuf_free(&labels);
}

void export_openmetrics(struct arena *arena, const struct json *document,
			const struct export_target *to)
{
	struct table table = {.arena = arena};
	const struct json *gate = json_get(document, KEY(gate)),
			  *runs = json_get(document, KEY(runs));
	bool measured = runs && runs->count;
	if (measured)
		add_runs(&table, runs);
	if (gate)
		add_gate(&table, gate, !measured);
	add_candidate(to->out, document);
	array_sort(table.rows.items, table.rows.count, sizeof *table.rows.items, by_labels);
	array_sort(table.families.items, table.families.count, sizeof *table.families.items,
		   by_name);
	for (size_t i = 0; i < table.families.count; i++)
		add_family(&table, &table.families.items[i], to);
	strbuf_addstr(to->out, "# EOF\n");
}
