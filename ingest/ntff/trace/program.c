/* The programs of an NTFF, read through a window that follows the instructions. */
#include "ingest/ntff/trace/program.h"

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
