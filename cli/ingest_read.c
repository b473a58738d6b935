/* Reading everything that the command line names. */
#include "cli/ingest.h"

#include <assert.h>
#include <string.h>

#include "base/file.h"
#include "ingest/reader.h"
#include "ingest/tree.h"

/* What can be read is told once in the help, not for each file that was passed over. */
void ingest_skip(struct cli *cli, struct ingest *ingest, const char *path, const char *reason)
{
	size_t len = span_find(span_of(reason), ". \"rooflog formats\"");
	ingest->skipped = arena_grow(&cli->arena, ingest->skipped, ingest->skipped_count,
				     &ingest->skipped_capacity, sizeof *ingest->skipped);
	ingest->skipped[ingest->skipped_count++] =
		(struct skipped){path, arena_strndup(&cli->arena, reason, len)};
}

static void take_params(struct cli *cli, struct ingest *ingest, const char *path,
			const struct ingest_result *result)
{
	ingest->params = arena_grow(&cli->arena, ingest->params, ingest->params_count,
				    &ingest->params_capacity, sizeof *ingest->params);
	ingest->params[ingest->params_count++] = (struct attached_params){
		tree_directory(&cli->arena, path), path, result->params, result->param_count};
}

static void take_devices(struct cli *cli, const struct hardware_list *devices)
{
	struct hardware_list *all = &cli->devices;
	for (size_t i = 0; i < devices->count; i++) {
		all->items = arena_grow(&cli->arena, all->items, all->count, &all->capacity,
					sizeof *all->items);
		all->items[all->count++] = devices->items[i];
	}
}

static void take_companions(struct cli *cli, struct ingest *ingest, const char *path,
			    const struct companion_list *companions)
{
	const char *directory = tree_directory(&cli->arena, path);
	for (size_t i = 0; i < companions->count; i++) {
		ingest->companions =
			arena_grow(&cli->arena, ingest->companions, ingest->companion_count,
				   &ingest->companion_capacity, sizeof *ingest->companions);
		ingest->companions[ingest->companion_count++] =
			(struct placed_companion){&companions->items[i], directory};
	}
}

static bool has_many_kernels(const struct run_list *runs)
{
	for (size_t i = 1; i < runs->count; i++)
		if (!text_eq(runs->items[i]->kernel, runs->items[0]->kernel))
			return true;
	return false;
}

static void take_runs(struct cli *cli, struct ingest *ingest, const char *path,
		      const struct reader *reader, const struct run_list *runs)
{
	bool many_kernels = has_many_kernels(runs);
	for (size_t i = 0; i < runs->count; i++) {
		struct run *run = runs->items[i];
		run->source = path;
		run->ingested_at = cli->now;
		ingest->runs = arena_grow(&cli->arena, ingest->runs, ingest->run_count,
					  &ingest->run_capacity, sizeof *ingest->runs);
		ingest->runs[ingest->run_count++] = (struct incoming){
			.run = run,
			.path = path,
			.directory = tree_directory(&cli->arena, path),
			.reader = reader,
			.many_kernels = many_kernels,
			.several_nodes = runs->count > 1 && run->node[0],
		};
	}
}

/* Files beside several profiles, and files named twice, are read once. */
static bool known_already(struct cli *cli, struct ingest *ingest, const char *path)
{
	for (size_t i = 0; i < ingest->path_count; i++)
		if (strcmp(ingest->paths[i], path) == 0)
			return true;
	ingest->paths = arena_grow(&cli->arena, ingest->paths, ingest->path_count,
				   &ingest->path_capacity, sizeof *ingest->paths);
	ingest->paths[ingest->path_count++] = path;
	return false;
}

/* What one input holds; nothing where no reader knows it and it is not `required`. */
static int read_input(struct cli *cli, struct input *input, const char *path, bool required,
		      struct ingest *ingest, struct error *err)
{
	struct ingest_result result = {0};
	const struct reader *reader = NULL;
	if (reader_read(&cli->arena, input, &result, &reader, err) < 0) {
		bool unknown = !reader && err->kind == ERR_FORMAT;
		if (!unknown || required)
			return -1;
		ingest_skip(cli, ingest, path, err->text);
		return 0;
	}
	assert(reader);
	ingest->files++;
	if (result.param_count)
		take_params(cli, ingest, path, &result);
	take_devices(cli, &result.devices);
	take_runs(cli, ingest, path, reader, &result.runs);
	take_companions(cli, ingest, path, &result.companions);
	return 0;
}

static int read_file(struct cli *cli, const char *path, bool required, struct ingest *ingest,
		     struct error *err)
{
	if (known_already(cli, ingest, path))
		return 0;
	struct input *input = input_open(path, err);
	if (!input)
		return -1;
	input_set_hints(input, ingest->hints);
	int rc = read_input(cli, input, path, required, ingest, err);
	if (rc < 0)
		error_prefix(err, "%s", input_name(input));
	input_close(input);
	return rc;
}

/* Files that describe the runs of their directory, beside a file that was named alone. */
static int read_siblings(struct cli *cli, const char *path, struct ingest *ingest,
			 struct error *err)
{
	static const char *const names[] = {"params.json", "devices.json", "sysinfo.csv",
					    "roofline.csv"};
	const char *directory = tree_directory(&cli->arena, path);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *sibling =
			strcmp(directory, ".") == 0
				? names[i]
				: arena_printf(&cli->arena, "%s/%s", directory, names[i]);
		if (strcmp(sibling, path) == 0 || !file_exists(sibling))
			continue;
		if (read_file(cli, sibling, false, ingest, err) < 0)
			return -1;
	}
	return 0;
}

int ingest_read(struct cli *cli, char **paths, int count, const struct input_hints *hints,
		struct ingest *ingest, struct error *err)
{
	struct tree_list files = {0};
	ingest->hints = hints;
	for (int i = 0; i < count; i++)
		if (tree_expand(&cli->arena, paths[i], &files, err) < 0)
			return -1;
	for (size_t i = 0; i < files.count; i++) {
		const struct tree_file *file = &files.items[i];
		bool alone = file->is_explicit && strcmp(file->path, "-") != 0;
		if (read_file(cli, file->path, file->is_explicit, ingest, err) < 0 ||
		    (alone && read_siblings(cli, file->path, ingest, err) < 0))
			return -1;
	}
	return 0;
}
