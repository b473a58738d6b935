/* Joining runs with what lies beside them: by the hash of the kernel, or by directory. */
#include "cli/ingest.h"

#include <string.h>

/* What is left of `path` below `directory`; NULL when it does not lie there. "" is itself. */
static const char *below(const char *path, const char *directory)
{
	size_t len = strlen(directory);
	if (strcmp(directory, ".") == 0)
		return path[0] == '/' ? NULL : strcmp(path, ".") == 0 ? "" : path;
	if (strncmp(path, directory, len) != 0)
		return NULL;
	return path[len] == '/' ? path + len + 1 : path[len] == '\0' ? path + len : NULL;
}

/* tiling/<stage>.json and tiling/<stage>/autotuning.json are about one stage; NULL when the file
 * does not lie in such a directory beside the run. */
static const char *stage_of(struct arena *arena, const struct placed_companion *placed,
			    const char *directory)
{
	const char *inside = below(placed->directory, directory);
	const char *rest = inside ? below(inside, placed->companion->directory) : NULL;
	const char *slash = strrchr(placed->path, '/');
	const char *name = slash ? slash + 1 : placed->path;
	if (!rest)
		return NULL;
	if (rest[0])
		return arena_strndup(arena, rest, strcspn(rest, "/"));
	return arena_strndup(arena, name, strcspn(name, "."));
}

static void add(struct cli *cli, const struct companion *companion, const char *prefix,
		const char *label, struct run *run)
{
	for (size_t i = 0; i < companion->attribute_count; i++)
		run_add_attribute(
			&cli->arena, run,
			arena_printf(&cli->arena, "%s%s", prefix, companion->attributes[i].key),
			companion->attributes[i].text);
	for (size_t i = 0; i < companion->tally_count; i++) {
		struct run_tally tally = companion->tallies[i];
		tally.name = arena_printf(&cli->arena, "%s%s", label, tally.name);
		run_add_tally(&cli->arena, run, tally);
	}
}

/* A companion in a directory of its own: about the run's stage, or about one of the stages of a
 * run that stands for all of them. */
static void join_placed(struct cli *cli, const struct placed_companion *placed,
			const struct incoming *one)
{
	const char *stage = stage_of(&cli->arena, placed, one->directory);
	const char *own = run_param(one->run, "stage");
	if (!stage || (own && strcmp(own, stage) != 0))
		return;
	const char *name = placed->companion->directory;
	if (own)
		add(cli, placed->companion, arena_printf(&cli->arena, "%s.", name), "", one->run);
	else
		add(cli, placed->companion, arena_printf(&cli->arena, "%s.%s.", name, stage),
		    arena_printf(&cli->arena, "%s: ", stage), one->run);
}

static void join(struct cli *cli, const struct placed_companion *placed, struct incoming *one)
{
	const struct companion *companion = placed->companion;
	if (companion->kernel_hash) {
		if (text_eq(companion->kernel_hash, one->run->kernel_hash))
			add(cli, companion, "", "", one->run);
	} else if (companion->directory) {
		join_placed(cli, placed, one);
	} else if (strcmp(placed->directory, one->directory) == 0) {
		add(cli, companion, "", "", one->run);
	}
}

void ingest_join(struct cli *cli, struct ingest *ingest)
{
	for (size_t i = 0; i < ingest->companion_count; i++)
		for (size_t j = 0; j < ingest->run_count; j++)
			join(cli, &ingest->companions[i], &ingest->runs[j]);
}
