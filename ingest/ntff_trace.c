/* Reading the records of an NTFF: a cursor on each part of the file that is in the order of time,
 * advanced together slice by slice, so that what is added up over all of them stays small. */
#include "ingest/ntff_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/ntff_program.h"
#include "ingest/ntff_record.h"
#include "ingest/ntff_word.h"

enum {
	open_limit = 1024,             /* begun instructions of an engine */
	open_transfer_limit = 1 << 20, /* begun transfers of a trace */
	cursor_limit = 1024,
	part_limit = 64, /* of a DMA trace */
	record_engines = 32,
	/* A slice of time should have this many records: enough to be worth the change of
	 * buffers, and few enough for what is kept of a slice. */
	slice_least = 8192,
	slice_most = 65536
};

/* A begun instruction. */
struct open_instruction {
	uint32_t key; /* address and hint */
	uint16_t wait;
	int64_t begin;
};

/* Begun transfers of one DMA engine and ring, first in first out. */
struct ring {
	int64_t *begins;
	uint32_t first, count, capacity;
	bool straddled; /* a transfer was over the start of the window */
	const struct ntff_queue *queue;
	enum ntff_dma_class class;
};

struct core_state {
	const struct ntff_core *core;
	int64_t timed_from; /* ps */
	int64_t last;       /* end of the last kept instruction; -1 none */
	struct ntff_ticks engine_ticks[NTFF_ENGINES], dma_ticks[ntff_dma_engines];
	struct ntff_program programs[NTFF_ENGINES];
	struct open_instruction open[NTFF_ENGINES][open_limit];
	size_t open_count[NTFF_ENGINES];
	struct ring rings[record_engines][ntff_rings];
};

struct cursor {
	struct core_state *core;
	bool is_dma;
	uint64_t at, end; /* in the file: what is not in the buffer yet */
	size_t used, len;
	int64_t now; /* time of the next record, ps from the window's start */
	unsigned char *buffer;
};

struct reading {
	const struct ntff *ntff;
	struct random_access *bytes;
	const struct ntff_window *window;
	const struct ntff_sink *sink;
	struct ntff_counts *counts;
	struct core_state **cores;
	struct cursor *cursors;
	size_t cursor_count;
	uint64_t open_transfers;
};

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);
	if (!memory)
		abort();
	return memory;
}

static struct ntff_time_base time_base(const struct reading *r, const struct ntff_core *core)
{
	return (struct ntff_time_base){r->ntff, core, r->window->origin};
}

/* From the window's start; NTFF_NO_TIME stays. */
static int64_t from_start(const struct ntff_window *window, int64_t ps)
{
	return ps == NTFF_NO_TIME ? NTFF_NO_TIME : ps - window->start;
}

static int64_t window_length(const struct ntff_window *window)
{
	return window->end == INT64_MAX ? INT64_MAX : window->end - window->start;
}

/* --- instructions --- */

static int deliver_instruction(struct reading *r, struct core_state *state, int engine,
			       const struct open_instruction *open, int64_t end, struct error *err)
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
	one.kept = one.begin >= 0 && end <= window_length(r->window);
	one.timed = one.kept && one.begin >= state->timed_from;
	if (one.kept && end > state->last)
		state->last = end;
	if (ntff_program_word(program, r->bytes, one.pc, &one.word, err) < 0)
		return -1;
	r->counts->outside_program += one.kept && !one.word;
	return r->sink->instruction ? r->sink->instruction(r->sink->context, &one, err) : 0;
}

static void open_instruction(struct reading *r, struct core_state *state, int engine, uint32_t key,
			     uint16_t wait, int64_t begin)
{
	struct open_instruction *open = state->open[engine];
	size_t *count = &state->open_count[engine];
	r->counts->begins++;
	if (*count == open_limit) {
		r->counts->open_begins++;
		(*count)--;
		memmove(open, open + 1, *count * sizeof *open);
	}
	open[(*count)++] = (struct open_instruction){key, wait, begin};
}

static int end_instruction(struct reading *r, struct core_state *state, int engine, uint32_t key,
			   int64_t end, struct error *err)
{
	struct open_instruction *open = state->open[engine];
	size_t *count = &state->open_count[engine], at = 0;
	r->counts->ends++;
	while (at < *count && open[at].key != key)
		at++;
	if (at == *count) {
		r->counts->orphan_ends++;
		return 0;
	}
	struct open_instruction found = open[at];
	(*count)--;
	memmove(open + at, open + at + 1, (*count - at) * sizeof *open);
	return deliver_instruction(r, state, engine, &found, end, err);
}

static int take_instruction(struct reading *r, struct core_state *state,
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

const char *ntff_dma_class_name(enum ntff_dma_class dma_class)
{
	static const char *const names[] = {"static", "software_dynamic", "hardware_dynamic"};
	return names[dma_class];
}

const char *ntff_dma_queue_type(const struct ntff_transfer *one)
{
	if (one->class != NTFF_DMA_STATIC)
		return ntff_dma_class_name(one->class);
	if (one->ring == 14)
		return "instruction";
	if (!one->queue)
		return "unknown";
	return one->queue->type == NTFF_QUEUE_WEIGHTS ? "data"
	       : one->queue->type == NTFF_QUEUE_IO    ? "io"
						      : "unknown";
}

/* The capacity is a power of two, and not smaller than the count. */
static void resize_ring(struct ring *ring, uint32_t capacity)
{
	int64_t *begins = allocate(capacity, sizeof *begins);
	for (uint32_t i = 0; i < ring->count; i++)
		begins[i] = ring->begins[(ring->first + i) & (ring->capacity - 1)];
	free(ring->begins);
	ring->begins = begins;
	ring->first = 0;
	ring->capacity = capacity;
}

static void begin_transfer(struct reading *r, struct ring *ring, int64_t begin)
{
	r->counts->transfer_begins++;
	if (r->open_transfers == open_transfer_limit) {
		r->counts->open_transfers++;
		return;
	}
	if (ring->count == ring->capacity)
		resize_ring(ring, ring->capacity ? 2 * ring->capacity : 16);
	ring->begins[(ring->first + ring->count++) & (ring->capacity - 1)] = begin;
	r->open_transfers++;
}

static enum ntff_transfer_place place_of(struct reading *r, struct ring *ring,
					 const struct ntff_transfer *one)
{
	if (one->end < 0)
		return NTFF_TRANSFER_OUTSIDE;
	if (one->begin < 0) {
		r->counts->straddling++;
		ring->straddled = true;
		return NTFF_TRANSFER_OUTSIDE;
	}
	if (one->end > window_length(r->window)) {
		r->counts->straddling += one->begin <= window_length(r->window);
		return NTFF_TRANSFER_OUTSIDE;
	}
	if (!ring->straddled)
		return NTFF_TRANSFER_KEPT;
	r->counts->left_out++;
	r->counts->left_out_bytes += one->bytes;
	if (__builtin_add_overflow(r->counts->left_out_ps, one->end - one->begin,
				   &r->counts->left_out_ps))
		r->counts->left_out_ps = INT64_MAX;
	return NTFF_TRANSFER_LEFT_OUT;
}

static int end_transfer(struct reading *r, struct core_state *state, const unsigned char *record,
			int64_t end, struct error *err)
{
	unsigned engine = record[3] & 31, number = record[4] >> 4;
	struct ring *ring = &state->rings[engine][number];
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
		.bytes = ntff_u24(record),
		.crc = ntff_u16(record, 6),
		.begin = ring->begins[ring->first],
		.end = end,
	};
	ring->first = (ring->first + 1) & (ring->capacity - 1);
	ring->count--;
	r->open_transfers--;
	/* A ring that had many must not keep their room: there are thousands of rings. */
	if (ring->capacity > 1024 && ring->count < ring->capacity / 4)
		resize_ring(ring, ring->capacity / 2);
	r->counts->transfers++;
	if (one.begin == NTFF_NO_TIME || end == NTFF_NO_TIME || end < one.begin) {
		r->counts->wrong_times++;
		return 0;
	}
	one.place = place_of(r, ring, &one);
	return r->sink->transfer ? r->sink->transfer(r->sink->context, &one, err) : 0;
}

static int take_dma(struct reading *r, struct core_state *state, const unsigned char *record,
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

/* --- cursors --- */

/* The time of a record whose unit is not known is that of its neighbours: it is only counted. */
static int64_t time_of(const struct reading *r, const struct cursor *c, const unsigned char *record)
{
	const struct ntff_ticks *ticks;
	if (c->is_dma) {
		ticks = &c->core->dma_ticks[record[3] & 15];
	} else {
		int engine = ntff_record_engine(record);
		if (engine < 0 || engine >= NTFF_ENGINES)
			return NTFF_NO_TIME;
		ticks = &c->core->engine_ticks[engine];
	}
	return from_start(r->window, ntff_ps(ticks, ntff_raw_time(record)));
}

/* Makes the next record the first of the buffer. */
static int refill(struct reading *r, struct cursor *c, struct error *err)
{
	uint64_t left = c->end - c->at;
	c->used = 0;
	c->len = left < ntff_buffer_size ? (size_t)left : ntff_buffer_size;
	if (c->len == 0)
		return 0;
	if (random_access_read(r->bytes, c->at, c->buffer, c->len, err) < 0)
		return error_prefix(err, "trace");
	c->at += c->len;
	c->now = time_of(r, c, c->buffer);
	return 0;
}

static int add_cursor(struct reading *r, struct core_state *state, bool is_dma, uint64_t at,
		      uint64_t end, struct error *err)
{
	if (at == end)
		return 0;
	if (r->cursor_count == cursor_limit)
		return error_set(err, ERR_FORMAT, "the traces have more than %d parts",
				 (int)cursor_limit);
	struct cursor *c = &r->cursors[r->cursor_count++];
	*c = (struct cursor){.core = state, .is_dma = is_dma, .at = at, .end = end};
	c->buffer = allocate(1, end - at < ntff_buffer_size ? (size_t)(end - at)
							    : (size_t)ntff_buffer_size);
	return refill(r, c, err);
}

struct parts {
	uint64_t ends[part_limit];
	size_t count;
	bool mixed; /* an engine has several parts, or there are too many */
};

/* Where one DMA engine's records end and the next one's begin. */
static int find_parts(struct reading *r, const struct ntff_segment *segment, struct parts *parts,
		      struct error *err)
{
	bool seen[record_engines] = {false};
	unsigned char *buffer = allocate(1, ntff_buffer_size);
	unsigned engine = record_engines;
	int rc = 0;
	*parts = (struct parts){.count = 0};
	for (uint64_t at = 0; rc == 0 && !parts->mixed && at < segment->size;) {
		uint64_t left = segment->size - at;
		size_t len = left < ntff_buffer_size ? (size_t)left : ntff_buffer_size;
		rc = random_access_read(r->bytes, segment->at + at, buffer, len, err);
		for (size_t i = 0; rc == 0 && i < len; i += ntff_record_size) {
			unsigned next = buffer[i + 3] & 31;
			if (next == engine)
				continue;
			if (seen[next] || parts->count == part_limit) {
				parts->mixed = true;
				break;
			}
			if (engine < record_engines)
				parts->ends[parts->count++] = segment->at + at + i;
			engine = next;
			seen[engine] = true;
		}
		at += len;
	}
	free(buffer);
	return rc;
}

/* The DMA engines of a core follow each other in its trace, each in the order of time. */
static int add_dma_cursors(struct reading *r, struct core_state *state,
			   const struct ntff_segment *segment, struct error *err)
{
	struct parts parts;
	uint64_t at = segment->at, end = segment->at + segment->size;
	if (find_parts(r, segment, &parts, err) < 0)
		return -1;
	for (size_t i = 0; !parts.mixed && i < parts.count; i++) {
		if (add_cursor(r, state, true, at, parts.ends[i], err) < 0)
			return -1;
		at = parts.ends[i];
	}
	return add_cursor(r, state, true, at, end, err);
}

/* Takes the records up to a time. */
static int advance(struct reading *r, struct cursor *c, int64_t limit, size_t *taken,
		   struct error *err)
{
	while (c->len && c->now <= limit) {
		const unsigned char *record = c->buffer + c->used;
		int rc = c->is_dma ? take_dma(r, c->core, record, c->now, err)
				   : take_instruction(r, c->core, record, c->now, err);
		if (rc < 0)
			return -1;
		++*taken;
		c->used += ntff_record_size;
		if (c->used < c->len)
			c->now = time_of(r, c, c->buffer + c->used);
		else if (refill(r, c, err) < 0)
			return -1;
	}
	return 0;
}

static bool find_first(const struct reading *r, int64_t *first)
{
	bool any = false;
	for (size_t i = 0; i < r->cursor_count; i++)
		if (r->cursors[i].len && (!any || r->cursors[i].now < *first)) {
			*first = r->cursors[i].now;
			any = true;
		}
	return any;
}

static int take_all(struct reading *r, struct error *err)
{
	const int64_t widest = (int64_t)1 << 60;
	int64_t width = 1000000, first;
	while (find_first(r, &first)) {
		int64_t limit = first > INT64_MAX - width ? INT64_MAX : first + width;
		size_t taken = 0;
		for (size_t i = 0; i < r->cursor_count; i++)
			if (advance(r, &r->cursors[i], limit, &taken, err) < 0)
				return -1;
		if (taken > slice_most && width > 1)
			width /= 2;
		else if (taken < slice_least && width < widest)
			width *= 2;
	}
	return 0;
}

/* --- events, throttling --- */

typedef int take_record(struct reading *r, struct core_state *state, const unsigned char *record,
			void *own, struct error *err);

/* Hands on the records of all segments of a kind, one after the other. */
static int for_records(struct reading *r, struct core_state *state, uint64_t type,
		       take_record *take, void *own, struct error *err)
{
	unsigned char *buffer = allocate(1, ntff_buffer_size);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < state->core->segment_count; i++) {
		const struct ntff_segment *segment = &state->core->segments[i];
		uint64_t at = 0;
		while (rc == 0 && ntff_segment_is(segment, type, 0) && at < segment->size) {
			uint64_t left = segment->size - at;
			size_t len = left < ntff_buffer_size ? (size_t)left : ntff_buffer_size;
			rc = random_access_read(r->bytes, segment->at + at, buffer, len, err);
			for (size_t k = 0; rc == 0 && k < len; k += ntff_record_size)
				rc = take(r, state, buffer + k, own, err);
			at += len;
		}
	}
	free(buffer);
	return rc;
}

static int take_event(struct reading *r, struct core_state *state, const unsigned char *record,
		      void *own, struct error *err)
{
	const struct ntff_ticks *ticks = own;
	struct ntff_event one = {
		.core = state->core,
		.id = record[0],
		.is_semaphore = record[1] == 1,
		.op = record[2],
		.source = record[3] >> 2 & 7,
		.value = (uint32_t)ntff_u16(record, 4) | (uint32_t)ntff_u16(record, 6) << 16,
		.time = from_start(r->window, ntff_ps(ticks, ntff_raw_time(record))),
	};
	r->counts->events++;
	if (one.time == NTFF_NO_TIME)
		r->counts->wrong_times++;
	one.kept = one.time >= 0 && one.time <= window_length(r->window);
	one.counted = r->ntff->version < 6 || one.kept;
	return r->sink->event ? r->sink->event(r->sink->context, &one, err) : 0;
}

struct throttle_state {
	struct ntff_ticks ticks;
	bool any;
	struct ntff_throttle open;
};

static int deliver_throttle(struct reading *r, struct throttle_state *own, int64_t end,
			    struct error *err)
{
	struct ntff_throttle *one = &own->open;
	if (!own->any || one->begin == NTFF_NO_TIME)
		return 0;
	one->end = end > one->begin ? end : one->begin;
	one->kept = one->begin >= 0 && one->begin <= window_length(r->window);
	return r->sink->throttle ? r->sink->throttle(r->sink->context, one, err) : 0;
}

static int take_throttle(struct reading *r, struct core_state *state, const unsigned char *record,
			 void *context, struct error *err)
{
	struct throttle_state *own = context;
	int64_t time = from_start(r->window, ntff_ps(&own->ticks, ntff_raw_time(record)));
	r->counts->throttles++;
	if (time == NTFF_NO_TIME) {
		r->counts->wrong_times++;
		return 0;
	}
	if (deliver_throttle(r, own, time, err) < 0)
		return -1;
	own->any = true;
	own->open = (struct ntff_throttle){
		.core = state->core,
		.other = record[2] == 0,
		.n = record[2],
		.k = record[4],
		.type = record[5],
		.begin = time,
	};
	return 0;
}

static int read_throttles(struct reading *r, struct core_state *state, struct error *err)
{
	struct throttle_state own = {.any = false};
	struct ntff_time_base base = time_base(r, state->core);
	if (!ntff_has_records(state->core, NTFF_THROTTLES, 0))
		return 0;
	if (ntff_make_ticks(&base, &state->core->throttle_clock, "throttle", &own.ticks, err) < 0 ||
	    for_records(r, state, NTFF_THROTTLES, take_throttle, &own, err) < 0)
		return -1;
	return deliver_throttle(r, &own, state->last, err);
}

static int read_events(struct reading *r, struct core_state *state, struct error *err)
{
	struct ntff_time_base base = time_base(r, state->core);
	struct ntff_ticks ticks;
	if (!ntff_has_records(state->core, NTFF_EVENTS, 0))
		return 0;
	if (ntff_make_ticks(&base, &state->core->event_clock, "event", &ticks, err) < 0)
		return -1;
	return for_records(r, state, NTFF_EVENTS, take_event, &ticks, err);
}

/* --- all of it --- */

/* What ntff_find_queue() finds, for all rings at once. */
static void find_queues(struct core_state *state)
{
	const struct ntff_core *core = state->core;
	for (size_t i = 0; i < core->queue_count; i++) {
		const struct ntff_queue *queue = &core->queues[i];
		uint64_t engine = queue->engine - ntff_dma_engines * (core->nc & ~(uint64_t)1);
		if (engine >= record_engines || queue->ring >= ntff_rings)
			continue;
		struct ring *ring = &state->rings[engine][queue->ring];
		if (ring->queue)
			continue;
		ring->queue = queue;
		ring->class = class_of(queue);
	}
}

static int start_core(struct reading *r, size_t index, struct error *err)
{
	const struct ntff_core *core = &r->ntff->cores[index];
	struct ntff_time_base base = time_base(r, core);
	struct core_state *state = r->cores[index] = allocate(1, sizeof *state);
	state->core = core;
	state->last = -1;
	state->timed_from = r->window->core_start[index];
	for (int i = 0; i < NTFF_ENGINES; i++)
		state->programs[i].stream = &core->streams[i];
	find_queues(state);
	if (ntff_has_records(core, NTFF_INSTRUCTIONS, 0) &&
	    ntff_make_engine_ticks(&base, state->engine_ticks, err) < 0)
		return -1;
	for (int i = 0; i < ntff_dma_engines && ntff_has_records(core, NTFF_DMA, 1); i++)
		if (ntff_make_ticks(&base, &core->dma_clocks[i], "DMA", &state->dma_ticks[i], err) <
		    0)
			return -1;
	for (size_t i = 0; i < core->segment_count; i++) {
		const struct ntff_segment *segment = &core->segments[i];
		int rc = 0;
		if (ntff_segment_is(segment, NTFF_INSTRUCTIONS, 0))
			rc = add_cursor(r, state, false, segment->at, segment->at + segment->size,
					err);
		else if (ntff_segment_is(segment, NTFF_DMA, 1))
			rc = add_dma_cursors(r, state, segment, err);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static void count_segment(struct ntff_counts *counts, const struct ntff_segment *segment)
{
	if (ntff_segment_is(segment, NTFF_ERRORS, 0)) {
		counts->errors += segment->size / ntff_record_size;
	} else if (segment->size && !ntff_segment_is(segment, NTFF_INSTRUCTIONS, 0) &&
		   !ntff_segment_is(segment, NTFF_EVENTS, 0) &&
		   !ntff_segment_is(segment, NTFF_DMA, 1) &&
		   !ntff_segment_is(segment, NTFF_THROTTLES, 0)) {
		counts->unknown_segments++;
		counts->unknown_segment_bytes += segment->size;
	}
}

static int read_cores(struct reading *r, struct error *err)
{
	for (size_t i = 0; i < r->ntff->core_count; i++)
		if (start_core(r, i, err) < 0)
			return -1;
	if (take_all(r, err) < 0)
		return -1;
	for (size_t i = 0; i < r->ntff->core_count; i++)
		if (read_events(r, r->cores[i], err) < 0 || read_throttles(r, r->cores[i], err) < 0)
			return -1;
	return 0;
}

static void free_core(struct core_state *state)
{
	for (unsigned engine = 0; state && engine < record_engines; engine++)
		for (unsigned ring = 0; ring < ntff_rings; ring++)
			free(state->rings[engine][ring].begins);
	free(state);
}

int ntff_read_trace(const struct ntff *ntff, struct random_access *bytes,
		    const struct ntff_window *window, const struct ntff_sink *sink,
		    struct ntff_counts *counts, struct error *err)
{
	struct reading r = {ntff, bytes, window, sink, counts, .open_transfers = 0};
	*counts = (struct ntff_counts){.instructions = 0};
	r.cores = allocate(ntff->core_count, sizeof(struct core_state *));
	r.cursors = allocate(cursor_limit, sizeof *r.cursors);
	int rc = read_cores(&r, err);
	for (size_t i = 0; i < ntff->core_count; i++) {
		const struct core_state *state = r.cores[i];
		for (int engine = 0; state && engine < NTFF_ENGINES; engine++)
			counts->open_begins += state->open_count[engine];
		for (size_t k = 0; k < ntff->cores[i].segment_count; k++)
			count_segment(counts, &ntff->cores[i].segments[k]);
		free_core(r.cores[i]);
	}
	counts->open_transfers += r.open_transfers;
	for (size_t i = 0; i < ntff->stray_count; i++)
		if (ntff->strays[i].size) {
			counts->unknown_segments++;
			counts->unknown_segment_bytes += ntff->strays[i].size;
		}
	for (size_t i = 0; i < r.cursor_count; i++)
		free(r.cursors[i].buffer);
	free(r.cursors);
	free(r.cores);
	return rc;
}
