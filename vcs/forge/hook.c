/* Posts to a webhook. */
#include <unistd.h>

#include "vcs/forge/forge.h"
#include "vcs/forge/http.h"

enum { PATIENCE = 60 }; /* seconds */

/* Seconds after which the host takes the same again; 0: it does not say. */
static unsigned patience_of(const struct http_answer *answer)
{
	double seconds;
	bool asked = answer->status == 429 && span_number(span_of(answer->retry_after), &seconds) &&
		     seconds > 0 && seconds <= PATIENCE;
	return asked ? (unsigned)seconds : 0;
}

static int post(struct http *http, struct arena *arena, const char *url, const char *json,
		struct error *err)
{
	static const char *const no_headers[] = {NULL};
	const struct http_request request = {"POST", url, no_headers, span_of(json)};
	struct http_answer answer;
	bool sent;
	for (size_t tries = 0; tries < 2; tries++) {
		if (http_send(http, arena, &request, &answer, &sent, err) < 0)
			return -1;
		if (answer.status >= 200 && answer.status <= 299)
			return 0;
		unsigned seconds = patience_of(&answer);
		if (!seconds)
			break;
		if (tries == 0)
			sleep(seconds);
	}
	const char *host = http_host(arena, url);
	if (answer.status == 404 || answer.status == 410)
		return error_set(err, ERR_SYSTEM,
				 "%s does not know this webhook (HTTP %ld): it was revoked, or its "
				 "URL is mistyped",
				 host, answer.status);
	return error_set(err, ERR_SYSTEM, "%s did not take the message (HTTP %ld)", host,
			 answer.status);
}

int forge_notify(struct arena *arena, const char *url, const char *json, struct error *err)
{
	struct http *http = NULL;
	if (http_check_url("the URL of the webhook", url, err) < 0 || http_open(&http, err) < 0)
		return -1;
	int failed = post(http, arena, url, json, err);
	http_close(http);
	return failed;
}
