/* Reads files into a store in memory. */
#include "cli/runs/files/files.h"

#include "base/hash/hash.h"
#include "base/system/system.h"
#include "cli/ingest/ingest.h"

/* --- which words are files --- */

static bool ends_with_slash(const char *word)
{
	size_t len = strlen(word);
	return len && word[len - 1] == '/';
}

static bool is_path(const char *word)
{
	return strcmp(word, "-") == 0 || word[0] == '/' || strncmp(word, "./", 2) == 0 ||
	       strncmp(word, "../", 3) == 0 || strcmp(word, ".") == 0 || strcmp(word, "..") == 0 ||
	       ends_with_slash(word);
}

/* A bare word is never a path: kernels and their folders often have one name. */
static bool may_be_file(const char *word)
{
	return strpbrk(word, "./") && file_exists(word);
}

static bool is_revision(struct cli *cli, const char *word)
{
	char oid[65];
	struct error ignored;
	return cli_open_repository(cli, &ignored) == 0 &&
	       repository_resolve(cli->repository, word, oid, &ignored) == 0;
}

int files_is(struct cli *cli, const char *word, bool *is_file, struct error *err)
{
	*is_file = is_path(word) || may_be_file(word);
	if (!*is_file || is_path(word) || !is_revision(cli, word))
		return 0;
	return error_set(err, ERR_USAGE,
			 "\"%.200s\" is a file and a revision of git: write ./%.200s for the file, "
			 "or the id of the commit",
			 word, word);
}

/* Whether the words are files. */
static int are_files(struct cli *cli, const struct arguments *words, bool *yes, struct error *err)
{
	const char *file = NULL, *other = NULL;
	for (size_t i = 0; i < words->count; i++) {
		bool is_file;
		if (files_is(cli, words->items[i], &is_file, err) < 0)
			return -1;
		*(is_file ? &file : &other) = words->items[i];
	}
	*yes = file != NULL;
	if (!file || !other)
		return 0;
	return error_set(err, ERR_USAGE,
			 "%.200s is a file and %.200s is not: files and stored runs cannot be "
			 "mixed here; \"rooflog compare\" takes one of each",
			 file, other);
}

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
		return ingest_fail_empty(&ingest, err);
	return add_runs(cli, &ingest, add_commit(cli, path, parent), err);
}

int files_read(struct cli *cli, const struct arguments *paths,
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

int files_read_after(struct cli *cli, const char *path, const struct reading_options *reading,
		     const struct revision *parent, struct error *err)
{
	struct store *copy;
	if (store_open_copy(cli->store, &cli->files, &copy, err) < 0)
		return -1;
	store_close(cli->store);
	cli->store = copy;
	return read_one(cli, path, reading, parent, err);
}

/* --- the runs of a command --- */

int files_explain(struct cli *cli, const char *word, struct error *err)
{
	struct error no_repository;
	if (word && file_exists(word))
		return error_set(err, err->kind,
				 "%.700s; for the file of this name, write ./%.200s",
				 arena_strdup(&cli->arena, err->text), word);
	if (cli->store || cli_open_repository(cli, &no_repository) == 0)
		return -1;
	if (word && strpbrk(word, "./"))
		return error_set(err, ERR_USAGE, "%.200s: no such file", word);
	return error_set(err, err->kind, "%s; a file works anywhere: rooflog show profile.json",
			 no_repository.text);
}

int files_open(struct cli *cli, const struct arguments *words,
	       const struct reading_options *reading, const char **word, struct error *err)
{
	bool from_files;
	*word = NULL;
	if (are_files(cli, words, &from_files, err) < 0)
		return -1;
	if (from_files)
		return files_read(cli, words, reading, err);
	if (words->count > 1)
		return error_set(err, ERR_USAGE, "takes files, or one run or commit, not %zu",
				 words->count);
	*word = words->count ? words->items[0] : NULL;
	if (facts_reads(reading))
		return error_set(err, ERR_USAGE,
				 "--set, --from-path and the other reading options are for files, "
				 "and none is named");
	return cli_open_store(cli, STORE_READ, err) < 0 ? files_explain(cli, *word, err) : 0;
}

int files_runs(struct cli *cli, const struct run_filter *filter, struct loaded_list *runs,
	       struct error *err)
{
	for (size_t i = 0; i < cli->files.count; i++) {
		struct run_query query = runs_query(filter, cli->files.items[i].oid);
		if (runs_load_facts(cli, &query, runs, err) < 0)
			return -1;
	}
	return runs->count ? 0
			   : error_set(err, ERR_STORE, "none of the runs that were read matches");
}

int files_choose(struct cli *cli, const char *word, const struct run_filter *filter,
		 struct loaded_list *runs, struct error *err)
{
	if (cli->files.count)
		return files_runs(cli, filter, runs, err);
	return runs_choose(cli, word, filter, runs, err) < 0 ? files_explain(cli, word, err) : 0;
}
