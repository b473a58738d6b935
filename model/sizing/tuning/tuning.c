/* Finds the chosen configuration in the history of a tuning. */
#include "model/sizing/tuning/tuning.h"

static struct span stage_of(const struct run_tally *tally)
{
	const char *mark = strstr(tally->name, ": ");
	return (struct span){tally->name, mark ? (size_t)(mark - tally->name) : 0};
}

const char *tuning_name(const struct run_tally *tally)
{
	const char *mark = strstr(tally->name, ": ");
	return mark ? mark + 2 : tally->name;
}

/* Whether the tiling has every size of the configuration, each with the same value. */
static bool is_chosen(struct arena *arena, const struct run *run, const char *stage,
		      const struct run_tally *tally)
{
	size_t sizes = 0;
	struct span rest = span_of(tuning_name(tally));
	while (rest.len) {
		struct span pair = span_trim(span_cut(&rest, ','));
		size_t equals = span_find(pair, "=");
		if (equals == pair.len)
			return false;
		const char *key = arena_printf(arena, "tiling.%s%s%.*s", stage, stage[0] ? "." : "",
					       (int)equals, pair.ptr);
		const char *text = run_attribute(run, key);
		struct span value = {pair.ptr + equals + 1, pair.len - equals - 1};
		if (!text || !span_is(value, text))
			return false;
		sizes++;
	}
	return sizes > 0;
}

bool tuning_of_stage(struct arena *arena, const struct run *run, const char *stage,
		     struct tuning *tuning)
{
	*tuning = (struct tuning){.stage = stage};
	for (size_t i = 0; i < run->tally_count; i++) {
		const struct run_tally *tally = &run->tallies[i];
		if (tally->kind != TALLY_TUNING || !span_is(stage_of(tally), stage) ||
		    !(tally->seconds > 0))
			continue;
		tuning->listed++;
		if (!tuning->best || tally->seconds < tuning->best->seconds)
			tuning->best = tally;
		if (!tuning->chosen && is_chosen(arena, run, stage, tally))
			tuning->chosen = tally;
	}
	tuning->rank = tuning->chosen != NULL;
	for (size_t i = 0; tuning->chosen && i < run->tally_count; i++) {
		const struct run_tally *tally = &run->tallies[i];
		tuning->rank += tally->kind == TALLY_TUNING && tally->seconds > 0 &&
				span_is(stage_of(tally), stage) &&
				tally->seconds < tuning->chosen->seconds;
	}
	return tuning->listed > 0;
}

double tuning_excess(const struct tuning *tuning)
{
	return tuning->chosen ? tuning->chosen->seconds / tuning->best->seconds - 1 : NAN;
}

bool tuning_worst(struct arena *arena, const struct run *run, struct tuning *tuning)
{
	struct span last = {NULL, 0};
	bool found = false;
	for (size_t i = 0; i < run->tally_count; i++) {
		struct span name = stage_of(&run->tallies[i]);
		struct tuning one;
		if (run->tallies[i].kind != TALLY_TUNING || (last.ptr && span_eq(name, last)))
			continue;
		last = name;
		const char *stage = arena_strndup(arena, name.ptr, name.len);
		if (!tuning_of_stage(arena, run, stage, &one) || isnan(tuning_excess(&one)) ||
		    (found && tuning_excess(&one) <= tuning_excess(tuning)))
			continue;
		*tuning = one;
		found = true;
	}
	return found;
}
