/* rooflog init: creates the store, a commented configuration and a .gitignore. Files that exist are
 * left as they are. */
#include "cli/command.h"

#include "base/system/system.h"
#include "cli/accept/accept.h"
#include "cli/ingest/ingest.h"

/* The configuration and the acceptances belong into git. A user who ignores all of .rooflog/ to
 * keep the store out would lose them on other machines. */
static void warn_when_ignored(struct cli *cli)
{
	bool ignored = false;
	struct error none;
	if (repository_is_ignored(cli->repository, acceptance_path, &ignored, &none) < 0 ||
	    !ignored)
		return;
	cli_warn(cli,
		 ".gitignore excludes .rooflog/, but .rooflog/config and .rooflog/accept must be "
		 "committed; remove that entry (.rooflog/.gitignore already excludes the store)");
}

struct init_options {
	const char *params;
};

static int make_store(struct cli *cli, void *options, struct error *err)
{
	const struct init_options *o = options;
	const char *store;
	if (cli_store_path(cli, &store, err) < 0)
		return -1;
	bool existed = file_exists(store);
	if (cli_open_store(cli, STORE_CREATE, err) < 0)
		return -1;
	cli_note(cli, "%s %s", existed ? "kept" : "created", store);
	/* Without a repository there is only the store: the other files have no place. */
	struct error none;
	if (cli_open_repository(cli, &none) < 0)
		return EXIT_PASS;
	bool wrote;
	if (cli_set_up(cli, &wrote, err) < 0)
		return -1;
	if (!wrote)
		cli_note(cli, "kept .rooflog/config");
	warn_when_ignored(cli);
	return o->params && ingest_prepare(cli, o->params, err) < 0 ? -1 : EXIT_PASS;
}

static const struct option rows[] = {
	{OPTION_FIELD(struct init_options, params), "params", "FOLDER",
	 "write a params.json to complete, beside each profile in FOLDER that lacks a kernel or "
	 "dtype"},
	{.kind = OPTION_END},
};

const struct command command_init = {
	.name = "init",
	.group = GROUP_OTHER,
	.summary = "set up a repository",
	.with_next = true,
	.usage = "[--params FOLDER]",
	.about = "Set up a repository: a run store, a commented configuration and a .gitignore in\n"
		 ".rooflog beside .git. What exists is kept. The first ingest does the same.",
	.options = rows,
	.examples = {"rooflog init", "rooflog init --params out/profiles"},
	.options_size = sizeof(struct init_options),
	.without_config = true,
	.run = make_store,
	.see_also = "ingest doctor config",
};
