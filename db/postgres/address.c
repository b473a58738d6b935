/* Addresses of stores on a server, as text. libpq's grammar is a wide one: what stands before an @
 * may have any other sign. */
#include "db/postgres/address.h"

bool server_is_address(const char *text)
{
	return text && (span_starts(span_of(text), "postgresql://") ||
			span_starts(span_of(text), "postgres://"));
}

/* What comes after the scheme. */
static const char *rest_of(const char *address)
{
	return strstr(address, "://") + strlen("://");
}

/* What comes after the user and the password. */
static const char *host_of(const char *address)
{
	const char *rest = rest_of(address), *at = strrchr(rest, '@');
	return at ? at + 1 : rest;
}

const char *server_project_of(const char *address)
{
	const char *mark = strchr(host_of(address), '#');
	return mark && mark[1] ? mark + 1 : NULL;
}

const char *server_without_project(struct arena *arena, const char *address)
{
	const char *mark = strchr(host_of(address), '#');
	return arena_strndup(arena, address, mark ? (size_t)(mark - address) : strlen(address));
}

/* Only the options that are known to have no secret. */
static void show_options(struct strbuf *sb, struct span options)
{
	static const char *const names[] = {"application_name",
					    "connect_timeout",
					    "dbname",
					    "host",
					    "hostaddr",
					    "port",
					    "service",
					    "sslmode",
					    "sslrootcert",
					    "target_session_attrs",
					    "user"};
	char separator = '?';
	while (options.ptr) {
		struct span one = span_cut(&options, '&'), value = one;
		if (!span_among(span_cut(&value, '='), names, sizeof names / sizeof *names))
			continue;
		strbuf_addch(sb, separator);
		strbuf_addspan(sb, one);
		separator = '&';
	}
}

const char *server_shown(struct arena *arena, const char *address)
{
	struct strbuf sb = {0};
	const char *rest = rest_of(address), *host = host_of(address);
	struct span user = {rest, host > rest ? (size_t)(host - rest) - 1 : 0};
	strbuf_add(&sb, address, (size_t)(rest - address));
	if (host > rest) {
		strbuf_addspan(&sb, span_cut(&user, ':'));
		strbuf_addch(&sb, '@');
	}
	struct span fragment = span_of(host);
	struct span options = span_cut(&fragment, '#');
	strbuf_addspan(&sb, span_cut(&options, '?'));
	if (options.ptr)
		show_options(&sb, options);
	if (fragment.ptr)
		strbuf_addf(&sb, "#%.*s", (int)fragment.len, fragment.ptr);
	return strbuf_into(&sb, arena);
}

/* By its pieces of three bytes or more. */
bool server_quotes_secret(const char *address, const char *words)
{
	const char *colon = strchr(rest_of(address), ':'), *host = host_of(address);
	struct strbuf piece = {0};
	bool quotes = false;
	for (const char *c = colon; c && c < host && !quotes; c++) {
		if (!strchr(":/@?#&= ", *c)) {
			strbuf_addch(&piece, *c);
			continue;
		}
		quotes = piece.len >= 3 && strstr(words, piece.buf);
		strbuf_reset(&piece);
	}
	strbuf_free(&piece);
	return quotes;
}
