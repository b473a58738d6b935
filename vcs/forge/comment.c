/* Finds the request and its comment, and writes what is to be written. */
#include "vcs/forge/internal.h"

#include <strings.h>

#include "base/text/text.h"
#include "model/commits/commits.h"

enum {
	PAGES = 100,         /* of one list */
	BODY_LIMIT = 900000, /* bytes; the least of the hosts' limits is GitHub's 65536 characters,
			      * which it checks itself */
};

const char *const forge_outcome_names[FORGE_OUTCOMES] = {
	[FORGE_CREATED] = "created",     [FORGE_UPDATED] = "updated",
	[FORGE_UNCHANGED] = "unchanged", [FORGE_CLOSED] = "closed",
	[FORGE_MOVED] = "moved",         [FORGE_NOWHERE] = "nowhere",
	[FORGE_READ_ONLY] = "read-only"};

/* --- what is given --- */

static bool is_of(const char *text, const char *others)
{
	for (const char *c = text; *c; c++)
		if (!ascii_is_alphanumeric(*c) && !strchr(others, *c))
			return false;
	return text[0] != '\0';
}

/* Parts of a path that go up would reach another part of the API. */
static bool is_repository(const char *text)
{
	return is_of(text, "-_./") && text[0] != '/' && !strstr(text, "..") && !strstr(text, "//");
}

static bool is_number(const char *text)
{
	return text[0] && strspn(text, "0123456789") == strlen(text);
}

static int check_target(const struct forge_target *target, struct error *err)
{
	if (http_check_url("the address of the API", target->api, err) < 0)
		return -1;
	if (strpbrk(target->api, "?#%"))
		return error_set(err, ERR_USAGE, "the address of the API has ?, # or %%: %.200s",
				 target->api);
	if (!is_repository(target->repository))
		return error_set(err, ERR_USAGE, "\"%.200s\" is not a repository, OWNER/NAME",
				 target->repository);
	if (target->number && !is_number(target->number))
		return error_set(err, ERR_USAGE, "\"%.40s\" is not the number of a pull request",
				 target->number);
	if (target->head_commit && !object_id_is_full(span_of(target->head_commit)))
		return error_set(err, ERR_USAGE, "\"%.80s\" is not the full id of a commit",
				 target->head_commit);
	if (target->head_repository && !is_repository(target->head_repository))
		return error_set(err, ERR_USAGE, "\"%.200s\" is not a repository, OWNER/NAME",
				 target->head_repository);
	if (target->head_repository && target->kind == FORGE_GITLAB &&
	    !is_number(target->head_repository))
		return error_set(err, ERR_USAGE,
				 "\"%.200s\" is not the number of a project, as GitLab calls the "
				 "source of a merge request",
				 target->head_repository);
	assert(target->number || (target->head_commit && target->head_repository));
	return 0;
}

int forge_read_event(struct arena *arena, struct span bytes, struct forge_target *target,
		     struct error *err)
{
	const struct json *event = json_parse(arena, bytes, err);
	if (!event)
		return -1;
	const char *number = forge_member(arena, event, "pull_request.number");
	if (number) {
		target->number = number;
		target->head_commit = forge_member(arena, event, "pull_request.head.sha");
	} else if (json_get(event, "workflow_run")) {
		target->head_commit = forge_member(arena, event, "workflow_run.head_sha");
		target->head_repository =
			forge_member(arena, event, "workflow_run.head_repository.full_name");
	}
	return 0;
}

/* --- the last line --- */

bool forge_marker_of(struct arena *arena, struct span body, struct forge_marker *marker)
{
	static const char begin[] = "<!-- rooflog:", end[] = " -->";
	struct span line = span_trim(span_last_line(span_trim(body)));
	if (!span_starts(line, begin) || !span_ends(line, end))
		return false;
	line = span_from(line, strlen(begin));
	line.len -= strlen(end);
	size_t colon = line.len;
	while (colon && line.ptr[colon - 1] != ':')
		colon--;
	if (colon < 2 || colon == line.len)
		return false;
	*marker = (struct forge_marker){arena_strndup(arena, line.ptr, colon - 1),
					arena_strndup(arena, line.ptr + colon, line.len - colon)};
	return object_id_is_full(span_of(marker->commit));
}

/* --- the request --- */

/* Sets result->number to that of the open request with the head; NULL: there is none. */
static int find_number(struct forge *forge, struct forge_result *result, struct error *err)
{
	const struct forge_target *target = forge->target;
	const struct forge_api *api = forge->api;
	const char *first = forge_url(forge, api->requests, NULL, NULL);
	for (size_t page = 1; page <= PAGES; page++) {
		struct json *list;
		bool more;
		const char *url = arena_printf(forge->arena, "%s&page=%zu", first, page);
		if (forge_read_page(forge, url, &list, &more, err) < 0)
			return -1;
		for (const struct json *one = list->first; one; one = one->next) {
			const char *head = forge_member(forge->arena, one, api->head);
			const char *from = forge_member(forge->arena, one, api->head_repository);
			if (!span_text_eq(head, target->head_commit) || !from ||
			    strcasecmp(from, target->head_repository) != 0)
				continue;
			result->number = forge_member(forge->arena, one, api->number);
			return 0;
		}
		if (!more)
			break;
	}
	return 0;
}

struct request {
	bool open, fork;
};

static int read_request(struct forge *forge, struct forge_result *result, struct request *request,
			struct error *err)
{
	const struct forge_api *api = forge->api;
	struct arena *arena = forge->arena;
	struct json *document;
	const char *link;
	if (forge_read(forge, forge_url(forge, api->request, result->number, NULL), &document,
		       &link, err) < 0)
		return -1;
	const char *from = forge_member(arena, document, api->head_repository);
	const char *to = forge_member(arena, document, api->base_repository);
	result->head = forge_member(arena, document, api->head);
	result->url = forge_member(arena, document, api->url);
	if (!result->head)
		return error_set(err, ERR_SYSTEM, "%s: the answer about request %s has no head",
				 http_host(arena, forge->target->api), result->number);
	request->open = span_text_eq(json_text(document, "state", NULL), api->open);
	/* The repository of a head may be deleted. */
	request->fork = !from || !to || strcasecmp(from, to) != 0;
	return 0;
}

/* --- its comment --- */

static int find_author(struct forge *forge, const char **author, struct error *err)
{
	const struct forge_target *target = forge->target;
	struct http_answer answer;
	bool unclear;
	*author = target->author;
	if (*author || !target->token)
		return 0;
	const char *url = forge_url(forge, forge->api->user, NULL, NULL);
	if (forge_ask(forge, "GET", url, NULL, &answer, &unclear, err) < 0)
		return -1;
	if (answer.status == 200) {
		struct json *user = json_parse(forge->arena, answer.body, err);
		*author = user ? forge_member(forge->arena, user, forge->api->login) : NULL;
	} else if (answer.status == 403) {
		/* The token of a job belongs to no user. */
		*author = target->in_job ? forge->api->robot : NULL;
	} else {
		return forge_refuse(forge, "reading /user", &answer, err);
	}
	if (*author)
		return 0;
	return error_set(err, ERR_SYSTEM,
			 "%s does not say whose token this is (HTTP %ld): name the account whose "
			 "comments are rooflog's by --author",
			 http_host(forge->arena, target->api), answer.status);
}

struct comment {
	const char *id, *body, *url; /* id NULL: there is none */
};

/* The latest comment of the author with a marker of the project. */
static int find_comment(struct forge *forge, const char *number, const char *project,
			const char *author, struct comment *found, struct error *err)
{
	const struct forge_api *api = forge->api;
	const char *first = forge_url(forge, api->comments, number, NULL);
	for (size_t page = 1; author && page <= PAGES; page++) {
		struct json *list;
		bool more;
		const char *url = arena_printf(
			forge->arena, "%s?%s&page=%zu", first,
			forge->target->kind == FORGE_GITEA ? "limit=50" : "per_page=100", page);
		if (forge_read_page(forge, url, &list, &more, err) < 0)
			return -1;
		for (const struct json *one = list->first; one; one = one->next) {
			const char *body = json_text(one, "body", "");
			struct forge_marker marker;
			const char *by = forge_member(forge->arena, one, api->author);
			if (!by || strcasecmp(by, author) != 0 ||
			    !forge_marker_of(forge->arena, span_of(body), &marker) ||
			    strcmp(marker.project, project) != 0)
				continue;
			found->id = forge_member(forge->arena, one, "id");
			found->body = body;
			found->url = api->comment_url
					     ? forge_member(forge->arena, one, api->comment_url)
					     : NULL;
		}
		if (!more)
			break;
	}
	return 0;
}

/* Hosts may end lines with CR LF, and drop blanks at the end. */
static bool is_same_text(const char *stored, struct span body)
{
	struct span a = span_trim(span_of(stored)), b = span_trim(body);
	size_t i = 0, k = 0;
	while (i < a.len && k < b.len) {
		i += a.ptr[i] == '\r';
		if (i == a.len || a.ptr[i] != b.ptr[k])
			return false;
		i++;
		k++;
	}
	return i == a.len && k == b.len;
}

/* --- writing --- */

static const char *json_of_body(struct arena *arena, struct span body)
{
	struct strbuf sb = {0};
	struct json *document = json_object(arena);
	json_set_text(arena, document, "body", arena_strndup(arena, body.ptr, body.len));
	json_exact(&sb, document);
	return strbuf_into(&sb, arena);
}

static void note_url(struct forge *forge, const struct json *comment, const char *id,
		     struct forge_result *result)
{
	const char *url = forge->api->comment_url
				  ? forge_member(forge->arena, comment, forge->api->comment_url)
				  : NULL;
	if (url)
		result->url = url;
	else if (result->url && id)
		result->url = arena_printf(forge->arena, "%s#note_%s", result->url, id);
}

static int write_comment(struct forge *forge, const struct comment *old, struct span body,
			 bool fork, struct forge_result *result, struct error *err)
{
	const struct forge_api *api = forge->api;
	struct http_answer answer;
	struct error ignored;
	bool unclear;
	const char *method = old->id ? api->change : "POST";
	const char *path = old->id ? api->comment : api->comments;
	const char *url = forge_url(forge, path, result->number, old->id);
	const char *document = json_of_body(forge->arena, body);
	result->outcome = old->id ? FORGE_UPDATED : FORGE_CREATED;
	if (forge->target->dry_run) {
		result->method = method;
		result->request_url = url;
		result->request_body = document;
		return 0;
	}
	if (!forge->target->token)
		return error_set(err, ERR_USAGE,
				 "a token is needed to comment: set ROOFLOG_TOKEN, or give "
				 "--token-file");
	if (forge_ask(forge, method, url, document, &answer, &unclear, err) < 0)
		return unclear ? error_prefix(err, "it is unknown whether the comment was written; "
						   "run the command again")
			       : -1;
	if (answer.status == 403 && fork) {
		result->outcome = FORGE_READ_ONLY;
		return 0;
	}
	if (answer.status < 200 || answer.status > 299)
		return forge_refuse(forge, old->id ? "changing the comment" : "commenting", &answer,
				    err);
	struct json *written = json_parse(forge->arena, answer.body, &ignored);
	note_url(forge, written, forge_member(forge->arena, written, "id"), result);
	return 0;
}

static int comment(struct forge *forge, const struct forge_marker *marker, struct span body,
		   struct forge_result *result, struct error *err)
{
	struct request request = {false, false};
	struct comment old = {.id = NULL};
	const char *author;
	result->number = forge->target->number;
	if (!result->number && find_number(forge, result, err) < 0)
		return -1;
	result->outcome = FORGE_NOWHERE;
	if (!result->number)
		return 0;
	if (read_request(forge, result, &request, err) < 0)
		return -1;
	result->outcome = FORGE_CLOSED;
	if (!request.open)
		return 0;
	result->outcome = FORGE_MOVED;
	const char *head = forge->target->head_commit ? forge->target->head_commit : marker->commit;
	if (strcmp(result->head, head) != 0)
		return 0;
	if (find_author(forge, &author, err) < 0 ||
	    find_comment(forge, result->number, marker->project, author, &old, err) < 0)
		return -1;
	if (!old.id || !is_same_text(old.body, body))
		return write_comment(forge, &old, body, request.fork, result, err);
	result->outcome = FORGE_UNCHANGED;
	if (old.url)
		result->url = old.url;
	return 0;
}

int forge_check_body(struct arena *arena, struct span body, struct error *err)
{
	struct forge_marker ignored;
	if (body.len > BODY_LIMIT)
		return error_set(err, ERR_USAGE, "a comment of %zu bytes is too long", body.len);
	if (!utf8_is_text(body))
		return error_set(err, ERR_USAGE, "not UTF-8, or with NUL");
	if (!forge_marker_of(arena, body, &ignored))
		return error_set(err, ERR_USAGE,
				 "its last line is not that of a comment: write it by \"rooflog "
				 "gate -o comment=FILE\"");
	return 0;
}

int forge_comment(struct arena *arena, const struct forge_target *target, struct span body,
		  struct forge_result *result, struct error *err)
{
	struct forge forge = {arena, target, &forge_apis[target->kind], NULL, 0};
	struct forge_result found = {.outcome = FORGE_NOWHERE};
	struct forge_marker marker;
	if (forge_check_body(arena, body, err) < 0 || !forge_marker_of(arena, body, &marker) ||
	    check_target(target, err) < 0 || http_open(&forge.http, err) < 0)
		return -1;
	int failed = comment(&forge, &marker, body, &found, err);
	http_close(forge.http);
	if (failed < 0)
		return -1;
	*result = found;
	return 0;
}
