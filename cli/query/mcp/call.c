/* Runs rooflog for a tool, and makes a result of what it prints. */
#include "cli/query/mcp/mcp.h"

#include "base/system/system.h"
#include "render/document/key.h"

enum {
	OUTPUT_LIMIT = 32 << 20, /* bytes that are read to be shortened */
	POINTS = 100,            /* of a series, unless more are asked for */
	GRACE_SECONDS = 5        /* for what a command has to tidy up */
};

static void add_text(struct arena *arena, struct json *content, const char *text)
{
	struct json *item = json_add_object(arena, content);
	json_set_text(arena, item, "type", "text");
	json_set_text(arena, item, "text", text);
}

static void say_error(struct arena *arena, struct json *result, const char *text)
{
	add_text(arena, json_set_array(arena, result, "content"), text);
	json_set_bool(arena, result, "isError", true);
}

/* --- the document, shortened --- */

static bool is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

/* Moves those members into a new object that are among the names, or those that are not. */
static struct json *select_members(struct arena *arena, struct json *object,
				   const char *const *names, bool among)
{
	struct json *kept = json_object(arena);
	kept->name = object->name;
	for (struct json *child = object->first, *next; child; child = next) {
		next = child->next;
		if (is_among(child->name, names) == among)
			json_append(kept, child);
	}
	return kept;
}

static void shorten_runs(struct arena *arena, struct json *runs, const char *const *names)
{
	struct json *item = runs->first, *next;
	runs->first = runs->last = NULL;
	runs->count = 0;
	for (; item; item = next) {
		next = item->next;
		json_append(runs, item->type == JSON_OBJECT
					  ? select_members(arena, item, names, true)
					  : item);
	}
}

/* Keeps the first points, which are the latest. */
static void shorten_series(struct json *document, const struct json *arguments)
{
	const size_t count = (size_t)json_number(arguments, KEY(count), POINTS);
	for (struct json_walk walk = json_walk_of(json_get(document, KEY(series)));
	     json_walk_next(&walk);) {
		struct json *points = json_get(walk.child, KEY(points));
		struct json *last = points ? points->first : NULL;
		if (!points || points->count <= count)
			continue;
		for (size_t i = 1; i < count; i++)
			last = last->next;
		last->next = NULL;
		points->last = last;
		points->count = (uint32_t)count;
	}
}

static struct json *shorten(struct arena *arena, const struct mcp_tool *tool,
			    const struct json *arguments, struct json *document)
{
	struct json *runs = json_get(document, KEY(runs));
	const bool whole = json_truth(arguments, KEY(details));
	if (tool->of_runs && !whole && runs && runs->type == JSON_ARRAY)
		shorten_runs(arena, runs, tool->of_runs);
	if (tool->shortens_series)
		shorten_series(document, arguments);
	return tool->without ? select_members(arena, document, tool->without, false) : document;
}

/* --- the result --- */

static void say_document(struct arena *arena, const struct mcp_tool *tool, struct json *document,
			 const char *remarks, struct json *result)
{
	struct strbuf text = {0};
	json_write(&text, document, true);
	if (text.len > MCP_ANSWER_LIMIT) {
		say_error(arena, result,
			  arena_printf(arena,
				       "the answer has %zu bytes, more than the limit of %d: %s",
				       text.len, MCP_ANSWER_LIMIT, tool->narrow));
	} else {
		struct json *content = json_set_array(arena, result, "content");
		add_text(arena, content, strbuf_text(&text));
		if (remarks[0])
			add_text(arena, content, remarks);
		document->name = "structuredContent";
		json_append(result, document);
		json_set_bool(arena, result, "isError", false);
	}
	strbuf_free(&text);
}

/* 1 and from 3 on are results of a gate, 2 is an error. */
static bool is_result(int status)
{
	return status >= 0 && status <= EXIT_STALE && status != EXIT_ERROR;
}

static const char *trimmed(struct arena *arena, const struct strbuf *text)
{
	const struct span span = span_trim(strbuf_span(text));
	return arena_strndup(arena, span.ptr ? span.ptr : "", span.len);
}

static void say_output(struct arena *arena, const struct mcp_tool *tool,
		       const struct json *arguments, const struct process_result *printed,
		       struct json *result)
{
	struct error why;
	const char *remarks = trimmed(arena, &printed->error);
	if (!is_result(printed->status)) {
		say_error(arena, result,
			  remarks[0] ? remarks
				     : arena_printf(arena, "rooflog %s ended with status %d",
						    tool->command[0], printed->status));
		return;
	}
	struct json *document = json_parse(arena, strbuf_span(&printed->out), &why);
	if (!document || document->type != JSON_OBJECT)
		say_error(arena, result,
			  arena_printf(arena, "rooflog %s printed no document: %s\n%s",
				       tool->command[0], document ? "not an object" : why.text,
				       remarks));
	else
		say_document(arena, tool, shorten(arena, tool, arguments, document), remarks,
			     result);
}

/* "rooflog gate did not end within 120 s": the message without the path of the program. */
static const char *named_error(struct arena *arena, const struct mcp_tool *tool, const char *path,
			       const char *text)
{
	const size_t len = strlen(path);
	return strncmp(text, path, len) == 0
		       ? arena_printf(arena, "rooflog %s%s; %s", tool->command[0], text + len,
				      tool->narrow)
		       : text;
}

/* --- the call --- */

/* The watch comes first: its address is that of the whole. */
struct listening {
	struct process_watch watch;
	struct mcp_call *call;
};

/* Whether a line that has come calls it off. */
static bool is_cancelled(struct mcp_call *call)
{
	struct span line;
	while (!call->cancelled && mcp_lines_peek(&call->server->lines, &line))
		call->cancelled = mcp_cancels(line, call->id);
	return call->cancelled;
}

static bool hear(struct process_watch *watch)
{
	struct mcp_call *call = ((struct listening *)watch)->call;
	if (!mcp_lines_read(&call->server->lines))
		watch->fd = -1;
	return !is_cancelled(call);
}

void mcp_call_run(struct arena *arena, struct mcp_call *call, struct json *result)
{
	struct error why;
	struct process_result printed = {0};
	struct listening listening = {{call->server->lines.fd, hear}, call};
	const char *const *line = mcp_command_line(arena, call, &why);
	if (!line) {
		say_error(arena, result, why.text);
		return;
	}
	/* It may have been called off while another call ran, which has seen the line. */
	call->server->lines.seen = call->server->lines.begin;
	if (is_cancelled(call))
		return;
	const struct process_request request = {.argv = line,
						.directory = ".",
						.limit = OUTPUT_LIMIT,
						.seconds = call->tool->seconds,
						.grace = GRACE_SECONDS,
						.watch = &listening.watch};
	if (process_run(&request, &printed, &why) < 0) {
		say_error(arena, result, named_error(arena, call->tool, line[0], why.text));
		return;
	}
	say_output(arena, call->tool, call->arguments, &printed, result);
	process_result_free(&printed);
}
