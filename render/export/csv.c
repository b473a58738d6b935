/* CSV (RFC 4180): a header with the names of the columns, then one line per comparison. Numbers
 * are in SI base units with all digits; an unknown value is an empty cell. */
#include "render/document/key.h"
#include "render/export/exporter.h"

#include "base/text/text.h"

static const struct export_cell columns[] = {
	{"series", {"series"}},
	{"kernel", {"kernel"}},
	{"variant", {"variant"}},
	{"params", {"params_text"}},
	{"dtype", {"dtype"}},
	{"device", {"device"}},
	{"policy", {"policy"}},
	{"context", {"context"}},
	{"metric", {"metric"}},
	{"unit", {"candidate", "unit"}},
	{"verdict", {"verdict"}},
	{"class", {"class"}},
	{"exit_status", {"exit_status"}},
	{"method", {"method"}},
	{"baseline", {"baseline", "value"}},
	{"candidate", {"candidate", "value"}},
	{"change", {"change"}},
	{"change_low", {"interval", "low"}},
	{"change_high", {"interval", "high"}},
	{"p", {"p"}},
	{"q", {"q"}},
	{"noise", {"noise"}},
	{"detectable", {"detectable"}},
	{"record_commits", {"record", "commits"}},
	{"baseline_samples", {"baseline", "samples"}},
	{"candidate_samples", {"candidate", "samples"}},
	{"measurements", {"measurements"}},
	{"baseline_age_commits", {"baseline", "age_commits"}},
	{"baseline_commit", {"baseline", "commit", "oid"}},
	{"limit", {"limit_text"}},
	{"reason", {"reason"}},
	{"why", {"why", "text"}},
};

/* Whether a spreadsheet would run the text as a formula. An apostrophe in front prevents that. */
static bool is_formula(const char *text)
{
	return text[0] && strchr("=+-@\t\r", text[0]) != NULL;
}

static void add_text(struct strbuf *out, const char *text)
{
	struct strbuf shown = {0};
	shown_value(&shown, span_of(text));
	text = strbuf_text(&shown);
	bool formula = is_formula(text);
	bool quoted = strpbrk(text, ",\"\n") || text[0] == ' ' || (formula && text[0] == '\t');
	if (quoted)
		strbuf_addch(out, '"');
	if (formula)
		strbuf_addch(out, '\'');
	for (const char *c = text; *c; c++) {
		if (*c == '"')
			strbuf_addch(out, '"');
		strbuf_addch(out, *c);
	}
	if (quoted)
		strbuf_addch(out, '"');
	strbuf_free(&shown);
}

static void add_cell(struct strbuf *out, const struct json *value)
{
	if (!value || value->type == JSON_NULL)
		return;
	if (value->type == JSON_STRING)
		add_text(out, value->text);
	else
		json_write(out, value, true);
}

void export_csv(struct arena *arena, const struct json *document, const struct export_target *to)
{
	struct strbuf *out = to->out;
	const struct json *gate = json_get(document, KEY(gate));
	(void)arena;
	size_t count = sizeof columns / sizeof *columns;
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "%s%s", i ? "," : "", columns[i].name);
	strbuf_addstr(out, "\r\n");
	struct json_walk walk = json_walk_of(json_get(gate, KEY(comparisons)));
	while (json_walk_next(&walk)) {
		for (size_t i = 0; i < count; i++) {
			if (i)
				strbuf_addch(out, ',');
			add_cell(out, export_cell_of(walk.child, &columns[i]));
		}
		strbuf_addstr(out, "\r\n");
		export_drain(to);
	}
}
