/* Limits into the configuration: a block between two marks, and not a byte beside it. */
#include <math.h>
#include <string.h>

#include "base/system/file.h"
#include "cli/calibrate/calibrate.h"
#include "render/report/report.h"

static const char mark_begin[] = "# calibrate: begin", mark_end[] = "# calibrate: end";
static const size_t size_limit = 1u << 20;

/* The file around the block. */
struct frame {
	const char *path;
	struct span before, after;
};

/* --- the block --- */

static bool is_printable(const char *text)
{
	for (const char *at = text; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			return false;
	return true;
}

static void add_quoted(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '"');
	for (const char *at = text; *at; at++) {
		if (*at == '"' || *at == '\\')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *at);
	}
	strbuf_addch(out, '"');
}

static const char *row_name(struct arena *arena, const struct calibrate_group *group)
{
	return arena_printf(arena, "calibrated %s: %s", group->row->name, group->kernel);
}

static bool is_written(const struct calibrate_group *group)
{
	return group->evidence < EVIDENCE_UNKNOWN && group->before.judged > 0;
}

static void add_row(struct arena *arena, const struct calibrate_group *group, struct strbuf *out)
{
	strbuf_addstr(out, "[gate ");
	add_quoted(out, row_name(arena, group));
	strbuf_addf(out, "]\n\t# %zu commits, %zu judged: %s; ", group->commits,
		    group->before.judged, calibrate_shape_name(group->shape));
	strbuf_addf(out,
		    "%s; shows %.1f %%\n\trefines = ", calibrate_evidence_words(group->evidence),
		    group->shown_after * 100);
	add_quoted(out, group->row->name);
	strbuf_addstr(out, "\n\tkernel = ");
	add_quoted(out, group->kernel);
	strbuf_addf(out, "\n\talpha = %g\n\trelative = %.4g %%\n\ttolerance = %.4g %%\n",
		    group->limits.alpha, group->limits.limits.relative * 100,
		    group->limits.tolerance * 100);
	if (!isnan(group->limits.noise))
		strbuf_addf(out, "\tnoise = %.3g %%\n", group->limits.noise * 100);
}

static void add_block(struct cli *cli, const struct calibration *c,
		      const struct calibrate_request *request, struct strbuf *out)
{
	strbuf_addf(out,
		    "%s\n# By rooflog calibrate --write, %.10s, from %zu commits (%.10s and "
		    "before) of %zu series.\n",
		    mark_begin, report_time(&cli->arena, cli->now), c->data, request->oid,
		    c->count);
	strbuf_addf(out, "# Wished: %g false alarms a %s. Replayed with these limits: %zu of %zu",
		    request->wished, request->per, c->after.flagged, c->after.judged);
	if (!isnan(request->calls_a_week))
		strbuf_addf(out, ", %.2g a week (90 %% confidence: below %.2g)",
			    calibrate_weekly(c, request, (double)c->after.flagged),
			    calibrate_weekly_bound(c, request, &c->after));
	strbuf_addstr(out, ".\n# Rows between these marks are replaced the next time.\n");
	for (size_t i = 0; i < c->group_count; i++)
		if (is_written(&c->groups[i]) && is_printable(c->groups[i].kernel))
			add_row(&cli->arena, &c->groups[i], out);
	strbuf_addf(out, "%s\n", mark_end);
}

/* --- the file --- */

static int find_path(struct cli *cli, const char **path, struct error *err)
{
	*path = cli->config_path ? cli->config_path : cli->config.path;
	if (*path)
		return 0;
	if (cli_open_repository(cli, err) < 0)
		return error_prefix(err, "no --config is given");
	const char *home =
		arena_printf(&cli->arena, "%s/.rooflog", repository_home(cli->repository));
	*path = arena_printf(&cli->arena, "%s/config", home);
	return file_make_directory(home, err);
}

/* A line that says nothing but the mark. */
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

/* The rows that people wrote are none that will be written. */
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
				   row_name(&cli->arena, &c->groups[k])) == 0)
				return error_set(err, ERR_USAGE,
						 "%s: [gate \"%s\"] stands outside of the marks "
						 "and has the name of a calibrated row: rename it",
						 frame->path, own.entries[i].subsection);
	return 0;
}

/* What would be written is read as every command will read it. */
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
	    policies_of_config(arena, &config, &policies, &settings, err) < 0 ||
	    devices_of_config(arena, &config, &devices, err) < 0 ||
	    works_of_config(arena, &config, &works, err) < 0 ||
	    tools_of_config(arena, &config, &tools, err) < 0)
		return error_prefix(err, "nothing was written");
	return 0;
}

int calibrate_write(struct cli *cli, const struct calibration *c,
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
	add_block(cli, c, request, &out);
	strbuf_addspan(&out, frame.after);
	const char *text = strbuf_into(&out, &cli->arena);
	if (check_text(cli, frame.path, span_of(text), err) < 0 ||
	    file_write(frame.path, span_of(text), err) < 0)
		return -1;
	for (size_t i = 0; i < c->group_count; i++) {
		bool printable = is_printable(c->groups[i].kernel);
		written += is_written(&c->groups[i]) && printable;
		if (!printable)
			cli_warn(cli,
				 "no row for %s: a name with control characters cannot stand "
				 "in a configuration",
				 c->groups[i].kernel);
	}
	cli_note(cli, "wrote %zu row%s into %s", written, written == 1 ? "" : "s", frame.path);
	return 0;
}
