/* rooflog stats detect: finds change points of series in a table, so that everyone can score the
 * detector with data of their own. It opens neither store nor repository. */
#include "cli/command.h"

#include "cli/query/query.h"
#include "model/changepoint/changepoint.h"
#include "render/document/document.h"
#include "render/series/series.h"

static struct detected_series detect_series(struct cli *cli, const struct measured_series *series,
					    const struct detect_options *options)
{
	struct arena scratch = {NULL, 0};
	const double *values = measured_series_values(&scratch, series);
	struct detected_series found = {series,
					detect_changes(&scratch, values, series->count, options)};
	struct detect_change *changes =
		arena_array(&cli->arena, found.result.count, sizeof *changes);
	for (size_t i = 0; i < found.result.count; i++)
		changes[i] = found.result.changes[i];
	found.result.changes = changes;
	arena_free(&scratch);
	return found;
}

static int print_found(struct cli *cli, const struct measured_series_list *list,
		       const struct detect_options *options, const char *protocol, bool as_json,
		       struct error *err)
{
	bool named = protocol ? strcmp(protocol, "multi") == 0
			      : list->count > 1 || (list->count && list->items[0].name[0]);
	struct json *document = document_begin(&cli->arena, SCHEMA(changes));
	struct json *all = json_set_array(&cli->arena, document, KEY(series));
	struct strbuf out = {0};
	for (size_t i = 0; i < list->count; i++) {
		struct detected_series found = detect_series(cli, &list->items[i], options);
		if (as_json)
			render_detect_json(&cli->arena, all, &found);
		else
			render_detect_lines(&out, &found, named);
	}
	return as_json ? cli_print_json(document, err) : cli_output(cli, NULL, &out, err);
}

struct detect_arguments {
	const char *protocol, *path;
	bool suspects;
};

static int detect(struct cli *cli, void *options, struct error *err)
{
	const struct detect_arguments *o = options;
	struct detect_options limits = o->suspects ? detect_suspects() : detect_defaults();
	struct measured_series_list list;
	if (cli_query_read_series(cli, o->path, &list, err) < 0)
		return -1;
	if (o->protocol && strcmp(o->protocol, "single") == 0 && list.count > 1)
		return error_set(err, ERR_USAGE, "--protocol single, but the table has %zu series",
				 list.count);
	return print_found(cli, &list, &limits, o->protocol, cli->common.json, err);
}

#define FIELD(member) OPTION_FIELD(struct detect_arguments, member)
static const struct option rows[] = {
	{FIELD(suspects), "suspects", NULL,
	 "also change points with only two or three commits after them; measure again before you "
	 "rely on them"},
	{FIELD(protocol), "protocol", "P",
	 "output lines: single (INDEX,DIRECTION) or multi (SERIES,INDEX,DIRECTION) (default: as "
	 "the table is)",
	 .choices = "single|multi"},
	{.kind = OPTION_END},
};

const struct command cli_query_detect = {
	.name = "stats detect",
	.summary = "find change points in a plain table of numbers",
	.options = rows,
	.arguments = {{"FILE", ARGUMENT(struct detect_arguments, path)}},
	.takes = "one file",
	.options_size = sizeof(struct detect_arguments),
	.without_store = true,
	.without_config = true,
	.run = detect,
};
