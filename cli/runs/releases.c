/* What trends mark as releases: tags of the repository, and pinned baselines of the store. */
#include <fnmatch.h>

#include "cli/runs/runs.h"

/* Removes the tags that the configuration does not take for releases. */
static void choose(struct release_list *list, const char *pattern)
{
	size_t kept = 0;
	for (size_t i = 0; i < list->count; i++)
		if (!pattern || fnmatch(pattern, list->items[i].name, 0) == 0)
			list->items[kept++] = list->items[i];
	list->count = kept;
}

static int add_pinned(struct cli *cli, struct release_list *list, struct error *err)
{
	struct baseline_list baselines = {0};
	if (store_baselines(cli->store, &cli->arena, &baselines, err) < 0)
		return -1;
	for (size_t i = 0; i < baselines.count; i++)
		if (baselines.items[i].pinned)
			releases_add(&cli->arena, list, span_of(baselines.items[i].name),
				     baselines.items[i].oid);
	return 0;
}

static int read_tags(struct cli *cli, struct release_list *list, struct error *err)
{
	const char *pattern = cli->settings.publication.releases;
	if (pattern && !*pattern)
		return 0;
	if (cli_open_repository(cli, err) < 0 ||
	    repository_tags(cli->repository, &cli->arena, list, err) < 0)
		return -1;
	choose(list, pattern);
	return 0;
}

void runs_releases(struct cli *cli, struct release_list *list)
{
	struct error err = {0};
	if (read_tags(cli, list, &err) < 0 && cli->repository)
		cli_warn(cli, "no releases are marked: %s", err.text);
	if (list->cut)
		cli_warn(cli, "more than %d tags: the rest is not looked at for releases",
			 RELEASES_LIMIT);
	if (add_pinned(cli, list, &err) < 0)
		cli_warn(cli, "pinned baselines are not marked: %s", err.text);
	releases_sort(list);
}

int runs_releases_all(struct cli *cli, struct release_list *list, struct error *err)
{
	if (read_tags(cli, list, err) < 0)
		return error_prefix(err, "which commits are releases is not known (`-c "
					 "project.releases=` says that none are)");
	if (list->cut)
		return error_set(err, ERR_USAGE,
				 "more than %d tags: say with [project] releases which of them are "
				 "releases",
				 RELEASES_LIMIT);
	return add_pinned(cli, list, err);
}
