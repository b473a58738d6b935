/* Two sides metric by metric in the report document: what differs, whatever a gate thinks of it. */
#include "render/summary/summary.h"

#include "model/run/runs.h"
#include "render/document/document.h"

static void add_difference(struct arena *arena, struct json *list,
			   const struct compare_difference *one)
{
	const struct metric_info *info = metric_info(one->metric);
	struct json *out = json_add_object(arena, list);
	json_set_text(arena, out, KEY(key), info->key);
	document_quantity(arena, out, "baseline", one->reference, info->unit);
	document_quantity(arena, out, "candidate", one->number, info->unit);
	json_set_number(arena, out, KEY(change), one->relative);
	json_set_text(arena, out, KEY(change_text),
		      quantity_exact_change_text(arena, one->reference, one->number));
}

static void add_agreement(struct arena *arena, struct json *list, const char *name,
			  const struct compare_agreement *agreement)
{
	struct json *out = json_add_object(arena, list);
	json_set_text(arena, out, KEY(name), name);
	json_set_number(arena, out, KEY(common), (double)agreement->common);
	json_set_number(arena, out, KEY(equal), (double)agreement->equal);
	json_set_number(arena, out, KEY(only_baseline), (double)agreement->only_reference_count);
	json_set_number(arena, out, KEY(only_candidate), (double)agreement->only_other_count);
	struct json *differences = json_set_array(arena, out, KEY(differences));
	for (size_t i = 0; i < agreement->difference_count; i++)
		add_difference(arena, differences, &agreement->differences[i]);
}

void summary_add_agreements(struct arena *arena, struct json *document,
			    const struct gate_result *gate)
{
	const struct short_names naming = gate_short_names(arena, gate);
	const struct gate_series *last = NULL;
	struct json *list =
		json_set_array(arena, json_get(document, KEY(compare)), KEY(agreements));
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (one->series == last || !one->series->baseline.count ||
		    !one->series->candidate.count)
			continue;
		last = one->series;
		struct compare_agreement agreement =
			variants_agreement_of(arena, representative_median(arena, &last->baseline),
					      representative_median(arena, &last->candidate));
		add_agreement(arena, list, short_names_name(arena, &naming, one->run), &agreement);
	}
}
