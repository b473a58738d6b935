/* Files in trees, ignored paths and configuration, with libgit2. */
#include "vcs/libgit2/backend.h"

DEFINE_CLEANUP(git_tree, git_tree_free)
DEFINE_CLEANUP(git_odb, git_odb_free)
DEFINE_CLEANUP(git_odb_object, git_odb_object_free)
DEFINE_CLEANUP(git_config, git_config_free)

static void buf_dispose_at(git_buf *buf)
{
	git_buf_dispose(buf);
}

static enum tree_entry_kind kind_of(git_filemode_t mode)
{
	switch (mode) {
	case GIT_FILEMODE_TREE:
		return TREE_ENTRY_DIRECTORY;
	case GIT_FILEMODE_LINK:
		return TREE_ENTRY_LINK;
	case GIT_FILEMODE_COMMIT:
		return TREE_ENTRY_SUBMODULE;
	default:
		return TREE_ENTRY_FILE;
	}
}

enum answer libgit2_entry(void *state, const char *tree, const char *name, struct tree_entry *entry,
			  struct error *err)
{
	git_tree *found CLEANUP(git_tree_free_at) = NULL;
	git_oid id;
	if (!libgit2_oid(&id, tree))
		return ANSWER_NONE;
	int code = git_tree_lookup(&found, state, &id);
	if (code == GIT_ENOTFOUND)
		return ANSWER_NONE;
	if (code)
		return libgit2_failed(err);
	const git_tree_entry *one = git_tree_entry_byname(found, name);
	*entry = (struct tree_entry){.kind = TREE_ENTRY_ABSENT};
	if (!one)
		return ANSWER_YES;
	entry->kind = kind_of(git_tree_entry_filemode(one));
	git_oid_tostr(entry->oid, sizeof entry->oid, git_tree_entry_id(one));
	return ANSWER_YES;
}

enum answer libgit2_blob(void *state, struct arena *arena, const char *oid, struct blob *blob,
			 struct error *err)
{
	git_odb *odb CLEANUP(git_odb_free_at) = NULL;
	git_odb_object *object CLEANUP(git_odb_object_free_at) = NULL;
	git_object_t type;
	size_t size;
	git_oid id;
	if (!libgit2_oid(&id, oid))
		return ANSWER_NONE;
	if (git_repository_odb(&odb, state))
		return libgit2_failed(err);
	int code = git_odb_read_header(&size, &type, odb, &id);
	if (code == GIT_ENOTFOUND || (code == 0 && type != GIT_OBJECT_BLOB))
		return ANSWER_NONE;
	if (code)
		return libgit2_failed(err);
	blob->size = size;
	if (size > blob->limit)
		return ANSWER_YES;
	if (git_odb_read(&object, odb, &id))
		return libgit2_failed(err);
	/* A damaged object may have more or fewer bytes than its header states. */
	size = git_odb_object_size(object);
	blob->size = size;
	if (size <= blob->limit)
		blob->bytes = (struct span){arena_strndup(arena, git_odb_object_data(object), size),
					    size};
	return ANSWER_YES;
}

enum answer libgit2_is_ignored(void *state, const char *worktree, const char *path, bool *ignored,
			       struct error *err)
{
	(void)worktree;
	int yes = 0;
	if (git_ignore_path_is_ignored(&yes, state, path))
		return libgit2_failed(err);
	*ignored = yes != 0;
	return ANSWER_YES;
}

enum answer libgit2_setting(void *state, struct arena *arena, const char *name, const char **value,
			    struct error *err)
{
	git_config *config CLEANUP(git_config_free_at) = NULL;
	git_buf text CLEANUP(buf_dispose_at) = {0};
	if (git_repository_config(&config, state))
		return libgit2_failed(err);
	int code = git_config_get_string_buf(&text, config, name);
	if (code == GIT_ENOTFOUND)
		return ANSWER_NONE;
	if (code)
		return libgit2_failed(err);
	*value = arena_strndup(arena, text.ptr, text.size);
	return ANSWER_YES;
}
