/* The parts of rooflog mcp: lines of the client, messages, and tools. */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "cli/context.h"

/* --- lines.c: what the client sends --- */

enum { MCP_LINE_LIMIT = 1 << 20 }; /* bytes of a message */

struct mcp_lines {
	int fd;
	char *bytes;             /* MCP_LINE_LIMIT + 1 */
	size_t begin, end, seen; /* up to there mcp_lines_peek() has looked */
	bool skips;              /* the rest of a line that is too long */
	bool ended;
};

enum mcp_line {
	MCP_LINE,          /* *line is one, without its end; valid until the next call */
	MCP_LINE_TOO_LONG, /* what follows is the line after it */
	MCP_LINE_NONE      /* the client has closed its end */
};
enum mcp_line mcp_lines_next(struct mcp_lines *lines, struct span *line);
/* Reads what has come; false: nothing more can, because the client has closed its end, or what it
 * sent waits in all of the memory. */
bool mcp_lines_read(struct mcp_lines *lines);
/* A line that waits and was not looked at. It stays the next one. False: there is none. */
bool mcp_lines_peek(struct mcp_lines *lines, struct span *line);

/* --- protocol.c: what it means --- */

/* Codes of JSON-RPC and, the last one, of the protocol. */
enum mcp_code {
	MCP_PARSE_ERROR = -32700,
	MCP_INVALID_REQUEST = -32600,
	MCP_UNKNOWN_METHOD = -32601,
	MCP_INVALID_PARAMS = -32602,
	MCP_UNSUPPORTED_VERSION = -32022
};

struct mcp_server {
	struct cli *cli;
	const struct run_command_list *commands; /* what the tool run may run */
	struct mcp_lines lines;
	bool greeted; /* by initialize: requests need not name their revision */
};

/* What is asked of a tool. */
struct mcp_call {
	struct mcp_server *server;
	const struct mcp_tool *tool;
	const struct json *id;        /* the request's */
	const struct json *arguments; /* NULL: none */
	bool cancelled;               /* it gets no answer */
};

/* Adds the answer to a message, one line, or nothing to a message that gets none. */
void mcp_answer(struct mcp_server *server, struct span message, struct strbuf *out);
/* Whether a message cancels the request of that id. */
bool mcp_cancels(struct span message, const struct json *id);
/* Adds the answer to a line that is too long. */
void mcp_refuse_long(struct strbuf *out);

/* --- tools.c: what it can ask for --- */

enum mcp_argument_kind { MCP_TEXT, MCP_COUNT, MCP_FLAG, MCP_COMMAND };

struct mcp_argument {
	const char *name; /* NULL ends the rows */
	const char *description;
	/* What comes before the value in the word for the command line: an option, or the kind of
	 * an argument, so that no value is taken for an option or a file. NULL: no word. */
	const char *form;
	const char *otherwise; /* the word where it is not given; NULL: none */
	enum mcp_argument_kind kind;
	bool required;
};

enum { MCP_ARGUMENTS = 6 };

struct mcp_tool {
	const char *name, *title, *description;
	const char *command[4]; /* words of the command line, NULL at the end */
	struct mcp_argument arguments[MCP_ARGUMENTS];
	const char *const *without; /* members of the document that are left out; NULL: none */
	const char *const *of_runs; /* members of its runs that are kept; NULL: all */
	const char *narrow;         /* what makes the answer shorter */
	int seconds;                /* time limit */
	bool runs_commands, shortens_series;
};

/* The tools in the order of the list, NULL after the last one. The tool run is there if there are
 * commands. */
const struct mcp_tool *mcp_tool_at(const struct mcp_server *server, size_t index);
const struct mcp_tool *mcp_tool_named(const struct mcp_server *server, const char *name);
/* Describes a tool in an array. */
void mcp_describe(struct arena *arena, const struct mcp_server *server, const struct mcp_tool *tool,
		  struct json *tools);
/* The command line of a call, NULL at the end; NULL and *err: the arguments are not as described.
 */
const char *const *mcp_command_line(struct arena *arena, const struct mcp_call *call,
				    struct error *err);

/* --- call.c: rooflog, run for it --- */

enum { MCP_ANSWER_LIMIT = 200000 }; /* bytes of a document */

/* Adds to a result what a tool has to say; what it could not do is said there, too. */
void mcp_call_run(struct arena *arena, struct mcp_call *call, struct json *result);
