/* rooflog devlog: the Performance block of the newest entry, in place. */
#include "cli/command.h"

#include <string.h>

#include "base/file.h"
#include "cli/render.h"
#include "cli/runs.h"
#include "render/devlog.h"

static const size_t devlog_size_limit = 16u << 20;

/* "docs/kernels/mla-var6-plus.md" names the kernel "mla-var6-plus", also spelt mla_var6_plus. */
static const char *kernel_of_path(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = arena_strdup(arena, slash ? slash + 1 : path);
	char *dot = strrchr(name, '.');
	if (dot)
		*dot = '\0';
	return name;
}

static bool same_kernel(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_')))
			return false;
	return *a == *b;
}

/* Without --kernel the file's name chooses, where it is the name of a kernel. */
static int narrow_by_path(struct cli *cli, const char *path, struct loaded_list *runs,
			  struct error *err)
{
	const char *kernel = kernel_of_path(&cli->arena, path);
	size_t matching = 0;
	for (size_t i = 0; i < runs->count; i++)
		matching += same_kernel(runs->items[i].stored.run->kernel, kernel);
	if (matching == 0)
		return error_set(
			err, ERR_USAGE,
			"no run here is of a kernel \"%s\", as the file's name says; name one "
			"with --kernel",
			kernel);
	size_t kept = 0;
	for (size_t i = 0; i < runs->count; i++)
		if (same_kernel(runs->items[i].stored.run->kernel, kernel))
			runs->items[kept++] = runs->items[i];
	runs->count = kept;
	return 0;
}

static int ambiguous(struct cli *cli, const struct loaded_list *runs, struct error *err)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < runs->count && i < 8; i++) {
		const struct run *run = runs->items[i].stored.run;
		strbuf_addf(&sb, "\n  %s%s%s %s %s", run->kernel, run->variant[0] ? " " : "",
			    run->variant, run->dtype ? run->dtype : "(unknown dtype)",
			    run_params_text(&cli->arena, run));
	}
	error_set(
		err, ERR_USAGE,
		"%zu series could fill the entry; choose one with --kernel, --variant, --dtype and "
		"--params:%s",
		runs->count, strbuf_text(&sb));
	strbuf_free(&sb);
	return -1;
}

/* Keeps the runs that have all of "b=1,s=512". */
static int narrow_by_params(const char *text, struct loaded_list *runs, struct error *err)
{
	struct span rest = span_of(text), name, value;
	int more;
	while ((more = option_pair("params", &rest, &name, &value, err)) > 0) {
		size_t kept = 0;
		for (size_t i = 0; i < runs->count; i++) {
			const struct run *run = runs->items[i].stored.run;
			bool has = false;
			for (size_t j = 0; j < run->param_count; j++)
				has = has || (span_is(name, run->params[j].name) &&
					      span_is(value, run->params[j].value));
			if (has)
				runs->items[kept++] = runs->items[i];
		}
		runs->count = kept;
	}
	return more;
}

/* The block from its first word to its last and one line end, whatever a template leaves around. */
static int render_block(struct cli *cli, const char *template, const struct json *document,
			struct strbuf *block, struct error *err)
{
	struct strbuf raw = {0};
	int rc = cli_render_text(cli, template, "md", document, &raw, err);
	if (rc == 0) {
		strbuf_addspan(block, span_trim(strbuf_span(&raw)));
		strbuf_addch(block, '\n');
	}
	strbuf_free(&raw);
	return rc;
}

static int fill(struct cli *cli, const char *path, const struct loaded_list *runs,
		const char *template, bool dry_run, struct error *err)
{
	struct json *document;
	struct span file;
	struct strbuf block = {0}, out = {0};
	const char *entry = "";
	if (cli_document(cli, runs, "", NULL, &document, err) < 0 ||
	    file_read(&cli->arena, path, devlog_size_limit, &file, err) < 0)
		return -1;
	int rc = render_block(cli, template, document, &block, err);
	if (rc == 0 && devlog_fill(&cli->arena, file, strbuf_span(&block), &out, &entry, err) < 0)
		rc = error_prefix(err, "%s", path);
	bool changed = rc == 0 && !span_eq(file, strbuf_span(&out));
	if (rc == 0 && dry_run)
		rc = cli_print(strbuf_text(&block), err);
	else if (changed)
		rc = file_write(path, strbuf_span(&out), err);
	if (rc == 0 && !dry_run)
		cli_note(cli, "%s: %s \"%s\"", path, changed ? "filled" : "nothing to change in",
			 entry);
	strbuf_free(&block);
	strbuf_free(&out);
	return rc;
}

int cmd_devlog(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct run_filter filter = {0};
	const char *commit = NULL, *params = NULL, *template = "devlog";
	bool dry_run = false;
	char oid[65];
	int rest;
	const struct option options[] = {
		RUN_FILTER_OPTIONS(filter),
		{OPTION_TEXT, "params", "P", "only runs with these parameters: b=1,s=512", &params},
		{OPTION_TEXT, "commit", "REV", "the runs of this commit (default: HEAD or nearest)",
		 &commit},
		{OPTION_TEXT, "template", "FILE", "a template of yours for the block", &template},
		{OPTION_FLAG, "dry-run", NULL, "print the block, leave the file alone", &dry_run},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(
		    cli, "devlog", "FILE [OPTION]...",
		    "Fills the Performance block (heading, table, bottleneck) of the newest entry\n"
		    "\"### V<N>: ...\" below \"## Development log\". Every other byte stays; doing "
		    "it twice\n"
		    "changes nothing. Without --kernel the file's name chooses the kernel.",
		    options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest != 1)
		return error_set(err, ERR_USAGE, "expected one FILE");
	struct loaded_list runs = {0};
	struct run_query query = {
		.kernel = filter.kernel,
		.variant = filter.variant,
		.dtype = filter.dtype,
		.device = filter.device,
		.commit = oid,
	};
	if (cli_select_commit(cli, commit, oid, err) < 0 ||
	    cli_load_runs(cli, &query, &runs, err) < 0)
		return -1;
	loaded_median_per_series(cli, &runs);
	if (!filter.kernel && narrow_by_path(cli, argv[1], &runs, err) < 0)
		return -1;
	if (params && narrow_by_params(params, &runs, err) < 0)
		return -1;
	if (runs.count == 0)
		return error_set(err, ERR_STORE, "commit %.10s has no stored runs that match", oid);
	if (runs.count > 1)
		return ambiguous(cli, &runs, err);
	return fill(cli, argv[1], &runs, template, dry_run, err) < 0 ? -1 : EXIT_PASS;
}
