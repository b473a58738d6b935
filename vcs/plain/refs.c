/* Resolves refs: first from loose files, then from packed-refs. The order matters: git pack-refs
 * writes packed-refs before it removes the loose files, so that a ref is always in one of them. */
#include "vcs/plain/refs.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/system/system.h"
#include "model/commits/commits.h"

enum {
	NAME_LIMIT = 1024,       /* bytes of a name */
	LOOSE_LIMIT = 4096,      /* bytes of a loose ref */
	PACKED_LIMIT = 64 << 20, /* bytes of packed-refs; about a million refs */
	SYMBOLIC_LIMIT = 5       /* steps, as in git */
};

struct search {
	const struct repository_path *paths;
	struct arena arena;
	struct span packed;    /* the bytes of packed-refs */
	struct stat packed_at; /* state of the file when it was read */
};

/* Whether git takes the name literally (git-check-ref-format(1)), and its path is inside the
 * directory of refs. */
static bool is_plain(const char *name)
{
	size_t len = strlen(name);
	if (!len || len > NAME_LIMIT || name[len - 1] == '/' || name[len - 1] == '.' ||
	    strpbrk(name, "~^:?*[\\@ \x7f") || strstr(name, "..") || strstr(name, "//") ||
	    strstr(name, "/.") || strstr(name, ".lock") || *name == '.' || *name == '/')
		return false;
	for (const char *at = name; *at; at++)
		if ((unsigned char)*at < 0x20)
			return false;
	return true;
}

/* Whether the name belongs to the refs that each worktree has for itself. */
static bool is_of_worktree(const char *name)
{
	static const char *const parts[] = {"bisect/", "worktree/", "worktrees/", "rewritten/",
					    "main-worktree/"};
	name += strncmp(name, "refs/", 5) == 0 ? 5 : 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strncmp(name, parts[i], strlen(parts[i])) == 0)
			return true;
	return false;
}

static enum ref copy_id(struct span text, size_t digits, char oid[65])
{
	assert(digits < 65 && digits <= text.len);
	snprintf(oid, 65, "%.*s", (int)digits, text.ptr);
	return REF_FOUND;
}

/* --- packed --- */

/* The beginning of the line that ends with " REF"; NULL if there is none. *rest is the text after
 * the line. */
static const char *find_line(struct span bytes, const char *ref, struct span *rest)
{
	char wanted[NAME_LIMIT + 16];
	int len = snprintf(wanted, sizeof wanted, " %s\n", ref);
	const char *hit = bytes.len && len > 0 && (size_t)len < sizeof wanted
				  ? memmem(bytes.ptr, bytes.len, wanted, (size_t)len)
				  : NULL;
	if (!hit)
		return NULL;
	const char *before = memrchr(bytes.ptr, '\n', (size_t)(hit - bytes.ptr));
	const char *end = hit + len;
	*rest = (struct span){end, (size_t)(bytes.ptr + bytes.len - end)};
	return before ? before + 1 : bytes.ptr;
}

enum ref refs_packed(struct span bytes, const char *ref, char oid[65])
{
	struct span rest;
	/* Without a newline at the end, the file is incomplete. */
	if (bytes.len && !span_ends(bytes, "\n"))
		return REF_UNCERTAIN;
	const char *start = find_line(bytes, ref, &rest);
	if (!start)
		return REF_NONE;
	struct span line = {start, (size_t)(rest.ptr - start)};
	size_t digits = object_id_digits(line);
	if (!digits || line.len != digits + strlen(ref) + 2)
		return REF_UNCERTAIN;
	if (!span_starts(rest, "^"))
		return copy_id(line, digits, oid);
	struct span peeled = span_from(rest, 1);
	size_t same = object_id_digits(peeled);
	return same == digits && peeled.ptr[same] == '\n' ? copy_id(peeled, same, oid)
							  : REF_UNCERTAIN;
}

/* --- loose --- */

enum ref refs_loose(struct span bytes, char oid[65], struct span *target)
{
	size_t digits = object_id_digits(bytes);
	*target = (struct span){0};
	if (span_starts(bytes, "ref:")) {
		*target = span_trim(span_from(bytes, 4));
		return target->len && !memchr(target->ptr, '\0', target->len) ? REF_FOUND
									      : REF_UNCERTAIN;
	}
	/* FETCH_HEAD has more text after the id; it is not an ordinary ref. */
	struct span rest = span_from(bytes, digits);
	return digits && !span_trim(rest).len ? copy_id(bytes, digits, oid) : REF_UNCERTAIN;
}

static bool is_unchanged(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* A ref without a loose file may have been packed a moment ago. Therefore packed-refs is read again
 * if it changed since the last look. */
static enum ref look_in_packed(struct search *search, const char *ref, char oid[65])
{
	struct error ignored;
	struct stat now;
	const char *path =
		arena_printf(&search->arena, "%s/packed-refs", search->paths->common_dir);
	if (stat(path, &now) < 0)
		return errno == ENOENT ? REF_NONE : REF_UNCERTAIN;
	if (!is_unchanged(&now, &search->packed_at)) {
		if (file_read_linked(&search->arena, path, PACKED_LIMIT, &search->packed,
				     &ignored) < 0)
			return REF_UNCERTAIN;
		search->packed_at = now;
	}
	return refs_packed(search->packed, ref, oid);
}

static enum ref look(struct search *search, const char *directory, const char *ref, int steps,
		     char oid[65])
{
	struct arena *arena = &search->arena;
	assert(steps <= SYMBOLIC_LIMIT);
	const char *path = arena_printf(arena, "%s/%s", directory, ref);
	struct stat st;
	struct span bytes, target;
	struct error ignored;
	bool there = lstat(path, &st) == 0;
	if (!there && errno != ENOENT && errno != ENOTDIR)
		return REF_UNCERTAIN;
	if (!there || S_ISDIR(st.st_mode))
		return look_in_packed(search, ref, oid);
	if (!S_ISREG(st.st_mode) ||
	    file_read_linked(arena, path, LOOSE_LIMIT, &bytes, &ignored) < 0)
		return REF_UNCERTAIN;
	enum ref found = refs_loose(bytes, oid, &target);
	if (found != REF_FOUND || !target.len)
		return found;
	const char *next = arena_strndup(arena, target.ptr, target.len);
	if (steps == SYMBOLIC_LIMIT || strncmp(next, "refs/", 5) != 0 || !is_plain(next) ||
	    is_of_worktree(next))
		return REF_UNCERTAIN;
	found = look(search, search->paths->common_dir, next, steps + 1, oid);
	return found == REF_NONE ? REF_UNBORN : found;
}

/* --- names --- */

/* Whether there is a file of this name, which git would take for a ref. */
static bool is_file_of(struct search *search, const char *directory, const char *name)
{
	return file_exists(arena_printf(&search->arena, "%s/%s", directory, name));
}

static enum ref expand(struct search *search, const char *name, char oid[65])
{
	static const char *const rules[] = {"refs/%s", "refs/tags/%s", "refs/heads/%s",
					    "refs/remotes/%s", "refs/remotes/%s/HEAD"};
	const char *common = search->paths->common_dir;
	bool whole = strncmp(name, "refs/", 5) == 0;
	if (whole) {
		enum ref found = look(search, common, name, 0, oid);
		if (found != REF_NONE)
			return found == REF_FOUND ? found : REF_UNCERTAIN;
	} else if (is_file_of(search, search->paths->git_dir, name) ||
		   is_file_of(search, common, name)) {
		return REF_UNCERTAIN;
	}
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		char ref[NAME_LIMIT + 32];
		struct span rule = span_of(rules[i]);
		size_t head = span_find(rule, "%s");
		snprintf(ref, sizeof ref, "%.*s%s%s", (int)head, rules[i], name,
			 rules[i] + head + 2);
		enum ref found = look(search, common, ref, 0, oid);
		if (found != REF_NONE)
			return found == REF_FOUND ? found : REF_UNCERTAIN;
	}
	return REF_NONE;
}

/* Whether git would search the objects for the name: an abbreviated id, or output of `git
 * describe`. */
static bool may_be_id(const char *name)
{
	return strspn(name, "0123456789abcdefABCDEF") == strlen(name) || strstr(name, "-g");
}

static enum ref find(struct search *search, const char *name, char oid[65])
{
	if (strcmp(name, "HEAD") == 0 || strcmp(name, "@") == 0) {
		enum ref head = look(search, search->paths->git_dir, "HEAD", 0, oid);
		return head == REF_NONE ? REF_UNCERTAIN : head;
	}
	if (!is_plain(name) || is_of_worktree(name))
		return REF_UNCERTAIN;
	if (object_id_is_full(span_of(name)))
		return copy_id(span_of(name), strlen(name), oid);
	enum ref found = expand(search, name, oid);
	return found == REF_NONE && may_be_id(name) ? REF_UNCERTAIN : found;
}

enum ref refs_find(const struct repository_path *paths, const char *name, char oid[65])
{
	struct search search = {.paths = paths};
	char candidate[65] = "";
	enum ref found = find(&search, name, candidate);
	if (found == REF_FOUND)
		memcpy(oid, candidate, sizeof candidate);
	arena_free(&search.arena);
	return found;
}

/* Whether the loose ref is symbolic; a packed one never is. In a folder that `git new-workdir`
 * made, .git/refs is a link. */
static enum ref symbolic_ref(struct search *search, const char *name)
{
	const char *path = arena_printf(&search->arena, "%s/%s", search->paths->common_dir, name);
	char oid[65];
	struct span bytes, target = {0};
	struct error ignored;
	if (!file_exists(path))
		return REF_NONE;
	if (file_read_linked(&search->arena, path, LOOSE_LIMIT, &bytes, &ignored) < 0)
		return REF_UNCERTAIN;
	return refs_loose(bytes, oid, &target) == REF_FOUND && target.len > 0 ? REF_FOUND
									      : REF_NONE;
}

enum ref refs_exact(const struct repository_path *paths, const char *name, char oid[65])
{
	struct search search = {.paths = paths};
	char candidate[65] = "";
	assert(strncmp(name, "refs/", 5) == 0);
	enum ref found = is_plain(name) && !is_of_worktree(name)
				 ? look(&search, paths->common_dir, name, 0, candidate)
				 : REF_UNCERTAIN;
	if (found == REF_FOUND && span_ends(span_of(name), "/HEAD"))
		found = symbolic_ref(&search, name);
	if (found == REF_FOUND)
		memcpy(oid, candidate, sizeof candidate);
	arena_free(&search.arena);
	return found;
}
