/* What git tracks: the names in its index, which is read here because every ingest asks. */

#include <limits.h>
#include <sys/stat.h>

#include "base/system/system.h"
#include "vcs/repository.h"
#include "vcs/repository_internal.h"

/* --- the entries of an index --- */

/* In version 4 an entry says only what its name does not share with the name before it. */
struct index_walk {
	const unsigned char *at, *end;
	unsigned version;
	size_t hash_len;
	size_t left;         /* entries that follow */
	size_t len;          /* the length of the present name */
	char name[PATH_MAX]; /* its start, without NUL; no file has a longer name */
};

static unsigned two_bytes(const unsigned char *at)
{
	return (unsigned)at[0] << 8 | at[1];
}

static size_t four_bytes(const unsigned char *at)
{
	return (size_t)two_bytes(at) << 16 | two_bytes(at + 2);
}

static struct index_walk walk_of(struct span index, size_t hash_len)
{
	enum { HEADER = 12, VERSION_AT = 6, COUNT_AT = 8 };
	const unsigned char *bytes = (const unsigned char *)index.ptr;
	struct index_walk walk = {.hash_len = hash_len};
	if (index.len < HEADER || memcmp(bytes, "DIRC", 4) != 0)
		return walk;
	walk.at = bytes + HEADER;
	walk.end = bytes + index.len;
	walk.version = two_bytes(bytes + VERSION_AT);
	walk.left = four_bytes(bytes + COUNT_AT);
	return walk;
}

/* How many bytes at the end of the last name the next one does not have. */
static bool read_dropped(struct index_walk *walk, size_t *dropped)
{
	unsigned char byte = 0x80;
	*dropped = 0;
	for (bool first = true; byte & 0x80; first = false) {
		if (walk->at == walk->end || *dropped > walk->len)
			return false;
		byte = *walk->at++;
		*dropped = first ? byte & 0x7f : (*dropped + 1) << 7 | (byte & 0x7f);
	}
	return *dropped <= walk->len;
}

static bool read_name(struct index_walk *walk, unsigned flags)
{
	enum { LENGTH_MASK = 0xfff };
	size_t dropped = walk->len;
	if (walk->version == 4 && !read_dropped(walk, &dropped))
		return false;
	const unsigned char *nul = memchr(walk->at, '\0', (size_t)(walk->end - walk->at));
	if (!nul)
		return false;
	walk->len -= dropped;
	size_t len = (size_t)(nul - walk->at);
	size_t room = walk->len < sizeof walk->name ? sizeof walk->name - walk->len : 0;
	if (room)
		memcpy(walk->name + walk->len, walk->at, len < room ? len : room);
	walk->len += len;
	walk->at = nul + 1;
	return (walk->len < LENGTH_MASK ? walk->len : LENGTH_MASK) == (flags & LENGTH_MASK);
}

/* False at the end, and where the index is none: then `left` remains. */
static bool next_entry(struct index_walk *walk)
{
	enum { STATUS = 40, EXTENDED = 0x4000, ALIGNMENT = 8 };
	const unsigned char *start = walk->at;
	size_t fixed = STATUS + walk->hash_len + 2;
	if (!walk->left || (size_t)(walk->end - start) < fixed + 2)
		return false;
	unsigned flags = two_bytes(start + fixed - 2);
	walk->at = start + fixed + (flags & EXTENDED ? 2 : 0);
	if (!read_name(walk, flags))
		return false;
	size_t over = (size_t)(walk->at - start) % ALIGNMENT;
	if (walk->version != 4 && over) {
		if ((size_t)(walk->end - walk->at) < ALIGNMENT - over)
			return false;
		walk->at += ALIGNMENT - over;
	}
	walk->left--;
	return true;
}

/* An index does not say how long its hashes are: with the wrong length its entries do not fit. */
static const size_t hash_lens[] = {20, 32};
enum { HASH_LENS = sizeof hash_lens / sizeof *hash_lens };

/* The name, or a folder that holds it: a sparse index has folders. */
static bool is_wanted(const struct index_walk *walk, const char *wanted, size_t len)
{
	return walk->len && walk->len <= len && walk->len <= sizeof walk->name &&
	       memcmp(walk->name, wanted, walk->len) == 0 &&
	       (walk->len == len || walk->name[walk->len - 1] == '/');
}

static bool index_has(struct span index, const char *name)
{
	size_t len = strlen(name);
	for (size_t i = 0; i < HASH_LENS; i++) {
		struct index_walk walk = walk_of(index, hash_lens[i]);
		while (next_entry(&walk))
			if (is_wanted(&walk, name, len))
				return true;
	}
	return false;
}

/* --- the indexes of a repository --- */

struct file_id {
	dev_t device;
	ino_t inode;
};

struct index {
	const char *folder; /* in which its names are */
	struct span bytes;
	struct span shared; /* the rest of a split index */
};

struct tracked {
	struct index indexes[2]; /* that of the work tree, and that of the main work tree */
	/* Where a file system takes Runs.csv for runs.csv, and ß for SS, names do not show which
	 * file is tracked: these are. */
	struct file_id *items;
	size_t count, capacity;
};

enum { INDEX_LIMIT = 1 << 30 };

/* A split index has most of its entries in a file that is named by a hash. */
static const char *shared_name(struct arena *arena, struct span index)
{
	enum { EXTENSION_HEADER = 8 };
	for (size_t i = 0; i < HASH_LENS; i++) {
		struct index_walk walk = walk_of(index, hash_lens[i]);
		while (next_entry(&walk))
			;
		while (!walk.left && walk.end - walk.at > EXTENSION_HEADER) {
			size_t size = four_bytes(walk.at + 4);
			const unsigned char *content = walk.at + EXTENSION_HEADER;
			if (size > (size_t)(walk.end - content))
				break;
			if (memcmp(walk.at, "link", 4) == 0 && size >= hash_lens[i]) {
				struct strbuf sb = {0};
				strbuf_addstr(&sb, "sharedindex.");
				for (size_t j = 0; j < hash_lens[i]; j++)
					strbuf_addf(&sb, "%02x", content[j]);
				return strbuf_into(&sb, arena);
			}
			walk.at = content + size;
		}
	}
	return NULL;
}

static struct span read_file(struct arena *arena, const char *git_dir, const char *name)
{
	struct error ignored;
	struct span bytes = {0}, none = {0};
	const char *path = arena_printf(arena, "%s/%s", git_dir, name);
	return file_read_linked(arena, path, INDEX_LIMIT, &bytes, &ignored) < 0 ? none : bytes;
}

static struct index read_index(struct arena *arena, const char *folder, const char *git_dir)
{
	struct index index = {.folder = folder, .bytes = read_file(arena, git_dir, "index")};
	const char *shared = shared_name(arena, index.bytes);
	if (shared)
		index.shared = read_file(arena, git_dir, shared);
	return index;
}

static int by_id(const void *a, const void *b)
{
	const struct file_id *x = a, *y = b;
	return x->inode != y->inode    ? (x->inode > y->inode) - (x->inode < y->inode)
	       : x->device > y->device ? 1
				       : -(x->device < y->device);
}

static bool id_of(const char *path, struct file_id *id)
{
	struct stat st;
	if (lstat(path, &st) < 0)
		return false;
	*id = (struct file_id){st.st_dev, st.st_ino};
	return true;
}

static void add_files(struct arena *arena, struct tracked *tracked, const char *folder,
		      struct span index)
{
	struct file_id id;
	char path[2 * PATH_MAX];
	for (size_t i = 0; i < HASH_LENS; i++) {
		struct index_walk walk = walk_of(index, hash_lens[i]);
		while (next_entry(&walk)) {
			if (walk.len >= sizeof walk.name)
				continue;
			snprintf(path, sizeof path, "%s/%.*s", folder, (int)walk.len, walk.name);
			if (id_of(path, &id))
				*arena_add(arena, tracked) = id;
		}
	}
}

/* Git asks the same of a file system. */
static bool ignores_case(struct arena *arena, const char *git_dir)
{
	return file_exists(arena_printf(arena, "%s/CoNfIg", git_dir));
}

/* The indexes are read once: a folder may have thousands of files to ask about. */
static const struct tracked *tracked_of(struct repository *repository)
{
	struct arena *arena = &repository->arena;
	const struct repository_path *paths = &repository->paths;
	if (repository->tracked)
		return repository->tracked;
	struct tracked *tracked = arena_new(arena, struct tracked);
	if (paths->worktree)
		tracked->indexes[0] = read_index(arena, paths->worktree, paths->git_dir);
	if (paths->common_dir &&
	    (!paths->worktree || strcmp(paths->git_dir, paths->common_dir) != 0))
		tracked->indexes[1] =
			read_index(arena, repository_home(repository), paths->common_dir);
	for (size_t i = 0; ignores_case(arena, paths->common_dir) && i < 2; i++) {
		add_files(arena, tracked, tracked->indexes[i].folder, tracked->indexes[i].bytes);
		add_files(arena, tracked, tracked->indexes[i].folder, tracked->indexes[i].shared);
	}
	array_sort(tracked->items, tracked->count, sizeof *tracked->items, by_id);
	return repository->tracked = tracked;
}

bool repository_tracks(struct repository *repository, const char *name)
{
	const struct tracked *tracked = tracked_of(repository);
	for (size_t i = 0; i < 2; i++) {
		const struct index *index = &tracked->indexes[i];
		struct file_id id;
		if (!index->folder)
			continue;
		if (index_has(index->bytes, name) || index_has(index->shared, name))
			return true;
		if (tracked->count &&
		    id_of(arena_printf(&repository->arena, "%s/%s", index->folder, name), &id) &&
		    bsearch(&id, tracked->items, tracked->count, sizeof id, by_id))
			return true;
	}
	return false;
}
