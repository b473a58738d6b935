/* rooflog list: what the program knows, and which kernels and series the store has. */
#include "cli/command.h"

#include "cli/config/config.h"
#include "cli/list/list.h"
#include "cli/output/output.h"
#include "render/document/key.h"

struct list_options {
	const char *name; /* a pattern; NULL: all */
};

/* One list. */
struct list {
	const char *one; /* "metric", for messages */
	int (*fill)(struct cli *cli, struct list_cells *cells, struct error *err);
	struct entry_table table;
};

/* Keeps the rows whose first cell matches. */
static void keep_matching(struct list_cells *cells, size_t columns, const char *pattern)
{
	size_t kept = 0;
	for (size_t i = 0; i < cells->count; i += columns) {
		if (!span_glob(pattern, cells->items[i] ? cells->items[i] : ""))
			continue;
		memmove(&cells->items[kept], &cells->items[i], columns * sizeof *cells->items);
		kept += columns;
	}
	cells->count = kept;
}

static int none(struct cli *cli, const char *one, const char *name, const struct similar *similar,
		struct error *err)
{
	return similar_refuse(similar, arena_printf(&cli->arena, "no %s named '%.80s'", one, name),
			      err);
}

/* A single schema is the file itself, to be redirected into one. */
static int print(struct cli *cli, const struct list *list, const struct list_options *o,
		 struct error *err)
{
	struct strbuf sb = {0};
	const struct entry_table *table = &list->table;
	if (cli->common.json)
		return cli_print_json(render_entries_json(&cli->arena, table), err);
	cli_page(cli);
	if (o->name && list->fill == list_schemas && table->count == 1)
		strbuf_addstr(&sb, table->cells[table->columns - 1]);
	else if (o->name)
		render_entries_full(table, &sb);
	else
		render_entries_text(&cli->arena, table, cli_table_width(), &sb);
	return cli_print_built(&sb, err);
}

static int run_list(struct cli *cli, const struct list *list, const struct list_options *o,
		    struct error *err)
{
	struct list_cells cells = {0};
	struct list filled = *list;
	if (list->fill(cli, &cells, err) < 0)
		return -1;
	if (o->name) {
		struct similar similar = similar_to(span_of(o->name));
		for (size_t i = 0; i < cells.count; i += list->table.columns)
			similar_offer(&similar, cells.items[i] ? cells.items[i] : "");
		keep_matching(&cells, list->table.columns, o->name);
		if (cells.count == 0)
			return none(cli, list->one, o->name, &similar, err);
	}
	filled.table.cells = cells.items;
	filled.table.count = cells.count / list->table.columns;
	return print(cli, &filled, o, err);
}

static int run_devices(struct cli *cli, void *options, struct error *err)
{
	const struct list_options *o = options;
	const struct hardware *const *devices;
	struct strbuf sb = {0};
	int count = list_find_devices(cli, o->name, &devices, err);
	if (count < 0)
		return -1;
	if (count == 0) {
		struct similar similar = similar_to(span_of(o->name));
		int all = list_find_devices(cli, NULL, &devices, err);
		for (int i = 0; i < all; i++)
			similar_offer(&similar, devices[i]->name);
		return none(cli, "device", o->name, &similar, err);
	}
	if (cli->common.json)
		return cli_print_json(render_devices_json(&cli->arena, devices, (size_t)count),
				      err);
	if (o->name)
		render_devices_full(&cli->arena, devices, (size_t)count, &sb);
	else
		render_devices_text(&cli->arena, devices, (size_t)count, &sb);
	return cli_print_built(&sb, err);
}

#define FIELD(member) OPTION_FIELD(struct list_options, member)
static const struct option rows[] = {
	{.kind = OPTION_END},
};

/* Declares the row of a verb. */
#define VERB(NAME, STORED, CONFIGURED, SUMMARY, RUN)                                               \
	static const struct command verb_##NAME = {                                                \
		.name = "list " #NAME,                                                             \
		.summary = SUMMARY,                                                                \
		.options = rows,                                                                   \
		.arguments = {{"NAME", ARGUMENT(struct list_options, name)}},                      \
		.takes = "one name",                                                               \
		.options_size = sizeof(struct list_options),                                       \
		.without_store = !(STORED),                                                        \
		.without_config = !(CONFIGURED),                                                   \
		.run = RUN,                                                                        \
	};
#define LIST(NAME, STORED, ONE, COLUMNS, SHOWN, TITLES, SUMMARY)                                   \
	static int run_##NAME(struct cli *cli, void *options, struct error *err)                   \
	{                                                                                          \
		static const struct list list = {.one = ONE,                                       \
						 .fill = list_##NAME,                              \
						 .table = {.schema = SCHEMA(NAME),                 \
							   .name = #NAME,                          \
							   .titles = TITLES,                       \
							   .columns = COLUMNS,                     \
							   .shown = SHOWN}};                       \
		return run_list(cli, &list, options, err);                                         \
	}                                                                                          \
	VERB(NAME, STORED, STORED, SUMMARY, run_##NAME)

LIST(formats, false, "format", 3, 3, "format|written by|may leave open",
     "file formats that can be read")
VERB(devices, false, true, "accelerators and their peaks", run_devices)
LIST(metrics, false, "metric", 6, 4, "metric|unit|better|title|meaning|formula",
     "metrics and their units")
LIST(kinds, false, "kind", 3, 3, "kind|written by|what it is", "kinds of output for -o and --as")
LIST(schemas, false, "schema", 3, 2, "schema|title|text", "JSON schemas of the documents")
LIST(commands, false, "command", 3, 2, "command|what it does|options", "all commands and options")
LIST(kernels, true, "kernel", 4, 4, "kernel|variants|>series|>runs", "kernels of the store")
LIST(series, true, "series", 4, 4, "series|>runs|first|last", "series of the store")

static const struct command *const verbs[] = {&verb_formats, &verb_devices, &verb_metrics,
					      &verb_kinds,   &verb_schemas, &verb_commands,
					      &verb_kernels, &verb_series,  NULL};

const struct command command_list = {
	.name = "list",
	.group = GROUP_OTHER,
	.summary = "list formats, devices, metrics, kernels ...",
	.usage = "WHAT [NAME]",
	.about = "List what rooflog knows. NAME, which may be a pattern, shows single entries in\n"
		 "full.",
	.lists = "From the program\n"
		 "  formats     file formats that can be read, and what they leave open\n"
		 "  devices     accelerators, their peaks, and where each peak comes from\n"
		 "  metrics     metrics: key, unit, formula, which way is better\n"
		 "  kinds       kinds of output for -o and --as\n"
		 "  schemas     JSON schemas of the documents; with NAME, the schema itself\n"
		 "  commands    all commands and options\n"
		 "\n"
		 "From the store\n"
		 "  kernels     kernels, with their variants and number of runs\n"
		 "  series      series, with first and last commit",
	.verbs = verbs,
	.examples = {"rooflog list formats", "rooflog list devices 'h100*'",
		     "rooflog list metrics mfu", "rooflog list schemas report >report.schema.json"},
	.sections = "device alias",
	.documents = "formats devices metrics kinds schemas commands kernels series",
	.see_also = "formats metrics config",
};
