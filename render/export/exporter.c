/* The table of export formats, generated from exporters.def. */
#include "render/export/exporter.h"

#include "render/document/key.h"

const struct exporter exporters[] = {
#define EXPORTER(name, needs, title) {#name, title, EXPORTER_NEEDS_##needs, export_##name},
#include "render/export/exporters.def"
#undef EXPORTER
	{.name = NULL},
};

const struct exporter *export_find(const char *name)
{
	for (const struct exporter *row = exporters; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

const struct json *export_cell_of(const struct json *comparison, const struct export_cell *cell)
{
	const struct json *value = comparison;
	for (size_t i = 0; i < sizeof cell->path / sizeof *cell->path && cell->path[i]; i++)
		value = json_get(value, cell->path[i]);
	return value;
}

int export_write(const struct exporter *exporter, struct arena *arena, const struct json *document,
		 const struct export_target *to, struct error *err)
{
	bool needs_gate =
		exporter->needs == EXPORTER_NEEDS_GATE || exporter->needs == EXPORTER_NEEDS_WORST;
	if (needs_gate && !json_get(document, KEY(gate)))
		return error_set(err, ERR_FORMAT,
				 "%s reports gate results, but nothing was compared",
				 exporter->name);
	exporter->write(arena, document, to);
	return 0;
}

void export_drain(const struct export_target *to)
{
	if (to->drain)
		strbuf_drain_long(to->out, to->drain);
}
