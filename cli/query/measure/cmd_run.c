/* rooflog run: measures a program, stores the runs and shows them. */
#include "cli/command.h"

#include <sys/random.h>

#include "base/text/text.h"
#include "cli/ingest/ingest.h"
#include "cli/query/measure/against.h"
#include "cli/query/measure/session.h"
#include "cli/query/query.h"
#include "cli/runs/files/files.h"
#include "render/document/key.h"

enum { LONGEST_SECONDS = 7 * 24 * 3600 };

struct run_options {
	struct reading_options reading;
	const char *tool, *timeout, *check;
	const char *against, *build, *budget, *fail_on;
	const char *candidate, *parent;
	size_t repeat, warmup; /* a repeat of 0: not given */
	bool dry_run, lock_clocks, fresh_inputs;
	struct arguments program;
};

enum { REPEATS = 5, LONGEST_NAME = 100 };

static const struct run_options defaults = {.timeout = "10m", .warmup = 1};

/* "90s", "5m", "1h"; NULL is 10 minutes */
static int parse_seconds(const char *option, const char *text, int *seconds, struct error *err)
{
	static const struct {
		char unit;
		int seconds;
	} units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
	struct span number = span_trim(span_of(text ? text : "10m"));
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
	return error_set(err, ERR_USAGE, "%s takes a time from 1s to a week, 90s or 5m, not \"%s\"",
			 option, text);
}

/* The results of --fail-on as bits of enum paired_outcome. */
static int parse_fail_on(struct arena *arena, const char *text, unsigned *outcomes,
			 struct error *err)
{
	struct strbuf known = {0};
	struct span rest = span_of(text ? text : "slower,incorrect");
	*outcomes = 0;
	for (int i = 0; i < PAIRED_OUTCOME_LIMIT; i++)
		strbuf_addf(&known, "%s, ", render_paired_outcome((enum paired_outcome)i));
	const char *all = strbuf_into(&known, arena);
	if (span_is(span_trim(rest), "none"))
		return 0;
	while (rest.ptr) {
		struct span word = span_trim(span_cut(&rest, ','));
		int found = 0;
		while (found < PAIRED_OUTCOME_LIMIT &&
		       !span_is(word, render_paired_outcome((enum paired_outcome)found)))
			found++;
		if (found == PAIRED_OUTCOME_LIMIT)
			return error_set(err, ERR_USAGE,
					 "--fail-on %.80s: expected a list of %sor none", text,
					 all);
		*outcomes |= 1U << found;
	}
	return 0;
}

/* What belongs to one of the two ways to measure. */
static int check_way(const struct run_options *o, struct error *err)
{
	const struct {
		bool given;
		const char *option;
	} paired[] = {{o->budget, "--budget"}, {o->fail_on, "--fail-on"}};
	for (size_t i = 0; i < sizeof paired / sizeof *paired && !o->against; i++)
		if (paired[i].given)
			return error_set(err, ERR_USAGE, "%s needs --against COMMIT",
					 paired[i].option);
	if (o->parent && !o->candidate)
		return error_set(err, ERR_USAGE, "--parent needs --candidate NAME");
	if (o->candidate && (!utf8_is_line(span_of(o->candidate)) || !o->candidate[0] ||
			     strlen(o->candidate) > LONGEST_NAME))
		return error_set(err, ERR_USAGE,
				 "--candidate takes a name of one line with at most %d bytes",
				 (int)LONGEST_NAME);
	if (o->against && o->repeat)
		return error_set(err, ERR_USAGE,
				 "--against repeats until it is decided, or for --budget TIME: "
				 "without --repeat");
	return 0;
}

static int check(struct cli *cli, void *options, struct error *err)
{
	struct run_options *o = options;
	int seconds;
	unsigned outcomes;
	if (parse_seconds("--timeout", o->timeout, &seconds, err) < 0 ||
	    parse_seconds("--budget", o->budget, &seconds, err) < 0 ||
	    parse_fail_on(&cli->arena, o->fail_on, &outcomes, err) < 0 || check_way(o, err) < 0)
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

/* What is noted of each run of a session. */
struct marks {
	const struct session *session;
	const struct machine *machine;
	const char *candidate, *parent; /* NULL: none */
	bool fresh_inputs;
};

/* What the file itself calls incorrect stays so. */
static void mark(struct arena *arena, const struct marks *marks, struct run *run)
{
	const struct session *session = marks->session;
	machine_note(marks->machine, arena, run);
	if (marks->candidate)
		run_add_attribute(arena, run, RUN_CANDIDATE, marks->candidate);
	if (marks->parent)
		run_add_attribute(arena, run, RUN_PARENT, marks->parent);
	if (marks->fresh_inputs)
		run_add_attribute(arena, run, RUN_INPUTS, "fresh");
	if (session->checked && !run_is_incorrect(run))
		run_add_attribute(arena, run, "correctness",
				  session->correct ? "correct" : "incorrect");
}

/* Stores the runs of a session under a commit; NULL: HEAD. */
static int store(struct cli *cli, const struct run_options *o, const struct marks *marks,
		 const char *commit, struct loaded_list *runs, struct error *err)
{
	const struct session *session = marks->session;
	const struct ingest_options options = {
		.reading = o->reading, .max_series = INGEST_SERIES, .commit = commit};
	const struct arguments paths = {session->paths.items, session->paths.count};
	struct ingest ingest = {
		.cli = cli, .arena = &cli->arena, .options = &options, .paths = &paths};
	if (ingest_read(&ingest, &paths, err) < 0)
		return -1;
	for (size_t i = 0; i < ingest.run_count; i++)
		mark(&cli->arena, marks, ingest.runs[i].run);
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
static int read_only(struct cli *cli, struct run_options *o, const struct marks *marks,
		     struct loaded_list *runs, struct error *err)
{
	const struct session *session = marks->session;
	static const struct words_rules rules = {.command = "run", .kinds = WORD_FILE};
	struct arguments paths = {session->paths.items, session->paths.count};
	struct run_filter filter = {.words = NULL};
	const struct files_request asked = {&paths, &o->reading, &filter};
	struct words words;
	if (files_open(cli, &rules, &asked, &words, err) < 0 ||
	    files_choose(cli, &words, &filter, runs, err) < 0)
		return -1;
	for (size_t i = 0; i < runs->count; i++)
		mark(&cli->arena, marks, runs->items[i].stored.run);
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

/* Where the files are that were measured before an error. */
static int keep_files(struct cli *cli, const char *folder, struct error *err)
{
	return error_set(err, err->kind, "%.700s\nhint: what was measured is in %s",
			 arena_strdup(&cli->arena, err->text), folder);
}

/* --- one side --- */

static int build_here(struct cli *cli, const struct run_options *o, struct error *err)
{
	if (!o->build)
		return 0;
	cli_note(cli, "building: %s", o->build);
	return session_build(cli, o->build, ".", err);
}

static int measure_here(struct cli *cli, struct run_options *o,
			const struct session_request *request, struct error *err)
{
	struct error no_repository;
	struct session session = {0};
	struct loaded_list runs = {0};
	if (o->dry_run)
		return session_describe(cli, request, err);
	bool stores = cli_open_repository(cli, &no_repository) == 0;
	if (!stores)
		cli_note(cli, "%s; the runs are shown and not stored", no_repository.text);
	struct machine *machine = machine_look(cli);
	if (build_here(cli, o, err) < 0 || machine_begin(machine, request->lock_clocks, err) < 0)
		return -1;
	int rc = session_run(cli, request, &session, err);
	machine_end(machine);
	if (rc < 0)
		return session.paths.count ? keep_files(cli, session.folder, err) : -1;
	const struct marks marks = {&session, machine, o->candidate, o->parent, o->fresh_inputs};
	rc = stores ? store(cli, o, &marks, NULL, &runs, err)
		    : read_only(cli, o, &marks, &runs, err);
	return rc < 0 || print(cli, &runs, err) < 0 ? -1 : EXIT_PASS;
}

/* --- two sides --- */

/* The run here of the series that decides the result, as in the report document; NULL if it is not
 * stored. */
static int find_here(struct cli *cli, const struct paired_session *paired, struct loaded_list *runs,
		     const struct json **here, struct error *err)
{
	struct json *document;
	const struct document_request request = {.runs = runs, .title = "", .extent = REPORT_WHOLE};
	const char *key = render_paired_first(&cli->arena, paired);
	*here = NULL;
	if (!key || !runs->count)
		return 0;
	runs_median_per_series(cli, runs);
	if (runs_document_of(cli, &request, &document, err) < 0)
		return -1;
	for (const struct json *run = json_first(document, KEY(runs)); run; run = run->next)
		if (span_text_eq(json_text(run, KEY(series), NULL), key))
			*here = run;
	return 0;
}

static int print_paired(struct cli *cli, const struct paired_session *paired,
			struct loaded_list *runs, struct error *err)
{
	struct strbuf sb = {0};
	struct arena *arena = &cli->arena;
	const struct json *here;
	if (find_here(cli, paired, runs, &here, err) < 0)
		return -1;
	if (cli->common.json) {
		struct json *document = render_paired_json(arena, paired);
		if (here)
			render_paired_add_run(arena, document, here);
		return cli_print_json(document, err);
	}
	strbuf_addstr(&sb, render_paired_text(arena, paired, cli_table_width()));
	if (here)
		strbuf_addstr(&sb, render_paired_run_text(arena, here, cli_table_width()));
	return cli_print_built(&sb, err);
}

/* Stores what both sides measured, unless it shows nothing; *runs receives those of the side here.
 */
static int store_both(struct cli *cli, const struct run_options *o, const struct against *result,
		      struct loaded_list *runs, struct error *err)
{
	struct loaded_list of_base = {0};
	enum paired_outcome outcome = render_paired_result(&result->paired);
	if (outcome == PAIRED_OUTCOME_INCORRECT || outcome == PAIRED_OUTCOME_UNFIT) {
		cli_note(cli, "nothing is stored");
		return 0;
	}
	char head[65];
	if (repository_resolve(cli->repository, "HEAD", head, err) < 0)
		return -1;
	if (strcmp(head, result->paired.head) != 0) {
		cli_warn(cli, "HEAD moved to %.10s while %.10s was measured: nothing is stored",
			 head, result->paired.head);
		return 0;
	}
	const struct marks base = {&result->sides[PAIRED_BASE], result->machine, NULL, NULL,
				   o->fresh_inputs};
	const struct marks here = {&result->sides[PAIRED_CANDIDATE], result->machine, o->candidate,
				   o->parent, o->fresh_inputs};
	if (store(cli, o, &base, result->paired.base, &of_base, err) < 0)
		return -1;
	return store(cli, o, &here, NULL, runs, err);
}

static int measure_against(struct cli *cli, const struct run_options *o,
			   const struct session_request *session, struct error *err)
{
	struct against result;
	struct loaded_list runs = {0};
	struct against_request request = {
		.base = o->against, .build = o->build, .reading = &o->reading, .session = *session};
	unsigned outcomes;
	if (parse_seconds("--budget", o->budget, &request.budget, err) < 0 ||
	    parse_fail_on(&cli->arena, o->fail_on, &outcomes, err) < 0 ||
	    cli_open_repository(cli, err) < 0)
		return -1;
	if (o->dry_run)
		return against_describe(cli, &request, err);
	if (against_run(cli, &request, &result, err) < 0)
		return result.sides[PAIRED_BASE].paths.count
			       ? keep_files(cli, result.paired.folder, err)
			       : -1;
	if (store_both(cli, o, &result, &runs, err) < 0 ||
	    print_paired(cli, &result.paired, &runs, err) < 0)
		return -1;
	return outcomes & 1U << render_paired_result(&result.paired) ? EXIT_REGRESSION : EXIT_PASS;
}

/* A random seed above 0, of which a few hundred follow. */
static int draw_seed(uint32_t *seed, struct error *err)
{
	uint32_t drawn;
	if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
		return error_set(err, ERR_SYSTEM, "the system gives no random number");
	*seed = drawn % (INT32_MAX - 1000) + 1;
	return 0;
}

/* The whole id of the run that --parent names. */
static int find_parent(struct cli *cli, struct run_options *o, struct error *err)
{
	const struct run_query query = {.id = o->parent, .limit = 2};
	struct store_run_list found = {0};
	if (!o->parent)
		return 0;
	if (cli_open_store(cli, STORE_READ, err) < 0)
		return -1;
	int rc = store_runs(cli->store, &cli->arena, &query, &found, err);
	store_close(cli->store);
	cli->store = NULL;
	if (rc < 0)
		return -1;
	if (found.count != 1)
		return error_set(err, ERR_USAGE, "--parent %.80s: %s", o->parent,
				 found.count ? "more than one run has an id that begins so"
					     : "no run has this id");
	o->parent = found.items[0].id;
	return 0;
}

static int measure(struct cli *cli, void *options, struct error *err)
{
	struct run_options *o = options;
	struct session_request request = {.program = words_of(&cli->arena, &o->program),
					  .repeat = o->repeat ? o->repeat : REPEATS,
					  .warmup = o->warmup,
					  .directory = ".",
					  .lock_clocks = o->lock_clocks,
					  .build = o->build,
					  .check = o->check};
	if (parse_seconds("--timeout", o->timeout, &request.seconds, err) < 0 ||
	    measuring_tool_choose(o->tool, request.program[0], &request.tool, err) < 0 ||
	    state_params(cli, &o->reading, &request.params, err) < 0 ||
	    find_parent(cli, o, err) < 0 || (o->fresh_inputs && draw_seed(&request.seed, err) < 0))
		return -1;
	return o->against ? measure_against(cli, o, &request, err)
			  : measure_here(cli, o, &request, err);
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
	{FIELD(build), "build", "COMMAND", "build with the shell first"},
	{FIELD(lock_clocks), "lock-clocks", NULL, "lock the GPU's clocks; restored on exit"},
	{FIELD(dry_run), "dry-run", NULL, "print the commands, run nothing"},
	{.kind = OPTION_TITLE, .help = "Comparing"},
	{FIELD(against), "against", "COMMIT", "also build and measure COMMIT, alternating"},
	{FIELD(budget), "budget", "TIME", "stop when decided, or after TIME (default: 10m)"},
	{FIELD(fail_on), "fail-on", "LIST",
	 "exit with 1 on these results: slower, incorrect, unfit, unclear, faster, same, none "
	 "(default: slower,incorrect)"},
	{.kind = OPTION_TITLE, .help = "Checking"},
	{FIELD(check), "check", "COMMAND", "check with the shell; status 0: it is correct"},
	{FIELD(fresh_inputs), "fresh-inputs", NULL,
	 "give the check and each process another ROOFLOG_SEED"},
	{.kind = OPTION_TITLE, .help = "Trying candidates"},
	{FIELD(candidate), "candidate", "NAME", "store the runs as a candidate of this name"},
	{FIELD(parent), "parent", "RUN", "the run that this candidate started from"},
	{OPTION_GROUP(struct run_options, reading, reading_option_rows)},
	{.kind = OPTION_END},
};

const struct command command_run = {
	.name = "run",
	.group = GROUP_STORE,
	.summary = "measure a program with a profiler, store and show its runs",
	.usage = "[OPTION]... -- PROGRAM [ARGUMENT]...",
	.about =
		"Measure PROGRAM with a suitable profiler, store the runs, and show them. Each\n"
		"repeat is a process of its own. With --against, alternate between another commit\n"
		"and the work tree here, and say which is faster; that needs no history.",
	.notes = "Without a profiler, a program that prints a result which rooflog reads (see\n"
		 "'rooflog list formats') is measured by that. Any other process is timed.",
	.examples = {"rooflog run -- ./bench_attention",
		     "rooflog run --tool ncu --repeat 10 -- python3 bench.py",
		     "rooflog run --check ./test --set s=512 -- ./bench_attention 512",
		     "rooflog run --against main --build 'make -j8' -- ./bench_attention",
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
	.documents = "report paired",
	.see_also = "ingest show compare bisect",
};
