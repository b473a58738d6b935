/* Changes of level by commit. */
#include "model/gate/weekly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *week_state_name(enum week_state state)
{
	static const char *const names[] = {"open",   "accepted",   "made good",
					    "better", "lost again", "changed"};
	return names[state];
}

/* The level of today is nearer to that before the change. */
static bool is_back(const struct trend_change *change, double now)
{
	return fabs(now - change->before) < fabs(now - change->after);
}

static enum week_state state_of(const struct comparison *one, const struct trend *trend,
				const struct trend_change *change)
{
	double now = trend->levels[trend->level_count - 1].value;
	bool back = is_back(change, now);
	if (change->better)
		return back ? WEEK_LOST : WEEK_BETTER;
	if (!change->worse)
		return WEEK_NEUTRAL;
	return back                                      ? WEEK_MENDED
	       : one->judged.verdict == VERDICT_ACCEPTED ? WEEK_ACCEPTED
							 : WEEK_OPEN;
}

/* --- grouped by commit --- */

struct collected {
	struct week_move *items;
	size_t count, capacity;
};

static void collect(struct arena *arena, const struct gate *gate, const struct comparison *one,
		    int64_t since, struct collected *all)
{
	struct arena scratch = {0};
	struct trend trend = trend_of_comparison(&scratch, gate, one);
	for (size_t i = 0; i < trend.change_count && trend.level_count; i++) {
		const struct trend_change *change = &trend.changes[i];
		if (trend_revision(gate, trend.shift, change->first_after)->time < since)
			continue;
		all->items = arena_grow(arena, all->items, all->count, &all->capacity,
					sizeof *all->items);
		all->items[all->count++] =
			(struct week_move){one, *change, state_of(one, &trend, change)};
	}
	arena_free(&scratch);
}

/* Of what has no ratio (it began at 0), the share of the larger level: sizes of unlike metrics
 * stand in one order. */
static double size_of(const struct trend_change *change)
{
	if (change->relative)
		return fabs(change->effect);
	return fabs(change->after - change->before) /
	       fmax(fabs(change->before), fabs(change->after));
}

static int by_commit(const void *a, const void *b)
{
	const struct week_move *x = a, *y = b;
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

/* What its open moves cost, all of them. */
static double lost_by(const struct week_commit *commit)
{
	double lost = 0;
	for (size_t i = 0; i < commit->count; i++)
		if (commit->moves[i].state == WEEK_OPEN &&
		    !isnan(size_of(&commit->moves[i].change)))
			lost += size_of(&commit->moves[i].change);
	return lost;
}

static int by_open(const void *a, const void *b)
{
	const struct week_commit *x = a, *y = b;
	double lost = lost_by(x), other = lost_by(y);
	if (lost != other)
		return lost < other ? 1 : -1;
	if (x->first_after != y->first_after)
		return x->first_after < y->first_after ? -1 : 1;
	return x->last_before < y->last_before ? -1 : x->last_before > y->last_before;
}

static bool same_commit(const struct week_move *x, const struct week_move *y)
{
	return x->change.first_after == y->change.first_after &&
	       x->change.last_before == y->change.last_before;
}

static void group(struct arena *arena, const struct gate *gate, const struct collected *all,
		  struct week *week)
{
	uint32_t shift = trend_shift(gate);
	week->commits = arena_array(arena, all->count + 1, sizeof *week->commits);
	for (size_t i = 0; i < all->count; i++) {
		struct week_move *move = &all->items[i];
		if (i == 0 || !same_commit(move, move - 1))
			week->commits[week->count++] = (struct week_commit){
				.last_before = move->change.last_before,
				.first_after = move->change.first_after,
				.before = trend_revision(gate, shift, move->change.last_before),
				.commit = trend_revision(gate, shift, move->change.first_after),
				.moves = move,
			};
		struct week_commit *commit = &week->commits[week->count - 1];
		commit->count++;
		commit->states[move->state]++;
		week->open += move->state == WEEK_OPEN;
		week->moves++;
	}
}

struct week week_of(struct arena *arena, const struct gate *gate, int64_t since)
{
	struct week week = {0};
	struct collected all = {0};
	for (size_t i = 0; i < gate->count; i++)
		if (gate->comparisons[i].policy->role != POLICY_CONTEXT && gate->set)
			collect(arena, gate, &gate->comparisons[i], since, &all);
	if (all.count)
		qsort(all.items, all.count, sizeof *all.items, by_commit);
	group(arena, gate, &all, &week);
	if (week.count)
		qsort(week.commits, week.count, sizeof *week.commits, by_open);
	return week;
}
