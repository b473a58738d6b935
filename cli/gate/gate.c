/*
 * The gate in five steps: load what is judged, plan, load what the plan needs, run, explain.
 *
 * What holds between the steps:
 *   - chain[0] of the histories is the reference commit or, without --against NAME, the candidate.
 *     The baseline history begins at chain index input->newest: 0 if chain[0] belongs to it,
 * else 1.
 *   - input->series is sorted by key until the join; the join appends missing series at the end.
 *   - Nothing is loaded after gate_run() but what explains the worst: a verdict never depends on
 *     details.
 */
#include "cli/gate/gate.h"

#include "cli/gate/internal.h"
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
 * changes measure another program than the commit itself, so they are never judged together. */
static void add_candidates(struct cli *cli, const struct gate_request *request,
			   struct gate_input *input, struct loaded_list *runs,
			   struct gate_series_list *list)
{
	const char *last = NULL;
	struct loaded_run **order = arena_array(&cli->arena, runs->count + 1, sizeof *order);
	for (size_t i = 0; i < runs->count; i++)
		order[i] = &runs->items[i];
	array_sort(order, runs->count, sizeof *order, by_key);
	list->items = arena_array(&cli->arena, runs->count, sizeof *list->items);
	list->capacity = runs->count;
	for (size_t i = 0; i < runs->count; i++) {
		const struct store_run *stored = &order[i]->stored;
		if (stored->run->dirty != input->dirty)
			continue;
		input->measured += !last || strcmp(last, stored->series) != 0;
		last = stored->series;
		if (!runs_filter_wants(request->filter, stored->run))
			continue;
		if (list->count == 0 ||
		    strcmp(list->items[list->count - 1].key, stored->series) != 0) {
			*arena_add(&cli->arena, list) = (struct gate_series){
				.key = stored->series, .run = stored->run, .baseline_age = -1};
		}
		run_list_add(&cli->arena, &list->items[list->count - 1].candidate, stored->run);
	}
}

static int no_runs(const char *oid, struct error *err)
{
	return error_set(err, ERR_STORE,
			 "commit %.10s has no measurements: ingest its profiles first", oid);
}

/* Whether a series may lack a history only because a shallow clone ends too early. */
static bool is_hidden(const struct gate_input *input, const struct gate_series_list *list)
{
	bool hidden = false;
	for (size_t i = 0; input->histories->truncated && i < list->count; i++)
		hidden = hidden || (list->items[i].candidate.count && !list->items[i].history);
	return hidden;
}

/* The newest pinned commit of the baseline history. */
static void find_pin(const struct baseline_list *baselines, struct gate_input *input)
{
	for (size_t index = input->newest;
	     index < input->histories->chain_count && !input->pin_name; index++)
		for (size_t i = 0; i < baselines->count; i++)
			if (baselines->items[i].pinned &&
			    strcmp(baselines->items[i].oid, input->histories->chain[index].oid) ==
				    0) {
				input->pin_name = baselines->items[i].name;
				input->pin = (uint32_t)index;
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
 * series, GATE_HISTORY if a row judges another metric. The whole chain is loaded in three cases:
 * the caller shows it, drift is compared with the best period ever, and with a filter it is
 * unknown in advance which commits have data. */
int gate_command_load_record(struct cli *cli, const struct gate_request *request, const char *oid,
			     const struct gate_series_list *list, struct gate_input *input,
			     struct history_set *set, struct error *err)
{
	enum { DAYS_LIMIT = 100000 }; /* 270 years: keeps the time in range */
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
	bool whole = request->whole_record || runs_filter_narrows(request->filter) ||
		     (input->windowed && input->settings->drift);
	window.commits = whole                                      ? 0
			 : is_by_headlines(&cli->settings.policies) ? GATE_BASELINE_COMMITS
								    : GATE_HISTORY;
	window.data_commits = input->settings->window + 1;
	window.since = input->candidate.time -
		       (int64_t)(fmin(input->settings->stale_days, DAYS_LIMIT) * 86400) - 1;
	if (add_pins(cli, &baselines, &window, err) < 0 ||
	    gate_command_load_window(cli, oid, &window, set, err) < 0)
		return -1;
	find_pin(&baselines, input);
	return 0;
}

/* An older program stored numbers that no run can have. */
static int refuse_bounds(const struct store_run *stored, struct error *err)
{
	err->kind = ERR_STORE;
	return error_prefix(err, "run %.10s at commit %.10s cannot be judged", stored->id,
			    stored->revision.oid);
}

/* Whether the work tree has uncommitted changes to this commit; without a repository, none. */
static int find_changes(struct cli *cli, const char *oid, bool *changed, struct error *err)
{
	struct error ignored;
	char head[65];
	*changed = false;
	if (cli_open_repository(cli, &ignored) < 0)
		return 0;
	if (repository_resolve(cli->repository, "HEAD", head, err) < 0)
		return -1;
	return strcmp(head, oid) == 0 ? repository_is_dirty(cli->repository, changed, err) : 0;
}

/* Where a commit has runs of both kinds, those of the commit itself are judged: what is merged is a
 * commit. Who compares a changed work tree with anything else asks for what he is at. */
static int choose_changes(struct cli *cli, const struct gate_request *request, size_t clean,
			  size_t dirty, bool *changed, struct error *err)
{
	*changed = dirty > 0;
	if (!clean || !dirty)
		return 0;
	*changed = false;
	if (strncmp(request->against, "merge-base", strlen("merge-base")) != 0 &&
	    strcmp(request->against, "window") != 0 &&
	    find_changes(cli, request->oid, changed, err) < 0)
		return -1;
	if (*changed)
		cli_warn(cli,
			 "the work tree has uncommitted changes, so runs with uncommitted changes "
			 "are judged; clean runs at %.10s are not",
			 request->oid);
	else
		cli_warn(cli,
			 "runs at %.10s with uncommitted changes are not judged, because it has "
			 "clean runs, too",
			 request->oid);
	return 0;
}

/* Reads the runs of the candidate, which are derived once the configuration is known. A commit
 * without runs cannot be judged, which is an error. */
static int read_candidate(struct cli *cli, const struct gate_request *request,
			  struct gate_input *input, struct loaded_list *runs, struct error *err)
{
	struct run_query query = {.commit = request->oid, .facts = true};
	if (!store_has_revision(cli->store, request->oid))
		return no_runs(request->oid, err);
	if (store_revision(cli->store, &cli->arena, request->oid, &input->candidate, err) < 0 ||
	    runs_read(cli, &query, runs, err) < 0)
		return -1;
	size_t dirty = 0;
	for (size_t i = 0; i < runs->count; i++) {
		const struct store_run *stored = &runs->items[i].stored;
		if (run_check_bounds(stored->run, err) < 0)
			return refuse_bounds(stored, err);
		dirty += stored->run->dirty;
	}
	return choose_changes(cli, request, runs->count - dirty, dirty, &input->dirty, err);
}

static struct loaded_list only_wanted(const struct run_filter *filter, struct loaded_list runs)
{
	size_t count = 0;
	for (size_t i = 0; i < runs.count; i++)
		if (runs_filter_wants(filter, runs.items[i].stored.run))
			runs.items[count++] = runs.items[i];
	runs.count = count;
	return runs;
}

/* Fills in the candidate and the rules. Which commit's rules count depends on the options and on
 * git, never on the configuration of the candidate. */
static int load_candidate(struct cli *cli, const struct gate_request *request,
			  struct gate_input *input, struct gate_reference *reference,
			  struct loaded_list *runs, struct error *err)
{
	return read_candidate(cli, request, input, runs, err) < 0 ||
			       gate_command_choose_reference(cli, input, request->against,
							     reference, err) < 0 ||
			       gate_command_load_rules(cli, request, input, reference, err) < 0 ||
			       runs_derive_all(cli, runs, 0, err) < 0
		       ? -1
		       : 0;
}

/* Fills in the series of the candidate that the filter selects. */
static int select_candidates(struct cli *cli, const struct gate_request *request,
			     struct gate_input *input, struct loaded_list *runs,
			     struct gate_series_list *list, struct error *err)
{
	add_candidates(cli, request, input, runs, list);
	input->selected = runs_filter_narrows(request->filter) ? list->count : 0;
	if (request->runs)
		*request->runs = only_wanted(request->filter, *runs);
	if (list->count)
		return 0;
	return runs_filter_narrows(request->filter)
		       ? runs_none(cli, request->filter, request->oid, err)
		       : no_runs(request->oid, err);
}

/* Whether nothing could be compared: any history is of another commit, or of an earlier epoch. */
static bool is_first(struct cli *cli, const struct gate_input *input)
{
	bool begins = false;
	for (size_t i = 0; i < input->series->count; i++) {
		if (input->series->items[i].history)
			return false;
		begins = begins || input->series->items[i].epoch;
	}
	return (begins && !input->named) || !runs_any_other(cli, input->candidate.oid);
}

/* Fills *input for the model. The steps run in this order, because each uses members that the one
 * before has set: the candidate's runs (dirty), the reference (newest, windowed), the rules, the
 * window of histories (pin), the join (series, baselines), the acceptances. */
static int load_input(struct cli *cli, const struct gate_request *request, struct gate_input *input,
		      struct gate_reference *reference, struct error *err)
{
	struct gate_series_list *list = arena_new(&cli->arena, struct gate_series_list);
	struct history_set *set = arena_new(&cli->arena, struct history_set);
	struct gate_request own = *request;
	struct run_filter filter = {.words = NULL};
	struct loaded_list runs = {0};
	*input = (struct gate_input){
		.series = list,
		.policies = &cli->settings.policies,
		.settings = &cli->settings.gate,
		.fail_on = request->fail_on,
		.fine_status = request->fine_status,
		.histories = set,
		.every_number = request->every_number,
	};
	if (request->filter)
		filter = *request->filter;
	own.filter = &filter;
	/* The filter after the rules: what its patterns name depends on [alias]. */
	if (load_candidate(cli, request, input, reference, &runs, err) < 0 ||
	    runs_prepare_filter(cli, &filter, err) < 0 ||
	    select_candidates(cli, &own, input, &runs, list, err) < 0 ||
	    gate_command_load_record(cli, &own, reference->oid, list, input, set, err) < 0 ||
	    gate_command_join(cli, &own, input, list, err) < 0)
		return -1;
	if (is_hidden(input, list))
		return error_set(
			err, ERR_REVISION,
			"the stored history ends where the shallow clone was cut, so the baseline "
			"may be missing; run \"git fetch --unshallow\" and ingest again");
	assert(input->histories->chain_count >= input->newest);
	input->against = reference->description;
	input->first = is_first(cli, input);
	return gate_command_load_acceptances(cli, request, reference, input, err);
}

/* --- what a plan needs in addition --- */

void gate_command_load_older(struct cli *cli, const struct gate_older_list *needed)
{
	for (size_t i = 0; i < needed->count; i++) {
		struct gate_older_runs *older = needed->items[i];
		struct loaded_list list = {0};
		struct error ignored;
		/* Runs that cannot be loaded stay unknown: older runs refine a verdict, they do not
		 * decide it. */
		if (runs_load_baseline(cli, older->commit->oid, older->series->key, &list,
				       &ignored) < 0)
			continue;
		for (size_t k = 0; k < list.count; k++)
			run_list_add(&cli->arena, &older->runs, list.items[k].stored.run);
	}
}

static void add_all(struct cli *cli, struct run_list *runs, const struct run_list *more)
{
	for (size_t i = 0; i < more->count; i++)
		run_list_add(&cli->arena, runs, more->items[i]);
}

/* Timelines and totals of thousands of runs would be most of the work, so only the explained series
 * have their details loaded. */
static int load_details(struct cli *cli, const struct explain_plan *plan, struct error *err)
{
	struct run_list runs = {0};
	for (size_t i = 0; i < plan->series_count; i++) {
		add_all(cli, &runs, &plan->series[i]->candidate);
		add_all(cli, &runs, &plan->series[i]->baseline);
	}
	return store_details(cli->store, &cli->arena, &runs, err);
}

static int explain(struct cli *cli, const struct gate_result *result, struct error *err)
{
	struct explain_plan plan = explain_plan(&cli->arena, result);
	if (load_details(cli, &plan, err) < 0)
		return -1;
	gate_command_load_older(cli, &plan.needed);
	explain_gate(&cli->arena, &plan);
	return 0;
}

/* --- warnings --- */

/* Warns if a short history may be due to a shallow clone. */
static void warn_of_cut(struct cli *cli, const struct gate_result *result)
{
	bool lacking = false;
	for (size_t i = 0; i < result->count; i++) {
		const struct judge_result *judged = &result->comparisons[i].judged.result;
		lacking = lacking || (judged->assumed && judged->count < judge_defaults().least);
	}
	if (lacking && result->input->histories->truncated)
		cli_warn(cli, "the stored history ends where the shallow clone was cut; for more, "
			      "run \"git fetch --unshallow\" and ingest again");
}

static void warn_of_idle(struct cli *cli, const struct gate_plan *plan)
{
	for (size_t i = 0; i < plan->idle_count; i++)
		cli_warn(cli, "gate rule \"%s\" (kernel %s) matches no series", plan->idle[i]->name,
			 plan->idle[i]->kernel);
}

int gate_command_run(struct cli *cli, const struct gate_request *request,
		     struct gate_result *result, struct error *err)
{
	struct gate_input *input = arena_new(&cli->arena, struct gate_input);
	struct gate_reference reference;
	assert(cli->store);
	if (load_input(cli, request, input, &reference, err) < 0)
		return -1;
	/* gate_plan() is pure: it names the older runs that the verdicts may ask for, so that all
	 * loading happens here and gate_run() never opens anything. */
	struct gate_plan plan = gate_plan(&cli->arena, input);
	gate_command_load_older(cli, &plan.needed);
	*result = gate_run(&cli->arena, &plan);
	if (gate_command_note_tip(cli, request, &reference, result, err) < 0)
		return -1;
	if (request->why && explain(cli, result, err) < 0)
		return -1;
	warn_of_cut(cli, result);
	if (!request->choose_rows)
		warn_of_idle(cli, &plan);
	return 0;
}
