/* vcs/repository: which files git tracks, of every kind of index, and of damaged ones. */
#include "unit/unit.h"

#include "base/system/system.h"
#include "unit/git_fixture.h"
#include "vcs/repository.h"

/* An intended file, a name that others begin with, and names of several lengths: their padding
 * differs, and so does what version 4 leaves out. */
static const char files[] =
	"n=$(printf 'n%.0s' $(seq 200)); mkdir -p sub/res res deep/er/$n\n"
	"for f in a ab abc sub/res/r.csv sub/res/s.csv res.csv deep/er/$n/x later; do\n"
	"  echo $f > $f; done\n"
	"git add a ab abc sub res.csv deep; commit -m all\n"
	"git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),module\n"
	"echo r > res/r.csv; echo untracked > sub/untracked\n";

/* Changes stay out of the shared part of a split index, however many they are. */
#define SPLIT "git config splitIndex.maxPercentChange 100; git update-index --split-index\n"

static const char *const kinds[] = {
	"git update-index --index-version 2",
	"git update-index --index-version 3; git add -N later",
	"git update-index --index-version 4; git add -N later",
	"git update-index --index-version 2; git update-index --split-index; echo > z; git add z",
	"git update-index --index-version 4; git update-index --split-index; echo > z; git add z",
	"git update-index --assume-unchanged a; git update-index --skip-worktree ab",
	/* What is deleted of the shared part, and what takes its place. */
	"echo > z; echo > later; git add z later\n" SPLIT
	"git rm -q --cached later z; echo more > ab; git add ab; echo > aa; git add aa",
	"for i in $(seq 200); do echo $i > d$i; done; echo > z; echo > later\n"
	"git add d[0-9]* z later\n" SPLIT "git rm -q --cached d[0-9]* later",
	"for i in $(seq 200); do echo $i > d$i; done; git add d[0-9]*\n" SPLIT
	"git rm -q --cached d1* d33 abc; git add abc",
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct {
	const char *name;
	bool tracked;
} names[] = {
	{"a", true},
	{"ab", true},
	{"abc", true},
	{"abcd", false},
	{"sub/res/r.csv", true},
	{"sub/res/s.csv", true},
	{"res.csv", true},
	{"res/r.csv", false},
	{"r.csv", false},
	{"sub/res", false},
	{"sub", false},
	{"sub/", false},
	{"module", true},
	{"module/a", false},
	{"A", false},
	{"", false},
	{"sub/untracked", false},
};

static struct repository *open_at(const char *directory)
{
	struct repository *repository = NULL;
	struct error err = {0};
	ck_assert_msg(repository_open(directory, &repository, &err) == 0, "%s", err.text);
	return repository;
}

static bool tracks(const char *directory, const char *name)
{
	struct repository *repository = open_at(directory);
	bool yes = repository_tracks(repository, name);
	repository_close(repository);
	return yes;
}

static void check_name(struct repository *repository, const char *name, bool tracked)
{
	ck_assert_msg(repository_tracks(repository, name) == tracked, "%s in %s", name,
		      repository_git_dir(repository));
}

static const char *repository_of(struct fixture *fixture, const char *format, size_t kind)
{
	const char *name = arena_printf(&fixture->arena, "%s-%zu", format, kind);
	fixture_shell(fixture, ".",
		      arena_printf(&fixture->arena,
				   "git init -q -b main --object-format=%s %s; cd %s\n%s%s", format,
				   name, name, files, kinds[kind]));
	return name;
}

START_TEST(names_of_every_kind)
{
	static const char *const formats[] = {"sha1", "sha256"};
	struct fixture fixture;
	fixture_begin(&fixture, "");
	for (size_t format = 0; format < 2; format++)
		for (size_t kind = 0; kind < KINDS; kind++) {
			const char *name = repository_of(&fixture, formats[format], kind);
			struct repository *repository = open_at(fixture_path(&fixture, name));
			for (size_t i = 0; i < sizeof names / sizeof *names; i++)
				check_name(repository, names[i].name, names[i].tracked);
			check_name(repository, "later", kind == 1 || kind == 2);
			check_name(repository, "d33", false);
			check_name(repository, "d34", kind == 8);
			check_name(repository, "z", kind == 3 || kind == 4 || kind == 7);
			repository_close(repository);
		}
	fixture_end(&fixture);
}
END_TEST

START_TEST(other_work_trees_and_parts_of_one)
{
	struct fixture fixture;
	fixture_begin(&fixture, "git init -q -b main r; cd r\nmkdir -p in out/er; echo > in/a; "
				"echo > out/er/b; git add in out; commit -m all\n"
				"git worktree add -q ../linked; cd ../linked\n"
				"echo > here; git add here; cd ../r; echo > there; git add there\n"
				"git clone -q . ../sparse; cd ../sparse\n"
				"git sparse-checkout set --cone --sparse-index in\n"
				"git init -q --bare ../bare.git; git init -q ../empty");
	const char *linked = fixture_path(&fixture, "linked");
	const char *sparse = fixture_path(&fixture, "sparse");
	ck_assert(tracks(linked, "in/a") && tracks(linked, "here"));
	/* The store of a linked work tree is that of the main one. */
	ck_assert(tracks(linked, "there") && !tracks(fixture_path(&fixture, "r"), "here"));
	ck_assert(tracks(sparse, "in/a") && tracks(sparse, "out/er/b"));
	ck_assert(!tracks(sparse, "outer") && !tracks(sparse, "in/b"));
	ck_assert(!tracks(fixture_path(&fixture, "bare.git"), "a"));
	ck_assert(!tracks(fixture_path(&fixture, "empty"), "a"));
	fixture_end(&fixture);
}
END_TEST

/* Where the file system takes one name for another, the file is tracked under either. */
START_TEST(names_that_a_file_system_takes_for_others)
{
	struct fixture fixture;
	fixture_begin(&fixture, "git init -q -b main r; cd r\nmkdir Runs runs; echo > Runs/a; "
				"git add Runs; ln Runs/a runs/a; echo > runs/b");
	const char *place = fixture_path(&fixture, "r");
	ck_assert(!tracks(place, "runs/a"));
	fixture_shell(&fixture, "r", "cp .git/config .git/CoNfIg");
	ck_assert(tracks(place, "runs/a") && tracks(place, "Runs/a"));
	ck_assert(!tracks(place, "runs/b") && !tracks(place, "runs/c"));
	fixture_end(&fixture);
}
END_TEST

/* An ingest asks about each of its files. */
START_TEST(thousands_of_questions)
{
	enum { FILES = 40000 };
	struct fixture fixture;
	fixture_begin(&fixture,
		      "git init -q -b main r; cd r; blob=$(echo | git hash-object -w --stdin)\n"
		      "seq 40000 | sed \"s/.*/100644 $blob\\t&.csv/\" | git update-index "
		      "--index-info");
	struct repository *repository = open_at(fixture_path(&fixture, "r"));
	for (int i = 1; i <= FILES; i++) {
		char name[32];
		snprintf(name, sizeof name, "%d.csv", i);
		ck_assert_msg(repository_tracks(repository, name), "%s", name);
		snprintf(name, sizeof name, "no/%d.csv", i);
		ck_assert_msg(!repository_tracks(repository, name), "%s", name);
	}
	repository_close(repository);
	fixture_end(&fixture);
}
END_TEST

static void write_index(const char *path, const char *bytes, size_t len)
{
	FILE *file = fopen(path, "wb");
	ck_assert(file && fwrite(bytes, 1, len, file) == len && fclose(file) == 0);
}

static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Nothing is tracked that no index ever had; the sanitizers see what is read. */
START_TEST(damaged_indexes)
{
	enum { MUTANTS = 100, STEP = 3 };
	struct fixture fixture;
	struct error err = {0};
	unsigned seed = 1;
	fixture_begin(&fixture, "");
	for (size_t kind = 0; kind < KINDS; kind++) {
		const char *name = repository_of(&fixture, "sha1", kind);
		const char *place = fixture_path(&fixture, name);
		const char *path = arena_printf(&fixture.arena, "%s/.git/index", place);
		struct span whole;
		ck_assert(file_read(&fixture.arena, path, 1 << 20, &whole, &err) == 0);
		for (size_t len = 0; len <= whole.len; len += STEP) {
			write_index(path, whole.ptr, len);
			ck_assert_msg(!tracks(place, "b"), "%s, %zu bytes", name, len);
		}
		for (size_t i = 0; i < MUTANTS; i++) {
			char *bytes = memcpy(malloc(whole.len), whole.ptr, whole.len);
			for (unsigned n = next_random(&seed) % 4 + 1; n; n--)
				bytes[next_random(&seed) % whole.len] = (char)next_random(&seed);
			write_index(path, bytes, whole.len);
			free(bytes);
			ck_assert(!tracks(place, "no such name at all"));
		}
	}
	fixture_end(&fixture);
}
END_TEST

UNIT_MAIN("repository index", names_of_every_kind, other_work_trees_and_parts_of_one,
	  names_that_a_file_system_takes_for_others, thousands_of_questions, damaged_indexes)
