/* rooflog show: one line per run, or everything about one run. */
#include "render/document/key.h"
#include "cli/command.h"

#include "cli/output/output.h"
#include "cli/query/attributions.h"
#include "cli/query/query.h"
#include "cli/query/viewer/viewer.h"
#include "cli/runs/files/files.h"
#include "cli/runs/runs.h"
#include "model/timeline/launches/launches.h"
#include "render/terminal/terminal.h"
#include "render/vocabulary/vocabulary.h"

/* --- the command --- */

struct show_options {
	struct run_filter filter;
	struct attribution_search search;
	bool details, launches;
	struct reading_options reading;
	struct arguments words; /* none: HEAD or its nearest ancestor */
	struct output_wish wish;
	struct output_list outputs; /* the page of one run; none: the text is printed */
	const char *source_root, *from_text, *to_text;
};

static bool is_perfetto(const struct show_options *o)
{
	return strcmp(o->outputs.items[0].format, "perfetto") == 0;
}

static int choose_output(struct cli *cli, struct show_options *o, struct error *err)
{
	static const struct output_rules rules = {OUTPUT_SHOW, "show", "html", NULL, false};
	if (output_choose(cli, &rules, &o->wish, &o->outputs, err) < 0)
		return -1;
	if (o->source_root && is_perfetto(o))
		return error_set(err, ERR_USAGE,
				 "--source-root is for a page: a Perfetto trace has no text of "
				 "source lines\nhint: -o FILE.html");
	return output_claim(cli, &o->outputs, err);
}

static int check(struct cli *cli, void *options, struct error *err)
{
	struct show_options *o = options;
	bool page = o->wish.files.count > 0;
	struct attribution_search *search = &o->search;
	if (query_viewer_time("--from", o->from_text, &search->from, err) < 0 ||
	    query_viewer_time("--to", o->to_text, &search->to, err) < 0)
		return -1;
	if (search->to <= search->from)
		return error_set(err, ERR_USAGE, "--to must be after --from");
	if (!page && o->source_root)
		return error_set(err, ERR_USAGE, "--source-root is for a page\nhint: -o FILE.html");
	bool instructions = search->source || search->opcode || search->slowest;
	if (!page && !instructions && !o->launches && (o->from_text || o->to_text))
		return error_set(err, ERR_USAGE,
				 "--%s is for a page, or for --source, --opcode, --slowest and "
				 "--launches\nhint: -o FILE.html, or --source /./",
				 o->from_text ? "from" : "to");
	if (page && o->launches)
		return error_set(err, ERR_USAGE, "-o and --launches cannot be combined");
	if ((page || o->launches) && (o->details || instructions))
		return error_set(err, ERR_USAGE, "%s and --%s cannot be combined",
				 page ? "-o" : "--launches",
				 o->details       ? "details"
				 : search->source ? "source"
				 : search->opcode ? "opcode"
						  : "slowest");
	if (page && cli->common.json && cli_is_standard_output(o->wish.files.items[0]))
		return error_set(err, ERR_USAGE,
				 "--json says which file was written\nhint: -o FILE.html");
	if (page && o->wish.files.count > 1)
		return error_set(err, ERR_USAGE, "show writes one page");
	return page ? choose_output(cli, o, err) : 0;
}

static int write_page(struct cli *cli, const struct show_options *o, const struct loaded_list *runs,
		      struct error *err)
{
	const char *path = o->outputs.items[0].path;
	const struct viewer_request request = {.runs = runs,
					       .output = path,
					       .source_root = o->source_root,
					       .from = o->search.from,
					       .to = o->search.to};
	return (is_perfetto(o) ? query_viewer_write_perfetto : query_viewer_write)(cli, &request,
										   err) < 0
		       ? -1
		       : query_viewer_wrote(cli, path, err);
}

enum { LAUNCHES_SHOWN = 100, LAUNCHES_WRITTEN = 100000 };

/* Prints streams, overlap, gaps and the launches of a capture in their order. */
static int print_launches(struct cli *cli, const struct show_options *o,
			  const struct loaded_list *runs, struct error *err)
{
	const struct run *run = runs->items[0].stored.run;
	struct trace *trace;
	if (!span_text_eq(run->tool, "nsys"))
		return error_set(err, ERR_USAGE,
				 "--launches is for captures of Nsight Systems (nsys export --type "
				 "sqlite); the run is of %s",
				 run->tool);
	if (query_viewer_events(cli, runs, &trace, err) < 0)
		return -1;
	const struct launch_request request = {
		o->search.from, o->search.to, cli->common.json ? LAUNCHES_WRITTEN : LAUNCHES_SHOWN};
	struct launch_order order = launch_order_of(&cli->arena, trace, &request);
	if (cli->common.json)
		return cli_print_json(terminal_launches_json(&cli->arena, &order), err);
	struct strbuf sb = {0};
	terminal_launches(&cli->arena, &order, cli_table_width(), &sb);
	return cli_print_built(&sb, err);
}

static const struct words_rules rules = {
	.command = "show",
	.kinds = WORD_FILE | WORD_RUN | WORD_COMMIT | WORD_SERIES,
};

static int show(struct cli *cli, void *options, struct error *err)
{
	struct show_options *o = options;
	const struct files_request asked = {&o->words, &o->reading, &o->filter};
	struct loaded_list runs = {0};
	struct json *document;
	struct words words;
	if (files_open(cli, &rules, &asked, &words, err) < 0 ||
	    files_choose(cli, &words, &o->filter, &runs, err) < 0)
		return -1;
	if (o->outputs.count)
		return write_page(cli, o, &runs, err);
	if (!cli->common.json)
		cli_page(cli);
	if (output_choose_language(cli, NULL, err) < 0)
		return -1;
	output_speak(cli, !cli->common.json);
	if (o->launches)
		return print_launches(cli, o, &runs, err);
	if (o->search.source || o->search.opcode || o->search.slowest)
		return attributions_print(cli, &runs, &o->search, err);
	const struct document_request request = {.runs = &runs,
						 .lacks_details = true,
						 .title = "",
						 .extent = cli->common.json ? REPORT_WHOLE
									    : REPORT_SHOWN};
	if (runs_document_of(cli, &request, &document, err) < 0)
		return -1;
	if (cli->common.json)
		return cli_print_json(document, err);
	return cli_query_print_runs(cli, document, o->details || runs.count == 1, o->details, err);
}

#define FIELD(member) OPTION_FIELD(struct show_options, member)
static const struct option rows[] = {
	{FIELD(details), "details", NULL, "show everything that is known about each run"},
	{FIELD(search.source), "source", "LINE",
	 "list the instructions of a source line: mlp.py:33, mlp.py:*, /./ for all that have one, "
	 "or '' for those without"},
	{FIELD(search.opcode), "opcode", "GLOB", "list the instructions with this opcode: MATMUL"},
	{FIELD(search.slowest), "slowest", "N",
	 "list the N longest single instructions, of those that --source and --opcode name",
	 .low = 1, .high = 1000},
	{FIELD(launches), "launches", NULL,
	 "list the launches of an nsys capture in their order, with streams, overlap and gaps"},
	{FIELD(wish.files), "output", "[KIND=]FILE",
	 "write FILE.html: the timeline of one run, with its instructions and source lines; or "
	 "FILE.pftrace, the same events for ui.perfetto.dev",
	 .letter = 'o'},
	{FIELD(from_text), "from", "TIME",
	 "with -o, --source, --opcode, --slowest, --launches: only what runs from then on, since "
	 "the "
	 "start of the run: 12.5us"},
	{FIELD(to_text), "to", "TIME",
	 "with -o, --source, --opcode, --slowest, --launches: only what runs until this time"},
	{FIELD(source_root), "source-root", "FOLDER",
	 "with -o: the folder of the repository that source lines are in (default: its top)"},
	{OPTION_GROUP(struct show_options, filter, run_filter_options)},
	{OPTION_GROUP(struct show_options, reading, reading_option_rows)},
	{.kind = OPTION_END},
};

const struct command command_show = {
	.name = "show",
	.group = GROUP_EVERY_DAY,
	.summary = "show a profile, run or commit: time, roofline, bottleneck",
	.usage = "[FILE | RUN | COMMIT | SERIES]... [OPTION]...",
	.about = "Show time, MFU, roofline position, engines, bottleneck and findings. One run is\n"
		 "shown in full; several runs get one line each. Without an argument: the runs of\n"
		 "HEAD, or of its nearest ancestor that has runs.",
	.notes = "With --source and --opcode, instructions that match either are listed.",
	.examples =
		{"rooflog show                              the latest commit",
		 "rooflog show profile.json                 a file; no repository needed",
		 "rooflog show HEAD~3 attention s=512       one series at one commit",
		 "rooflog show kernel.ntff --source 'attention.py:*'",
		 "rooflog show profile.json --source /./ --from 10us --slowest 9",
		 "rooflog show kernel.ntff -o kernel.html   its timeline as a page",
		 "rooflog show nsys.sqlite --launches       streams, overlap, gaps, launch order"},
	.options = rows,
	.arguments = {{"FILE | RUN | COMMIT | SERIES", ARGUMENT(struct show_options, words)}},
	.options_size = sizeof(struct show_options),
	.check = check,
	.run = show,
	.sections = "device work tool alias scenario",
	.documents = "report attributions launches written",
	.see_also = "compare log report formats metrics",
};
