/* Reads tags from packed-refs and from loose files. */
#include "vcs/plain/tags.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "base/system/system.h"
#include "model/commits/commits.h"

enum {
	LOOSE_TAGS = 200,        /* more are left to libgit2 or git */
	LOOSE_BYTES = 4096,      /* of a loose ref */
	PACKED_LIMIT = 64 << 20, /* bytes of packed-refs */
	DEPTH_LIMIT = 8          /* folders in folders */
};
static const char head[] = "refs/tags/";

/* --- packed --- */

enum ref tags_packed(struct span bytes, struct arena *arena, struct release_list *list)
{
	/* Without a newline at the end, the file is incomplete. */
	if (bytes.len && !span_ends(bytes, "\n"))
		return REF_UNCERTAIN;
	/* Without this word, a tag without a second line may still be annotated. */
	bool peeled = false;
	struct span rest = bytes;
	while (rest.len) {
		struct span line = span_cut(&rest, '\n'), name = line;
		if (span_starts(line, "#")) {
			peeled = peeled || span_find(line, "peeled") < line.len;
			continue;
		}
		struct span oid = span_cut(&name, ' ');
		if (!span_starts(name, head))
			continue;
		if (span_starts(rest, "^")) {
			oid = span_cut(&rest, '\n');
			oid = span_from(oid, 1);
		} else if (!peeled) {
			return REF_UNCERTAIN;
		}
		if (!object_id_is_full(oid))
			return REF_UNCERTAIN;
		char text[65];
		snprintf(text, sizeof text, "%.*s", (int)oid.len, oid.ptr);
		name = (struct span){name.ptr + strlen(head), name.len - strlen(head)};
		if (!releases_add(arena, list, name, text))
			break;
	}
	return REF_FOUND;
}

/* --- loose --- */

struct search {
	struct arena *arena;
	tags_is_commit *is_commit;
	void *context;
	struct release_list loose;
};

static bool add_loose(struct search *search, const char *path, const char *name)
{
	struct span bytes, target;
	struct error ignored;
	char oid[65];
	if (search->loose.count == LOOSE_TAGS ||
	    file_read_linked(search->arena, path, LOOSE_BYTES, &bytes, &ignored) < 0 ||
	    refs_loose(bytes, oid, &target) != REF_FOUND || target.len ||
	    !search->is_commit(search->context, oid))
		return false;
	return releases_add(search->arena, &search->loose, span_of(name), oid);
}

/* False if something is not certain. `name` is the part below refs/tags, with a slash at its end.
 */
static bool walk(struct search *search, const char *path, const char *name, int depth)
{
	struct stat st;
	bool certain = depth < DEPTH_LIMIT;
	DIR *folder = certain ? opendir(path) : NULL;
	if (!folder)
		return certain && errno == ENOENT;
	for (struct dirent *entry; certain && (entry = readdir(folder));) {
		if (entry->d_name[0] == '.')
			continue;
		const char *below = arena_printf(search->arena, "%s/%s", path, entry->d_name);
		const char *tag = arena_printf(search->arena, "%s%s", name, entry->d_name);
		if (lstat(below, &st) < 0)
			certain = false;
		else if (S_ISDIR(st.st_mode))
			certain = walk(search, below, arena_printf(search->arena, "%s/", tag),
				       depth + 1);
		else
			certain = S_ISREG(st.st_mode) && add_loose(search, below, tag);
	}
	closedir(folder);
	return certain;
}

/* A loose tag is newer than a packed one of the same name. */
static bool is_loose(const struct search *search, const char *name)
{
	size_t i = 0;
	while (i < search->loose.count && strcmp(search->loose.items[i].name, name) != 0)
		i++;
	return i < search->loose.count;
}

/* Loose files first, as git writes packed-refs before it removes them. */
enum ref tags_find(const struct repository_path *paths, struct arena *arena,
		   tags_is_commit *is_commit, void *context, struct release_list *list)
{
	struct search search = {arena, is_commit, context, .loose = {0}};
	struct release_list packed = {0};
	struct span bytes = {0};
	struct error ignored;
	const char *file = arena_printf(arena, "%s/packed-refs", paths->common_dir);
	if (!walk(&search, arena_printf(arena, "%s/refs/tags", paths->common_dir), "", 0))
		return REF_UNCERTAIN;
	if (file_exists(file) && file_read_linked(arena, file, PACKED_LIMIT, &bytes, &ignored) < 0)
		return REF_UNCERTAIN;
	if (tags_packed(bytes, arena, &packed) != REF_FOUND)
		return REF_UNCERTAIN;
	list->cut = list->cut || packed.cut;
	for (size_t i = 0; i < search.loose.count; i++)
		releases_add(arena, list, span_of(search.loose.items[i].name),
			     search.loose.items[i].oid);
	for (size_t i = 0; i < packed.count; i++)
		if (!is_loose(&search, packed.items[i].name) &&
		    !releases_add(arena, list, span_of(packed.items[i].name), packed.items[i].oid))
			break;
	return REF_FOUND;
}
