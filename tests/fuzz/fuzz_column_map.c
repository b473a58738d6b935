/* A map of columns in the first line, then a table of any bytes. */
#include "ingest/table/table.h"
#include "tests/fuzz/mutate/reader_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct arena arena = {0};
	struct ingest_result result = {0};
	struct error err = {0};
	struct span rest = {(const char *)bytes, size};
	struct span map = span_cut(&rest, '\n');
	if (memchr(map.ptr ? map.ptr : "", 0, map.len))
		return 0;
	if (!rest.ptr)
		rest = (struct span){"", 0};
	const struct input_hints hints = {.columns = arena_strndup(&arena, map.ptr, map.len)};
	struct input *input = input_of_bytes(rest);
	input_set_hints(input, &hints);
	table_fits(rest, hints.columns, &err);
	err = (struct error){0};
	int rc = table_reader.read(&arena, input, &result, &err);
	REQUIRE(rc == 0 ? result.runs.count > 0
			: result.runs.count == 0 && err.kind && err.text[0]);
	require_result(&result);
	input_close(input);
	arena_free(&arena);
	return 0;
}
