/*
 * Pull requests (GitHub, Gitea and Forgejo) and merge requests (GitLab): the one comment that
 * follows each of them.
 *
 *   - The comment is known by its last line, "<!-- rooflog:PROJECT:COMMIT -->", and by its author:
 *     anyone can write such a line.
 *   - It is written only while the request is open and its head is the commit that was judged. At
 * most one comment is added and at most one is changed by a call.
 *   - The token is sent to the host of the API alone, whatever it redirects to; no message has it.
 *   - What a host says of rates (Retry-After, x-ratelimit-*) is obeyed, for two minutes in all. A
 *     request that may have added a comment is not repeated.
 *
 * Never add what decides what a comment says.
 */
#pragma once

#include "base/base.h"

enum forge_kind { FORGE_GITHUB, FORGE_GITLAB, FORGE_GITEA, FORGE_KINDS };
/* "github" ... */
extern const char *const forge_names[FORGE_KINDS];

/* Where to comment, and who. Texts must be those of a command line or of an environment: they are
 * checked here. */
struct forge_target {
	enum forge_kind kind;
	const char *api;        /* base URL: https://api.github.com */
	const char *repository; /* OWNER/NAME; GitLab: also the project's number */
	/* The request: its number, else the open one with this head. With a number, head_repository
	 * is not needed, and head_commit NULL is that of the comment. A job may have measured the
	 * merge of the head, which is another commit. */
	const char *number, *head_commit, *head_repository;
	const char *author;     /* the account whose comments these are; NULL: that of the token */
	bool in_job;            /* of the host: its token may be that of no user */
	const char *token;      /* NULL: none; then nothing can be written */
	const char *token_name; /* where it is from, for messages: "GITHUB_TOKEN" */
	int64_t now;            /* Unix seconds */
	bool dry_run;           /* read, write nothing */
};

/* Sets the request of the target by the event that began a job of GitHub or Gitea, as JSON: an
 * event pull_request has its number and head, workflow_run the head of the workflow before it.
 * Other events change nothing. ERR_FORMAT for what is not JSON. */
int forge_read_event(struct arena *arena, struct span bytes, struct forge_target *target,
		     struct error *err);

/* What a comment's last line says. */
struct forge_marker {
	const char *project, *commit;
};
/* False if the text does not end with such a line. */
bool forge_marker_of(struct arena *arena, struct span body, struct forge_marker *marker);

enum forge_outcome {
	FORGE_CREATED,
	FORGE_UPDATED,
	FORGE_UNCHANGED, /* it says that already */
	FORGE_CLOSED,    /* the request is not open */
	FORGE_MOVED,     /* its head is another commit */
	FORGE_NOWHERE,   /* no open request has this head */
	FORGE_READ_ONLY, /* the request is from a fork, and the token may not write */
	FORGE_OUTCOMES
};
/* "created" ... */
extern const char *const forge_outcome_names[FORGE_OUTCOMES];

struct forge_result {
	enum forge_outcome outcome;
	const char *number; /* that of the request; NULL with FORGE_NOWHERE */
	const char *url;    /* to the comment, else to the request; NULL: unknown */
	const char *head;   /* commit of the request; NULL: unknown */
	/* With dry_run, of the request that would follow; else NULL. */
	const char *method, *request_url, *request_body;
};

/* ERR_USAGE for a body that no comment can have, or that lacks its last line. */
int forge_check_body(struct arena *arena, struct span body, struct error *err);
/* Adds, changes or leaves the comment. ERR_USAGE for a target or a body that cannot be, ERR_SYSTEM
 * for what the host answers. All results are in the arena. */
int forge_comment(struct arena *arena, const struct forge_target *target, struct span body,
		  struct forge_result *result, struct error *err);

/* Posts JSON to a webhook, whose URL is a secret: messages have its host only. One try, and one
 * more after a Retry-After of at most a minute. ERR_USAGE for a URL that cannot be, ERR_SYSTEM for
 * what the host answers. */
int forge_notify(struct arena *arena, const char *url, const char *json, struct error *err);
