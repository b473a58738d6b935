/* The first page, the list of commits, and what all scripts share. */
#include "cli/site/site.h"

#include <math.h>

enum { RECENT_CHANGES = 12 };

/* The newest commits' changes of level. */
static void add_recent(struct site *site, struct json *document)
{
	struct json *list = json_set_array(&site->cli->arena, document, "recent");
	size_t shown = 0;
	for (size_t place = 0; place < site->set->chain_count && shown < RECENT_CHANGES; place++) {
		const struct site_commit *commit = &site->commits[place];
		for (size_t i = 0; i < commit->count && shown < RECENT_CHANGES; i++) {
			if (!commit->items[i].level)
				continue;
			site_add_change(site, list, &site->series[commit->items[i].series],
					commit->items[i].level);
			shown++;
		}
	}
}

/* Of those with data. */
static void add_commit_count(struct site *site, struct json *document)
{
	struct arena *arena = &site->cli->arena;
	size_t count = 0;
	for (size_t place = 0; place < site->set->chain_count; place++)
		count += site->commits[place].count > 0;
	json_set_number(arena, document, "commit_count", (double)count);
	json_set_text(arena, document, "commits_text",
		      quantity_count_text(arena, count, "commit", "commits"));
}

static int write_commits_page(struct site *site, struct error *err)
{
	struct arena *arena = &site->cli->arena;
	struct json *document = site_document(site, "", "Commits");
	add_commit_count(site, document);
	struct json *list = json_set_array(arena, document, "commits");
	for (size_t place = 0; place < site->set->chain_count; place++) {
		const struct site_commit *commit = &site->commits[place];
		if (commit->count == 0)
			continue;
		struct json *row = json_add_object(arena, list);
		site_add_revision(site, row, "commit", &site->set->chain[place], false);
		json_set_number(arena, row, "measured", (double)commit->count);
		if (commit->worse)
			json_set_number(arena, row, "worse", (double)commit->worse);
		if (commit->better)
			json_set_number(arena, row, "better", (double)commit->better);
	}
	return site_files_render(site->files, "site-commits.html", document, "commits.html", err);
}

/* rooflog.commits = [[short, day, subject, oid or null], ...], the newest first: places of the
 * chain. */
static int write_commit_data(struct site *site, struct error *err)
{
	struct strbuf out = {0};
	strbuf_addstr(&out, "\"use strict\";var rooflog=self.rooflog||{};rooflog.commits=[");
	for (size_t place = 0; place < site->set->chain_count; place++) {
		const struct revision *revision = &site->set->chain[place];
		const char *day = report_day(&site->cli->arena, revision->time);
		strbuf_addf(&out, "%s[\"%.10s\",", place ? ",\n" : "\n", revision->oid);
		json_string(&out, day ? day : "");
		strbuf_addch(&out, ',');
		json_string(&out, revision->subject ? revision->subject : "");
		if (site->commits[place].count || place == 0)
			strbuf_addf(&out, ",\"%s\"]", revision->oid);
		else
			strbuf_addstr(&out, ",null]");
	}
	strbuf_addstr(&out, "\n];\n");
	int rc = site_files_write(site->files, "data/commits.js", strbuf_span(&out), err);
	strbuf_free(&out);
	return rc;
}

/* rooflog.series = [[name, page and anchor, unit as quantity_add_unit() has it], ...], worst first.
 */
static int write_series_data(struct site *site, struct error *err)
{
	struct strbuf out = {0};
	strbuf_addstr(&out, "\"use strict\";var rooflog=self.rooflog||{};rooflog.series=[");
	for (size_t i = 0; i < site->series_count; i++) {
		const struct site_series *series = &site->series[i];
		bool known = series->metric != METRIC_COUNT;
		enum unit unit = known ? metric_info(series->metric)->unit : UNIT_NONE;
		strbuf_addstr(&out, i ? ",\n[" : "\n[");
		json_string(&out, series->name);
		strbuf_addf(&out, ",\"k/%s.html#%s\",", site->kernels[series->kernel].slug,
			    series->anchor);
		quantity_add_unit(&out, unit);
		strbuf_addch(&out, ']');
	}
	strbuf_addstr(&out, "\n];\n");
	int rc = site_files_write(site->files, "data/series.js", strbuf_span(&out), err);
	strbuf_free(&out);
	return rc;
}

int site_write_index(struct site *site, struct error *err)
{
	struct arena *arena = &site->cli->arena;
	struct json *document = site_document(site, "", "Kernel performance");
	json_set_text(arena, document, "common", site->common);
	json_set_bool(arena, document, "at_index", true);
	json_set_number(arena, document, "series_count", (double)site->series_count);
	json_set_number(arena, document, "kernel_count", (double)site->kernel_count);
	json_set_text(arena, document, "kernels_text",
		      quantity_count_text(arena, site->kernel_count, "kernel", "kernels"));
	add_commit_count(site, document);
	site_add_gate(site, document);
	add_recent(site, document);
	struct json *list = json_set_array(arena, document, "series");
	for (size_t i = 0; i < site->series_count; i++)
		site_add_series(site, list, &site->series[i]);
	if (write_series_data(site, err) < 0 || write_commit_data(site, err) < 0 ||
	    write_commits_page(site, err) < 0)
		return -1;
	return site_files_render(site->files, "site-index.html", document, "index.html", err);
}
