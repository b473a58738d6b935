/*
 * Walks two first-parent chains in parallel to where they meet. If one chain ends at the other's
 * commit, that commit is an ancestor, whatever was merged on the way. If both have commits of their
 * own, these must have one parent each, because a merged line might share more. Positions fall by
 * one per step, so chains that meet have the same position there; if they do not meet, the answer
 * is open.
 */
#include "model/commits/ancestry.h"

struct line {
	struct revision at;
	bool moved, merged; /* whether any commits were passed so far, and one with several
			     * parents */
};

struct walk {
	ancestry_find *find;
	void *context;
};

/* A commit without a parent at a position other than 0 has a parent that is not stored yet. */
static bool is_root(const struct revision *revision)
{
	return revision->parent && !revision->parent[0] && revision->position == 0;
}

/* If the parents are unknown, there may be several. */
static bool is_merge(const struct revision *revision)
{
	return !revision->parents || !revision->parents[0] || strchr(revision->parents, ' ');
}

/* Steps to the first parent; false if it is not stored, or not one position lower. */
static bool step(const struct walk *walk, struct line *line)
{
	struct revision parent;
	if (!line->at.parent || !walk->find(walk->context, line->at.parent, &parent) ||
	    parent.position != line->at.position - 1)
		return false;
	line->moved = true;
	line->merged = line->merged || is_merge(&line->at);
	line->at = parent;
	return true;
}

static bool is_settled(const struct line *one, const struct line *two)
{
	return !one->moved || !two->moved || (!one->merged && !two->merged);
}

/* Steps down until both lines are at one commit. */
static enum ancestry meet(const struct walk *walk, struct line *first, struct line *second)
{
	while (strcmp(first->at.oid, second->at.oid) != 0) {
		struct line *higher = first->at.position >= second->at.position ? first : second;
		if (is_root(&first->at) && is_root(&second->at))
			return ANCESTRY_NONE;
		if (is_root(&higher->at) || !step(walk, higher))
			return ANCESTRY_OPEN;
	}
	return ANCESTRY_FOUND;
}

enum ancestry ancestry_merge_base(ancestry_find *find, void *context, const char *one,
				  const char *two, const char **base)
{
	struct walk walk = {find, context};
	struct line first = {0}, second = {0};
	if (!find(context, one, &first.at) || !find(context, two, &second.at))
		return ANCESTRY_OPEN;
	enum ancestry answer = meet(&walk, &first, &second);
	if (answer == ANCESTRY_NONE && (first.merged || second.merged))
		return ANCESTRY_OPEN;
	if (answer == ANCESTRY_FOUND && !is_settled(&first, &second))
		return ANCESTRY_OPEN;
	if (answer == ANCESTRY_FOUND)
		*base = first.at.oid;
	return answer;
}

enum ancestry ancestry_first_parent(ancestry_find *find, void *context, const char *one,
				    const char *two, const char **common)
{
	struct walk walk = {find, context};
	struct line first = {0}, second = {0};
	if (!find(context, one, &first.at) || !find(context, two, &second.at))
		return ANCESTRY_OPEN;
	enum ancestry answer = meet(&walk, &first, &second);
	if (answer == ANCESTRY_FOUND)
		*common = first.at.oid;
	return answer;
}
