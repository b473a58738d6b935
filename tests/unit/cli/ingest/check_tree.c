/* Walking directories: order, what is left out, loops, and where files lie. */
#include "cli/ingest/folders/directory_walk.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/file.h"
#include "base/strbuf.h"
#include "tests/unit/unit.h"

static char folder[64];

static const char *in_folder(struct arena *arena, const char *name)
{
	return arena_printf(arena, "%s/%s", folder, name);
}

static void make_file(struct arena *arena, const char *name)
{
	struct error err;
	const char *path = in_folder(arena, name);
	ck_assert_int_eq(file_make_directory(directory_walk_open(arena, path), &err), 0);
	ck_assert_int_eq(file_write(path, span_of("x"), &err), 0);
}

static void make_tree(struct arena *arena)
{
	static const char *const names[] = {"b/z.json",    "b/a.json",      "B.json",
					    "a.json",      ".git/config",   ".hidden",
					    "c/.x/y.json", ".rooflog/r.db", "c/d/e/f"};
	snprintf(folder, sizeof folder, "/tmp/rooflog-tree-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		make_file(arena, names[i]);
	ck_assert_int_eq(symlink("..", in_folder(arena, "c/loop")), 0);
	ck_assert_int_eq(symlink("../a.json", in_folder(arena, "c/link.json")), 0);
	ck_assert_int_eq(symlink("nowhere", in_folder(arena, "c/broken")), 0);
	ck_assert_int_eq(mkfifo(in_folder(arena, "c/pipe"), 0600), 0);
}

static void remove_tree(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(walks_in_order)
{
	struct arena arena = {0};
	struct tree_list list = {0};
	struct strbuf sb = {0};
	struct error err;
	make_tree(&arena);
	ck_assert_int_eq(directory_walk_expand(&arena, folder, &list, &err), 0);
	for (size_t i = 0; i < list.count; i++) {
		const char *name = list.items[i].path + strlen(folder) + 1;
		bool passed_over = strcmp(name, "c/broken") == 0 || strcmp(name, "c/loop") == 0;
		ck_assert(!list.items[i].is_explicit);
		ck_assert_int_eq(list.items[i].is_passed_over, passed_over);
		strbuf_addf(&sb, "%s ", name);
	}
	ck_assert_str_eq(sb.buf, "B.json a.json b/a.json b/z.json c/broken c/d/e/f "
				 "c/link.json c/loop ");
	remove_tree();
	strbuf_free(&sb);
	arena_free(&arena);
}
END_TEST

START_TEST(takes_what_is_named)
{
	struct arena arena = {0};
	struct tree_list list = {0};
	struct error err;
	make_tree(&arena);
	ck_assert_int_eq(directory_walk_expand(&arena, in_folder(&arena, ".hidden"), &list, &err),
			 0);
	ck_assert_int_eq(directory_walk_expand(&arena, in_folder(&arena, "c/loop/b/"), &list, &err),
			 0);
	ck_assert_int_eq(directory_walk_expand(&arena, "-", &list, &err), 0);
	ck_assert_uint_eq(list.count, 4);
	ck_assert(list.items[0].is_explicit && list.items[3].is_explicit);
	ck_assert_str_eq(list.items[1].path, in_folder(&arena, "c/loop/b/a.json"));
	ck_assert_int_eq(directory_walk_expand(&arena, in_folder(&arena, "no"), &list, &err), -1);
	ck_assert(strstr(err.text, "No such file"));
	ck_assert_uint_eq(list.count, 4);
	remove_tree();
	arena_free(&arena);
}
END_TEST

START_TEST(names_directories)
{
	static const struct {
		const char *path, *directory;
	} paths[] = {
		{"a/b.json", "a"},
		{"b.json", "."},
		{"./b.json", "."},
		{"/b.json", "/"},
		{"./a//./b.json", "a"},
		{"/x/y/b.json", "/x/y"},
		{"../b.json", ".."},
		{"../a/../b.json", "../a/.."},
		{"-", "."},
		{"", "."},
		{"a/", "a"},
	};
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		ck_assert_str_eq(directory_walk_open(&arena, paths[i].path), paths[i].directory);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("tree", walks_in_order, takes_what_is_named, names_directories)
