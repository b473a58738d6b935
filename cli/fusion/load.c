/* Loads the runs of fused and unfused variants from the store. */
#include "cli/fusion/fusion.h"

int fusion_command_load(struct cli *cli, const struct fusion_options *options,
			const char *const *variants, struct fusion_works *works, struct error *err)
{
	struct loaded_list list = {0};
	struct run_query query = runs_query(&options->filter, options->commit);
	size_t count = 0;
	if (runs_load(cli, &query, &list, err) < 0)
		return -1;
	runs_drop_incorrect(cli, &list);
	const struct run **runs = arena_array(&cli->arena, list.count, sizeof *runs);
	for (size_t i = 0; i < list.count; i++)
		if (!options->tool || span_glob(options->tool, list.items[i].stored.run->tool))
			runs[count++] = list.items[i].stored.run;
	*works = fusion_works_of(&cli->arena, runs, count, variants, options->noise);
	return 0;
}
