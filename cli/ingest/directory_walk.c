/* Walks directories in a fixed order. */
#include "cli/ingest/directory_walk.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/base.h"
#include "cli/ingest/links.h"

static const int depth_limit = 64;

/* Excludes .git, .rooflog and other hidden names. */
static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Sorts by bytes, so that the order does not depend on the locale. */
static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

struct walk {
	struct arena *arena;
	const char *root;
	struct tree_list *list;
};

static int walk(const struct walk *at, const char *directory, int depth, struct error *err);

static int add_entry(const struct walk *at, const char *path, int depth, struct error *err)
{
	struct stat st;
	if (lstat(path, &st) < 0)
		return 0;
	if (S_ISDIR(st.st_mode))
		return walk(at, path, depth + 1, err);
	bool is_link = S_ISLNK(st.st_mode) && stat(path, &st) == 0;
	if (S_ISREG(st.st_mode) || (is_link && !S_ISDIR(st.st_mode)))
		*arena_add(at->arena, at->list) = (struct tree_file){
			.path = path, .leads_out = links_lead_out(path, at->root)};
	return 0;
}

static int walk(const struct walk *at, const char *directory, int depth, struct error *err)
{
	struct dirent **names;
	if (depth > depth_limit)
		return error_set(err, ERR_SYSTEM, "%s lies more than %d directories deep",
				 directory, depth_limit);
	int count = scandir(directory, &names, visible, by_bytes);
	if (count < 0)
		return error_errno(err, "cannot read the directory %s", directory);
	int rc = 0;
	for (int i = 0; i < count; i++) {
		const char *slash = directory[strlen(directory) - 1] == '/' ? "" : "/";
		if (rc == 0)
			rc = add_entry(at,
				       arena_printf(at->arena, "%s%s%s", directory, slash,
						    names[i]->d_name),
				       depth, err);
		free(names[i]);
	}
	free(names);
	return rc;
}

int directory_walk_expand(struct arena *arena, const char *path, struct tree_list *list,
			  struct error *err)
{
	struct stat st;
	bool standard = strcmp(path, "-") == 0;
	if (!standard && stat(path, &st) < 0)
		return error_errno(err, "cannot open %s", path);
	if (!standard && S_ISDIR(st.st_mode)) {
		const struct walk at = {arena, path, list};
		size_t before = list->count;
		if (walk(&at, path, 0, err) == 0)
			return 0;
		list->count = before;
		return -1;
	}
	*arena_add(arena, list) =
		(struct tree_file){.path = arena_strdup(arena, path), .is_explicit = true};
	return 0;
}

const char *directory_walk_open(struct arena *arena, const char *path)
{
	struct strbuf sb = {0};
	struct span rest = span_of(path);
	bool is_absolute = path[0] == '/';
	struct span name = span_cut(&rest, '/');
	for (; rest.ptr; name = span_cut(&rest, '/'))
		if (name.len && !span_is(name, ".")) {
			if (sb.len || is_absolute)
				strbuf_addch(&sb, '/');
			strbuf_addspan(&sb, name);
		}
	if (sb.len == 0)
		strbuf_addstr(&sb, is_absolute ? "/" : ".");
	return strbuf_into(&sb, arena);
}
