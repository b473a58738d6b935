/* Says what files of a profiling run are that no reader knows: reports whose numbers are in the
 * profile next to them, and what the compiler left. Only a message goes by the name of a file. */

#include "cli/ingest/folders/directory_walk.h"

#include <dirent.h>

#include "ingest/companions/contract_path.h"

enum { named_files = 3 };

static bool ends_with_any(const char *name, const char *const *ends)
{
	for (; *ends; ends++)
		if (span_ends(span_of(name), *ends))
			return true;
	return false;
}

/* --- what the compiler left --- */

static const char *const compiled[] = {".ptx",    ".sass",     ".cubin",    ".fatbin", ".mlir",
				       ".mlirbc", ".ttir",     ".ttgir",    ".llir",   ".ll",
				       ".bc",     ".bytecode", ".tileirbc", NULL};

/* Whether the file is in a folder compiled/. */
static bool is_in_compiled(const char *path)
{
	return strncmp(path, "compiled/", 9) == 0 || strstr(path, "/compiled/");
}

/* --- reports --- */

static const char *const profiles_of_ncu[] = {".ncu-rep", ".ncu-repz", ".csv", NULL};
static const char *const profiles_of_nsys[] = {".sqlite", ".nsys-rep", ".csv", NULL};

static const struct {
	const char *mode;
	const char *const *profiles;
	const char *missing; /* how to make a profile */
} modes[] = {
	{"ncu", profiles_of_ncu, "export one: ncu --import FILE.ncu-rep --csv --page raw"},
	{"nsys", profiles_of_nsys, "export one: nsys export --type sqlite FILE.nsys-rep"},
};

/* The profiles in the folder, in the order of their names; at most named_files. */
static size_t profiles_in(struct arena *arena, const char *directory, const char *const *ends,
			  const char *names[named_files])
{
	size_t count = 0;
	DIR *folder = opendir(directory);
	struct dirent *entry;
	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.' || !ends_with_any(entry->d_name, ends))
			continue;
		const char *next = arena_strdup(arena, entry->d_name);
		for (size_t i = 0; next && i < named_files; i++)
			if (!names[i] || strcmp(next, names[i]) < 0) {
				const char *moved = names[i];
				names[i] = next;
				next = moved;
			}
		count += count < named_files;
	}
	if (folder)
		closedir(folder);
	return count;
}

static const char *report_text(struct arena *arena, const char *directory, size_t mode)
{
	const char *names[named_files] = {0};
	size_t count = profiles_in(arena, directory, modes[mode].profiles, names);
	struct strbuf sb = {0};
	strbuf_addf(&sb, "a report of the %s mode, without numbers of its own; ", modes[mode].mode);
	if (!count)
		strbuf_addf(&sb, "the folder has no profile: %s", modes[mode].missing);
	for (size_t i = 0; i < count; i++)
		strbuf_addf(&sb, "%s%s", i ? ", " : "they are in ", names[i]);
	return strbuf_into(&sb, arena);
}

const char *artifact_text(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *directory = directory_walk_open(arena, path);
	const struct contract_path place = contract_path_of(arena, directory);
	if (ends_with_any(name, compiled) || is_in_compiled(path))
		return "code of the compiler (PTX, SASS, MLIR, bytecode), not a measurement";
	bool report = strcmp(name, "report.md") == 0 || strcmp(name, "report-verbose.md") == 0;
	for (size_t i = 0; report && place.mode && i < sizeof modes / sizeof *modes; i++)
		if (strcmp(place.mode, modes[i].mode) == 0)
			return report_text(arena, directory, i);
	return NULL;
}
