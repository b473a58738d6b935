/* Asks the API of a forge: addresses, the token, patience, and what its statuses mean. */
#include "vcs/forge/internal.h"

#include <unistd.h>

#include "base/text/text.h"

enum {
	PATIENCE = 120,    /* seconds in all */
	TRIES = 4,         /* of one request */
	REDIRECTS = 3,     /* of one request */
	WORDS_LIMIT = 200, /* bytes of what a host says in a message */
	MINUTE = 60,       /* where a host limits rates and does not say for how long */
};

const char *const forge_names[FORGE_KINDS] = {
	[FORGE_GITHUB] = "github", [FORGE_GITLAB] = "gitlab", [FORGE_GITEA] = "gitea"};

#define PULLS                                                                                      \
	.request = "/repos/%R/pulls/%N", .comments = "/repos/%R/issues/%N/comments",               \
	.comment = "/repos/%R/issues/comments/%I", .change = "PATCH", .user = "/user",             \
	.login = "login", .open = "open", .number = "number", .head = "head.sha",                  \
	.head_repository = "head.repo.full_name", .base_repository = "base.repo.full_name",        \
	.url = "html_url", .author = "user.login", .comment_url = "html_url"

const struct forge_api forge_apis[FORGE_KINDS] = {
	[FORGE_GITHUB] = {PULLS, .requests = "/repos/%R/pulls?state=open&per_page=100",
			  .authorization = "Authorization: Bearer ", .robot = "github-actions[bot]",
			  .accept = "Accept: application/vnd.github+json"},
	[FORGE_GITEA] = {PULLS, .requests = "/repos/%R/pulls?state=open&limit=50",
			 .authorization = "Authorization: token ",
			 .accept = "Accept: application/json"},
	[FORGE_GITLAB] = {.request = "/projects/%R/merge_requests/%N",
			  .requests = "/projects/%R/merge_requests?state=opened&per_page=100",
			  .comments = "/projects/%R/merge_requests/%N/notes",
			  .comment = "/projects/%R/merge_requests/%N/notes/%I",
			  .change = "PUT",
			  .user = "/user",
			  .login = "username",
			  .open = "opened",
			  .number = "iid",
			  .head = "sha",
			  .head_repository = "source_project_id",
			  .base_repository = "target_project_id",
			  .url = "web_url",
			  .author = "author.username",
			  .authorization = "PRIVATE-TOKEN: ",
			  .accept = "Accept: application/json"},
};

/* --- addresses and members --- */

/* GitLab takes the whole path of a project as one part. */
static void add_repository(const struct forge *forge, struct strbuf *sb)
{
	for (const char *c = forge->target->repository; *c; c++)
		if (*c == '/' && forge->target->kind == FORGE_GITLAB)
			strbuf_addstr(sb, "%2F");
		else
			strbuf_addch(sb, *c);
}

const char *forge_url(const struct forge *forge, const char *path, const char *number,
		      const char *id)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, forge->target->api);
	for (; *path; path++) {
		if (*path != '%') {
			strbuf_addch(&sb, *path);
			continue;
		}
		path++;
		assert(*path == 'R' || (*path == 'N' && number) || (*path == 'I' && id));
		if (*path == 'R')
			add_repository(forge, &sb);
		else
			strbuf_addstr(&sb, *path == 'N' ? number : id);
	}
	return strbuf_into(&sb, forge->arena);
}

const char *forge_member(struct arena *arena, const struct json *document, const char *path)
{
	struct span rest = span_of(path);
	while (rest.ptr && document) {
		struct span name = span_cut(&rest, '.');
		document = json_get(document, arena_strndup(arena, name.ptr, name.len));
	}
	if (document && document->type == JSON_NUMBER)
		return arena_printf(arena, "%.0f", document->number);
	return document && document->type == JSON_STRING ? document->text : NULL;
}

/* --- what a host says --- */

/* One line, without the token, which a host may repeat. */
static const char *words_of(struct forge *forge, const struct http_answer *answer)
{
	struct error ignored;
	struct arena *arena = forge->arena;
	const struct json *document = json_parse(arena, answer->body, &ignored);
	const char *text = json_text(document, "message", json_text(document, "error", NULL));
	const char *token = forge->target->token;
	if (!text || (token && token[0] && strstr(text, token)))
		return "";
	return utf8_line(arena, text, WORDS_LIMIT);
}

int forge_refuse(struct forge *forge, const char *what, const struct http_answer *answer,
		 struct error *err)
{
	const struct forge_target *target = forge->target;
	const char *host = http_host(forge->arena, target->api), *words = words_of(forge, answer);
	const char *name = target->token ? target->token_name : NULL;
	const char *between = words[0] ? ": " : "";
	switch (answer->status) {
	case 401:
		return error_set(err, ERR_SYSTEM, "%s does not accept %s%s (HTTP 401%s%s)", host,
				 name ? "the token of " : "requests without a token",
				 name ? name : "", between, words);
	case 403:
		return error_set(
			err, ERR_SYSTEM,
			"%s: %s is not allowed (HTTP 403%s%s); the token needs the right to "
			"write comments: permissions: pull-requests: write, or scope api",
			host, what, between, words);
	case 404:
		return error_set(
			err, ERR_SYSTEM,
			"%s: %s: nothing there, or the token may not see it (HTTP 404%s%s)", host,
			what, between, words);
	default:
		return error_set(err, ERR_SYSTEM, "%s: %s failed (HTTP %ld%s%s)", host, what,
				 answer->status, between, words);
	}
}

/* --- patience --- */

/* A header that is a count of seconds; -1: it is none. */
static int64_t seconds_of(const char *text)
{
	int64_t seconds = 0;
	if (!text[0] || strspn(text, "0123456789") != strlen(text) || strlen(text) > 12)
		return -1;
	for (; *text; text++)
		seconds = seconds * 10 + (*text - '0');
	return seconds;
}

/* Seconds to wait before the request is sent again; -1: that is not asked for. GitHub answers 403
 * or 429 where a rate is exceeded, and a 403 that it means has neither header. */
static int64_t patience_of(const struct forge *forge, const struct http_answer *answer,
			   bool repeats)
{
	bool exhausted = strcmp(answer->limit_remaining, "0") == 0;
	int64_t after = seconds_of(answer->retry_after);
	int64_t reset = exhausted ? seconds_of(answer->limit_reset) : -1;
	if (answer->status != 429 && (answer->status != 403 || (after < 0 && !exhausted)))
		return answer->status == 503 && repeats ? after : -1;
	if (after >= 0)
		return after;
	if (reset < 0)
		return MINUTE;
	return reset > forge->target->now + forge->waited
		       ? reset - forge->target->now - forge->waited
		       : 1;
}

static void wait_for(struct forge *forge, int64_t seconds)
{
	sleep((unsigned)seconds);
	forge->waited += (unsigned)seconds;
}

static bool is_broken(long status)
{
	return status == 500 || status == 502 || status == 503 || status == 504;
}

/* What to do after an answer: 1 send again, 0 it stands, -1 *err. `url` follows redirects within
 * the host. */
static int after_answer(struct forge *forge, const char *method, const char **url,
			const struct http_answer *answer, size_t tries, size_t *redirects,
			struct error *err)
{
	bool repeats = strcmp(method, "POST") != 0;
	int64_t patience = patience_of(forge, answer, repeats);
	if (patience >= 0) {
		if (patience > PATIENCE - (int64_t)forge->waited || tries == TRIES)
			return error_set(err, ERR_SYSTEM,
					 "%s limits the rate of requests: try again in %lld s",
					 http_host(forge->arena, *url), (long long)patience);
		wait_for(forge, patience);
		return 1;
	}
	if (is_broken(answer->status) && repeats && tries < TRIES &&
	    forge->waited + tries <= PATIENCE) {
		wait_for(forge, (int64_t)tries);
		return 1;
	}
	bool moved =
		answer->status == 307 || answer->status == 308 ||
		((answer->status == 301 || answer->status == 302) && strcmp(method, "GET") == 0);
	if (!moved || !answer->location[0])
		return 0;
	const char *location = answer->location;
	if (location[0] == '/') {
		size_t host = strcspn(*url, ":") + strlen("://");
		host += strcspn(*url + host, "/?#");
		location = arena_printf(forge->arena, "%.*s%s", (int)host, *url, location);
	}
	if (!http_is_same_host(*url, location) || ++*redirects > REDIRECTS)
		return error_set(
			err, ERR_SYSTEM,
			"%s redirects to another host, or round and round: the token is not sent "
			"there; give the address of the API that answers itself",
			http_host(forge->arena, *url));
	*url = location;
	return 1;
}

int forge_ask(struct forge *forge, const char *method, const char *url, const char *body,
	      struct http_answer *answer, bool *unclear, struct error *err)
{
	const struct forge_target *target = forge->target;
	const char *headers[4] = {forge->api->accept};
	size_t redirects = 0;
	if (target->token)
		headers[1] = arena_printf(forge->arena, "%s%s", forge->api->authorization,
					  target->token);
	*unclear = false;
	for (size_t tries = 1;; tries++) {
		const struct http_request request = {method, url, headers,
						     span_of(body ? body : "")};
		bool sent;
		if (http_send(forge->http, forge->arena, &request, answer, &sent, err) < 0) {
			*unclear = sent && strcmp(method, "GET") != 0;
			if (tries == TRIES || (sent && strcmp(method, "POST") == 0) ||
			    forge->waited + tries > PATIENCE)
				return -1;
			wait_for(forge, (int64_t)tries);
			continue;
		}
		int next = after_answer(forge, method, &url, answer, tries, &redirects, err);
		if (next <= 0)
			return next;
	}
}

int forge_read(struct forge *forge, const char *url, struct json **document, const char **link,
	       struct error *err)
{
	struct http_answer answer;
	bool unclear;
	if (forge_ask(forge, "GET", url, NULL, &answer, &unclear, err) < 0)
		return -1;
	if (answer.status < 200 || answer.status > 299) {
		const char *path = url + strlen(forge->target->api);
		forge_refuse(
			forge,
			arena_printf(forge->arena, "reading %.*s", (int)strcspn(path, "?"), path),
			&answer, err);
		return -1;
	}
	*document = json_parse(forge->arena, answer.body, err);
	if (!*document)
		return error_prefix(err, "%s", http_host(forge->arena, url));
	*link = answer.link;
	return 0;
}

int forge_read_page(struct forge *forge, const char *url, struct json **list, bool *more,
		    struct error *err)
{
	const char *link;
	if (forge_read(forge, url, list, &link, err) < 0)
		return -1;
	*more = strstr(link, "rel=\"next\"") != NULL;
	bool fits = (*list)->type == JSON_ARRAY;
	for (const struct json *one = (*list)->first; one; one = one->next)
		fits = fits && one->type == JSON_OBJECT;
	if (fits)
		return 0;
	const char *path = url + strlen(forge->target->api);
	return error_set(err, ERR_SYSTEM, "%s: the answer to GET %.*s is not a list of objects",
			 http_host(forge->arena, url), (int)strcspn(path, "?"), path);
}
