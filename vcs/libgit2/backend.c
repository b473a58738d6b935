/*
 * The backend that calls libgit2. Commits are read as raw objects: thus their parents are those
 * that are stored, without grafts, and a missing object is detected.
 */
#include "vcs/libgit2/backend.h"

#include "base/system/system.h"
#include "vcs/backend/backend.h"

DEFINE_CLEANUP(git_repository, git_repository_free)
DEFINE_CLEANUP(git_object, git_object_free)
DEFINE_CLEANUP(git_odb, git_odb_free)
DEFINE_CLEANUP(git_odb_object, git_odb_object_free)
DEFINE_CLEANUP(git_commit, git_commit_free)
DEFINE_CLEANUP(git_tree, git_tree_free)
DEFINE_CLEANUP(git_index, git_index_free)
DEFINE_CLEANUP(git_diff, git_diff_free)
DEFINE_CLEANUP(git_reference, git_reference_free)
DEFINE_CLEANUP(git_revwalk, git_revwalk_free)

static void oidarray_dispose_at(git_oidarray *array)
{
	git_oidarray_dispose(array);
}

/* Variables that move parts of the repository. libgit2 1.5 follows only some of them, and
 * differently from git. Therefore the git program is used if one is set, for example in git's
 * hooks. */
static const char *const moving_variables[] = {
	"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
};

enum answer libgit2_failed(struct error *err)
{
	const git_error *last = git_error_last();
	error_set(err, ERR_REVISION, "libgit2: %s", last ? last->message : "unknown error");
	return ANSWER_ERROR;
}

static char *without_slash(struct arena *arena, const char *path)
{
	size_t len = strlen(path);
	while (len > 1 && path[len - 1] == '/')
		len--;
	return arena_strndup(arena, path, len);
}

/* GIT_ENOTFOUND has two causes: neither this directory nor one above has a .git, or a configuration
 * value is missing while the ownership is checked. Only the first one, an error of the class
 * GIT_ERROR_REPOSITORY, is ANSWER_NONE. */
static enum answer open_failed(int code, struct error *err)
{
	const git_error *last = git_error_last();
	libgit2_failed(err);
	if (code == GIT_ENOTFOUND && last && last->klass == GIT_ERROR_REPOSITORY)
		return ANSWER_NONE;
	return ANSWER_ERROR;
}

static enum answer open_repository(const char *directory, struct arena *arena,
				   struct repository_path *paths, void **state, struct error *err)
{
	git_repository *repository CLEANUP(git_repository_free_at) = NULL;
	int code =
		git_repository_open_ext(&repository, directory, GIT_REPOSITORY_OPEN_FROM_ENV, NULL);
	if (code)
		return open_failed(code, err);
	const char *worktree = git_repository_workdir(repository);
	*paths = (struct repository_path){
		.git_dir = without_slash(arena, git_repository_path(repository)),
		.common_dir = without_slash(arena, git_repository_commondir(repository)),
		.worktree = worktree ? without_slash(arena, worktree) : NULL,
		.shallow = git_repository_is_shallow(repository) == 1,
	};
	*state = repository;
	repository = NULL;
	return ANSWER_YES;
}

static enum answer libgit2_open(const char *directory, struct arena *arena,
				struct repository_path *paths, void **state, struct error *err)
{
	for (size_t i = 0; i < sizeof moving_variables / sizeof *moving_variables; i++) {
		if (!process_variable(moving_variables[i]))
			continue;
		error_set(err, ERR_REVISION, "%s is set in the environment", moving_variables[i]);
		return ANSWER_ERROR;
	}
	if (lazy_libgit2_open(err) < 0)
		return ANSWER_ERROR;
	if (git_libgit2_init() < 0)
		return libgit2_failed(err);
	enum answer answer = open_repository(directory, arena, paths, state, err);
	if (answer != ANSWER_YES)
		git_libgit2_shutdown();
	return answer;
}

static void libgit2_close(void *state)
{
	git_repository_free(state);
	git_libgit2_shutdown();
}

bool libgit2_oid(git_oid *oid, const char *text)
{
	return strlen(text) == GIT_OID_HEXSZ && git_oid_fromstr(oid, text) == 0;
}

static void from_oid(char text[65], const git_oid *oid)
{
	git_oid_tostr(text, 65, oid);
}

static enum answer libgit2_resolve(void *state, const char *name, char oid[65], struct error *err)
{
	git_object *object CLEANUP(git_object_free_at) = NULL;
	git_object *commit CLEANUP(git_object_free_at) = NULL;
	int code = git_revparse_single(&object, state, name);
	if (code == GIT_EAMBIGUOUS)
		return ANSWER_AMBIGUOUS;
	if (code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC)
		return ANSWER_NONE;
	if (code)
		return libgit2_failed(err);
	if (git_object_peel(&commit, object, GIT_OBJECT_COMMIT))
		return ANSWER_NONE;
	from_oid(oid, git_object_id(commit));
	return ANSWER_YES;
}

static enum answer libgit2_ref(void *state, const char *name, char oid[65], struct error *err)
{
	git_reference *ref CLEANUP(git_reference_free_at) = NULL;
	git_oid id;
	int code = git_reference_lookup(&ref, state, name);
	code = code ? code : git_reference_name_to_id(&id, state, name);
	if (code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC)
		return ANSWER_NONE;
	if (code)
		return libgit2_failed(err);
	if (span_ends(span_of(name), "/HEAD") && !git_reference_symbolic_target(ref))
		return ANSWER_NONE;
	from_oid(oid, &id);
	return ANSWER_YES;
}

static enum answer libgit2_abbreviated(void *state, const char *digits, char oid[65],
				       struct error *err)
{
	git_commit *commit CLEANUP(git_commit_free_at) = NULL;
	size_t len = strlen(digits);
	char padded[GIT_OID_HEXSZ + 1];
	git_oid id;
	if (len > GIT_OID_HEXSZ)
		return ANSWER_NONE;
	memset(padded, '0', GIT_OID_HEXSZ);
	memcpy(padded, digits, len);
	padded[GIT_OID_HEXSZ] = '\0';
	if (!libgit2_oid(&id, padded))
		return ANSWER_NONE;
	int code = git_commit_lookup_prefix(&commit, state, &id, len);
	if (code == GIT_EAMBIGUOUS)
		return ANSWER_AMBIGUOUS;
	if (code == GIT_ENOTFOUND)
		return ANSWER_NONE;
	if (code)
		return libgit2_failed(err);
	from_oid(oid, git_object_id((const git_object *)commit));
	return ANSWER_YES;
}

static bool libgit2_head_is_unborn(void *state)
{
	return git_repository_head_unborn(state) == 1;
}

/* A commit that is far too long is left to git, whose output is cut while it is read. */
static enum answer read_commit(git_odb *odb, struct arena *arena, const char *oid,
			       struct revision *revision, struct error *err)
{
	enum { MOST_BYTES = 64 << 20 };
	git_odb_object *object CLEANUP(git_odb_object_free_at) = NULL;
	git_object_t type;
	size_t size;
	git_oid id;
	if (!libgit2_oid(&id, oid))
		return ANSWER_NONE;
	int code = git_odb_read_header(&size, &type, odb, &id);
	if (code == GIT_ENOTFOUND || (code == 0 && type != GIT_OBJECT_COMMIT))
		return ANSWER_NONE;
	if (code == 0 && size > MOST_BYTES) {
		error_set(err, ERR_REVISION, "commit %s has %zu bytes", oid, size);
		return ANSWER_ERROR;
	}
	if (code || git_odb_read(&object, odb, &id))
		return libgit2_failed(err);
	struct span raw = {git_odb_object_data(object), git_odb_object_size(object)};
	return commit_parse(arena, oid, raw, 0, revision, err) ? ANSWER_ERROR : ANSWER_YES;
}

static enum answer libgit2_commit(void *state, struct arena *arena, const char *oid,
				  struct revision *revision, struct error *err)
{
	git_odb *odb CLEANUP(git_odb_free_at) = NULL;
	if (git_repository_odb(&odb, state))
		return libgit2_failed(err);
	return read_commit(odb, arena, oid, revision, err);
}

static int diff_of_commit(git_diff **diff, git_repository *repository, const git_oid *id)
{
	git_commit *commit CLEANUP(git_commit_free_at) = NULL;
	git_commit *parent CLEANUP(git_commit_free_at) = NULL;
	git_tree *old CLEANUP(git_tree_free_at) = NULL;
	git_tree *new CLEANUP(git_tree_free_at) = NULL;
	git_diff_options options;
	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags = GIT_DIFF_INDENT_HEURISTIC;
	options.old_prefix = "a/";
	options.new_prefix = "b/";
	int code = git_commit_lookup(&commit, repository, id);
	if (!code)
		code = git_commit_parent(&parent, commit, 0);
	if (!code)
		code = git_commit_tree(&old, parent);
	if (!code)
		code = git_commit_tree(&new, commit);
	return code ? code : git_diff_tree_to_tree(diff, repository, old, new, &options);
}

/* Counts the files of a diff. */
struct texts {
	size_t files;
	size_t with_lines; /* files with lines of text that differ */
	bool seen;         /* the current file is counted in with_lines */
};

static int count_file(const git_diff_delta *delta, float progress, void *payload)
{
	struct texts *texts = payload;
	(void)delta;
	(void)progress;
	texts->files++;
	texts->seen = false;
	return 0;
}

static int count_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *payload)
{
	struct texts *texts = payload;
	(void)delta;
	(void)hunk;
	texts->with_lines += !texts->seen;
	texts->seen = true;
	return 0;
}

/* libgit2's patch id is equal to git's if every changed file differs in lines of text. For binary
 * and empty files it is not, so those commits are left to git. */
static enum answer libgit2_patch_id(void *state, const struct revision *revision, char patch_id[65],
				    struct error *err)
{
	git_diff *diff CLEANUP(git_diff_free_at) = NULL;
	git_diff_patchid_options options = GIT_DIFF_PATCHID_OPTIONS_INIT;
	struct texts texts = {0};
	git_oid id;
	if (!libgit2_oid(&id, revision->oid))
		return ANSWER_NONE;
	int code = diff_of_commit(&diff, state, &id);
	if (code == GIT_ENOTFOUND || (code == 0 && git_diff_num_deltas(diff) == 0))
		return ANSWER_NONE;
	if (!code)
		code = git_diff_foreach(diff, count_file, NULL, count_hunk, NULL, &texts);
	if (!code && texts.with_lines < texts.files)
		return ANSWER_NONE;
	if (code || git_diff_patchid(&id, diff, &options))
		return libgit2_failed(err);
	from_oid(patch_id, &id);
	return ANSWER_YES;
}

static enum answer libgit2_walk(void *state, const char *oid, struct chain *chain,
				struct error *err)
{
	git_odb *odb CLEANUP(git_odb_free_at) = NULL;
	struct revision revision = {.parent = oid};
	assert(!chain->all);
	if (git_repository_odb(&odb, state))
		return libgit2_failed(err);
	do {
		enum answer answer =
			read_commit(odb, chain->arena, revision.parent, &revision, err);
		if (answer == ANSWER_NONE && git_repository_is_shallow(state) == 1)
			return ANSWER_HIDDEN;
		if (answer != ANSWER_YES)
			return answer;
	} while (!chain_add(chain, &revision));
	return ANSWER_YES;
}

static enum answer libgit2_between(void *state, const char *good, const char *bad,
				   struct chain *chain, struct error *err)
{
	git_odb *odb CLEANUP(git_odb_free_at) = NULL;
	git_revwalk *walk CLEANUP(git_revwalk_free_at) = NULL;
	struct revision revision;
	git_oid from, to, id;
	char oid[65];
	int code;
	assert(chain->all);
	/* libgit2 1.5 does not know where a shallow history is cut off. */
	if (git_repository_is_shallow(state) == 1)
		return ANSWER_HIDDEN;
	if (!libgit2_oid(&from, good) || !libgit2_oid(&to, bad))
		return ANSWER_NONE;
	if (git_repository_odb(&odb, state) || git_revwalk_new(&walk, state) ||
	    git_revwalk_push(walk, &to) || git_revwalk_hide(walk, &from))
		return libgit2_failed(err);
	while ((code = git_revwalk_next(&id, walk)) == 0) {
		from_oid(oid, &id);
		enum answer answer = read_commit(odb, chain->arena, oid, &revision, err);
		if (answer != ANSWER_YES)
			return answer;
		chain_add(chain, &revision);
	}
	return code == GIT_ITEROVER ? ANSWER_YES : libgit2_failed(err);
}

/* The newest of the commits, with the smallest id among those of the same time. */
static enum answer newest_of(git_repository *repository, const git_oidarray *bases, char oid[65],
			     struct error *err)
{
	const git_oid *best = NULL;
	git_time_t best_time = 0;
	for (size_t i = 0; i < bases->count; i++) {
		git_commit *commit CLEANUP(git_commit_free_at) = NULL;
		if (git_commit_lookup(&commit, repository, &bases->ids[i]))
			return libgit2_failed(err);
		git_time_t time = git_commit_time(commit);
		if (!best || time > best_time ||
		    (time == best_time && git_oid_cmp(&bases->ids[i], best) < 0)) {
			best = &bases->ids[i];
			best_time = time;
		}
	}
	if (!best)
		return ANSWER_NONE;
	from_oid(oid, best);
	return ANSWER_YES;
}

static enum answer libgit2_merge_base(void *state, const char *one, const char *two, char oid[65],
				      struct error *err)
{
	git_oidarray bases CLEANUP(oidarray_dispose_at) = {0};
	git_oid first, second;
	/* libgit2 1.5 does not know where a shallow history is cut off. */
	if (git_repository_is_shallow(state) == 1)
		return ANSWER_HIDDEN;
	if (!libgit2_oid(&first, one) || !libgit2_oid(&second, two))
		return ANSWER_NONE;
	int code = git_merge_bases(&bases, state, &first, &second);
	if (code == GIT_ENOTFOUND) {
		git_odb *odb CLEANUP(git_odb_free_at) = NULL;
		if (git_repository_odb(&odb, state))
			return libgit2_failed(err);
		/* "Not found" may also mean one of the two commits. */
		return git_odb_exists(odb, &first) && git_odb_exists(odb, &second)
			       ? ANSWER_NONE
			       : libgit2_failed(err);
	}
	return code ? libgit2_failed(err) : newest_of(state, &bases, oid, err);
}

/* The tree of HEAD; NULL if HEAD is unborn. */
static int head_tree(git_tree **tree, git_repository *repository)
{
	git_reference *head CLEANUP(git_reference_free_at) = NULL;
	git_object *object CLEANUP(git_object_free_at) = NULL;
	int code = git_repository_head(&head, repository);
	if (code == GIT_EUNBORNBRANCH)
		return 0;
	if (!code)
		code = git_reference_peel(&object, head, GIT_OBJECT_TREE);
	if (!code)
		*tree = (git_tree *)object;
	object = NULL;
	return code;
}

/* Whether the diff has a path that counts: not in .rooflog/, and not excluded from the work tree by
 * a sparse checkout. */
static bool has_difference(const git_diff *diff, git_index *index)
{
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *delta = git_diff_get_delta(diff, i);
		const char *path =
			delta->old_file.path ? delta->old_file.path : delta->new_file.path;
		const git_index_entry *entry = git_index_get_bypath(index, path, 0);
		bool is_sparse = delta->status == GIT_DELTA_DELETED && entry &&
				 entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE;
		if (!is_sparse && strcmp(path, ".rooflog") != 0 &&
		    strncmp(path, ".rooflog/", 9) != 0)
			return true;
	}
	return false;
}

static enum answer libgit2_is_dirty(void *state, bool *dirty, struct error *err)
{
	git_tree *tree CLEANUP(git_tree_free_at) = NULL;
	git_index *index CLEANUP(git_index_free_at) = NULL;
	git_diff *staged CLEANUP(git_diff_free_at) = NULL;
	git_diff *unstaged CLEANUP(git_diff_free_at) = NULL;
	git_diff_options options;
	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.ignore_submodules = GIT_SUBMODULE_IGNORE_DIRTY;
	if (head_tree(&tree, state) || git_repository_index(&index, state) ||
	    git_index_read(index, 0) ||
	    git_diff_tree_to_index(&staged, state, tree, index, &options))
		return libgit2_failed(err);
	bool seen = has_difference(staged, index);
	if (!seen) {
		if (git_diff_index_to_workdir(&unstaged, state, index, &options))
			return libgit2_failed(err);
		seen = has_difference(unstaged, index);
	}
	*dirty = seen;
	return ANSWER_YES;
}

const struct backend backend_libgit2 = {
	.name = "libgit2",
	.open = libgit2_open,
	.close = libgit2_close,
	.resolve = libgit2_resolve,
	.ref = libgit2_ref,
	.abbreviated = libgit2_abbreviated,
	.head_is_unborn = libgit2_head_is_unborn,
	.commit = libgit2_commit,
	.patch_id = libgit2_patch_id,
	.walk = libgit2_walk,
	.between = libgit2_between,
	.merge_base = libgit2_merge_base,
	.is_dirty = libgit2_is_dirty,
	.entry = libgit2_entry,
	.blob = libgit2_blob,
	.is_ignored = libgit2_is_ignored,
	.setting = libgit2_setting,
	.tags = libgit2_tags,
};
