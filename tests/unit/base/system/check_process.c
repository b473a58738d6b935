/* base/process: what a child prints, when it is ended, and that it gets what it was given. */
#include "unit/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/system/process.h"

static int run_shell(const char *script, struct process_request request,
		     struct process_result *result, struct error *err)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	request.argv = argv;
	request.directory = request.directory ? request.directory : "/";
	request.limit = request.limit ? request.limit : 1 << 20;
	request.seconds = request.seconds ? request.seconds : 30;
	return process_run(&request, result, err);
}

START_TEST(programs_answer)
{
	static const char *const variables[] = {"LC_ALL=C", "ONE=1", NULL};
	static const struct {
		const char *script, *input, *out, *error;
		int status;
	} rows[] = {
		{"echo out; echo error >&2; exit 3", "", "out\n", "error\n", 3},
		{"cat; cat", "", "", "", 0},
		{"cat", "given", "given", "", 0},
		{"exit 0", "not read", "", "", 0},
		{"pwd", "", "/\n", "", 0},
		{"echo $LC_ALL $ONE $KEPT", "", "C 1 kept\n", "", 0},
		{"kill -TERM $$", "", "", "", 128 + 15},
	};
	setenv("KEPT", "kept", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct process_result result;
		struct error err = {0};
		struct process_request request = {.input = span_of(rows[i].input),
						  .environment = variables};
		ck_assert_msg(run_shell(rows[i].script, request, &result, &err) == 0, "%s",
			      err.text);
		ck_assert_str_eq(strbuf_text(&result.out), rows[i].out);
		ck_assert_str_eq(strbuf_text(&result.error), rows[i].error);
		ck_assert_int_eq(result.status, rows[i].status);
		ck_assert(!result.stopped);
		process_result_free(&result);
	}
}
END_TEST

START_TEST(large_input_and_output)
{
	struct strbuf text = {0};
	struct process_result result;
	struct error err = {0};
	strbuf_repeat(&text, "0123456789", 100000);
	struct process_request request = {.input = strbuf_span(&text)};
	ck_assert_int_eq(run_shell("cat; yes error | head -100000 >&2", request, &result, &err), 0);
	ck_assert(span_eq(strbuf_span(&result.out), strbuf_span(&text)));
	ck_assert_uint_le(result.error.len, 16384);
	process_result_free(&result);
	request.limit = 999999;
	ck_assert_int_eq(run_shell("cat", request, &result, &err), -1);
	ck_assert_str_eq(err.text, "sh printed more than 999999 bytes");
	strbuf_free(&text);
}
END_TEST

static bool stop_at_third(void *context, struct span bytes)
{
	size_t *lines = context;
	for (size_t i = 0; i < bytes.len; i++)
		*lines += bytes.ptr[i] == '\n';
	return *lines < 3;
}

START_TEST(a_sink_may_have_enough)
{
	size_t lines = 0;
	struct process_result result;
	struct error err = {0};
	struct process_request request = {.sink = stop_at_third, .context = &lines};
	ck_assert_int_eq(run_shell("yes", request, &result, &err), 0);
	ck_assert(result.stopped);
	ck_assert_uint_ge(lines, 3);
	process_result_free(&result);
}
END_TEST

START_TEST(slow_programs_are_killed_with_their_children)
{
	static const char *const scripts[] = {"sleep 50", "sleep 50 & sleep 50",
					      "exec >&- 2>&-; sleep 50"};
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		struct process_result result;
		struct error err = {0};
		time_t start = time(NULL);
		ck_assert_int_eq(run_shell(scripts[i], (struct process_request){.seconds = 1},
					   &result, &err),
				 -1);
		ck_assert_int_eq(err.kind, ERR_SYSTEM);
		ck_assert_str_eq(err.text, "sh did not end within 1 s");
		ck_assert_int_le(time(NULL) - start, 20);
	}
}
END_TEST

START_TEST(programs_that_must_end_may_tidy_up)
{
	static const char script[] = "trap 'echo tidied >\"$FILE\"; exit 9' TERM; sleep 50 & wait";
	char path[] = "/tmp/check-process.XXXXXX", text[16] = "";
	struct process_result result;
	struct error err = {0};
	int fd = mkstemp(path);
	for (int grace = 0; grace < 2; grace++) {
		setenv("FILE", path, 1);
		ck_assert_int_eq(
			run_shell(script,
				  (struct process_request){.seconds = 1, .grace = grace * 20},
				  &result, &err),
			-1);
		ck_assert_str_eq(err.text, "sh did not end within 1 s");
		ck_assert_int_eq(pread(fd, text, sizeof text - 1, 0), grace ? 7 : 0);
	}
	time_t start = time(NULL);
	ck_assert_int_eq(run_shell("trap '' TERM; sleep 50",
				   (struct process_request){.seconds = 1, .grace = 1}, &result,
				   &err),
			 -1);
	ck_assert_int_le(time(NULL) - start, 20);
	close(fd);
	unlink(path);
}
END_TEST

static int readies;

/* Reads one byte: e ends the program. */
static bool read_byte(struct process_watch *watch)
{
	char byte = 0;
	readies++;
	if (read(watch->fd, &byte, 1) <= 0)
		watch->fd = -1;
	return byte != 'e';
}

START_TEST(a_watched_descriptor_ends_a_program)
{
	static const struct {
		const char *sent, *script;
		int readies;
		bool ends;
	} rows[] = {{"", "sleep 0.3", 1, false},
		    {"ab", "sleep 0.3", 3, false},
		    {"abe", "sleep 50", 3, true}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int ends[2];
		struct process_result result;
		struct error err = {0};
		size_t len = strlen(rows[i].sent);
		ck_assert_int_eq(pipe(ends), 0);
		ck_assert_int_eq(write(ends[1], rows[i].sent, len), (int)len);
		close(ends[1]);
		struct process_watch watch = {ends[0], read_byte};
		readies = 0;
		ck_assert_int_eq(run_shell(rows[i].script,
					   (struct process_request){.watch = &watch}, &result,
					   &err),
				 rows[i].ends ? -1 : 0);
		ck_assert_int_eq(readies, rows[i].readies);
		if (rows[i].ends)
			ck_assert_str_eq(err.text, "sh was called off");
		else
			process_result_free(&result);
		close(ends[0]);
	}
}
END_TEST

START_TEST(what_is_not_there_cannot_run)
{
	static const char *const argv[] = {"rooflog-no-such-program", NULL};
	struct process_request request = {.argv = argv, .directory = "/", .limit = 1, .seconds = 1};
	struct process_result result;
	struct error err = {0};
	ck_assert_int_eq(process_run(&request, &result, &err), -1);
	ck_assert_str_eq(err.text, "the program rooflog-no-such-program is not installed");
}
END_TEST

/* The current directory may belong to another user. */
START_TEST(programs_come_from_absolute_directories)
{
	static const char *const argv[] = {"a-program", NULL};
	char folder[] = "/tmp/check-process.XXXXXX", path[64];
	struct process_result result;
	struct error err = {0};
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/a-program", folder);
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0755);
	ck_assert_int_eq(write(fd, "#!/bin/sh\nexit 7\n", 17), 17);
	close(fd);
	setenv("PATH", ":.:relative:/usr/bin:/bin", 1);
	ck_assert_int_eq(chdir(folder), 0);
	struct process_request request = {
		.argv = argv, .directory = folder, .limit = 1, .seconds = 10};
	ck_assert_int_eq(process_run(&request, &result, &err), -1);
	ck_assert_str_eq(err.text, "the program a-program is not installed");
	setenv("PATH", folder, 1);
	ck_assert_int_eq(process_run(&request, &result, &err), 0);
	ck_assert_int_eq(result.status, 7);
	process_result_free(&result);
	unlink(path);
	rmdir(folder);
}
END_TEST

/* Whoever starts us may ignore the end of its children; we inherit that. */
START_TEST(a_status_is_known_where_children_are_ignored)
{
	struct process_result result;
	struct error err = {0};
	signal(SIGCHLD, SIG_IGN);
	ck_assert_int_eq(
		run_shell("exit 3", (struct process_request){.seconds = 10}, &result, &err), 0);
	ck_assert_int_eq(result.status, 3);
	process_result_free(&result);
}
END_TEST

START_TEST(closed_standard_descriptors_do_no_harm)
{
	struct process_result result;
	struct error err = {0};
	int saved[3];
	for (int fd = 0; fd < 3; fd++) {
		saved[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 10);
		close(fd);
	}
	int code = run_shell("cat; echo out; echo error >&2",
			     (struct process_request){.input = span_of("in ")}, &result, &err);
	for (int fd = 0; fd < 3; fd++)
		dup2(saved[fd], fd);
	ck_assert_msg(code == 0, "%s", err.text);
	ck_assert_str_eq(strbuf_text(&result.out), "in out\n");
	ck_assert_str_eq(strbuf_text(&result.error), "error\n");
	process_result_free(&result);
}
END_TEST

UNIT_MAIN("process", programs_answer, large_input_and_output, a_sink_may_have_enough,
	  slow_programs_are_killed_with_their_children, what_is_not_there_cannot_run,
	  programs_that_must_end_may_tidy_up, what_is_not_there_cannot_run,
	  a_watched_descriptor_ends_a_program, what_is_not_there_cannot_run,
	  programs_come_from_absolute_directories, a_status_is_known_where_children_are_ignored,
	  closed_standard_descriptors_do_no_harm)
