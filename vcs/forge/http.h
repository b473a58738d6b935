/*
 * Requests to a web API, by libcurl. One request at a time, and none is repeated here.
 *
 *   - Only https, with the certificate verified; http to this machine alone (127.0.0.1, localhost).
 *   - Redirects are not followed: the caller sees the address and decides.
 *   - Proxies and certificates are those of libcurl's environment (https_proxy, SSL_CERT_FILE).
 *
 * Never add what knows a particular API.
 */
#pragma once

#include "base/base.h"

struct http;

/* ERR_SYSTEM without libcurl. End it with http_close(); NULL is fine there. */
int http_open(struct http **http, struct error *err);
void http_close(struct http *http);

/* ERR_USAGE unless requests may go there: see above; no user name or password. `what` is how
 * messages call the address. */
int http_check_url(const char *what, const char *url, struct error *err);
/* Whether both have the same scheme, host and port. */
bool http_is_same_host(const char *a, const char *b);
/* The host, for messages. */
const char *http_host(struct arena *arena, const char *url);

struct http_request {
	const char *method, *url;
	const char *const *headers; /* "Name: value", NULL at the end */
	struct span body;           /* JSON; empty: none */
};

struct http_answer {
	long status;
	struct span body;
	/* Headers; "" where there is none. */
	const char *location, *link, *retry_after;
	const char *limit_remaining, *limit_reset; /* x-ratelimit-*, ratelimit-* */
};

/* Sends the request and reads the answer, whatever its status. On -1 (ERR_SYSTEM) *sent says
 * whether the server may have got the request. Waits at most a minute. */
int http_send(struct http *http, struct arena *arena, const struct http_request *request,
	      struct http_answer *answer, bool *sent, struct error *err);
