/*
 * Runs another program and reads what it prints: an argument vector, never a
 * shell. Standard input is empty or given bytes, messages are kept apart from
 * results, and a program that prints too much or takes too long is killed
 * together with its children. So it is when we are asked to end (SIGINT, SIGTERM,
 * SIGHUP), because it is no part of the terminal's foreground group.
 */
#pragma once

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Takes a piece of the output; false means "enough": the program is ended early. */
typedef bool process_sink(void *context, struct span bytes);

struct process_request {
	const char *const *argv;        /* NULL-ended; argv[0] as process_find() finds it */
	const char *const *environment; /* NULL-ended "NAME=value": added to ours, or NULL */
	const char *directory;          /* where it runs */
	struct span input;              /* its standard input */
	process_sink *sink;             /* where the output goes; NULL: into result->out */
	void *context;
	size_t limit; /* most bytes of output taken without a sink */
	int seconds;  /* time limit */
};

struct process_result {
	int status;          /* exit status, or 128 + signal */
	bool stopped;        /* the sink had enough */
	struct strbuf out;   /* standard output */
	struct strbuf error; /* standard error, the first 16 KiB */
};

/* 0 when the program ran to its end or was stopped by the sink, whatever its status; -1 and
 * ERR_SYSTEM when it could not be started, was too slow or printed too much. The result must be
 * freed on success only. */
int process_run(const struct process_request *request, struct process_result *result,
		struct error *err);
void process_result_free(struct process_result *result);
/* The program in the absolute directories of PATH: an empty or relative one would be the current
 * directory. */
bool process_find(const char *name, char path[PATH_MAX]);
/* Until process_release() the requests to end wait, so that what must be removed is removed; they
 * still end a program that runs meanwhile. Holds may be nested. */
struct process_hold {
	sigset_t ends, before;
};
void process_hold(struct process_hold *hold);
void process_release(const struct process_hold *hold);
/* A variable of our own environment, as the programs run from here will see it; NULL: unset. */
const char *process_variable(const char *name);
