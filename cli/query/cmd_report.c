/* rooflog report: writes a commit's performance as a report or as a format for programs. */
#include "cli/command.h"

#include <time.h>

#include "cli/runs/files/files.h"
#include "cli/gate/gate.h"
#include "cli/output/output.h"

/* Runs the gate for the report. *compared is false if there is nothing to compare with. */
static int compare(struct cli *cli, const struct gate_request *request, struct gate_result *gate,
		   bool *compared, struct error *err)
{
	if (gate_command_run(cli, request, gate, err) < 0) {
		if (err->kind != ERR_REVISION)
			return -1;
		/* In a shallow clone the baseline may be hidden. The report then shows the runs
		 * alone. */
		cli_warn(cli, "%s", err->text);
		*request->runs = (struct loaded_list){0};
		return trust_load_defaults(cli, &request->trust, err);
	}
	*compared = gate->judged > 0;
	return 0;
}

static const char *list_kinds(struct arena *arena)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "Kinds:\n");
	for (const struct output_kind *kind = output_kinds; kind->name; kind++)
		if (kind->maker != OUTPUT_FORM && (kind->commands & OUTPUT_REPORT))
			strbuf_addf(&sb, "  %-11s %s%s\n", kind->name, kind->title,
				    strcmp(kind->name, "report") == 0 ? " (default)" : "");
	return strbuf_into(&sb, arena);
}

/* The start of --since in Unix seconds: a day from its first second in UTC, or a commit's time. */
static int since_of(struct cli *cli, const char *text, int64_t *since, struct error *err)
{
	if (!text)
		return 0;
	struct tm day = {0};
	char oid[65];
	struct revision revision;
	const char *end = strptime(text, "%Y-%m-%d", &day);
	int asked = day.tm_mday;
	int64_t start = end && !*end ? timegm(&day) : 0;
	if (start > 0 && day.tm_mday == asked) {
		*since = start;
		return 0;
	}
	if (runs_resolve_commit(cli, text, oid, err) < 0 || !store_has_revision(cli->store, oid))
		return error_set(err, ERR_USAGE,
				 "--since \"%s\": expected a date (2026-11-21) or a stored commit",
				 text);
	if (store_revision(cli->store, &cli->arena, oid, &revision, err) < 0)
		return -1;
	*since = revision.time;
	return 0;
}

/* The options and arguments. */
struct wanted {
	struct run_filter filter;
	struct output_wish wish;
	const char *template, *language;
	const char *against, *since;
	struct trust_options trust;
	struct reading_options reading;
	struct arguments given; /* the arguments, */
	struct words words;     /* and what they mean */
	struct output_list outputs;
};

/* --- checks, before anything is opened --- */

static int check_language(const struct output *output, struct error *err)
{
	if (output->template || output->exporter || strcmp(output->format, "json") == 0)
		return error_set(
			err, ERR_USAGE,
			"--language works only with built-in templates in Markdown or HTML");
	return 0;
}

/* All outputs are about one comparison. */
static int choose_against(struct wanted *wanted, struct error *err)
{
	const struct output *first = NULL;
	for (size_t i = 0; i < wanted->outputs.count && !wanted->against; i++) {
		const struct output *output = &wanted->outputs.items[i];
		if (!output->kind->against)
			continue;
		first = first ? first : output;
		if (strcmp(first->kind->against, output->kind->against) != 0)
			return error_set(
				err, ERR_USAGE,
				"%s compares with %s, and %s with %s: give --against for all",
				first->name, first->kind->against, output->name,
				output->kind->against);
	}
	if (first)
		wanted->against = first->kind->against;
	return 0;
}

static int check_output(const struct wanted *wanted, struct output *output, struct error *err)
{
	output->template = wanted->template;
	if (wanted->since && !output->kind->since)
		return error_set(err, ERR_USAGE, "--since is for the weekly report");
	if (wanted->template && (output->exporter || strcmp(output->format, "json") == 0))
		return error_set(err, ERR_USAGE, "%s takes no --template", output->name);
	return wanted->language ? check_language(output, err) : 0;
}

static int check(struct cli *cli, void *options, struct error *err)
{
	static const struct output_rules rules = {OUTPUT_REPORT, "report", "md", NULL, false};
	struct wanted *wanted = options;
	if (output_choose(cli, &rules, &wanted->wish, &wanted->outputs, err) < 0)
		return -1;
	for (size_t i = 0; i < wanted->outputs.count; i++)
		if (check_output(wanted, &wanted->outputs.items[i], err) < 0)
			return -1;
	return output_claim(cli, &wanted->outputs, err);
}

/* --- writing --- */

/* Writes the report of files or single runs, which nothing is compared with. */
static int write_files(struct cli *cli, struct wanted *wanted, struct error *err)
{
	struct loaded_list runs = {0};
	const struct output_list *outputs = &wanted->outputs;
	struct output_subject subject = {
		.filter = &wanted->filter, .runs = &runs, .all_runs = true};
	for (size_t i = 0; i < outputs->count; i++)
		if (outputs->items[i].kind->limit)
			return error_set(err, ERR_USAGE,
					 "%s is about a commit, not about files or single runs: "
					 "\"rooflog ingest\" stores files",
					 outputs->items[i].name);
	if (wanted->against || wanted->since)
		return error_set(err, ERR_USAGE,
				 "--%s is about a commit, not about files or single runs: "
				 "\"rooflog ingest\" stores files",
				 wanted->against ? "against" : "since");
	if (files_choose(cli, &wanted->words, &wanted->filter, &runs, err) < 0)
		return -1;
	subject.oid = runs.items[0].stored.revision.oid;
	return output_write_all(cli, &subject, outputs, err);
}

/* Whether an output has no place to say whose configuration decided. */
static bool exports(const struct output_list *outputs)
{
	bool any = false;
	for (size_t i = 0; i < outputs->count; i++)
		any = any || outputs->items[i].exporter;
	return any;
}

/* Writes the report of a commit that has runs. */
static int write_commit(struct cli *cli, struct wanted *wanted, const char *oid, struct error *err)
{
	struct gate_result gate = {0};
	bool compared = false;
	struct loaded_list runs = {0};
	struct output_subject subject = {
		.oid = oid, .filter = &wanted->filter, .runs = &runs, .all_runs = true};
	if (since_of(cli, wanted->since, &subject.since, err) < 0 ||
	    choose_against(wanted, err) < 0)
		return -1;
	const struct gate_request request = {.oid = oid,
					     .against = wanted->against,
					     .filter = &wanted->filter,
					     .why = true,
					     .trust = wanted->trust,
					     .runs = &runs};
	if ((request.against && compare(cli, &request, &gate, &compared, err) < 0) ||
	    runs_prepare_filter(cli, &wanted->filter, err) < 0)
		return -1;
	if (request.against && exports(&wanted->outputs) && gate.input)
		output_warn_of_configuration(cli, &gate);
	subject.gate = compared ? &gate : NULL;
	subject.uncompared = gate.count ? &gate : NULL;
	return output_write_all(cli, &subject, &wanted->outputs, err);
}

/* A word that nothing is called may be meant as a kind. */
static const char *as_kind(struct arena *arena, const char *word)
{
	if (strcmp(word, "pr") == 0)
		word = "comment"; /* on a pull request */
	const struct output_kind *kind = output_kind_find(span_of(word));
	return kind && kind->commands & OUTPUT_REPORT
		       ? arena_printf(arena, "rooflog report --as %s", word)
		       : NULL;
}

static const struct words_rules words_rules = {
	.command = "report",
	.kinds = WORD_FILE | WORD_RUN | WORD_COMMIT | WORD_SERIES,
	.judges = true,
	.instead = as_kind,
};

/* Whether all outputs are plain reports, whose language is that of the work tree's configuration.
 * Others take it from the configuration that judges: loading another before would hide that it
 * cannot be read. */
static bool is_report(const struct output_list *outputs)
{
	for (size_t i = 0; i < outputs->count; i++) {
		const struct output *one = &outputs->items[i];
		if (one->exporter || one->template || strcmp(one->kind->name, "report") != 0 ||
		    strcmp(one->format, "json") == 0)
			return false;
	}
	return true;
}

static int write_report(struct cli *cli, void *options, struct error *err)
{
	struct wanted *wanted = options;
	const struct files_request asked = {&wanted->given, &wanted->reading, &wanted->filter};
	if (files_open(cli, &words_rules, &asked, &wanted->words, err) < 0)
		return -1;
	if ((wanted->language || is_report(&wanted->outputs)) &&
	    output_choose_language(cli, wanted->language, err) < 0)
		return -1;
	if (cli->files.count || words_count(&wanted->words, WORD_RUN))
		return write_files(cli, wanted, err);
	store_read_once(cli->store);
	return write_commit(cli, wanted, words_commit(&wanted->words), err);
}

#define FIELD(member) OPTION_FIELD(struct wanted, member)
static const struct option rows[] = {
	{OPTION_GROUP(struct wanted, wish, output_option_rows)},
	{FIELD(against), "against", "WHAT",
	 "what to compare with, as for gate (default: nearest; comment: merge-base; nightly, "
	 "weekly: window)"},
	{FIELD(since), "since", "DAY|COMMIT", "where weekly starts (default: seven days ago)"},
	{FIELD(template), "template", "FILE",
	 "your own mustache template; it sees the document that --json prints"},
	{FIELD(language), "language", "L", "en or zh (default: that of [project] language)",
	 .choices = "en|zh"},
	{OPTION_GROUP(struct wanted, trust, trust_option_rows)},
	{OPTION_GROUP(struct wanted, filter, run_filter_options)},
	{OPTION_GROUP(struct wanted, reading, reading_option_rows)},
	{.kind = OPTION_END},
};

const struct command command_report = {
	.name = "report",
	.group = GROUP_PUBLISH,
	.summary = "write a report, or a file for another program",
	.listing = list_kinds,
	.usage = "[FILE | RUN | COMMIT | SERIES]... [OPTION]...",
	.about =
		"Write a report of a commit (default: HEAD, or its nearest ancestor with runs) or\n"
		"of files.",
	.lists = "Kinds for people (Markdown; most also HTML)\n"
		 "  report       everything about the runs of a commit (default)\n"
		 "  nightly      what changed since the previous run, and what is still open\n"
		 "  weekly       which commit changed what in the last seven days\n"
		 "  comment      the gate's result as a pull request comment\n"
		 "  summary      the gate's result as a CI job summary\n"
		 "  contract     the profiler's output contract, one section for each run\n"
		 "  devlog       the Performance block of a development log\n"
		 "\n"
		 "Kinds for programs\n"
		 "  json, jsonl, csv, junit, sarif, gitlab, github, openmetrics, hud, badge",
	.examples = {"rooflog report -o report.html",
		     "rooflog report profile.json -o profile.html   a file; no repository needed",
		     "rooflog report --as weekly --since 2026-11-01 -o weekly.html",
		     "rooflog report -o openmetrics=rooflog.prom -o badge=badge.json"},
	.options = rows,
	.arguments = {{"FILE | RUN | COMMIT | SERIES", ARGUMENT(struct wanted, given)}},
	.options_size = sizeof(struct wanted),
	.check = check,
	.run = write_report,
	.sections = "rule gate project alias device work scenario",
	.documents = "report written",
	.see_also = "gate site chart devlog",
};
