/*
 * The tables that "rooflog list" prints, one function each. They fill the cells of a table whose
 * columns the command declares; memory belongs to cli->arena.
 *
 * Never add what a table says: that is in the registries themselves.
 */
#pragma once

#include "cli/context.h"
#include "render/lists/lists.h"

/* Cells that grow. */
struct list_cells {
	const char **items;
	size_t count, capacity;
};
void list_add(struct cli *cli, struct list_cells *cells, const char *text);

/* From the program. */
int list_formats(struct cli *cli, struct list_cells *cells, struct error *err);
int list_metrics(struct cli *cli, struct list_cells *cells, struct error *err);
int list_kinds(struct cli *cli, struct list_cells *cells, struct error *err);
int list_schemas(struct cli *cli, struct list_cells *cells, struct error *err);
int list_commands(struct cli *cli, struct list_cells *cells, struct error *err);
/* From the store. */
int list_kernels(struct cli *cli, struct list_cells *cells, struct error *err);
int list_series(struct cli *cli, struct list_cells *cells, struct error *err);

/* The devices whose names match, all for NULL. Returns how many, or -1. */
int list_find_devices(struct cli *cli, const char *pattern, const struct hardware *const **devices,
		      struct error *err);
