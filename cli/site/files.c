/* Writes the folder of a site. Pages can be regenerated, so files are not flushed to disk
 * (fsync). */
#include "cli/site/files.h"

#include "render/document/document.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/system/system.h"
#include "cli/config/trust/trust.h"
#include "render/markup/markup.h"

extern const struct embedded_file template_files[];

static const char manifest[] = "rooflog-site.json";
/* Bytes. Guards against other files under these names. */
static const size_t manifest_limit = 64u << 20, template_limit = 4u << 20, page_limit = 256u << 20;
static const char *const folders[] = {"k", "c", "t", "data", NULL};

static const char *path_of(struct site_files *files, const char *folder, const char *name)
{
	return arena_printf(&files->arena, "%s/%s", folder, name);
}

/* Whether a site gives a file such a name, within its folder. */
static bool is_name(const char *name)
{
	return name[0] && name[0] != '.' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") == strlen(name);
}

/* --- what was there before --- */

static int is_empty(const char *folder, bool *empty, struct error *err)
{
	DIR *handle = opendir(folder);
	if (!handle)
		return error_errno(err, "cannot read the folder %s", folder);
	*empty = true;
	for (struct dirent *entry; (entry = readdir(handle));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			*empty = false;
	closedir(handle);
	return 0;
}

static int read_manifest(struct site_files *files, struct error *err)
{
	struct span bytes;
	struct error ignored;
	const char *path = path_of(files, files->folder, manifest);
	struct json *old = NULL;
	if (file_exists(path) &&
	    file_read(&files->arena, path, manifest_limit, &bytes, &ignored) == 0)
		old = json_parse(&files->arena, bytes, &ignored);
	if (!span_text_eq(json_text(old, KEY(schema), NULL), SCHEMA(site)))
		return error_set(err, ERR_USAGE,
				 "%s is not empty and not a rooflog site (no valid %s): choose "
				 "another folder, or empty it",
				 files->folder, manifest);
	files->before = json_get(old, KEY(files));
	files->working = files->folder;
	return 0;
}

/* Uses an existing folder, which must contain a site or nothing. */
static int use_folder(struct site_files *files, struct error *err)
{
	bool empty = false;
	if (is_empty(files->folder, &empty, err) < 0)
		return -1;
	if (!empty)
		return read_manifest(files, err);
	files->working = files->folder;
	files->incomplete = true;
	return 0;
}

/* Deletes the files of an open folder whose names a site gives. */
static void empty_part(int folder)
{
	DIR *handle = fdopendir(dup(folder));
	for (struct dirent *entry; handle && (entry = readdir(handle));)
		if (is_name(entry->d_name) || strstr(entry->d_name, ".rooflog-"))
			unlinkat(folder, entry->d_name, 0);
	if (handle)
		closedir(handle);
}

/* Deletes what a site that was killed left in its temporary folder. */
static void empty_folder(int folder)
{
	for (size_t i = 0; folders[i]; i++) {
		int part =
			openat(folder, folders[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (part < 0)
			continue;
		empty_part(part);
		close(part);
		unlinkat(folder, folders[i], AT_REMOVEDIR);
	}
	empty_part(folder);
}

/* Makes a temporary folder next to the final one, on the same file system, so that one rename()
 * publishes the whole site. */
static int make_next_to(struct site_files *files, struct error *err)
{
	struct path at;
	struct temporary made;
	const char *slash = strrchr(files->folder, '/');
	const char *parent = arena_strndup(&files->arena, files->folder,
					   slash ? (size_t)(slash - files->folder) + 1 : 0);
	if ((*parent && file_make_directory(parent, err) < 0) ||
	    path_open("write", files->folder, &at, err) < 0)
		return -1;
	int rc = temporary_make(at.directory, at.name, TEMPORARY_FOLDER, empty_folder, &made);
	if (rc < 0)
		error_errno(err, "cannot create a folder next to %s", files->folder);
	path_close(&at);
	if (rc < 0)
		return -1;
	files->working = arena_printf(&files->arena, "%s%s", parent, made.name);
	files->lock = made.fd;
	files->incomplete = true;
	return 0;
}

/* Uses the folder if it exists, which must not be a link of the work tree. */
static int choose_folder(struct site_files *files, struct error *err)
{
	struct path at;
	size_t len = strlen(files->folder);
	while (len > 1 && files->folder[len - 1] == '/')
		len--;
	files->folder = arena_strndup(&files->arena, files->folder, len);
	if (!file_exists(files->folder))
		return make_next_to(files, err);
	if (!file_is_directory(files->folder))
		return error_set(err, ERR_USAGE, "%s is a file; expected a folder", files->folder);
	if (path_open("write", files->folder, &at, err) < 0)
		return -1;
	path_close(&at);
	return use_folder(files, err);
}

int site_files_begin(struct site_files *files, struct error *err)
{
	files->names = json_array(&files->arena);
	files->lock = -1;
	if (choose_folder(files, err) < 0)
		return -1;
	for (size_t i = 0; folders[i]; i++)
		if (file_make_directory(path_of(files, files->working, folders[i]), err) < 0)
			return -1;
	return 0;
}

/* --- files --- */

static bool is_unchanged(const char *path, struct span bytes)
{
	struct stat status;
	struct arena scratch = {0};
	struct span old;
	struct error ignored;
	if (stat(path, &status) < 0 || (size_t)status.st_size != bytes.len)
		return false;
	bool same =
		file_read(&scratch, path, page_limit, &old, &ignored) == 0 && span_eq(old, bytes);
	arena_free(&scratch);
	return same;
}

int site_files_write(struct site_files *files, const char *name, struct span bytes,
		     struct error *err)
{
	char path[PATH_MAX];
	int len = snprintf(path, sizeof path, "%s/%s", files->working, name);
	if (len < 0 || (size_t)len >= sizeof path)
		return error_set(err, ERR_SYSTEM, "the path of %s is too long", name);
	if (!files->before || !is_unchanged(path, bytes)) {
		files->written++;
		if (cli_write(files->cli, path, bytes, err) < 0)
			return -1;
	}
	json_add_text(&files->arena, files->names, name);
	files->count++;
	return 0;
}

/* --- templates --- */

struct site_template {
	struct site_template *next;
	const char *name, *text; /* text NULL: the user's folder has no such file */
};

static const char *users_template(struct site_files *files, const char *name)
{
	struct span text = {0};
	struct error err = {0};
	bool found = false;
	for (const struct site_template *one = files->read; one; one = one->next)
		if (strcmp(one->name, name) == 0)
			return one->text;
	const char *path = path_of(files, files->templates, name);
	struct site_template *fresh = arena_new(&files->arena, struct site_template);
	fresh->name = arena_strdup(&files->arena, name);
	if (trust_read_named(files->cli, path, template_limit, &found, &text, &err) == 0)
		fresh->text = found ? arena_strndup(&files->arena, text.ptr, text.len) : NULL;
	else if (files->unread.kind == ERR_NONE)
		files->unread = err;
	fresh->next = files->read;
	files->read = fresh;
	return fresh->text;
}

const char *site_files_template(struct site_files *files, const char *name)
{
	const char *users = files->templates ? users_template(files, name) : NULL;
	if (users)
		return users;
	const struct embedded_file *own = embedded_find(template_files, name);
	return own ? own->text : NULL;
}

/* A template of the user that cannot be read is an error: a page with the built-in one would hide
 * it. */
static int check_templates(const struct site_files *files, struct error *err)
{
	if (files->unread.kind == ERR_NONE)
		return 0;
	*err = files->unread;
	return -1;
}

static const char *partial(void *context, const char *name)
{
	return site_files_template(context, name);
}

int site_files_render(struct site_files *files, const char *template, const struct json *document,
		      const char *name, struct error *err)
{
	struct strbuf page = {0};
	const char *text = site_files_template(files, template);
	int rc = template_render(template, span_of(text), document, TEMPLATE_ESCAPE_HTML, partial,
				 files, &page, err);
	if (rc == 0)
		rc = check_templates(files, err);
	if (rc == 0)
		rc = site_files_write(files, name, strbuf_span(&page), err);
	strbuf_free(&page);
	return rc;
}

/* --- the end --- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether a name of the manifest is one that a site would write. The manifest may have been edited,
 * and a name such as "../x" must never be deleted. */
static bool is_ours(const char *name)
{
	const char *slash = strchr(name, '/');
	if (!slash || !is_name(slash + 1))
		return false;
	for (size_t i = 0; folders[i]; i++)
		if (strlen(folders[i]) == (size_t)(slash - name) &&
		    strncmp(name, folders[i], (size_t)(slash - name)) == 0)
			return true;
	return false;
}

/* Deletes the files of the old manifest that the new site does not have. Only these: other files in
 * the folder belong to the user. */
static void remove_stale(struct site_files *files)
{
	size_t count = 0;
	const char **now = arena_array(&files->arena, files->names->count + 1, sizeof *now);
	for (const struct json *name = files->names->first; name; name = name->next)
		now[count++] = name->text;
	assert(count == files->names->count);
	qsort(now, count, sizeof *now, by_text);
	for (const struct json *old = files->before ? files->before->first : NULL; old;
	     old = old->next)
		if (old->type == JSON_STRING && is_ours(old->text) &&
		    !bsearch(&old->text, now, count, sizeof *now, by_text))
			file_remove(path_of(files, files->working, old->text));
}

/* Deletes the temporary files of a site that was killed while it brought this folder up to date. */
static void remove_temporary(struct site_files *files)
{
	temporary_sweep(files->working);
	for (size_t i = 0; folders[i]; i++)
		temporary_sweep(path_of(files, files->working, folders[i]));
}

struct json *site_files_list(struct site_files *files, const char *commit)
{
	struct arena *arena = &files->arena;
	struct json *list = document_begin(arena, SCHEMA(site));
	json_set_text(arena, list, "commit", commit);
	struct json *names = json_set_array(arena, list, "files");
	for (const struct json *name = files->names->first; name; name = name->next)
		json_add_text(arena, names, name->text);
	return list;
}

static int write_manifest(struct site_files *files, const char *commit, struct error *err)
{
	struct strbuf text = {0};
	json_write(&text, site_files_list(files, commit), false);
	strbuf_addch(&text, '\n');
	int rc = site_files_write(files, manifest, strbuf_span(&text), err);
	strbuf_free(&text);
	return rc;
}

static int publish(struct site_files *files, struct error *err)
{
	if (files->working == files->folder)
		return 0;
	mode_t mask = umask(0);
	umask(mask);
	if (fchmod(files->lock, 0777 & ~mask) < 0)
		return error_errno(err, "cannot move the finished site to %s", files->folder);
	if (file_move(files->working, files->folder, err) < 0)
		return error_prefix(err, "cannot put the site in its place");
	files->working = files->folder;
	return 0;
}

/* The manifest is the last file: a folder without a valid one is never deleted from. */
int site_files_end(struct site_files *files, const char *commit, struct error *err)
{
	if (check_templates(files, err) < 0 || write_manifest(files, commit, err) < 0 ||
	    publish(files, err) < 0)
		return -1;
	remove_stale(files);
	remove_temporary(files);
	files->incomplete = false;
	return 0;
}

static void abandon(struct site_files *files)
{
	for (const struct json *name = files->names->first; name; name = name->next)
		file_remove(path_of(files, files->working, name->text));
	for (size_t i = 0; folders[i]; i++)
		rmdir(path_of(files, files->working, folders[i]));
	if (files->working != files->folder)
		rmdir(files->working);
}

void site_files_free(struct site_files *files)
{
	if (files->incomplete)
		abandon(files);
	if (files->lock >= 0)
		close(files->lock);
	arena_free(&files->arena);
}
