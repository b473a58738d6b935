/* rooflog calibrate: how often the gate would have raised a false alarm on the stored history, and
 * limits with which it rarely would. With --write it changes one block of the configuration and
 * nothing else. */

#include "cli/command.h"
#include "cli/gate/gate.h"
#include "render/calibrate/calibrate.h"
#include "base/system/system.h"

static const double week = 7 * 86400;

/* --- sessions --- */

enum {
	SESSION_COMMITS = 60
}; /* newest commits with repeats that are loaded: enough to estimate the noise within a session */

/* Marks the commits at which a series has several runs. */
static void mark_repeats(const struct history_set *set, bool *repeated)
{
	for (size_t i = 0; i < set->count; i++)
		for (size_t k = 1; k < set->items[i].run_count; k++)
			if (set->items[i].runs[k].commit == set->items[i].runs[k - 1].commit)
				repeated[set->items[i].runs[k].commit] = true;
}

static int by_row(const void *a, const void *b)
{
	int64_t x = ((const struct calibrate_run *)a)->row;
	int64_t y = ((const struct calibrate_run *)b)->row;
	return (x > y) - (x < y);
}

/* Loads the ingest times of repeated measurements, from which the model separates noise within a
 * session from noise between sessions. Only commits with repeats matter, and the newest ones
 * represent the present machines. */
static int load_sessions(struct cli *cli, struct calibration *c, struct error *err)
{
	bool *repeated = arena_array(&cli->arena, c->set->chain_count + 1, sizeof *repeated);
	struct calibrate_run *runs = NULL;
	size_t count = 0, capacity = 0, used = 0;
	mark_repeats(c->set, repeated);
	for (size_t i = 0; i < c->set->chain_count && used < SESSION_COMMITS; i++) {
		struct store_run_list list = {0};
		struct run_query query = {.commit = c->set->chain[i].oid, .clean_only = true};
		if (!repeated[i])
			continue;
		used++;
		if (store_runs(cli->store, &cli->arena, &query, &list, err) < 0)
			return -1;
		for (size_t k = 0; k < list.count; k++) {
			*arena_next(&cli->arena, runs, count, capacity) =
				(struct calibrate_run){list.items[k].run->row, list.items[k].run};
		}
	}
	array_sort(runs, count, sizeof *runs, by_row);
	calibrate_sessions(c, runs, count);
	return 0;
}

/* --- rates --- */

/* Calls of the gate: one per commit with data, unless --calls says how many. */
static int find_rate(const struct calibration *c, struct calibrate_request *request,
		     struct error *err)
{
	if (!request->calls_are_given && c->data > 1 && c->seconds > 0)
		request->calls_a_week = (double)(c->data - 1) / ((double)c->seconds / week);
	if (strcmp(request->per, "gate") != 0 && !(request->calls_a_week > 0))
		return error_set(err, ERR_USAGE,
				 "the gate's call rate is unknown: give --gates N, or "
				 "--false-alarms N/gate");
	return 0;
}

static double target_per_call(const struct calibrate_request *request)
{
	if (strcmp(request->per, "gate") == 0)
		return request->target;
	double nights = strcmp(request->per, "night") == 0 ? 7 : 1;
	return request->target * nights / request->calls_a_week;
}

static const char mark_begin[] = "# calibrate: begin", mark_end[] = "# calibrate: end";
static const size_t size_limit = 1u << 20;

/* The parts of the file before and after the block. */
struct frame {
	const char *path;
	struct span before, after;
};

/* --- the block in the configuration: every other byte stays --- */

static int find_path(struct cli *cli, const char **path, struct error *err)
{
	*path = cli->common.config_path ? cli->common.config_path : cli->settings.file.path;
	if (*path)
		return 0;
	if (cli_open_repository(cli, err) < 0)
		return error_prefix(err, "no --config given");
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
			 "%s: the markers \"%s\" and \"%s\" must appear once and in this order: "
			 "remove both and everything between them",
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
			if (strcmp(own.entries[i].section, "rule") == 0 &&
			    strcmp(own.entries[i].subsection,
				   render_calibrate_row_name(&cli->arena, &c->groups[k])) == 0)
				return error_set(err, ERR_USAGE,
						 "%s: [rule \"%s\"], outside the markers, has the "
						 "name of a calibrated rule: rename it",
						 frame->path, own.entries[i].subsection);
	return 0;
}

/* Parses the new text as every command will, before it replaces the file. */
static int check_text(struct cli *cli, const char *path, struct span text, struct error *err)
{
	struct settings settings = {.loaded = false};
	if (config_parse(&cli->arena, path, text, &settings.file, err) < 0 ||
	    settings_read(&cli->arena, &settings, err) < 0)
		return error_prefix(err, "nothing written");
	return 0;
}

static int write_limits(struct cli *cli, const struct calibration *c,
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
				 "no rule for %s: names with control characters cannot be written "
				 "to the configuration",
				 c->groups[i].kernel);
	}
	cli_note(cli, "wrote %zu rule%s to %s", written, written == 1 ? "" : "s", frame.path);
	return 0;
}

/* --- the command --- */

static int check_patterns(const struct calibration *c, struct error *err)
{
	for (size_t i = 0; i < c->pattern_count; i++) {
		bool fits = false;
		for (size_t k = 0; k < c->count; k++)
			fits = fits || span_glob(c->patterns[i],
						 c->series[k].history->identity->kernel
							 ? c->series[k].history->identity->kernel
							 : "");
		if (!fits)
			return error_set(err, ERR_USAGE, "--rule %s matches no compared series",
					 c->patterns[i]);
	}
	return 0;
}

static int calibrate(struct cli *cli, struct calibrate_request *request, struct calibration *c,
		     struct error *err)
{
	struct history_set *set = arena_new(&cli->arena, struct history_set);
	if (gate_command_load_histories(cli, request->oid, set, err) < 0)
		return -1;
	c->set = set;
	c->policies = &cli->settings.policies;
	c->settings = &cli->settings.gate;
	calibrate_read(&cli->arena, c);
	if (c->count == 0)
		return error_set(err, ERR_STORE,
				 "no series in the history of %.10s has enough data to calibrate",
				 request->oid);
	if (check_patterns(c, err) < 0 || load_sessions(cli, c, err) < 0 ||
	    find_rate(c, request, err) < 0)
		return -1;
	c->target = target_per_call(request);
	calibrate_replay(&cli->arena, c);
	calibrate_choose(&cli->arena, c);
	return 0;
}

static int print_calibration(struct cli *cli, const struct calibration *c,
			     const struct calibrate_request *request, bool json, struct error *err)
{
	if (json)
		return cli_print_json(render_calibrate_json(&cli->arena, c, request), err);
	return cli_print_clean(render_calibrate_text(&cli->arena, c, request, cli_table_width()),
			       err);
}

struct calibrate_options {
	struct calibrate_request request;
	const char *false_alarms; /* "1/week" */
	const char *commit;       /* NULL: HEAD or its nearest ancestor with runs */
	struct text_list kernels;
	bool write;
};

/* "0.5/night"; without what they are counted in, a week. */
static int check(struct cli *cli, void *options, struct error *err)
{
	static const char *const words[] = {"week", "night", "gate"};
	struct calibrate_options *o = options;
	struct span rest = span_of(o->false_alarms), number = span_cut(&rest, '/');
	double target = 0;
	(void)cli;
	o->request.per = rest.ptr ? NULL : words[0];
	for (size_t i = 0; rest.ptr && i < sizeof words / sizeof *words; i++)
		if (span_is(span_trim(rest), words[i]))
			o->request.per = words[i];
	if (!o->request.per || !span_number(span_trim(number), &target) || !(target > 0) ||
	    target > 1e6)
		return error_set(err, ERR_USAGE,
				 "--false-alarms %.40s: expected a number above 0 per week, night "
				 "or gate, such as 1/week or 0.5/night",
				 o->false_alarms);
	o->request.target = target;
	return 0;
}

static int calibrate_gate(struct cli *cli, void *options, struct error *err)
{
	struct calibrate_options *o = options;
	struct calibrate_request *request = &o->request;
	struct calibration c = {.patterns = o->kernels.items, .pattern_count = o->kernels.count};
	char oid[65];
	request->oid = oid;
	request->calls_are_given = !isnan(request->calls_a_week);
	if (cli_load_config(cli, err) < 0 || runs_select_commit(cli, o->commit, oid, err) < 0 ||
	    calibrate(cli, request, &c, err) < 0 ||
	    print_calibration(cli, &c, request, cli->common.json, err) < 0)
		return -1;
	return o->write && write_limits(cli, &c, request, err) < 0 ? -1 : EXIT_PASS;
}

#define FIELD(member) OPTION_FIELD(struct calibrate_options, member)
static const struct option rows[] = {
	{FIELD(false_alarms), "false-alarms", "N/PER",
	 "how many to tolerate; PER is week, night or gate (default: 1/week)"},
	{FIELD(request.calls_a_week), "gates", "N",
	 "gate calls per week (default: one per measured commit)", .high = 1e6,
	 .expected = "a number above 0 and at most 1000000, such as 1 or 0.5"},
	{FIELD(kernels), "rule", "GLOB",
	 "one rule for all kernels that match; repeatable (default: one rule for each kernel)"},
	{FIELD(write), "write", NULL, "write the thresholds to .rooflog/config"},
	{.kind = OPTION_END},
};

static const struct calibrate_options defaults = {.request = {.calls_a_week = NAN},
						  .false_alarms = "1/week"};

const struct command command_calibrate = {
	.name = "calibrate",
	.group = GROUP_FOLLOW_UP,
	.summary = "choose thresholds from your own history",
	.usage = "[COMMIT] [OPTION]...",
	.about =
		"Replay the gate over your history up to COMMIT (default: HEAD). Report how often\n"
		"it raised a false alarm, which thresholds would make that rare enough, and which\n"
		"slowdowns those thresholds still catch.",
	.options = rows,
	.arguments = {{"COMMIT", ARGUMENT(struct calibrate_options, commit)}},
	.takes = "one commit",
	.examples = {"rooflog calibrate", "rooflog calibrate --false-alarms 1/night",
		     "rooflog calibrate --rule 'attention*' --write"},
	.options_size = sizeof(struct calibrate_options),
	.defaults = &defaults,
	.needs = NEEDS_STORE,
	.check = check,
	.run = calibrate_gate,
	.sections = "rule gate alias",
	.documents = "calibration",
	.see_also = "gate config verdicts",
};
