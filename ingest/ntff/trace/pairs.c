/* Pairs the records of an NTFF: instructions by engine and address, transfers by ring. */
#include "ingest/ntff/trace/pairs.h"

#include "base/base.h"
#include "model/ntff/trace.h"

/* --- instructions --- */

static int deliver_instruction(struct ntff_pairing *r, struct ntff_pairs *state, int engine,
			       const struct ntff_open *open, int64_t end, struct error *err)
{
	struct ntff_program *program = &state->programs[engine];
	struct ntff_instruction one = {
		.core = state->core,
		.engine = engine,
		.pc = ntff_pc(program->stream, open->key & 0xfffff),
		.hint = open->key >> 20,
		.wait = open->wait,
		.begin = open->begin,
		.end = end,
	};
	r->counts->instructions++;
	if (one.begin == NTFF_NO_TIME || end == NTFF_NO_TIME || end < one.begin) {
		r->counts->wrong_times++;
		return 0;
	}
	one.in_window = one.begin >= 0 && end <= ntff_window_length(r->window);
	one.timed = one.in_window && one.begin >= state->timed_from;
	if (one.in_window && end > state->last)
		state->last = end;
	if (ntff_trace_program_word(program, r->bytes, one.pc, &one.word, err) < 0)
		return -1;
	r->counts->outside_program += one.in_window && !one.word;
	return r->sink->instruction ? r->sink->instruction(r->sink->context, &one, err) : 0;
}

static void open_instruction(struct ntff_pairing *r, struct ntff_pairs *state, int engine,
			     uint32_t key, uint16_t wait, int64_t begin)
{
	struct ntff_open *open = state->open[engine];
	size_t *count = &state->open_count[engine];
	r->counts->begins++;
	if (*count == ntff_open_limit) {
		r->counts->open_begins++;
		(*count)--;
		memmove(open, open + 1, *count * sizeof *open);
	}
	open[(*count)++] = (struct ntff_open){key, wait, begin};
}

static int end_instruction(struct ntff_pairing *r, struct ntff_pairs *state, int engine,
			   uint32_t key, int64_t end, struct error *err)
{
	struct ntff_open *open = state->open[engine];
	size_t *count = &state->open_count[engine], at = 0;
	r->counts->ends++;
	while (at < *count && open[at].key != key)
		at++;
	if (at == *count) {
		r->counts->orphan_ends++;
		return 0;
	}
	struct ntff_open found = open[at];
	(*count)--;
	memmove(open + at, open + at + 1, (*count - at) * sizeof *open);
	return deliver_instruction(r, state, engine, &found, end, err);
}

static int read_instruction(struct ntff_pairing *r, struct ntff_pairs *state,
			    const unsigned char *record, int64_t time, struct error *err)
{
	int engine = ntff_record_engine(record), kind = record[3] & 3;
	if (engine < 0 || engine >= NTFF_ENGINES || kind == 3 || !(record[3] & 0x80)) {
		r->counts->unknown_records++;
		return 0;
	}
	if (kind == 0)
		open_instruction(r, state, engine, ntff_u24(record), ntff_u16(record, 6), time);
	else if (kind == 1)
		return end_instruction(r, state, engine, ntff_u24(record), time, err);
	else
		r->counts->notifications++;
	return 0;
}

/* --- DMA --- */

static enum ntff_dma_class class_of(const struct ntff_queue *queue)
{
	struct span name = span_of(queue ? queue->name : "");
	return span_ends(name, "DynamicHW") ? NTFF_DMA_HARDWARE
	       : span_ends(name, "Dynamic") ? NTFF_DMA_SOFTWARE
					    : NTFF_DMA_STATIC;
}

static enum ntff_traffic traffic_of(const struct ntff_queue *queue, unsigned ring)
{
	enum ntff_dma_class class = class_of(queue);
	if (class != NTFF_DMA_STATIC)
		return class == NTFF_DMA_SOFTWARE ? NTFF_TRAFFIC_SOFTWARE : NTFF_TRAFFIC_HARDWARE;
	if (ring == 14)
		return NTFF_TRAFFIC_INSTRUCTION;
	if (!queue)
		return NTFF_TRAFFIC_UNKNOWN;
	return queue->type == NTFF_QUEUE_WEIGHTS ? NTFF_TRAFFIC_DATA
	       : queue->type == NTFF_QUEUE_IO    ? NTFF_TRAFFIC_IO
						 : NTFF_TRAFFIC_UNKNOWN;
}

/* `begins` is a circular buffer, whose capacity is a power of two so that a mask wraps indices. */
static void resize_ring(struct ntff_ring *ring, uint32_t capacity)
{
	assert(capacity && (capacity & (capacity - 1)) == 0 && ring->count <= capacity);
	int64_t *begins = memory_allocate(capacity, sizeof *begins);
	for (uint32_t i = 0; i < ring->count; i++)
		begins[i] = ring->begins[(ring->first + i) & (ring->capacity - 1)];
	free(ring->begins);
	ring->begins = begins;
	ring->first = 0;
	ring->capacity = capacity;
}

static void begin_transfer(struct ntff_pairing *r, struct ntff_ring *ring, int64_t begin)
{
	r->counts->transfer_begins++;
	if (r->open_transfers == ntff_open_transfer_limit) {
		r->counts->open_transfers++;
		return;
	}
	if (ring->count == ring->capacity)
		resize_ring(ring, ring->capacity ? 2 * ring->capacity : 16);
	ring->begins[(ring->first + ring->count++) & (ring->capacity - 1)] = begin;
	r->open_transfers++;
}

static enum ntff_transfer_status status_of(struct ntff_pairing *r, struct ntff_ring *ring,
					   const struct ntff_transfer *one)
{
	if (one->end < 0)
		return NTFF_TRANSFER_OUTSIDE;
	if (one->begin < 0) {
		r->counts->straddling++;
		ring->straddled = true;
		return NTFF_TRANSFER_OUTSIDE;
	}
	if (one->end > ntff_window_length(r->window)) {
		r->counts->straddling += one->begin <= ntff_window_length(r->window);
		return NTFF_TRANSFER_OUTSIDE;
	}
	if (!ring->straddled)
		return NTFF_TRANSFER_INSIDE;
	r->counts->left_out++;
	r->counts->left_out_bytes += one->bytes;
	if (__builtin_add_overflow(r->counts->left_out_ps, one->end - one->begin,
				   &r->counts->left_out_ps))
		r->counts->left_out_ps = INT64_MAX;
	return NTFF_TRANSFER_SKIPPED;
}

static int end_transfer(struct ntff_pairing *r, struct ntff_pairs *state,
			const unsigned char *record, int64_t end, struct error *err)
{
	unsigned engine = record[3] & 31, number = record[4] >> 4;
	struct ntff_ring *ring = &state->rings[engine][number];
	r->counts->transfer_data++;
	if (ring->count == 0) {
		r->counts->orphan_transfers++;
		return 0;
	}
	struct ntff_transfer one = {
		.core = state->core,
		.engine = engine,
		.ring = number,
		.queue = ring->queue,
		.class = ring->class,
		.traffic = ring->traffic,
		.bytes = ntff_u24(record),
		.crc = ntff_u16(record, 6),
		.begin = ring->begins[ring->first],
		.end = end,
	};
	ring->first = (ring->first + 1) & (ring->capacity - 1);
	ring->count--;
	assert(r->open_transfers > 0);
	r->open_transfers--;
	/* A ring that once had many transfers gives their memory back: there are thousands of
	 * rings. */
	if (ring->capacity > 1024 && ring->count < ring->capacity / 4)
		resize_ring(ring, ring->capacity / 2);
	r->counts->transfers++;
	if (one.begin == NTFF_NO_TIME || end == NTFF_NO_TIME || end < one.begin) {
		r->counts->wrong_times++;
		return 0;
	}
	one.status = status_of(r, ring, &one);
	return r->sink->transfer ? r->sink->transfer(r->sink->context, &one, err) : 0;
}

static int read_dma(struct ntff_pairing *r, struct ntff_pairs *state, const unsigned char *record,
		    int64_t time, struct error *err)
{
	unsigned kind = record[3] & 0x80 ? record[4] & 15 : 0;
	if (kind == 1)
		begin_transfer(r, &state->rings[record[3] & 31][record[4] >> 4], time);
	else if (kind == 5)
		return end_transfer(r, state, record, time, err);
	else if (kind == 6)
		r->counts->transfer_completions++;
	else
		r->counts->unknown_records++;
	return 0;
}

/* --- a core --- */

static int64_t instruction_time(const struct ntff_pairing *r, const struct ntff_pairs *state,
				const unsigned char *record)
{
	int engine = ntff_record_engine(record);
	if (engine < 0 || engine >= NTFF_ENGINES)
		return NTFF_NO_TIME;
	return ntff_from_start(r->window,
			       ntff_ps(&state->engine_ticks[engine], ntff_raw_time(record)));
}

static int64_t dma_time(const struct ntff_pairing *r, const struct ntff_pairs *state,
			const unsigned char *record)
{
	return ntff_from_start(r->window,
			       ntff_ps(&state->dma_ticks[record[3] & 15], ntff_raw_time(record)));
}

int64_t ntff_trace_next_time(const struct ntff_pairing *r, const struct ntff_pairs *state,
			     const struct ntff_records *records)
{
	const unsigned char *record = records->bytes + records->used;
	assert(records->used < records->len);
	return records->is_dma ? dma_time(r, state, record) : instruction_time(r, state, record);
}

int ntff_trace_pass_records(struct ntff_pairing *r, struct ntff_pairs *state,
			    struct ntff_records *records, int64_t limit, size_t count,
			    struct error *err)
{
	for (; records->used < records->len && count > 0; count--) {
		const unsigned char *record = records->bytes + records->used;
		int64_t time = records->is_dma ? dma_time(r, state, record)
					       : instruction_time(r, state, record);
		if (time > limit)
			break;
		int rc = records->is_dma ? read_dma(r, state, record, time, err)
					 : read_instruction(r, state, record, time, err);
		if (rc < 0)
			return -1;
		records->used += ntff_record_size;
	}
	return 0;
}

/* Does for all rings at once what ntff_find_queue() does for one. */
static void find_queues(struct ntff_pairs *state)
{
	const struct ntff_core *core = state->core;
	for (unsigned engine = 0; engine < ntff_record_engines; engine++)
		for (unsigned ring = 0; ring < ntff_rings; ring++)
			state->rings[engine][ring].traffic = traffic_of(NULL, ring);
	for (size_t i = 0; i < core->queue_count; i++) {
		const struct ntff_queue *queue = &core->queues[i];
		uint64_t engine = queue->engine - ntff_dma_engines * (core->nc & ~(uint64_t)1);
		if (engine >= ntff_record_engines || queue->ring >= ntff_rings)
			continue;
		struct ntff_ring *ring = &state->rings[engine][queue->ring];
		if (ring->queue)
			continue;
		ring->queue = queue;
		ring->class = class_of(queue);
		ring->traffic = traffic_of(queue, (unsigned)queue->ring);
	}
}

struct ntff_pairs *ntff_trace_pairs_new(const struct ntff_pairing *r, size_t core_index,
					struct error *err)
{
	const struct ntff_core *core = &r->ntff->cores[core_index];
	struct ntff_time_base base = ntff_time_base_of(r, core);
	struct ntff_pairs *state = memory_allocate(1, sizeof *state);
	int rc = 0;
	state->core = core;
	state->last = -1;
	state->timed_from = r->window->core_start[core_index];
	for (int i = 0; i < NTFF_ENGINES; i++)
		state->programs[i].stream = &core->streams[i];
	find_queues(state);
	if (ntff_trace_has_records(core, NTFF_INSTRUCTIONS, 0))
		rc = ntff_trace_make_engine_ticks(&base, state->engine_ticks, err);
	for (int i = 0;
	     rc == 0 && i < ntff_dma_engines && ntff_trace_has_records(core, NTFF_DMA, 1); i++)
		rc = ntff_trace_make_ticks(&base, &core->dma_clocks[i], "DMA", &state->dma_ticks[i],
					   err);
	if (rc == 0)
		return state;
	ntff_trace_pairs_free(state);
	return NULL;
}

void ntff_trace_pairs_free(struct ntff_pairs *state)
{
	for (unsigned engine = 0; state && engine < ntff_record_engines; engine++)
		for (unsigned ring = 0; ring < ntff_rings; ring++)
			free(state->rings[engine][ring].begins);
	free(state);
}
