/* The files that one command writes: each has one of its own, and a folder that can be written to,
 * which is told before anything is loaded. */
#pragma once

#include "cli/config/config.h"
#include "cli/context.h"

enum { TARGETS_MOST = text_list_limit + 2 };

struct targets {
	struct {
		const char *what, *path;
	} items[TARGETS_MOST];
	size_t count;
};

/* `what` is how the message calls what is written ("--output"). Standard output, and what is no
 * regular file, may be named again: one follows the other. */
int output_files_add(struct cli *cli, struct targets *targets, const char *what, const char *path,
		     struct error *err);
