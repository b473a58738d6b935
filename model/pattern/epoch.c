/* Epochs of series: which one a run belongs to. */
#include "model/pattern/scenario.h"

const char epoch_param[] = "epoch";

const char *epoch_of(const struct scenario_list *epochs, const struct run *run)
{
	for (size_t i = epochs->count; i-- > 0;)
		if (scenario_has(&epochs->items[i], run))
			return epochs->items[i].name;
	return NULL;
}

size_t epoch_rank(const struct scenario_list *epochs, const struct run *run)
{
	const char *name = run_param(run, epoch_param);
	for (size_t i = epochs->count; name && i-- > 0;)
		if (strcmp(epochs->items[i].name, name) == 0)
			return i + 1;
	return 0;
}

const char *epoch_series_key(struct arena *arena, const struct scenario_list *epochs,
			     const struct run *run)
{
	struct run always = *run;
	if (!epoch_rank(epochs, run))
		return run_series_key(arena, run);
	always.params = arena_array(arena, run->param_count, sizeof *always.params);
	always.param_count = 0;
	for (size_t i = 0; i < run->param_count; i++)
		if (strcmp(run->params[i].name, epoch_param) != 0)
			always.params[always.param_count++] = run->params[i];
	return run_series_key(arena, &always);
}
