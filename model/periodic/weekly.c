/* Groups the changes of a week by commit. */
#include "model/periodic/weekly.h"

const char *weekly_state_name(enum weekly_state state)
{
	static const char *const names[] = {"open",   "accepted",   "made good",
					    "better", "lost again", "changed"};
	return names[state];
}

/* Whether the current mean is nearer to the one before the change. */
static bool is_back(const struct trend_change *change, double now)
{
	return fabs(now - change->before) < fabs(now - change->after);
}

static enum weekly_state state_of(const struct comparison *one, const struct trend *trend,
				  const struct trend_change *change)
{
	/* A commit that is back says so before a level of its own is known. */
	double now = one->back || one->recovered ? one->judged.candidate
						 : trend->levels[trend->level_count - 1].value;
	bool back = is_back(change, now);
	if (change->better)
		return back ? WEEKLY_LOST : WEEKLY_BETTER;
	if (!change->worse)
		return WEEKLY_NEUTRAL;
	return back                                      ? WEEKLY_MENDED
	       : one->judged.verdict == VERDICT_ACCEPTED ? WEEKLY_ACCEPTED
							 : WEEKLY_OPEN;
}

/* The commit that made a change good: that of a later change, else the first of the newest commits
 * that are all back. */
static const struct revision *mender_of(const struct gate_result *gate,
					const struct comparison *one, const struct trend *trend,
					size_t at)
{
	const struct trend_change *change = &trend->changes[at];
	const struct history_points *points = &one->history.points;
	size_t first = points->count; /* the candidate */
	for (size_t i = at + 1; i < trend->change_count; i++)
		if (is_back(change, trend->changes[i].after))
			return trend->changes[i].first_commit_after;
	while (first > 0 && is_back(change, points->items[first - 1].value))
		first--;
	return gate_revision_at(gate, one, first);
}

/* --- grouped by commit --- */

struct collected {
	struct weekly_move *items;
	size_t count, capacity;
};

/* What was fixed before it became a level of its own is a move, too. */
static bool find_mended(const struct gate_result *gate, const struct comparison *one,
			const struct trend *trend, struct weekly_move *move)
{
	const struct history_point *points = one->history.points.items;
	const struct excursion *away = &one->judged.result.away;
	size_t first = gate_first_used(one) + away->first, end = first + away->count;
	/* The baseline may be that of an older change, or of drift. */
	double level = verdict_turned(one->judged.turn, one->judged.result.level), sum = 0;
	if (!away->count || !verdict_is_by_history(&one->judged))
		return false;
	for (size_t i = first; i < end; i++)
		sum += points[i].value;
	double after = sum / (double)away->count;
	if (!gate_is_worse_than(one, level, after))
		return false;
	*move = (struct weekly_move){
		.one = one,
		.state = WEEKLY_MENDED,
		.mended_by = gate_revision_at(gate, one, end),
		.change = {.last_before = points[first - 1].commit + trend->shift,
			   .first_after = points[first].commit + trend->shift,
			   .last_commit_before = gate_revision_at(gate, one, first - 1),
			   .first_commit_after = gate_revision_at(gate, one, first),
			   .before = level,
			   .after = after,
			   .effect = one->judged.result.relative ? (after - level) / fabs(level)
								 : after - level,
			   .low = NAN,
			   .high = NAN,
			   .p = NAN,
			   .relative = one->judged.result.relative,
			   .confirmed = true,
			   .worse = true},
	};
	return true;
}

static void collect(struct arena *arena, const struct weekly *weekly, const struct comparison *one,
		    struct collected *all)
{
	struct arena scratch = {0};
	struct trend trend = gate_trend_of(&scratch, weekly->gate, one);
	struct weekly_move mended;
	bool any = find_mended(weekly->gate, one, &trend, &mended);
	if (any && mended.change.first_commit_after->time >= weekly->since)
		*arena_add(arena, all) = mended;
	for (size_t i = 0; i < trend.change_count && trend.level_count; i++) {
		const struct trend_change *change = &trend.changes[i];
		bool is_mended =
			any && change->first_commit_after == mended.change.first_commit_after;
		if (change->first_commit_after->time < weekly->since || is_mended)
			continue;
		enum weekly_state state = state_of(one, &trend, change);
		*arena_add(arena, all) = (struct weekly_move){
			one, *change, state,
			state == WEEKLY_MENDED ? mender_of(weekly->gate, one, &trend, i) : NULL};
	}
	arena_free(&scratch);
}

/* Size of a change, to rank unlike metrics. Changes without a ratio (from 0) count as the share of
 * the larger mean. */
static double size_of(const struct trend_change *change)
{
	if (change->relative)
		return fabs(change->effect);
	return fabs(change->after - change->before) /
	       fmax(fabs(change->before), fabs(change->after));
}

static int by_commit(const void *a, const void *b)
{
	const struct weekly_move *x = a, *y = b;
	const struct trend_change *c = &x->change, *d = &y->change;
	if (c->first_after != d->first_after)
		return c->first_after < d->first_after ? -1 : 1;
	if (c->last_before != d->last_before)
		return c->last_before < d->last_before ? -1 : 1;
	if (x->state != y->state)
		return x->state < y->state ? -1 : 1;
	double e = size_of(c), f = size_of(d);
	if (e != f && !(isnan(e) || isnan(f)))
		return e < f ? 1 : -1;
	return strcmp(x->one->series->key, y->one->series->key);
}

/* Total cost of its open moves. */
static double lost_by(const struct weekly_commit *commit)
{
	double lost = 0;
	for (size_t i = 0; i < commit->count; i++)
		if (commit->moves[i].state == WEEKLY_OPEN &&
		    !isnan(size_of(&commit->moves[i].change)))
			lost += size_of(&commit->moves[i].change);
	return lost;
}

static int by_open(const void *a, const void *b)
{
	const struct weekly_commit *x = a, *y = b;
	double lost = lost_by(x), other = lost_by(y);
	if (lost != other)
		return lost < other ? 1 : -1;
	if (x->first_after != y->first_after)
		return x->first_after < y->first_after ? -1 : 1;
	return x->last_before < y->last_before ? -1 : x->last_before > y->last_before;
}

static bool same_commit(const struct weekly_move *x, const struct weekly_move *y)
{
	return x->change.first_after == y->change.first_after &&
	       x->change.last_before == y->change.last_before;
}

static void group(struct arena *arena, const struct collected *all, struct weekly *weekly)
{
	weekly->commits = arena_array(arena, all->count + 1, sizeof *weekly->commits);
	for (size_t i = 0; i < all->count; i++) {
		struct weekly_move *move = &all->items[i];
		if (i == 0 || !same_commit(move, move - 1))
			weekly->commits[weekly->count++] = (struct weekly_commit){
				.last_before = move->change.last_before,
				.first_after = move->change.first_after,
				.before = move->change.last_commit_before,
				.commit = move->change.first_commit_after,
				.moves = move,
			};
		struct weekly_commit *commit = &weekly->commits[weekly->count - 1];
		commit->count++;
		commit->states[move->state]++;
		weekly->open += move->state == WEEKLY_OPEN;
		weekly->moves++;
	}
}

/* --- slowdowns other than the week's moves --- */

/* Comparisons that the week's commits moved, by their index in the gate. */
static const bool *moved_of(struct arena *arena, const struct weekly *weekly)
{
	bool *moved = arena_array(arena, weekly->gate->count + 1, sizeof *moved);
	for (size_t i = 0; i < weekly->count; i++)
		for (size_t k = 0; k < weekly->commits[i].count; k++)
			moved[weekly->commits[i].moves[k].one - weekly->gate->comparisons] = true;
	return moved;
}

static bool is_worse(const struct comparison *one)
{
	bool worse = one->judged.verdict == VERDICT_REGRESSED ||
		     one->judged.verdict == VERDICT_FAILED || one->judged.verdict == VERDICT_DRIFT;
	return worse && one->policy->role != POLICY_CONTEXT;
}

/* Whether it is worse at the newest commit only, where a change point cannot be confirmed yet. */
static bool is_newly(const struct comparison *one)
{
	return one->judged.verdict == VERDICT_REGRESSED && !one->already &&
	       (!one->change || one->history.open) && one->judged.method != METHOD_LIMIT;
}

static void add_row(struct arena *arena, const struct gate_result *gate, struct nightly_list *list,
		    const struct comparison *one, size_t shown)
{
	if (!list->rows)
		list->rows = arena_array(arena, gate->count, sizeof *list->rows);
	list->rows[list->count] = list->count < shown ? nightly_row_of(arena, gate, one)
						      : (struct nightly_row){.one = one};
	list->count++;
}

static void list_others(struct arena *arena, struct weekly *weekly, size_t shown)
{
	const struct gate_result *gate = weekly->gate;
	const bool *moved = moved_of(arena, weekly);
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (!moved[i] && is_worse(one))
			add_row(arena, gate, is_newly(one) ? &weekly->newly : &weekly->older, one,
				shown);
		if (one->judged.verdict == VERDICT_ACCEPTED && one->acceptance)
			add_row(arena, gate, &weekly->accepted, one, shown);
	}
}

struct weekly weekly_of(struct arena *arena, const struct gate_result *gate, int64_t since,
			size_t shown)
{
	struct weekly weekly = {.gate = gate, .since = since};
	struct collected all = {0};
	assert(gate->input->windowed);
	for (size_t i = 0; i < gate->count; i++)
		if (gate->comparisons[i].policy->role != POLICY_CONTEXT && gate->input->histories)
			collect(arena, &weekly, &gate->comparisons[i], &all);
	array_sort(all.items, all.count, sizeof *all.items, by_commit);
	group(arena, &all, &weekly);
	array_sort(weekly.commits, weekly.count, sizeof *weekly.commits, by_open);
	list_others(arena, &weekly, shown);
	return weekly;
}
