/* One child at a time: spawn, poll its two pipes against a deadline, reap. */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const size_t error_limit = 16384;

struct child {
	pid_t pid;
	int out; /* our ends of the pipes; -1 when closed */
	int error;
	int64_t deadline;
};

static int64_t milliseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

const char *process_variable(const char *name)
{
	return getenv(name);
}

/* Whether "NAME=value" sets a variable that the list sets too. */
static bool is_overridden(const char *entry, const char *const *list)
{
	const char *equals = strchr(entry, '=');
	size_t len = equals ? (size_t)(equals - entry) + 1 : strlen(entry);
	for (size_t i = 0; list && list[i]; i++)
		if (strncmp(list[i], entry, len) == 0)
			return true;
	return false;
}

/* Our environment with the request's variables in place of ours; freed by the caller. */
static const char **environment_of(const char *const *list)
{
	size_t count = 0, added = 0, at = 0;
	while (environ && environ[count])
		count++;
	while (list && list[added])
		added++;
	const char **result = calloc(count + added + 1, sizeof *result);
	if (!result)
		abort();
	for (size_t i = 0; i < count; i++)
		if (!is_overridden(environ[i], list))
			result[at++] = environ[i];
	for (size_t i = 0; i < added; i++)
		result[at++] = list[i];
	return result;
}

/* A descriptor to read `input` from: a file in memory, so that nobody has to feed a pipe. */
static int input_open(struct span input)
{
	if (input.len == 0)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	int fd = memfd_create("input", MFD_CLOEXEC);
	size_t done = 0;
	while (fd >= 0 && done < input.len) {
		ssize_t n = write(fd, input.ptr + done, input.len - done);
		if (n < 0 && errno != EINTR)
			close_fd(&fd);
		else if (n > 0)
			done += (size_t)n;
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

/* Its own process group, so that its children can be killed too; SIGPIPE as programs expect. */
static int spawn(const struct process_request *request, const int fds[3], pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults, unblocked;
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	for (int i = 0; i < 3; i++)
		posix_spawn_file_actions_adddup2(&actions, fds[i], i);
	posix_spawn_file_actions_addchdir_np(&actions, request->directory);
	sigemptyset(&unblocked);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setsigmask(&attributes, &unblocked);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
						      POSIX_SPAWN_SETSIGMASK);
	const char **environment = environment_of(request->environment);
	int code = posix_spawnp(pid, request->argv[0], &actions, &attributes,
				(char *const *)request->argv, (char *const *)environment);
	free(environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

/* A pipe whose ends lie above 2, so that the child's dup2 onto 0, 1, 2 never overwrites an end that
 * is still needed, even when we were started with one of these closed. */
static int pipe_open(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	for (int i = 0; i < 2; i++) {
		int high = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);
		close(ends[i]);
		ends[i] = high;
	}
	if (ends[0] >= 0 && ends[1] >= 0)
		return 0;
	close_fd(&ends[0]);
	close_fd(&ends[1]);
	return -1;
}

static int child_start(const struct process_request *request, struct child *child,
		       struct error *err)
{
	int out[2] = {-1, -1}, error[2] = {-1, -1};
	int input = input_open(request->input);
	int code = 0;
	if (input < 0 || pipe_open(out) || pipe_open(error))
		code = errno;
	if (!code)
		code = spawn(request, (int[]){input, out[1], error[1]}, &child->pid);
	close_fd(&input);
	close_fd(&out[1]);
	close_fd(&error[1]);
	if (code) {
		close_fd(&out[0]);
		close_fd(&error[0]);
	}
	if (code == ENOENT)
		return error_set(err, ERR_SYSTEM, "the program %s is not installed",
				 request->argv[0]);
	errno = code;
	if (code)
		return error_errno(err, "cannot run %s", request->argv[0]);
	child->out = out[0];
	child->error = error[0];
	child->deadline = milliseconds() + (int64_t)request->seconds * 1000;
	return 0;
}

/* Reads what is there; closes the descriptor at its end. */
static ssize_t read_some(int *fd, char *buffer, size_t size)
{
	ssize_t n = read(*fd, buffer, size);
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		close_fd(fd);
	return n;
}

/* 1: go on, 0: the sink had enough, -1: more than the limit. */
static int take_output(const struct process_request *request, struct child *child,
		       struct process_result *result)
{
	char buffer[16 * 1024];
	ssize_t n = read_some(&child->out, buffer, sizeof buffer);
	if (n <= 0)
		return 1;
	if (request->sink)
		return request->sink(request->context, (struct span){buffer, (size_t)n});
	if ((size_t)n > request->limit - result->out.len)
		return -1;
	strbuf_add(&result->out, buffer, (size_t)n);
	return 1;
}

static void take_error(struct child *child, struct process_result *result)
{
	char buffer[4096];
	ssize_t n = read_some(&child->error, buffer, sizeof buffer);
	if (n > 0 && result->error.len + (size_t)n <= error_limit)
		strbuf_add(&result->error, buffer, (size_t)n);
}

/* Until both pipes are closed; 1 then, else as take_output, or -2 when the time is over. */
static int child_read(const struct process_request *request, struct child *child,
		      struct process_result *result)
{
	while (child->out >= 0 || child->error >= 0) {
		struct pollfd polled[2] = {{child->out, POLLIN, 0}, {child->error, POLLIN, 0}};
		int64_t left = child->deadline - milliseconds();
		if (left <= 0)
			return -2;
		if (poll(polled, 2, (int)left) <= 0)
			continue;
		if (polled[1].revents)
			take_error(child, result);
		if (!polled[0].revents)
			continue;
		int code = take_output(request, child, result);
		if (code != 1)
			return code;
	}
	return 1;
}

/* Waits for the end, which normally is at hand once the pipes are closed. */
static bool child_reap(struct child *child, bool kill_it, int *status)
{
	bool late = false;
	struct timespec pause = {0, 200000};
	for (;;) {
		if (kill_it)
			kill(-child->pid, SIGKILL);
		pid_t pid = waitpid(child->pid, status, kill_it ? 0 : WNOHANG);
		if (pid == child->pid || (pid < 0 && errno != EINTR))
			break;
		if (pid == 0)
			nanosleep(&pause, NULL);
		if (!kill_it && milliseconds() > child->deadline)
			kill_it = late = true;
	}
	close_fd(&child->out);
	close_fd(&child->error);
	return late;
}

int process_run(const struct process_request *request, struct process_result *result,
		struct error *err)
{
	struct child child = {0};
	if (child_start(request, &child, err))
		return -1;
	struct process_result got = {0};
	int status = 0;
	int code = child_read(request, &child, &got);
	if (child_reap(&child, code != 1, &status))
		code = -2;
	if (code < 0)
		process_result_free(&got);
	if (code == -1)
		return error_set(err, ERR_SYSTEM, "%s printed more than %zu bytes",
				 request->argv[0], request->limit);
	if (code == -2)
		return error_set(err, ERR_SYSTEM, "%s did not end within %d seconds",
				 request->argv[0], request->seconds);
	got.stopped = code == 0;
	got.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	*result = got;
	return 0;
}

void process_result_free(struct process_result *result)
{
	strbuf_free(&result->out);
	strbuf_free(&result->error);
}
