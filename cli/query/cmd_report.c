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

static int choose_language(struct cli *cli, const char *language, struct output *output,
			   struct error *err)
{
	if (output->template || output->exporter || strcmp(output->format, "md") != 0)
		return error_set(err, ERR_USAGE,
				 "--language chooses among the built-in templates of Markdown");
	return output_template_in(cli, output->kind->name, language, &output->built_in, err);
}

static const char *list_kinds(struct arena *arena)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "Kinds:\n");
	for (const struct report_kind *kind = report_kinds; kind->name; kind++)
		strbuf_addf(&sb, "  %-11s %s%s\n", kind->name, kind->title,
			    kind == report_kinds ? " (default)" : "");
	strbuf_addstr(&sb, "Formats for machines:\n");
	for (const struct exporter *row = exporters; row->name; row++)
		strbuf_addf(&sb, "  %-11s %s\n", row->name, row->title);
	return strbuf_into(&sb, arena);
}

/* The start of --since in Unix seconds: a day from its first second in UTC, or a commit's time. */
static int since_of(struct cli *cli, const char *text, const struct report_kind *kind,
		    int64_t *since, struct error *err)
{
	if (!text)
		return 0;
	if (!kind->since)
		return error_set(err, ERR_USAGE, "--since is for the weekly report");
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
				 "--since takes a day (2026-11-21) or a commit that is stored; "
				 "\"%s\" is neither",
				 text);
	if (store_revision(cli->store, &cli->arena, oid, &revision, err) < 0)
		return -1;
	*since = revision.time;
	return 0;
}

/* The options and arguments. */
struct wanted {
	struct run_filter filter;
	const char *format, *template, *path, *language;
	const char *against, *since;
	bool json;
	struct trust_options trust;
	struct publication publication;
	struct file_facts facts;
	struct arguments arguments; /* [KIND] [FILE | RUN | COMMIT | SERIES]... */
	struct arguments given;     /* those after the kind */
	struct words words;         /* and what they mean */
	struct output output;
};

/* Splits "report nightly main". Kind, files and commit are optional. */
static const struct report_kind *split_arguments(struct wanted *wanted)
{
	const struct arguments *given = &wanted->arguments;
	const struct report_kind *named =
		given->count ? output_report_kind_find(given->items[0]) : NULL;
	size_t used = named != NULL;
	wanted->given = (struct arguments){given->items + used, given->count - used};
	return named ? named : &report_kinds[0];
}

static int choose_output(struct cli *cli, const struct wanted *wanted,
			 const struct report_kind *kind, struct output *output, struct error *err)
{
	const char *format = wanted->json ? "json" : wanted->format;
	if (output_named(format ? format : kind->name, wanted->path, kind, output, err) < 0 ||
	    output_check_publication(&wanted->publication, err) < 0)
		return -1;
	output->template = wanted->template;
	if (wanted->template && (output->exporter || strcmp(output->format, "json") == 0))
		return error_set(err, ERR_USAGE, "--format %s takes no --template", format);
	return wanted->language ? choose_language(cli, wanted->language, output, err) : 0;
}

/* Writes the report of files or single runs, which nothing is compared with. */
static int write_files(struct cli *cli, struct wanted *wanted, struct error *err)
{
	struct loaded_list runs = {0};
	struct output_subject subject = {.filter = &wanted->filter,
					 .runs = &runs,
					 .all_runs = true,
					 .publication = wanted->publication};
	if (wanted->output.kind->limit)
		return error_set(err, ERR_USAGE,
				 "%s is about a commit, not about files or single runs: \"rooflog "
				 "ingest\" stores files",
				 wanted->output.kind->name);
	if (wanted->against || wanted->since)
		return error_set(
			err, ERR_USAGE,
			"--%s is about a commit, not about files or single runs: \"rooflog "
			"ingest\" stores files",
			wanted->against ? "against" : "since");
	if (files_choose(cli, &wanted->words, &wanted->filter, &runs, err) < 0)
		return -1;
	subject.oid = runs.items[0].stored.revision.oid;
	return output_write(cli, &subject, &wanted->output, err);
}

static const struct words_rules rules = {
	.command = "report",
	.kinds = WORD_FILE | WORD_RUN | WORD_COMMIT | WORD_SERIES,
	.judges = true,
};

/* Writes the report of a commit that has runs. */
static int write_report(struct cli *cli, void *options, struct error *err)
{
	struct wanted *wanted = options;
	const struct files_request asked = {&wanted->given, &wanted->facts, &wanted->filter};
	const struct output *output = &wanted->output;
	if (files_open(cli, &rules, &asked, &wanted->words, err) < 0)
		return -1;
	if (cli->files.count || words_count(&wanted->words, WORD_RUN))
		return write_files(cli, wanted, err);
	char oid[65];
	struct gate_result gate = {0};
	bool compared = false;
	struct loaded_list runs = {0};
	struct gate_request request = {.oid = oid,
				       .filter = &wanted->filter,
				       .why = true,
				       .trust = wanted->trust,
				       .runs = &runs};
	struct output_subject subject = {.oid = oid,
					 .filter = &wanted->filter,
					 .runs = &runs,
					 .all_runs = true,
					 .publication = wanted->publication};
	request.against = wanted->against ? wanted->against : output->kind->against;
	store_read_once(cli->store);
	if (runs_select_commit(cli, words_commit(&wanted->words), oid, err) < 0 ||
	    since_of(cli, wanted->since, output->kind, &subject.since, err) < 0 ||
	    (request.against && compare(cli, &request, &gate, &compared, err) < 0) ||
	    runs_prepare_filter(cli, &wanted->filter, err) < 0)
		return -1;
	if (request.against && output->exporter && gate.input)
		output_warn_of_configuration(cli, &gate);
	/* A published comment also states that nothing was compared. */
	if (compared || (output->kind->limit && gate.count))
		subject.gate = &gate;
	return output_write(cli, &subject, output, err);
}

static int check(struct cli *cli, void *options, struct error *err)
{
	struct wanted *wanted = options;
	const struct report_kind *kind = split_arguments(wanted);
	return choose_output(cli, wanted, kind, &wanted->output, err) < 0
		       ? -1
		       : output_remove_brought(cli, wanted->path, err);
}

#define FIELD(member) OPTION_FIELD(struct wanted, member)
static const struct option rows[] = {
	{OPTION_GROUP(struct wanted, filter, run_filter_options)},
	{FIELD(against), "against", "WHAT",
	 GATE_AGAINST_WORDS
	 " (default: nearest; pr-comment merge-base; nightly and weekly window)"},
	{FIELD(since), "since", "DAY|REV",
	 "weekly: the first day, or the first commit (default: a week before COMMIT)"},
	{FIELD(template), "template", "FILE", "a template of yours instead of the kind's"},
	{FIELD(language), "language", "L", "en (default) or zh: of contract and devlog",
	 .choices = "en|zh"},
	{FIELD(format), "format", "F",
	 "md, html, json, or a format for machines (default: md, unless --output ends in .html or "
	 ".json)"},
	{FIELD(json), "json", NULL, "the same as --format json"},
	{FIELD(path), "output", "FILE", "write there, with the charts beside it", .letter = 'o'},
	{OPTION_GROUP(struct wanted, facts, files_option_rows)},
	{OPTION_GROUP(struct wanted, trust, trust_option_rows)},
	{OPTION_GROUP(struct wanted, publication, publication_options)},
	{.kind = OPTION_END},
};

const struct command command_report = {
	.name = "report",
	.group = GROUP_PUBLISH,
	.summary = "write a report, or a file for another program",
	.usage = "[KIND] [FILE | RUN | COMMIT | SERIES]... [OPTION]...",
	.about = "Writes a report of files, or of the stored runs of a commit (default: HEAD, or "
		 "its\nnearest ancestor with runs).\n"
		 "{}Templates are mustache over the document that --format json prints.",
	.listing = list_kinds,
	.options = rows,
	.arguments = {{"[KIND] [FILE | RUN | COMMIT | SERIES]",
		       ARGUMENT(struct wanted, arguments)}},
	.examples = {"rooflog report --format html --output report.html",
		     "rooflog report pr-comment --output comment.md",
		     "rooflog report weekly --since 2026-11-16 main"},
	.options_size = sizeof(struct wanted),
	.check = check,
	.run = write_report,
};
