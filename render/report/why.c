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
	return message_of(arena, gain->bound ? MESSAGE_GAIN_UP_TO : MESSAGE_GAIN_AT_PEAK,
			  message_fraction(gain->fraction), message_term(gain->of));
}

void report_add_gain(struct arena *arena, struct json *object, const struct finding *finding)
{
	const struct potential_gain *gain = &finding->gain;
	if (isnan(gain->fraction))
		return;
	json_set_number(arena, object, KEY(gain_fraction), gain->fraction);
	json_set_text(arena, object, KEY(gain),
		      vocabulary_english(arena, report_gain(arena, gain)));
	json_set_bool(arena, object, KEY(gain_bound), gain->bound);
}

const char *report_trigger(struct arena *arena, const struct finding *finding)
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
		struct json *item = json_add_object(arena, list);
		json_set_text(arena, item, KEY(name),
			      vocabulary_term(LANGUAGE_ENGLISH, one->title));
		json_set_text(arena, item, KEY(rule), one->rule);
		json_set_text(arena, item, KEY(trigger), report_trigger(arena, one));
		report_add_gain(arena, item, one);
		if (one->gain.formula)
			json_set_text(arena, item, KEY(formula),
				      vocabulary_english(arena, one->gain.formula));
		if (one->advice)
			json_set_text(arena, item, KEY(advice),
				      vocabulary_term(LANGUAGE_ENGLISH, one->advice));
	}
}
