/* The sentences of a report of limited size about the gate, understandable without its table. */
#include "render/summary/internal.h"

#include "model/acceptance/acceptance.h"
#include "render/vocabulary/vocabulary.h"

enum {
	NAME_LIMIT = 120, /* maximal bytes of a name in a cell */
	FACT_LIMIT = 200, /* maximal bytes of a fact about the environment or of an acceptance */
	FACTS_SHOWN = 8,  /* maximal number of facts about the environment, and of acceptances */
	OLD_DAYS = 14,    /* a baseline of this age is mentioned */
	OLD_COMMITS = 50,
};

const char *bounded_cut(struct arena *arena, const char *text, size_t limit)
{
	size_t len = strlen(text);
	if (len <= limit)
		return text;
	len = utf8_valid_prefix((struct span){text, limit});
	/* Invalid bytes in the middle would end the prefix early. */
	return arena_printf(arena, "%.*s…", (int)(len + 4 > limit ? len : limit), text);
}

const char *bounded_name(const struct bounded_gate *w, const struct comparison *one)
{
	return summary_cut(w->arena, short_names_name(w->arena, &w->naming, one->run), NAME_LIMIT);
}

/* The comparisons of one verdict that one sentence covers. */
struct group {
	enum verdict verdict;
	const struct comparison *first; /* the worst; NULL: empty group */
	size_t count;
};

/* Groups the primary comparisons that lead to `status`; EXIT_PASS matches every status. */
static struct group group_of(const struct gate_result *gate, enum verdict verdict,
			     enum exit_status status)
{
	struct group group = {.verdict = verdict};
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (one->judged.verdict != verdict || one->policy->role != POLICY_PRIMARY ||
		    (status != EXIT_PASS && one->status != status))
			continue;
		group.first = group.first ? group.first : one;
		group.count++;
	}
	return group;
}

/* The group that leads to the gate's status, worst verdict first. If the gate passes, or no
 * comparison alone leads to its status, the first verdict that fails by default. */
static struct group worst_of(const struct gate_result *gate)
{
	for (size_t i = 0; gate->outcome != EXIT_PASS && i < gate->count; i++)
		if (gate->comparisons[i].status == gate->outcome)
			return group_of(gate, gate->comparisons[i].judged.verdict, gate->outcome);
	enum verdict verdict = 0;
	while (verdict < VERDICT_LIMIT &&
	       (!gate->counts[verdict] || !gate_keeps_from_passing(verdict)))
		verdict++;
	return group_of(gate, verdict, EXIT_PASS);
}

const char *bounded_nothing_compared(const struct bounded_gate *w)
{
	const struct gate_result *gate = w->gate;
	const char *why =
		vocabulary_format("No rule of the configuration matches what was measured.");
	if (gate->counts[VERDICT_MISSING])
		why = arena_printf(
			w->arena,
			vocabulary_format(
				"None of the %zu baseline series was measured at this commit."),
			gate->counts[VERDICT_MISSING]);
	else if (gate->counts[VERDICT_INCOMPARABLE])
		why = vocabulary_format(
			"The baseline was measured with another setup, e.g. another device.");
	else if (gate->counts[VERDICT_NO_BASELINE])
		why = arena_printf(
			w->arena,
			vocabulary_format(
				"No series appears on both sides: either %s has no measurements "
				"recorded, or the two were measured in different conditions."),
			report_against(w->arena, gate->input->against));
	return arena_printf(w->arena, vocabulary_format("Nothing could be compared. %s"), why);
}

bool bounded_is_recorded(const struct gate_result *gate)
{
	return gate->input->first && !gate->input->dirty && gate->counts[VERDICT_NO_BASELINE];
}

const char *bounded_sentence(const struct bounded_gate *w)
{
	const struct gate_result *gate = w->gate;
	bool nothing = gate->judged == 0 && !bounded_is_recorded(gate);
	const char *warning = gate->warning ? vocabulary_say(w->arena, gate->warning) : "";
	return arena_printf(
		w->arena, "%s%s%s%s", warning, warning[0] ? vocabulary_format("; ") : "",
		nothing ? bounded_nothing_compared(w)
			: vocabulary_say(w->arena, report_headline(w->arena, gate, REPORT_COMMENT)),
		nothing ? "" : vocabulary_format("."));
}

/* The series that fail and that another measurement can decide; all of the list where nothing fails
 * by itself. */
static size_t measured_again(const struct gate_result *gate)
{
	size_t failing = 0;
	for (size_t i = 0; i < gate->reruns.count; i++) {
		const struct gate_rerun *rerun = &gate->reruns.items[i];
		size_t at = 0;
		while (at < rerun->because_count && rerun->because[at]->status == EXIT_PASS)
			at++;
		failing += at < rerun->because_count;
	}
	return gate_count_of(gate, gate->outcome) ? failing : gate->reruns.count;
}

/* The commits that the history of the worst unclear comparison lacks; 0: another measurement
 * decides, or the noise. */
static size_t missing_commits(const struct gate_result *gate)
{
	struct group worst = worst_of(gate);
	const struct message *reason = worst.first ? worst.first->judged.reason : NULL;
	return reason && reason->code == MESSAGE_UNDECIDED_FEW_COMMITS
		       ? worst.first->judged.result.missing_commits
		       : 0;
}

static const char *measuring(const struct bounded_gate *w)
{
	const struct gate_result *gate = w->gate;
	size_t again = measured_again(gate), missing = missing_commits(gate);
	if (worst_of(gate).verdict == VERDICT_ENVIRONMENT && gate->environment.moved)
		return vocabulary_format("re-measure the baseline.");
	if (missing)
		return arena_printf(
			w->arena,
			vocabulary_format(
				"measure %zu more commit%s of the base branch, or set noise in "
				".rooflog/config."),
			missing, missing == 1 ? "" : "s");
	if (!again)
		return vocabulary_format(
			"more history, less noise or a higher tolerance would decide it.");
	return arena_printf(
		w->arena,
		vocabulary_format("re-measure %zu series (rooflog gate -o rerun=FILE lists %s)."),
		again, again == 1 ? vocabulary_format("it") : vocabulary_format("them"));
}

static const char *as_sentence(struct arena *arena, const struct message *message)
{
	const char *text = vocabulary_say(arena, message);
	return arena_printf(arena, vocabulary_format("%s."), text);
}

const char *bounded_accept(const struct bounded_gate *w)
{
	struct group worst = worst_of(w->gate);
	const char *pattern = w->gate->outcome == EXIT_REGRESSION && worst.first->acceptable
				      ? summary_plain_pattern(w->arena, worst.first)
				      : NULL;
	return pattern ? arena_printf(w->arena, "rooflog accept '%s' --reason '...'", pattern)
		       : NULL;
}

const char *bounded_compare(const struct bounded_gate *w)
{
	const struct gate_series *shared = w->gate->shared_baseline;
	return shared ? arena_printf(w->arena, "rooflog compare %.10s %.10s",
				     shared->baseline_revision->oid, w->gate->input->candidate.oid)
		      : NULL;
}

/* How to fix failing comparisons, whether they fail by default or by configuration. */
static const char *repairing(const struct bounded_gate *w)
{
	struct group worst = worst_of(w->gate);
	assert(worst.first); /* asked only of a gate that fails */
	bool one = gate_count_of(w->gate, EXIT_REGRESSION) == 1;
	if (bounded_accept(w))
		return one ? vocabulary_format("fix it, or accept it:")
			   : vocabulary_format("fix them, or accept them, e.g.");
	if (!worst.first->acceptable)
		return arena_printf(
			w->arena,
			vocabulary_format(
				"the verdict \"%s\" fails here (--fail-on, or fail-on in the "
				"configuration)."),
			report_verdict_text(worst.first));
	return one ? vocabulary_format("fix it or accept it (rooflog accept SERIES).")
		   : vocabulary_format("fix them or accept them (rooflog accept SERIES).");
}

const char *bounded_action(const struct bounded_gate *w)
{
	const struct gate_result *gate = w->gate;
	switch (gate->outcome) {
	case EXIT_PASS:
		if (!gate->passes)
			return NULL;
		return gate->passes->code == MESSAGE_PASSES_FIRST
			       ? vocabulary_format("This does not fail the check.")
			       : arena_printf(
					 w->arena,
					 vocabulary_format("Nothing for you to do; the gate %s."),
					 vocabulary_say(w->arena, gate->passes));
	case EXIT_REGRESSION:
		return repairing(w);
	case EXIT_UNDECIDED:
		return measuring(w);
	default:
		return as_sentence(w->arena, gate->remedy);
	}
}

/* ": ▲ 3 slower, = 40 unchanged": the verdicts that judge the candidate, or the others. */
static void add_counts(const struct bounded_gate *w, struct strbuf *sb, bool judged,
		       const char *separator)
{
	for (int i = 0; i < VERDICT_LIMIT; i++) {
		enum verdict verdict = (enum verdict)i;
		size_t count = w->gate->counts[verdict];
		if (!count || gate_is_judged(verdict) != judged)
			continue;
		strbuf_addf(sb, "%s%s %zu %s", separator, verdict_mark(verdict), count,
			    report_verdicts_text(w->gate, verdict));
		separator = vocabulary_format(", ");
	}
}

const char *bounded_judged(const struct bounded_gate *w)
{
	const struct gate_result *gate = w->gate;
	struct strbuf sb = {0};
	strbuf_addf(&sb, vocabulary_format("%zu of %zu %s judged"), gate->judged,
		    gate->count - gate->context,
		    vocabulary_term(vocabulary_spoken(), gate_noun(gate).part->code));
	add_counts(w, &sb, true, vocabulary_format(": "));
	add_counts(w, &sb, false, vocabulary_format("; not judged: "));
	if (gate->input->away)
		strbuf_addf(&sb, vocabulary_format("; %zu intermittent series not measured here"),
			    gate->input->away);
	strbuf_addstr(&sb, vocabulary_format("."));
	return strbuf_into(&sb, w->arena);
}

/* "2 days"; NULL unless `later` is after `earlier`. */
static const char *time_between(struct arena *arena, int64_t later, int64_t earlier)
{
	int64_t seconds = later - earlier, size = seconds < 2 * 86400 ? 3600 : 86400;
	int64_t count = seconds / size;
	if (seconds <= 0)
		return NULL;
	return arena_printf(arena, vocabulary_format("%s%lld %s%s"),
			    count ? "" : vocabulary_format("less than "),
			    (long long)(count ? count : 1),
			    size == 3600 ? vocabulary_format("hour") : vocabulary_format("day"),
			    count > 1 ? "s" : "");
}

/* The number of commits in between without data of the series. */
static size_t without_data(const struct gate_result *gate, const struct gate_series *series)
{
	for (size_t i = gate->input->newest;
	     gate->input->histories && i < gate->input->histories->chain_count; i++)
		if (strcmp(gate->input->histories->chain[i].oid, series->baseline_revision->oid) ==
		    0)
			return i - gate->input->newest;
	return 0;
}

static const char *commit_text(const struct bounded_gate *w, const struct revision *revision)
{
	return arena_printf(
		w->arena, "%.10s %s", revision->oid,
		bounded_cut(w->arena, revision->subject ? revision->subject : "", NAME_LIMIT));
}

static bool has_baseline(const struct gate_result *gate)
{
	bool found = false;
	for (size_t i = 0; i < gate->count; i++)
		found = found || gate->comparisons[i].series->baseline_revision;
	return found;
}

/* Continues "against the merge-base 9241093c31", which may name the commit already, or another one,
 * which was not measured. */
static void add_baseline_commit(const struct bounded_gate *w, const struct revision *baseline,
				bool older, struct strbuf *sb)
{
	const struct gate_input *input = w->gate->input;
	const char *text = commit_text(w, baseline),
		   *id = arena_prefix(w->arena, baseline->oid, 10);
	if (strstr(input->against, id))
		text += strlen(id) + 1;
	strbuf_addf(sb, "%s%s",
		    older && input->unmerged ? vocabulary_format(", measured last at ")
					     : vocabulary_format(": "),
		    text);
}

static void add_baseline(const struct bounded_gate *w, struct strbuf *sb)
{
	const struct gate_result *gate = w->gate;
	const struct gate_series *shared = gate->shared_baseline;
	if (!shared) {
		strbuf_addstr(sb, has_baseline(gate)
					  ? vocabulary_format(", each series with its own")
					  : "");
		return;
	}
	const struct revision *baseline = shared->baseline_revision;
	const char *time = time_between(w->arena, gate->input->candidate.time, baseline->time);
	size_t missing = without_data(gate, shared);
	add_baseline_commit(w, baseline, missing > 0, sb);
	if (shared->baseline_age > 0)
		strbuf_addf(sb, vocabulary_format(", %s"),
			    quantity_count_text(w->arena, (size_t)shared->baseline_age,
						vocabulary_format("commit back"),
						vocabulary_format("commits back")));
	if (time)
		strbuf_addf(sb, vocabulary_format(", %s older"), time);
	if (missing)
		strbuf_addf(sb, vocabulary_format(", %s without data between"),
			    quantity_count_text(w->arena, missing, vocabulary_format("commit"),
						vocabulary_format("commits")));
}

const char *bounded_commits(const struct bounded_gate *w)
{
	struct strbuf sb = {0};
	strbuf_addf(&sb, vocabulary_format("%s vs. %s"), commit_text(w, &w->gate->input->candidate),
		    bounded_cut(w->arena, report_against(w->arena, w->gate->input->against),
				FACT_LIMIT));
	add_baseline(w, &sb);
	strbuf_addstr(&sb, vocabulary_format("."));
	return strbuf_into(&sb, w->arena);
}

/* --- notes --- */

/* A format. */
#define add_note(w, notes, ...)                                                                    \
	json_add_text((w)->arena, (notes), arena_printf((w)->arena, __VA_ARGS__))

static void note_sides(const struct bounded_gate *w, struct json *notes)
{
	const struct gate_result *gate = w->gate;
	const struct gate_series *shared = gate->shared_baseline;
	if (gate->input->selected)
		add_note(w, notes, vocabulary_format("%zu of %zu measured series were selected."),
			 gate->input->selected, gate->input->measured);
	if (gate->input->away)
		add_note(w, notes,
			 vocabulary_format("%zu intermittent series were not measured here."),
			 gate->input->away);
	if (gate->input->dirty)
		add_note(w, notes, vocabulary_format("Measured with uncommitted changes."));
	if (!shared)
		return;
	int64_t days = (gate->input->candidate.time - shared->baseline_revision->time) / 86400;
	int64_t age = shared->baseline_age;
	if (days < OLD_DAYS && age < OLD_COMMITS)
		return;
	/* The number of commits between the two is known only if one is an ancestor of the other.
	 */
	const char *commits = age < 0 ? ""
				      : quantity_count_text(w->arena, (size_t)age,
							    vocabulary_format("commit and "),
							    vocabulary_format("commits and "));
	add_note(w, notes,
		 vocabulary_format("The baseline is %s%lld day%s old. Everything merged since "
				   "counts as this change; "
				   "measure a newer baseline commit."),
		 commits, (long long)days, days == 1 ? "" : "s");
}

static void note_configuration(const struct bounded_gate *w, struct json *notes)
{
	const struct gate_configuration *configuration = w->gate->input->configuration;
	if (configuration && configuration->notice)
		add_note(w, notes, vocabulary_format("Configuration: %s."),
			 bounded_cut(w->arena, vocabulary_say(w->arena, configuration->notice),
				     FACT_LIMIT));
}

static void note_tip(const struct bounded_gate *w, struct json *notes)
{
	if (w->gate->at_tip)
		add_note(w, notes, vocabulary_format("The branch begins at an older commit: %s."),
			 bounded_cut(w->arena, vocabulary_say(w->arena, w->gate->at_tip),
				     FACT_LIMIT));
}

static void note_environment(const struct bounded_gate *w, struct json *notes)
{
	const struct gate_environment *environment = &w->gate->environment;
	size_t count = environment->change_count;
	if (environment->moved)
		add_note(
			w, notes,
			vocabulary_format(
				"Environment: %zu of %zu series shifted together, to %.3f times "
				"their "
				"baseline. This is one event, not %zu code changes; re-measure the "
				"baseline."),
			environment->moved, environment->looked_at, environment->factor,
			environment->moved);
	for (size_t i = 0; i < count && i < FACTS_SHOWN; i++)
		add_note(w, notes, vocabulary_format("Environment: %s"),
			 bounded_cut(w->arena, vocabulary_say(w->arena, environment->changes[i]),
				     FACT_LIMIT));
	if (environment->epoch)
		add_note(w, notes, vocabulary_format("Environment: %s"),
			 bounded_cut(w->arena, vocabulary_say(w->arena, environment->epoch),
				     2 * FACT_LIMIT));
	if (count > FACTS_SHOWN)
		add_note(w, notes, vocabulary_format("Environment: %zu more differences"),
			 count - FACTS_SHOWN);
}

static bool needs_action(enum acceptance_state state)
{
	return state == ACCEPTANCE_STATE_LAPSED || state == ACCEPTANCE_STATE_EXCEEDED;
}

static void note_acceptances(const struct bounded_gate *w, struct json *notes)
{
	const struct gate_result *gate = w->gate;
	size_t shown = 0;
	for (size_t i = 0; gate->input->acceptances && i < gate->input->acceptances->count; i++) {
		const struct acceptance *line = &gate->input->acceptances->items[i];
		const struct acceptance_use *use = &gate->uses[i];
		if (!needs_action(use->state) || shown++ >= FACTS_SHOWN)
			continue;
		add_note(w, notes, vocabulary_format("Acceptance in line %zu (%s): %s"), line->line,
			 bounded_cut(w->arena, line->series, FACT_LIMIT),
			 vocabulary_format(acceptance_use_name(use)));
	}
	if (shown > FACTS_SHOWN)
		add_note(w, notes, vocabulary_format("%zu more acceptances need attention"),
			 shown - FACTS_SHOWN);
}

void bounded_add_notes(const struct bounded_gate *w, struct json *notes)
{
	if (w->gate->warning)
		add_note(w, notes, vocabulary_format("%s."),
			 vocabulary_say(w->arena, w->gate->warning));
	note_configuration(w, notes);
	note_tip(w, notes);
	note_sides(w, notes);
	note_environment(w, notes);
	if (w->gate->drifted && !w->gate->input->windowed)
		add_note(w, notes,
			 vocabulary_format("%zu series had drifted before this commit (see rooflog "
					   "gate --against "
					   "window)."),
			 w->gate->drifted);
	note_acceptances(w, notes);
}
