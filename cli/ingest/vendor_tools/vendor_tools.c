/* Finds a vendor's tool, builds its arguments, and returns its output. */
#include "cli/ingest/vendor_tools/vendor_tools.h"

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/system.h"
#include "ingest/ntff/ntff.h"
#include "ingest/registry/unknown_format.h"
#include "cli/ingest/folders/directory_walk.h"

static const size_t output_limit = 256u << 20;
enum { minutes = 60, argument_count = convert_argument_limit };

/* The native formats and their tools, in the order of enum unknown_format_is_native. */
static const struct conversion conversions[] = {
	{"an NTFF trace of an unsupported version (supported: 4 to 6)",
	 NULL,
	 "neuron-profile",
	 {"neuron-explorer", "neuron-profile", NULL},
	 {"view", "-n", "{neff}", "-s", "{file}", "--output-format", "summary-json", NULL},
	 5 * minutes,
	 &ntff_reader,
	 NULL},
	{"an Nsight Compute report of an unknown version",
	 NULL,
	 "ncu",
	 {"ncu", NULL},
	 {"--import", "{file}", "--page", "raw", "--csv", NULL},
	 5 * minutes,
	 NULL,
	 NULL},
	{"a native Nsight Systems report",
	 ".nsys-rep",
	 "nsys",
	 {"nsys", NULL},
	 {"export", "--type", "sqlite", "--force-overwrite", "true", "--output", "{output}",
	  "{file}", NULL},
	 5 * minutes,
	 NULL,
	 &nsys_sqlite_reader},
};

const struct conversion *vendor_tools_for(struct span head, const char *path)
{
	enum unknown_format_is_native native = unknown_format_is_native(head);
	if (native != SNIFF_NATIVE_NONE)
		return &conversions[native - SNIFF_NATIVE_NTFF];
	for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
		if (conversions[i].suffix && span_ends(span_of(path), conversions[i].suffix))
			return &conversions[i];
	return NULL;
}

const struct conversion *vendor_tools_of_reader(const struct reader *reader)
{
	for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
		if (reader && conversions[i].reader == reader)
			return &conversions[i];
	return NULL;
}

/* --- the tool --- */

const char *vendor_tools_tool(struct arena *arena, const struct conversion *conversion)
{
	char path[PATH_MAX];
	for (size_t i = 0; conversion->tools[i]; i++)
		if (process_find(conversion->tools[i], path))
			return arena_strdup(arena, path);
	return NULL;
}

/* --- the NEFF of a trace --- */

static bool needs_neff(const struct conversion *conversion)
{
	bool needed = false;
	for (size_t i = 0; conversion->arguments[i]; i++)
		needed |= strcmp(conversion->arguments[i], "{neff}") == 0;
	return needed;
}

/* "a/mlp_exec_2.ntff" -> "a/mlp.neff" or "a/mlp_exec_2.neff", whichever exists. */
static const char *neff_by_name(struct arena *arena, const char *path)
{
	size_t len = strlen(path);
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	if (dot && dot > (slash ? slash : path))
		len = (size_t)(dot - path);
	const char *neff = arena_printf(arena, "%.*s.neff", (int)len, path);
	if (file_exists(neff))
		return neff;
	size_t mark = len, start = slash ? (size_t)(slash - path) : 0;
	for (size_t i = start; i < len; i++)
		if (span_starts((struct span){path + i, len - i}, "_exec_"))
			mark = i;
	neff = arena_printf(arena, "%.*s.neff", (int)mark, path);
	return mark < len && file_exists(neff) ? neff : NULL;
}

/* Whether the directory has a trace with the NEFF's name, to which the NEFF then belongs. */
static bool has_trace(struct arena *arena, const char *neff)
{
	size_t len = strlen(neff) - strlen(".neff");
	return file_exists(arena_printf(arena, "%.*s.ntff", (int)len, neff));
}

/* The only NEFF in the trace's directory, unless it belongs to another trace. */
static const char *neff_alone(struct arena *arena, const char *path)
{
	const char *directory = directory_walk_open(arena, path), *found = NULL;
	size_t count = 0;
	DIR *dir = opendir(directory);
	for (const struct dirent *entry; dir && (entry = readdir(dir));) {
		if (!span_ends(span_of(entry->d_name), ".neff"))
			continue;
		found = strcmp(directory, ".") == 0
				? arena_strdup(arena, entry->d_name)
				: arena_printf(arena, "%s/%s", directory, entry->d_name);
		count++;
	}
	if (dir)
		closedir(dir);
	return count == 1 && !has_trace(arena, found) ? found : NULL;
}

const char *vendor_tools_neff(struct arena *arena, const struct conversion *conversion,
			      const char *path, bool *by_name)
{
	if (!needs_neff(conversion))
		return NULL;
	const char *neff = neff_by_name(arena, path);
	if (by_name)
		*by_name = neff != NULL;
	return neff ? neff : neff_alone(arena, path);
}

/* What the placeholders of arguments stand for. */
struct paths {
	const char *file, *neff, *output;
	const char *neff_as_found;
};

static const char *filled(const char *argument, const struct paths *paths)
{
	return strcmp(argument, "{file}") == 0     ? paths->file
	       : strcmp(argument, "{neff}") == 0   ? paths->neff
	       : strcmp(argument, "{output}") == 0 ? paths->output
						   : argument;
}

const char *vendor_tools_command(struct arena *arena, const struct conversion *conversion,
				 const char *path)
{
	struct strbuf sb = {0};
	const char *neff = vendor_tools_neff(arena, conversion, path, NULL);
	const struct paths paths = {path, neff ? neff : "FILE.neff", "FILE.sqlite", NULL};
	strbuf_addstr(&sb, conversion->tools[0]);
	for (size_t i = 0; conversion->arguments[i]; i++)
		strbuf_addf(&sb, " %s", filled(conversion->arguments[i], &paths));
	return strbuf_into(&sb, arena);
}

/* --- running it --- */

static int absolute(struct arena *arena, const char *path, const char **result, struct error *err)
{
	char *real = realpath(path, NULL);
	if (!real)
		return error_errno(err, "cannot find %s", path);
	*result = arena_strdup(arena, real);
	free(real);
	return 0;
}

static int find_paths(struct arena *arena, const struct conversion *conversion, const char *path,
		      const char *directory, struct paths *paths, struct error *err)
{
	*paths = (struct paths){.output = arena_printf(arena, "%s/converted", directory)};
	if (absolute(arena, path, &paths->file, err) < 0)
		return -1;
	if (!needs_neff(conversion))
		return 0;
	const char *neff = vendor_tools_neff(arena, conversion, path, NULL);
	paths->neff_as_found = neff;
	if (!neff)
		return error_set(err, ERR_FORMAT, "no NEFF next to it; %s needs it",
				 conversion->tools[0]);
	return links_check_beside(arena, neff, err) < 0 ? -1
							: absolute(arena, neff, &paths->neff, err);
}

void vendor_tools_free(const struct converted *converted)
{
	if (converted->claim >= 0)
		temporary_workspace_remove(converted->directory, converted->claim);
	process_release(&converted->hold);
}

static int make_directory(struct arena *arena, struct converted *result, struct error *err)
{
	char path[PATH_MAX];
	const char *given = process_variable("TMPDIR");
	const char *parent = given && given[0] == '/' ? given : "/tmp";
	result->claim = temporary_workspace(parent, path);
	if (result->claim < 0)
		return error_errno(err, "cannot create a folder in %s", parent);
	result->directory = arena_strdup(arena, path);
	return 0;
}

static int collect_result(struct arena *arena, const struct process_result *result,
			  const char *tool, const char *output, struct converted *out,
			  struct error *err)
{
	struct span why = span_last_line(strbuf_span(&result->error));
	struct stat st;
	if (result->status != 0)
		return error_set(err, ERR_SYSTEM, "%s failed with exit status %d%s%.*s", tool,
				 result->status, why.len ? ": " : "",
				 (int)(why.len < 400 ? why.len : 400), why.len ? why.ptr : "");
	bool wrote = stat(output, &st) == 0 && S_ISREG(st.st_mode);
	if (!wrote && span_trim(strbuf_span(&result->out)).len == 0)
		return error_set(err, ERR_SYSTEM, "%s printed nothing", tool);
	out->tool = tool;
	out->file = wrote ? output : NULL;
	out->messages = arena_strndup(arena, strbuf_text(&result->error), result->error.len);
	out->bytes = (struct span){arena_strndup(arena, strbuf_text(&result->out), result->out.len),
				   result->out.len};
	return 0;
}

static int run_in(struct arena *arena, const struct conversion *conversion, const char *path,
		  struct converted *out, struct error *err)
{
	const char *argv[argument_count + 2];
	struct paths paths;
	const char *program = vendor_tools_tool(arena, conversion);
	if (!program)
		return error_set(err, ERR_SYSTEM, "%s is not on PATH", conversion->tools[0]);
	if (find_paths(arena, conversion, path, out->directory, &paths, err) < 0)
		return -1;
	size_t count = 0;
	argv[count++] = program;
	for (size_t i = 0; conversion->arguments[i]; i++)
		argv[count++] = filled(conversion->arguments[i], &paths);
	argv[count] = NULL;
	const struct process_request request = {.argv = argv,
						.directory = out->directory,
						.limit = output_limit,
						.seconds = conversion->seconds};
	struct process_result result;
	if (process_run(&request, &result, err) < 0)
		return -1;
	int rc = collect_result(arena, &result, strrchr(program, '/') + 1, paths.output, out, err);
	process_result_free(&result);
	out->neff = paths.neff_as_found;
	return rc;
}

int convert(struct arena *arena, const struct conversion *conversion, const char *path,
	    struct converted *out, struct error *err)
{
	struct converted result = {0};
	process_hold(&result.hold);
	if (make_directory(arena, &result, err) < 0 ||
	    run_in(arena, conversion, path, &result, err) < 0) {
		vendor_tools_free(&result);
		return -1;
	}
	*out = result;
	return 0;
}
