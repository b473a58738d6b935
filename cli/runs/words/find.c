/* Finds what a word may mean: in the store, in git, and in the file system. */
#include "cli/runs/words/internal.h"

#include "base/system/system.h"

enum { LEAST_DIGITS = 4, ID_DIGITS = 64 };

bool words_is_path(const char *word)
{
	size_t len = strlen(word);
	return strcmp(word, "-") == 0 || word[0] == '/' || strncmp(word, "./", 2) == 0 ||
	       strncmp(word, "../", 3) == 0 || strcmp(word, ".") == 0 || strcmp(word, "..") == 0 ||
	       (len && word[len - 1] == '/');
}

bool words_is_file(const char *word)
{
	return words_is_path(word) || (strpbrk(word, "./") && file_exists(word));
}

static bool is_hex(const char *word)
{
	size_t len = strlen(word);
	return len >= LEAST_DIGITS && len <= ID_DIGITS && strspn(word, "0123456789abcdef") == len;
}

static int find_runs(struct word_finding *f, const char *word, struct meaning *meaning,
		     struct error *err)
{
	struct store_run_list found = {0};
	const struct run_query query = {.id = word};
	if (!f->cli->store || !is_hex(word))
		return 0;
	if (store_runs(f->cli->store, &f->cli->arena, &query, &found, err) < 0)
		return -1;
	const char **ids = arena_array(&f->cli->arena, found.count, sizeof *ids);
	for (size_t i = 0; i < found.count; i++)
		ids[i] = found.items[i].id;
	meaning->runs = found.count;
	meaning->ids = ids;
	return 0;
}

static int find_baseline(struct word_finding *f, const char *word, struct meaning *meaning,
			 struct error *err)
{
	struct baseline_list baselines = {0};
	if (!f->cli->store)
		return 0;
	if (store_baselines(f->cli->store, &f->cli->arena, &baselines, err) < 0)
		return -1;
	for (size_t i = 0; i < baselines.count; i++)
		if (strcmp(baselines.items[i].name, word) == 0) {
			snprintf(meaning->oid, sizeof meaning->oid, "%s", baselines.items[i].oid);
			meaning->baseline = true;
		}
	return 0;
}

/* A full id that the store has needs no repository: CI passes ids, and opening git would cost more
 * than most commands. */
static bool is_stored_id(struct word_finding *f, const char *word)
{
	size_t len = strlen(word);
	return f->cli->store && (len == 40 || len == 64) && is_hex(word) &&
	       store_has_revision(f->cli->store, word);
}

static int find_commit(struct word_finding *f, const char *word, struct meaning *meaning,
		       struct error *err)
{
	struct cli *cli = f->cli;
	char oid[65];
	bool found = false;
	struct error none;
	if (find_baseline(f, word, meaning, err) < 0)
		return -1;
	if (is_stored_id(f, word)) {
		snprintf(meaning->oid, sizeof meaning->oid, "%s", word);
		return 0;
	}
	if (cli_open_repository(cli, &none) < 0)
		return 0;
	if (repository_find(cli->repository, word, oid, &found, err) < 0)
		return -1;
	if (!found)
		return 0;
	if (meaning->baseline && strcmp(meaning->oid, oid) != 0)
		memcpy(meaning->rival, oid, sizeof oid);
	else
		memcpy(meaning->oid, oid, sizeof oid);
	meaning->by_digits =
		!meaning->baseline && is_hex(word) && strncmp(oid, word, strlen(word)) == 0;
	return 0;
}

static int list_series(struct word_finding *f, struct error *err)
{
	struct store_series_list all = {0};
	struct arena *arena = &f->cli->arena;
	if (f->listed || !f->cli->store)
		return 0;
	if (store_series_all(f->cli->store, arena, &all, err) < 0)
		return -1;
	f->series = arena_array(arena, all.count, sizeof *f->series);
	for (size_t i = 0; i < all.count; i++)
		if (all.items[i].used)
			f->series[f->count++] = all.items[i].identity;
	f->listed = true;
	return 0;
}

/* The old names of series. Where a judge chooses its configuration later, those of the work tree
 * say that a word is one; what it then names, the chosen configuration says. */
static const struct renaming_list *aliases_of(struct word_finding *f)
{
	struct cli *cli = f->cli;
	if (cli->settings.loaded)
		return &cli->settings.aliases;
	struct renaming_list *names = arena_new(&cli->arena, struct renaming_list);
	struct cli aside = {.common = cli->common, .in_work_tree = cli->in_work_tree};
	struct error ignored;
	if (cli_load_config(&aside, &ignored) == 0)
		for (size_t i = 0; i < aside.settings.aliases.count; i++) {
			const struct renaming *alias = &aside.settings.aliases.items[i];
			*arena_add(&cli->arena, names) =
				(struct renaming){arena_strdup(&cli->arena, alias->from), NULL};
		}
	cli_free(&aside);
	return names;
}

static bool is_alias(struct word_finding *f, const char *word)
{
	bool is = false;
	if (!f->aliases)
		f->aliases = aliases_of(f);
	for (size_t i = 0; i < f->aliases->count && !is; i++)
		is = strcmp(f->aliases->items[i].from, word) == 0;
	return is;
}

static int find_series(struct word_finding *f, const char *word, struct meaning *meaning,
		       struct error *err)
{
	const struct series_pattern pattern = {.text = word};
	if (list_series(f, err) < 0)
		return -1;
	meaning->series = is_alias(f, word);
	for (size_t i = 0; i < f->count && !meaning->kernel; i++) {
		meaning->kernel = f->series[i]->kernel && span_glob(word, f->series[i]->kernel);
		meaning->series = meaning->series || meaning->kernel ||
				  series_pattern_has_part(word, f->series[i]) ||
				  series_pattern_fits(&pattern, f->series[i]);
	}
	return 0;
}

int words_find(struct word_finding *f, const char *word, unsigned kinds, struct meaning *meaning,
	       struct error *err)
{
	*meaning = (struct meaning){.file = (kinds & WORD_FILE) && words_is_file(word)};
	if ((kinds & WORD_RUN && find_runs(f, word, meaning, err) < 0) ||
	    (kinds & WORD_COMMIT && find_commit(f, word, meaning, err) < 0))
		return -1;
	/* An id of a commit that was measured is nothing else. */
	return kinds & WORD_SERIES && !is_stored_id(f, word) ? find_series(f, word, meaning, err)
							     : 0;
}
