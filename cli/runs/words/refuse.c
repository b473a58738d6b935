/* The errors of words: what is found twice, not at all, or is of another kind. */
#include "cli/runs/words/internal.h"

#include "base/system/system.h"

static bool has_ref(struct cli *cli, const char *folder, const char *word)
{
	char oid[65];
	bool found = false;
	struct error ignored;
	const char *ref = arena_printf(&cli->arena, "%s%s", folder, word);
	return cli_open_repository(cli, &ignored) == 0 &&
	       repository_find(cli->repository, ref, oid, &found, &ignored) == 0 && found;
}

/* What a name of git is. */
static const struct {
	const char *folder, *what;
} refs[] = {{"refs/heads/", "a branch"}, {"refs/tags/", "a tag"}, {"refs/remotes/", "a branch"}};
enum { REFS = sizeof refs / sizeof *refs };

static size_t ref_of(struct cli *cli, const char *word)
{
	size_t i = 0;
	while (i < REFS && !has_ref(cli, refs[i].folder, word))
		i++;
	return i;
}

static const char *commit_is(struct cli *cli, const char *word, const struct meaning *meaning)
{
	size_t ref = meaning->baseline ? REFS : ref_of(cli, word);
	return meaning->baseline ? "a baseline" : ref < REFS ? refs[ref].what : "a commit";
}

static int refuse_rivals(struct cli *cli, const char *word, const struct meaning *meaning,
			 struct error *err)
{
	size_t ref = ref_of(cli, word);
	return error_set(
		err, ERR_USAGE,
		"'%.200s' is a baseline (%.10s) and %s (%.10s)\nhint: write %s%.200s%s, or "
		"rename the baseline",
		word, meaning->oid, ref < REFS ? refs[ref].what : "a commit", meaning->rival,
		ref < REFS ? refs[ref].folder : "the id of the commit ", ref < REFS ? word : "",
		ref < REFS ? arena_printf(&cli->arena, " for the %s", refs[ref].what + 2) : "");
}

/* Two lists: what the word is and begins, and what to write instead. */
struct readings {
	struct strbuf is, write;
	size_t count;
};

static void add(struct readings *r, const char *verb, const char *what, const char *write,
		const char *word)
{
	strbuf_addf(&r->is, "%s%s%s", r->count ? " and " : "", verb, what);
	strbuf_addf(&r->write, "%s%s%.200s", r->count ? " or " : "", write, word);
	r->count++;
}

int words_refuse_several(struct cli *cli, const char *word, const struct meaning *meaning,
			 struct error *err)
{
	struct readings r = {.count = 0};
	struct arena *arena = &cli->arena;
	bool named = meaning->oid[0] && !meaning->by_digits;
	bool alike = meaning->runs && meaning->oid[0] && meaning->by_digits;
	if (meaning->rival[0])
		return refuse_rivals(cli, word, meaning, err);
	if (meaning->file)
		add(&r, "is ", file_is_directory(word) ? "a folder" : "a file", "./", word);
	if (named)
		add(&r, r.count ? "" : "is ", commit_is(cli, word, meaning), "commit:", word);
	if (meaning->series)
		add(&r, r.count ? "" : "is ", meaning->kernel ? "a kernel" : "a part of a series",
		    "series:", word);
	if (meaning->runs)
		add(&r, "begins ",
		    meaning->runs > 1 ? arena_printf(arena, "%zu runs", meaning->runs)
				      : arena_printf(arena, "run %.8s", meaning->ids[0]),
		    "run:", word);
	if (meaning->oid[0] && meaning->by_digits)
		add(&r, meaning->runs ? "" : "begins ",
		    arena_printf(arena, "commit %.10s", meaning->oid), "commit:", word);
	error_set(err, ERR_USAGE, "'%.200s' %s\nhint: write %s%s", word, strbuf_text(&r.is),
		  alike ? "more digits, or " : "", strbuf_text(&r.write));
	strbuf_free(&r.is);
	strbuf_free(&r.write);
	return -1;
}

int words_refuse_runs(struct cli *cli, const char *word, const struct meaning *meaning,
		      struct error *err)
{
	enum { SHOWN = 5 };
	struct strbuf ids = {0};
	(void)cli;
	for (size_t i = 0; i < meaning->runs && i < SHOWN; i++)
		strbuf_addf(&ids, "%s%.8s", i ? ", " : "", meaning->ids[i]);
	error_set(err, ERR_USAGE, "'%.200s' begins %zu runs: %s%s\nhint: write more digits", word,
		  meaning->runs, strbuf_text(&ids), meaning->runs > SHOWN ? " ..." : "");
	strbuf_free(&ids);
	return -1;
}

/* --- another kind --- */

static const char *hint_for(struct arena *arena, const struct words_rules *rules,
			    enum word_kind kind, const char *word)
{
	switch (kind) {
	case WORD_FILE:
		return arena_printf(
			arena, "rooflog ingest %.200s, or rooflog compare A B for two files", word);
	case WORD_RUN:
		return arena_printf(arena, "rooflog show %.200s", word);
	case WORD_COMMIT:
		return rules->kinds & WORD_RUN ? arena_printf(arena, "rooflog %s --commit %.200s",
							      rules->command, word)
					       : arena_printf(arena, "rooflog show %.200s", word);
	case WORD_SERIES:
		if (rules->kinds & WORD_RUN)
			return arena_printf(arena, "rooflog %s --all-commits --series '%.200s'",
					    rules->command, word);
		break;
	}
	return arena_printf(arena, "rooflog log '%.200s', or the filter --series '%.200s'", word,
			    word);
}

int words_refuse_kind(struct cli *cli, const struct words_rules *rules, enum word_kind kind,
		      const char *word, struct error *err)
{
	const char *what = kind == WORD_FILE     ? file_is_directory(word) ? "a folder" : "a file"
			   : kind == WORD_RUN    ? "a run"
			   : kind == WORD_COMMIT ? "a commit"
						 : "a series";
	if (kind == WORD_FILE && strcmp(word, "-") == 0)
		return error_set(err, ERR_USAGE, "- is standard input; %s", rules->does);
	return error_set(err, ERR_USAGE, "%.200s is %s; %s\nhint: %s", word, what, rules->does,
			 hint_for(&cli->arena, rules, kind, word));
}

/* Whether the word is of a kind that the command does not take. */
static int refuse_other(struct word_finding *f, const char *word, bool *refused, struct error *err)
{
	unsigned others = (WORD_FILE | WORD_RUN | WORD_COMMIT | WORD_SERIES) & ~f->rules->kinds;
	struct meaning meaning;
	if (words_find(f, word, others, &meaning, err) < 0)
		return -1;
	enum word_kind kind = meaning.file     ? WORD_FILE
			      : meaning.oid[0] ? WORD_COMMIT
			      : meaning.runs   ? WORD_RUN
					       : WORD_SERIES;
	*refused = meaning.file || meaning.oid[0] || meaning.runs || meaning.series;
	return *refused ? words_refuse_kind(f->cli, f->rules, kind, word, err) : 0;
}

/* --- nothing --- */

/* "run, commit or series" */
static const char *kinds_text(struct arena *arena, unsigned kinds)
{
	static const struct {
		enum word_kind kind;
		const char *name;
	} names[] = {{WORD_RUN, "run"}, {WORD_COMMIT, "commit"}, {WORD_SERIES, "series"}};
	struct strbuf sb = {0};
	size_t left = 0;
	for (size_t i = 0; i < 3; i++)
		left += (kinds & names[i].kind) != 0;
	for (size_t i = 0; i < 3; i++)
		if (kinds & names[i].kind) {
			strbuf_addstr(&sb, names[i].name);
			left--;
			strbuf_addstr(&sb, left > 1 ? ", " : left ? " or " : "");
		}
	return strbuf_into(&sb, arena);
}

static const char *nearest_kernel(const struct word_finding *f, const char *word)
{
	struct similar similar = similar_to(span_of(word));
	for (size_t i = 0; i < f->count; i++)
		if (f->series[i]->kernel)
			similar_offer(&similar, f->series[i]->kernel);
	return similar.word;
}

static bool begins_run(struct word_finding *f, const char *word)
{
	struct store_run_list found = {0};
	const struct run_query query = {.id = word, .limit = 1};
	struct error ignored;
	size_t len = strlen(word);
	return f->cli->store && f->rules->kinds & WORD_RUN && len && len < 4 &&
	       strspn(word, "0123456789abcdef") == len &&
	       store_runs(f->cli->store, &f->cli->arena, &query, &found, &ignored) == 0 &&
	       found.count;
}

const char *words_elsewhere(const struct words_rules *rules)
{
	if (!(rules->kinds & WORD_FILE))
		return "";
	return rules->sides
		       ? "\nhint: two files work anywhere: rooflog compare before.json after.json"
		       : "\nhint: a file works anywhere: rooflog show profile.json";
}

static int refuse_without_repository(const struct word_finding *f, const char *word,
				     struct error *err)
{
	return error_set(err, ERR_USAGE, "%.200s: %snot inside a git repository%s", word,
			 f->rules->kinds & WORD_FILE ? "no such file, and " : "",
			 words_elsewhere(f->rules));
}

/* "A..B" is two sides: one command takes them. */
static const char *range_hint(const struct word_finding *f, const char *word)
{
	const char *dots = strstr(word, "..");
	return dots && dots != word && dots[2] && dots[2] != '/' && !f->rules->sides
		       ? arena_printf(&f->cli->arena, "\nhint: rooflog compare %.200s", word)
		       : "";
}

/* What may have been meant; "" where nothing comes to mind. */
static const char *hint_of(struct word_finding *f, const char *word)
{
	struct arena *arena = &f->cli->arena;
	const char *kernel = nearest_kernel(f, word);
	if (f->rules->kinds == WORD_RUN)
		return "\nhint: \"rooflog log\" shows the ids; \"rooflog log --view edits\" lists "
		       "what was removed";
	if (f->rules->kinds & WORD_FILE && file_exists(word))
		return arena_printf(arena, "\nhint: for the %s of this name, write ./%.200s",
				    file_is_directory(word) ? "folder" : "file", word);
	return kernel ? arena_printf(arena, "\nhint: the nearest is the kernel %.200s", kernel)
		      : range_hint(f, word);
}

int words_refuse_unknown(struct word_finding *f, const struct word *typed, struct error *err)
{
	const char *word = typed->text;
	bool refused = false;
	struct error no_repository;
	if (typed->kind == WORD_COMMIT)
		return error_set(err, ERR_USAGE, "nothing is called '%.200s': no commit", word);
	if (refuse_other(f, word, &refused, err) < 0 || refused)
		return -1;
	if (f->cli->files.count)
		return error_set(err, ERR_USAGE, "nothing in these files is called '%.200s'%s",
				 word, hint_of(f, word));
	if (f->rules->kinds & WORD_FILE && strpbrk(word, "./"))
		return error_set(err, ERR_USAGE, "%.200s: no such file%s", word,
				 range_hint(f, word));
	if (begins_run(f, word))
		return error_set(err, ERR_USAGE, "'%s' is too short: 4 digits at least", word);
	if (f->rules->kinds & WORD_COMMIT && cli_open_repository(f->cli, &no_repository) < 0)
		return refuse_without_repository(f, word, err);
	const char *instead = f->rules->instead ? f->rules->instead(&f->cli->arena, word) : NULL;
	if (instead)
		return error_set(err, ERR_USAGE, "nothing is called '%.200s'\nhint: %s", word,
				 instead);
	return error_set(err, ERR_USAGE, "nothing is called '%.200s': no %s%s", word,
			 kinds_text(&f->cli->arena, f->rules->kinds), hint_of(f, word));
}
