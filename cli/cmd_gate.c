/* rooflog gate: one table, one sentence, one exit status. */
#include "cli/command.h"

#include <math.h>
#include <string.h>

#include "cli/gate_data.h"
#include "cli/render.h"
#include "model/naming.h"
#include "render/table.h"

/* "undecided=pass", "missing=fail" ... */
static int parse_treatment(const struct text_list *list, struct gate_treatment *treatment,
			   struct error *err)
{
	static const enum verdict allowed[] = {VERDICT_UNDECIDED, VERDICT_MISSING,
					       VERDICT_INCOMPARABLE, VERDICT_NO_BASELINE,
					       VERDICT_STALE};
	for (size_t i = 0; i < list->count; i++) {
		struct span rest = span_of(list->items[i]);
		struct span word = span_cut(&rest, '=');
		bool known = false;
		for (size_t j = 0; j < sizeof allowed / sizeof *allowed; j++)
			if (span_is(word, verdict_name(allowed[j]))) {
				known = true;
				treatment->pass[allowed[j]] = span_is(rest, "pass");
				treatment->fail[allowed[j]] = span_is(rest, "fail");
			}
		if (!known || !(span_is(rest, "pass") || span_is(rest, "fail")))
			return error_set(err, ERR_USAGE,
					 "--treat %s: expected undecided, missing, incomparable, "
					 "no-baseline or stale, then =pass or =fail",
					 list->items[i]);
	}
	return 0;
}

static bool one_policy(const struct gate *gate)
{
	for (size_t i = 1; i < gate->count; i++)
		if (gate->comparisons[i].policy != gate->comparisons[0].policy)
			return false;
	return true;
}

/* Short names for all rows of one gate. */
static struct naming naming_of_gate(struct arena *arena, const struct gate *gate)
{
	const struct run **runs = arena_array(arena, gate->count, sizeof *runs);
	for (size_t i = 0; i < gate->count; i++)
		runs[i] = gate->comparisons[i].run;
	return naming_of(arena, runs, gate->count);
}

/* One side's figure; a side without runs has none that could be unknown. */
static const char *side_text(struct arena *arena, double number, enum unit unit,
			     const struct run_list *runs)
{
	return runs->count ? quantity_text(arena, number, unit) : "--";
}

static void add_row(struct cli *cli, struct md_table *table, const struct naming *naming,
		    const struct comparison *one, bool with_policy)
{
	struct arena *arena = &cli->arena;
	const struct metric_info *info = metric_info(one->metric);
	const char *mark = cli_utf8() ? verdict_mark(one->judged.verdict) : "";
	md_table_cell(table, arena_printf(arena, "%s%s%s", mark, mark[0] ? " " : "",
					  verdict_name(one->judged.verdict)));
	md_table_cell(table, naming_name(arena, naming, one->run));
	if (with_policy)
		md_table_cell(table, arena_printf(arena, "%s: %s", one->policy->name, info->key));
	md_table_cell(table,
		      side_text(arena, one->judged.baseline, info->unit, &one->series->baseline));
	md_table_cell(table,
		      side_text(arena, one->judged.candidate, info->unit, &one->series->candidate));
	md_table_cell(table, isnan(one->judged.change)
				     ? "--"
				     : quantity_change_text(arena, one->judged.change));
	md_table_cell(table, arena_printf(arena, "%zu/%zu", one->series->baseline.count,
					  one->series->candidate.count));
}

static bool keeps_from_passing(const struct comparison *one)
{
	return one->judged.verdict <= VERDICT_STALE && one->judged.verdict != VERDICT_NEW;
}

static bool same_reason(const struct comparison *a, const struct comparison *b)
{
	const struct revision *x = a->series->baseline_revision;
	const struct revision *y = b->series->baseline_revision;
	return a->judged.verdict == b->judged.verdict && a->metric == b->metric &&
	       strcmp(a->judged.reason, b->judged.reason) == 0 && !x == !y &&
	       (!x || strcmp(x->oid, y->oid) == 0);
}

/* Why, for everything that keeps the gate from passing; for `alike` series in a row said once. */
static void add_reason(struct cli *cli, struct strbuf *sb, const struct naming *naming,
		       const struct comparison *one, size_t alike)
{
	const struct revision *baseline = one->series->baseline_revision;
	strbuf_addch(sb, '\n');
	if (alike > 1)
		strbuf_addf(sb, "%zu series, the first is ", alike);
	strbuf_addf(sb, "%s, %s: %s\n", naming_name(&cli->arena, naming, one->run),
		    metric_info(one->metric)->key, one->judged.reason);
	if (!baseline)
		return;
	strbuf_addf(sb, "  baseline %.10s", baseline->oid);
	if (one->series->baseline_age > 0)
		strbuf_addf(sb, ", %lld commit%s back", (long long)one->series->baseline_age,
			    one->series->baseline_age == 1 ? "" : "s");
	strbuf_addf(sb, ": %s\n", baseline->subject);
}

static void add_reasons(struct cli *cli, struct strbuf *sb, const struct naming *naming,
			const struct gate *gate)
{
	for (size_t i = 0, alike; i < gate->count; i += alike) {
		const struct comparison *one = &gate->comparisons[i];
		alike = 1;
		while (i + alike < gate->count && same_reason(one, one + alike))
			alike++;
		if (keeps_from_passing(one))
			add_reason(cli, sb, naming, one, alike);
	}
}

/* All rows but those that nobody looks for: more than a few that did not change. */
static size_t add_rows(struct cli *cli, struct md_table *table, const struct naming *naming,
		       const struct gate *gate)
{
	enum { unchanged_shown = 20 };
	bool with_policy = !one_policy(gate);
	size_t unchanged = 0;
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (one->judged.verdict == VERDICT_UNCHANGED && ++unchanged > unchanged_shown)
			continue;
		add_row(cli, table, naming, one, with_policy);
	}
	return unchanged > unchanged_shown ? unchanged - unchanged_shown : 0;
}

static const char *gate_text(struct cli *cli, const struct gate *gate)
{
	struct md_table table;
	struct strbuf sb = {0};
	bool with_policy = !one_policy(gate);
	struct naming naming = naming_of_gate(&cli->arena, gate);
	const char *common = naming_common(&cli->arena, &naming);
	md_table_init(&table, &cli->arena);
	table.width = cli_table_width();
	md_table_column(&table, "verdict", MD_ALIGN_LEFT);
	md_table_column(&table, "series", MD_ALIGN_LEFT);
	if (with_policy)
		md_table_column(&table, "row: metric", MD_ALIGN_LEFT);
	md_table_column(&table, "baseline", MD_ALIGN_RIGHT);
	md_table_column(&table, "candidate", MD_ALIGN_RIGHT);
	md_table_column(&table, "change", MD_ALIGN_RIGHT);
	md_table_column(&table, "runs", MD_ALIGN_RIGHT);
	size_t more = add_rows(cli, &table, &naming, gate);
	strbuf_addf(&sb, "%s: %s\n%.10s against %s%s%s\n", gate->verdict, gate->reason,
		    gate->candidate.oid, gate->against, common[0] ? "\nall " : "", common);
	if (gate->count) {
		strbuf_addch(&sb, '\n');
		md_table_plain(&table, &sb);
	}
	if (more)
		strbuf_addf(&sb, "... and %zu more unchanged; --json has them all\n", more);
	add_reasons(cli, &sb, &naming, gate);
	return strbuf_into(&sb, &cli->arena);
}

static int print_gate(struct cli *cli, const char *format, const char *output, const char *oid,
		      const struct gate *gate, struct error *err)
{
	struct json *document;
	struct loaded_list runs = {0};
	struct run_query query = {.commit = oid};
	if (strcmp(format, "text") == 0) {
		struct strbuf sb = {0};
		cli_clean(&sb, span_of(gate_text(cli, gate)));
		int rc = cli_output(output, strbuf_span(&sb), err);
		strbuf_free(&sb);
		return rc;
	}
	if (cli_load_runs(cli, &query, &runs, err) < 0)
		return -1;
	loaded_median_per_series(cli, &runs);
	const char *title = arena_printf(&cli->arena, "Performance of %.10s", oid);
	if (cli_document(cli, &runs, title, gate, &document, err) < 0)
		return -1;
	return cli_render(cli, document, format, NULL, output, err);
}

int cmd_gate(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct gate_request request = {.against = "nearest"};
	const char *format = "text", *output = NULL;
	struct text_list treat = {0};
	bool json = false;
	char oid[65];
	int rest;
	const struct option options[] = {
		{OPTION_TEXT, "against", "WHAT",
		 "nearest (default), a named baseline, or a revision", &request.against},
		{OPTION_LIST, "treat", "V=R", "let verdict V (undecided, missing ...) pass or fail",
		 &treat},
		{OPTION_TEXT, "format", "F", "text (default), md, html or json", &format},
		{OPTION_TEXT, "output", "FILE", "write there instead of standard output", &output},
		{OPTION_FLAG, "json", NULL, "the same as --format json", &json},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(
		    cli, "gate", "[OPTION]... [COMMIT]",
		    "Compares every series of COMMIT (default: HEAD) with its baseline, by the\n"
		    "[gate] rows of the configuration (default: the time may grow by 5 %).\n"
		    "Exit status: 0 pass, 1 regression, 2 error, 3 undecided, 4 no baseline,\n"
		    "5 missing or incomparable series, 6 stale baseline.",
		    options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest > 1)
		return error_set(err, ERR_USAGE, "takes one commit, not %d", rest);
	if (json)
		format = "json";
	struct gate gate = {0};
	request.oid = oid;
	if (parse_treatment(&treat, &request.treatment, err) < 0 ||
	    cli_check_format(format, true, err) < 0 ||
	    cli_resolve_commit(cli, rest ? argv[1] : "HEAD", oid, err) < 0 ||
	    cli_gate(cli, &request, &gate, err) < 0 ||
	    print_gate(cli, format, output, oid, &gate, err) < 0)
		return -1;
	return gate.exit_status;
}
