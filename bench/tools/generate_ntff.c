/*
 * usage: generate_ntff BYTES VERSION CORES SEED SHAPE FILE
 * Writes an invented NTFF of about BYTES bytes in the proportions of real ones: for 10 executed
 * instructions, each with a word of its own, 13 events and 39 DMA transfers of three records.
 * VERSION is 4, 5 or 6, CORES 1 or 2, SHAPE one of plain, uneven and shuffled
 * (bench/tools/ntff_trace.h). Prints what a reader has to find in it, in the form of
 * bench/peers/answer_ntff.jq. The same arguments give the same bytes on every machine.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tools/ntff_trace.h"

enum { BYTES_PER_INSTRUCTION = 306, PROGRAM_LIMIT = 1 << 20 };

/* --- unions --- */

void intervals_add(struct intervals *list, int64_t begin, int64_t end)
{
	if (list->count == list->capacity) {
		list->capacity = 2 * list->capacity + 1024;
		list->at = realloc(list->at, list->capacity * sizeof *list->at);
		if (!list->at)
			abort();
	}
	list->at[list->count++] = (struct busy){(uint64_t)begin, (uint64_t)end};
}

static int by_start(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;
	return (x->start > y->start) - (x->start < y->start);
}

uint64_t intervals_union(struct intervals *list)
{
	uint64_t length = 0, covered = 0;
	if (list->count)
		qsort(list->at, list->count, sizeof *list->at, by_start);
	for (size_t i = 0; i < list->count; i++) {
		struct busy one = list->at[i];
		uint64_t start = one.start > covered ? one.start : covered;
		length += one.end > start ? one.end - start : 0;
		covered = one.end > covered ? one.end : covered;
	}
	return length;
}

static void join(struct intervals *all, const struct intervals *lists, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < lists[i].count; k++)
			intervals_add(all, (int64_t)lists[i].at[k].start,
				      (int64_t)lists[i].at[k].end);
}

/* --- the answer --- */

static const struct {
	unsigned opcode;
	const char *name;
} opcodes[] = {
	{0x01, "LDWEIGHTS"},       {0x02, "MATMUL"}, {0x21, "ACTIVATE"}, {0x42, "TENSOR_REDUCE"},
	{0x43, "TENSOR_SCALAR"},   {0x46, "COPY"},   {0x47, "CAST"},     {0x48, "RECIPROCAL"},
	{0xa0, "EVENT_SEMAPHORE"}, {0xa5, "WRITE"},  {0xa6, "NOTIFY"},   {0xa9, "COMPARE_BRANCH"},
	{0xb8, "DMA_DIRECT2D"},
};

static void tell(const char *name, uint64_t number)
{
	printf("metric %s %" PRIu64 "\n", name, number);
}

static void tell_engines(struct n_totals *totals)
{
	static const char *const names[] = {"tensor", "scalar", "gpsimd", "vector", "sync"};
	for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
		const struct n_sum *sum = &totals->opcodes[opcodes[i].opcode];
		if (sum->count)
			printf("opcode %s %" PRIu64 " %" PRIu64 "\n", opcodes[i].name, sum->count,
			       sum->ps);
	}
	for (int i = 0; i < N_ENGINES; i++)
		printf("engine %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", names[i],
		       totals->engines[i].count, totals->engines[i].ps,
		       intervals_union(&totals->engine_times[i]));
}

static void tell_dma(struct n_totals *totals)
{
	static const char *const types[] = {
		"instruction", "data", "io", "unknown", "software_dynamic", "hardware_dynamic"};
	static const char *const classes[] = {"static", "software", "hardware"};
	uint64_t time = 0;
	for (int i = 0; i < N_QUEUE_TYPES; i++) {
		const struct n_sum *sum = &totals->queues[i];
		time += sum->ps;
		if (sum->count)
			printf("queue %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", types[i],
			       sum->count, sum->ps, sum->bytes);
	}
	for (int i = 0; i < N_CLASSES; i++)
		printf("class %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", classes[i],
		       totals->classes[i].count, totals->classes[i].bytes,
		       intervals_union(&totals->class_times[i]));
	tell("dma_packet_time", time);
}

static void tell_work(const struct n_totals *totals)
{
	tell("hardware_flops", totals->flops);
	tell("hbm_read_bytes", totals->hbm_read);
	tell("hbm_write_bytes", totals->hbm_write);
	tell("sbuf_read_bytes", totals->sbuf_read);
	tell("sbuf_write_bytes", totals->sbuf_write);
	tell("psum_read_bytes", totals->psum_read);
	tell("psum_write_bytes", totals->psum_write);
}

static void tell_all(struct n_trace *trace)
{
	struct n_totals *totals = &trace->totals;
	struct intervals all = {0};
	tell_engines(totals);
	tell_dma(totals);
	tell_work(totals);
	/* Before version 6 the instruction words do not mark transposes. */
	if (trace->version >= 6)
		tell("transpose_flops", totals->transposes);
	tell("event_count", totals->events);
	tell("throttle_time", totals->throttled);
	tell("total_time", totals->total);
	join(&all, totals->class_times, N_CLASSES);
	tell("dma_active_time", intervals_union(&all));
	join(&all, totals->engine_times, N_ENGINES);
	tell("total_active_time", intervals_union(&all));
}

/* --- all of it --- */

uint64_t program_address(const struct n_core *core, unsigned engine)
{
	return 0x8005c0000000 + ((uint64_t)core->index << 33) + ((uint64_t)engine << 28);
}

/* As on inf2; since version 6 all times are ps. */
static void set_clocks(struct n_trace *trace)
{
	static const struct clock ps = {0, 1, 1};
	static const struct clock engines[N_ENGINES] = {
		{1363453480725833, 731428, 731408}, {1363453480606796, 731428, 731408},
		{1363453480666547, 731428, 731408}, {1363454801912768, 914286, 914260},
		{1363453482027260, 731428, 731408},
	};
	bool common = trace->version >= 6;
	for (int i = 0; i < N_ENGINES; i++)
		trace->engine_clocks[i] = common ? ps : engines[i];
	trace->event_clock = common ? ps : (struct clock){1363453482077260, 731428, 731408};
	trace->throttle_clock = common ? ps : (struct clock){156879835628451, 1024, 731408};
	trace->dma_clock = common ? ps : (struct clock){156215376995038, 1024, 1204672};
}

static void make_core(struct n_trace *trace, unsigned index, uint64_t instructions)
{
	struct n_core *core = &trace->cores[index];
	core->index = index;
	core->instructions = instructions;
	core->events = instructions * 13 / 10;
	core->transfers = instructions * 393 / 100;
	core->program_at =
		(trace->version >= 6 ? 2775026236518897 : 1321589176000) + index * 30000000;
	if (index == 0) {
		trace->start =
			trace->version >= 6 ? core->program_at - 60000 : told_start(trace, core);
		trace->end = trace->version >= 6 ? planned_end(trace) : INT64_MAX;
	}
	core->timed_from = trace->version >= 6 ? trace->start : told_start(trace, core);
	core->length = planned_end(trace) - trace->start - index * 1000;
	core->last = -1;
	make_instructions(trace, core);
	make_events(trace, core);
	make_transfers(trace, core);
	make_throttles(trace, core);
}

static int make_trace(struct n_trace *trace, uint64_t bytes)
{
	uint64_t instructions = bytes / BYTES_PER_INSTRUCTION + 100;
	uint64_t second = trace->core_count < 2          ? 0
			  : trace->shape == SHAPE_UNEVEN ? instructions / 50
							 : instructions / 2;
	if ((instructions - second) * 44 / 100 >= PROGRAM_LIMIT - 1024) {
		fputs("generate_ntff: a program has at most 2^20 instructions: take 2 cores or "
		      "fewer "
		      "bytes\n",
		      stderr);
		return -1;
	}
	trace->random = random_of(trace->seed, 0);
	set_clocks(trace);
	make_core(trace, 0, instructions - second);
	if (second)
		make_core(trace, 1, second);
	trace->totals.total = (uint64_t)trace->cores[0].length;
	return 0;
}

static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
	char *end;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && *end == '\0' && *number <= most;
}

static bool parse_shape(const char *text, enum shape *shape)
{
	static const char *const names[SHAPES] = {"plain", "uneven", "shuffled"};
	for (int i = 0; i < SHAPES; i++)
		if (strcmp(names[i], text) == 0) {
			*shape = (enum shape)i;
			return true;
		}
	return false;
}

int main(int argc, char **argv)
{
	static struct n_trace trace;
	uint64_t bytes, version, cores;
	if (argc != 7 || !parse_number(argv[1], (uint64_t)1 << 40, &bytes) ||
	    !parse_number(argv[2], 6, &version) || version < 4 ||
	    !parse_number(argv[3], N_CORES, &cores) || cores < 1 ||
	    !parse_number(argv[4], UINT64_MAX, &trace.seed) ||
	    !parse_shape(argv[5], &trace.shape)) {
		fputs("usage: generate_ntff BYTES VERSION CORES SEED plain|uneven|shuffled FILE\n",
		      stderr);
		return 2;
	}
	trace.version = (int)version;
	trace.core_count = (unsigned)cores;
	if (make_trace(&trace, bytes) < 0)
		return 1;
	if (write_ntff(&trace, argv[6]) < 0) {
		perror(argv[6]);
		return 1;
	}
	tell_all(&trace);
	return fflush(stdout) != 0 || ferror(stdout);
}
