/* Runs on the terminal: a table, or a card each. */
#include "cli/query/query.h"
#include "render/document/key.h"

#include "render/terminal/terminal.h"
#include "render/vocabulary/vocabulary.h"

int cli_query_print_runs(struct cli *cli, const struct json *document, bool cards, bool details,
			 struct error *err)
{
	struct strbuf sb = {0};
	const struct terminal terminal = cli_terminal(cli);
	struct cli_stream stream = {.failed = false};
	const struct strbuf_drain drain = cli_drain(&stream);
	if (!cards)
		terminal_table(&cli->arena, &terminal, document, &sb);
	struct json_walk walk = json_walk_of(cards ? json_get(document, KEY(runs)) : NULL);
	for (size_t i = 0; json_walk_next(&walk); i++) {
		struct arena arena = {0};
		if (i)
			strbuf_addch(&sb, '\n');
		terminal_card(&arena, &terminal, walk.child, details, &sb);
		vocabulary_close_percents(&sb);
		strbuf_drain_long(&sb, &drain);
		arena_free(&arena);
	}
	return cli_output_rest(&stream, &sb, err);
}
