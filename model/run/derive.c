/* Derived metrics: each line of run_derive() is one formula of metric.def. */
#include "model/run/derive.h"

#include <math.h>
#include <string.h>

const double derive_tolerance = 1e-6;

static double given(const struct run *run, enum metric metric)
{
	return run->given[metric].number;
}

/* Neuron's summary leaves out counters that are zero: absent beside a known total means none. */
static double or_zero(double number, double beside)
{
	return isnan(number) && !isnan(beside) ? 0 : number;
}

/* 0/0 and x/0 are no ratio: unknown. */
static double ratio(double a, double b)
{
	return b != 0 ? a / b : NAN;
}

static const struct {
	enum metric active;
	enum computed occupancy;
} engines[] = {
	{METRIC_TENSOR_ACTIVE_TIME, COMPUTED_TENSOR_OCCUPANCY},
	{METRIC_VECTOR_ACTIVE_TIME, COMPUTED_VECTOR_OCCUPANCY},
	{METRIC_SCALAR_ACTIVE_TIME, COMPUTED_SCALAR_OCCUPANCY},
	{METRIC_GPSIMD_ACTIVE_TIME, COMPUTED_GPSIMD_OCCUPANCY},
	{METRIC_SYNC_ACTIVE_TIME, COMPUTED_SYNC_OCCUPANCY},
	{METRIC_DMA_ACTIVE_TIME, COMPUTED_DMA_OCCUPANCY},
};

static void derive_times(struct run *run, double t)
{
	double *d = run->derived, longest = NAN;
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
		double active = given(run, engines[i].active);
		d[engines[i].occupancy] = ratio(active, t);
		longest = fmax(longest, active); /* fmax ignores NAN */
	}
	d[COMPUTED_ACTIVE_FRACTION] = ratio(given(run, METRIC_TOTAL_ACTIVE_TIME), t);
	d[COMPUTED_SERIALIZATION_GAP] = t - longest;
	d[COMPUTED_DMA_AVERAGE_BYTES] =
		ratio(given(run, METRIC_DMA_TRANSFER_BYTES), given(run, METRIC_DMA_TRANSFER_COUNT));
}

static void derive_throttle(struct run *run, double t)
{
	if (run->throttle_count == 0 || run->cores == 0)
		return;
	double lost = 0;
	for (size_t i = 0; i < run->throttle_count; i++)
		lost += (1 - run->throttles[i].limit) * run->throttles[i].duration;
	run->derived[COMPUTED_THROTTLE_LOSS] = ratio(lost, t * run->cores);
}

/* The attainable ratio of the profiler: min(1, AI BW / peak). */
static double achievable(double intensity, const struct peaks *peaks)
{
	double allowed = intensity * peaks->bandwidth / peaks->flops;
	return allowed < 1 || isnan(allowed) ? allowed : 1;
}

static void derive_utilisation(struct run *run, const struct peaks *peaks, double t, double bytes)
{
	double *d = run->derived;
	double hw = given(run, METRIC_HARDWARE_FLOPS);
	double tr = or_zero(given(run, METRIC_TRANSPOSE_FLOPS), hw);
	/* 0 stands for a graph without HLO statistics. */
	double model = given(run, METRIC_MODEL_FLOPS) > 0 ? given(run, METRIC_MODEL_FLOPS) : NAN;
	double adjusted_hw = given(run, METRIC_ADJUSTED_HARDWARE_FLOPS);
	double adjusted_tr = or_zero(given(run, METRIC_ADJUSTED_TRANSPOSE_FLOPS), adjusted_hw);
	bool adjusted = !isnan(adjusted_hw);
	double work = adjusted ? adjusted_hw - adjusted_tr : hw - tr;

	d[COMPUTED_MFU] = ratio(work, t * peaks->flops);
	d[COMPUTED_HFU] = ratio(adjusted ? adjusted_hw : hw, t * peaks->flops);
	d[COMPUTED_MFU_HLO] = ratio(model, t * peaks->flops);
	d[COMPUTED_MFU_ESTIMATED] = model > 0 ? d[COMPUTED_MFU_HLO] : d[COMPUTED_MFU];
	d[COMPUTED_MFU_MAX] = achievable(ratio(hw - tr, bytes), peaks);
	d[COMPUTED_MFU_HLO_MAX] = achievable(ratio(model, bytes), peaks);
	d[COMPUTED_MFU_ESTIMATED_MAX] = model > 0 ? d[COMPUTED_MFU_HLO_MAX] : d[COMPUTED_MFU_MAX];
	d[COMPUTED_MBU] = ratio(bytes, t) / peaks->bandwidth;
	d[COMPUTED_MBU_MIN_READ] =
		ratio(given(run, METRIC_INPUTS_WEIGHTS_BYTES), t) / peaks->bandwidth;
}

static void derive_roofline(struct run *run, const struct peaks *peaks, double t, double bytes)
{
	double *d = run->derived;
	double useful = d[COMPUTED_USEFUL_FLOPS];
	d[COMPUTED_ACHIEVED_FLOPS] = ratio(useful, t);
	d[COMPUTED_ACHIEVED_BANDWIDTH] = ratio(bytes, t);
	d[COMPUTED_ARITHMETIC_INTENSITY] = ratio(useful, bytes);
	d[COMPUTED_CORE_RIDGE] = ratio(peaks->core_flops, peaks->bandwidth);
	d[COMPUTED_RIDGE] = ratio(peaks->flops, peaks->bandwidth);
	double memory_roof = d[COMPUTED_ARITHMETIC_INTENSITY] * peaks->bandwidth;
	if (!isnan(memory_roof) && !isnan(peaks->flops))
		d[COMPUTED_ATTAINABLE_FLOPS] = fmin(peaks->flops, memory_roof);
	if (d[COMPUTED_ATTAINABLE_FLOPS] > 0)
		d[COMPUTED_ROOFLINE_EFFICIENCY] =
			d[COMPUTED_ACHIEVED_FLOPS] / d[COMPUTED_ATTAINABLE_FLOPS];
}

static void derive_algorithmic(struct run *run, const struct peaks *peaks, double t)
{
	double *d = run->derived;
	double flops = given(run, METRIC_ALGORITHMIC_FLOPS);
	double bytes = given(run, METRIC_ALGORITHMIC_BYTES);
	/* What the file states of its work wins over a formula of the configuration. */
	if (run->work && isnan(flops))
		flops = d[COMPUTED_ALGORITHMIC_FLOPS] = run->work->flops;
	if (run->work && isnan(bytes))
		bytes = d[COMPUTED_ALGORITHMIC_BYTES] = run->work->bytes;
	d[COMPUTED_ALGORITHMIC_RATE] = ratio(flops, t);
	d[COMPUTED_ALGORITHMIC_BANDWIDTH] = ratio(bytes, t);
	d[COMPUTED_ALGORITHMIC_INTENSITY] = ratio(flops, bytes);
	d[COMPUTED_MFU_ALGORITHMIC] = ratio(flops, t * peaks->flops);
	d[COMPUTED_MBU_ALGORITHMIC] = ratio(bytes, t) / peaks->bandwidth;
}

/* The clock during the measurement is below the boost clock at which peaks are stated. */
static void derive_at_clock(struct run *run, const struct peaks *peaks, double t)
{
	double *d = run->derived;
	double peak = ratio(peaks->flops * given(run, METRIC_SM_CLOCK), peaks->clock);
	d[COMPUTED_PEAK_FLOPS_AT_CLOCK] = peak;
	d[COMPUTED_MFU_AT_CLOCK] = ratio(d[COMPUTED_USEFUL_FLOPS], t * peak);
	d[COMPUTED_MFU_ALGORITHMIC_AT_CLOCK] =
		ratio(run_number(run, METRIC_ALGORITHMIC_FLOPS), t * peak);
}

void run_derive(struct run *run, const struct peaks *peaks)
{
	double *d = run->derived;
	for (size_t i = 0; i < COMPUTED_COUNT; i++)
		d[i] = NAN;
	double t = given(run, METRIC_TOTAL_TIME);
	double hw = given(run, METRIC_HARDWARE_FLOPS);
	double tr = or_zero(given(run, METRIC_TRANSPOSE_FLOPS), hw);
	double read = given(run, METRIC_HBM_READ_BYTES);
	double written = given(run, METRIC_HBM_WRITE_BYTES);
	double bytes = read + written;
	/* Elsewhere a counter that is absent was not collected. */
	if (run->tool && span_starts(span_of(run->tool), "neuron"))
		bytes = or_zero(read, written) + or_zero(written, read);
	double traffic = given(run, METRIC_DEVICE_MEMORY_TRAFFIC);
	bytes = isnan(traffic) ? bytes : traffic;

	d[COMPUTED_USEFUL_FLOPS] = hw - tr;
	d[COMPUTED_TRANSPOSE_FRACTION] = ratio(tr, hw);
	d[COMPUTED_HBM_BYTES] = bytes;
	d[COMPUTED_REUSE] = ratio(bytes, given(run, METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES));
	derive_times(run, t);
	derive_throttle(run, t);
	derive_utilisation(run, peaks, t, bytes);
	derive_roofline(run, peaks, t, bytes);
	d[COMPUTED_HOST_OVERHEAD] = ratio(given(run, METRIC_HOST_TIME), t);
	d[COMPUTED_L2_INTENSITY] = ratio(d[COMPUTED_USEFUL_FLOPS], given(run, METRIC_L2_BYTES));
	d[COMPUTED_L1_INTENSITY] = ratio(d[COMPUTED_USEFUL_FLOPS], given(run, METRIC_L1_BYTES));
	derive_algorithmic(run, peaks, t);
	derive_at_clock(run, peaks, t);
}

size_t run_mismatches(const struct run *run, struct mismatch *found)
{
	size_t count = 0;
	struct run own = *run;
	struct peaks peaks = peaks_of(run, NULL);
	run_derive(&own, &peaks);
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		enum metric metric = (enum metric)i;
		double reported = run->given[i].number;
		double derived = own.derived[metric_computed(metric)];
		if (run->given[i].provenance != PROVENANCE_REPORTED || isnan(derived) ||
		    isnan(reported))
			continue;
		double relative = derived != 0    ? fabs(reported - derived) / fabs(derived)
				  : reported != 0 ? INFINITY
						  : 0;
		if (relative > derive_tolerance)
			found[count++] = (struct mismatch){metric, reported, derived, relative};
	}
	return count;
}

int run_infer_cores(const struct run *run, const struct peaks *peaks)
{
	struct run copy = *run;
	struct peaks tried = *peaks;
	static const enum metric witnesses[] = {METRIC_HFU, METRIC_MFU, METRIC_MFU_HLO};
	for (int cores = 1; cores <= 8; cores++) {
		tried.flops = peaks->core_flops * cores;
		run_derive(&copy, &tried);
		for (size_t i = 0; i < sizeof witnesses / sizeof *witnesses; i++) {
			double reported = given(run, witnesses[i]);
			double derived = copy.derived[metric_computed(witnesses[i])];
			/* 1 %: told apart from any other count, whatever the clock basis. */
			if (reported > 0 && fabs(reported / derived - 1) < 0.01)
				return cores;
		}
	}
	return 0;
}
