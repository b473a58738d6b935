/*
 * The index as of gitformat-index(5), versions 2 and 3: a header, a record for each file,
 * extensions. Like git, a file is taken to be unchanged when times, size, mode, owner and inode are
 * those in the index, and nothing is taken from a file that was changed in the second in which the
 * index was written, or later.
 */
#include "vcs/plain/index.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "base/system/file.h"

enum {
	INDEX_LIMIT = 256 << 20,
	HEADER = 12,
	OID = 20,
	RECORD = 62,  /* without the path */
	LONG = 0xfff, /* flags of a path of this length or longer; otherwise they are its length */
};

struct index {
	const struct place *place;
	struct arena arena;
	struct span rest;
	struct span directory; /* of the last file, which is a directory and no link */
	int64_t written;       /* in seconds */
};

static uint32_t number_at(const char *bytes)
{
	const unsigned char *byte = (const unsigned char *)bytes;
	return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

/* --- the files --- */

/* Each directory on the way to the file is one: not a link to where it was moved. */
static bool has_directories(struct index *index, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct span directory = {path, slash ? (size_t)(slash - path) : 0};
	struct stat st;
	if (span_eq(directory, index->directory))
		return true;
	for (size_t i = 1; i <= directory.len; i++) {
		if (path[i] != '/')
			continue;
		const char *full = arena_printf(&index->arena, "%s/%.*s", index->place->worktree,
						(int)i, path);
		if (lstat(full, &st) < 0 || !S_ISDIR(st.st_mode))
			return false;
	}
	index->directory = directory;
	return true;
}

static bool has_mode(const struct stat *st, uint32_t mode)
{
	if (S_ISLNK(st->st_mode))
		return mode == 0120000;
	return S_ISREG(st->st_mode) && mode == (st->st_mode & S_IXUSR ? 0100755 : 0100644);
}

/* git looks at no device, whose number may be another one after each start of the machine. */
static bool is_as_recorded(const struct index *index, const struct stat *st, const char *record)
{
	return (uint32_t)st->st_ctim.tv_sec == number_at(record) &&
	       (uint32_t)st->st_ctim.tv_nsec == number_at(record + 4) &&
	       (uint32_t)st->st_mtim.tv_sec == number_at(record + 8) &&
	       (uint32_t)st->st_mtim.tv_nsec == number_at(record + 12) &&
	       (uint32_t)st->st_ino == number_at(record + 20) &&
	       has_mode(st, number_at(record + 24)) &&
	       (uint32_t)st->st_uid == number_at(record + 28) &&
	       (uint32_t)st->st_gid == number_at(record + 32) &&
	       (uint32_t)st->st_size == number_at(record + 36) &&
	       st->st_mtim.tv_sec < index->written;
}

/* The next record; whether its file is unchanged. A path ends with a NUL, and the record with as
 * many as make it a multiple of eight. */
static bool take_file(struct index *index)
{
	const char *record = index->rest.ptr, *path = record + RECORD;
	struct stat st;
	if (index->rest.len <= RECORD)
		return false;
	uint32_t flags = (uint32_t)(unsigned char)record[60] << 8 | (unsigned char)record[61];
	size_t len = strnlen(path, index->rest.len - RECORD);
	size_t size = (RECORD + len + 8) & ~(size_t)7;
	/* Conflicts, files that git should not look at, and records of other shapes. */
	if (size > index->rest.len || !len || flags != (len < LONG ? len : LONG))
		return false;
	index->rest = (struct span){record + size, index->rest.len - size};
	if (strncmp(path, ".rooflog/", 9) == 0)
		return true;
	const char *full = arena_printf(&index->arena, "%s/%s", index->place->worktree, path);
	return has_directories(index, path) && lstat(full, &st) == 0 &&
	       is_as_recorded(index, &st, record);
}

/* --- the tree --- */

/* Of the extension TREE the first entry: an empty path, how many files it is of (-1: it is out of
 * date), how many trees below it follow, and its id. */
static bool is_tree(struct span bytes, const char *tree)
{
	char oid[2 * OID + 1];
	struct span path = span_cut(&bytes, '\0'), counts = span_cut(&bytes, '\n');
	if (path.len || !counts.len || counts.ptr[0] == '-' || bytes.len < OID)
		return false;
	for (size_t i = 0; i < OID; i++) {
		static const char digits[] = "0123456789abcdef";
		unsigned char byte = (unsigned char)bytes.ptr[i];
		oid[2 * i] = digits[byte >> 4];
		oid[2 * i + 1] = digits[byte & 15];
	}
	oid[2 * OID] = '\0';
	return strcmp(oid, tree) == 0;
}

/* What follows the files. Extensions that begin with a small letter change what they mean. */
static bool was_written_as(struct span rest, const char *tree)
{
	bool found = false;
	while (rest.len > OID + 8) {
		size_t size = number_at(rest.ptr + 4);
		if (rest.ptr[0] < 'A' || rest.ptr[0] > 'Z' || size > rest.len - 8 - OID)
			return false;
		if (memcmp(rest.ptr, "TREE", 4) == 0)
			found = is_tree((struct span){rest.ptr + 8, size}, tree);
		rest = (struct span){rest.ptr + 8 + size, rest.len - 8 - size};
	}
	return found && rest.len == OID;
}

static bool look(struct index *index, const char *tree)
{
	struct error ignored;
	struct stat st;
	const char *path = arena_printf(&index->arena, "%s/index", index->place->git_dir);
	if (strlen(tree) != 2 * OID || stat(path, &st) < 0 ||
	    file_read(&index->arena, path, INDEX_LIMIT, &index->rest, &ignored) < 0 ||
	    index->rest.len < HEADER + OID || memcmp(index->rest.ptr, "DIRC", 4) != 0)
		return false;
	index->written = st.st_mtim.tv_sec;
	uint32_t version = number_at(index->rest.ptr + 4), count = number_at(index->rest.ptr + 8);
	index->rest = (struct span){index->rest.ptr + HEADER, index->rest.len - HEADER};
	if (version != 2 && version != 3)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!take_file(index))
			return false;
	return was_written_as(index->rest, tree);
}

bool index_is_clean(const struct place *place, const char *tree)
{
	struct index index = {.place = place};
	bool clean = look(&index, tree);
	arena_free(&index.arena);
	return clean;
}
