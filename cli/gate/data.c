/* The gate from the store to the verdict. */
#include "cli/gate/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/accept/accept.h"
#include "model/explain/explain.h"

static int by_key(const void *a, const void *b)
{
	const struct loaded_run *x = *(struct loaded_run *const *)a;
	const struct loaded_run *y = *(struct loaded_run *const *)b;
	int order = strcmp(x->stored.series, y->stored.series);
	return order ? order
		     : (x->stored.run->row > y->stored.run->row) -
			       (x->stored.run->row < y->stored.run->row);
}

/* The candidate's series, sorted by key, each with its runs in ingest order. Runs of uncommitted
 * changes are another program than those of the commit itself: where there are some, they alone are
 * the candidate. */
static int load_candidates(struct cli *cli, const struct gate_request *request, struct gate *gate,
			   struct gate_series_list *list, struct error *err)
{
	struct loaded_list runs = {0};
	struct run_query query = {.commit = request->oid};
	if (cli_load_facts(cli, &query, &runs, err) < 0)
		return -1;
	struct loaded_run **order = arena_array(&cli->arena, runs.count + 1, sizeof *order);
	for (size_t i = 0; i < runs.count; i++) {
		order[i] = &runs.items[i];
		gate->dirty = gate->dirty || runs.items[i].stored.run->dirty;
	}
	if (runs.count)
		qsort(order, runs.count, sizeof *order, by_key);
	for (size_t i = 0; i < runs.count; i++) {
		const struct stored_run *stored = &order[i]->stored;
		if (stored->run->dirty != gate->dirty || !gate_wants(request->filter, stored->run))
			continue;
		if (list->count == 0 ||
		    strcmp(list->items[list->count - 1].key, stored->series) != 0) {
			list->items = arena_grow(&cli->arena, list->items, list->count,
						 &list->capacity, sizeof *list->items);
			list->items[list->count++] = (struct gate_series){
				.key = stored->series, .run = stored->run, .baseline_age = -1};
		}
		run_list_add(&cli->arena, &list->items[list->count - 1].candidate, stored->run);
	}
	return 0;
}

static int no_runs(const char *oid, struct error *err)
{
	return error_set(err, ERR_STORE,
			 "commit %.10s has no stored runs: ingest its profiles first", oid);
}

/* Whether a baseline may lie behind the cut of a shallow clone. */
static bool is_hidden(const struct gate *gate, const struct gate_series_list *list)
{
	bool hidden = false;
	for (size_t i = 0; gate->set->truncated && i < list->count; i++)
		hidden = hidden || (list->items[i].candidate.count && !list->items[i].history);
	return hidden;
}

static int accept(struct cli *cli, const struct gate_reference *reference, struct gate *gate,
		  struct error *err)
{
	struct acceptance_list *list = arena_new(&cli->arena, struct acceptance_list);
	struct candidate_clock candidate = {cli, gate->candidate.oid};
	struct acceptance_clock clock = cli_acceptance_clock(&candidate);
	const char *unread = NULL;
	if (!reference->base[0])
		return 0;
	if (cli_acceptances(cli, reference->base, list, &unread, err) < 0)
		return -1;
	if (unread)
		cli_warn(cli, "acceptances were not looked for: %s", unread);
	gate_accept(&cli->arena, list, &clock, gate);
	return 0;
}

/* The newest pinned commit of the record's chain. */
static void find_pin(const struct baseline_list *baselines, struct gate *gate)
{
	for (size_t place = gate->newest; place < gate->set->chain_count && !gate->pin_name;
	     place++)
		for (size_t i = 0; i < baselines->count; i++)
			if (baselines->items[i].pinned &&
			    strcmp(baselines->items[i].oid, gate->set->chain[place].oid) == 0) {
				gate->pin_name = baselines->items[i].name;
				gate->pin = (uint32_t)place;
			}
}

/* A pinned commit that the store does not know is on no chain. */
static int add_pins(struct cli *cli, const struct baseline_list *baselines,
		    struct history_window *window, struct error *err)
{
	const char **pins = arena_array(&cli->arena, baselines->count + 1, sizeof *pins);
	struct revision revision;
	struct error why = {0};
	window->pins = pins;
	window->pin_floor = INT64_MAX;
	for (size_t i = 0; i < baselines->count; i++) {
		const char *oid = baselines->items[i].oid;
		if (!baselines->items[i].pinned)
			continue;
		if (store_revision(cli->store, &cli->arena, oid, &revision, &why) < 0) {
			if (why.kind == ERR_REVISION)
				continue;
			*err = why;
			return -1;
		}
		pins[window->pin_count++] = oid;
		if (revision.position < window->pin_floor)
			window->pin_floor = revision.position;
	}
	return 0;
}

/* Of what is nobody's headline the newest runs are searched, and some of them may lack it. */
static bool is_by_headlines(const struct policy_list *policies)
{
	bool all = true;
	for (size_t i = 0; i < policies->count; i++)
		all = all && policies->items[i].own_headline;
	return all;
}

/* What a verdict looks at. The whole chain where that may be all: nightly creep is told from the
 * best level ever; and of some series only, nobody knows which commits have data. */
static int load_window(struct cli *cli, const struct gate_request *request,
		       const struct gate_reference *reference, const struct gate_series_list *list,
		       struct gate *gate, struct history_set *set, struct error *err)
{
	enum { MOST_DAYS = 100000 };
	const char **keys = arena_array(&cli->arena, list->count + 1, sizeof *keys);
	enum metric *judged = arena_array(&cli->arena, list->count + 1, sizeof *judged);
	const struct run **runs = arena_array(&cli->arena, list->count + 1, sizeof *runs);
	struct baseline_list baselines = {0};
	struct history_window window = {
		.newest = gate->newest, .series = keys, .judged = judged, .identities = runs};
	if (store_baselines(cli->store, &cli->arena, &baselines, err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		judged[i] = gate_judged(cli, &list->items[i]);
		runs[i] = list->items[i].run;
		keys[window.series_count++] = list->items[i].key;
	}
	bool whole = request->filter || (gate->windowed && gate->settings->creep);
	window.commits = whole ? 0 : is_by_headlines(&cli->policies) ? GATE_RECORD : GATE_HISTORY;
	window.data_commits = gate->settings->window + 1;
	window.since = gate->candidate.time -
		       (int64_t)(fmin(gate->settings->stale_days, MOST_DAYS) * 86400) - 1;
	if (add_pins(cli, &baselines, &window, err) < 0 ||
	    gate_load_window(cli, reference, &window, set, err) < 0)
		return -1;
	find_pin(&baselines, gate);
	return 0;
}

/* What cannot be loaded is not known, and no reason to fail. */
struct run_loader {
	struct cli *cli;
	const struct history_set *set;
};

static void load_runs(void *context, const char *series, uint32_t place, struct run_list *runs)
{
	const struct run_loader *loader = context;
	struct loaded_list list = {0};
	struct error ignored;
	if (cli_load_baseline(loader->cli, loader->set->chain[place].oid, series, &list, &ignored) <
	    0)
		return;
	for (size_t i = 0; i < list.count; i++)
		run_list_add(&loader->cli->arena, runs, list.items[i].stored.run);
}

/* --- what explains the worst --- */

static void add_all(struct cli *cli, struct run_list *runs, const struct run_list *more)
{
	for (size_t i = 0; i < more->count; i++)
		run_list_add(&cli->arena, runs, more->items[i]);
}

/* A figure of hundreds of comparisons is one event, of which the first ones tell; and of thousands
 * of runs timelines and totals would be most of the work. */
static int load_details(struct cli *cli, const struct gate *gate,
			const struct gate_series_list *list, struct error *err)
{
	enum { MOST_DETAILED = 200 };
	bool *wanted = arena_array(&cli->arena, list->count + 1, sizeof *wanted);
	struct run_list runs = {0};
	for (size_t i = 0; i < gate->count && i < MOST_DETAILED; i++)
		if (explain_is_asked(&gate->comparisons[i]))
			wanted[gate->comparisons[i].series - list->items] = true;
	for (size_t i = 0; i < list->count; i++) {
		list->items[i].bare = !wanted[i];
		if (wanted[i]) {
			add_all(cli, &runs, &list->items[i].candidate);
			add_all(cli, &runs, &list->items[i].baseline);
		}
	}
	return store_details(cli->store, &cli->arena, &runs, err);
}

/* A record may be short because of the cut. */
static void warn_of_cut(struct cli *cli, const struct gate *gate)
{
	bool lacking = false;
	for (size_t i = 0; i < gate->count; i++)
		lacking = lacking || gate->comparisons[i].judged.record.missing_commits > 0;
	if (lacking && gate->set->truncated)
		cli_warn(cli, "the history in the store ends at a shallow clone's cut; for more of "
			      "it run \"git fetch --unshallow\" and ingest again");
}

int cli_gate(struct cli *cli, const struct gate_request *request, struct gate *gate,
	     struct error *err)
{
	struct gate_series_list *list = arena_new(&cli->arena, struct gate_series_list);
	struct history_set *set = arena_new(&cli->arena, struct history_set);
	struct gate_reference reference;
	struct run_loader *loader = arena_new(&cli->arena, struct run_loader);
	if (cli_open_store(cli, STORE_READ, err) < 0 || cli_load_config(cli, err) < 0)
		return -1;
	if (!store_has_revision(cli->store, request->oid))
		return no_runs(request->oid, err);
	gate->settings = &cli->gate;
	gate->figures = request->figures;
	gate->set = set;
	gate->load_runs = load_runs;
	*loader = (struct run_loader){cli, set};
	gate->load_context = loader;
	if (store_revision(cli->store, &cli->arena, request->oid, &gate->candidate, err) < 0 ||
	    load_candidates(cli, request, gate, list, err) < 0)
		return -1;
	if (list->count == 0)
		return no_runs(request->oid, err);
	if (gate_choose_reference(cli, gate, request->against, &reference, err) < 0 ||
	    load_window(cli, request, &reference, list, gate, set, err) < 0 ||
	    gate_join(cli, request, gate, list, err) < 0)
		return -1;
	if (is_hidden(gate, list))
		return error_set(
			err, ERR_REVISION,
			"the history in the store ends at a shallow clone's cut, so a baseline "
			"may be hidden; run \"git fetch --unshallow\" and ingest again");
	gate->against = reference.words;
	gate_compare(&cli->arena, list, &cli->policies, gate);
	gate_decide(&cli->arena, gate);
	if (accept(cli, &reference, gate, err) < 0)
		return -1;
	gate_conclude(&cli->arena, &request->treatment, gate);
	if (load_details(cli, gate, list, err) < 0)
		return -1;
	warn_of_cut(cli, gate);
	for (size_t i = 0; !request->asked && i < gate->idle_count; i++)
		cli_warn(cli, "the gate row \"%s\" (kernel %s) fits no series", gate->idle[i]->name,
			 gate->idle[i]->kernel);
	return 0;
}
