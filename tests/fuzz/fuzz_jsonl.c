/* db/jsonl: each line is refused, or a store has what it says: it can be read, and its export makes
 * the same store. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "db/jsonl/jsonl.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void require(bool truth, const struct error *err)
{
	if (truth)
		return;
	fprintf(stderr, "%s\n", err->text);
	abort();
}

/* Takes the lines into a new store. Those that are refused are left out unless `all` must be taken.
 */
static struct store *store_of(struct span text, bool all)
{
	static const struct revision_list files = {0};
	struct error err = {0};
	struct arena arena = {0};
	struct store *store;
	struct store_taken taken;
	require(store_open_memory(&files, &store, &err) == 0 && store_begin(store, &err) == 0,
		&err);
	struct store_intake *intake = store_intake_new(&arena, store);
	const struct store_taker taker = store_intake_taker(intake);
	struct jsonl_reader *reader = jsonl_reader_new(&arena, &taker, "x");
	while (text.len) {
		int rc = jsonl_read_line(reader, span_cut(&text, '\n'), &err);
		require(rc == 0 || !all, &err);
	}
	require(!all || jsonl_read_end(reader, &err) == 0, &err);
	require(store_intake_end(intake, &taken, &err) == 0 && store_commit(store, &err) == 0,
		&err);
	arena_free(&arena);
	return store;
}

static void export(struct store *store, struct strbuf *out)
{
	static const struct store_wish all = {NULL, NULL};
	struct jsonl_amount amount;
	struct error err = {0};
	require(jsonl_export(store, &all, out, NULL, &amount, &err) == 0, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct strbuf first = {0}, second = {0};
	if (len > 1 << 16)
		return 0;
	struct store *store = store_of((struct span){(const char *)bytes, len}, false);
	export(store, &first);
	struct store *copy = store_of(strbuf_span(&first), true);
	export(copy, &second);
	if (first.len != second.len || memcmp(first.buf, second.buf, first.len) != 0)
		abort();
	store_close(store);
	store_close(copy);
	strbuf_free(&first);
	strbuf_free(&second);
	return 0;
}
