/* vcs/repository.h: tags and their commits, by all sources; vcs/plain/tags.h: damaged files. */
#include "unit/git_fixture.h"

#include "unit/unit.h"
#include "vcs/plain/tags.h"
#include "vcs/repository.h"
#include "vcs/repository_internal.h"

#define OID "1234567890123456789012345678901234567890"

/* plain makes v1 on the second commit. */
static const char tags[] =
	"plain r; git tag light HEAD~1; git tag -a -m x noted HEAD; git tag -a -m y nested noted\n"
	"git tag -a -m z 'ünï/deep' HEAD; git tag '<script>alert(1)</script>' HEAD\n"
	"git tag '$(id)' HEAD; git tag tree 'HEAD^{tree}'\n";

static const struct {
	const char *what, *script;
	bool files_suffice;
} rows[] = {
	{"loose", "", false},
	{"packed", "git pack-refs --all\n", true},
	{"unpeeled", "git pack-refs --all; sed -i '/^#/d' .git/packed-refs\n", false},
	{"some packed", "git pack-refs --all; git tag -f light HEAD~1; git tag -f v1 HEAD~2\n",
	 false},
};

static struct release_list tags_of(struct fixture *fixture, int source, bool *started)
{
	struct repository *repository = NULL;
	struct release_list list = {0};
	struct error err = {0};
	ck_assert_int_eq(repository_open_with(fixture_path(fixture, "r"),
					      (enum repository_source)source, &repository, &err),
			 0);
	ck_assert_msg(repository_tags(repository, &fixture->arena, &list, &err) == 0, "%s",
		      err.text);
	*started = repository->backend != NULL;
	repository_close(repository);
	releases_sort(&list);
	return list;
}

START_TEST(all_sources_know_the_same_tags)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fixture fixture;
		char script[2048];
		snprintf(script, sizeof script, "%s%s", tags, rows[i].script);
		fixture_begin(&fixture, script);
		const char *head = fixture_shell(&fixture, "r", "git rev-parse HEAD");
		const char *before = fixture_shell(&fixture, "r", "git rev-parse HEAD~1");
		const char *v1 = fixture_shell(&fixture, "r", "git rev-parse 'v1^{commit}'");
		for (int source = REPOSITORY_SOURCE_AUTO; source <= REPOSITORY_SOURCE_GIT;
		     source++) {
			bool started;
			struct release_list list = tags_of(&fixture, source, &started);
			struct arena *arena = &fixture.arena;
			ck_assert_str_eq(releases_at(arena, &list, head),
					 "$(id), <script>alert(1)</script>, nested, ...");
			ck_assert_str_eq(releases_at(arena, &list, before), "light");
			ck_assert_ptr_nonnull(strstr(releases_at(arena, &list, v1), "v1"));
			ck_assert_ptr_null(releases_at(arena, &list, OID));
			ck_assert_msg(source != REPOSITORY_SOURCE_AUTO ||
					      started == !rows[i].files_suffice,
				      "%s: whether libgit2 or git was started", rows[i].what);
		}
		fixture_end(&fixture);
	}
}
END_TEST

START_TEST(a_repository_without_tags_has_none)
{
	struct fixture fixture;
	fixture_begin(&fixture, "plain r; git tag -d v1 >&2\n");
	for (int source = REPOSITORY_SOURCE_AUTO; source <= REPOSITORY_SOURCE_GIT; source++) {
		bool started;
		ck_assert_uint_eq(tags_of(&fixture, source, &started).count, 0);
	}
	fixture_end(&fixture);
}
END_TEST

START_TEST(thousands_of_tags_are_cut)
{
	struct fixture fixture;
	fixture_begin(&fixture, "plain r; head=$(git rev-parse HEAD)\n"
				"{ echo '# pack-refs with: peeled fully-peeled sorted '\n"
				"seq -f 'refs/tags/t%06.0f' 1 20001 | sed \"s/^/$head /\"; } "
				">.git/packed-refs; rm -r .git/refs/tags\n");
	for (int source = REPOSITORY_SOURCE_AUTO; source <= REPOSITORY_SOURCE_GIT; source++) {
		bool started;
		struct release_list list = tags_of(&fixture, source, &started);
		ck_assert_uint_eq(list.count, RELEASES_LIMIT);
		ck_assert(list.cut);
	}
	fixture_end(&fixture);
}
END_TEST

START_TEST(damaged_files_tell_nothing)
{
	static const struct {
		const char *text;
		enum ref found;
		size_t count;
	} files[] = {
		{"", REF_FOUND, 0},
		{"# pack-refs with: peeled \n" OID " refs/tags/v1\n", REF_FOUND, 1},
		{OID " refs/tags/v1\n^" OID "\n", REF_FOUND, 1},
		{OID " refs/heads/main\n", REF_FOUND, 0},
		{OID " refs/tags/v1\n", REF_UNCERTAIN, 0},
		{"# pack-refs with: peeled \n" OID " refs/tags/v1", REF_UNCERTAIN, 0},
		{"# pack-refs with: peeled \n12 refs/tags/v1\n", REF_UNCERTAIN, 0},
		{OID " refs/tags/v1\n^12\n", REF_UNCERTAIN, 0},
		{"# pack-refs with: peeled \n" OID " refs/tags/\n", REF_FOUND, 0},
		{"# pack-refs with: peeled \n" OID " refs/tags/\xff\n", REF_FOUND, 0},
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct arena arena = {0};
		struct release_list list = {0};
		ck_assert_int_eq(tags_packed(span_of(files[i].text), &arena, &list),
				 files[i].found);
		if (files[i].found == REF_FOUND)
			ck_assert_uint_eq(list.count, files[i].count);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("tags", all_sources_know_the_same_tags, a_repository_without_tags_has_none,
	  thousands_of_tags_are_cut, damaged_files_tell_nothing)
