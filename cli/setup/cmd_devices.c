/* rooflog devices: the known devices and their peaks. */
#include "cli/command.h"

#include <math.h>

#include "render/report/report.h"
#include "render/markup/table.h"

static void add_json(struct arena *arena, struct json *array, const struct hardware *device)
{
	struct json *object = json_add_object(arena, array);
	json_set_text(arena, object, "name", device->name);
	json_set_text(arena, object, "title", device->title);
	json_set_bool(arena, object, "per_core", device->per_core);
	struct json *peaks = json_set_object(arena, object, "peak_flops");
	for (int i = 0; i < DTYPE_LIMIT; i++)
		if (!isnan(device->peak_flops[i]))
			report_quantity(arena, peaks, dtype_name((enum dtype)i),
					device->peak_flops[i], UNIT_FLOP_PER_SECOND);
	report_quantity(arena, object, "bandwidth", device->bandwidth, UNIT_BYTE_PER_SECOND);
	report_quantity(arena, object, "clock", device->clock, UNIT_HERTZ);
	json_set_text(arena, object, "source", device->source);
	json_set_text(arena, object, "confidence", confidence_name(device->confidence));
}

static void add_row(struct arena *arena, struct md_table *table, const struct hardware *device)
{
	double flops = device->peak_flops[DTYPE_BF16];
	md_table_cell(table, device->name);
	md_table_cell(table, device->per_core ? "core" : "device");
	md_table_cell(table, quantity_text(arena, flops, UNIT_FLOP_PER_SECOND));
	md_table_cell(table, quantity_text(arena, device->bandwidth, UNIT_BYTE_PER_SECOND));
	md_table_cell(table, quantity_text(arena, flops / device->bandwidth, UNIT_FLOP_PER_BYTE));
	md_table_cell(table, confidence_name(device->confidence));
}

struct devices_options {
	bool json;
};

static int list_devices(struct cli *cli, void *options, struct error *err)
{
	const struct devices_options *o = options;
	struct arena *arena = &cli->arena;
	if (cli_load_config(cli, err) < 0)
		return -1;
	size_t count;
	const struct hardware *table = hardware_table(&count);
	struct json *array = json_array(arena);
	struct md_table rows;
	md_table_init(&rows, arena);
	md_table_column(&rows, "name", MD_ALIGN_LEFT);
	md_table_column(&rows, "per", MD_ALIGN_LEFT);
	md_table_column(&rows, "bf16 peak", MD_ALIGN_RIGHT);
	md_table_column(&rows, "memory", MD_ALIGN_RIGHT);
	md_table_column(&rows, "ridge", MD_ALIGN_RIGHT);
	md_table_column(&rows, "trust", MD_ALIGN_LEFT);
	for (size_t i = 0; i < cli->devices.count + count; i++) {
		const struct hardware *device = i < cli->devices.count
							? &cli->devices.items[i]
							: &table[i - cli->devices.count];
		add_json(arena, array, device);
		add_row(arena, &rows, device);
	}
	if (o->json)
		return cli_print_json(array, err);
	struct strbuf sb = {0};
	md_table_plain(&rows, &sb);
	int rc = cli_print_clean(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

#define FIELD(member) OPTION_FIELD(struct devices_options, member)
static const struct option rows[] = {
	{FIELD(json), "json", NULL, "all peaks with their sources, as JSON"},
	{.kind = OPTION_END},
};

static const char *const examples[] = {
	"rooflog devices",
	"rooflog devices --json",
	NULL,
};

const struct command command_devices = {
	.name = "devices",
	.summary = "list the known devices and their peaks",
	.usage = "[OPTION]...",
	.about = "Lists the devices whose peaks are known: those of the configuration first, then\n"
		 "the built-in table. Peaks are dense rates; on Neuron those of one physical core.",
	.options = rows,
	.examples = examples,
	.options_size = sizeof(struct devices_options),
	.run = list_devices,
};
