/* Instruction words: a table of opcodes and one decoder for each of their four layouts. */
#include "model/ntff/word.h"

#include "model/ntff/word_bytes.h"

enum { partition_size = 0x40000 };
/* SBUF in the address space of DMA engines. All other addresses are device memory. */
static const uint64_t sbuf_windows[] = {0xfffc0000000, 0x802000000000};

enum layout {
	LAYOUT_UNKNOWN,
	LAYOUT_NONE, /* moves no data that counts as traffic */
	LAYOUT_PE,   /* LDWEIGHTS, MATMUL */
	LAYOUT_3D,
	LAYOUT_4D,
	LAYOUT_DMA
};

static const struct opcode {
	const char *name;
	enum layout layout;
} opcodes[256] = {
	[NTFF_LDWEIGHTS] = {"LDWEIGHTS", LAYOUT_PE},
	[NTFF_MATMUL] = {"MATMUL", LAYOUT_PE},
	[NTFF_ACTIVATE] = {"ACTIVATE", LAYOUT_3D},
	[0x23] = {"ACT_TABLE_LOAD", LAYOUT_NONE},
	[0x42] = {"TENSOR_REDUCE", LAYOUT_4D},
	[0x43] = {"TENSOR_SCALAR", LAYOUT_3D},
	[0x46] = {"COPY", LAYOUT_4D},
	[0x47] = {"CAST", LAYOUT_4D},
	[0x48] = {"RECIPROCAL", LAYOUT_4D},
	[NTFF_EVENT_SEMAPHORE] = {"EVENT_SEMAPHORE", LAYOUT_NONE},
	[0xa2] = {"DRAIN", LAYOUT_NONE},
	[0xa4] = {"NOP", LAYOUT_NONE},
	[0xa5] = {"WRITE", LAYOUT_NONE},
	[NTFF_NOTIFY] = {"NOTIFY", LAYOUT_NONE},
	[0xa9] = {"COMPARE_BRANCH", LAYOUT_NONE},
	[0xaa] = {"TENSOR_LOAD", LAYOUT_NONE},
	[0xab] = {"TENSOR_STORE", LAYOUT_NONE},
	[0xb0] = {"EVENT_SEMAPHORE_RANGE_CLEAR", LAYOUT_NONE},
	[0xb1] = {"SET_ORDERING_MODE", LAYOUT_NONE},
	[NTFF_DMA_DIRECT2D] = {"DMA_DIRECT2D", LAYOUT_DMA},
};

static const struct dtype_code {
	const char *name;
	unsigned size;
} dtypes[16] = {
	[1] = {"uint64", 8}, [2] = {"int8", 1},   [3] = {"uint8", 1},  [4] = {"int16", 2},
	[5] = {"uint16", 2}, [6] = {"bf16", 2},   [7] = {"fp16", 2},   [8] = {"int32", 4},
	[9] = {"uint32", 4}, [10] = {"fp32", 4},  [11] = {"fp32r", 4}, [12] = {"int64", 8},
	[13] = {"fp8e3", 1}, [14] = {"fp8e4", 1}, [15] = {"fp8e5", 1},
};

const char *ntff_opcode_name(unsigned opcode)
{
	return opcode < 256 ? opcodes[opcode].name : NULL;
}

const char *ntff_dtype_name(int code)
{
	return code >= 0 && code < 16 ? dtypes[code].name : NULL;
}

/* --- effects --- */

/* An access pattern on the chip: an address, then a step and a count per dimension. Counts are at
 * most 65535, so the product of four fits 64 bits. Multiplied by the element size it may not. */
static struct ntff_access chip_access(const unsigned char *word, size_t at, size_t dimensions,
				      int dtype)
{
	uint64_t elements = 1, reach = 0;
	int64_t below = 0, above = 0;
	for (size_t i = 0; i < dimensions; i++) {
		int64_t step = i16_at(word, at + 4 + 2 * i);
		uint64_t count = u16_at(word, at + 4 + 2 * dimensions + 2 * i);
		elements *= count;
		int64_t span = count ? step * (int64_t)(count - 1) : 0;
		below += span < 0 ? span : 0;
		above += span > 0 ? span : 0;
	}
	const struct dtype_code *code = &dtypes[dtype & 15];
	uint64_t address = u32_at(word, at), bytes;
	bool overflow = __builtin_mul_overflow(elements, (uint64_t)code->size, &bytes);
	int64_t first = (int64_t)address + below * (int64_t)code->size;
	reach = (uint64_t)(above - below + 1) * code->size;
	return (struct ntff_access){
		.kind = address < psum_start ? NTFF_SBUF : NTFF_PSUM,
		.address = first > 0 ? (uint64_t)first : 0,
		.bytes = overflow ? 0 : bytes,
		.extent = elements ? reach : 0,
		.dtype = dtype & 15,
		.sized = code->size != 0 && !overflow,
	};
}

static void pe_effect(struct ntff_effect *effect, const unsigned char *word)
{
	int dtype = word[32] & 15;
	effect->source = chip_access(word, 16, 3, dtype);
	effect->columns = u16_at(word, 26) * u16_at(word, 28) * u16_at(word, 30);
	effect->array_rows = word[38];
	effect->array_columns = word[39];
	effect->transpose = word[34] != 0;
	if (word[0] != NTFF_MATMUL)
		return;
	effect->target = chip_access(word, 48, 3, dtype);
	if (__builtin_mul_overflow(2 * effect->columns, (uint64_t)word[38] * word[39],
				   &effect->flops))
		effect->flops = UINT64_MAX;
}

/* The kind of memory follows from the address that a DMA engine uses. */
static struct ntff_access dma_access(const unsigned char *word, size_t at, uint64_t bytes,
				     int dtype)
{
	struct ntff_access access = {
		.kind = NTFF_HBM,
		.address = number_at(word, at, 8),
		.bytes = bytes,
		.dtype = dtype & 15,
		.sized = true,
	};
	for (size_t i = 0; i < sizeof sbuf_windows / sizeof *sbuf_windows; i++)
		if (access.address >= sbuf_windows[i] &&
		    access.address - sbuf_windows[i] < psum_start) {
			access.kind = NTFF_SBUF;
			access.address -= sbuf_windows[i];
		}
	return access;
}

/* The extent of a two-dimensional access within a partition, bytes. */
static uint64_t dma_extent(uint64_t step0, uint64_t count0, uint64_t step1, uint64_t count1,
			   uint64_t element)
{
	uint64_t reach = element;
	if (step0 % partition_size && count0)
		reach += step0 * (count0 - 1);
	if (step1 % partition_size && count1)
		reach += step1 * (count1 - 1);
	return reach < partition_size ? reach : partition_size;
}

static void dma_effect(struct ntff_effect *effect, const unsigned char *word)
{
	uint64_t n0 = u16_at(word, 32), n1 = u16_at(word, 34), from = u32_at(word, 36);
	uint64_t m0 = u16_at(word, 56), m1 = u16_at(word, 58), to = u16_at(word, 60);
	effect->source = dma_access(word, 16, n0 * n1 * from, word[62]);
	effect->target = dma_access(word, 40, m0 * m1 * to, word[63]);
	effect->source.extent = dma_extent(u32_at(word, 24), n0, u32_at(word, 28), n1, from);
	effect->target.extent = dma_extent(u32_at(word, 48), m0, u32_at(word, 52), m1, to);
}

struct ntff_effect ntff_word_effect(const unsigned char word[64])
{
	struct ntff_effect effect = {.known = true};
	switch (opcodes[word[0]].layout) {
	case LAYOUT_PE:
		pe_effect(&effect, word);
		break;
	case LAYOUT_3D:
		effect.source = chip_access(word, 16, 3, word[32]);
		effect.target = chip_access(word, 48, 3, word[33]);
		break;
	case LAYOUT_4D:
		effect.source = chip_access(word, 12, 4, word[32]);
		effect.target = chip_access(word, 44, 4, word[33]);
		break;
	case LAYOUT_DMA:
		dma_effect(&effect, word);
		break;
	case LAYOUT_NONE:
		break;
	case LAYOUT_UNKNOWN:
		effect.known = false;
	}
	return effect;
}
