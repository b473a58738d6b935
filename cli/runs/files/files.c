/* Reads files into a store in memory. */
#include "cli/runs/files/files.h"

#include "base/hash/hash.h"
#include "base/system/system.h"
#include "cli/ingest/ingest.h"

/* --- reading --- */

/* The id of a commit that no repository has. */
static const char *made_up_id(struct cli *cli, const char *path)
{
	char hex[65];
	struct sha256 hash;
	sha256_init(&hash);
	sha256_add(&hash, &cli->files.count, sizeof cli->files.count);
	sha256_add(&hash, path, strlen(path));
	sha256_hex(&hash, hex);
	return arena_strdup(&cli->arena, hex);
}

static const struct revision *add_commit(struct cli *cli, const char *path,
					 const struct revision *parent)
{
	const char *oid = made_up_id(cli, path), *before = parent ? parent->oid : "";
	struct revision *revision = arena_add(&cli->arena, &cli->files);
	*revision = (struct revision){
		.oid = oid,
		.tree = "",
		.patch_id = "",
		.parent = before,
		.parents = before,
		.position = parent ? parent->position + 1 : 0,
		.time = cli->now,
		.subject = "",
		.file = strcmp(path, "-") == 0 ? "standard input" : path,
	};
	return revision;
}

static int add_runs(struct cli *cli, const struct ingest *ingest, const struct revision *revision,
		    struct error *err)
{
	char id[65];
	enum store_added added;
	if (store_begin(cli->store, err) < 0)
		return -1;
	int rc = store_add_revision(cli->store, revision, err);
	for (size_t i = 0; rc == 0 && i < ingest->run_count; i++) {
		struct run *run = ingest->runs[i].run;
		run->commit = revision->oid;
		rc = store_add_run(cli->store, run, id, &added, err);
	}
	if (rc == 0)
		return store_commit(cli->store, err);
	store_rollback(cli->store);
	return -1;
}

static int read_one(struct cli *cli, const char *path, const struct reading_options *reading,
		    const struct revision *parent, struct error *err)
{
	const struct ingest_options options = {
		.reading = *reading,
		.may_be_unknown = true,
		.split_by = "none",
		.dry_run = true,
	};
	struct ingest ingest = {.cli = cli, .arena = &cli->arena, .options = &options};
	char *items[] = {arena_strdup(&cli->arena, path)};
	const struct arguments one = {items, 1};
	if (facts_check_reading(&cli->arena, reading, err) < 0 ||
	    ingest_read(&ingest, &one, err) < 0 || ingest_complete(&ingest, err) < 0)
		return -1;
	if (ingest.run_count == 0)
		return ingest_fail_empty(&ingest, &one, err);
	return add_runs(cli, &ingest, add_commit(cli, path, parent), err);
}

static int files_read(struct cli *cli, const struct arguments *paths,
		      const struct reading_options *reading, struct error *err)
{
	const struct revision *last = NULL;
	assert(!cli->store);
	if (store_open_memory(&cli->files, &cli->store, err) < 0)
		return -1;
	for (size_t i = 0; i < paths->count; i++) {
		if (read_one(cli, paths->items[i], reading, last, err) < 0)
			return -1;
		last = &cli->files.items[i];
	}
	return 0;
}

/* Replaces the open store by a copy, which may be written to. */
static int use_copy(struct cli *cli, struct error *err)
{
	struct store *copy;
	if (cli->files.count)
		return 0;
	if (store_open_copy(cli->store, &cli->files, &copy, err) < 0)
		return -1;
	store_close(cli->store);
	cli->store = copy;
	return cli_use_aliases(cli, err);
}

int files_read_after(struct cli *cli, const char *path, const struct reading_options *reading,
		     const struct revision *parent, struct error *err)
{
	return use_copy(cli, err) < 0 ? -1 : read_one(cli, path, reading, parent, err);
}

int files_add_run(struct cli *cli, const char *id, const struct revision *parent, struct error *err)
{
	struct store_run_list found = {0};
	const struct run_query query = {.id = id, .details = true};
	if (use_copy(cli, err) < 0 || store_runs(cli->store, &cli->arena, &query, &found, err) < 0)
		return -1;
	if (found.count != 1)
		return error_set(err, ERR_STORE, "run %.8s no longer exists", id);
	/* What it was measured with is what it stands for, uncommitted changes included. */
	found.items[0].run->dirty = false;
	struct incoming one = {.run = found.items[0].run};
	const char *name = arena_printf(&cli->arena, "run %.8s", id);
	const struct ingest alone = {.runs = &one, .run_count = 1};
	return add_runs(cli, &alone, add_commit(cli, name, parent), err);
}

/* --- the runs of a command --- */

/* Adds to a failure to open the store what a word, NULL if there is none, may have been meant for.
 */
static int explain(struct cli *cli, const struct words_rules *rules, const char *word,
		   struct error *err)
{
	const char *elsewhere = words_elsewhere(rules);
	struct error no_repository;
	const char *text = arena_strdup(&cli->arena, err->text);
	if (word && file_exists(word))
		return error_set(err, err->kind,
				 "%.700s\nhint: for the %s of this name, write ./%.200s", text,
				 file_is_directory(word) ? "folder" : "file", word);
	if (cli_open_repository(cli, &no_repository) == 0)
		return -1;
	if (word && strpbrk(word, "./"))
		return error_set(err, ERR_USAGE, "%.200s: no such file", word);
	if (word)
		return error_set(err, ERR_USAGE,
				 "%.200s: no such file, and not inside a git repository%s", word,
				 elsewhere);
	return error_set(err, err->kind, "%s%s", no_repository.text, elsewhere);
}

static const char *first_other(const struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		if (words->items[i].kind != WORD_FILE)
			return words->items[i].text;
	return NULL;
}

static struct arguments paths_of(struct cli *cli, const struct words *words)
{
	struct arguments paths = {arena_array(&cli->arena, words->count, sizeof *paths.items), 0};
	for (size_t i = 0; i < words->count; i++)
		if (words->items[i].kind == WORD_FILE)
			paths.items[paths.count++] =
				arena_strdup(&cli->arena, words->items[i].text);
	return paths;
}

int files_open(struct cli *cli, const struct words_rules *rules,
	       const struct files_request *request, struct words *words, struct error *err)
{
	if (words_begin(cli, rules, request->words, words, err) < 0)
		return -1;
	const struct arguments paths = paths_of(cli, words);
	if (paths.count && (!rules->sides || paths.count > 1)) {
		if (files_read(cli, &paths, request->reading, err) < 0)
			return -1;
	} else if (!paths.count && facts_reads(request->reading)) {
		return error_set(err, ERR_USAGE,
				 "reading options such as --set and --from-path need a FILE");
	} else if (cli_open_store(cli, STORE_READ, err) < 0) {
		return explain(cli, rules, first_other(words), err);
	}
	if ((!rules->judges && cli_load_config(cli, err) < 0) ||
	    words_resolve(cli, rules, words, request->filter, err) < 0)
		return -1;
	return words->count || rules->sides || rules->all_commits
		       ? 0
		       : words_choose_commit(cli, words, err);
}

int files_runs(struct cli *cli, const struct run_filter *filter, struct loaded_list *runs,
	       struct error *err)
{
	for (size_t i = 0; i < cli->files.count; i++) {
		struct run_query query = runs_query(filter, cli->files.items[i].oid);
		if (runs_load_facts(cli, &query, runs, err) < 0)
			return -1;
	}
	return runs->count ? 0 : runs_none(cli, filter, cli->files.items[0].oid, err);
}

static int named_runs(struct cli *cli, const struct words *words, const struct run_filter *filter,
		      struct loaded_list *runs, struct error *err)
{
	for (size_t i = 0; i < words->count; i++) {
		struct run_query query = runs_query(filter, NULL);
		query.id = words->items[i].id;
		if (runs_load_facts(cli, &query, runs, err) < 0)
			return -1;
	}
	return runs->count
		       ? 0
		       : error_set(err, ERR_STORE, "none of the given runs matches the filters");
}

int files_choose(struct cli *cli, const struct words *words, struct run_filter *filter,
		 struct loaded_list *runs, struct error *err)
{
	const char *oid = words_commit(words);
	const struct run_query query = runs_query(filter, oid);
	if (runs_prepare_filter(cli, filter, err) < 0)
		return -1;
	if (cli->files.count)
		return files_runs(cli, filter, runs, err);
	if (words_count(words, WORD_RUN))
		return named_runs(cli, words, filter, runs, err);
	assert(oid);
	if (runs_load_facts(cli, &query, runs, err) < 0)
		return -1;
	runs_median_per_series(cli, runs);
	return runs->count ? 0 : runs_none(cli, filter, oid, err);
}
