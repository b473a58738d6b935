/* rooflog formats: lists the readable formats, directly from the registry of readers. */
#include "cli/command.h"

#include "ingest/reader.h"
#include "ingest/registry/registry.h"
#include "render/lists/lists.h"

static const char *needs_text(struct arena *arena, unsigned needs)
{
	static const struct {
		unsigned need;
		const char *option;
	} rows[] = {{NEEDS_DTYPE, "dtype"}, {NEEDS_DEVICE, "device"}, {NEEDS_COMMIT, "--commit"}};
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (needs & rows[i].need)
			strbuf_addf(&sb, "%s%s", sb.len ? " " : "", rows[i].option);
	return strbuf_into(&sb, arena);
}

struct formats_options {
	bool json;
};

static int list_formats(struct cli *cli, void *options, struct error *err)
{
	const struct formats_options *o = options;
	struct arena *arena = &cli->arena;
	struct strbuf sb = {0};
	size_t count = 0;
	while (readers[count])
		count++;
	struct format_row *rows = arena_array(arena, count, sizeof *rows);
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct format_row){readers[i]->name, readers[i]->title,
					      needs_text(arena, readers[i]->needs)};
	if (o->json)
		return cli_print_json(render_formats_json(arena, rows, count), err);
	render_formats_text(arena, rows, count, &sb);
	return cli_print_built(&sb, err);
}

#define FIELD(member) OPTION_FIELD(struct formats_options, member)
static const struct option rows[] = {
	{FIELD(json), "json", NULL, "the formats as JSON"},
	{.kind = OPTION_END},
};

const struct command command_formats = {
	.name = "formats",
	.group = GROUP_OTHER,
	.summary = "list the file formats that can be read",
	.usage = "[OPTION]...",
	.about = "Lists the formats that ingest reads. They are recognised by content. The last\n"
		 "column names what ingest asks for where neither the file nor a params.json\n"
		 "beside it says it; docs/formats/formats.md tells what is taken from each.",
	.options = rows,
	.examples = {"rooflog formats"},
	.options_size = sizeof(struct formats_options),
	.run = list_formats,
};
