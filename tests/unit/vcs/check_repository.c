/* vcs/repository: every answer of both sources against the git program, for each kind of
 * repository that is met in practice. */
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
	const char *path = fixture_path(fixture, directory);
	ck_assert_msg(
		repository_open_with(path, (enum repository_source)source, &repository, &err) == 0,
		"%s (source %d): %s", directory, source, err.text);
	return repository;
}

/* What git answered in the current fixture: both sources are compared with the same answers, and
 * starting git takes most of the time. */
struct answer {
	const char *directory, *script;
	char *text;
	struct answer *next;
};
static struct answer *answers;

static char *git_says(struct fixture *fixture, const char *directory, const char *script)
{
	for (struct answer *answer = answers; answer; answer = answer->next)
		if (strcmp(answer->directory, directory) == 0 &&
		    strcmp(answer->script, script) == 0)
			return answer->text;
	struct answer *answer = arena_new(&fixture->arena, struct answer);
	*answer = (struct answer){directory, arena_strdup(&fixture->arena, script),
				  fixture_shell(fixture, directory, script), answers};
	answers = answer;
	return answer->text;
}

static char *resolved(struct fixture *fixture, struct repository *repository, const char *name)
{
	char oid[65];
	struct error err = {0};
	ck_assert_msg(repository_resolve(repository, name, oid, &err) == 0, "%s", err.text);
	return arena_strdup(&fixture->arena, oid);
}

/* Each revision name means what `git rev-parse` says. */
static void check_names(struct fixture *fixture, struct repository *repository,
			const char *directory)
{
	static const char *const names[] = {"HEAD", "@",    "HEAD~1",   "HEAD^{/one}", "main",
					    "v1",   "side", "main~1^2", ":/side",      "HEAD^0"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *script = arena_printf(
			&fixture->arena,
			"o=$(git rev-parse -q --verify '%s' 2>&1) && git rev-parse $o^{commit} || "
			"echo none",
			names[i]);
		const char *expected = git_says(fixture, directory, script);
		char oid[65] = "none";
		struct error err = {0};
		repository_resolve(repository, names[i], oid, &err);
		ck_assert_msg(strcmp(oid, expected) == 0, "%s: %s, git %s: %s", names[i], oid,
			      expected, err.text);
	}
	static const char *const branches[] = {"refs/heads/main", "refs/heads/side",
					       "refs/heads/none", "refs/remotes/origin/HEAD"};
	for (size_t i = 0; i < sizeof branches / sizeof *branches; i++) {
		const char *script =
			arena_printf(&fixture->arena,
				     "ref='%s'; case $ref in *HEAD) git symbolic-ref -q $ref "
				     ">/dev/null || ref=none;; esac; "
				     "git show-ref --verify --hash $ref 2>/dev/null || echo none",
				     branches[i]);
		const char *expected = git_says(fixture, directory, script);
		char oid[65] = "none";
		struct error err = {0};
		bool found;
		ck_assert_msg(repository_branch(repository, branches[i], oid, &found, &err) == 0,
			      "%s", err.text);
		ck_assert_msg(strcmp(oid, expected) == 0, "%s: %s, git %s", branches[i], oid,
			      expected);
		ck_assert_int_eq(found, strcmp(expected, "none") != 0);
	}
	const char *head = git_says(fixture, directory, "git rev-parse HEAD");
	const char *brief = arena_strndup(&fixture->arena, head, 12);
	ck_assert_str_eq(resolved(fixture, repository, brief), head);
	ck_assert_str_eq(resolved(fixture, repository, head), head);
}

/* Every commit: fields and patch-id, which libgit2 alone leaves empty where a file without
 * lines of text (binary, empty, mode only) is among the changed. */
static void check_commits(struct fixture *fixture, struct repository *repository,
			  const char *directory, int source)
{
	static const char one_commit[] =
		"o=%s; git show -s --format='%%T%%n%%P%%n%%ct%%n%%s' --encoding=UTF-8 $o\n"
		"if git rev-parse -q --verify $o^2 > /dev/null; then echo; else\n"
		"if %s && git diff-tree --numstat $o | grep -qP '^(-|0\t0)\t'; then echo; exit; "
		"fi\n"
		"git diff-tree -p $o | git patch-id --stable | cut -d' ' -f1; fi";
	struct span oids = span_of(git_says(fixture, directory, "git rev-list --all HEAD"));
	while (oids.len) {
		struct span oid = span_cut(&oids, '\n');
		struct revision revision;
		struct error err = {0};
		const char *name = arena_strndup(&fixture->arena, oid.ptr, oid.len);
		const char *expected = git_says(fixture, directory,
						arena_printf(&fixture->arena, one_commit, name,
							     source == LIBGIT2 ? "true" : "false"));
		ck_assert_msg(repository_revision(repository, &fixture->arena, name, true,
						  &revision, &err) == 0,
			      "%s", err.text);
		const char *ours = arena_printf(
			&fixture->arena, "%s\n%s\n%lld\n%s\n%s", revision.tree, revision.parents,
			(long long)revision.time, revision.subject, revision.patch_id);
		struct span left = span_trim(span_of(ours)), right = span_trim(span_of(expected));
		ck_assert_msg(span_eq(left, right), "%s\nours:  %s\ngit's: %s", name, ours,
			      expected);
		ck_assert_int_eq(revision.position, -1);
	}
}

static void check_chain(struct fixture *fixture, struct repository *repository,
			const char *directory)
{
	struct span oids =
		span_of(git_says(fixture, directory, "git rev-list --first-parent HEAD"));
	struct revision_list list;
	struct error err = {0};
	ck_assert_msg(repository_first_parents(repository, &fixture->arena,
					       resolved(fixture, repository, "HEAD"), NULL, NULL,
					       &list, &err) == 0,
		      "%s", err.text);
	for (size_t i = 0; i < list.count; i++) {
		ck_assert(span_is(span_cut(&oids, '\n'), list.items[i].oid));
		ck_assert_int_eq(list.items[i].position, (int64_t)(list.count - 1 - i));
		ck_assert_ptr_nonnull(list.items[i].subject);
	}
	ck_assert_uint_eq(oids.len, 0);
}

/* The same commits as `git rev-list` lists, each after its parents, with the author's time. */
static void check_between(struct fixture *fixture, struct repository *repository,
			  const char *directory)
{
	static const char *const rows[][2] = {
		{"HEAD~3", "HEAD"}, {"side", "HEAD"}, {"HEAD", "side"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct commit_range lineage = {0};
		struct error err = {0};
		struct strbuf ours = {0};
		const char *good = resolved(fixture, repository, rows[i][0]);
		const char *bad = resolved(fixture, repository, rows[i][1]);
		ck_assert_msg(repository_between(repository, &fixture->arena, good, bad, &lineage,
						 &err) == 0,
			      "%s", err.text);
		for (size_t x = 0; x < lineage.count; x++) {
			const struct commit_range_item *commit = &lineage.items[x];
			strbuf_addf(&ours, "%s %s\n", commit->revision.oid,
				    commit->revision.authored);
			for (size_t p = 0; p < commit->parent_count; p++)
				ck_assert_uint_lt(commit->parents[p], x);
		}
		struct span expected = span_of(git_says(
			fixture, directory,
			arena_printf(&fixture->arena,
				     "git log --date=format-local:%%Y-%%m-%%dT%%H:%%M:%%SZ "
				     "--format='%%H %%ad' %s..%s",
				     good, bad)));
		for (size_t x = 0; x < lineage.count; x++) {
			const char *line = arena_strndup(&fixture->arena, expected.ptr,
							 strcspn(expected.ptr, "\n"));
			span_cut(&expected, '\n');
			ck_assert_msg(strstr(strbuf_text(&ours), line), "%s is not in\n%s", line,
				      strbuf_text(&ours));
		}
		ck_assert_uint_eq(expected.len, 0);
		if (lineage.count)
			ck_assert_str_eq(lineage.items[lineage.count - 1].revision.oid, bad);
		strbuf_free(&ours);
	}
}

static void check_merge_bases(struct fixture *fixture, struct repository *repository,
			      const char *directory)
{
	struct error err = {0};
	char *text = git_says(fixture, directory,
			      "for a in HEAD side v1^{}; do for b in HEAD~1 side v1^{}; do "
			      "git rev-parse $a $b; git merge-base $a $b || echo none; done; done");
	for (struct span rest = span_of(text); rest.len;) {
		char oid[65] = "none";
		char *words[3];
		for (int i = 0; i < 3; i++) {
			struct span word = span_cut(&rest, '\n');
			words[i] = arena_strndup(&fixture->arena, word.ptr, word.len);
		}
		repository_merge_base(repository, words[0], words[1], oid, &err);
		ck_assert_str_eq(oid, words[2]);
	}
}

static void check_dirty(struct repository *repository, bool expected, const char *what)
{
	bool dirty = !expected;
	struct error err = {0};
	ck_assert_msg(repository_is_dirty(repository, &dirty, &err) == 0, "%s", err.text);
	ck_assert_msg(dirty == expected, "%s", what);
}

static void check_all(struct fixture *fixture, const char *directory, int source,
		      const char *worktree, const char *home)
{
	struct repository *repository = open_at(fixture, directory, source);
	ck_assert_pstr_eq(repository_worktree(repository),
			  worktree ? fixture_path(fixture, worktree) : NULL);
	ck_assert_str_eq(repository_home(repository), fixture_path(fixture, home));
	check_names(fixture, repository, directory);
	check_commits(fixture, repository, directory, source);
	check_chain(fixture, repository, directory);
	check_between(fixture, repository, directory);
	check_merge_bases(fixture, repository, directory);
	check_dirty(repository, false, directory);
	repository_close(repository);
}

START_TEST(kinds_of_repository)
{
	static const struct {
		const char *what, *script, *directory, *worktree, *home;
		enum { REFUSES, OPENS, WORKS } libgit2; /* 1.5 alone; later ones may do more */
	} rows[] = {
		{"plain", "plain r", "r", "r", "r", WORKS},
		{"below the top", "plain r; mkdir -p x/y", "r/x/y", "r", "r", WORKS},
		{"inside .git", "plain r", "r/.git", "r", "r", WORKS},
		{"through a link", "plain r; cd ..; ln -s r l", "l", "r", "r", WORKS},
		{"odd name", "plain 'a b'\\''ü'", "a b'ü", "a b'ü", "a b'ü", WORKS},
		{"detached", "plain r; git checkout -q --detach HEAD", "r", "r", "r", WORKS},
		{"packed", "plain r; git gc -q; git pack-refs --all", "r", "r", "r", WORKS},
		{"commit-graph", "plain r; git commit-graph write --reachable", "r", "r", "r",
		 WORKS},
		{"bare", "(plain p); git clone -q --bare p r.git", "r.git", NULL, "r.git", WORKS},
		{"worktree", "plain r; git worktree add -q ../w HEAD", "w", "w", "r", WORKS},
		{"worktree of a bare repository",
		 "(plain p); git clone -q --bare p r.git; cd r.git; git worktree add -q ../w main",
		 "w", "w", "r.git", WORKS},
		{"worktree of a bare .git",
		 "(plain p); git clone -q --bare p r/.git; cd r; git worktree add -q w main", "r/w",
		 "r/w", "r/.git", WORKS},
		{"inside a worktree's git directory", "plain r; git worktree add -q ../w HEAD",
		 "r/.git/worktrees/w", "w", "r", WORKS},
		{"separate git directory", "git init -q -b main --separate-git-dir=g r; grow r",
		 "r", "r", "r", WORKS},
		{"submodule",
		 "(plain s); (plain r); cd r; git -c protocol.file.allow=always submodule --quiet "
		 "add ../s s; commit -m add; cd s; git branch side origin/side",
		 "r/s", "r/s", "r/s", WORKS},
		{"worktree of a submodule",
		 "(plain s); (plain r); cd r; git -c protocol.file.allow=always submodule --quiet "
		 "add ../s s; cd s; git branch side origin/side; git worktree add -q ../../w HEAD",
		 "w", "w", "r/s", WORKS},
		{"sparse without worktreeConfig",
		 "plain r; git config core.sparseCheckout true; echo /a > "
		 ".git/info/sparse-checkout;"
		 "git read-tree -mu HEAD; test ! -e b",
		 "r", "r", "r", WORKS},
		{"sparse checkout", "plain r; git sparse-checkout set --no-cone /a", "r", "r", "r",
		 WORKS},
		{"worktreeConfig",
		 "plain r; git config core.repositoryformatversion 1; git sparse-checkout set "
		 "--no-cone /a",
		 "r", "r", "r", REFUSES},
		{"sparse index",
		 "plain r; mkdir d; echo > d/f; git add d; commit -m d; git sparse-checkout set "
		 "--cone --sparse-index e; test ! -e d; git ls-files --sparse | grep d/",
		 "r", "r", "r", OPENS},
		{"sha256", "plain --object-format=sha256 r", "r", "r", "r", REFUSES},
		{"replaced parents", "plain r; git replace --graft HEAD HEAD~3", "r", "r", "r",
		 WORKS},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fixture fixture;
		struct repository *repository;
		const char *reason;
		struct error err = {0};
		unsetenv("GIT_NO_REPLACE_OBJECTS");
		fixture_begin(&fixture, rows[i].script);
		answers = NULL;
		setenv("GIT_NO_REPLACE_OBJECTS", "1", 1); /* what the oracle says then */
		/* Where libgit2 alone has every answer, AUTO has the same. */
		check_all(&fixture, rows[i].directory, rows[i].libgit2 == WORKS ? LIBGIT2 : AUTO,
			  rows[i].worktree, rows[i].home);
		check_all(&fixture, rows[i].directory, GIT, rows[i].worktree, rows[i].home);
		bool opens =
			repository_open_with(fixture_path(&fixture, rows[i].directory),
					     REPOSITORY_SOURCE_LIBGIT2, &repository, &err) == 0;
		if (opens)
			repository_close(repository);
		repository = open_at(&fixture, rows[i].directory, AUTO);
		ck_assert_msg(opens || rows[i].libgit2 == REFUSES, "%s", rows[i].what);
		ck_assert_str_eq(repository_backend(repository, &reason),
				 opens ? "libgit2" : "git");
		ck_assert_msg(opens == (reason == NULL), "%s", rows[i].what);
		repository_close(repository);
		fixture_end(&fixture);
	}
}
END_TEST

START_TEST(patch_ids_of_every_kind_of_change)
{
	static const char script[] =
		"git init -q -b main r; cd r; seq 40 > text; printf 'a\\0b' > bin; echo x > run\n"
		"git add .; commit -m base\n"
		"sed -i 's/^7$/seven/; s/^33$//' text; commit -am edit\n"
		"printf 'no newline' >> text; commit -am 'no newline at the end'\n"
		"chmod +x run; commit -am mode; chmod -x run; echo y > run; chmod +x run\n"
		"echo z >> run; commit -am 'content of an executable'\n"
		"git mv text moved; commit -m rename; : > empty; git add empty; commit -m empty\n"
		"git rm -q empty; commit -m 'delete empty'; git rm -q moved; commit -m delete\n"
		"ln -s target link; git add link; commit -m symlink\n"
		"rm link; echo file > link; commit -am 'type change'\n"
		"echo q > 'a b'; echo u > 'ünï'; echo t > \"$(printf 'a\\tb')\"; git add .\n"
		"commit -m 'odd names'; echo q2 > 'a b'; echo u2 > 'ünï'; commit -am 'odd names "
		"2'\n"
		"printf 'a\\0c' > bin; commit -am binary; git rm -q bin; commit -m 'binary gone'\n"
		"printf 'n\\0' > bin2; git add bin2; commit -m 'binary new'\n"
		"printf '\\ttab  two\\r\\n\\n\\n' > blank; git add blank; commit -m blanks\n"
		"printf '*.dat binary\\n' > .gitattributes; seq 9 > f.dat; git add .; commit -m "
		"att\n"
		"seq 8 > f.dat; commit -am 'binary by attribute'\n"
		"git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub\n"
		"commit -m gitlink; commit --allow-empty -m nothing\n"
		"{ seq 20; echo 'f() {'; seq 20; echo '}'; } > code; git add code; commit -m code\n"
		"{ seq 20; echo 'f() {'; seq 9; echo '}'; echo 'g() {'; seq 20; echo '}'; } > "
		"code\n"
		"commit -am 'indent heuristic'; echo 1 > p1; echo 2 > p2; git add .; commit -m "
		"two\n"
		"printf '\\377\\376' > latin; git add latin; commit -m latin\n"
		"git config diff.noprefix true; git config diff.mnemonicPrefix true\n"
		"git config diff.context 9; git config diff.renames copies\n"
		"git config diff.algorithm patience; mkdir .rooflog\n";
	struct fixture fixture;
	fixture_begin(&fixture, script);
	answers = NULL;
	for (int source = AUTO; source <= GIT; source++) {
		struct repository *repository = open_at(&fixture, "r", source);
		check_commits(&fixture, repository, "r", source);
		repository_close(repository);
	}
	fixture_end(&fixture);
}
END_TEST

START_TEST(dirty_means_that_tracked_files_differ)
{
	static const struct {
		const char *script;
		bool dirty;
	} rows[] = {
		{":", false},
		{"echo > untracked; mkdir -p .rooflog; echo > .rooflog/runs.db", false},
		{"echo more >> a", true},
		{"rm a", true},
		{"chmod +x a", true},
		{"echo x > new; git add new", true},
		{"git rm -q --cached a", true},
		{"echo more >> a; git add a; git show HEAD:a > a", true},
		{"touch -d 2001-01-01 a", false},
		{"cp a c; mv c a", false},
		{"rm a; ln -s b a", true},
		{"echo changed > .rooflog/accept", false},
		{"rm .rooflog/accept", false},
		{"git rm -q .rooflog/accept", false},
		{"echo > .rooflog/more; git add .rooflog/more", false},
		{"echo changed > .rooflogs", true},
		{"echo changed > deep/.rooflog/x", true},
		{"cd s; echo > untracked", false},
		{"cd s; echo changed > a", false},
		{"cd s; commit -q --allow-empty -m new", true},
		{"git update-index --assume-unchanged a; echo >> a", false},
		{"git update-index --skip-worktree a; rm a", false},
		{"git config core.fileMode false; chmod +x a", false},
		{"git config status.showUntrackedFiles all; echo > u", false},
		{"export GIT_CONFIG_GLOBAL=$HOME/own; git config --global filter.f.clean 'sed "
		 "s/Q//'; "
		 "echo 'a filter=f' > .git/info/attributes; "
		 "sed -i 's/^/Q/' a; git add a; touch -d 2001-01-01 a",
		 false},
		{"git config filter.f.clean 'sed s/Q//'; echo 'a filter=f' > .git/info/attributes; "
		 "sed -i 's/^/Q/' a; git add a; touch -d 2001-01-01 a",
		 true},
	};
	static const char script[] =
		"(plain s); (plain r; mkdir -p .rooflog deep/.rooflog; echo a > .rooflog/accept; "
		"echo b > .rooflogs; echo c > deep/.rooflog/x; git add .; git -c "
		"protocol.file.allow=always submodule --quiet add ../s s; commit -m all)\n";
	struct fixture fixture;
	fixture_begin(&fixture, script);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		fixture_shell(&fixture, ".", "rm -rf t; cp -a r t");
		fixture_shell(&fixture, "t", rows[i].script);
		setenv("GIT_CONFIG_GLOBAL",
		       strstr(rows[i].script, "--global") ? fixture_path(&fixture, "own")
							  : "/dev/null",
		       1);
		for (int source = AUTO; source <= GIT; source++) {
			struct repository *repository = open_at(&fixture, "t", source);
			bool dirty = !rows[i].dirty, filtered = strstr(rows[i].script, "--global");
			struct error err = {0};
			ck_assert_msg(repository_is_dirty(repository, &dirty, &err) == 0, "%s",
				      err.text);
			/* libgit2 alone runs no filters, git those of the user only. */
			if (source != LIBGIT2 || !filtered)
				ck_assert_msg(dirty == rows[i].dirty, "%s (source %d)",
					      rows[i].script, source);
			repository_close(repository);
		}
	}
	fixture_end(&fixture);
}
END_TEST

UNIT_MAIN("repository", kinds_of_repository, patch_ids_of_every_kind_of_change,
	  dirty_means_that_tracked_files_differ)
