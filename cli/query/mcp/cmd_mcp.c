/* rooflog mcp: serves the Model Context Protocol on standard input and output. */
#include "cli/command.h"

#include <unistd.h>

#include "cli/gate/gate.h"
#include "cli/query/mcp/mcp.h"

struct mcp_options {
	bool allow_run;
};

static int check(struct cli *cli, void *options, struct error *err)
{
	(void)options;
	return cli->common.json ? error_set(err, ERR_USAGE,
					    "mcp speaks the Model Context Protocol: without --json")
				: 0;
}

static int check_commands(const struct run_command_list *commands, struct error *err)
{
	for (size_t i = 0; i < commands->count; i++)
		if (!commands->items[i].command)
			return error_set(err, ERR_USAGE, "[run \"%s\"] has no command",
					 commands->items[i].name);
	return 0;
}

/* What may be run is what was merged when the server began. */
static int load_commands(struct cli *cli, const struct mcp_options *o, struct error *err)
{
	if (!o->allow_run)
		return 0;
	if (gate_command_load_merged(cli, err) < 0)
		return error_prefix(err, "--allow-run");
	if (!cli->settings.commands.count)
		cli_warn(cli, "the configuration names no command ([run \"NAME\"] command = ...): "
			      "the tool run is not offered");
	return check_commands(&cli->settings.commands, err);
}

static int serve(struct cli *cli, void *options, struct error *err)
{
	if (load_commands(cli, options, err) < 0)
		return -1;
	static const struct run_command_list none;
	const struct mcp_options *o = options;
	struct mcp_server server = {.cli = cli,
				    .commands = o->allow_run ? &cli->settings.commands : &none,
				    .lines = {.fd = STDIN_FILENO}};
	server.lines.bytes = arena_alloc(&cli->arena, MCP_LINE_LIMIT + 1);
	struct span line;
	for (;;) {
		struct strbuf answer = {0};
		enum mcp_line kind = mcp_lines_next(&server.lines, &line);
		if (kind == MCP_LINE_NONE)
			return EXIT_PASS;
		if (kind == MCP_LINE_TOO_LONG)
			mcp_refuse_long(&answer);
		else if (span_trim(line).len)
			mcp_answer(&server, line, &answer);
		if (cli_output(cli, NULL, &answer, err) < 0)
			return -1;
	}
}

#define FIELD(member) OPTION_FIELD(struct mcp_options, member)
static const struct option rows[] = {
	{FIELD(allow_run), "allow-run", NULL,
	 "also offer run, for the commands that [run] in the configuration names and no others"},
	{.kind = OPTION_END},
};

const struct command command_mcp = {
	.name = "mcp",
	.group = GROUP_OTHER,
	.summary = "serve coding agents by the Model Context Protocol",
	.usage = "[--allow-run]",
	.about = "Serve the Model Context Protocol on standard input and output, for coding\n"
		 "agents: show, compare, gate, explain, history and findings.",
	.options = rows,
	.examples = {"rooflog mcp", "rooflog -C /path/to/kernels mcp --allow-run"},
	.options_size = sizeof(struct mcp_options),
	.check = check,
	.run = serve,
	.sections = "run",
	.see_also = "show gate run",
};
