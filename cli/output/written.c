/* What a command wrote, for --json. */
#include "cli/output/output.h"
#include "render/lists/lists.h"

void output_wrote(struct cli *cli, const char *path, bool changed)
{
	if (!cli->written)
		cli->written = arena_new(&cli->arena, struct written_list);
	*arena_add(&cli->arena, cli->written) = (struct written_file){path, changed};
}

int output_print_written(struct cli *cli, bool dry_run, struct error *err)
{
	const struct written_list none = {.count = 0};
	if (!cli->common.json)
		return 0;
	return cli_print_json(
		render_written_json(&cli->arena, cli->written ? cli->written : &none, dry_run),
		err);
}
