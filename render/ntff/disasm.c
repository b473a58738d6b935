/* The programs of a native trace as assembly text: every word, how often it ran, and when first. */
#include "render/ntff/internal.h"

enum {
	operand_column = 44,
	word_limit = 1 << 20 /* per program: an address in the records has 20 bits */
};

static uint64_t word_count(const struct ntff_stream *stream)
{
	return stream->size / ntff_word_size;
}

uint64_t render_ntff_program_words(const struct ntff_stream *stream)
{
	uint64_t words = word_count(stream);
	return words < word_limit ? words : word_limit;
}

void render_ntff_program_word(struct strbuf *out, const struct terminal *terminal, uint64_t pc,
			      const unsigned char *word, const struct ntff_ran *ran)
{
	struct arena scratch = {0};
	struct strbuf text = {0};
	int64_t distance;
	const char *opcode = render_ntff_opcode_text(&scratch, word[0]);
	ntff_word_text(&text, word);
	if (ntff_word_branch(word, &distance))
		strbuf_addf(&text, " -> pc %" PRId64, (int64_t)pc + distance);
	strbuf_addf(out, "  %6" PRIu64, pc);
	if (ran->times)
		strbuf_addf(out, "  %4" PRIu64 "  %13s  %11s  ", ran->times,
			    render_ntff_exact(&scratch, ran->begin, 6),
			    render_ntff_exact(&scratch, ran->duration, 3));
	else
		strbuf_addf(out, "  %4s  %13s  %11s  ", "-", "-", "-");
	/* Text that does not fit next to the times goes on the following lines. */
	if (terminal->wraps && text.len > 1 &&
	    operand_column + strlen(opcode) + text.len > terminal->columns) {
		strbuf_addf(out, "%s\n            ", opcode);
		terminal_wrapped(terminal, out, strbuf_text(&text) + 1, 12, 12);
	} else {
		strbuf_addf(out, "%s%s\n", opcode, strbuf_text(&text));
	}
	strbuf_free(&text);
	arena_free(&scratch);
}

void render_ntff_program_title(struct strbuf *out, const struct terminal *terminal,
			       const struct ntff_core *core, int engine)
{
	const struct ntff_stream *stream = &core->streams[engine];
	const struct ntff_page page = {.terminal = terminal, .out = out};
	struct strbuf clean = {0};
	terminal_text_lines(&clean, span_of(core->name));
	render_ntff_section(
		&page, "%s, %s engine: %" PRIu64 " word%s from device address 0x%" PRIx64 " on",
		strbuf_text(&clean), ntff_engine_name(engine), word_count(stream),
		word_count(stream) == 1 ? "" : "s", stream->address);
	strbuf_free(&clean);
	if (stream->size % ntff_word_size)
		strbuf_addf(out, "  bytes after the last complete word: %" PRIu64 "\n",
			    stream->size % ntff_word_size);
	if (render_ntff_program_words(stream) < word_count(stream))
		strbuf_addf(out, "  words that no trace record can name, not shown: %" PRIu64 "\n",
			    word_count(stream) - render_ntff_program_words(stream));
	if (stream->size)
		strbuf_addf(out, "  %6s  %4s  %13s  %11s  %s\n", "pc", "ran", "begin (us)",
			    "time (ns)", "instruction");
}
