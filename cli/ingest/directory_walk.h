/*
 * Paths of the command line: files stay, directories are walked. What is found
 * in a walk and known to no reader is to be skipped; what was named itself and
 * is known to none is an error: that is for the caller.
 */
#ifndef CLI_INGEST_DIRECTORY_WALK_H
#define CLI_INGEST_DIRECTORY_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct tree_file {
	const char *path;
	bool is_explicit; /* named itself, not found in a directory */
};

struct tree_list {
	struct tree_file *items;
	size_t count;
	size_t capacity;
};

/* Adds the file, or every file below the directory in the order of the names' bytes, without
 * hidden names. Links to files count as files; links to directories are not followed, so that
 * loops do no harm. "-" is standard input. On failure the list is as before. */
int tree_expand(struct arena *arena, const char *path, struct tree_list *list, struct error *err);

/* Where a file lies: "a/b.json" -> "a", "b.json" -> ".", "./a//b.json" -> "a", "/b.json" -> "/". A
 * params.json or devices.json holds for the profiles in its directory and below it. */
const char *tree_directory(struct arena *arena, const char *path);

#endif
