/* Paths of the command line: files stay, directories are walked. */
#ifndef INGEST_TREE_H
#define INGEST_TREE_H

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

/* Adds the file, or every file below the directory in sorted order, without hidden names;
 * symbolic links to directories are not followed. "-" is standard input. */
int tree_expand(struct arena *arena, const char *path, struct tree_list *list, struct error *err);

/* "a/b.json" -> "a", "b.json" -> "." */
const char *tree_directory(struct arena *arena, const char *path);

#endif
