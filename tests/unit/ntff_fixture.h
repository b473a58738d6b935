/* Making native traces in tests, field by field, and reading their headers. */
#ifndef TESTS_UNIT_NTFF_FIXTURE_H
#define TESTS_UNIT_NTFF_FIXTURE_H

#include <string.h>

#include "base/strbuf.h"
#include "ingest/ntff/header/header.h"
#include "tests/unit/unit.h"

static inline void put_varint(struct strbuf *out, uint64_t number)
{
	for (; number > 127; number >>= 7)
		strbuf_addch(out, (char)((number & 127) | 128));
	strbuf_addch(out, (char)number);
}

static inline void put_number(struct strbuf *out, unsigned field, uint64_t number)
{
	put_varint(out, (uint64_t)field << 3);
	put_varint(out, number);
}

static inline void put_bytes(struct strbuf *out, unsigned field, struct span bytes)
{
	put_varint(out, (uint64_t)field << 3 | 2);
	put_varint(out, bytes.len);
	strbuf_addspan(out, bytes);
}

static inline void put_text(struct strbuf *out, unsigned field, const char *text)
{
	put_bytes(out, field, span_of(text));
}

/* A message of up to four numbers in fields 1 to 4. */
static inline void put_numbers(struct strbuf *out, unsigned field, size_t count,
			       const uint64_t *numbers)
{
	struct strbuf message = {0};
	for (size_t i = 0; i < count; i++)
		put_number(&message, (unsigned)i + 1, numbers[i]);
	put_bytes(out, field, strbuf_span(&message));
	strbuf_free(&message);
}

/* A core's message inside the header's field 4. */
static inline void put_core(struct strbuf *header, struct span core)
{
	struct strbuf cores = {0}, node = {0};
	put_bytes(&cores, 1, core);
	put_bytes(&node, 4, strbuf_span(&cores));
	put_bytes(header, 4, strbuf_span(&node));
	strbuf_free(&cores);
	strbuf_free(&node);
}

/* A trace: field 6 of a core, or field 16 of the header. */
static inline void put_segment(struct strbuf *out, unsigned field, const struct ntff_segment *one)
{
	struct strbuf message = {0};
	put_number(&message, 1, one->type);
	put_number(&message, 3, one->subtype);
	put_number(&message, 4, one->index);
	put_number(&message, 5, one->at);
	put_number(&message, 6, one->size);
	put_number(&message, 7, one->nc);
	put_bytes(out, field, strbuf_span(&message));
	strbuf_free(&message);
}

/* A file that was made, and what its header says. Ended by made_free(). */
struct made {
	struct strbuf file;
	struct input *input;
	struct random_access *bytes;
	struct arena arena;
	struct ntff ntff;
	struct error err;
	int rc;
};

static inline struct made *made_of(int version, struct span header, struct span data)
{
	struct made *made = calloc(1, sizeof *made);
	ck_assert_ptr_nonnull(made);
	strbuf_addch(&made->file, (char)version);
	for (unsigned i = 0; i < 8; i++)
		strbuf_addch(&made->file, (char)(header.len >> 8 * i));
	strbuf_repeat(&made->file, "?", ntff_header_at - made->file.len);
	strbuf_addspan(&made->file, header);
	strbuf_addspan(&made->file, data);
	made->input = input_of_bytes(strbuf_span(&made->file));
	made->bytes = random_access_open(made->input, &made->err);
	ck_assert_ptr_nonnull(made->bytes);
	made->rc = ntff_header_read(&made->arena, made->bytes, &made->ntff, &made->err);
	return made;
}

static inline void made_free(struct made *made)
{
	random_access_close(made->bytes);
	input_close(made->input);
	strbuf_free(&made->file);
	arena_free(&made->arena);
	free(made);
}

#endif
