/*
 * What an ingest does to runs that were stored before: runs of its files that were removed come
 * back with --again, and with --replace its runs take the place of all others of their series and
 * commit. Either is one edit of the store, which `rooflog rm --undo` undoes.
 */
#include "cli/ingest/ingest.h"
#include "cli/runs/edit/edit.h"
#include "render/document/document.h"

/* A series at a commit. */
struct place {
	const char *series, *commit;
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
	struct store_edit edit;
	if (store_last_edit(ingest->cli->store, ingest->arena, first->id, &edit, err) < 0)
		return -1;
	char more[64] = "";
	if (count > 1)
		snprintf(more, sizeof more, ", and %zu more", count - 1);
	cli_warn(ingest->cli,
		 "%s: run %.8s was removed on %s%s%s%s%s: it stays removed; \"rooflog rm --undo\" "
		 "or ingest --again brings it back",
		 first->path, first->id,
		 document_time(ingest->arena, edit.undone_at ? edit.undone_at : edit.time),
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

static int bring_back(struct editing *e, struct error *err)
{
	struct ingest *ingest = e->ingest;
	const struct incoming *first = NULL;
	bool wanted = ingest->options->again || ingest->options->replace;
	size_t count = 0;
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

void ingest_use_names(struct ingest *ingest)
{
	size_t count = 0;
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct run *run = ingest->runs[i].run;
		const struct run *named = named_of(ingest, run);
		if (!named)
			continue;
		count++;
		run->kernel = named->kernel;
		run->variant = named->variant;
		run->params = named->params;
		run->param_count = named->param_count;
	}
	if (count)
		cli_note(ingest->cli, "%zu run%s of series that [alias] calls otherwise", count,
			 count == 1 ? "" : "s");
}

/* --- runs that are replaced --- */

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->commit, y->commit);
	return order ? order : strcmp(x->series, y->series);
}

static int replace_at(struct editing *e, const struct place *place, struct error *err)
{
	struct ingest *ingest = e->ingest;
	struct store_run_list found = {0};
	const struct run_query query = {.series = place->series, .commit = place->commit};
	if (store_runs(ingest->cli->store, ingest->arena, &query, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < found.count; i++) {
		int64_t row = found.items[i].run->row;
		if (bsearch(&row, e->own, ingest->run_count, sizeof row, array_by_int64))
			continue;
		add(e, row, STORE_EFFECT_REMOVED);
		ingest->replaced++;
	}
	return 0;
}

static int replace(struct editing *e, struct error *err)
{
	struct ingest *ingest = e->ingest;
	struct place *places = arena_array(ingest->arena, ingest->run_count, sizeof *places);
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct run *run = ingest->runs[i].run;
		places[i] = (struct place){ingest_series(ingest, run), run->commit};
		if (ingest->runs[i].added)
			add(e, e->own[i], STORE_EFFECT_ADDED);
	}
	array_sort(places, ingest->run_count, sizeof *places, by_place);
	array_sort(e->own, ingest->run_count, sizeof *e->own, array_by_int64);
	for (size_t i = 0; i < ingest->run_count; i++)
		if ((i == 0 || by_place(&places[i], &places[i - 1]) != 0) &&
		    replace_at(e, &places[i], err) < 0)
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
