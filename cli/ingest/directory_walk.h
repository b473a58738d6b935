/*
 * Expands paths of the command line: directories are replaced by the files in them. The caller
 * treats files that no reader detects: as an error if the file was named, else it is skipped.
 */
#pragma once

#include "base/base.h"

struct tree_file {
	const char *path;
	bool is_explicit; /* named on the command line, not found in a directory */
	bool leads_out;   /* a link to something outside of the directory that was named */
};

struct tree_list {
	struct tree_file *items;
	size_t count;
	size_t capacity;
};

/* Adds the file, or all files below the directory, sorted by the bytes of their names and without
 * hidden names. Links to directories are not followed, which avoids loops. "-" is standard input.
 * On failure the list is unchanged. */
int directory_walk_expand(struct arena *arena, const char *path, struct tree_list *list,
			  struct error *err);

/* The directory of a file: "a/b.json" -> "a", "b.json" -> ".", "./a//b.json" -> "a", "/b.json" ->
 * "/". A params.json or devices.json applies to the profiles in its directory and below. */
const char *directory_walk_open(struct arena *arena, const char *path);
