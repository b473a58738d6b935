/* Files in trees, ignored paths and configuration, with the git program. */
#include "vcs/git/backend.h"

#include "model/commits/commits.h"

/* Parses a line of `git ls-tree`, "MODE TYPE ID\tNAME"; the mode determines the kind. */
static bool read_entry(struct span text, struct tree_entry *entry)
{
	static const struct {
		const char *mode;
		enum tree_entry_kind kind;
	} kinds[] = {
		{"100", TREE_ENTRY_FILE},
		{"120000", TREE_ENTRY_LINK},
		{"040000", TREE_ENTRY_DIRECTORY},
		{"160000", TREE_ENTRY_SUBMODULE},
	};
	struct span mode = span_cut(&text, ' ');
	span_cut(&text, ' ');
	struct span oid = span_cut(&text, '\t');
	if (!object_id_is_full(oid))
		return false;
	snprintf(entry->oid, sizeof entry->oid, "%.*s", (int)oid.len, oid.ptr);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (span_starts(mode, kinds[i].mode)) {
			entry->kind = kinds[i].kind;
			return true;
		}
	return false;
}

enum answer git_entry(void *state, const char *tree, const char *name, struct tree_entry *entry,
		      struct error *err)
{
	GIT_RESULT result = {0};
	struct tree_entry found = {.kind = TREE_ENTRY_ABSENT};
	if (git_run(state,
		    ARGUMENTS("--literal-pathspecs", "ls-tree", "-z", "--full-tree", tree, "--",
			      name),
		    NULL, &result, err))
		return ANSWER_ERROR;
	struct span text = strbuf_span(&result.out);
	if (result.status)
		return ANSWER_NONE;
	if (text.len && !read_entry(text, &found))
		return git_unexpected("ls-tree", err);
	*entry = found;
	return ANSWER_YES;
}

static enum answer blob_size(void *state, const char *oid, uint64_t *size, struct error *err)
{
	GIT_RESULT result = {0};
	double number = 0;
	if (git_run(state, ARGUMENTS("cat-file", "-s", oid), NULL, &result, err))
		return ANSWER_ERROR;
	/* Below 2^53, a double is exact. */
	if (result.status || !span_number(span_trim(strbuf_span(&result.out)), &number) ||
	    !(number >= 0 && number < 0x1p53))
		return ANSWER_NONE;
	*size = (uint64_t)number;
	return ANSWER_YES;
}

enum answer git_blob(void *state, struct arena *arena, const char *oid, struct blob *blob,
		     struct error *err)
{
	GIT_RESULT result = {0};
	enum answer answer = blob_size(state, oid, &blob->size, err);
	if (answer != ANSWER_YES || blob->size > blob->limit)
		return answer;
	if (git_run(state, ARGUMENTS("cat-file", "blob", oid), NULL, &result, err))
		return ANSWER_ERROR;
	if (result.status)
		return git_failed(&result, err);
	blob->bytes = (struct span){arena_strndup(arena, strbuf_text(&result.out), result.out.len),
				    result.out.len};
	return ANSWER_YES;
}

enum answer git_is_ignored(void *state, const char *worktree, const char *path, bool *ignored,
			   struct error *err)
{
	GIT_RESULT result = {0};
	if (git_run(state,
		    ARGUMENTS("-C", worktree, "check-ignore", "--quiet", "--no-index", "--", path),
		    NULL, &result, err))
		return ANSWER_ERROR;
	if (result.status > 1)
		return git_failed(&result, err);
	*ignored = result.status == 0;
	return ANSWER_YES;
}

enum answer git_setting(void *state, struct arena *arena, const char *name, const char **value,
			struct error *err)
{
	GIT_RESULT result = {0};
	if (git_run(state, ARGUMENTS("config", "--null", "--get", name), NULL, &result, err))
		return ANSWER_ERROR;
	if (result.status > 1)
		return git_failed(&result, err);
	if (result.status)
		return ANSWER_NONE;
	*value = arena_strdup(arena, strbuf_text(&result.out));
	return ANSWER_YES;
}
