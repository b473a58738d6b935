/* Sums up all comparisons: their order, the counts, one word, one exit status. */

#include "base/base.h"
#include "model/gate/internal.h"

/* Per verdict: the exit status, and the gate's word if this verdict is the worst one. A new series
 * passes if something else was judged. */
static const struct {
	enum exit_status status;
	const char *word;
	bool judged; /* the verdict is a statement about the candidate */
} outcomes[VERDICT_LIMIT] = {
	[VERDICT_REGRESSED] = {EXIT_REGRESSION, "regression", true},
	[VERDICT_FAILED] = {EXIT_REGRESSION, "failed limit", true},
	[VERDICT_DRIFT] = {EXIT_REGRESSION, "drift", true},
	[VERDICT_IMPOSSIBLE] = {EXIT_MISSING, "impossible", true},
	[VERDICT_MISSING] = {EXIT_MISSING, "missing series", false},
	[VERDICT_INCOMPARABLE] = {EXIT_MISSING, "incomparable", false},
	[VERDICT_SUSPECT] = {EXIT_UNDECIDED, "suspect", true},
	[VERDICT_UNPROVEN] = {EXIT_UNDECIDED, "unproven", true},
	[VERDICT_ENVIRONMENT] = {EXIT_UNDECIDED, "environment", true},
	[VERDICT_UNDECIDED] = {EXIT_UNDECIDED, "undecided", true},
	[VERDICT_NO_BASELINE] = {EXIT_NO_BASELINE, "no baseline", false},
	[VERDICT_STALE] = {EXIT_STALE, "stale", false},
	[VERDICT_NEW] = {EXIT_PASS, NULL, false},
	[VERDICT_ACCEPTED] = {EXIT_PASS, NULL, true},
	[VERDICT_IMPROVED] = {EXIT_PASS, NULL, true},
	[VERDICT_UNCHANGED] = {EXIT_PASS, NULL, true},
	[VERDICT_HELD] = {EXIT_PASS, NULL, true},
};

bool gate_is_judged(enum verdict verdict)
{
	assert(verdict < VERDICT_LIMIT);
	return outcomes[verdict].judged;
}

bool gate_keeps_from_passing(enum verdict verdict)
{
	return outcomes[verdict].status != EXIT_PASS;
}

static const struct gate_series *shared_baseline(const struct gate_result *gate)
{
	const struct gate_series *shared = NULL;
	for (size_t i = 0; i < gate->count; i++) {
		const struct gate_series *series = gate->comparisons[i].series;
		if (!series->baseline_revision)
			continue;
		if (shared &&
		    strcmp(shared->baseline_revision->oid, series->baseline_revision->oid) != 0)
			return NULL;
		shared = series;
	}
	return shared;
}

/* Worst first: primary rules, then by verdict, new slowdowns of a nightly gate, size of the change
 * (unknown last), and name. */
static int by_badness(const void *a, const void *b)
{
	const struct comparison *x = a, *y = b;
	if (x->policy->role != y->policy->role)
		return x->policy->role < y->policy->role ? -1 : 1;
	if (x->judged.verdict != y->judged.verdict)
		return x->judged.verdict < y->judged.verdict ? -1 : 1;
	if (x->already != y->already)
		return x->already ? 1 : -1;
	double cx = isnan(x->judged.change) ? -1 : fabs(x->judged.change);
	double cy = isnan(y->judged.change) ? -1 : fabs(y->judged.change);
	if (cx != cy)
		return cx < cy ? 1 : -1;
	int names = strcmp(x->series->key, y->series->key);
	return names ? names : strcmp(x->policy->name, y->policy->name);
}

/* Without a baseline for any series none of them is "new": there is nothing to compare with.
 * Context rules do not change that. */
static void rename_new(struct gate_result *gate)
{
	bool all = gate->count > 0;
	for (size_t i = 0; i < gate->count; i++)
		all = all && (gate->comparisons[i].judged.verdict == VERDICT_NEW ||
			      gate->comparisons[i].policy->role == POLICY_CONTEXT);
	for (size_t i = 0; all && i < gate->count; i++)
		if (gate->comparisons[i].judged.verdict == VERDICT_NEW)
			gate->comparisons[i].judged.verdict = VERDICT_NO_BASELINE;
}

/* A series that is accepted as missing was not judged either. */
static bool says_something(const struct comparison *one)
{
	enum verdict verdict = one->judged.verdict;
	return outcomes[verdict == VERDICT_ACCEPTED ? one->accepted : verdict].judged;
}

static void count_verdicts(struct gate_result *gate)
{
	memset(gate->counts, 0, sizeof gate->counts);
	gate->context = gate->judged = gate->newly = 0;
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (one->policy->role == POLICY_CONTEXT) {
			gate->context++;
			continue;
		}
		gate->counts[one->judged.verdict]++;
		/* For limits it is unknown how long they have been missed. */
		gate->newly += outcomes[one->judged.verdict].status == EXIT_REGRESSION &&
			       !one->already && one->judged.method != METHOD_LIMIT;
		gate->judged += says_something(one);
	}
}

bool gate_is_about_speed(const struct gate_result *gate, enum verdict verdict)
{
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (one->policy->role == POLICY_PRIMARY && one->judged.verdict == verdict &&
		    !metric_is_time_or_rate(one->metric))
			return false;
	}
	return true;
}

int gate_verdict_words(const struct gate_result *gate, enum verdict verdict)
{
	int words = verdict;
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (one->policy->role != POLICY_PRIMARY || one->judged.verdict != verdict)
			continue;
		words = verdict_words(&one->judged);
		if (words == (int)verdict)
			break;
	}
	return words;
}

static const struct message *verdicts_of(struct arena *arena, const struct gate_result *gate)
{
	const struct message **parts = arena_array(arena, VERDICT_LIMIT, sizeof(struct message *));
	size_t count = 0;
	for (enum verdict verdict = 0; verdict < VERDICT_LIMIT; verdict++)
		if (gate->counts[verdict])
			parts[count++] =
				message_of(arena, MESSAGE_VERDICT_COUNT,
					   message_integer(gate->counts[verdict]),
					   verdict_value(gate_verdict_words(gate, verdict),
							 gate_is_about_speed(gate, verdict)));
	return count ? message_of(arena, MESSAGE_GATE_VERDICTS, message_parts(parts, count)) : NULL;
}

static struct message_value counted(struct arena *arena, enum message_code code, bool any,
				    size_t count)
{
	return message_part(any ? message_of(arena, code, message_integer(count)) : NULL);
}

struct message_value gate_noun(const struct gate_result *gate)
{
	return message_term(gate->count - gate->context > gate->series ? MESSAGE_NOUN_COMPARISONS
								       : MESSAGE_NOUN_SERIES);
}

static const struct message *judged_of(struct arena *arena, const struct gate_result *gate)
{
	bool worse = gate->counts[VERDICT_REGRESSED] || gate->counts[VERDICT_DRIFT];
	return message_of(
		arena, MESSAGE_GATE_JUDGED,
		message_part(gate->warning ? message_of(arena, MESSAGE_GATE_WARNED,
							message_part(gate->warning))
					   : NULL),
		message_integer(gate->judged), message_integer(gate->count - gate->context),
		gate_noun(gate), message_part(verdicts_of(arena, gate)),
		counted(arena, MESSAGE_GATE_NEWLY, gate->input->windowed && worse, gate->newly),
		counted(arena, MESSAGE_GATE_CONTEXT, gate->context > 0, gate->context),
		counted(arena, MESSAGE_GATE_AWAY, gate->input->away > 0, gate->input->away));
}

static const struct message *reason_of(struct arena *arena, const struct gate_result *gate)
{
	const struct message *judged = judged_of(arena, gate);
	if (!gate->input->selected)
		return judged;
	return message_of(arena, MESSAGE_GATE_SELECTED, message_integer(gate->input->selected),
			  message_integer(gate->input->measured), message_part(judged));
}

static bool is_listed(const struct policy_fail_on *list, enum verdict verdict)
{
	return list->verdicts & 1U << verdict;
}

/* In a nightly gate an undecided comparison may wait, because the next run sees it again. */
static bool may_wait(const struct gate_result *gate, const struct comparison *one)
{
	enum verdict verdict = one->judged.verdict;
	return gate->fail_on.waits && (verdict == VERDICT_SUSPECT || verdict == VERDICT_UNPROVEN ||
				       verdict == VERDICT_UNDECIDED);
}

static enum exit_status status_of(const struct gate_result *gate, const struct comparison *one)
{
	enum verdict verdict = one->judged.verdict;
	const struct policy_fail_on list =
		gate_fail_on_for(gate->input, &gate->fail_on, one->policy);
	if (one->policy->role == POLICY_CONTEXT || may_wait(gate, one) ||
	    !is_listed(&list, verdict))
		return EXIT_PASS;
	/* A new series has no status of its own, and fails where it is listed by name. */
	return verdict == VERDICT_NEW ? EXIT_REGRESSION : outcomes[verdict].status;
}

/* A nightly gate in which everything is undecided passes by default. It does not so unnoticed. */
static const struct message *warning_of(const struct gate_result *gate)
{
	bool any = gate->input->windowed && gate->judged > 0;
	return any && gate->counts[VERDICT_UNDECIDED] == gate->judged
		       ? message_plain(MESSAGE_WARNING_NOTHING_DECIDED)
		       : NULL;
}

/* With --exit-code the status is that of undecided, although each comparison waits. */
static bool waits_with_all(const struct gate_result *gate)
{
	bool waits = false;
	for (size_t i = 0; i < gate->count; i++)
		waits = waits || (gate->comparisons[i].policy->role == POLICY_PRIMARY &&
				  may_wait(gate, &gate->comparisons[i]));
	return waits && gate->warning;
}

/* Whether a gate that judged nothing fails. A first run passes unless it is listed. Later, what the
 * candidate would be compared with is missing: a change that begins where nothing was measured is
 * not let through. */
static bool is_unjudged(const struct gate_result *gate)
{
	return gate->judged == 0 &&
	       (is_listed(&gate->fail_on, VERDICT_NO_BASELINE) ||
		(!gate->input->first && is_listed(&gate->fail_on, VERDICT_MISSING)));
}

/* Rank of a status: the highest one among the comparisons becomes the gate's. */
static int rank_of_status(enum exit_status status)
{
	static const enum exit_status order[] = {EXIT_PASS,      EXIT_STALE,   EXIT_NO_BASELINE,
						 EXIT_UNDECIDED, EXIT_MISSING, EXIT_REGRESSION};
	int rank = 0;
	assert(status != EXIT_ERROR); /* the only status that no comparison has */
	while (order[rank] != status)
		rank++;
	return rank;
}

/* The worst of what fails by gate->fail_on. */
static enum exit_status outcome_of(struct gate_result *gate)
{
	enum exit_status worst = EXIT_PASS;
	for (size_t i = 0; i < gate->count; i++) {
		enum exit_status status = gate->comparisons[i].status =
			status_of(gate, &gate->comparisons[i]);
		if (rank_of_status(status) > rank_of_status(worst))
			worst = status;
	}
	if (worst == EXIT_PASS && waits_with_all(gate))
		worst = outcomes[VERDICT_UNDECIDED].status;
	return worst == EXIT_PASS && is_unjudged(gate) ? EXIT_NO_BASELINE : worst;
}

/* That of the worst verdict, whatever lets it pass or fail. */
static const char *word_of(const struct gate_result *gate)
{
	const char *word = NULL;
	for (int verdict = 0; verdict < VERDICT_LIMIT && !word; verdict++)
		if (gate->counts[verdict])
			word = outcomes[verdict].word;
	/* Runs with uncommitted changes are never a baseline. */
	bool recorded =
		gate->input->first && !gate->input->dirty && gate->counts[VERDICT_NO_BASELINE] > 0;
	if (word && strcmp(word, outcomes[VERDICT_NO_BASELINE].word) == 0 && recorded)
		return "baseline recorded";
	return word ? word : gate->judged > 0 ? "pass" : outcomes[VERDICT_NO_BASELINE].word;
}

static void conclude(struct gate_result *gate)
{
	gate->verdict = word_of(gate);
	gate->warning = warning_of(gate);
	gate->fail_on = (struct policy_fail_on){
		.verdicts = gate_all_classes(), .overrides = true, .waits = gate->input->windowed};
	gate->code = outcome_of(gate);
	gate->fail_on = gate_fail_on_of(gate->input);
	gate->outcome = outcome_of(gate);
	gate->exit_status = gate->outcome == EXIT_PASS || gate->input->fine_status
				    ? gate->outcome
				    : EXIT_REGRESSION;
}

/* The worst comparison is the first one. */
static const struct message *why_it_passes(struct arena *arena, const struct gate_result *gate)
{
	bool any = gate->count > gate->context;
	enum verdict verdict = any ? gate->comparisons[0].judged.verdict : VERDICT_NO_BASELINE;
	bool by_rule =
		any && !gate->fail_on.overrides && gate->comparisons[0].policy->fail_on.given;
	const char *word = gate_fail_on_word(verdict);
	if (gate->outcome != EXIT_PASS || strcmp(gate->verdict, "pass") == 0)
		return NULL;
	if (gate->input->first && verdict == VERDICT_NO_BASELINE && !gate->input->dirty)
		return message_plain(MESSAGE_PASSES_FIRST);
	if (by_rule || !word)
		return message_plain(MESSAGE_PASSES_TREATED);
	if (gate->input->windowed && (verdict == VERDICT_SUSPECT || verdict == VERDICT_UNPROVEN ||
				      verdict == VERDICT_UNDECIDED))
		return message_plain(MESSAGE_PASSES_SEEN_AGAIN);
	return message_of(arena, MESSAGE_PASSES_UNLISTED, message_text(word));
}

/* The worst comparison that leads to the outcome decides. */
static const struct message *remedy_of(const struct gate_result *gate)
{
	size_t worst = 0;
	while (worst < gate->count && gate->comparisons[worst].status != gate->outcome)
		worst++;
	bool impossible = worst < gate->count &&
			  gate->comparisons[worst].judged.verdict == VERDICT_IMPOSSIBLE;
	switch (gate->outcome) {
	case EXIT_MISSING:
		return message_plain(impossible ? MESSAGE_REMEDY_IMPOSSIBLE
						: MESSAGE_REMEDY_MISSING);
	case EXIT_STALE:
		return message_plain(MESSAGE_REMEDY_STALE);
	case EXIT_NO_BASELINE:
		return message_plain(MESSAGE_REMEDY_NO_BASELINE);
	default:
		return NULL;
	}
}

/* The reason of a comparison that was already slower says so. */
static void mark_known(struct arena *arena, struct gate_result *gate)
{
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		if (one->already && outcomes[one->judged.verdict].status == EXIT_REGRESSION)
			one->judged.reason = message_of(arena, MESSAGE_REASON_AS_BEFORE,
							message_part(one->judged.reason));
	}
}

void gate_conclude(struct arena *arena, struct gate_result *gate)
{
	rename_new(gate);
	count_verdicts(gate);
	mark_known(arena, gate);
	array_sort(gate->comparisons, gate->count, sizeof *gate->comparisons, by_badness);
	conclude(gate);
	gate->reason = reason_of(arena, gate);
	gate->passes = why_it_passes(arena, gate);
	gate->remedy = remedy_of(gate);
	gate->shared_baseline = shared_baseline(gate);
	assert(gate->judged + gate->context <= gate->count);
}
