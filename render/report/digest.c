/* A change with the few digits that a person reads, in the signs of pages: "+18.4 %",
 * "66.2 → 78.4 µs". */
#include "render/report/report.h"

#include "render/document/document.h"
#include "render/site/address/address.h"
#include "render/vocabulary/vocabulary.h"

const char *report_page(struct arena *arena, const struct comparison *one)
{
	return one->run->kernel ? site_address_of(arena, one->run->kernel, one->series->key) : NULL;
}

/* "+18.4": without decimals from 100 % on, with a second one below 0.1 %. */
static const char *percent_text(struct arena *arena, double change)
{
	double size = fabs(change) * 100;
	int decimals = size >= 99.95 ? 0 : size >= 0.095 || size == 0 ? 1 : 2;
	return vocabulary_typeset(arena, arena_printf(arena, "%+.*f", decimals, change * 100));
}

const char *report_digest_change(struct arena *arena, double change)
{
	return isfinite(change) ? arena_printf(arena, "%s %%", percent_text(arena, change)) : NULL;
}

static const char *interval_text(struct arena *arena, double low, double high)
{
	if (!isfinite(low) || !isfinite(high))
		return NULL;
	return arena_printf(arena, vocabulary_format("%s to %s %%"), percent_text(arena, low),
			    percent_text(arena, high));
}

static const char *value_text(struct arena *arena, double number, enum unit unit)
{
	struct strbuf text = {0};
	quantity_add_short(&text, number, unit);
	return vocabulary_typeset(arena, strbuf_into(&text, arena));
}

/* "66.2 → 78.4 µs" */
static const char *values_text(struct arena *arena, const struct report_digest *digest)
{
	struct strbuf text = {0};
	quantity_add_sides(&text, digest->before, digest->after, digest->unit);
	return vocabulary_typeset(arena, strbuf_into(&text, arena));
}

/* The side that is known; NULL: none is. */
static const char *side_text(struct arena *arena, const struct report_digest *digest)
{
	if (!isnan(digest->after))
		return value_text(arena, digest->after, digest->unit);
	if (!isnan(digest->before))
		return arena_printf(arena, vocabulary_format("%s before"),
				    value_text(arena, digest->before, digest->unit));
	return NULL;
}

static void fill(struct arena *arena, struct json *parent, const struct report_digest *digest,
		 const char *values, const char *why)
{
	const struct document_member members[] = {
		{KEY(delta), TEXT(report_digest_change(arena, digest->change)), OPTIONAL},
		{KEY(ci), TEXT(interval_text(arena, digest->low, digest->high)), OPTIONAL},
		{KEY(values), TEXT(values), OPTIONAL},
		{KEY(told), TEXT(why && why[0] ? why : NULL), OPTIONAL},
	};
	document_fill(arena, json_set_object(arena, parent, KEY(digest)), members);
}

void report_add_digest(struct arena *arena, struct json *parent, const struct report_digest *digest,
		       const char *why)
{
	bool both = !isnan(digest->before) && !isnan(digest->after);
	fill(arena, parent, digest, both ? values_text(arena, digest) : side_text(arena, digest),
	     why);
}

void report_add_comparison_digest(struct arena *arena, struct json *parent,
				  const struct comparison *one)
{
	const struct judgement *judged = &one->judged;
	const bool limit = judged->method == METHOD_LIMIT;
	const struct report_digest digest = {
		.before = limit ? NAN : judged->baseline,
		.after = isnan(judged->candidate) ? one->measured : judged->candidate,
		.change = limit ? NAN : judged->change,
		.low = one->change_interval.low,
		.high = one->change_interval.high,
		.unit = metric_info(one->metric)->unit,
	};
	const struct message *why = one->why && one->why->text ? one->why->text : judged->reason;
	report_add_digest(arena, parent, &digest, vocabulary_say_briefly(arena, why));
}
