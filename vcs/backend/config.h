/*
 * Configuration files in git's syntax (git-config(1), "CONFIGURATION FILE"): sections, quoted
 * subsections, continuation lines, escapes, comments, keys without a value ("true"). Includes are
 * not followed. Names of sections and keys are case-insensitive; subsections are not.
 */
#pragma once

#include "base/base.h"

struct config_entry {
	const char *section;    /* lower case */
	const char *subsection; /* "" if there is none */
	const char *key;        /* lower case */
	const char *value;
	int line;
};

struct config {
	const char *path;             /* for messages; not copied */
	struct config_entry *entries; /* in the order of the file */
	size_t count;
	size_t capacity;
};

/* Parses the bytes of a file. ERR_USAGE, with path and line, if they are invalid. All texts are in
 * the arena. */
int config_parse(struct arena *arena, const char *path, struct span bytes, struct config *config,
		 struct error *err);
/* The last value of section[.subsection].key; NULL if it is not set. A NULL subsection is "". */
const char *config_get(const struct config *config, const char *section, const char *subsection,
		       const char *key);
