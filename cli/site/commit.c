/* The pages of the commits: what was measured there, and whose level changed. */
#include "cli/site/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_WHOLE = 60, SHOWN_LARGEST = 30 };

/* The largest difference first; the first measurements of series come last. */
static int by_difference(const void *a, const void *b)
{
	const struct site_measurement *x = a, *y = b;
	double left = isnan(x->change) ? -1 : fabs(x->change);
	double right = isnan(y->change) ? -1 : fabs(y->change);
	if (left != right)
		return left < right ? 1 : -1;
	return (x->series > y->series) - (x->series < y->series);
}

static void add_measurement(struct site *site, struct json *list,
			    const struct site_measurement *one)
{
	struct arena *arena = &site->cli->arena;
	const struct site_series *series = &site->series[one->series];
	const struct history_point *point = &series->points.items[one->point];
	struct json *row = json_add_object(arena, list);
	json_set_text(arena, row, "name", series->name);
	json_set_text(arena, row, "url",
		      arena_printf(arena, "k/%s.html", site->kernels[series->kernel].slug));
	json_set_text(arena, row, "anchor", series->anchor);
	report_quantity(arena, row, "value", point->value, metric_info(series->metric)->unit);
	json_set_number(arena, row, "runs", point->runs);
	if (!isnan(one->change)) {
		json_set_number(arena, row, "change", one->change);
		json_set_text(arena, row, "change_text", quantity_change_text(arena, one->change));
	}
}

/* The nearest commits with data on both sides; the chain's newest stands first. */
static void add_neighbours(struct site *site, struct json *document, size_t place)
{
	for (size_t older = place + 1; older < site->set->chain_count; older++)
		if (site->commits[older].count) {
			site_add_revision(site, document, "older", &site->set->chain[older], false);
			break;
		}
	for (size_t newer = place; newer-- > 0;)
		if (site->commits[newer].count) {
			site_add_revision(site, document, "newer", &site->set->chain[newer], false);
			break;
		}
}

static void add_level_changes(struct site *site, struct json *document,
			      const struct site_commit *commit)
{
	struct json *list = json_set_array(&site->cli->arena, document, "level_changes");
	for (size_t i = 0; i < commit->count; i++)
		if (commit->items[i].level)
			site_add_change(site, list, &site->series[commit->items[i].series],
					commit->items[i].level);
}

/* rooflog.commit = [[series, value, change in percent], ...], series as in data/series.js. */
static int write_data(struct site *site, const struct site_commit *commit, const char *oid,
		      struct error *err)
{
	struct strbuf out = {0};
	strbuf_addstr(&out, "\"use strict\";var rooflog=self.rooflog||{};rooflog.commit=[");
	for (size_t i = 0; i < commit->count; i++) {
		const struct site_measurement *one = &commit->items[i];
		strbuf_addf(&out, "%s[%u,", i ? "," : "", one->series);
		site_add_number(&out, site->series[one->series].points.items[one->point].value);
		if (isnan(one->change))
			strbuf_addstr(&out, ",null]");
		else
			strbuf_addf(&out, ",%.2f]", one->change * 100);
	}
	strbuf_addstr(&out, "];\n");
	int rc = site_files_write(site->files, arena_printf(&site->cli->arena, "data/c-%s.js", oid),
				  strbuf_span(&out), err);
	strbuf_free(&out);
	return rc;
}

static int write_commit(struct site *site, size_t place, struct error *err)
{
	struct arena *arena = &site->cli->arena;
	struct site_commit *commit = &site->commits[place];
	const struct revision *revision = &site->set->chain[place];
	struct json *document =
		site_document(site, "../", arena_printf(arena, "Commit %.10s", revision->oid));
	qsort(commit->items, commit->count, sizeof *commit->items, by_difference);
	site_add_revision(site, document, "commit", revision, false);
	if (place == 0 && site->gate && site->gate->input->dirty)
		json_set_bool(arena, document, "uncommitted", true);
	add_neighbours(site, document, place);
	json_set_number(arena, document, "measured_count", (double)commit->count);
	json_set_number(arena, document, "worse", (double)commit->worse);
	json_set_number(arena, document, "better", (double)commit->better);
	/* With one commit no change of level can be seen: of the newest the gate speaks. */
	if (site->gate && strcmp(site->gate->input->candidate.oid, revision->oid) == 0)
		site_add_gate(site, document);
	add_level_changes(site, document, commit);
	size_t shown = commit->count > SHOWN_WHOLE ? SHOWN_LARGEST : commit->count;
	struct json *list = json_set_array(arena, document, "measured");
	for (size_t i = 0; i < shown; i++)
		add_measurement(site, list, &commit->items[i]);
	if (shown < commit->count) {
		json_set_number(arena, document, "measured_shown", (double)shown);
		if (write_data(site, commit, revision->oid, err) < 0)
			return -1;
	}
	return site_files_render(site->files, "site-commit.html", document,
				 arena_printf(arena, "c/%s.html", revision->oid), err);
}

int site_write_commits(struct site *site, struct error *err)
{
	for (size_t place = 0; place < site->set->chain_count; place++) {
		/* The newest one may have runs of uncommitted changes only. */
		if (site->commits[place].count == 0 && place > 0)
			continue;
		struct arena kept = site->cli->arena;
		site->cli->arena = (struct arena){0};
		int rc = write_commit(site, place, err);
		arena_free(&site->cli->arena);
		site->cli->arena = kept;
		if (rc < 0)
			return -1;
	}
	return 0;
}
