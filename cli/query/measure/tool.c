/* The table of profilers. */
#include "cli/query/measure/tool.h"

#include "base/system/system.h"

/* The order is that of the choice: the first one that fits and is installed. */
static const struct measuring_tool tools[] = {
	{.name = "neuron",
	 .programs = {"neuron-explorer", "neuron-profile"},
	 .suffix = ".neff",
	 .arguments = {"capture", "-n", "{program}", "-s", "{out}/profile.ntff"},
	 .output = "{out}"},
	{.name = "neuron",
	 .fits_with = {"neuron-ls"},
	 .arguments = {"{program}"},
	 .variables = {"NEURON_RT_INSPECT_ENABLE=1", "NEURON_RT_INSPECT_DEVICE_PROFILE=1",
		       "NEURON_RT_INSPECT_OUTPUT_DIR={out}"},
	 .output = "{out}"},
	{.name = "nsys",
	 .programs = {"nsys"},
	 .fits_with = {"nvidia-smi"},
	 .arguments = {"profile", "--trace", "cuda,nvtx", "--export", "sqlite", "--force-overwrite",
		       "true", "--output", "{out}", "{program}"},
	 .output = "{out}.sqlite"},
	/* Without locked clocks a kernel takes the time that it takes outside of the profiler. */
	{.name = "ncu",
	 .programs = {"ncu"},
	 .fits_with = {"nvidia-smi"},
	 .arguments = {"--set", "full", "--clock-control", "none", "--target-processes", "all",
		       "--force-overwrite", "--export", "{out}", "{program}"},
	 .output = "{out}.ncu-rep",
	 .symptom = "ERR_NVGPUCTRPERM",
	 .advice = "counters need root, or the permission that "
		   "https://developer.nvidia.com/ERR_NVGPUCTRPERM describes"},
	{.name = "rocprofv3",
	 .programs = {"rocprofv3"},
	 .fits_with = {"rocminfo", "amd-smi"},
	 .arguments = {"--kernel-trace", "--output-format", "rocpd", "--output-directory",
		       "{folder}", "--output-file", "{name}", "--", "{program}"},
	 .output = "{out}_results.db"},
	{.name = "nvbench",
	 .arguments = {"{program}", "--json", "{out}.json"},
	 .output = "{out}.json"},
	{.name = "none", .arguments = {"{program}"}},
};
enum { tool_count = sizeof tools / sizeof *tools };

static bool any_installed(const char *const *programs)
{
	char path[PATH_MAX];
	for (; *programs; programs++)
		if (process_find(*programs, path))
			return true;
	return false;
}

static bool can_run(const struct measuring_tool *tool)
{
	return !tool->programs[0] || any_installed(tool->programs);
}

static bool fits(const struct measuring_tool *tool, const char *program)
{
	if (tool->suffix)
		return span_ends(span_of(program), tool->suffix);
	/* Whether a program is a benchmark of NVBench cannot be seen from outside. */
	return strcmp(tool->name, "none") == 0 ||
	       (tool->fits_with[0] && any_installed(tool->fits_with));
}

int measuring_tool_choose(const char *name, const char *program, const struct measuring_tool **tool,
			  struct error *err)
{
	const struct measuring_tool *absent = NULL;
	for (size_t i = 0; i < tool_count; i++) {
		const struct measuring_tool *one = &tools[i];
		bool wanted = !name ? fits(one, program)
				    : strcmp(one->name, name) == 0 &&
					      (!one->suffix || fits(one, program));
		if (wanted && can_run(one)) {
			*tool = one;
			return 0;
		}
		if (wanted && !absent)
			absent = one;
		if (wanted && one->suffix)
			break; /* nothing else can run it */
	}
	assert(absent);
	return error_set(err, ERR_USAGE, "%s is not installed%s", absent->programs[0],
			 absent->suffix ? "; a NEFF needs it"
					: "\nhint: --tool none times the process");
}

const char *measuring_tool_text(struct arena *arena, const char *text,
				const struct measuring_paths *paths)
{
	const struct {
		const char *mark, *value;
	} marks[] = {{"{out}", arena_printf(arena, "%s/%s", paths->folder, paths->name)},
		     {"{folder}", paths->folder},
		     {"{name}", paths->name}};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const char *at = strstr(text, marks[i].mark);
		if (at)
			return arena_printf(arena, "%.*s%s%s", (int)(at - text), text,
					    marks[i].value, at + strlen(marks[i].mark));
	}
	return text;
}

static const char *installed(struct arena *arena, const struct measuring_tool *tool)
{
	char path[PATH_MAX];
	for (const char *const *one = tool->programs; *one; one++)
		if (process_find(*one, path))
			return arena_strdup(arena, path);
	return NULL;
}

const char *const *measuring_tool_command(struct arena *arena, const struct measuring_tool *tool,
					  const struct measuring_paths *paths)
{
	size_t count = 0, more = 0;
	while (paths->program[more])
		more++;
	const char **list = arena_array(arena, more + tool_argument_limit + 2, sizeof *list);
	const char *program = installed(arena, tool);
	if (program)
		list[count++] = program;
	for (const char *const *one = tool->arguments; *one; one++)
		if (strcmp(*one, "{program}") != 0)
			list[count++] = measuring_tool_text(arena, *one, paths);
		else
			for (size_t i = 0; i < more; i++)
				list[count++] = paths->program[i];
	list[count] = NULL;
	return list;
}

const char *const *measuring_tool_environment(struct arena *arena,
					      const struct measuring_tool *tool,
					      const struct measuring_paths *paths)
{
	size_t count = sizeof tool->variables / sizeof *tool->variables;
	const char **list = arena_array(arena, count, sizeof *list);
	for (size_t i = 0; i < count; i++)
		list[i] = tool->variables[i] ? measuring_tool_text(arena, tool->variables[i], paths)
					     : NULL;
	return list;
}

const char *measuring_tool_line(struct arena *arena, const char *const *arguments)
{
	struct strbuf sb = {0};
	for (const char *const *one = arguments; *one; one++) {
		strbuf_addstr(&sb, one == arguments ? "" : " ");
		strbuf_addquoted(&sb, *one);
	}
	return strbuf_into(&sb, arena);
}
