/*
 * The 64-byte instruction word of a NeuronCore engine: its opcode, what it computes and moves, and
 * its text. docs/formats/ntff.md, section "Instruction words", describes the layouts and how
 * certain they are.
 *
 * FLOP: a MATMUL that streams N columns past an array of r x c cells performs 2 r c N FLOP. Bytes
 * on the chip are those of one partition, as in the vendor's profiler; for DMA they are the total.
 */
#pragma once

#include "base/base.h"

enum ntff_opcode {
	NTFF_LDWEIGHTS = 0x01,
	NTFF_MATMUL = 0x02,
	NTFF_ACTIVATE = 0x21,
	NTFF_EVENT_SEMAPHORE = 0xa0,
	NTFF_WRITE = 0xa5,
	NTFF_NOTIFY = 0xa6,
	NTFF_COMPARE_BRANCH = 0xa9,
	NTFF_DMA_DIRECT2D = 0xb8
};

/* The event that a NOTIFY signals: byte 36 of its word. */
enum { NTFF_NOTIFY_START = 2, NTFF_NOTIFY_END = 3 };

/* The memory that an access refers to. */
enum ntff_memory_kind { NTFF_NOWHERE, NTFF_SBUF, NTFF_PSUM, NTFF_HBM };

struct ntff_access {
	enum ntff_memory_kind kind;
	uint64_t address; /* on the chip: from the start of SBUF; else as in the word */
	uint64_t bytes;   /* moved: of one partition on the chip, the total for DMA */
	uint64_t extent;  /* bytes of a partition from the first to the last, inclusive */
	int dtype;        /* the word's code; 0 none */
	bool sized;       /* false: unknown element size, or an implausible amount; bytes is 0 */
};

struct ntff_effect {
	bool known;                        /* the layout of the opcode is known */
	struct ntff_access source, target; /* kind NTFF_NOWHERE: none */
	/* For LDWEIGHTS and MATMUL: */
	uint64_t columns; /* streamed past the array; for LDWEIGHTS: columns of the weights */
	int array_rows, array_columns;
	bool transpose; /* flagged, since trn2 */
	uint64_t flops; /* of MATMUL; UINT64_MAX: at least that many */
};

/* "MATMUL"; NULL for an opcode without a name. */
const char *ntff_opcode_name(unsigned opcode);
/* "bf16" as hardware.h writes it, "int32" ...; NULL for an unknown code. */
const char *ntff_dtype_name(int code);
struct ntff_effect ntff_word_effect(const unsigned char word[64]);
/* The distance of a branch in instructions, relative to itself;
 * false if the word is not a branch. */
bool ntff_word_branch(const unsigned char word[64], int64_t *distance);
/* Appends what the instruction waits for, what it updates, and its operands: one line with a
 * leading blank, without the opcode's name. If the layout is unknown, the word's bytes are
 * appended. */
void ntff_word_text(struct strbuf *out, const unsigned char word[64]);
