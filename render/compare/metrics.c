/* Two runs of the same work, metric by metric, as text and as JSON. */
#include "render/compare/metrics.h"

#include "render/document/key.h"

#include "base/text/text.h"
#include "model/run/runs.h"
#include "render/markup/markup.h"

const char *render_compare_change_text(struct arena *arena, double reference, double number)
{
	if (reference == number)
		return "equal";
	double change = reference != 0 ? number / reference - 1 : NAN;
	if (fabs(change) < 5e-5)
		return arena_printf(arena, "%+.1e", change);
	return quantity_change_text(arena, change);
}

static void add_differences(struct arena *arena, const struct compare_sides *sides,
			    const struct compare_agreement *agreement, size_t width,
			    struct strbuf *sb)
{
	struct md_table table = md_table_of(arena, width, "different");
	md_table_column(&table, sides->reference, MD_ALIGN_RIGHT);
	md_table_column(&table, sides->value, MD_ALIGN_RIGHT);
	md_table_columns(&table, ">difference");
	for (size_t i = 0; i < agreement->difference_count; i++) {
		const struct compare_difference *one = &agreement->differences[i];
		const struct metric_info *info = metric_info(one->metric);
		md_table_row(&table, info->key, quantity_text(arena, one->reference, info->unit),
			     quantity_text(arena, one->number, info->unit),
			     render_compare_change_text(arena, one->reference, one->number));
	}
	md_table_plain(&table, sb);
}

static void add_alone(struct strbuf *sb, size_t count, const char *side)
{
	if (count)
		strbuf_addf(sb, "%zu more known to %s alone (see --json)\n", count, side);
}

void render_compare_metrics_add(struct arena *arena, const struct compare_sides *sides,
				size_t width, struct strbuf *sb)
{
	struct compare_agreement agreement =
		variants_agreement_of(arena, sides->reference_run, sides->run);
	strbuf_addf(sb, "\n%s, %s and %s: ", sides->work, sides->reference, sides->value);
	if (agreement.common && agreement.equal == agreement.common)
		strbuf_addf(sb, "all %zu common metrics are equal\n", agreement.common);
	else
		strbuf_addf(sb, "%zu common metrics, %zu equal\n", agreement.common,
			    agreement.equal);
	if (agreement.difference_count)
		add_differences(arena, sides, &agreement, width, sb);
	add_alone(sb, agreement.only_reference_count, sides->reference);
	add_alone(sb, agreement.only_other_count, sides->value);
}

static void keys_json(struct arena *arena, struct json *out, const char *name,
		      const enum metric *metrics, size_t count)
{
	struct json *list = json_set_array(arena, out, name);
	for (size_t i = 0; i < count; i++)
		json_add_text(arena, list, metric_info(metrics[i])->key);
}

void render_compare_metrics_json(struct arena *arena, const struct compare_sides *sides,
				 struct json *row)
{
	struct compare_agreement agreement =
		variants_agreement_of(arena, sides->reference_run, sides->run);
	struct json *out = json_set_object(arena, row, "agreement");
	json_set_number(arena, out, KEY(common), (double)agreement.common);
	json_set_number(arena, out, "equal", (double)agreement.equal);
	struct json *list = json_set_array(arena, out, KEY(different));
	for (size_t i = 0; i < agreement.difference_count; i++) {
		const struct compare_difference *one = &agreement.differences[i];
		const struct metric_info *info = metric_info(one->metric);
		struct json *item = json_add_object(arena, list);
		json_set_text(arena, item, KEY(key), info->key);
		json_set_text(arena, item, KEY(unit), quantity_unit_symbol(info->unit));
		json_set_number(arena, item, KEY(reference), one->reference);
		json_set_number(arena, item, KEY(value), one->number);
		json_set_number(arena, item, KEY(relative), one->relative);
	}
	keys_json(arena, out, "only_reference", agreement.only_reference,
		  agreement.only_reference_count);
	keys_json(arena, out, "only_here", agreement.only_other, agreement.only_other_count);
}
