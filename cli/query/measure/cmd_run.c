/* rooflog run: measures a program, stores the runs and shows them. */
#include "cli/command.h"

#include "cli/ingest/ingest.h"
#include "cli/query/measure/session.h"
#include "cli/query/query.h"
#include "cli/runs/files/files.h"
#include "render/document/key.h"

enum { LONGEST_SECONDS = 7 * 24 * 3600 };

struct run_options {
	struct reading_options reading;
	const char *tool, *timeout, *check;
	size_t repeat, warmup;
	bool dry_run;
	struct arguments program;
};

static const struct run_options defaults = {.timeout = "10m", .repeat = 5, .warmup = 1};

/* "90s", "5m", "1h" */
static int parse_seconds(const char *text, int *seconds, struct error *err)
{
	static const struct {
		char unit;
		int seconds;
	} units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
	struct span number = span_trim(span_of(text));
	double value;
	for (size_t i = 0; number.len && i < sizeof units / sizeof *units; i++) {
		if (number.ptr[number.len - 1] != units[i].unit)
			continue;
		number.len--;
		if (!span_number(number, &value) || !(value * units[i].seconds >= 1) ||
		    value * units[i].seconds > LONGEST_SECONDS)
			break;
		*seconds = (int)(value * units[i].seconds);
		return 0;
	}
	return error_set(err, ERR_USAGE,
			 "--timeout takes a time from 1s to a week, 90s or 5m, not \"%s\"", text);
}

static int check(struct cli *cli, void *options, struct error *err)
{
	struct run_options *o = options;
	int seconds;
	if (parse_seconds(o->timeout, &seconds, err) < 0)
		return -1;
	if (o->dry_run && cli->common.json)
		return error_set(err, ERR_USAGE, "--dry-run prints command lines, not JSON");
	return facts_check_reading(&cli->arena, &o->reading, err);
}

/* A params.json has no parameters of these names. */
static const char *const fact_names[] = {"kernel",        "variant", "dtype", "device",
					 "instance_type", "cores",   "tool"};

/* What --set states, but for cores and tool, as a params.json; NULL if that is nothing. */
static int state_params(struct cli *cli, const struct reading_options *reading,
			const struct json **params, struct error *err)
{
	struct facts facts = {0};
	struct arena *arena = &cli->arena;
	if (facts_parse(arena, &reading->set, &facts, err) < 0)
		return -1;
	const struct {
		const char *name, *value;
	} named[] = {{"kernel", facts.kernel},
		     {"variant", facts.variant},
		     {"dtype", facts.dtype},
		     {"device", facts.device},
		     {"instance_type", facts.instance_type}};
	struct json *object = json_object(arena);
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (named[i].value)
			json_set_text(arena, object, named[i].name, named[i].value);
	for (size_t i = 0; i < facts.params.count; i++) {
		const struct run_param *param = &facts.params.items[i];
		if (!span_among(span_of(param->name), fact_names,
				sizeof fact_names / sizeof *fact_names))
			json_set_text(arena, object, param->name, param->value);
	}
	*params = object->first ? object : NULL;
	return 0;
}

/* --- what was measured --- */

static int print(struct cli *cli, struct loaded_list *runs, struct error *err)
{
	struct json *document;
	const bool json = cli->common.json;
	const struct document_request request = {
		.runs = runs, .title = "", .extent = json ? REPORT_WHOLE : REPORT_SHOWN};
	runs_median_per_series(cli, runs);
	if (runs_document_of(cli, &request, &document, err) < 0)
		return -1;
	return json ? cli_print_json(document, err)
		    : cli_query_print_runs(cli, document, runs->count == 1, false, err);
}

/* Notes what the check found; what the file itself calls incorrect stays so. */
static void mark(struct arena *arena, const struct session *session, struct run *run)
{
	if (session->checked && !run_is_incorrect(run))
		run_add_attribute(arena, run, "correctness",
				  session->correct ? "correct" : "incorrect");
}

/* Stores the runs of a session under HEAD. */
static int store(struct cli *cli, const struct run_options *o, const struct session *session,
		 struct loaded_list *runs, struct error *err)
{
	const struct ingest_options options = {.reading = o->reading, .max_series = INGEST_SERIES};
	const struct arguments paths = {session->paths.items, session->paths.count};
	struct ingest ingest = {
		.cli = cli, .arena = &cli->arena, .options = &options, .paths = &paths};
	if (ingest_read(&ingest, &paths, err) < 0)
		return -1;
	for (size_t i = 0; i < ingest.run_count; i++)
		mark(&cli->arena, session, ingest.runs[i].run);
	if (ingest_complete(&ingest, err) < 0)
		return -1;
	if (ingest.run_count == 0) {
		ingest_conclude(&ingest);
		return error_set(
			err, ERR_FORMAT, "no kernel was measured in %.300s%s", session->folder,
			span_text_eq(o->tool, "none") ? ""
						      : "\nhint: --tool none times the process");
	}
	ingest_warn(&ingest);
	if (ingest_store(&ingest, err) < 0)
		return -1;
	ingest_conclude(&ingest);
	for (size_t i = 0; i < ingest.run_count; i++) {
		const struct run_query query = {.id = ingest.runs[i].id, .details = true};
		if (runs_load(cli, &query, runs, err) < 0)
			return -1;
	}
	return 0;
}

/* Without a repository they are shown as any other file. */
static int read_only(struct cli *cli, struct run_options *o, const struct session *session,
		     struct loaded_list *runs, struct error *err)
{
	static const struct words_rules rules = {.command = "run", .kinds = WORD_FILE};
	struct arguments paths = {session->paths.items, session->paths.count};
	struct run_filter filter = {.words = NULL};
	const struct files_request asked = {&paths, &o->reading, &filter};
	struct words words;
	if (files_open(cli, &rules, &asked, &words, err) < 0 ||
	    files_choose(cli, &words, &filter, runs, err) < 0)
		return -1;
	for (size_t i = 0; i < runs->count; i++)
		mark(&cli->arena, session, runs->items[i].stored.run);
	return 0;
}

/* The program and its arguments as the system takes them, NULL at the end. */
static const char *const *words_of(struct arena *arena, const struct arguments *arguments)
{
	const char **words = arena_array(arena, arguments->count + 1, sizeof *words);
	for (size_t i = 0; i < arguments->count; i++)
		words[i] = arguments->items[i];
	words[arguments->count] = NULL;
	return words;
}

static int measure(struct cli *cli, void *options, struct error *err)
{
	struct run_options *o = options;
	struct error no_repository;
	struct session session = {0};
	struct loaded_list runs = {0};
	struct session_request request = {.program = words_of(&cli->arena, &o->program),
					  .repeat = o->repeat,
					  .warmup = o->warmup,
					  .check = o->check};
	if (parse_seconds(o->timeout, &request.seconds, err) < 0 ||
	    measuring_tool_choose(o->tool, request.program[0], &request.tool, err) < 0 ||
	    state_params(cli, &o->reading, &request.params, err) < 0)
		return -1;
	if (o->dry_run)
		return session_describe(cli, &request, err);
	bool stores = cli_open_repository(cli, &no_repository) == 0;
	if (!stores)
		cli_note(cli, "%s; the runs are shown and not stored", no_repository.text);
	if (session_run(cli, &request, &session, err) < 0)
		return session.paths.count
			       ? error_set(err, err->kind,
					   "%.700s\nhint: what was measured is in %s",
					   arena_strdup(&cli->arena, err->text), session.folder)
			       : -1;
	int rc = stores ? store(cli, o, &session, &runs, err)
			: read_only(cli, o, &session, &runs, err);
	return rc < 0 || print(cli, &runs, err) < 0 ? -1 : EXIT_PASS;
}

#define FIELD(member) OPTION_FIELD(struct run_options, member)
static const struct option rows[] = {
	{.kind = OPTION_TITLE, .help = "Measuring"},
	{FIELD(tool), "tool", "TOOL",
	 "ncu, nsys, rocprofv3, neuron, nvbench, or none to time the process (default: what fits "
	 "and is installed)",
	 .choices = MEASURING_TOOLS},
	{FIELD(repeat), "repeat", "N", "measure N times (default: 5)", .low = 1, .high = 1000},
	{FIELD(warmup), "warmup", "N", "run N times first, unmeasured (default: 1)", .low = 0,
	 .high = 1000},
	{FIELD(timeout), "timeout", "TIME", "stop PROGRAM after TIME: 90s, 5m (default: 10m)"},
	{FIELD(dry_run), "dry-run", NULL, "print the commands, run nothing"},
	{.kind = OPTION_TITLE, .help = "Checking"},
	{FIELD(check), "check", "COMMAND",
	 "check the result with the shell; status 0 means it is correct"},
	{OPTION_GROUP(struct run_options, reading, reading_option_rows)},
	{.kind = OPTION_END},
};

const struct command command_run = {
	.name = "run",
	.group = GROUP_STORE,
	.summary = "measure a program with a profiler, store and show its runs",
	.usage = "[OPTION]... -- PROGRAM [ARGUMENT]...",
	.about = "Measure PROGRAM with a suitable profiler, store the runs, and show them. Each\n"
		 "repeat is a process of its own. The files stay in out/profiles.",
	.notes = "Without a profiler, a program that prints a result which rooflog reads (see\n"
		 "'rooflog list formats') is measured by that. Any other process is timed.",
	.examples = {"rooflog run -- ./bench_attention",
		     "rooflog run --tool ncu --repeat 10 -- python3 bench.py",
		     "rooflog run --check ./test --set s=512 -- ./bench_attention 512",
		     "rooflog run --dry-run -- ./bench_attention"},
	.options = rows,
	.arguments = {{"PROGRAM [ARGUMENT]", ARGUMENT(struct run_options, program)}},
	.required = 1,
	.expected = "PROGRAM is missing: rooflog run -- PROGRAM",
	.options_size = sizeof(struct run_options),
	.defaults = &defaults,
	.check = check,
	.run = measure,
	.sections = "device work tool alias",
	.documents = "report",
	.see_also = "ingest show compare bisect",
};
