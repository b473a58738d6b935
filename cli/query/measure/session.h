/*
 * A session: the repeats of one program, each a process of its own, and the files that they leave
 * in out/profiles/PROGRAM/TIME. What a session wrote stays there, whatever happens to it.
 */
#pragma once

#include "cli/context.h"
#include "cli/query/measure/tool.h"

struct session_request {
	const struct measuring_tool *tool;
	const char *const *program; /* ends with NULL */
	size_t repeat, warmup;
	int seconds;           /* limit of one process */
	bool lock_clocks;      /* of the GPU */
	const char *directory; /* where the program runs */
	const char *here;      /* the current directory, if that is another one; else NULL */
	const char *build;     /* for session_describe(); NULL: none */
	const char *check;     /* a command of the shell; NULL: none */
	uint32_t seed; /* the check gets it, each process one of its own after it; 0: no seeds */
	uint32_t turn; /* of the next process: two with the same turn get the same seed */
	const struct json *params; /* for the params.json of the folder; NULL: nothing is stated */
};

struct session {
	const char *folder;
	struct arguments_of_session {
		char **items; /* files and folders that ingest reads */
		size_t count, capacity;
	} paths;
	bool checked, correct;
	const char *command; /* the program's name and its arguments */
	double seconds; /* of the last process, if it is measured by its time alone; else NAN */
	struct json *document, *times, *codes; /* the times of the processes, as hyperfine writes */
};

/* The command line of a repeat that writes into the folder. */
const char *session_line(struct cli *cli, const struct session_request *request,
			 const char *folder);
/* Prints the command lines of a session; nothing is run. */
int session_describe(struct cli *cli, const struct session_request *request, struct error *err);
/* Runs the check, the warm-ups and the repeats. ERR_SYSTEM if a process cannot be run, is
 * interrupted, exceeds its time or ends with another status than 0. */
int session_run(struct cli *cli, const struct session_request *request, struct session *session,
		struct error *err);

/* The parts of session_run(), for sessions that take turns. */

/* The folder of a new session: out/profiles/PROGRAM/TIME. */
const char *session_folder(struct cli *cli, const char *program);
/* Builds with a command of the shell in a directory. */
int session_build(struct cli *cli, const char *command, const char *directory, struct error *err);
/* Runs the check, if there is one. */
int session_check(struct cli *cli, const struct session_request *request, struct session *session,
		  struct error *err);
/* Makes session->folder, which is given, and runs the warm-ups. */
int session_begin(struct cli *cli, const struct session_request *request, struct session *session,
		  struct error *err);
/* Runs repeat `number`, from 1. It adds the file that it wrote to session->paths, or sets
 * session->seconds. */
int session_measure(struct cli *cli, const struct session_request *request, struct session *session,
		    size_t number, struct error *err);
/* Writes the times of the processes, if they were measured by these. */
int session_end(struct cli *cli, const struct session_request *request, struct session *session,
		struct error *err);
