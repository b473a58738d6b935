/*
 * Expands paths of the command line: directories are replaced by the files in them. The caller
 * treats files that no reader detects: as an error if the file was named, else it is skipped.
 *
 * A commit, or whoever packed a folder of profiles, can bring a link that leads to a file of the
 * user; its figures and what an error quotes would be shown to everyone who sees the report:
 *
 *   - A link that is found, in a folder or next to a profile, is followed to a file within that
 *     folder only.
 *   - A path that the caller names is followed, unless the repository brought a link on the way.
 *
 * Never add what is read of a file.
 */
#pragma once

#include "cli/context.h"

struct tree_file {
	const char *path;
	bool is_explicit;    /* named on the command line, not found in a directory */
	bool is_passed_over; /* a link to anything but a file within the directory that was named */
};

struct tree_list {
	struct tree_file *items;
	size_t count;
	size_t capacity;
};

/* Adds the file, or all files below the directory, sorted by the bytes of their names and without
 * hidden names. "-" is standard input. On failure the list is unchanged. */
int directory_walk_expand(struct arena *arena, const char *path, struct tree_list *list,
			  struct error *err);

/* The directory of a file: "a/b.json" -> "a", "b.json" -> ".", "./a//b.json" -> "a", "/b.json" ->
 * "/". A params.json or devices.json applies to the profiles in its directory and below. */
const char *directory_walk_open(struct arena *arena, const char *path);

/* What a file of a profiling run is that no reader knows, by its name, for a message: a report of
 * the ncu or nsys mode, or code that the compiler left. NULL: it is another file. */
const char *artifact_text(struct arena *arena, const char *path);

/* Refuses a file next to a profile that is a link out of its folder. */
int links_check_beside(struct arena *arena, const char *path, struct error *err);
/* Refuses a path that was named, if a link in it, or where that leads, is of the repository. */
int links_check_named(struct cli *cli, const char *path, struct error *err);
