/* rooflog init: creates the store, a commented configuration and a .gitignore. Files that exist are
 * left as they are. */
#include "cli/command.h"

#include "base/system/system.h"
#include "cli/accept/accept.h"
#include "cli/ingest/ingest.h"
#include "cli/output/output.h"

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

/* A file in .rooflog beside .git. */
struct made_file {
	const char *path;
	bool existed;
};

static struct made_file file_of(struct cli *cli, const char *name)
{
	const char *home = repository_home(cli->repository);
	const char *path = arena_printf(&cli->arena, "%s/.rooflog/%s", home, name);
	return (struct made_file){path, file_exists(path)};
}

/* Without a repository there is only the store: the other files have no place. */
static int set_up(struct cli *cli, const struct init_options *o, struct error *err)
{
	static const char *const names[] = {"config", ".gitignore"};
	enum { CONFIG, NAMES = sizeof names / sizeof *names };
	struct made_file files[NAMES];
	struct error none;
	const char *store;
	bool in_repository = cli_open_repository(cli, &none) == 0;
	for (size_t i = 0; in_repository && i < NAMES; i++)
		files[i] = file_of(cli, names[i]);
	if (cli_store_path(cli, &store, err) < 0)
		return -1;
	bool existed = cli_store_exists(store);
	if (cli_open_store(cli, STORE_CREATE, err) < 0)
		return -1;
	store = cli_store_name(cli, store);
	cli_note(cli, "%s %s",
		 cli_store_is_remote(store) ? "ready:"
		 : existed                  ? "kept"
					    : "created",
		 store);
	output_wrote(cli, store, !existed);
	if (!in_repository)
		return 0;
	if (cli_set_up(cli, err) < 0)
		return -1;
	for (size_t i = 0; i < NAMES; i++)
		output_wrote(cli, files[i].path, !files[i].existed);
	if (files[CONFIG].existed)
		cli_note(cli, "kept .rooflog/config");
	warn_when_ignored(cli);
	return o->params ? ingest_prepare(cli, o->params, err) : 0;
}

static int run(struct cli *cli, void *options, struct error *err)
{
	return set_up(cli, options, err) < 0 ? -1 : output_print_written(cli, false, err);
}

static const struct option rows[] = {
	{OPTION_FIELD(struct init_options, params), "params", "FOLDER",
	 "write a params.json to complete, next to each profile in FOLDER that lacks a kernel or "
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
		 ".rooflog next to .git. What exists is kept. The first ingest does the same.",
	.options = rows,
	.examples = {"rooflog init", "rooflog init --params out/profiles"},
	.options_size = sizeof(struct init_options),
	.without_config = true,
	.run = run,
	.documents = "written",
	.see_also = "ingest doctor config",
};
