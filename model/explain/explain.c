/* Assembles an explanation: which parts are collected, and the order of the sentences. */
#include "model/explain/explain.h"

#include "model/explain/internal.h"
#include "model/run/runs.h"

/* With fewer deterministic counters, equal ones prove nothing. */
enum { LEAST_COMPARED = 3 };
/* Most parts of each kind that are reported. */
enum { INPUTS_SAID = 2, TIMES_SAID = 2, PLACES_SAID = 1, COUNTERS_SAID = 2, CAUSES_SAID = 2 };

const char *explain_cause_name(enum explain_cause cause)
{
	static const char *const names[EXPLAIN_CAUSES] = {"unknown", "code", "noise",
							  "environment"};
	return names[cause];
}

static bool same_kernel(const struct run *before, const struct run *after)
{
	return before->kernel_hash && before->kernel_hash[0] &&
	       span_text_eq(before->kernel_hash, after->kernel_hash);
}

static enum explain_cause cause_of(const struct explaining *e)
{
	if (same_kernel(e->before, e->after))
		return e->environment || e->throttled ? EXPLAIN_ENVIRONMENT : EXPLAIN_NOISE;
	if (e->different)
		return EXPLAIN_CODE;
	return e->compared && (e->environment || e->throttled) ? EXPLAIN_ENVIRONMENT
							       : EXPLAIN_UNKNOWN;
}

/* --- the sentences --- */

/* The parts that are reported, in their order. */
struct said {
	const struct message *items[INPUTS_SAID + TIMES_SAID + PLACES_SAID + COUNTERS_SAID];
	size_t count;
};

/* Adds the first `most` parts of the list; returns how many were added. */
static size_t say(struct said *said, const struct explain_list *list, size_t most)
{
	size_t count = list->count < most ? list->count : most;
	for (size_t i = 0; i < count; i++)
		said->items[said->count++] = list->items[i].text;
	return count;
}

static struct message_value copy_of(struct arena *arena, const struct said *said)
{
	const struct message **parts = arena_array(arena, said->count, sizeof(struct message *));
	memcpy(parts, said->items, said->count * sizeof *parts);
	return message_parts(parts, said->count);
}

/* "+3.1 us", "-12 %": differences of rates are given as a share. */
static struct message_value lead(const struct explanation *found)
{
	enum unit unit = metric_info(found->metric)->unit;
	bool rate = unit == UNIT_FLOP_PER_SECOND || unit == UNIT_BYTE_PER_SECOND ||
		    unit == UNIT_PER_SECOND || unit == UNIT_FLOP_PER_BYTE || unit == UNIT_NONE;
	return rate ? message_change(found->before, found->after, UNIT_NONE)
		    : message_difference(found->after - found->before, unit);
}

/* The evidence of the deterministic counters. */
static const struct message *evidence(const struct explaining *e, const struct explanation *found,
				      bool counters)
{
	if (same_kernel(e->before, e->after))
		return message_plain(found->cause == EXPLAIN_NOISE ? MESSAGE_SAME_KERNEL_NOISE
								   : MESSAGE_SAME_KERNEL);
	if (e->different && !counters && e->inputs.count == 0)
		return message_of(e->arena, MESSAGE_COUNTERS_DIFFER, message_integer(e->different),
				  message_integer(e->compared), message_part(e->differing));
	if (!e->different && e->compared >= LEAST_COMPARED)
		return message_of(e->arena, MESSAGE_COUNTERS_AGREE, message_integer(e->compared));
	return NULL;
}

/* The parts and the causes; NULL if there are none. */
static const struct message *body(const struct explaining *e, const struct said *parts,
				  const struct said *causes)
{
	if (parts->count && causes->count)
		return message_of(e->arena, MESSAGE_WHY_PARTS_AND_CAUSES, copy_of(e->arena, parts),
				  copy_of(e->arena, causes));
	const struct said *all = parts->count ? parts : causes;
	return all->count ? message_of(e->arena, MESSAGE_WHY_PARTS, copy_of(e->arena, all)) : NULL;
}

static const struct message *sentences(const struct explaining *e, const struct explanation *found)
{
	struct said parts = {.count = 0}, causes = {.count = 0};
	say(&parts, &e->inputs, INPUTS_SAID);
	say(&parts, &e->times, TIMES_SAID);
	/* An opcode is a vague place: it is reported only if no counter says more. */
	if (e->counters.count == 0 || e->places.count == 0 ||
	    strcmp(e->places.items[0].kind, "opcode") != 0)
		say(&parts, &e->places, PLACES_SAID);
	/* The same binary has the same counts: a difference is one of the capture. */
	bool counters = !same_kernel(e->before, e->after);
	if (counters)
		counters = say(&parts, &e->counters, COUNTERS_SAID) > 0;
	say(&causes, &e->causes, CAUSES_SAID);
	const struct message *first = body(e, &parts, &causes);
	const struct message *second = evidence(e, found, counters);
	if (first && e->since)
		first = message_of(e->arena, MESSAGE_WHY_SINCE, lead(found), message_text(e->since),
				   message_part(first));
	else if (first)
		first = message_of(e->arena, MESSAGE_WHY, lead(found), message_part(first));
	return !first || !second ? (first ? first : second)
				 : message_of(e->arena, MESSAGE_TWO_SENTENCES, message_part(first),
					      message_part(second));
}

static void add_parts(struct arena *arena, struct explanation *found,
		      const struct explain_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		*arena_next(arena, found->parts, found->count, found->capacity) = list->items[i];
	}
}

/* --- the question --- */

static int sign_of(double number)
{
	return (number > 0) - (number < 0);
}

/* Whether it costs more now; for metrics without a better direction, whether it grew. */
static int way_of(const struct explaining *e, double difference)
{
	bool higher = metric_info(e->metric)->direction == METRIC_HIGHER;
	if (!isnan(e->span) && e->span != 0)
		return sign_of(e->span);
	return higher ? -sign_of(difference) : sign_of(difference);
}

/* The change of time to be explained: that of the metric, or that of the run if its time is an
 * input of the metric. */
static double span_of_time(const struct explaining *e, bool timed)
{
	enum metric time =
		metric_info(e->metric)->unit == UNIT_SECOND ? e->metric : METRIC_TOTAL_TIME;
	if (time == METRIC_TOTAL_TIME && !timed && e->metric != METRIC_TOTAL_TIME)
		return NAN;
	double span = run_number(e->after, time) - run_number(e->before, time);
	/* A ratio whose time did not change has no time to explain. */
	for (size_t i = 0; timed && i < e->inputs.count; i++)
		if (strcmp(e->inputs.items[i].key, metric_info(METRIC_TOTAL_TIME)->key) == 0)
			return span;
	return timed ? NAN : span;
}

static void explain(struct explaining *e, struct explanation *found)
{
	bool timed = explain_inputs(e);
	e->span = span_of_time(e, timed);
	e->way = way_of(e, found->after - found->before);
	explain_times(e);
	explain_places(e);
	explain_evidence(e);
	explain_counters(e);
	explain_causes(e);
	found->compared = e->compared;
	found->different = e->different;
	found->cause = cause_of(e);
	const struct explain_list *lists[] = {&e->inputs, &e->times, &e->places, &e->counters,
					      &e->causes};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		add_parts(e->arena, found, lists[i]);
	found->text = sentences(e, found);
}

struct explanation explain_runs(struct arena *arena, const struct run *before,
				const struct run *after, enum metric metric)
{
	return explain_since(arena, before, after, metric, NULL);
}

struct explanation explain_numbers(const struct run *before, const struct run *after,
				   enum metric metric)
{
	struct explanation found = {
		.metric = METRIC_COUNT, .before = NAN, .after = NAN, .change = NAN};
	if (!before || !after || metric == METRIC_COUNT)
		return found;
	found.before = explain_number(before, metric);
	found.after = explain_number(after, metric);
	found.change = found.before != 0 ? found.after / found.before - 1 : NAN;
	return found;
}

struct explanation explain_since(struct arena *arena, const struct run *before,
				 const struct run *after, enum metric metric, const char *since)
{
	if (after && metric == METRIC_COUNT)
		metric = run_headline(after);
	struct explanation found = explain_numbers(before, after, metric);
	if (!isfinite(found.before) || !isfinite(found.after) || found.before == found.after)
		return found;
	found.metric = metric;
	struct explaining e = {.arena = arena,
			       .before = before,
			       .after = after,
			       .metric = metric,
			       .since = since,
			       .span = NAN,
			       .gpu = run_is_gpu(after, NULL)};
	explain(&e, &found);
	return found;
}
