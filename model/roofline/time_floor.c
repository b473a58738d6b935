/* The floor of a run's time, and whether the run is beyond it. */
#include "model/roofline/time_floor.h"

/* Shares of the floor: for rounding where the clock is known; else the clock may be a quarter above
 * that of the table. */
static const double least_by_clock = 0.98, least_by_table = 0.8;

/* An engine's time is rounded apart from the total time. */
static const double most_active = 1.01;

static const enum metric occupancies[] = {METRIC_TENSOR_OCCUPANCY, METRIC_VECTOR_OCCUPANCY,
					  METRIC_SCALAR_OCCUPANCY, METRIC_GPSIMD_OCCUPANCY,
					  METRIC_SYNC_OCCUPANCY,   METRIC_DMA_OCCUPANCY};

/* As MFU counts them. */
static double flops_of(const struct run *run)
{
	double transposes = run_number(run, METRIC_ADJUSTED_TRANSPOSE_FLOPS);
	double adjusted = run_number(run, METRIC_ADJUSTED_HARDWARE_FLOPS) -
			  (isnan(transposes) ? 0 : transposes);
	return isnan(adjusted) ? run_number(run, METRIC_USEFUL_FLOPS) : adjusted;
}

struct time_floor time_floor_of(const struct run *run)
{
	const struct peaks *peaks = &run->peaks;
	bool by_memory_clock = !isnan(run_number(run, METRIC_MEMORY_CLOCK));
	struct time_floor compute = {.least = peaks->clock_measured ? least_by_clock
								    : least_by_table,
				     .work = flops_of(run),
				     .peak = peaks->most_flops,
				     .work_unit = UNIT_FLOP,
				     .peak_unit = UNIT_FLOP_PER_SECOND};
	struct time_floor memory = {.least = by_memory_clock ? least_by_clock : least_by_table,
				    .work = run_number(run, METRIC_HBM_BYTES),
				    .peak = peaks->most_bandwidth,
				    .work_unit = UNIT_BYTE,
				    .peak_unit = UNIT_BYTE_PER_SECOND};
	compute.seconds = compute.peak > 0 ? compute.work / compute.peak : NAN;
	memory.seconds = memory.peak > 0 ? memory.work / memory.peak : NAN;
	bool by_memory = isnan(compute.seconds) ||
			 memory.least * memory.seconds > compute.least * compute.seconds;
	return by_memory ? memory : compute;
}

static bool is_below(const struct time_floor *floor, double time)
{
	return time < floor->least * floor->seconds;
}

/* The engine that was active for longest, beyond the total time; METRIC_COUNT: none. */
static enum metric overactive(const struct run *run)
{
	enum metric found = METRIC_COUNT;
	double most = most_active;
	for (size_t i = 0; i < sizeof occupancies / sizeof *occupancies; i++)
		if (run_number(run, occupancies[i]) > most) {
			found = occupancies[i];
			most = run_number(run, found);
		}
	return found;
}

bool time_floor_is_broken(const struct run *run)
{
	struct time_floor floor = time_floor_of(run);
	return is_below(&floor, run_time(run)) || overactive(run) != METRIC_COUNT;
}

const struct message *time_floor_message(struct arena *arena, const struct run *run)
{
	struct time_floor floor = time_floor_of(run);
	double time = run_time(run);
	enum metric engine = overactive(run);
	if (is_below(&floor, time)) {
		bool compute = floor.work_unit == UNIT_FLOP;
		const struct message_value values[] = {
			message_quantity(time, UNIT_SECOND),
			message_quantity(floor.seconds, UNIT_SECOND),
			message_quantity(floor.work, floor.work_unit),
			message_quantity(floor.peak, floor.peak_unit),
			message_text(run->device),
			message_text(compute ? run->peaks.most_dtype : "")};
		enum message_code code =
			compute ? MESSAGE_BELOW_COMPUTE_TIME : MESSAGE_BELOW_MEMORY_TIME;
		return message_new(arena, code, values, message_arity(code));
	}
	return engine == METRIC_COUNT ? NULL
				      : message_of(arena, MESSAGE_OVERACTIVE,
						   message_text(metric_info(engine)->key),
						   message_fraction(run_number(run, engine)));
}
