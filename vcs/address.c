/* Takes addresses apart, and knows where hosts show commits. */
#include "vcs/address.h"

#include <ctype.h>

/* The path of the page of a commit below the path of its repository, by what the name of the host
 * contains. The first row that fits counts. */
static const struct {
	const char *host, *page;
} hosts[] = {
	{"bitbucket.org", "/commits/"}, {"codeberg.org", "/commit/"}, {"forgejo", "/commit/"},
	{"git.sr.ht", "/commit/"},      {"gitea", "/commit/"},        {"github", "/commit/"},
	{"gitlab", "/-/commit/"},
};

/* Moves what is before the first `c` to *before; false, and both unchanged, if `c` is not there. */
static bool cut_at(struct span *rest, char c, struct span *before)
{
	const char *at = rest->ptr ? memchr(rest->ptr, c, rest->len) : NULL;
	if (!at)
		return false;
	*before = (struct span){rest->ptr, (size_t)(at - rest->ptr)};
	*rest = (struct span){at + 1, rest->len - before->len - 1};
	return true;
}

static bool has_only(struct span text, const char *others)
{
	for (size_t i = 0; i < text.len; i++)
		if (!text.ptr[i] ||
		    (!isalnum((unsigned char)text.ptr[i]) && !strchr(others, text.ptr[i])))
			return false;
	return text.len > 0;
}

const char *address_of_commits(struct arena *arena, const char *address, bool known_hosts_only)
{
	static const char *const schemes[] = {"https://", "http://", "ssh://", "git://"};
	struct span path = span_of(address), host, left_out;
	const char *scheme = NULL, *page = NULL;
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes && !scheme; i++)
		if (span_starts(path, schemes[i]))
			scheme = schemes[i];
	if (scheme)
		path = (struct span){path.ptr + strlen(scheme), path.len - strlen(scheme)};
	if (!cut_at(&path, scheme ? '/' : ':', &host))
		return NULL;
	while (cut_at(&host, '@', &left_out))
		;
	bool is_web = scheme && scheme[0] == 'h';
	/* The port of ssh is not that of the pages. */
	if (scheme && !is_web && cut_at(&host, ':', &left_out))
		host = left_out;
	while (span_ends(path, "/"))
		path.len--;
	if (span_ends(path, ".git"))
		path.len -= strlen(".git");
	while (span_starts(path, "/"))
		path = span_from(path, 1);
	if (!has_only(host, is_web ? ".-:" : ".-") || !has_only(path, "-._~/+"))
		return NULL;
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts && !page; i++)
		if (span_find(host, hosts[i].host) < host.len)
			page = hosts[i].page;
	if (!page && known_hosts_only)
		return NULL;
	return arena_printf(arena, "%s%.*s/%.*s%s", is_web ? scheme : "https://", (int)host.len,
			    host.ptr, (int)path.len, path.ptr, page ? page : "/commit/");
}

/* Hosts have no case, and the usual port may be left out. */
const char *address_of_project(struct arena *arena, const char *address)
{
	static const char *const pages[] = {"/-/commit/", "/commits/", "/commit/"};
	const char *commits = address ? address_of_commits(arena, address, false) : NULL;
	struct span name =
		commits ? span_of(strstr(commits, "://") + strlen("://")) : (struct span){NULL, 0};
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof pages / sizeof *pages && !sb.len; i++)
		if (span_ends(name, pages[i]))
			strbuf_add(&sb, name.ptr, name.len - strlen(pages[i]));
	if (!sb.len)
		return NULL;
	for (char *c = sb.buf; *c != '/'; c++)
		*c = (char)tolower((unsigned char)*c);
	struct span host = {sb.buf, strcspn(sb.buf, "/")};
	struct span path = span_from(strbuf_span(&sb), host.len);
	size_t port = span_ends(host, ":443") ? 4 : span_ends(host, ":80") ? 3 : 0;
	const char *project = arena_printf(arena, "%.*s%.*s", (int)(host.len - port), host.ptr,
					   (int)path.len, path.ptr);
	strbuf_free(&sb);
	return project;
}

const char *address_of_diffs(struct arena *arena, const char *commits)
{
	static const char page[] = "/commit/";
	struct span address = commits ? span_of(commits) : (struct span){NULL, 0};
	if (!commits || !span_ends(address, page) || strstr(commits, "git.sr.ht"))
		return NULL;
	return arena_printf(arena, "%.*s/compare/", (int)(address.len - strlen(page)), commits);
}
