/* Finds the two runs of a page in the runs of two commits. */
#include "base/text/text.h"
#include "cli/output/output.h"
#include "cli/query/viewer/viewer.h"

static const struct loaded_run *same_series(const struct loaded_list *list,
					    const struct loaded_run *run)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].stored.series, run->stored.series) == 0)
			return &list->items[i];
	return NULL;
}

/* Each side has one run, or exactly one series is on both sides. */
static int choose(struct cli *cli, const struct loaded_list lists[2], struct loaded_list chosen[2],
		  struct error *err)
{
	const struct loaded_run *before = &lists[0].items[0], *after = &lists[1].items[0];
	size_t pairs = 0;
	for (size_t i = 0; i < lists[1].count; i++) {
		const struct loaded_run *run = &lists[1].items[i];
		const struct loaded_run *other = same_series(&lists[0], run);
		pairs += other != NULL;
		before = other ? other : before;
		after = other ? run : after;
	}
	if (pairs != 1 && (lists[0].count > 1 || lists[1].count > 1))
		return error_set(err, ERR_USAGE,
				 "a page shows one series, and %zu are on both sides\nhint: "
				 "rooflog compare A B SERIES -o FILE.html",
				 pairs);
	runs_loaded_add(cli, &chosen[0], before);
	runs_loaded_add(cli, &chosen[1], after);
	return 0;
}

int query_viewer_write_pair(struct cli *cli, const struct viewer_pair *pair, struct error *err)
{
	struct loaded_list lists[2] = {{0}, {0}}, chosen[2] = {{0}, {0}};
	if (runs_prepare_filter(cli, pair->filter, err) < 0)
		return -1;
	for (size_t i = 0; i < 2; i++) {
		const struct run_query query = runs_query(pair->filter, pair->oids[i]);
		if (runs_load(cli, &query, &lists[i], err) < 0)
			return -1;
		if (lists[i].count == 0)
			return runs_none(cli, pair->filter, pair->oids[i], err);
		runs_median_per_series(cli, &lists[i]);
	}
	if (choose(cli, lists, chosen, err) < 0)
		return -1;
	const struct viewer_request request = {.runs = &chosen[1],
					       .baseline = &chosen[0],
					       .name = pair->names[1],
					       .baseline_name = pair->names[0],
					       .output = pair->output,
					       .source_root = pair->source_root,
					       .from = pair->from,
					       .to = pair->to};
	if (query_viewer_write(cli, &request, err) < 0)
		return -1;
	return query_viewer_wrote(cli, pair->output, err);
}

int query_viewer_wrote(struct cli *cli, const char *path, struct error *err)
{
	if (cli_is_standard_output(path))
		return 0;
	cli_note(cli, "wrote %s", path);
	output_wrote(cli, path, true);
	return output_print_written(cli, false, err);
}
