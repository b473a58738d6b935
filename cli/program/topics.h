/* Topics: pages of help that explain what several commands have in common. */
#pragma once

#include "base/base.h"
#include "cli/config/config.h"

struct topic {
	const char *name;
	const char *summary; /* NULL: no topic of its own, but what "help help" prints */
	const char *lead;    /* 80 columns at most, as it is printed */
	const struct option *rows;
	const char *rest; /* NULL: nothing follows the rows */
};
/* All topics, with a NULL name at the end. */
extern const struct topic topics[];
/* NULL: there is none. */
const struct topic *topic_find(const char *name);
/* Its page. */
void topic_page(const struct topic *topic, struct strbuf *out);
