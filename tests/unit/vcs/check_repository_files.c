/* vcs/repository: files out of a commit's tree, ignored paths and settings, by both sources. */
#include "unit/unit.h"

#include <unistd.h>

#include "unit/git_fixture.h"
#include "vcs/repository.h"

enum { LIMIT = 1000 };

static struct repository *open_at(struct fixture *fixture, const char *directory, int source)
{
	struct repository *repository = NULL;
	struct error err = {0};
	ck_assert_msg(repository_open_with(fixture_path(fixture, directory),
					   (enum repository_source)source, &repository, &err) == 0,
		      "%s (source %d): %s", directory, source, err.text);
	return repository;
}

static const char *resolved(struct fixture *fixture, struct repository *repository)
{
	char oid[65];
	struct error err = {0};
	ck_assert_msg(repository_resolve(repository, "HEAD", oid, &err) == 0, "%s", err.text);
	return arena_strdup(&fixture->arena, oid);
}

/* HEAD has it all; the work tree and the index are of another opinion. */
static const char script[] =
	"git init -q -b main r; cd r; mkdir -p .rooflog deep/er below\n"
	"printf 'a\\r\\nb\\n' > .rooflog/accept; : > empty; printf 'a\\0b' > nul; "
	"chmod +x nul\n"
	"ln -s ../nul deep/link; ln -s deep dirlink; echo x > deep/er/file\n"
	"head -c 1000 /dev/zero > limit; head -c 1001 /dev/zero > above\n"
	"echo q > 'a[b]*'; echo r > ':(top)odd'\n"
	"git add .; echo '* text eol=crlf' > .gitattributes; git add .gitattributes; git "
	"update-index --add --cacheinfo "
	"160000,1234567890123456789012345678901234567890,sub\n"
	"commit -m all; git tag all\n"
	"git rm -qr --cached .rooflog; commit -m 'no acceptances'\n"
	"git checkout -qf all; echo other > .rooflog/accept; echo other > empty; git add empty\n";

static const struct {
	const char *commit, *path;
	const char *bytes; /* NULL: not there */
	size_t len;
	const char *error; /* NULL: none */
} files[] = {
	{"all", ".rooflog/accept", "a\r\nb\n", 5, NULL},
	{"main", ".rooflog/accept", NULL, 0, NULL},
	{"all", "empty", "", 0, NULL},
	{"all", "nul", "a\0b", 3, NULL},
	{"all", "deep/er/file", "x\n", 2, NULL},
	{"all", "a[b]*", "q\n", 2, NULL},
	{"all", ":(top)odd", "r\n", 2, NULL},
	{"all", "absent", NULL, 0, NULL},
	{"all", "absent/file", NULL, 0, NULL},
	{"all", "deep/absent", NULL, 0, NULL},
	{"all", "deep/e", NULL, 0, NULL},
	{"all", "*", NULL, 0, NULL},
	{"all", "deep/link", NULL, 0,
	 "link is a symbolic link in that commit, not a file; links are not"},
	{"all", "dirlink/link", NULL, 0,
	 "dirlink is a symbolic link in that commit, not a directory"},
	{"all", "deep", NULL, 0, "deep is a directory in that commit, not a file"},
	{"all", "sub", NULL, 0, "sub is a submodule in that commit, not a file"},
	{"all", "sub/file", NULL, 0, "sub is a submodule in that commit, not a directory"},
	{"all", "empty/file", NULL, 0, "empty is a file in that commit, not a directory"},
	{"all", "above", NULL, 0, "larger than 1000 bytes"},
};

static void check_file(struct fixture *fixture, struct repository *repository, size_t i)
{
	char oid[65];
	struct error err = {0};
	struct repository_file file = {.oid = oid, .path = files[i].path, .limit = LIMIT};
	ck_assert_int_eq(repository_resolve(repository, files[i].commit, oid, &err), 0);
	int code = repository_read(repository, &fixture->arena, &file, &err);
	if (files[i].error) {
		ck_assert_msg(code == -1 && strstr(err.text, files[i].error), "%s: %d, %s",
			      files[i].path, code, err.text);
		ck_assert_msg(strncmp(err.text, oid, 10) == 0, "%s", err.text);
		ck_assert_int_eq(err.kind, ERR_FORMAT);
		ck_assert(!file.found);
		return;
	}
	ck_assert_msg(code == 0, "%s: %s", files[i].path, err.text);
	ck_assert_msg(file.found == (files[i].bytes != NULL), "%s", files[i].path);
	if (!file.found)
		return;
	ck_assert_uint_eq(file.bytes.len, files[i].len);
	ck_assert_mem_eq(file.bytes.ptr, files[i].bytes, files[i].len + 1);
}

START_TEST(files_of_a_commit)
{
	struct fixture fixture;
	fixture_begin(&fixture, script);
	fixture_shell(&fixture, ".",
		      "git clone -q --bare r bare.git; cd bare.git; "
		      "git update-ref --no-deref HEAD all");
	static const char *const places[] = {"r", "r/below", "bare.git"};
	for (size_t place = 0; place < sizeof places / sizeof *places; place++)
		for (int source = REPOSITORY_SOURCE_AUTO; source <= REPOSITORY_SOURCE_GIT;
		     source++) {
			struct repository *repository = open_at(&fixture, places[place], source);
			struct error err = {0};
			struct repository_file file = {
				.oid = "1111111111111111111111111111111111111111",
				.path = "x",
				.limit = LIMIT};
			for (size_t i = 0; i < sizeof files / sizeof *files; i++)
				check_file(&fixture, repository, i);
			ck_assert_int_eq(repository_read(repository, &fixture.arena, &file, &err),
					 -1);
			ck_assert_int_eq(err.kind, ERR_REVISION);
			file = (struct repository_file){.oid = resolved(&fixture, repository),
							.path = "limit",
							.limit = LIMIT};
			ck_assert_int_eq(repository_read(repository, &fixture.arena, &file, &err),
					 0);
			ck_assert_uint_eq(file.bytes.len, LIMIT);
			repository_close(repository);
		}
	fixture_end(&fixture);
}
END_TEST

/* sha256 objects, a shallow clone and a partial one, whose missing blobs only the user fetches. */
START_TEST(kinds_of_repository)
{
	static const char kinds[] =
		"git init -q -b main --object-format=sha256 sha256; cd sha256; mkdir .rooflog\n"
		"echo yes > .rooflog/accept; git add .; commit -m one; cd ..\n"
		"git init -q -b main r; cd r; mkdir .rooflog; echo yes > .rooflog/accept\n"
		"git add .; commit -m one; commit --allow-empty -m two; git config "
		"uploadpack.allowFilter true; cd ..\n"
		"git clone -q --depth 1 \"file://$PWD/r\" shallow\n"
		"git clone -q --no-checkout --filter=blob:none \"file://$PWD/r\" partial\n"
		"cd r; git worktree add -q ../linked HEAD";
	static const char *const places[] = {"sha256", "r", "shallow", "partial", "linked"};
	struct fixture fixture;
	fixture_begin(&fixture, kinds);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct repository *repository = open_at(&fixture, places[i], 0);
		struct error err = {0};
		struct repository_file file = {.oid = resolved(&fixture, repository),
					       .path = ".rooflog/accept",
					       .limit = LIMIT};
		if (strcmp(places[i], "partial") == 0) {
			ck_assert(repository_read(repository, &fixture.arena, &file, &err) < 0);
			ck_assert_ptr_nonnull(strstr(err.text, "rooflog fetches nothing"));
			fixture_shell(&fixture, "partial", "git show HEAD:.rooflog/accept");
		}
		ck_assert_msg(repository_read(repository, &fixture.arena, &file, &err) == 0,
			      "%s: %s", places[i], err.text);
		ck_assert(file.found && span_is(file.bytes, "yes\n"));
		repository_close(repository);
	}
	fixture_end(&fixture);
}
END_TEST

START_TEST(ignored_paths)
{
	static const struct {
		const char *ignores, *path;
		bool ignored;
	} rows[] = {
		{"runs.db*", ".rooflog/accept", false}, {"runs.db*", ".rooflog/runs.db-wal", true},
		{".rooflog/", ".rooflog/accept", true}, {"/.rooflog", ".rooflog/accept", true},
		{"accept", ".rooflog/accept", true},    {"*\n!.rooflog/", ".rooflog/accept", true},
		{"", ".rooflog/accept", false},         {"a", "a", true}, /* tracked */
	};
	struct fixture fixture;
	fixture_begin(&fixture, "plain r; mkdir .rooflog below");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		fixture_shell(&fixture, "r",
			      arena_printf(&fixture.arena, "printf '%%s\\n' '%s' > .gitignore",
					   rows[i].ignores));
		for (int source = REPOSITORY_SOURCE_AUTO; source <= REPOSITORY_SOURCE_GIT;
		     source++) {
			struct repository *repository = open_at(&fixture, "r/below", source);
			struct error err = {0};
			bool ignored = !rows[i].ignored;
			ck_assert_msg(repository_is_ignored(repository, rows[i].path, &ignored,
							    &err) == 0,
				      "%s", err.text);
			ck_assert_msg(ignored == rows[i].ignored, "%s by %s (source %d)",
				      rows[i].path, rows[i].ignores, source);
			repository_close(repository);
		}
	}
	fixture_end(&fixture);
}
END_TEST

START_TEST(settings)
{
	struct fixture fixture;
	fixture_begin(&fixture, "plain r; git config user.name 'A  \xc3\x9c'; "
				"git config --add user.name Second; git config user.email ''");
	for (int source = REPOSITORY_SOURCE_AUTO; source <= REPOSITORY_SOURCE_GIT; source++) {
		struct repository *repository = open_at(&fixture, "r", source);
		struct error err = {0};
		const char *value = "none";
		ck_assert_int_eq(
			repository_setting(repository, &fixture.arena, "user.name", &value, &err),
			0);
		ck_assert_pstr_eq(value, "Second");
		ck_assert_int_eq(
			repository_setting(repository, &fixture.arena, "user.email", &value, &err),
			0);
		ck_assert_pstr_eq(value, "");
		ck_assert_int_eq(
			repository_setting(repository, &fixture.arena, "author.name", &value, &err),
			0);
		ck_assert_ptr_null(value);
		repository_close(repository);
	}
	fixture_end(&fixture);
}
END_TEST

UNIT_MAIN("repository files", files_of_a_commit, kinds_of_repository, ignored_paths, settings)
