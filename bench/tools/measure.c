/*
 * usage: measure COUNT COMMAND...
 * Runs a command COUNT times with its output thrown away and prints a line for each: CPU seconds
 * (user and system), wall seconds, peak resident KiB. Small, because a child's peak begins with
 * the size of the process that starts it. Exit status 1: a command failed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static _Noreturn void run(char **command)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0)
		_exit(127);
	execvp(command[0], command);
	perror(command[0]);
	_exit(127);
}

static int measure(char **command)
{
	struct rusage usage;
	int status;
	double start = seconds_now();
	pid_t child = fork();
	if (child == 0)
		run(command);
	if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
		perror("measure");
		return -1;
	}
	double wall = seconds_now() - start;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		fprintf(stderr, "measure: %s failed (status %#x)\n", command[0], (unsigned)status);
		return -1;
	}
	printf("%.6f %.6f %ld\n", seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), wall,
	       usage.ru_maxrss);
	fflush(stdout);
	return 0;
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
	if (count < 1) {
		fputs("usage: measure COUNT COMMAND...\n", stderr);
		return 2;
	}
	for (long i = 0; i < count; i++)
		if (measure(argv + 2) < 0)
			return 1;
	return 0;
}
