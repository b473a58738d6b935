/* Parts of the time: engines, idle time, cycles and clock, throttling. */
#include "model/explain/internal.h"

/* Relative. Clocks vary by this much without a change of settings; the gate uses the same value. */
static const double clock_wander = 0.02;

static const struct {
	const char *kind;
	enum metric metric;
	enum message_code name;
} rows[] = {
	{"engine", METRIC_TENSOR_ACTIVE_TIME, MESSAGE_PART_TENSOR_ENGINE_ACTIVE},
	{"engine", METRIC_VECTOR_ACTIVE_TIME, MESSAGE_PART_VECTOR_ENGINE_ACTIVE},
	{"engine", METRIC_SCALAR_ACTIVE_TIME, MESSAGE_PART_SCALAR_ENGINE_ACTIVE},
	{"engine", METRIC_GPSIMD_ACTIVE_TIME, MESSAGE_PART_GPSIMD_ENGINE_ACTIVE},
	{"engine", METRIC_SYNC_ACTIVE_TIME, MESSAGE_PART_SYNC_ENGINE_ACTIVE},
	{"engine", METRIC_DMA_ACTIVE_TIME, MESSAGE_PART_DMA_ACTIVE},
	{"engine", METRIC_CC_OP_ACTIVE_TIME, MESSAGE_PART_COLLECTIVES_ACTIVE},
	{"phase", METRIC_PREFILL_TIME, MESSAGE_PART_PREFILL},
	{"phase", METRIC_DECODE_TIME, MESSAGE_PART_DECODE},
};

static void add_time(struct explaining *e, const char *kind, const char *key,
		     enum message_code name, const double sides[2])
{
	double difference = sides[1] - sides[0];
	if (!explain_is_telling(e, difference))
		return;
	explain_add(e, &e->times,
		    (struct explain_part){.kind = kind,
					  .key = key,
					  .unit = UNIT_SECOND,
					  .before = sides[0],
					  .after = sides[1],
					  .weight = fabs(difference / e->span)},
		    message_plain(name));
}

static double idle_time(const struct run *run)
{
	return run_number(run, METRIC_TOTAL_TIME) - run_number(run, METRIC_TOTAL_ACTIVE_TIME);
}

/* Idle time, in which no engine works: known if the union of the engines' intervals is known; else
 * only the run's time beyond its longest engine. */
static void add_gap(struct explaining *e)
{
	double idle[] = {idle_time(e->before), idle_time(e->after)};
	double gap[] = {run_number(e->before, METRIC_SERIALIZATION_GAP),
			run_number(e->after, METRIC_SERIALIZATION_GAP)};
	if (!isnan(idle[0]) && !isnan(idle[1]))
		add_time(e, "gap", "idle_time", MESSAGE_PART_NO_ENGINE_ACTIVE, idle);
	else
		add_time(e, "gap", metric_info(METRIC_SERIALIZATION_GAP)->key,
			 MESSAGE_PART_BEYOND_THE_LONGEST_ENGINE, gap);
}

/* The device's time, and the rest of a call that was timed on the host. */
static void add_host(struct explaining *e)
{
	double device[] = {run_number(e->before, METRIC_TOTAL_TIME),
			   run_number(e->after, METRIC_TOTAL_TIME)};
	double rest[] = {run_number(e->before, METRIC_HOST_TIME) - device[0],
			 run_number(e->after, METRIC_HOST_TIME) - device[1]};
	add_time(e, "device", metric_info(METRIC_TOTAL_TIME)->key, MESSAGE_PART_TIME_ON_THE_DEVICE,
		 device);
	add_time(e, "dispatch", "host_time - total_time", MESSAGE_PART_OUTSIDE_THE_DEVICE, rest);
}

static void add_clock_part(struct explaining *e, bool clock, const double sides[2], double seconds,
			   enum message_code text)
{
	e->throttled = e->throttled || clock;
	explain_add_part(
		e, &e->times,
		(struct explain_part){
			.kind = clock ? "clock" : "cycles",
			.key = metric_info(clock ? METRIC_SM_CLOCK : METRIC_ELAPSED_CYCLES)->key,
			.text = message_of(e->arena, text,
					   message_fraction(sides[1] / sides[0] - 1)),
			.unit = clock ? UNIT_HERTZ : UNIT_COUNT,
			.before = sides[0],
			.after = sides[1],
			.change = sides[1] / sides[0] - 1,
			.seconds = seconds,
			.weight = fabs(seconds / e->span)});
}

/* t = cycles / clock, exactly; the clock that files state is rounded. */
static void add_cycles(struct explaining *e, const double t[2])
{
	double cycles[] = {run_number(e->before, METRIC_ELAPSED_CYCLES),
			   run_number(e->after, METRIC_ELAPSED_CYCLES)};
	double clock[] = {cycles[0] / t[0], cycles[1] / t[1]};
	double by_cycles = (cycles[1] - cycles[0]) / clock[0];
	double by_clock = e->span - by_cycles;
	if (!isfinite(by_cycles) || !(cycles[0] > 0) || !(cycles[1] > 0) || !(t[0] > 0) ||
	    !(t[1] > 0))
		return;
	bool clocked = fabs(clock[1] / clock[0] - 1) > clock_wander;
	if (explain_is_telling(e, by_cycles))
		add_clock_part(e, false, cycles, by_cycles,
			       clocked ? MESSAGE_CYCLES : MESSAGE_CYCLES_AT_SAME_CLOCK);
	if (explain_is_telling(e, by_clock) && clocked)
		add_clock_part(e, true, clock, by_clock, MESSAGE_CLOCK);
}

/* Without cycles, the clock as stated. */
static void add_clock(struct explaining *e)
{
	double clock[] = {run_number(e->before, METRIC_SM_CLOCK),
			  run_number(e->after, METRIC_SM_CLOCK)};
	double change = clock[1] / clock[0] - 1;
	/* A slower clock costs time. */
	if (isnan(run_number(e->before, METRIC_ELAPSED_CYCLES)) && clock[0] > 0 && clock[1] > 0 &&
	    fabs(change) > clock_wander && -change * e->span > 0)
		add_clock_part(e, true, clock, NAN, MESSAGE_CLOCK);
}

/* Time lost to throttling. */
static double withheld(const struct run *run)
{
	double loss = run_number(run, METRIC_THROTTLE_LOSS);
	double none = run_number(run, METRIC_THROTTLE_TIME) == 0 ? 0 : NAN;
	return isnan(loss) ? none : loss * run_number(run, METRIC_TOTAL_TIME);
}

static void add_throttling(struct explaining *e)
{
	double sides[] = {withheld(e->before), withheld(e->after)};
	size_t before = e->times.count;
	add_time(e, "throttle", metric_info(METRIC_THROTTLE_LOSS)->key,
		 MESSAGE_PART_THROTTLING_WITHHOLDS, sides);
	e->throttled = e->throttled || e->times.count > before;
}

void explain_times(struct explaining *e)
{
	enum metric metric = run_time_metric(e->after);
	double t[] = {run_number(e->before, METRIC_TOTAL_TIME),
		      run_number(e->after, METRIC_TOTAL_TIME)};
	if (isnan(e->span) || e->span == 0)
		return;
	if (metric == METRIC_HOST_TIME || e->metric == METRIC_HOST_TIME) {
		add_host(e);
	} else {
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			double sides[] = {explain_number(e->before, rows[i].metric),
					  explain_number(e->after, rows[i].metric)};
			if (rows[i].metric != e->metric)
				add_time(e, rows[i].kind, metric_info(rows[i].metric)->key,
					 rows[i].name, sides);
		}
		add_gap(e);
		add_cycles(e, t);
	}
	add_clock(e);
	add_throttling(e);
	explain_rank(&e->times);
}
