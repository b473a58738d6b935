/* The tools: what a client sees of each, and the command line that a call becomes. */
#include "cli/query/mcp/mcp.h"

#include "base/text/text.h"
#include "render/document/key.h"

enum {
	QUERY_SECONDS = 120,
	RUN_SECONDS = 2 * 3600,
	TEXT_LIMIT = 1000, /* bytes of an argument */
	COUNT_LIMIT = 1000
};

/* Arguments of the tool run. */
static const char command_argument[] = "name", base_argument[] = "against",
		  candidate_argument[] = "candidate";

/* Runs are in a gate's document to be shown next to it. */
static const char *const without_runs[] = {KEY(runs), NULL};
/* The rest are tables of the same numbers, and lists that grow with the profile. */
static const char *const main_members[] = {
	KEY(id),       KEY(name),        KEY(series),     KEY(kernel),
	KEY(variant),  KEY(dtype),       KEY(device),     KEY(commit),
	KEY(tool),     KEY(params_text), KEY(headline),   KEY(timing),
	KEY(metrics),  KEY(roofs),       KEY(bottleneck), KEY(opportunities),
	KEY(findings), KEY(spreads),     KEY(warnings),   NULL};
static const char *const finding_members[] = {
	KEY(id),       KEY(name),          KEY(series),   KEY(headline), KEY(bottleneck),
	KEY(findings), KEY(opportunities), KEY(warnings), NULL};

#define SERIES                                                                                     \
	{                                                                                          \
		"series",                                                                          \
			"kernel, then anything else that must match: attention, \"attention "      \
			"s=512\", "                                                                \
			"\"att* bf16\" (default: all series)",                                     \
			.form = "--series="                                                        \
	}
#define COMMIT                                                                                     \
	{                                                                                          \
		"commit",                                                                          \
			"git revision or named baseline (default: HEAD, or its nearest ancestor "  \
			"with runs)",                                                              \
			.form = "commit:"                                                          \
	}
#define JUDGED                                                                                     \
	SERIES, {"commit", "git revision to judge (default: HEAD)", .form = "commit:"},            \
	{                                                                                          \
		"against",                                                                         \
			"what to compare with: nearest, merge-base, merge-base:BRANCH, window, "   \
			"best, a named baseline or a git revision (default: nearest)",             \
			.form = "--against="                                                       \
	}

static const struct mcp_tool tools[] = {
	{.name = "show",
	 .title = "Show runs",
	 .description = "Time, utilization, roofline position, bottleneck and findings of the runs "
			"of a commit.",
	 .command = {"show", "--json"},
	 .arguments = {SERIES,
		       COMMIT,
		       {"details", "everything that is known about each run (default: false)",
			.kind = MCP_FLAG}},
	 .of_runs = main_members,
	 .narrow = "name one series, or leave out details",
	 .seconds = QUERY_SECONDS},
	{.name = "compare",
	 .title = "Compare commits",
	 .description = "What became faster or slower from one commit to another, and why.",
	 .command = {"compare", "--json"},
	 .arguments = {SERIES,
		       {"before", "git revision or named baseline",
			.form = "commit:", .required = true},
		       {"after", "git revision or named baseline",
			.form = "commit:", .otherwise = "commit:HEAD"}},
	 .narrow = "name a series",
	 .seconds = QUERY_SECONDS},
	{.name = "gate",
	 .title = "Judge a commit",
	 .description = "Whether a commit became slower: a verdict for each series by its history "
			"and the rules of the repository.",
	 .command = {"gate", "--json"},
	 .arguments = {JUDGED},
	 .without = without_runs,
	 .narrow = "name a series",
	 .seconds = QUERY_SECONDS},
	{.name = "explain",
	 .title = "Explain verdicts",
	 .description = "Every number of the verdicts on a commit: records, noise, tests and "
			"limits.",
	 .command = {"gate", "--explain", "--json"},
	 .arguments = {JUDGED},
	 .without = without_runs,
	 .narrow = "name a series",
	 .seconds = QUERY_SECONDS},
	{.name = "history",
	 .title = "History of series",
	 .description = "The measured commits of a series with its change points; without a "
			"series, all series with their newest values.",
	 .command = {"log", "--json"},
	 .arguments = {{"series",
			"kernel, then anything else that must match: attention, \"attention "
			"s=512\" (default: list all series)",
			.form = "series:", .otherwise = "--view=series"},
		       {"metric", "key of a metric, such as mfu (default: the time)",
			.form = "--metric="},
		       {"count", "at most N commits of each series, the latest (default: 100)",
			.kind = MCP_COUNT}},
	 .narrow = "name one series, or a smaller count",
	 .seconds = QUERY_SECONDS,
	 .shortens_series = true},
	{.name = "findings",
	 .title = "What to change",
	 .description = "Bottleneck of each run, what was found, what to try and how much it could "
			"gain.",
	 .command = {"show", "--json"},
	 .arguments = {SERIES, COMMIT},
	 .of_runs = finding_members,
	 .narrow = "name a series",
	 .seconds = QUERY_SECONDS},
	{.name = "candidates",
	 .title = "Leaderboard of candidates",
	 .description = "Which of the candidates that run measured is the fastest: speed-ups with "
			"intervals that hold for all of them, ranks, and what is confirmed.",
	 .command = {"log", "--view=candidates", "--json"},
	 .arguments = {{"series",
			"kernel, then anything else that must match (default: all series with "
			"candidates)",
			.form = "series:"}},
	 .narrow = "name a series",
	 .seconds = QUERY_SECONDS},
	{.name = "run",
	 .title = "Measure the work tree",
	 .description = "Runs a command that the configuration names, stores what it measures and "
			"shows it. With against, that commit is built and measured in turns with "
			"the work tree, and the result says which is faster. Takes minutes.",
	 .command = {"run", "--json"},
	 .arguments = {{command_argument, "which command", .kind = MCP_COMMAND, .required = true},
		       {base_argument, "git revision to measure as well", .form = "--against="},
		       {candidate_argument,
			"name under which this try is kept; the check and each process get fresh "
			"inputs by ROOFLOG_SEED",
			.form = "--candidate="},
		       {"parent", "id of the run that the candidate started from",
			.form = "--parent="}},
	 .of_runs = main_members,
	 .narrow = "call show with one series",
	 .seconds = RUN_SECONDS,
	 .runs_commands = true},
};
enum { TOOLS = sizeof tools / sizeof *tools };

const struct mcp_tool *mcp_tool_at(const struct mcp_server *server, size_t index)
{
	return index < TOOLS && (!tools[index].runs_commands || server->commands->count)
		       ? &tools[index]
		       : NULL;
}

const struct mcp_tool *mcp_tool_named(const struct mcp_server *server, const char *name)
{
	const struct mcp_tool *tool = NULL;
	for (size_t i = 0; (tool = mcp_tool_at(server, i)); i++)
		if (strcmp(tool->name, name) == 0)
			return tool;
	return NULL;
}

/* --- descriptions --- */

static void describe_argument(struct arena *arena, const struct mcp_server *server,
			      const struct mcp_argument *argument, struct json *properties)
{
	static const char *const types[] = {[MCP_TEXT] = "string",
					    [MCP_COUNT] = "integer",
					    [MCP_FLAG] = "boolean",
					    [MCP_COMMAND] = "string"};
	struct json *property = json_set_object(arena, properties, argument->name);
	json_set_text(arena, property, "type", types[argument->kind]);
	json_set_text(arena, property, "description", argument->description);
	if (argument->kind == MCP_TEXT) {
		json_set_number(arena, property, "minLength", 1);
		json_set_number(arena, property, "maxLength", TEXT_LIMIT);
	} else if (argument->kind == MCP_COUNT) {
		json_set_number(arena, property, "minimum", 1);
		json_set_number(arena, property, "maximum", COUNT_LIMIT);
	} else if (argument->kind == MCP_COMMAND) {
		struct json *names = json_set_array(arena, property, "enum");
		for (size_t i = 0; i < server->commands->count; i++)
			json_add_text(arena, names, server->commands->items[i].name);
	}
}

static void describe_input(struct arena *arena, const struct mcp_server *server,
			   const struct mcp_tool *tool, struct json *parent)
{
	struct json *schema = json_set_object(arena, parent, "inputSchema");
	json_set_text(arena, schema, "type", "object");
	struct json *properties = json_set_object(arena, schema, "properties");
	struct json *required = json_array(arena);
	for (const struct mcp_argument *row = tool->arguments; row->name; row++) {
		describe_argument(arena, server, row, properties);
		if (row->required)
			json_add_text(arena, required, row->name);
	}
	required->name = "required";
	if (required->first)
		json_append(schema, required);
	json_set_bool(arena, schema, "additionalProperties", false);
}

void mcp_describe(struct arena *arena, const struct mcp_server *server, const struct mcp_tool *tool,
		  struct json *list)
{
	struct json *about = json_add_object(arena, list);
	json_set_text(arena, about, "name", tool->name);
	json_set_text(arena, about, "title", tool->title);
	json_set_text(arena, about, "description", tool->description);
	describe_input(arena, server, tool, about);
	struct json *annotations = json_set_object(arena, about, "annotations");
	json_set_text(arena, annotations, "title", tool->title);
	json_set_bool(arena, annotations, "readOnlyHint", !tool->runs_commands);
	json_set_bool(arena, annotations, "destructiveHint", false);
	json_set_bool(arena, annotations, "idempotentHint", !tool->runs_commands);
	json_set_bool(arena, annotations, "openWorldHint", tool->runs_commands);
}

/* --- command lines --- */

static const struct mcp_argument *argument_named(const struct mcp_tool *tool, const char *name)
{
	for (const struct mcp_argument *row = tool->arguments; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

static const struct run_command *command_named(const struct mcp_server *server, const char *name)
{
	for (size_t i = 0; i < server->commands->count; i++)
		if (strcmp(server->commands->items[i].name, name) == 0)
			return &server->commands->items[i];
	return NULL;
}

static int check_text(const char *name, const struct json *value, struct error *err)
{
	if (value->type != JSON_STRING || !value->text[0])
		return error_set(err, ERR_USAGE, "%s: expected a text", name);
	const struct span text = span_of(value->text);
	if (text.len > TEXT_LIMIT)
		return error_set(err, ERR_USAGE, "%s: longer than %d bytes", name, TEXT_LIMIT);
	if (!utf8_is_line(text))
		return error_set(err, ERR_USAGE, "%s: control characters are not allowed", name);
	return text.ptr[0] == '-' ? error_set(err, ERR_USAGE, "%s: may not begin with a dash", name)
				  : 0;
}

static int check_argument(const struct mcp_server *server, const struct mcp_argument *row,
			  const struct json *value, struct error *err)
{
	const double number = value->type == JSON_NUMBER ? value->number : 0;
	switch (row->kind) {
	case MCP_TEXT:
		return check_text(row->name, value, err);
	case MCP_COUNT:
		return number >= 1 && number <= COUNT_LIMIT && number == floor(number)
			       ? 0
			       : error_set(err, ERR_USAGE, "%s: expected a number from 1 to %d",
					   row->name, COUNT_LIMIT);
	case MCP_FLAG:
		return value->type == JSON_BOOL
			       ? 0
			       : error_set(err, ERR_USAGE, "%s: expected true or false", row->name);
	case MCP_COMMAND:
		return value->type == JSON_STRING && command_named(server, value->text)
			       ? 0
			       : error_set(err, ERR_USAGE,
					   "%s: expected one of those that tools/list names",
					   row->name);
	}
	return 0;
}

static int check_arguments(const struct mcp_server *server, const struct mcp_tool *tool,
			   const struct json *arguments, struct error *err)
{
	for (struct json_walk walk = json_walk_of(arguments); json_walk_next(&walk);) {
		const struct mcp_argument *row = argument_named(tool, walk.child->name);
		if (!row)
			return error_set(err, ERR_USAGE, "%s has no argument \"%.80s\"", tool->name,
					 walk.child->name);
		if (check_argument(server, row, walk.child, err) < 0)
			return -1;
	}
	for (const struct mcp_argument *row = tool->arguments; row->name; row++)
		if (row->required && !json_get(arguments, row->name))
			return error_set(err, ERR_USAGE, "%s is missing", row->name);
	return 0;
}

struct words {
	const char **items;
	size_t count, capacity;
};

static void add_word(struct arena *arena, struct words *words, const char *word)
{
	*arena_add(arena, words) = word;
}

/* Options first, or what is an argument after the dashes. */
static void add_arguments(struct arena *arena, const struct mcp_tool *tool,
			  const struct json *arguments, bool options, struct words *words)
{
	for (const struct mcp_argument *row = tool->arguments; row->name; row++) {
		const struct json *value = json_get(arguments, row->name);
		const char *word = !value      ? row->otherwise
				   : row->form ? arena_printf(arena, "%s%s", row->form,
							      json_plain(arena, value))
					       : NULL;
		if (word && (word[0] == '-') == options)
			add_word(arena, words, word);
	}
}

/* The shell gets the command as the configuration has it. */
static void add_command(struct arena *arena, const struct mcp_server *server,
			const struct json *arguments, struct words *words)
{
	const struct run_command *command =
		command_named(server, json_get(arguments, command_argument)->text);
	if (json_get(arguments, candidate_argument))
		add_word(arena, words, "--fresh-inputs");
	if (command->build)
		add_word(arena, words, arena_printf(arena, "--build=%s", command->build));
	if (command->check)
		add_word(arena, words, arena_printf(arena, "--check=%s", command->check));
	add_word(arena, words, "--");
	add_word(arena, words, "sh");
	add_word(arena, words, "-c");
	add_word(arena, words, command->command);
}

const char *const *mcp_command_line(struct arena *arena, const struct mcp_call *call,
				    struct error *err)
{
	struct words words = {0};
	const struct mcp_tool *tool = call->tool;
	if (check_arguments(call->server, tool, call->arguments, err) < 0)
		return NULL;
	add_word(arena, &words, "/proc/self/exe");
	const char *const *common = cli_common_words(arena, &call->server->cli->common);
	for (; *common; common++)
		add_word(arena, &words, *common);
	for (size_t i = 0; tool->command[i]; i++)
		add_word(arena, &words, tool->command[i]);
	add_arguments(arena, tool, call->arguments, true, &words);
	if (tool->runs_commands) {
		add_command(arena, call->server, call->arguments, &words);
	} else {
		add_word(arena, &words, "--");
		add_arguments(arena, tool, call->arguments, false, &words);
	}
	add_word(arena, &words, NULL);
	return words.items;
}
