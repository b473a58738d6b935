/* The built-in and configured devices. */
#include "cli/list/list.h"

int list_find_devices(struct cli *cli, const char *pattern, const struct hardware *const **devices,
		      struct error *err)
{
	size_t count, own, found = 0;
	const struct hardware *table = hardware_table(&count);
	if (cli_load_config(cli, err) < 0)
		return -1;
	own = cli->settings.devices.count;
	const struct hardware **list = arena_array(&cli->arena, own + count, sizeof *list);
	for (size_t i = 0; i < own + count; i++) {
		const struct hardware *device =
			i < own ? &cli->settings.devices.items[i] : &table[i - own];
		if (!pattern || span_glob(pattern, device->name))
			list[found++] = device;
	}
	*devices = list;
	return (int)found;
}
