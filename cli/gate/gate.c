/* The gate in five steps: load what is judged, plan, load what the plan needs, run, explain. */
#include "cli/gate/gate.h"

#include "cli/gate/internal.h"
#include "model/explain/explain.h"

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
	for (size_t i = 0; i < result->count; i++)
		lacking = lacking || result->comparisons[i].judged.result.missing_commits > 0;
	if (lacking && result->input->histories->truncated)
		cli_warn(cli, "the history in the store ends at a shallow clone's cut; for more of "
			      "it run \"git fetch --unshallow\" and ingest again");
}

static void warn_of_idle(struct cli *cli, const struct gate_plan *plan)
{
	for (size_t i = 0; i < plan->idle_count; i++)
		cli_warn(cli, "the gate row \"%s\" (kernel %s) fits no series", plan->idle[i]->name,
			 plan->idle[i]->kernel);
}

int gate_command_run(struct cli *cli, const struct gate_request *request,
		     struct gate_result *result, struct error *err)
{
	struct gate_input *input = arena_new(&cli->arena, struct gate_input);
	if (cli_open_store(cli, STORE_READ, err) < 0 || cli_load_config(cli, err) < 0 ||
	    gate_command_load_input(cli, request, input, err) < 0)
		return -1;
	/* gate_plan() is pure: it names the older runs that the verdicts may ask for, so that all
	 * loading happens here and gate_run() never opens anything. */
	struct gate_plan plan = gate_plan(&cli->arena, input);
	gate_command_load_older(cli, &plan.needed);
	*result = gate_run(&cli->arena, &plan);
	if (request->why && explain(cli, result, err) < 0)
		return -1;
	warn_of_cut(cli, result);
	if (!request->asked)
		warn_of_idle(cli, &plan);
	return 0;
}
