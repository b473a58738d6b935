/* The programs of a core's engines, read where an instruction needs its word. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "model/ntff/ntff.h"
#include "ingest/input/random_access.h"

enum { ntff_program_window = 16 * 1024 };

/* A window of one engine's program. */
struct ntff_program {
	const struct ntff_stream *stream;
	uint64_t at; /* of the window, from the program's start */
	size_t len;  /* 0: nothing read yet */
	unsigned char window[ntff_program_window];
};

/* Index of the word of the instruction at an address of which a record keeps 20 bits. */
static inline uint32_t ntff_pc(const struct ntff_stream *stream, uint32_t address)
{
	return (address - (uint32_t)(stream->address >> 6)) & 0xfffff;
}

/* *word: the 64 bytes, valid until the next call; NULL when the program has no such index. */
int ntff_program_word(struct ntff_program *program, struct random_access *bytes, uint32_t pc,
		      const unsigned char **word, struct error *err);
