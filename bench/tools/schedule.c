/* Engines work in order, each at its own pace; transfers come in bursts and overlap. */
#include "bench/tools/schedule.h"

struct random random_of(uint64_t seed, uint64_t stream)
{
	return (struct random){seed * 0x9e3779b97f4a7c15u + stream * 0xd1b54a32d192ed03u};
}

uint64_t draw(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

unsigned below(struct random *random, unsigned limit)
{
	return (unsigned)(((draw(random) >> 32) * limit) >> 32);
}

const struct engine engines[ENGINES] = {
	{"tensor", "Tensor", {"MATMUL", "LDWEIGHTS", "MATMUL", "LDWEIGHTS"}, 30, 40, 30},
	{"vector",
	 "Vector",
	 {"TENSOR_TENSOR", "TENSOR_SCALAR", "TENSOR_REDUCE", "COPY"},
	 25,
	 30,
	 140},
	{"scalar",
	 "Scalar",
	 {"ACTIVATE", "ACTIVATE", "ACTIVATION_REDUCE", "ACT_TABLE_LOAD"},
	 22,
	 30,
	 120},
	{"gpsimd", "GpSimd", {"IOTA", "MEMSET", "PARTITION_ALL_REDUCE", "ALU_OP"}, 9, 60, 240},
	{"sync", "Sync", {"EVENT_SEMAPHORE", "DMA_DIRECT2D", "WRITE", "MOVE"}, 14, 20, 60},
};

bool busy_add(struct busy *busy, struct busy next, uint64_t bridge, struct busy *closed)
{
	*closed = *busy;
	if (next.start > busy->end + bridge) {
		*busy = next;
		return closed->end > 0;
	}
	busy->end = next.end > busy->end ? next.end : busy->end;
	return false;
}

static void time_matmul(struct random *random, struct instruction *out)
{
	unsigned columns = 64u << below(random, 4);
	out->elements = 128 * 128 * (uint64_t)columns;
	out->transposes = below(random, 16) == 0;
	out->time.end = out->time.start + 20 + columns * 5 / 12; /* 2.4 columns a ns */
}

void next_instruction(struct schedule *schedule, struct instruction *out)
{
	struct random *random = &schedule->random;
	unsigned engine = 0, share = below(random, 100);
	while (share >= engines[engine].share)
		share -= engines[engine++].share;
	unsigned opcode = below(random, 4);
	schedule->clock += below(random, 72);
	uint64_t free = schedule->free[engine];
	*out = (struct instruction){.engine = engine, .opcode = engines[engine].opcodes[opcode]};
	out->time.start = schedule->clock > free ? schedule->clock : free;
	out->time.end =
		out->time.start + engines[engine].shortest + below(random, engines[engine].spread);
	if (engine == TENSOR && opcode % 2 == 0)
		time_matmul(random, out);
	schedule->free[engine] = out->time.end;
}

const char *const queues[QUEUES] = {"data", "instruction", "software_dynamic", "output"};

void next_transfer(struct schedule *schedule, struct transfer *out)
{
	struct random *random = &schedule->random;
	schedule->clock += below(random, 40);
	if (below(random, 16) == 0)
		schedule->clock += below(random, 900);
	out->queue = below(random, QUEUES);
	out->bytes = 64u << below(random, 10);
	out->time.start = schedule->clock;
	out->time.end = schedule->clock + 81 + out->bytes / 100 + below(random, 60);
}
