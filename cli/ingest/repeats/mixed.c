/* Stored series with runs of one commit that are not repeats: stores of older versions have them,
 * and those whose user said so by --split-by none. */
#include "cli/ingest/repeats/repeats.h"

#include "base/text/text.h"

/* Adds what a commit's runs differ in to the series; runs of one commit are adjacent. */
static void compare(struct arena *arena, struct repeat *group, size_t count,
		    struct mixed_series *mixed)
{
	struct repeat_ends ends = {0};
	enum repeat_trait trait;
	for (size_t i = 0; i < count; i++) {
		repeats_read(arena, &group[i]);
		const struct repeat *other = repeats_unlike(&ends, &group[i], &trait);
		if (other) {
			if (mixed->commits++ == 0) {
				mixed->commit = group->run->commit;
				mixed->trait = trait;
				mixed->values[0] = other->texts[trait];
				mixed->values[1] = group[i].texts[trait];
			}
			return;
		}
		repeats_extend(&ends, &group[i]);
	}
}

/* The runs of a series as repeats, newest commit first. */
static struct repeat *repeats_in(struct arena *arena, const struct store_run_list *runs)
{
	struct repeat *repeats = arena_array(arena, runs->count + 1, sizeof *repeats);
	for (size_t i = 0; i < runs->count; i++) {
		struct run *run = runs->items[i].run;
		run->commit = runs->items[i].revision.oid;
		run->variant = run->variant ? run->variant : "";
		run->source = run->source ? run->source : "";
		repeats[i] = (struct repeat){.run = run, .series = runs->items[i].series};
	}
	return repeats;
}

static int look_at(struct store *store, struct arena *arena, const char *key,
		   struct mixed_series *mixed, struct error *err)
{
	struct store_run_list runs = {0};
	const struct run_query query = {.series = key, .clean_only = true, .details = true};
	if (store_runs(store, arena, &query, &runs, err) < 0)
		return -1;
	struct repeat *repeats = repeats_in(arena, &runs);
	for (size_t first = 0, end; first < runs.count; first = end) {
		const char *commit = repeats[first].run->commit;
		for (end = first + 1;
		     end < runs.count && strcmp(repeats[end].run->commit, commit) == 0;)
			end++;
		compare(arena, &repeats[first], end - first, mixed);
	}
	return 0;
}

int repeats_find_mixed(struct store *store, struct arena *arena, struct mixed_list *list,
		       struct error *err)
{
	struct store_series_list all = {0};
	if (store_series_all(store, arena, &all, err) < 0)
		return -1;
	for (size_t i = 0; i < all.count; i++) {
		struct arena scratch = {0};
		struct mixed_series mixed = {.identity = all.items[i].identity};
		int rc = all.items[i].used
				 ? look_at(store, &scratch,
					   run_series_key(&scratch, mixed.identity), &mixed, err)
				 : 0;
		if (mixed.commits) {
			mixed.commit = arena_strdup(arena, mixed.commit);
			for (int k = 0; k < 2; k++)
				mixed.values[k] = arena_strdup(arena, mixed.values[k]);
			*arena_add(arena, list) = mixed;
		}
		arena_free(&scratch);
		if (rc < 0)
			return -1;
	}
	return 0;
}
