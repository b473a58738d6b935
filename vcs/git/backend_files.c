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

static enum answer no_entry(struct error *err)
{
	error_set(err, ERR_REVISION, "git ls-tree printed something that is no entry");
	return ANSWER_ERROR;
}

enum answer git_entry(void *state, const char *tree, const char *name, struct tree_entry *entry,
		      struct error *err)
{
	struct process_result result;
	struct tree_entry found = {.kind = TREE_ENTRY_ABSENT};
	if (git_run(state,
		    ARGUMENTS("--literal-pathspecs", "ls-tree", "-z", "--full-tree", tree, "--",
			      name),
		    NULL, &result, err))
		return ANSWER_ERROR;
	enum answer answer = ANSWER_YES;
	struct span text = strbuf_span(&result.out);
	if (result.status)
		answer = ANSWER_NONE;
	else if (text.len && !read_entry(text, &found))
		answer = no_entry(err);
	process_result_free(&result);
	if (answer == ANSWER_YES)
		*entry = found;
	return answer;
}

static enum answer blob_size(void *state, const char *oid, uint64_t *size, struct error *err)
{
	struct process_result result;
	double number = 0;
	if (git_run(state, ARGUMENTS("cat-file", "-s", oid), NULL, &result, err))
		return ANSWER_ERROR;
	/* Below 2^53, a double is exact. */
	bool is_size = result.status == 0 &&
		       span_number(span_trim(strbuf_span(&result.out)), &number) && number >= 0 &&
		       number < 0x1p53;
	process_result_free(&result);
	if (is_size)
		*size = (uint64_t)number;
	return is_size ? ANSWER_YES : ANSWER_NONE;
}

enum answer git_blob(void *state, struct arena *arena, const char *oid, struct blob *blob,
		     struct error *err)
{
	struct process_result result;
	enum answer answer = blob_size(state, oid, &blob->size, err);
	if (answer != ANSWER_YES || blob->size > blob->limit)
		return answer;
	if (git_run(state, ARGUMENTS("cat-file", "blob", oid), NULL, &result, err))
		return ANSWER_ERROR;
	if (result.status)
		answer = git_failed(&result, err);
	else
		blob->bytes = (struct span){
			arena_strndup(arena, strbuf_text(&result.out), result.out.len),
			result.out.len};
	process_result_free(&result);
	return answer;
}

enum answer git_is_ignored(void *state, const char *worktree, const char *path, bool *ignored,
			   struct error *err)
{
	struct process_result result;
	if (git_run(state,
		    ARGUMENTS("-C", worktree, "check-ignore", "--quiet", "--no-index", "--", path),
		    NULL, &result, err))
		return ANSWER_ERROR;
	enum answer answer = result.status > 1 ? git_failed(&result, err) : ANSWER_YES;
	if (answer == ANSWER_YES)
		*ignored = result.status == 0;
	process_result_free(&result);
	return answer;
}

enum answer git_setting(void *state, struct arena *arena, const char *name, const char **value,
			struct error *err)
{
	struct process_result result;
	if (git_run(state, ARGUMENTS("config", "--null", "--get", name), NULL, &result, err))
		return ANSWER_ERROR;
	enum answer answer = ANSWER_YES;
	if (result.status == 1)
		answer = ANSWER_NONE;
	else if (result.status)
		answer = git_failed(&result, err);
	else
		*value = arena_strdup(arena, strbuf_text(&result.out));
	process_result_free(&result);
	return answer;
}
