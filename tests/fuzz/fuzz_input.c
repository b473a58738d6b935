/* Packed and plain bytes as an input: however they are read, the same bytes come or the same
 * failure, and what comes is never more than was asked for. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ingest/input/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define REQUIRE(condition)                                                                         \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

enum { unpacked_limit = 300000 };

/* Up to the limit; what is beyond it is left to the closing. */
static int read_all(struct span stored, size_t piece, size_t threads, struct strbuf *out,
		    struct error *err)
{
	struct span bytes = {NULL, 1};
	struct input *input = input_of_bytes(stored);
	char buffer[5000];
	int rc = 0;
	input_set_threads(input, threads);
	while (rc == 0 && bytes.len && out->len < unpacked_limit) {
		bytes.ptr = buffer;
		rc = piece ? input_read(input, buffer, piece, &bytes.len, err)
			   : input_next(input, &bytes, err);
		REQUIRE(rc == 0 || (err->kind && err->text[0]));
		REQUIRE(!piece || rc < 0 || bytes.len <= piece);
		if (rc == 0)
			strbuf_add(out, bytes.ptr, bytes.len);
	}
	input_close(input);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct {
		size_t piece, threads;
	} ways[] = {{0, 2}, {1, 1}, {5000, 2}};
	struct span stored = {(const char *)bytes, size};
	struct strbuf first = {0};
	struct error why = {.kind = ERR_NONE};
	int rc = read_all(stored, 0, 1, &first, &why);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct strbuf out = {0};
		struct error err = {.kind = ERR_NONE};
		int own = read_all(stored, ways[i].piece, ways[i].threads, &out, &err);
		size_t len = out.len < first.len ? out.len : first.len;
		bool all = first.len < unpacked_limit && out.len < unpacked_limit;
		REQUIRE(len == 0 || memcmp(out.buf, first.buf, len) == 0);
		REQUIRE(!all || own == rc);
		REQUIRE(!all || rc < 0 || out.len == first.len);
		strbuf_free(&out);
	}
	strbuf_free(&first);
	return 0;
}
