/* rooflog site: the history of all kernels as a folder of static pages. */
#include "cli/command.h"

#include "base/system/file.h"
#include "base/text/quantity.h"
#include "cli/runs/runs.h"
#include "cli/site/site.h"

int cmd_site(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct site_files files = {0};
	struct site site = {.common = ""};
	char oid[65];
	int rest;
	const struct option options[] = {
		{OPTION_TEXT, "templates", "FOLDER",
		 "templates of yours: a file there takes the place of ours of that name",
		 &files.templates},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(cli, "site", "FOLDER [OPTION]... [COMMIT]",
			"Writes the history of all series on the first parents of COMMIT (default: "
			"HEAD, or its\nnearest ancestor with runs) as static pages: open "
			"FOLDER/index.html, or put FOLDER on any\nserver. A folder that holds such "
			"a site is brought up to date.",
			options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest < 1 || rest > 2)
		return error_set(err, ERR_USAGE, "expected: site FOLDER [COMMIT]");
	if (files.templates && !file_is_directory(files.templates))
		return error_set(err, ERR_USAGE, "--templates %s is no folder", files.templates);
	files.folder = argv[1];
	if (cli_select_commit(cli, rest == 2 ? argv[2] : NULL, oid, err) < 0 ||
	    site_command_collect(cli, oid, &site, err) < 0)
		return -1;
	int rc = site_command_write(cli, &files, &site, err);
	if (rc == 0)
		cli_note(cli,
			 "%s/index.html: %s, %zu series; %zu files, %zu of them new or changed",
			 files.folder,
			 quantity_count_text(&cli->arena, site.kernel_count, "kernel", "kernels"),
			 site.series_count, files.count, files.written);
	site_files_free(&files);
	return rc < 0 ? -1 : EXIT_PASS;
}
