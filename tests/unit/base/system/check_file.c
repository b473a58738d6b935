/* base/file: what is replaced, and what is written through. */
#include "unit/unit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/file.h"

static char folder[] = "/tmp/rooflog-file-XXXXXX";
static char before[4096];

static void enter(void)
{
	ck_assert_ptr_nonnull(getcwd(before, sizeof before));
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

/* The folder must be empty: no temporary file remains. */
static void leave(void)
{
	ck_assert_int_eq(chdir(before), 0);
	ck_assert_int_eq(rmdir(folder), 0);
}

static void write_must(const char *path, const char *text)
{
	struct error err = {0};
	ck_assert_msg(file_write(path, span_of(text), &err) == 0, "%s", err.text);
}

static void holds(const char *path, const char *text)
{
	struct arena arena = {0};
	struct error err = {0};
	struct span bytes;
	ck_assert_msg(file_read(&arena, path, 100, &bytes, &err) == 0, "%s", err.text);
	ck_assert_str_eq(bytes.ptr, text);
	arena_free(&arena);
}

static mode_t type_of(const char *path)
{
	struct stat status;
	return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

START_TEST(a_link_stays_and_its_target_is_replaced)
{
	struct stat status;
	enter();
	ck_assert_int_eq(mkdir("inner", 0777), 0);
	write_must("inner/target", "old");
	ck_assert_int_eq(chmod("inner/target", 0640), 0);
	ck_assert_int_eq(symlink("inner/target", "link"), 0);
	write_must("link", "new");
	ck_assert_uint_eq(type_of("link"), S_IFLNK);
	ck_assert_uint_eq(type_of("inner/target"), S_IFREG);
	holds("inner/target", "new");
	ck_assert_int_eq(stat("inner/target", &status), 0);
	ck_assert_uint_eq(status.st_mode & 07777, 0640);
	unlink("link");
	unlink("inner/target");
	ck_assert_int_eq(rmdir("inner"), 0);
	leave();
}
END_TEST

/* Who has the old one open reads it to its end. */
START_TEST(what_is_derived_is_replaced_as_a_whole)
{
	struct error err = {0};
	char got[8] = "";
	enter();
	write_must("page", "old");
	ck_assert_int_eq(symlink("page", "link"), 0);
	int fd = open("page", O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(file_write_derived("link", span_of("new"), &err), 0);
	holds("page", "new");
	ck_assert_uint_eq(type_of("link"), S_IFLNK);
	ck_assert_int_eq(read(fd, got, sizeof got), 3);
	ck_assert_str_eq(got, "old");
	ck_assert_int_eq(file_write_derived("no/such/page", span_of("x"), &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "cannot write no/such/page"));
	close(fd);
	ck_assert_int_eq(unlink("link") | unlink("page"), 0);
	leave();
}
END_TEST

/* Its content comes in pieces: the old file stays to the end. */
START_TEST(what_is_written_piece_by_piece_is_replaced_at_the_end)
{
	struct error err = {0};
	struct file_writer writer;
	enter();
	write_must("page", "old");
	ck_assert_int_eq(chmod("page", 0640), 0);
	for (int round = 0; round < 2; round++) {
		struct stat status;
		bool ends = round == 1;
		ck_assert_int_eq(file_begin(&writer, "page", &err), 0);
		ck_assert_int_eq(file_add(&writer, span_of("new, "), &err), 0);
		ck_assert_int_eq(file_add(&writer, span_of("and more"), &err), 0);
		holds("page", "old");
		if (ends)
			ck_assert_int_eq(file_end(&writer, false, &err), 0);
		else
			file_abandon(&writer);
		holds("page", ends ? "new, and more" : "old");
		ck_assert_int_eq(stat("page", &status), 0);
		ck_assert_uint_eq(status.st_mode & 07777, 0640);
	}
	ck_assert_int_eq(file_begin(&writer, "no/such/page", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "cannot write no/such/page"));
	ck_assert_int_eq(unlink("page"), 0);
	leave();
}
END_TEST

START_TEST(a_full_device_is_an_error)
{
	struct error err = {0};
	struct file_writer writer;
	ck_assert_int_eq(file_begin(&writer, "/dev/full", &err), 0);
	ck_assert_int_eq(file_add(&writer, span_of("x"), &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "cannot write /dev/full"));
	file_abandon(&writer);
	ck_assert_uint_eq(type_of("/dev/full"), S_IFCHR);
}
END_TEST

START_TEST(a_link_to_nothing_is_replaced)
{
	enter();
	ck_assert_int_eq(symlink("nowhere", "link"), 0);
	write_must("link", "new");
	ck_assert_uint_eq(type_of("link"), S_IFREG);
	holds("link", "new");
	unlink("link");
	leave();
}
END_TEST

START_TEST(a_failure_names_the_path_and_leaves_nothing)
{
	struct error err = {0};
	enter();
	ck_assert_int_eq(file_write("no/such/file", span_of("x"), &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "cannot write no/such/file"));
	ck_assert_int_eq(mkdir("folder", 0777), 0);
	ck_assert_int_eq(file_write("folder", span_of("x"), &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "cannot write folder"));
	ck_assert_int_eq(rmdir("folder"), 0);
	leave();
}
END_TEST

/* /dev/null must not become a file, and /dev/stdout may be a pipe. */
START_TEST(what_is_no_file_is_written_into)
{
	char got[8] = "";
	enter();
	ck_assert_int_eq(mkfifo("pipe", 0666), 0);
	int fd = open("pipe", O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	write_must("pipe", "text");
	ck_assert_uint_eq(type_of("pipe"), S_IFIFO);
	ck_assert_int_eq(read(fd, got, sizeof got), 4);
	ck_assert_str_eq(got, "text");
	close(fd);
	unlink("pipe");
	leave();
}
END_TEST

START_TEST(a_target_is_one_however_it_is_named)
{
	static const struct {
		const char *path, *target; /* in the folder; "": none, NULL: cannot be written */
	} rows[] = {
		{"new", "new"},      {"./new", "new"},         {"folder/../new", "new"},
		{"same/new", "new"}, {"link", "file"},         {"folder/back", "file"},
		{"loose", "loose"},  {"folder/x", "folder/x"}, {"folder", ""},
		{"/dev/null", ""},   {"none/x", NULL},         {"file/x", NULL},
		{"none/", NULL},
	};
	struct arena arena = {0};
	char real[4096];
	enter();
	ck_assert_ptr_nonnull(getcwd(real, sizeof real));
	write_must("file", "x");
	ck_assert_int_eq(mkdir("folder", 0777), 0);
	ck_assert_int_eq(symlink(".", "same") | symlink("file", "link") |
				 symlink("../file", "folder/back") | symlink("nowhere", "loose"),
			 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error err = {0};
		const char *target = NULL, *wanted = rows[i].target;
		int rc = file_target(&arena, rows[i].path, &target, &err);
		ck_assert_msg(rc == (wanted ? 0 : -1), "%s: %s", rows[i].path, err.text);
		ck_assert_msg(wanted || strstr(err.text, rows[i].path), "%s", err.text);
		if (wanted && *wanted)
			ck_assert_str_eq(target, arena_printf(&arena, "%s/%s", real, wanted));
		else
			ck_assert_ptr_null(target);
	}
	ck_assert_int_eq(unlink("folder/back") | unlink("file") | unlink("same") | unlink("link") |
				 unlink("loose") | rmdir("folder"),
			 0);
	leave();
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("file", a_link_stays_and_its_target_is_replaced, what_is_derived_is_replaced_as_a_whole,
	  what_is_written_piece_by_piece_is_replaced_at_the_end, a_full_device_is_an_error,
	  a_link_to_nothing_is_replaced, a_failure_names_the_path_and_leaves_nothing,
	  what_is_no_file_is_written_into, a_target_is_one_however_it_is_named)
