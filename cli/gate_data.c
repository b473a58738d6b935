/*
 * Pairing for the gate. A series is compared with its nearest first-parent
 * ancestor that has clean runs of it, or with a given commit (and, where that has
 * none, that commit's own nearest ancestor). Series that the reference commit has
 * and the candidate lacks are missing.
 */
#include "cli/gate_data.h"

#include <string.h>

/* Where baselines are looked for: an oid, and whether that commit itself counts. */
struct reference {
	const char *oid;
	bool inclusive;
	const char *words;
};

static struct gate_series *series_named(struct arena *arena, struct gate_series_list *list,
					const char *key)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].key, key) == 0)
			return &list->items[i];
	list->items =
		arena_grow(arena, list->items, list->count, &list->capacity, sizeof *list->items);
	struct gate_series *series = &list->items[list->count++];
	*series = (struct gate_series){.key = key, .baseline_age = -1};
	return series;
}

/* Whether the run is wanted by the caller's filter; NULL wants all. */
static bool wanted(const struct run_filter *filter, const struct run *run)
{
	return !filter || ((!filter->kernel || span_glob(filter->kernel, run->kernel)) &&
			   (!filter->variant || span_glob(filter->variant, run->variant)) &&
			   (!filter->dtype || span_glob(filter->dtype, run->dtype)) &&
			   (!filter->device || span_glob(filter->device, run->device)));
}

/* Runs of uncommitted changes are another program than those of the commit itself: where there are
 * some, they alone are the candidate. */
static int add_candidates(struct cli *cli, const char *oid, const struct run_filter *filter,
			  struct gate_series_list *list, struct gate *gate, struct error *err)
{
	struct loaded_list runs = {0};
	struct run_query query = {.commit = oid};
	if (cli_load_runs(cli, &query, &runs, err) < 0)
		return -1;
	for (size_t i = 0; i < runs.count; i++)
		gate->dirty = gate->dirty || runs.items[i].stored.run->dirty;
	for (size_t i = 0; i < runs.count; i++) {
		const struct stored_run *stored = &runs.items[i].stored;
		if (stored->run->dirty != gate->dirty || !wanted(filter, stored->run))
			continue;
		struct gate_series *series = series_named(&cli->arena, list, stored->series);
		run_list_add(&cli->arena, &series->candidate, stored->run);
	}
	return 0;
}

static int load_baseline(struct cli *cli, struct gate_series *series,
			 const struct revision *candidate, const struct revision *revision,
			 struct error *err)
{
	struct loaded_list runs = {0};
	if (cli_load_baseline(cli, revision->oid, series->key, &runs, err) < 0)
		return -1;
	for (size_t i = 0; i < runs.count; i++)
		run_list_add(&cli->arena, &series->baseline, runs.items[i].stored.run);
	if (runs.count) {
		struct revision *copy = arena_new(&cli->arena, struct revision);
		*copy = *revision;
		series->baseline_revision = copy;
		series->baseline_age = cli_steps_to(cli, candidate, copy);
	}
	return 0;
}

static int find_baseline(struct cli *cli, const struct reference *reference,
			 const struct revision *candidate, struct gate_series *series,
			 bool *truncated, struct error *err)
{
	struct revision revision;
	int64_t age = 0;
	bool found = false, cut = false;
	if (reference->inclusive) {
		if (store_revision(cli->store, &cli->arena, reference->oid, &revision, err) < 0 ||
		    load_baseline(cli, series, candidate, &revision, err) < 0)
			return -1;
		if (series->baseline.count)
			return 0;
	}
	revision.oid = reference->oid;
	/* An ancestor whose results were all wrong is passed over. */
	do {
		if (store_ancestor_with_series(cli->store, &cli->arena, revision.oid, series->key,
					       &revision, &age, &found, &cut, err) < 0 ||
		    (found && load_baseline(cli, series, candidate, &revision, err) < 0))
			return -1;
	} while (found && !series->baseline.count);
	*truncated = *truncated || (!found && cut);
	return 0;
}

/* The newest commit at or below the reference with clean runs of anything. */
static int reference_commit(struct cli *cli, const struct reference *reference,
			    struct revision *revision, bool *found, struct error *err)
{
	*found = false;
	if (store_revision(cli->store, &cli->arena, reference->oid, revision, err) < 0)
		return -1;
	for (bool first = true;; first = false) {
		struct stored_run_list runs = {0};
		struct run_query query = {.commit = revision->oid, .clean_only = true, .limit = 1};
		if (!first || reference->inclusive) {
			if (store_runs(cli->store, &cli->arena, &query, &runs, err) < 0)
				return -1;
			*found = runs.count > 0;
		}
		int64_t position = revision->position;
		if (*found || !revision->parent[0] ||
		    !store_has_revision(cli->store, revision->parent))
			return 0;
		if (store_revision(cli->store, &cli->arena, revision->parent, revision, err) < 0)
			return -1;
		/* Positions fall at every step, or the store is damaged. */
		if (revision->position >= position)
			return 0;
	}
}

static int add_missing(struct cli *cli, const struct reference *reference,
		       const struct run_filter *filter, const struct gate *gate,
		       struct gate_series_list *list, struct error *err)
{
	struct revision revision;
	bool found;
	if (reference_commit(cli, reference, &revision, &found, err) < 0)
		return -1;
	if (!found)
		return 0;
	struct loaded_list runs = {0};
	struct run_query query = {.commit = revision.oid, .clean_only = true};
	if (cli_load_runs(cli, &query, &runs, err) < 0)
		return -1;
	for (size_t i = 0; i < runs.count; i++) {
		if (!wanted(filter, runs.items[i].stored.run))
			continue;
		struct gate_series *series =
			series_named(&cli->arena, list, runs.items[i].stored.series);
		if (series->candidate.count || series->baseline.count)
			continue;
		if (load_baseline(cli, series, &gate->candidate, &revision, err) < 0)
			return -1;
		/* Nobody misses what was wrong; the series is new in the list, so it is last. */
		if (series->baseline.count == 0)
			list->count--;
	}
	return 0;
}

/* What differs between two runs of one kernel, variant and params; NULL when that is not so. */
static const char *difference(struct arena *arena, const struct run *a, const struct run *b)
{
	if (!text_eq(a->kernel, b->kernel) || !text_eq(a->variant, b->variant) ||
	    !text_eq(run_params_text(arena, a), run_params_text(arena, b)))
		return NULL;
	const struct {
		const char *what, *new, *old;
	} rows[] = {
		{"dtype", a->dtype, b->dtype},
		{"device", a->device, b->device},
		{"instance type", a->instance_type, b->instance_type},
		{"tool", a->tool, b->tool},
		{"cores", arena_printf(arena, "%d", a->cores), arena_printf(arena, "%d", b->cores)},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!text_eq(rows[i].new, rows[i].old))
			return arena_printf(
				arena, "the baseline was measured with another %s: %s, here %s",
				rows[i].what, rows[i].old ? rows[i].old : "unknown",
				rows[i].new ? rows[i].new : "unknown");
	return NULL;
}

/* A series without baseline whose kernel has one under other conditions is incomparable: the
 * other half stands in the list as missing and is taken out. */
static void pair_incomparable(struct arena *arena, struct gate_series_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct gate_series *series = &list->items[i];
		if (series->candidate.count == 0 || series->baseline.count)
			continue;
		for (size_t j = 0; j < list->count; j++) {
			struct gate_series *other = &list->items[j];
			if (other->candidate.count || other->baseline.count == 0)
				continue;
			const char *why = difference(arena, series->candidate.items[0],
						     other->baseline.items[0]);
			series->incomparable = why;
			if (why) {
				memmove(other, other + 1, (list->count - j - 1) * sizeof *other);
				list->count--;
				i -= j < i;
				break;
			}
		}
	}
}

static int choose_reference(struct cli *cli, const struct gate *gate, const char *against,
			    struct reference *reference, struct error *err)
{
	const char *oid = gate->candidate.oid;
	if (strcmp(against, "nearest") == 0) {
		/* Uncommitted changes are compared with the commit that they change. */
		*reference = (struct reference){oid, gate->dirty,
						gate->dirty ? "the commit itself, else the nearest "
							      "ancestor with data"
							    : "the nearest ancestor with data"};
		return 0;
	}
	char resolved[65];
	if (cli_resolve_baseline(cli, against, resolved, err) < 0)
		return -1;
	if (strcmp(resolved, oid) == 0 && !gate->dirty)
		return error_set(err, ERR_USAGE,
				 "%s is the candidate itself (%.10s): nothing would be compared",
				 against, oid);
	if (!store_has_revision(cli->store, resolved))
		return error_set(err, ERR_STORE,
				 "commit %.10s (%s) is not in the store: no runs of it or of a "
				 "descendant were ingested",
				 resolved, against);
	*reference = (struct reference){arena_strdup(&cli->arena, resolved), true,
					arena_printf(&cli->arena, "%s (%.10s)", against, resolved)};
	return 0;
}

static int no_runs(const char *oid, struct error *err)
{
	return error_set(err, ERR_STORE,
			 "commit %.10s has no stored runs: ingest its profiles first", oid);
}

int cli_gate(struct cli *cli, const struct gate_request *request, struct gate *gate,
	     struct error *err)
{
	struct gate_series_list *list = arena_new(&cli->arena, struct gate_series_list);
	struct reference reference;
	bool truncated = false;
	const char *oid = request->oid;
	if (cli_open_store(cli, STORE_READ, err) < 0 || cli_load_config(cli, err) < 0)
		return -1;
	if (!store_has_revision(cli->store, oid))
		return no_runs(oid, err);
	if (store_revision(cli->store, &cli->arena, oid, &gate->candidate, err) < 0 ||
	    add_candidates(cli, oid, request->filter, list, gate, err) < 0)
		return -1;
	if (list->count == 0)
		return no_runs(oid, err);
	if (choose_reference(cli, gate, request->against, &reference, err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++)
		if (find_baseline(cli, &reference, &gate->candidate, &list->items[i], &truncated,
				  err) < 0)
			return -1;
	if (truncated)
		return error_set(
			err, ERR_REVISION,
			"the history in the store ends at a shallow clone's cut, so a baseline "
			"may be hidden; run \"git fetch --unshallow\" and ingest again");
	if (add_missing(cli, &reference, request->filter, gate, list, err) < 0)
		return -1;
	pair_incomparable(&cli->arena, list);
	gate->against = reference.words;
	gate_judge(&cli->arena, list, &cli->policies, &request->treatment, gate);
	for (size_t i = 0; i < gate->idle_count; i++)
		cli_warn(cli, "the gate row \"%s\" (kernel %s) fits no series", gate->idle[i]->name,
			 gate->idle[i]->kernel);
	return 0;
}
