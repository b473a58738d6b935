/*
 * Where in the program the time moved: kernels, source lines, opcodes. Names of
 * kernels and opcodes are the same on both sides. Lines are not: an edit moves those
 * below it. They are aligned, file by file and in order, so that as little time as
 * possible has moved.
 */
#include "model/explain/internal.h"

enum { NAME_BYTES = 44, MOST_PLACES = 400 };

/* One location on both sides; a side that lacks it spent no time there. */
struct source_location {
	const struct run_tally *before, *after; /* NULL: not there */
};

struct places {
	struct source_location items[2 * MOST_PLACES];
	size_t count;
};

static double seconds_of(const struct run_tally *tally)
{
	return tally ? tally->seconds : 0;
}

static double moved_by(const struct source_location *location)
{
	return seconds_of(location->after) - seconds_of(location->before);
}

/* --- by name --- */

static const struct run_tally *named(const struct run *run, const struct run_tally *wanted)
{
	for (size_t i = 0; i < run->tally_count; i++)
		if (run->tallies[i].kind == wanted->kind &&
		    strcmp(run->tallies[i].name, wanted->name) == 0)
			return &run->tallies[i];
	return NULL;
}

/* The tallies of one side that took long enough to matter, at most MOST_PLACES. */
static size_t telling_tallies(const struct explaining *e, const struct run *run,
			      enum tally_kind kind, const struct run_tally **list)
{
	/* Many lines may have changed by a little each. */
	double least = (kind == TALLY_SOURCE ? 0.1 : 1) * explain_least * fabs(e->span);
	size_t count = 0;
	for (size_t i = 0; i < run->tally_count && count < MOST_PLACES; i++)
		if (run->tallies[i].kind == kind && run->tallies[i].seconds >= least)
			list[count++] = &run->tallies[i];
	return count;
}

static void pair_names(const struct explaining *e, enum tally_kind kind, struct places *places)
{
	const struct run_tally *list[MOST_PLACES];
	size_t count = telling_tallies(e, e->after, kind, list);
	for (size_t i = 0; i < count; i++)
		places->items[places->count++] =
			(struct source_location){named(e->before, list[i]), list[i]};
	count = telling_tallies(e, e->before, kind, list);
	for (size_t i = 0; i < count; i++) {
		bool known = false;
		for (size_t k = 0; k < places->count && !known; k++)
			known = places->items[k].before == list[i];
		if (!known)
			places->items[places->count++] =
				(struct source_location){list[i], named(e->after, list[i])};
	}
}

/* --- by line --- */

static size_t file_length(const char *name)
{
	const char *colon = strrchr(name, ':');
	return colon ? (size_t)(colon - name) : strlen(name);
}

static bool same_file(const struct run_tally *a, const struct run_tally *b)
{
	size_t len = file_length(a->name);
	return len == file_length(b->name) && strncmp(a->name, b->name, len) == 0;
}

static int by_line(const void *a, const void *b)
{
	const struct run_tally *x = *(const struct run_tally *const *)a;
	const struct run_tally *y = *(const struct run_tally *const *)b;
	size_t x_len = file_length(x->name), y_len = file_length(y->name);
	size_t shorter = x_len < y_len ? x_len : y_len;
	int order = strncmp(x->name, y->name, shorter);
	if (order || x_len != y_len)
		return order ? order : (x_len > y_len) - (x_len < y_len);
	long x_line = x->name[x_len] ? strtol(x->name + x_len + 1, NULL, 10) : 0;
	long y_line = y->name[y_len] ? strtol(y->name + y_len + 1, NULL, 10) : 0;
	return (x_line > y_line) - (x_line < y_line);
}

struct alignment {
	const struct run_tally *before[MOST_PLACES], *after[MOST_PLACES];
	size_t before_count, after_count;
	double *cost; /* of the first i and k lines, (before_count + 1) x (after_count + 1) */
};

static double *cost_at(const struct alignment *a, size_t i, size_t k)
{
	return &a->cost[i * (a->after_count + 1) + k];
}

/* Cost of matching the two lines. A line that kept its number is preferred to another one that took
 * as long. */
static double cost_of_pair(const struct alignment *a, size_t i, size_t k)
{
	static const double renumbered = 1e-12; /* s */
	const struct run_tally *x = a->before[i], *y = a->after[k];
	if (!same_file(x, y))
		return INFINITY;
	return fabs(x->seconds - y->seconds) + (strcmp(x->name, y->name) == 0 ? 0 : renumbered);
}

static void fill_costs(struct alignment *a)
{
	for (size_t i = 0; i <= a->before_count; i++)
		for (size_t k = 0; k <= a->after_count; k++) {
			double best = i || k ? INFINITY : 0;
			if (i)
				best = fmin(best,
					    *cost_at(a, i - 1, k) + a->before[i - 1]->seconds);
			if (k)
				best = fmin(best, *cost_at(a, i, k - 1) + a->after[k - 1]->seconds);
			if (i && k)
				best = fmin(best, *cost_at(a, i - 1, k - 1) +
							  cost_of_pair(a, i - 1, k - 1));
			*cost_at(a, i, k) = best;
		}
}

static void align_lines(const struct explaining *e, struct places *places)
{
	struct arena scratch = {0};
	struct alignment *a = arena_new(&scratch, struct alignment);
	a->before_count = telling_tallies(e, e->before, TALLY_SOURCE, a->before);
	a->after_count = telling_tallies(e, e->after, TALLY_SOURCE, a->after);
	qsort(a->before, a->before_count, sizeof *a->before, by_line);
	qsort(a->after, a->after_count, sizeof *a->after, by_line);
	a->cost = arena_array(&scratch, (a->before_count + 1) * (a->after_count + 1),
			      sizeof *a->cost);
	fill_costs(a);
	for (size_t i = a->before_count, k = a->after_count; i || k;) {
		struct source_location location = {0};
		double here = *cost_at(a, i, k);
		bool pair =
			i && k && here == *cost_at(a, i - 1, k - 1) + cost_of_pair(a, i - 1, k - 1);
		bool gone = i && here == *cost_at(a, i - 1, k) + a->before[i - 1]->seconds;
		if (pair || gone)
			location.before = a->before[--i];
		if (pair || !gone)
			location.after = a->after[--k];
		places->items[places->count++] = location;
	}
	arena_free(&scratch);
}

/* Some lines gained what others lost: no single location explains the change. */
static bool is_scattered(const struct explaining *e, const struct places *places)
{
	double with = 0, against = 0;
	for (size_t i = 0; i < places->count; i++) {
		double difference = moved_by(&places->items[i]);
		*(difference * e->span > 0 ? &with : &against) += fabs(difference);
	}
	return against >= with / 2;
}

/* --- the reported places --- */

/* An engine waits if something else takes longer, so the cause is not where it waits. */
static bool is_waiting(const struct run_tally *tally)
{
	static const char *const names[] = {"EVENT_SEMAPHORE", "EVENT_SEMAPHORE_RANGE_CLEAR",
					    "DRAIN",           "NOP",
					    "NOTIFY",          "COMPARE_BRANCH"};
	return tally->kind == TALLY_OPCODE &&
	       span_among(span_of(tally->name), names, sizeof names / sizeof *names);
}

static const struct message *name_of(struct arena *arena, const struct source_location *location)
{
	const struct run_tally *tally = location->after ? location->after : location->before;
	const char *slash = strrchr(tally->name, '/');
	bool source = tally->kind == TALLY_SOURCE;
	const char *name =
		explain_clip(arena, source && slash ? slash + 1 : tally->name, NAME_BYTES, source);
	const struct message *named = message_of(
		arena, tally->kind == TALLY_OPCODE ? MESSAGE_PLACE_INSTRUCTIONS : MESSAGE_NAMED,
		message_text(name));
	if (location->before && location->after)
		return named;
	return message_of(arena, location->after ? MESSAGE_PLACE_NEW : MESSAGE_PLACE_GONE,
			  message_part(named));
}

static const char *const kinds[TALLY_LIMIT] = {
	[TALLY_OPCODE] = "opcode", [TALLY_SOURCE] = "source", [TALLY_KERNEL] = "kernel"};

static void add_location(struct explaining *e, const struct source_location *location)
{
	const struct run_tally *tally = location->after ? location->after : location->before;
	double difference = moved_by(location);
	if (!explain_is_telling(e, difference) || is_waiting(tally))
		return;
	explain_add(e, &e->places,
		    (struct explain_part){.kind = kinds[tally->kind],
					  .key = tally->name,
					  .unit = UNIT_SECOND,
					  .before = seconds_of(location->before),
					  .after = seconds_of(location->after),
					  .weight = fabs(difference / e->span)},
		    name_of(e->arena, location));
}

static void add_places(struct explaining *e, enum tally_kind kind)
{
	struct places *places = arena_new(e->arena, struct places);
	if (kind == TALLY_SOURCE)
		align_lines(e, places);
	else
		pair_names(e, kind, places);
	if (kind == TALLY_SOURCE && is_scattered(e, places))
		return;
	for (size_t i = 0; i < places->count; i++)
		add_location(e, &places->items[i]);
}

static bool has_tallies(const struct run *run, enum tally_kind kind)
{
	for (size_t i = 0; i < run->tally_count; i++)
		if (run->tallies[i].kind == kind)
			return true;
	return false;
}

void explain_places(struct explaining *e)
{
	/* The first kind that shows a location. */
	static const enum tally_kind order[] = {TALLY_KERNEL, TALLY_SOURCE, TALLY_OPCODE};
	if (isnan(e->span) || e->span == 0)
		return;
	for (size_t i = 0; i < sizeof order / sizeof *order && e->places.count == 0; i++)
		if (has_tallies(e->before, order[i]) && has_tallies(e->after, order[i]))
			add_places(e, order[i]);
	explain_rank(&e->places);
}
