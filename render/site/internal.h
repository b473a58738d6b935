/* What the documents of a site's pages share. */
#pragma once

#include "render/site/site.h"

/* {schema, generator, root, title, commit} */
struct json *render_site_document(const struct site *site, const char *root, const char *title);
void render_site_add_revision(const struct site *site, struct json *parent, const char *name,
			      const struct revision *revision, bool dirty);
/* What the gate says of the newest commit; nothing where nothing could be compared. */
void render_site_add_gate(const struct site *site, struct json *document);
/* A series as a row of a table: names, newest value, verdict, small line. */
struct json *render_site_add_series(const struct site *site, struct json *list,
				    const struct site_series *series);
/* A change of level: series, commits, both levels, effect. */
void render_site_add_change(const struct site *site, struct json *list,
			    const struct site_series *series, const struct detect_change *change);
/* What the series' panel is drawn from, and the panel (trend.c), which begins at the place
 * `oldest`. */
void render_site_add_trend(const struct site *site, struct json *section,
			   const struct site_series *series, uint32_t oldest);
/* A number of a script: five digits, a whole one with all of its, null where unknown. */
void render_site_add_number(struct strbuf *out, double number);
