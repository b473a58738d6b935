/* rooflog site: writes the history of all kernels as a folder of static pages. It only reads the
 * store and writes nothing outside the folder. */
#include "cli/command.h"

#include "base/system/system.h"
#include "base/text/text.h"
#include "cli/runs/runs.h"
#include "cli/site/site.h"

struct site_options {
	const char *folder, *templates;
	const char *commit; /* NULL: HEAD or its nearest ancestor with runs */
};

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct site_options *o = options;
	(void)cli;
	if (o->templates && !file_is_directory(o->templates))
		return error_set(err, ERR_USAGE, "--templates %s is no folder", o->templates);
	return 0;
}

static int make_site(struct cli *cli, void *options, struct error *err)
{
	const struct site_options *o = options;
	struct site_files files = {.folder = o->folder, .templates = o->templates};
	struct site site = {.common = ""};
	char oid[65];
	if (runs_select_commit(cli, o->commit, oid, err) < 0 ||
	    site_collect(cli, oid, &site, err) < 0)
		return -1;
	int rc = site_write(cli, &files, &site, err);
	if (rc == 0)
		cli_note(cli,
			 "%s/index.html: %s, %zu series; %zu files, %zu of them new or changed",
			 files.folder,
			 quantity_count_text(&cli->arena, site.kernel_count, "kernel", "kernels"),
			 site.series_count, files.count, files.written);
	site_files_free(&files);
	return rc < 0 ? -1 : EXIT_PASS;
}

#define FIELD(member) OPTION_FIELD(struct site_options, member)
static const struct option rows[] = {
	{FIELD(templates), "templates", "FOLDER",
	 "templates of yours: a file there takes the place of ours of that name"},
	{.kind = OPTION_END},
};

const struct command command_site = {
	.name = "site",
	.summary = "write the history of all kernels as static pages",
	.usage = "FOLDER [OPTION]... [COMMIT]",
	.about =
		"Writes the history of all series on the first parents of COMMIT (default: HEAD, "
		"or its\nnearest ancestor with runs) as static pages: open FOLDER/index.html, or "
		"put FOLDER on any\nserver. A folder that holds such a site is brought up to date.",
	.options = rows,
	.arguments = {{"FOLDER", ARGUMENT(struct site_options, folder)},
		      {"COMMIT", ARGUMENT(struct site_options, commit)}},
	.required = 1,
	.expected = "expected: site FOLDER [COMMIT]",
	.examples = {"rooflog site public", "rooflog site --templates our-templates public main"},
	.options_size = sizeof(struct site_options),
	.needs = NEEDS_STORE,
	.check = check,
	.run = make_site,
};
