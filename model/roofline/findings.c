/* The rule table, and how rules become findings. */
#include "model/roofline/findings.h"

#include "model/roofline/advice.h"
#include "model/roofline/bottleneck.h"
#include "model/run/runs.h"
#include "model/roofline/rule.h"
#include "model/roofline/time_floor.h"
#include "model/sizing/tuning/tuning.h"

/* A call that takes at least this share of the compile time is assumed to compile; it is the
 * threshold of the rule. The inverse is the upper end: compiling does not explain a call that takes
 * much longer. */
static const double recompile_share = 0.8;

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

static double startup(const struct run *run, struct rule_details *details)
{
	double idle = longest_idle(run);
	if (!isnan(idle) && idle < 0.3)
		return NAN;
	double gap = run_number(run, METRIC_TOTAL_TIME) - run_number(run, METRIC_TOTAL_ACTIVE_TIME);
	details->values[0] = message_quantity(gap, UNIT_SECOND);
	return run_number(run, METRIC_ACTIVE_FRACTION);
}

static double idle_cores(const struct run *run, struct rule_details *details)
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
		run_number(run, METRIC_MFU) * (double)run->core_count / (double)(known - idle);
	details->values[0] = message_integer(known - idle);
	details->values[1] = message_integer(known);
	details->values[2] = message_fraction(per_core);
	return (double)idle;
}

static double mismatches(const struct run *run, struct rule_details *details)
{
	struct mismatch found[METRIC_COUNT];
	size_t count = run_mismatches(run, found), worst = 0;
	if (count == 0)
		return NAN;
	for (size_t i = 1; i < count; i++)
		if (found[i].relative > found[worst].relative)
			worst = i;
	const struct metric_info *info = metric_info(found[worst].metric);
	details->values[0] = message_integer(count);
	details->values[1] = message_text(info->key);
	details->values[2] = message_quantity(found[worst].reported, info->unit);
	details->values[3] = message_quantity(found[worst].derived, info->unit);
	return found[worst].relative;
}

static double out_of_bounds(const struct run *run, struct rule_details *details)
{
	const struct run_excess *excess = &run->excess;
	const struct metric_info *info = metric_info(excess->metric);
	details->values[0] = message_integer(excess->count);
	details->values[1] = message_text(info->key);
	details->values[2] = message_quantity(excess->number, info->unit);
	return (double)excess->count;
}

static double impossible(const struct run *run, struct rule_details *details)
{
	const struct message *why = time_floor_message(details->arena, run);
	details->values[0] = message_part(why);
	return why ? 1 : NAN;
}

static double note_count(const struct run *run, const char *words)
{
	size_t count = 0;
	for (size_t i = 0; i < run->note_count; i++)
		count += strstr(run->notes[i].message, words) != NULL;
	return (double)count;
}

static double incorrect_result(const struct run *run, struct rule_details *details)
{
	(void)details;
	return run_is_incorrect(run) ? 1 : NAN;
}

static double missing_dge(const struct run *run, struct rule_details *details)
{
	(void)details;
	return note_count(run, "dynamic DMA metadata");
}

static double simulated(const struct run *run, struct rule_details *details)
{
	(void)details;
	return note_count(run, "simulation");
}

/* Ratio of the call's time, without the kernel itself, to the compile time. */
static double recompiling(const struct run *run, struct rule_details *details)
{
	double compile = run_number(run, METRIC_COMPILE_TIME),
	       host = run_number(run, METRIC_HOST_TIME);
	double device = run_number(run, METRIC_TOTAL_TIME);
	double share = (host - (isnan(device) ? 0 : device)) / compile;
	details->values[0] = message_quantity(compile, UNIT_SECOND);
	return share <= 1 / recompile_share ? share : NAN;
}

/* Host time / device time, unless compiling explains it. */
static double dispatching(const struct run *run, struct rule_details *details)
{
	double device = run_number(run, METRIC_TOTAL_TIME),
	       host = run_number(run, METRIC_HOST_TIME);
	if (recompiling(run, details) >= recompile_share)
		return NAN;
	details->values[0] = message_quantity(host, UNIT_SECOND);
	details->values[1] = message_quantity(device, UNIT_SECOND);
	return host / device;
}

/* How much longer the chosen configuration took in tuning than the best one, beyond the noise of
 * the run's repeats: 3 standard deviations, at least the threshold. */
static double tuned(const struct run *run, struct rule_details *details)
{
	struct tuning tuning;
	const struct run_spread *spread = run_spread(run, METRIC_TOTAL_TIME);
	if (!tuning_worst(details->arena, run, &tuning))
		return NAN;
	double excess = tuning_excess(&tuning);
	if (spread && spread->deviation > 0 && excess <= 3 * spread->deviation / run_time(run))
		return NAN;
	details->values[0] = message_text(tuning.chosen->name);
	details->values[1] = message_quantity(tuning.chosen->seconds, UNIT_SECOND);
	details->values[2] = message_text(tuning_name(tuning.best));
	details->values[3] = message_quantity(tuning.best->seconds, UNIT_SECOND);
	return excess;
}

static double busiest(const struct run *run, struct rule_details *details)
{
	static const struct {
		enum metric metric;
		enum message_code name;
	} engines[] = {{METRIC_TENSOR_OCCUPANCY, MESSAGE_ENGINE_TENSOR_ACTIVE},
		       {METRIC_VECTOR_OCCUPANCY, MESSAGE_ENGINE_VECTOR_ACTIVE},
		       {METRIC_SCALAR_OCCUPANCY, MESSAGE_ENGINE_SCALAR_ACTIVE},
		       {METRIC_GPSIMD_OCCUPANCY, MESSAGE_ENGINE_GPSIMD_ACTIVE}};
	double most = NAN;
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
		double busy = run_number(run, engines[i].metric);
		if (busy > most || isnan(most)) {
			most = busy;
			details->values[0] = message_term(engines[i].name);
		}
	}
	return most;
}

static double mbu(const struct run *run, struct rule_details *details)
{
	(void)details;
	/* If DRAM throughput is known, the health table has its own rule. */
	if (!isnan(run_number(run, METRIC_DRAM_THROUGHPUT)))
		return NAN;
	return run_number(run, METRIC_MBU);
}

static double busy_dma(const struct run *run, struct rule_details *details)
{
	double efficiency = run_number(run, METRIC_MBU);
	if (!(efficiency < bottleneck_high))
		return NAN;
	details->values[0] = message_quantity(efficiency, UNIT_FRACTION);
	return run_number(run, METRIC_DMA_OCCUPANCY);
}

static double gap_share(const struct run *run)
{
	return run_number(run, METRIC_SERIALIZATION_GAP) / run_number(run, METRIC_TOTAL_TIME);
}

static double serialization(const struct run *run, struct rule_details *details)
{
	/* A gap at the start is not a dependency between engines. */
	if (startup(run, details) < 0.5 || run_number(run, METRIC_MBU) >= bottleneck_high)
		return NAN;
	details->values[0] =
		message_quantity(run_number(run, METRIC_SERIALIZATION_GAP), UNIT_SECOND);
	return gap_share(run);
}

static double spills(const struct run *run, struct rule_details *details)
{
	double reload = run_number(run, METRIC_SPILL_RELOAD_BYTES);
	details->values[0] = message_quantity(reload, UNIT_BYTE);
	return reload / run_number(run, METRIC_HBM_READ_BYTES);
}

static double model_share(const struct run *run, struct rule_details *details)
{
	(void)details;
	double model = run_number(run, METRIC_MODEL_FLOPS),
	       hardware = run_number(run, METRIC_HARDWARE_FLOPS);
	return model > 0 && hardware > 0 ? model / hardware : NAN;
}

static double small_dma(const struct run *run, struct rule_details *details)
{
	details->values[0] =
		message_quantity(run_number(run, METRIC_DMA_TRANSFER_COUNT), UNIT_COUNT);
	return run_number(run, METRIC_DMA_AVERAGE_BYTES);
}

static double traffic(const struct run *run, struct rule_details *details)
{
	double excess = run_number(run, METRIC_HBM_BYTES) -
			run_number(run, METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES);
	details->values[0] = message_quantity(excess, UNIT_BYTE);
	return run_number(run, METRIC_REUSE);
}

/* Used if the profile does not count the compulsory traffic. */
static double formula_traffic(const struct run *run, struct rule_details *details)
{
	double bytes = run_number(run, METRIC_HBM_BYTES), needed = gain_formula_bytes(run);
	details->values[0] = message_quantity(bytes - needed, UNIT_BYTE);
	return needed > 0 ? bytes / needed : NAN;
}

static double throttling(const struct run *run, struct rule_details *details)
{
	details->values[0] = message_quantity(run_number(run, METRIC_THROTTLE_TIME), UNIT_SECOND);
	return run_number(run, METRIC_THROTTLE_LOSS);
}

static const struct rule rules[] = {
	{"startup-dominated", MESSAGE_TITLE_LATER_EXECUTION, SEVERITY_DATA, "active_fraction",
	 startup, BELOW, 0.5, UNIT_FRACTION, MESSAGE_FOUND_STARTUP, MESSAGE_ADVICE_STARTUP, NULL},
	{"reported-mismatch", MESSAGE_TITLE_CHECK_CAPTURE, SEVERITY_DATA, "relative_difference",
	 mismatches, ABOVE, 1e-6, UNIT_NONE, MESSAGE_FOUND_MISMATCH, MESSAGE_ADVICE_MISMATCH, NULL},
	{"out-of-bounds", MESSAGE_TITLE_CHECK_CAPTURE, SEVERITY_DATA, "impossible_values",
	 out_of_bounds, AT_LEAST, 1, UNIT_COUNT, MESSAGE_FOUND_OUT_OF_BOUNDS,
	 MESSAGE_ADVICE_OUT_OF_BOUNDS, NULL},
	{"impossible-time", MESSAGE_TITLE_CHECK_CAPTURE, SEVERITY_DATA, "impossible_times",
	 impossible, AT_LEAST, 1, UNIT_COUNT, MESSAGE_FOUND_IMPOSSIBLE, MESSAGE_ADVICE_IMPOSSIBLE,
	 NULL},
	{"incorrect-result", MESSAGE_TITLE_REPAIR, SEVERITY_DATA, "correctness", incorrect_result,
	 AT_LEAST, 1, UNIT_COUNT, MESSAGE_FOUND_INCORRECT, MESSAGE_ADVICE_INCORRECT, NULL},
	{"missing-dge-metadata", MESSAGE_TITLE_DGE_NOTIFICATIONS, SEVERITY_DATA, "warnings",
	 missing_dge, AT_LEAST, 1, UNIT_COUNT, MESSAGE_FOUND_MISSING_DGE,
	 MESSAGE_ADVICE_MISSING_DGE, NULL},
	{"simulation", MESSAGE_TITLE_HARDWARE, SEVERITY_DATA, "warnings", simulated, AT_LEAST, 1,
	 UNIT_COUNT, MESSAGE_FOUND_SIMULATION, MESSAGE_NONE, NULL},
	{"recompiled-every-call", MESSAGE_TITLE_REUSE_COMPILED, SEVERITY_PROBLEM,
	 "(host_time - total_time) / compile_time", recompiling, AT_LEAST, 0.8, UNIT_FRACTION,
	 MESSAGE_FOUND_RECOMPILED, MESSAGE_ADVICE_RECOMPILED, gain_of_compiling},
	{"dispatch-dominates", MESSAGE_TITLE_AMORTISE_DISPATCH, SEVERITY_PROBLEM, "host_overhead",
	 dispatching, ABOVE, 5, UNIT_NONE, MESSAGE_FOUND_DISPATCH, MESSAGE_ADVICE_DISPATCH,
	 gain_of_dispatch},
	{"idle-core", MESSAGE_TITLE_SPLIT_CORES, SEVERITY_PROBLEM, "idle_cores", idle_cores,
	 AT_LEAST, 1, UNIT_COUNT, MESSAGE_FOUND_IDLE_CORE, MESSAGE_ADVICE_IDLE_CORE, gain_of_cores},
	{"throttled", MESSAGE_TITLE_AVOID_THROTTLING, SEVERITY_PROBLEM, "throttle_loss", throttling,
	 ABOVE, 0.01, UNIT_FRACTION, MESSAGE_FOUND_THROTTLED, MESSAGE_ADVICE_THROTTLED,
	 gain_of_throttling},
	{"serialization", MESSAGE_TITLE_OVERLAP, SEVERITY_PROBLEM, "serialization_gap / total_time",
	 serialization, ABOVE, 0.3, UNIT_FRACTION, MESSAGE_FOUND_SERIALIZATION,
	 MESSAGE_ADVICE_SERIALIZATION, gain_of_overlap},
	{"poor-reuse", MESSAGE_TITLE_HBM_TRAFFIC, SEVERITY_PROBLEM, "traffic_ratio", traffic, ABOVE,
	 1.25, UNIT_NONE, MESSAGE_FOUND_REUSE, MESSAGE_ADVICE_REUSE, gain_of_reuse},
	{"excess-traffic", MESSAGE_TITLE_TRAFFIC, SEVERITY_PROBLEM, "hbm_bytes / algorithmic_bytes",
	 formula_traffic, ABOVE, 1.25, UNIT_NONE, MESSAGE_FOUND_EXCESS_TRAFFIC,
	 MESSAGE_ADVICE_EXCESS_TRAFFIC, gain_of_formula_traffic},
	{"spills", MESSAGE_TITLE_SPILLS, SEVERITY_PROBLEM, "spill_reload_bytes / hbm_read_bytes",
	 spills, ABOVE, 0.25, UNIT_FRACTION, MESSAGE_FOUND_SPILLS, MESSAGE_ADVICE_SPILLS,
	 gain_of_spills},
	{"tuning-not-best", MESSAGE_TITLE_TUNING, SEVERITY_PROBLEM,
	 "chosen configuration / best configuration - 1", tuned, ABOVE, 0.02, UNIT_FRACTION,
	 MESSAGE_FOUND_TUNING, MESSAGE_ADVICE_TUNING, NULL},
	{"transposes", MESSAGE_TITLE_TRANSPOSES, SEVERITY_PROBLEM, "transpose_fraction", NULL,
	 ABOVE, 0.1, UNIT_FRACTION, MESSAGE_FOUND_TRANSPOSES, MESSAGE_ADVICE_TRANSPOSES,
	 gain_of_transposes},
	{"small-dma", MESSAGE_TITLE_LARGER_DMA, SEVERITY_PROBLEM, "dma_average_bytes", small_dma,
	 BELOW, 32768, UNIT_BYTE, MESSAGE_FOUND_SMALL_DMA, MESSAGE_ADVICE_SMALL_DMA, gain_of_dma},
	{"dma-inefficient", MESSAGE_TITLE_EFFICIENT_DMA, SEVERITY_PROBLEM, "dma_occupancy",
	 busy_dma, AT_LEAST, 0.6, UNIT_FRACTION, MESSAGE_FOUND_DMA_INEFFICIENT,
	 MESSAGE_ADVICE_DMA_INEFFICIENT, gain_of_dma},
	{"low-model-flops", MESSAGE_TITLE_REDUNDANT_FLOP, SEVERITY_PROBLEM,
	 "model_flops / hardware_flops", model_share, BELOW, 0.5, UNIT_FRACTION,
	 MESSAGE_FOUND_LOW_MODEL_FLOPS, MESSAGE_ADVICE_LOW_MODEL_FLOPS, gain_of_model_flops},
	{"engine-saturated", MESSAGE_NONE, SEVERITY_INFO, "engine_occupancy", busiest, AT_LEAST,
	 0.9, UNIT_FRACTION, MESSAGE_FOUND_ENGINE_SATURATED, MESSAGE_NONE, NULL},
	{"memory-saturated", MESSAGE_NONE, SEVERITY_INFO, "mbu", mbu, AT_LEAST, 0.6, UNIT_FRACTION,
	 MESSAGE_FOUND_MEMORY_SATURATED, MESSAGE_NONE, NULL},
};

const char *findings_severity_name(enum severity severity)
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

/* The rule's message with its value, its threshold and the trigger's details. */
static const struct message *worded(struct arena *arena, const struct rule *rule, double value,
				    const struct message_value *details)
{
	struct message_value values[RULE_DETAILS + 2];
	size_t arity = message_arity(rule->text);
	for (size_t i = 0; i < arity; i++) {
		struct span name = message_value_name(rule->text, i);
		if (span_is(name, "value"))
			values[i] = message_quantity(value, rule->unit);
		else if (span_is(name, "limit"))
			values[i] = message_quantity(rule->threshold, rule->unit);
		else
			values[i] = *details++;
	}
	return message_new(arena, rule->text, values, arity);
}

/* Gains of the run's time, then local ones, then unknown ones. */
static double rank(const struct finding *finding)
{
	double gain = finding->gain.fraction;
	if (isnan(gain))
		return finding->local ? -2 : -3;
	return finding->local ? gain - 1.5 : gain;
}

/* Stable insertion: severity, then higher rank first. */
static void insert(struct arena *arena, struct finding_list *list, struct finding finding)
{
	arena_add(arena, list);
	size_t at = list->count - 1;
	for (; at > 0; at--) {
		const struct finding *before = &list->items[at - 1];
		if (before->severity < finding.severity ||
		    (before->severity == finding.severity && rank(before) >= rank(&finding)))
			break;
		list->items[at] = *before;
	}
	list->items[at] = finding;
}

/* What the profiler itself advises. */
struct advice_list {
	struct piece {
		struct advice advice;
		bool said; /* one of our rules says the same */
	} items[ADVICE_LIMIT];
	size_t count;
};

static struct potential_gain estimated_gain(struct arena *arena, const struct advice *advice)
{
	struct potential_gain gain = {.fraction = NAN};
	if (advice->scope != ADVICE_GLOBAL || !(advice->speedup > 0))
		return gain;
	gain.fraction = fmin(advice->speedup, 1);
	gain.of = MESSAGE_OF_TOTAL_TIME;
	gain.estimated_by = advice_tool;
	gain.formula = message_of(arena, MESSAGE_GAIN_ESTIMATED, message_text(advice_tool),
				  message_text(advice->rule));
	return gain;
}

/* The profiler knows whether its rule is about the run's time, and estimates what we cannot. */
static void join_advice(struct arena *arena, struct advice_list *list, struct finding *finding)
{
	for (size_t i = 0; i < list->count; i++) {
		struct piece *one = &list->items[i];
		const char *counterpart = advice_counterpart(&one->advice);
		if (!counterpart || !span_starts(span_of(finding->rule), counterpart))
			continue;
		if (!one->said && isnan(finding->gain.fraction))
			finding->gain = estimated_gain(arena, &one->advice);
		finding->local |= one->advice.scope == ADVICE_LOCAL;
		one->said = true;
	}
}

static void add(struct arena *arena, const struct run *run, const struct rule *rule,
		struct advice_list *advice, struct finding_list *list)
{
	struct rule_details details = {.arena = arena};
	double value = rule->value ? rule->value(run, &details)
				   : run_number(run, metric_find(span_of(rule->metric)));
	if (!fires(rule, value))
		return;
	struct potential_gain gain =
		rule->gain ? rule->gain(arena, run) : (struct potential_gain){.fraction = NAN};
	struct finding finding = {
		.rule = rule->id,
		.title = message_plain(rule->title),
		.severity = rule->severity,
		.text = worded(arena, rule, value, details.values),
		.advice = rule->advice,
		.metric = rule->metric,
		.value = value,
		.threshold = rule->threshold,
		.unit = rule->unit,
		.gain = gain,
	};
	join_advice(arena, advice, &finding);
	insert(arena, list, finding);
}

/* Adds what none of our rules says. */
static void add_advice(struct arena *arena, const struct advice_list *advice,
		       struct finding_list *list)
{
	for (size_t i = 0; i < advice->count; i++) {
		const struct advice *one = &advice->items[i].advice;
		if (advice->items[i].said)
			continue;
		bool local = one->scope == ADVICE_LOCAL && one->speedup > 0;
		const struct message *share = NULL;
		if (local)
			share = message_of(arena, MESSAGE_ADVICE_LOCAL,
					   message_fraction(one->speedup));
		insert(arena, list,
		       (struct finding){
			       .rule = arena_printf(arena, "%s/%s", advice_category, one->rule),
			       .title = message_of(arena, MESSAGE_TITLE_ADVICE,
						   message_text(advice_tool),
						   message_text(one->rule)),
			       .severity = SEVERITY_PROBLEM,
			       .text = message_of(arena, MESSAGE_FOUND_ADVICE,
						  message_text(advice_tool),
						  message_text(one->rule), message_text(one->text),
						  message_part(share)),
			       .metric = "estimated_speedup",
			       .value = one->speedup,
			       .threshold = 0,
			       .unit = UNIT_FRACTION,
			       .gain = estimated_gain(arena, one),
			       .local = local,
		       });
	}
}

void findings_of(struct arena *arena, const struct run *run, struct finding_list *list)
{
	size_t gpu_count, skipped_count;
	const struct rule *gpu = findings_gpu_rules(&gpu_count);
	const struct rule *skipped = findings_skipped_rules(&skipped_count);
	struct advice_list advice = {.count = 0};
	for (size_t i = 0; i < run->note_count && advice.count < ADVICE_LIMIT; i++)
		advice.count +=
			advice_read(arena, &run->notes[i], &advice.items[advice.count].advice);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		add(arena, run, &rules[i], &advice, list);
	for (size_t i = 0; i < skipped_count; i++)
		add(arena, run, &skipped[i], &advice, list);
	for (size_t i = 0; i < gpu_count; i++)
		add(arena, run, &gpu[i], &advice, list);
	add_advice(arena, &advice, list);
}

static bool is_listed(const struct finding *const *list, size_t count, const struct message *title)
{
	for (size_t i = 0; i < count; i++)
		if (list[i]->title == title)
			return true;
	return false;
}

size_t findings_opportunities(const struct finding_list *findings,
			      const struct finding *opportunities[OPPORTUNITIES])
{
	size_t count = 0;
	/* Findings are sorted: those with a gain come first. */
	for (size_t i = 0; i < findings->count && count < OPPORTUNITIES; i++) {
		const struct finding *one = &findings->items[i];
		if (one->severity == SEVERITY_PROBLEM &&
		    !is_listed(opportunities, count, one->title))
			opportunities[count++] = one;
	}
	return count;
}
