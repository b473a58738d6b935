/* vcs/repository: what has no answer or a surprising one: shallow, unborn, foreign and missing
 * repositories, odd names, messages in odd encodings, histories with many merges. */
#include "unit/unit.h"

#include <unistd.h>

#include "unit/git_fixture.h"
#include "vcs/repository.h"

enum {
	AUTO = REPOSITORY_SOURCE_AUTO,
	LIBGIT2 = REPOSITORY_SOURCE_LIBGIT2,
	GIT = REPOSITORY_SOURCE_GIT
};

static struct repository *open_at(struct fixture *fixture, const char *directory, int source)
{
	struct repository *repository = NULL;
	struct error err = {0};
	ck_assert_msg(repository_open_with(fixture_path(fixture, directory),
					   (enum repository_source)source, &repository, &err) == 0,
		      "%s (source %d): %s", directory, source, err.text);
	return repository;
}

static void check_message(int code, const struct error *err, const char *part)
{
	ck_assert_int_eq(code, -1);
	ck_assert_int_eq(err->kind, ERR_REVISION);
	ck_assert_msg(strstr(err->text, part) != NULL, "\"%s\" lacks \"%s\"", err->text, part);
}

/* A position for one commit only. */
struct one_known {
	const char *oid;
	int64_t position;
};

static int64_t is_known(void *context, const char *oid)
{
	const struct one_known *known = context;
	return strcmp(known->oid, oid) == 0 ? known->position : -1;
}

START_TEST(chains_stop_at_known_commits)
{
	struct fixture fixture;
	struct revision_list list;
	struct error err = {0};
	fixture_begin(&fixture, "plain r");
	char *oids[4];
	struct span all = span_of(fixture_shell(&fixture, "r", "git rev-list --first-parent HEAD"));
	for (int i = 0; i < 4; i++) {
		struct span oid = span_cut(&all, '\n');
		oids[i] = arena_strndup(&fixture.arena, oid.ptr, oid.len);
	}
	for (int source = AUTO; source <= GIT; source++) {
		struct repository *repository = open_at(&fixture, "r", source);
		for (size_t i = 0; i < 4; i++) {
			struct one_known known = {oids[i], 40};
			ck_assert_int_eq(repository_first_parents(repository, &fixture.arena,
								  oids[0], is_known, &known, &list,
								  &err),
					 0);
			ck_assert_uint_eq(list.count, i);
			for (size_t k = 0; k < i; k++) {
				ck_assert_str_eq(list.items[k].oid, oids[k]);
				ck_assert_int_eq(list.items[k].position, (int64_t)(40 + i - k));
			}
		}
		repository_close(repository);
	}
	fixture_end(&fixture);
}
END_TEST

START_TEST(shallow_clones_say_what_they_hide)
{
	static const char script[] =
		"(plain p; git branch old HEAD~2; git checkout -q -b late; echo > l; git add l; "
		"commit -m late; git checkout -q main; echo 4 >> a; commit -am four; "
		"git branch -D side -q)\n"
		"git clone -q --no-single-branch --depth 2 \"file://$PWD/p\" r\n"
		"git clone -q --depth 9 --branch old \"file://$PWD/p\" whole\n"
		"git clone -q --depth 2 --branch old \"file://$PWD/p\" root\n";
	struct fixture fixture;
	struct revision_list list;
	struct revision revision;
	struct error err = {0};
	char oid[65];
	bool dirty = true;
	fixture_begin(&fixture, script);
	const char *head = fixture_shell(&fixture, "r", "git rev-parse HEAD");
	const char *cut = fixture_shell(&fixture, "r", "git rev-parse HEAD~1");
	const char *late = fixture_shell(&fixture, "r", "git rev-parse origin/late");
	const char *old = fixture_shell(&fixture, "r", "git rev-parse origin/old");
	const char *hidden = fixture_shell(&fixture, "p", "git rev-parse HEAD~2");
	for (int source = AUTO; source <= GIT; source += GIT) {
		struct repository *repository = open_at(&fixture, "r", source);
		list.count = 77;
		ck_assert(repository_is_shallow(repository));
		ck_assert_str_eq(repository_backend(repository, NULL), "git");
		ck_assert_int_eq(repository_resolve(repository, "HEAD", oid, &err), 0);
		ck_assert_str_eq(oid, head);
		check_message(repository_resolve(repository, "HEAD~2", oid, &err), &err,
			      "git fetch --unshallow");
		check_message(repository_first_parents(repository, &fixture.arena, head, NULL, NULL,
						       &list, &err),
			      &err, "git fetch --unshallow");
		ck_assert_uint_eq(list.count, 77);
		/* The cut commit's parent is not here, but its oid is. */
		struct one_known known = {hidden, 3};
		ck_assert_int_eq(repository_first_parents(repository, &fixture.arena, head,
							  is_known, &known, &list, &err),
				 0);
		ck_assert_uint_eq(list.count, 2);
		ck_assert_int_eq(list.items[0].position, 5);
		ck_assert_int_eq(
			repository_revision(repository, &fixture.arena, cut, true, &revision, &err),
			0);
		ck_assert_str_eq(revision.parent, hidden);
		ck_assert_str_eq(revision.patch_id, "");
		ck_assert_int_eq(repository_merge_base(repository, head, cut, oid, &err), 0);
		ck_assert_str_eq(oid, cut);
		ck_assert_int_eq(repository_merge_base(repository, late, head, oid, &err), 0);
		ck_assert_str_eq(oid, cut);
		check_message(repository_merge_base(repository, old, head, oid, &err), &err,
			      "git fetch --unshallow");
		ck_assert_int_eq(repository_is_dirty(repository, &dirty, &err), 0);
		ck_assert(!dirty);
		repository_close(repository);
	}
	static const char *const complete[] = {"whole", "root"};
	for (size_t i = 0; i < 2; i++) {
		struct repository *repository = open_at(&fixture, complete[i], AUTO);
		ck_assert_int_eq(repository_resolve(repository, "HEAD", oid, &err), 0);
		ck_assert_msg(repository_first_parents(repository, &fixture.arena, oid, NULL, NULL,
						       &list, &err) == 0,
			      "%s: %s", complete[i], err.text);
		ck_assert_int_eq(list.items[0].position, 1);
		repository_close(repository);
	}
	fixture_end(&fixture);
}
END_TEST

START_TEST(a_shallow_clone_may_hide_a_better_base)
{
	/* main: 1-2-3-4-5 and side from 4; side's clone is cut above 4, but 1 is there by tag. */
	static const char script[] =
		"git init -q -b main p; cd p; for i in 1 2 3 4 5; do commit --allow-empty -m $i; "
		"done; git branch side HEAD~1; git checkout -q side; commit --allow-empty -m s; "
		"commit --allow-empty -m s2; cd ..; git clone -q --bare p r.git; cd r.git\n"
		"git rev-parse side~1 > shallow\n";
	struct fixture fixture;
	struct error err = {0};
	char oid[65];
	fixture_begin(&fixture, script);
	const char *one = fixture_shell(&fixture, "p", "git rev-parse main");
	const char *two = fixture_shell(&fixture, "p", "git rev-parse side");
	const char *cut = fixture_shell(&fixture, "p", "git rev-parse side~1");
	struct repository *repository = open_at(&fixture, "r.git", AUTO);
	check_message(repository_merge_base(repository, one, two, oid, &err), &err, "--unshallow");
	ck_assert_int_eq(repository_merge_base(repository, two, cut, oid, &err), 0);
	ck_assert_str_eq(oid, cut);
	repository_close(repository);
	fixture_end(&fixture);
}
END_TEST

START_TEST(names_without_a_commit)
{
	static const struct {
		const char *name, *message;
	} rows[] = {
		{"nowhere", "unknown revision \"nowhere\""},
		{"", "unknown revision \"\""},
		{"--help", "unknown revision \"--help\""},
		{"-h", "unknown revision \"-h\""},
		{"HEAD..main", "unknown revision"},
		{"^HEAD", "unknown revision"},
		{"HEAD:a", "unknown revision"},
		{"HEAD\nHEAD", "unknown revision"},
		{"HEAD --all", "unknown revision"},
		{"HEAD^{tree}", "unknown revision"},
		{"HEAD~99", "unknown revision"},
		{"0000000000000000000000000000000000000000", "unknown revision"},
		{"$(touch /tmp/x)", "unknown revision"},
		{"dead", "give more digits"},
	};
	struct fixture fixture;
	char oid[65] = "untouched";
	struct error err = {0};
	struct revision revision;
	/* Two objects that begin with "dead": found by trying numbers. */
	fixture_begin(&fixture,
		      "plain r\n"
		      "python3 - <<'END' | while read f; do git hash-object -w --stdin < $f; "
		      "rm $f; done\n"
		      "import hashlib\nn = i = 0\nwhile n < 2:\n"
		      "  text = b'%d\\n' % i; i += 1\n"
		      "  if hashlib.sha1(b'blob %d\\0' % len(text) + text).hexdigest()[:4] == "
		      "'dead':\n"
		      "    n += 1; open('n%d' % n, 'wb').write(text); print('n%d' % n)\n"
		      "END\n");
	for (int source = AUTO; source <= GIT; source++) {
		struct repository *repository = open_at(&fixture, "r", source);
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			check_message(repository_resolve(repository, rows[i].name, oid, &err), &err,
				      rows[i].message);
			ck_assert_str_eq(oid, "untouched");
		}
		check_message(repository_revision(repository, &fixture.arena, "HEAD", false,
						  &revision, &err),
			      &err, "not a full commit id");
		check_message(repository_revision(repository, &fixture.arena,
						  "1111111111111111111111111111111111111111", false,
						  &revision, &err),
			      &err, "unknown revision");
		const char *tree = fixture_shell(&fixture, "r", "git rev-parse HEAD^{tree}");
		check_message(repository_revision(repository, &fixture.arena, tree, false,
						  &revision, &err),
			      &err, "unknown revision");
		repository_close(repository);
	}
	fixture_end(&fixture);
}
END_TEST

START_TEST(unborn_head)
{
	static const char *const names[] = {"HEAD", "@", "HEAD~1", "HEAD^0"};
	struct fixture fixture;
	struct error err = {0};
	char oid[65];
	bool dirty;
	fixture_begin(&fixture, "git init -q -b main r; cd r; echo untracked > u");
	for (int source = AUTO; source <= GIT; source++) {
		struct repository *repository = open_at(&fixture, "r", source);
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			check_message(repository_resolve(repository, names[i], oid, &err), &err,
				      "HEAD has no commit yet: commit first, or name one with "
				      "--commit");
		check_message(repository_resolve(repository, "main", oid, &err), &err,
			      "unknown revision");
		ck_assert_int_eq(repository_is_dirty(repository, &dirty, &err), 0);
		ck_assert(!dirty);
		fixture_shell(&fixture, "r", "git add u");
		ck_assert_int_eq(repository_is_dirty(repository, &dirty, &err), 0);
		ck_assert(dirty);
		fixture_shell(&fixture, "r", "git rm -q --cached u");
		repository_close(repository);
	}
	fixture_end(&fixture);
}
END_TEST

START_TEST(subjects_are_utf8)
{
	static const struct {
		const char *encoding, *message, *subject;
	} rows[] = {
		{"UTF-8", "plain ünï\n\nbody", "plain ünï"},
		{"UTF-8", "\n\n  led by blanks \t\r\n second  line\n\nbody",
		 "  led by blanks  second  line"},
		{"ISO-8859-1", "caf\xe9\n", "café"},
		{"ISO-2022-JP", "\x1b$B4A;z\x1b(B\n", "漢字"},
		{"UTF-8", "caf\xe9 \xff.\n", "caf\xef\xbf\xbd \xef\xbf\xbd."},
		{"no-such", "caf\xe9\n", "caf\xef\xbf\xbd"},
		{"UTF-8", "", ""},
		{"UTF-8", "\n\n", ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fixture fixture;
		struct error err = {0};
		struct revision revision;
		struct revision_list list;
		fixture_begin(&fixture, "plain r");
		const char *object = arena_printf(
			&fixture.arena,
			"printf 'tree %%s\\nauthor a <b> 1 +0000\\ncommitter a > b <c> 1700 "
			"+0000\\nencoding %s\\ngpgsig x\\n tree y\\n\\n%%s' $(git rev-parse "
			"HEAD^{tree}) '%s' | git hash-object --literally -w -t commit --stdin",
			rows[i].encoding, rows[i].message);
		const char *oid = fixture_shell(&fixture, "r", object);
		for (int source = AUTO; source <= GIT; source++) {
			struct repository *repository = open_at(&fixture, "r", source);
			ck_assert_msg(repository_revision(repository, &fixture.arena, oid, true,
							  &revision, &err) == 0,
				      "%s", err.text);
			ck_assert_str_eq(revision.subject, rows[i].subject);
			ck_assert_int_eq(revision.time, 1700);
			ck_assert_str_eq(revision.parents, "");
			ck_assert_str_eq(revision.patch_id, "");
			ck_assert_int_eq(repository_first_parents(repository, &fixture.arena, oid,
								  NULL, NULL, &list, &err),
					 0);
			ck_assert_uint_eq(list.count, 1);
			ck_assert_str_eq(list.items[0].subject, rows[i].subject);
			ck_assert_str_eq(list.items[0].tree, revision.tree);
			ck_assert_int_eq(list.items[0].time, 1700);
			repository_close(repository);
		}
		fixture_end(&fixture);
	}
}
END_TEST

/* 30 commits, from the fourth on with two parents each at random, so that many pairs have several
 * best ancestors: the newest counts, then the smallest oid. */
START_TEST(merge_bases_in_tangled_histories)
{
	static const char script[] =
		"git init -q -b main r; cd r; T=$(git mktree < /dev/null); s=7; n=0; : > oids\n"
		"pick() { s=$(((s * 1103515245 + 12345) % 2147483648)); "
		"P=$(sed -n $((1 + s / 65536 % n))p oids); }\n"
		"while [ $n -lt 30 ]; do [ $((n % 3)) -gt 0 ] || tick; p=; if [ $n -ge 3 ]; then "
		"pick; p=\"-p $P\"; pick; p=\"$p -p $P\"; fi\n"
		"git commit-tree -m $n $p $T >> oids 2> /dev/null; n=$((n + 1)); done\n"
		"tail -9 oids > tail; while read a; do while read b; do echo $a $b $({ git "
		"merge-base --all $a $b || echo $T; } | git log --stdin --no-walk "
		"--format='%ct %H' 2> /dev/null | sort -k1,1nr -k2 | sed 's/.* //; q'); "
		"done < tail; done < oids > bases\n";
	struct fixture fixture;
	struct error err = {0};
	fixture_begin(&fixture, script);
	char *bases = fixture_shell(&fixture, "r", "cat bases");
	for (int source = AUTO; source <= GIT; source++) {
		struct repository *repository = open_at(&fixture, "r", source);
		struct span rest = span_of(bases);
		while (rest.len) {
			char one[65], two[65], expected[65] = "", oid[65] = "";
			struct span line = span_cut(&rest, '\n');
			const char *text = arena_strndup(&fixture.arena, line.ptr, line.len);
			ck_assert_int_ge(sscanf(text, "%64s %64s %64s", one, two, expected), 2);
			repository_merge_base(repository, one, two, oid, &err);
			ck_assert_msg(strcmp(oid, expected) == 0, "source %d: %s: %s", source, text,
				      oid);
		}
		repository_close(repository);
	}
	fixture_end(&fixture);
}
END_TEST

START_TEST(repositories_of_somebody_else)
{
	struct fixture fixture;
	struct error err = {0};
	struct repository *repository = NULL;
	const char *reason;
	if (geteuid() != 0)
		return;
	fixture_begin(&fixture, "plain r; chown -R 12345 .");
	const char *path = fixture_path(&fixture, "r");
	check_message(repository_open(path, &repository, &err), &err,
		      arena_printf(&fixture.arena, "git config --global --add safe.directory '%s'",
				   path));
	ck_assert_msg(strstr(err.text, "libgit2: ") != NULL, "%s", err.text);
	unsetenv("GIT_CONFIG_GLOBAL");
	fixture_shell(&fixture, ".", "git config --global --add safe.directory '*'");
	repository = open_at(&fixture, "r", AUTO);
	/* libgit2 takes a "*" from version 1.7 on. */
	if (strcmp(repository_backend(repository, &reason), "libgit2") != 0) {
		ck_assert_str_eq(repository_backend(repository, &reason), "git");
		ck_assert_msg(strstr(reason, "libgit2: ") == reason, "%s", reason);
	}
	repository_close(repository);
	fixture_end(&fixture);
}
END_TEST

START_TEST(no_repository)
{
	struct fixture fixture;
	struct error err = {0};
	struct repository *repository = NULL;
	const char *reason;
	fixture_begin(&fixture,
		      "mkdir empty broken fake; echo 'gitdir: /nowhere' > broken/.git\n"
		      "plain --object-format=sha256 new; cd ..; plain old; mkdir ../file; "
		      "git clone -q --depth 1 file://$PWD ../shallow");
	for (int source = AUTO; source <= GIT; source++) {
		check_message(repository_open_with(fixture_path(&fixture, "empty"),
						   (enum repository_source)source, &repository,
						   &err),
			      &err, "is not inside a git repository");
		check_message(repository_open_with(fixture_path(&fixture, "absent"),
						   (enum repository_source)source, &repository,
						   &err),
			      &err, "is not a directory");
		check_message(repository_open_with(fixture_path(&fixture, "broken"),
						   (enum repository_source)source, &repository,
						   &err),
			      &err, "/nowhere");
	}
	/* Without a git program: what libgit2 can do stays possible, the rest names both reasons.
	 */
	setenv("PATH", "/nonexistent", 1);
	char oid[65];
	repository = open_at(&fixture, "new", AUTO);
	check_message(repository_resolve(repository, "HEAD", oid, &err), &err, "libgit2: ");
	check_message(-1, &err, "the program git is not installed");
	ck_assert_ptr_null(repository_backend(repository, &reason));
	ck_assert_msg(strstr(reason, "object") != NULL, "%s", reason);
	repository_close(repository);
	repository = open_at(&fixture, "shallow", AUTO);
	ck_assert_str_eq(repository_backend(repository, NULL), "libgit2");
	ck_assert_int_eq(repository_resolve(repository, "HEAD", oid, &err), 0);
	check_message(repository_first_parents(repository, &fixture.arena, oid, NULL, NULL,
					       &(struct revision_list){0}, &err),
		      &err, "git fetch --unshallow");
	check_message(repository_merge_base(repository, oid, oid, oid, &err), &err,
		      "git fetch --unshallow");
	repository_close(repository);
	repository = open_at(&fixture, "old", AUTO);
	check_message(repository_resolve(repository, "nowhere", oid, &err), &err,
		      "unknown revision");
	repository_close(repository);
	setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
	fixture_end(&fixture);
}
END_TEST

START_TEST(git_dir_of_the_environment_counts)
{
	struct fixture fixture;
	struct error err = {0};
	char oid[65];
	fixture_begin(&fixture, "(plain a); (plain b; commit --allow-empty -m more); mkdir c");
	const char *expected = fixture_shell(&fixture, "b", "git rev-parse HEAD");
	setenv("GIT_DIR", "../b/.git", 1);
	struct repository *repository = open_at(&fixture, "c", AUTO);
	ck_assert_str_eq(repository_worktree(repository), fixture_path(&fixture, "c"));
	ck_assert_int_eq(repository_resolve(repository, "HEAD", oid, &err), 0);
	ck_assert_str_eq(oid, expected);
	repository_close(repository);
	setenv("GIT_WORK_TREE", fixture_path(&fixture, "b"), 1);
	repository = open_at(&fixture, "a", AUTO);
	ck_assert_str_eq(repository_worktree(repository), fixture_path(&fixture, "b"));
	ck_assert_int_eq(repository_resolve(repository, "HEAD", oid, &err), 0);
	ck_assert_str_eq(oid, expected);
	repository_close(repository);
	unsetenv("GIT_DIR");
	unsetenv("GIT_WORK_TREE");
	fixture_end(&fixture);
}
END_TEST

UNIT_MAIN("revisions", chains_stop_at_known_commits, shallow_clones_say_what_they_hide,
	  a_shallow_clone_may_hide_a_better_base, names_without_a_commit, unborn_head,
	  subjects_are_utf8, merge_bases_in_tangled_histories, repositories_of_somebody_else,
	  no_repository, git_dir_of_the_environment_counts)
