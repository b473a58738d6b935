/* Profiles that git tracks came with a commit, so they have not measured it: a change could
 * bring fast ones and have them taken for repeats of what was measured. */
#include "cli/ingest/ingest.h"

struct origin {
	const char *path;
	const char *series;
	bool tracked;
};

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct origin *)a)->path, ((const struct origin *)b)->path);
}

static int by_series(const void *a, const void *b)
{
	const struct origin *x = a, *y = b;
	int order = strcmp(x->series, y->series);
	return order ? order : x->tracked - y->tracked;
}

/* The runs of HEAD, or of the commit that the user named. Those that a file gives to other commits
 * are looked at when they are stored. */
static struct origin *origins_of(const struct ingest *ingest, size_t *count)
{
	struct origin *origins = arena_array(ingest->arena, ingest->run_count + 1, sizeof *origins);
	*count = 0;
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		if (!one->past && strcmp(one->path, "-") != 0)
			origins[(*count)++] =
				(struct origin){one->path, ingest_series(ingest, one->run), false};
	}
	return origins;
}

/* Asks once about each file. Returns the number of those that git tracks; *first is one of them. */
static size_t find_tracked(struct cli *cli, struct origin *origins, size_t count,
			   const char **first)
{
	size_t files = 0;
	array_sort(origins, count, sizeof *origins, by_path);
	for (size_t i = 0; i < count; i++) {
		bool again = i && by_path(&origins[i], &origins[i - 1]) == 0;
		origins[i].tracked =
			again ? origins[i - 1].tracked : cli_is_brought(cli, origins[i].path);
		if (origins[i].tracked && !again && files++ == 0)
			*first = origins[i].path;
	}
	return files;
}

int ingest_check_tracked(struct ingest *ingest, struct error *err)
{
	size_t count;
	const char *first = NULL;
	struct origin *origins = origins_of(ingest, &count);
	size_t files = find_tracked(ingest->cli, origins, count, &first);
	if (!files)
		return 0;
	array_sort(origins, count, sizeof *origins, by_series);
	for (size_t i = 1; i < count; i++) {
		const struct origin *measured = &origins[i - 1], *tracked = &origins[i];
		if (strcmp(measured->series, tracked->series) == 0 &&
		    measured->tracked != tracked->tracked)
			return error_set(
				err, ERR_USAGE,
				"git tracks %s, so a commit brought it, and %s is of the same "
				"series: nothing is stored; name the files that were measured, or "
				"take the other out (git rm --cached)",
				tracked->path, measured->path);
	}
	if (files > 1)
		cli_warn(ingest->cli,
			 "git tracks %s and %zu more: a commit brought them, they were not "
			 "measured there",
			 first, files - 1);
	else
		cli_warn(ingest->cli,
			 "git tracks %s: a commit brought it, it was not measured there", first);
	return 0;
}
