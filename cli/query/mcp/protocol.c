/* Messages of JSON-RPC 2.0, and the methods of the protocol in both of its eras: since 2026-07-28
 * each request names its revision; before, initialize did so for all. */
#include "cli/query/mcp/mcp.h"

/* --- revisions --- */

enum era { ERA_STATELESS = 1, ERA_HANDSHAKE = 2 };

/* The newest one first; ends with NULL. */
static const struct {
	const char *name;
	enum era era;
} revisions[] = {{"2026-07-28", ERA_STATELESS},
		 {"2025-11-25", ERA_HANDSHAKE},
		 {"2025-06-18", ERA_HANDSHAKE}};
enum { REVISIONS = sizeof revisions / sizeof *revisions };

static const char version_key[] = "io.modelcontextprotocol/protocolVersion";
static const char capabilities_key[] = "io.modelcontextprotocol/clientCapabilities";
static const char server_key[] = "io.modelcontextprotocol/serverInfo";

/* How long a client may keep what this process says about itself. */
enum { KEEP_MILLISECONDS = 300000 };

static const char instructions[] =
	"rooflog keeps the performance history of accelerator kernels. Begin with history, which "
	"lists all series. show gives time, roofline position and bottleneck of a kernel, findings "
	"what to change, gate whether a commit became slower, explain the statistics of that, and "
	"compare what differs between two commits. Do not build on a verdict that is unclear, "
	"unfit, incorrect or impossible: measure again or fix what it names.";

/* --- one message --- */

struct request {
	struct mcp_server *server;
	struct arena *arena;
	const struct json *id; /* NULL: a notification, or not known */
	const char *method;
	const struct json *params; /* may be NULL */
	enum era era;
	bool cancelled;
	struct json *failure; /* the error to answer with; NULL: none */
};

static void fail(struct request *r, enum mcp_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void fail(struct request *r, enum mcp_code code, const char *format, ...)
{
	struct strbuf text = {0};
	va_list args;
	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	r->failure = json_object(r->arena);
	json_set_number(r->arena, r->failure, "code", code);
	json_set_text(r->arena, r->failure, "message", strbuf_text(&text));
	strbuf_free(&text);
}

static struct json *server_info(struct arena *arena, struct json *parent, const char *name)
{
	struct json *info = json_set_object(arena, parent, name);
	json_set_text(arena, info, "name", "rooflog");
	json_set_text(arena, info, "title", "rooflog: performance history of kernels");
	json_set_text(arena, info, "version", ROOFLOG_VERSION);
	return info;
}

/* A result with what every result of the era has. */
static struct json *new_result(const struct request *r)
{
	struct json *result = json_object(r->arena);
	if (r->era == ERA_STATELESS) {
		json_set_text(r->arena, result, "resultType", "complete");
		server_info(r->arena, json_set_object(r->arena, result, "_meta"), server_key);
	}
	return result;
}

static void add_keeping(const struct request *r, struct json *result)
{
	if (r->era == ERA_HANDSHAKE)
		return;
	json_set_number(r->arena, result, "ttlMs", KEEP_MILLISECONDS);
	json_set_text(r->arena, result, "cacheScope", "private");
}

static void add_abilities(const struct request *r, struct json *result)
{
	json_set_object(r->arena, json_set_object(r->arena, result, "capabilities"), "tools");
}

/* --- methods --- */

static struct json *initialize(struct request *r)
{
	const char *wanted = json_text(r->params, "protocolVersion", NULL);
	const char *chosen = NULL;
	if (!wanted) {
		fail(r, MCP_INVALID_PARAMS, "protocolVersion is missing");
		return NULL;
	}
	for (size_t i = 0; i < REVISIONS; i++)
		if (revisions[i].era == ERA_HANDSHAKE &&
		    (!chosen || strcmp(revisions[i].name, wanted) == 0))
			chosen = revisions[i].name;
	r->server->greeted = true;
	struct json *result = new_result(r);
	json_set_text(r->arena, result, "protocolVersion", chosen);
	add_abilities(r, result);
	server_info(r->arena, result, "serverInfo");
	json_set_text(r->arena, result, "instructions", instructions);
	return result;
}

static void add_revisions(struct arena *arena, struct json *parent, const char *name)
{
	struct json *list = json_set_array(arena, parent, name);
	for (size_t i = 0; i < REVISIONS; i++)
		json_add_text(arena, list, revisions[i].name);
}

static struct json *discover(struct request *r)
{
	struct json *result = new_result(r);
	add_revisions(r->arena, result, "supportedVersions");
	add_abilities(r, result);
	json_set_text(r->arena, result, "instructions", instructions);
	add_keeping(r, result);
	return result;
}

static struct json *ping(struct request *r)
{
	return new_result(r);
}

static struct json *list_tools(struct request *r)
{
	const struct mcp_tool *tool;
	if (json_get(r->params, "cursor")) {
		fail(r, MCP_INVALID_PARAMS, "the list of tools has one page: no cursor is valid");
		return NULL;
	}
	struct json *result = new_result(r);
	struct json *tools = json_set_array(r->arena, result, "tools");
	for (size_t i = 0; (tool = mcp_tool_at(r->server, i)); i++)
		mcp_describe(r->arena, r->server, tool, tools);
	add_keeping(r, result);
	return result;
}

static struct json *call_tool(struct request *r)
{
	const char *name = json_text(r->params, "name", NULL);
	const struct json *arguments = json_get(r->params, "arguments");
	const struct mcp_tool *tool = name ? mcp_tool_named(r->server, name) : NULL;
	if (!tool) {
		fail(r, MCP_INVALID_PARAMS, "%s: %.80s", name ? "unknown tool" : "missing",
		     name ? name : "the name of a tool");
		return NULL;
	}
	if (arguments && arguments->type != JSON_OBJECT) {
		fail(r, MCP_INVALID_PARAMS, "arguments must be an object");
		return NULL;
	}
	struct json *result = new_result(r);
	struct mcp_call call = {
		.server = r->server, .tool = tool, .id = r->id, .arguments = arguments};
	mcp_call_run(r->arena, &call, result);
	r->cancelled = call.cancelled;
	return result;
}

static const struct method {
	const char *name;
	unsigned eras;
	struct json *(*run)(struct request *r); /* NULL after fail() */
} methods[] = {
	{"initialize", ERA_HANDSHAKE, initialize},
	{"ping", ERA_HANDSHAKE, ping},
	{"server/discover", ERA_STATELESS, discover},
	{"tools/list", ERA_STATELESS | ERA_HANDSHAKE, list_tools},
	{"tools/call", ERA_STATELESS | ERA_HANDSHAKE, call_tool},
};

/* --- from a line to an answer --- */

static void refuse_revision(struct request *r, const char *wanted)
{
	fail(r, MCP_UNSUPPORTED_VERSION, "Unsupported protocol version");
	struct json *data = json_set_object(r->arena, r->failure, "data");
	add_revisions(r->arena, data, "supported");
	json_set_text(r->arena, data, "requested", wanted);
}

/* The era of a request: that of the revision it names, else that of initialize. */
static void choose_era(struct request *r, const struct method *method)
{
	const struct json *meta = json_get(r->params, "_meta");
	const struct json *named = json_get(meta, version_key);
	const struct json *abilities = json_get(meta, capabilities_key);
	size_t i = 0;
	r->era = ERA_HANDSHAKE;
	const bool may_omit = method->run == ping || r->server->greeted;
	if (method->run == initialize || (!named && may_omit))
		return;
	if (!named || named->type != JSON_STRING) {
		fail(r, MCP_INVALID_PARAMS,
		     "the request names no protocol version: set %s in _meta, or begin with "
		     "initialize",
		     version_key);
		return;
	}
	while (i < REVISIONS && strcmp(revisions[i].name, named->text) != 0)
		i++;
	if (i == REVISIONS) {
		refuse_revision(r, named->text);
		return;
	}
	r->era = revisions[i].era;
	if (r->era == ERA_STATELESS && (!abilities || abilities->type != JSON_OBJECT))
		fail(r, MCP_INVALID_PARAMS, "_meta lacks %s", capabilities_key);
}

static struct json *run_method(struct request *r)
{
	const struct method *method = NULL;
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		if (strcmp(methods[i].name, r->method) == 0)
			method = &methods[i];
	if (r->params && r->params->type != JSON_OBJECT)
		fail(r, MCP_INVALID_PARAMS, "params must be an object");
	else if (method)
		choose_era(r, method);
	if (r->failure)
		return NULL;
	if (method && method->eras & r->era)
		return method->run(r);
	fail(r, MCP_UNKNOWN_METHOD, "unknown method: %.80s", r->method);
	return NULL;
}

/* False: the message gets no answer. */
static bool read_message(struct request *r, const struct json *message)
{
	const struct json *id = json_get(message, "id");
	const struct json *method = json_get(message, "method");
	const char *revision = json_text(message, "jsonrpc", "");
	if (message->type == JSON_ARRAY) {
		fail(r, MCP_INVALID_REQUEST, "a line is one message: batches are refused");
		return true;
	}
	if (message->type != JSON_OBJECT) {
		fail(r, MCP_INVALID_REQUEST, "a message is an object");
		return true;
	}
	/* An answer to a response could be taken for that to a request of the same id. */
	if (!method && (json_get(message, "result") || json_get(message, "error")))
		return false;
	if (id && (id->type == JSON_STRING || id->type == JSON_NUMBER))
		r->id = id;
	r->params = json_get(message, "params");
	if (strcmp(revision, "2.0") != 0)
		fail(r, MCP_INVALID_REQUEST, "jsonrpc must be \"2.0\"");
	else if (id && !r->id)
		fail(r, MCP_INVALID_REQUEST, "id must be a string or a number");
	else if (!method || method->type != JSON_STRING)
		fail(r, MCP_INVALID_REQUEST, "method must be a string");
	else
		r->method = method->text;
	return r->failure || id;
}

/* The id as it came. Where it is not known, there is none: the protocol has no null. */
static void add_id(const struct request *r, struct json *answer)
{
	if (r->id && r->id->type == JSON_STRING)
		json_set_text(r->arena, answer, "id", r->id->text);
	else if (r->id)
		json_set_number(r->arena, answer, "id", r->id->number);
}

static void write_answer(const struct request *r, struct json *result, struct strbuf *out)
{
	struct json *answer = json_object(r->arena);
	struct json *body = r->failure ? r->failure : result;
	assert(body);
	json_set_text(r->arena, answer, "jsonrpc", "2.0");
	add_id(r, answer);
	body->name = r->failure ? "error" : "result";
	json_append(answer, body);
	json_write(out, answer, true);
	strbuf_addch(out, '\n');
}

void mcp_answer(struct mcp_server *server, struct span message, struct strbuf *out)
{
	struct arena arena = {0};
	struct request r = {.server = server, .arena = &arena};
	struct error why;
	struct json *result = NULL;
	const struct json *parsed = json_parse(&arena, message, &why);
	bool answers = true;
	if (!parsed)
		fail(&r, MCP_PARSE_ERROR, "%s", why.text);
	else
		answers = read_message(&r, parsed);
	if (answers && !r.failure)
		result = run_method(&r);
	if (answers && !r.cancelled)
		write_answer(&r, result, out);
	arena_free(&arena);
}

bool mcp_cancels(struct span message, const struct json *id)
{
	struct arena arena = {0};
	struct error ignored;
	const struct json *parsed = json_parse(&arena, message, &ignored);
	const char *method = json_text(parsed, "method", "");
	const struct json *named = json_get(json_get(parsed, "params"), "requestId");
	bool cancels = strcmp(method, "notifications/cancelled") == 0 && named &&
		       named->type == id->type &&
		       (id->type == JSON_STRING ? strcmp(named->text, id->text) == 0
						: named->number == id->number);
	arena_free(&arena);
	return cancels;
}

void mcp_refuse_long(struct strbuf *out)
{
	struct arena arena = {0};
	struct request r = {.arena = &arena};
	fail(&r, MCP_INVALID_REQUEST, "a message has at most %d bytes", MCP_LINE_LIMIT);
	write_answer(&r, NULL, out);
	arena_free(&arena);
}
