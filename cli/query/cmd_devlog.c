/* rooflog devlog: fills an entry of a development log in place. Apart from that entry, no byte of
 * the file changes. */
#include "render/document/key.h"
#include "cli/command.h"

#include <unistd.h>

#include "base/system/system.h"
#include "base/text/text.h"
#include "cli/output/output.h"
#include "cli/runs/runs.h"
#include "render/devlog/devlog.h"
#include "render/devlog/diff.h"
#include "render/markup/markup.h"

static const size_t devlog_size_limit = 16u << 20;

/* The kernel that a file name stands for: "docs/kernels/mla-var6-plus.md" stands for
 * "mla-var6-plus", also spelled mla_var6_plus. */
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

static int ambiguous(struct cli *cli, const struct loaded_list *runs, struct error *err)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < runs->count && i < 8; i++) {
		const struct run *run = runs->items[i].stored.run;
		strbuf_addf(&sb, "\n  %s%s%s %s %s (%s)", run->kernel, run->variant[0] ? " " : "",
			    run->variant, run->dtype ? run->dtype : "(unknown dtype)",
			    run_params_text(&cli->arena, run),
			    run->tool ? run->tool : "unknown tool");
	}
	error_set(err, ERR_USAGE,
		  "%zu series match and differ in more than their parameters; choose one with "
		  "--kernel, --variant, --dtype, --device and --tool:%s",
		  runs->count, strbuf_text(&sb));
	strbuf_free(&sb);
	return -1;
}

/* The options and arguments, and what follows from them. */
struct request {
	const char *path, *template, *language;
	const char *description;  /* title of a new entry; "": the commit's subject; NULL: fill an
				   * existing entry */
	const char *title;        /* the description, as an argument */
	struct run_filter filter; /* chooses among the runs */
	const char *commit, *entry;
	int64_t version; /* number of the entry; -1: the newest, or the next one for a new entry */
	bool add, dry_run;
	char oid[65]; /* the commit of the runs */
};

/* Parses "V5" or "5"; -1 if no entry is named. */
static int parse_version(const char *text, int64_t *version, struct error *err)
{
	double number;
	*version = -1;
	if (!text)
		return 0;
	const char *digits = *text == 'V' || *text == 'v' ? text + 1 : text;
	if (!*digits || strspn(digits, "0123456789") != strlen(digits) || strlen(digits) > 15 ||
	    !span_number(span_of(digits), &number))
		return error_set(err, ERR_USAGE,
				 "--entry \"%s\": expected an entry number such as V5", text);
	*version = (int64_t)number;
	return 0;
}

/* The title of a new entry: the user's, else the commit's subject. */
static int describe(struct cli *cli, const struct request *request, const struct json *document,
		    const char **text, struct error *err)
{
	struct strbuf sb = {0};
	const char *subject = json_text(json_get(document, KEY(commit)), KEY(subject), NULL);
	const char *given = request->description;
	if (given[0] && (!utf8_is_line(span_of(given)) || !span_trim(span_of(given)).len))
		return error_set(err, ERR_USAGE, "--new must be one line of text");
	if (!given[0] && (!subject || !subject[0]))
		return error_set(err, ERR_USAGE, "the commit has no subject line; give --new=TEXT");
	if (given[0])
		strbuf_addspan(&sb, span_trim(span_of(given)));
	else
		md_cell(&sb, span_of(subject));
	*text = strbuf_into(&sb, &cli->arena);
	return 0;
}

/* Whether the newest entry has this heading and names the commit: then an earlier call has added it
 * already. */
static bool is_there(struct cli *cli, const struct request *request, const char *text,
		     const struct devlog_entry *newest)
{
	struct devlog_entry same;
	struct error none;
	const char *heading =
		arena_printf(&cli->arena, "### V%lld: %s\n", (long long)newest->version, text);
	const char *commit = arena_prefix(&cli->arena, request->oid, 10);
	return devlog_find(&cli->arena, span_of(heading), newest->version, &same, &none) == 0 &&
	       span_text_eq(same.heading, newest->heading) &&
	       span_find(newest->text, commit) < newest->text.len;
}

/* Chooses the newest entry if an earlier call has added it, else a new one, so that a repeated call
 * changes nothing. */
static int choose_new(struct cli *cli, struct request *request, struct span file,
		      struct json *document, struct devlog_entry *entry, struct error *err)
{
	const char *text = NULL;
	struct error none;
	if (describe(cli, request, document, &text, err) < 0)
		return -1;
	if (request->version < 0 && devlog_find(&cli->arena, file, -1, entry, &none) == 0 &&
	    is_there(cli, request, text, entry)) {
		request->add = false;
		return 0;
	}
	if (devlog_next(&cli->arena, file, request->version, entry, err) < 0)
		return error_prefix(err, "%s", request->path);
	devlog_add_entry(&cli->arena, document, entry, text, request->description[0] != '\0');
	return 0;
}

/* Chooses the entry to fill, and its language. */
static int choose_entry(struct cli *cli, struct request *request, struct span file,
			struct json *document, struct devlog_entry *entry, struct error *err)
{
	if (request->add) {
		if (choose_new(cli, request, file, document, entry, err) < 0)
			return -1;
	} else if (devlog_find(&cli->arena, file, request->version, entry, err) < 0) {
		return error_prefix(err, "%s", request->path);
	}
	if (request->language)
		entry->language =
			strcmp(request->language, "zh") == 0 ? DEVLOG_CHINESE : DEVLOG_ENGLISH;
	return 0;
}

static int fill_file(struct cli *cli, const struct request *request, struct devlog_fill *fill,
		     struct strbuf *out, struct error *err)
{
	struct strbuf added = {0};
	const char *unplaced = NULL;
	int rc = request->add ? devlog_add(fill, &added, err) : 0;
	if (rc == 0 && request->add)
		fill->file = strbuf_span(&added);
	if (rc == 0)
		rc = devlog_fill(&cli->arena, fill, out, &unplaced, err);
	if (rc == 0 && unplaced)
		cli_warn(cli, "%s: no proposals below %s, because they could not be located again",
			 request->path, unplaced);
	strbuf_free(&added);
	return rc < 0 ? error_prefix(err, "%s", request->path) : 0;
}

static int print_diff(struct cli *cli, const char *path, const struct span texts[2],
		      struct error *err)
{
	struct strbuf sb = {0};
	bool color = cli_color(cli);
	if (cli->common.json)
		return 0;
	struct diff_look look = {path, color, color || isatty(STDOUT_FILENO)};
	diff_unified(&cli->arena, texts, &look, &sb);
	return cli_output(cli, NULL, &sb, err);
}

/* Writes the file, or with --dry-run shows the change, and reports which entry it is. */
static int finish(struct cli *cli, const struct request *request, const struct span texts[2],
		  const struct devlog_entry *entry, struct error *err)
{
	struct devlog_entry now;
	bool changed = !span_eq(texts[0], texts[1]);
	output_wrote(cli, request->path, changed);
	if (changed && request->dry_run)
		return print_diff(cli, request->path, texts, err);
	if (devlog_find(&cli->arena, texts[1], entry->version, &now, err) < 0 ||
	    (changed && file_write(request->path, texts[1], err) < 0))
		return -1;
	cli_note(cli, "%s: %s \"%s\"%s%.10s", request->path,
		 !changed       ? "nothing to change in"
		 : request->add ? "added"
				: "filled",
		 now.heading, changed ? " with the run of " : "", changed ? request->oid : "");
	return 0;
}

/* Fills the markers of an own layout; *count is their number. */
static int fill_marked(struct cli *cli, const struct request *request, struct span file,
		       const struct json *document, size_t *count, struct error *err)
{
	const struct json *block = NULL;
	struct devlog_entry entry;
	struct error none;
	struct strbuf out = {0};
	bool chinese = request->language && strcmp(request->language, "zh") == 0;
	if (!request->language &&
	    devlog_find(&cli->arena, file, request->version, &entry, &none) == 0)
		chinese = entry.language == DEVLOG_CHINESE;
	for (const struct json *run = json_get(document, KEY(runs))->first; run && !block;
	     run = run->next)
		block = json_get(run, KEY(devlog));
	if (chinese)
		block = json_get(block, KEY(zh));
	const struct devlog_marked fill = {file, block, request->version};
	int rc = devlog_fill_marked(&cli->arena, &fill, &out, count, err);
	const struct span texts[] = {file, strbuf_span(&out)};
	bool changed = *count && !span_eq(texts[0], texts[1]);
	if (rc < 0)
		error_prefix(err, "%s", request->path);
	else if (*count)
		output_wrote(cli, request->path, changed);
	if (rc == 0 && changed && request->dry_run)
		rc = print_diff(cli, request->path, texts, err);
	else if (rc == 0 && changed)
		rc = file_write(request->path, texts[1], err);
	if (rc == 0 && *count && !(changed && request->dry_run))
		cli_note(cli, "%s: %s %zu marked part%s%s%.10s", request->path,
			 changed ? "filled" : "nothing to change in", *count,
			 *count == 1 ? "" : "s", changed ? " with the run of " : "",
			 changed ? request->oid : "");
	strbuf_free(&out);
	return rc;
}

/* The file; with --new, one that does not exist begins with the kernel's name. */
static int read_log(struct cli *cli, const struct request *request, const struct run *run,
		    struct span texts[2], struct error *err)
{
	struct strbuf sb = {0};
	if (!request->add || file_exists(request->path)) {
		if (file_read(&cli->arena, request->path, devlog_size_limit, &texts[0], err) < 0)
			return -1;
		texts[1] = texts[0];
		return 0;
	}
	strbuf_addstr(&sb, "# ");
	md_cell(&sb, span_of(run->kernel));
	strbuf_addstr(&sb, "\n");
	texts[0] = span_of("");
	texts[1] = span_of(strbuf_into(&sb, &cli->arena));
	return 0;
}

static int fill(struct cli *cli, struct request *request, const struct loaded_list *runs,
		struct error *err)
{
	struct json *document;
	struct span texts[2], file;
	struct devlog_entry entry;
	struct strbuf text = {0}, out = {0};
	const char *template = request->template;
	const struct document_request asked = {.runs = runs, .title = "", .by_shape = true};
	if (runs_document_of(cli, &asked, &document, err) < 0 ||
	    read_log(cli, request, runs->items[0].stored.run, texts, err) < 0)
		return -1;
	file = texts[1];
	size_t marked = 0;
	if (!request->add && !request->template &&
	    fill_marked(cli, request, file, document, &marked, err) < 0)
		return -1;
	if (marked)
		return EXIT_PASS;
	if (choose_entry(cli, request, file, document, &entry, err) < 0)
		return -1;
	/* A file that begins with this entry has no language yet. */
	if (!request->language && !texts[0].len)
		entry.language = output_is_chinese(cli) ? DEVLOG_CHINESE : DEVLOG_ENGLISH;
	if (!template)
		template = entry.language == DEVLOG_CHINESE ? "devlog-zh" : "devlog";
	int rc = output_render_text(cli, template, "md", document, &text, err);
	struct devlog_fill fill = {file, strbuf_span(&text), entry.version, entry.language};
	if (rc == 0)
		rc = fill_file(cli, request, &fill, &out, err);
	if (rc == 0)
		rc = finish(cli, request, (const struct span[]){texts[0], strbuf_span(&out)},
			    &entry, err);
	strbuf_free(&text);
	strbuf_free(&out);
	return rc;
}

/* Whether one table can hold the runs. */
static bool differ_in_shape_alone(const struct loaded_list *runs)
{
	for (size_t i = 1; i < runs->count; i++) {
		const struct run *a = runs->items[0].stored.run, *b = runs->items[i].stored.run;
		if (strcmp(a->kernel, b->kernel) != 0 || strcmp(a->variant, b->variant) != 0 ||
		    !span_text_eq(a->dtype, b->dtype) || !span_text_eq(a->device, b->device) ||
		    !span_text_eq(a->instance_type, b->instance_type) ||
		    !span_text_eq(a->tool, b->tool) || a->cores != b->cores || a->dirty != b->dirty)
			return false;
	}
	return true;
}

/* Without --kernel and --series, keeps the runs of the kernel that the file is named after; of
 * clean and changed ones the clean ones. Those that remain may differ in their parameters. */
static int choose_runs(struct cli *cli, const struct request *request, struct loaded_list *runs,
		       struct error *err)
{
	const char *kernel = request->filter.kernel.count || request->filter.series.count
				     ? NULL
				     : kernel_of_path(&cli->arena, request->path);
	size_t chosen = 0, clean = 0, changed = 0;
	runs_median_per_series(cli, runs);
	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = runs->items[i].stored.run;
		if (!kernel || same_kernel(run->kernel, kernel)) {
			clean += !run->dirty;
			runs->items[chosen++] = runs->items[i];
		}
	}
	if (kernel && runs->count && !chosen)
		return error_set(err, ERR_USAGE,
				 "no run of kernel \"%s\" (from the file name); choose another "
				 "with --kernel",
				 kernel);
	for (size_t i = 0; i < chosen; i++)
		if (clean && runs->items[i].stored.run->dirty)
			changed++;
		else
			runs->items[i - changed] = runs->items[i];
	if (changed)
		cli_warn(cli,
			 "runs at %.10s with uncommitted changes are skipped, because it has "
			 "clean runs, too",
			 request->oid);
	runs->count = chosen - changed;
	return differ_in_shape_alone(runs) ? 0 : ambiguous(cli, runs, err);
}

/* Accepts "devlog FILE --new TEXT": the description may follow the file as an argument. */
static int check(struct cli *cli, void *options, struct error *err)
{
	struct request *request = options;
	(void)cli;
	request->add = request->description != NULL;
	if (request->title && !(request->add && !request->description[0]))
		return error_set(err, ERR_USAGE, "expected one FILE");
	if (request->title)
		request->description = request->title;
	return parse_version(request->entry, &request->version, err);
}

static int fill_entry(struct cli *cli, void *options, struct error *err)
{
	struct request *request = options;
	struct loaded_list runs = {0};
	struct run_query query = runs_query(&request->filter, request->oid);
	if (runs_prepare_filter(cli, &request->filter, err) < 0 ||
	    output_choose_language(cli, request->language, err) < 0 ||
	    runs_select_commit(cli, request->commit, request->oid, err) < 0 ||
	    runs_load(cli, &query, &runs, err) < 0 || choose_runs(cli, request, &runs, err) < 0)
		return -1;
	if (!runs.count)
		return runs_none(cli, &request->filter, request->oid, err);
	return fill(cli, request, &runs, err) < 0
		       ? -1
		       : output_print_written(cli, request->dry_run, err);
}

#define FIELD(member) OPTION_FIELD(struct request, member)
static const struct option rows[] = {
	{FIELD(entry), "entry", "V<N>", "fill in this entry, not the latest"},
	{FIELD(description), "new", "TITLE", "add an entry (default title: the commit's subject)",
	 .maybe = true},
	{FIELD(commit), "commit", "COMMIT",
	 "take the runs of this commit (default: HEAD, or its nearest ancestor with runs)"},
	{FIELD(language), "language", "L", "en or zh (default: that of the entry, or of the log)",
	 .choices = "en|zh"},
	{FIELD(template), "template", "FILE", "your own template for the parts of an entry"},
	{FIELD(dry_run), "dry-run", NULL, "print the change as a diff, write nothing"},
	{OPTION_GROUP(struct request, filter, run_filter_options)},
	{.kind = OPTION_END},
};

const struct command command_devlog = {
	.name = "devlog",
	.group = GROUP_PUBLISH,
	.summary = "fill in the Performance block of a development log",
	.usage = "FILE [OPTION]...",
	.about = "Fill in the Performance block of the latest entry of a development log, a\n"
		 "Markdown file, and propose Issues and Insights where none are written yet.\n"
		 "Everything else in FILE stays as it is. Running it twice changes nothing.",
	.notes = "FILE's name selects the kernel unless --kernel does. Your own layout needs only\n"
		 "markers: <!-- rooflog:begin NAME --> and <!-- rooflog:end -->.",
	.examples = {"rooflog devlog docs/attention.md --params s=512",
		     "rooflog devlog docs/attention.md --new='spill K above 2048 rows'",
		     "rooflog devlog docs/attention.md --entry V3 --dry-run"},
	.options = rows,
	.arguments = {{"FILE", ARGUMENT(struct request, path)},
		      {"TEXT of --new", ARGUMENT(struct request, title)}},
	.required = 1,
	.expected = "expected one FILE",
	.options_size = sizeof(struct request),
	.needs = NEEDS_STORE,
	.check = check,
	.run = fill_entry,
	.sections = "alias device work",
	.documents = "written",
	.see_also = "report show",
};
