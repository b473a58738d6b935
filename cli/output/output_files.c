/* Checks the files that a command will write. Two names of the same file are found by the real
 * path. */
#include "cli/output/output_files.h"

#include "base/system/system.h"

int output_files_add(struct cli *cli, struct targets *targets, const char *what, const char *path,
		     struct error *err)
{
	const char *target;
	if (!path || strcmp(path, "-") == 0)
		return 0;
	if (file_target(&cli->arena, path, &target, err) < 0)
		return -1;
	if (!target)
		return 0;
	for (size_t i = 0; i < targets->count; i++)
		if (strcmp(targets->items[i].path, target) == 0)
			return error_set(
				err, ERR_USAGE,
				"%s and %s would both go to %s: give each a file of its own",
				targets->items[i].what, what, path);
	assert(targets->count < TARGETS_MOST);
	targets->items[targets->count].what = what;
	targets->items[targets->count++].path = target;
	return 0;
}
