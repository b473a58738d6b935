/* Addresses of stores on a server, as text. */
#include "db/postgres/postgres.h"

bool server_is_address(const char *text)
{
	return text && (span_starts(span_of(text), "postgresql://") ||
			span_starts(span_of(text), "postgres://"));
}

const char *server_project_of(const char *address)
{
	const char *mark = strchr(address, '#');
	return mark && mark[1] ? mark + 1 : NULL;
}

/* The user, without the password that follows a colon. */
static void show_user(struct strbuf *sb, struct span authority)
{
	const char *at = memrchr(authority.ptr, '@', authority.len);
	struct span user = {authority.ptr, at ? (size_t)(at - authority.ptr) : 0};
	strbuf_addspan(sb, span_cut(&user, ':'));
	strbuf_addspan(sb, span_from(authority, at ? (size_t)(at - authority.ptr) : 0));
}

/* Options but those that are secret: password, sslpassword. */
static void show_options(struct strbuf *sb, struct span options)
{
	char separator = '?';
	while (options.ptr) {
		struct span one = span_cut(&options, '&'), value = one;
		struct span name = span_cut(&value, '=');
		if (span_ends(name, "password"))
			continue;
		strbuf_addch(sb, separator);
		strbuf_addspan(sb, one);
		separator = '&';
	}
}

const char *server_shown(struct arena *arena, const char *address)
{
	struct span rest = span_of(address);
	struct strbuf sb = {0};
	size_t scheme = span_find(rest, "://") + strlen("://");
	struct span address_part = span_cut(&rest, '#'), options = address_part;
	struct span path = span_cut(&options, '?');
	strbuf_addspan(&sb, (struct span){path.ptr, scheme});
	path = span_from(path, scheme);
	const char *slash = path.len ? memchr(path.ptr, '/', path.len) : NULL;
	size_t authority = slash ? (size_t)(slash - path.ptr) : path.len;
	if (authority)
		show_user(&sb, (struct span){path.ptr, authority});
	strbuf_addspan(&sb, span_from(path, authority));
	if (options.ptr)
		show_options(&sb, options);
	if (rest.ptr)
		strbuf_addf(&sb, "#%.*s", (int)rest.len, rest.ptr);
	return strbuf_into(&sb, arena);
}
