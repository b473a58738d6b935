/* Each gain: a formula, and the formula again with its numbers. */
#include "model/roofline/potential_gain.h"

#include <math.h>
#include <stddef.h>

static double number(const struct run *run, enum metric metric)
{
	return run_number(run, metric);
}

static const char *text_of(struct arena *arena, double value, enum unit unit)
{
	return quantity_text(arena, value, unit);
}

static const char *text(struct arena *arena, const struct run *run, enum metric metric)
{
	return text_of(arena, number(run, metric), metric_info(metric)->unit);
}

static const char *percent(struct arena *arena, double fraction)
{
	return text_of(arena, fraction, UNIT_FRACTION);
}

/* No gain that is not above 0, and none above everything. */
static struct gain upper_bound(double fraction, const char *formula)
{
	bool any = fraction > 0 && isfinite(fraction);
	return (struct gain){any ? fmin(fraction, 1) : NAN, any ? formula : NULL, "total time",
			     true};
}

/* --- calls --- */

/* What the device does has still to be done. */
struct gain gain_of_compiling(struct arena *arena, const struct run *run)
{
	double host = number(run, METRIC_HOST_TIME), compile = number(run, METRIC_COMPILE_TIME);
	if (compile > host - number(run, METRIC_TOTAL_TIME))
		return gain_of_dispatch(arena, run);
	struct gain gain =
		upper_bound(compile / host, arena_printf(arena, "compile time %s / host time %s",
							 text(arena, run, METRIC_COMPILE_TIME),
							 text(arena, run, METRIC_HOST_TIME)));
	gain.of = "host time";
	return gain;
}

struct gain gain_of_dispatch(struct arena *arena, const struct run *run)
{
	double host = number(run, METRIC_HOST_TIME), device = number(run, METRIC_TOTAL_TIME);
	struct gain gain =
		upper_bound((host - device) / host,
			    arena_printf(arena, "(host time %s - device time %s) / host time",
					 text(arena, run, METRIC_HOST_TIME),
					 text(arena, run, METRIC_TOTAL_TIME)));
	gain.of = "host time";
	return gain;
}

/* --- engines --- */

/* All that the core does would be split; the memory is shared and moves its bytes no faster. */
struct gain gain_of_cores(struct arena *arena, const struct run *run)
{
	double working = 0, active = number(run, METRIC_ACTIVE_FRACTION);
	double mbu = number(run, METRIC_MBU);
	for (size_t i = 0; i < run->core_count; i++)
		working += run->core_work[i].flops > 0;
	const char *name = "active";
	if (isnan(active)) {
		active = fmax(number(run, METRIC_TENSOR_OCCUPANCY),
			      number(run, METRIC_DMA_OCCUPANCY));
		name = "the larger of tensor and DMA active";
	}
	double split = (1 - working / (double)run->core_count) * active;
	bool limited = 1 - mbu < split;
	return upper_bound(limited ? 1 - mbu : split,
			   limited ? arena_printf(arena, "1 - MBU %s", percent(arena, mbu))
				   : arena_printf(arena, "(1 - %g / %zu cores) x %s %s", working,
						  run->core_count, name, percent(arena, active)));
}

/* The cores wait for each other: what the slowest one lost is what all did. */
struct gain gain_of_throttling(struct arena *arena, const struct run *run)
{
	double t = number(run, METRIC_TOTAL_TIME), most = 0;
	for (size_t i = 0; i < run->throttle_count; i++) {
		double lost = 0;
		for (size_t k = 0; k < run->throttle_count; k++)
			if (run->throttles[k].core == run->throttles[i].core)
				lost += (1 - run->throttles[k].limit) * run->throttles[k].duration;
		most = fmax(most, lost);
	}
	return upper_bound(most / t,
			   arena_printf(arena,
					"sum of (1 - limit) x duration on the core that lost most, "
					"%s / total time %s",
					text_of(arena, most, UNIT_SECOND),
					text_of(arena, t, UNIT_SECOND)));
}

struct gain gain_of_overlap(struct arena *arena, const struct run *run)
{
	double t = number(run, METRIC_TOTAL_TIME), gap = number(run, METRIC_SERIALIZATION_GAP);
	return upper_bound(
		gap / t,
		arena_printf(arena,
			     "(total time %s - longest active time of an engine %s) / total time",
			     text_of(arena, t, UNIT_SECOND), text_of(arena, t - gap, UNIT_SECOND)));
}

struct gain gain_of_transposes(struct arena *arena, const struct run *run)
{
	double share = number(run, METRIC_TRANSPOSE_FRACTION);
	double active = number(run, METRIC_TENSOR_OCCUPANCY);
	return upper_bound(share * active,
			   arena_printf(arena, "transposes %s of FLOP x tensor engine active %s",
					percent(arena, share), percent(arena, active)));
}

struct gain gain_of_model_flops(struct arena *arena, const struct run *run)
{
	double share = 1 - number(run, METRIC_MODEL_FLOPS) / number(run, METRIC_HARDWARE_FLOPS);
	double active = number(run, METRIC_TENSOR_OCCUPANCY);
	return upper_bound(share * active,
			   arena_printf(arena,
					"FLOP beyond the model's %s x tensor engine active %s",
					percent(arena, share), percent(arena, active)));
}

/* --- bytes --- */

/* What bytes cost: their share of the time in which the DMA is active; without a DMA their time at
 * the peak rate. */
static struct gain of_bytes(struct arena *arena, const struct run *run, double bytes,
			    const char *name)
{
	double all = number(run, METRIC_HBM_BYTES);
	double dma = number(run, METRIC_DMA_OCCUPANCY), mbu = number(run, METRIC_MBU);
	struct gain gain = upper_bound(bytes / all * (isnan(dma) ? mbu : dma),
				       arena_printf(arena, "%s %s / HBM traffic %s x %s %s", name,
						    text_of(arena, bytes, UNIT_BYTE),
						    text_of(arena, all, UNIT_BYTE),
						    isnan(dma) ? "MBU" : "DMA active",
						    percent(arena, isnan(dma) ? mbu : dma)));
	gain.bound = !isnan(dma);
	return gain;
}

struct gain gain_of_reuse(struct arena *arena, const struct run *run)
{
	double excess =
		number(run, METRIC_HBM_BYTES) - number(run, METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES);
	return of_bytes(arena, run, excess, "bytes beyond the compulsory");
}

double gain_formula_bytes(const struct run *run)
{
	return isnan(number(run, METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES))
		       ? number(run, METRIC_ALGORITHMIC_BYTES)
		       : NAN;
}

struct gain gain_of_formula_traffic(struct arena *arena, const struct run *run)
{
	return of_bytes(arena, run, number(run, METRIC_HBM_BYTES) - gain_formula_bytes(run),
			"bytes beyond the formula's");
}

struct gain gain_of_spills(struct arena *arena, const struct run *run)
{
	double save = number(run, METRIC_SPILL_SAVE_BYTES);
	return of_bytes(arena, run,
			number(run, METRIC_SPILL_RELOAD_BYTES) + (isnan(save) ? 0 : save),
			"spilled and reloaded");
}

/* The same bytes at the peak rate. */
struct gain gain_of_dma(struct arena *arena, const struct run *run)
{
	double active = number(run, METRIC_DMA_OCCUPANCY), mbu = number(run, METRIC_MBU);
	return upper_bound(active - mbu, arena_printf(arena, "DMA active %s - MBU %s",
						      percent(arena, active), percent(arena, mbu)));
}

/* --- GPUs --- */

/* Whatever is hidden or filled, the busiest unit has its work to do. */
static struct gain below_roof(struct arena *arena, const struct run *run, double fraction,
			      const char *formula)
{
	/* fmax ignores an unknown one. */
	double most =
		fmax(number(run, METRIC_SM_THROUGHPUT), number(run, METRIC_MEMORY_THROUGHPUT));
	if (!(1 - most < fraction))
		return upper_bound(fraction, formula);
	return upper_bound(1 - most,
			   arena_printf(arena, "1 - the larger of SM and memory throughput %s",
					percent(arena, most)));
}

struct gain gain_of_occupancy(struct arena *arena, const struct run *run)
{
	double theoretical = number(run, METRIC_THEORETICAL_OCCUPANCY);
	double achieved = number(run, METRIC_ACHIEVED_OCCUPANCY);
	return below_roof(arena, run, (theoretical - achieved) / theoretical,
			  arena_printf(arena, "1 - achieved %s / theoretical occupancy %s",
				       percent(arena, achieved), percent(arena, theoretical)));
}

struct gain gain_of_theoretical_occupancy(struct arena *arena, const struct run *run)
{
	double theoretical = number(run, METRIC_THEORETICAL_OCCUPANCY);
	return below_roof(
		arena, run, 1 - theoretical,
		arena_printf(arena, "1 - theoretical occupancy %s", percent(arena, theoretical)));
}

struct gain gain_of_issue(struct arena *arena, const struct run *run)
{
	double busy = number(run, METRIC_ISSUE_ACTIVE);
	return below_roof(arena, run, 1 - busy,
			  arena_printf(arena, "1 - issue slots busy %s", percent(arena, busy)));
}

struct gain gain_of_waves(struct arena *arena, const struct run *run)
{
	double waves = number(run, METRIC_WAVES_PER_SM);
	return below_roof(
		arena, run, 1 - waves,
		arena_printf(arena, "1 - %s waves per SM", text_of(arena, waves, UNIT_NONE)));
}

struct gain gain_of_tail(struct arena *arena, const struct run *run)
{
	double waves = number(run, METRIC_WAVES_PER_SM);
	return below_roof(arena, run, 1 - waves / ceil(waves),
			  arena_printf(arena, "1 - %s waves per SM / %g started",
				       text_of(arena, waves, UNIT_NONE), ceil(waves)));
}
