/*
 * JUnit XML: one test case per comparison. A comparison that leads to exit status 1 is a failure;
 * any other that keeps the gate from passing is an error (could not be judged). A comparison that
 * says nothing about the candidate, is accepted, or only gives context is skipped. The suite is
 * green if and only if the gate passes.
 */
#include "render/document/key.h"
#include "render/export/exporter.h"

#include "base/text/text.h"
#include "render/export/annotation.h"

/* --- XML 1.0 --- */

/* Escapes attribute values and text between tags. Every character that XML does not allow is one
 * that does not show (utf8_is_hidden). */
static void xml_text(struct strbuf *out, const char *text)
{
	static const char *const entities[128] = {
		['&'] = "&amp;",  ['<'] = "&lt;",  ['>'] = "&gt;",
		['"'] = "&quot;", ['\t'] = "&#9;", ['\n'] = "&#10;"};
	struct strbuf shown = {0};
	shown_value(&shown, span_of(text));
	for (size_t i = 0; i < shown.len; i++) {
		unsigned char c = (unsigned char)shown.buf[i];
		if (c < 128 && entities[c])
			strbuf_addstr(out, entities[c]);
		else
			strbuf_addch(out, (char)c);
	}
	strbuf_free(&shown);
}

static void xml_attribute(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addf(out, " %s=\"", name);
	xml_text(out, value);
	strbuf_addch(out, '"');
}

/* --- the outcome of a comparison --- */

enum outcome { OUTCOME_PASSED, OUTCOME_FAILURE, OUTCOME_ERROR, OUTCOME_SKIPPED, OUTCOME_LIMIT };

static const char *const outcome_names[OUTCOME_LIMIT] = {"", "failure", "error", "skipped"};

static bool is_good(const char *verdict)
{
	return strcmp(verdict, "improved") == 0 || strcmp(verdict, "unchanged") == 0 ||
	       strcmp(verdict, "held") == 0;
}

static enum outcome outcome_of(const struct annotation *annotation)
{
	bool context = json_truth(annotation->comparison, KEY(context));
	if (!annotation->level)
		return is_good(annotation->verdict) && !context ? OUTCOME_PASSED : OUTCOME_SKIPPED;
	return strcmp(annotation->level->junit, "failure") == 0 ? OUTCOME_FAILURE : OUTCOME_ERROR;
}

/* --- the document --- */

static void add_property(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addstr(out, "      <property");
	xml_attribute(out, "name", name);
	xml_attribute(out, "value", value);
	strbuf_addstr(out, "/>\n");
}

/* Adds the known numbers to the output text, one per line: JUnit schemas allow <properties> in
 * suites only, not in cases. */
static void add_values(struct arena *arena, struct strbuf *out, const struct json *one)
{
	static const struct export_cell cells[] = {
		{"candidate", {"candidate", "value"}},
		{"baseline", {"baseline", "value"}},
		{"unit", {"candidate", "unit"}},
		{"baseline_commit", {"baseline", "commit", "oid"}},
		{"verdict", {"verdict"}},
		{"class", {"class"}},
		{"method", {"method"}},
		{"change", {"change"}},
		{"p", {"p"}},
		{"q", {"q"}},
		{"noise", {"noise"}},
		{"limit_text", {"limit_text"}},
		{"change_low", {"interval", "low"}},
		{"change_high", {"interval", "high"}},
	};
	strbuf_addstr(out, "      <system-out>\n");
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
		const struct json *value = export_cell_of(one, &cells[i]);
		if (!value || value->type == JSON_NULL)
			continue;
		strbuf_addf(out, "%s: ", cells[i].name);
		xml_text(out, annotation_clean(arena, json_plain(arena, value)));
		strbuf_addch(out, '\n');
	}
	strbuf_addstr(out, "</system-out>\n");
}

/* Adds the time attribute if the metric is a duration, as plain decimals (no exponent), which
 * readers expect. */
static void add_time(struct strbuf *out, const struct json *one)
{
	const struct json *candidate = json_get(one, KEY(candidate));
	double seconds = json_number(candidate, KEY(value), NAN);
	if (strcmp(json_text(candidate, KEY(unit), ""), "s") == 0 && seconds >= 0 && seconds < 1e12)
		strbuf_addf(out, " time=\"%.12f\"", seconds);
}

static void add_outcome(struct strbuf *out, enum outcome outcome, const char *verdict,
			const char *message)
{
	if (outcome == OUTCOME_PASSED)
		return;
	strbuf_addf(out, "      <%s", outcome_names[outcome]);
	xml_attribute(out, "type", verdict);
	xml_attribute(out, "message", message);
	strbuf_addch(out, '>');
	xml_text(out, message);
	strbuf_addf(out, "</%s>\n", outcome_names[outcome]);
}

static void add_case(struct arena *arena, struct strbuf *out, const struct annotation *annotation)
{
	const struct json *one = annotation->comparison;
	strbuf_addstr(out, "    <testcase");
	xml_attribute(out, "classname", one ? json_text(one, KEY(kernel), "unknown") : "rooflog");
	xml_attribute(out, "name", annotation->name);
	if (one)
		add_time(out, one);
	strbuf_addstr(out, ">\n");
	add_outcome(out, outcome_of(annotation), annotation->verdict, annotation->message);
	if (one)
		add_values(arena, out, one);
	strbuf_addstr(out, "    </testcase>\n");
}

static void count_case(struct arena *arena, struct strbuf *out, const struct annotation *annotation,
		       size_t counts[OUTCOME_LIMIT])
{
	counts[outcome_of(annotation)]++;
	add_case(arena, out, annotation);
}

static void add_counts(struct strbuf *out, size_t tests, const size_t counts[OUTCOME_LIMIT])
{
	strbuf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", tests,
		    counts[OUTCOME_FAILURE], counts[OUTCOME_ERROR]);
}

/* "2026-11-21T09:32:51": without the zone, which is UTC, as the schema requires. */
static void add_timestamp(struct strbuf *out, const char *time)
{
	enum { LENGTH = 20 };
	if (strlen(time) != LENGTH || strspn(time, "0123456789-T:") != LENGTH - 1)
		return;
	strbuf_addf(out, " timestamp=\"%.*s\"", LENGTH - 1, time);
}

static void add_suite_properties(struct strbuf *out, const struct json *gate)
{
	const char *oid = json_text(json_get(gate, KEY(candidate)), KEY(oid), NULL);
	strbuf_addstr(out, "    <properties>\n");
	add_property(out, "verdict", json_text(gate, KEY(verdict), "unknown"));
	add_property(out, "against", json_text(gate, KEY(against), "unknown"));
	add_property(out, "reason", json_text(gate, KEY(reason), "unknown"));
	if (oid)
		add_property(out, "candidate_commit", oid);
	strbuf_addstr(out, "    </properties>\n");
}

void export_junit(struct arena *arena, const struct json *document, const struct export_target *to)
{
	struct strbuf *out = to->out;
	size_t count = 0, counts[OUTCOME_LIMIT] = {0};
	const struct json *gate = json_get(document, KEY(gate));
	struct strbuf cases = {0};
	struct annotation one;
	if (annotation_of_gate(arena, gate, &one)) {
		count_case(arena, &cases, &one, counts);
		count++;
	}
	struct json_walk walk = json_walk_of(json_get(gate, KEY(comparisons)));
	for (; json_walk_next(&walk); count++) {
		struct arena scratch = {0};
		annotation_init(&scratch, walk.child, &one);
		count_case(&scratch, &cases, &one, counts);
		arena_free(&scratch);
	}
	strbuf_addstr(out,
		      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rooflog\"");
	add_counts(out, count, counts);
	strbuf_addstr(out, ">\n  <testsuite name=\"rooflog gate\"");
	add_counts(out, count, counts);
	strbuf_addf(out, " skipped=\"%zu\"", counts[OUTCOME_SKIPPED]);
	add_timestamp(out, json_text(document, KEY(generated_at), ""));
	strbuf_addstr(out, ">\n");
	add_suite_properties(out, gate);
	strbuf_addspan(out, strbuf_span(&cases));
	strbuf_free(&cases);
	strbuf_addstr(out, "  </testsuite>\n</testsuites>\n");
}
