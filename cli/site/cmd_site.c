/* rooflog site: the history of all kernels as a folder of static pages. */
#include "cli/command.h"

#include "base/system/file.h"
#include "base/text/quantity.h"
#include "cli/site/site.h"
#include "render/scene/palette.h"

static int copy_template(struct site_files *files, const char *name, const char *to,
			 struct error *err)
{
	return site_files_write(files, to, span_of(site_files_template(files, name)), err);
}

/* The style sheet of all reports, what only a site has, and the colours of the pictures. */
static int write_style(struct site_files *files, struct error *err)
{
	struct strbuf text = {0};
	strbuf_addstr(&text, site_files_template(files, "style.css"));
	strbuf_addstr(&text, site_files_template(files, "site.css"));
	palette_add_css(&text);
	int rc = site_files_write(files, "data/site.css", strbuf_span(&text), err);
	strbuf_free(&text);
	return rc;
}

static int write_site(struct site *site, struct error *err)
{
	struct site_files *files = site->files;
	if (site_files_begin(files, err) < 0 ||
	    copy_template(files, "site.js", "data/site.js", err) < 0 ||
	    site_write_kernels(site, err) < 0 || site_write_commits(site, err) < 0 ||
	    write_style(files, err) < 0 || site_write_index(site, err) < 0)
		return -1;
	return site_files_end(files, site->set->chain[0].oid, err);
}

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
	struct site site = {.cli = cli, .files = &files};
	char oid[65];
	if (cli_select_commit(cli, o->commit, oid, err) < 0 ||
	    site_collect(cli, oid, &site, err) < 0)
		return -1;
	int rc = write_site(&site, err);
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

static const char *const examples[] = {
	"rooflog site public",
	"rooflog site --templates our-templates public main",
	NULL,
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
	.examples = examples,
	.options_size = sizeof(struct site_options),
	.needs = NEEDS_STORE,
	.check = check,
	.run = make_site,
};
