/* Profiles that git tracks came with a commit, so they have not measured it: a change could
 * bring fast ones and have them taken for what was measured. */
#include "cli/ingest/ingest.h"

struct origin {
	const char *path;
	enum source_kind kind;
};

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct origin *)a)->path, ((const struct origin *)b)->path);
}

/* The files of HEAD, or of the commit that the user named, each once. Runs that a file gives to
 * other commits are looked at when they are stored. */
static struct origin *origins_of(const struct ingest *ingest, size_t *count)
{
	size_t all = 0, distinct = 0;
	struct origin *origins = arena_array(
		ingest->arena, ingest->source_count + ingest->run_count + 1, sizeof *origins);
	for (size_t i = 0; i < ingest->source_count; i++)
		if (!ingest->sources[i].names_commits)
			origins[all++] =
				(struct origin){ingest->sources[i].path, ingest->sources[i].kind};
	for (size_t i = 0; i < ingest->run_count; i++)
		if (ingest->runs[i].has_commit && !ingest->runs[i].past)
			origins[all++] = (struct origin){ingest->runs[i].path, SOURCE_READ};
	array_sort(origins, all, sizeof *origins, by_path);
	for (size_t i = 0; i < all; i++)
		if (i == 0 || by_path(&origins[i], &origins[i - 1]) != 0)
			origins[distinct++] = origins[i];
	*count = distinct;
	return origins;
}

/* What one ingest gets: the first file of each kind; NULL: none. */
struct kinds {
	const struct origin *tracked, *measured, *link;
	size_t files; /* that git tracks */
};

static void keep_first(const struct origin **first, const struct origin *one)
{
	if (!*first)
		*first = one;
}

static struct kinds kinds_of(struct cli *cli, const struct origin *origins, size_t count)
{
	struct kinds kinds = {0};
	for (size_t i = 0; i < count; i++) {
		const struct origin *one = &origins[i];
		bool tracked = strcmp(one->path, "-") != 0 && cli_is_brought(cli, one->path);
		if (tracked && one->kind == SOURCE_LINK) {
			keep_first(&kinds.link, one);
		} else if (tracked && one->kind == SOURCE_READ) {
			keep_first(&kinds.tracked, one);
			kinds.files++;
		} else if (!tracked && one->kind != SOURCE_LINK) {
			keep_first(&kinds.measured, one);
		}
	}
	return kinds;
}

int ingest_check_tracked(struct ingest *ingest, struct error *err)
{
	size_t count;
	const struct origin *origins = origins_of(ingest, &count);
	struct kinds kinds = kinds_of(ingest->cli, origins, count);
	if (!kinds.files)
		return 0;
	if (kinds.measured)
		return error_set(
			err, ERR_USAGE,
			"nothing stored: git tracks %s, which came with a commit, but not %s; give "
			"only the files that were measured, or untrack the other (git rm --cached)",
			kinds.tracked->path, kinds.measured->path);
	if (kinds.link)
		return error_set(err, ERR_USAGE,
				 "nothing stored: git tracks %s, which came with a commit, and the "
				 "symbolic link %s, through which measurements may have been "
				 "written; give only the files that were measured",
				 kinds.tracked->path, kinds.link->path);
	if (kinds.files > 1)
		cli_warn(ingest->cli,
			 "git tracks %s and %zu more: they came with a commit and were not "
			 "measured there",
			 kinds.tracked->path, kinds.files - 1);
	else
		cli_warn(ingest->cli,
			 "git tracks %s: it came with a commit and was not measured there",
			 kinds.tracked->path);
	return 0;
}
