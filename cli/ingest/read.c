/* Reads all files that the command line names. */
#include "cli/ingest/ingest.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/system/system.h"
#include "cli/ingest/progress.h"
#include "cli/ingest/directory_walk.h"
#include "ingest/registry/registry.h"

/* Shortens the reason: the list of readable formats is in the help, not repeated for each file. */
void ingest_skip(struct cli *cli, struct ingest *ingest, const char *path, const char *reason)
{
	size_t len = span_find(span_of(reason), ". \"rooflog formats\"");
	*arena_next(&cli->arena, ingest->skipped, ingest->skipped_count, ingest->skipped_capacity) =
		(struct skipped){path, arena_strndup(&cli->arena, reason, len)};
}

static void take_params(struct cli *cli, struct ingest *ingest, const char *path,
			const struct ingest_result *result)
{
	*arena_next(&cli->arena, ingest->params, ingest->params_count, ingest->params_capacity) =
		(struct attached_params){directory_walk_open(&cli->arena, path), path,
					 result->params, result->param_count};
}

static void take_devices(struct cli *cli, const struct hardware_list *devices)
{
	struct hardware_list *all = &cli->settings.devices;
	for (size_t i = 0; i < devices->count; i++) {
		*arena_add(&cli->arena, all) = devices->items[i];
	}
}

static void take_companions(struct cli *cli, struct ingest *ingest, const char *path,
			    const struct reader *reader, const struct companion_list *companions)
{
	const char *directory = directory_walk_open(&cli->arena, path);
	for (size_t i = 0; i < companions->count; i++) {
		*arena_next(&cli->arena, ingest->companions, ingest->companion_count,
			    ingest->companion_capacity) = (struct placed_companion){
			&companions->items[i], path, directory, reader, false};
	}
}

static bool has_many_kernels(const struct run_list *runs)
{
	for (size_t i = 1; i < runs->count; i++)
		if (!span_text_eq(runs->items[i]->kernel, runs->items[0]->kernel))
			return true;
	return false;
}

void ingest_add_runs(struct cli *cli, struct ingest *ingest, const char *path,
		     const struct reader *reader, const struct run_list *runs)
{
	bool many_kernels = has_many_kernels(runs);
	const char *directory = directory_walk_open(&cli->arena, path);
	for (size_t i = 0; i < runs->count; i++) {
		struct run *run = runs->items[i];
		run->source = path;
		run->ingested_at = cli->now;
		*arena_next(&cli->arena, ingest->runs, ingest->run_count, ingest->run_capacity) =
			(struct incoming){
				.run = run,
				.path = path,
				.directory = directory,
				.reader = reader,
				.many_kernels = many_kernels,
				.several_nodes = runs->count > 1 && run->node[0],
			};
	}
}

void ingest_take(struct cli *cli, struct ingest *ingest, const char *path,
		 const struct reader *reader, const struct ingest_result *result)
{
	ingest->files++;
	if (result->param_count)
		take_params(cli, ingest, path, result);
	take_devices(cli, &result->devices);
	ingest_add_runs(cli, ingest, path, reader, &result->runs);
	take_companions(cli, ingest, path, reader, &result->companions);
	ingest_count(cli, ingest, reader, result->runs.count);
}

int ingest_read_input(struct cli *cli, struct ingest *ingest, struct input *input, const char *path,
		      struct error *err)
{
	struct ingest_result result = {0};
	const struct reader *reader;
	if (reader_read(&cli->arena, input, &result, &reader, err) < 0)
		return -1;
	ingest_take(cli, ingest, path, reader, &result);
	return 0;
}

static bool is_native(struct cli *cli, struct ingest *ingest, const char *path, bool required)
{
	struct error ignored;
	bool none = strcmp(path, "-") == 0 || ingest->summary_only;
	struct input *input = none ? NULL : input_open(path, &ignored);
	bool native = input && ingest_is_native(cli, ingest, input, path, required);
	if (input)
		input_close(input);
	return native;
}

/* Processes the result of one file; the arena adopts its memory. */
static int take_item(struct cli *cli, struct ingest *ingest, struct batch_item *item, bool required,
		     bool keep_going, struct error *err)
{
	bool unknown = item->rc < 0 && !item->reader && item->err.kind == ERR_FORMAT;
	arena_adopt(&cli->arena, &item->arena);
	if (item->rc == 0 && ingest_is_native_read(cli, ingest, item, required))
		return 0;
	if (item->rc == 0) {
		size_t runs = ingest->run_count, companions = ingest->companion_count;
		ingest_take(cli, ingest, item->path, item->reader, &item->result);
		for (size_t i = runs; i < ingest->run_count; i++)
			ingest->runs[i].named = required;
		for (size_t i = companions; i < ingest->companion_count; i++)
			ingest->companions[i].named = required;
		return 0;
	}
	if (unknown && is_native(cli, ingest, item->path, required && !keep_going))
		return 0;
	if (!keep_going && (required || !unknown)) {
		*err = item->err;
		if (unknown)
			error_prefix(err, "%s",
				     strcmp(item->path, "-") == 0 ? "standard input" : item->path);
		return -1;
	}
	ingest_skip(cli, ingest, item->path, item->err.text);
	return 0;
}

/* --- which files --- */

static void add_file(struct arena *arena, struct tree_list *list, const char *path,
		     bool is_explicit)
{
	*arena_add(arena, list) = (struct tree_file){path, is_explicit};
}

/* Adds companions next to a file that was named. */
static void add_siblings(struct arena *arena, struct tree_list *list, const char *path)
{
	static const char *const names[] = {"params.json", "devices.json", "timings.json",
					    "sysinfo.csv", "roofline.csv"};
	const char *directory = directory_walk_open(arena, path);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *sibling = strcmp(directory, ".") == 0
					      ? names[i]
					      : arena_printf(arena, "%s/%s", directory, names[i]);
		if (file_exists(sibling))
			add_file(arena, list, sibling, false);
	}
}

struct read_destination {
	const char *path;
	size_t index;
};

static int by_path(const void *a, const void *b)
{
	const struct read_destination *x = a, *y = b;
	int order = strcmp(x->path, y->path);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* A canonical path of the file, to find duplicates: its directory is resolved. The file itself is
 * not, because links to one params.json apply to the runs of each directory that contains a link.
 */
static const char *canonical_path(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory =
		strcmp(path, "-") == 0 ? NULL : realpath(directory_walk_open(arena, path), NULL);
	const char *place = path;
	if (directory)
		place = arena_printf(arena, "%s/%s", directory, slash ? slash + 1 : path);
	free(directory);
	return place;
}

/* Removes duplicates: a companion of several profiles, or a file named twice, is read once, at its
 * first position. */
static void drop_repeated(struct arena *arena, struct tree_list *list)
{
	struct read_destination *places = arena_array(arena, list->count + 1, sizeof *places);
	bool *repeated = arena_array(arena, list->count + 1, sizeof *repeated);
	size_t kept = 0;
	for (size_t i = 0; i < list->count; i++)
		places[i] =
			(struct read_destination){canonical_path(arena, list->items[i].path), i};
	qsort(places, list->count, sizeof *places, by_path);
	for (size_t i = 1; i < list->count; i++)
		repeated[places[i].index] = strcmp(places[i].path, places[i - 1].path) == 0;
	for (size_t i = 0; i < list->count; i++)
		if (!repeated[i])
			list->items[kept++] = list->items[i];
	list->count = kept;
}

static int list_files(struct cli *cli, char **paths, int count, struct tree_list *files,
		      struct error *err)
{
	struct tree_list named = {0};
	for (int i = 0; i < count; i++)
		if (directory_walk_expand(&cli->arena, paths[i], &named, err) < 0)
			return -1;
	for (size_t i = 0; i < named.count; i++) {
		const struct tree_file *file = &named.items[i];
		add_file(&cli->arena, files, file->path, file->is_explicit);
		if (file->is_explicit && strcmp(file->path, "-") != 0)
			add_siblings(&cli->arena, files, file->path);
	}
	drop_repeated(&cli->arena, files);
	return 0;
}

static uint64_t bytes_of(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

static size_t default_threads(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	return processors > 1 ? (size_t)processors : 1;
}

int ingest_read(struct cli *cli, char **paths, int count, const struct read_options *options,
		struct ingest *ingest, struct error *err)
{
	struct tree_list files = {0};
	ingest->keep_going = options->keep_going;
	if (list_files(cli, paths, count, &files, err) < 0)
		return -1;
	struct batch_item *items = arena_array(&cli->arena, files.count + 1, sizeof *items);
	uint64_t bytes = 0;
	for (size_t i = 0; i < files.count; i++) {
		const char *path = files.items[i].path;
		items[i] = (struct batch_item){.path = path, .bytes = bytes_of(path)};
		bytes += items[i].bytes;
	}
	struct progress progress = ingest_progress_of(cli, files.count, bytes);
	const struct batch_options batch = {
		.hints = &options->hints,
		.threads = options->threads ? options->threads : default_threads(),
		.keep_going = options->keep_going,
		.watch = ingest_progress_wanted(cli) ? ingest_progress_show : NULL,
		.context = &progress,
	};
	ingest_batch_read(items, files.count, &batch);
	ingest_progress_end(&progress);
	int rc = 0;
	for (size_t i = 0; i < files.count; i++)
		if (rc == 0)
			rc = take_item(cli, ingest, &items[i], files.items[i].is_explicit,
				       options->keep_going, err);
		else
			arena_free(&items[i].arena);
	return rc < 0 ? -1 : ingest_convert(cli, ingest, err);
}
