/* Reads the records of an NTFF. Each part of the file that is sorted by time has a cursor. All
 * cursors advance together, one slice of time after the other, so that interval sums over all of
 * them stay small. */
#include "ingest/ntff/trace/trace.h"

#include "base/base.h"
#include "ingest/ntff/trace/pairs.h"
#include "ingest/ntff/trace/record.h"

enum {
	cursor_limit = 1024,
	part_limit = 64,        /* parts of a DMA trace */
	buffers_size = 2 << 20, /* bytes of all buffers, unless smallest_buffer needs more */
	smallest_buffer = 4096,
	/* The number of records that a slice of time should have: enough for long sequential reads,
	 * and few enough that the sums over all cursors stay small. */
	slice_min = 8192,
	slice_max = 32768,
	cursor_min = 32 /* records per cursor in a slice */
};

/* Either the buffer has an unread record, whose time is `now`, or the cursor is at its end and
 * records.len is 0. */
struct cursor {
	struct ntff_pairs *pairs;
	struct ntff_records records; /* in the buffer */
	uint64_t at, end; /* offsets in the file of what was not read into the buffer yet */
	int64_t now;      /* time of the next record, ps from the window's start */
	unsigned char *buffer;
	size_t group; /* number of cursors in the group for its first one, 0 for the others */
};

struct reading {
	struct ntff_pairing pairing;
	struct ntff_pairs **cores;
	struct cursor *cursors, **heaps; /* heaps: the cursors of each group, the earliest first */
	size_t cursor_count, buffer_size;
};

/* What may be read before it is another cursor's turn. */
struct slice {
	int64_t limit;       /* end, ps; moved to an earlier time if there are too many records */
	size_t record_limit; /* largest number of records per cursor */
	size_t record_count; /* records read from all cursors */
};

/* --- cursors --- */

/* Moves the next record to the start of the buffer and fills the rest of it. */
static int refill(struct reading *r, struct cursor *c, struct error *err)
{
	uint64_t left = c->end - c->at;
	/* Parts of a trace, and buffers, are whole records. */
	assert(left % ntff_record_size == 0 && c->records.used >= c->records.len);
	c->records.used = 0;
	c->records.len = left < r->buffer_size ? (size_t)left : r->buffer_size;
	if (c->records.len == 0)
		return 0;
	if (random_access_read(r->pairing.bytes, c->at, c->buffer, c->records.len, err) < 0)
		return error_prefix(err, "trace");
	c->at += c->records.len;
	c->now = ntff_trace_next_time(&r->pairing, c->pairs, &c->records);
	return 0;
}

static int add_cursor(struct reading *r, struct ntff_pairs *pairs, bool is_dma, uint64_t at,
		      uint64_t end, struct error *err)
{
	if (at == end)
		return 0;
	if (r->cursor_count == cursor_limit)
		return error_set(err, ERR_FORMAT, "the traces have more than %d parts",
				 (int)cursor_limit);
	r->cursors[r->cursor_count++] = (struct cursor){
		.pairs = pairs, .records = {.is_dma = is_dma}, .at = at, .end = end};
	return 0;
}

/* Shares a fixed amount of memory among the cursors' buffers, however many there are. */
static int fill_cursors(struct reading *r, struct error *err)
{
	size_t size = r->cursor_count ? buffers_size / r->cursor_count : 0;
	size = size > ntff_buffer_size  ? ntff_buffer_size
	       : size < smallest_buffer ? smallest_buffer
					: size;
	r->buffer_size = size / smallest_buffer * smallest_buffer;
	for (size_t i = 0; i < r->cursor_count; i++) {
		struct cursor *c = &r->cursors[i];
		uint64_t all = c->end - c->at;
		c->buffer = memory_allocate(1, all < r->buffer_size ? (size_t)all : r->buffer_size);
		c->records.bytes = c->buffer;
		if (refill(r, c, err) < 0)
			return -1;
	}
	return 0;
}

struct parts {
	uint64_t ends[part_limit];
	size_t count;
	bool mixed; /* an engine has several parts, or there are too many parts */
};

/* Finds the offsets at which the records of one DMA engine end and those of the next one begin. */
static int find_parts(struct reading *r, const struct ntff_segment *segment, struct parts *parts,
		      struct error *err)
{
	struct ntff_chunks chunks = {.bytes = r->pairing.bytes, .segment = segment};
	bool seen[ntff_record_engines] = {false};
	unsigned engine = ntff_record_engines;
	int more;
	*parts = (struct parts){.count = 0};
	while ((more = ntff_trace_next_chunk(&chunks, err)) == 1)
		for (size_t i = 0; i < chunks.len; i += ntff_record_size) {
			unsigned next = chunks.buffer[i + 3] & 31;
			if (next == engine)
				continue;
			if (seen[next] || parts->count == part_limit) {
				parts->mixed = true;
				return 0;
			}
			if (engine < ntff_record_engines)
				parts->ends[parts->count++] =
					segment->at + chunks.at - chunks.len + i;
			engine = next;
			seen[engine] = true;
		}
	return more;
}

/* In a core's trace one DMA engine follows the other, and each is sorted by time. */
static int add_dma_cursors(struct reading *r, struct ntff_pairs *pairs,
			   const struct ntff_segment *segment, struct error *err)
{
	struct parts parts;
	uint64_t at = segment->at, end = segment->at + segment->size;
	if (find_parts(r, segment, &parts, err) < 0)
		return -1;
	for (size_t i = 0; !parts.mixed && i < parts.count; i++) {
		if (add_cursor(r, pairs, true, at, parts.ends[i], err) < 0)
			return -1;
		at = parts.ends[i];
	}
	return add_cursor(r, pairs, true, at, end, err);
}

/* Reads a cursor's records in a slice. */
static int advance(struct reading *r, struct cursor *c, struct slice *slice, struct error *err)
{
	size_t left = slice->record_limit;
	while (c->records.len && c->now <= slice->limit && left > 0) {
		size_t used = c->records.used;
		if (ntff_trace_pass_records(&r->pairing, c->pairs, &c->records, slice->limit, left,
					    err) < 0)
			return -1;
		left -= (c->records.used - used) / ntff_record_size;
		if (c->records.used < c->records.len)
			c->now = ntff_trace_next_time(&r->pairing, c->pairs, &c->records);
		else if (refill(r, c, err) < 0)
			return -1;
	}
	slice->record_count = slice->record_limit - left;
	return 0;
}

/* The order of cursors: by time, then by the position of their traces in the header. Cursors that
 * were read to their end come last. */
static bool is_before(const struct cursor *a, const struct cursor *b)
{
	if (a->records.len == 0 || b->records.len == 0)
		return a->records.len > 0;
	return a->now < b->now || (a->now == b->now && a < b);
}

/* Restores the heap below an element whose key has grown. */
static void sink(struct cursor **heap, size_t count, size_t at)
{
	assert(at < count);
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		child += child + 1 < count && is_before(heap[child + 1], heap[child]);
		if (!is_before(heap[child], heap[at]))
			return;
		struct cursor *risen = heap[child];
		heap[child] = heap[at];
		heap[at] = risen;
	}
}

static void make_heaps(struct reading *r)
{
	for (size_t i = 0; i < r->cursor_count; i++)
		r->heaps[i] = &r->cursors[i];
	for (size_t i = 0; i < r->cursor_count; i += r->cursors[i].group)
		for (size_t at = r->cursors[i].group / 2; at-- > 0;)
			sink(r->heaps + i, r->cursors[i].group, at);
}

/* The time up to which the first cursor of a heap remains the earliest, but at most `limit`. */
static int64_t find_until(struct cursor *const *heap, size_t count, int64_t limit)
{
	for (size_t i = 1; i < 3 && i < count; i++) {
		const struct cursor *next = heap[i];
		if (next->records.len && next->now - (next < heap[0]) < limit)
			limit = next->now - (next < heap[0]);
	}
	return limit;
}

/* Reads a heap's records in a slice, sorted by time. If there are too many, the slice's end moves
 * to an earlier time. */
static int advance_heap(struct reading *r, struct cursor **heap, size_t count, struct slice *slice,
			struct error *err)
{
	size_t left = slice->record_limit * count;
	while (heap[0]->records.len && heap[0]->now <= slice->limit && left > 0) {
		struct slice own = {find_until(heap, count, slice->limit), left, 0};
		if (advance(r, heap[0], &own, err) < 0)
			return -1;
		left -= own.record_count;
		slice->record_count += own.record_count;
		sink(heap, count, 0);
	}
	if (heap[0]->records.len && heap[0]->now < slice->limit)
		slice->limit = heap[0]->now;
	return 0;
}

static bool find_first(const struct reading *r, int64_t *first)
{
	bool any = false;
	for (size_t i = 0; i < r->cursor_count; i++)
		if (r->cursors[i].records.len && (!any || r->cursors[i].now < *first)) {
			*first = r->cursors[i].now;
			any = true;
		}
	return any;
}

/* Reads all records. No cursor gets far ahead of another one in time or in records, even where a
 * sparse period is followed by a dense one: the width of the slices adapts. */
static int read_slices(struct reading *r, struct error *err)
{
	const int64_t widest = (int64_t)1 << 60;
	int64_t width = 1000000, first = 0;
	size_t record_limit = r->cursor_count ? slice_max / r->cursor_count : 0;
	record_limit = record_limit < cursor_min ? cursor_min : record_limit;
	make_heaps(r);
	while (find_first(r, &first)) {
		int64_t planned = first > INT64_MAX - width ? INT64_MAX : first + width;
		struct slice slice = {planned, record_limit, 0};
		for (size_t i = 0; i < r->cursor_count; i += r->cursors[i].group)
			if (advance_heap(r, r->heaps + i, r->cursors[i].group, &slice, err) < 0)
				return -1;
		if (slice.limit < planned && width > 1)
			width /= 2;
		else if (slice.limit == planned && slice.record_count < slice_min && width < widest)
			width *= 2;
	}
	return 0;
}

/* --- events, throttling --- */

typedef int pass_record(struct reading *r, struct ntff_pairs *state, const unsigned char *record,
			void *own, struct error *err);

/* Passes the records of all segments of a kind to `pass`, in the order of the file. */
static int for_records(struct reading *r, struct ntff_pairs *state, uint64_t type,
		       pass_record *pass, void *own, struct error *err)
{
	for (size_t i = 0; i < state->core->segment_count; i++) {
		struct ntff_chunks chunks = {.bytes = r->pairing.bytes,
					     .segment = &state->core->segments[i]};
		int more = 0;
		while (ntff_segment_is(chunks.segment, type, 0) &&
		       (more = ntff_trace_next_chunk(&chunks, err)) == 1)
			for (size_t k = 0; k < chunks.len; k += ntff_record_size)
				if (pass(r, state, chunks.buffer + k, own, err) < 0)
					return -1;
		if (more < 0)
			return -1;
	}
	return 0;
}

static int pass_event(struct reading *r, struct ntff_pairs *state, const unsigned char *record,
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
		.time = ntff_from_start(r->pairing.window, ntff_ps(ticks, ntff_raw_time(record))),
	};
	r->pairing.counts->events++;
	if (one.time == NTFF_NO_TIME)
		r->pairing.counts->wrong_times++;
	one.in_window = one.time >= 0 && one.time <= ntff_window_length(r->pairing.window);
	one.counted = r->pairing.ntff->version < 6 || one.in_window;
	return r->pairing.sink->event ? r->pairing.sink->event(r->pairing.sink->context, &one, err)
				      : 0;
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
	one->in_window = one->begin >= 0 && one->begin <= ntff_window_length(r->pairing.window);
	return r->pairing.sink->throttle
		       ? r->pairing.sink->throttle(r->pairing.sink->context, one, err)
		       : 0;
}

static int pass_throttle(struct reading *r, struct ntff_pairs *state, const unsigned char *record,
			 void *context, struct error *err)
{
	struct throttle_state *own = context;
	int64_t time =
		ntff_from_start(r->pairing.window, ntff_ps(&own->ticks, ntff_raw_time(record)));
	r->pairing.counts->throttles++;
	if (time == NTFF_NO_TIME) {
		r->pairing.counts->wrong_times++;
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

static int read_throttles(struct reading *r, struct ntff_pairs *state, struct error *err)
{
	struct throttle_state own = {.any = false};
	struct ntff_time_base base = ntff_time_base_of(&r->pairing, state->core);
	if (!ntff_trace_has_records(state->core, NTFF_THROTTLES, 0))
		return 0;
	if (ntff_trace_make_ticks(&base, &state->core->throttle_clock, "throttle", &own.ticks,
				  err) < 0 ||
	    for_records(r, state, NTFF_THROTTLES, pass_throttle, &own, err) < 0)
		return -1;
	return deliver_throttle(r, &own, state->last, err);
}

static int read_events(struct reading *r, struct ntff_pairs *state, struct error *err)
{
	struct ntff_time_base base = ntff_time_base_of(&r->pairing, state->core);
	struct ntff_ticks ticks;
	if (!ntff_trace_has_records(state->core, NTFF_EVENTS, 0))
		return 0;
	if (ntff_trace_make_ticks(&base, &state->core->event_clock, "event", &ticks, err) < 0)
		return -1;
	return for_records(r, state, NTFF_EVENTS, pass_event, &ticks, err);
}

/* --- all of it --- */

/* The begin of an instruction or a transfer may be in one trace of the core and its end in another.
 * The cursors of such traces form a group, which is read as if it were sorted by time. */
static int add_cursors(struct reading *r, struct ntff_pairs *pairs, uint64_t type, uint64_t subtype,
		       struct error *err)
{
	size_t first = r->cursor_count, traces = 0;
	for (size_t i = 0; i < pairs->core->segment_count; i++) {
		const struct ntff_segment *segment = &pairs->core->segments[i];
		if (segment->size == 0 || !ntff_segment_is(segment, type, subtype))
			continue;
		traces++;
		if ((type == NTFF_DMA ? add_dma_cursors(r, pairs, segment, err)
				      : add_cursor(r, pairs, false, segment->at,
						   segment->at + segment->size, err)) < 0)
			return -1;
	}
	for (size_t i = first; i < r->cursor_count; i++)
		r->cursors[i].group = traces < 2 ? 1 : i == first ? r->cursor_count - first : 0;
	return 0;
}

static int start_core(struct reading *r, size_t index, struct error *err)
{
	struct ntff_pairs *pairs = r->cores[index] = ntff_trace_pairs_new(&r->pairing, index, err);
	return !pairs || add_cursors(r, pairs, NTFF_INSTRUCTIONS, 0, err) < 0 ||
			       add_cursors(r, pairs, NTFF_DMA, 1, err) < 0
		       ? -1
		       : 0;
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
	for (size_t i = 0; i < r->pairing.ntff->core_count; i++)
		if (start_core(r, i, err) < 0)
			return -1;
	if (fill_cursors(r, err) < 0 || read_slices(r, err) < 0)
		return -1;
	for (size_t i = 0; i < r->pairing.ntff->core_count; i++)
		if (read_events(r, r->cores[i], err) < 0 || read_throttles(r, r->cores[i], err) < 0)
			return -1;
	return 0;
}

int ntff_trace_read(const struct ntff *ntff, struct random_access *bytes,
		    const struct ntff_window *window, const struct ntff_sink *sink,
		    struct ntff_counts *counts, struct error *err)
{
	struct reading r = {.pairing = {ntff, bytes, window, sink, counts, 0}};
	*counts = (struct ntff_counts){.instructions = 0};
	r.cores = memory_allocate(ntff->core_count, sizeof *r.cores);
	r.cursors = memory_allocate(cursor_limit, sizeof *r.cursors);
	r.heaps = memory_allocate(cursor_limit, sizeof *r.heaps);
	int rc = read_cores(&r, err);
	for (size_t i = 0; i < ntff->core_count; i++) {
		const struct ntff_pairs *pairs = r.cores[i];
		for (int engine = 0; pairs && engine < NTFF_ENGINES; engine++)
			counts->open_begins += pairs->open_count[engine];
		for (size_t k = 0; k < ntff->cores[i].segment_count; k++)
			count_segment(counts, &ntff->cores[i].segments[k]);
		ntff_trace_pairs_free(r.cores[i]);
	}
	counts->open_transfers += r.pairing.open_transfers;
	for (size_t i = 0; i < ntff->stray_count; i++)
		if (ntff->strays[i].size) {
			counts->unknown_segments++;
			counts->unknown_segment_bytes += ntff->strays[i].size;
		}
	for (size_t i = 0; i < r.cursor_count; i++)
		free(r.cursors[i].buffer);
	free(r.heaps);
	free(r.cursors);
	free(r.cores);
	return rc;
}
