/* Walks directories in a fixed order, and finds out where links lead and who made them. */
#include "cli/ingest/folders/directory_walk.h"

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static const int depth_limit = 64;

/* Excludes .git, .rooflog and other hidden names. */
static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Sorts by bytes, so that the order does not depend on the locale. */
static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_link(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Whether a file that was found in a folder, or below it, is a link to something outside of it. */
static bool leads_out(const char *path, const char *folder)
{
	char target[PATH_MAX], top[PATH_MAX];
	if (!is_link(path))
		return false;
	if (!realpath(path, target) || !realpath(folder, top))
		return true;
	size_t len = strcmp(top, "/") == 0 ? 0 : strlen(top);
	return strncmp(target, top, len) != 0 || target[len] != '/';
}

struct walk {
	struct arena *arena;
	const char *root;
	struct tree_list *list;
};

static int walk(const struct walk *at, const char *directory, int depth, struct error *err);

static int add_entry(const struct walk *at, const char *path, int depth, struct error *err)
{
	struct stat st;
	if (lstat(path, &st) < 0)
		return 0;
	if (S_ISDIR(st.st_mode))
		return walk(at, path, depth + 1, err);
	/* A link to a directory may lead around in a circle, one to a pipe may never end. */
	bool link = S_ISLNK(st.st_mode), file = stat(path, &st) == 0 && S_ISREG(st.st_mode);
	if (link || file)
		*arena_add(at->arena, at->list) = (struct tree_file){
			.path = path, .is_passed_over = !file || leads_out(path, at->root)};
	return 0;
}

static int walk(const struct walk *at, const char *directory, int depth, struct error *err)
{
	struct dirent **names;
	if (depth > depth_limit)
		return error_set(err, ERR_SYSTEM, "%s is nested more than %d folders deep",
				 directory, depth_limit);
	int count = scandir(directory, &names, visible, by_bytes);
	if (count < 0)
		return error_errno(err, "cannot read the folder %s", directory);
	int rc = 0;
	for (int i = 0; i < count; i++) {
		const char *slash = directory[strlen(directory) - 1] == '/' ? "" : "/";
		/* A message that quoted it would have a line which rooflog did not say. */
		if (rc == 0 && strpbrk(names[i]->d_name, "\r\n"))
			rc = error_set(
				err, ERR_USAGE,
				"a file or folder in %s has a line break in its name: rename it",
				directory);
		if (rc == 0)
			rc = add_entry(at,
				       arena_printf(at->arena, "%s%s%s", directory, slash,
						    names[i]->d_name),
				       depth, err);
		free(names[i]);
	}
	free(names);
	return rc;
}

int directory_walk_expand(struct arena *arena, const char *path, struct tree_list *list,
			  struct error *err)
{
	struct stat st;
	bool standard = strcmp(path, "-") == 0;
	if (!standard && stat(path, &st) < 0)
		return error_errno(err, "cannot open %s", path);
	if (!standard && S_ISDIR(st.st_mode)) {
		const struct walk at = {arena, path, list};
		size_t before = list->count;
		if (walk(&at, path, 0, err) == 0)
			return 0;
		list->count = before;
		return -1;
	}
	*arena_add(arena, list) =
		(struct tree_file){.path = arena_strdup(arena, path), .is_explicit = true};
	return 0;
}

const char *directory_walk_open(struct arena *arena, const char *path)
{
	struct strbuf sb = {0};
	struct span rest = span_of(path);
	bool is_absolute = path[0] == '/';
	struct span name = span_cut(&rest, '/');
	for (; rest.ptr; name = span_cut(&rest, '/'))
		if (name.len && !span_is(name, ".")) {
			if (sb.len || is_absolute)
				strbuf_addch(&sb, '/');
			strbuf_addspan(&sb, name);
		}
	if (sb.len == 0)
		strbuf_addstr(&sb, is_absolute ? "/" : ".");
	return strbuf_into(&sb, arena);
}

/* --- links --- */

enum { LINKS = 40 };

int links_check_beside(struct arena *arena, const char *path, struct error *err)
{
	const char *folder = directory_walk_open(arena, path);
	if (!leads_out(path, folder))
		return 0;
	return error_set(err, ERR_USAGE,
			 "%s is a symbolic link that leads out of %s, and is not followed: put the "
			 "file itself there",
			 path, folder);
}

static int check(struct cli *cli, const char *path, size_t links, struct error *err);

/* Where a link leads. */
static int check_target(struct cli *cli, const char *link, size_t links, struct error *err)
{
	char target[PATH_MAX];
	ssize_t n = readlink(link, target, sizeof target - 1);
	target[n > 0 ? n : 0] = '\0';
	const char *folder = directory_walk_open(&cli->arena, link);
	const char *next =
		target[0] == '/' ? target : arena_printf(&cli->arena, "%s/%s", folder, target);
	return links ? check(cli, next, links - 1, err) : 0;
}

/* Checks each part of the path. A loop of links ends when no more are left; to open it then fails.
 */
static int check(struct cli *cli, const char *path, size_t links, struct error *err)
{
	for (const char *end = path + strspn(path, "/"); *end; end += strspn(end, "/")) {
		end += strcspn(end, "/");
		const char *link = arena_strndup(&cli->arena, path, (size_t)(end - path));
		if (!is_link(link))
			continue;
		if (cli_is_brought(cli, link))
			return error_set(err, ERR_USAGE,
					 "%s is a symbolic link in the repository, which a change "
					 "could point anywhere: give its target instead",
					 link);
		if (check_target(cli, link, links, err) < 0)
			return -1;
	}
	return 0;
}

int links_check_named(struct cli *cli, const char *path, struct error *err)
{
	return strcmp(path, "-") == 0 ? 0 : check(cli, path, LINKS, err);
}
