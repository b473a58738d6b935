/* Chunks of a segment, the clocks of a core, and the words of its programs. */
#include "ingest/ntff/trace/record.h"

/* Since version 6 times are picoseconds of one clock, so the header may omit the clocks. */
int ntff_trace_make_ticks(const struct ntff_time_base *base, const struct ntff_clock *clock,
			  const char *unit, struct ntff_ticks *ticks, struct error *err)
{
	static const struct ntff_clock picoseconds = {0, 1, 1};
	if (clock->den == 0 && base->ntff->version < 6)
		return error_set(err, ERR_FORMAT,
				 "core %s: the header has no clock for its %s records, so they "
				 "cannot be placed in time: repeat the capture",
				 base->core->name, unit);
	*ticks = ntff_ticks_of(clock->den ? clock : &picoseconds, base->origin);
	return 0;
}

int ntff_trace_next_chunk(struct ntff_chunks *chunks, struct error *err)
{
	const struct ntff_segment *segment = chunks->segment;
	uint64_t left = segment->size - chunks->at;
	chunks->len = left < ntff_buffer_size ? (size_t)left : ntff_buffer_size;
	if (chunks->len == 0)
		return 0;
	if (random_access_read(chunks->bytes, segment->at + chunks->at, chunks->buffer, chunks->len,
			       err) < 0)
		return error_prefix(err, "trace");
	chunks->at += chunks->len;
	return 1;
}

bool ntff_trace_has_records(const struct ntff_core *core, uint64_t type, uint64_t subtype)
{
	for (size_t i = 0; i < core->segment_count; i++)
		if (core->segments[i].type == type && core->segments[i].subtype == subtype &&
		    core->segments[i].size)
			return true;
	return false;
}

int ntff_trace_make_engine_ticks(const struct ntff_time_base *base,
				 struct ntff_ticks ticks[NTFF_ENGINES], struct error *err)
{
	for (int i = 0; i < NTFF_ENGINES; i++)
		if (ntff_trace_make_ticks(base, &base->core->engine_clocks[i], ntff_engine_name(i),
					  &ticks[i], err) < 0)
			return -1;
	return 0;
}

int ntff_trace_program_word(struct ntff_program *program, struct random_access *bytes, uint32_t pc,
			    const unsigned char **word, struct error *err)
{
	const struct ntff_stream *stream = program->stream;
	uint64_t at = (uint64_t)pc * ntff_word_size;
	*word = NULL;
	if (at >= stream->size || stream->size - at < ntff_word_size)
		return 0;
	if (at < program->at || at + ntff_word_size > program->at + program->len) {
		uint64_t left = stream->size - at;
		size_t len = left < ntff_program_window ? (size_t)left : ntff_program_window;
		program->len = 0;
		if (random_access_read(bytes, stream->at + at, program->window, len, err) < 0)
			return error_prefix(err, "program");
		program->at = at;
		program->len = len;
	}
	*word = program->window + (at - program->at);
	return 0;
}
