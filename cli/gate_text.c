/* The gate for people at a terminal: the word, the denominators, a table, and why. */
#include "cli/gate_text.h"

#include <math.h>
#include <string.h>

#include "cli/gate_explain.h"
#include "cli/gate_rerun.h"
#include "model/naming.h"
#include "render/table.h"

static bool one_policy(const struct gate *gate)
{
	for (size_t i = 1; i < gate->count; i++)
		if (gate->comparisons[i].policy != gate->comparisons[0].policy)
			return false;
	return true;
}

static const char *side_text(struct arena *arena, double number, enum unit unit)
{
	return isnan(number) ? "--" : quantity_text(arena, number, unit);
}

/* The commits that the candidate was compared with. */
static size_t record_commits(const struct comparison *one)
{
	if (one->judged.method == METHOD_RECORD)
		return one->judged.record.count;
	if (one->judged.method == METHOD_HISTORY)
		return one->record.points.count;
	return one->judged.method == METHOD_EXACT && one->series->baseline.count;
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
	md_table_cell(table, side_text(arena, one->judged.baseline, info->unit));
	md_table_cell(table, side_text(arena, one->judged.candidate, info->unit));
	md_table_cell(table, isnan(one->judged.change)
				     ? "--"
				     : quantity_change_text(arena, one->judged.change));
	double noise = one->judged.record.scale;
	bool by_record = one->judged.method == METHOD_RECORD && !isnan(noise);
	md_table_cell(table, by_record ? arena_printf(arena, "%.1f %%", noise * 100) : "--");
	md_table_cell(table, arena_printf(arena, "%zu/%zu", record_commits(one),
					  one->series->candidate.count));
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
		if (gate_keeps_from_passing(one->judged.verdict) ||
		    one->judged.verdict == VERDICT_ACCEPTED)
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

static void add_environment(struct strbuf *sb, const struct gate_environment *environment)
{
	if (environment->moved)
		strbuf_addf(sb, "ENVIRONMENT: %zu of %zu moved alike, by a factor of %.3f\n",
			    environment->moved, environment->looked_at, environment->factor);
	for (size_t i = 0; i < environment->change_count; i++)
		strbuf_addf(sb, "environment: %s\n", environment->changes[i]);
}

const char *gate_text(struct cli *cli, const struct gate *gate)
{
	struct md_table table;
	struct strbuf sb = {0};
	bool with_policy = !one_policy(gate);
	struct naming naming = gate_naming(&cli->arena, gate);
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
	md_table_column(&table, "noise", MD_ALIGN_RIGHT);
	md_table_column(&table, "commits/runs", MD_ALIGN_RIGHT);
	size_t more = add_rows(cli, &table, &naming, gate);
	strbuf_addf(&sb, "%s: %s\n%.10s against %s%s%s\n", gate->verdict, gate->reason,
		    gate->candidate.oid, gate->against, common[0] ? "\nall " : "", common);
	add_environment(&sb, &gate->environment);
	if (gate->count) {
		strbuf_addch(&sb, '\n');
		md_table_plain(&table, &sb);
	}
	if (more)
		strbuf_addf(&sb, "... and %zu more unchanged; --json has them all\n", more);
	size_t again = gate_rerun_count(&cli->arena, gate);
	if (again)
		strbuf_addf(&sb, "\nto measure again: %zu series (--rerun-list FILE)\n", again);
	add_reasons(cli, &sb, &naming, gate);
	return strbuf_into(&sb, &cli->arena);
}
