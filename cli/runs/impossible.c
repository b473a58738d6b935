/* Leaves runs with impossible times out of histories. */
#include "cli/runs/runs.h"

#include "model/roofline/roofline.h"

/* What the floor of a time is computed from (model/roofline/time_floor.h). */
static const enum metric figures[] = {METRIC_HARDWARE_FLOPS,
				      METRIC_TRANSPOSE_FLOPS,
				      METRIC_ADJUSTED_HARDWARE_FLOPS,
				      METRIC_ADJUSTED_TRANSPOSE_FLOPS,
				      METRIC_DEVICE_MEMORY_TRAFFIC,
				      METRIC_HBM_READ_BYTES,
				      METRIC_HBM_WRITE_BYTES,
				      METRIC_SM_CLOCK,
				      METRIC_MEMORY_CLOCK,
				      METRIC_PEAK_CORE_FLOPS,
				      METRIC_TENSOR_ACTIVE_TIME,
				      METRIC_VECTOR_ACTIVE_TIME,
				      METRIC_SCALAR_ACTIVE_TIME,
				      METRIC_GPSIMD_ACTIVE_TIME,
				      METRIC_SYNC_ACTIVE_TIME,
				      METRIC_DMA_ACTIVE_TIME};
enum { FIGURES = sizeof figures / sizeof *figures };

struct search {
	struct cli *cli;
	const struct history_set *set;
	size_t time;                /* index of the total time; set->metric_count: none */
	enum metric items[FIGURES]; /* those of the figures that any run in the store has */
	struct metric_list figures; /* these */
};

static void begin(struct search *search, struct cli *cli, const struct history_set *set)
{
	*search = (struct search){.cli = cli, .set = set, .figures = {search->items, 0}};
	while (search->time < set->metric_count && set->metrics[search->time] != METRIC_TOTAL_TIME)
		search->time++;
	for (size_t i = 0; i < FIGURES; i++)
		if (store_has_metric(cli->store, figures[i]))
			search->items[search->figures.count++] = figures[i];
}

/* Whether the figures include work that takes time. */
static bool is_work_known(const struct search *search)
{
	static const enum metric works[] = {METRIC_HARDWARE_FLOPS, METRIC_ADJUSTED_HARDWARE_FLOPS,
					    METRIC_DEVICE_MEMORY_TRAFFIC, METRIC_HBM_READ_BYTES,
					    METRIC_TENSOR_ACTIVE_TIME};
	for (size_t i = 0; i < search->figures.count; i++)
		for (size_t k = 0; k < sizeof works / sizeof *works; k++)
			if (search->items[i] == works[k])
				return true;
	return false;
}

static double *times_of(const struct search *search, const struct history *history)
{
	return (double *)history->values + search->time * history->run_count;
}

/* Whether a run of a history has an impossible time, by its own work. */
static int is_impossible(const struct search *search, const struct history *history, size_t index,
			 bool *impossible, struct error *err)
{
	const struct hardware *hardware;
	double numbers[FIGURES];
	struct peaks peaks;
	struct run run = *history->identity;
	for (size_t i = 0; i < METRIC_COUNT; i++)
		run.given[i] = (struct value){NAN, PROVENANCE_UNKNOWN};
	run_set(&run, METRIC_TOTAL_TIME, times_of(search, history)[index], PROVENANCE_MEASURED);
	if (store_run_values(search->cli->store, history->runs[index].row, &search->figures,
			     numbers, err) < 0)
		return -1;
	for (size_t i = 0; i < search->figures.count; i++)
		if (!isnan(numbers[i]))
			run_set(&run, search->items[i], numbers[i], PROVENANCE_MEASURED);
	if (runs_derive(search->cli, &run, &peaks, &hardware, err) < 0)
		return -1;
	*impossible = time_floor_is_broken(&run);
	return 0;
}

/* Index of the run with the least value; SIZE_MAX without values. */
static size_t fastest(const double *values, size_t count)
{
	size_t found = SIZE_MAX;
	for (size_t i = 0; i < count; i++)
		if (isfinite(values[i]) && (found == SIZE_MAX || values[i] < values[found]))
			found = i;
	return found;
}

/* The runs of a series do the same work: those beyond its floor are its fastest. */
static int drop_fastest(const struct search *search, struct history *history, struct error *err)
{
	bool impossible = true;
	while (impossible) {
		size_t at = fastest(times_of(search, history), history->run_count);
		if (at == SIZE_MAX)
			return 0;
		if (is_impossible(search, history, at, &impossible, err) < 0)
			return -1;
		for (size_t i = 0; impossible && i < search->set->metric_count; i++)
			((double *)history->values)[i * history->run_count + at] = NAN;
	}
	return 0;
}

int runs_drop_impossible(struct cli *cli, struct history_set *set, struct error *err)
{
	struct search search;
	begin(&search, cli, set);
	if (search.time == set->metric_count || !is_work_known(&search))
		return 0;
	for (size_t i = 0; i < set->count; i++)
		if (drop_fastest(&search, &set->items[i], err) < 0)
			return -1;
	return 0;
}
