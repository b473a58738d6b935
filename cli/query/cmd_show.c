/* rooflog show: a line a run, or everything about one. */
#include "cli/command.h"

#include "cli/runs/runs.h"
#include "cli/runs/attribution_search.h"
#include "render/terminal/terminal.h"

static int print_runs(struct cli *cli, const struct loaded_list *runs, bool details,
		      struct error *err)
{
	struct json *document;
	struct strbuf sb = {0};
	const struct terminal terminal = cli_terminal(cli);
	if (cli_document(cli, runs, "", NULL, &document, err) < 0)
		return -1;
	if (!details)
		terminal_table(&cli->arena, &terminal, document, &sb);
	for (const struct json *run = json_get(document, "runs")->first; details && run;
	     run = run->next) {
		terminal_card(&cli->arena, &terminal, run, &sb);
		if (run->next)
			strbuf_addch(&sb, '\n');
	}
	int rc = cli_print(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static int print_json(struct cli *cli, const struct loaded_list *runs, struct error *err)
{
	struct json *document;
	if (cli_document(cli, runs, "", NULL, &document, err) < 0)
		return -1;
	return cli_print_json(document, err);
}

int cmd_show(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct run_filter filter = {0};
	struct search search = {0};
	bool json = false, details = false;
	int rest;
	const struct option options[] = {
		RUN_FILTER_OPTIONS(filter),
		{OPTION_FLAG, "details", NULL, "everything about each run", &details},
		{OPTION_TEXT, "source", "LINE",
		 "only instructions of this source line: kernel.py:33, kernel.py:*, /./ (any)",
		 &search.source},
		{OPTION_TEXT, "opcode", "GLOB", "only instructions with this opcode: MATMUL",
		 &search.opcode},
		{OPTION_FLAG, "json", NULL, "the report document, or what was found, as JSON",
		 &json},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(cli, "show", "[OPTION]... [RUN|COMMIT]",
			"Shows the runs of a commit (default: HEAD, or its nearest ancestor with "
			"runs), a\n"
			"line each; a single run, or one named by its id, is shown in full.",
			options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest > 1)
		return error_set(err, ERR_USAGE, "takes one run or commit, not %d", rest);
	struct loaded_list runs = {0};
	struct run_query query = {
		.kernel = filter.kernel,
		.variant = filter.variant,
		.dtype = filter.dtype,
		.device = filter.device,
	};
	if (cli_choose_runs(cli, rest ? argv[1] : NULL, &query, &runs, err) < 0)
		return -1;
	if (search.source || search.opcode)
		return cli_search(cli, &runs, &search, json, err) < 0 ? -1 : EXIT_PASS;
	int rc = json ? print_json(cli, &runs, err)
		      : print_runs(cli, &runs, details || runs.count == 1, err);
	return rc < 0 ? -1 : EXIT_PASS;
}
