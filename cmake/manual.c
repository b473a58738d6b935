/* Writes the manual pages from what the program says of itself: rooflog(1), a page for each command
 * and topic from the rows and docs/man/COMMAND.md, and pages about the configuration, verdicts,
 * formats and metrics from docs and the tables of "rooflog list". What follows "# Output" in
 * docs/man/COMMAND.md is the section OUTPUT. It runs when the program is installed.
 *
 *     manual SOURCES FOLDER
 */
#include <built_from.h>
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <sys/stat.h>

#include "base/system/system.h"
#include "base/text/text.h"
#include "cli/command.h"
#include "cli/list/list.h"
#include "cli/program/program.h"
#include "render/markup/markup.h"

struct manual {
	struct cli cli; /* for its arena, and for the tables of "rooflog list" */
	const char *sources, *folder;
};

__attribute__((noreturn)) static void fail(const struct error *err)
{
	fprintf(stderr, "manual: %s\n", err->text);
	exit(EXIT_ERROR);
}

/* --- roff --- */

/* A line of text as it is. */
static void add_text(struct strbuf *out, struct span line)
{
	if (line.len && (line.ptr[0] == '.' || line.ptr[0] == '\''))
		strbuf_addstr(out, "\\&");
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] == '\\')
			strbuf_addstr(out, "\\e");
		else if (line.ptr[i] == '-')
			strbuf_addstr(out, "\\-");
		else
			strbuf_addch(out, line.ptr[i]);
	strbuf_addch(out, '\n');
}

/* Lines as they are printed. */
static void add_block(struct strbuf *out, struct span lines)
{
	bool empty = false;
	strbuf_addstr(out, ".nf\n");
	while (lines.ptr && lines.len) {
		struct span line = span_cut(&lines, '\n');
		if (line.len && empty)
			strbuf_addstr(out, "\n");
		empty = !line.len;
		if (line.len)
			add_text(out, line);
	}
	strbuf_addstr(out, ".fi\n");
}

static void add_section(struct strbuf *out, const char *title)
{
	strbuf_addf(out, ".SH %s\n", title);
}

static void add_head(struct strbuf *out, const char *name, int section, const char *summary)
{
	strbuf_addf(out, "'\\\" t\n.TH \"");
	for (const char *c = name; *c; c++)
		strbuf_addch(out, (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c));
	strbuf_addf(out, "\" %d \"%s\" \"rooflog %s\"\n.SH NAME\n%s \\- ", section, ROOFLOG_DATE,
		    ROOFLOG_VERSION, name);
	add_text(out, span_of(summary));
}

/* A line of what cmark renders, with the fonts that every man has. */
static void add_rendered_line(struct strbuf *out, struct span line)
{
	while (line.len) {
		bool code = span_starts(line, "\\f[C]"), end = span_starts(line, "\\f[]");
		size_t len = code ? strlen("\\f[C]") : end ? strlen("\\f[]") : 1;
		if (code || end)
			strbuf_addstr(out, code ? "\\fB" : "\\fR");
		else
			strbuf_addch(out, line.ptr[0]);
		line = (struct span){line.ptr + len, line.len - len};
	}
	strbuf_addch(out, '\n');
}

/* A row of a table: cells that are folded where the page is narrow. */
static void add_row(struct strbuf *out, struct span row)
{
	while (row.ptr) {
		strbuf_addstr(out, "T{\n.na\n");
		add_rendered_line(out, span_cut(&row, '@'));
		strbuf_addstr(out, row.ptr ? "T}@" : "T}\n");
	}
}

/* The layout of a table's columns: the one with the most text is as wide as the page leaves it. */
static void add_layout(struct strbuf *out, size_t columns, struct span rows)
{
	enum { COLUMNS_MAX = 16 };
	size_t len[COLUMNS_MAX] = {0}, widest = 0;
	while (rows.len && !span_starts(rows, ".TE")) {
		struct span row = span_cut(&rows, '\n');
		for (size_t i = 0; row.ptr && i < COLUMNS_MAX; i++)
			len[i] += span_cut(&row, '@').len;
	}
	for (size_t i = 1; i < columns && i < COLUMNS_MAX; i++)
		widest = len[i] > len[widest] ? i : widest;
	for (size_t i = 0; i < columns; i++)
		strbuf_addstr(out, i == widest ? "lx" : "l");
	strbuf_addstr(out, ".\n");
}

/* Columns of tables begin at the left, and no paragraph follows a heading without text. */
static void add_rendered(struct strbuf *out, struct span roff)
{
	bool table = false, rows = false;
	size_t after = 1; /* lines after a heading, whose title is the first */
	while (roff.ptr && roff.len) {
		struct span line = span_cut(&roff, '\n');
		table = (table || span_is(line, ".TS")) && !span_is(line, ".TE");
		rows = rows && table;
		if (rows) {
			add_row(out, line);
		} else if (table && line.len && line.ptr[line.len - 1] == '.') {
			add_layout(out, line.len - 1, roff);
			rows = true;
		} else if (after > 1 || !span_is(line, ".PP")) {
			add_rendered_line(out, line);
		}
		after = span_starts(line, ".S") ? 0 : after + 1;
	}
}

/* A file of the sources. */
static struct span read_source(struct manual *m, const char *path)
{
	struct span text;
	struct error err;
	if (file_read_linked(&m->cli.arena, arena_printf(&m->cli.arena, "%s/%s", m->sources, path),
			     1u << 20, &text, &err) < 0)
		fail(&err);
	return text;
}

/* Links within the documentation are their text: a manual page cannot follow them. */
static void remove_relative_links(cmark_node *document)
{
	cmark_iter *iter = cmark_iter_new(document);
	for (cmark_event_type event; (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
		cmark_node *link = cmark_iter_get_node(iter), *text;
		if (event != CMARK_EVENT_EXIT || cmark_node_get_type(link) != CMARK_NODE_LINK ||
		    strstr(cmark_node_get_url(link), "://"))
			continue;
		while ((text = cmark_node_first_child(link)))
			cmark_node_insert_before(link, text);
		cmark_node_free(link);
	}
	cmark_iter_free(iter);
}

/* Markdown; without its heading. */
static void add_markdown(struct strbuf *out, struct span text)
{
	if (span_starts(text, "# "))
		span_cut(&text, '\n');
	cmark_parser *parser = cmark_parser_new(CMARK_OPT_DEFAULT);
	cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("table"));
	cmark_parser_feed(parser, text.ptr, text.len);
	cmark_node *document = cmark_parser_finish(parser);
	remove_relative_links(document);
	char *roff = cmark_render_man(document, CMARK_OPT_DEFAULT, 0);
	add_rendered(out, span_of(roff));
	free(roff);
	cmark_node_free(document);
	cmark_parser_free(parser);
}

static void write_page(struct manual *m, const char *name, int section, struct strbuf *page)
{
	struct error err;
	const char *folder = arena_printf(&m->cli.arena, "%s/man%d", m->folder, section);
	const char *path = arena_printf(&m->cli.arena, "%s/%s.%d", folder, name, section);
	mkdir(folder, 0777);
	if (file_write(path, strbuf_span(page), &err) < 0)
		fail(&err);
	strbuf_free(page);
}

/* --- a command --- */

/* What stands before the first line that is `end`, which is cut off, too. */
static struct span cut_part(struct span *rest, const char *end)
{
	struct span part = {rest->ptr, 0};
	while (rest->ptr && rest->len) {
		struct span line = span_cut(rest, '\n');
		if (span_is(line, end))
			break;
		part.len = (size_t)(line.ptr + line.len - part.ptr) + 1;
	}
	return part;
}

static void add_status(struct strbuf *out, struct span text)
{
	struct span number = span_cut(&text, ' ');
	strbuf_addf(out, ".TP\n%.*s\n", (int)number.len, number.ptr);
	add_text(out, text);
}

static void add_statuses(struct strbuf *out, const struct command *command)
{
	add_section(out, "EXIT STATUS");
	strbuf_addstr(out, ".TP\n0\nDone.\n");
	struct span rest = span_of(command->statuses ? command->statuses : "");
	if (span_starts(rest, "1 "))
		add_status(out, span_cut(&rest, '\n'));
	add_status(out, span_of("2 No result: wrong usage, or an error."));
	while (rest.ptr && rest.len)
		add_status(out, span_cut(&rest, '\n'));
}

/* "gate, analyze fusion": whether the command is among those that write a kind. */
static bool writes(const struct command *command, struct span writers)
{
	while (writers.ptr && writers.len) {
		struct span writer = span_trim(span_cut(&writers, ','));
		if (span_is(span_cut(&writer, ' '), command->name))
			return true;
	}
	return false;
}

/* The kinds that -o and --as take: name, commands that write it, title. */
static void add_kinds(struct manual *m, struct strbuf *out, const struct command *command)
{
	struct list_cells cells = {0};
	struct error err;
	bool any = false;
	list_kinds(&m->cli, &cells, &err);
	for (size_t i = 0; i < cells.count; i += 3) {
		if (!writes(command, span_of(cells.items[i + 1])))
			continue;
		if (!any)
			strbuf_addstr(out,
				      ".PP\nKinds for \\fB\\-o\\fR and \\fB\\-\\-as\\fR:\n.PD 0\n");
		any = true;
		strbuf_addf(out, ".TP\n.B %s\n", cells.items[i]);
		add_text(out, span_of(cells.items[i + 2]));
	}
	if (any)
		strbuf_addstr(out, ".PD\n");
}

static void add_output(struct manual *m, struct strbuf *out, const struct command *command,
		       struct span details)
{
	struct strbuf text = {0};
	add_section(out, "OUTPUT");
	strbuf_addf(
		&text,
		"%.*s\n\n**--json** prints a document; **rooflog list schemas** has its schema: ",
		(int)details.len, details.ptr ? details.ptr : "");
	for (struct span rest = span_of(command->documents); rest.ptr;) {
		struct span name = span_cut(&rest, ' ');
		strbuf_addf(&text, "**%.*s**%s", (int)name.len, name.ptr,
			    rest.ptr && !strchr(rest.ptr, ' ') ? " or "
			    : rest.ptr                         ? ", "
							       : ".\n");
	}
	add_markdown(out, strbuf_span(&text));
	add_kinds(m, out, command);
	strbuf_free(&text);
}

/* A section of the configuration with its keys. */
static void add_configuration(struct manual *m, struct strbuf *out, const struct command *command)
{
	if (!command->sections)
		return;
	add_section(out, "CONFIGURATION");
	strbuf_addstr(out, "Keys that it reads, which\n.BR rooflog\\-config (5)\nexplains:\n");
	for (struct span rest = span_of(command->sections); rest.ptr;) {
		struct span word = span_cut(&rest, ' ');
		const char *name = arena_strndup(&m->cli.arena, word.ptr, word.len);
		strbuf_addf(out, ".TP\n\\fB%s\\fR\n", settings_title(name));
		add_text(out, span_of(settings_keys(&m->cli.arena, name)));
	}
}

static void add_file(struct strbuf *out, const char *path, const char *text)
{
	strbuf_addf(out, ".TP\n.I %s\n%s\n", path, text);
}

static void add_files(struct strbuf *out, const struct command *command)
{
	if (command->without_store && command->without_config)
		return;
	add_section(out, "FILES");
	if (!command->without_store)
		add_file(out, ".rooflog/runs.db", "The store, beside .git.");
	if (!command->without_config)
		add_file(out, ".rooflog/config", "The configuration.");
	if (command->sections && strstr(command->sections, "rule"))
		add_file(out, ".rooflog/accept", "Regressions that are accepted.");
}

/* "compare gate config": commands and topics. */
static void add_see_also(struct strbuf *out, const char *names)
{
	add_section(out, "SEE ALSO");
	strbuf_addstr(out, ".BR rooflog (1)");
	for (struct span rest = span_of(names ? names : ""); rest.ptr && rest.len;) {
		struct span name = span_cut(&rest, ' ');
		bool page = span_is(name, "verdicts") || span_is(name, "formats") ||
			    span_is(name, "metrics");
		strbuf_addf(out, ",\n.BR rooflog\\-%.*s (%d)", (int)name.len, name.ptr,
			    span_is(name, "config") ? 5
			    : page                  ? 7
						    : 1);
	}
	strbuf_addstr(out, "\n");
}

static void write_command(struct manual *m, const struct command *command)
{
	struct strbuf help = {0}, page = {0};
	const char *name = arena_printf(&m->cli.arena, "rooflog-%s", command->name);
	const char *details = arena_printf(&m->cli.arena, "docs/man/%s.md", command->name);
	program_help(&m->cli.arena, command, &help);
	struct span rest = strbuf_span(&help);
	rest = (struct span){rest.ptr + strlen("usage: "), rest.len - strlen("usage: ")};
	add_head(&page, name, 1, command->summary);
	add_section(&page, "SYNOPSIS");
	add_block(&page, cut_part(&rest, ""));
	add_section(&page, "DESCRIPTION");
	add_block(&page, cut_part(&rest, "Examples"));
	struct span text = {0};
	if (file_exists(arena_printf(&m->cli.arena, "%s/%s", m->sources, details)))
		text = read_source(m, details);
	struct span description = cut_part(&text, "# Output");
	if (description.len) {
		strbuf_addstr(&page, ".PP\n");
		add_markdown(&page, description);
	}
	add_section(&page, "EXAMPLES");
	add_block(&page, cut_part(&rest, ""));
	add_section(&page, "OPTIONS");
	add_block(&page, rest);
	add_output(m, &page, command, text);
	add_statuses(&page, command);
	add_configuration(m, &page, command);
	add_files(&page, command);
	add_see_also(&page, command->see_also);
	write_page(m, name, 1, &page);
	strbuf_free(&help);
}

/* --- all other pages --- */

static void write_first(struct manual *m)
{
	struct strbuf help = {0}, page = {0};
	add_head(&page, "rooflog", 1, "track accelerator kernel performance by git commit");
	program_help(&m->cli.arena, NULL, &help);
	struct span rest = strbuf_span(&help);
	rest = (struct span){rest.ptr + strlen("usage: "), rest.len - strlen("usage: ")};
	add_section(&page, "SYNOPSIS");
	add_block(&page, cut_part(&rest, ""));
	add_section(&page, "DESCRIPTION");
	add_block(&page, rest);
	strbuf_free(&help);
	for (size_t i = 0; program_topic_name(i); i++) {
		strbuf_addf(&page, ".SH \"");
		for (const char *c = program_topic_name(i); *c; c++)
			strbuf_addch(&page, (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c));
		strbuf_addstr(&page, "\"\n");
		program_topic(program_topic_name(i), &help);
		add_block(&page, strbuf_span(&help));
		strbuf_free(&help);
	}
	add_section(&page, "SEE ALSO");
	strbuf_addstr(&page, ".BR rooflog\\-config (5),\n.BR rooflog\\-verdicts (7),\n"
			     ".BR rooflog\\-formats (7),\n.BR rooflog\\-metrics (7)\n");
	write_page(m, "rooflog", 1, &page);
}

/* A table of "rooflog list" as Markdown, below a heading. */
static void add_list(struct manual *m, struct strbuf *out, const char *heading, const char *titles,
		     int (*fill)(struct cli *cli, struct list_cells *cells, struct error *err))
{
	struct list_cells cells = {0};
	struct strbuf text = {0};
	struct error err;
	struct md_table table = md_table_of(&m->cli.arena, 0, titles);
	if (fill(&m->cli, &cells, &err) < 0)
		fail(&err);
	for (size_t i = 0; i < cells.count; i++)
		md_table_cell(&table, cells.items[i]);
	strbuf_addf(&text, "## %s\n\n", heading);
	md_table_markdown(&table, &text);
	add_markdown(out, strbuf_span(&text));
	strbuf_free(&text);
}

static int fill_devices(struct cli *cli, struct list_cells *cells, struct error *err)
{
	size_t count;
	const struct hardware *devices = hardware_table(&count);
	(void)err;
	for (size_t i = 0; i < count; i++) {
		const struct hardware *device = &devices[i];
		double flops = device->peak_flops[DTYPE_BF16];
		list_add(cli, cells, device->name);
		list_add(cli, cells, device->title);
		list_add(cli, cells, device->per_core ? "core" : "device");
		list_add(cli, cells, quantity_text(&cli->arena, flops, UNIT_FLOP_PER_SECOND));
		list_add(cli, cells,
			 quantity_text(&cli->arena, device->bandwidth, UNIT_BYTE_PER_SECOND));
	}
	return 0;
}

static void add_format_lists(struct manual *m, struct strbuf *page)
{
	add_list(m, page, "Formats that are read", "format|written by|may leave open",
		 list_formats);
	add_list(m, page, "Kinds of output", "kind|written by|what it is", list_kinds);
}

static void add_device_list(struct manual *m, struct strbuf *page)
{
	add_list(m, page, "Devices", "name|device|per|bf16 peak|memory", fill_devices);
}

static const struct {
	const char *name;
	int section;
	const char *summary, *path, *see_also;
	void (*add_lists)(struct manual *m, struct strbuf *page); /* NULL: none */
} documents[] = {
	{"rooflog-config", 5, "configuration of rooflog", "docs/user/configuration.md",
	 "verdicts formats metrics", NULL},
	{"rooflog-verdicts", 7, "verdicts of rooflog, and how they are found",
	 "docs/user/verdicts.md", "config metrics", NULL},
	{"rooflog-formats", 7, "files that rooflog reads and writes", "docs/formats/formats.md",
	 "ingest list metrics config", add_format_lists},
	{"rooflog-metrics", 7, "metrics of rooflog, their formulas, and devices",
	 "docs/formats/metrics.md", "list verdicts config", add_device_list},
};

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: manual SOURCES FOLDER\n", stderr);
		return EXIT_ERROR;
	}
	struct manual m = {.sources = argv[1], .folder = argv[2]};
	mkdir(m.folder, 0777);
	cmark_gfm_core_extensions_ensure_registered();
	write_first(&m);
	for (size_t i = 0; cli_commands[i]; i++)
		write_command(&m, cli_commands[i]);
	write_command(&m, &program_version);
	for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
		struct strbuf page = {0};
		add_head(&page, documents[i].name, documents[i].section, documents[i].summary);
		add_section(&page, "DESCRIPTION");
		add_markdown(&page, read_source(&m, documents[i].path));
		if (documents[i].add_lists)
			documents[i].add_lists(&m, &page);
		add_see_also(&page, documents[i].see_also);
		write_page(&m, documents[i].name, documents[i].section, &page);
	}
	arena_free(&m.cli.arena);
	return EXIT_PASS;
}
