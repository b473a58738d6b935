/* Why a value changed, and the potential gains, in the report document. */
#include "render/document/document.h"
#include "render/report/report.h"

#include "render/vocabulary/vocabulary.h"

void report_add_why(struct arena *arena, struct json *parent, const struct explanation *found)
{
	if (!found || !found->text)
		return;
	const struct document_member members[] = {
		{KEY(cause), TEXT(explain_cause_name(found->cause))},
		{KEY(metric), TEXT(metric_info(found->metric)->key)},
		{KEY(text), MESSAGE(found->text)},
		{KEY(compared), NUMBER(found->compared)},
		{KEY(different), NUMBER(found->different)},
	};
	struct json *why = json_set_object(arena, parent, KEY(why));
	document_fill(arena, why, members);
	struct json *parts = json_set_array(arena, why, KEY(parts));
	for (size_t i = 0; i < found->count; i++) {
		const struct explain_part *one = &found->parts[i];
		const struct document_member part[] = {
			{KEY(kind), TEXT(one->kind)},
			{KEY(key), TEXT(one->key)},
			{KEY(text), MESSAGE(one->text)},
			{KEY(before), QUANTITY(one->before, one->unit), OPTIONAL},
			{KEY(after), QUANTITY(one->after, one->unit), OPTIONAL},
			{KEY(change), NUMBER(one->change), OPTIONAL},
			{KEY(seconds), NUMBER(one->seconds), OPTIONAL},
		};
		document_fill(arena, json_add_object(arena, parts), part);
	}
}

const struct message *report_gain(struct arena *arena, const struct potential_gain *gain)
{
	if (isnan(gain->fraction))
		return NULL;
	if (gain->estimated_by)
		return message_of(arena, MESSAGE_GAIN_BY_TOOL, message_fraction(gain->fraction),
				  message_term(gain->of), message_text(gain->estimated_by));
	return message_of(arena, gain->bound ? MESSAGE_GAIN_UP_TO : MESSAGE_GAIN_AT_PEAK,
			  message_fraction(gain->fraction), message_term(gain->of));
}

void report_add_gain(struct arena *arena, struct json *object, const struct finding *finding)
{
	const struct potential_gain *gain = &finding->gain;
	if (isnan(gain->fraction))
		return;
	const struct document_member members[] = {
		{KEY(gain_fraction), NUMBER(gain->fraction)},
		{KEY(gain), MESSAGE(report_gain(arena, gain))},
		{KEY(gain_bound), BOOL(gain->bound)},
	};
	document_fill(arena, object, members);
}

/* "dma_average_bytes=1.927 kB": the values that triggered the finding. */
static const char *trigger_of(struct arena *arena, const struct finding *finding)
{
	return arena_printf(arena, "%s=%s", finding->metric,
			    quantity_text(arena, finding->value, finding->unit));
}

void report_add_opportunities(struct arena *arena, struct json *run_document,
			      const struct finding_list *findings)
{
	const struct finding *opportunities[OPPORTUNITIES];
	size_t count = findings_opportunities(findings, opportunities);
	struct json *list = json_set_array(arena, run_document, KEY(opportunities));
	for (size_t i = 0; i < count; i++) {
		const struct finding *one = opportunities[i];
		const struct document_member names[] = {
			{KEY(name), MESSAGE(one->title)},
			{KEY(rule), TEXT(one->rule)},
			{KEY(trigger), TEXT(trigger_of(arena, one))},
		};
		const struct document_member reasons[] = {
			{KEY(formula), MESSAGE(one->gain.formula), OPTIONAL},
			{KEY(advice), TERM(one->advice), OPTIONAL},
		};
		struct json *item = document_fill(arena, json_add_object(arena, list), names);
		report_add_gain(arena, item, one);
		document_fill(arena, item, reasons);
	}
}
