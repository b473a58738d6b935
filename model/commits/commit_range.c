/* Sorts commits by their parents alone. */
#include "model/commits/commit_range.h"

#include "base/base.h"

enum mark { MARK_NEW, MARK_OPEN, MARK_DONE };

/* A commit while it is being sorted. */
struct node {
	const struct revision *revision;
	enum mark mark;
	bool line;
	uint32_t index;
};

struct walk {
	struct arena *arena;
	struct node *nodes; /* sorted by oid */
	size_t count;
	struct node **stack; /* commits whose parents are placed first */
	size_t depth, capacity;
	struct commit_range *lineage;
	size_t outside_capacity;
};

static int by_oid(const void *a, const void *b)
{
	return strcmp(((const struct node *)a)->revision->oid,
		      ((const struct node *)b)->revision->oid);
}

static struct node *find(const struct walk *walk, const char *oid)
{
	struct revision revision = {.oid = oid};
	struct node node = {.revision = &revision};
	return bsearch(&node, walk->nodes, walk->count, sizeof node, by_oid);
}

/* The next parent of a commit; NULL after the last one. */
static const char *next_parent(struct walk *walk, struct span *parents)
{
	struct span oid = span_cut(parents, ' ');
	return oid.len ? arena_strndup(walk->arena, oid.ptr, oid.len) : NULL;
}

static void push(struct walk *walk, struct node *node)
{
	*arena_next(walk->arena, walk->stack, walk->depth, walk->capacity) = node;
}

static void add_outside(struct walk *walk, const char *oid)
{
	struct commit_range *lineage = walk->lineage;
	for (size_t i = 0; i < lineage->outside_count; i++)
		if (strcmp(lineage->outside[i], oid) == 0)
			return;
	*arena_next(walk->arena, lineage->outside, lineage->outside_count, walk->outside_capacity) =
		oid;
}

/* Appends a commit; all its parents have been appended. */
static void append(struct walk *walk, struct node *node)
{
	struct commit_range *lineage = walk->lineage;
	struct commit_range_item *commit = &lineage->items[lineage->count];
	struct span rest = span_of(node->revision->parents);
	size_t most = 1;
	for (const char *c = node->revision->parents; *c; c++)
		most += *c == ' ';
	*commit = (struct commit_range_item){
		.revision = *node->revision,
		.parents = arena_array(walk->arena, most, sizeof *commit->parents),
		.side = !node->line,
	};
	for (const char *oid; (oid = next_parent(walk, &rest));) {
		const struct node *parent = find(walk, oid);
		if (parent && parent->mark == MARK_DONE)
			commit->parents[commit->parent_count++] = parent->index;
		else
			add_outside(walk, oid);
	}
	node->mark = MARK_DONE;
	node->index = (uint32_t)lineage->count++;
}

/* Appends a commit after everything that leads to it. A cycle, which git never makes, is cut where
 * it closes. */
static void visit(struct walk *walk, struct node *node)
{
	push(walk, node);
	while (walk->depth > 0) {
		struct node *top = walk->stack[walk->depth - 1], *missing = NULL;
		struct span rest = span_of(top->revision->parents);
		if (top->mark == MARK_DONE) {
			walk->depth--;
			continue;
		}
		top->mark = MARK_OPEN;
		for (const char *oid; !missing && (oid = next_parent(walk, &rest));) {
			struct node *parent = find(walk, oid);
			missing = parent && parent->mark == MARK_NEW ? parent : NULL;
		}
		if (missing) {
			push(walk, missing);
			continue;
		}
		append(walk, top);
		walk->depth--;
	}
}

struct commit_range commit_range_of(struct arena *arena, const struct revision_list *list,
				    const char *newest)
{
	struct commit_range lineage = {
		.items = arena_array(arena, list->count, sizeof *lineage.items)};
	struct walk walk = {.arena = arena, .count = list->count, .lineage = &lineage};
	struct node **line = arena_array(arena, list->count, sizeof *line);
	size_t length = 0;
	walk.nodes = arena_array(arena, list->count, sizeof *walk.nodes);
	for (size_t i = 0; i < list->count; i++)
		walk.nodes[i].revision = &list->items[i];
	array_sort(walk.nodes, list->count, sizeof *walk.nodes, by_oid);
	for (struct node *node = find(&walk, newest); node && !node->line;
	     node = find(&walk, node->revision->parent)) {
		node->line = true;
		line[length++] = node;
	}
	while (length > 0)
		visit(&walk, line[--length]);
	return lineage;
}

size_t commit_range_find(const struct commit_range *lineage, const char *oid)
{
	for (size_t i = 0; i < lineage->count; i++)
		if (strcmp(lineage->items[i].revision.oid, oid) == 0)
			return i;
	return commit_range_none;
}
