/* vcs/plain/layout.h and vcs/plain/refs.h give the same answers as git, in repositories that git
 * made, and decide nothing in unusual ones. */
#include "unit/git_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/system/file.h"
#include "base/system/path.h"
#include "unit/unit.h"
#include "vcs/plain/layout.h"
#include "vcs/plain/refs.h"
#include "vcs/repository.h"
#include "vcs/repository_internal.h"

static const char many_names[] =
	"git branch topic/deep; git branch 'ünï'; git branch a.b; git branch v9-3-gabc1234; "
	"git branch deadbeef HEAD~1; git tag light HEAD~1; git tag -a -m x noted; "
	"git tag origin/main HEAD~2; git update-ref refs/remotes/origin/main HEAD~1; "
	"git update-ref refs/remotes/far/b HEAD; "
	"git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main; "
	"git symbolic-ref refs/heads/alias refs/heads/topic/deep; "
	"git symbolic-ref refs/remotes/gone/HEAD refs/remotes/gone/main; "
	"git update-ref refs/worktree/own HEAD; git update-ref refs/odd/one HEAD~1; "
	"git branch beside; git rev-parse HEAD~2 >\"$(git rev-parse --git-common-dir)/beside\";";

static const struct {
	const char *what, *script, *directory;
	enum layout layout;
	size_t least_found; /* minimum of names below that are found */
} rows[] = {
	{"plain", "plain r", "r", LAYOUT_FOUND, 14},
	{"packed", "plain r; git pack-refs --all", "r", LAYOUT_FOUND, 14},
	{"below the top", "plain r; mkdir -p x/y", "r/x/y", LAYOUT_FOUND, 14},
	{"unsorted", "plain r; git pack-refs --all; sed -i '/^#/d' .git/packed-refs", "r",
	 LAYOUT_FOUND, 14},
	{"detached", "plain r; git checkout -q --detach HEAD~1", "r", LAYOUT_FOUND, 14},
	{"worktree", "plain r; git worktree add -q ../w HEAD~1", "w", LAYOUT_FOUND, 14},
	{"worktree on a branch", "plain r; git worktree add -q -b wb ../w HEAD~1", "w",
	 LAYOUT_FOUND, 14},
	{"submodule",
	 "(plain s); git init -q -b main r; cd r; git -c protocol.file.allow=always submodule "
	 "--quiet add ../s d/s; cd d/s",
	 "r/d/s", LAYOUT_FOUND, 14},
	{"shallow", "(plain p); git clone -q --depth 3 file://$PWD/p r; cd r", "r", LAYOUT_FOUND,
	 14},
	{"sha256", "plain --object-format=sha256 r", "r", LAYOUT_FOUND, 14},
	{"unborn", "git init -q -b main r; cd r", "r", LAYOUT_FOUND, 0},
	{"separate", "git init -q -b main --separate-git-dir=g r; grow r", "r", LAYOUT_FOUND, 14},
	{"nowhere", "mkdir -p r/s; cd r", "r/s", LAYOUT_NONE, 0},
	{"inside", "plain r", "r/.git/refs", LAYOUT_UNCERTAIN, 0},
	{"bare", "(plain p); git clone -q --bare p r; cd r", "r", LAYOUT_UNCERTAIN, 0},
	{"worktree of a bare one",
	 "(plain p); git clone -q --bare p b; cd b; git worktree add -q ../r main", "r",
	 LAYOUT_UNCERTAIN, 0},
	{"moved worktree", "plain r; git worktree add -q ../w; mv ../w ../v", "v", LAYOUT_UNCERTAIN,
	 0},
	{"included", "plain r; git config include.path /dev/null", "r", LAYOUT_UNCERTAIN, 0},
	{"per worktree", "plain r; git config extensions.worktreeConfig true", "r",
	 LAYOUT_UNCERTAIN, 0},
	{"reftable", "plain r; git config extensions.refstorage reftable", "r", LAYOUT_UNCERTAIN,
	 0},
	{"elsewhere", "plain r; mkdir ../x; git config core.worktree ../../x", "r",
	 LAYOUT_UNCERTAIN, 0},
	{"a link", "plain p; mv .git ../g; ln -s ../g .git; mv ../p ../r", "r", LAYOUT_UNCERTAIN,
	 0},
	{"newer", "plain r; git config core.repositoryFormatVersion 2", "r", LAYOUT_UNCERTAIN, 0},
	{"broken settings", "plain r; echo '[core' >> .git/config", "r", LAYOUT_UNCERTAIN, 0},
	{"no objects", "plain r; rm -r .git/objects", "r", LAYOUT_UNCERTAIN, 0},
};

static const char *const names[] = {
	"HEAD",
	"@",
	"main",
	"topic/deep",
	"ünï",
	"a.b",
	"v9-3-gabc1234",
	"deadbeef",
	"light",
	"noted",
	"v1",
	"origin/main",
	"origin/HEAD",
	"origin",
	"origin/master",
	"far/b",
	"far",
	"gone",
	"alias",
	"heads/main",
	"tags/light",
	"refs/heads/main",
	"refs/heads/absent",
	"refs/odd/one",
	"odd/one",
	"worktree/own",
	"refs/worktree/own",
	"bisect/bad",
	"beside",
	"absent",
	"abcdef",
	"master",
	"config",
	"objects",
	"refs",
	"logs/HEAD",
	"ORIG_HEAD",
	"main~1",
	"HEAD^{tree}",
	"../HEAD",
	"heads/../heads/main",
	"main.lock",
	"a b",
	"",
	"main-3-gabc1234",
	"x*",
};

/* A line for each name, and one for what it leads to: an id, or something else. */
static struct span git_says(struct fixture *fixture, const char *directory)
{
	struct strbuf script = {0};
	strbuf_addstr(&script, "git cat-file --batch-check='%(objectname)' <<'E' 2>/dev/null\n");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		strbuf_addf(&script, "%s\n%s^{}\n", names[i], names[i]);
	strbuf_addstr(&script, "E\n");
	char *said = fixture_shell(fixture, directory, strbuf_text(&script));
	strbuf_free(&script);
	return span_of(said);
}

static void same_place(struct fixture *fixture, const char *directory,
		       const struct repository_path *place)
{
	const char *git =
		fixture_shell(fixture, directory,
			      "git rev-parse --show-toplevel; git rev-parse --absolute-git-dir; "
			      "git rev-parse --path-format=absolute --git-common-dir; "
			      "git rev-parse --is-shallow-repository");
	ck_assert_str_eq(git, arena_printf(&fixture->arena, "%s\n%s\n%s\n%s", place->worktree,
					   paths_real_path(&fixture->arena, place->git_dir),
					   paths_real_path(&fixture->arena, place->common_dir),
					   place->shallow ? "true" : "false"));
}

/* How many names were found. */
static size_t same_names(struct fixture *fixture, const char *what, const char *directory,
			 const struct repository_path *place)
{
	size_t found = 0;
	struct span said = git_says(fixture, directory);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char oid[65] = "";
		enum ref ref = refs_find(place, names[i], oid);
		struct span itself = span_cut(&said, '\n'), peeled = span_cut(&said, '\n');
		bool absent = span_ends(itself, " missing");
		found += ref == REF_FOUND;
		ck_assert_msg(ref != REF_FOUND || span_is(itself, oid) || span_is(peeled, oid),
			      "%s: %s is %s", what, names[i], oid);
		ck_assert_msg((ref != REF_NONE && ref != REF_UNBORN) || absent, "%s: no %s", what,
			      names[i]);
	}
	return found;
}

START_TEST(files_say_what_git_says)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fixture fixture;
		struct repository_path place;
		const char *more = rows[i].least_found ? many_names : "";
		fixture_begin(&fixture, "");
		/* The names are made before what the row does to refs. */
		const char *script = rows[i].script;
		const char *rest = strstr(script, "; git pack-refs");
		int head = rest ? (int)(rest - script) : (int)strlen(script);
		const char *whole = arena_printf(&fixture.arena, "%.*s; git tag -f v1 2>&1; %s %s",
						 head, script, more, rest ? rest + 1 : "");
		fixture_shell(&fixture, ".", rows[i].least_found ? whole : script);
		const char *directory =
			paths_real_path(&fixture.arena, fixture_path(&fixture, rows[i].directory));
		enum layout layout = layout_find(&fixture.arena, directory, &place);
		ck_assert_msg(layout == rows[i].layout, "%s: %d", rows[i].what, (int)layout);
		if (layout == LAYOUT_FOUND) {
			same_place(&fixture, directory, &place);
			size_t found = same_names(&fixture, rows[i].what, directory, &place);
			ck_assert_msg(found >= rows[i].least_found, "%s: only %zu names",
				      rows[i].what, found);
		}
		fixture_end(&fixture);
	}
}
END_TEST

START_TEST(what_moves_parts_is_left_to_git)
{
	static const char *const variables[] = {"GIT_DIR", "GIT_WORK_TREE",
						"GIT_CEILING_DIRECTORIES", "GIT_NAMESPACE"};
	struct fixture fixture;
	struct repository_path place;
	fixture_begin(&fixture, "plain r");
	const char *path = paths_real_path(&fixture.arena, fixture_path(&fixture, "r"));
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		setenv(variables[i], path, 1);
		ck_assert_int_eq(layout_find(&fixture.arena, path, &place), LAYOUT_UNCERTAIN);
		unsetenv(variables[i]);
	}
	ck_assert_int_eq(layout_find(&fixture.arena, path, &place), LAYOUT_FOUND);
	if (geteuid() == 0) {
		fixture_shell(&fixture, ".", "chown 12345 r");
		ck_assert_int_eq(layout_find(&fixture.arena, path, &place), LAYOUT_UNCERTAIN);
	}
	fixture_end(&fixture);
}
END_TEST

/* The ids of a chain, one per line, the newest first. */
static bool is_on_chain(void *context, const char *oid, char *parent)
{
	const char *at = strstr(context, oid);
	if (at && parent)
		snprintf(parent, 65, "%s", at[40] ? at + 41 : "");
	if (at && parent && *parent)
		parent[40] = '\0';
	return at != NULL;
}

START_TEST(nobody_is_started_for_what_files_tell)
{
	struct fixture fixture;
	struct repository *repository;
	struct error err = {0};
	char oid[65];
	bool found = true;
	fixture_begin(&fixture, "plain r");
	char *head = fixture_shell(&fixture, "r", "git rev-parse HEAD");
	ck_assert_int_eq(repository_open(fixture_path(&fixture, "r"), &repository, &err), 0);
	repository_know(repository, is_on_chain, head);
	ck_assert_int_eq(repository_resolve(repository, "main", oid, &err), 0);
	ck_assert_str_eq(oid, head);
	ck_assert_int_eq(repository_find(repository, "origin/HEAD", oid, &found, &err), 0);
	ck_assert(!found);
	ck_assert_ptr_null(repository->backend);
	/* The caller does not know the id of a tag object. */
	ck_assert_int_eq(repository_resolve(repository, "v1", oid, &err), 0);
	ck_assert_str_eq(oid, fixture_shell(&fixture, "r", "git rev-parse 'v1^{commit}'"));
	ck_assert_ptr_nonnull(repository->backend);
	repository_close(repository);
	fixture_end(&fixture);
}
END_TEST

START_TEST(ancestors_of_known_commits_need_no_git)
{
	static const struct {
		const char *name;
		bool in_files; /* else git is asked */
	} asked[] = {
		{"HEAD~1", true},
		{"HEAD~", true},
		{"HEAD^", true},
		{"main~2", true},
		{"HEAD^^", true},
		{"main~1^", true},
		{"HEAD~0", true},
		{"HEAD~3", true},
		{"HEAD~4", false},
		{"HEAD~3^", false},
		{"HEAD^1", false},
		{"HEAD^2", false},
		{"HEAD^0", false},
		{"HEAD^{}", false},
		{"HEAD~1^{tree}", false},
		{"v1~1", false},
		{"none~1", false},
		{"@~1", true},
		{"HEAD@{0}~1", false},
		{"HEAD~1:a", false},
		{"~1", false},
		{"HEAD~-1", false},
		{"HEAD~1 ", false},
		{"HEAD~0000000001", false},
		{"HEAD~4294967297", false},
		{"HEAD~18446744073709551617", false},
	};
	struct fixture fixture;
	fixture_begin(&fixture, "plain r");
	char *chain = fixture_shell(&fixture, "r", "git rev-list --first-parent HEAD");
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		struct repository *repository;
		struct error err = {0};
		char oid[65] = "";
		bool found = false;
		ck_assert_int_eq(repository_open(fixture_path(&fixture, "r"), &repository, &err),
				 0);
		repository_know(repository, is_on_chain, chain);
		int rc = repository_find(repository, asked[i].name, oid, &found, &err);
		ck_assert_msg(!repository->backend == asked[i].in_files, "%s", asked[i].name);
		char *command = arena_printf(&fixture.arena, "git rev-parse %s", asked[i].name);
		if (asked[i].in_files) {
			ck_assert_msg(rc == 0 && found, "%s: %s", asked[i].name, err.text);
			ck_assert_str_eq(oid, fixture_shell(&fixture, "r", command));
		}
		repository_close(repository);
	}
	fixture_end(&fixture);
}
END_TEST

/* Another process that moves a branch and packs it, again and again. The ids count up. */
struct packer {
	const char *git_dir;
	atomic_int moved; /* the latest id that the branch is known to have reached */
	atomic_bool stop;
};

static void replace(const struct packer *packer, const char *name, const char *text)
{
	char written[512], target[512];
	snprintf(written, sizeof written, "%s/written", packer->git_dir);
	snprintf(target, sizeof target, "%s/%s", packer->git_dir, name);
	FILE *file = fopen(written, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(rename(written, target), 0);
}

static void *move_and_pack(void *data)
{
	struct packer *packer = data;
	char loose[512];
	snprintf(loose, sizeof loose, "%s/refs/heads/main", packer->git_dir);
	for (int id = 1; !packer->stop; id++) {
		char text[128];
		snprintf(text, sizeof text, "%040d\n", id);
		replace(packer, "refs/heads/main", text);
		packer->moved = id;
		snprintf(text, sizeof text,
			 "# pack-refs with: peeled fully-peeled sorted \n%040d refs/heads/main\n",
			 id);
		replace(packer, "packed-refs", text);
		ck_assert_int_eq(unlink(loose), 0);
	}
	return NULL;
}

START_TEST(refs_packed_in_between_are_read_again)
{
	struct fixture fixture;
	struct repository_path place;
	pthread_t writer;
	size_t found = 0;
	fixture_begin(&fixture, "plain r");
	const char *path = paths_real_path(&fixture.arena, fixture_path(&fixture, "r"));
	struct packer packer = {fixture_path(&fixture, "r/.git"), 0, false};
	ck_assert_int_eq(layout_find(&fixture.arena, path, &place), LAYOUT_FOUND);
	ck_assert_int_eq(pthread_create(&writer, NULL, move_and_pack, &packer), 0);
	while (!packer.moved)
		sched_yield();
	for (int i = 0; i < 20000; i++) {
		char oid[65] = "";
		int moved = packer.moved;
		enum ref result = refs_find(&place, "main", oid);
		ck_assert_msg(result == REF_FOUND ? atoi(oid) >= moved : result == REF_UNCERTAIN,
			      "look %d: result %d, %s after %d", i, result, oid, moved);
		found += result == REF_FOUND;
	}
	packer.stop = true;
	pthread_join(writer, NULL);
	ck_assert_uint_gt(found, 0);
	fixture_end(&fixture);
}
END_TEST

#define OID "1234567890123456789012345678901234567890"
#define PEELED "abcdefabcdefabcdefabcdefabcdefabcdefabcd"

START_TEST(damaged_files_tell_nothing)
{
	static const struct {
		const char *text;
		enum ref ref;
		const char *oid;
	} packed[] = {
		{"", REF_NONE, ""},
		{OID " refs/tags/v\n", REF_FOUND, OID},
		{OID " refs/tags/v\n^" PEELED "\n", REF_FOUND, PEELED},
		{"# pack-refs with: peeled\n" OID " refs/tags/vv\n" OID " refs/tags/v\n", REF_FOUND,
		 OID},
		{OID " refs/tags/v", REF_UNCERTAIN, ""},
		{OID " refs/tags/v\n^" PEELED, REF_UNCERTAIN, ""},
		{OID " refs/tags/v\n^12\n", REF_UNCERTAIN, ""},
		{"1234 refs/tags/v\n", REF_UNCERTAIN, ""},
		{OID "  refs/tags/v\n", REF_UNCERTAIN, ""},
		{"# refs/tags/v\n", REF_UNCERTAIN, ""},
		{OID " refs/tags/v \n", REF_NONE, ""},
	};
	static const struct {
		const char *text;
		enum ref ref;
		const char *target;
	} loose[] = {
		{OID "\n", REF_FOUND, ""},      {OID, REF_FOUND, ""},
		{OID "x\n", REF_UNCERTAIN, ""}, {"", REF_UNCERTAIN, ""},
		{"ref: \n", REF_UNCERTAIN, ""}, {"ref: refs/heads/x\n", REF_FOUND, "refs/heads/x"},
	};
	for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
		char oid[65] = "";
		enum ref ref = refs_packed(span_of(packed[i].text), "refs/tags/v", oid);
		ck_assert_msg(ref == packed[i].ref, "%s", packed[i].text);
		ck_assert_str_eq(oid, packed[i].oid);
	}
	for (size_t i = 0; i < sizeof loose / sizeof *loose; i++) {
		char oid[65] = "";
		struct span target;
		enum ref ref = refs_loose(span_of(loose[i].text), oid, &target);
		ck_assert_msg(ref == loose[i].ref, "%s", loose[i].text);
		ck_assert(ref != REF_FOUND || span_is(target, loose[i].target));
	}
}
END_TEST

static void put(const char *folder, const char *name, const char *text)
{
	char path[256];
	struct error err = {0};
	snprintf(path, sizeof path, "%s/%s", folder, name);
	ck_assert_int_eq(file_write(path, span_of(text), &err), 0);
}

/* The folder that `git new-workdir` makes has links to the parts of another repository. */
START_TEST(refs_may_be_a_link)
{
	char folder[] = "/tmp/rooflog-refs-XXXXXX", refs[64], oid[65] = "", clean[96];
	struct error err = {0};
	const struct repository_path paths = {.common_dir = folder, .git_dir = folder};
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(refs, sizeof refs, "%s/refs", folder);
	snprintf(clean, sizeof clean, "%s/real/remotes/origin", folder);
	ck_assert_int_eq(file_make_directory(clean, &err), 0);
	ck_assert_int_eq(symlink("real", refs), 0);
	put(folder, "real/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n");
	put(folder, "real/remotes/origin/main", OID "\n");
	path_protect(folder);
	ck_assert_int_eq(refs_exact(&paths, "refs/remotes/origin/HEAD", oid), REF_FOUND);
	ck_assert_str_eq(oid, OID);
	snprintf(clean, sizeof clean, "rm -rf %s", folder);
	ck_assert_int_eq(system(clean), 0);
}
END_TEST

UNIT_MAIN("refs", files_say_what_git_says, what_moves_parts_is_left_to_git,
	  nobody_is_started_for_what_files_tell, ancestors_of_known_commits_need_no_git,
	  refs_packed_in_between_are_read_again, damaged_files_tell_nothing, refs_may_be_a_link)
