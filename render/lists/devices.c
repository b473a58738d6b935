/* Devices and their peaks. */
#include "render/lists/lists.h"

#include "base/text/text.h"
#include "render/document/document.h"
#include "render/markup/markup.h"

static void add_json(struct arena *arena, struct json *array, const struct hardware *device)
{
	struct json *object = json_add_object(arena, array);
	json_set_text(arena, object, KEY(name), device->name);
	json_set_text(arena, object, KEY(title), device->title);
	json_set_bool(arena, object, "per_core", device->per_core);
	struct json *peaks = json_set_object(arena, object, "peak_flops");
	for (int i = 0; i < DTYPE_LIMIT; i++)
		if (!isnan(device->peak_flops[i]))
			document_quantity(arena, peaks, dtype_name((enum dtype)i),
					  device->peak_flops[i], UNIT_FLOP_PER_SECOND);
	document_quantity(arena, object, KEY(bandwidth), device->bandwidth, UNIT_BYTE_PER_SECOND);
	document_quantity(arena, object, KEY(clock), device->clock, UNIT_HERTZ);
	json_set_text(arena, object, KEY(source), device->source);
	json_set_text(arena, object, KEY(confidence), hardware_confidence_name(device->confidence));
}

static void add_row(struct arena *arena, struct md_table *table, const struct hardware *device)
{
	double flops = device->peak_flops[DTYPE_BF16];
	md_table_row(table, device->name, device->per_core ? "core" : "device",
		     quantity_text(arena, flops, UNIT_FLOP_PER_SECOND),
		     quantity_text(arena, device->bandwidth, UNIT_BYTE_PER_SECOND),
		     quantity_text(arena, flops / device->bandwidth, UNIT_FLOP_PER_BYTE),
		     hardware_confidence_name(device->confidence));
}

struct json *render_devices_json(struct arena *arena, const struct hardware *const *devices,
				 size_t count)
{
	struct json *document = document_begin(arena, SCHEMA(devices));
	struct json *array = json_set_array(arena, document, KEY(devices));
	for (size_t i = 0; i < count; i++)
		add_json(arena, array, devices[i]);
	return document;
}

void render_devices_text(struct arena *arena, const struct hardware *const *devices, size_t count,
			 struct strbuf *sb)
{
	struct md_table rows = md_table_of(arena, 0, "name|per|>bf16 peak|>memory|>ridge|trust");
	for (size_t i = 0; i < count; i++)
		add_row(arena, &rows, devices[i]);
	md_table_plain(&rows, sb);
}

static void add_line(struct strbuf *sb, const char *label, const char *text)
{
	enum { LABEL = 11 };
	strbuf_addf(sb, "  %-*s  ", LABEL, label);
	fill_words(sb, text, LABEL + 4);
}

void render_devices_full(struct arena *arena, const struct hardware *const *devices, size_t count,
			 struct strbuf *sb)
{
	for (size_t i = 0; i < count; i++) {
		const struct hardware *device = devices[i];
		strbuf_addf(sb, "%s%s: %s\n", i ? "\n" : "", device->name, device->title);
		add_line(sb, "peaks of", device->per_core ? "one core" : "the device");
		for (int k = 0; k < DTYPE_LIMIT; k++)
			if (!isnan(device->peak_flops[k]))
				add_line(sb, dtype_name((enum dtype)k),
					 quantity_text(arena, device->peak_flops[k],
						       UNIT_FLOP_PER_SECOND));
		add_line(sb, "memory",
			 quantity_text(arena, device->bandwidth, UNIT_BYTE_PER_SECOND));
		add_line(sb, "clock", quantity_text(arena, device->clock, UNIT_HERTZ));
		add_line(sb, "trust", hardware_confidence_name(device->confidence));
		if (device->source)
			add_line(sb, "source", device->source);
	}
}
