/* rooflog judge: what was measured last of each series of a table against what is on record before
 * it, or its level of now against one that stands still, so that anybody can score the judge. */
#include "cli/command.h"

#include <math.h>
#include <string.h>

#include "cli/runs/series_table.h"
#include "model/verdict/creep.h"
#include "model/changepoint/detect.h"
#include "model/verdict/judge.h"
#include "model/statistics/false_discovery.h"

struct asked {
	bool as_json, together;
	double q, pool_noise; /* NAN: not given */
	const char *base_text;
	long long base;    /* last index of the record, where base_text is given */
	const char *creep; /* release, best or NULL */
	const char *path;
};

/* A series, taken apart: the record, the candidate, what was measured of it afterwards. */
struct judged_case {
	const struct measured_series *series;
	struct judge_result first, second;
	bool has_second;
	double q, q_faster; /* NAN unless judged together */
	const char *verdict;
};

/* --- one case --- */

static struct judge_result judge_record(const struct measured_series *series, size_t count,
					const double *candidate, size_t repeats,
					const struct judge_options *options)
{
	struct arena scratch = {NULL, 0};
	struct detect_options detect = detect_defaults();
	struct measured_series before = {series->name, series->commits, count};
	const double *record = series_values(&scratch, &before);
	struct detect_result changes = detect_changes(&scratch, record, count, &detect);
	size_t from = changes.count ? changes.changes[changes.count - 1].index : 0;
	struct judge_result result =
		judge(&scratch, record + from, count - from, candidate, repeats, options);
	arena_free(&scratch);
	return result;
}

/* Where the candidate is: the last index, or the first one after --base. */
static size_t find_candidate(const struct measured_series *series, const struct asked *asked)
{
	size_t at = 0;
	if (!asked->base_text)
		return series->count - 1;
	while (at < series->count && series->commits[at].index <= asked->base)
		at++;
	return at;
}

/* The repeats of all commits from `at` on. */
static size_t gather(struct arena *arena, const struct measured_series *series, size_t at,
		     double **values)
{
	size_t count = 0, used = 0;
	for (size_t i = at; i < series->count; i++)
		count += series->commits[i].count;
	*values = arena_array(arena, count, sizeof **values);
	for (size_t i = at; i < series->count; i++)
		for (size_t k = 0; k < series->commits[i].count; k++)
			(*values)[used++] = series->commits[i].values[k];
	return count;
}

static int judge_case(struct cli *cli, const struct asked *asked,
		      const struct measured_series *series, struct judged_case *out,
		      struct error *err)
{
	struct judge_options options = judge_defaults();
	size_t at = find_candidate(series, asked);
	*out = (struct judged_case){.series = series, .q = NAN, .q_faster = NAN};
	options.pool_noise = asked->pool_noise;
	if (at == series->count)
		return error_set(err, ERR_USAGE,
				 "--base %lld: %s%shas no row after it that could be judged",
				 asked->base, series->name, series->name[0] ? " " : "the table ");
	const struct measured_commit *candidate = &series->commits[at];
	out->first = judge_record(series, at, candidate->values, candidate->count, &options);
	out->verdict = judge_name(out->first.verdict);
	out->has_second = at + 1 < series->count;
	if (out->has_second) {
		double *values;
		size_t count = gather(&cli->arena, series, at + 1, &values);
		out->second = judge_record(series, at, values, count, &options);
	}
	return 0;
}

/* --- all cases --- */

/* What looks bad among so many is believed when another measurement says it alone; what looks good
 * costs nobody a night. */
static const char *decide_together(const struct judged_case *one, double q)
{
	const struct judge_result *first = &one->first;
	bool small = (first->slower ? one->q : one->q_faster) <= q;
	enum judge_verdict verdict = judge_decide(first, small);
	if (verdict != JUDGE_REGRESSED)
		return judge_name(verdict);
	if (!one->has_second)
		return "suspect";
	if (one->second.verdict == JUDGE_REGRESSED)
		return judge_name(JUDGE_REGRESSED);
	return judge_name(one->second.equivalent ? JUDGE_UNCHANGED : JUDGE_UNDECIDED);
}

static void judge_together(struct cli *cli, struct judged_case *cases, size_t count, double q)
{
	double *slower = arena_array(&cli->arena, count, sizeof *slower);
	double *faster = arena_array(&cli->arena, count, sizeof *faster);
	for (size_t i = 0; i < count; i++) {
		bool enough = cases[i].first.gates[JUDGE_GATE_RECORD].passed;
		slower[i] = enough ? cases[i].first.p : NAN;
		faster[i] = enough ? cases[i].first.p_faster : NAN;
	}
	const double *q_slower = multiplicity_adjust(&cli->arena, slower, count);
	const double *q_faster = multiplicity_adjust(&cli->arena, faster, count);
	for (size_t i = 0; i < count; i++) {
		cases[i].q = q_slower[i];
		cases[i].q_faster = q_faster[i];
		cases[i].verdict = decide_together(&cases[i], q);
	}
}

/* --- output --- */

static void set_numbers(struct arena *arena, struct json *object, const struct judge_result *result)
{
	struct judge_interval interval = judge_interval(result);
	json_set_number(arena, object, "effect", result->effect);
	json_set_number(arena, object, "effect_low", interval.low);
	json_set_number(arena, object, "effect_high", interval.high);
	json_set_number(arena, object, "p_slower", result->p);
	json_set_number(arena, object, "p_faster", result->p_faster);
	json_set_number(arena, object, "noise", result->scale);
	json_set_number(arena, object, "detectable", result->detectable);
	json_set_number(arena, object, "level", result->level);
	json_set_number(arena, object, "level_error", result->level_error);
	json_set_number(arena, object, "commits", (double)result->count);
	json_set_number(arena, object, "missing_commits", (double)result->missing_commits);
	json_set_number(arena, object, "more_runs", (double)result->more_runs);
	struct json *gates = json_set_array(arena, object, "gates");
	for (size_t i = 0; i < JUDGE_GATE_LIMIT; i++) {
		const struct judge_gate *gate = &result->gates[i];
		struct json *row = json_add_object(arena, gates);
		json_set_text(arena, row, "name", gate->name);
		json_set_bool(arena, row, "passed", gate->passed);
		json_set_number(arena, row, "value", gate->value);
		json_set_number(arena, row, "limit", gate->limit);
	}
}

static void add_object(struct arena *arena, struct json *list, const struct judged_case *one)
{
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, "case", one->series->name);
	json_set_text(arena, object, "verdict", one->verdict);
	json_set_number(arena, object, "q_slower", one->q);
	json_set_number(arena, object, "q_faster", one->q_faster);
	set_numbers(arena, object, &one->first);
	if (one->has_second)
		set_numbers(arena, json_set_object(arena, object, "second"), &one->second);
}

static int print_cases(struct cli *cli, const struct judged_case *cases, size_t count, bool as_json,
		       struct error *err)
{
	struct json *document = json_array(&cli->arena);
	struct strbuf out = {0};
	for (size_t i = 0; i < count; i++) {
		const char *name = cases[i].series->name;
		if (as_json)
			add_object(&cli->arena, document, &cases[i]);
		else
			strbuf_addf(&out, "%s%s%s\n", name, name[0] ? "," : "", cases[i].verdict);
	}
	int rc = as_json ? cli_print_json(document, err) : cli_print(strbuf_text(&out), err);
	strbuf_free(&out);
	return rc;
}

/* --- creep --- */

static void add_creep(struct arena *arena, struct json *list, const struct measured_series *series,
		      const struct creep_result *result, size_t since)
{
	const struct measured_commit *commits = series->commits;
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, "series", series->name);
	json_set_bool(arena, object, "flagged", result->flagged);
	json_set_number(arena, object, "since",
			since < series->count ? (double)commits[since].index : NAN);
	json_set_number(arena, object, "missing_commits", (double)result->missing_commits);
	json_set_number(arena, object, "reference", result->reference);
	json_set_number(arena, object, "current", result->current);
	json_set_number(arena, object, "drift", result->drift);
	json_set_number(arena, object, "drift_low", result->low);
	json_set_number(arena, object, "drift_high", result->high);
	json_set_number(arena, object, "p", result->p);
	json_set_number(arena, object, "noise", result->scale);
	json_set_number(arena, object, "correlation", result->correlation);
	json_set_number(arena, object, "windows", (double)result->windows);
	if (!result->judged)
		return;
	json_set_number(arena, object, "reference_first",
			(double)commits[result->reference_from].index);
	json_set_number(arena, object, "reference_last",
			(double)commits[result->reference_to - 1].index);
	json_set_number(arena, object, "current_first",
			(double)commits[result->current_from].index);
	json_set_number(arena, object, "current_last",
			(double)commits[result->current_to - 1].index);
}

static int print_creep(struct cli *cli, const struct measured_series_list *list,
		       const struct asked *asked, struct error *err)
{
	struct creep_options options =
		creep_defaults(strcmp(asked->creep, "best") == 0 ? CREEP_BEST : CREEP_RELEASE);
	struct json *document = json_array(&cli->arena);
	struct strbuf out = {0};
	for (size_t i = 0; i < list->count; i++) {
		const struct measured_series *series = &list->items[i];
		struct arena scratch = {NULL, 0};
		struct creep_series values = {.values = series_values(&scratch, series),
					      .count = series->count};
		struct creep_result now = creep(&scratch, &values, &options);
		size_t since = creep_since(&values, &options);
		if (asked->as_json)
			add_creep(&cli->arena, document, series, &now, since);
		else if (since < series->count)
			strbuf_addf(&out, "%s%s%lld\n", series->name, series->name[0] ? "," : "",
				    series->commits[since].index);
		arena_free(&scratch);
	}
	int rc = asked->as_json ? cli_print_json(document, err) : cli_print(strbuf_text(&out), err);
	strbuf_free(&out);
	return rc;
}

/* --- the command --- */

static const double usual_q = 0.10;

static int check(struct cli *cli, void *options, struct error *err)
{
	struct asked *asked = options;
	double base = 0;
	(void)cli;
	if (asked->creep && (asked->together || !isnan(asked->pool_noise)))
		return error_set(err, ERR_USAGE,
				 "--creep looks at the newest commits of a whole series: it goes "
				 "with --json only");
	if (!asked->together && (!isnan(asked->q) || asked->base_text))
		return error_set(err, ERR_USAGE, "--%s goes with --together",
				 !isnan(asked->q) ? "q" : "base");
	if (asked->base_text && (!span_number(span_of(asked->base_text), &base) ||
				 base != floor(base) || fabs(base) > 9e15))
		return error_set(err, ERR_USAGE, "--base %.40s: a whole number", asked->base_text);
	asked->base = (long long)base;
	if (isnan(asked->q))
		asked->q = usual_q;
	return 0;
}

static int judge_list(struct cli *cli, const struct measured_series_list *list,
		      const struct asked *asked, struct error *err)
{
	struct judged_case *cases = arena_array(&cli->arena, list->count, sizeof *cases);
	for (size_t i = 0; i < list->count; i++)
		if (judge_case(cli, asked, &list->items[i], &cases[i], err) < 0)
			return -1;
	if (asked->together)
		judge_together(cli, cases, list->count, asked->q);
	return print_cases(cli, cases, list->count, asked->as_json, err);
}

static int judge_table(struct cli *cli, void *options, struct error *err)
{
	const struct asked *asked = options;
	struct measured_series_list list;
	if (cli_read_series(cli, asked->path, &list, err) < 0)
		return -1;
	int rc = asked->creep ? print_creep(cli, &list, asked, err)
			      : judge_list(cli, &list, asked, err);
	return rc < 0 ? -1 : EXIT_PASS;
}

#define FIELD(member) OPTION_FIELD(struct asked, member)
static const struct option rows[] = {
	{FIELD(together), "together", NULL,
	 "all series are one call: what looks slower among so many is a suspect, and regressed "
	 "when "
	 "it was measured again and is slower by that alone"},
	{FIELD(q), "q", "F",
	 "with --together: share of false alarms among what looks slower (default: .10)", .high = 1,
	 .expected = "a number between 0 and 1"},
	{FIELD(base_text), "base", "INDEX",
	 "with --together: the record ends here; the next index is the candidate, all later ones "
	 "are its second measurement (default: the last index is the candidate, and there is no "
	 "second)"},
	{FIELD(pool_noise), "noise", "F",
	 "noise between commits of sister series, relative: judges records of fewer than 8 commits "
	 "by it",
	 .high = 1, .expected = "a number between 0 and 1"},
	{FIELD(creep), "creep", "REF",
	 "instead: the first index at which the newest 10 commits were slower than the first 20 "
	 "(release), or than the best 10 (best)",
	 .words = "release|best"},
	{FIELD(as_json), "json", NULL, "the numbers behind each verdict, as JSON"},
	{.kind = OPTION_END},
};

static const struct asked defaults = {.q = NAN, .pool_noise = NAN};

static const char *const examples[] = {
	"rooflog judge times.csv",
	"rooflog judge --together --q .05 times.csv",
	NULL,
};

const struct command command_judge = {
	.name = "judge",
	.summary = "judge the last commit of series in a table",
	.usage = "[OPTION]... [FILE]",
	.about = "Judges the last commit of each series against those before it: regressed, "
		 "improved, unchanged\nor undecided; smaller is better. Reads a table (default: "
		 "standard input) with the columns index\nand value, and case or series; rows with "
		 "the same index are repeats of one commit.",
	.options = rows,
	.arguments = {{"FILE", ARGUMENT(struct asked, path)}},
	.takes = "one file",
	.examples = examples,
	.options_size = sizeof(struct asked),
	.defaults = &defaults,
	.check = check,
	.run = judge_table,
};
