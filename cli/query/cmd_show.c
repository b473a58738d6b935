/* rooflog show: one line per run, or everything about one run. */
#include "render/document/key.h"
#include "cli/command.h"

#include "cli/runs/runs.h"
#include "cli/query/attribution_search.h"
#include "render/terminal/terminal.h"

static int print_runs(struct cli *cli, const struct json *document, bool cards, bool details,
		      struct error *err)
{
	struct strbuf sb = {0};
	const struct terminal terminal = cli_terminal(cli);
	if (!cards)
		terminal_table(&cli->arena, &terminal, document, &sb);
	for (const struct json *run = json_get(document, KEY(runs))->first; cards && run;
	     run = run->next) {
		terminal_card(&cli->arena, &terminal, run, details, &sb);
		if (run->next)
			strbuf_addch(&sb, '\n');
	}
	return cli_output(NULL, &sb, err);
}

struct show_options {
	struct run_filter filter;
	struct search search;
	bool json, details;
	const char *what; /* NULL: HEAD or its nearest ancestor with runs */
};

static int show(struct cli *cli, void *options, struct error *err)
{
	const struct show_options *o = options;
	struct loaded_list runs = {0};
	struct json *document;
	if (runs_choose(cli, o->what, &o->filter, &runs, err) < 0)
		return -1;
	if (o->search.source || o->search.opcode)
		return cli_query_attribution_search(cli, &runs, &o->search, o->json, err);
	if (runs_document(cli, &runs, "", NULL, &document, err) < 0)
		return -1;
	if (o->json)
		return cli_print_json(document, err);
	return print_runs(cli, document, o->details || runs.count == 1, o->details, err);
}

#define FIELD(member) OPTION_FIELD(struct show_options, member)
static const struct option rows[] = {
	{OPTION_GROUP(struct show_options, filter, run_filter_options)},
	{FIELD(details), "details", NULL, "a card for each run, with all of its metrics"},
	{FIELD(search.source), "source", "LINE",
	 "only instructions of this source line: kernel.py:33, kernel.py:*, /./ (any)"},
	{FIELD(search.opcode), "opcode", "GLOB", "only instructions with this opcode: MATMUL"},
	{FIELD(json), "json", NULL, "the report document, or what was found, as JSON"},
	{.kind = OPTION_END},
};

const struct command command_show = {
	.name = "show",
	.summary = "show runs: time, MFU, roofline, engines, findings",
	.usage = "[OPTION]... [RUN|COMMIT]",
	.about =
		"Shows the runs of a commit (default: HEAD, or its nearest ancestor with runs), a\n"
		"line each; a single run, or one named by its id, is shown as a card.",
	.options = rows,
	.arguments = {{"RUN|COMMIT", ARGUMENT(struct show_options, what)}},
	.takes = "one run or commit",
	.examples = {"rooflog show", "rooflog show --kernel attention --details HEAD~1",
		     "rooflog show --opcode MATMUL"},
	.options_size = sizeof(struct show_options),
	.needs = NEEDS_STORE,
	.run = show,
};
