/* Common ancestors by stored commits: small graphs, and random ones of which some commits are
 * missing, where an answer must be that of all commits. */
#include "model/commits/ancestry.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "unit/random.h"
#include "unit/unit.h"

enum { MOST = 24 };

struct graph {
	struct revision commits[MOST];
	char texts[MOST][3][16]; /* oid, parent, parents */
	bool missing[MOST];
	size_t parents[MOST][2], parent_count[MOST];
	size_t count;
};

static void add_commit(struct graph *g, size_t parent_count, size_t first, size_t second)
{
	size_t at = g->count++;
	char(*text)[16] = g->texts[at];
	snprintf(text[0], sizeof text[0], "c%zu", at);
	snprintf(text[1], sizeof text[1], "%s", "");
	snprintf(text[2], sizeof text[2], "%s", "");
	if (parent_count)
		snprintf(text[1], sizeof text[1], "c%zu", first);
	if (parent_count == 1)
		snprintf(text[2], sizeof text[2], "c%zu", first);
	if (parent_count == 2)
		snprintf(text[2], sizeof text[2], "c%zu c%zu", first, second);
	g->parents[at][0] = first;
	g->parents[at][1] = second;
	g->parent_count[at] = parent_count;
	g->commits[at] = (struct revision){
		.oid = text[0],
		.parent = text[1],
		.parents = text[2],
		.position = parent_count ? g->commits[first].position + 1 : 0,
	};
}

static bool find(void *context, const char *oid, struct revision *revision)
{
	const struct graph *g = context;
	for (size_t i = 0; i < g->count; i++)
		if (!g->missing[i] && strcmp(g->commits[i].oid, oid) == 0) {
			*revision = g->commits[i];
			return true;
		}
	return false;
}

static const struct {
	const char *what;
	size_t parents[8][3]; /* count, first, second */
	size_t count, one, two, missing;
	enum ancestry answer;
	const char *base;
} rows[] = {
	{"itself", {{0}, {1, 0}}, 2, 1, 1, MOST, ANCESTRY_FOUND, "c1"},
	{"behind", {{0}, {1, 0}, {1, 1}}, 3, 0, 2, MOST, ANCESTRY_FOUND, "c0"},
	{"a fork", {{0}, {1, 0}, {1, 0}, {1, 2}}, 4, 1, 3, MOST, ANCESTRY_FOUND, "c0"},
	{"behind merges", {{0}, {1, 0}, {1, 0}, {2, 1, 2}}, 4, 1, 3, MOST, ANCESTRY_FOUND, "c1"},
	/* A merge's second parent may be the shared commit. */
	{"merged", {{0}, {1, 0}, {1, 0}, {2, 1, 2}}, 4, 2, 3, MOST, ANCESTRY_OPEN, NULL},
	{"a fork beside a merge",
	 {{0}, {1, 0}, {1, 0}, {2, 1, 2}, {1, 0}},
	 5,
	 4,
	 3,
	 MOST,
	 ANCESTRY_OPEN,
	 NULL},
	{"unrelated", {{0}, {1, 0}, {0}, {1, 2}}, 4, 1, 3, MOST, ANCESTRY_NONE, NULL},
	{"missing on the way", {{0}, {1, 0}, {1, 1}}, 3, 0, 2, 1, ANCESTRY_OPEN, NULL},
	{"missing end", {{0}, {1, 0}, {1, 1}}, 3, 0, 2, 0, ANCESTRY_OPEN, NULL},
};

START_TEST(small_graphs)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct graph g = {.count = 0};
		const char *base = NULL;
		for (size_t k = 0; k < rows[i].count; k++)
			add_commit(&g, rows[i].parents[k][0], rows[i].parents[k][1],
				   rows[i].parents[k][2]);
		if (rows[i].missing < MOST)
			g.missing[rows[i].missing] = true;
		enum ancestry answer = ancestry_merge_base(find, &g, g.commits[rows[i].one].oid,
							   g.commits[rows[i].two].oid, &base);
		ck_assert_msg(answer == rows[i].answer, "%s: %d", rows[i].what, (int)answer);
		if (rows[i].base)
			ck_assert_str_eq(base, rows[i].base);
	}
}
END_TEST

/* c0 - c1 - c3 - c5 is the first line; c2 and c4 were merged into it by c5 = (c3, c4). */
START_TEST(first_parents)
{
	static const struct {
		const char *one, *two, *common;
	} pairs[] = {
		{"c5", "c5", "c5"}, {"c5", "c3", "c3"}, {"c4", "c5", "c1"},
		{"c2", "c5", "c1"}, {"c2", "c4", "c2"}, {"c0", "c4", "c0"},
	};
	struct graph g = {.count = 0};
	const char *common = NULL;
	add_commit(&g, 0, 0, 0);
	add_commit(&g, 1, 0, 0);
	add_commit(&g, 1, 1, 0);
	add_commit(&g, 1, 1, 0);
	add_commit(&g, 1, 2, 0);
	add_commit(&g, 2, 3, 4);
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		ck_assert_int_eq(
			ancestry_first_parent(find, &g, pairs[i].one, pairs[i].two, &common),
			ANCESTRY_FOUND);
		ck_assert_str_eq(common, pairs[i].common);
	}
	g.missing[2] = true;
	ck_assert_int_eq(ancestry_first_parent(find, &g, "c4", "c5", &common), ANCESTRY_OPEN);
	add_commit(&g, 0, 0, 0);
	ck_assert_int_eq(ancestry_first_parent(find, &g, "c6", "c5", &common), ANCESTRY_NONE);
}
END_TEST

START_TEST(positions_that_do_not_fit_tell_nothing)
{
	struct graph g = {.count = 0};
	const char *base = NULL;
	add_commit(&g, 0, 0, 0);
	add_commit(&g, 1, 0, 0);
	add_commit(&g, 1, 0, 0);
	g.commits[2].position = 7;
	ck_assert_int_eq(ancestry_merge_base(find, &g, "c1", "c2", &base), ANCESTRY_OPEN);
}
END_TEST

/* A commit that is not stored completely has unknown parents, which differs from having none. */
START_TEST(what_is_not_known_tells_nothing)
{
	static const char *const unknown[] = {"", NULL};
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		struct graph lines = {.count = 0}, fork = {.count = 0};
		const char *base = NULL;
		add_commit(&lines, 0, 0, 0);
		add_commit(&lines, 1, 0, 0);
		add_commit(&lines, 0, 0, 0);
		add_commit(&lines, 1, 2, 0);
		lines.commits[2].parent = unknown[i];
		for (int64_t position = -1; position < 3; position++) {
			bool root = unknown[i] && position == 0;
			lines.commits[2].position = position;
			lines.commits[3].position = position + 1;
			ck_assert_int_eq(ancestry_merge_base(find, &lines, "c1", "c3", &base),
					 root ? ANCESTRY_NONE : ANCESTRY_OPEN);
		}
		add_commit(&fork, 0, 0, 0);
		add_commit(&fork, 1, 0, 0);
		add_commit(&fork, 1, 0, 0);
		fork.commits[2].parents = unknown[i];
		ck_assert_int_eq(ancestry_merge_base(find, &fork, "c1", "c2", &base),
				 ANCESTRY_OPEN);
	}
}
END_TEST

/* Bit by bit whether each commit leads to each. */
static void reach(const struct graph *g, size_t from, uint32_t *set)
{
	if (*set & 1u << from)
		return;
	*set |= 1u << from;
	for (size_t i = 0; i < g->parent_count[from]; i++)
		reach(g, g->parents[from][i], set);
}

static void check_answer(struct graph *g, size_t one, size_t two)
{
	uint32_t from_one = 0, from_two = 0, below = 0, best = 0;
	const char *base = NULL;
	enum ancestry answer =
		ancestry_merge_base(find, g, g->commits[one].oid, g->commits[two].oid, &base);
	reach(g, one, &from_one);
	reach(g, two, &from_two);
	uint32_t common = from_one & from_two;
	for (size_t i = 0; i < g->count; i++)
		for (size_t k = 0; common & 1u << i && k < g->parent_count[i]; k++)
			reach(g, g->parents[i][k], &below);
	best = common & ~below;
	if (answer == ANCESTRY_NONE)
		ck_assert_uint_eq(common, 0);
	for (size_t i = 0; i < g->count && answer == ANCESTRY_FOUND; i++)
		if (best & 1u << i)
			ck_assert_str_eq(g->commits[i].oid, base);
}

START_TEST(random_graphs)
{
	enum { GRAPHS = 4000 };
	size_t found = 0;
	for (size_t seed = 1; seed <= GRAPHS; seed++) {
		struct graph g = {.count = 0};
		const char *base;
		while (g.count < 4 + seed % (MOST - 4)) {
			size_t first = random_below(g.count + 1);
			size_t second = random_below(g.count + 1);
			bool root = g.count == 0 || first == g.count;
			bool merge = second < g.count && second != first && seed % 3 == 0;
			add_commit(&g, root ? 0 : merge ? 2 : 1, first, second);
			g.missing[g.count - 1] = random_below(10) == 0;
		}
		for (size_t one = 0; one < g.count; one++)
			for (size_t two = 0; two < g.count; two++) {
				check_answer(&g, one, two);
				found += ancestry_merge_base(find, &g, g.commits[one].oid,
							     g.commits[two].oid,
							     &base) == ANCESTRY_FOUND;
			}
	}
	ck_assert_uint_gt(found, 10 * GRAPHS);
}
END_TEST

UNIT_MAIN("ancestry", small_graphs, first_parents, positions_that_do_not_fit_tell_nothing,
	  what_is_not_known_tells_nothing, random_graphs)
