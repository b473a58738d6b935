/* Asks for what files leave open: once, for all facts of all files, with what to type. */
#include "cli/ingest/ingest.h"

enum { files_shown = 3 };

/* The facts that a run must have. */
static const struct {
	enum ingest_lack lack;
	const char *name, *neuron, *amd, *other; /* values to show, by whose tool wrote the file */
} facts[] = {
	{LACKS_KERNEL, "kernel", "NAME", "NAME", "NAME"},
	{LACKS_DTYPE, "dtype", "bf16", "bf16", "bf16"},
	{LACKS_DEVICE, "device", "trn2", "mi300x", "h100-sxm"},
};
enum { FACTS = sizeof facts / sizeof *facts, MASKS = 1 << FACTS };

/* "kernel, dtype and device" */
static void add_names(struct strbuf *sb, unsigned lacks)
{
	for (size_t i = 0; i < FACTS; i++) {
		unsigned rest = lacks & ~((2u << i) - 1);
		if (lacks & 1u << i)
			strbuf_addf(sb, "%s%s", facts[i].name,
				    !rest                ? ""
				    : rest & (rest - 1u) ? ", "
							 : " and ");
	}
}

const char *ingest_names_of(struct arena *arena, unsigned lacks)
{
	struct strbuf sb = {0};
	add_names(&sb, lacks);
	return strbuf_into(&sb, arena);
}

/* "kernel=NAME,dtype=bf16" */
static void add_example(struct strbuf *sb, unsigned lacks, const char *reader)
{
	bool neuron = span_starts(span_of(reader), "neuron") || span_is(span_of(reader), "ntff");
	bool amd = span_starts(span_of(reader), "rocprof");
	const char *comma = "";
	for (size_t i = 0; i < FACTS; i++)
		if (lacks & facts[i].lack) {
			strbuf_addf(sb, "%s%s=%s", comma, facts[i].name,
				    neuron ? facts[i].neuron
				    : amd  ? facts[i].amd
					   : facts[i].other);
			comma = ",";
		}
}

/* The files that lack the same facts. */
struct open_files {
	const char *first, *last;
	size_t count;
};

static void add_files(struct strbuf *sb, const struct open_files *files, unsigned lacks)
{
	bool several = files->count > 1;
	strbuf_addf(sb, "%s%.300s", sb->len ? "; " : "",
		    strcmp(files->first, "-") == 0 ? "standard input" : files->first);
	if (several)
		strbuf_addf(sb, " and %zu more file%s", files->count - 1,
			    files->count == 2 ? "" : "s");
	strbuf_addf(sb, several ? " do not say their " : " does not say its ");
	add_names(sb, lacks);
}

/* Counts the files by what they lack; returns all that is lacking. */
static unsigned count_files(const struct ingest *ingest, struct open_files by[MASKS],
			    const char **reader)
{
	unsigned all = 0;
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		struct open_files *files = &by[one->lacks];
		if (!one->lacks)
			continue;
		all |= one->lacks;
		*reader = *reader ? *reader : one->reader->name;
		files->first = files->first ? files->first : one->path;
		if (!files->last || strcmp(files->last, one->path) != 0)
			files->count++;
		files->last = one->path;
	}
	return all;
}

/* Whether a run has no dtype and need not have one. */
static bool may_lack_dtype(const struct ingest *ingest)
{
	for (size_t i = 0; i < ingest->run_count; i++)
		if (!ingest->runs[i].run->dtype && !(ingest->runs[i].lacks & LACKS_DTYPE))
			return true;
	return false;
}

/* What to type: the whole line where it was short. */
static void add_hint(const struct ingest *ingest, unsigned lacks, const char *reader,
		     struct strbuf *sb)
{
	const struct arguments *paths = ingest->paths;
	bool whole = ingest->only_paths && paths->count <= files_shown;
	strbuf_addstr(sb, whole ? "\nhint: rooflog ingest" : "\nhint: add");
	for (size_t i = 0; whole && i < paths->count; i++)
		strbuf_addf(sb, " %.100s", paths->items[i]);
	strbuf_addstr(sb, " --set ");
	add_example(sb, lacks, reader);
	bool dtype = may_lack_dtype(ingest);
	strbuf_addf(sb,
		    "\nhint: %svariant and parameters can be given in the same way: "
		    "%svariant=v2,s=512; a params.json next to the file works, too",
		    dtype ? "dtype, " : "", dtype ? "dtype=bf16," : "");
	if (ingest->files >= 3)
		strbuf_addstr(sb, "\nhint: --keep-going skips such files");
}

bool ingest_skip_lacking(struct ingest *ingest, const struct incoming *one)
{
	struct strbuf sb = {0};
	if (!one->lacks || !ingest->options->keep_going || ingest->options->may_be_unknown)
		return false;
	strbuf_addstr(&sb, "the file does not say its ");
	add_names(&sb, one->lacks);
	strbuf_addstr(&sb, ": add --set ");
	add_example(&sb, one->lacks, one->reader->name);
	ingest_skip(ingest, one->path, strbuf_into(&sb, ingest->arena));
	return true;
}

int ingest_ask(const struct ingest *ingest, struct error *err)
{
	struct open_files by[MASKS] = {{0}};
	struct strbuf sb = {0};
	const char *reader = NULL;
	unsigned all = count_files(ingest, by, &reader);
	if (!all || ingest->options->prepares)
		return 0;
	for (unsigned lacks = 1; lacks < MASKS; lacks++)
		if (by[lacks].count)
			add_files(&sb, &by[lacks], lacks);
	bool may = ingest->options->may_be_unknown;
	if (may) {
		strbuf_addstr(&sb, ": --set ");
		add_example(&sb, all, reader);
		strbuf_addstr(&sb, all & (all - 1) ? " states them" : " states it");
		cli_note(ingest->cli, "%s", strbuf_text(&sb));
	} else {
		add_hint(ingest, all, reader, &sb);
		error_set(err, ERR_USAGE, "%s", strbuf_text(&sb));
	}
	strbuf_free(&sb);
	return may ? 0 : -1;
}
