/*
 * Runs of one series and commit that are not repeats are refused, unless --split-by makes what
 * distinguishes them a parameter, so that each is in a series of its own.
 */
#include "cli/ingest/ingest.h"

#include "base/text/text.h"
#include "cli/ingest/repeats/repeats.h"

/* --- --split-by --- */

static int split_one(struct ingest *ingest, const char *word, struct run *run, struct error *err)
{
	const char *value = repeats_value(ingest->arena, word, run);
	if (!value)
		return error_set(err, ERR_USAGE,
				 "--split-by %s: unknown for the run in %s; give a parameter in "
				 "--set, or split by something else",
				 word, run->source);
	if (run_param(run, word))
		return error_set(err, ERR_USAGE,
				 "--split-by %s: the run in %s already has a parameter of this "
				 "name: \"%.80s\"",
				 word, run->source, run_param(run, word));
	char *text = arena_strdup(ingest->arena, value);
	size_t len = 0;
	for (const char *c = value; *c; c++)
		if ((unsigned char)*c > ' ' && *c != 0x7f)
			text[len++] = *c;
	text[len] = '\0';
	run_set_param(ingest->arena, run, word, text);
	return 0;
}

/* --- repeats --- */

/* Before its commit is looked up, a run may have none. */
static const char *commit_of(const struct repeat *one)
{
	return one->run->commit ? one->run->commit : "";
}

static int by_place(const void *a, const void *b)
{
	const struct repeat *x = a, *y = b;
	int order = strcmp(commit_of(x), commit_of(y));
	order = order ? order : x->run->dirty - y->run->dirty;
	return order ? order : strcmp(x->series, y->series);
}

/* Refuses a run that differs from another one of its group. */
static int check_one(struct arena *arena, const struct repeat_ends *ends, const struct repeat *one,
		     bool stored, struct error *err)
{
	enum repeat_trait trait;
	const struct repeat *other = repeats_unlike(ends, one, &trait);
	if (!other)
		return 0;
	const struct run *a = other->run, *b = one->run;
	const char *files = strcmp(a->source, b->source) == 0
				    ? a->source
				    : arena_printf(arena, "%s%s and %s", a->source,
						   stored ? " (stored)" : "", b->source);
	return error_set(err, ERR_USAGE,
			 "%.400s: runs of one series (%.200s) and commit that are not repeats: %s: "
			 "%.100s and %.100s; nothing is stored\nhint: distinguish them with --set "
			 "variant=..., a parameter (--set NAME=VALUE) or --split-by%s; --split-by "
			 "none stores them as repeats",
			 files, repeats_series_name(arena, a), repeats_title(trait),
			 other->texts[trait], one->texts[trait],
			 stored ? ", or replace the other with --replace" : "");
}

/* --- runs in the store --- */

static int check_stored(const struct ingest *ingest, const struct repeat *group, size_t count,
			struct error *err)
{
	struct store_run_list found = {0};
	struct repeat_ends ends = {0};
	bool known = false;
	const struct run_query query = {.commit = group->run->commit,
					.series = group->series,
					.clean_only = true,
					.details = true};
	/* Between two measurements of a work tree with changes the program may change. */
	if (group->run->dirty || !repeats_have_traits(group, count))
		return 0;
	if (store_has_series(ingest->cli->store, group->series, &known, err) < 0)
		return -1;
	if (!known)
		return 0;
	if (store_runs(ingest->cli->store, ingest->arena, &query, &found, err) < 0)
		return -1;
	struct repeat *stored = arena_array(ingest->arena, found.count + 1, sizeof *stored);
	for (size_t i = 0; i < found.count; i++) {
		stored[i] = (struct repeat){.run = found.items[i].run, .needs = group->needs};
		/* A run of ingest always has these texts, but a store may have been written by
		 * anyone. */
		struct run *run = found.items[i].run;
		run->variant = run->variant ? run->variant : "";
		run->source = run->source ? run->source : "";
		repeats_read(ingest->arena, &stored[i]);
		repeats_extend(&ends, &stored[i]);
	}
	for (size_t i = 0; i < count; i++)
		if (check_one(ingest->arena, &ends, &group[i], true, err) < 0)
			return -1;
	return 0;
}

/* --- all groups --- */

/* The runs in the order of their places. */
static struct repeat *repeats_of(const struct ingest *ingest)
{
	struct repeat *repeats = arena_array(ingest->arena, ingest->run_count, sizeof *repeats);
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		repeats[i] = (struct repeat){.run = one->run,
					     .series = ingest_series(ingest, one->run),
					     .needs = one->reader->needs};
	}
	array_sort(repeats, ingest->run_count, sizeof *repeats, by_place);
	return repeats;
}

static int check_group(const struct ingest *ingest, struct repeat *group, size_t count,
		       struct error *err)
{
	struct repeat_ends ends = {0};
	for (size_t i = 0; i < count; i++) {
		repeats_read(ingest->arena, &group[i]);
		if (check_one(ingest->arena, &ends, &group[i], false, err) < 0)
			return -1;
		repeats_extend(&ends, &group[i]);
	}
	return 0;
}

static int check_groups(const struct ingest *ingest, bool with_stored, struct error *err)
{
	struct repeat *repeats = repeats_of(ingest);
	for (size_t first = 0, end; first < ingest->run_count; first = end) {
		for (end = first + 1;
		     end < ingest->run_count && by_place(&repeats[first], &repeats[end]) == 0;)
			end++;
		struct repeat *group = &repeats[first];
		size_t count = end - first;
		if (((with_stored || count > 1) && check_group(ingest, group, count, err) < 0) ||
		    (with_stored && check_stored(ingest, group, count, err) < 0))
			return -1;
	}
	return 0;
}

static bool takes_all(const struct ingest *ingest)
{
	return ingest->options->split_by && strcmp(ingest->options->split_by, "none") == 0;
}

int ingest_check_repeats(struct ingest *ingest, struct error *err)
{
	const char *word = ingest->options->split_by;
	if (takes_all(ingest))
		return 0;
	for (size_t i = 0; word && i < ingest->run_count; i++)
		if (split_one(ingest, word, ingest->runs[i].run, err) < 0)
			return -1;
	return check_groups(ingest, false, err);
}

int ingest_check_stored_repeats(struct ingest *ingest, struct error *err)
{
	struct store *store = ingest->cli->store;
	if (takes_all(ingest))
		return 0;
	/* A stored series may have got another name by [alias]. */
	if (store_show_aliases(store, true, err) < 0 ||
	    check_groups(ingest, !ingest->options->replace, err) < 0)
		return -1;
	return store_show_aliases(store, false, err);
}
