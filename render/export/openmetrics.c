/*
 * OpenMetrics 1.0 text: the values of a commit per series, and the number of comparisons per
 * verdict. Values come from the document's runs if it has any, otherwise from the gate. Samples
 * have no timestamps: the specification leaves these to the collector, and a series that stops
 * becomes stale. The commit and the time of the report are metrics of their own.
 */
#include "render/document/key.h"
#include "render/export/exporter.h"

#include "base/text/text.h"

struct sample {
	const char *family; /* "rooflog_total_time_seconds" */
	const char *unit;   /* the unit, as suffix of the family; "": dimensionless */
	const char *help;
	const char *labels; /* {kernel="qkv",...} */
	double value;
};

struct samples {
	struct sample *items;
	size_t count, capacity;
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

static const char *family_of(struct arena *arena, const char *key, const char *unit)
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

static void add_sample(struct arena *arena, struct samples *samples, struct sample sample)
{
	if (!isnan(sample.value))
		*arena_add(arena, samples) = sample;
}

/* Adds a metric's value; `labels` are those of its series. */
static void add_quantity(struct arena *arena, struct samples *samples, const char *labels,
			 const char *key, const struct json *quantity)
{
	const char *unit = unit_of(json_text(quantity, KEY(unit), ""));
	struct sample sample = {.family = family_of(arena, key, unit),
				.unit = unit,
				.help = arena_strdup(arena, json_text(quantity, KEY(title), key)),
				.labels = labels,
				.value = json_number(quantity, KEY(value), NAN)};
	add_sample(arena, samples, sample);
}

static void add_runs(struct arena *arena, struct samples *samples, const struct json *runs)
{
	for (struct json_walk walk = json_walk_of(runs); json_walk_next(&walk);) {
		const char *labels = labels_of(arena, walk.child, 0);
		for (const struct json *one = json_first(walk.child, KEY(metrics));
		     one && one->name; one = one->next)
			add_quantity(arena, samples, labels, one->name, one);
	}
}

static const char *verdict_label(struct arena *arena, const struct json *count)
{
	struct strbuf labels = {0};
	strbuf_addch(&labels, '{');
	add_label(&labels, "verdict", json_text(count, KEY(verdict), "unknown"));
	strbuf_addch(&labels, '}');
	return strbuf_into(&labels, arena);
}

/* Adds the verdicts and their numbers, and the judged values for a gate without runs. */
static void add_gate(struct arena *arena, struct samples *samples, const struct json *gate,
		     bool values)
{
	struct sample status = {.family = "rooflog_gate_exit_status",
				.unit = "",
				.help = "The exit status of the gate, 0 is good",
				.labels = ""};
	struct sample verdict = {.family = "rooflog_comparisons",
				 .unit = "",
				 .help = "Comparisons of primary rows by verdict"};
	struct sample change = {.family = "rooflog_change_ratio",
				.unit = "ratio",
				.help = "Candidate over baseline, less 1"};
	struct sample row = {.family = "rooflog_comparison_exit_status",
			     .unit = "",
			     .help = "The exit status that the comparison leads to, 0 is good"};
	status.value = json_number(gate, KEY(exit_status), NAN);
	add_sample(arena, samples, status);
	for (const struct json *one = json_first(gate, KEY(verdicts)); one; one = one->next) {
		verdict.labels = verdict_label(arena, one);
		verdict.value = json_number(one, KEY(count), NAN);
		add_sample(arena, samples, verdict);
	}
	struct json_walk walk = json_walk_of(json_get(gate, KEY(comparisons)));
	while (json_walk_next(&walk)) {
		const struct json *one = walk.child;
		change.labels = row.labels = labels_of(arena, one, 2);
		change.value = json_number(one, KEY(change), NAN);
		row.value = json_number(one, KEY(exit_status), NAN);
		add_sample(arena, samples, change);
		add_sample(arena, samples, row);
		size_t before = samples->count;
		if (values)
			add_quantity(arena, samples, labels_of(arena, one, 0),
				     json_text(one, KEY(metric), "unknown"),
				     json_get(one, KEY(candidate)));
		if (samples->count > before)
			samples->items[before].help =
				arena_strdup(arena, json_text(one, KEY(title), "unknown"));
	}
}

/* --- the file --- */

static int by_family(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;
	int families = strcmp(x->family, y->family);
	return families ? families : strcmp(x->labels, y->labels);
}

static void add_head(struct strbuf *out, const struct sample *sample)
{
	strbuf_addf(out, "# TYPE %s gauge\n", sample->family);
	if (sample->unit[0])
		strbuf_addf(out, "# UNIT %s %s\n", sample->family, sample->unit);
	/* OpenMetrics requires escaped quotes in HELP; Prometheus' own format requires them
	 * unescaped. */
	struct strbuf help = {0};
	for (const char *at = sample->help; *at; at++)
		strbuf_addch(&help, (char)(*at == '"' ? '\'' : *at));
	strbuf_addf(out, "# HELP %s ", sample->family);
	add_escaped(out, strbuf_text(&help));
	strbuf_addch(out, '\n');
	strbuf_free(&help);
}

/* Several rows can judge one series and repeat its value; it is added once. */
static void add_samples(struct arena *arena, struct strbuf *out, struct samples *samples)
{
	struct json *number = json_array(arena);
	array_sort(samples->items, samples->count, sizeof *samples->items, by_family);
	for (size_t i = 0; i < samples->count; i++) {
		const struct sample *sample = &samples->items[i];
		bool first = i == 0 || strcmp(sample[-1].family, sample->family) != 0;
		if (!first && by_family(&sample[-1], sample) == 0)
			continue;
		if (first)
			add_head(out, sample);
		strbuf_addf(out, "%s%s ", sample->family, sample->labels);
		json_write(out, json_set_number(arena, number, NULL, sample->value), true);
		strbuf_addch(out, '\n');
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

void export_openmetrics(struct arena *arena, const struct json *document, struct strbuf *out)
{
	struct samples samples = {0};
	const struct json *gate = json_get(document, KEY(gate)),
			  *runs = json_get(document, KEY(runs));
	bool measured = runs && runs->count;
	if (measured)
		add_runs(arena, &samples, runs);
	if (gate)
		add_gate(arena, &samples, gate, !measured);
	add_candidate(out, document);
	add_samples(arena, out, &samples);
	strbuf_addstr(out, "# EOF\n");
}
