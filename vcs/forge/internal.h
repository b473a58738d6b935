/* Shared by the sources of this room: asking an API, and what APIs call things. */
#pragma once

#include "base/json/json.h"
#include "vcs/forge/forge.h"
#include "vcs/forge/http.h"

/* How an API calls things. In paths %R is the repository, %N the number of the request and %I that
 * of the comment; members are paths in an answer, "head.sha". */
struct forge_api {
	const char *request, *requests, *comments, *comment; /* paths */
	const char *change;                                  /* the method that changes a comment */
	const char *user;                                    /* path: who has the token */
	const char *login;                                   /* its member */
	const char *open;                                    /* value of the request's state */
	const char *number, *head, *head_repository, *base_repository, *url; /* of a request */
	const char *author;                                                  /* of a comment */
	const char *comment_url;   /* member of a comment; NULL: the request's, and #note_ID */
	const char *authorization; /* header */
	const char *robot;         /* who writes with a token that has no user; NULL: unknown */
	const char *accept;        /* header */
};
extern const struct forge_api forge_apis[FORGE_KINDS];

struct forge {
	struct arena *arena;
	const struct forge_target *target;
	const struct forge_api *api;
	struct http *http;
	unsigned waited; /* seconds in all, for the host's sake */
};

/* The URL of a path of the API. */
const char *forge_url(const struct forge *forge, const char *path, const char *number,
		      const char *id);
/* Sends a request, again where that is safe and the host asks for it. An answer of any status but
 * those that ask for patience. -1: no answer; *unclear says whether the server may have acted. */
int forge_ask(struct forge *forge, const char *method, const char *url, const char *body,
	      struct http_answer *answer, bool *unclear, struct error *err);
/* A document: the answer with a status of 200 to 299, parsed. */
int forge_read(struct forge *forge, const char *url, struct json **document, const char **link,
	       struct error *err);
/* A page of a list of objects, and whether there is another one. */
int forge_read_page(struct forge *forge, const char *url, struct json **list, bool *more,
		    struct error *err);
/* Sets *err to what a status means; returns -1. */
int forge_refuse(struct forge *forge, const char *what, const struct http_answer *answer,
		 struct error *err);
/* The member at a path, "head.repo.full_name"; a number as text; NULL if it is not there. */
const char *forge_member(struct arena *arena, const struct json *document, const char *path);
