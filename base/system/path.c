/* Follows a path one part at a time, as the kernel does, to see each link on the way. */
#include "base/system/path.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { ROOTS = 4, LINKS = 40 };

static char *roots[ROOTS];

static bool is_root(const char *directory)
{
	bool found = false;
	for (size_t i = 0; i < ROOTS && roots[i] && !found; i++)
		found = strcmp(roots[i], directory) == 0;
	return found;
}

void path_protect(const char *directory)
{
	if (is_root(directory))
		return;
	char *real = realpath(directory, NULL);
	for (size_t i = 0; real && i < ROOTS; i++) {
		if (!roots[i]) {
			roots[i] = real;
			return;
		}
		if (strcmp(roots[i], real) == 0)
			break;
	}
	free(real);
}

/* Whether an absolute directory without links is a protected one, or below one. */
static bool is_protected(const char *directory)
{
	for (size_t i = 0; i < ROOTS && roots[i]; i++) {
		size_t len = strcmp(roots[i], "/") == 0 ? 0 : strlen(roots[i]);
		if (strncmp(directory, roots[i], len) == 0 &&
		    (directory[len] == '/' || !directory[len]))
			return true;
	}
	return false;
}

struct walk {
	struct path at;      /* text: the directory alone, "" for the root */
	char rest[PATH_MAX]; /* what is left of the path */
	size_t links;        /* followed so far */
	bool makes;
	bool itself; /* the last part is never followed */
};

/* All of these return -1 with errno. */

static int set_text(char *text, const char *value)
{
	if (strlen(value) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memmove(text, value, strlen(value) + 1);
	return 0;
}

static int enter(struct walk *walk, const char *name, int flags)
{
	int next = openat(walk->at.directory, name, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
	if (next < 0)
		return -1;
	path_close(&walk->at);
	walk->at.directory = next;
	return 0;
}

static int begin(struct walk *walk, const char *path)
{
	char *text = walk->at.text;
	bool absolute = path[0] == '/';
	walk->at.directory = AT_FDCWD;
	if (set_text(walk->rest, path) < 0 || (!absolute && !getcwd(text, PATH_MAX)))
		return -1;
	if (absolute || strcmp(text, "/") == 0)
		text[0] = '\0';
	return enter(walk, absolute ? "/" : ".", 0);
}

/* Whether each part is a name. */
static bool is_canonical(const char *path)
{
	bool names = path[0] == '/';
	for (const char *slash = path; slash && names; slash = strchr(slash + 1, '/')) {
		size_t len = strcspn(slash + 1, "/");
		names = len > 0 && strncmp(slash + 1, ".", len) != 0 &&
			strncmp(slash + 1, "..", len) != 0;
	}
	return names;
}

/* Begins in the directory that holds the last part, if the path is absolute and the kernel meets no
 * link on the way there. False if it does, or cannot say so (before Linux 5.6). */
static bool begin_at_end(struct walk *walk, const char *path)
{
	const struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
				     .resolve = RESOLVE_NO_SYMLINKS};
	const char *slash = strrchr(path, '/');
	if (!is_canonical(path) || slash == path || strlen(path) >= PATH_MAX)
		return false;
	memcpy(walk->at.text, path, (size_t)(slash - path));
	walk->at.text[slash - path] = '\0';
	long directory = syscall(SYS_openat2, AT_FDCWD, walk->at.text, &how, sizeof how);
	if (directory < 0)
		return false;
	walk->at.directory = (int)directory;
	set_text(walk->rest, slash + 1);
	return true;
}

static int go_up(struct walk *walk)
{
	char *slash = strrchr(walk->at.text, '/');
	if (slash)
		*slash = '\0';
	return enter(walk, "..", 0);
}

static int append(char *text, const char *name)
{
	size_t len = strlen(text), more = strlen(name);
	if (len + more + 1 >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	text[len] = '/';
	memcpy(text + len + 1, name, more + 1);
	return 0;
}

/* A descriptor that can only be used for the ...at() calls cannot be synced. */
void path_sync(int directory)
{
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static int make(const struct walk *walk, const char *name)
{
	if (mkdirat(walk->at.directory, name, 0777) == 0) {
		path_sync(walk->at.directory);
		return 0;
	}
	return errno == EEXIST ? 0 : -1;
}

/* Enters a directory, not a link, and makes it if that is wanted. */
static int go_down(struct walk *walk, const char *name)
{
	int rc = enter(walk, name, O_NOFOLLOW);
	if (rc < 0 && errno == ENOENT && walk->makes && make(walk, name) == 0)
		rc = enter(walk, name, O_NOFOLLOW);
	return rc < 0 ? -1 : append(walk->at.text, name);
}

/* Puts the target of a link in front of the rest. */
static int follow(struct walk *walk, const char *target)
{
	char rest[PATH_MAX];
	int n = snprintf(rest, sizeof rest, "%s%s%s", target, *walk->rest ? "/" : "", walk->rest);
	if (++walk->links > LINKS || n < 0 || (size_t)n >= sizeof rest) {
		errno = walk->links > LINKS ? ELOOP : ENAMETOOLONG;
		return -1;
	}
	set_text(walk->rest, rest);
	if (target[0] != '/')
		return 0;
	walk->at.text[0] = '\0';
	return enter(walk, "/", 0);
}

static int refuse(const struct walk *walk, const char *verb, const char *path, const char *name,
		  const char *target, struct error *err)
{
	return error_set(
		err, ERR_USAGE,
		"cannot %s %s: %s/%s is a symbolic link to %s, and links in the work tree are "
		"not followed: name its target, or put a real file or directory there",
		verb, path, walk->at.text, name, target);
}

/* The target of a link; "" for anything else, and for what does not exist. */
static void read_link(const struct walk *walk, const char *name, char target[PATH_MAX])
{
	ssize_t n = readlinkat(walk->at.directory, name, target, PATH_MAX - 1);
	target[n > 0 ? n : 0] = '\0';
}

/* Whether the last part, a link, stands for itself: see path_open(). A link of /proc to a file that
 * was deleted leads to the file, but its text leads nowhere. */
static bool is_end(const struct walk *walk, const char *name, const char *target)
{
	struct stat st;
	return fstatat(walk->at.directory, name, &st, 0) < 0 || !S_ISREG(st.st_mode) ||
	       (target[0] == '/' && stat(target, &st) < 0);
}

/* Cuts the first part off the rest. Returns whether it is the last one. */
static bool cut(struct walk *walk, char name[PATH_MAX])
{
	char *start = walk->rest + strspn(walk->rest, "/");
	char *slash = strchr(start, '/');
	bool last = !slash;
	snprintf(name, PATH_MAX, "%.*s", (int)(slash ? slash - start : (ptrdiff_t)strlen(start)),
		 start);
	set_text(walk->rest, slash ? slash + 1 : "");
	if (!*name)
		snprintf(name, PATH_MAX, ".");
	return last;
}

static int end(struct walk *walk, const char *name)
{
	walk->at.is_protected = is_protected(walk->at.text);
	return append(walk->at.text, name);
}

/* One part of the path. Returns 1 if it was the last one, 0, or -1 with *err. */
static int step(struct walk *walk, const char *verb, const char *path, struct error *err)
{
	char name[PATH_MAX], target[PATH_MAX];
	bool last = cut(walk, name), up = strcmp(name, "..") == 0, itself = last && walk->itself;
	int rc = 0;
	read_link(walk, name, target);
	if (*target && !itself && is_protected(walk->at.text))
		return refuse(walk, verb, path, name, target, err);
	if (*target && !itself && !(last && is_end(walk, name, target))) {
		rc = follow(walk, target);
		last = false;
	} else if (up) {
		rc = go_up(walk);
	} else if (!last && strcmp(name, ".") != 0) {
		rc = go_down(walk, name);
	}
	if (rc == 0 && last)
		rc = end(walk, up ? "." : name);
	return rc < 0 ? error_errno(err, "cannot %s %s", verb, path) : last;
}

static int open_path(struct walk *walk, const char *verb, const char *path, struct path *opened,
		     struct error *err)
{
	int rc = 0;
	if (!begin_at_end(walk, path) && begin(walk, path) < 0)
		rc = error_errno(err, "cannot %s %s", verb, path);
	while (rc == 0)
		rc = step(walk, verb, path, err);
	if (rc < 0) {
		path_close(&walk->at);
		return -1;
	}
	*opened = walk->at;
	opened->name = strrchr(opened->text, '/') + 1;
	return 0;
}

int path_open(const char *verb, const char *path, struct path *opened, struct error *err)
{
	struct walk walk = {.makes = false};
	return open_path(&walk, verb, path, opened, err);
}

int path_open_making(const char *verb, const char *path, struct path *opened, struct error *err)
{
	struct walk walk = {.makes = true};
	return open_path(&walk, verb, path, opened, err);
}

int path_open_itself(const char *verb, const char *path, struct path *opened, struct error *err)
{
	struct walk walk = {.itself = true};
	return open_path(&walk, verb, path, opened, err);
}

int path_check_beside(const char *verb, const struct path *opened, const char *name,
		      struct error *err)
{
	char first;
	struct path at;
	struct strbuf text = {0};
	assert(opened->is_protected);
	if (readlinkat(opened->directory, name, &first, sizeof first) < 0)
		return 0;
	strbuf_addf(&text, "%.*s%s", (int)(opened->name - opened->text), opened->text, name);
	int rc = path_open(verb, strbuf_text(&text), &at, err);
	strbuf_free(&text);
	if (rc == 0)
		path_close(&at);
	return rc;
}

void path_close(struct path *path)
{
	if (path->directory >= 0)
		close(path->directory);
	path->directory = -1;
}

int path_flags(const struct path *path)
{
	return path->is_protected ? O_NOFOLLOW : 0;
}
