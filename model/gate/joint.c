/* Judges the comparisons of a call together: how many would look worse by chance, whether many
 * shifted at once, which cannot be a regression, and which must be measured again. */

#include "base/text/text.h"
#include "model/gate/gate.h"
#include "model/gate/internal.h"
#include "model/statistics/statistics.h"

/* --- by chance --- */

/* How likely the comparisons judged by history would have been by chance. */
struct discoveries {
	double *slower, *faster; /* Benjamini and Hochberg's q */
	size_t count;
};

static struct discoveries discoveries_of(struct arena *arena, const struct gate_result *gate)
{
	struct discoveries d = {.slower = arena_array(arena, gate->count, sizeof(double)),
				.faster = arena_array(arena, gate->count, sizeof(double))};
	for (size_t i = 0; i < gate->count; i++) {
		d.slower[i] = gate->comparisons[i].p;
		d.faster[i] = gate->comparisons[i].p_faster;
		d.count += !isnan(d.slower[i]);
	}
	d.slower = false_discovery_adjust(arena, d.slower, gate->count);
	d.faster = false_discovery_adjust(arena, d.faster, gate->count);
	return d;
}

/* The first measurement's p counts, so that later measurements are independent evidence. */
static const struct message *chance_reason(struct arena *arena, const struct gate_result *gate,
					   const struct comparison *one, size_t count)
{
	bool slower = one->judged.result.slower;
	double p = slower ? one->p : one->p_faster;
	bool worse = one->judged.verdict == VERDICT_REGRESSED;
	if (one->measurements > 1 && p >= one->policy->alpha)
		return message_of(arena,
				  worse ? MESSAGE_CHANCE_FIRST_NOT_WORSE
					: MESSAGE_CHANCE_FIRST_NOT_BETTER,
				  message_number(p));
	return message_of(arena, worse ? MESSAGE_CHANCE_WORSE : MESSAGE_CHANCE_BETTER,
			  message_number(p), message_integer(count),
			  message_number(slower ? one->judged.q : one->judged.q_faster),
			  message_number(gate->input->settings->false_discovery));
}

/* A difference that may be chance can still be known to be small. */
static void doubt(struct arena *arena, const struct gate_result *gate, struct comparison *one,
		  size_t count)
{
	struct judgement *judged = &one->judged;
	bool slower = judged->result.slower;
	if (judge_decide(&judged->result, false) != JUDGE_UNCHANGED) {
		judged->reason = chance_reason(arena, gate, one, count);
		judged->verdict = VERDICT_UNDECIDED;
		gate_note_remeasure(arena, one->measurements, judged);
		return;
	}
	judged->reason = message_of(
		arena, MESSAGE_CHANCE_UNCHANGED, message_number(slower ? one->p : one->p_faster),
		message_integer(count), message_number(slower ? judged->q : judged->q_faster),
		message_part(verdict_unchanged_message(arena, one->policy, one->metric,
						       judged->baseline)));
	judged->verdict = VERDICT_UNCHANGED;
}

static void control_discovery(struct arena *arena, const struct gate_result *gate,
			      struct comparison *one, size_t count)
{
	struct judgement *judged = &one->judged;
	bool looks = judged->method == METHOD_BASELINE &&
		     (judged->verdict == VERDICT_REGRESSED || judged->verdict == VERDICT_IMPROVED);
	/* Without a better direction, both directions regress. */
	double q = judged->result.slower ? judged->q : judged->q_faster;
	if (looks && !(q <= gate->input->settings->false_discovery))
		doubt(arena, gate, one, count);
}

static void control_discoveries(struct arena *arena, struct gate_result *gate)
{
	struct discoveries found = discoveries_of(arena, gate);
	for (size_t i = 0; i < gate->count; i++) {
		gate->comparisons[i].judged.q = found.slower[i];
		gate->comparisons[i].judged.q_faster = found.faster[i];
		control_discovery(arena, gate, &gate->comparisons[i], found.count);
	}
}

/* --- byte for byte the same kernel --- */

/* Says so, and no more: the hash is what the profile says of itself, and a change could repeat the
 * baseline's. */
static void note_same_kernels(struct arena *arena, struct gate_result *gate)
{
	/* With --against best the baseline's runs are those of the nearest commit, not of the best
	 * ones. */
	for (size_t i = 0; !gate->input->best && i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		struct judgement *judged = &one->judged;
		if (judged->verdict != VERDICT_REGRESSED || judged->method != METHOD_BASELINE ||
		    !gate_same_kernel(one->series))
			continue;
		const char *hash = one->series->candidate.items[0]->kernel_hash;
		const struct message *same =
			message_of(arena, MESSAGE_SAME_KERNEL_AS_BASELINE,
				   message_text(arena_strndup(arena, hash, strnlen(hash, 12))));
		judged->reason = message_of(arena, MESSAGE_REASON_AND, message_part(judged->reason),
					    message_part(same));
	}
}

/* --- the environment --- */

struct fact_change {
	const char *key, *old, *new;
	size_t series;
};

struct fact_changes {
	struct fact_change *items;
	size_t count, capacity;
};

enum { NO_CHANGE = -1 };

/* Index of the change in the list; equal changes are counted once per series. */
static int add_change(struct arena *arena, struct fact_changes *changes, const char *key,
		      const char *old, const char *new)
{
	for (size_t i = 0; i < changes->count; i++) {
		struct fact_change *known = &changes->items[i];
		if (span_text_eq(known->key, key) && span_text_eq(known->old, old) &&
		    span_text_eq(known->new, new)) {
			known->series++;
			return (int)i;
		}
	}
	*arena_add(arena, changes) = (struct fact_change){key, old, new, 1};
	return (int)changes->count - 1;
}

/* Clocks vary by up to 2 % without a change of settings. */
static bool same_clock(double before, double after)
{
	static const double wander = 0.02;
	return fabs(after - before) <= wander * fabs(before);
}

static int add_clock_change(struct arena *arena, struct fact_changes *changes, enum metric metric,
			    const struct run_list *before, const struct run *new)
{
	const struct metric_info *info = metric_info(metric);
	double after = run_number(new, metric), was = NAN;
	for (size_t i = 0; i < before->count; i++) {
		double clock = run_number(before->items[i], metric);
		if (same_clock(clock, after))
			return NO_CHANGE;
		was = isnan(was) ? clock : was;
	}
	if (isnan(was) || isnan(after))
		return NO_CHANGE;
	return add_change(arena, changes, info->key, quantity_text(arena, was, info->unit),
			  quantity_text(arena, after, info->unit));
}

/* Adds the facts that are known on both sides and differ; the index of one of them, or
 * NO_CHANGE. */
static int add_changes(struct arena *arena, struct fact_changes *changes,
		       const struct run_list *before, const struct run_list *after)
{
	if (before->count == 0 || after->count == 0)
		return NO_CHANGE;
	const struct run *new = after->items[0];
	int memory = add_clock_change(arena, changes, METRIC_MEMORY_CLOCK, before, new);
	int clock = add_clock_change(arena, changes, METRIC_SM_CLOCK, before, new);
	int found = clock == NO_CHANGE ? memory : clock;
	for (size_t i = 0; i < new->attribute_count; i++) {
		const struct run_attribute *fact = &new->attributes[i];
		if (!fact->text || !gate_is_environment_key(fact->key))
			continue;
		const char *was = gate_was_otherwise(before, fact->key, fact->text);
		if (was)
			found = add_change(arena, changes, fact->key, was, fact->text);
	}
	return found;
}

static void fold(struct gate_result *gate, struct comparison *one, const struct message *reason)
{
	one->judged.verdict = VERDICT_ENVIRONMENT;
	one->judged.reason = reason;
	gate->environment.event = true;
	gate->environment.folded++;
}

/* The same, for the runs on both sides of a change point within the history. */
static int add_changes_there(struct arena *arena, struct fact_changes *changes,
			     const struct comparison *one)
{
	if (!one->before_change)
		return NO_CHANGE;
	return add_changes(arena, changes, &one->before_change->runs,
			   one->after_change ? &one->after_change->runs : &one->series->candidate);
}

static void list_changes(struct arena *arena, const struct fact_changes *changes,
			 struct gate_environment *environment)
{
	environment->changes = arena_array(arena, changes->count + 1, sizeof *environment->changes);
	environment->change_count = changes->count;
	for (size_t i = 0; i < changes->count; i++)
		environment->changes[i] = message_of(
			arena, MESSAGE_ENVIRONMENT_CHANGE, message_text(changes->items[i].key),
			message_text(changes->items[i].old), message_text(changes->items[i].new),
			message_integer(changes->items[i].series));
}

static void find_changes(struct arena *arena, struct gate_result *gate)
{
	struct fact_changes changes = {0};
	int since_baseline = NO_CHANGE;
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		bool there = one->judged.method == METHOD_CHANGE_POINT;
		if (i == 0 || one->series != gate->comparisons[i - 1].series)
			since_baseline = add_changes(arena, &changes, &one->series->baseline,
						     &one->series->candidate);
		if (one->judged.verdict != VERDICT_REGRESSED)
			continue;
		int found = there ? add_changes_there(arena, &changes, one) : since_baseline;
		if (found == NO_CHANGE)
			continue;
		assert(found >= 0 && (size_t)found < changes.count);
		const struct fact_change *fact = &changes.items[found];
		fold(gate, one,
		     message_of(arena,
				there ? MESSAGE_FACT_CHANGED_THERE : MESSAGE_FACT_SINCE_BASELINE,
				message_text(fact->key), message_text(fact->old),
				message_text(fact->new)));
	}
	list_changes(arena, &changes, &gate->environment);
}

static bool moved_alike(const struct comparison *one, bool slower, double usual)
{
	double share = gate_step(one) / usual;
	return gate_is_step(one, slower) && share >= GATE_ALIKE_LEAST && share <= GATE_ALIKE_MOST;
}

/* Folds the comparisons of the metric that shifted together. */
static void fold_movement(struct arena *arena, struct gate_result *gate, enum metric metric,
			  bool slower, const struct gate_movement *m)
{
	struct gate_environment *environment = &gate->environment;
	if (m->moved < GATE_LEAST_MOVED ||
	    (double)m->moved <= gate->input->settings->together * (double)m->looked_at)
		return;
	if (m->moved > environment->moved) {
		environment->moved = m->moved;
		environment->looked_at = m->looked_at;
		environment->factor = exp(m->usual);
		environment->event = true;
	}
	const struct message *reason =
		message_of(arena, MESSAGE_MOVED_TOGETHER, message_integer(m->moved),
			   message_integer(m->looked_at), message_fraction(expm1(m->usual)));
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		if (one->metric == metric && one->judged.verdict == VERDICT_REGRESSED &&
		    moved_alike(one, slower, m->usual))
			fold(gate, one, reason);
	}
}

static bool is_first_of_metric(const struct gate_result *gate, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (gate->comparisons[i].metric == gate->comparisons[at].metric)
			return false;
	return true;
}

/* `old`: whom the gate's only comparison replaces among the peers; NULL: the peers are those of the
 * gate. */
static void find_environment(struct arena *arena, struct gate_result *gate,
			     const struct gate_peers *peers, const struct comparison *old)
{
	gate->environment = (struct gate_environment){.factor = NAN};
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (!is_first_of_metric(gate, i))
			continue;
		for (size_t k = 0; k < 2; k++) {
			bool slower = k == 0;
			struct gate_movement m =
				gate_peers_movement(peers, slower, old ? old : one, one);
			fold_movement(arena, gate, one->metric, slower, &m);
		}
	}
	find_changes(arena, gate);
}

/* The runs on both sides of the change are of one and the same file: what is worse is not the
 * kernel's. */
static void fold_same_kernels(struct arena *arena, struct gate_result *gate)
{
	/* With --against best the baseline's runs are those of the nearest commit, not of the best
	 * ones. */
	for (size_t i = 0; !gate->input->best && i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		const struct run_list *before = &one->series->baseline;
		const struct run_list *after = &one->series->candidate;
		if (one->judged.verdict != VERDICT_REGRESSED)
			continue;
		if (one->judged.method == METHOD_CHANGE_POINT) {
			if (!one->before_change)
				continue;
			before = &one->before_change->runs;
			after = one->after_change ? &one->after_change->runs : after;
		}
		const char *digest = gate_same_digest(before, after);
		if (digest)
			fold(gate, one,
			     message_of(arena, MESSAGE_SAME_KERNEL_SLOWER,
					message_text(arena_prefix(arena, digest, 12))));
	}
}

/* --- once more --- */

/* Whether the measurements are deterministic, e.g. by a simulator: measuring again would give the
 * same value. */
static bool is_exact(const struct comparison *one)
{
	const struct gate_history *history = &one->history;
	bool equal = history->points.count - history->start > 2;
	for (size_t i = history->start + 1; i < history->points.count; i++)
		equal = equal &&
			history->points.items[i].value == history->points.items[i - 1].value;
	return equal;
}

static void ask_for_confirmation(struct arena *arena, struct gate_result *gate)
{
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		if (one->judged.verdict != VERDICT_REGRESSED ||
		    one->judged.method != METHOD_BASELINE ||
		    (!one->policy->confirm && one->judged.no_better == 0) ||
		    one->second == VERDICT_REGRESSED || is_exact(one))
			continue;
		one->judged.verdict = VERDICT_SUSPECT;
		one->judged.reason =
			message_of(arena,
				   one->measurements > 1 ? MESSAGE_REASON_REMEASURE
							 : MESSAGE_REASON_MEASURED_ONCE,
				   message_part(one->judged.reason));
	}
}

static void decide(struct arena *arena, struct gate_result *gate, const struct gate_peers *peers,
		   const struct comparison *old)
{
	note_same_kernels(arena, gate);
	find_environment(arena, gate, peers, old);
	gate_clear_older_changes(arena, gate);
	fold_same_kernels(arena, gate);
	ask_for_confirmation(arena, gate);
	gate_doubt_leaps(arena, gate);
	gate_doubt_copies(arena, gate);
}

void gate_decide_together(struct arena *arena, struct gate_result *gate)
{
	const struct gate_peers peers = gate_peers_of(arena, gate);
	control_discoveries(arena, gate);
	decide(arena, gate, &peers, NULL);
}

void gate_decide_among(struct arena *arena, const struct gate_result *gate,
		       const struct gate_peers *peers, const struct comparison *old,
		       struct comparison *one)
{
	struct gate_result alone = *gate;
	alone.comparisons = one;
	alone.count = 1;
	one->judged.q = gate_peers_q(peers, old, one, true);
	one->judged.q_faster = gate_peers_q(peers, old, one, false);
	control_discovery(arena, &alone, one, gate_peers_judged(peers, old, one));
	decide(arena, &alone, peers, old);
}
