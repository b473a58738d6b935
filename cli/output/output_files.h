/* The files that one command will write. They are checked before anything is loaded: two outputs
 * must not share a file, and the folder of each must be writable. */
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

/* Adds a file. `what` names the output in messages ("--output"). Standard output and anything but a
 * regular file may be named more than once: the outputs follow each other. */
int output_files_add(struct cli *cli, struct targets *targets, const char *what, const char *path,
		     struct error *err);
