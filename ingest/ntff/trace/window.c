/* Finds where the execution in an NTFF begins and ends. */
#include "ingest/ntff/trace/record.h"
#include "ingest/ntff/trace/trace.h"

enum { origin_records = 15 };

struct start_search {
	const struct ntff *ntff;
	struct random_access *bytes;
	struct ntff_program *program;
	struct ntff_ticks ticks[NTFF_ENGINES];
	uint64_t origin;
	bool has_first, found, found_here; /* found_here: in the current trace */
	int64_t first, start;
};

/* Looks for the end of the tensor engine's NOTIFY that the program starts. The first one of a trace
 * counts, and among several traces the earliest one. */
static int look_for_start(struct start_search *s, const struct ntff_core *core,
			  const unsigned char *record, struct error *err)
{
	int engine = ntff_record_engine(record), kind = record[3] & 3;
	const unsigned char *word;
	if (engine < 0 || engine >= NTFF_ENGINES || kind > 1 || !(record[3] & 0x80))
		return 0;
	int64_t time = ntff_ps(&s->ticks[engine], ntff_raw_time(record));
	if (time == NTFF_NO_TIME)
		return 0;
	if (kind == 0 && (!s->has_first || time < s->first)) {
		s->has_first = true;
		s->first = time;
	}
	if (kind == 0 || engine != NTFF_TENSOR)
		return 0;
	uint32_t pc = ntff_pc(&core->streams[engine], ntff_u24(record) & 0xfffff);
	if (ntff_trace_program_word(s->program, s->bytes, pc, &word, err) < 0)
		return -1;
	if (word && word[0] == NTFF_NOTIFY && word[36] == NTFF_NOTIFY_START) {
		s->start = s->found && s->start < time ? s->start : time;
		s->found = s->found_here = true;
	}
	return 0;
}

static int look_through(struct start_search *s, const struct ntff_core *core,
			const struct ntff_segment *segment, struct error *err)
{
	struct ntff_chunks chunks = {.bytes = s->bytes, .segment = segment};
	int more = 1;
	s->found_here = false;
	while (!s->found_here && (more = ntff_trace_next_chunk(&chunks, err)) == 1)
		for (size_t k = 0; !s->found_here && k < chunks.len; k += ntff_record_size)
			if (look_for_start(s, core, chunks.buffer + k, err) < 0)
				return -1;
	return more < 0 ? -1 : 0;
}

static int find_core_start(struct start_search *s, const struct ntff_core *core, struct error *err)
{
	s->found = s->has_first = false;
	s->program->stream = &core->streams[NTFF_TENSOR];
	s->program->len = 0;
	if (ntff_trace_has_records(core, NTFF_INSTRUCTIONS, 0) &&
	    ntff_trace_make_engine_ticks(&(struct ntff_time_base){s->ntff, core, s->origin},
					 s->ticks, err) < 0)
		return -1;
	for (size_t i = 0; i < core->segment_count; i++)
		if (ntff_segment_is(&core->segments[i], NTFF_INSTRUCTIONS, 0) &&
		    look_through(s, core, &core->segments[i], err) < 0)
			return -1;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* The time of a record by the core's clock, ps; 0 before its base. False without a clock. */
static bool absolute_time(const struct ntff_core *core, const unsigned char *record, uint64_t *ps)
{
	int engine = ntff_record_engine(record);
	if (engine < 0 || engine >= NTFF_ENGINES || !(record[3] & 0x80))
		return false;
	const struct ntff_clock *clock = &core->engine_clocks[engine];
	uint64_t raw = ntff_raw_time(record);
	uint64_t ticks = raw > clock->base ? raw - clock->base : 0;
	if (clock->den == 0)
		return false;
	unsigned __int128 time = (unsigned __int128)ticks * clock->num / clock->den;
	*ps = (uint64_t)time;
	return time <= UINT64_MAX;
}

/* A device may have been started months ago, so raw times can be too large for exact arithmetic.
 * They are counted from the first instructions of the first core: from the median of several,
 * because a single one may be wrong. */
static int find_origin(struct start_search *s, uint64_t *origin, struct error *err)
{
	const struct ntff_core *core = &s->ntff->cores[0];
	unsigned char records[origin_records * ntff_record_size];
	uint64_t times[origin_records];
	size_t count = 0;
	*origin = 0;
	for (size_t i = 0; i < core->segment_count && count == 0; i++) {
		const struct ntff_segment *segment = &core->segments[i];
		if (!ntff_segment_is(segment, NTFF_INSTRUCTIONS, 0))
			continue;
		size_t len =
			segment->size < sizeof records ? (size_t)segment->size : sizeof records;
		if (random_access_read(s->bytes, segment->at, records, len, err) < 0)
			return -1;
		for (size_t k = 0; k < len; k += ntff_record_size)
			count += absolute_time(core, records + k, &times[count]);
	}
	if (count) {
		qsort(times, count, sizeof *times, by_number);
		*origin = times[count / 2];
	}
	return 0;
}

static int find_starts(struct start_search *s, struct ntff_window *window, struct error *err)
{
	if (find_origin(s, &s->origin, err) < 0)
		return -1;
	window->origin = s->origin;
	for (size_t i = 0; i < s->ntff->core_count; i++) {
		if (find_core_start(s, &s->ntff->cores[i], err) < 0)
			return -1;
		if (i == 0 && !s->found && !s->has_first)
			return error_set(err, ERR_FORMAT,
					 "the first core has no instruction, so the start of the "
					 "execution is unknown: repeat the capture");
		if (i == 0) {
			window->start = s->found ? s->start : s->first;
			window->guessed = !s->found;
		}
		window->core_start[i] = s->found ? s->start - window->start : 0;
	}
	return 0;
}

int ntff_trace_find_window(const struct ntff *ntff, struct random_access *bytes,
			   struct ntff_window *window, struct error *err)
{
	*window = (struct ntff_window){.end = INT64_MAX};
	if (ntff->core_count == 0)
		return error_set(err, ERR_FORMAT,
				 "the header describes no core: repeat the capture");
	if (ntff->version >= 6) {
		const uint64_t longest = (uint64_t)1 << 61;
		uint64_t length = ntff->window_end - ntff->window_start;
		if (!ntff->has_window)
			return error_set(err, ERR_FORMAT,
					 "the header has no start and end of the execution: repeat "
					 "the capture");
		if (ntff->window_start > ntff->window_end || length > longest)
			return error_set(err, ERR_FORMAT,
					 "the header says that the execution lasted from %" PRIu64
					 " to %" PRIu64
					 " ps, which is impossible: repeat the capture",
					 ntff->window_start, ntff->window_end);
		window->origin = ntff->window_start;
		window->end = (int64_t)length;
		return 0;
	}
	struct start_search search = {.ntff = ntff, .bytes = bytes};
	search.program = memory_allocate(1, sizeof *search.program);
	int rc = find_starts(&search, window, err);
	free(search.program);
	return rc;
}
