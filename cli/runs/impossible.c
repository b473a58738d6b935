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

/* Whether a run of a history has an impossible time, by its own work. */
static int is_impossible(struct cli *cli, const struct history *history, size_t index,
			 enum metric time, double value, bool *impossible, struct error *err)
{
	const struct hardware *hardware;
	struct peaks peaks;
	struct run run = *history->identity;
	struct history one = *history;
	one.runs += index;
	one.run_count = 1;
	for (size_t i = 0; i < METRIC_COUNT; i++)
		run.given[i] = (struct value){NAN, PROVENANCE_UNKNOWN};
	run_set(&run, time, value, PROVENANCE_MEASURED);
	for (size_t i = 0; i < FIGURES; i++) {
		double number = NAN;
		if (!store_has_metric(cli->store, figures[i]))
			continue;
		if (store_history_values(cli->store, &one, figures[i], 0, &number, err) < 0)
			return -1;
		if (!isnan(number))
			run_set(&run, figures[i], number, PROVENANCE_MEASURED);
	}
	if (runs_derive(cli, &run, &peaks, &hardware, err) < 0)
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
static int drop_fastest(struct cli *cli, struct history_set *set, struct history *history,
			size_t metric, struct error *err)
{
	double *values = (double *)history->values + metric * history->run_count;
	for (;;) {
		size_t at = fastest(values, history->run_count);
		bool impossible = false;
		if (at == SIZE_MAX)
			return 0;
		if (is_impossible(cli, history, at, set->metrics[metric], values[at], &impossible,
				  err) < 0)
			return -1;
		if (!impossible)
			return 0;
		for (size_t i = 0; i < set->metric_count; i++)
			((double *)history->values)[i * history->run_count + at] = NAN;
	}
}

int runs_drop_impossible(struct cli *cli, struct history_set *set, struct error *err)
{
	bool counted = store_has_metric(cli->store, METRIC_HARDWARE_FLOPS) ||
		       store_has_metric(cli->store, METRIC_ADJUSTED_HARDWARE_FLOPS) ||
		       store_has_metric(cli->store, METRIC_DEVICE_MEMORY_TRAFFIC) ||
		       store_has_metric(cli->store, METRIC_HBM_READ_BYTES) ||
		       store_has_metric(cli->store, METRIC_TENSOR_ACTIVE_TIME);
	for (size_t metric = 0; counted && metric < set->metric_count; metric++)
		for (size_t i = 0; set->metrics[metric] == METRIC_TOTAL_TIME && i < set->count; i++)
			if (drop_fastest(cli, set, &set->items[i], metric, err) < 0)
				return -1;
	return 0;
}
