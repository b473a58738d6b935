/*
 * rooflog run --against: a commit in a work tree of its own and the work tree here take turns,
 * until what they show is decided or the time is up.
 */
#pragma once

#include "cli/ingest/facts/facts.h"
#include "cli/query/measure/machine/machine.h"
#include "cli/query/measure/session.h"
#include "render/compare/trials/paired.h"

struct against_request {
	const char *base;  /* a commit */
	const char *build; /* a command of the shell that builds each side; NULL: none */
	int budget;        /* seconds, from the first process on */
	const struct reading_options *reading;
	struct session_request session; /* of the side here */
};

struct against {
	struct paired_session paired;
	struct session sides[2]; /* by enum paired_side */
	struct machine *machine;
};

/* Prints what against_run() would do; nothing is run. */
int against_describe(struct cli *cli, const struct against_request *request, struct error *err);
/* The repository is open. ERR_SYSTEM as session_run(); the second work tree is removed in any case,
 * and what was measured stays. */
int against_run(struct cli *cli, const struct against_request *request, struct against *result,
		struct error *err);
