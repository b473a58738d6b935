/* Compares two commits: resolves both, turns the configured rows into rows for the requested
 * metrics, and lets the gate judge. */
#include "cli/compare/commits.h"

#include "cli/gate/gate.h"
#include "cli/output/output.h"
#include "render/summary/summary.h"
#include "render/terminal/terminal.h"

/* --- which metrics, and by which parameters --- */

/* Whether a row compares this metric by the history; METRIC_COUNT is the run's headline. */
static bool judges(const struct policy *policy, enum metric metric)
{
	bool headline =
		metric == METRIC_COUNT || metric == METRIC_TOTAL_TIME || metric == METRIC_HOST_TIME;
	if (policy->refines || policy_is_absolute(policy))
		return false;
	return policy->own_headline ? headline : policy->metric == metric;
}

static void add_row(struct arena *arena, struct policy_list *rows, const struct policy *row)
{
	*arena_add(arena, rows) = *row;
}

/* Adds one row for all series, and a refining row for each configured row about this metric: the
 * refining rows carry the limit, the tolerance and the noise for the series that they match. */
static void add_metric(struct arena *arena, const struct policy_list *configured,
		       enum metric metric, struct policy_list *rows)
{
	enum { ALL = POLICY_RELATIVE | POLICY_TOLERANCE | POLICY_ALPHA | POLICY_NOISE };
	struct policy all = default_policy;
	const char *parent = NULL;
	all.name = metric == METRIC_COUNT ? "headline" : metric_info(metric)->key;
	all.own_headline = metric == METRIC_COUNT;
	all.metric = metric == METRIC_COUNT ? default_policy.metric : metric;
	for (size_t i = configured->count; i-- > 0;)
		if (judges(&configured->items[i], metric)) {
			all.own_direction = configured->items[i].own_direction;
			all.direction = configured->items[i].direction;
		}
	add_row(arena, rows, &all);
	for (size_t i = 0; i < configured->count; i++) {
		struct policy row = configured->items[i];
		if (judges(&row, metric)) {
			parent = row.name;
			row.given = ALL;
		} else if (!row.refines || !parent || strcmp(row.refines, parent) != 0) {
			continue;
		}
		row.refines = all.name;
		add_row(arena, rows, &row);
	}
}

static int choose_rows(struct cli *cli, const struct text_list *metrics, struct error *err)
{
	struct policy_list rows = {0};
	for (size_t i = 0; i < metrics->count; i++) {
		enum metric metric = metric_find(span_of(metrics->items[i]));
		if (metric == METRIC_COUNT)
			return error_set(err, ERR_USAGE,
					 "--metric %.60s: there is no such metric; \"rooflog show "
					 "--json\" lists those of a run by their keys",
					 metrics->items[i]);
		add_metric(&cli->arena, &cli->settings.policies, metric, &rows);
	}
	if (metrics->count == 0)
		add_metric(&cli->arena, &cli->settings.policies, METRIC_COUNT, &rows);
	cli->settings.policies = rows;
	return 0;
}

/* --- which commits --- */

/* Resolves the baseline. If the tip of a branch was not measured, its newest ancestor in the store
 * replaces it. */
static int resolve_baseline(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	char tip[65];
	if (runs_resolve_baseline(cli, name, oid, err) < 0)
		return -1;
	if (store_has_revision(cli->store, oid))
		return 0;
	memcpy(tip, oid, sizeof tip);
	if (runs_newest_stored(cli, oid, err) < 0)
		return -1;
	if (!oid[0])
		return error_set(err, ERR_STORE,
				 "neither %s (%.10s) nor a commit before it has stored runs: "
				 "ingest profiles of it",
				 name, tip);
	cli_note(cli, "%s (%.10s) has no stored runs: its newest ancestor that has is %.10s", name,
		 tip, oid);
	return 0;
}

static int resolve(struct cli *cli, const struct compare_commits *request, char baseline[65],
		   char candidate[65], struct error *err)
{
	struct revision a, b;
	if (resolve_baseline(cli, request->baseline, baseline, err) < 0 ||
	    runs_resolve_baseline(cli, request->candidate, candidate, err) < 0)
		return -1;
	if (!store_has_revision(cli->store, candidate))
		return error_set(err, ERR_STORE,
				 "%s (%.10s) has no stored runs: ingest its profiles first",
				 request->candidate, candidate);
	if (store_revision(cli->store, &cli->arena, baseline, &a, err) < 0 ||
	    store_revision(cli->store, &cli->arena, candidate, &b, err) < 0)
		return -1;
	if (runs_steps_to(cli, &a, &b) > 0)
		cli_warn(cli,
			 "%s is an ancestor of %s, so it is on the record that it is compared "
			 "with: the older commit comes first",
			 request->candidate, request->baseline);
	return 0;
}

/* --- printing --- */

static int print_text(struct cli *cli, const struct compare_commits *request,
		      const struct json *document, struct error *err)
{
	const struct terminal terminal = cli_terminal(cli);
	struct strbuf sb = {0};
	terminal_compare(&cli->arena, &terminal, document, &sb);
	int rc = cli_output(request->output, strbuf_span(&sb), err);
	strbuf_free(&sb);
	return rc;
}

int compare_command_commits(struct cli *cli, const struct compare_commits *request,
			    struct error *err)
{
	char baseline[65], candidate[65];
	struct gate_result gate = {0};
	struct loaded_list none = {0};
	struct json *document;
	struct gate_request asked = {.oid = candidate,
				     .against = baseline,
				     .filter = request->filter,
				     .why = true,
				     .asked = true};
	if (cli_open_store(cli, STORE_READ, err) < 0 || cli_load_config(cli, err) < 0 ||
	    choose_rows(cli, request->metrics, err) < 0 ||
	    resolve(cli, request, baseline, candidate, err) < 0 ||
	    gate_command_run(cli, &asked, &gate, err) < 0)
		return -1;
	const char *title =
		arena_printf(&cli->arena, "%s against %s", request->candidate, request->baseline);
	if (runs_document(cli, &none, title, &gate, &document, err) < 0)
		return -1;
	const struct report_sides sides = {request->baseline, request->candidate};
	summary_add_compare(&cli->arena, document, &gate, &sides);
	if (strcmp(request->format, "text") == 0)
		return print_text(cli, request, document, err);
	const struct rendering rendering = {.format = request->format,
					    .template = "compare",
					    .output = request->output,
					    .charts = output_report_kind_find("compare")->charts};
	return output_render(cli, document, &rendering, err);
}
