/* Devlogs: a filled file keeps its length apart from the block, and a second fill changes nothing.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "render/devlog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char block[] =
	"**Performance** (d, bfloat16, b=1):\n\n| Metric | Value |\n| ------ | ----- |\n"
	"| MFU    | 5.7%  |\n\n**Bottleneck**: Memory-bound\n";

static void fill(struct arena *arena, struct span file)
{
	struct strbuf once = {NULL, 0, 0}, twice = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	const char *entry;
	if (devlog_fill(arena, file, span_of(block), &once, &entry, &err) == 0) {
		if (span_find(strbuf_span(&once), "**Performance** (d, bfloat16, b=1):") ==
		    once.len)
			abort();
		if (devlog_fill(arena, strbuf_span(&once), span_of(block), &twice, &entry, &err) <
		    0)
			abort();
		if (!span_eq(strbuf_span(&once), strbuf_span(&twice)))
			abort();
	}
	strbuf_free(&once);
	strbuf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = {0};
	struct strbuf html = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	struct span file = {(const char *)data, size};
	fill(&arena, file);
	markdown_html(file, &html, &err);
	strbuf_free(&html);
	arena_free(&arena);
	return 0;
}
