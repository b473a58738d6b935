/* Decides which line accepts what: matches patterns with series, and limits with values. */
#include "model/acceptance/acceptance.h"

#include "base/text/text.h"
#include "base/base.h"
#include "model/pattern/pattern.h"
#include "model/run/run.h"

/* ---- which series ---- */

bool acceptance_names(const char *pattern, const struct run *run)
{
	/* Which kernels there are is not known here. */
	const struct series_pattern any = {.text = pattern};
	return series_pattern_fits(&any, run);
}

/* ---- which line ---- */

bool acceptance_is_worse(double value, double limit, enum metric_direction direction)
{
	/* "47.5 us" and 47.5e-6 may differ in the last bit. */
	double room = 1e-9 * fabs(limit);
	switch (direction) {
	case METRIC_LOWER:
		return !(value <= limit + room);
	case METRIC_HIGHER:
		return !(value >= limit - room);
	case METRIC_NEITHER:
		break;
	}
	return !(fabs(value - limit) <= room);
}

enum acceptance_standing acceptance_standing(const struct acceptance *acceptance,
					     const struct acceptance_clock *clock)
{
	switch (acceptance->expiry) {
	case ACCEPTANCE_NEVER:
		break;
	case ACCEPTANCE_DAY:
		return clock->now < acceptance->end ? ACCEPTANCE_VALID : ACCEPTANCE_EXPIRED;
	case ACCEPTANCE_REVISION:
		switch (clock->reached(clock->context, acceptance->expires)) {
		case ACCEPTANCE_REACHED_NO:
			return ACCEPTANCE_VALID;
		case ACCEPTANCE_REACHED_NOWHERE:
			return ACCEPTANCE_WAITING;
		case ACCEPTANCE_REACHED_YES:
			return ACCEPTANCE_EXPIRED;
		case ACCEPTANCE_REACHED_UNKNOWN:
			break;
		}
		return ACCEPTANCE_UNCLEAR;
	}
	return ACCEPTANCE_VALID;
}

const char *acceptance_standing_name(enum acceptance_standing standing)
{
	static const char *const names[] = {"valid", "waiting", "expired", "unclear"};
	return names[standing];
}

const char *acceptance_state_name(enum acceptance_state state)
{
	static const char *const names[] = {"lapsed", "exceeded", "used", "covered", "unused"};
	return names[state];
}

const char *acceptance_use_name(const struct acceptance_use *use)
{
	return use->state == ACCEPTANCE_STATE_LAPSED ? acceptance_standing_name(use->standing)
						     : acceptance_state_name(use->state);
}

static bool is_valid(enum acceptance_standing standing)
{
	return standing == ACCEPTANCE_VALID || standing == ACCEPTANCE_WAITING;
}

/* Whether the line matches the item; *limit is the line's, NAN for "retired". */
static bool is_about(const struct acceptance *acceptance, const struct acceptance_item *item,
		     double *limit)
{
	*limit = acceptance_limit(acceptance, item->metric);
	if (acceptance->retired != item->absent)
		return false;
	if (acceptance->retired &&
	    (acceptance->metric != METRIC_COUNT && acceptance->metric != item->metric))
		return false;
	return (acceptance->retired || !isnan(*limit)) &&
	       acceptance_names(acceptance->series, item->run);
}

/* By how much a value is worse than the limit, in the metric's unit; <= 0 if it is not. */
static double distance(const struct acceptance_item *item, double limit)
{
	switch (item->direction) {
	case METRIC_LOWER:
		return item->value - limit;
	case METRIC_HIGHER:
		return limit - item->value;
	case METRIC_NEITHER:
		break;
	}
	return fabs(item->value - limit);
}

static bool would_accept(const struct acceptance_item *item, double limit)
{
	return item->absent || !acceptance_is_worse(item->value, limit, item->direction);
}

/* Whether one limit is more generous to the item than another. */
static bool more_generous(const struct acceptance_item *item, double limit, double than)
{
	return !item->absent && distance(item, limit) < distance(item, than);
}

/* The most generous line so far; NULL before the first. */
struct choice {
	const struct acceptance *line;
	double limit;
};

static void offer(struct choice *choice, const struct acceptance_item *item,
		  const struct acceptance *line, double limit)
{
	if (!choice->line || more_generous(item, limit, choice->limit))
		*choice = (struct choice){line, limit};
}

static void set_outcome(struct acceptance_item *item, const struct choice *choice,
			enum acceptance_outcome outcome)
{
	item->outcome = outcome;
	item->by = choice->line;
	item->limit = choice->limit;
	if (outcome == ACCEPTANCE_OUTCOME_EXCEEDED && choice->limit != 0)
		item->excess = distance(item, choice->limit) / fabs(choice->limit);
}

/* Counts the outcome for the deciding line, which has counted itself as covered. */
static void count_outcome(const struct acceptance_item *item, struct acceptance_use *use)
{
	if (item->outcome == ACCEPTANCE_OUTCOME_ACCEPTED) {
		use->accepted++;
		use->covered--;
		return;
	}
	use->exceeded++;
	if (!(item->excess <= use->excess))
		use->excess = item->excess;
}

static void apply_to(const struct acceptance_list *list, struct acceptance_item *item,
		     struct acceptance_use *uses)
{
	struct choice best = {NULL, NAN}, lapsed = {NULL, NAN};
	double limit;
	item->outcome = ACCEPTANCE_OUTCOME_NONE;
	item->by = NULL;
	item->limit = item->excess = NAN;
	if (!item->absent && isnan(item->value))
		return;
	for (size_t i = 0; i < list->count; i++) {
		const struct acceptance *line = &list->items[i];
		if (!is_about(line, item, &limit))
			continue;
		bool accepts = would_accept(item, limit);
		bool valid = is_valid(uses[i].standing);
		uses[i].covered += valid && accepts;
		uses[i].lapsed += !valid && accepts;
		if (valid)
			offer(&best, item, line, limit);
		else if (accepts)
			offer(&lapsed, item, line, limit);
	}
	bool accepted = best.line && would_accept(item, best.limit);
	if (lapsed.line && !accepted) {
		set_outcome(item, &lapsed, ACCEPTANCE_OUTCOME_LAPSED);
	} else if (best.line) {
		set_outcome(item, &best,
			    accepted ? ACCEPTANCE_OUTCOME_ACCEPTED : ACCEPTANCE_OUTCOME_EXCEEDED);
		count_outcome(item, &uses[best.line - list->items]);
	}
}

static enum acceptance_state state_of(const struct acceptance_use *use)
{
	if (!is_valid(use->standing))
		return ACCEPTANCE_STATE_LAPSED;
	return use->exceeded   ? ACCEPTANCE_STATE_EXCEEDED
	       : use->accepted ? ACCEPTANCE_STATE_USED
	       : use->covered  ? ACCEPTANCE_STATE_COVERED
			       : ACCEPTANCE_STATE_UNUSED;
}

void acceptance_apply(const struct acceptance_list *list, const struct acceptance_clock *clock,
		      struct acceptance_item *items, size_t count, struct acceptance_use *uses)
{
	for (size_t i = 0; i < list->count; i++)
		uses[i] = (struct acceptance_use){
			.standing = acceptance_standing(&list->items[i], clock), .excess = NAN};
	for (size_t i = 0; i < count; i++)
		apply_to(list, &items[i], uses);
	for (size_t i = 0; i < list->count; i++)
		uses[i].state = state_of(&uses[i]);
}

static const struct message *outcome_of(struct arena *arena, const struct acceptance_item *item)
{
	const struct acceptance *by = item->by;
	struct message_value limit = message_text(by->limit), expires = message_text(by->expires);
	struct message_value value = message_quantity(item->value, metric_info(item->metric)->unit);
	if (item->outcome == ACCEPTANCE_OUTCOME_ACCEPTED)
		return message_of(arena, by->retired ? MESSAGE_ACCEPTED_AS : MESSAGE_ACCEPTED_UP_TO,
				  limit);
	if (item->outcome == ACCEPTANCE_OUTCOME_LAPSED)
		return message_of(arena, by->retired ? MESSAGE_LAPSED_AS : MESSAGE_LAPSED_UP_TO,
				  limit, expires);
	if (isnan(item->excess))
		return message_of(arena, MESSAGE_EXCEEDED, value, limit);
	return message_of(arena, MESSAGE_EXCEEDED_BY, value, limit, message_fraction(item->excess));
}

const struct message *acceptance_message(struct arena *arena, const struct acceptance_list *list,
					 const struct acceptance_item *item)
{
	const struct acceptance *by = item->by;
	if (item->outcome == ACCEPTANCE_OUTCOME_NONE)
		return NULL;
	return message_of(arena, MESSAGE_ACCEPTANCE, message_part(outcome_of(arena, item)),
			  message_text(list->path), message_integer(by->line),
			  message_text(by->author), message_text(by->reason));
}
