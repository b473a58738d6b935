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
	const char *own;     /* it, where the index has it as a whole; NULL in version 4 */
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
	walk->own = walk->version == 4 ? NULL : (const char *)walk->at;
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

/* --- split indexes --- */

/* The extension "link" of a split index, most of whose entries are in a file that is named by a
 * hash. */
struct link {
	size_t hash_len;
	const unsigned char *hash; /* NULL: the index is not split */
	struct span deleted;       /* the bitmap of the entries that were removed */
};

static struct link find_link(struct span index, size_t hash_len)
{
	enum { EXTENSION_HEADER = 8 };
	struct index_walk walk = walk_of(index, hash_len);
	while (next_entry(&walk))
		;
	while (!walk.left && walk.end - walk.at > EXTENSION_HEADER) {
		size_t size = four_bytes(walk.at + 4);
		const unsigned char *content = walk.at + EXTENSION_HEADER;
		if (size > (size_t)(walk.end - content))
			break;
		if (memcmp(walk.at, "link", 4) == 0 && size >= hash_len)
			return (struct link){hash_len,
					     content,
					     {(const char *)content + hash_len, size - hash_len}};
		walk.at = content + size;
	}
	return (struct link){0};
}

/* The next word of a bitmap. */
static bool next_word(struct span *words, uint64_t *word)
{
	enum { WORD = 8 };
	const unsigned char *bytes = (const unsigned char *)words->ptr;
	if (words->len < WORD)
		return false;
	*word = (uint64_t)four_bytes(bytes) << 32 | four_bytes(bytes + 4);
	*words = span_from(*words, WORD);
	return true;
}

static size_t mark(bool *marks, size_t count, size_t at, uint64_t word)
{
	for (int bit = 0; bit < 64 && at < count; bit++, at++)
		marks[at] = word >> bit & 1;
	return at;
}

/* Sets marks[i] for each bit of a bitmap as git compresses it (EWAH): after the numbers of bits and
 * of words follow groups of words, of which the first says how many words have all bits like its
 * own lowest one, and how many follow as they are. What a damaged one does not say stays unmarked.
 */
static void read_bitmap(struct span bitmap, bool *marks, size_t count)
{
	enum { BITMAP_HEADER = 8, LIKE_BITS = 32, PLAIN_AT = 33 };
	uint64_t head, word;
	size_t at = 0;
	if (bitmap.len < BITMAP_HEADER)
		return;
	size_t len = four_bytes((const unsigned char *)bitmap.ptr + 4) * 8;
	bitmap = span_from(bitmap, BITMAP_HEADER);
	if (len < bitmap.len)
		bitmap.len = len;
	while (at < count && next_word(&bitmap, &head)) {
		uint64_t like = head >> 1 & UINT32_MAX, plain = head >> PLAIN_AT;
		for (; like && at < count; like--)
			at = mark(marks, count, at, head & 1 ? UINT64_MAX : 0);
		for (; plain && at < count && next_word(&bitmap, &word); plain--)
			at = mark(marks, count, at, word);
	}
}

/* --- the indexes of a repository --- */

struct file_id {
	dev_t device;
	ino_t inode;
};

struct name_list {
	struct span *items;
	size_t count, capacity;
	bool unsorted; /* git sorts its indexes */
};

struct index {
	const char *folder;        /* in which its names are; NULL: no index */
	struct name_list names[2]; /* sorted; of its own, and of the rest of a split index */
};

struct tracked {
	struct index indexes[2]; /* that of the work tree, and that of the main work tree */
	/* Where a file system takes Runs.csv for runs.csv, and ß for SS, names do not show which
	 * file is tracked: these are. */
	struct file_id *items;
	size_t count, capacity;
};

enum { INDEX_LIMIT = 1 << 30 };

static int by_name(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	int order = memcmp(x->ptr, y->ptr, x->len < y->len ? x->len : y->len);
	return order ? order : (x->len > y->len) - (x->len < y->len);
}

/* `deleted` is NULL, or a bitmap of the entries that are left out. */
static void add_names(struct arena *arena, struct name_list *list, struct span index,
		      size_t hash_len, const struct span *deleted)
{
	struct index_walk walk = walk_of(index, hash_len);
	size_t count = index.len / (40 + hash_len); /* at most; each entry is longer */
	bool *left_out = deleted ? arena_array(arena, count, sizeof *left_out) : NULL;
	if (deleted)
		read_bitmap(*deleted, left_out, count);
	for (size_t at = 0; next_entry(&walk); at++) {
		assert(at < count);
		if (!walk.len || walk.len > sizeof walk.name || (left_out && left_out[at]))
			continue;
		struct span name = {walk.own ? walk.own : arena_strndup(arena, walk.name, walk.len),
				    walk.len};
		list->unsorted |= list->count && by_name(&list->items[list->count - 1], &name) > 0;
		*arena_add(arena, list) = name;
	}
}

static struct span read_file(struct arena *arena, const char *git_dir, const char *name)
{
	struct error ignored;
	struct span bytes = {0}, none = {0};
	const char *path = arena_printf(arena, "%s/%s", git_dir, name);
	return file_read_linked(arena, path, INDEX_LIMIT, &bytes, &ignored) < 0 ? none : bytes;
}

static void add_shared(struct arena *arena, struct name_list *list, const char *git_dir,
		       const struct link *link)
{
	struct strbuf name = {0};
	strbuf_addstr(&name, "sharedindex.");
	for (size_t i = 0; i < link->hash_len; i++)
		strbuf_addf(&name, "%02x", link->hash[i]);
	add_names(arena, list, read_file(arena, git_dir, strbuf_text(&name)), link->hash_len,
		  &link->deleted);
	strbuf_free(&name);
}

static struct index read_index(struct arena *arena, const char *folder, const char *git_dir)
{
	struct index index = {.folder = folder};
	struct span bytes = read_file(arena, git_dir, "index");
	for (size_t i = 0; i < HASH_LENS; i++) {
		struct link link = find_link(bytes, hash_lens[i]);
		add_names(arena, &index.names[0], bytes, hash_lens[i], NULL);
		if (link.hash)
			add_shared(arena, &index.names[1], git_dir, &link);
	}
	for (size_t i = 0; i < 2; i++)
		if (index.names[i].unsorted)
			array_sort(index.names[i].items, index.names[i].count,
				   sizeof *index.names[i].items, by_name);
	return index;
}

/* The name, or a folder that holds it: a sparse index has folders. */
static bool list_has(const struct name_list *list, const char *name)
{
	for (const char *end = name; *name && list->count; end++) {
		struct span part = {name, (size_t)(end - name) + (*end == '/')};
		if ((!*end || *end == '/') &&
		    bsearch(&part, list->items, list->count, sizeof *list->items, by_name))
			return true;
		if (!*end)
			return false;
	}
	return false;
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
		      const struct name_list *list)
{
	struct file_id id;
	char path[2 * PATH_MAX];
	for (size_t i = 0; i < list->count; i++) {
		const struct span *name = &list->items[i];
		snprintf(path, sizeof path, "%s/%.*s", folder, (int)name->len, name->ptr);
		if (id_of(path, &id))
			*arena_add(arena, tracked) = id;
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
	for (size_t i = 0; ignores_case(arena, paths->common_dir) && i < 4; i++) {
		const struct index *index = &tracked->indexes[i / 2];
		add_files(arena, tracked, index->folder, &index->names[i % 2]);
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
		if (list_has(&index->names[0], name) || list_has(&index->names[1], name))
			return true;
		if (tracked->count &&
		    id_of(arena_printf(&repository->arena, "%s/%s", index->folder, name), &id) &&
		    bsearch(&id, tracked->items, tracked->count, sizeof id, by_id))
			return true;
	}
	return false;
}
