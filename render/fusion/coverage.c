/* Which of the shapes that the scheduler needs are measured, as text and JSON. */
#include "render/fusion/fusion.h"

#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/vocabulary/vocabulary.h"

/* "prefill 128 256; decode 1 2": sequences, then batches. */
static const char *missing_text(struct arena *arena, const struct fusion_coverage *line)
{
	struct strbuf sb = {0};
	const char *phase = "";
	for (size_t i = 0; i < fusion_expected_count; i++) {
		if (line->of[i] != FUSION_MISSING)
			continue;
		if (strcmp(phase, fusion_expected[i].phase) != 0)
			strbuf_addf(&sb, "%s%s", phase[0] ? vocabulary_format("; ") : "",
				    vocabulary_label(fusion_expected[i].phase));
		phase = fusion_expected[i].phase;
		strbuf_addf(&sb, " %.0f",
			    fusion_expected[i].sequence > 1 ? fusion_expected[i].sequence
							    : fusion_expected[i].batch);
	}
	if (!sb.len)
		strbuf_addstr(&sb, "--");
	return strbuf_into(&sb, arena);
}

void render_fusion_coverage_text(struct arena *arena, const struct fusion_coverages *lines,
				 struct strbuf *sb)
{
	struct md_table table = md_table_of(
		arena, 0,
		vocabulary_label("platform|operator|>hidden size|>measured|>interpolated|missing"));
	for (size_t i = 0; i < lines->count; i++) {
		const struct fusion_coverage *line = &lines->items[i];
		md_table_row(
			&table, line->platform, line->kernel,
			isnan(line->hidden) ? "--" : arena_printf(arena, "%.0f", line->hidden),
			arena_printf(arena, vocabulary_format("%zu of %d"),
				     line->counts[FUSION_MEASURED], (int)fusion_expected_count),
			arena_printf(arena, vocabulary_format("%zu of %d"),
				     line->counts[FUSION_INTERPOLATED], (int)fusion_expected_count),
			missing_text(arena, line));
	}
	md_table_plain(&table, sb);
	strbuf_addf(sb, "\n%s\n",
		    vocabulary_label("expected: prefill is batch 1 with these sequence lengths, "
				     "decode one token in these batches.\nFor a missing shape the "
				     "scheduler takes the times of another one."));
}

static void add_shapes(struct arena *arena, struct json *object, const struct fusion_coverage *line,
		       enum fusion_cover cover, const char *name)
{
	struct json *array = json_set_array(arena, object, name);
	for (size_t i = 0; i < fusion_expected_count; i++) {
		const char *hidden =
			isnan(line->hidden) ? "H" : arena_printf(arena, "%.0f", line->hidden);
		if (line->of[i] == cover)
			json_add_text(arena, array,
				      arena_printf(arena, "[%.0f, %.0f, %s]",
						   fusion_expected[i].batch,
						   fusion_expected[i].sequence, hidden));
	}
}

struct json *render_fusion_coverage_json(struct arena *arena, const struct fusion_coverages *lines)
{
	struct json *document = document_begin(arena, SCHEMA(coverage));
	struct json *array = json_set_array(arena, document, KEY(lines));
	for (size_t i = 0; i < lines->count; i++) {
		const struct fusion_coverage *line = &lines->items[i];
		struct json *object = json_add_object(arena, array);
		json_set_text(arena, object, "platform", line->platform);
		json_set_text(arena, object, KEY(kernel), line->kernel);
		json_set_number(arena, object, "hidden_size", line->hidden);
		json_set_number(arena, object, "expected", fusion_expected_count);
		json_set_number(arena, object, "stored_shapes", (double)line->measured);
		add_shapes(arena, object, line, FUSION_MEASURED, "measured");
		add_shapes(arena, object, line, FUSION_INTERPOLATED, "interpolated");
		add_shapes(arena, object, line, FUSION_MISSING, "missing");
	}
	return document;
}
