/* rooflog stats judge: judges the newest value of each series in a table against the values before
 * it, or its present level against a fixed one (drift), so that everyone can score the judge with
 * data of their own. It opens neither store nor repository. */
#include "cli/command.h"

#include "base/text/text.h"
#include "cli/query/query.h"
#include "model/verdict/verdicts.h"
#include "render/document/document.h"
#include "render/series/series.h"

struct asked {
	bool together;
	double q, pool_noise; /* NAN: not given */
	const char *base_text;
	long long base;    /* last index of the baseline history, if base_text is given */
	const char *drift; /* release, best or NULL */
	const char *path;
};

/* A series without a name, the only one of its file, has none in its row. */
static void add_row(struct strbuf *out, const char *name, const char *text)
{
	shown_text(out, span_of(name), "");
	strbuf_addf(out, "%s%s\n", name[0] ? "," : "", text);
}

static int print_cases(struct cli *cli, const struct judged_series *cases, size_t count,
		       bool as_json, struct error *err)
{
	struct json *document = document_begin(&cli->arena, SCHEMA(judgements));
	struct json *all = json_set_array(&cli->arena, document, KEY(series));
	struct strbuf out = {0};
	for (size_t i = 0; i < count; i++) {
		const char *name = cases[i].series->name;
		if (as_json)
			render_judge_json(&cli->arena, all, &cases[i]);
		else
			add_row(&out, name, cases[i].verdict);
	}
	return as_json ? cli_print_json(document, err) : cli_output(cli, NULL, &out, err);
}

static int print_drift(struct cli *cli, const struct measured_series_list *list,
		       const struct asked *asked, struct error *err)
{
	struct drift_options options =
		drift_defaults(strcmp(asked->drift, "best") == 0 ? DRIFT_BEST : DRIFT_RELEASE);
	struct json *document = document_begin(&cli->arena, SCHEMA(drifts));
	struct json *all = json_set_array(&cli->arena, document, KEY(series));
	struct strbuf out = {0};
	for (size_t i = 0; i < list->count; i++) {
		const struct measured_series *series = &list->items[i];
		struct arena scratch = {NULL, 0};
		struct drift_series values = {.values = measured_series_values(&scratch, series),
					      .count = series->count};
		struct drift_result now = drift_measure(&scratch, &values, &options);
		size_t since = drift_since(&values, &options);
		if (cli->common.json)
			render_drift_json(&cli->arena, all, series, &now, since);
		else if (since < series->count)
			add_row(&out, series->name,
				arena_printf(&scratch, "%lld", series->commits[since].index));
		arena_free(&scratch);
	}
	return cli->common.json ? cli_print_json(document, err) : cli_output(cli, NULL, &out, err);
}

/* --- the command --- */

static const double usual_q = 0.10;

static int check(struct cli *cli, void *options, struct error *err)
{
	struct asked *asked = options;
	double base = 0;
	(void)cli;
	if (asked->drift && (asked->together || !isnan(asked->pool_noise)))
		return error_set(
			err, ERR_USAGE,
			"--drift needs --json: it looks at the latest commits of a whole series");
	if (!asked->together && (!isnan(asked->q) || asked->base_text))
		return error_set(err, ERR_USAGE, "--%s needs --together",
				 !isnan(asked->q) ? "q" : "base");
	if (asked->base_text && (!span_number(span_of(asked->base_text), &base) ||
				 base != floor(base) || fabs(base) > 9e15))
		return error_set(err, ERR_USAGE, "--base %.40s: expected a whole number",
				 asked->base_text);
	asked->base = (long long)base;
	if (isnan(asked->q))
		asked->q = usual_q;
	return 0;
}

static int judge_list(struct cli *cli, const struct measured_series_list *list,
		      const struct asked *asked, struct error *err)
{
	const struct judge_table table = {asked->base_text != NULL, asked->base, asked->pool_noise};
	struct judged_series *cases = arena_array(&cli->arena, list->count, sizeof *cases);
	for (size_t i = 0; i < list->count; i++)
		if (judge_series(&cli->arena, &table, &list->items[i], &cases[i], err) < 0)
			return -1;
	if (asked->together)
		judge_series_together(&cli->arena, cases, list->count, asked->q);
	return print_cases(cli, cases, list->count, cli->common.json, err);
}

static int judge_table(struct cli *cli, void *options, struct error *err)
{
	const struct asked *asked = options;
	struct measured_series_list list;
	if (cli_query_read_series(cli, asked->path, &list, err) < 0)
		return -1;
	return asked->drift ? print_drift(cli, &list, asked, err)
			    : judge_list(cli, &list, asked, err);
}

#define FIELD(member) OPTION_FIELD(struct asked, member)
static const struct option rows[] = {
	{FIELD(pool_noise), "noise", "PERCENT",
	 "noise between commits, for series with fewer than 8", .share = true, .high = 1,
	 .expected = "a share like 1% or 0.01, between 0 and 1"},
	{FIELD(together), "together", NULL,
	 "control false discoveries across series; confirm with a second measurement"},
	{FIELD(q), "q", "SHARE", "with --together: false discovery rate (default: 10%)",
	 .share = true, .high = 1, .expected = "a share like 10% or 0.1, between 0 and 1"},
	{FIELD(base_text), "base", "INDEX",
	 "with --together: the history ends here; the next index is the candidate, later ones "
	 "measure it again"},
	{FIELD(drift), "drift", "FROM",
	 "instead, the first index where the latest 10 commits are slower than the first 20 "
	 "(release) or than the best 10 (best)",
	 .choices = "release|best"},
	{.kind = OPTION_END},
};

static const struct asked defaults = {.q = NAN, .pool_noise = NAN};

static const struct command verb_judge = {
	.name = "stats judge",
	.summary = "judge the last commit of series in a plain table",
	.options = rows,
	.arguments = {{"FILE", ARGUMENT(struct asked, path)}},
	.takes = "one file",
	.options_size = sizeof(struct asked),
	.defaults = &defaults,
	.check = check,
	.without_store = true,
	.without_config = true,
	.run = judge_table,
};

static const struct command *const verbs[] = {&cli_query_detect, &verb_judge, NULL};

const struct command command_stats = {
	.name = "stats",
	.group = GROUP_OTHER,
	.summary = "find change points, or judge, in a plain table of numbers",
	.usage = "detect [FILE] [OPTION]...\n"
		 "judge [FILE] [OPTION]...",
	.about =
		"The gate's statistics for a plain table of numbers (default: standard input).\n"
		"Columns: index, value, and series if there are several. Rows with the same index\n"
		"are repeats of one commit. Smaller is better.\n"
		"detect: find change points; + is slower, - is faster.\n"
		"judge: is the last commit of each series slower than those before it?",
	.verbs = verbs,
	.examples = {"rooflog stats detect latency.csv",
		     "rooflog stats judge --noise 1% latency.csv",
		     "rooflog stats judge --together --base 41 all.csv"},
	.documents = "changes judgements drifts",
	.see_also = "gate verdicts",
};
