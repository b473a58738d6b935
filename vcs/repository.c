/*
 * Questions about commits. Each asks the backend and, if that fails, git as a second opinion; then
 * it words the error for the user.
 */
#include "vcs/repository.h"

#include <limits.h>

#include "base/system/system.h"
#include "model/commits/commits.h"
#include "vcs/backend/backend.h"
#include "vcs/plain/plain.h"
#include "vcs/repository_internal.h"

static const char unshallow[] = "the clone is shallow and its history is cut off; "
				"run: git fetch --unshallow";

static int no_such_commit(const struct repository *repository, const char *name, struct error *err)
{
	if (repository->paths.shallow)
		return error_set(err, ERR_REVISION, "unknown revision \"%s\"; %s", name, unshallow);
	return error_set(err, ERR_REVISION, "unknown revision \"%s\"", name);
}

/* Whether an expression begins with HEAD or @: HEAD~2, @^, HEAD@{1}. */
static bool begins_at_head(const char *name)
{
	if (*name == '@')
		return !name[1] || strchr("~^@", name[1]);
	return strncmp(name, "HEAD", 4) == 0 && (!name[4] || strchr("~^@", name[4]));
}

/* Whether the name is an object id or the beginning of one; git and libgit2 treat these alike. */
static bool is_id(const char *name)
{
	size_t digits = strspn(name, "0123456789abcdefABCDEF");
	return digits >= 4 && name[digits] == '\0';
}

static int unborn(struct error *err)
{
	return error_set(err, ERR_REVISION,
			 "HEAD has no commit yet: commit first, or name one with --commit");
}

/* The number of first parents in "~2", "^", "~^~3"; SIZE_MAX for anything else. */
static size_t steps_of(const char *suffix)
{
	enum { DIGITS = 9 };
	size_t steps = 0, digits;
	while (*suffix == '~' || *suffix == '^') {
		bool tilde = *suffix++ == '~';
		digits = tilde ? strspn(suffix, "0123456789") : 0;
		if (digits > DIGITS)
			return SIZE_MAX;
		steps += digits ? strtoul(suffix, NULL, 10) : 1;
		suffix += digits;
	}
	return *suffix ? SIZE_MAX : steps;
}

/* Replaces a commit by its ancestor. False if the caller does not know them all. */
static bool step_down(const struct repository *repository, char oid[65], size_t steps)
{
	char parent[65] = "";
	if (!repository->known)
		return false;
	for (; steps > 0; steps--) {
		if (!repository->known(repository->known_context, oid, parent) || !parent[0])
			return false;
		memcpy(oid, parent, sizeof parent);
	}
	return repository->known(repository->known_context, oid, NULL);
}

/* Resolves a name from the files of refs alone, if the id is known to be that of a commit. */
static enum ref find_in_files(const struct repository *repository, const char *name, char oid[65])
{
	enum { NAME_LIMIT = 1025 };
	char candidate[65], start[NAME_LIMIT];
	size_t len = strcspn(name, "~^"), steps = steps_of(name + len);
	if (!repository->found_in_files || steps == SIZE_MAX || len >= sizeof start)
		return REF_UNCERTAIN;
	snprintf(start, sizeof start, "%.*s", (int)len, name);
	enum ref found = refs_find(&repository->paths, start, candidate);
	if (name[len] && found != REF_FOUND)
		return REF_UNCERTAIN;
	if (found == REF_FOUND && !step_down(repository, candidate, steps))
		return REF_UNCERTAIN;
	if (found == REF_FOUND)
		memcpy(oid, candidate, sizeof candidate);
	return found;
}

static int ambiguous(const char *digits, struct error *err)
{
	return error_set(err, ERR_REVISION, "\"%s\" is ambiguous: give more digits", digits);
}

/* All objects are here: git cannot find one that libgit2 does not find. */
static bool is_whole(struct repository *repository)
{
	return paths_is_whole(&repository->arena, &repository->paths);
}

static int ask_for_name(struct repository *repository, const char *name, char oid[65], bool *found,
			struct error *err)
{
	if (repository_start(repository, err) < 0)
		return -1;
	const struct backend *backend = repository->backend;
	enum answer answer = backend->resolve(repository->state, name, oid, err);
	if (answer != ANSWER_YES && begins_at_head(name) &&
	    backend->head_is_unborn(repository->state))
		return unborn(err);
	if (answer == ANSWER_NONE && is_id(name) && is_whole(repository))
		return 0;
	if (answer != ANSWER_YES && repository_second_opinion(repository))
		answer = backend_git.resolve(repository->git, name, oid, err);
	if (answer == ANSWER_AMBIGUOUS)
		return ambiguous(name, err);
	if (answer == ANSWER_ERROR)
		return error_prefix(err, "revision \"%s\"", name);
	*found = answer == ANSWER_YES;
	return 0;
}

int repository_find(struct repository *repository, const char *name, char oid[65], bool *found,
		    struct error *err)
{
	*found = false;
	/* A ref cannot begin with '-'; rejected here, so that git cannot take it for an option. */
	if (!*name || *name == '-')
		return 0;
	enum ref ref = find_in_files(repository, name, oid);
	if (ref == REF_UNCERTAIN)
		return ask_for_name(repository, name, oid, found, err);
	*found = ref == REF_FOUND;
	return ref == REF_UNBORN ? unborn(err) : 0;
}

int repository_resolve(struct repository *repository, const char *name, char oid[65],
		       struct error *err)
{
	bool found;
	if (repository_find(repository, name, oid, &found, err) < 0)
		return -1;
	return found ? 0 : no_such_commit(repository, name, err);
}

int repository_find_id(struct repository *repository, const char *digits, char oid[65], bool *found,
		       struct error *err)
{
	*found = false;
	if (!is_id(digits))
		return 0;
	if (repository_start(repository, err) < 0)
		return -1;
	enum answer answer = repository->backend->abbreviated(repository->state, digits, oid, err);
	bool settled = answer == ANSWER_YES || (answer == ANSWER_NONE && is_whole(repository));
	if (!settled && repository_second_opinion(repository))
		answer = backend_git.abbreviated(repository->git, digits, oid, err);
	if (answer == ANSWER_AMBIGUOUS)
		return ambiguous(digits, err);
	*found = answer == ANSWER_YES;
	return answer == ANSWER_ERROR ? error_prefix(err, "commit %s", digits) : 0;
}

int repository_branch(struct repository *repository, const char *ref, char oid[65], bool *found,
		      struct error *err)
{
	enum ref in_files = repository->found_in_files ? refs_exact(&repository->paths, ref, oid)
						       : REF_UNCERTAIN;
	*found = in_files == REF_FOUND;
	if (in_files != REF_UNCERTAIN)
		return 0;
	if (repository_start(repository, err) < 0)
		return -1;
	enum answer answer = repository->backend->ref(repository->state, ref, oid, err);
	if (answer == ANSWER_ERROR && repository_second_opinion(repository))
		answer = backend_git.ref(repository->git, ref, oid, err);
	*found = answer == ANSWER_YES;
	return answer == ANSWER_ERROR ? error_prefix(err, "%s", ref) : 0;
}

/* ERR_REVISION unless it is a full id, which a backend can take for nothing else. */
static int check_oid(const char *oid, struct error *err)
{
	if (object_id_is_full(span_of(oid)))
		return 0;
	return error_set(err, ERR_REVISION, "\"%s\" is not a full commit id", oid);
}

/* A commit with the same tree as its parent has no patch, so git need not be asked. */
static bool changes_nothing(struct repository *repository, struct arena *arena,
			    const struct revision *revision)
{
	struct revision parent;
	struct error ignored;
	return repository->backend->commit(repository->state, arena, revision->parent, &parent,
					   &ignored) == ANSWER_YES &&
	       strcmp(parent.tree, revision->tree) == 0;
}

/* libgit2's patch id where it is known to be equal to git's; otherwise that of git. */
static int fill_patch_id(struct repository *repository, struct arena *arena,
			 struct revision *revision, struct error *err)
{
	char patch_id[65];
	if (!*revision->parent || strchr(revision->parents, ' '))
		return 0;
	enum answer answer =
		repository->backend->patch_id(repository->state, revision, patch_id, err);
	if (answer == ANSWER_NONE && changes_nothing(repository, arena, revision))
		return 0;
	if (answer != ANSWER_YES && repository_second_opinion(repository))
		answer = backend_git.patch_id(repository->git, revision, patch_id, err);
	if (answer == ANSWER_ERROR)
		return error_prefix(err, "commit %s", revision->oid);
	if (answer == ANSWER_YES)
		revision->patch_id = arena_strdup(arena, patch_id);
	return 0;
}

int repository_revision(struct repository *repository, struct arena *arena, const char *oid,
			bool with_patch_id, struct revision *revision, struct error *err)
{
	struct revision found;
	if (check_oid(oid, err) || repository_start(repository, err))
		return -1;
	enum answer answer =
		repository->backend->commit(repository->state, arena, oid, &found, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository))
		answer = backend_git.commit(repository->git, arena, oid, &found, err);
	if (answer == ANSWER_ERROR)
		return error_prefix(err, "commit %s", oid);
	if (answer != ANSWER_YES)
		return no_such_commit(repository, oid, err);
	if (with_patch_id && fill_patch_id(repository, arena, &found, err))
		return -1;
	*revision = found;
	return 0;
}

int repository_first_parents(struct repository *repository, struct arena *arena, const char *oid,
			     revision_known *known, void *context, struct revision_list *list,
			     struct error *err)
{
	const struct chain empty = {.arena = arena, .known = known, .context = context};
	struct chain chain = empty;
	if (check_oid(oid, err))
		return -1;
	if (known && known(context, oid) >= 0) {
		*list = chain.list;
		return 0;
	}
	if (repository_start(repository, err))
		return -1;
	enum answer answer = repository->backend->walk(repository->state, oid, &chain, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository)) {
		chain = empty;
		answer = backend_git.walk(repository->git, oid, &chain, err);
	}
	if (answer == ANSWER_NONE || (answer == ANSWER_HIDDEN && chain.list.count == 0))
		return no_such_commit(repository, oid, err);
	if (answer == ANSWER_HIDDEN)
		return error_set(err, ERR_REVISION, "the history of %s ends after %zu commits: %s",
				 oid, chain.list.count, unshallow);
	if (answer != ANSWER_YES)
		return error_prefix(err, "history of %s", oid);
	chain_number(&chain);
	*list = chain.list;
	return 0;
}

/* In a shallow clone, parents of these commits may be cut off, and then further commits are hidden:
 * every parent outside of the list must exist. */
static int check_cut(struct repository *repository, struct arena *arena,
		     const struct commit_range *lineage, struct error *err)
{
	struct revision revision;
	for (size_t i = 0; repository->paths.shallow && i < lineage->outside_count; i++)
		if (repository_revision(repository, arena, lineage->outside[i], false, &revision,
					err))
			return -1;
	return 0;
}

int repository_between(struct repository *repository, struct arena *arena, const char *good,
		       const char *bad, struct commit_range *lineage, struct error *err)
{
	const struct chain empty = {.arena = arena, .all = true};
	struct chain chain = empty;
	struct revision ends[2];
	if (repository_revision(repository, arena, good, false, &ends[0], err) ||
	    repository_revision(repository, arena, bad, false, &ends[1], err))
		return -1;
	enum answer answer =
		repository->backend->between(repository->state, good, bad, &chain, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository)) {
		chain = empty;
		answer = backend_git.between(repository->git, good, bad, &chain, err);
	}
	if (answer == ANSWER_HIDDEN)
		return error_set(err, ERR_REVISION, "cannot list commits from %s to %s: %s", good,
				 bad, unshallow);
	if (answer == ANSWER_NONE)
		return error_set(err, ERR_REVISION, "%s or %s is not a commit in this repository",
				 good, bad);
	if (answer != ANSWER_YES)
		return error_prefix(err, "commits from %s to %s", good, bad);
	struct commit_range found = commit_range_of(arena, &chain.list, bad);
	if (check_cut(repository, arena, &found, err))
		return -1;
	*lineage = found;
	return 0;
}

const char *repository_bisect_start(struct repository *repository, struct arena *arena)
{
	struct span text;
	struct error ignored;
	const char *file = arena_printf(arena, "%s/BISECT_START", repository->paths.git_dir);
	if (!file_exists(file) || file_read_linked(arena, file, PATH_MAX, &text, &ignored))
		return NULL;
	text = span_trim(text);
	return text.len ? arena_strndup(arena, text.ptr, text.len) : NULL;
}

int repository_merge_base(struct repository *repository, const char *one, const char *two,
			  char oid[65], struct error *err)
{
	if (check_oid(one, err) || check_oid(two, err) || repository_start(repository, err))
		return -1;
	enum answer answer = repository->backend->merge_base(repository->state, one, two, oid, err);
	if (answer == ANSWER_ERROR && repository_second_opinion(repository))
		answer = backend_git.merge_base(repository->git, one, two, oid, err);
	if (answer == ANSWER_YES)
		return 0;
	if (answer == ANSWER_HIDDEN)
		return error_set(err, ERR_REVISION,
				 "cannot determine the merge base of %s and %s: %s", one, two,
				 unshallow);
	if (answer == ANSWER_NONE)
		return error_set(err, ERR_REVISION, "%s and %s have no common ancestor", one, two);
	return error_prefix(err, "common ancestor of %s and %s", one, two);
}

int repository_is_ancestor(struct repository *repository, const char *ancestor, const char *oid,
			   bool *yes, struct error *err)
{
	char base[65] = "";
	if (check_oid(ancestor, err) || check_oid(oid, err) || repository_start(repository, err))
		return -1;
	enum answer answer =
		repository->backend->merge_base(repository->state, ancestor, oid, base, err);
	if (answer == ANSWER_ERROR && repository_second_opinion(repository))
		answer = backend_git.merge_base(repository->git, ancestor, oid, base, err);
	if (answer == ANSWER_HIDDEN)
		return error_set(err, ERR_REVISION,
				 "cannot determine whether %s is an ancestor of %s: %s", ancestor,
				 oid, unshallow);
	if (answer == ANSWER_ERROR)
		return error_prefix(err, "whether %s is an ancestor of %s", ancestor, oid);
	*yes = answer == ANSWER_YES && strcmp(base, ancestor) == 0;
	return 0;
}

int repository_is_dirty(struct repository *repository, bool *dirty, struct error *err)
{
	bool seen = false;
	if (!repository->paths.worktree) {
		*dirty = false;
		return 0;
	}
	if (repository_start(repository, err))
		return -1;
	enum answer answer = repository->backend->is_dirty(repository->state, &seen, err);
	/* libgit2 does not run filters (git-lfs ...), so git must confirm that files differ. */
	if ((answer != ANSWER_YES || seen) && repository_second_opinion(repository))
		answer = backend_git.is_dirty(repository->git, &seen, err);
	if (answer != ANSWER_YES)
		return error_prefix(err, "state of the work tree");
	*dirty = seen;
	return 0;
}
