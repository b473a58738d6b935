/*
 * Runs another program and reads its output.
 *
 *   - The program gets an argument vector; no shell is involved.
 *   - Its standard input is empty or the given bytes. Standard output and standard error are
 * separate.
 *   - It runs in a process group of its own. It is killed with its children if it prints too much,
 *     takes too long, or if this process receives SIGINT, SIGTERM or SIGHUP: as it does not belong
 * to the terminal's foreground group, it would not receive Ctrl-C itself.
 */
#pragma once

#include <limits.h>
#include <signal.h>

#include "base/base.h"

/* Receives the next part of the output, valid during the call. Returns false if it needs no more;
 * then the program is killed. */
typedef bool process_sink(void *context, struct span bytes);

/* A descriptor that is watched while the program runs. */
struct process_watch {
	int fd; /* below 0: it is not */
	/* There is something to read, or its other end was closed. Returns false if the program
	 * shall end. */
	bool (*ready)(struct process_watch *watch);
};

struct process_request {
	const char *const *argv;        /* ends with NULL; argv[0] is a path, or a name in PATH */
	const char *const *environment; /* ends with NULL; "NAME=value", in addition to the
					   environment of this process, or instead of its
					   variables of the same name; "NAME": without it; NULL:
					   nothing */
	const char *directory;          /* working directory of the program */
	struct span input;              /* standard input */
	process_sink *sink;             /* receives the output; NULL: it goes to result->out */
	void *context;                  /* for the sink */
	size_t limit;                   /* maximum of bytes in result->out */
	int seconds;                    /* time limit */
	int grace;                      /* seconds from SIGTERM to SIGKILL for a program that must
					   end; 0: it is killed at once */
	struct process_watch *watch;    /* NULL: nothing is watched */
	bool cleans_up;                 /* a signal does not end the program */
};

struct process_result {
	int status;          /* exit status, or 128 + signal */
	bool stopped;        /* the sink needed no more, and the program was killed */
	int64_t nanoseconds; /* from its start until its end was seen, at most 0.2 ms later */
	struct strbuf out;   /* standard output */
	struct strbuf error; /* standard error, at most its first 16 KiB */
};

/* Returns 0 if the program ended or the sink stopped it, whatever its status. ERR_SYSTEM if it
 * could not be started, was interrupted or called off, exceeded the time limit or printed too much.
 * On success, the caller frees the result. */
int process_run(const struct process_request *request, struct process_result *result,
		struct error *err);
void process_result_free(struct process_result *result);
/* Finds a program in the directories of PATH. Directories that are not absolute are skipped: they
 * would depend on the current directory. */
bool process_find(const char *name, char path[PATH_MAX]);
/* Delays SIGINT, SIGTERM and SIGHUP until process_release(), so that cleaning up is not
 * interrupted. They still end a program that process_run() runs meanwhile. Holds may be nested. */
struct process_hold {
	sigset_t ends;   /* the delayed signals */
	sigset_t before; /* the signal mask to restore */
};
void process_hold(struct process_hold *hold);
void process_release(const struct process_hold *hold);
/* A variable of this process's environment, which programs inherit; NULL if it is not set. */
const char *process_variable(const char *name);
