/* Prepares a params.json next to profiles that do not say what was measured. */
#include "cli/ingest/ingest.h"
#include "cli/output/output.h"

#include "base/system/system.h"

/* A null stands for an unknown value: a file that is not completed changes nothing. */
static const char *text_of(struct arena *arena, unsigned lacks)
{
	return arena_printf(
		arena, "{\n\t\"kernel\": null,\n\t\"variant\": null,\n\t\"dtype\": null%s\n}\n",
		lacks & LACKS_DEVICE ? ",\n\t\"device\": null" : "");
}

/* `one` is the first of its folder that lacks anything. */
static int prepare(const struct ingest *ingest, const struct incoming *one, unsigned lacks,
		   struct error *err)
{
	struct cli *cli = ingest->cli;
	const char *path = arena_printf(&cli->arena, "%s/params.json", one->directory);
	const char *names = ingest_names_of(&cli->arena, lacks);
	if (file_exists(path)) {
		output_wrote(cli, path, false);
		cli_note(cli, "kept %s, which does not say the %s of %s", path, names, one->path);
		return 0;
	}
	if (file_write(path, span_of(text_of(&cli->arena, lacks)), err) < 0)
		return -1;
	output_wrote(cli, path, true);
	cli_note(cli, "wrote %s: complete its %s", path, names);
	return 0;
}

static int prepare_folders(const struct ingest *ingest, struct error *err)
{
	struct nearby runs;
	nearby_init(ingest->arena, &runs, ingest->run_count);
	for (size_t i = 0; i < ingest->run_count; i++)
		nearby_add(&runs, ingest->runs[i].directory);
	nearby_sort(&runs);
	for (size_t i = 0; i < runs.count;) {
		struct nearby_range folder = nearby_in(&runs, runs.items[i].directory);
		const struct incoming *first = NULL;
		unsigned lacks = 0;
		for (; i < folder.end; i++) {
			const struct incoming *one = &ingest->runs[runs.items[i].index];
			first = first || !one->lacks ? first : one;
			lacks |= one->lacks;
		}
		if (first && prepare(ingest, first, lacks, err) < 0)
			return -1;
	}
	return 0;
}

int ingest_prepare(struct cli *cli, const char *folder, struct error *err)
{
	const struct ingest_options options = {
		.reading.no_tools = true,
		.may_be_unknown = true,
		.prepares = true,
		.split_by = "none",
		.dry_run = true,
	};
	struct ingest ingest = {.cli = cli, .arena = &cli->arena, .options = &options};
	char *items[] = {arena_strdup(&cli->arena, folder)};
	const struct arguments paths = {items, 1};
	size_t open = 0;
	if (ingest_read(&ingest, &paths, err) < 0 || ingest_complete(&ingest, err) < 0)
		return -1;
	if (ingest.run_count == 0)
		return ingest_fail_empty(&ingest, &paths, err);
	if (prepare_folders(&ingest, err) < 0)
		return -1;
	for (size_t i = 0; i < ingest.run_count; i++)
		open += ingest.runs[i].lacks != 0;
	if (!open)
		cli_note(cli, "every profile in %s says its kernel, dtype and device", folder);
	return 0;
}
