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
	int seconds;               /* limit of one process */
	const char *check;         /* a command of the shell; NULL: none */
	const struct json *params; /* for the params.json of the folder; NULL: nothing is stated */
};

struct session {
	const char *folder;
	struct arguments_of_session {
		char **items; /* files and folders that ingest reads */
		size_t count, capacity;
	} paths;
	bool checked, correct;
};

/* Prints the command lines of a session; nothing is run. */
int session_describe(struct cli *cli, const struct session_request *request, struct error *err);
/* Runs the check, the warm-ups and the repeats. ERR_SYSTEM if a process cannot be run, is
 * interrupted, exceeds its time or ends with another status than 0. */
int session_run(struct cli *cli, const struct session_request *request, struct session *session,
		struct error *err);
