/* Formats for machines: any document, and what is written is still one of its format. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/text/utf8.h"
#include "render/export/exporter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int right)
{
	if (!right)
		abort();
}

/* One JSON value, or one a line. */
static void check_json(struct arena *arena, struct span text, int lines)
{
	struct error err = {ERR_NONE, ""};
	if (!lines) {
		must(json_parse(arena, text, &err) != NULL);
		return;
	}
	while (text.len)
		must(json_parse(arena, span_cut(&text, '\n'), &err) != NULL);
}

static void check_annotations(struct span text)
{
	size_t lines = 0;
	for (; text.len; lines++) {
		struct span line = span_cut(&text, '\n');
		must(span_starts(line, "::") && utf8_is_line(line));
	}
	must(lines <= 10);
}

/* Tags stand where the program puts them. */
static void check_xml(struct span text)
{
	for (; text.len; text.ptr++, text.len--) {
		must((unsigned char)*text.ptr >= 0x20 || *text.ptr == '\n');
		must(*text.ptr != '<' ||
		     (text.len > 1 &&
		      (text.ptr[1] == '/' || text.ptr[1] == '?' || strchr("tpfes", text.ptr[1]))));
	}
}

/* Nothing is hidden but the ends of lines and cells. */
static void check_shown(struct span text)
{
	while (text.len) {
		uint32_t code;
		utf8_cut(&text, &code);
		must(!utf8_is_hidden(code) || strchr("\t\r\n", (int)code));
	}
}

static void check(struct arena *arena, const char *name, struct span text)
{
	static const char *const json[] = {"sarif", "gitlab", "badge", "brief", "jsonl"};
	must(utf8_valid_prefix(text) == text.len);
	check_shown(text);
	for (size_t i = 0; i < sizeof json / sizeof *json; i++)
		if (strcmp(name, json[i]) == 0)
			check_json(arena, text, strcmp(name, "jsonl") == 0);
	must(strcmp(name, "brief") != 0 || text.len <= 4096);
	if (strcmp(name, "github") == 0)
		check_annotations(text);
	if (strcmp(name, "junit") == 0)
		check_xml(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { size_limit = 1 << 16 };
	if (size > size_limit)
		return 0;
	for (const struct exporter *row = exporters; row->name; row++) {
		struct arena arena = {0};
		struct strbuf out = {NULL, 0, 0};
		const struct export_target to = {&out, NULL};
		struct error err = {ERR_NONE, ""};
		struct json *document =
			json_parse(&arena, (struct span){(const char *)data, size}, &err);
		if (document && export_write(row, &arena, document, &to, &err) == 0)
			check(&arena, row->name, strbuf_span(&out));
		strbuf_free(&out);
		arena_free(&arena);
	}
	return 0;
}
