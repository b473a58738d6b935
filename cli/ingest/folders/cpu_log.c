/* The log of results that were measured on a CPU, for want of a Neuron device. */
#include "cli/ingest/folders/nearby.h"

#include "base/system/system.h"
#include "cli/ingest/folders/directory_walk.h"
#include "ingest/registry/registry.h"

/* "results.csv" has the log results.log; a log with a general name is that of its directory. */
static const char *const names[] = {"", "run", "log", "output", "stdout", "stderr", "nohup"};
static const char *const endings[] = {".log", ".txt", ".out"};

static int check_log(struct arena *arena, const char *path, const char *device, const char *log,
		     struct error *err)
{
	struct error ignored;
	struct span head, line;
	size_t number;
	struct input *input = NULL;
	if (!file_exists(log) || strcmp(log, path) == 0)
		return 0;
	if (links_check_beside(arena, log, &ignored) == 0 && file_check(log, &ignored) == 0)
		input = input_open(log, &ignored);
	bool fell = input && input_head(input, &head, &ignored) == 0 &&
		    reader_cpu_fallback(head, &number, &line);
	if (fell)
		error_set(err, ERR_USAGE,
			  "%.300s: these are times of a CPU, not of %s: line %zu of %.300s says "
			  "\"%.*s\"\nhint: measure again on the device; if %.300s is the log of "
			  "another run, move or rename it",
			  path, device, number, log, (int)(line.len < 120 ? line.len : 120),
			  line.ptr, log);
	if (input)
		input_close(input);
	return fell ? -1 : 0;
}

int nearby_check_cpu_log(struct arena *arena, const char *path, const char *device,
			 struct error *err)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	const char *dot = strrchr(file, '.'), *directory = directory_walk_open(arena, path);
	int stem = (int)(dot && dot > file ? (size_t)(dot - file) : strlen(file));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
			const char *log = arena_printf(arena, "%s/%.*s%s", directory,
						       names[i][0] ? (int)strlen(names[i]) : stem,
						       names[i][0] ? names[i] : file, endings[e]);
			if (check_log(arena, path, device, log, err) < 0)
				return -1;
		}
	return 0;
}
