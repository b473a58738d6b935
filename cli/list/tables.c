/* What the program knows: formats, metrics, kinds of output, schemas, commands. */
#include "cli/list/list.h"

#include "base/embedded.h"
#include "cli/command.h"
#include "cli/output/output.h"
#include "ingest/reader.h"
#include "ingest/registry/registry.h"
#include "render/document/key.h"

extern const struct embedded_file schema_files[];

void list_add(struct cli *cli, struct list_cells *cells, const char *text)
{
	*arena_next(&cli->arena, cells->items, cells->count, cells->capacity) = text;
}

/* What a format may leave open. */
static const char *needs_text(struct arena *arena, unsigned needs)
{
	static const struct {
		unsigned need;
		const char *fact;
	} rows[] = {{NEEDS_DTYPE, "dtype"}, {NEEDS_DEVICE, "device"}, {NEEDS_COMMIT, "commit"}};
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (needs & rows[i].need)
			strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", rows[i].fact);
	return strbuf_into(&sb, arena);
}

int list_formats(struct cli *cli, struct list_cells *cells, struct error *err)
{
	(void)err;
	for (size_t i = 0; readers[i]; i++) {
		list_add(cli, cells, readers[i]->name);
		list_add(cli, cells, readers[i]->title);
		list_add(cli, cells, needs_text(&cli->arena, readers[i]->needs));
	}
	return 0;
}

int list_metrics(struct cli *cli, struct list_cells *cells, struct error *err)
{
	static const char *const better[] = {
		[METRIC_LOWER] = "lower", [METRIC_HIGHER] = "higher", [METRIC_NEITHER] = "neither"};
	(void)err;
	for (enum metric metric = 0; metric < METRIC_COUNT; metric++) {
		const struct metric_info *info = metric_info(metric);
		bool derived = span_starts(span_of(info->formula), "= ");
		list_add(cli, cells, info->key);
		list_add(cli, cells, quantity_unit_symbol(info->unit));
		list_add(cli, cells, better[info->direction]);
		list_add(cli, cells, info->title);
		list_add(cli, cells, derived ? "" : info->formula);
		list_add(cli, cells, derived ? info->formula + 2 : "");
	}
	return 0;
}

static void add_kind(struct cli *cli, struct list_cells *cells, const char *name,
		     const char *commands, const char *title)
{
	list_add(cli, cells, name);
	list_add(cli, cells, commands);
	list_add(cli, cells, title);
}

/* "gate, report": the commands with -o that write the kind. */
static const char *writers_of(struct arena *arena, const struct output_kind *kind)
{
	static const struct {
		enum output_command bit;
		const char *name;
	} rows[] = {{OUTPUT_GATE, "gate"},
		    {OUTPUT_REPORT, "report"},
		    {OUTPUT_COMPARE, "compare"},
		    {OUTPUT_SHOW, "show"},
		    {OUTPUT_CHART, "chart"},
		    {OUTPUT_BUCKETS, "analyze buckets"},
		    {OUTPUT_FUSION, "analyze fusion"}};
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (kind->commands & rows[i].bit)
			strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", rows[i].name);
	return strbuf_into(&sb, arena);
}

int list_kinds(struct cli *cli, struct list_cells *cells, struct error *err)
{
	(void)err;
	for (const struct output_kind *kind = output_kinds; kind->name; kind++)
		add_kind(cli, cells, kind->name, writers_of(&cli->arena, kind), kind->title);
	return 0;
}

int list_schemas(struct cli *cli, struct list_cells *cells, struct error *err)
{
	(void)err;
	for (const struct embedded_file *file = schema_files; file->path; file++) {
		const char *name = strrchr(file->path, '/') + 1;
		struct error ignored;
		const struct json *document =
			json_parse(&cli->arena, (struct span){file->text, file->len}, &ignored);
		list_add(cli, cells, arena_strndup(&cli->arena, name, strcspn(name, "-.")));
		list_add(cli, cells, json_text(document, KEY(title), ""));
		list_add(cli, cells, file->text);
	}
	return 0;
}

static void add_options(struct strbuf *names, const struct option *rows)
{
	for (; rows && rows->kind != OPTION_END; rows++) {
		if (rows->kind == OPTION_ROWS)
			add_options(names, rows->rows);
		else if (rows->name && rows->kind < OPTION_ROWS)
			strbuf_addf(names, "%s--%s", names->len ? " " : "", rows->name);
	}
}

static void add_command(struct cli *cli, struct list_cells *cells, const struct command *command,
			const char *summary)
{
	struct strbuf names = {0};
	add_options(&names, command->options);
	list_add(cli, cells, command->name);
	list_add(cli, cells, summary);
	list_add(cli, cells, strbuf_into(&names, &cli->arena));
}

int list_commands(struct cli *cli, struct list_cells *cells, struct error *err)
{
	(void)err;
	for (size_t i = 0; cli_commands[i]; i++) {
		const struct command *command = cli_commands[i];
		if (command->run || !command->verbs)
			add_command(cli, cells, command, command->summary);
		for (size_t k = 0; command->verbs && command->verbs[k]; k++)
			add_command(cli, cells, command->verbs[k], command->verbs[k]->summary);
	}
	return 0;
}
