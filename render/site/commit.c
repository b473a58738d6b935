/* The pages of the commits: what was measured there, and which series changed level. */
#include "render/document/document.h"
#include "render/site/internal.h"

#include "base/text/text.h"
#include "render/report/report.h"

enum { SHOWN_WHOLE = 60, SHOWN_LARGEST = 30 };

static void add_measurement(const struct site *site, struct json *list,
			    const struct site_measurement *one)
{
	struct arena *arena = site->arena;
	const struct site_series *series = &site->series[one->series];
	const struct history_point *point = &series->points.items[one->point];
	struct json *row = json_add_object(arena, list);
	json_set_text(arena, row, KEY(name), series->name);
	json_set_text(arena, row, "url",
		      arena_printf(arena, "k/%s.html", site->kernels[series->kernel].slug));
	json_set_text(arena, row, "anchor", series->anchor);
	document_quantity(arena, row, KEY(value), point->value, metric_info(series->metric)->unit);
	json_set_number(arena, row, KEY(runs), point->runs);
	if (!isnan(one->change)) {
		json_set_number(arena, row, KEY(change), one->change);
		json_set_text(arena, row, KEY(change_text),
			      quantity_change_text(arena, one->change));
	}
}

/* Adds the nearest commits with data on both sides; index 0 is the chain's newest commit. */
static void add_neighbours(const struct site *site, struct json *document, size_t index)
{
	for (size_t older = index + 1; older < site->set->chain_count; older++)
		if (site->commits[older].count) {
			render_site_add_revision(site, document, "older", &site->set->chain[older],
						 false);
			break;
		}
	for (size_t newer = index; newer-- > 0;)
		if (site->commits[newer].count) {
			render_site_add_revision(site, document, "newer", &site->set->chain[newer],
						 false);
			break;
		}
}

static void add_level_changes(const struct site *site, struct json *document,
			      const struct site_commit *commit)
{
	struct json *list = json_set_array(site->arena, document, "level_changes");
	for (size_t i = 0; i < commit->count; i++)
		if (commit->items[i].level)
			render_site_add_change(site, list, &site->series[commit->items[i].series],
					       commit->items[i].level);
}

bool render_site_commit_is_cut(const struct site *site, size_t index)
{
	assert(index < site->set->chain_count);
	return site->commits[index].count > SHOWN_WHOLE;
}

void render_site_commit_data(const struct site *site, size_t index, struct strbuf *out)
{
	const struct site_commit *commit = &site->commits[index];
	strbuf_addstr(out, "\"use strict\";var rooflog=self.rooflog||{};rooflog.commit=[");
	for (size_t i = 0; i < commit->count; i++) {
		const struct site_measurement *one = &commit->items[i];
		strbuf_addf(out, "%s[%u,", i ? "," : "", one->series);
		render_site_add_number(out,
				       site->series[one->series].points.items[one->point].value);
		if (isnan(one->change))
			strbuf_addstr(out, ",null]");
		else
			strbuf_addf(out, ",%.2f]", one->change * 100);
	}
	strbuf_addstr(out, "];\n");
}

struct json *render_site_commit(const struct site *site, size_t index)
{
	struct arena *arena = site->arena;
	const struct site_commit *commit = &site->commits[index];
	const struct revision *revision = &site->set->chain[index];
	struct json *document = render_site_document(
		site, "../", arena_printf(arena, "Commit %.10s", revision->oid));
	render_site_add_revision(site, document, "commit", revision, false);
	if (index == 0 && site->gate && site->gate->input->dirty)
		json_set_bool(arena, document, "uncommitted", true);
	add_neighbours(site, document, index);
	json_set_number(arena, document, "measured_count", (double)commit->count);
	json_set_number(arena, document, KEY(worse), (double)commit->worse);
	json_set_number(arena, document, KEY(better), (double)commit->better);
	/* A single commit cannot show a change point; for the newest one the gate's verdict is
	 * shown. */
	if (site->gate && strcmp(site->gate->input->candidate.oid, revision->oid) == 0)
		render_site_add_gate(site, document);
	add_level_changes(site, document, commit);
	size_t shown = render_site_commit_is_cut(site, index) ? SHOWN_LARGEST : commit->count;
	struct json *list = json_set_array(arena, document, KEY(measured));
	for (size_t i = 0; i < shown; i++)
		add_measurement(site, list, &commit->items[i]);
	if (shown < commit->count)
		json_set_number(arena, document, "measured_shown", (double)shown);
	return document;
}
