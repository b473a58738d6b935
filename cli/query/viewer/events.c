/* Reads the events of a run from its file again. */
#include "cli/query/viewer/events.h"

#include <sys/stat.h>

#include "ingest/registry/registry.h"

bool query_viewer_is_file(const struct cli *cli, const struct run *run)
{
	for (size_t i = 0; i < cli->files.count; i++)
		if (span_text_eq(cli->files.items[i].oid, run->commit))
			return true;
	return false;
}

/* The runs of one file, whose events are on one page. */
static int find_file(const struct loaded_list *runs, const char **path, struct error *err)
{
	const char *first = runs->items[0].stored.run->source;
	for (size_t i = 1; i < runs->count; i++)
		if (!span_text_eq(first, runs->items[i].stored.run->source))
			return error_set(err, ERR_USAGE,
					 "show writes one run, and %zu were chosen\nhint: rooflog "
					 "log prints their ids; rooflog compare A B -o FILE.html "
					 "shows two",
					 runs->count);
	if (!first || strcmp(first, "-") == 0)
		return error_set(err, ERR_USAGE,
				 "the events are read from the file of the run, and its file is %s",
				 first ? "standard input" : "unknown");
	*path = first;
	return 0;
}

/* Only a regular file: a store may name anything. */
static bool is_readable(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* A run has the path as it was typed, usually at the top of the work tree: looks there, too. */
static int locate(struct cli *cli, bool read_from_file, const char **found, struct error *err)
{
	struct error ignored;
	const char *path = *found, *top = NULL;
	if (is_readable(path))
		return 0;
	if (!read_from_file && path[0] != '/' && cli_open_repository(cli, &ignored) == 0)
		top = repository_worktree(cli->repository);
	if (top) {
		*found = arena_printf(&cli->arena, "%s/%s", top, path);
		if (is_readable(*found))
			return 0;
	}
	if (read_from_file)
		return error_set(err, ERR_USAGE, "%.300s is read twice: it must be a regular file",
				 path);
	return error_set(err, ERR_USAGE,
			 "the events of the run are in its file, %.300s, which is not here\nhint: "
			 "rooflog show FILE -o FILE.html, if it lies elsewhere",
			 path);
}

/* Whether a run of the file can be the one of the store. Executions of several files are one run
 * with the median of their times. */
static bool is_same(const struct run *stored, const struct run *read)
{
	const struct run_spread *spread = run_spread(stored, METRIC_TOTAL_TIME);
	double a = stored->given[METRIC_TOTAL_TIME].number;
	double b = read->given[METRIC_TOTAL_TIME].number;
	if (stored->kernel_hash && read->kernel_hash && !stored->joined_hash &&
	    strcmp(stored->kernel_hash, read->kernel_hash) != 0)
		return false;
	return spread || isnan(a) || isnan(b) || fabs(a - b) <= 1e-9 * fabs(a);
}

static int check_same(const struct run *stored, const struct ingest_result *result,
		      const char *path, struct error *err)
{
	for (size_t i = 0; i < result->runs.count; i++)
		if (is_same(stored, result->runs.items[i]))
			return 0;
	return error_set(err, ERR_USAGE,
			 "%.300s no longer has the run: its time or its kernel is another\nhint: "
			 "rooflog show %.300s -o FILE.html",
			 path, path);
}

int query_viewer_events(struct cli *cli, const struct loaded_list *runs, struct trace **events,
			struct error *err)
{
	const struct run *run = runs->items[0].stored.run;
	struct trace *trace = trace_new(&cli->arena);
	struct ingest_result result = {.trace = trace};
	const struct reader *reader;
	const char *path = NULL;
	bool read_from_file = query_viewer_is_file(cli, run);
	if (find_file(runs, &path, err) < 0 || locate(cli, read_from_file, &path, err) < 0)
		return -1;
	struct input *input = input_open(path, err);
	if (!input)
		return -1;
	int rc = reader_read(&cli->arena, input, &result, &reader, err);
	if (rc < 0)
		error_prefix(err, "%s", path);
	input_close(input);
	if (rc == 0 && !read_from_file)
		rc = check_same(run, &result, path, err);
	if (rc == 0 && trace->count == 0 &&
	    (run_is_sampled(run) || span_text_eq(reader->name, "ncu-source")))
		return error_set(err, ERR_USAGE,
				 "%.300s has no events: Nsight Compute samples a kernel and does "
				 "not trace it\nhint: rooflog show %.300s --source /./ lists the "
				 "samples by source line, --opcode '*' by opcode",
				 path, path);
	if (rc == 0 && (trace->count == 0 || !(trace->tick > 0)))
		return error_set(
			err, ERR_USAGE,
			"%.300s has no events: native Neuron traces (NTFF), neuron-profile JSON, "
			"SQLite exports of Nsight Systems and traces of PyTorch have them",
			path);
	*events = rc == 0 ? trace : NULL;
	return rc;
}
