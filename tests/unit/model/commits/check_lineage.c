/* Commits between two revisions: the order of a history with merges, whatever order they come in.
 */
#include "model/commits/commit_range.h"

#include <string.h>

#include "base/strbuf.h"
#include "unit/unit.h"

/* "oid:parents" in any order; the parent's first is the first one. */
static struct revision_list list_of(struct arena *arena, const char *const *texts, size_t count)
{
	struct revision_list list = {arena_array(arena, count, sizeof *list.items), count, count};
	for (size_t i = 0; i < count; i++) {
		struct span rest = span_of(texts[i]), oid = span_cut(&rest, ':');
		const char *parents = arena_strndup(arena, rest.ptr, rest.len);
		list.items[i] = (struct revision){
			.oid = arena_strndup(arena, oid.ptr, oid.len),
			.parents = parents,
			.parent = arena_strndup(arena, parents, strcspn(parents, " "))};
	}
	return list;
}

static const struct {
	const char *commits[8];
	const char *newest;
	const char *order; /* side commits in brackets */
	const char *outside;
} rows[] = {
	{{"c:b", "a:good", "b:a"}, "c", "a b c", "good"},
	/* A merge: what it brings stands before it. */
	{{"m:b y", "y:x", "x:good", "b:a", "a:good", "n:m"}, "n", "a b (x) (y) m n", "good"},
	/* A merge inside of a side branch, and one that forks before the range. */
	{{"m:a y", "y:x z", "x:a", "z:older", "a:good"}, "m", "a (x) (z) (y) m", "good older"},
	/* Two roots, and a commit that does not lead to the newest. */
	{{"m:a r", "a:good", "r:", "other:a"}, "m", "a (r) m", "good"},
	{{"a:good"}, "b", "", ""},
	{{NULL}, "b", "", ""},
	/* No git makes a circle. */
	{{"a:b", "b:a"}, "b", "b a", "a"},
};

START_TEST(orders)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct strbuf order = {0}, outside = {0};
		size_t count = 0;
		while (count < 8 && rows[i].commits[count])
			count++;
		struct revision_list list = list_of(&arena, rows[i].commits, count);
		struct commit_range lineage = commit_range_of(&arena, &list, rows[i].newest);
		for (size_t x = 0; x < lineage.count; x++) {
			const struct commit_range_item *commit = &lineage.items[x];
			strbuf_addf(&order, commit->side ? "%s(%s)" : "%s%s", x ? " " : "",
				    commit->revision.oid);
			ck_assert_uint_eq(commit_range_find(&lineage, commit->revision.oid), x);
			for (size_t p = 0; p < commit->parent_count; p++)
				ck_assert_uint_lt(commit->parents[p], x);
		}
		for (size_t x = 0; x < lineage.outside_count; x++)
			strbuf_addf(&outside, "%s%s", x ? " " : "", lineage.outside[x]);
		ck_assert_str_eq(strbuf_text(&order), rows[i].order);
		ck_assert_str_eq(strbuf_text(&outside), rows[i].outside);
		ck_assert_uint_eq(commit_range_find(&lineage, "nowhere"), commit_range_none);
		strbuf_free(&order);
		strbuf_free(&outside);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("lineage", orders)
