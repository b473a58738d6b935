/* The programs of a native trace as text: every word, how often it ran, and when first. */
#include "cli/ntff/dump.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/ntff/text.h"
#include "ingest/ntff/trace/program.h"
#include "ingest/ntff/instruction/word.h"
#include "render/markup/escape.h"
#include "render/terminal/lines.h"

enum {
	flush_size = 64 * 1024,
	operand_column = 44,
	word_limit = 1 << 20,      /* of a program */
	all_words_limit = 4 << 20, /* of all that are shown */
};

/* What the trace says of one word. */
struct ran {
	uint64_t times;
	int64_t begin, duration; /* of the first time */
};

struct printing {
	const struct ntff_dump *dump;
	struct terminal terminal;
	bool wrap;                        /* lines to the terminal's width */
	int engine;                       /* -1: all */
	struct ran *(*ran)[NTFF_ENGINES]; /* by core: an array for each program */
	struct strbuf out;
};

static uint64_t word_count(const struct ntff_stream *stream)
{
	return stream->size / ntff_word_size;
}

/* An address has 20 bits in the records. */
static uint64_t reachable(const struct ntff_stream *stream)
{
	uint64_t words = word_count(stream);
	return words < word_limit ? words : word_limit;
}

/* Cores may say that the whole file is their program. */
static int check_size(const struct printing *p, struct error *err)
{
	const struct ntff *ntff = p->dump->ntff;
	uint64_t all = 0;
	for (size_t core = 0; core < ntff->core_count; core++)
		for (int i = 0; i < NTFF_ENGINES; i++)
			if (p->engine < 0 || p->engine == i)
				all += reachable(&ntff->cores[core].streams[i]);
	if (all <= all_words_limit)
		return 0;
	return error_set(err, ERR_FORMAT,
			 "the programs have %" PRIu64 " words, and %d can be shown at once%s", all,
			 (int)all_words_limit,
			 p->engine < 0 ? ": choose one engine with --engine" : "");
}

static int on_instruction(void *context, const struct ntff_instruction *one, struct error *err)
{
	struct printing *p = context;
	size_t core = (size_t)(one->core - p->dump->ntff->cores);
	(void)err;
	if (!one->word || !p->ran[core][one->engine])
		return 0;
	struct ran *ran = &p->ran[core][one->engine][one->pc];
	if (ran->times == 0 || one->begin < ran->begin) {
		ran->begin = one->begin;
		ran->duration = one->end - one->begin;
	}
	ran->times++;
	return 0;
}

/* Memory goes with the size of the programs, which the file holds, not with its records. */
static int collect(struct printing *p, struct error *err)
{
	const struct ntff *ntff = p->dump->ntff;
	struct ntff_sink sink = {.context = p, .instruction = on_instruction};
	struct ntff_window window;
	struct ntff_counts counts;
	if (check_size(p, err) < 0)
		return -1;
	p->ran = calloc(ntff->core_count + 1, sizeof *p->ran);
	if (!p->ran)
		abort();
	for (size_t core = 0; core < ntff->core_count; core++)
		for (int i = 0; i < NTFF_ENGINES; i++) {
			uint64_t words = reachable(&ntff->cores[core].streams[i]);
			if (words == 0 || (p->engine >= 0 && p->engine != i))
				continue;
			p->ran[core][i] = calloc((size_t)words, sizeof(struct ran));
			if (!p->ran[core][i])
				abort();
		}
	if (ntff_find_window(ntff, p->dump->bytes, &window, err) < 0)
		return -1;
	return ntff_read_trace(ntff, p->dump->bytes, &window, &sink, &counts, err);
}

/* Whether the runtime put the word in, and up to which word the answer is the same at least. */
static bool is_runtime(const struct ntff_core *core, int engine, uint64_t pc, uint64_t *until)
{
	*until = UINT64_MAX;
	for (size_t i = 0; i < core->patch_count; i++) {
		const struct ntff_patch *patch = &core->patches[i];
		uint64_t first = patch->offset / ntff_word_size, end = first;
		if (patch->engine != (uint64_t)engine || patch->kind != 0)
			continue;
		ntff_add(&end, patch->count);
		if (pc < first && first < *until)
			*until = first;
		if (pc < first || pc >= end)
			continue;
		*until = end;
		return true;
	}
	return false;
}

static void add_word(struct printing *p, uint64_t pc, const unsigned char *word,
		     const struct ran *ran)
{
	struct arena scratch = {0};
	struct strbuf text = {0};
	int64_t distance;
	const char *opcode = ntff_dump_opcode(&scratch, word[0]);
	ntff_word_text(&text, word);
	if (ntff_word_branch(word, &distance))
		strbuf_addf(&text, " -> pc %" PRId64, (int64_t)pc + distance);
	strbuf_addf(&p->out, "  %6" PRIu64, pc);
	if (ran->times)
		strbuf_addf(&p->out, "  %4" PRIu64 "  %13s  %11s  ", ran->times,
			    ntff_text_exact(&scratch, ran->begin, 6),
			    ntff_text_exact(&scratch, ran->duration, 3));
	else
		strbuf_addf(&p->out, "  %4s  %13s  %11s  ", "-", "-", "-");
	/* What does not fit beside the times goes below them. */
	if (p->wrap && operand_column + strlen(opcode) + text.len > p->terminal.columns) {
		strbuf_addf(&p->out, "%s\n            ", opcode);
		terminal_wrapped(&p->terminal, &p->out, strbuf_text(&text) + 1, 12, 12);
	} else {
		strbuf_addf(&p->out, "%s%s\n", opcode, strbuf_text(&text));
	}
	strbuf_free(&text);
	arena_free(&scratch);
}

static void add_title(struct printing *p, const struct ntff_core *core, int engine)
{
	const struct ntff_stream *stream = &core->streams[engine];
	struct arena scratch = {0};
	struct strbuf clean = {0};
	terminal_text_lines(&clean, span_of(core->name));
	ntff_text_section(&p->out, &p->terminal,
			  arena_printf(&scratch,
				       "%s, %s engine: %" PRIu64
				       " word%s from device address 0x%" PRIx64 " on",
				       strbuf_text(&clean), ntff_engine_name(engine),
				       word_count(stream), word_count(stream) == 1 ? "" : "s",
				       stream->address));
	strbuf_free(&clean);
	arena_free(&scratch);
	if (stream->size % ntff_word_size)
		strbuf_addf(&p->out, "  bytes behind the last whole word: %" PRIu64 "\n",
			    stream->size % ntff_word_size);
	if (reachable(stream) < word_count(stream))
		strbuf_addf(&p->out, "  words that no record can name, not shown: %" PRIu64 "\n",
			    word_count(stream) - reachable(stream));
	if (stream->size)
		strbuf_addf(&p->out, "  %6s  %4s  %13s  %11s  %s\n", "pc", "ran", "begin (us)",
			    "time (ns)", "instruction");
}

/* 1 when nobody reads any more. */
static int print_program(struct printing *p, size_t index, int engine, struct error *err)
{
	const struct ntff_core *core = &p->dump->ntff->cores[index];
	struct ntff_program *program = calloc(1, sizeof *program);
	int rc = 0, runtime = -1;
	if (!program)
		abort();
	program->stream = &core->streams[engine];
	add_title(p, core, engine);
	uint64_t until = 0;
	bool own = false;
	for (uint64_t pc = 0; rc == 0 && pc < reachable(program->stream); pc++) {
		const unsigned char *word = NULL;
		if (pc >= until)
			own = is_runtime(core, engine, pc, &until);
		if (own != runtime)
			strbuf_addf(&p->out, "  -- %s\n",
				    own ? "put in by the runtime" : "of the kernel");
		runtime = own;
		rc = ntff_program_word(program, p->dump->bytes, (uint32_t)pc, &word, err);
		if (rc == 0)
			add_word(p, pc, word, &p->ran[index][engine][pc]);
		if (rc == 0 && p->out.len > flush_size)
			rc = ntff_write_out(&p->out, err);
	}
	free(program);
	return rc;
}

int ntff_print_programs(struct cli *cli, const struct ntff_dump *dump, int engine,
			struct error *err)
{
	struct printing p = {
		.dump = dump,
		.terminal = {cli_columns(), cli_utf8(), cli_color(cli)},
		.wrap = cli_table_width() != 0,
		.engine = engine,
	};
	int rc = collect(&p, err);
	for (size_t core = 0; rc == 0 && core < dump->ntff->core_count; core++)
		for (int i = 0; rc == 0 && i < NTFF_ENGINES; i++)
			if (engine < 0 || engine == i)
				rc = print_program(&p, core, i, err);
	if (rc == 0)
		rc = ntff_write_out(&p.out, err);
	for (size_t core = 0; p.ran && core < dump->ntff->core_count; core++)
		for (int i = 0; i < NTFF_ENGINES; i++)
			free(p.ran[core][i]);
	free(p.ran);
	strbuf_free(&p.out);
	return rc < 0 ? -1 : 0;
}
