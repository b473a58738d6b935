/*
 * What an invented kernel did when: instructions of five engines and DMA transfers, in ns. A
 * schedule is played by drawing its items one after the other, and can be played again from the
 * same random numbers: so the totals of a profile are known before any of it is written.
 */
#ifndef BENCH_TOOLS_SCHEDULE_H
#define BENCH_TOOLS_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* splitmix64 */
struct random {
	uint64_t state;
};

struct random random_of(uint64_t seed, uint64_t stream);
uint64_t draw(struct random *random);
unsigned below(struct random *random, unsigned limit);

enum { TENSOR, VECTOR, SCALAR, GPSIMD, SYNC, ENGINES };

struct engine {
	const char *name, *label, *opcodes[4];
	unsigned share, shortest, spread; /* per cent of the instructions; their ns */
};

extern const struct engine engines[ENGINES];

struct busy {
	uint64_t start, end;
};

/* Adds an interval. True if it begins more than `bridge` after the previous one, which is then
 * complete and in `closed`. */
bool busy_add(struct busy *busy, struct busy next, uint64_t bridge, struct busy *closed);

struct instruction {
	unsigned engine;
	const char *opcode;
	struct busy time;
	uint64_t elements; /* for a matmul, else 0 */
	bool transposes;
};

enum { QUEUES = 4 };

extern const char *const queues[QUEUES];

struct transfer {
	unsigned queue;
	uint64_t bytes;
	struct busy time;
};

struct schedule {
	struct random random;
	uint64_t clock, free[ENGINES];
};

/* Both come in the order of their starts, instructions roughly so. */
void next_instruction(struct schedule *schedule, struct instruction *out);
void next_transfer(struct schedule *schedule, struct transfer *out);

#endif
