/* The table of serializers. */
#include "render/export/exporter.h"

#include <string.h>

#include "render/export/badge.h"
#include "render/export/csv.h"
#include "render/export/github.h"
#include "render/export/gitlab.h"
#include "render/export/jsonl.h"
#include "render/export/junit.h"
#include "render/export/openmetrics.h"
#include "render/export/sarif.h"

const struct serializer serializers[] = {
	{"jsonl", "a comparison a line, as in the report document", false, serialize_jsonl},
	{"csv", "a comparison a line, for spreadsheets", false, serialize_csv},
	{"junit", "a testcase a comparison, XML, for CI systems", false, serialize_junit},
	{"sarif", "what keeps the gate from passing, for code scanning", false, serialize_sarif},
	{"gitlab", "the same as GitLab's code-quality report", false, serialize_gitlab},
	{"github", "the same as annotations of a GitHub workflow, 10 at most", false,
	 serialize_github},
	{"openmetrics", "values by series, for Prometheus", true, serialize_openmetrics},
	{"badge", "the gate in two words, for shields.io", false, serialize_badge},
	{NULL, NULL, false, NULL},
};

const struct serializer *serializer_find(const char *name)
{
	for (const struct serializer *row = serializers; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

const struct json *serializer_gate(const struct json *document, const char *format,
				   struct error *err)
{
	const struct json *gate = json_get(document, "gate");
	if (!gate)
		error_set(err, ERR_FORMAT,
			  "%s tells what the gate found, and nothing was compared here", format);
	return gate;
}
