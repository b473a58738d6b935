/* rooflog inspect --disasm: which words the records name, then each program word by word. */
#include "cli/inspect/inspect.h"

#include "ingest/ntff/trace/records.h"
#include "ingest/ntff/trace/trace.h"
#include "model/ntff/trace.h"
#include "render/ntff/ntff.h"

enum {
	flush_size = 64 * 1024,
	all_words_limit = 4 << 20, /* words in all programs that are shown */
};

struct printing {
	const struct ntff *ntff;
	struct random_access *bytes;
	struct terminal terminal;
	int engine;                            /* -1: all */
	struct ntff_ran *(*ran)[NTFF_ENGINES]; /* by core: an array for each program */
	struct strbuf out;
};

/* Limits the total size: in a malformed file, every core may claim the whole file as its
 * program. */
static int check_size(const struct printing *p, struct error *err)
{
	const struct ntff *ntff = p->ntff;
	uint64_t all = 0;
	for (size_t core = 0; core < ntff->core_count; core++)
		for (int i = 0; i < NTFF_ENGINES; i++)
			if (p->engine < 0 || p->engine == i)
				all += render_ntff_program_words(&ntff->cores[core].streams[i]);
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
	size_t core = (size_t)(one->core - p->ntff->cores);
	(void)err;
	assert(core < p->ntff->core_count);
	if (!one->word || !p->ran[core][one->engine])
		return 0;
	struct ntff_ran *ran = &p->ran[core][one->engine][one->pc];
	if (ran->times == 0 || one->begin < ran->begin) {
		ran->begin = one->begin;
		ran->duration = one->end - one->begin;
	}

	ran->times++;
	return 0;
}

/* Counts how often each word ran. Memory grows with the programs, whose size check_size() has
 * limited, not with the number of records. */
static int collect(struct printing *p, struct error *err)
{
	const struct ntff *ntff = p->ntff;
	struct ntff_sink sink = {.context = p, .instruction = on_instruction};
	struct ntff_window window;
	struct ntff_counts counts;
	if (check_size(p, err) < 0)
		return -1;
	p->ran = memory_allocate(ntff->core_count + 1, sizeof *p->ran);
	for (size_t core = 0; core < ntff->core_count; core++)
		for (int i = 0; i < NTFF_ENGINES; i++) {
			uint64_t words = render_ntff_program_words(&ntff->cores[core].streams[i]);
			if (words == 0 || (p->engine >= 0 && p->engine != i))
				continue;
			p->ran[core][i] = memory_allocate((size_t)words, sizeof(struct ntff_ran));
		}
	if (ntff_trace_find_window(ntff, p->bytes, &window, err) < 0)
		return -1;
	return ntff_trace_read(ntff, p->bytes, &window, &sink, &counts, err);
}

/* Whether the runtime inserted the word at `pc`. The answer is the same for all words before
 * *until. */
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

/* Prints one program. Returns 1 if the reader of the pipe is gone. */
static int print_program(struct printing *p, size_t index, int engine, struct error *err)
{
	const struct ntff_core *core = &p->ntff->cores[index];
	struct ntff_program *program = memory_allocate(1, sizeof *program);
	int rc = 0, runtime = -1;
	program->stream = &core->streams[engine];
	render_ntff_program_title(&p->out, &p->terminal, core, engine);
	uint64_t until = 0;
	bool own = false;
	for (uint64_t pc = 0; rc == 0 && pc < render_ntff_program_words(program->stream); pc++) {
		const unsigned char *word = NULL;
		if (pc >= until)
			own = is_runtime(core, engine, pc, &until);
		if (own != runtime)
			strbuf_addf(&p->out, "  -- %s\n",
				    own ? "added by the runtime" : "from the kernel");
		runtime = own;
		rc = ntff_trace_program_word(program, p->bytes, (uint32_t)pc, &word, err);
		if (rc == 0)
			render_ntff_program_word(&p->out, &p->terminal, pc, word,
						 &p->ran[index][engine][pc]);
		if (rc == 0 && p->out.len > flush_size)
			rc = inspect_write(&p->out, err);
	}
	free(program);
	return rc;
}

int inspect_disasm(struct cli *cli, const struct ntff_source *source, int engine, struct error *err)
{
	struct printing p = {
		.ntff = source->ntff,
		.bytes = source->bytes,
		.terminal = cli_terminal(cli),
		.engine = engine,
	};
	int rc = collect(&p, err);
	for (size_t core = 0; rc == 0 && core < source->ntff->core_count; core++)
		for (int i = 0; rc == 0 && i < NTFF_ENGINES; i++)
			if (engine < 0 || engine == i)
				rc = print_program(&p, core, i, err);
	if (rc == 0)
		rc = inspect_write(&p.out, err);
	for (size_t core = 0; p.ran && core < source->ntff->core_count; core++)
		for (int i = 0; i < NTFF_ENGINES; i++)
			free(p.ran[core][i]);
	free(p.ran);
	strbuf_free(&p.out);
	return rc < 0 ? -1 : 0;
}
