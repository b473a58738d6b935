/* Resolves the arguments of a command, word by word. */
#include "cli/runs/words/words.h"

#include "base/system/system.h"
#include "cli/runs/words/internal.h"

size_t words_count(const struct words *words, enum word_kind kind)
{
	size_t count = 0;
	for (size_t i = 0; i < words->count; i++)
		count += words->items[i].kind == kind;
	return count;
}

const char *words_commit(const struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		if (words->items[i].kind == WORD_COMMIT)
			return words->items[i].id;
	return NULL;
}

int words_choose_commit(struct cli *cli, struct words *words, struct error *err)
{
	char oid[65];
	if (runs_select_commit(cli, NULL, oid, err) < 0)
		return -1;
	*arena_add(&cli->arena, words) =
		(struct word){WORD_COMMIT, "HEAD", arena_strdup(&cli->arena, oid)};
	return 0;
}

/* --- by the spelling alone --- */

static const struct {
	const char *prefix;
	enum word_kind kind;
} prefixes[] = {{"file:", WORD_FILE},
		{"run:", WORD_RUN},
		{"commit:", WORD_COMMIT},
		{"series:", WORD_SERIES}};

/* The kind that a prefix states, which is removed; 0: none does. */
static enum word_kind stated_kind(const char **word)
{
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		size_t len = strlen(prefixes[i].prefix);
		if (strncmp(*word, prefixes[i].prefix, len) == 0 && (*word)[len]) {
			*word += len;
			return prefixes[i].kind;
		}
	}
	return 0;
}

/* A file that is not spelled as one must not be a commit, too. */
static int check_file(struct word_finding *f, const char *word, struct error *err)
{
	struct meaning meaning;
	if (strcmp(word, "-") != 0 && !file_exists(word))
		return error_set(err, ERR_USAGE, "%.200s: no such file", word);
	if (words_is_path(word) || !(f->rules->kinds & WORD_COMMIT))
		return 0;
	if (words_find(f, word, WORD_FILE | WORD_COMMIT, &meaning, err) < 0)
		return -1;
	return meaning.oid[0] ? words_refuse_several(f->cli, word, &meaning, err) : 0;
}

static int begin_word(struct word_finding *f, const char *word, struct words *words,
		      struct error *err)
{
	const char *text = word;
	enum word_kind kind = stated_kind(&text);
	bool stated = kind != 0;
	bool names_value = strchr(word, '=') != NULL;
	bool names_file = words_is_path(word) ||
			  (!names_value && f->rules->kinds & WORD_FILE && words_is_file(word));
	if (!kind && names_file)
		kind = WORD_FILE;
	else if (!kind && names_value)
		kind = WORD_SERIES;
	if (kind && !(f->rules->kinds & kind))
		return words_refuse_kind(f->cli, f->rules, kind, text, err);
	if (kind == WORD_FILE && stated && !file_exists(text))
		return error_set(err, ERR_USAGE, "%.200s: no such file", text);
	if (kind == WORD_FILE && !stated && check_file(f, text, err) < 0)
		return -1;
	*arena_add(&f->cli->arena, words) = (struct word){.kind = kind, .text = text};
	return 0;
}

/* "A..B" and "A...B", as in git; B is HEAD if it is left out. False for any other word. */
static bool split_range(struct cli *cli, const char *word, const char *sides[2], bool *merge_base)
{
	const char *dots = strstr(word, "..");
	const char *prefix = word;
	if (stated_kind(&prefix) || words_is_path(word) || !dots || dots == word)
		return false;
	*merge_base = dots[2] == '.';
	sides[0] = arena_strndup(&cli->arena, word, (size_t)(dots - word));
	sides[1] = dots + 2 + *merge_base;
	if (!sides[1][0])
		sides[1] = "HEAD";
	return true;
}

static int check_input(const struct words *words, struct error *err)
{
	size_t input = 0;
	for (size_t i = 0; i < words->count; i++)
		input +=
			words->items[i].kind == WORD_FILE && strcmp(words->items[i].text, "-") == 0;
	if (input > 1)
		return error_set(err, ERR_USAGE, "- is standard input, which can be read once");
	return 0;
}

int words_begin(struct cli *cli, const struct words_rules *rules, const struct arguments *given,
		struct words *words, struct error *err)
{
	struct word_finding f = {.cli = cli, .rules = rules};
	const char *sides[2];
	*words = (struct words){.count = 0};
	for (size_t i = 0; i < given->count; i++) {
		const char *word = given->items[i];
		bool range = rules->sides && split_range(cli, word, sides, &words->from_merge_base);
		if (range ? begin_word(&f, sides[0], words, err) < 0 ||
				    begin_word(&f, sides[1], words, err) < 0
			  : begin_word(&f, word, words, err) < 0)
			return -1;
	}
	return check_input(words, err);
}

/* --- by what is found --- */

static int settle_run(struct word_finding *f, struct word *word, const struct meaning *meaning,
		      struct error *err)
{
	if (meaning->runs > 1)
		return words_refuse_runs(f->cli, word->text, meaning, err);
	word->kind = WORD_RUN;
	word->id = meaning->ids[0];
	return 0;
}

static int settle(struct word_finding *f, struct word *word, const struct meaning *meaning,
		  struct error *err)
{
	size_t count = (meaning->runs > 0) + (meaning->oid[0] != '\0') + meaning->series;
	if (count > 1 || meaning->rival[0])
		return words_refuse_several(f->cli, word->text, meaning, err);
	if (meaning->runs)
		return settle_run(f, word, meaning, err);
	if (meaning->series) {
		word->kind = WORD_SERIES;
		return 0;
	}
	if (!meaning->oid[0])
		return words_refuse_unknown(f, word, err);
	word->kind = WORD_COMMIT;
	word->id = arena_strdup(&f->cli->arena, meaning->oid);
	return 0;
}

static int resolve_word(struct word_finding *f, struct word *word, bool with_files,
			struct error *err)
{
	struct meaning meaning;
	unsigned kinds = word->kind ? word->kind : f->rules->kinds & ~(unsigned)WORD_FILE;
	/* The runs of files have ids that no output shows. */
	if (f->cli->files.count)
		kinds &= ~(unsigned)WORD_RUN;
	if (word->kind == WORD_FILE || word->kind == WORD_SERIES)
		return 0;
	if (words_find(f, word->text, kinds, &meaning, err) < 0)
		return -1;
	bool found = meaning.runs || meaning.oid[0] || meaning.series;
	/* With a file on the line, a word that is nothing else may be in the file. */
	if (!found && with_files && kinds & WORD_SERIES) {
		word->kind = WORD_SERIES;
		return 0;
	}
	if (!found && word->kind == WORD_RUN)
		return error_set(err, ERR_USAGE, "no run's id begins with '%.80s'", word->text);
	return settle(f, word, &meaning, err);
}

/* Moves the parts of SERIES from the list to the pattern. */
static void join_series(struct cli *cli, struct words *words)
{
	struct strbuf sb = {0};
	size_t kept = 0;
	for (size_t i = 0; i < words->count; i++)
		if (words->items[i].kind != WORD_SERIES)
			words->items[kept++] = words->items[i];
		else
			strbuf_addf(&sb, "%s%s", sb.len ? " " : "", words->items[i].text);
	words->count = kept;
	words->series = sb.len ? strbuf_into(&sb, &cli->arena) : NULL;
	if (!words->series)
		strbuf_free(&sb);
}

static const struct word *first_of(const struct words *words, unsigned kinds)
{
	size_t i = 0;
	while (i < words->count && !(words->items[i].kind & kinds))
		i++;
	return i < words->count ? &words->items[i] : NULL;
}

/* Of one kind, unless the command has two sides; of commits, only one. */
static int check_kinds(const struct words_rules *rules, const struct words *words,
		       struct error *err)
{
	const struct word *file = first_of(words, WORD_FILE), *run = first_of(words, WORD_RUN);
	const struct word *commit = first_of(words, WORD_COMMIT), *second = commit;
	for (size_t i = 0; i < words->count; i++)
		if (words->items[i].kind == WORD_COMMIT)
			second = &words->items[i];
	const struct word *stored = commit ? commit : run;
	if (rules->sides)
		return 0;
	if (file && stored)
		return error_set(err, ERR_USAGE,
				 "files and stored runs cannot be mixed\nhint: rooflog compare "
				 "%.200s %.200s",
				 stored->text, file->text);
	if (run && commit)
		return error_set(err, ERR_USAGE,
				 "%.200s is a run and %.200s a commit: name one or the other",
				 run->text, commit->text);
	if (!commit || commit == second)
		return 0;
	bool gate = strcmp(rules->command, "gate") == 0;
	return error_set(err, ERR_USAGE,
			 "two commits: %.200s and %.200s\nhint: rooflog %s %.200s %s%.200s",
			 commit->text, second->text, gate ? "gate" : "compare", commit->text,
			 gate ? "--against " : "", second->text);
}

int words_resolve(struct cli *cli, const struct words_rules *rules, struct words *words,
		  struct run_filter *filter, struct error *err)
{
	struct word_finding f = {.cli = cli, .rules = rules};
	bool with_files = words_count(words, WORD_FILE) > 0 && rules->sides;
	for (size_t i = 0; i < words->count; i++)
		if (resolve_word(&f, &words->items[i], with_files, err) < 0)
			return -1;
	join_series(cli, words);
	filter->words = words->series;
	return check_kinds(rules, words, err);
}

int words_read(struct cli *cli, const struct words_rules *rules, const struct arguments *given,
	       struct words *words, struct run_filter *filter, struct error *err)
{
	return words_begin(cli, rules, given, words, err) < 0 ||
			       cli_open_store(cli, STORE_READ, err) < 0 ||
			       cli_load_config(cli, err) < 0 ||
			       words_resolve(cli, rules, words, filter, err) < 0
		       ? -1
		       : runs_prepare_filter(cli, filter, err);
}

int words_pattern(struct cli *cli, const struct words_rules *rules, const struct arguments *given,
		  const char **pattern, struct error *err)
{
	struct words words;
	assert(rules->kinds == WORD_SERIES);
	if (words_begin(cli, rules, given, &words, err) < 0)
		return -1;
	for (size_t i = 0; i < words.count; i++)
		words.items[i].kind = WORD_SERIES;
	join_series(cli, &words);
	*pattern = words.series;
	return 0;
}
