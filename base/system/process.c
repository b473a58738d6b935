/* Runs one child: spawns it, polls its two pipes until a deadline, reaps it. */
#include "base/system/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const size_t error_limit = 16384; /* bytes of standard error */

struct child {
	pid_t pid;
	int out; /* read ends of the pipes; -1: closed */
	int error;
	int end;          /* signalfd: readable if this process is asked to end */
	int64_t deadline; /* milliseconds of CLOCK_MONOTONIC */
};

/* Why reading a child ended. Negative values are failures. */
enum ending {
	ENDING_OUTPUT = -1, /* printed too much */
	ENDING_TIME = -2,   /* exceeded the time limit */
	ENDING_SIGNAL = -3, /* this process was asked to end */
	ENDING_WATCH = -4,  /* what was watched called it off */
	ENDING_STOP = 0,    /* the sink needs no more */
	ENDING_OWN          /* the program closed its output, or has not yet */
};

static int64_t nanoseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t milliseconds(void)
{
	return nanoseconds() / 1000000;
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

static bool is_program(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

bool process_find(const char *name, char path[PATH_MAX])
{
	struct span rest = span_of(process_variable("PATH"));
	while (rest.ptr) {
		struct span folder = span_cut(&rest, ':');
		if (!span_starts(folder, "/") || folder.len + strlen(name) + 2 > PATH_MAX)
			continue;
		snprintf(path, PATH_MAX, "%.*s/%s", (int)folder.len, folder.ptr, name);
		if (is_program(path))
			return true;
	}
	return false;
}

/* A signal that is ignored (nohup) is not delayed, or a signalfd would report it like the others.
 */
void process_hold(struct process_hold *hold)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	sigemptyset(&hold->ends);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction action;
		if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(&hold->ends, signals[i]);
	}
	pthread_sigmask(SIG_BLOCK, &hold->ends, &hold->before);
}

void process_release(const struct process_hold *hold)
{
	pthread_sigmask(SIG_SETMASK, &hold->before, NULL);
}

/* Whether the list also names the variable of "NAME=value". */
static bool is_overridden(const char *entry, const char *const *list)
{
	size_t len = strcspn(entry, "=");
	for (size_t i = 0; list && list[i]; i++)
		if (strcspn(list[i], "=") == len && strncmp(list[i], entry, len) == 0)
			return true;
	return false;
}

/* The environment of this process with the variables of the list added, replaced or left out. The
 * caller frees the array, but not the texts. */
static const char **environment_of(const char *const *list)
{
	size_t count = 0, added = 0, at = 0;
	while (environ && environ[count])
		count++;
	while (list && list[added])
		added++;
	const char **result = memory_allocate(count + added + 1, sizeof *result);
	for (size_t i = 0; i < count; i++)
		if (!is_overridden(environ[i], list))
			result[at++] = environ[i];
	for (size_t i = 0; i < added; i++)
		if (strchr(list[i], '='))
			result[at++] = list[i];
	return result;
}

/* A descriptor from which `input` can be read: a file in memory, because a pipe would have to be
 * filled while the child runs. -1 with errno. */
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

/* Starts the program in a process group of its own, so that its children can be killed, too, with
 * default signal handling and no signal blocked. Returns an errno, or 0. */
static int spawn(const struct process_request *request, const int fds[3], pid_t *pid)
{
	char path[PATH_MAX];
	const char *program = request->argv[0];
	if (!strchr(program, '/')) {
		if (!process_find(program, path))
			return ENOENT;
		program = path;
	}
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
	sigaddset(&defaults, SIGCHLD);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setsigmask(&attributes, &unblocked);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
						      POSIX_SPAWN_SETSIGMASK);
	const char **environment = environment_of(request->environment);
	int code = posix_spawn(pid, program, &actions, &attributes, (char *const *)request->argv,
			       (char *const *)environment);
	free(environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

/* A pipe whose descriptors are above 2. Otherwise, if this process was started with one of 0, 1 and
 * 2 closed, the child's dup2() onto these could overwrite a descriptor that is still needed. */
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

/* Reads what is available; closes the descriptor at the end and on errors. */
static ssize_t read_some(int *fd, char *buffer, size_t size)
{
	ssize_t n = read(*fd, buffer, size);
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		close_fd(fd);
	return n;
}

/* Reads from the child's standard output. ENDING_OWN: continue. */
static enum ending read_output(const struct process_request *request, struct child *child,
			       struct process_result *result)
{
	char buffer[16 * 1024];
	assert(request->sink || result->out.len <= request->limit);
	ssize_t n = read_some(&child->out, buffer, sizeof buffer);
	if (n <= 0)
		return ENDING_OWN;
	if (request->sink)
		return request->sink(request->context, (struct span){buffer, (size_t)n})
			       ? ENDING_OWN
			       : ENDING_STOP;
	if ((size_t)n > request->limit - result->out.len)
		return ENDING_OUTPUT;
	strbuf_add(&result->out, buffer, (size_t)n);
	return ENDING_OWN;
}

static void read_error(struct child *child, struct process_result *result)
{
	char buffer[4096];
	ssize_t n = read_some(&child->error, buffer, sizeof buffer);
	if (n > 0 && result->error.len + (size_t)n <= error_limit)
		strbuf_add(&result->error, buffer, (size_t)n);
}

/* Reads until both pipes are closed or the child must be killed. */
static enum ending child_read(const struct process_request *request, struct child *child,
			      struct process_result *result)
{
	while (child->out >= 0 || child->error >= 0) {
		struct process_watch *watch = request->watch;
		struct pollfd polled[4] = {{child->out, POLLIN, 0},
					   {child->error, POLLIN, 0},
					   {child->end, POLLIN, 0},
					   {watch ? watch->fd : -1, POLLIN, 0}};
		int64_t left = child->deadline - milliseconds();
		if (left <= 0)
			return ENDING_TIME;
		if (poll(polled, 4, (int)left) <= 0)
			continue;
		if (polled[2].revents)
			return ENDING_SIGNAL;
		if (watch && polled[3].revents && !watch->ready(watch))
			return ENDING_WATCH;
		if (polled[1].revents)
			read_error(child, result);
		if (!polled[0].revents)
			continue;
		enum ending ending = read_output(request, child, result);
		if (ending != ENDING_OWN)
			return ending;
	}
	return ENDING_OWN;
}

/* Lets the child end what it started in other process groups, which a kill would not reach. */
static void ask_to_end(const struct child *child, int grace)
{
	const struct timespec pause = {0, 5000000}; /* 5 ms */
	const int64_t end = milliseconds() + (int64_t)grace * 1000;
	siginfo_t ended = {.si_pid = 0};
	kill(-child->pid, SIGTERM);
	while (waitid(P_PID, (id_t)child->pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       !ended.si_pid && milliseconds() < end)
		nanosleep(&pause, NULL);
}

/* Waits for the child, or kills its process group if the ending is not its own. Normally the child
 * ends as soon as its pipes are closed, hence the short pause. A kill may be too late for a child
 * that ends at the same time, which does no harm. */
static enum ending child_reap(struct child *child, int grace, enum ending ending, int *status)
{
	const struct timespec pause = {0, 200000}; /* 0.2 ms */
	assert(child->pid > 0);
	for (;;) {
		if (ending != ENDING_OWN && grace)
			ask_to_end(child, grace);
		if (ending != ENDING_OWN)
			kill(-child->pid, SIGKILL);
		pid_t pid = waitpid(child->pid, status, ending != ENDING_OWN ? 0 : WNOHANG);
		if (pid == child->pid || (pid < 0 && errno != EINTR))
			break;
		struct pollfd polled = {child->end, POLLIN, 0};
		if (pid == 0 && ppoll(&polled, 1, &pause, NULL) > 0)
			ending = ENDING_SIGNAL;
		else if (pid == 0 && milliseconds() > child->deadline)
			ending = ENDING_TIME;
	}
	close_fd(&child->out);
	close_fd(&child->error);
	return ending;
}

static int process_fail(const struct process_request *request, enum ending ending,
			struct error *err)
{
	assert(ending < 0);
	if (ending == ENDING_OUTPUT)
		return error_set(err, ERR_SYSTEM, "%s printed more than %zu bytes",
				 request->argv[0], request->limit);
	if (ending == ENDING_SIGNAL || ending == ENDING_WATCH)
		return error_set(err, ERR_SYSTEM, "%s was %s", request->argv[0],
				 ending == ENDING_SIGNAL ? "interrupted" : "called off");
	return error_set(err, ERR_SYSTEM, "%s did not end within %d s", request->argv[0],
			 request->seconds);
}

static int run_held(const struct process_request *request, const struct process_hold *hold,
		    struct process_result *result, struct error *err)
{
	struct child child = {.end = request->cleans_up ? -1
							: signalfd(-1, &hold->ends, SFD_CLOEXEC)};
	int64_t began = nanoseconds();
	if (child_start(request, &child, err)) {
		close_fd(&child.end);
		return -1;
	}
	struct process_result read = {0};
	int status = 0;
	enum ending ending = child_read(request, &child, &read);
	ending = child_reap(&child, request->grace, ending, &status);
	read.nanoseconds = nanoseconds() - began;
	close_fd(&child.end);
	if (ending < 0) {
		process_result_free(&read);
		return process_fail(request, ending, err);
	}
	read.stopped = ending == ENDING_STOP;
	read.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	*result = read;
	return 0;
}

/* SIGCHLD is set to its default, because this process may have been started with SIGCHLD ignored:
 * then the system would discard the child's exit status. */
int process_run(const struct process_request *request, struct process_result *result,
		struct error *err)
{
	struct process_hold hold;
	assert(request->argv[0] && request->directory && request->seconds > 0);
	struct sigaction ours = {.sa_handler = SIG_DFL}, theirs;
	sigaction(SIGCHLD, &ours, &theirs);
	process_hold(&hold);
	int rc = run_held(request, &hold, result, err);
	process_release(&hold);
	sigaction(SIGCHLD, &theirs, NULL);
	return rc;
}

void process_result_free(struct process_result *result)
{
	strbuf_free(&result->out);
	strbuf_free(&result->error);
}
