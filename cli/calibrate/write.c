/* Writes limits into the configuration: into one block between two marks; every other byte
 * stays. */

#include "base/system/system.h"
#include "cli/calibrate/calibrate.h"
#include "render/calibrate/calibrate.h"

static const char mark_begin[] = "# calibrate: begin", mark_end[] = "# calibrate: end";
static const size_t size_limit = 1u << 20;

/* The parts of the file before and after the block. */
struct frame {
	const char *path;
	struct span before, after;
};

/* --- the file --- */

static int find_path(struct cli *cli, const char **path, struct error *err)
{
	*path = cli->common.config_path ? cli->common.config_path : cli->settings.file.path;
	if (*path)
		return 0;
	if (cli_open_repository(cli, err) < 0)
		return error_prefix(err, "no --config is given");
	const char *home =
		arena_printf(&cli->arena, "%s/.rooflog", repository_home(cli->repository));
	*path = arena_printf(&cli->arena, "%s/config", home);
	return file_make_directory(home, err);
}

/* Finds a line that consists of the mark only. */
static const char *find_mark(struct span text, const char *mark)
{
	for (const char *line = text.ptr; line && line < text.ptr + text.len;) {
		const char *end = memchr(line, '\n', (size_t)(text.ptr + text.len - line));
		size_t len = end ? (size_t)(end - line) : (size_t)(text.ptr + text.len - line);
		while (len && (line[len - 1] == '\r' || line[len - 1] == ' '))
			len--;
		if (len == strlen(mark) && memcmp(line, mark, len) == 0)
			return line;
		line = end ? end + 1 : NULL;
	}
	return NULL;
}

static int damaged(const char *path, struct error *err)
{
	return error_set(err, ERR_USAGE,
			 "%s: the lines \"%s\" and \"%s\" are no pair, once and in this order: "
			 "take them out, with what is between them",
			 path, mark_begin, mark_end);
}

static int find_frame(struct span text, struct frame *frame, struct error *err)
{
	const char *begin = find_mark(text, mark_begin), *end = find_mark(text, mark_end);
	const char *stop = text.ptr + text.len;
	frame->before = text;
	frame->after = (struct span){stop, 0};
	if (!begin && !end)
		return 0;
	if (!begin || !end || end < begin)
		return damaged(frame->path, err);
	const char *rest = memchr(end, '\n', (size_t)(stop - end));
	rest = rest ? rest + 1 : stop;
	const char *inner = begin + strlen(mark_begin);
	struct span between = {inner, (size_t)(end - inner)};
	frame->before = (struct span){text.ptr, (size_t)(begin - text.ptr)};
	frame->after = (struct span){rest, (size_t)(stop - rest)};
	if (find_mark(between, mark_begin) || find_mark(frame->after, mark_begin) ||
	    find_mark(frame->after, mark_end))
		return damaged(frame->path, err);
	return 0;
}

/* Refuses names that rows outside the block already have. */
static int check_names(struct cli *cli, const struct calibration *c, const struct frame *frame,
		       struct error *err)
{
	struct config own = {0};
	struct strbuf around = {0};
	strbuf_addspan(&around, frame->before);
	strbuf_addspan(&around, frame->after);
	struct span text = span_of(strbuf_into(&around, &cli->arena));
	if (config_parse(&cli->arena, frame->path, text, &own, err) < 0)
		return -1;
	for (size_t i = 0; i < own.count; i++)
		for (size_t k = 0; k < c->group_count; k++)
			if (strcmp(own.entries[i].section, "gate") == 0 &&
			    strcmp(own.entries[i].subsection,
				   render_calibrate_row_name(&cli->arena, &c->groups[k])) == 0)
				return error_set(err, ERR_USAGE,
						 "%s: [gate \"%s\"] stands outside of the marks "
						 "and has the name of a calibrated row: rename it",
						 frame->path, own.entries[i].subsection);
	return 0;
}

/* Parses the new text as every command will, before it replaces the file. */
static int check_text(struct cli *cli, const char *path, struct span text, struct error *err)
{
	struct config config = {0};
	struct policy_list policies = {0};
	struct gate_settings settings;
	struct hardware_list devices = {0};
	struct work_list works = {0};
	struct tool_alias_list tools = {0};
	struct arena *arena = &cli->arena;
	if (config_parse(arena, path, text, &config, err) < 0 ||
	    settings_policies_of(arena, &config, &policies, &settings, err) < 0 ||
	    settings_devices_of(arena, &config, &devices, err) < 0 ||
	    settings_works_of(arena, &config, &works, err) < 0 ||
	    settings_tools_of(arena, &config, &tools, err) < 0)
		return error_prefix(err, "nothing was written");
	return 0;
}

int calibrate_command_write(struct cli *cli, const struct calibration *c,
			    const struct calibrate_request *request, struct error *err)
{
	struct frame frame;
	struct span old = {"", 0};
	struct strbuf out = {0};
	size_t written = 0;
	if (find_path(cli, &frame.path, err) < 0 ||
	    (file_exists(frame.path) &&
	     file_read(&cli->arena, frame.path, size_limit, &old, err) < 0) ||
	    find_frame(old, &frame, err) < 0 || check_names(cli, c, &frame, err) < 0)
		return -1;
	strbuf_addspan(&out, frame.before);
	if (out.len && out.buf[out.len - 1] != '\n')
		strbuf_addch(&out, '\n');
	strbuf_addf(&out, "%s\n", mark_begin);
	render_calibrate_rows(&cli->arena, c, request, cli->now, &out);
	strbuf_addf(&out, "%s\n", mark_end);
	strbuf_addspan(&out, frame.after);
	const char *text = strbuf_into(&out, &cli->arena);
	if (check_text(cli, frame.path, span_of(text), err) < 0 ||
	    file_write(frame.path, span_of(text), err) < 0)
		return -1;
	for (size_t i = 0; i < c->group_count; i++) {
		bool printable = render_calibrate_can_name(&c->groups[i]);
		written += render_calibrate_has_row(&c->groups[i]) && printable;
		if (!printable)
			cli_warn(cli,
				 "no row for %s: a name with control characters cannot stand "
				 "in a configuration",
				 c->groups[i].kernel);
	}
	cli_note(cli, "wrote %zu row%s into %s", written, written == 1 ? "" : "s", frame.path);
	return 0;
}
