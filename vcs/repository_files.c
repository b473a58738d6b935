/* Questions about files: those of a commit, ignored paths, and git's configuration. */

#include "base/system/system.h"
#include "vcs/backend/backend.h"
#include "vcs/repository.h"
#include "vcs/repository_internal.h"

static int is_missing(const char *kind, const char *oid, struct error *err)
{
	return error_set(err, ERR_REVISION,
			 "the %s %s is missing in the repository, as in a partial clone; rooflog "
			 "fetches nothing, but \"git cat-file -p %s\" does",
			 kind, oid, oid);
}

static int entry_of(struct repository *repository, const char *tree, const char *name,
		    struct tree_entry *entry, struct error *err)
{
	enum answer answer = repository->backend->entry(repository->state, tree, name, entry, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository))
		answer = backend_git.entry(repository->git, tree, name, entry, err);
	if (answer == ANSWER_NONE)
		return is_missing("tree", tree, err);
	return answer == ANSWER_YES ? 0 : -1;
}

static int read_blob(struct repository *repository, struct arena *arena, const char *oid,
		     struct repository_file *file, struct error *err)
{
	struct blob blob = {.limit = file->limit};
	enum answer answer = repository->backend->blob(repository->state, arena, oid, &blob, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository))
		answer = backend_git.blob(repository->git, arena, oid, &blob, err);
	if (answer == ANSWER_NONE)
		return is_missing("blob", oid, err);
	if (answer != ANSWER_YES)
		return -1;
	if (blob.size > blob.limit)
		return error_set(err, ERR_FORMAT,
				 "it is larger than the %zu bytes expected of such a file",
				 blob.limit);
	file->found = true;
	file->bytes = blob.bytes;
	return 0;
}

static int wrong_kind(enum tree_entry_kind kind, const char *name, bool last, struct error *err)
{
	static const char *const kinds[] = {"absent", "a file", "a directory", "a symbolic link",
					    "a submodule"};
	assert(kind <= TREE_ENTRY_SUBMODULE);
	return error_set(err, ERR_FORMAT, "%s is %s there, not %s; links are not followed", name,
			 kinds[kind], last ? "a file" : "a directory");
}

/* Follows the path from the tree down, one name at a time. */
static int read_below(struct repository *repository, struct arena *arena, const char *tree,
		      struct repository_file *file, struct error *err)
{
	struct tree_entry entry;
	struct span rest = span_of(file->path);
	while (rest.ptr) {
		struct span name = span_cut(&rest, '/');
		const char *text = arena_strndup(arena, name.ptr, name.len);
		if (entry_of(repository, tree, text, &entry, err) < 0)
			return -1;
		if (entry.kind == TREE_ENTRY_ABSENT)
			return 0;
		if (entry.kind != (rest.ptr ? TREE_ENTRY_DIRECTORY : TREE_ENTRY_FILE))
			return wrong_kind(entry.kind, text, !rest.ptr, err);
		tree = arena_strdup(arena, entry.oid);
	}
	return read_blob(repository, arena, tree, file, err);
}

int repository_read(struct repository *repository, struct arena *arena,
		    struct repository_file *file, struct error *err)
{
	struct revision revision;
	file->found = false;
	file->bytes = (struct span){0};
	if (repository_revision(repository, arena, file->oid, false, &revision, err) < 0)
		return -1;
	if (read_below(repository, arena, revision.tree, file, err) < 0)
		return error_prefix(err, "%.10s:%s", file->oid, file->path);
	return 0;
}

int repository_is_ignored(struct repository *repository, const char *path, bool *ignored,
			  struct error *err)
{
	const char *worktree = repository->paths.worktree;
	*ignored = false;
	if (!worktree)
		return 0;
	if (repository_start(repository, err) < 0)
		return -1;
	enum answer answer =
		repository->backend->is_ignored(repository->state, worktree, path, ignored, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository))
		answer = backend_git.is_ignored(repository->git, worktree, path, ignored, err);
	return answer == ANSWER_YES ? 0 : error_prefix(err, "%s", path);
}

int repository_setting(struct repository *repository, struct arena *arena, const char *name,
		       const char **value, struct error *err)
{
	*value = NULL;
	if (repository_start(repository, err) < 0)
		return -1;
	enum answer answer =
		repository->backend->setting(repository->state, arena, name, value, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository))
		answer = backend_git.setting(repository->git, arena, name, value, err);
	if (answer == ANSWER_ERROR)
		return error_prefix(err, "git's %s", name);
	return 0;
}

/* How far an index is read. Its names are compared as they come, because in version 4 an entry says
 * only what its name does not share with the one before it. */
struct index_walk {
	const unsigned char *at, *end;
	unsigned version;
	size_t hash_len;
	const char *wanted;
	size_t len;    /* the length of the last name */
	size_t common; /* what its start has in common with the wanted name */
};

static unsigned two_bytes(const unsigned char *at)
{
	return (unsigned)at[0] << 8 | at[1];
}

/* How many bytes at the end of the last name the next does not have. */
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
	if (walk->common >= walk->len) {
		walk->common = walk->len;
		for (const unsigned char *c = walk->at;
		     c < nul && *c == (unsigned char)walk->wanted[walk->common]; c++)
			walk->common++;
	}
	walk->len += (size_t)(nul - walk->at);
	walk->at = nul + 1;
	return (walk->len < LENGTH_MASK ? walk->len : LENGTH_MASK) == (flags & LENGTH_MASK);
}

static bool next_entry(struct index_walk *walk)
{
	enum { STATUS = 40, EXTENDED = 0x4000, ALIGNMENT = 8 };
	const unsigned char *start = walk->at;
	size_t fixed = STATUS + walk->hash_len + 2;
	if ((size_t)(walk->end - start) < fixed + 2)
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
	return true;
}

/* Whether the last name is the wanted one, or a folder that holds it: a sparse index has folders.
 */
static bool is_wanted(const struct index_walk *walk)
{
	return walk->len && walk->common == walk->len &&
	       (!walk->wanted[walk->len] || walk->wanted[walk->len - 1] == '/');
}

/* The index does not say how long its hashes are: with the wrong length no entry fits. */
static bool index_has(struct span index, const char *name)
{
	enum { HEADER = 12, VERSION_AT = 6, COUNT_AT = 8 };
	static const size_t hash_lens[] = {20, 32};
	const unsigned char *bytes = (const unsigned char *)index.ptr;
	if (index.len < HEADER || memcmp(bytes, "DIRC", 4) != 0)
		return false;
	size_t count = (size_t)two_bytes(bytes + COUNT_AT) << 16 | two_bytes(bytes + COUNT_AT + 2);
	for (size_t i = 0; i < sizeof hash_lens / sizeof *hash_lens; i++) {
		struct index_walk walk = {.at = bytes + HEADER,
					  .end = bytes + index.len,
					  .version = two_bytes(bytes + VERSION_AT),
					  .hash_len = hash_lens[i],
					  .wanted = name};
		for (size_t left = count; left && next_entry(&walk); left--)
			if (is_wanted(&walk))
				return true;
	}
	return false;
}

/* An index is read once: a folder may have thousands of files to ask about. */
static void read_indexes(struct repository *repository)
{
	enum { INDEX_LIMIT = 1 << 30 };
	const char *const folders[] = {repository->paths.git_dir, repository->paths.common_dir};
	struct error ignored;
	for (size_t i = 0; i < sizeof folders / sizeof *folders && !repository->has_indexes; i++)
		if (folders[i] && (i == 0 || !folders[0] || strcmp(folders[0], folders[i]) != 0) &&
		    file_read_linked(&repository->arena,
				     arena_printf(&repository->arena, "%s/index", folders[i]),
				     INDEX_LIMIT, &repository->indexes[i], &ignored) < 0)
			repository->indexes[i] = (struct span){0};
	repository->has_indexes = true;
}

bool repository_tracks(struct repository *repository, const char *name)
{
	read_indexes(repository);
	return index_has(repository->indexes[0], name) || index_has(repository->indexes[1], name);
}
