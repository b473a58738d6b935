/* vcs/index: where the index tells that nothing differs git says the same, and whatever differs or
 * is unusual is left to others. */
#include "unit/git_fixture.h"

#include "base/system/file.h"
#include "unit/unit.h"
#include "vcs/plain/index.h"

/* Files that were written long before the index. */
static const char begin[] = "plain r; mkdir -p d/e .rooflog; echo 4 > d/f; echo 5 > d/e/g; "
			    "ln -s a l; echo 6 > .rooflog/accept; echo 7 > x; chmod +x x; "
			    "git add -A; commit -m more; "
			    "touch -h -d 2020-01-01 a b d/f d/e/g l x; "
			    "git update-index -q --refresh; ";

static const struct {
	const char *what, *script;
	bool clean;
} rows[] = {
	{"nothing", "", true},
	{"untracked", "echo u > u; echo u > d/u", true},
	{"below .rooflog", "echo 9 > .rooflog/accept", true},
	{"the same tree", "commit --allow-empty -m same", true},
	{"changed", "echo 99 > a", false},
	{"changed deep down", "echo 9 > d/e/g", false},
	{"put back in time",
	 "t=$(stat -c %y a); echo 9 > n; cat n a > o; head -c $(stat -c %s a) "
	 "o > a; touch -d \"$t\" a",
	 false},
	{"written again", "cat a > n; touch -r a n; mv n a", false},
	{"removed", "rm d/f", false},
	{"another mode", "chmod +x a", false},
	{"another link", "rm l; ln -s b l", false},
	{"a link to where it is", "mv d o; ln -s o d", false},
	{"staged", "echo 9 > n; git add n", false},
	{"staged removal", "git rm -q --cached b", false},
	{"another commit", "git reset -q --soft HEAD~1", false},
	{"as late as the index", "touch -d '1 hour' a; git update-index -q --refresh", false},
	{"not to be looked at", "git update-index --assume-unchanged a; git write-tree > /dev/null",
	 false},
	{"left out", "git update-index --skip-worktree a", false},
	{"announced", "echo n > n; git add -N n", false},
	{"shorter paths", "git update-index --index-version 4", false},
	{"two files", "git update-index --split-index", false},
	{"a repository inside",
	 "git init -q s; (cd s; commit --allow-empty -m s); "
	 "git -c advice.addEmbeddedRepo=false add s; commit -m s",
	 false},
	{"no index", "rm .git/index", false},
	{"no tree", "git read-tree --empty; git add -A", false},
};

static const struct place *place_at(struct fixture *fixture, const char *directory)
{
	struct place *place = arena_alloc(&fixture->arena, sizeof *place);
	place->worktree = fixture_path(fixture, directory);
	place->git_dir = arena_printf(&fixture->arena, "%s/.git", place->worktree);
	place->common_dir = place->git_dir;
	return place;
}

START_TEST(clean_is_what_git_finds_clean)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fixture fixture;
		struct strbuf script = {0};
		strbuf_addf(&script, "%s%s", begin, rows[i].script);
		fixture_begin(&fixture, strbuf_text(&script));
		const char *tree = fixture_shell(&fixture, "r", "git rev-parse HEAD^{tree}");
		bool clean = index_is_clean(place_at(&fixture, "r"), tree);
		ck_assert_msg(clean == rows[i].clean, "%s", rows[i].what);
		if (clean)
			fixture_shell(&fixture, "r",
				      "git diff-index --quiet HEAD -- . ':!.rooflog'");
		strbuf_free(&script);
		fixture_end(&fixture);
	}
}
END_TEST

/* Ids of other lengths, and an index that was cut off anywhere. */
START_TEST(what_is_not_whole_tells_nothing)
{
	struct fixture fixture;
	struct error err;
	struct span bytes;
	fixture_begin(&fixture, begin);
	const struct place *place = place_at(&fixture, "r");
	const char *path = arena_printf(&fixture.arena, "%s/index", place->git_dir);
	const char *tree = fixture_shell(&fixture, "r", "git rev-parse HEAD^{tree}");
	ck_assert_int_eq(file_read(&fixture.arena, path, 1 << 20, &bytes, &err), 0);
	ck_assert(index_is_clean(place, tree));
	ck_assert(!index_is_clean(place, ""));
	ck_assert(!index_is_clean(place, arena_printf(&fixture.arena, "%s0", tree)));
	for (size_t len = 0; len < bytes.len; len++) {
		ck_assert_int_eq(file_write(path, (struct span){bytes.ptr, len}, &err), 0);
		ck_assert_msg(!index_is_clean(place, tree), "%zu of %zu bytes", len, bytes.len);
	}
	fixture_end(&fixture);
}
END_TEST

UNIT_MAIN("index", clean_is_what_git_finds_clean, what_is_not_whole_tells_nothing)
