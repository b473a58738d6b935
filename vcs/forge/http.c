/* Requests by libcurl's easy interface, one handle for all. */
#include "vcs/forge/http.h"

#include <strings.h>

#include "vcs/forge/library.h"

enum {
	CONNECT_SECONDS = 15,
	WHOLE_SECONDS = 60,
	HEADER_LIMIT = 4096, /* bytes of a header that is kept */
};
static const size_t answer_limit = (size_t)32 << 20;

struct http {
	CURL *handle;
};

/* --- addresses --- */

static struct span host_of(const char *url)
{
	struct span rest = span_of(url);
	size_t at = span_find(rest, "://");
	rest = at < rest.len ? span_from(rest, at + 3) : rest;
	size_t end = 0;
	while (end < rest.len && !strchr("/?#", rest.ptr[end]))
		end++;
	return (struct span){rest.ptr, end};
}

static bool is_this_machine(struct span host)
{
	static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t len = strlen(names[i]);
		if (host.len >= len && memcmp(host.ptr, names[i], len) == 0 &&
		    (host.len == len || host.ptr[len] == ':'))
			return true;
	}
	return false;
}

int http_check_url(const char *what, const char *url, struct error *err)
{
	struct span host = host_of(url);
	bool secure = strncmp(url, "https://", 8) == 0;
	for (const char *c = url; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			return error_set(err, ERR_USAGE, "%s has blanks or control characters",
					 what);
	if (!host.len || (!secure && strncmp(url, "http://", 7) != 0))
		return error_set(err, ERR_USAGE, "%s is not a URL that begins with https://", what);
	if (memchr(host.ptr, '@', host.len))
		return error_set(err, ERR_USAGE, "%s has a user name: leave it out", what);
	if (!secure && !is_this_machine(host))
		return error_set(err, ERR_USAGE,
				 "%s begins with http://: a token is only sent over https://",
				 what);
	return 0;
}

bool http_is_same_host(const char *a, const char *b)
{
	struct span x = host_of(a), y = host_of(b);
	size_t scheme = strcspn(a, ":");
	return x.len == y.len && strncasecmp(x.ptr, y.ptr, x.len) == 0 &&
	       scheme == strcspn(b, ":") && strncasecmp(a, b, scheme) == 0;
}

const char *http_host(struct arena *arena, const char *url)
{
	struct span host = host_of(url);
	return arena_strndup(arena, host.ptr, host.len);
}

/* --- the handle --- */

int http_open(struct http **http, struct error *err)
{
	if (lazy_curl_open(err) < 0)
		return -1;
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return error_set(err, ERR_SYSTEM, "libcurl cannot be initialized");
	CURL *handle = curl_easy_init();
	if (!handle)
		return error_set(err, ERR_SYSTEM, "libcurl cannot be initialized");
	*http = memory_allocate(1, sizeof **http);
	(*http)->handle = handle;
	return 0;
}

void http_close(struct http *http)
{
	if (!http)
		return;
	curl_easy_cleanup(http->handle);
	free(http);
}

/* --- an answer --- */

struct receiving {
	struct arena *arena;
	struct http_answer *answer;
	struct strbuf body;
	bool too_long;
};

static size_t take_body(char *bytes, size_t size, size_t count, void *context)
{
	struct receiving *receiving = context;
	size_t len = size * count;
	receiving->too_long = receiving->body.len + len > answer_limit;
	if (receiving->too_long)
		return 0;
	strbuf_add(&receiving->body, bytes, len);
	return len;
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context)
{
	struct receiving *receiving = context;
	struct http_answer *answer = receiving->answer;
	const struct {
		const char *name, **value;
	} headers[] = {
		{"location", &answer->location},
		{"link", &answer->link},
		{"retry-after", &answer->retry_after},
		{"x-ratelimit-remaining", &answer->limit_remaining},
		{"ratelimit-remaining", &answer->limit_remaining},
		{"x-ratelimit-reset", &answer->limit_reset},
		{"ratelimit-reset", &answer->limit_reset},
	};
	struct span value = {bytes, size * count};
	struct span name = span_cut(&value, ':');
	value = span_trim(value);
	for (size_t i = 0; i < sizeof headers / sizeof *headers && value.ptr; i++)
		if (name.len == strlen(headers[i].name) && value.len <= HEADER_LIMIT &&
		    strncasecmp(name.ptr, headers[i].name, name.len) == 0)
			*headers[i].value = arena_strndup(receiving->arena, value.ptr, value.len);
	return size * count;
}

/* --- a request --- */

static void prepare(CURL *handle, const struct http_request *request, struct curl_slist *headers,
		    struct receiving *receiving)
{
	curl_easy_setopt(handle, CURLOPT_URL, request->url);
	curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->method);
	curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
	/* What is not encrypted stays on this machine. */
	curl_easy_setopt(handle, CURLOPT_NOPROXY,
			 strncmp(request->url, "http://", 7) == 0 ? "*" : NULL);
	/* libcurl repeats a request by itself if a connection that it had kept open is cut: what
	 * writes gets a new one. */
	curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, request->body.len ? 1L : 0L);
	curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	curl_easy_setopt(handle, CURLOPT_TIMEOUT, (long)WHOLE_SECONDS);
	curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
	curl_easy_setopt(handle, CURLOPT_WRITEDATA, receiving);
	curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(handle, CURLOPT_HEADERDATA, receiving);
	if (request->body.len) {
		curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
				 (curl_off_t)request->body.len);
		curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request->body.ptr);
	} else {
		curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
	}
}

/* Whether the request cannot have reached a server. */
static bool is_unsent(CURLcode code)
{
	return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY ||
	       code == CURLE_COULDNT_CONNECT || code == CURLE_SSL_CONNECT_ERROR ||
	       code == CURLE_PEER_FAILED_VERIFICATION;
}

int http_send(struct http *http, struct arena *arena, const struct http_request *request,
	      struct http_answer *answer, bool *sent, struct error *err)
{
	struct curl_slist *headers = NULL;
	struct receiving receiving = {.arena = arena, .answer = answer};
	*answer = (struct http_answer){.location = "",
				       .link = "",
				       .retry_after = "",
				       .limit_remaining = "",
				       .limit_reset = ""};
	for (const char *const *header = request->headers; *header; header++)
		headers = curl_slist_append(headers, *header);
	headers = curl_slist_append(headers, "User-Agent: rooflog");
	headers = curl_slist_append(headers, "Content-Type: application/json");
	/* Without this, libcurl would ask before it sends a long body. */
	headers = curl_slist_append(headers, "Expect:");
	prepare(http->handle, request, headers, &receiving);
	CURLcode code = curl_easy_perform(http->handle);
	curl_slist_free_all(headers);
	*sent = !is_unsent(code);
	if (code == CURLE_OK) {
		curl_easy_getinfo(http->handle, CURLINFO_RESPONSE_CODE, &answer->status);
		answer->body.len = receiving.body.len;
		answer->body.ptr = strbuf_into(&receiving.body, arena);
		return 0;
	}
	strbuf_free(&receiving.body);
	return error_set(err, ERR_SYSTEM, "%s: %s", http_host(arena, request->url),
			 receiving.too_long ? "the answer has more than 32 MiB"
					    : curl_easy_strerror(code));
}
