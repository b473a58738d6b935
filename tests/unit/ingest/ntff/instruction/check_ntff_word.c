/* Instruction words: what they compute and move, one by hand for each layout. */
#include "model/ntff/word.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"

enum { most_places = 20 };

/* A number in a word. */
struct repository_path {
	size_t at, size;
	uint64_t number;
};

static void make_word(unsigned char word[64], unsigned opcode, const struct repository_path *places)
{
	memset(word, 0, 64);
	word[0] = (unsigned char)opcode;
	for (size_t i = 0; i < most_places && places[i].size; i++)
		for (size_t k = 0; k < places[i].size; k++)
			word[places[i].at + k] = (unsigned char)(places[i].number >> 8 * k);
}

static void tell_access(struct strbuf *out, const char *label, const struct ntff_access *access)
{
	static const char *const kinds[] = {"nowhere", "sbuf", "psum", "hbm"};
	if (access->kind == NTFF_NOWHERE)
		return;
	strbuf_addf(out, " %s=%s+%" PRIx64 " %" PRIu64 "B", label, kinds[access->kind],
		    access->address, access->bytes);
	if (access->kind != NTFF_HBM)
		strbuf_addf(out, " over %" PRIu64, access->extent);
	if (!access->sized)
		strbuf_addstr(out, " unsized");
}

static void tell_effect(struct strbuf *out, const struct ntff_effect *effect)
{
	strbuf_addstr(out, effect->known ? "known" : "unknown");
	tell_access(out, "from", &effect->source);
	tell_access(out, "to", &effect->target);
	if (effect->array_rows)
		strbuf_addf(out, " %d*%d*%" PRIu64, effect->array_rows, effect->array_columns,
			    effect->columns);
	if (effect->flops)
		strbuf_addf(out, " %" PRIu64 " FLOP", effect->flops);
	if (effect->transpose)
		strbuf_addstr(out, " transpose");
}

/* Source at 16, target at 48: address, three steps, three counts. */
#define SOURCE3(address, x, y, z)                                                                  \
	{16, 4, (address)}, {20, 2, 1}, {26, 2, (x)}, {28, 2, (y)},                                \
	{                                                                                          \
		30, 2, (z)                                                                         \
	}
#define TARGET3(address, x, y, z)                                                                  \
	{48, 4, (address)}, {52, 2, 1}, {58, 2, (x)}, {60, 2, (y)},                                \
	{                                                                                          \
		62, 2, (z)                                                                         \
	}
/* At 12 and 44 with four dimensions. */
#define SOURCE4(address, x)                                                                        \
	{12, 4, (address)}, {16, 2, 1}, {24, 2, (x)}, {26, 2, 1}, {28, 2, 1},                      \
	{                                                                                          \
		30, 2, 1                                                                           \
	}
#define TARGET4(address, x)                                                                        \
	{44, 4, (address)}, {48, 2, 1}, {56, 2, (x)}, {58, 2, 1}, {60, 2, 1},                      \
	{                                                                                          \
		62, 2, 1                                                                           \
	}
#define PSUM 0x2000000

static const struct {
	unsigned opcode;
	struct repository_path places[most_places];
	const char *effect, *name;
	const char *text; /* part of it, in one piece; NULL: not looked at */
} words[] = {
	{0x01,
	 {SOURCE3(0x1000, 64, 1, 1), {32, 1, 6}, {38, 1, 128}, {39, 1, 64}},
	 "known from=sbuf+1000 128B over 128 128*64*64",
	 "LDWEIGHTS",
	 " src=bf16@sbuf+0x1000[1,0,0][64,1,1]"},
	{0x02,
	 {SOURCE3(0x2000, 512, 1, 1),
	  TARGET3(PSUM + 0x800, 512, 1, 1),
	  {32, 1, 10},
	  {38, 1, 128},
	  {39, 1, 128}},
	 "known from=sbuf+2000 2048B over 2048 to=psum+2000800 2048B over 2048 128*128*512 "
	 "16777216 "
	 "FLOP",
	 "MATMUL",
	 " dst=fp32@psum+0x800[1,0,0][512,1,1]"},
	/* All dimensions count, and the flag of a transpose. */
	{0x02,
	 {SOURCE3(0, 2, 3, 4),
	  TARGET3(PSUM, 8, 3, 1),
	  {32, 1, 7},
	  {34, 1, 1},
	  {38, 1, 2},
	  {39, 1, 5}},
	 "known from=sbuf+0 48B over 4 to=psum+2000000 48B over 16 2*5*24 480 FLOP transpose",
	 "MATMUL",
	 " 2*5"},
	/* Backwards, as weights are read: what is lowest. */
	{0x01,
	 {{16, 4, 0x10fe},
	  {20, 2, 0xffff},
	  {26, 2, 128},
	  {28, 2, 1},
	  {30, 2, 1},
	  {32, 1, 6},
	  {38, 1, 1},
	  {39, 1, 1}},
	 "known from=sbuf+1000 256B over 256 1*1*128",
	 "LDWEIGHTS",
	 "[-1,0,0][128,1,1]"},
	/* Nothing is read where a count is 0. */
	{0x02,
	 {SOURCE3(0x2000, 0, 1, 1), TARGET3(PSUM, 0, 1, 1), {32, 1, 6}, {38, 1, 128}, {39, 1, 128}},
	 "known from=sbuf+2000 0B over 0 to=psum+2000000 0B over 0 128*128*0",
	 "MATMUL",
	 NULL},
	/* More than 64 bits hold, and elements of an unknown size. */
	{0x02,
	 {SOURCE3(0, 65535, 65535, 65535),
	  TARGET3(PSUM, 1, 1, 1),
	  {32, 1, 6},
	  {38, 1, 255},
	  {39, 1, 255}},
	 "known from=sbuf+0 562924184010750B over 131070 to=psum+2000000 2B over 2 "
	 "255*255*281462092005375 18446744073709551615 FLOP",
	 "MATMUL",
	 NULL},
	{0x42,
	 {{12, 4, 0},
	  {24, 2, 65535},
	  {26, 2, 65535},
	  {28, 2, 65535},
	  {30, 2, 65535},
	  TARGET4(0x40, 1),
	  {32, 1, 12},
	  {33, 1, 0}},
	 "known from=sbuf+0 0B over 8 unsized to=sbuf+40 0B over 0 unsized",
	 "TENSOR_REDUCE",
	 NULL},
	{0x21,
	 {SOURCE3(PSUM + 0x800, 128, 4, 1),
	  TARGET3(0x3000, 128, 4, 1),
	  {32, 1, 0xaa},
	  {33, 1, 6},
	  {34, 1, 128}},
	 "known from=psum+2000800 2048B over 512 to=sbuf+3000 1024B over 256",
	 "ACTIVATE",
	 " dst=bf16@sbuf+0x3000[1,0,0][128,4,1]"},
	{0x43,
	 {SOURCE3(0x100, 16, 1, 1), TARGET3(0x200, 16, 1, 1), {32, 1, 7}, {33, 1, 3}},
	 "known from=sbuf+100 32B over 32 to=sbuf+200 16B over 16",
	 "TENSOR_SCALAR",
	 " src=fp16@sbuf+0x100[1,0,0][16,1,1]"},
	{0x42,
	 {SOURCE4(0x100, 128), TARGET4(0x200, 1), {32, 1, 6}, {33, 1, 10}},
	 "known from=sbuf+100 256B over 256 to=sbuf+200 4B over 4",
	 "TENSOR_REDUCE",
	 " src=bf16@sbuf+0x100[1,0,0,0][128,1,1,1]"},
	{0x46,
	 {SOURCE4(PSUM, 64), TARGET4(0, 64), {32, 1, 10}, {33, 1, 10}},
	 "known from=psum+2000000 256B over 256 to=sbuf+0 256B over 256",
	 "COPY",
	 NULL},
	{0x47,
	 {SOURCE4(0, 64), TARGET4(0x800, 64), {32, 1, 10}, {33, 1, 6}},
	 "known from=sbuf+0 256B over 256 to=sbuf+800 128B over 128",
	 "CAST",
	 NULL},
	{0x48,
	 {SOURCE4(0, 64), TARGET4(0x800, 64), {32, 1, 6}, {33, 1, 6}},
	 "known from=sbuf+0 128B over 128 to=sbuf+800 128B over 128",
	 "RECIPROCAL",
	 NULL},
	/* From a tensor to SBUF: 128 rows of 256 bytes, one for each partition; with a cast. */
	{0xb8,
	 {{13, 1, 20},
	  {14, 1, 16},
	  {16, 8, 0x2000000100001000},
	  {24, 4, 256},
	  {32, 2, 128},
	  {34, 2, 1},
	  {36, 4, 256},
	  {40, 8, 0x802000001000},
	  {48, 4, 0x40000},
	  {56, 2, 128},
	  {58, 2, 1},
	  {60, 2, 512},
	  {62, 1, 6},
	  {63, 1, 10}},
	 "known from=hbm+2000000100001000 32768B to=sbuf+1000 65536B over 512",
	 "DMA_DIRECT2D",
	 "=bf16@tensor1+0x1000[256,0][128,1]*256"},
	/* Within a partition, and as much of it as there is at most. */
	{0xb8,
	 {{16, 8, 0xfffc0000000},
	  {24, 4, 1024},
	  {32, 2, 4},
	  {34, 2, 1},
	  {36, 4, 256},
	  {40, 8, 0xfffc2000000},
	  {56, 2, 4},
	  {58, 2, 1},
	  {60, 2, 256}},
	 "known from=sbuf+0 1024B over 3328 to=hbm+fffc2000000 1024B",
	 "DMA_DIRECT2D",
	 NULL},
	{0xb8,
	 {{16, 8, 0xfffc1fffffc},
	  {24, 4, 0x30000},
	  {32, 2, 400},
	  {34, 2, 2},
	  {36, 4, 4},
	  {40, 8, 0x1000},
	  {56, 2, 1},
	  {58, 2, 1},
	  {60, 2, 4}},
	 "known from=sbuf+1fffffc 3200B over 262144 to=hbm+1000 4B",
	 "DMA_DIRECT2D",
	 NULL},
	{0xa0, {{4, 1, 5}, {5, 1, 20}, {8, 4, 32}}, "known", "EVENT_SEMAPHORE", "S[20]>=32"},
	{0xa6, {{6, 1, 0x13}, {7, 1, 9}, {36, 1, 2}}, "known", "NOTIFY", "S[9]++@complete"},
	{0x23, {{0}}, "known", "ACT_TABLE_LOAD", NULL},
	{0xa2, {{0}}, "known", "DRAIN", NULL},
	{0xa4, {{0}}, "known", "NOP", NULL},
	{0xa5, {{0}}, "known", "WRITE", NULL},
	{0xa9, {{0}}, "known", "COMPARE_BRANCH", NULL},
	{0xaa, {{0}}, "known", "TENSOR_LOAD", NULL},
	{0xab, {{0}}, "known", "TENSOR_STORE", NULL},
	{0xb0, {{0}}, "known", "EVENT_SEMAPHORE_RANGE_CLEAR", NULL},
	{0xb1, {{0}}, "known", "SET_ORDERING_MODE", NULL},
	/* Undocumented words are shown as they are. */
	{0x92, {{16, 2, 0x1234}, {40, 1, 7}}, "unknown", NULL, "34120000"},
	{0x41, {{0}}, "unknown", NULL, NULL},
	{0x00, {{0}}, "unknown", NULL, NULL},
	{0xff, {{0}}, "unknown", NULL, NULL},
};

START_TEST(effects_of_words)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		unsigned char word[64];
		struct strbuf out = {0};
		make_word(word, words[i].opcode, words[i].places);
		struct ntff_effect effect = ntff_word_effect(word);
		tell_effect(&out, &effect);
		ck_assert_msg(strcmp(strbuf_text(&out), words[i].effect) == 0,
			      "word %zu: %s\nnot: %s", i, strbuf_text(&out), words[i].effect);
		ck_assert(span_text_eq(ntff_opcode_name(words[i].opcode), words[i].name));
		strbuf_reset(&out);
		ntff_word_text(&out, word);
		if (words[i].text)
			ck_assert_msg(strstr(strbuf_text(&out), words[i].text) != NULL,
				      "word %zu: %s\nwithout: %s", i, strbuf_text(&out),
				      words[i].text);
		ck_assert_ptr_null(strchr(strbuf_text(&out), '\n'));
		strbuf_free(&out);
	}
}
END_TEST

/* Every opcode with bytes that make no sense is still one line and one effect. */
START_TEST(all_opcodes)
{
	unsigned char word[64];
	size_t named = 0;
	memset(word, 0xff, sizeof word);
	for (unsigned opcode = 0; opcode < 256; opcode++) {
		struct strbuf out = {0};
		word[0] = (unsigned char)opcode;
		ntff_word_text(&out, word);
		ck_assert(out.len > 0 && out.len < 600);
		struct ntff_effect effect = ntff_word_effect(word);
		ck_assert(effect.known == (ntff_opcode_name(opcode) != NULL));
		named += effect.known;
		strbuf_free(&out);
	}
	ck_assert_uint_eq(named, 20);
	ck_assert_ptr_null(ntff_opcode_name(256));
}
END_TEST

START_TEST(data_types)
{
	static const struct {
		int code;
		const char *name;
	} codes[] = {{0, NULL},    {1, "uint64"}, {6, "bf16"}, {7, "fp16"},
		     {10, "fp32"}, {15, "fp8e5"}, {16, NULL},  {-1, NULL}};
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		ck_assert(span_text_eq(ntff_dtype_name(codes[i].code), codes[i].name));
}
END_TEST

UNIT_MAIN("ntff_word", effects_of_words, all_opcodes, data_types)
