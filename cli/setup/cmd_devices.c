/* rooflog devices: lists the built-in and configured devices with their peaks. It opens no
 * store. */
#include "cli/command.h"

#include "render/lists/lists.h"

struct devices_options {
	bool json;
};

static int list_devices(struct cli *cli, void *options, struct error *err)
{
	const struct devices_options *o = options;
	struct arena *arena = &cli->arena;
	size_t count, own;
	const struct hardware *table = hardware_table(&count);
	struct strbuf sb = {0};
	if (cli_load_config(cli, err) < 0)
		return -1;
	own = cli->settings.devices.count;
	const struct hardware **devices = arena_array(arena, own + count, sizeof *devices);
	for (size_t i = 0; i < own + count; i++)
		devices[i] = i < own ? &cli->settings.devices.items[i] : &table[i - own];
	if (o->json)
		return cli_print_json(render_devices_json(arena, devices, own + count), err);
	render_devices_text(arena, devices, own + count, &sb);
	return cli_print_built(&sb, err);
}

#define FIELD(member) OPTION_FIELD(struct devices_options, member)
static const struct option rows[] = {
	{FIELD(json), "json", NULL, "all peaks with their sources, as JSON"},
	{.kind = OPTION_END},
};

const struct command command_devices = {
	.name = "devices",
	.group = GROUP_OTHER,
	.summary = "list the known devices and their peaks",
	.usage = "[OPTION]...",
	.about = "Lists the devices whose peaks are known: those of the configuration first, then\n"
		 "the built-in table. Peaks are dense rates; on Neuron those of one physical core.",
	.options = rows,
	.examples = {"rooflog devices", "rooflog devices --json"},
	.options_size = sizeof(struct devices_options),
	.run = list_devices,
};
