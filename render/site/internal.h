/* Pieces that the documents of a site's pages share. Private to this room. */
#pragma once

#include "render/site/site.h"

/* What a series is now, the most urgent first. */
enum site_state {
	SITE_SLOWER,
	SITE_MISSING,
	SITE_UNCLEAR,
	SITE_ACCEPTED,
	SITE_FASTER,
	SITE_NEW,
	SITE_STOPPED,
	SITE_STEADY,
	SITE_UNJUDGED,
	SITE_STATES
};
struct site_state_name {
	const char *key, *word, *mark;
};
extern const struct site_state_name site_state_names[SITE_STATES];
enum site_state render_site_state(const struct site *site, const struct site_series *series);

/* The commit that a state began with, and what it is called: "since"; NULL: not known. */
struct site_since {
	const struct revision *commit;
	const char *label;
};
struct site_since render_site_since(const struct site *site, const struct site_series *series);

enum { site_recent_commits = 30 };
/* Says how many commits before a change were not measured: any of them can be its cause. */
void render_site_add_unmeasured(struct arena *arena, struct json *row, size_t commits);
/* The newest change point, if one of these commits brought it; else NULL. */
const struct detect_change *render_site_recent_change(const struct site_series *series);
/* Adds state, why_text, since and moved (a recent change of what is steady). */
void render_site_add_state(const struct site *site, struct json *row,
			   const struct site_series *series);

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
/* Adds `facts` to a section, which has its comparisons: {title, text, more}. `run`: the newest run;
 * NULL: none (facts.c). */
void render_site_add_facts(const struct site *site, struct json *section, const struct json *run);
/* Adds where the timelines of the series are: timeline_href and timeline_against, {short, href};
 * nothing without them. */
void render_site_add_timelines(const struct site *site, struct json *row,
			       const struct site_series *series);
/* Adds the name in parts, between which a line may break. */
void render_site_add_parts(struct arena *arena, struct json *parent, const char *name);
/* The sparkline as an SVG element, from the series' oldest commit to the newest of the chain; ""
 * for none. The large one has the noise of the newest level as a band. */
const char *render_site_spark(struct arena *arena, const struct site_series *series, bool large);
/* Adds the groups of the index, its heading and its chips (groups.c). */
void render_site_add_groups(const struct site *site, struct json *document);
/* Adds a text that a script puts before a reader: a JSON string in which everything shows. */
void render_site_add_text(struct strbuf *out, const char *text);
/* Adds a number for a script: five digits, all digits of a whole number, null if unknown. */
void render_site_add_number(struct strbuf *out, double number);
