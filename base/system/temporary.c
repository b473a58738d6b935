/* Temporary names are numbered, so that writers of the same file at the same time find one each. */
#include "base/system/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/path.h"

enum { WRITERS = 32, GAP = 4 }; /* numbers that are tried, and missing ones that end the search */
enum { DEPTH = 64 };            /* of folders that are removed; a tool makes a few */

static const char mark[] = ".rooflog-";

static void name_of(const char *name, int number, char text[NAME_MAX + 1])
{
	/* A long name is cut; two of the same beginning then share their numbers. */
	snprintf(text, NAME_MAX + 1, ".%.200s%s%d", name, mark, number);
}

/* Whether no other process holds the lock and the name still is that of the open file. On a file
 * system without locks *locked is false: nothing is swept there. */
static bool holds(int directory, const char *name, int fd, bool *locked)
{
	struct stat open_one, named;
	*locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
	return (*locked || errno != EWOULDBLOCK) && fstat(fd, &open_one) == 0 &&
	       fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

/* Removes what a killed process left: it is of this user, and not locked. False if there is
 * nothing. */
static bool sweep(int directory, const char *name, void (*empty)(int folder))
{
	struct stat st;
	bool locked = false;
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno != ENOENT;
	bool is_ours = fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
		       (empty ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode));
	if (is_ours && holds(directory, name, fd, &locked) && locked) {
		if (empty)
			empty(fd);
		unlinkat(directory, name, empty ? AT_REMOVEDIR : 0);
	}
	close(fd);
	return true;
}

/* A new file or folder; -1 with errno. */
static int create(int directory, const char *name, enum temporary_kind kind)
{
	int flags = O_CLOEXEC | O_NOFOLLOW;
	if (kind == TEMPORARY_FILE)
		return openat(directory, name, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
	if (mkdirat(directory, name, 0700) < 0)
		return -1;
	return openat(directory, name, O_RDONLY | O_DIRECTORY | flags);
}

int temporary_make(int directory, const char *name, enum temporary_kind kind,
		   void (*empty)(int folder), struct temporary *made)
{
	int failure = EBUSY, missing = 0;
	bool locked;
	made->fd = -1;
	assert((kind == TEMPORARY_FOLDER) == (empty != NULL));
	for (int number = 0; number < WRITERS && missing < GAP; number++) {
		char text[NAME_MAX + 1];
		name_of(name, number, text);
		missing = sweep(directory, text, empty) ? 0 : missing + 1;
		if (made->fd >= 0 || failure != EBUSY)
			continue;
		int fd = create(directory, text, kind);
		if (fd < 0) {
			failure = errno == EEXIST || errno == ENOENT ? EBUSY : errno;
		} else if (holds(directory, text, fd, &locked)) {
			made->fd = fd;
			snprintf(made->name, sizeof made->name, "%s", text);
		} else {
			close(fd); /* a sweeper was faster, and removes it */
		}
	}
	errno = failure;
	return made->fd < 0 ? -1 : 0;
}

void temporary_sweep(const char *directory)
{
	struct path at;
	struct error ignored;
	if (path_open("open", directory, &at, &ignored) < 0)
		return;
	int fd =
		openat(at.directory, at.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | path_flags(&at));
	DIR *handle = fd >= 0 ? fdopendir(fd) : NULL;
	for (struct dirent *entry; handle && (entry = readdir(handle));)
		if (entry->d_name[0] == '.' && strstr(entry->d_name, mark))
			sweep(dirfd(handle), entry->d_name, NULL);
	if (handle)
		closedir(handle);
	else if (fd >= 0)
		close(fd);
	path_close(&at);
}

/* --- workspaces --- */

static const char workspace[] = ".rooflog-tool."; /* no name that a user chooses */
static const char unknown[] = "XXXXXX";

static void remove_all(int folder, int depth);

static void remove_entry(int folder, const char *name, int depth)
{
	if (unlinkat(folder, name, 0) == 0 || depth == DEPTH)
		return;
	int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (inner < 0)
		return;
	remove_all(inner, depth + 1);
	close(inner);
	unlinkat(folder, name, AT_REMOVEDIR);
}

/* Removes all that is in an open folder. */
static void remove_all(int folder, int depth)
{
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *handle = copy >= 0 ? fdopendir(copy) : NULL;
	for (struct dirent *entry; handle && (entry = readdir(handle));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			remove_entry(folder, entry->d_name, depth);
	if (handle)
		closedir(handle);
	else if (copy >= 0)
		close(copy);
}

static void empty_workspace(int folder)
{
	remove_all(folder, 0);
}

static bool is_workspace(const char *name)
{
	return strncmp(name, workspace, sizeof workspace - 1) == 0 &&
	       strlen(name) == sizeof workspace + sizeof unknown - 2;
}

static void sweep_workspaces(const char *parent)
{
	DIR *handle = opendir(parent);
	for (struct dirent *entry; handle && (entry = readdir(handle));)
		if (is_workspace(entry->d_name))
			sweep(dirfd(handle), entry->d_name, empty_workspace);
	if (handle)
		closedir(handle);
}

int temporary_workspace(const char *parent, char path[PATH_MAX])
{
	bool locked;
	sweep_workspaces(parent);
	for (int tries = 0; tries < WRITERS; tries++) {
		int length = snprintf(path, PATH_MAX, "%s/%s%s", parent, workspace, unknown);
		if (length < 0 || length >= PATH_MAX) {
			errno = ENAMETOOLONG;
			return -1;
		}
		if (!mkdtemp(path))
			return -1;
		int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		/* Else another process swept it before it was locked. */
		if (fd >= 0 && holds(AT_FDCWD, path, fd, &locked))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	errno = EBUSY;
	return -1;
}

void temporary_workspace_remove(const char *path, int fd)
{
	remove_all(fd, 0);
	rmdir(path);
	close(fd);
}
