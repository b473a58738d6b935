/* Finds the files of source lines in the tree of a commit. */
#include "cli/query/viewer/source.h"

#include "cli/query/viewer/events.h"

/* Bytes of one file, and of all. */
static const size_t file_limit = 256u << 10, files_limit = 1u << 20;

/* A commit, and a folder of it: "" for all of it. */
struct viewer_tree {
	char oid[65];
	const char *root;
	size_t too_large; /* bytes of the last file that exceeds file_limit; 0: none did */
};

/* The file of "attention.py:33"; empty if the text is not a source line. */
static struct span file_of(const char *location)
{
	const char *colon = strrchr(location, ':');
	bool line = colon && colon[1] && colon[1 + strspn(colon + 1, "0123456789")] == '\0';
	return (struct span){location, line ? (size_t)(colon - location) : 0};
}

/* Whether a path is one that a tree may have. */
static bool is_plain(const char *path)
{
	for (struct span rest = span_of(path); rest.ptr;) {
		struct span part = span_cut(&rest, '/');
		if (part.len == 0 || span_is(part, ".") || span_is(part, ".."))
			return false;
	}
	return true;
}

static bool read_at(struct cli *cli, struct viewer_tree *tree, const char *path, struct span *text)
{
	struct error ignored;
	struct repository_file tried = {.oid = tree->oid, .path = path, .limit = file_limit};
	if (!is_plain(path))
		return false;
	if (repository_read(cli->repository, &cli->arena, &tried, &ignored) < 0 || !tried.found) {
		tree->too_large = tried.size > file_limit ? tried.size : tree->too_large;
		return false;
	}
	*text = tried.bytes;
	return true;
}

/* Looks for the path, and without its first folders: the profile has that of another machine. Each
 * in the folder that was named, if one was. */
static bool find(struct cli *cli, struct viewer_tree *tree, const char *location,
		 struct viewer_file *file)
{
	tree->too_large = 0;
	for (const char *path = location + strspn(location, "/"); path && *path;) {
		const char *whole = tree->root[0]
					    ? arena_printf(&cli->arena, "%s/%s", tree->root, path)
					    : arena_strdup(&cli->arena, path);
		*file = (struct viewer_file){.location = location, .path = whole};
		if (read_at(cli, tree, whole, &file->text))
			return true;
		path = strchr(path, '/');
		path = path ? path + 1 : NULL;
	}
	return false;
}

/* The commit whose files are read: "" if it is not known. */
static void choose_commit(struct cli *cli, const struct run *run, char oid[65],
			  struct viewer_sources *sources)
{
	struct error ignored;
	oid[0] = '\0';
	if (cli_open_repository(cli, &ignored) < 0)
		return;
	bool is_file = query_viewer_is_file(cli, run);
	if (!is_file && run->commit) {
		snprintf(oid, 65, "%s", run->commit);
		sources->commit = arena_printf(
			&cli->arena, "%.10s%s", oid,
			run->dirty ? ", without the uncommitted changes of the run" : "");
	} else if (is_file && repository_resolve(cli->repository, "HEAD", oid, &ignored) == 0) {
		sources->commit = arena_printf(
			&cli->arena, "HEAD, %.10s: the file states no commit, lines may differ",
			oid);
	}
}

static bool is_known(const struct viewer_sources *sources, struct span location)
{
	for (size_t i = 0; i < sources->count; i++)
		if (span_is(location, sources->items[i].location))
			return true;
	return false;
}

/* A folder as trees call it: "./kernels/" is "kernels"; NULL is the top. */
static const char *folder_of(struct cli *cli, const char *root)
{
	if (!root)
		return "";
	struct span name = {root, strlen(root)};
	while (span_starts(name, "./"))
		name = span_from(name, 2);
	while (name.len && name.ptr[name.len - 1] == '/')
		name.len--;
	return span_is(name, ".") ? "" : arena_strndup(&cli->arena, name.ptr, name.len);
}

/* Why the file of a source line is not on the page. */
static const char *fault_of(struct cli *cli, const struct viewer_tree *tree, const char *name,
			    bool room)
{
	struct arena *arena = &cli->arena;
	if (!room)
		return arena_printf(arena,
				    "Source lines of %.200s have no text: the page has room for %d "
				    "files of %s bytes in total.",
				    name, SOURCE_FILES,
				    quantity_text(arena, (double)files_limit, UNIT_COUNT));
	if (tree->too_large)
		return arena_printf(arena,
				    "Source lines of %.200s have no text: the file is too large "
				    "for the page (%s bytes, limit %s).",
				    name, quantity_text(arena, (double)tree->too_large, UNIT_COUNT),
				    quantity_text(arena, (double)file_limit, UNIT_COUNT));
	return arena_printf(arena,
			    "Source lines of %.200s have no text: commit %.10s has no file of this "
			    "name. --source-root names its folder.",
			    name, tree->oid);
}

/* A file that nothing but its name finds may be another one. NULL: folders fit as well, or the user
 * named one. */
static const char *guess_of(struct cli *cli, const struct viewer_tree *tree,
			    const struct viewer_file *file)
{
	if (tree->root[0] || !strchr(file->location, '/') || strchr(file->path, '/'))
		return NULL;
	return arena_printf(
		&cli->arena,
		"The text of %.200s is that of %.200s in commit %.10s, found by its name "
		"alone. --source-root names another folder.",
		file->location, file->path, tree->oid);
}

void query_viewer_sources(struct cli *cli, const struct run *run, const char *root,
			  const struct trace_packed *packed, struct viewer_sources *sources)
{
	struct viewer_tree tree = {.oid = "", .root = folder_of(cli, root)};
	size_t bytes = 0, tried = 0;
	struct span last = {0};
	*sources = (struct viewer_sources){.count = 0};
	for (size_t i = 1; i < packed->sources.count && tried < 4 * SOURCE_FILES; i++) {
		struct span location = file_of(packed->sources.items[i]);
		if (location.len == 0 || is_known(sources, location) || span_eq(location, last))
			continue;
		if (tried++ == 0)
			choose_commit(cli, run, tree.oid, sources);
		last = location;
		const char *name = arena_strndup(&cli->arena, location.ptr, location.len);
		struct viewer_file file;
		if (!tree.oid[0])
			continue;
		bool room = sources->count < SOURCE_FILES;
		bool found = room && find(cli, &tree, name, &file);
		room = room && !(found && bytes + file.text.len > files_limit);
		if (!found || !room) {
			sources->fault =
				sources->fault ? sources->fault : fault_of(cli, &tree, name, room);
			continue;
		}
		bytes += file.text.len;
		sources->guess = sources->guess ? sources->guess : guess_of(cli, &tree, &file);
		sources->items[sources->count++] = file;
	}
	if (!tried && !packed->streams)
		sources->fault = "No instruction names its source line: capture with debug "
				 "information (NEURON_FRAMEWORK_DEBUG=1).";
	else if (tried && !tree.oid[0])
		sources->fault = "Source lines have no text: their commit is in no repository "
				 "here.";
}
