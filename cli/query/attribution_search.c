/* Searches source lines and opcodes: matches names, computes shares, prints. */
#include "cli/query/attribution_search.h"

#include "render/lists/lists.h"

/* A pattern without wildcards also matches the end of a path: "k.py:7" matches
 * "/home/me/k.py:7". */
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
	const struct attribution *x = a, *y = b;
	double p = isnan(x->tally->seconds) ? -1 : x->tally->seconds;
	double q = isnan(y->tally->seconds) ? -1 : y->tally->seconds;
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->tally->name, y->tally->name);
}

static void find(struct arena *arena, const struct loaded_list *runs, const struct search *search,
		 struct attribution_list *hits)
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
			*arena_add(arena, hits) =
				(struct attribution){run, runs->items[i].stored.id, tally,
						     total > 0 ? tally->seconds / total : NAN};
		}
	}
	array_sort(hits->items, hits->count, sizeof *hits->items, longest_first);
}

int cli_query_attribution_search(struct cli *cli, const struct loaded_list *runs,
				 const struct search *search, bool json, struct error *err)
{
	struct attribution_list hits = {0};
	bool has_lines = false;
	find(&cli->arena, runs, search, &hits);
	for (size_t i = 0; i < runs->count; i++)
		has_lines |= total_of(runs->items[i].stored.run, TALLY_SOURCE) > 0;
	if (json)
		return cli_print_json(render_attributions_json(&cli->arena, &hits), err);
	if (hits.count) {
		struct short_names naming = runs_short_names(&cli->arena, runs);
		struct strbuf sb = {0};
		render_attributions_text(&cli->arena, &naming, &hits, cli_table_width(), &sb);
		return cli_print_built(&sb, err);
	}
	if (search->source && !has_lines)
		cli_note(cli, "no source line is known: the profile was made without debug "
			      "information (NEURON_FRAMEWORK_DEBUG=1)");
	else
		cli_note(cli, "nothing matches in %zu run%s", runs->count,
			 runs->count == 1 ? "" : "s");
	return 0;
}
