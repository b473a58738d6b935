/* base/path: which links are followed. base/temporary: what is left and removed. */
#include "unit/unit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/file.h"
#include "base/system/path.h"
#include "base/system/temporary.h"

static char top[PATH_MAX];

static const char *at(struct arena *arena, const char *path)
{
	return arena_printf(arena, "%s/%s", top, path);
}

static void enter(void)
{
	char folder[] = "/tmp/rooflog-path-XXXXXX";
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	ck_assert_ptr_nonnull(getcwd(top, sizeof top));
}

static void leave(void)
{
	char command[PATH_MAX + 16];
	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof command, "rm -rf '%s'", top);
	ck_assert_int_eq(system(command), 0);
}

/* Outside: own/, elsewhere -> own, file -> own/kept. In the protected tree/: out -> ../own,
 * kept -> ../own/kept, none -> nowhere, in/back -> .., loop -> loop. */
static void make_links(void)
{
	static const char script[] =
		"mkdir -p own/deep tree/in; echo x > own/kept; echo x > tree/file; ln -s own "
		"elsewhere; "
		"ln -s own/kept file; ln -s tree entry; ln -s nowhere loose; ln -s "
		"own/deep/../../own "
		"dots; ln -s one two; ln -s two one; ln -s tree/out through; cd tree; ln -s ../own "
		"out; "
		"ln -s ../own/kept kept; ln -s nowhere none; ln -s .. in/back; ln -s loop loop";
	ck_assert_int_eq(system(script), 0);
}

START_TEST(links_in_a_protected_directory_are_not_followed)
{
	static const struct {
		const char *path, *leads; /* NULL: refused */
		bool is_protected;
	} rows[] = {
		{"tree/file", "tree/file", true},
		{"tree/new", "tree/new", true},
		{"tree/./in/../new", "tree/new", true},
		{"tree//in///new", "tree/in/new", true},
		{"tree/../own/kept", "own/kept", false},
		{"entry/file", "tree/file", true},
		{"tree/out", NULL, true},
		{"tree/out/new", NULL, true},
		{"tree/kept", NULL, true},
		{"tree/none", NULL, true},
		{"tree/in/back", NULL, true},
		{"tree/in/back/own/kept", NULL, true},
		{"tree/loop", NULL, true},
		{"entry/out/new", NULL, true},
		{"through", "through", false}, /* to a directory: itself the name */
		{"through/kept", NULL, false},
		{"elsewhere/kept", "own/kept", false},
		{"elsewhere/../own/kept", "own/kept", false},
		{"elsewhere", "elsewhere", false},
		{"file", "own/kept", false},
		{"loose", "loose", false},
		{"dots/kept", "own/kept", false},
		{"own/", "own/.", false},
		{"own/..", ".", false},
	};
	struct arena arena = {0};
	enter();
	make_links();
	path_protect("tree");
	path_protect("no such directory");
	for (size_t absolute = 0; absolute < 2; absolute++)
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			struct error err = {0};
			struct path path;
			const char *name = absolute ? at(&arena, rows[i].path) : rows[i].path;
			int rc = path_open("write", name, &path, &err);
			if (!rows[i].leads) {
				ck_assert_msg(rc < 0 && err.kind == ERR_USAGE, "%s: %s", name,
					      err.text);
				ck_assert_msg(strstr(err.text, " is a symbolic link to "), "%s",
					      err.text);
				continue;
			}
			ck_assert_msg(rc == 0, "%s: %s", name, err.text);
			ck_assert_str_eq(path.text, at(&arena, rows[i].leads));
			ck_assert_str_eq(path.name, strrchr(path.text, '/') + 1);
			ck_assert_msg(path.is_protected == rows[i].is_protected, "%s", name);
			path_close(&path);
		}
	leave();
	arena_free(&arena);
}
END_TEST

START_TEST(paths_that_lead_nowhere)
{
	static const char *const rows[] = {"no/such", "own/kept/x", "one/x", "none/", "loose/x"};
	struct error err = {0};
	struct path path;
	char longest[PATH_MAX + 100];
	enter();
	make_links();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ck_assert_msg(path_open("write", rows[i], &path, &err) < 0, "%s", rows[i]);
		ck_assert_int_eq(err.kind, ERR_SYSTEM);
		ck_assert_ptr_nonnull(strstr(err.text, "cannot write "));
	}
	memset(longest, 'a', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	ck_assert_int_lt(path_open("write", longest, &path, &err), 0);
	longest[PATH_MAX - 5] = '\0';
	ck_assert_int_lt(path_open("write", longest, &path, &err), 0);
	ck_assert_int_eq(path_open("write", "/", &path, &err), 0);
	ck_assert_str_eq(path.text, "/.");
	path_close(&path);
	leave();
}
END_TEST

START_TEST(directories_are_made_on_the_way)
{
	struct error err = {0};
	enter();
	make_links();
	path_protect("tree");
	ck_assert_int_eq(file_make_directory("tree/a/b/c", &err), 0);
	ck_assert(file_is_directory("tree/a/b/c"));
	ck_assert_int_eq(file_make_directory("tree/a/b/c/", &err), 0);
	ck_assert_int_eq(file_make_directory("elsewhere/x", &err), 0);
	ck_assert(file_is_directory("own/x"));
	ck_assert_int_lt(file_make_directory("tree/out/y", &err), 0);
	ck_assert(!file_exists("own/y"));
	ck_assert_int_lt(file_make_directory("tree/file/y", &err), 0);
	leave();
}
END_TEST

static bool is_left(const char *name)
{
	struct stat st;
	return lstat(name, &st) == 0;
}

static void empty(int folder)
{
	unlinkat(folder, "page", 0);
}

START_TEST(what_a_dead_writer_left_is_removed)
{
	struct temporary first, second, third;
	enter();
	ck_assert_int_eq(temporary_make(AT_FDCWD, "x", TEMPORARY_FILE, NULL, &first), 0);
	ck_assert_int_eq(temporary_make(AT_FDCWD, "x", TEMPORARY_FILE, NULL, &second), 0);
	ck_assert_str_eq(first.name, ".x.rooflog-0");
	ck_assert_str_eq(second.name, ".x.rooflog-1");
	close(second.fd);
	temporary_sweep(".");
	ck_assert(is_left(first.name) && !is_left(second.name));
	close(first.fd);
	ck_assert_int_eq(temporary_make(AT_FDCWD, "x", TEMPORARY_FILE, NULL, &third), 0);
	ck_assert_str_eq(third.name, first.name);
	close(third.fd);
	/* What only has the name is not removed: a link, a directory, a file of a folder's name. */
	ck_assert_int_eq(unlink(".x.rooflog-0") | symlink("nowhere", ".x.rooflog-0") |
				 mkdir(".x.rooflog-1", 0777),
			 0);
	ck_assert_int_eq(temporary_make(AT_FDCWD, "x", TEMPORARY_FILE, NULL, &first), 0);
	ck_assert_str_eq(first.name, ".x.rooflog-2");
	ck_assert(is_left(".x.rooflog-0") && is_left(".x.rooflog-1"));
	close(first.fd);
	leave();
}
END_TEST

/* What a link leads to is not what was named. */
START_TEST(a_link_is_itself_deleted_and_moved)
{
	struct error err = {0};
	enter();
	close(open("mine", O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
	ck_assert_int_eq(symlink("mine", "link") | symlink("mine", "other"), 0);
	file_remove("link");
	ck_assert(is_left("mine") && !is_left("link"));
	ck_assert_int_eq(file_move("other", "moved", &err), 0);
	ck_assert(is_left("mine") && is_left("moved") && !is_left("other"));
	close(open("new", O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
	ck_assert_int_eq(file_move("new", "moved", &err), 0);
	unlink("moved");
	ck_assert(is_left("mine"));
	leave();
}
END_TEST

START_TEST(folders_are_emptied_of_what_is_known)
{
	struct temporary first, second;
	enter();
	ck_assert_int_eq(temporary_make(AT_FDCWD, "f", TEMPORARY_FOLDER, empty, &first), 0);
	close(openat(first.fd, "page", O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
	close(first.fd);
	ck_assert_int_eq(temporary_make(AT_FDCWD, "f", TEMPORARY_FOLDER, empty, &second), 0);
	ck_assert_str_eq(second.name, ".f.rooflog-0");
	ck_assert(!is_left(".f.rooflog-0/page"));
	close(openat(second.fd, "mine", O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
	close(second.fd);
	ck_assert_int_eq(temporary_make(AT_FDCWD, "f", TEMPORARY_FOLDER, empty, &first), 0);
	ck_assert_str_eq(first.name, ".f.rooflog-1");
	ck_assert(is_left(".f.rooflog-0/mine"));
	close(first.fd);
	leave();
}
END_TEST

UNIT_MAIN("path", links_in_a_protected_directory_are_not_followed, paths_that_lead_nowhere,
	  directories_are_made_on_the_way, what_a_dead_writer_left_is_removed,
	  a_link_is_itself_deleted_and_moved, folders_are_emptied_of_what_is_known)
