/* How a kernel is tiled and what its tuning tried, from attributes "tiling.[<stage>.]<name>" and
 * the times of the configurations. */
#include "render/document/key.h"
#include "render/markup/markup.h"
#include "render/report/contract.h"
#include "model/sizing/tuning/tuning.h"

static const char prefix[] = "tiling.";
enum { shown_configurations = 3 };

/* The stage in a key: "attention" in "tiling.attention.Bm", "" in "tiling.Bm". */
static struct span stage_of(const char *key)
{
	const char *from = key + strlen(prefix), *dot = strrchr(from, '.');
	return (struct span){from, dot ? (size_t)(dot - from) : 0};
}

static const char *name_of(const char *key)
{
	return strrchr(key, '.') + 1;
}

/* The fastest configurations of a stage that the tuning tried. */
static void add_fastest(struct arena *arena, const struct run *run, struct span stage,
			struct strbuf *out)
{
	const struct run_tally *best[shown_configurations] = {NULL};
	for (size_t i = 0; i < run->tally_count; i++) {
		const struct run_tally *next = &run->tallies[i];
		const char *mark = strstr(next->name, ": ");
		struct span of = {next->name, mark ? (size_t)(mark - next->name) : 0};
		if (next->kind != TALLY_TUNING || !span_eq(of, stage))
			continue;
		for (size_t j = 0; next && j < shown_configurations; j++)
			if (!best[j] || next->seconds < best[j]->seconds) {
				const struct run_tally *moved = best[j];
				best[j] = next;
				next = moved;
			}
	}
	for (size_t j = 0; j < shown_configurations && best[j]; j++) {
		const char *mark = strstr(best[j]->name, ": ");
		strbuf_addf(out, "%s%s: %s", out->len ? "; " : "", mark ? mark + 2 : best[j]->name,
			    quantity_text(arena, best[j]->seconds, UNIT_SECOND));
	}
}

static const char *figure_of(struct arena *arena, const struct run *run, struct span stage,
			     const char *name)
{
	return run_attribute(run, arena_printf(arena, "%s%.*s%s%s", prefix, (int)stage.len,
					       stage.ptr, stage.len ? "." : "", name));
}

static const char *text_of(struct arena *arena, const struct run *run, struct span stage)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < run->attribute_count; i++) {
		const struct run_attribute *one = &run->attributes[i];
		if (!span_starts(span_of(one->key), prefix) ||
		    !span_eq(stage_of(one->key), stage) ||
		    span_starts(span_of(name_of(one->key)), "tuning_"))
			continue;
		strbuf_addf(&sb, "%s%s=%s", sb.len ? ", " : "", name_of(one->key), one->text);
	}
	return strbuf_into(&sb, arena);
}

static void add_part(struct arena *arena, enum language language, const struct message *message,
		     struct strbuf *sb)
{
	strbuf_addf(sb, "%s%s", sb->len ? "; " : "", vocabulary_text(arena, language, message));
}

/* The spread of all times that were tried, and where the chosen configuration is among them. */
static void add_spread(struct arena *arena, enum language language, const struct run *run,
		       struct span stage, struct strbuf *sb)
{
	struct tuning tuning;
	const char *median = figure_of(arena, run, stage, "tuning_median"),
		   *worst = figure_of(arena, run, stage, "tuning_worst");
	if (!tuning_of_stage(arena, run, arena_strndup(arena, stage.ptr, stage.len), &tuning))
		return;
	if (median && worst)
		add_part(arena, language,
			 message_of(arena, MESSAGE_TUNING_SPREAD,
				    message_quantity(tuning.best->seconds, UNIT_SECOND),
				    message_text(median), message_text(worst)),
			 sb);
	if (!text_of(arena, run, stage)[0])
		return;
	if (!tuning.chosen)
		add_part(arena, language, message_plain(MESSAGE_TUNING_CHOSEN_UNLISTED), sb);
	else if (tuning.rank == 1)
		add_part(arena, language, message_plain(MESSAGE_TUNING_CHOSEN_BEST), sb);
	else
		add_part(arena, language,
			 message_of(arena, MESSAGE_TUNING_CHOSEN, message_integer(tuning.rank),
				    message_fraction(tuning_excess(&tuning))),
			 sb);
}

/* "3 tried, 1 failed; best 380.5 us, median 391.4 us, worst 402.2 us; chosen: the best; Bm=64,
 * Bn=128: 380.5 us; Bm=64, Bn=64: 402.2 us" */
static const char *tuning_of(struct arena *arena, enum language language, const struct run *run,
			     struct span stage)
{
	struct strbuf sb = {0};
	const char *tried = figure_of(arena, run, stage, "tuning_tried"),
		   *failed = figure_of(arena, run, stage, "tuning_failed");
	if (tried)
		strbuf_addstr(
			&sb,
			vocabulary_text(arena, language,
					message_of(arena, MESSAGE_TUNING_TRIED, message_text(tried),
						   message_text(failed ? failed : "0"))));
	add_spread(arena, language, run, stage, &sb);
	add_fastest(arena, run, stage, &sb);
	return strbuf_into(&sb, arena);
}

static bool is_first_of_stage(const struct run *run, size_t index)
{
	struct span stage = stage_of(run->attributes[index].key);
	for (size_t i = 0; i < index; i++)
		if (span_starts(span_of(run->attributes[i].key), prefix) &&
		    span_eq(stage_of(run->attributes[i].key), stage))
			return false;
	return true;
}

/* The stages of a run: the indexes of their first attributes. Returns their number. */
static size_t stages_of(struct arena *arena, const struct run *run, size_t **indexes)
{
	size_t count = 0;
	*indexes = arena_array(arena, run->attribute_count + 1, sizeof **indexes);
	for (size_t i = 0; i < run->attribute_count; i++)
		if (span_starts(span_of(run->attributes[i].key), prefix) &&
		    is_first_of_stage(run, i))
			(*indexes)[count++] = i;
	return count;
}

void form_add_tiling(struct arena *arena, const struct run *run, struct json *out)
{
	size_t *indexes, count = stages_of(arena, run, &indexes);
	struct json *list = count ? json_set_array(arena, out, KEY(tiling)) : NULL;
	for (size_t i = 0; i < count; i++) {
		struct span stage = stage_of(run->attributes[indexes[i]].key);
		struct json *one = json_add_object(arena, list);
		if (stage.len)
			json_set_text(arena, one, KEY(stage),
				      arena_strndup(arena, stage.ptr, stage.len));
		json_set_text(arena, one, KEY(text), text_of(arena, run, stage));
		json_set_text(arena, one, KEY(tuning),
			      tuning_of(arena, vocabulary_spoken(), run, stage));
	}
}

const char *form_tiling_table(const struct form_group *stages)
{
	static const enum message_code columns[] = {MESSAGE_LABEL_STAGE, MESSAGE_LABEL_TILING,
						    MESSAGE_LABEL_TUNING};
	const struct form *first = &stages->items[0];
	struct arena *arena = first->arena;
	struct md_table table;
	md_table_init(&table, arena);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		md_table_column(&table, form_term(first, columns[i]), MD_ALIGN_LEFT);
	for (size_t i = 0; i < stages->count; i++) {
		const struct run *run = stages->items[i].entry->run;
		const char *own = run_param(run, "stage");
		size_t *indexes, count = stages_of(arena, run, &indexes);
		for (size_t j = 0; j < count; j++) {
			struct span stage = stage_of(run->attributes[indexes[j]].key);
			md_table_cell(&table, stage.len ? arena_strndup(arena, stage.ptr, stage.len)
					      : own     ? own
							: run->kernel);
			md_table_cell(&table, text_of(arena, run, stage));
			md_table_cell(&table, tuning_of(arena, first->language, run, stage));
		}
	}
	return md_table_rows(&table) ? md_table_text(&table) : NULL;
}
