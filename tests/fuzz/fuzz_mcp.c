/* cli/query/mcp: whatever a client sends, an answer is one line of JSON or nothing, and no text of
 * an argument becomes an option. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/query/mcp/mcp.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void require(bool truth)
{
	if (!truth)
		abort();
}

/* The words before the first that a client chose are those of the tool; of its own, each begins
 * with the form of an argument. */
static void check_words(const struct mcp_tool *tool, const char *const *words)
{
	bool options = true;
	size_t count = 1;
	require(strcmp(words[0], "/proc/self/exe") == 0);
	for (size_t i = 0; tool->command[i]; i++)
		require(strcmp(words[count++], tool->command[i]) == 0);
	for (; words[count] && !(tool->runs_commands && !options); count++) {
		const char *word = words[count];
		bool known = options && strcmp(word, "--") == 0;
		options = options && !known;
		for (const struct mcp_argument *row = tool->arguments; row->name; row++)
			known = known ||
				(row->form && strncmp(word, row->form, strlen(row->form)) == 0 &&
				 word[strlen(row->form)] != '-') ||
				span_text_eq(word, row->otherwise);
		require(known && (options || word[0] != '-' || strcmp(word, "--") == 0));
	}
}

static void check_call(struct arena *arena, struct mcp_server *server, const struct json *params)
{
	const char *name = json_text(params, "name", "");
	struct error err = {0};
	struct mcp_call call = {.server = server,
				.tool = mcp_tool_named(server, name),
				.arguments = json_get(params, "arguments")};
	if (!call.tool || (call.arguments && call.arguments->type != JSON_OBJECT))
		return;
	const char *const *words = mcp_command_line(arena, &call, &err);
	require(words || err.kind == ERR_USAGE);
	if (words)
		check_words(call.tool, words);
}

/* The first byte says whether the client has sent initialize. Tools are not run. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct run_command items[] = {{.name = "bench", .command = "./bench"}};
	const struct run_command_list commands = {.items = items, .count = 1};
	struct cli cli = {.now = 0};
	struct mcp_server server = {
		.cli = &cli, .commands = &commands, .greeted = len && bytes[0] == 'g'};
	struct arena arena = {0};
	struct error err = {0};
	struct strbuf answer = {0};
	const struct span message = {(const char *)bytes + 1, len ? len - 1 : 0};
	struct json *parsed = len ? json_parse(&arena, message, &err) : NULL;
	if (strcmp(json_text(parsed, "method", ""), "tools/call") == 0) {
		check_call(&arena, &server, json_get(parsed, "params"));
	} else if (len) {
		mcp_answer(&server, message, &answer);
		const struct span text = strbuf_span(&answer);
		require(!text.len ||
			(span_find(text, "\n") == text.len - 1 && json_parse(&arena, text, &err)));
	}
	strbuf_free(&answer);
	arena_free(&arena);
	return 0;
}
