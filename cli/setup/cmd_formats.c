/* rooflog formats: what can be read, straight from the registry. */
#include "cli/command.h"

#include "ingest/reader.h"
#include "render/markup/table.h"

static const char *needs_text(struct arena *arena, unsigned needs)
{
	static const struct {
		unsigned need;
		const char *option;
	} rows[] = {
		{NEEDS_DTYPE, "--dtype"}, {NEEDS_DEVICE, "--device"}, {NEEDS_COMMIT, "--commit"}};
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (needs & rows[i].need)
			strbuf_addf(&sb, "%s%s", sb.len ? " " : "", rows[i].option);
	return strbuf_into(&sb, arena);
}

static int print_table(struct cli *cli, struct error *err)
{
	struct md_table table;
	struct strbuf sb = {0};
	md_table_init(&table, &cli->arena);
	md_table_column(&table, "format", MD_ALIGN_LEFT);
	md_table_column(&table, "written by", MD_ALIGN_LEFT);
	md_table_column(&table, "may need", MD_ALIGN_LEFT);
	for (size_t i = 0; readers[i]; i++) {
		md_table_cell(&table, readers[i]->name);
		md_table_cell(&table, readers[i]->title);
		md_table_cell(&table, needs_text(&cli->arena, readers[i]->needs));
	}
	md_table_plain(&table, &sb);
	int rc = cli_print_clean(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static int print_json(struct cli *cli, struct error *err)
{
	struct json *list = json_array(&cli->arena);
	for (size_t i = 0; readers[i]; i++) {
		struct json *row = json_add_object(&cli->arena, list);
		json_set_text(&cli->arena, row, "format", readers[i]->name);
		json_set_text(&cli->arena, row, "title", readers[i]->title);
		json_set_text(&cli->arena, row, "needs",
			      needs_text(&cli->arena, readers[i]->needs));
	}
	return cli_print_json(list, err);
}

struct formats_options {
	bool json;
};

static int list_formats(struct cli *cli, void *options, struct error *err)
{
	const struct formats_options *o = options;
	return (o->json ? print_json : print_table)(cli, err) < 0 ? -1 : EXIT_PASS;
}

#define FIELD(member) OPTION_FIELD(struct formats_options, member)
static const struct option rows[] = {
	{FIELD(json), "json", NULL, "the formats as JSON"},
	{.kind = OPTION_END},
};

static const char *const examples[] = {
	"rooflog formats",
	NULL,
};

const struct command command_formats = {
	.name = "formats",
	.summary = "list the file formats that can be read",
	.usage = "[OPTION]...",
	.about = "Lists the formats that ingest reads. They are recognised by content. The last\n"
		 "column names what ingest asks for where neither the file nor a params.json\n"
		 "beside it says it; docs/formats/formats.md tells what is taken from each.",
	.options = rows,
	.examples = examples,
	.options_size = sizeof(struct formats_options),
	.run = list_formats,
};
