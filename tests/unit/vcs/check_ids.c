/* vcs/repository: beginnings of ids, and commits of unusual length. */
#include "unit/unit.h"

#include "unit/git_fixture.h"
#include "vcs/repository.h"

enum { AUTO = REPOSITORY_SOURCE_AUTO, GIT = REPOSITORY_SOURCE_GIT };

/* Commits and a blob whose ids begin alike; `new` writes commit NUMBER. */
static const char alike[] =
	"git init -q -b main r; cd r\n"
	"new() { printf 'tree %s\\nauthor a <a> 1 +0000\\ncommitter a <a> 1 +0000\\n\\n%s\\n' "
	"$(git hash-object -t tree -w /dev/null) $1 | git hash-object -t commit -w --stdin; }\n"
	"new 18770; new 25176; new 37233; echo 21817 | git hash-object -w --stdin\n";
#define TWO_COMMITS "32a955b"
#define COMMIT_AND_BLOB "5dcbc75"
#define THE_COMMIT "5dcbc75440e63e7ee756caea353465221e06aedf"

static struct repository *open_at(const struct fixture *fixture, int source)
{
	struct repository *repository = NULL;
	struct error err = {0};
	char path[128];
	snprintf(path, sizeof path, "%s/r", fixture->top);
	ck_assert_msg(
		repository_open_with(path, (enum repository_source)source, &repository, &err) == 0,
		"%s", err.text);
	return repository;
}

static int find(struct repository *repository, const char *digits, char oid[65], bool *found,
		struct error *err)
{
	strcpy(oid, "none");
	*found = false;
	return repository_find_id(repository, digits, oid, found, err);
}

START_TEST(ids_that_begin_alike)
{
	struct fixture fixture;
	fixture_begin(&fixture, alike);
	for (size_t i = 0; i < 2; i++) {
		struct repository *repository = open_at(&fixture, i ? GIT : AUTO);
		struct error err = {0};
		char oid[65];
		bool found;
		ck_assert_int_eq(find(repository, TWO_COMMITS, oid, &found, &err), -1);
		ck_assert_msg(strstr(err.text, "is ambiguous"), "%s", err.text);
		ck_assert_str_eq(oid, "none");
		ck_assert_int_eq(find(repository, COMMIT_AND_BLOB, oid, &found, &err), 0);
		ck_assert(found);
		ck_assert_str_eq(oid, THE_COMMIT);
		ck_assert_int_eq(find(repository, "0123456", oid, &found, &err), 0);
		ck_assert(!found);
		repository_close(repository);
	}
	fixture_end(&fixture);
}
END_TEST

/* What git cannot read or answer may be there. */
START_TEST(failures_are_no_absence)
{
	static const char *const damages[] = {
		"f=.git/objects/5d/cbc75440e63e7ee756caea353465221e06aedf; chmod u+w $f; echo x > "
		"$f",
		"rm .git/HEAD",
	};
	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		struct fixture fixture;
		struct error err = {0};
		char oid[65];
		bool found;
		fixture_begin(&fixture, alike);
		struct repository *repository = open_at(&fixture, GIT);
		ck_assert_int_eq(find(repository, THE_COMMIT, oid, &found, &err), 0);
		ck_assert(found);
		fixture_shell(&fixture, "r", damages[i]);
		ck_assert_int_eq(find(repository, "5dcbc754", oid, &found, &err), -1);
		ck_assert_int_eq(err.kind, ERR_REVISION);
		repository_close(repository);
		fixture_end(&fixture);
	}
}
END_TEST

/* The first of its bytes say what is asked of a commit. */
START_TEST(long_commits_without_git)
{
	struct fixture fixture;
	struct error err = {0};
	struct revision revision;
	char oid[65];
	fixture_begin(&fixture,
		      "git init -q -b main r; cd r; { printf 'tree %s\\nauthor ' "
		      "$(git hash-object -t tree -w /dev/null); head -c 2000000 /dev/zero | tr "
		      "'\\0' x; printf ' <a> 1 +0000\\ncommitter a <a> 1 +0000\\n\\nm\\n'; } > c\n"
		      "git reset -q --hard $(git hash-object -t commit -w c)");
	const char *path = getenv("PATH");
	char *before = arena_strdup(&fixture.arena, path);
	setenv("PATH", "/nonexistent", 1);
	struct repository *repository = open_at(&fixture, AUTO);
	ck_assert_msg(repository_resolve(repository, "HEAD", oid, &err) == 0, "%s", err.text);
	ck_assert_msg(
		repository_revision(repository, &fixture.arena, oid, false, &revision, &err) == 0,
		"%s", err.text);
	ck_assert_str_eq(revision.oid, oid);
	ck_assert_str_eq(revision.parent, "");
	repository_close(repository);
	setenv("PATH", before, 1);
	fixture_end(&fixture);
}
END_TEST

UNIT_MAIN("ids", ids_that_begin_alike, failures_are_no_absence, long_commits_without_git)
