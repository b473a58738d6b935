/* Why a value changed, and the potential gains, in the report document. */
#include "render/document/key.h"
#include "render/report/report.h"

#include "render/vocabulary/vocabulary.h"

static void add_side(struct arena *arena, struct json *part, const char *name, double number,
		     enum unit unit)
{
	if (!isnan(number))
		report_quantity(arena, part, name, number, unit);
}

void report_add_why(struct arena *arena, struct json *parent, const struct explanation *found)
{
	if (!found || !found->text)
		return;
	struct json *why = json_set_object(arena, parent, KEY(why));
	json_set_text(arena, why, KEY(cause), explain_cause_name(found->cause));
	json_set_text(arena, why, KEY(metric), metric_info(found->metric)->key);
	json_set_text(arena, why, KEY(text), vocabulary_english(arena, found->text));
	json_set_number(arena, why, KEY(compared), (double)found->compared);
	json_set_number(arena, why, KEY(different), (double)found->different);
	struct json *parts = json_set_array(arena, why, KEY(parts));
	for (size_t i = 0; i < found->count; i++) {
		const struct explain_part *one = &found->parts[i];
		struct json *part = json_add_object(arena, parts);
		json_set_text(arena, part, KEY(kind), one->kind);
		json_set_text(arena, part, KEY(key), one->key);
		json_set_text(arena, part, KEY(text), vocabulary_english(arena, one->text));
		add_side(arena, part, "before", one->before, one->unit);
		add_side(arena, part, "after", one->after, one->unit);
		if (!isnan(one->change))
			json_set_number(arena, part, KEY(change), one->change);
		if (!isnan(one->seconds))
			json_set_number(arena, part, KEY(seconds), one->seconds);
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
