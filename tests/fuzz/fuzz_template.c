/* Templates: any text over a fixed document and partials that are the text itself. */
#include <stddef.h>
#include <stdint.h>

#include "base/json/json.h"
#include "render/markup/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char document[] =
	"{\"a\":\"x|y <z>\",\"b\":{\"c\":{\"d\":1.5}},\"l\":[1,[2,3],{\"a\":null}],\"t\":true,"
	"\"f\":false,\"e\":\"\",\"p\":\"part\",\"n\":{\"n\":{\"n\":{}}}}";

struct parts {
	const char *self;
};

static const char *partial_of(void *context, const char *name)
{
	const struct parts *parts = context;
	switch (name[0]) {
	case 's':
		return parts->self;
	case 'p':
		return "[{{$a}}\n  {{a}}\n{{/a}}{{#l}}\n\t{{.}}\n{{/l}}]\n";
	default:
		return NULL;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { size_limit = 4096 };
	struct arena arena = {0};
	struct error err = {ERR_NONE, ""};
	if (size > size_limit)
		return 0;
	struct json *json = json_parse(&arena, span_of(document), &err);
	struct parts parts = {arena_strndup(&arena, (const char *)data, size)};
	for (int escape = TEMPLATE_ESCAPE_NONE; escape <= TEMPLATE_ESCAPE_MARKDOWN; escape++) {
		struct strbuf out = {NULL, 0, 0};
		template_render("fuzz", (struct span){(const char *)data, size}, json,
				(enum template_escape)escape, partial_of, &parts, &out, &err);
		strbuf_free(&out);
	}
	arena_free(&arena);
	return 0;
}
