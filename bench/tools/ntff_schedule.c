/* What an invented core did when. Every time is drawn in ps, turned into its unit's ticks, and
 * counted as what the ticks are again in ps. */
#include <stdlib.h>
#include <string.h>

#include "bench/tools/ntff_trace.h"

const struct n_queue n_queues[N_QUEUES] = {
	{0, 2, "qPoolDynamic", N_SOFTWARE, 4, 40},  {1, 2, "qSPDynamicHW", N_HARDWARE, 5, 36},
	{2, 2, "qSPSpillReload0", N_STATIC, 1, 10}, {3, 3, "qSPIO0", N_STATIC, 2, 6},
	{4, 3, "qPoolIO0", N_STATIC, 2, 6},         {14, 0, "qActTable", N_STATIC, 0, 2},
};

enum { WEIGHTS = 2, LOAD = 3, STORE = 4, TABLE = 5 }; /* of n_queues */
enum { SPARSE = 20, LANE_OPEN = 8, FLIGHT = 64, BURST = 32 };
static const int64_t ps_per_instruction = 100000;

uint64_t raw_of(const struct clock *clock, int64_t ps)
{
	return clock->base + (uint64_t)((unsigned __int128)(uint64_t)ps * clock->den / clock->num);
}

int64_t ps_of(const struct clock *clock, uint64_t raw)
{
	return (int64_t)((unsigned __int128)(raw - clock->base) * clock->num / clock->den);
}

void add_record(struct bytes *trace, const unsigned char payload[8], uint64_t raw)
{
	unsigned char record[16];
	memcpy(record, payload, 8);
	for (unsigned i = 0; i < 8; i++)
		record[8 + i] = (unsigned char)(raw >> 8 * i);
	bytes_add(trace, record, sizeof record);
}

static int64_t below_ps(struct random *random, int64_t limit)
{
	return (int64_t)(draw(random) % (uint64_t)limit);
}

static int64_t span_of_core(const struct n_core *core)
{
	return (int64_t)core->instructions * ps_per_instruction;
}

/* Shifts a random time: an uneven trace is sparse in its first half and dense in its second. */
static int64_t warped(const struct n_trace *trace, int64_t ps)
{
	int64_t origin = trace->cores[0].program_at, half = span_of_core(&trace->cores[0]) / 2;
	int64_t from = ps - origin;
	if (trace->shape != SHAPE_UNEVEN || from < 0)
		return ps;
	return origin + (from < half ? from * SPARSE : half * SPARSE + (from - half) / SPARSE);
}

static uint64_t raw_at(const struct n_trace *trace, const struct clock *clock, int64_t ps)
{
	return raw_of(clock, warped(trace, ps));
}

static bool is_kept(const struct n_trace *trace, int64_t begin, int64_t end)
{
	return begin >= trace->start && end <= trace->end;
}

static void shuffle(struct n_trace *trace, struct bytes *records, size_t size)
{
	unsigned char kept[64];
	for (size_t left = records->len / size; left > 1; left--) {
		unsigned char *last = records->at + (left - 1) * size;
		unsigned char *other = records->at + draw(&trace->random) % left * size;
		memcpy(kept, last, size);
		memcpy(last, other, size);
		memcpy(other, kept, size);
	}
}

int64_t told_start(const struct n_trace *trace, const struct n_core *core)
{
	const struct clock *clock = &trace->engine_clocks[N_TENSOR];
	return ps_of(clock, raw_at(trace, clock, core->program_at));
}

int64_t planned_end(const struct n_trace *trace)
{
	return warped(trace, trace->cores[0].program_at + span_of_core(&trace->cores[0]));
}

/* --- instructions --- */

/* What an engine does: instructions begin in order and end in order, and may overlap. */
struct lane {
	unsigned engine;
	bool alone; /* no instruction begins before the one before it ended */
	uint64_t made, count;
	int64_t mean, next_begin, last_end;
	struct {
		uint32_t key;
		int64_t end;
	} open[LANE_OPEN]; /* by the instruction's index modulo LANE_OPEN */
	uint64_t ended;
};

static uint32_t key_of(const struct n_core *core, unsigned engine, uint64_t pc)
{
	return (uint32_t)((program_address(core, engine) >> 6) + pc) & 0xfffff;
}

static void put_instruction(struct n_core *core, unsigned engine, uint32_t key, bool end,
			    uint64_t raw)
{
	const unsigned char payload[8] = {
		(unsigned char)key,
		(unsigned char)(key >> 8),
		(unsigned char)(key >> 16),
		(unsigned char)(0x80 | (engine + 1) << 2 | end),
		end ? 0xff : 0,
		end ? 0xff : 0,
		(unsigned char)(end ? 0 : key % 50),
		0,
	};
	add_record(&core->instruction_trace, payload, raw);
}

static void count_instruction(struct n_trace *trace, struct n_core *core, unsigned engine,
			      unsigned opcode, struct busy time)
{
	struct n_totals *totals = &trace->totals;
	int64_t begin = (int64_t)time.start, end = (int64_t)time.end;
	if (!is_kept(trace, begin, end))
		return;
	totals->engines[engine].count++;
	totals->opcodes[opcode].count++;
	totals->opcodes[opcode].ps += time.end - time.start;
	core->last = end > core->last ? end : core->last;
	if (opcode == 0xa0 || begin < core->timed_from)
		return;
	totals->engines[engine].ps += time.end - time.start;
	intervals_add(&totals->engine_times[engine], begin, end);
}

/* Draws the next instruction: its word goes to the program, its end to the open ones. */
static void draw_instruction(struct n_trace *trace, struct n_core *core, struct lane *lane)
{
	struct random *random = &trace->random;
	const struct clock *clock = &trace->engine_clocks[lane->engine];
	bool first = lane->made == 0, last = lane->made == lane->count - 1;
	int64_t begin = lane->next_begin, mean = lane->mean;
	int64_t duration = lane->engine == N_TENSOR ? mean / 4 + below_ps(random, mean)
						    : mean / 8 + below_ps(random, mean * 3 / 8);
	int64_t end = first ? core->program_at : begin + duration;
	if (end <= lane->last_end)
		end = lane->last_end + 1000;
	lane->last_end = end;
	lane->open[lane->made % LANE_OPEN].key = key_of(core, lane->engine, lane->made);
	lane->open[lane->made % LANE_OPEN].end = end;
	lane->made++;
	struct busy time = {(uint64_t)ps_of(clock, raw_at(trace, clock, begin)),
			    (uint64_t)ps_of(clock, raw_at(trace, clock, end))};
	unsigned char word[64];
	make_word(trace, lane->engine,
		  !first && !last && is_kept(trace, (int64_t)time.start, (int64_t)time.end), word);
	if (first || last) {
		memset(word, 0, sizeof word);
		word[0] = 0xa6;
		word[36] = first ? 2 : 3;
	}
	bytes_add(&core->programs[lane->engine], word, sizeof word);
	count_instruction(trace, core, lane->engine, word[0], time);
	lane->next_begin = (first ? end : begin) + mean / 2 + below_ps(random, mean);
}

static int64_t next_time(const struct lane *lane, bool *is_end)
{
	bool open = lane->ended < lane->made, more = lane->made < lane->count;
	int64_t end = open ? lane->open[lane->ended % LANE_OPEN].end : INT64_MAX;
	*is_end = open && (!more || lane->alone || end <= lane->next_begin ||
			   lane->made - lane->ended == LANE_OPEN);
	return *is_end ? end : more ? lane->next_begin : INT64_MAX;
}

static void put_next(struct n_trace *trace, struct n_core *core, struct lane *lane)
{
	const struct clock *clock = &trace->engine_clocks[lane->engine];
	bool is_end, more = lane->made < lane->count;
	int64_t time = next_time(lane, &is_end);
	/* The tensor engine sometimes records an end after the next begin. */
	if (is_end && more && !lane->alone && lane->engine == N_TENSOR &&
	    lane->made - lane->ended < 3 && below(&trace->random, 4) == 0) {
		is_end = false;
		time = lane->next_begin;
	}
	if (!is_end)
		draw_instruction(trace, core, lane);
	uint64_t index = is_end ? lane->ended++ : lane->made - 1;
	put_instruction(core, lane->engine, lane->open[index % LANE_OPEN].key, is_end,
			raw_at(trace, clock, time));
}

/* Before the program and outside of it. */
static void put_preamble(struct n_trace *trace, struct n_core *core)
{
	for (unsigned i = 0; i < 40; i++) {
		unsigned engine = i % N_ENGINES;
		const struct clock *clock = &trace->engine_clocks[engine];
		int64_t begin = trace->cores[0].program_at - 2000000 + 20000 * (int64_t)i;
		uint32_t key = key_of(core, engine, 0xfff80 + i);
		put_instruction(core, engine, key, false, raw_of(clock, begin));
		put_instruction(core, engine, key, true, raw_of(clock, begin + 15000));
	}
}

void make_instructions(struct n_trace *trace, struct n_core *core)
{
	static const unsigned shares[N_ENGINES] = {44, 16, 8, 20, 12};
	struct lane lanes[N_ENGINES] = {{0}};
	bool shuffled = trace->shape == SHAPE_SHUFFLED;
	put_preamble(trace, core);
	for (unsigned i = 0; i < N_ENGINES; i++) {
		lanes[i].engine = i;
		lanes[i].alone = shuffled;
		lanes[i].count = core->instructions * shares[i] / 100 + 3;
		lanes[i].mean = span_of_core(core) / (int64_t)lanes[i].count;
		lanes[i].next_begin = core->program_at - 50000;
	}
	for (;;) {
		unsigned first = 0;
		bool is_end;
		for (unsigned i = 1; i < N_ENGINES; i++)
			if (next_time(&lanes[i], &is_end) < next_time(&lanes[first], &is_end))
				first = i;
		if (next_time(&lanes[first], &is_end) == INT64_MAX)
			break;
		/* Notes of one engine come in batches; a begin and its end stay together where
		 * all order is lost. */
		unsigned batch = shuffled ? 2 : 1 + below(&trace->random, 8);
		for (unsigned i = 0; i < batch; i++)
			if (next_time(&lanes[first], &is_end) != INT64_MAX)
				put_next(trace, core, &lanes[first]);
	}
	if (shuffled)
		shuffle(trace, &core->instruction_trace, 32);
	/* The one that runs when tracing stops. */
	put_instruction(core, N_SYNC, key_of(core, N_SYNC, 0xfff7f), false,
			raw_at(trace, &trace->engine_clocks[N_SYNC], lanes[N_SYNC].last_end));
}

/* --- DMA --- */

struct transfer_times {
	int64_t begin, data, done;
	unsigned queue, bytes;
};

/* The transfers of an engine: they begin, and complete, in order. */
struct flight {
	unsigned engine;
	uint64_t count, made, begun, moved, done;
	int64_t mean, clock;
	struct transfer_times all[FLIGHT]; /* modulo FLIGHT */
};

static void put_transfer(const struct n_trace *trace, struct bytes *out, unsigned engine,
			 unsigned kind, const struct transfer_times *one)
{
	bool moved = kind == 5;
	const unsigned char payload[8] = {
		(unsigned char)(moved ? one->bytes : 0),
		(unsigned char)(moved ? one->bytes >> 8 : 0),
		(unsigned char)(moved ? one->bytes >> 16 : 0),
		(unsigned char)(0x80 | engine),
		(unsigned char)(kind | n_queues[one->queue].ring << 4),
		0,
		(unsigned char)(moved ? one->begin : 0),
		(unsigned char)(moved ? one->begin >> 8 : 0),
	};
	int64_t time = kind == 1 ? one->begin : moved ? one->data : one->done;
	add_record(out, payload, raw_at(trace, &trace->dma_clock, time));
}

static void count_static(struct n_totals *totals, const struct transfer_times *one)
{
	uint64_t payload = one->bytes % 8 == 4 ? one->bytes - 4 : one->bytes;
	if (one->queue == WEIGHTS && one->bytes == 4)
		return;
	if (one->queue == WEIGHTS || one->queue == LOAD) {
		totals->hbm_read += payload;
		totals->sbuf_write += payload;
	} else if (one->queue == STORE) {
		totals->hbm_write += payload;
		totals->sbuf_read += payload;
	}
}

static void count_transfer(struct n_trace *trace, const struct transfer_times *one)
{
	struct n_totals *totals = &trace->totals;
	const struct n_queue *queue = &n_queues[one->queue];
	const struct clock *clock = &trace->dma_clock;
	int64_t begin = ps_of(clock, raw_at(trace, clock, one->begin));
	int64_t end = ps_of(clock, raw_at(trace, clock, one->data));
	if (!is_kept(trace, begin, end))
		return;
	struct n_sum *sums[] = {&totals->queues[queue->queue_type],
				&totals->classes[queue->dma_class]};
	for (unsigned i = 0; i < 2; i++) {
		sums[i]->count++;
		sums[i]->ps += (uint64_t)(end - begin);
		sums[i]->bytes += one->bytes;
	}
	intervals_add(&totals->class_times[queue->dma_class], begin, end);
	count_static(totals, one);
}

static unsigned draw_queue(struct random *random)
{
	unsigned queue = 0, share = below(random, 100);
	while (share >= n_queues[queue].share)
		share -= n_queues[queue++].share;
	return queue;
}

static void draw_transfer(struct n_trace *trace, struct flight *flight)
{
	struct random *random = &trace->random;
	int64_t mean = flight->mean;
	const struct transfer_times *before = &flight->all[(flight->made + FLIGHT - 1) % FLIGHT];
	struct transfer_times one = {.queue = draw_queue(random)};
	/* They come in bursts, of all engines together. */
	int64_t burst = (int64_t)(flight->made / BURST) * BURST * mean;
	flight->clock += mean / 4 + below_ps(random, mean / 2);
	one.begin = trace->cores[0].program_at + 3000000;
	if (flight->clock < burst)
		flight->clock = burst;
	one.begin += flight->clock;
	one.data = one.begin + mean / 4 + below_ps(random, 2 * mean);
	if (flight->made && one.data <= before->data)
		one.data = before->data + 1200;
	one.done = one.data + mean / 8 + below_ps(random, mean);
	if (flight->made && one.done <= before->done)
		one.done = before->done + 1200;
	one.bytes = 64u << below(random, 7);
	if (n_queues[one.queue].dma_class == N_STATIC && below(random, 8) == 0)
		one.bytes = one.queue == LOAD || one.queue == STORE ? one.bytes + 4 : 4;
	flight->all[flight->made++ % FLIGHT] = one;
	count_transfer(trace, &one);
}

static bool put_next_transfer(struct n_trace *trace, struct bytes *out, struct flight *flight)
{
	if (flight->begun == flight->made && flight->made < flight->count &&
	    flight->made - flight->done < FLIGHT)
		draw_transfer(trace, flight);
	const struct transfer_times *begin = &flight->all[flight->begun % FLIGHT];
	const struct transfer_times *data = &flight->all[flight->moved % FLIGHT];
	const struct transfer_times *done = &flight->all[flight->done % FLIGHT];
	int64_t first = flight->begun < flight->made ? begin->begin : INT64_MAX;
	int64_t second = flight->moved < flight->begun ? data->data : INT64_MAX;
	int64_t third = flight->done < flight->moved ? done->done : INT64_MAX;
	if (first == INT64_MAX && second == INT64_MAX && third == INT64_MAX)
		return false;
	if (trace->shape == SHAPE_SHUFFLED) /* the records of a transfer stay together */
		first = flight->begun > flight->done ? INT64_MAX : first;
	if (third <= first && third <= second) {
		put_transfer(trace, out, flight->engine, 6, done);
		flight->done++;
	} else if (second <= first) {
		put_transfer(trace, out, flight->engine, 5, data);
		flight->moved++;
	} else {
		put_transfer(trace, out, flight->engine, 1, begin);
		flight->begun++;
	}
	return true;
}

void make_transfers(struct n_trace *trace, struct n_core *core)
{
	uint64_t each = core->transfers / N_DMA_ENGINES, left = core->transfers;
	for (unsigned i = 0; i < N_DMA_ENGINES; i++) {
		struct flight flight = {.engine = core->index * N_DMA_ENGINES + i, .count = each};
		flight.mean = span_of_core(core) / (int64_t)(each + 1) + 8;
		if (trace->shape == SHAPE_UNEVEN) {
			/* Each does half of what is left, at a pace of its own, and some late. */
			flight.count = left / 2;
			flight.mean = span_of_core(core) / (int64_t)(core->transfers + 1) + 8;
			flight.clock = i % 3 ? 0 : span_of_core(core) / 2;
			left -= flight.count;
		}
		int64_t start = trace->cores[0].program_at;
		struct transfer_times early = {start - 3000000, start - 2000000, start - 1500000,
					       TABLE, 256};
		for (unsigned kind = 1; kind < 7; kind += kind == 1 ? 4 : 1)
			put_transfer(trace, &core->dma_trace, flight.engine, kind, &early);
		while (put_next_transfer(trace, &core->dma_trace, &flight))
			;
	}
	if (trace->shape == SHAPE_SHUFFLED)
		shuffle(trace, &core->dma_trace, 48);
}

/* --- events, throttling --- */

void make_events(struct n_trace *trace, struct n_core *core)
{
	struct random *random = &trace->random;
	const struct clock *clock = &trace->event_clock;
	int64_t step = span_of_core(core) / (int64_t)(core->events + 1) + 1;
	for (uint64_t i = 0; i < core->events; i++) {
		int64_t time = core->program_at - 100000 + (int64_t)i * step;
		unsigned id = below(random, 256), value = below(random, 4096);
		const unsigned char payload[8] = {
			(unsigned char)id,    id % 8 != 0,
			id % 3 ? 0xf3 : 0xf9, (unsigned char)(0x83 | (1 + id % 6) << 2),
			(unsigned char)value, (unsigned char)(value >> 8),
		};
		uint64_t raw = raw_at(trace, clock, time);
		int64_t ps = ps_of(clock, raw);
		trace->totals.events += trace->version < 6 || is_kept(trace, ps, ps);
		add_record(&core->event_trace, payload, raw);
	}
}

void make_throttles(struct n_trace *trace, struct n_core *core)
{
	static const unsigned limits[] = {8, 4, 7, 128, 8, 5};
	const struct clock *clock = &trace->throttle_clock;
	uint64_t count = core->instructions / 2000 + 4;
	int64_t step = span_of_core(core) / (int64_t)count, before = 0;
	for (uint64_t i = 0; i <= count; i++) {
		/* The core's last instruction ends after the last one of these. */
		unsigned k = limits[i % 6];
		uint64_t raw = raw_at(trace, clock, core->program_at - 50000 + (int64_t)i * step);
		int64_t time = i < count ? ps_of(clock, raw) : core->last;
		unsigned last = limits[(i + 5) % 6];
		if (i && last < 8 && before >= trace->start && before <= trace->end)
			trace->totals.throttled += time > before ? (uint64_t)(time - before) : 0;
		const unsigned char payload[8] = {
			0x0e, 0, k == 128 ? 0 : 8, 0x9e, (unsigned char)k, (unsigned char)(i % 2)};
		if (i < count)
			add_record(&core->throttle_trace, payload, raw);
		before = time;
	}
}
