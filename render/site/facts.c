/* The figures below the name of a series on its kernel's page, and what explains a change. */
#include "render/site/internal.h"

#include "base/text/text.h"
#include "render/document/document.h"

static void add_fact(struct arena *arena, struct json *list, const char *title, const char *text,
		     const char *more)
{
	if (!text)
		return;
	struct json *fact = json_add_object(arena, list);
	json_set_text(arena, fact, KEY(title), title);
	json_set_text(arena, fact, KEY(text), text);
	if (more && more[0])
		json_set_text(arena, fact, "more", more);
}

/* The baseline as "was 66.20 us"; NULL: there is none. */
static const char *was(struct arena *arena, const struct json *baseline)
{
	const char *text = json_text(baseline, KEY(text), NULL);
	return text ? arena_printf(arena, "was %s", text) : NULL;
}

/* The achieved share of the roof that binds the newest run. */
static void add_roof(struct arena *arena, struct json *list, const struct json *run)
{
	const struct json *metrics = json_get(run, KEY(metrics));
	const struct json *share = json_get(metrics, KEY(roofline_efficiency));
	const struct json *bound = json_get(run, KEY(bottleneck));
	if (!share || !isfinite(json_number(share, KEY(value), NAN)))
		return;
	add_fact(arena, list, "Of its roof", json_text(share, KEY(text), NULL),
		 json_text(bound, KEY(title), NULL));
}

static void add_engine(struct arena *arena, struct json *list, const struct json *run)
{
	const struct json *busiest = NULL;
	double most = 0;
	for (struct json_walk walk = json_walk_of(json_get(run, KEY(engines)));
	     json_walk_next(&walk);) {
		const struct json *share = json_get(walk.child, KEY(occupancy));
		double active = json_number(share, KEY(value), NAN);
		if (!(active > most))
			continue;
		most = active;
		busiest = walk.child;
	}
	if (!busiest)
		return;
	const char *before = json_text(busiest, KEY(baseline_occupancy_text), NULL);
	add_fact(arena, list, "Busiest engine",
		 arena_printf(arena, "%s %s", json_text(busiest, KEY(title), ""),
			      json_text(json_get(busiest, KEY(occupancy)), KEY(text), "")),
		 before ? arena_printf(arena, "was %s", before) : NULL);
}

static void add_noise(struct arena *arena, struct json *list, const struct json *comparison)
{
	const char *noise = json_text(comparison, KEY(noise_text), NULL);
	double commits = json_number(json_get(comparison, KEY(record)), KEY(commits), NAN);
	if (!noise || !(commits >= 0))
		return;
	add_fact(arena, list, "Noise, between commits", arena_printf(arena, "±%s", noise),
		 quantity_count_text(arena, (size_t)commits, "commit", "commits"));
}

/* What the head has not said already: the statistics of a change that it explains, the reasons of
 * other comparisons, and what differs between the two profiles. */
static void add_rest(struct arena *arena, struct json *section)
{
	enum { CAUSES = 8 };
	struct json *causes = json_set_array(arena, section, "causes");
	struct json *all = (struct json *)json_get(section, KEY(comparisons));
	for (struct json *one = all ? all->first : NULL; one; one = one->next) {
		const struct json *why = json_get(one, KEY(why));
		if (one != all->first || why)
			json_set_text(arena, one, "reason_text", json_text(one, KEY(reason), NULL));
		if (one != all->first)
			continue;
		const struct json *part = json_first(why, KEY(parts));
		for (; part && causes->count < CAUSES; part = part->next) {
			struct json *copy = arena_new(arena, struct json);
			*copy = *part;
			copy->next = NULL;
			json_append(causes, copy);
		}
	}
}

void render_site_add_facts(const struct site *site, struct json *section, const struct json *run)
{
	struct arena *arena = site->arena;
	const struct json *newest = json_get(section, KEY(newest));
	const struct json *comparison = json_first(section, KEY(comparisons));
	struct json *list = json_set_array(arena, section, "facts");
	if (comparison && json_truth(comparison, KEY(context)))
		comparison = NULL;
	bool same = comparison && newest &&
		    strcmp(json_text(comparison, KEY(metric), ""),
			   json_text(newest, KEY(metric), "-")) == 0;
	add_fact(arena, list, json_text(newest, KEY(title), ""), json_text(newest, KEY(text), NULL),
		 same ? was(arena, json_get(comparison, KEY(baseline))) : NULL);
	const char *change = json_text(comparison, KEY(change_text), NULL);
	if (change && isfinite(json_number(comparison, KEY(change), NAN)))
		add_fact(arena, list,
			 same ? "Change, 95 % interval"
			      : arena_printf(arena, "%s, change",
					     json_text(comparison, KEY(title), "")),
			 change, json_text(json_get(comparison, KEY(interval)), KEY(text), NULL));
	add_roof(arena, list, run);
	add_engine(arena, list, run);
	add_noise(arena, list, comparison);
	add_rest(arena, section);
}
