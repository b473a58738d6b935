/* What the documents of a site's pages share; docs/user/site.md describes them. */
#include "render/document/document.h"
#include "render/site/internal.h"

#include "base/text/text.h"
#include "model/acceptance/acceptance.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

void render_site_add_text(struct strbuf *out, const char *text)
{
	struct strbuf shown = {0};
	shown_text(&shown, span_of(text), "");
	json_string(out, strbuf_text(&shown));
	strbuf_free(&shown);
}

void render_site_add_number(struct strbuf *out, double number)
{
	if (isfinite(number))
		strbuf_addf(out, number == floor(number) ? "%.15g" : "%.5g", number);
	else
		strbuf_addstr(out, "null");
}

void render_site_add_revision(const struct site *site, struct json *parent, const char *name,
			      const struct revision *revision, bool dirty)
{
	struct arena *arena = site->arena;
	if (!revision)
		return;
	document_commit(arena, parent, name, revision, dirty);
	struct json *commit = json_get(parent, name) ? parent->last : NULL;
	json_set_text(arena, commit, KEY(day), document_day(arena, revision->time));
	if (revision->author && revision->author[0])
		json_set_text(arena, commit, KEY(author), revision->author);
	json_set_text(arena, commit, KEY(release),
		      releases_at(arena, &site->releases, revision->oid));
	json_set_text(arena, commit, "url", arena_printf(arena, "c/%s.html", revision->oid));
}

struct json *render_site_document(const struct site *site, const char *root, const char *title)
{
	struct arena *arena = site->arena;
	struct json *document = document_begin(arena, SCHEMA(site));
	struct json *generator = json_set_object(arena, document, KEY(generator));
	json_set_text(arena, generator, KEY(name), "rooflog");
	json_set_text(arena, generator, KEY(version), site->version);
	json_set_text(arena, document, KEY(generated_at), document_time(arena, site->now));
	json_set_text(arena, document, "root", root);
	if (site->commit_url)
		json_set_text(arena, document, KEY(commit_url), site->commit_url);
	json_set_text(arena, document, KEY(title), title);
	json_set_bool(arena, document, "timelines", site->timelines > 0);
	render_site_add_revision(site, document, "head", &site->set->chain[0],
				 site->gate && site->gate->input->dirty);
	return document;
}

void render_site_add_timelines(const struct site *site, struct json *row,
			       const struct site_series *series)
{
	struct arena *arena = site->arena;
	if (series->has_timeline)
		json_set_text(arena, row, "timeline_href",
			      arena_printf(arena, "t/%s.html", series->anchor));
	if (!series->against)
		return;
	struct json *against = json_set_object(arena, row, "timeline_against");
	json_set_text(arena, against, "short", arena_printf(arena, "%.10s", series->against->oid));
	json_set_text(arena, against, "href",
		      arena_printf(arena, "t/%s-against.html", series->anchor));
}

/* Six digits: rows are sorted by it, and a page has hundreds. */
static double rounded(double number)
{
	if (!isfinite(number) || number == 0)
		return number;
	double scale = pow(10, 5 - floor(log10(fabs(number))));
	return isfinite(scale) && scale > 0 ? round(number * scale) / scale : number;
}

static void add_verdict(struct arena *arena, struct json *row, const struct site_series *series)
{
	const struct comparison *one = series->comparison;
	if (!one)
		return;
	const struct judgement *judged = &one->judged;
	json_set_text(arena, row, KEY(verdict), verdict_name(judged->verdict));
	json_set_text(arena, row, KEY(verdict_text), report_verdict_text(one));
	json_set_text(arena, row, KEY(mark), verdict_mark(judged->verdict));
	json_set_number(arena, row, "rank", judged->verdict);
	json_set_text(arena, row, KEY(judged), metric_info(one->metric)->title);
	json_set_number(arena, row, KEY(change), rounded(judged->change));
	json_set_text(arena, row, KEY(change_text),
		      isnan(judged->change) ? NULL : quantity_change_text(arena, judged->change));
	json_set_text(arena, row, KEY(reason), vocabulary_say(arena, judged->reason));
}

static void add_newest(struct arena *arena, struct json *row, const struct site_series *series)
{
	if (series->metric == METRIC_COUNT || isnan(series->newest.number))
		return;
	const struct metric_info *info = metric_info(series->metric);
	struct json *newest =
		document_quantity(arena, row, KEY(newest), series->newest.number, info->unit);
	json_set_text(arena, newest, KEY(metric), info->key);
	json_set_text(arena, newest, KEY(title), info->title);
	json_set_text(arena, newest, KEY(provenance),
		      metric_provenance_name(series->newest.provenance));
}

struct json *render_site_add_series(const struct site *site, struct json *list,
				    const struct site_series *series)
{
	struct arena *arena = site->arena;
	const struct run *run = series->identity;
	struct json *row = json_add_object(arena, list);
	json_set_text(arena, row, KEY(series), series->key);
	json_set_text(arena, row, KEY(name), series->name);
	if (!site->common[0])
		json_set_text(arena, row, KEY(common), site->kernels[series->kernel].common);
	json_set_text(arena, row, KEY(kernel), run->kernel);
	if (run->variant && run->variant[0])
		json_set_text(arena, row, KEY(variant), run->variant);
	json_set_text(arena, row, KEY(params_text), run_params_text(arena, run));
	json_set_text(arena, row, KEY(dtype), run->dtype);
	json_set_text(arena, row, KEY(device), run->device);
	json_set_text(arena, row, "url",
		      arena_printf(arena, "k/%s.html", site->kernels[series->kernel].slug));
	json_set_text(arena, row, "anchor", series->anchor);
	add_newest(arena, row, series);
	json_set_text(arena, row, KEY(spark), render_site_spark(arena, series, false));
	json_set_number(arena, row, KEY(commits), (double)series->points.count);
	json_set_text(arena, row, "commits_text",
		      quantity_count_text(arena, series->points.count, "commit", "commits"));
	json_set_number(arena, row, KEY(changes), (double)series->change_count);
	json_set_text(arena, row, "changes_text",
		      quantity_count_text(arena, series->change_count, "change", "changes"));
	add_verdict(arena, row, series);
	if (!isnan(series->mfu))
		document_quantity(arena, row, KEY(mfu), rounded(series->mfu), UNIT_FRACTION);
	if (series->bottleneck)
		json_set_text(arena, row, KEY(bottleneck), series->bottleneck);
	render_site_add_revision(site, row, "commit", series->revision, series->dirty);
	if (series->revision && strcmp(series->revision->oid, site->set->chain[0].oid) != 0)
		json_set_bool(arena, row, "old", true);
	render_site_add_state(site, row, series);
	return row;
}

void render_site_add_change(const struct site *site, struct json *list,
			    const struct site_series *series, const struct detect_change *change)
{
	struct arena *arena = site->arena;
	enum unit unit = metric_info(series->metric)->unit;
	const struct history_point *points = series->points.items;
	uint32_t first = points[change->index].commit;
	bool worse = acceptance_is_worse(change->after, change->before, series->direction);
	enum verdict verdict = worse ? VERDICT_REGRESSED : VERDICT_IMPROVED;
	struct json *row = json_add_object(arena, list);
	json_set_text(arena, row, KEY(name), series->name);
	json_set_text(arena, row, "url",
		      arena_printf(arena, "k/%s.html", site->kernels[series->kernel].slug));
	json_set_text(arena, row, "anchor", series->anchor);
	json_set_text(arena, row, KEY(title), metric_info(series->metric)->title);
	json_set_text(arena, row, KEY(verdict), verdict_name(verdict));
	json_set_text(arena, row, KEY(verdict_text),
		      vocabulary_verdict(LANGUAGE_ENGLISH, verdict,
					 metric_is_time_or_rate(series->metric)));
	json_set_text(arena, row, KEY(mark), verdict_mark(verdict));
	document_quantity(arena, row, KEY(before), change->before, unit);
	document_quantity(arena, row, KEY(after), change->after, unit);
	json_set_number(arena, row, KEY(effect), change->effect);
	json_set_text(arena, row, KEY(effect_text),
		      document_effect(arena, change->effect, change->relative, unit));
	json_set_text(arena, row, KEY(interval_text),
		      report_effect_interval_text(arena, change->low, change->high,
						  change->relative, unit));
	json_set_number(arena, row, KEY(p), change->p);
	render_site_add_revision(site, row, "commit", &site->set->chain[first], false);
	/* Unmeasured commits lie in between: any of them can be the cause. */
	uint32_t last = change->index ? points[change->index - 1].commit : first;
	if (last > first + 1) {
		render_site_add_revision(site, row, "last_before", &site->set->chain[last], false);
		render_site_add_unmeasured(arena, row, last - first - 1);
	}
}

void render_site_add_gate(const struct site *site, struct json *document)
{
	struct arena *arena = site->arena;
	const struct gate_result *gate = site->gate;
	if (!gate)
		return;
	struct json *out = json_set_object(arena, document, KEY(gate));
	json_set_text(arena, out, KEY(verdict), gate->verdict);
	json_set_text(arena, out, KEY(word),
		      vocabulary_term(LANGUAGE_ENGLISH, report_gate_word(gate)));
	json_set_text(arena, out, KEY(headline),
		      vocabulary_say(arena, report_headline(arena, gate, REPORT_COMMENT)));
	json_set_number(arena, out, KEY(exit_status), gate->exit_status);
	json_set_text(arena, out, KEY(reason), vocabulary_say(arena, gate->reason));
	json_set_text(arena, out, KEY(against), gate->input->against);
	report_add_configuration(arena, out, gate->input->configuration);
	struct json *verdicts = json_set_array(arena, out, KEY(verdicts));
	for (int i = 0; i < VERDICT_LIMIT; i++) {
		if (gate->counts[i] == 0)
			continue;
		struct json *one = json_add_object(arena, verdicts);
		json_set_text(arena, one, KEY(verdict), verdict_name((enum verdict)i));
		json_set_text(arena, one, KEY(verdict_text),
			      report_verdicts_text(gate, (enum verdict)i));
		json_set_text(arena, one, KEY(mark), verdict_mark((enum verdict)i));
		json_set_number(arena, one, KEY(count), (double)gate->counts[i]);
	}
}
