/* What a series is now: one of nine states, and the commit since which. */
#include "render/site/internal.h"

#include "base/text/text.h"
#include "model/acceptance/acceptance.h"
#include "render/document/document.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

static const enum site_state states[VERDICT_WORDS_LIMIT] = {
	[VERDICT_REGRESSED] = SITE_SLOWER,
	[VERDICT_FAILED] = SITE_SLOWER,
	[VERDICT_DRIFT] = SITE_SLOWER,
	[VERDICT_IMPOSSIBLE] = SITE_UNCLEAR,
	[VERDICT_MISSING] = SITE_MISSING,
	[VERDICT_INCOMPARABLE] = SITE_MISSING,
	[VERDICT_SUSPECT] = SITE_UNCLEAR,
	[VERDICT_UNPROVEN] = SITE_UNCLEAR,
	[VERDICT_ENVIRONMENT] = SITE_UNCLEAR,
	[VERDICT_UNDECIDED] = SITE_UNCLEAR,
	[VERDICT_NO_BASELINE] = SITE_NEW,
	[VERDICT_STALE] = SITE_STOPPED,
	[VERDICT_NEW] = SITE_NEW,
	[VERDICT_ACCEPTED] = SITE_ACCEPTED,
	[VERDICT_IMPROVED] = SITE_FASTER,
	[VERDICT_UNCHANGED] = SITE_STEADY,
	[VERDICT_HELD] = SITE_STEADY,
	[VERDICT_WORDS_CLEAR] = SITE_SLOWER,
};

/* In the order of enum site_state. */
const struct site_state_name site_state_names[SITE_STATES] = {
	{"slower", "slower", "▲"},     {"missing", "missing", "?"}, {"unclear", "unclear", "~"},
	{"accepted", "accepted", "✓"}, {"faster", "faster", "▼"},   {"new", "new", "+"},
	{"stopped", "stopped", "…"},   {"steady", "steady", "="},   {"unjudged", "not judged", ""},
};

/* The gate leaves out what stopped long ago. */
enum site_state render_site_state(const struct site *site, const struct site_series *series)
{
	if (series->comparison)
		return states[verdict_words(&series->comparison->judged)];
	bool now = series->revision && strcmp(series->revision->oid, site->set->chain[0].oid) == 0;
	return now ? SITE_UNJUDGED : SITE_STOPPED;
}

/* The verdict is about the candidate's own commit. */
static bool is_of_candidate(const struct comparison *one, enum site_state state)
{
	return (state == SITE_SLOWER || state == SITE_FASTER || state == SITE_ACCEPTED ||
		one->judged.verdict == VERDICT_SUSPECT) &&
	       !one->older && one->judged.verdict != VERDICT_DRIFT &&
	       verdict_is_by_history(&one->judged);
}

struct site_since render_site_since(const struct site *site, const struct site_series *series)
{
	enum site_state state = render_site_state(site, series);
	const struct comparison *one = series->comparison;
	const struct history_point *points = series->points.items;
	if (state == SITE_STOPPED || state == SITE_MISSING)
		return (struct site_since){series->revision, "last measured at"};
	if (one && one->change && one->first_after)
		return (struct site_since){one->first_after, "since"};
	if (one && is_of_candidate(one, state))
		return (struct site_since){&site->gate->input->candidate, "since"};
	bool moved = state == SITE_SLOWER || state == SITE_UNCLEAR || state == SITE_FASTER;
	if (series->change_count && !moved) {
		const struct detect_change *newest = &series->changes[series->change_count - 1];
		return (struct site_since){&site->set->chain[points[newest->index].commit],
					   "level since"};
	}
	if (series->points.count && !moved)
		return (struct site_since){&site->set->chain[points[0].commit],
					   "first measured at"};
	return (struct site_since){NULL, NULL};
}

/* The number of measured commits from this one on. */
static size_t measured_since(const struct site *site, const struct site_series *series,
			     const struct revision *commit)
{
	size_t count = 0;
	for (size_t i = series->points.count; i-- > 0; count++) {
		const struct revision *at = &site->set->chain[series->points.items[i].commit];
		if (strcmp(at->oid, commit->oid) == 0)
			return count + 1;
	}
	return count;
}

/* The newest change point, if it is among the newest commits. */
const struct detect_change *render_site_recent_change(const struct site_series *series)
{
	if (!series->change_count)
		return NULL;
	const struct detect_change *newest = &series->changes[series->change_count - 1];
	return series->points.items[newest->index].commit < site_recent_commits ? newest : NULL;
}

void render_site_add_unmeasured(struct arena *arena, struct json *row, size_t commits)
{
	json_set_number(arena, row, "unmeasured", (double)commits);
	json_set_text(arena, row, "unmeasured_text",
		      quantity_count_text(arena, commits, "commit in between not measured",
					  "commits in between not measured"));
}

/* The commits between a measured one and the measured one before it. */
static size_t unmeasured_before(const struct site *site, const struct site_series *series,
				const struct revision *commit)
{
	const struct history_point *points = series->points.items;
	for (size_t i = series->points.count; i-- > 1;)
		if (strcmp(site->set->chain[points[i].commit].oid, commit->oid) == 0)
			return points[i - 1].commit - points[i].commit - 1;
	return 0;
}

static const char *word_of(const struct site_series *series, enum site_state state)
{
	bool speed = !series->comparison || metric_is_time_or_rate(series->comparison->metric);
	if (speed || (state != SITE_SLOWER && state != SITE_FASTER))
		return site_state_names[state].word;
	return vocabulary_verdict(LANGUAGE_ENGLISH,
				  state == SITE_SLOWER ? VERDICT_REGRESSED : VERDICT_IMPROVED,
				  false);
}

static void add_since(const struct site *site, struct json *row, const struct site_series *series,
		      const char *word)
{
	struct arena *arena = site->arena;
	struct site_since since = render_site_since(site, series);
	if (!since.commit)
		return;
	struct json *out = json_set_object(arena, row, "since");
	/* The chain knows the authors. */
	for (size_t i = 0; i < site->set->chain_count; i++)
		if (strcmp(site->set->chain[i].oid, since.commit->oid) == 0) {
			since.commit = &site->set->chain[i];
			break;
		}
	json_set_text(arena, out, "label", since.label);
	bool plain = strcmp(since.label, "since") == 0;
	json_set_text(arena, out, "lead",
		      arena_printf(arena, "%s%s %s", word, plain ? "" : ",", since.label));
	render_site_add_revision(site, out, "commit", since.commit, false);
	json_set_text(arena, out, "commits_text",
		      quantity_count_text(arena, measured_since(site, series, since.commit),
					  "measured commit", "measured commits"));
	size_t unmeasured = unmeasured_before(site, series, since.commit);
	if (unmeasured && strstr(since.label, "since"))
		render_site_add_unmeasured(arena, out, unmeasured);
}

static const char *why_of(struct arena *arena, const struct comparison *one)
{
	if (one->why && one->why->text)
		return vocabulary_say(arena, one->why->text);
	return vocabulary_say(arena, one->judged.reason);
}

void render_site_add_state(const struct site *site, struct json *row,
			   const struct site_series *series)
{
	struct arena *arena = site->arena;
	enum site_state state = render_site_state(site, series);
	const struct detect_change *recent = render_site_recent_change(series);
	json_set_text(arena, row, "state", site_state_names[state].key);
	json_set_text(arena, row, "state_mark", site_state_names[state].mark);
	json_set_text(arena, row, "state_text", word_of(series, state));
	if (series->comparison)
		json_set_text(arena, row, "why_text", why_of(arena, series->comparison));
	add_since(site, row, series, word_of(series, state));
	json_set_bool(arena, row, "news",
		      state < SITE_STOPPED && series->comparison &&
			      !isnan(series->comparison->judged.change));
	if (!recent || (state != SITE_STEADY && state != SITE_UNJUDGED))
		return;
	bool worse = acceptance_is_worse(recent->after, recent->before, series->direction);
	struct json *moved = json_set_object(arena, row, "moved");
	json_set_text(arena, moved, "state",
		      site_state_names[worse ? SITE_SLOWER : SITE_FASTER].key);
	json_set_text(arena, moved, KEY(mark),
		      site_state_names[worse ? SITE_SLOWER : SITE_FASTER].mark);
	json_set_text(arena, moved, KEY(effect_text),
		      document_effect(arena, recent->effect, recent->relative,
				      metric_info(series->metric)->unit));
}
