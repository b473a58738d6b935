/*
 * What an ingest does to runs that were stored before: runs of its files that were removed come
 * back with --again, and with --replace its runs take the place of all others of their series and
 * commit. Either is one edit of the store, which `rooflog rm --undo` undoes.
 */
#include "cli/ingest/ingest.h"
#include "cli/runs/edit/edit.h"
#include "render/document/document.h"

/* A series, as [alias] calls it, at a commit with or without changes of the work tree. */
struct place {
	const char *series, *commit;
	bool dirty;
};

struct editing {
	struct ingest *ingest;
	struct store_alteration *items;
	size_t count, capacity;
	int64_t *own; /* the rows of the ingest's runs, sorted */
};

static void add(struct editing *e, int64_t row, enum store_effect effect)
{
	*arena_add(e->ingest->arena, e) = (struct store_alteration){row, effect, NULL};
}

/* --- runs that were removed --- */

static int say_removed(const struct ingest *ingest, const struct incoming *first, size_t count,
		       struct error *err)
{
	struct arena *arena = ingest->arena;
	struct store_edit edit = {0};
	bool known = false;
	if (store_removal(ingest->cli->store, arena, first->id, &edit, &known, err) < 0)
		return -1;
	known = known && edit.time != STORE_TIME_UNKNOWN;
	char more[64] = "";
	if (count > 1)
		snprintf(more, sizeof more, ", and %zu more", count - 1);
	cli_warn(ingest->cli,
		 "%s: run %.8s was removed%s%s%s%s%s%s: it stays removed; \"rooflog rm --undo\" "
		 "or ingest --again brings it back",
		 first->path, first->id, known ? " on " : "",
		 known ? document_time(arena, edit.undone_at ? edit.undone_at : edit.time) : "",
		 edit.reason ? " (" : "", edit.reason ? edit.reason : "", edit.reason ? ")" : "",
		 more);
	return 0;
}

/* Sets the rows of the runs that were stored before, or of all, and which of them are removed. */
static int find_runs(struct editing *e, struct error *err)
{
	struct ingest *ingest = e->ingest;
	e->own = arena_array(ingest->arena, ingest->run_count, sizeof *e->own);
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct incoming *one = &ingest->runs[i];
		if (one->added && !ingest->options->replace)
			continue;
		if (store_find_run(ingest->cli->store, one->id, &e->own[i], &one->removed, err) < 0)
			return -1;
	}
	return 0;
}

struct copy {
	int64_t row;
	struct incoming *one;
};

static int by_row(const void *a, const void *b)
{
	const struct copy *x = a, *y = b;
	int order = array_by_int64(&x->row, &y->row);
	return order ? order : (x->one > y->one) - (x->one < y->one);
}

/* Of files that are copies of each other, the first brings their run back: the others know it. */
static void forget_copies(const struct editing *e)
{
	const struct ingest *ingest = e->ingest;
	struct copy *copies = arena_array(ingest->arena, ingest->run_count, sizeof *copies);
	for (size_t i = 0; i < ingest->run_count; i++)
		copies[i] = (struct copy){e->own[i], &ingest->runs[i]};
	array_sort(copies, ingest->run_count, sizeof *copies, by_row);
	for (size_t i = 1; i < ingest->run_count; i++)
		if (copies[i].row == copies[i - 1].row)
			copies[i].one->removed = false;
}

static int bring_back(struct editing *e, struct error *err)
{
	struct ingest *ingest = e->ingest;
	const struct incoming *first = NULL;
	bool wanted = ingest->options->again || ingest->options->replace;
	size_t count = 0;
	if (wanted)
		forget_copies(e);
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct incoming *one = &ingest->runs[i];
		if (!one->removed)
			continue;
		if (!count++)
			first = one;
		one->back = wanted;
		if (wanted)
			add(e, e->own[i], STORE_EFFECT_ADDED);
	}
	return count && !wanted ? say_removed(ingest, first, count, err) : 0;
}

/* --- runs whose series has another name --- */

/* NULL: it has none. */
static const struct run *named_of(const struct ingest *ingest, const struct run *run)
{
	return renaming_of(ingest->arena, &ingest->cli->settings.aliases, run);
}

const char *ingest_series(const struct ingest *ingest, const struct run *run)
{
	const struct run *named = named_of(ingest, run);
	return run_series_key(ingest->arena, named ? named : run);
}

int ingest_use_names(struct ingest *ingest, struct error *err)
{
	size_t count = 0;
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct incoming *one = &ingest->runs[i];
		struct run *run = one->run;
		const struct run *named = named_of(ingest, run);
		if (!named)
			continue;
		count++;
		run->kernel = named->kernel;
		run->variant = named->variant;
		run->params = named->params;
		run->param_count = named->param_count;
		/* Work is that of the name. */
		if (runs_derive(ingest->cli, run, &one->peaks, &one->hardware, err) < 0)
			return -1;
	}
	if (count)
		cli_note(ingest->cli, "%zu run%s of series renamed by [alias]", count,
			 count == 1 ? "" : "s");
	return 0;
}

/* --- runs that are replaced --- */

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->commit, y->commit);
	if (!order)
		order = strcmp(x->series, y->series);
	return order ? order : x->dirty - y->dirty;
}

static struct place place_of(const struct ingest *ingest, const struct run *run)
{
	return (struct place){ingest_series(ingest, run), run->commit, run->dirty};
}

/* The stored runs of a commit may have names that [alias] replaces. */
static int replace_at(struct editing *e, const char *commit, const struct place *places,
		      struct error *err)
{
	struct ingest *ingest = e->ingest;
	struct store_run_list found = {0};
	const struct run_query query = {.commit = commit};
	if (store_runs(ingest->cli->store, ingest->arena, &query, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < found.count; i++) {
		const struct run *run = found.items[i].run;
		const struct place place = place_of(ingest, run);
		if (bsearch(&run->row, e->own, ingest->run_count, sizeof run->row,
			    array_by_int64) ||
		    !bsearch(&place, places, ingest->run_count, sizeof place, by_place))
			continue;
		add(e, run->row, STORE_EFFECT_REMOVED);
		ingest->replaced++;
	}
	return 0;
}

static int replace(struct editing *e, struct error *err)
{
	struct ingest *ingest = e->ingest;
	struct place *places = arena_array(ingest->arena, ingest->run_count, sizeof *places);
	for (size_t i = 0; i < ingest->run_count; i++) {
		places[i] = place_of(ingest, ingest->runs[i].run);
		if (ingest->runs[i].added)
			add(e, e->own[i], STORE_EFFECT_ADDED);
	}
	array_sort(places, ingest->run_count, sizeof *places, by_place);
	array_sort(e->own, ingest->run_count, sizeof *e->own, array_by_int64);
	for (size_t i = 0; i < ingest->run_count; i++)
		if ((i == 0 || strcmp(places[i].commit, places[i - 1].commit) != 0) &&
		    replace_at(e, places[i].commit, places, err) < 0)
			return -1;
	return 0;
}

/* A removed run that is damaged as well is not read when it is back: it is stored again. */
static int add_again(struct ingest *ingest, struct error *err)
{
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct incoming *one = &ingest->runs[i];
		enum store_added added;
		if (one->back &&
		    store_add_run(ingest->cli->store, one->run, one->id, &added, err) < 0)
			return -1;
	}
	return 0;
}

int ingest_edit(struct ingest *ingest, struct error *err)
{
	struct editing e = {.ingest = ingest};
	struct store_edit edit = {.kind = STORE_EDIT_AGAIN, .time = ingest->cli->now};
	if (find_runs(&e, err) < 0 || bring_back(&e, err) < 0 ||
	    (ingest->options->replace && replace(&e, err) < 0))
		return -1;
	if (ingest->replaced)
		edit.kind = STORE_EDIT_REPLACE;
	bool back = false;
	for (size_t i = 0; i < ingest->run_count; i++)
		back |= ingest->runs[i].back;
	if (!ingest->replaced && !back)
		return 0;
	if (store_apply_edit(ingest->cli->store, &edit, e.items, e.count, err) < 0)
		return -1;
	return back ? add_again(ingest, err) : 0;
}
