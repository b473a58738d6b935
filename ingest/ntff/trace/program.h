/* The programs of a core's engines, of which only the words of executed instructions are read. */
#pragma once

#include "base/base.h"
#include "model/ntff/ntff.h"
#include "ingest/input/random_access.h"

enum { ntff_program_window = 16 * 1024 };

/* A window on one engine's program. */
struct ntff_program {
	const struct ntff_stream *stream;
	uint64_t at; /* start of the window, bytes from the program's start */
	size_t len;  /* of the window, bytes; 0: nothing read yet */
	unsigned char window[ntff_program_window];
};

/* The index of an instruction's word. A record has only 20 bits of the address. */
static inline uint32_t ntff_pc(const struct ntff_stream *stream, uint32_t address)
{
	return (address - (uint32_t)(stream->address >> 6)) & 0xfffff;
}

/* Sets *word to the instruction's 64 bytes, valid until the next call; NULL if the program has no
 * such index. 0, or -1 and *err. */
int ntff_trace_program_word(struct ntff_program *program, struct random_access *bytes, uint32_t pc,
			    const unsigned char **word, struct error *err);
