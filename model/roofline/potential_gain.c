/* Each gain is a formula, and the same formula as text with its numbers. */
#include "model/roofline/potential_gain.h"

static struct message_value seconds(double time)
{
	return message_quantity(time, UNIT_SECOND);
}

static struct message_value metric(const struct run *run, enum metric metric)
{
	return message_quantity(run_number(run, metric), metric_info(metric)->unit);
}

/* NAN unless the gain is positive and finite; at most 1. */
static struct potential_gain upper_bound(double fraction, const struct message *formula)
{
	bool any = fraction > 0 && isfinite(fraction);
	return (struct potential_gain){.fraction = any ? fmin(fraction, 1) : NAN,
				       .formula = any ? formula : NULL,
				       .of = MESSAGE_OF_TOTAL_TIME,
				       .bound = true};
}

/* --- calls --- */

/* The device's work remains. */
struct potential_gain gain_of_compiling(struct arena *arena, const struct run *run)
{
	double host = run_number(run, METRIC_HOST_TIME),
	       compile = run_number(run, METRIC_COMPILE_TIME);
	if (compile > host - run_number(run, METRIC_TOTAL_TIME))
		return gain_of_dispatch(arena, run);
	struct potential_gain gain =
		upper_bound(compile / host, message_of(arena, MESSAGE_GAIN_COMPILING,
						       metric(run, METRIC_COMPILE_TIME),
						       metric(run, METRIC_HOST_TIME)));
	gain.of = MESSAGE_OF_HOST_TIME;
	return gain;
}

struct potential_gain gain_of_dispatch(struct arena *arena, const struct run *run)
{
	double host = run_number(run, METRIC_HOST_TIME),
	       device = run_number(run, METRIC_TOTAL_TIME);
	struct potential_gain gain =
		upper_bound((host - device) / host,
			    message_of(arena, MESSAGE_GAIN_DISPATCH, metric(run, METRIC_HOST_TIME),
				       metric(run, METRIC_TOTAL_TIME)));
	gain.of = MESSAGE_OF_HOST_TIME;
	return gain;
}

/* --- engines --- */

/* All work of the core would be split; the memory is shared and moves its bytes no faster. */
struct potential_gain gain_of_cores(struct arena *arena, const struct run *run)
{
	double working = 0, active = run_number(run, METRIC_ACTIVE_FRACTION);
	double mbu = run_number(run, METRIC_MBU);
	for (size_t i = 0; i < run->core_count; i++)
		working += run->core_work[i].flops > 0;
	bool total = !isnan(active);
	if (!total)
		active = fmax(run_number(run, METRIC_TENSOR_OCCUPANCY),
			      run_number(run, METRIC_DMA_OCCUPANCY));
	double split = (1 - working / (double)run->core_count) * active;
	if (1 - mbu < split)
		return upper_bound(1 - mbu, message_of(arena, MESSAGE_GAIN_CORES_LIMITED,
						       message_fraction(mbu)));
	return upper_bound(split,
			   message_of(arena,
				      total ? MESSAGE_GAIN_CORES_ACTIVE : MESSAGE_GAIN_CORES_LARGER,
				      message_number(working), message_integer(run->core_count),
				      message_fraction(active)));
}

/* Cores wait for each other, so the loss of the slowest is the loss of all. */
struct potential_gain gain_of_throttling(struct arena *arena, const struct run *run)
{
	double t = run_number(run, METRIC_TOTAL_TIME), most = 0;
	for (size_t i = 0; i < run->throttle_count; i++) {
		double lost = 0;
		for (size_t k = 0; k < run->throttle_count; k++)
			if (run->throttles[k].core == run->throttles[i].core)
				lost += (1 - run->throttles[k].limit) * run->throttles[k].duration;
		most = fmax(most, lost);
	}
	return upper_bound(most / t,
			   message_of(arena, MESSAGE_GAIN_THROTTLING, seconds(most), seconds(t)));
}

struct potential_gain gain_of_overlap(struct arena *arena, const struct run *run)
{
	double t = run_number(run, METRIC_TOTAL_TIME),
	       gap = run_number(run, METRIC_SERIALIZATION_GAP);
	return upper_bound(gap / t,
			   message_of(arena, MESSAGE_GAIN_OVERLAP, seconds(t), seconds(t - gap)));
}

struct potential_gain gain_of_transposes(struct arena *arena, const struct run *run)
{
	double share = run_number(run, METRIC_TRANSPOSE_FRACTION);
	double active = run_number(run, METRIC_TENSOR_OCCUPANCY);
	return upper_bound(share * active,
			   message_of(arena, MESSAGE_GAIN_TRANSPOSES, message_fraction(share),
				      message_fraction(active)));
}

struct potential_gain gain_of_model_flops(struct arena *arena, const struct run *run)
{
	double share =
		1 - run_number(run, METRIC_MODEL_FLOPS) / run_number(run, METRIC_HARDWARE_FLOPS);
	double active = run_number(run, METRIC_TENSOR_OCCUPANCY);
	return upper_bound(share * active,
			   message_of(arena, MESSAGE_GAIN_MODEL_FLOPS, message_fraction(share),
				      message_fraction(active)));
}

/* --- bytes --- */

/* Cost of bytes: their share of the time in which the DMA is active; without DMA figures, their
 * time at the peak rate. */
static struct potential_gain of_bytes(struct arena *arena, const struct run *run, double bytes,
				      enum message_code name)
{
	double all = run_number(run, METRIC_HBM_BYTES);
	double dma = run_number(run, METRIC_DMA_OCCUPANCY), mbu = run_number(run, METRIC_MBU);
	bool bound = !isnan(dma);
	double active = bound ? dma : mbu;
	struct potential_gain gain = upper_bound(
		bytes / all * active,
		message_of(arena, bound ? MESSAGE_GAIN_BYTES_DMA : MESSAGE_GAIN_BYTES_MBU,
			   message_term(name), message_quantity(bytes, UNIT_BYTE),
			   message_quantity(all, UNIT_BYTE), message_fraction(active)));
	gain.bound = bound;
	return gain;
}

struct potential_gain gain_of_reuse(struct arena *arena, const struct run *run)
{
	double excess = run_number(run, METRIC_HBM_BYTES) -
			run_number(run, METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES);
	return of_bytes(arena, run, excess, MESSAGE_BYTES_BEYOND_COMPULSORY);
}

double gain_formula_bytes(const struct run *run)
{
	return isnan(run_number(run, METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES))
		       ? run_number(run, METRIC_ALGORITHMIC_BYTES)
		       : NAN;
}

struct potential_gain gain_of_formula_traffic(struct arena *arena, const struct run *run)
{
	return of_bytes(arena, run, run_number(run, METRIC_HBM_BYTES) - gain_formula_bytes(run),
			MESSAGE_BYTES_BEYOND_FORMULA);
}

struct potential_gain gain_of_spills(struct arena *arena, const struct run *run)
{
	double save = run_number(run, METRIC_SPILL_SAVE_BYTES);
	return of_bytes(arena, run,
			run_number(run, METRIC_SPILL_RELOAD_BYTES) + (isnan(save) ? 0 : save),
			MESSAGE_BYTES_SPILLED);
}

/* The same bytes at the peak rate. */
struct potential_gain gain_of_dma(struct arena *arena, const struct run *run)
{
	double active = run_number(run, METRIC_DMA_OCCUPANCY), mbu = run_number(run, METRIC_MBU);
	return upper_bound(active - mbu,
			   message_of(arena, MESSAGE_GAIN_DMA, message_fraction(active),
				      message_fraction(mbu)));
}

/* --- GPUs --- */

/* Caps the gain: whatever is hidden or filled, the busiest unit still has its work to do. */
static struct potential_gain below_roof(struct arena *arena, const struct run *run, double fraction,
					const struct message *formula)
{
	/* fmax() ignores a NAN. */
	double most = fmax(run_number(run, METRIC_SM_THROUGHPUT),
			   run_number(run, METRIC_MEMORY_THROUGHPUT));
	if (!(1 - most < fraction))
		return upper_bound(fraction, formula);
	return upper_bound(1 - most,
			   message_of(arena, MESSAGE_GAIN_BELOW_ROOF, message_fraction(most)));
}

struct potential_gain gain_of_occupancy(struct arena *arena, const struct run *run)
{
	double theoretical = run_number(run, METRIC_THEORETICAL_OCCUPANCY);
	double achieved = run_number(run, METRIC_ACHIEVED_OCCUPANCY);
	return below_roof(arena, run, (theoretical - achieved) / theoretical,
			  message_of(arena, MESSAGE_GAIN_OCCUPANCY, message_fraction(achieved),
				     message_fraction(theoretical)));
}

struct potential_gain gain_of_theoretical_occupancy(struct arena *arena, const struct run *run)
{
	double theoretical = run_number(run, METRIC_THEORETICAL_OCCUPANCY);
	return below_roof(arena, run, 1 - theoretical,
			  message_of(arena, MESSAGE_GAIN_THEORETICAL_OCCUPANCY,
				     message_fraction(theoretical)));
}

struct potential_gain gain_of_issue(struct arena *arena, const struct run *run)
{
	double busy = run_number(run, METRIC_ISSUE_ACTIVE);
	return below_roof(arena, run, 1 - busy,
			  message_of(arena, MESSAGE_GAIN_ISSUE, message_fraction(busy)));
}

struct potential_gain gain_of_waves(struct arena *arena, const struct run *run)
{
	double waves = run_number(run, METRIC_WAVES_PER_SM);
	return below_roof(arena, run, 1 - waves,
			  message_of(arena, MESSAGE_GAIN_WAVES, message_number(waves)));
}

struct potential_gain gain_of_tail(struct arena *arena, const struct run *run)
{
	double waves = run_number(run, METRIC_WAVES_PER_SM);
	return below_roof(arena, run, 1 - waves / ceil(waves),
			  message_of(arena, MESSAGE_GAIN_TAIL, message_number(waves),
				     message_number(ceil(waves))));
}
