/* Moves runs between stores. Each call is one transaction: all of it is stored, or nothing. */
#include "cli/runs/store/move.h"

#include <sys/stat.h>

#include "base/text/text.h"
#include "cli/output/output.h"
#include "db/jsonl/jsonl.h"
#include "db/parquet/parquet.h"
#include "model/renaming/renaming.h"
#include "render/lists/lists.h"

/* Where the runs come from. */
struct source {
	const char *path;
	bool is_export; /* lines of JSON, not a store */
};

struct moving {
	struct cli *cli;
	struct store *to;
	const char *to_path;
	const struct source *sources;
	size_t count;
	struct store_taken taken;
	size_t set_aside;
};

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int check_source(struct moving *moving, const struct source *source, struct error *err)
{
	if (cli_store_is_remote(source->path))
		return strcmp(source->path, moving->to_path) != 0
			       ? 0
			       : error_set(err, ERR_USAGE,
					   "%s is the store that runs would be added to",
					   cli_store_name(moving->cli, source->path));
	if (!source->is_export && !file_exists(source->path))
		return error_set(err, ERR_STORE, "%s: no such store", source->path);
	if (strcmp(source->path, "-") == 0 || !is_same_file(source->path, moving->to_path))
		return 0;
	return error_set(err, ERR_USAGE, "%s is the store that runs would be added to",
			 source->path);
}

/* --- taking --- */

static int give_store(struct moving *moving, const char *path, const struct store_taker *taker,
		      struct error *err)
{
	static const struct store_wish all = {NULL, NULL};
	struct store *from;
	size_t damaged = 0;
	if (cli_open_other_store(moving->cli, path, STORE_READ, &from, err) < 0)
		return -1;
	int failed = store_give(from, &all, taker, &damaged, err);
	store_close(from);
	moving->set_aside += damaged;
	return failed;
}

static int take(struct moving *moving, struct error *err)
{
	struct arena arena = {0};
	struct store_intake *intake = store_intake_new(&arena, moving->to);
	const struct store_taker taker = store_intake_taker(intake);
	int failed = 0;
	for (size_t i = 0; !failed && i < moving->count; i++) {
		const struct source *source = &moving->sources[i];
		failed = source->is_export ? jsonl_read_file(source->path, &taker, err)
					   : give_store(moving, source->path, &taker, err);
	}
	if (!failed)
		failed = store_intake_end(intake, &moving->taken, err);
	arena_free(&arena);
	return failed;
}

static int move(struct moving *moving, struct error *err)
{
	for (size_t i = 0; i < moving->count; i++)
		if (check_source(moving, &moving->sources[i], err) < 0)
			return -1;
	if (store_begin(moving->to, err) < 0)
		return -1;
	if (take(moving, err) == 0)
		return store_commit(moving->to, err);
	store_rollback(moving->to);
	return -1;
}

/* --- what is said --- */

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static struct moved_row row_of(const char *store, const struct store_taken *taken)
{
	return (struct moved_row){
		.store = store,
		.runs = taken->runs,
		.known = taken->known,
		.earlier = taken->earlier,
		.restored = taken->restored,
		.commits = taken->commits,
		.edits = taken->edits,
		.baselines = taken->baselines,
	};
}

static void warn_of_set_aside(const struct cli *cli, size_t count)
{
	if (count)
		cli_warn(cli, "%zu damaged run%s skipped; `rooflog doctor` names %s", count,
			 count == 1 ? " was" : "s were", count == 1 ? "it" : "them");
}

static void say_edits(const struct cli *cli, const struct store_taken *taken)
{
	if (taken->edits || taken->baselines)
		cli_note(cli, "%zu edit%s and %zu baseline%s merged", taken->edits,
			 plural(taken->edits), taken->baselines, plural(taken->baselines));
}

int move_say_shared(struct cli *cli, const char *remote, const struct store_taken *taken,
		    size_t pushed, bool pushes, struct error *err)
{
	const char *path;
	size_t came = taken->runs + taken->restored;
	if (cli_store_path(cli, &path, err) < 0)
		return -1;
	struct moved_row row = row_of(cli_store_name(cli, path), taken);
	row.pushed = pushed;
	if (cli->common.json)
		return cli_print_json(render_moved_json(&cli->arena, &row), err);
	if (pushes)
		cli_note(cli, "%zu run%s pushed to %s", pushed, plural(pushed), remote);
	if (!pushes || came)
		cli_note(cli, "%zu run%s came from %s", came, plural(came), remote);
	say_edits(cli, taken);
	return EXIT_PASS;
}

static int say(const struct moving *moving, struct error *err)
{
	struct cli *cli = moving->cli;
	const struct store_taken *taken = &moving->taken;
	const char *name = cli_store_name(cli, moving->to_path);
	struct moved_row row = row_of(name, taken);
	row.set_aside = moving->set_aside;
	warn_of_set_aside(cli, moving->set_aside);
	if (cli->common.json)
		return cli_print_json(render_moved_json(&cli->arena, &row), err);
	cli_note(cli, "%zu run%s added to %s, %zu known already", taken->runs + taken->restored,
		 plural(taken->runs + taken->restored), name, taken->known);
	say_edits(cli, taken);
	return EXIT_PASS;
}

/* --- the verbs --- */

static struct source *sources_of(struct cli *cli, const struct arguments *paths, bool are_exports)
{
	struct source *sources = arena_array(&cli->arena, paths->count, sizeof *sources);
	for (size_t i = 0; i < paths->count; i++)
		sources[i] = (struct source){paths->items[i], are_exports};
	return sources;
}

/* Adds to the store in use. */
static int add(struct cli *cli, const struct arguments *paths, bool are_exports, struct error *err)
{
	static const struct renaming_list as_stored = {0};
	struct moving moving = {
		.cli = cli, .sources = sources_of(cli, paths, are_exports), .count = paths->count};
	if (cli_open_store(cli, STORE_CREATE, err) < 0 ||
	    store_use_aliases(cli->store, &as_stored, err) < 0 ||
	    cli_store_path(cli, &moving.to_path, err) < 0)
		return -1;
	moving.to = cli->store;
	return move(&moving, err) < 0 ? -1 : say(&moving, err);
}

int move_merge(struct cli *cli, void *options, struct error *err)
{
	const struct move_options *wanted = options;
	return add(cli, &wanted->paths, false, err);
}

int move_import(struct cli *cli, void *options, struct error *err)
{
	const struct move_options *wanted = options;
	return add(cli, &wanted->paths, true, err);
}

int move_copy(struct cli *cli, void *options, struct error *err)
{
	const struct move_options *wanted = options;
	bool from_here = wanted->paths.count == 1;
	struct source source = {.path = wanted->paths.items[0]};
	struct moving moving = {.cli = cli,
				.to_path = wanted->paths.items[from_here ? 0 : 1],
				.sources = &source,
				.count = 1};
	if (from_here && cli_store_path(cli, &source.path, err) < 0)
		return -1;
	if (check_source(&moving, &source, err) < 0 ||
	    cli_open_other_store(cli, moving.to_path, STORE_CREATE, &moving.to, err) < 0)
		return -1;
	int failed = move(&moving, err);
	store_close(moving.to);
	return failed ? -1 : say(&moving, err);
}

/* --- export --- */

/* The filter names series as they are called, and the store gives them as they are stored. */
struct wanting {
	const struct run_filter *filter;
	const struct renaming_list *aliases;
};

static bool wants(const void *context, const struct run *identity)
{
	const struct wanting *wanting = context;
	struct arena scratch = {0};
	const struct run *named = renaming_of(&scratch, wanting->aliases, identity);
	bool wanted = runs_filter_wants(wanting->filter, named ? named : identity);
	arena_free(&scratch);
	return wanted;
}

/* What is written to a file. */
struct export_kind {
	const char *name, *ending;
	bool is_parquet;
	enum parquet_table table;
};
static const struct export_kind export_kinds[] = {
	{"jsonl", ".jsonl", false, PARQUET_RUNS},
	{"runs", ".parquet", true, PARQUET_RUNS},
	{"numbers", NULL, true, PARQUET_NUMBERS},
};
enum { EXPORT_KINDS = sizeof export_kinds / sizeof *export_kinds };

/* Cuts the name of the kind off; without one, the ending of the path says it. */
static const struct export_kind *kind_of(const char **output)
{
	const char *path = *output ? *output : "-";
	for (size_t i = 0; i < EXPORT_KINDS; i++) {
		size_t len = strlen(export_kinds[i].name);
		if (strncmp(path, export_kinds[i].name, len) == 0 && path[len] == '=') {
			*output = path + len + 1;
			return &export_kinds[i];
		}
	}
	for (size_t i = 0; i < EXPORT_KINDS; i++)
		if (export_kinds[i].ending && span_ends(span_of(path), export_kinds[i].ending))
			return &export_kinds[i];
	return strcmp(path, "-") == 0 ? &export_kinds[0] : NULL;
}

int move_check_export(struct cli *cli, void *options, struct error *err)
{
	const struct move_options *wanted = options;
	const char *path = wanted->output;
	(void)cli;
	if (kind_of(&path))
		return 0;
	return error_set(err, ERR_USAGE,
			 "-o %s: the extension is neither .jsonl nor .parquet; jsonl=FILE, "
			 "runs=FILE and numbers=FILE have any",
			 path);
}

struct exported {
	size_t rows;
	const char *what;
	size_t set_aside;
};

static int write_export(struct store *store, const struct export_kind *kind,
			const struct store_wish *wish, struct cli_stream *stream,
			struct exported *exported, struct error *err)
{
	struct strbuf sb = {0};
	struct jsonl_amount amount = {0};
	const struct strbuf_drain drain = cli_drain(stream);
	int failed = kind->is_parquet ? parquet_export(store, kind->table, wish, &sb, &drain,
						       &exported->rows, &amount.set_aside, err)
				      : jsonl_export(store, wish, &sb, &drain, &amount, err);
	if (failed) {
		cli_output_abandon(stream, &sb);
		return -1;
	}
	exported->what = kind->table == PARQUET_NUMBERS ? "number" : "run";
	exported->set_aside = amount.set_aside;
	if (!kind->is_parquet)
		exported->rows = amount.runs;
	return cli_output_rest(stream, &sb, err);
}

int move_export(struct cli *cli, void *options, struct error *err)
{
	struct move_options *wanted = options;
	const struct wanting wanting = {&wanted->filter, &cli->settings.aliases};
	struct store_wish wish = {NULL, NULL};
	struct exported exported = {0};
	struct store *store;
	const char *path, *output = wanted->output;
	const struct export_kind *kind = kind_of(&output);
	if (cli_store_path(cli, &path, err) < 0 || cli_open_store(cli, STORE_READ, err) < 0 ||
	    runs_prepare_filter(cli, &wanted->filter, err) < 0 ||
	    runs_require(cli, &wanted->filter, err) < 0)
		return -1;
	if (runs_filter_narrows(&wanted->filter))
		wish = (struct store_wish){wants, &wanting};
	if (cli_open_other_store(cli, path, STORE_READ, &store, err) < 0)
		return -1;
	struct cli_stream stream = {.cli = cli, .path = output};
	if (!cli_is_standard_output(output) && is_same_file(output, path)) {
		store_close(store);
		return error_set(err, ERR_USAGE, "%s is the store itself", output);
	}
	int failed = write_export(store, kind, &wish, &stream, &exported, err);
	store_close(store);
	if (failed)
		return -1;
	warn_of_set_aside(cli, exported.set_aside);
	if (cli_is_standard_output(output))
		return EXIT_PASS;
	output_wrote(cli, output, true);
	if (!cli->common.json)
		cli_note(cli, "%zu %s%s written to %s", exported.rows, exported.what,
			 plural(exported.rows), output);
	return output_print_written(cli, false, err);
}
