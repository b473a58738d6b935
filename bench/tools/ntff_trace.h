/*
 * An invented Neuron trace: what each core executed and moved, as the records of an NTFF, and its
 * exact totals. It shares no code with the measured program: clocks, windows, unions and the work
 * of instructions are computed independently, in the simplest way.
 */
#ifndef BENCH_TOOLS_NTFF_TRACE_H
#define BENCH_TOOLS_NTFF_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/tools/schedule.h"

/* Bytes that grow. */
struct bytes {
	unsigned char *at;
	size_t len, capacity;
};

void bytes_add(struct bytes *bytes, const void *data, size_t len);
void bytes_free(struct bytes *bytes);

/* Engines as NTFF numbers them. */
enum { N_TENSOR, N_SCALAR, N_GPSIMD, N_VECTOR, N_SYNC, N_ENGINES };
enum { N_CORES = 2, N_DMA_ENGINES = 16, N_STATIC = 0, N_SOFTWARE, N_HARDWARE, N_CLASSES };
enum { N_OPCODES = 256, N_QUEUE_TYPES = 6 };

/* PLAIN: like real ones. UNEVEN: cores and DMA engines of very different lengths, with a dense part
 * after a sparse one. SHUFFLED: in random order. */
enum shape { SHAPE_PLAIN, SHAPE_UNEVEN, SHAPE_SHUFFLED, SHAPES };

struct clock {
	uint64_t base, den, num;
};

struct n_queue {
	unsigned ring, type;
	const char *name;
	int dma_class, queue_type; /* in the totals */
	unsigned share;            /* per cent of the transfers */
};

enum { N_QUEUES = 6 };
extern const struct n_queue n_queues[N_QUEUES];

/* A list of [begin, end), in ps. */
struct intervals {
	struct busy *at;
	size_t count, capacity;
};

void intervals_add(struct intervals *list, int64_t begin, int64_t end);
/* Sorts the list. */
uint64_t intervals_union(struct intervals *list);

struct n_sum {
	uint64_t count, ps, bytes;
};

struct n_totals {
	struct n_sum engines[N_ENGINES], opcodes[N_OPCODES], queues[N_QUEUE_TYPES];
	struct n_sum classes[N_CLASSES];
	struct intervals engine_times[N_ENGINES], class_times[N_CLASSES];
	uint64_t flops, transposes, hbm_read, hbm_write, sbuf_read, sbuf_write, psum_read;
	uint64_t psum_write, events, throttled, total;
};

struct n_core {
	unsigned index;       /* 0, 1 */
	int64_t program_at;   /* time of the note that the program begins, ps */
	int64_t timed_from;   /* ps of the common clock */
	int64_t last, length; /* ps: end of the last kept instruction; duration of the core */
	uint64_t instructions, transfers, events;
	struct bytes programs[N_ENGINES];
	struct bytes instruction_trace, event_trace, dma_trace, throttle_trace;
};

struct n_trace {
	int version;
	unsigned core_count;
	enum shape shape;
	uint64_t seed;
	struct random random;
	struct clock engine_clocks[N_ENGINES], event_clock, throttle_clock, dma_clock;
	int64_t start, end; /* window, ps of the common clock; end: INT64_MAX before version 6 */
	struct n_core cores[N_CORES];
	struct n_totals totals;
};

/* Ticks and picoseconds of the common clock. ps_of(raw_of(t)) <= t. */
uint64_t raw_of(const struct clock *clock, int64_t ps);
int64_t ps_of(const struct clock *clock, uint64_t raw);
/* A record's last 8 bytes are its time. */
void add_record(struct bytes *trace, const unsigned char payload[8], uint64_t raw);

/* The time at which the tensor engine of a core records that the program begins. */
int64_t told_start(const struct n_trace *trace, const struct n_core *core);
/* About when the first core's program ends. */
int64_t planned_end(const struct n_trace *trace);

/* Parts of making a core. */
void make_instructions(struct n_trace *trace, struct n_core *core);
void make_transfers(struct n_trace *trace, struct n_core *core);
void make_events(struct n_trace *trace, struct n_core *core);
/* Needs the instructions. */
void make_throttles(struct n_trace *trace, struct n_core *core);
/* A random instruction of the engine, added to the totals' work when `kept`. */
void make_word(struct n_trace *trace, unsigned engine, bool kept, unsigned char word[64]);

/* Device address of an engine's program. */
uint64_t program_address(const struct n_core *core, unsigned engine);
/* Writes the file. 0 or -1. */
int write_ntff(const struct n_trace *trace, const char *path);

#endif
