/* Devlogs: a filled file shows the block, a second fill changes nothing, a new entry is put in and
 * nothing else, and a diff of it all is made.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "render/devlog/devlog.h"
#include "render/devlog/diff.h"
#include "tests/unit/markdown_html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char block[] =
	"**Performance** (d, bfloat16, b=1):\n\n| Metric | Value |\n| ------ | ----- |\n"
	"| MFU    | 5.7%  |\n\n**Bottleneck**: Memory-bound\n";

static const char proposals[] =
	"\n**Issues**:\n- small transfers\n\n**Insights**:\n- the layout pays\n";

static void fill(struct arena *arena, struct span file, const char *text)
{
	struct strbuf once = {NULL, 0, 0}, twice = {NULL, 0, 0}, diff = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	const char *unplaced;
	struct devlog_fill request = {file, span_of(text), -1, DEVLOG_ENGLISH};
	if (devlog_fill(arena, &request, &once, &unplaced, &err) == 0) {
		const struct span texts[] = {file, strbuf_span(&once)};
		struct diff_look look = {"log.md", false, false};
		diff_unified(arena, texts, &look, &diff);
		request.file = strbuf_span(&once);
		if (span_find(strbuf_span(&once), "**Performance** (d, bfloat16, b=1):") ==
		    once.len)
			abort();
		if (devlog_fill(arena, &request, &twice, &unplaced, &err) < 0)
			abort();
		if (!span_eq(strbuf_span(&once), strbuf_span(&twice)))
			abort();
	}
	strbuf_free(&once);
	strbuf_free(&twice);
	strbuf_free(&diff);
}

/* What is added is one piece: the file begins and ends as before. */
static void add(struct arena *arena, struct span file)
{
	struct strbuf out = {NULL, 0, 0}, text = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	struct devlog_entry entry;
	size_t prefix = 0, suffix = 0;
	if (devlog_next(arena, file, -1, &entry, &err) < 0)
		return;
	strbuf_addf(&text, "### V%lld: x\n\n%s%s", (long long)entry.version, block, proposals);
	struct devlog_fill request = {file, strbuf_span(&text), entry.version, entry.language};
	if (devlog_add(&request, &out, &err) == 0) {
		while (prefix < file.len && file.ptr[prefix] == out.buf[prefix])
			prefix++;
		while (suffix < file.len - prefix &&
		       file.ptr[file.len - 1 - suffix] == out.buf[out.len - 1 - suffix])
			suffix++;
		if (prefix + suffix != file.len)
			abort();
	}
	strbuf_free(&out);
	strbuf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = {0};
	struct strbuf html = {NULL, 0, 0}, text = {NULL, 0, 0};
	struct error err = {ERR_NONE, ""};
	struct span file = {(const char *)data, size};
	strbuf_addf(&text, "%s%s", block, proposals);
	fill(&arena, file, block);
	fill(&arena, file, strbuf_text(&text));
	add(&arena, file);
	markdown_html(file, &html, &err);
	strbuf_free(&html);
	strbuf_free(&text);
	arena_free(&arena);
	return 0;
}
