/* Pieces that the documents of a site's pages share. Private to this room. */
#pragma once

#include "render/site/site.h"

/* {schema, generator, root, title, commit} */
struct json *render_site_document(const struct site *site, const char *root, const char *title);
void render_site_add_revision(const struct site *site, struct json *parent, const char *name,
			      const struct revision *revision, bool dirty);
/* Adds the gate's verdict for the newest commit; nothing if nothing could be compared. */
void render_site_add_gate(const struct site *site, struct json *document);
/* Adds a series as a row of a table: names, newest value, verdict, sparkline. */
struct json *render_site_add_series(const struct site *site, struct json *list,
				    const struct site_series *series);
/* Adds a change point: series, commits, both levels, effect. */
void render_site_add_change(const struct site *site, struct json *list,
			    const struct site_series *series, const struct detect_change *change);
/* Adds what the series' panel is drawn from, and the panel (trend.c), which begins at the commit
 * index `oldest`; dots are shared among the sections of the page. */
void render_site_add_trend(const struct site *site, struct json *section,
			   const struct site_series *series, uint32_t oldest, size_t sections);
/* The sparkline as an SVG element, from the series' oldest commit to the newest of the chain; ""
 * for none. */
const char *render_site_spark(struct arena *arena, const struct site_series *series);
/* Adds a text that a script puts before a reader: a JSON string in which everything shows. */
void render_site_add_text(struct strbuf *out, const char *text);
/* Adds a number for a script: five digits, all digits of a whole number, null if unknown. */
void render_site_add_number(struct strbuf *out, double number);
