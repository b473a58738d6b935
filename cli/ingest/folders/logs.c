/* The logs next to a file of results: what they say of the device and of compilation. */
#include "cli/ingest/folders/nearby.h"

#include "base/system/system.h"
#include "base/text/text.h"
#include "cli/ingest/folders/directory_walk.h"
#include "ingest/registry/registry.h"
#include "ingest/table/tables.h"

static const size_t log_limit = (size_t)64 << 20;

/* "results.csv" has the log results.log; a log with a general name is that of its directory. */
static const char *const names[] = {"", "run", "log", "output", "stdout", "stderr", "nohup"};
static const char *const endings[] = {".log", ".txt", ".out"};
enum {
	ending_count = sizeof endings / sizeof *endings,
	log_count = sizeof names / sizeof *names * ending_count
};

static const char *log_path(struct arena *arena, const char *path, size_t i)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	const char *dot = strrchr(file, '.'), *directory = directory_walk_open(arena, path);
	const char *name = names[i / ending_count];
	int stem = (int)(dot && dot > file ? (size_t)(dot - file) : strlen(file));
	return arena_printf(arena, "%s/%.*s%s", directory, name[0] ? (int)strlen(name) : stem,
			    name[0] ? name : file, endings[i % ending_count]);
}

/* NULL: there is none, or it is the file of results itself. */
static struct input *open_log(struct arena *arena, const char *path, const char *log)
{
	struct error ignored;
	if (!file_exists(log) || strcmp(log, path) == 0 ||
	    links_check_beside(arena, log, &ignored) < 0 || file_check(log, &ignored) < 0)
		return NULL;
	return input_open(log, &ignored);
}

static int check_log(struct input *input, const char *path, const char *device, const char *log,
		     struct error *err)
{
	struct error ignored;
	struct span head, line;
	size_t number;
	if (input_head(input, &head, &ignored) < 0 || !reader_cpu_fallback(head, &number, &line))
		return 0;
	return error_set(err, ERR_USAGE,
			 "%.300s: these are times of a CPU, not of %s: line %zu of %.300s says "
			 "\"%.*s\"\nhint: measure again on the device; if %.300s is the log of "
			 "another run, move or rename it",
			 path, device, number, log, (int)(line.len < 120 ? line.len : 120),
			 line.ptr, log);
}

int nearby_check_cpu_log(struct arena *arena, const char *path, const char *device,
			 struct error *err)
{
	for (size_t i = 0; i < log_count; i++) {
		const char *log = log_path(arena, path, i);
		struct input *input = open_log(arena, path, log);
		int rc = input ? check_log(input, path, device, log, err) : 0;
		input_close(input);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static void count_lines(struct input *input, struct compilations *count)
{
	struct arena arena = {0};
	struct error ignored;
	struct span text, line;
	if (input_read_all(&arena, input, log_limit, &text, &ignored) == 0) {
		struct lines lines = lines_of(text);
		while (lines_next(&lines, &line)) {
			count->compiled += span_find(line, "Compiler status PASS") < line.len;
			count->cached += span_find(line, "Using a cached neff") < line.len;
		}
	}
	arena_free(&arena);
}

struct compilations nearby_read_compile_log(struct arena *arena, const char *path, bool any_name)
{
	struct compilations count = {0};
	for (size_t i = 0; i < (any_name ? log_count : ending_count); i++) {
		struct input *input = open_log(arena, path, log_path(arena, path, i));
		if (input)
			count_lines(input, &count);
		input_close(input);
	}
	return count;
}
