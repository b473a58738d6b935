/*
 * What `rooflog ntff` shows of a native Neuron trace: its header as it is, and
 * what its records add up to. ntff_dump.c gathers it in one pass; ntff_text.c
 * and ntff_json.c print it. ntff_disasm.c and ntff_events.c walk over the trace
 * themselves and print as they go.
 *
 * Sums are those of the window, as `rooflog ingest` counts them.
 */
#ifndef CLI_NTFF_DUMP_H
#define CLI_NTFF_DUMP_H

#include "cli/context.h"
#include "ingest/ntff/header/ntff.h"
#include "ingest/ntff/trace/trace.h"
#include "ingest/ntff/trace/work.h"
#include "model/timeline/interval.h"
#include "model/run/run.h"

enum { dump_top_limit = 1000, dump_throttle_limit = 1024, dump_outside = 256 };

struct dump_sum {
	uint64_t count, ps, bytes, flops;
	struct interval_union *active; /* NULL: not kept */
	uint64_t active_ps, late;      /* late: active_ps is a lower bound */
};

struct dump_core {
	struct dump_sum engines[NTFF_ENGINES];
	uint64_t instructions, flops;
};

/* Rows of the DMA table. */
enum dump_traffic {
	DUMP_STATIC,
	DUMP_STATIC_INSTRUCTION,
	DUMP_STATIC_DATA,
	DUMP_STATIC_IO,
	DUMP_STATIC_UNKNOWN,
	DUMP_SOFTWARE,
	DUMP_HARDWARE,
	DUMP_TRAFFIC_ALL,
	DUMP_TRAFFICS
};

struct dump_instruction {
	struct ntff_instruction one; /* its word is not valid any more */
	bool has_word;
	unsigned char word[ntff_word_size];
};

/* The longest instructions of a kind, the longest one first. */
struct dump_top {
	struct dump_instruction *items;
	size_t count;
	uint64_t of; /* how many there are */
};

/* How a number stands to the true one. */
enum dump_bound { DUMP_EXACT, DUMP_AT_LEAST, DUMP_AT_MOST, DUMP_ABOUT };

struct ntff_dump {
	struct arena *arena;
	const char *name; /* of the file */
	const struct ntff *ntff;
	struct random_access *bytes;
	bool names; /* the NEFF's path is shown */
	bool has_records;
	struct ntff_window window;
	struct ntff_counts counts;
	uint64_t total_ps; /* 0 unknown */
	struct dump_core *cores;
	struct dump_sum engines[NTFF_ENGINES], all;
	struct dump_sum opcodes[dump_outside + 1]; /* the last one: outside the programs */
	uint64_t instructions, events;
	struct dump_sum shown[DUMP_TRAFFICS]; /* as the vendor's tool counts */
	struct dump_sum whole[DUMP_TRAFFICS]; /* with what it leaves out */
	struct dump_top work_top, wait_top;
	size_t top_limit;
	struct ntff_throttle *throttles; /* in the window */
	size_t throttle_count;
	uint64_t more_throttles;
	struct ntff_work *work;
	struct run *run; /* what the work comes to, with notes */
};

/* Sums of what a hostile file says stay at the most that fits. */
static inline void ntff_add(uint64_t *sum, uint64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum))
		*sum = UINT64_MAX;
}

/* Reads the records. Ended by ntff_dump_free(), after a failure too. */
int ntff_dump_read(struct ntff_dump *dump, struct error *err);
void ntff_dump_free(struct ntff_dump *dump);
/* The figures of the work that are shown, in their order. */
extern const enum metric ntff_dump_work[];
extern const size_t ntff_dump_work_count;
enum dump_bound ntff_dump_bound(const struct ntff_dump *dump, enum metric metric);
/* The version without the parentheses of an unknown hash; NULL unknown. */
const char *ntff_dump_version(struct arena *arena, const struct ntff_version *version);
/* Two digits a byte, with `between` after each four bytes. */
const char *ntff_dump_hex(struct arena *arena, const unsigned char *bytes, size_t len,
			  const char *between);
/* "static: data" */
const char *ntff_traffic_name(enum dump_traffic traffic);
/* What is odd about the trace, one sentence each. */
void ntff_dump_warnings(const struct ntff_dump *dump, struct json *list);
/* The opcode's name, "opcode 0x41" without one, "(outside the program)" for dump_outside. */
const char *ntff_dump_opcode(struct arena *arena, unsigned opcode);

int ntff_print_text(struct cli *cli, const struct ntff_dump *dump, struct error *err);
int ntff_print_json(struct cli *cli, const struct ntff_dump *dump, struct error *err);
/* Those two print as they read, and return 0 when nobody reads any more. `engine` -1: all. */
int ntff_print_programs(struct cli *cli, const struct ntff_dump *dump, int engine,
			struct error *err);
int ntff_print_events(struct cli *cli, const struct ntff_dump *dump, struct error *err);
/* Writes and empties the text: 1 when it could not because nobody reads any more. */
int ntff_write_out(struct strbuf *text, struct error *err);

#endif
