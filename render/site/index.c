/* The first page, the list of commits, and what all scripts share. */
#include "render/document/document.h"
#include "render/site/internal.h"

#include "base/text/text.h"
#include "render/report/report.h"

enum { RECENT_CHANGES = 12 };

/* Adds the change points of the newest commits. */
static void add_recent(const struct site *site, struct json *document)
{
	struct json *list = json_set_array(site->arena, document, "recent");
	size_t shown = 0;
	for (size_t index = 0; index < site->set->chain_count && shown < RECENT_CHANGES; index++) {
		const struct site_commit *commit = &site->commits[index];
		for (size_t i = 0; i < commit->count && shown < RECENT_CHANGES; i++) {
			if (!commit->items[i].level)
				continue;
			render_site_add_change(site, list, &site->series[commit->items[i].series],
					       commit->items[i].level);
			shown++;
		}
	}
}

/* Adds the number of commits with data. */
static void add_commit_count(const struct site *site, struct json *document)
{
	struct arena *arena = site->arena;
	size_t count = 0;
	for (size_t index = 0; index < site->set->chain_count; index++)
		count += site->commits[index].count > 0;
	json_set_number(arena, document, "commit_count", (double)count);
	json_set_text(arena, document, "commits_text",
		      quantity_count_text(arena, count, "commit", "commits"));
}

struct json *render_site_timelines(const struct site *site)
{
	struct arena *arena = site->arena;
	struct json *document = render_site_document(site, "../", "Timelines");
	struct json *list = json_set_array(arena, document, KEY(series));
	json_set_bool(arena, document, "on_timelines", true);
	json_set_text(arena, document, "timelines_text",
		      quantity_count_text(arena, site->timelines, "timeline", "timelines"));
	if (site->without_events)
		json_set_text(arena, document, "without_events",
			      quantity_count_text(arena, site->without_events, "series", "series"));
	if (site->untried)
		json_set_text(arena, document, "untried",
			      quantity_count_text(arena, site->untried, "series", "series"));
	for (size_t i = 0; i < site->series_count; i++) {
		const struct site_series *series = &site->series[i];
		if (series->has_timeline)
			render_site_add_timelines(site, render_site_add_series(site, list, series),
						  series);
	}
	return document;
}

struct json *render_site_commits(const struct site *site)
{
	struct arena *arena = site->arena;
	struct json *document = render_site_document(site, "", "Commits");
	json_set_bool(arena, document, "on_commits", true);
	add_commit_count(site, document);
	struct json *list = json_set_array(arena, document, KEY(commits));
	for (size_t index = 0; index < site->set->chain_count; index++) {
		const struct site_commit *commit = &site->commits[index];
		if (commit->count == 0)
			continue;
		struct json *row = json_add_object(arena, list);
		render_site_add_revision(site, row, "commit", &site->set->chain[index], false);
		json_set_number(arena, row, KEY(measured), (double)commit->count);
		if (commit->worse)
			json_set_number(arena, row, KEY(worse), (double)commit->worse);
		if (commit->better)
			json_set_number(arena, row, KEY(better), (double)commit->better);
	}
	return document;
}

void render_site_commits_data(const struct site *site, struct strbuf *out)
{
	strbuf_addstr(out, "\"use strict\";var rooflog=self.rooflog||{};rooflog.commits=[");
	for (size_t index = 0; index < site->set->chain_count; index++) {
		const struct revision *revision = &site->set->chain[index];
		const char *day = document_day(site->arena, revision->time);
		strbuf_addf(out, "%s[\"%.10s\",", index ? ",\n" : "\n", revision->oid);
		json_string(out, day ? day : "");
		strbuf_addch(out, ',');
		render_site_add_text(out, revision->subject ? revision->subject : "");
		/* The full id only for commits with a page: measured ones, and the newest. */
		if (site->commits[index].count || index == 0)
			strbuf_addf(out, ",\"%s\",", revision->oid);
		else
			strbuf_addstr(out, ",null,");
		render_site_add_text(out, revision->author ? revision->author : "");
		if (site->labels.items[index].release) {
			strbuf_addch(out, ',');
			render_site_add_text(out, site->labels.items[index].release);
		}
		strbuf_addch(out, ']');
	}
	strbuf_addstr(out, "\n];\n");
}

void render_site_series_data(const struct site *site, struct strbuf *out)
{
	strbuf_addstr(out, "\"use strict\";var rooflog=self.rooflog||{};rooflog.series=[");
	for (size_t i = 0; i < site->series_count; i++) {
		const struct site_series *series = &site->series[i];
		bool known = series->metric != METRIC_COUNT;
		enum unit unit = known ? metric_info(series->metric)->unit : UNIT_NONE;
		strbuf_addstr(out, i ? ",\n[" : "\n[");
		render_site_add_text(out, series->name);
		strbuf_addf(out, ",\"k/%s.html#%s\",", site->kernels[series->kernel].slug,
			    series->anchor);
		quantity_add_unit(out, unit);
		strbuf_addch(out, ']');
	}
	strbuf_addstr(out, "\n];\n");
}

static struct json *series_at(void *context, struct arena *arena, size_t index)
{
	const struct site *site = context;
	if (index >= site->series_count)
		return NULL;
	struct site part = *site;
	part.arena = arena;
	return render_site_add_series(&part, json_array(arena), &site->series[index]);
}

struct json *render_site_index(const struct site *site)
{
	struct arena *arena = site->arena;
	struct json *document = render_site_document(site, "", "Kernel performance");
	json_set_text(arena, document, KEY(common), site->common);
	json_set_bool(arena, document, "at_index", true);
	json_set_bool(arena, document, "on_kernels", true);
	json_set_number(arena, document, "series_count", (double)site->series_count);
	json_set_number(arena, document, "kernel_count", (double)site->kernel_count);
	json_set_text(arena, document, "kernels_text",
		      quantity_count_text(arena, site->kernel_count, "kernel", "kernels"));
	add_commit_count(site, document);
	render_site_add_gate(site, document);
	add_recent(site, document);
	render_site_add_groups(site, document);
	/* For templates that list all; the page does not. */
	struct json *list = json_set_array(arena, document, KEY(series));
	json_set_items(arena, list, site->series_count,
		       (struct json_items){series_at, (void *)site});
	return document;
}
