/* The rule table, and the way from rules to findings. */
#include "model/roofline/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/roofline/bottleneck.h"
#include "model/run/derive.h"
#include "model/roofline/rule.h"

/* From this share of the compile time on, a call is taken to compile: the threshold of its rule.
 * The inverse is the end: compiling explains no call that takes much longer. */
static const double recompile_share = 0.8;

static double number(const struct run *run, enum metric metric)
{
	return run_number(run, metric);
}

/* Longest stretch of bins in which no engine works, as a fraction of the run; NAN without
 * timelines. */
static double longest_idle(const struct run *run)
{
	size_t longest = 0, current = 0, known = 0;
	for (size_t bin = 0; bin < TIMELINE_BINS; bin++) {
		float busy = 0;
		for (size_t i = 0; i < run->engine_count; i++)
			if (run->engines[i].has_timeline) {
				busy += run->engines[i].timeline[bin];
				known++;
			}
		current = busy < 0.02F ? current + 1 : 0;
		longest = current > longest ? current : longest;
	}
	return known ? (double)longest / TIMELINE_BINS : NAN;
}

static double startup(struct arena *arena, const struct run *run, const char **detail)
{
	double idle = longest_idle(run);
	if (!isnan(idle) && idle < 0.3)
		return NAN;
	double gap = number(run, METRIC_TOTAL_TIME) - number(run, METRIC_TOTAL_ACTIVE_TIME);
	*detail = quantity_text(arena, gap, UNIT_SECOND);
	return number(run, METRIC_ACTIVE_FRACTION);
}

static double idle_cores(struct arena *arena, const struct run *run, const char **detail)
{
	size_t idle = 0, known = 0;
	for (size_t i = 0; i < run->core_count; i++) {
		if (isnan(run->core_work[i].flops))
			continue;
		known++;
		idle += run->core_work[i].flops == 0;
	}
	if (known < 2 || idle == known)
		return NAN;
	double per_core =
		number(run, METRIC_MFU) * (double)run->core_count / (double)(known - idle);
	*detail =
		arena_printf(arena, "only %zu of %zu physical cores %s MFU %s", known - idle, known,
			     known - idle == 1 ? "works; against its own peak it reaches"
					       : "work; against their own peak they reach",
			     quantity_text(arena, per_core, UNIT_FRACTION));
	return (double)idle;
}

static double mismatches(struct arena *arena, const struct run *run, const char **detail)
{
	struct mismatch found[METRIC_COUNT];
	size_t count = run_mismatches(run, found), worst = 0;
	if (count == 0)
		return NAN;
	for (size_t i = 1; i < count; i++)
		if (found[i].relative > found[worst].relative)
			worst = i;
	const struct metric_info *info = metric_info(found[worst].metric);
	*detail = arena_printf(
		arena, "%zu reported ratio%s; the worst is %s: the file says %s, recomputed %s",
		count, count == 1 ? "" : "s", info->key,
		quantity_text(arena, found[worst].reported, info->unit),
		quantity_text(arena, found[worst].derived, info->unit));
	return found[worst].relative;
}

static double note_count(const struct run *run, const char *words)
{
	size_t count = 0;
	for (size_t i = 0; i < run->note_count; i++)
		count += strstr(run->notes[i].message, words) != NULL;
	return (double)count;
}

static double incorrect_result(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	return run_is_incorrect(run) ? 1 : NAN;
}

static double missing_dge(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	return note_count(run, "dynamic DMA metadata");
}

static double simulated(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	return note_count(run, "simulation");
}

/* How close a call, less the kernel itself, comes to compiling it anew. */
static double recompiling(struct arena *arena, const struct run *run, const char **detail)
{
	double compile = number(run, METRIC_COMPILE_TIME), host = number(run, METRIC_HOST_TIME);
	double device = number(run, METRIC_TOTAL_TIME);
	double share = (host - (isnan(device) ? 0 : device)) / compile;
	*detail = quantity_text(arena, compile, UNIT_SECOND);
	return share <= 1 / recompile_share ? share : NAN;
}

/* Host over device time, unless compiling explains it. */
static double dispatching(struct arena *arena, const struct run *run, const char **detail)
{
	double device = number(run, METRIC_TOTAL_TIME), host = number(run, METRIC_HOST_TIME);
	if (recompiling(arena, run, detail) >= recompile_share)
		return NAN;
	*detail = arena_printf(arena, "%s and %s", quantity_text(arena, host, UNIT_SECOND),
			       quantity_text(arena, device, UNIT_SECOND));
	return host / device;
}

static double busiest(struct arena *arena, const struct run *run, const char **detail)
{
	static const enum metric engines[] = {METRIC_TENSOR_OCCUPANCY, METRIC_VECTOR_OCCUPANCY,
					      METRIC_SCALAR_OCCUPANCY, METRIC_GPSIMD_OCCUPANCY};
	double most = NAN;
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
		double busy = number(run, engines[i]);
		if (busy > most || isnan(most)) {
			most = busy;
			*detail = arena_printf(arena, "%s", metric_info(engines[i])->title);
		}
	}
	return most;
}

static double mbu(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	/* Where DRAM throughput is known the health table speaks. */
	if (!isnan(number(run, METRIC_DRAM_THROUGHPUT)))
		return NAN;
	return number(run, METRIC_MBU);
}

static double busy_dma(struct arena *arena, const struct run *run, const char **detail)
{
	double efficiency = number(run, METRIC_MBU);
	if (!(efficiency < bottleneck_high))
		return NAN;
	*detail = quantity_text(arena, efficiency, UNIT_FRACTION);
	return number(run, METRIC_DMA_OCCUPANCY);
}

static double gap_share(const struct run *run)
{
	return number(run, METRIC_SERIALIZATION_GAP) / number(run, METRIC_TOTAL_TIME);
}

static double serialization(struct arena *arena, const struct run *run, const char **detail)
{
	/* A start-up gap is no dependency between engines. */
	if (startup(arena, run, detail) < 0.5 || number(run, METRIC_MBU) >= bottleneck_high)
		return NAN;
	*detail = quantity_text(arena, number(run, METRIC_SERIALIZATION_GAP), UNIT_SECOND);
	return gap_share(run);
}

static double spills(struct arena *arena, const struct run *run, const char **detail)
{
	double reload = number(run, METRIC_SPILL_RELOAD_BYTES);
	*detail = quantity_text(arena, reload, UNIT_BYTE);
	return reload / number(run, METRIC_HBM_READ_BYTES);
}

static double transposes(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	return number(run, METRIC_TRANSPOSE_FRACTION);
}

static double model_share(struct arena *arena, const struct run *run, const char **detail)
{
	(void)arena;
	(void)detail;
	double model = number(run, METRIC_MODEL_FLOPS),
	       hardware = number(run, METRIC_HARDWARE_FLOPS);
	return model > 0 && hardware > 0 ? model / hardware : NAN;
}

static double small_dma(struct arena *arena, const struct run *run, const char **detail)
{
	*detail = quantity_text(arena, number(run, METRIC_DMA_TRANSFER_COUNT), UNIT_COUNT);
	return number(run, METRIC_DMA_AVERAGE_BYTES);
}

static double traffic(struct arena *arena, const struct run *run, const char **detail)
{
	double excess =
		number(run, METRIC_HBM_BYTES) - number(run, METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES);
	*detail = quantity_text(arena, excess, UNIT_BYTE);
	return number(run, METRIC_REUSE);
}

/* Where the profile does not count what is compulsory. */
static double formula_traffic(struct arena *arena, const struct run *run, const char **detail)
{
	double bytes = number(run, METRIC_HBM_BYTES), needed = gain_formula_bytes(run);
	*detail = quantity_text(arena, bytes - needed, UNIT_BYTE);
	return needed > 0 ? bytes / needed : NAN;
}

static double throttling(struct arena *arena, const struct run *run, const char **detail)
{
	*detail = quantity_text(arena, number(run, METRIC_THROTTLE_TIME), UNIT_SECOND);
	return number(run, METRIC_THROTTLE_LOSS);
}

static const struct rule rules[] = {
	{"startup-dominated", "Capture a later execution", SEVERITY_DATA, "active_fraction",
	 startup, BELOW, 0.5, UNIT_FRACTION,
	 "The profile is dominated by start-up: engines are active in {value} of the time, "
	 "{detail} is "
	 "idle",
	 "capture a later execution (neuron-profile capture --profile-nth-exec=2) or compare "
	 "total_active_time",
	 NULL},
	{"reported-mismatch", "Check the capture", SEVERITY_DATA, "relative_difference", mismatches,
	 ABOVE, 1e-6, UNIT_NONE, "The file's own ratios disagree with its counters: {detail}",
	 "the recomputed values are used; a development build of the profiler may use another "
	 "clock",
	 NULL},
	{"incorrect-result", "Repair the kernel first", SEVERITY_DATA, "correctness",
	 incorrect_result, AT_LEAST, 1, UNIT_COUNT, "The producer marks this result as incorrect",
	 "its time says nothing about a kernel that works", NULL},
	{"missing-dge-metadata", "Capture with DGE notifications", SEVERITY_DATA, "warnings",
	 missing_dge, AT_LEAST, 1, UNIT_COUNT,
	 "Dynamic DMA metadata are missing: DMA counts, bytes and percentages may be too low",
	 "capture with --enable-dge-notifs or NEURON_RT_ENABLE_DGE_NOTIFICATIONS=1", NULL},
	{"simulation", "Measure on hardware", SEVERITY_DATA, "warnings", simulated, AT_LEAST, 1,
	 UNIT_COUNT, "The profile comes from a simulation, not from hardware", "", NULL},
	{"recompiled-every-call", "Reuse the compiled kernel", SEVERITY_PROBLEM,
	 "(host_time - total_time) / compile_time", recompiling, AT_LEAST, 0.8, UNIT_FRACTION,
	 "Recompiled on every call: host time less device time is {value} of the compile time "
	 "({detail})",
	 "find out why the compiled kernel is not found again: a cache key that changes with each "
	 "call, or a decorator that compiles each time",
	 gain_of_compiling},
	{"dispatch-dominates", "Amortise the dispatch", SEVERITY_PROBLEM, "host_overhead",
	 dispatching, ABOVE, 5, UNIT_NONE,
	 "Dispatch dominates: the host time is {value} times the device time ({detail})",
	 "batch calls, capture a graph, fuse neighbours, or compare the device time alone",
	 gain_of_dispatch},
	{"idle-core", "Split the work over all physical cores", SEVERITY_PROBLEM, "idle_cores",
	 idle_cores, AT_LEAST, 1, UNIT_COUNT, "Work on one core: {detail}",
	 "shard the kernel over the cores of the logical core, or compare per-core figures",
	 gain_of_cores},
	{"throttled", "Avoid throttling", SEVERITY_PROBLEM, "throttle_loss", throttling, ABOVE,
	 0.01, UNIT_FRACTION,
	 "Throttling withholds {value} of the cores' rate ({detail} with a limit below 1)",
	 "keep the tensor engine evenly busy; compare only runs with like throttling",
	 gain_of_throttling},
	{"serialization", "Overlap the engines", SEVERITY_PROBLEM, "serialization_gap / total_time",
	 serialization, ABOVE, 0.3, UNIT_FRACTION,
	 "Even the busiest engine idles {value} of the time ({detail}): dependencies, not "
	 "throughput",
	 "overlap DMA with compute, break long dependency chains, use larger tiles",
	 gain_of_overlap},
	{"poor-reuse", "Reduce HBM traffic", SEVERITY_PROBLEM, "traffic_ratio", traffic, ABOVE,
	 1.25, UNIT_NONE,
	 "HBM traffic is {value} times the compulsory inputs, outputs and weights ({detail} more)",
	 "keep intermediates in SBUF, fuse producers and consumers, enlarge tiles", gain_of_reuse},
	{"excess-traffic", "Reduce the traffic", SEVERITY_PROBLEM, "hbm_bytes / algorithmic_bytes",
	 formula_traffic, ABOVE, 1.25, UNIT_NONE,
	 "The device memory's traffic is {value} times what the formula of the work needs "
	 "({detail} "
	 "more)",
	 "keep intermediates on the chip, fuse producers and consumers, enlarge tiles",
	 gain_of_formula_traffic},
	{"spills", "Remove spills", SEVERITY_PROBLEM, "spill_reload_bytes / hbm_read_bytes", spills,
	 ABOVE, 0.25, UNIT_FRACTION, "Spill reloads are {value} of the HBM reads ({detail})",
	 "use smaller tiles or fewer live buffers", gain_of_spills},
	{"transposes", "Remove transposes", SEVERITY_PROBLEM, "transpose_fraction", transposes,
	 ABOVE, 0.1, UNIT_FRACTION, "Transposes are {value} of the matmul FLOP (limit {limit})",
	 "change the layout so that operands need no transpose", gain_of_transposes},
	{"small-dma", "Use larger DMA transfers", SEVERITY_PROBLEM, "dma_average_bytes", small_dma,
	 BELOW, 32768, UNIT_BYTE,
	 "DMA transfers are small: {value} on average over {detail} transfers (limit {limit})",
	 "move at least 32 KiB a transfer and 4 KiB a partition", gain_of_dma},
	{"dma-inefficient", "Make DMA efficient", SEVERITY_PROBLEM, "dma_occupancy", busy_dma,
	 AT_LEAST, 0.6, UNIT_FRACTION, "DMA is active {value} of the time but MBU is only {detail}",
	 "use larger, contiguous transfers spread over all 16 DMA engines", gain_of_dma},
	{"low-model-flops", "Remove redundant FLOP", SEVERITY_PROBLEM,
	 "model_flops / hardware_flops", model_share, BELOW, 0.5, UNIT_FRACTION,
	 "Only {value} of the executed FLOP belong to the model (limit {limit})",
	 "look for recomputation, padding and FP32 passes", gain_of_model_flops},
	{"engine-saturated", "", SEVERITY_INFO, "engine_occupancy", busiest, AT_LEAST, 0.9,
	 UNIT_FRACTION, "{detail} {value}: compute-bound and healthy", "", NULL},
	{"memory-saturated", "", SEVERITY_INFO, "mbu", mbu, AT_LEAST, 0.6, UNIT_FRACTION,
	 "MBU {value}: memory-bound and healthy", "", NULL},
};

const char *severity_name(enum severity severity)
{
	static const char *const names[] = {"data", "problem", "info"};
	return names[severity];
}

static bool fires(const struct rule *rule, double value)
{
	if (isnan(value))
		return false;
	switch (rule->comparison) {
	case ABOVE:
		return value > rule->threshold;
	case AT_LEAST:
		return value >= rule->threshold;
	case AT_MOST:
		return value <= rule->threshold;
	default:
		return value < rule->threshold;
	}
}

static const char *fill(struct arena *arena, const struct rule *rule, double value,
			const char *detail)
{
	struct strbuf sb = {0};
	const char *text = rule->text;
	while (*text) {
		if (strncmp(text, "{value}", 7) == 0) {
			quantity_add(&sb, value, rule->unit);
			text += 7;
		} else if (strncmp(text, "{limit}", 7) == 0) {
			quantity_add(&sb, rule->threshold, rule->unit);
			text += 7;
		} else if (strncmp(text, "{detail}", 8) == 0) {
			strbuf_addstr(&sb, detail ? detail : "unknown");
			text += 8;
		} else {
			strbuf_addch(&sb, *text++);
		}
	}
	return strbuf_into(&sb, arena);
}

/* Stable insertion: severity, then larger gain first. */
static void insert(struct finding_list *list, struct finding finding)
{
	size_t at = list->count++;
	double gain = isnan(finding.gain.fraction) ? -1 : finding.gain.fraction;
	for (; at > 0; at--) {
		const struct finding *before = &list->items[at - 1];
		double other = isnan(before->gain.fraction) ? -1 : before->gain.fraction;
		if (before->severity < finding.severity ||
		    (before->severity == finding.severity && other >= gain))
			break;
		list->items[at] = *before;
	}
	list->items[at] = finding;
}

static void add(struct arena *arena, const struct run *run, const struct rule *rule,
		struct finding_list *list)
{
	const char *detail = NULL;
	double value = rule->value(arena, run, &detail);
	if (!fires(rule, value))
		return;
	list->items =
		arena_grow(arena, list->items, list->count, &list->capacity, sizeof *list->items);
	struct gain gain =
		rule->gain ? rule->gain(arena, run) : (struct gain){NAN, NULL, NULL, false};
	insert(list, (struct finding){
			     .rule = rule->id,
			     .title = rule->title,
			     .severity = rule->severity,
			     .text = fill(arena, rule, value, detail),
			     .advice = rule->advice,
			     .metric = rule->metric,
			     .value = value,
			     .threshold = rule->threshold,
			     .unit = rule->unit,
			     .gain = gain,
		     });
}

void findings_of(struct arena *arena, const struct run *run, struct finding_list *list)
{
	size_t gpu_count;
	const struct rule *gpu = rules_gpu(&gpu_count);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		add(arena, run, &rules[i], list);
	for (size_t i = 0; i < gpu_count; i++)
		add(arena, run, &gpu[i], list);
}

static bool is_listed(const struct finding *const *list, size_t count, const char *title)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i]->title, title) == 0)
			return true;
	return false;
}

size_t opportunities_of(const struct finding_list *findings,
			const struct finding *opportunities[OPPORTUNITIES])
{
	size_t count = 0;
	/* They are sorted: those with a gain come before the others. */
	for (size_t i = 0; i < findings->count && count < OPPORTUNITIES; i++) {
		const struct finding *one = &findings->items[i];
		if (one->severity == SEVERITY_PROBLEM &&
		    !is_listed(opportunities, count, one->title))
			opportunities[count++] = one;
	}
	return count;
}
