/* The kinds of outputs, and which kind the name of a file asks for. */
#include "cli/output/kinds.h"

#include <strings.h>

enum { BOTH = OUTPUT_GATE | OUTPUT_REPORT, ANALYZE = OUTPUT_BUCKETS | OUTPUT_FUSION };

const struct output_kind output_kinds[] = {
	{"text", "the command's own document as text", OUTPUT_FORM,
	 OUTPUT_GATE | OUTPUT_COMPARE | ANALYZE},
	{"md", "the same as Markdown", OUTPUT_FORM, BOTH | OUTPUT_COMPARE},
	{"html", "the same as a page; by show, the timeline of a run, by compare of two",
	 OUTPUT_FORM, BOTH | OUTPUT_SHOW | OUTPUT_COMPARE},
	{"json", "the same for programs", OUTPUT_FORM, BOTH | OUTPUT_COMPARE | ANALYZE},
	{"report", "everything about the runs of a commit", OUTPUT_PEOPLE, BOTH},
	{"nightly", "what changed since the previous run, and what is still open", OUTPUT_PEOPLE,
	 BOTH},
	{"weekly", "which commit changed what in the last seven days", OUTPUT_PEOPLE, BOTH},
	{"comment", "the gate's result as a pull request comment, at most 64 KiB", OUTPUT_PEOPLE,
	 BOTH},
	{"summary", "the gate's result as a CI job summary, below 1 MiB", OUTPUT_PEOPLE, BOTH},
	{"contract", "the profiler's output contract, one section for each run", OUTPUT_PEOPLE,
	 BOTH},
	{"devlog", "the Performance block of a development log", OUTPUT_PEOPLE, BOTH},
	{"compare", "two commits side by side, in one unit", OUTPUT_PEOPLE, OUTPUT_GATE},
	{"rerun", "what to measure again, one JSON object per line", OUTPUT_LIST, OUTPUT_GATE},
#define EXPORTER(name, needs, title) {#name, title, OUTPUT_EXPORT, BOTH},
#include "render/export/exporters.def"
#undef EXPORTER
#define CHART(name, writer, title) {#name, title, OUTPUT_CHARTED, OUTPUT_##writer},
#include "render/chart/charts.def"
#undef CHART
	{"perfetto", "the events of a run for ui.perfetto.dev (FILE.pftrace)", OUTPUT_FORM,
	 OUTPUT_SHOW},
	{"scheduler", "the times of shapes, for the fusion scheduler", OUTPUT_LIST, OUTPUT_FUSION},
	{.name = NULL},
};

const struct output_kind *output_kind_find(struct span name)
{
	for (const struct output_kind *kind = output_kinds; kind->name; kind++)
		if (span_is(name, kind->name))
			return kind;
	return NULL;
}

const char *output_kinds_of(struct arena *arena, enum output_command command)
{
	struct strbuf sb = {0};
	for (const struct output_kind *kind = output_kinds; kind->name; kind++)
		if (kind->commands & command)
			strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", kind->name);
	return strbuf_into(&sb, arena);
}

const char *output_kind_of_path(const char *path)
{
	static const struct {
		const char *ending, *kind;
	} rows[] = {
		{".md", "md"},
		{".html", "html"},
		{".json", "json"},
		{".txt", "text"},
		{".csv", "csv"},
		{".jsonl", "jsonl"},
		{".xml", "junit"},
		{".sarif", "sarif"},
		{".prom", "openmetrics"},
		{".pftrace", "perfetto"},
		{".svg", "picture"},
		{".png", "picture"},
		{".pdf", "picture"},
	};
	const char *dot = strrchr(path, '.');
	for (size_t i = 0; dot && i < sizeof rows / sizeof *rows; i++)
		if (strcasecmp(dot, rows[i].ending) == 0)
			return rows[i].kind;
	return NULL;
}
