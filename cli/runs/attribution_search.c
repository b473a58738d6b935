/* Source lines and opcodes: matching, sharing, printing. */
#include "cli/runs/attribution_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/markup/table.h"

struct hit {
	const struct loaded_run *loaded;
	const struct run_tally *tally;
	double share; /* of the time of all rows of its kind in its run */
};

struct hits {
	struct hit *items;
	size_t count, capacity;
};

/* A pattern without wild cards also fits the end of a path: "k.py:7" is in "/home/me/k.py:7". */
static bool fits_source(const char *pattern, const char *name)
{
	size_t len = strlen(pattern), all = strlen(name);
	if (strcmp(pattern, "/./") == 0 || span_glob(pattern, name))
		return name[0] != '\0';
	return all > len && strcmp(name + all - len, pattern) == 0 && name[all - len - 1] == '/';
}

static bool fits(const struct search *search, const struct run_tally *tally)
{
	if (!tally->name)
		return false;
	if (tally->kind == TALLY_SOURCE)
		return search->source && fits_source(search->source, tally->name);
	return tally->kind == TALLY_OPCODE && search->opcode &&
	       span_glob(search->opcode, tally->name);
}

static double total_of(const struct run *run, enum tally_kind kind)
{
	double total = 0;
	for (size_t i = 0; i < run->tally_count; i++)
		if (run->tallies[i].kind == kind && run->tallies[i].seconds > 0)
			total += run->tallies[i].seconds;
	return total;
}

static int longest_first(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	double p = isnan(x->tally->seconds) ? -1 : x->tally->seconds;
	double q = isnan(y->tally->seconds) ? -1 : y->tally->seconds;
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->tally->name, y->tally->name);
}

static void find(struct arena *arena, const struct loaded_list *runs, const struct search *search,
		 struct hits *hits)
{
	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = runs->items[i].stored.run;
		const double totals[TALLY_LIMIT] = {
			[TALLY_OPCODE] = total_of(run, TALLY_OPCODE),
			[TALLY_SOURCE] = total_of(run, TALLY_SOURCE),
		};
		for (size_t j = 0; j < run->tally_count; j++) {
			const struct run_tally *tally = &run->tallies[j];
			if (!fits(search, tally))
				continue;
			double total = totals[tally->kind];
			hits->items = arena_grow(arena, hits->items, hits->count, &hits->capacity,
						 sizeof *hits->items);
			hits->items[hits->count++] = (struct hit){
				&runs->items[i], tally, total > 0 ? tally->seconds / total : NAN};
		}
	}
	if (hits->count)
		qsort(hits->items, hits->count, sizeof *hits->items, longest_first);
}

static int print_table(struct cli *cli, const struct loaded_list *runs, const struct hits *hits,
		       struct error *err)
{
	struct arena *arena = &cli->arena;
	struct naming naming = loaded_naming(arena, runs);
	struct md_table table;
	struct strbuf sb = {0};
	md_table_init(&table, arena);
	table.width = cli_table_width();
	md_table_column(&table, "name", MD_ALIGN_LEFT);
	md_table_column(&table, "count", MD_ALIGN_RIGHT);
	md_table_column(&table, "time", MD_ALIGN_RIGHT);
	md_table_column(&table, "share", MD_ALIGN_RIGHT);
	md_table_column(&table, "FLOP", MD_ALIGN_RIGHT);
	md_table_column(&table, "run", MD_ALIGN_LEFT);
	for (size_t i = 0; i < hits->count; i++) {
		const struct hit *hit = &hits->items[i];
		md_table_cell(&table, hit->tally->name);
		md_table_cell(&table, quantity_text(arena, hit->tally->count, UNIT_COUNT));
		md_table_cell(&table, quantity_text(arena, hit->tally->seconds, UNIT_SECOND));
		md_table_cell(&table, quantity_text(arena, hit->share, UNIT_FRACTION));
		md_table_cell(&table, isnan(hit->tally->flops)
					      ? "--"
					      : quantity_text(arena, hit->tally->flops, UNIT_FLOP));
		md_table_cell(&table, naming_name(arena, &naming, hit->loaded->stored.run));
	}
	md_table_plain(&table, &sb);
	int rc = cli_print_clean(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static int print_json(struct cli *cli, const struct hits *hits, struct error *err)
{
	struct arena *arena = &cli->arena;
	struct json *list = json_array(arena);
	for (size_t i = 0; i < hits->count; i++) {
		const struct hit *hit = &hits->items[i];
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, "run", hit->loaded->stored.id);
		json_set_text(arena, row, "kind",
			      hit->tally->kind == TALLY_SOURCE ? "source" : "opcode");
		json_set_text(arena, row, "name", hit->tally->name);
		report_quantity(arena, row, "count", hit->tally->count, UNIT_COUNT);
		report_quantity(arena, row, "time", hit->tally->seconds, UNIT_SECOND);
		report_quantity(arena, row, "share", hit->share, UNIT_FRACTION);
		report_quantity(arena, row, "flops", hit->tally->flops, UNIT_FLOP);
	}
	return cli_print_json(list, err);
}

int cli_search(struct cli *cli, const struct loaded_list *runs, const struct search *search,
	       bool json, struct error *err)
{
	struct hits hits = {0};
	bool has_lines = false;
	find(&cli->arena, runs, search, &hits);
	for (size_t i = 0; i < runs->count; i++)
		has_lines |= total_of(runs->items[i].stored.run, TALLY_SOURCE) > 0;
	if (json)
		return print_json(cli, &hits, err);
	if (hits.count)
		return print_table(cli, runs, &hits, err);
	if (search->source && !has_lines)
		cli_note(cli, "no source line is known: the profile was made without debug "
			      "information (NEURON_FRAMEWORK_DEBUG=1)");
	else
		cli_note(cli, "nothing matches in %zu run%s", runs->count,
			 runs->count == 1 ? "" : "s");
	return 0;
}
