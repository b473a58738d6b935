/* The report document's frame, its metrics, ages and changes. */
#include "render/report/report.h"

#include "model/run/runs.h"
#include "render/document/document.h"
#include "render/report/contract.h"
#include "render/vocabulary/vocabulary.h"

const char *report_for_device(struct arena *arena, const struct run *run, const char *title)
{
	const char *hbm = strstr(title, "HBM");
	if (!hbm || !run_is_gpu(run, NULL))
		return title;
	return arena_printf(arena, "%.*sDRAM%s", (int)(hbm - title), title, hbm + 3);
}

const char *report_title(struct arena *arena, const struct run *run, enum metric metric)
{
	return report_for_device(arena, run, vocabulary_metric(vocabulary_spoken(), metric));
}

struct json *report_metric(struct arena *arena, struct json *parent, const char *name,
			   const struct run *run, enum metric metric)
{
	const struct metric_info *info = metric_info(metric);
	struct value value = run_value(run, metric);
	const bool differs = value.provenance == PROVENANCE_DERIVED;
	const struct document_member members[] = {
		{KEY(key), TEXT(info->key)},
		{KEY(title), TEXT(report_title(arena, run, metric))},
		{KEY(value), NUMBER(value.number)},
		{KEY(unit), UNIT(info->unit)},
		{KEY(text), AMOUNT(value.number, info->unit)},
		{KEY(provenance), TEXT(vocabulary_label(metric_provenance_name(value.provenance)))},
		{KEY(formula), TEXT(info->formula[0] == '=' ? info->formula + 2 : info->formula)},
		{KEY(reported), NUMBER(differs ? run->given[metric].number : NAN), OPTIONAL},
	};
	return document_fill(
		arena, name ? json_set_object(arena, parent, name) : json_add_object(arena, parent),
		members);
}

void report_age(struct arena *arena, struct json *baseline, int64_t age)
{
	if (age < 0)
		return;
	const struct document_member members[] = {
		{KEY(age_commits), NUMBER(age)},
		{KEY(age_text), AGE(age)},
	};
	document_fill(arena, baseline, members);
}

const char *report_percent(struct arena *arena, double fraction)
{
	double size = fabs(fraction) * 100;
	return arena_printf(arena, "%.*f %%", size < 10 ? 2 : 1, size);
}

const struct message *report_change(struct arena *arena, enum metric metric, double previous,
				    double current)
{
	double change = current / previous - 1;
	if (change == 0 || (previous == 0 && current == 0))
		return message_plain(MESSAGE_NO_CHANGE);
	if (!isfinite(change))
		return message_plain(MESSAGE_UNKNOWN);
	if (metric_info(metric)->unit != UNIT_SECOND)
		return message_of(arena, MESSAGE_NAMED,
				  message_text(quantity_change_text(arena, change)));
	return message_of(arena, change < 0 ? MESSAGE_CHANGE_FASTER : MESSAGE_CHANGE_SLOWER,
			  message_text(report_percent(arena, previous / current - 1)),
			  message_text(report_percent(arena, change)));
}

const char *report_change_words(struct arena *arena, enum metric metric, double previous,
				double current)
{
	return vocabulary_say(arena, report_change(arena, metric, previous, current));
}

const struct report_run *report_entry(const struct report *report, struct arena *arena,
				      size_t index)
{
	struct report_run *entry = arena_new(arena, struct report_run);
	assert(index < report->run_count);
	*entry = report->runs[index];
	if (report->complete)
		report->complete(report->context, arena, index, entry);
	return entry;
}

/* The runs of a document. */
struct runs {
	const struct report *report;
	struct short_names naming;
	const struct form_groups *stages; /* NULL: the document is not whole */
	const struct form_groups *shapes; /* NULL: each run has a Performance block of its own */
};

/* What several runs share stands in the first of them. */
static void add_groups(const struct runs *runs, const struct form *form, size_t index,
		       struct json *run_document)
{
	struct form_group stages = form_group_of(form, runs->stages, index);
	struct form_group shapes = form_group_of(form, runs->shapes, index);
	if (stages.count)
		form_add_contract(&stages, run_document);
	if (shapes.count)
		form_add_devlog(&shapes, run_document);
}

static struct json *run_at(void *context, struct arena *arena, size_t index)
{
	const struct runs *runs = context;
	const struct report_run *entry = report_entry(runs->report, arena, index);
	struct json *list = json_array(arena);
	struct form form = form_of(arena, entry, vocabulary_spoken());
	form.extent = runs->report->extent;
	form_add_run(&form, list);
	json_set_text(arena, list->first, KEY(name),
		      short_names_name(arena, &runs->naming, entry->run));
	if (runs->report->scenarios)
		report_add_scenarios_of(arena, list->first, runs->report->scenarios, entry->run);
	if (runs->stages)
		add_groups(runs, &form, index, list->first);
	return list->first;
}

static void add_runs(struct arena *arena, struct json *list, const struct report *report,
		     const struct short_names *naming)
{
	struct runs *runs = arena_new(arena, struct runs);
	struct report *own = arena_new(arena, struct report);
	*own = *report;
	*runs = (struct runs){own, *naming, NULL, NULL};
	if (report->extent == REPORT_WHOLE) {
		runs->stages = form_groups_of(arena, own, FORM_BY_STAGE);
		if (report->by_shape)
			runs->shapes = form_groups_of(arena, own, FORM_BY_SHAPE);
	}
	size_t kept = report->kept_runs ? report->kept_runs : REPORT_KEPT_RUNS;
	for (size_t i = 0; i < report->run_count && i < kept; i++)
		json_append(list, run_at(runs, arena, i));
	if (report->run_count > kept)
		json_set_items(arena, list, report->run_count, (struct json_items){run_at, runs});
}

struct json *report_document(struct arena *arena, const struct report *report)
{
	struct json *document = document_begin(arena, SCHEMA(report));
	struct json *generator = json_set_object(arena, document, KEY(generator));
	json_set_text(arena, generator, KEY(name), "rooflog");
	json_set_text(arena, generator, KEY(version), report->version);
	json_set_text(arena, document, KEY(generated_at),
		      document_time(arena, report->generated_at));
	json_set_text(arena, document, KEY(title), report->title);
	if (report->commit_url)
		json_set_text(arena, document, KEY(commit_url), report->commit_url);
	if (report->diff_url)
		json_set_text(arena, document, KEY(diff_url), report->diff_url);
	if (report->site_url)
		json_set_text(arena, document, KEY(site_url), report->site_url);
	bool dirty = report->run_count > 0 && report->runs[0].run->dirty;
	document_commit(arena, document, KEY(commit), report->revision, dirty);
	const struct run **plain = arena_array(arena, report->run_count, sizeof *plain);
	for (size_t i = 0; i < report->run_count; i++)
		plain[i] = report->runs[i].run;
	struct short_names naming = short_names_of(arena, plain, report->run_count);
	json_set_text(arena, document, KEY(common), short_names_common(arena, &naming));
	json_set_text(arena, document, KEY(headline),
		      vocabulary_term(vocabulary_spoken(), short_names_headline(&naming)));
	if (report->scenarios)
		report_add_scenarios(arena, document, report->scenarios, plain, report->run_count);
	add_runs(arena, json_set_array(arena, document, KEY(runs)), report, &naming);
	if (report->gate)
		report_add_gate(arena, document, report->gate, report->comparisons);
	return document;
}
