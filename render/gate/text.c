/* The gate on a terminal: status, what to do, counts, a table, and the reasons. */
#include "render/gate/gate.h"

#include "model/acceptance/acceptance.h"
#include "model/explain/explain.h"
#include "render/markup/markup.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

struct page {
	struct arena *arena;
	const struct gate_result *gate;
	struct short_names naming;
	bool many_rows, many_metrics, many_runs; /* columns to print: not constant */
	const struct gate_series *shared; /* its baseline is that of all; NULL: they differ */
	size_t width;                     /* columns of the terminal; 0: not a terminal */
	bool utf8;
	struct strbuf *out;
};

static void find_columns(struct page *t)
{
	const struct comparison *first = t->gate->comparisons;
	for (size_t i = 0; i < t->gate->count; i++) {
		const struct comparison *one = &t->gate->comparisons[i];
		t->many_rows = t->many_rows || one->policy != first->policy;
		t->many_metrics = t->many_metrics || one->metric != first->metric;
		t->many_runs = t->many_runs || one->series->candidate.count > 1;
	}
}

static void add_text(const struct page *t, size_t indent, const char *text)
{
	strbuf_repeat(t->out, " ", indent);
	if (t->width)
		fill_text(t->out, text, indent, t->width);
	else
		strbuf_addf(t->out, "%s\n", text);
}

/* Adds a sentence, a format, wrapped on a terminal; output for programs stays on one line. */
#define add_sentence(t, indent, ...) add_text((t), (indent), arena_printf((t)->arena, __VA_ARGS__))

/* --- what to do --- */

/* NULL if there is nothing to do. */
static const char *action_of(struct arena *arena, const struct gate_result *gate)
{
	size_t regressed = gate_count_of(gate, EXIT_REGRESSION);
	switch (gate->outcome) {
	case EXIT_PASS:
		return vocabulary_say(arena, gate->passes);
	case EXIT_REGRESSION:
		return vocabulary_say(arena, message_of(arena, MESSAGE_REMEDY_REGRESSED,
							message_integer(regressed)));
	case EXIT_UNDECIDED:
		return NULL; /* the line about measuring again covers it */
	default:
		return vocabulary_say(arena, gate->remedy);
	}
}

/* What measuring again can decide. Some open comparisons depend on the configuration instead. */
static const char *measuring(struct arena *arena, const struct gate_result *gate)
{
	size_t again = gate->reruns.count;
	if (again)
		return vocabulary_say(arena, message_of(arena, MESSAGE_REMEDY_MEASURE_AGAIN,
							message_integer(again)));
	return gate->code == EXIT_UNDECIDED
		       ? vocabulary_term(vocabulary_spoken(), MESSAGE_REMEDY_DECIDE)
		       : NULL;
}

/* --- what may have shifted many series --- */

static void add_environment(const struct page *t)
{
	const struct gate_environment *environment = &t->gate->environment;
	if (environment->moved)
		add_sentence(
			t, 0,
			vocabulary_format("environment: %zu of %zu series shifted together, to "
					  "%.3f times their baseline: one event, not %zu code "
					  "changes; re-measure the baseline"),
			environment->moved, environment->looked_at, environment->factor,
			environment->moved);
	for (size_t i = 0; i < environment->change_count; i++)
		add_sentence(t, 0, vocabulary_format("%s: %s"), vocabulary_label("environment"),
			     vocabulary_say(t->arena, environment->changes[i]));
	if (environment->epoch)
		add_sentence(t, 0, vocabulary_format("%s: %s"), vocabulary_label("environment"),
			     vocabulary_say(t->arena, environment->epoch));
	if (t->gate->drifted && !t->gate->input->windowed)
		add_sentence(
			t, 0, "%s",
			vocabulary_say(t->arena, message_of(t->arena, MESSAGE_DRIFTED_BEFORE,
							    message_integer(t->gate->drifted))));
}

/* "1234567890, 2 commits back: subject" */
static const char *commit_and_age(struct arena *arena, const struct gate_series *series)
{
	const struct revision *baseline = series->baseline_revision;
	const char *age = series->baseline_age > 0
				  ? quantity_count_text(arena, (size_t)series->baseline_age,
							vocabulary_format("commit back"),
							vocabulary_format("commits back"))
				  : "";
	return arena_printf(arena, vocabulary_format("%.10s%s%s: %s"), baseline->oid,
			    age[0] ? vocabulary_format(", ") : "", age, baseline->subject);
}

static void add_configuration(const struct page *t)
{
	const struct gate_configuration *configuration = t->gate->input->configuration;
	if (configuration && configuration->notice)
		add_sentence(t, 0, vocabulary_format("%s: %s"), vocabulary_label("configuration"),
			     vocabulary_say(t->arena, configuration->notice));
}

static void add_sides(const struct page *t)
{
	const struct gate_result *gate = t->gate;
	const char *common = short_names_common(t->arena, &t->naming);
	const char *metric = !gate->count || t->many_metrics
				     ? ""
				     : metric_info(gate->comparisons[0].metric)->key;
	add_sentence(t, 0, "%.10s%s %s", gate->input->candidate.oid,
		     gate->input->dirty ? vocabulary_label(" with uncommitted changes") : "",
		     report_versus(t->arena, gate->input->against));
	if (t->shared)
		add_sentence(t, 0, "%s %s", vocabulary_label("baseline"),
			     commit_and_age(t->arena, t->shared));
	if (common[0] || metric[0])
		add_sentence(t, 0, "%s%s%s%s", vocabulary_label("all "), common,
			     common[0] && metric[0] ? ", " : "", metric);
}

static void add_heading(const struct page *t)
{
	const struct gate_result *gate = t->gate;
	const char *action = action_of(t->arena, gate), *again = measuring(t->arena, gate);
	const struct message *sentence = report_headline(t->arena, gate, REPORT_LINE);
	add_sentence(t, 0, "%s",
		     vocabulary_say(t->arena, report_headline_line(t->arena, gate, sentence)));
	add_sentence(t, 0, "%s", vocabulary_say(t->arena, gate->reason));
	add_configuration(t);
	add_environment(t);
	if (action)
		add_sentence(t, 0, "%s", action);
	if (again)
		add_sentence(t, 0, "%s", again);
	add_sides(t);
}

/* --- the table --- */

static const char *side_text(struct arena *arena, double number, enum unit unit)
{
	return isnan(number) ? "--" : quantity_text(arena, number, unit);
}

/* The level that the value is compared with, or the limit. */
static const char *baseline_text(struct arena *arena, const struct comparison *one)
{
	return isnan(one->judged.baseline) ? "--" : report_baseline_text(arena, one);
}

static const char *verdict_text(const struct page *t, const struct comparison *one)
{
	struct arena *arena = t->arena;
	const char *mark = t->utf8 ? verdict_mark(one->judged.verdict) : "";
	const char *words = vocabulary_verdict_in_table(arena, report_verdict_text(one),
							t->width ? t->width : SIZE_MAX);
	const char *text = arena_printf(arena, "%s%s%s", mark, mark[0] ? " " : "", words);
	return one->policy->role == POLICY_CONTEXT ? arena_printf(arena, "(%s)", text) : text;
}

/* The commits that the candidate was compared with. */
static const char *commits_text(struct arena *arena, const struct comparison *one)
{
	if (one->judged.method == METHOD_BASELINE)
		return arena_printf(arena, "%zu", one->judged.result.count);
	if (one->judged.method == METHOD_CHANGE_POINT)
		return arena_printf(arena, "%zu", one->history.points.count);
	return one->judged.method == METHOD_EXACT ? "1" : "--";
}

/* The row of the configuration, and the metric it judges. */
static const char *row_text(const struct page *t, const struct comparison *one)
{
	const char *metric = metric_info(one->metric)->key;
	if (!t->many_rows)
		return metric;
	return t->many_metrics ? arena_printf(t->arena, "%s: %s", one->policy->name, metric)
			       : one->policy->name;
}

static void add_row(const struct page *t, struct md_table *table, const struct comparison *one)
{
	struct arena *arena = t->arena;
	const struct metric_info *info = metric_info(one->metric);
	double noise = one->judged.result.scale;
	md_table_row(table, verdict_text(t, one), short_names_name(arena, &t->naming, one->run),
		     t->many_rows || t->many_metrics ? row_text(t, one) : md_no_cell,
		     baseline_text(arena, one), side_text(arena, one->measured, info->unit),
		     isnan(one->judged.change) ? "--"
					       : quantity_change_text(arena, one->judged.change),
		     verdict_is_by_history(&one->judged) && !isnan(noise)
			     ? quantity_percent_text(arena, noise)
			     : "--",
		     commits_text(arena, one),
		     t->many_runs ? arena_printf(arena, "%zu", one->series->candidate.count)
				  : md_no_cell);
}

static bool same_kind(const struct comparison *a, const struct comparison *b)
{
	return a->judged.verdict == b->judged.verdict && a->policy->role == b->policy->role;
}

/* How many rows of a verdict to show: the largest changes are enough if they pass, or shifted
 * together. */
static size_t rows_shown(enum verdict verdict, size_t count)
{
	enum { FEW = 20, MANY = 100, LARGEST = 5 };
	bool passes = verdict == VERDICT_UNCHANGED || verdict == VERDICT_HELD ||
		      verdict == VERDICT_ENVIRONMENT;
	size_t limit = gate_keeps_from_passing(verdict) ? MANY : FEW;
	if (count <= (passes ? FEW : limit))
		return count;
	return passes ? LARGEST : limit;
}

/* Comparisons are sorted, worst verdict first, so those of one kind are consecutive. */
static void add_rows(const struct page *t, struct md_table *table, struct strbuf *left_out)
{
	const struct gate_result *gate = t->gate;
	for (size_t i = 0, same; i < gate->count; i += same) {
		const struct comparison *one = &gate->comparisons[i];
		same = 1;
		while (i + same < gate->count && same_kind(one, one + same))
			same++;
		size_t shown = rows_shown(one->judged.verdict, same);
		for (size_t k = 0; k < shown; k++)
			add_row(t, table, one + k);
		if (shown < same)
			strbuf_addf(left_out, "%s%zu %s",
				    left_out->len ? vocabulary_format(", ") : "", same - shown,
				    report_verdicts_text(gate, one->judged.verdict));
	}
}

static void add_table(const struct page *t)
{
	struct md_table table = md_table_of(t->arena, t->width, vocabulary_label("verdict|series"));
	struct strbuf left_out = {0};
	table.say = vocabulary_value;
	if (t->many_rows || t->many_metrics)
		md_table_columns(&table, !t->many_rows     ? vocabulary_format("metric")
					 : t->many_metrics ? vocabulary_format("rule: metric")
							   : vocabulary_format("rule"));
	md_table_columns(&table, vocabulary_label(">baseline|>candidate|>change|>noise"));
	/* Where the table is too wide without them, the reasons below and --explain have them. */
	md_table_expendable(&table, vocabulary_label("commits"), MD_ALIGN_RIGHT);
	if (t->many_runs)
		md_table_expendable(&table, vocabulary_label("runs"), MD_ALIGN_RIGHT);
	add_rows(t, &table, &left_out);
	if (t->gate->count) {
		strbuf_addch(t->out, '\n');
		md_table_plain(&table, t->out);
	}
	if (t->gate->context)
		add_sentence(t, 0, vocabulary_format("(in parentheses: informational, not gated)"));
	if (left_out.len)
		add_sentence(t, 0, vocabulary_format("... and %s; --json lists all"),
			     strbuf_text(&left_out));
	strbuf_free(&left_out);
}

/* --- why --- */

/* Whether both read the same: values that differ only in digits that are not printed do. */
static bool same_text(const struct message *a, const struct message *b)
{
	struct arena scratch = {0};
	bool same = strcmp(vocabulary_text(&scratch, LANGUAGE_ENGLISH, a),
			   vocabulary_text(&scratch, LANGUAGE_ENGLISH, b)) == 0;
	arena_free(&scratch);
	return same;
}

static bool same_reason(const struct comparison *a, const struct comparison *b)
{
	const struct revision *x = a->series->baseline_revision;
	const struct revision *y = b->series->baseline_revision;
	return same_kind(a, b) && a->metric == b->metric && !a->change && !b->change &&
	       same_text(a->judged.reason, b->judged.reason) && !x == !y &&
	       (!x || strcmp(x->oid, y->oid) == 0);
}

/* The commits between which the level changed. */
static void add_change(const struct page *t, const struct comparison *one)
{
	const struct revision *before = one->last_before, *first = one->first_after;
	if (before)
		add_sentence(t, 2,
			     vocabulary_format("changed after %.10s, first seen at %.10s: %s"),
			     before->oid, first->oid, first->subject);
	else
		add_sentence(t, 2, vocabulary_format("changed first seen at %.10s: %s"), first->oid,
			     first->subject);
}

/* The reason, once for `alike` consecutive series with the same one. */
static void add_reason(const struct page *t, const struct comparison *one, size_t same)
{
	const char *many =
		same > 1 ? arena_printf(t->arena, vocabulary_format("%zu series, e.g. "), same)
			 : "";
	strbuf_addch(t->out, '\n');
	add_sentence(t, 0, vocabulary_format("%s%s, %s: %s"), many,
		     short_names_name(t->arena, &t->naming, one->run),
		     metric_info(one->metric)->key, vocabulary_say(t->arena, one->judged.reason));
	if (one->change)
		add_change(t, one);
	else if (!t->shared && one->series->baseline_revision)
		add_sentence(t, 2, "%s %s", vocabulary_label("baseline"),
			     commit_and_age(t->arena, one->series));
	if (one->why && one->why->text)
		add_sentence(t, 2, vocabulary_format("%s: %s"), vocabulary_label("cause"),
			     vocabulary_say(t->arena, one->why->text));
}

/* The reasons of everything that keeps the gate from passing: once for consecutive comparisons with
 * the same, a bounded number of them. */
static void add_reasons(const struct page *t)
{
	enum { REASONS_SHOWN = 20 };
	const struct gate_result *gate = t->gate;
	size_t listed = 0, left_out = 0;
	for (size_t i = 0, same; i < gate->count; i += same) {
		const struct comparison *one = &gate->comparisons[i];
		bool wanted = one->policy->role == POLICY_PRIMARY &&
			      (gate_keeps_from_passing(one->judged.verdict) ||
			       one->judged.verdict == VERDICT_ACCEPTED || one->series->epoch);
		same = 1;
		while (i + same < gate->count && same_reason(one, one + same))
			same++;
		if (wanted && listed++ < REASONS_SHOWN)
			add_reason(t, one, same);
		else if (wanted)
			left_out += same;
	}
	if (left_out)
		strbuf_addf(t->out,
			    vocabulary_format("\n... and %zu more reasons; --json lists all\n"),
			    left_out);
}

/* --- acceptances --- */

/* Whether the state of an acceptance needs action. */
static bool needs_action(enum acceptance_state state)
{
	return state == ACCEPTANCE_STATE_LAPSED || state == ACCEPTANCE_STATE_EXCEEDED ||
	       state == ACCEPTANCE_STATE_UNUSED;
}

static void add_acceptances(const struct page *t)
{
	enum { LINES_SHOWN = 10 };
	const struct gate_result *gate = t->gate;
	size_t count = gate->input->acceptances ? gate->input->acceptances->count : 0, listed = 0;
	for (size_t i = 0; i < count; i++) {
		const struct acceptance *line = &gate->input->acceptances->items[i];
		const struct acceptance_use *use = &gate->uses[i];
		if (!needs_action(use->state) || listed++ >= LINES_SHOWN)
			continue;
		if (listed == 1)
			strbuf_addch(t->out, '\n');
		add_sentence(t, 0, vocabulary_format("acceptance in line %zu, %s (%s): %s"),
			     line->line, line->series, line->author,
			     vocabulary_format(acceptance_use_name(use)));
	}
	if (listed > LINES_SHOWN)
		strbuf_addf(t->out, vocabulary_format("... and %zu more lines; --json lists all\n"),
			    listed - LINES_SHOWN);
}

const char *render_gate_text(struct arena *arena, const struct gate_result *gate, size_t width,
			     bool utf8)
{
	struct strbuf out = {0};
	struct page t = {
		.arena = arena,
		.gate = gate,
		.naming = gate_short_names(arena, gate),
		.shared = gate->shared_baseline,
		.width = width,
		.utf8 = utf8,
		.out = &out,
	};
	find_columns(&t);
	add_heading(&t);
	add_table(&t);
	add_reasons(&t);
	add_acceptances(&t);
	return strbuf_into(&out, arena);
}
