/* Loads what is judged: the candidate's runs, the histories of its series, pinned releases and
 * acceptances. */
#include "cli/gate/internal.h"

#include "cli/accept/accept.h"

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
 * changes measure another program than the commit itself, so if there are any, only they are the
 * candidate. */
static int load_candidates(struct cli *cli, const struct gate_request *request,
			   struct gate_input *input, struct gate_series_list *list,
			   struct error *err)
{
	struct loaded_list runs = {0};
	struct run_query query = {.commit = request->oid};
	if (runs_load_facts(cli, &query, &runs, err) < 0)
		return -1;
	struct loaded_run **order = arena_array(&cli->arena, runs.count + 1, sizeof *order);
	for (size_t i = 0; i < runs.count; i++) {
		order[i] = &runs.items[i];
		input->dirty = input->dirty || runs.items[i].stored.run->dirty;
	}
	array_sort(order, runs.count, sizeof *order, by_key);
	for (size_t i = 0; i < runs.count; i++) {
		const struct store_run *stored = &order[i]->stored;
		if (stored->run->dirty != input->dirty ||
		    !gate_command_wants(request->filter, stored->run))
			continue;
		if (list->count == 0 ||
		    strcmp(list->items[list->count - 1].key, stored->series) != 0) {
			*arena_add(&cli->arena, list) = (struct gate_series){
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

/* Whether a series may lack a history only because a shallow clone ends too early. */
static bool is_hidden(const struct gate_input *input, const struct gate_series_list *list)
{
	bool hidden = false;
	for (size_t i = 0; input->histories->truncated && i < list->count; i++)
		hidden = hidden || (list->items[i].candidate.count && !list->items[i].history);
	return hidden;
}

static int load_acceptances(struct cli *cli, const struct gate_reference *reference,
			    struct gate_input *input, struct error *err)
{
	struct acceptance_list *list = arena_new(&cli->arena, struct acceptance_list);
	struct candidate_clock *candidate = arena_new(&cli->arena, struct candidate_clock);
	struct acceptance_clock *clock = arena_new(&cli->arena, struct acceptance_clock);
	const char *unread = NULL;
	if (!reference->base[0])
		return 0;
	if (accept_load(cli, reference->base, list, &unread, err) < 0)
		return -1;
	if (unread)
		cli_warn(cli, "acceptances were not looked for: %s", unread);
	*candidate = (struct candidate_clock){cli, input->candidate.oid};
	*clock = accept_clock(candidate);
	input->acceptances = list;
	input->clock = clock;
	return 0;
}

/* The newest pinned commit of the baseline history. */
static void find_pin(const struct baseline_list *baselines, struct gate_input *input)
{
	for (size_t place = input->newest;
	     place < input->histories->chain_count && !input->pin_name; place++)
		for (size_t i = 0; i < baselines->count; i++)
			if (baselines->items[i].pinned &&
			    strcmp(baselines->items[i].oid, input->histories->chain[place].oid) ==
				    0) {
				input->pin_name = baselines->items[i].name;
				input->pin = (uint32_t)place;
			}
}

/* Adds the pinned commits. One that the store does not have is skipped: it cannot be on the chain.
 * pin_floor is the lowest position of all, below which the walk need not look for pins. */
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
		assert(window->pin_count < baselines->count);
		pins[window->pin_count++] = oid;
		if (revision.position < window->pin_floor)
			window->pin_floor = revision.position;
	}
	return 0;
}

/* Whether all rows judge headlines. Otherwise more commits are loaded, because the newest runs may
 * lack the other metrics. */
static bool is_by_headlines(const struct policy_list *policies)
{
	bool all = true;
	for (size_t i = 0; i < policies->count; i++)
		all = all && policies->items[i].own_headline;
	return all;
}

/* Loads the part of the chain that verdicts use: GATE_BASELINE_COMMITS commits with data per
 * series, GATE_HISTORY if a row judges another metric. The whole chain is loaded in two cases:
 * drift (creep) is compared with the best period ever, and with a filter it is unknown in advance
 * which commits have data. */
static int load_window(struct cli *cli, const struct gate_request *request,
		       const struct gate_reference *reference, const struct gate_series_list *list,
		       struct gate_input *input, struct history_set *set, struct error *err)
{
	enum { MOST_DAYS = 100000 }; /* 270 years: keeps the time in range */
	const char **keys = arena_array(&cli->arena, list->count + 1, sizeof *keys);
	enum metric *judged = arena_array(&cli->arena, list->count + 1, sizeof *judged);
	const struct run **runs = arena_array(&cli->arena, list->count + 1, sizeof *runs);
	struct baseline_list baselines = {0};
	struct history_window window = {
		.newest = input->newest, .series = keys, .judged = judged, .identities = runs};
	if (store_baselines(cli->store, &cli->arena, &baselines, err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		judged[i] = gate_command_judged(cli, &list->items[i]);
		runs[i] = list->items[i].run;
		keys[window.series_count++] = list->items[i].key;
	}
	bool whole = request->filter || (input->windowed && input->settings->drift);
	window.commits = whole                                      ? 0
			 : is_by_headlines(&cli->settings.policies) ? GATE_BASELINE_COMMITS
								    : GATE_HISTORY;
	window.data_commits = input->settings->window + 1;
	window.since = input->candidate.time -
		       (int64_t)(fmin(input->settings->stale_days, MOST_DAYS) * 86400) - 1;
	if (add_pins(cli, &baselines, &window, err) < 0 ||
	    gate_command_load_window(cli, reference->oid, &window, set, err) < 0)
		return -1;
	find_pin(&baselines, input);
	return 0;
}

/* --- the candidate, and all steps --- */

/* A commit without runs cannot be judged, which is an error. */
static int load_candidate(struct cli *cli, const struct gate_request *request,
			  struct gate_input *input, struct gate_series_list *list,
			  struct error *err)
{
	if (!store_has_revision(cli->store, request->oid))
		return no_runs(request->oid, err);
	if (store_revision(cli->store, &cli->arena, request->oid, &input->candidate, err) < 0 ||
	    load_candidates(cli, request, input, list, err) < 0)
		return -1;
	return list->count ? 0 : no_runs(request->oid, err);
}

int gate_command_load_input(struct cli *cli, const struct gate_request *request,
			    struct gate_input *input, struct error *err)
{
	struct gate_series_list *list = arena_new(&cli->arena, struct gate_series_list);
	struct history_set *set = arena_new(&cli->arena, struct history_set);
	struct gate_reference reference;
	*input = (struct gate_input){
		.series = list,
		.policies = &cli->settings.policies,
		.settings = &cli->settings.gate,
		.treatment = request->treatment,
		.histories = set,
		.every_number = request->every_number,
	};
	if (load_candidate(cli, request, input, list, err) < 0 ||
	    gate_command_choose_reference(cli, input, request->against, &reference, err) < 0 ||
	    load_window(cli, request, &reference, list, input, set, err) < 0 ||
	    gate_command_join(cli, request, input, list, err) < 0)
		return -1;
	if (is_hidden(input, list))
		return error_set(
			err, ERR_REVISION,
			"the history in the store ends at a shallow clone's cut, so a baseline "
			"may be hidden; run \"git fetch --unshallow\" and ingest again");
	assert(input->histories->chain_count >= input->newest);
	input->against = reference.words;
	return load_acceptances(cli, &reference, input, err);
}
