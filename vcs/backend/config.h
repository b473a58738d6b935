/*
 * Configuration in git-config syntax: sections, quoted subsections, continuation
 * lines, escapes, comments, keys without value (true). No includes. Errors name
 * file and line. Section and key names are case-insensitive, subsections exact.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct config_entry {
	const char *section;    /* lower case */
	const char *subsection; /* "" when there is none */
	const char *key;        /* lower case */
	const char *value;
	int line;
};

struct config {
	const char *path; /* for messages */
	struct config_entry *entries;
	size_t count;
	size_t capacity;
};

int config_parse(struct arena *arena, const char *path, struct span bytes, struct config *config,
		 struct error *err);
/* The last value of section[.subsection].key, or NULL. */
const char *config_get(const struct config *config, const char *section, const char *subsection,
		       const char *key);
