/* Kernels and series of the store. */
#include "cli/list/list.h"

#include "cli/runs/runs.h"
#include "model/run/runs.h"

/* A series, or a kernel, and what was seen of it. */
struct seen {
	const char *key;
	const struct run *identity;
	size_t runs;
	char newest[11], oldest[11]; /* digits of commits */
};
struct seen_list {
	struct seen *items;
	size_t count;
};

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct seen *)a)->key, ((const struct seen *)b)->key);
}

/* The series that have runs, in the order of their keys. */
static int find_series(struct cli *cli, struct seen_list *list, struct error *err)
{
	struct store_series_list all = {0};
	if (store_series_all(cli->store, &cli->arena, &all, err) < 0)
		return -1;
	list->items = arena_array(&cli->arena, all.count, sizeof *list->items);
	for (size_t i = 0; i < all.count; i++)
		if (all.items[i].used)
			list->items[list->count++] = (struct seen){
				.key = run_series_key(&cli->arena, all.items[i].identity),
				.identity = all.items[i].identity};
	array_sort(list->items, list->count, sizeof *list->items, by_key);
	return 0;
}

/* Runs come newest first. */
static void count_run(struct seen_list *list, const struct store_run *run)
{
	const struct seen wanted = {.key = run->series};
	size_t at = array_lower_bound(&wanted, list->items, list->count, sizeof wanted, by_key);
	if (at == list->count || strcmp(list->items[at].key, run->series) != 0)
		return;
	struct seen *seen = &list->items[at];
	if (seen->runs++ == 0)
		snprintf(seen->newest, sizeof seen->newest, "%.10s", run->revision.oid);
	snprintf(seen->oldest, sizeof seen->oldest, "%.10s", run->revision.oid);
}

static int load(struct cli *cli, struct seen_list *list, struct error *err)
{
	enum { BATCH = 10000 };
	const struct run_query query = {.commit = NULL};
	struct store_cursor *cursor;
	if (cli_load_config(cli, err) < 0 || cli_open_store(cli, STORE_READ, err) < 0 ||
	    find_series(cli, list, err) < 0 ||
	    store_runs_start(cli->store, &cli->arena, &query, &cursor, err) < 0)
		return -1;
	int rc = 0;
	for (size_t last = BATCH; rc == 0 && last;) {
		struct arena scratch = {0};
		struct store_run_list runs = {0};
		rc = store_runs_next(cursor, &scratch, BATCH, &runs, err);
		last = runs.count;
		for (size_t i = 0; rc == 0 && i < runs.count; i++)
			count_run(list, &runs.items[i]);
		arena_free(&scratch);
	}
	store_runs_end(cursor);
	return rc;
}

static void add_count(struct cli *cli, struct list_cells *cells, size_t count)
{
	list_add(cli, cells, arena_printf(&cli->arena, "%zu", count));
}

static int by_kernel(const void *a, const void *b)
{
	const struct run *x = ((const struct seen *)a)->identity;
	const struct run *y = ((const struct seen *)b)->identity;
	int order = strcmp(x->kernel ? x->kernel : "", y->kernel ? y->kernel : "");
	return order ? order : strcmp(x->variant ? x->variant : "", y->variant ? y->variant : "");
}

int list_kernels(struct cli *cli, struct list_cells *cells, struct error *err)
{
	struct seen_list list = {0};
	if (load(cli, &list, err) < 0)
		return -1;
	array_sort(list.items, list.count, sizeof *list.items, by_kernel);
	for (size_t i = 0, next; i < list.count; i = next) {
		const char *kernel = list.items[i].identity->kernel, *last = NULL;
		struct strbuf variants = {0};
		size_t runs = 0;
		for (next = i; next < list.count; next++) {
			const struct run *run = list.items[next].identity;
			if (!span_text_eq(run->kernel, kernel))
				break;
			runs += list.items[next].runs;
			if (run->variant && !span_text_eq(run->variant, last))
				strbuf_addf(&variants, "%s%s", variants.len ? ", " : "",
					    run->variant);
			last = run->variant;
		}
		list_add(cli, cells, kernel ? kernel : "unknown");
		list_add(cli, cells, strbuf_into(&variants, &cli->arena));
		add_count(cli, cells, next - i);
		add_count(cli, cells, runs);
	}
	return 0;
}

int list_series(struct cli *cli, struct list_cells *cells, struct error *err)
{
	struct seen_list list = {0};
	if (load(cli, &list, err) < 0)
		return -1;
	const struct run **runs = arena_array(&cli->arena, list.count, sizeof *runs);
	for (size_t i = 0; i < list.count; i++)
		runs[i] = list.items[i].identity;
	struct short_names naming = short_names_of(&cli->arena, runs, list.count);
	for (size_t i = 0; i < list.count; i++) {
		list_add(cli, cells, short_names_name(&cli->arena, &naming, runs[i]));
		add_count(cli, cells, list.items[i].runs);
		list_add(cli, cells, arena_strdup(&cli->arena, list.items[i].oldest));
		list_add(cli, cells, arena_strdup(&cli->arena, list.items[i].newest));
	}
	return 0;
}
