/* Finds out where links lead, and who made them. */
#include "cli/ingest/links.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/ingest/directory_walk.h"

enum { LINKS = 40 };

static bool is_link(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

bool links_lead_out(const char *path, const char *folder)
{
	char target[PATH_MAX], top[PATH_MAX];
	if (!is_link(path))
		return false;
	if (!realpath(path, target) || !realpath(folder, top))
		return true;
	size_t len = strcmp(top, "/") == 0 ? 0 : strlen(top);
	return strncmp(target, top, len) != 0 || target[len] != '/';
}

int links_check_beside(struct arena *arena, const char *path, struct error *err)
{
	const char *folder = directory_walk_open(arena, path);
	if (!links_lead_out(path, folder))
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
					 "%s is a symbolic link of the repository, which a change "
					 "could lead anywhere: name what it leads to",
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
