/* SARIF 2.1.0: one run with one rule per verdict, and one result for each comparison that keeps
 * the gate from passing. Section numbers refer to the OASIS standard. */
#include "render/document/key.h"
#include "render/export/exporter.h"

#include "render/export/annotation.h"

static const char schema_uri[] = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
				 "schemas/sarif-schema-2.1.0.json";

/* Rule descriptions, as in docs/user/verdicts.md. Verdicts that pass by default are included,
 * because a row can make them fail. */
static const struct {
	const char *id, *name, *text;
} rules[] = {
	{"regressed", "Slower", "Slower than its history, beyond noise and confirmed."},
	{"failed", "SlowerLimit", "Outside an absolute limit."},
	{"drift", "SlowerDrift",
	 "Worse than the pinned release or the best period, without a single change "
	 "point in the window."},
	{"impossible", "Impossible", "A time below the roofline minimum."},
	{"missing", "Missing",
	 "Measured at the baseline but not at this commit, or the result failed its correctness "
	 "check."},
	{"incomparable", "MissingOtherSetup",
	 "Measured with another device, instance type, dtype, core count or tool than its "
	 "history."},
	{"suspect", "UnclearUnconfirmed",
	 "Possibly slower; needs a second measurement to confirm."},
	{"unproven", "UnclearUnproven",
	 "Suspiciously fast; needs a second measurement to confirm."},
	{"environment", "UnclearEnvironment",
	 "Shifted together with many series, or after a version or clock change."},
	{"undecided", "Unclear", "Not enough history or too noisy."},
	{"no-baseline", "NewNoBaseline", "No baseline measurement."},
	{"stale", "MissingStopped", "No longer measured, or the baseline is too old."},
	{"new", "New", "First measurement of this series."},
};
enum { RULES = sizeof rules / sizeof *rules };

/* Section 3.11.5: braces are doubled. Section 3.11.6: a name must not form a link. */
static void set_message(struct arena *arena, struct json *object, const char *name,
			const char *text)
{
	struct strbuf sb = {0};
	for (const char *at = text; *at; at++) {
		strbuf_addch(&sb, *at);
		if (*at == '{' || *at == '}')
			strbuf_addch(&sb, *at);
		if (at[0] == ']' && at[1] == '(')
			strbuf_addch(&sb, ' ');
	}
	json_set_text(arena, json_set_object(arena, object, name), KEY(text), strbuf_text(&sb));
	strbuf_free(&sb);
}

/* A path as a relative reference (RFC 3986). */
static const char *uri_of(struct arena *arena, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-._~/";
	struct strbuf sb = {0};
	for (; *path; path++)
		if (strchr(plain, *path))
			strbuf_addch(&sb, *path);
		else
			strbuf_addf(&sb, "%%%02X", (unsigned)(unsigned char)*path);
	return strbuf_into(&sb, arena);
}

static void add_tool(struct arena *arena, struct json *run, const struct json *document)
{
	struct json *driver =
		json_set_object(arena, json_set_object(arena, run, KEY(tool)), "driver");
	const char *version = json_text(json_get(document, KEY(generator)), KEY(version), NULL);
	json_set_text(arena, driver, KEY(name), "rooflog");
	if (version)
		json_set_text(arena, driver, KEY(version), version);
	struct json *list = json_set_array(arena, driver, "rules");
	for (size_t i = 0; i < RULES; i++) {
		struct json *rule = json_add_object(arena, list);
		json_set_text(arena, rule, KEY(id), rules[i].id);
		json_set_text(arena, rule, KEY(name), rules[i].name);
		set_message(arena, rule, "shortDescription", rules[i].text);
	}
}

static void add_location(struct arena *arena, struct json *result,
			 const struct annotation *annotation)
{
	struct json *location = json_add_object(arena, json_set_array(arena, result, "locations"));
	struct json *physical = json_set_object(arena, location, "physicalLocation");
	struct json *artifact = json_set_object(arena, physical, "artifactLocation");
	json_set_text(arena, artifact, "uri", uri_of(arena, annotation->path));
	json_set_text(arena, artifact, "uriBaseId", "%SRCROOT%");
	struct json *region = json_set_object(arena, physical, "region");
	json_set_number(arena, region, "startLine", annotation->line);
	struct json *logical =
		json_add_object(arena, json_set_array(arena, location, "logicalLocations"));
	json_set_text(arena, logical, KEY(name),
		      json_text(annotation->comparison, KEY(kernel), annotation->name));
	json_set_text(arena, logical, "fullyQualifiedName", annotation->name);
	json_set_text(arena, logical, KEY(kind), "function");
}

/* Section 3.27.17: identifies a result across runs. GitHub reads primaryLocationLineHash. */
static void add_fingerprints(struct arena *arena, struct json *result,
			     const struct annotation *annotation)
{
	struct json *prints = json_set_object(arena, result, "partialFingerprints");
	/* GitHub's format: 16 hexadecimal digits, a colon, the occurrence of equal lines. */
	json_set_text(arena, prints, "primaryLocationLineHash",
		      arena_printf(arena, "%.16s:1", annotation->fingerprint));
	json_set_text(arena, prints, "rooflogSeriesMetric/v1", annotation->fingerprint);
}

static void add_properties(struct arena *arena, struct json *result, const struct json *one)
{
	static const char *const members[] = {"series", "metric", "policy", "class",      "change",
					      "p",      "q",      "noise",  "exit_status"};
	struct json *bag = json_set_object(arena, result, "properties");
	const struct json *candidate = json_get(one, KEY(candidate));
	json_set_number(arena, bag, KEY(candidate), json_number(candidate, KEY(value), NAN));
	json_set_number(arena, bag, KEY(baseline),
			json_number(json_get(one, KEY(baseline)), KEY(value), NAN));
	json_set_text(arena, bag, KEY(unit), json_text(candidate, KEY(unit), NULL));
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		const struct json *value = json_get(one, members[i]);
		if (value && value->type == JSON_NUMBER)
			json_set_number(arena, bag, members[i], value->number);
		else if (value && value->type == JSON_STRING)
			json_set_text(arena, bag, members[i], value->text);
	}
}

static void add_result(struct arena *arena, struct json *results,
		       const struct annotation *annotation)
{
	struct json *result = json_add_object(arena, results);
	json_set_text(arena, result, "ruleId", annotation->verdict);
	for (size_t i = 0; i < RULES; i++)
		if (strcmp(rules[i].id, annotation->verdict) == 0)
			json_set_number(arena, result, "ruleIndex", (double)i);
	json_set_text(arena, result, KEY(level), annotation->level->sarif);
	set_message(arena, result, "message",
		    arena_printf(arena, "%s: %s: %s", annotation->word, annotation->label,
				 annotation->message));
	add_location(arena, result, annotation);
	add_fingerprints(arena, result, annotation);
	if (annotation->comparison)
		add_properties(arena, result, annotation->comparison);
}

void export_sarif(struct arena *arena, const struct json *document, const struct export_target *to)
{
	size_t count;
	const struct json *gate = json_get(document, KEY(gate));
	const struct annotation *annotations = annotations_of(arena, gate, &count);
	struct json *log = json_object(arena);
	json_set_text(arena, log, KEY(version), "2.1.0");
	json_set_text(arena, log, "$schema", schema_uri);
	struct json *run = json_add_object(arena, json_set_array(arena, log, KEY(runs)));
	add_tool(arena, run, document);
	struct json *details = json_set_object(arena, run, "automationDetails");
	json_set_text(arena, details, KEY(id), "rooflog/gate/");
	json_set_text(arena, run, "columnKind", "utf16CodeUnits");
	struct json *results = json_set_array(arena, run, "results");
	for (size_t i = 0; i < count; i++)
		add_result(arena, results, &annotations[i]);
	json_write(to->out, log, false);
	strbuf_addch(to->out, '\n');
}
