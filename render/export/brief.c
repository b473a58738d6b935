/*
 * What a gate found, in one document that fits into the context of an agent: the worst comparisons,
 * why, what could have been seen, and what to try in the run of the worst one. Rows are left out
 * until it fits, and their number is given.
 */
#include "base/text/text.h"
#include "render/document/key.h"
#include "render/export/exporter.h"

enum { BRIEF_BYTES = 4096, ROWS = EXPORT_WORST, FINDINGS = 3, TEXT_BYTES = 240 };

static void set_short(struct arena *arena, struct json *object, const char *key, const char *text)
{
	struct span span = span_of(text);
	if (span.len <= TEXT_BYTES) {
		json_set_text(arena, object, key, text);
		return;
	}
	span.len = utf8_valid_prefix((struct span){span.ptr, TEXT_BYTES});
	json_set_text(arena, object, key, arena_printf(arena, "%.*s...", (int)span.len, span.ptr));
}

static const struct json *run_of(const struct json *document, const struct json *comparison)
{
	const char *series = json_text(comparison, KEY(series), "");
	for (const struct json *run = json_first(document, KEY(runs)); run; run = run->next)
		if (strcmp(json_text(run, KEY(series), ""), series) == 0)
			return run;
	return NULL;
}

/* "attention fused s=512" */
static const char *name_of(struct arena *arena, const struct json *comparison)
{
	const char *kernel = json_text(comparison, KEY(kernel), "?");
	const char *variant = json_text(comparison, KEY(variant), "");
	const char *params = json_text(comparison, KEY(params_text), "");
	return arena_printf(arena, "%s%s%s%s%s", kernel, variant[0] ? " " : "", variant,
			    params[0] ? " " : "", params);
}

static void add_comparison(struct arena *arena, struct json *list, const struct json *document,
			   const struct json *comparison)
{
	static const char *const numbers[] = {KEY(change), KEY(p), KEY(detectable), NULL};
	const struct json *run = run_of(document, comparison);
	const struct json *interval = json_get(comparison, KEY(interval));
	struct json *row = json_add_object(arena, list);
	set_short(arena, row, KEY(series), json_text(comparison, KEY(series), NULL));
	set_short(arena, row, KEY(name), name_of(arena, comparison));
	json_set_text(arena, row, KEY(metric), json_text(comparison, KEY(metric), NULL));
	json_set_text(arena, row, KEY(verdict), json_text(comparison, KEY(verdict), NULL));
	json_set_text(arena, row, KEY(verdict_text),
		      json_text(comparison, KEY(verdict_text), NULL));
	json_set_text(arena, row, KEY(baseline),
		      json_text(json_get(comparison, KEY(baseline)), KEY(text), NULL));
	json_set_text(arena, row, KEY(candidate),
		      json_text(json_get(comparison, KEY(candidate)), KEY(text), NULL));
	for (size_t i = 0; numbers[i]; i++)
		json_set_number(arena, row, numbers[i], json_number(comparison, numbers[i], NAN));
	json_set_number(arena, row, KEY(low), json_number(interval, KEY(low), NAN));
	json_set_number(arena, row, KEY(high), json_number(interval, KEY(high), NAN));
	set_short(arena, row, KEY(reason), json_text(comparison, KEY(reason), NULL));
	const struct json *why = json_get(json_get(run, KEY(baseline)), KEY(why));
	bool unchanged = strcmp(json_text(comparison, KEY(verdict), ""), "unchanged") == 0;
	set_short(arena, row, KEY(why), unchanged ? NULL : json_text(why, KEY(text), NULL));
}

/* The roofline position of a run, and what to change in it. */
static void add_here(struct arena *arena, struct json *brief, const struct json *run,
		     size_t findings)
{
	static const char *const metrics[] = {KEY(mfu), KEY(arithmetic_intensity), KEY(ridge_point),
					      KEY(roofline_efficiency), NULL};
	const struct json *values = json_get(run, KEY(metrics));
	const struct json *bottleneck = json_get(run, KEY(bottleneck));
	const struct json *finding = json_first(run, KEY(findings));
	struct json *here = json_set_object(arena, brief, KEY(here));
	json_set_text(arena, here, KEY(run), json_text(run, KEY(id), NULL));
	for (size_t i = 0; metrics[i]; i++)
		json_set_number(arena, here, metrics[i],
				json_number(json_get(values, metrics[i]), KEY(value), NAN));
	json_set_text(arena, here, KEY(bottleneck), json_text(bottleneck, KEY(title), NULL));
	set_short(arena, here, KEY(reason), json_text(bottleneck, KEY(reason), NULL));
	struct json *list = json_set_array(arena, here, KEY(findings));
	for (; finding && findings > 0; finding = finding->next, findings--) {
		struct json *row = json_add_object(arena, list);
		set_short(arena, row, KEY(text), json_text(finding, KEY(text), ""));
		set_short(arena, row, KEY(advice), json_text(finding, KEY(advice), NULL));
		json_set_text(arena, row, KEY(gain), json_text(finding, KEY(gain), NULL));
	}
}

static struct json *brief_of(struct arena *arena, const struct json *document, size_t rows,
			     size_t findings)
{
	const struct json *gate = json_get(document, KEY(gate));
	const struct json *comparisons = json_get(gate, KEY(comparisons));
	const struct json *worst = json_first(gate, KEY(comparisons));
	struct json *brief = json_object(arena);
	json_set_text(arena, brief, KEY(schema), "rooflog-brief/1");
	json_set_text(arena, brief, KEY(verdict), json_text(gate, KEY(verdict), NULL));
	json_set_number(arena, brief, KEY(exit_status), json_number(gate, KEY(exit_status), NAN));
	set_short(arena, brief, KEY(answer), json_text(gate, KEY(answer), NULL));
	set_short(arena, brief, KEY(reason), json_text(gate, KEY(reason), NULL));
	json_set_text(arena, brief, KEY(commit),
		      json_text(json_get(gate, KEY(candidate)), KEY(oid), NULL));
	set_short(arena, brief, KEY(against), json_text(gate, KEY(against), NULL));
	set_short(arena, brief, KEY(environment),
		  json_text(json_get(gate, KEY(environment)), KEY(text), NULL));
	struct json *counts = json_set_object(arena, brief, KEY(verdicts));
	for (const struct json *one = json_first(gate, KEY(verdicts)); one; one = one->next)
		json_set_number(arena, counts, json_text(one, KEY(verdict), ""),
				json_number(one, KEY(count), NAN));
	struct json *list = json_set_array(arena, brief, KEY(comparisons));
	size_t left = comparisons ? comparisons->count : 0;
	for (const struct json *one = worst; one && rows > 0; one = one->next, rows--, left--)
		add_comparison(arena, list, document, one);
	json_set_number(arena, brief, KEY(more), (double)left);
	const struct json *run = worst ? run_of(document, worst) : NULL;
	if (run)
		add_here(arena, brief, run, findings);
	return brief;
}

void export_brief(struct arena *arena, const struct json *document, const struct export_target *to)
{
	size_t before = to->out->len;
	for (size_t rows = ROWS, findings = FINDINGS;;) {
		json_write(to->out, brief_of(arena, document, rows, findings), true);
		strbuf_addch(to->out, '\n');
		if (to->out->len - before <= BRIEF_BYTES || rows + findings == 0)
			return;
		strbuf_truncate(to->out, before);
		if (rows > 1 || findings == 0)
			rows--;
		else
			findings--;
	}
}
