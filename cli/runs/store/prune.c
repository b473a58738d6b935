/*
 * How much a store holds, and which of it goes. The latest commits of each series stay, and
 * whatever their number:
 *   - releases and named baselines;
 *   - ten commits on both sides of each change point, accepted regressions among them: enough for
 *     the change to be found again, by reports and by the next pruning.
 * The same rule says whose repeats stay one by one (--samples).
 */
#include "cli/runs/store/move.h"

#include "db/replica/replica.h"
#include "model/changepoint/changepoint.h"
#include "model/statistics/statistics.h"
#include "render/lists/lists.h"

/* A run of the store, newest first. */
struct candidate {
	const char *series, *oid; /* the text of a commit's id is the same for runs in a row */
	int64_t row;
	double value;           /* of its headline; NAN: none */
	int64_t position, time; /* of the commit */
	size_t order;           /* of all runs, newest first */
};
/* Rows of runs, and how many series they are of. */
struct rows {
	int64_t *items;
	size_t count, capacity;
	size_t series;
};
struct pruning {
	struct cli *cli;
	const struct run_filter *filter;
	size_t keep;            /* commits whose runs stay; SIZE_MAX: all */
	size_t samples;         /* commits whose repeats stay; SIZE_MAX: all */
	struct candidate *runs; /* by series and commit, the latest first */
	size_t count, capacity;
	const char **kept; /* ids of releases and baselines, sorted */
	size_t kept_count, kept_capacity;
	struct rows gone, thinned; /* the latter lose their repeats */
};

/* --- what there is --- */

static void note_run(struct pruning *pruning, const struct store_run *stored)
{
	struct arena *arena = &pruning->cli->arena;
	const struct candidate *before = pruning->count ? &pruning->runs[pruning->count - 1] : NULL;
	bool same = before && strcmp(before->oid, stored->revision.oid) == 0;
	const char *oid = same ? before->oid : arena_strdup(arena, stored->revision.oid);
	enum metric headline = run_headline(stored->run);
	struct candidate *one = arena_next(arena, pruning->runs, pruning->count, pruning->capacity);
	*one = (struct candidate){
		.series = stored->series,
		.oid = oid,
		.row = stored->run->row,
		.value = headline == METRIC_COUNT ? NAN : stored->run->given[headline].number,
		.position = stored->revision.position,
		.time = stored->revision.time,
		.order = pruning->count};
}

/* The later first. */
static int descending(int64_t x, int64_t y)
{
	return (x < y) - (x > y);
}

/* By series, then by commit, the latest first. Commits of the same place and second alternate in
 * the order of the store. */
static int by_place(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = strcmp(x->series, y->series);
	if (!order)
		order = descending(x->position, y->position);
	if (!order)
		order = descending(x->time, y->time);
	if (!order)
		order = strcmp(x->oid, y->oid);
	return order ? order : descending((int64_t)y->order, (int64_t)x->order);
}

static int read_runs(struct pruning *pruning, struct error *err)
{
	enum { AT_A_TIME = 1024 };
	struct cli *cli = pruning->cli;
	const struct run_query query = runs_query(pruning->filter, NULL);
	struct store_cursor *cursor;
	size_t read = 1;
	int failed = 0;
	if (store_runs_start(cli->store, &cli->arena, &query, &cursor, err) < 0)
		return -1;
	while (!failed && read) {
		struct arena scratch = {0};
		struct store_run_list some = {0};
		failed = store_runs_next(cursor, &scratch, AT_A_TIME, &some, err);
		for (size_t i = 0; !failed && i < some.count; i++)
			note_run(pruning, &some.items[i]);
		read = failed ? 0 : some.count;
		arena_free(&scratch);
	}
	store_runs_end(cursor);
	array_sort(pruning->runs, pruning->count, sizeof *pruning->runs, by_place);
	return failed;
}

static void keep_commit(struct pruning *pruning, const char *oid)
{
	*arena_next(&pruning->cli->arena, pruning->kept, pruning->kept_count,
		    pruning->kept_capacity) = oid;
}

static int read_kept(struct pruning *pruning, struct error *err)
{
	struct release_list releases = {0};
	struct baseline_list baselines = {0};
	if (cli_load_config(pruning->cli, err) < 0 ||
	    runs_releases_all(pruning->cli, &releases, err) < 0)
		return -1;
	for (size_t i = 0; i < releases.count; i++)
		keep_commit(pruning, releases.items[i].oid);
	if (store_baselines(pruning->cli->store, &pruning->cli->arena, &baselines, err) < 0)
		return -1;
	for (size_t i = 0; i < baselines.count; i++)
		keep_commit(pruning, baselines.items[i].oid);
	array_sort(pruning->kept, pruning->kept_count, sizeof *pruning->kept, array_by_text);
	return 0;
}

static bool is_kept(const struct pruning *pruning, const char *oid)
{
	return pruning->kept_count && bsearch(&oid, pruning->kept, pruning->kept_count,
					      sizeof *pruning->kept, array_by_text);
}

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* --- one series --- */

enum { BESIDE = 10 }; /* commits on either side of a change */

/* Its runs at one commit. */
struct place {
	size_t first, end; /* indexes into pruning->runs */
	double value;      /* median; NAN: unknown */
	bool stays;
};
struct places {
	struct place *items;
	size_t count, capacity;
};

static void find_places(struct pruning *pruning, struct arena *arena, size_t first, size_t end,
			size_t keep, struct places *places)
{
	double *values = arena_array(arena, end - first, sizeof *values);
	for (size_t i = first; i < end;) {
		size_t next = i, count = 0;
		for (; next < end && strcmp(pruning->runs[next].oid, pruning->runs[i].oid) == 0;
		     next++)
			if (isfinite(pruning->runs[next].value))
				values[count++] = pruning->runs[next].value;
		const struct place place = {.first = i,
					    .end = next,
					    .value = count ? median_of(values, count) : NAN,
					    .stays = places->count < keep ||
						     is_kept(pruning, pruning->runs[i].oid)};
		*arena_add(arena, places) = place;
		i = next;
	}
}

/* Places are newest first, changes oldest first. */
static void keep_changes(struct arena *arena, struct places *places)
{
	const struct detect_options options = detect_defaults();
	double *values = arena_array(arena, places->count, sizeof *values);
	struct place **of = arena_array(arena, places->count, sizeof *of);
	size_t count = 0;
	for (size_t i = places->count; i-- > 0;)
		if (isfinite(places->items[i].value)) {
			of[count] = &places->items[i];
			values[count++] = places->items[i].value;
		}
	const struct detect_result found = detect_changes(arena, values, count, &options);
	for (size_t i = 0; i < found.count; i++) {
		size_t at = found.changes[i].index;
		for (size_t k = at < BESIDE ? 0 : at - BESIDE; k < at + BESIDE && k < count; k++)
			of[k]->stays = true;
	}
}

/* Adds the runs of a series that are older than the latest `keep` commits, but for those that stay
 * whatever their number. */
static void choose_in_series(struct pruning *pruning, size_t first, size_t end, size_t keep,
			     struct rows *chosen)
{
	struct arena scratch = {0};
	struct places places = {0};
	size_t before = chosen->count;
	find_places(pruning, &scratch, first, end, keep, &places);
	if (places.count > keep)
		keep_changes(&scratch, &places);
	for (size_t i = 0; i < places.count; i++)
		for (size_t k = places.items[i].first;
		     !places.items[i].stays && k < places.items[i].end; k++)
			*arena_next(&pruning->cli->arena, chosen->items, chosen->count,
				    chosen->capacity) = pruning->runs[k].row;
	chosen->series += chosen->count > before;
	arena_free(&scratch);
}

/* Leaves those that have repeats, and are not deleted. */
static int keep_repeated(struct pruning *pruning, struct error *err)
{
	struct rows *thinned = &pruning->thinned;
	size_t kept = 0;
	array_sort(pruning->gone.items, pruning->gone.count, sizeof *pruning->gone.items,
		   by_number);
	for (size_t i = 0; i < thinned->count; i++) {
		bool has = false;
		if (pruning->gone.count &&
		    bsearch(&thinned->items[i], pruning->gone.items, pruning->gone.count,
			    sizeof *pruning->gone.items, by_number))
			continue;
		if (store_has_repeats(pruning->cli->store, thinned->items[i], &has, err) < 0)
			return -1;
		if (has)
			thinned->items[kept++] = thinned->items[i];
	}
	thinned->count = kept;
	return 0;
}

static int choose(struct pruning *pruning, struct error *err)
{
	if (read_runs(pruning, err) < 0 || read_kept(pruning, err) < 0)
		return -1;
	for (size_t i = 0, next; i < pruning->count; i = next) {
		for (next = i; next < pruning->count &&
			       strcmp(pruning->runs[next].series, pruning->runs[i].series) == 0;
		     next++)
			;
		if (pruning->keep < SIZE_MAX)
			choose_in_series(pruning, i, next, pruning->keep, &pruning->gone);
		if (pruning->samples < SIZE_MAX)
			choose_in_series(pruning, i, next, pruning->samples, &pruning->thinned);
	}
	return keep_repeated(pruning, err);
}

/* --- the verbs --- */

static int measure(struct cli *cli, struct size_row *row, struct error *err)
{
	struct store_counts counts;
	struct server_size server;
	struct replica *replica = replica_of(cli->store);
	const char *path;
	if (cli_store_path(cli, &path, err) < 0 || store_counts(cli->store, &counts, err) < 0 ||
	    store_bytes(cli->store, &row->bytes, err) < 0)
		return -1;
	row->store = cli_store_name(cli, path);
	row->runs = counts.runs;
	row->series = counts.series;
	row->commits = counts.commits;
	row->numbers = counts.values;
	row->removed = counts.removed;
	row->on_server = replica != NULL;
	if (replica && replica_measure(replica, &server, err) < 0)
		return -1;
	if (replica) {
		row->packs = server.packs;
		row->packed_runs = server.runs;
		row->packed_bytes = server.bytes;
	}
	return 0;
}

int move_size(struct cli *cli, void *options, struct error *err)
{
	struct size_row row = {0};
	struct strbuf text = {0};
	(void)options;
	if (cli_open_store(cli, STORE_READ, err) < 0 || measure(cli, &row, err) < 0)
		return -1;
	if (cli->common.json)
		return cli_print_json(render_size_json(&cli->arena, &row), err);
	render_size_text(&row, &text);
	return cli_print_built(&text, err);
}

int move_check_prune(struct cli *cli, void *options, struct error *err)
{
	const struct move_options *wanted = options;
	(void)cli;
	return wanted->keep || wanted->samples
		       ? 0
		       : error_set(err, ERR_USAGE,
				   "--keep N or --samples N is missing: how many of the latest "
				   "commits of each series keep their runs, or their repeats");
}

/* In one transaction, so that no other process changes what was chosen. */
static int delete_chosen(struct pruning *pruning, struct error *err)
{
	struct cli *cli = pruning->cli;
	if (store_begin(cli->store, err) < 0)
		return -1;
	if (choose(pruning, err) == 0 && store_show_aliases(cli->store, false, err) == 0 &&
	    store_prune(cli->store, pruning->gone.items, pruning->gone.count, err) == 0 &&
	    store_thin(cli->store, pruning->thinned.items, pruning->thinned.count, err) == 0)
		return store_commit(cli->store, err);
	store_rollback(cli->store);
	return -1;
}

static bool changed(const struct pruning *pruning)
{
	return pruning->gone.count + pruning->thinned.count > 0;
}

/* The packs of a server are made again from what stays. */
static int prune_store(struct pruning *pruning, struct error *err)
{
	static const struct renaming_list as_stored = {0};
	struct cli *cli = pruning->cli;
	struct replica *replica = replica_of(cli->store);
	struct replica_compaction *compaction = NULL;
	struct error why;
	if ((replica && replica_compact_begin(replica, &cli->arena, &compaction, err) < 0) ||
	    delete_chosen(pruning, err) < 0 || store_use_aliases(cli->store, &as_stored, err) < 0 ||
	    (replica && changed(pruning) && replica_compact_end(compaction, cli->store, err) < 0))
		return -1;
	if (changed(pruning) && store_shrink(cli->store, &why) < 0)
		cli_warn(cli, "the store is pruned, but the file is as large as before: %s",
			 why.text);
	return 0;
}

static int say(struct cli *cli, const struct size_row *row, struct error *err)
{
	struct arena *arena = &cli->arena;
	if (cli->common.json)
		return cli_print_json(render_size_json(arena, row), err);
	const char *runs = quantity_count_text(arena, (size_t)row->pruned_runs, "run", "runs");
	const char *freed =
		row->dry_run ? "nothing was changed"
			     : arena_printf(arena, "%s freed",
					    quantity_text(arena, (double)row->freed, UNIT_BYTE));
	if (row->keep)
		cli_note(cli, "%s of %lld series %s, %lld %s; %s", runs,
			 (long long)row->pruned_series,
			 row->dry_run ? "would be deleted" : "deleted",
			 (long long)(row->dry_run ? row->runs - row->pruned_runs : row->runs),
			 row->dry_run ? "would stay" : "stay", freed);
	if (row->samples)
		cli_note(cli, "%s %s their repeats and keep their distribution; %s",
			 quantity_count_text(arena, (size_t)row->thinned_runs, "run", "runs"),
			 row->dry_run ? "would lose" : "lost", freed);
	return EXIT_PASS;
}

int move_prune(struct cli *cli, void *options, struct error *err)
{
	struct move_options *wanted = options;
	struct pruning pruning = {.cli = cli,
				  .filter = &wanted->filter,
				  .keep = wanted->keep ? wanted->keep : SIZE_MAX,
				  .samples = wanted->samples ? wanted->samples : SIZE_MAX};
	struct size_row row = {.prunes = true, .dry_run = wanted->dry_run};
	/* What the copy of a store on a server lacks would go there, too. */
	cli->copies_again = !wanted->dry_run;
	if (cli_open_store(cli, wanted->dry_run ? STORE_READ : STORE_WRITE, err) < 0 ||
	    store_show_aliases(cli->store, true, err) < 0 ||
	    runs_prepare_filter(cli, &wanted->filter, err) < 0 || measure(cli, &row, err) < 0)
		return -1;
	int64_t before = row.bytes;
	if ((wanted->dry_run ? choose : prune_store)(&pruning, err) < 0)
		return -1;
	if (measure(cli, &row, err) < 0) {
		if (!wanted->dry_run)
			error_set(err, err->kind,
				  "the store is pruned, but it cannot be read now; `rooflog "
				  "doctor` says why");
		return -1;
	}
	row.keep = (int64_t)wanted->keep;
	row.samples = (int64_t)wanted->samples;
	row.pruned_runs = (int64_t)pruning.gone.count;
	row.pruned_series = (int64_t)pruning.gone.series;
	row.thinned_runs = (int64_t)pruning.thinned.count;
	row.freed = before > row.bytes ? before - row.bytes : 0;
	return say(cli, &row, err);
}
