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

static bool is_first_of_directory(const struct ingest *ingest, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (ingest->runs[i].lacks &&
		    strcmp(ingest->runs[i].directory, ingest->runs[index].directory) == 0)
			return false;
	return true;
}

static unsigned lacks_of_directory(const struct ingest *ingest, const char *directory)
{
	unsigned lacks = 0;
	for (size_t i = 0; i < ingest->run_count; i++)
		if (strcmp(ingest->runs[i].directory, directory) == 0)
			lacks |= ingest->runs[i].lacks;
	return lacks;
}

static int prepare(const struct ingest *ingest, const struct incoming *one, struct error *err)
{
	struct cli *cli = ingest->cli;
	const char *path = arena_printf(&cli->arena, "%s/params.json", one->directory);
	unsigned lacks = lacks_of_directory(ingest, one->directory);
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
		return ingest_fail_empty(&ingest, err);
	for (size_t i = 0; i < ingest.run_count; i++) {
		open += ingest.runs[i].lacks != 0;
		if (ingest.runs[i].lacks && is_first_of_directory(&ingest, i) &&
		    prepare(&ingest, &ingest.runs[i], err) < 0)
			return -1;
	}
	if (!open)
		cli_note(cli, "every profile in %s says its kernel, dtype and device", folder);
	return 0;
}
