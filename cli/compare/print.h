/* What "rooflog compare" prints of the runs of one commit: tables, or JSON. */
#ifndef CLI_COMPARE_PRINT_H
#define CLI_COMPARE_PRINT_H

#include "cli/runs/runs.h"
#include "model/run/variants.h"

/* One kernel's comparison; its rows index `loaded`. */
struct compare_section {
	const char *kernel;
	const struct loaded_run **loaded;
	size_t count;
	struct compare compare;
	bool metrics; /* every metric, not only those of the table */
};

struct compare_section_list {
	struct compare_section *items;
	size_t count, capacity;
	size_t alone;
};
int compare_print_tables(struct cli *cli, const struct compare_section_list *sections,
			 struct error *err);
int compare_print_json(struct cli *cli, const struct compare_section_list *sections, const char *by,
		       struct error *err);

#endif
