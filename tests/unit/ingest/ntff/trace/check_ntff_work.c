/* The work of a trace: what is measured, what is a bound, and what is not known. */
#include "ingest/ntff/trace/work.h"

#include <math.h>

#include "tests/unit/unit.h"

enum { trn2_sbuf_high = 0x8020 }; /* bits 32 and up of SBUF as DMA engines see it */

enum word { NO_WORD, MATMUL, HUGE_MATMUL, COPY, UNSIZED_COPY, LOAD, UNKNOWN };

static void put(unsigned char *word, size_t at, size_t size, uint64_t number)
{
	for (size_t i = 0; i < size; i++)
		word[at + i] = (unsigned char)(number >> 8 * i);
}

static void make_word(unsigned char word[64], enum word kind)
{
	static const unsigned char opcodes[] = {0xa2, 0x02, 0x02, 0x46, 0x46, 0xb8, 0x92};
	memset(word, 0, 64);
	word[0] = opcodes[kind];
	if (kind == MATMUL || kind == HUGE_MATMUL) {
		for (size_t i = 0; i < 3; i++)
			put(word, 26 + 2 * i, 2, kind == MATMUL ? 2 : 65535);
		word[32] = 6;
		word[38] = word[39] = kind == MATMUL ? 10 : 255;
	} else if (kind == COPY || kind == UNSIZED_COPY) {
		put(word, 12, 4, 0x2000000); /* from PSUM */
		for (size_t i = 0; i < 4; i++) {
			put(word, 24 + 2 * i, 2, 3);
			put(word, 56 + 2 * i, 2, 2);
		}
		word[32] = word[33] = kind == COPY ? 10 : 0;
	} else if (kind == LOAD) {
		put(word, 16, 8, (uint64_t)0x20 << 56);
		put(word, 32, 8, (uint64_t)256 << 32 | 1 << 16 | 4);
		put(word, 40, 8, (uint64_t)trn2_sbuf_high << 32);
		put(word, 56, 6, (uint64_t)256 << 32 | 1 << 16 | 4);
	}
}

static const struct ntff_queue weights = {.type = NTFF_QUEUE_WEIGHTS, .name = "qSPSpillReload0"},
			       input = {.type = NTFF_QUEUE_IO, .name = "qSPIO0"},
			       other = {.type = 7, .name = "qOther0"};

static const struct {
	enum word words[3];
	const struct ntff_queue *queue; /* queue of a static transfer, if any */
	uint32_t bytes;                 /* of it; without a queue of a dynamic one */
	uint64_t outside;
	const char *measured, *estimated; /* first letters of metrics, see `metrics` */
	const char *note;                 /* the beginning of the only one; NULL: none */
} cases[] = {
	{{MATMUL, COPY}, NULL, 0, 0, "FTHhRWPQX", "", NULL},
	{{MATMUL, LOAD}, NULL, 1024 + 64, 0, "FTHhRWPQX", "", NULL},
	{{MATMUL, LOAD},
	 NULL,
	 5000,
	 0,
	 "FTPQX",
	 "HhRW",
	 "instructions describe 1088 of 5000 bytes of the dynamic DMA queues: HBM and SBUF bytes"},
	{{MATMUL},
	 NULL,
	 5000,
	 0,
	 "FTPQX",
	 "RW",
	 "no instruction describes the 5000 bytes of the dynamic DMA queues: HBM traffic is "
	 "unknown, and SBUF bytes are lower bounds"},
	{{MATMUL}, &weights, 2048, 0, "FTRWPQX", "Hh", "hbm_read_bytes is an upper bound"},
	{{MATMUL}, &weights, 4, 0, "FTHhRWPQX", "", NULL},
	{{MATMUL}, &input, 2052, 0, "FTPQX", "HhRW", "the direction of 2048 bytes"},
	{{MATMUL},
	 &other,
	 2048,
	 0,
	 "FTPQX",
	 "DRW",
	 "unknown direction of 2048 bytes of static DMA: only total"},
	{{UNKNOWN}, NULL, 0, 0, "FTHh", "RWPQX", "SBUF and PSUM bytes are lower bounds"},
	{{UNSIZED_COPY},
	 NULL,
	 0,
	 0,
	 "FTHh",
	 "RWPQX",
	 "SBUF and PSUM bytes are lower bounds: 2 operands of unknown size"},
	{{HUGE_MATMUL}, NULL, 0, 0, "", "FTHhRWPQX", "counts overflow 64 bits"},
	{{NO_WORD},
	 NULL,
	 0,
	 1,
	 "",
	 "FTHhRWPQX",
	 "FLOP and bytes are lower bounds: 1 instruction ran"},
};

static const struct {
	char letter;
	enum metric metric;
} metrics[] = {
	{'F', METRIC_HARDWARE_FLOPS},        {'T', METRIC_TRANSPOSE_FLOPS},
	{'H', METRIC_HBM_READ_BYTES},        {'h', METRIC_HBM_WRITE_BYTES},
	{'D', METRIC_DEVICE_MEMORY_TRAFFIC}, {'R', METRIC_SBUF_READ_BYTES},
	{'W', METRIC_SBUF_WRITE_BYTES},      {'P', METRIC_PSUM_READ_BYTES},
	{'Q', METRIC_PSUM_WRITE_BYTES},      {'X', METRIC_PSUM_TO_SBUF_BYTES},
};

static void add(struct ntff_work *work, size_t number)
{
	unsigned char word[64];
	for (size_t i = 0; i < 3 && cases[number].words[i] != NO_WORD; i++) {
		make_word(word, cases[number].words[i]);
		ntff_trace_work_instruction(
			work, &(struct ntff_instruction){.in_window = true, .word = word});
	}
	const struct ntff_transfer transfer = {
		.queue = cases[number].queue,
		.class = cases[number].queue ? NTFF_DMA_STATIC : NTFF_DMA_HARDWARE,
		.status = NTFF_TRANSFER_INSIDE,
		.bytes = cases[number].bytes,
	};
	if (transfer.bytes)
		ntff_trace_work_transfer(work, &transfer);
}

static bool has(const char *letters, char letter)
{
	return strchr(letters, letter) != NULL;
}

START_TEST(bounds_are_estimated)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct run *run = run_new(&arena);
		struct ntff_work *work = ntff_trace_work_new();
		add(work, i);
		ntff_trace_work_set(&arena, run, work, true, cases[i].outside);
		for (size_t k = 0; k < sizeof metrics / sizeof *metrics; k++) {
			struct value value = run->given[metrics[k].metric];
			bool measured = has(cases[i].measured, metrics[k].letter);
			bool known = measured || has(cases[i].estimated, metrics[k].letter);
			ck_assert_msg(isnan(value.number) == !known, "case %zu: %c: %g", i,
				      metrics[k].letter, value.number);
			if (known)
				ck_assert_msg((value.provenance == PROVENANCE_MEASURED) == measured,
					      "case %zu: %c: provenance", i, metrics[k].letter);
		}
		ck_assert_msg(run->note_count == (cases[i].note != NULL), "case %zu: %zu notes", i,
			      run->note_count);
		if (cases[i].note)
			ck_assert_msg(strncmp(run->notes[0].message, cases[i].note,
					      strlen(cases[i].note)) == 0,
				      "case %zu: %s", i, run->notes[0].message);
		ntff_trace_work_free(work);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(without_a_trace_of_dma)
{
	struct arena arena = {0};
	struct run *run = run_new(&arena);
	struct ntff_work *work = ntff_trace_work_new();
	work->untraced_dma = true;
	add(work, 0);
	ntff_trace_work_set(&arena, run, work, true, 0);
	ck_assert(isnan(run->given[METRIC_HBM_READ_BYTES].number));
	ck_assert(isnan(run->given[METRIC_HBM_WRITE_BYTES].number));
	ck_assert_int_eq(run->given[METRIC_SBUF_READ_BYTES].provenance, PROVENANCE_AT_LEAST);
	ck_assert_int_eq(run->given[METRIC_PSUM_READ_BYTES].provenance, PROVENANCE_MEASURED);
	ntff_trace_work_free(work);
	arena_free(&arena);
}
END_TEST

START_TEST(sums_of_words)
{
	struct ntff_work *work = ntff_trace_work_new();
	add(work, 0);
	ck_assert_uint_eq(work->flops, 2 * 10 * 10 * 8);
	ck_assert_uint_eq(work->sbuf_read, 8 * 2);
	ck_assert_uint_eq(work->psum_read, 81 * 4);
	ck_assert_uint_eq(work->sbuf_write, 16 * 4);
	ck_assert_uint_eq(work->psum_to_sbuf, 16 * 4);
	add(work, 1);
	ck_assert_uint_eq(work->hbm_read, 1024);
	ck_assert_uint_eq(work->described, 1088);
	ck_assert_uint_eq(work->dynamic, 1088);
	ntff_trace_work_free(work);
}
END_TEST

UNIT_MAIN("ntff_work", bounds_are_estimated, without_a_trace_of_dma, sums_of_words)
