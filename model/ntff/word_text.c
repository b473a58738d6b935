/*
 * Instruction words as text, in the vendor's grammar as far as it is known:
 *
 *   S[5]>=1 S[4]++@complete src=fp32@psum+0x1000[1,1,1][128,1,1] ...
 *
 * An access is type@place[steps][counts]. Bytes that are expected to be zero and are not follow as
 * [offset]=bytes, so that no part of a word is hidden.
 */
#include "model/ntff/word.h"

#include "model/ntff/word_bytes.h"

typedef void add_operands(struct strbuf *out, const unsigned char *word);

/* --- pieces --- */

static void add_wait(struct strbuf *out, unsigned mode, unsigned id, uint64_t value)
{
	if (mode == 1)
		strbuf_addf(out, " S[%u]==%" PRIu64, id, value);
	else if (mode == 5)
		strbuf_addf(out, " S[%u]>=%" PRIu64, id, value);
	else if (mode == 7)
		strbuf_addf(out, " E[%u]==1-", id);
	else if (mode)
		strbuf_addf(out, " wait(mode=%u,id=%u,value=%" PRIu64 ")", mode, id, value);
}

/* `value` is NULL if the word has no field for it. */
static void add_update(struct strbuf *out, unsigned mode, unsigned id, const uint64_t *value)
{
	if (mode == 0x11)
		strbuf_addf(out, " E[%u]+@complete", id);
	else if (mode == 0x13)
		strbuf_addf(out, " S[%u]++@complete", id);
	else if (mode == 0x14)
		strbuf_addf(out, " S[%u]--@complete", id);
	else if (mode == 0x15 && value)
		strbuf_addf(out, " S[%u]+=%" PRIu64 "@complete", id, *value);
	else if (mode == 0x19 && value)
		strbuf_addf(out, " S[%u]=%" PRIu64 "@complete", id, *value);
	else if (mode)
		strbuf_addf(out, " update(mode=0x%02x,id=%u)", mode, id);
}

/* Appends the nonzero bytes in [at, end), in groups of four. */
static void add_rest(struct strbuf *out, const unsigned char *word, size_t at, size_t end)
{
	for (; at < end; at += 4) {
		if (u32_at(word, at) == 0)
			continue;
		strbuf_addf(out, " [%zu]=", at);
		for (size_t i = at; i < at + 4 && i < end; i++)
			strbuf_addf(out, "%02x", word[i]);
	}
}

static void add_dtype(struct strbuf *out, int code)
{
	const char *name = ntff_dtype_name(code);
	if (name)
		strbuf_addstr(out, name);
	else
		strbuf_addf(out, "dtype%d", code);
}

static void add_address(struct strbuf *out, uint64_t address)
{
	if (address < psum_start)
		strbuf_addf(out, "sbuf+0x%" PRIx64, address);
	else
		strbuf_addf(out, "psum+0x%" PRIx64, address - psum_start);
}

static void add_chip(struct strbuf *out, const char *label, const unsigned char *word, size_t at,
		     size_t dimensions, int dtype)
{
	strbuf_addf(out, " %s=", label);
	add_dtype(out, dtype & 15);
	strbuf_addch(out, '@');
	add_address(out, u32_at(word, at));
	strbuf_addch(out, '[');
	for (size_t i = 0; i < dimensions; i++)
		strbuf_addf(out, "%s%" PRId64, i ? "," : "", i16_at(word, at + 4 + 2 * i));
	strbuf_addstr(out, "][");
	for (size_t i = 0; i < dimensions; i++)
		strbuf_addf(out, "%s%" PRIu64, i ? "," : "",
			    u16_at(word, at + 4 + 2 * dimensions + 2 * i));
	strbuf_addch(out, ']');
}

static void add_alu(struct strbuf *out, unsigned code)
{
	static const char *const names[] = {
		[0] = "BYPASS", [4] = "ADD", [6] = "MULTIPLY", [8] = "MAX"};
	if (code < sizeof names / sizeof *names && names[code])
		strbuf_addstr(out, names[code]);
	else
		strbuf_addf(out, "alu%u", code);
}

/* --- engines' work --- */

static void add_pe(struct strbuf *out, const unsigned char *word)
{
	static const char *const passes[] = {"", " fp32_mode=LOW", " fp32_mode=HIGH",
					     " fp32_mode=LOW_HIGH"};
	if (word[0] == NTFF_MATMUL)
		strbuf_addf(out, " acc_flags=%d", word[43]);
	if (word[33] < 4)
		strbuf_addstr(out, passes[word[33]]);
	else
		strbuf_addf(out, " fp32_mode=%d", word[33]);
	if (word[34])
		strbuf_addf(out, " transpose_mode=%s", word[34] == 1 ? "ENABLED" : "unknown");
	add_chip(out, "src", word, 16, 3, word[32]);
	if (word[0] == NTFF_MATMUL)
		add_chip(out, "dst", word, 48, 3, word[32]);
	strbuf_addf(out, " %d*%d", word[38], word[39]);
}

static void add_activate(struct strbuf *out, const unsigned char *word)
{
	if (word[35] == 0x07 || word[35] == 0x80)
		strbuf_addstr(out, word[35] == 0x07 ? " EXP" : " COPY");
	else
		strbuf_addf(out, " function=0x%02x", word[35]);
	/* Two forms are known: a pointer, and a number for which both of these bytes are set. */
	if (u32_at(word, 12) == 0) {
		strbuf_addstr(out, " bias=");
		add_dtype(out, word[32] >> 4);
		strbuf_addch(out, '@');
		add_address(out, u32_at(word, 40));
	} else if (u32_at(word, 12) == 0x01000001) {
		strbuf_addf(out, " bias=%.9g", f32_at(word, 40));
	} else {
		add_rest(out, word, 12, 16);
		add_rest(out, word, 40, 44);
	}
	add_chip(out, "src", word, 16, 3, word[32]);
	add_chip(out, "dst", word, 48, 3, word[33]);
	strbuf_addf(out, " channels=%d scale=%.9g", word[34], f32_at(word, 36));
}

static void add_tensor_scalar(struct strbuf *out, const unsigned char *word)
{
	strbuf_addstr(out, " ops=");
	add_alu(out, word[36]);
	strbuf_addch(out, ',');
	add_alu(out, word[37]);
	for (size_t i = 0; i < 2; i++) {
		strbuf_addstr(out, i ? "," : " imm=");
		if (word[35] & 1 << i)
			add_address(out, u32_at(word, 40 + 4 * i));
		else
			strbuf_addf(out, "0x%" PRIx64, u32_at(word, 40 + 4 * i));
	}
	add_chip(out, "src", word, 16, 3, word[32]);
	add_chip(out, "dst", word, 48, 3, word[33]);
	strbuf_addf(out, " channels=%d", word[34]);
}

static void add_4d(struct strbuf *out, const unsigned char *word)
{
	add_chip(out, "src", word, 12, 4, word[32]);
	add_chip(out, "dst", word, 44, 4, word[33]);
	strbuf_addf(out, " channels=%d", word[34]);
}

static void add_reduce(struct strbuf *out, const unsigned char *word)
{
	strbuf_addstr(out, " op=");
	add_alu(out, word[36]);
	if (word[37] == 2)
		strbuf_addstr(out, " dim=X");
	else
		strbuf_addf(out, " dim=%d", word[37]);
	if (word[35])
		strbuf_addf(out, " negated=%d", word[35]);
	add_4d(out, word);
}

/* --- data movement --- */

/* One side of a DMA_DIRECT2D: address, steps, counts;
 * `element` is the size of an element, bytes. */
static void add_dma_side(struct strbuf *out, const char *label, const struct ntff_access *access,
			 const unsigned char *word, size_t at, uint64_t element)
{
	strbuf_addf(out, " %s=", label);
	add_dtype(out, access->dtype);
	if (access->kind == NTFF_SBUF)
		strbuf_addf(out, "@sbuf+0x%" PRIx64, access->address);
	else if (access->address >> 56 == 0x20)
		strbuf_addf(out, "@tensor%" PRIu64 "+0x%" PRIx64, access->address >> 32 & 0xffffff,
			    access->address & 0xffffffff);
	else
		strbuf_addf(out, "@0x%" PRIx64, access->address);
	strbuf_addf(out, "[%" PRIu64 ",%" PRIu64 "][%" PRIu64 ",%" PRIu64 "]*%" PRIu64,
		    u32_at(word, at + 8), u32_at(word, at + 12), u16_at(word, at + 16),
		    u16_at(word, at + 18), element);
}

static void add_dma(struct strbuf *out, const unsigned char *word)
{
	struct ntff_effect effect = ntff_word_effect(word);
	add_dma_side(out, "src", &effect.source, word, 16, u32_at(word, 36));
	add_dma_side(out, "dst", &effect.target, word, 40, u16_at(word, 60));
	strbuf_addf(out, " S[%d]+=%d@complete", word[13], word[14]);
}

static void add_write(struct strbuf *out, const unsigned char *word)
{
	for (size_t i = 0; i < 2; i++)
		if (word[12 + i])
			strbuf_addf(out, " 0x%" PRIx64 "=0x%" PRIx64 "*%d",
				    number_at(word, 16 + 8 * i, 8), number_at(word, 32 + 8 * i, 8),
				    word[12 + i]);
}

/* TENSOR_LOAD and TENSOR_STORE move data between memory and registers. */
static void add_registers(struct strbuf *out, const unsigned char *word)
{
	unsigned count = (unsigned)word[14] * word[15];
	strbuf_addstr(out, " addr=");
	add_dtype(out, word[12] & 15);
	strbuf_addf(out, "@0x%" PRIx64, number_at(word, 16, 8));
	/* In another, unknown form these bytes are not steps. */
	if (word[13] || count > 8) {
		strbuf_addf(out, "[?][%d,%d] form=%d", word[14], word[15], word[13]);
		add_rest(out, word, 24, 64);
		return;
	}
	strbuf_addf(out, "[%" PRIu64 ",%" PRIu64 "][%d,%d] data=", u32_at(word, 24),
		    u32_at(word, 28), word[14], word[15]);
	for (unsigned i = 0; i < count; i++)
		strbuf_addf(out, "%sR[%d]", i ? "," : "", word[32 + i]);
	add_rest(out, word, 40, 64);
}

/* --- control --- */

static void add_event_semaphore(struct strbuf *out, const unsigned char *word)
{
	uint64_t value = u32_at(word, 40);
	add_wait(out, word[32], word[33], u32_at(word, 36));
	add_update(out, word[34], word[35], &value);
}

static void add_notify(struct strbuf *out, const unsigned char *word)
{
	strbuf_addf(out, " hint=%d", word[36]);
	if (word[36] == NTFF_NOTIFY_START || word[36] == NTFF_NOTIFY_END)
		strbuf_addf(out, " (program %s)",
			    word[36] == NTFF_NOTIFY_START ? "starts" : "ends");
	if (word[39] != 1)
		strbuf_addf(out, " trace=%d", word[39]);
}

bool ntff_word_branch(const unsigned char word[64], int64_t *distance)
{
	if (word[0] != NTFF_COMPARE_BRANCH)
		return false;
	*distance = (int32_t)(uint32_t)u32_at(word, 48) / 64;
	return true;
}

static void add_branch(struct strbuf *out, const unsigned char *word)
{
	int64_t distance;
	if (word[12] == 0)
		strbuf_addstr(out, " ALWAYS");
	else if (word[12] == 3)
		strbuf_addstr(out, " EQ ");
	else
		strbuf_addf(out, " compare=%d ", word[12]);
	if (word[12])
		add_dtype(out, word[13] & 15);
	/* The positions of the register and of the number are unknown:
	 * only R[0] and 0 were seen. */
	bool zero = true;
	for (size_t i = 16; i < 48; i++)
		zero = zero && word[i] == 0;
	if (word[12] && zero)
		strbuf_addstr(out, " R[0],0");
	if (ntff_word_branch(word, &distance))
		strbuf_addf(out, " to=%+" PRId64, distance);
	if (word[14] != 3)
		strbuf_addf(out, " form=%d", word[14]);
}

static void add_nop(struct strbuf *out, const unsigned char *word)
{
	strbuf_addf(out, " cycle=%" PRIu64, u32_at(word, 12));
}

static void add_clear(struct strbuf *out, const unsigned char *word)
{
	if (word[12] == 1)
		strbuf_addf(out, " S[%d..%d]=0", word[13], word[14]);
	else
		strbuf_addf(out, " mode=%d first=%d last=%d", word[12], word[13], word[14]);
}

static void add_ordering(struct strbuf *out, const unsigned char *word)
{
	if (word[12] > 1)
		strbuf_addf(out, " mode=%d", word[12]);
	else
		strbuf_addstr(out, word[12] ? " strict" : " relaxed");
}

/* The operands of an opcode with an unknown layout. */
static void add_bytes(struct strbuf *out, const unsigned char *word)
{
	size_t last = 64;
	while (last > 12 && word[last - 1] == 0)
		last--;
	strbuf_addstr(out, last > 12 ? " bytes 12.." : "");
	for (size_t i = 12; i < last; i++)
		strbuf_addf(out, "%s%02x", i % 4 == 0 ? " " : "", word[i]);
}

/* How the operands of an opcode are written, and the bytes that are expected to be zero, as ranges
 * [from, to). */
static const struct operands {
	add_operands *add;
	unsigned char zeros[2][2];
} operands[256] = {
	[NTFF_LDWEIGHTS] = {.add = add_pe},
	[NTFF_MATMUL] = {.add = add_pe},
	[NTFF_ACTIVATE] = {add_activate, {{44, 48}}},
	[0x23] = {NULL, {{12, 64}}},
	[0x42] = {add_reduce, {{40, 44}}},
	[0x43] = {add_tensor_scalar, {{12, 16}}},
	[0x46] = {add_4d, {{36, 44}}},
	[0x47] = {add_4d, {{36, 44}}},
	[0x48] = {add_4d, {{36, 44}}},
	[NTFF_EVENT_SEMAPHORE] = {add_event_semaphore, {{12, 32}, {44, 64}}},
	[0xa2] = {NULL, {{12, 64}}},
	[0xa4] = {add_nop, {{16, 64}}},
	[NTFF_WRITE] = {add_write, {{48, 64}}},
	[NTFF_NOTIFY] = {add_notify, {{12, 36}, {40, 64}}},
	[NTFF_COMPARE_BRANCH] = {add_branch, {{16, 48}, {52, 64}}},
	[0xaa] = {.add = add_registers},
	[0xab] = {.add = add_registers},
	[0xb0] = {add_clear, {{16, 64}}},
	[0xb1] = {add_ordering, {{16, 64}}},
	[NTFF_DMA_DIRECT2D] = {.add = add_dma},
};

void ntff_word_text(struct strbuf *out, const unsigned char word[64])
{
	const struct operands *known = &operands[word[0]];
	add_wait(out, word[4], word[5], u32_at(word, 8));
	add_update(out, word[6], word[7], NULL);
	if (known->add)
		known->add(out, word);
	else if (!known->zeros[0][1])
		add_bytes(out, word);
	for (size_t i = 0; i < 2; i++)
		add_rest(out, word, known->zeros[i][0], known->zeros[i][1]);
	if (word[3])
		strbuf_addf(out, " debugHint=%d", word[3]);
}
