/* Runs the processes of a session and names what they wrote. */
#include "cli/query/measure/session.h"

#include <time.h>

#include "base/system/system.h"
#include "cli/command.h"
#include "ingest/registry/registry.h"

enum { BUILD_SECONDS = 7 * 24 * 3600 };
enum { kept_output = 16 << 20, same_second_limit = 100, said_limit = 300 };

/* --- the folder --- */

/* The last part of the program's path, with what file names should not have replaced. */
static const char *short_name(struct arena *arena, const char *program)
{
	const char *slash = strrchr(program, '/');
	char *name = arena_strdup(arena, slash ? slash + 1 : program);
	for (char *c = name; *c; c++)
		if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') &&
		    !(*c >= '0' && *c <= '9') && !(strchr("-_.", *c) && c > name))
			*c = '_';
	return *name ? name : "program";
}

/* Its name is the time when it began; a second one in the same second has a number. */
const char *session_folder(struct cli *cli, const char *program)
{
	char text[32] = "unknown";
	struct tm tm;
	time_t now = (time_t)cli->now;
	if (gmtime_r(&now, &tm))
		strftime(text, sizeof text, "%Y-%m-%dT%H%M%SZ", &tm);
	const char *base = arena_printf(&cli->arena, "out/profiles/%s/%s",
					short_name(&cli->arena, program), text);
	const char *folder = base;
	for (int i = 2; file_exists(folder) && i < same_second_limit; i++)
		folder = arena_printf(&cli->arena, "%s-%d", base, i);
	return folder;
}

static int write_json(struct cli *cli, const char *folder, const char *name,
		      const struct json *value, struct error *err)
{
	struct strbuf sb = {0};
	json_write(&sb, value, false);
	strbuf_addch(&sb, '\n');
	return cli_output(cli, arena_printf(&cli->arena, "%s/%s", folder, name), &sb, err);
}

static const char *repeat_name(struct arena *arena, size_t number)
{
	return arena_printf(arena, "run-%zu", number);
}

/* As the program finds them. */
static struct measuring_paths paths_of(struct arena *arena, const struct session_request *request,
				       const char *folder, size_t number)
{
	if (request->here)
		folder = arena_printf(arena, "%s/%s", request->here, folder);
	return (struct measuring_paths){request->program, folder, repeat_name(arena, number)};
}

/* --- one process --- */

/* Keeps the beginning of what a program prints. */
static bool keep(void *context, struct span bytes)
{
	struct strbuf *printed = context;
	size_t room = kept_output - printed->len;
	strbuf_add(printed, bytes.ptr, bytes.len < room ? bytes.len : room);
	return true;
}

static int start(const struct session_request *request, const char *const *argv,
		 const char *const *environment, struct strbuf *printed,
		 struct process_result *result, struct error *err)
{
	/* What a hook of git says of the tree here is wrong in another one. */
	static const char *const of_git[] = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
					     "GIT_PREFIX"};
	enum { OF_GIT = sizeof of_git / sizeof *of_git, VARIABLES = 8, SEED_BYTES = 32 };
	char seed[SEED_BYTES];
	const char *variables[VARIABLES + OF_GIT + 2] = {NULL};
	size_t count = 0;
	for (; environment && environment[count]; count++) {
		assert(count < VARIABLES);
		variables[count] = environment[count];
	}
	for (size_t i = 0; i < OF_GIT && strcmp(request->directory, ".") != 0; i++)
		variables[count++] = of_git[i];
	if (request->seed) {
		snprintf(seed, sizeof seed, "ROOFLOG_SEED=%u",
			 (unsigned)((request->seed + request->turn) & INT32_MAX));
		variables[count] = seed;
	}
	const struct process_request process = {.argv = argv,
						.environment = variables,
						.directory = request->directory,
						.sink = keep,
						.context = printed,
						.seconds = request->seconds};
	return process_run(&process, result, err);
}

static int fail_status(const struct measuring_tool *tool, const char *line, int status,
		       const struct strbuf *said, const struct strbuf *printed, struct error *err)
{
	struct span text = strbuf_span(said);
	struct span reason = span_last_line(text.len ? text : strbuf_span(printed));
	int length = (int)(reason.len < said_limit ? reason.len : said_limit);
	bool known = tool && tool->symptom &&
		     (span_find(text, tool->symptom) < text.len ||
		      strstr(strbuf_text(printed), tool->symptom));
	return error_set(err, ERR_SYSTEM, "%.300s ended with status %d%s%.*s%s%s", line, status,
			 length ? ": " : "", length, length ? reason.ptr : "",
			 known ? "\nhint: " : "", known ? tool->advice : "");
}

/* Runs one process to its end; *nanoseconds may be NULL. The caller frees what it printed. */
static int run_one(struct cli *cli, const struct session_request *request,
		   const struct measuring_tool *tool, const char *const *argv,
		   const char *const *environment, struct strbuf *printed, int64_t *nanoseconds,
		   struct error *err)
{
	struct process_result result = {.status = 0};
	if (start(request, argv, environment, printed, &result, err) < 0)
		return -1;
	int rc = 0;
	if (result.status != 0)
		rc = fail_status(tool, measuring_tool_line(&cli->arena, argv), result.status,
				 &result.error, printed, err);
	if (nanoseconds)
		*nanoseconds = result.nanoseconds;
	process_result_free(&result);
	return rc;
}

int session_build(struct cli *cli, const char *command, const char *directory, struct error *err)
{
	const struct session_request request = {.directory = directory, .seconds = BUILD_SECONDS};
	const char *const argv[] = {"/bin/sh", "-c", command, NULL};
	struct strbuf printed = {0};
	int rc = run_one(cli, &request, NULL, argv, NULL, &printed, NULL, err);
	strbuf_free(&printed);
	return rc;
}

static int warm_up(struct cli *cli, const struct session_request *request, struct error *err)
{
	int rc = 0;
	if (request->tool->suffix) /* a NEFF cannot run alone */
		return 0;
	for (size_t i = 0; i < request->warmup && rc == 0; i++) {
		struct strbuf printed = {0};
		rc = run_one(cli, request, NULL, request->program, NULL, &printed, NULL, err);
		strbuf_free(&printed);
		if (rc < 0)
			error_prefix(err, "warm-up");
	}
	return rc;
}

/* Whether the results are right. Only a check that cannot be run is an error. */
int session_check(struct cli *cli, const struct session_request *request, struct session *session,
		  struct error *err)
{
	if (!request->check)
		return 0;
	const char *const argv[] = {"/bin/sh", "-c", request->check, NULL};
	struct process_result result = {.status = 0};
	struct strbuf printed = {0};
	int rc = start(request, argv, NULL, &printed, &result, err);
	/* The shell's statuses of what it cannot run. */
	if (rc == 0 && (result.status == 126 || result.status == 127)) {
		rc = fail_status(NULL, request->check, result.status, &result.error, &printed, err);
		process_result_free(&result);
	}
	strbuf_free(&printed);
	if (rc < 0)
		return error_prefix(err, "--check");
	session->checked = true;
	session->correct = result.status == 0;
	if (!session->correct)
		cli_warn(cli,
			 "the check ended with status %d: the result is incorrect, and its runs "
			 "are not compared",
			 result.status);
	process_result_free(&result);
	return 0;
}

/* --- the repeats --- */

static void add_path(struct cli *cli, struct session *session, const char *path)
{
	*arena_add(&cli->arena, &session->paths) = arena_strdup(&cli->arena, path);
}

/* Keeps what a repeat printed if that is a result which ingest reads. */
static int keep_result(struct cli *cli, struct session *session, const char *name,
		       const struct strbuf *printed, bool *is_result, struct error *err)
{
	struct error ignored;
	struct span text = strbuf_span(printed);
	*is_result = text.len > 0 && reader_detect(text, &ignored);
	if (!*is_result)
		return 0;
	const char *path = arena_printf(&cli->arena, "%s/%s.out", session->folder, name);
	add_path(cli, session, path);
	return cli_write(cli, path, text, err);
}

static int repeat_tool(struct cli *cli, const struct session_request *request,
		       struct session *session, size_t number, struct error *err)
{
	const struct measuring_tool *tool = request->tool;
	struct measuring_paths paths = paths_of(&cli->arena, request, session->folder, number);
	const struct measuring_paths ours = {paths.program, session->folder, paths.name};
	const char *output = measuring_tool_text(&cli->arena, tool->output, &ours);
	bool makes_folder = strcmp(tool->output, "{out}") == 0;
	if (makes_folder && file_make_directory(output, err) < 0)
		return -1;
	struct strbuf printed = {0};
	int rc =
		run_one(cli, request, tool, measuring_tool_command(&cli->arena, tool, &paths),
			measuring_tool_environment(&cli->arena, tool, &paths), &printed, NULL, err);
	strbuf_free(&printed);
	if (rc == 0 && !file_exists(output))
		rc = error_set(err, ERR_SYSTEM, "%s wrote no %s",
			       tool->programs[0] ? tool->programs[0] : request->program[0], output);
	if (rc == 0)
		add_path(cli, session, output);
	return rc;
}

static void begin_times(struct arena *arena, const struct session_request *request,
			struct session *session)
{
	const char *const *program = request->program;
	const char *slash = strrchr(program[0], '/');
	struct strbuf command = {0};
	strbuf_addstr(&command, slash && slash[1] ? slash + 1 : program[0]);
	for (size_t i = 1; program[i]; i++)
		strbuf_addf(&command, " %s", program[i]);
	session->document = json_object(arena);
	json_set_text(arena, session->document, "tool", "process");
	struct json *result =
		json_add_object(arena, json_set_array(arena, session->document, "results"));
	session->command = strbuf_into(&command, arena);
	json_set_text(arena, result, "command", session->command);
	session->times = json_set_array(arena, result, "times");
	session->codes = json_set_array(arena, result, "exit_codes");
}

static int repeat_alone(struct cli *cli, const struct session_request *request,
			struct session *session, size_t number, struct error *err)
{
	struct strbuf printed = {0};
	int64_t nanoseconds;
	bool is_result = false;
	int rc = run_one(cli, request, NULL, request->program, NULL, &printed, &nanoseconds, err);
	if (rc == 0)
		rc = keep_result(cli, session, repeat_name(&cli->arena, number), &printed,
				 &is_result, err);
	strbuf_free(&printed);
	if (rc == 0 && !is_result) {
		session->seconds = (double)nanoseconds / 1e9;
		json_add_number(&cli->arena, session->times, session->seconds);
		json_add_number(&cli->arena, session->codes, 0);
	}
	return rc;
}

int session_begin(struct cli *cli, const struct session_request *request, struct session *session,
		  struct error *err)
{
	begin_times(&cli->arena, request, session);
	if (file_make_directory(session->folder, err) < 0 ||
	    (request->params &&
	     write_json(cli, session->folder, "params.json", request->params, err) < 0))
		return -1;
	return warm_up(cli, request, err);
}

int session_measure(struct cli *cli, const struct session_request *request, struct session *session,
		    size_t number, struct error *err)
{
	session->seconds = NAN;
	return request->tool->output ? repeat_tool(cli, request, session, number, err)
				     : repeat_alone(cli, request, session, number, err);
}

int session_end(struct cli *cli, const struct session_request *request, struct session *session,
		struct error *err)
{
	if (request->tool->suffix) /* what is measured describes its kernel */
		add_path(cli, session, request->program[0]);
	if (!session->times->first)
		return 0;
	add_path(cli, session, arena_printf(&cli->arena, "%s/times.json", session->folder));
	return write_json(cli, session->folder, "times.json", session->document, err);
}

const char *session_line(struct cli *cli, const struct session_request *request, const char *folder)
{
	struct measuring_paths paths = paths_of(&cli->arena, request, folder, 1);
	return measuring_tool_line(&cli->arena,
				   measuring_tool_command(&cli->arena, request->tool, &paths));
}

int session_describe(struct cli *cli, const struct session_request *request, struct error *err)
{
	struct strbuf sb = {0};
	struct arena *arena = &cli->arena;
	const char *folder = session_folder(cli, request->program[0]);
	struct measuring_paths paths = paths_of(arena, request, folder, 1);
	if (request->build)
		strbuf_addf(&sb, "build     %s\n", request->build);
	if (request->check)
		strbuf_addf(&sb, "check     %s\n", request->check);
	if (request->lock_clocks)
		strbuf_addstr(&sb, "lock      the GPU's clocks, until it is measured\n");
	if (request->warmup && !request->tool->suffix)
		strbuf_addf(&sb, "warm up   %zu x %s\n", request->warmup,
			    measuring_tool_line(arena, request->program));
	const char *const *variables = measuring_tool_environment(arena, request->tool, &paths);
	for (; *variables; variables++)
		strbuf_addf(&sb, "with      %s\n", *variables);
	strbuf_addf(&sb, "measure   %zu x %s\n", request->repeat,
		    session_line(cli, request, folder));
	strbuf_addf(&sb, "ingest    %s\n", folder);
	return cli_print_built(&sb, err);
}

int session_run(struct cli *cli, const struct session_request *request, struct session *session,
		struct error *err)
{
	struct session_request next = *request;
	*session = (struct session){.folder = session_folder(cli, request->program[0])};
	if (session_check(cli, &next, session, err) < 0)
		return -1;
	cli_note(cli, "measuring %zu x %s", request->repeat,
		 session_line(cli, request, session->folder));
	next.turn = 1;
	if (session_begin(cli, &next, session, err) < 0)
		return -1;
	for (size_t i = 1; i <= request->repeat; i++) {
		next.turn = (uint32_t)i + 1;
		struct error ignored;
		if (session_measure(cli, &next, session, i, err) < 0) {
			session_end(cli, request, session, &ignored);
			return error_prefix(err, "repeat %zu of %zu", i, request->repeat);
		}
	}
	return session_end(cli, request, session, err);
}
