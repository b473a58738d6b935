/* Derived metrics: the formulas of metric.def, parsed once and computed for each run. */
#include "model/run/derive.h"

#include <pthread.h>

#include "model/formula/formula.h"

const double derive_tolerance = 1e-6;

/* --- the formulas --- */

/* Names that a formula can read in addition to metrics; metric.def documents each. */
enum variable {
	PEAKS_FLOPS,
	PEAKS_CORE_FLOPS,
	PEAKS_BANDWIDTH,
	PEAKS_CLOCK,
	RUN_CORES,
	RUN_HBM_BYTES,
	RUN_THROTTLED_TIME,
	VARIABLE_COUNT
};

static const char *const variables[VARIABLE_COUNT] = {
	[PEAKS_FLOPS] = "peaks.flops",
	[PEAKS_CORE_FLOPS] = "peaks.core_flops",
	[PEAKS_BANDWIDTH] = "peaks.bandwidth",
	[PEAKS_CLOCK] = "peaks.clock",
	[RUN_CORES] = "run.cores",
	[RUN_HBM_BYTES] = "run.hbm_bytes",
	[RUN_THROTTLED_TIME] = "run.throttled_time",
};

/* The numbers of a run as formulas see them: metrics by their enum, then variables. */
enum { SLOT_COUNT = METRIC_COUNT + VARIABLE_COUNT };

/* Room for the steps of all formulas: each has fewer than its text has bytes. */
enum {
	STEP_LIMIT = 0
#define METRIC(ID, key, title, unit, direction, role, range, text)
#define COMPUTED(ID, key, title, unit, direction, role, range, formula) +sizeof(formula)
#include "model/run/metric.def"
#undef COMPUTED
#undef METRIC
};

static struct formula_step steps[STEP_LIMIT];

/* Indexed by enum computed, i.e. in the order of metric.def. Without steps: set by
 * derive_work(). */
static struct {
	enum metric metric;
	struct formula formula;
} rows[COMPUTED_COUNT] = {
#define METRIC(ID, key, title, unit, direction, role, range, text)
#define COMPUTED(ID, key, title, unit, direction, role, range, formula) {METRIC_##ID, {NULL, 0}},
#include "model/run/metric.def"
#undef COMPUTED
#undef METRIC
};

/* The context is the metric that the formula computes. It may read derived metrics only if they are
 * declared above it, i.e. computed before it. */
static int slot_of(const void *context, struct span name, struct formula_step *step,
		   struct error *err)
{
	const enum metric *own = context;
	enum metric metric = metric_find(name);
	step->kind = FORMULA_SLOT;
	step->slot = metric;
	if (metric < METRIC_COUNT && metric_is_derived(metric) && metric >= *own)
		return error_set(err, ERR_FORMAT, "%s is a row below", metric_info(metric)->key);
	if (metric < METRIC_COUNT)
		return 0;
	for (size_t i = 0; i < VARIABLE_COUNT; i++)
		if (span_is(name, variables[i])) {
			step->slot = METRIC_COUNT + i;
			return 0;
		}
	return error_set(err, ERR_FORMAT, "unknown name \"%.*s\"", (int)name.len, name.ptr);
}

int derive_parse(struct error *err)
{
	struct formula_step *next = steps;
	for (size_t i = 0; i < COMPUTED_COUNT; i++) {
		const struct metric_info *info = metric_info(rows[i].metric);
		const struct formula_scope scope = {
			.name = slot_of, .context = &rows[i].metric, .unknowns = true};
		struct error why;
		char text[FORMULA_LENGTH];
		rows[i].formula = (struct formula){next, 0};
		if (!metric_is_derived(rows[i].metric))
			continue;
		snprintf(text, sizeof text, "%.*s", (int)span_find(span_of(info->formula), ", or "),
			 info->formula);
		if (formula_parse(text + strlen("="), &scope, &rows[i].formula, &why) < 0)
			return error_set(err, ERR_FORMAT, "%s %s: %s", info->key, info->formula,
					 why.text);
		next += rows[i].formula.count;
	}
	return 0;
}

/* A wrong formula is a bug of ours; the unit test of this file reports which one. */
static void parse(void)
{
	struct error err;
	if (derive_parse(&err) < 0)
		abort();
}

/* --- the numbers of a run --- */

/* Neuron's summary omits counters that are zero: if one of two is missing, it is 0. Other tools
 * omit a counter if it was not collected. */
static double hbm_bytes(const struct run *run)
{
	double read = run->given[METRIC_HBM_READ_BYTES].number;
	double written = run->given[METRIC_HBM_WRITE_BYTES].number;
	bool neuron = run->tool && span_starts(span_of(run->tool), "neuron");
	if (neuron && isnan(read))
		return written;
	return neuron && isnan(written) ? read : read + written;
}

static double throttled_time(const struct run *run)
{
	double lost = 0;
	for (size_t i = 0; i < run->throttle_count; i++)
		lost += (1 - run->throttles[i].limit) * run->throttles[i].duration;
	return run->throttle_count ? lost : NAN;
}

static void fill_slots(const struct run *run, const struct peaks *peaks, double *slots)
{
	double *variable = slots + METRIC_COUNT;
	for (size_t i = 0; i < METRIC_COUNT; i++)
		slots[i] = run->given[i].number;
	variable[PEAKS_FLOPS] = peaks->flops;
	variable[PEAKS_CORE_FLOPS] = peaks->core_flops;
	variable[PEAKS_BANDWIDTH] = peaks->bandwidth;
	variable[PEAKS_CLOCK] = peaks->clock;
	variable[RUN_CORES] = run->cores ? (double)run->cores : NAN;
	variable[RUN_HBM_BYTES] = hbm_bytes(run);
	variable[RUN_THROTTLED_TIME] = throttled_time(run);
}

/* The two computed metrics without a formula. A value in the file takes precedence over a work
 * formula of the configuration, so nothing is derived if the file has one. */
static void derive_work(struct run *run, double *slots)
{
	const struct {
		enum metric metric;
		double number;
	} works[] = {{METRIC_ALGORITHMIC_FLOPS, run->work ? run->work->flops : NAN},
		     {METRIC_ALGORITHMIC_BYTES, run->work ? run->work->bytes : NAN}};
	for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
		bool given = !isnan(slots[works[i].metric]);
		assert(metric_in_bounds(works[i].metric, works[i].number));
		run->derived[metric_computed(works[i].metric)] = given ? NAN : works[i].number;
		slots[works[i].metric] = given ? slots[works[i].metric] : works[i].number;
	}
}

/* The number, or NAN and a note of it if no run can have it. */
static double bounded(struct run *run, enum metric metric, double number)
{
	if (metric_in_bounds(metric, number))
		return number;
	if (run->excess.count++ == 0) {
		run->excess.metric = metric;
		run->excess.number = number;
	}
	return NAN;
}

void run_derive(struct run *run, const struct peaks *peaks)
{
	static pthread_once_t parsed = PTHREAD_ONCE_INIT;
	double slots[SLOT_COUNT];
	pthread_once(&parsed, parse);
	run->excess = (struct run_excess){0};
	run->peaks = *peaks;
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (isnan(bounded(run, (enum metric)i, run->given[i].number)))
			run->given[i] = (struct value){NAN, PROVENANCE_UNKNOWN};
	fill_slots(run, peaks, slots);
	derive_work(run, slots);
	for (size_t i = 0; i < COMPUTED_COUNT; i++)
		if (rows[i].formula.count)
			run->derived[i] = slots[rows[i].metric] = bounded(
				run, rows[i].metric, formula_number(&rows[i].formula, slots));
}

size_t run_mismatches(const struct run *run, struct mismatch *found)
{
	size_t count = 0;
	struct run own = *run;
	struct peaks peaks = hardware_peaks_of(run, NULL);
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
			double reported = run->given[witnesses[i]].number;
			double derived = copy.derived[metric_computed(witnesses[i])];
			/* 1 %: enough to distinguish neighbouring core counts, whatever the basis
			 * of the clock. */
			if (reported > 0 && fabs(reported / derived - 1) < 0.01)
				return cores;
		}
	}
	return 0;
}
