/* Adds a line to .rooflog/accept of the work tree. */
#include "cli/accept/file.h"

#include <sys/stat.h>

#include "base/system/system.h"
#include "cli/accept/accept.h"

static const char header[] =
	"# What the gate accepts, read from the commit that a candidate is compared with:\n"
	"# a change cannot waive itself. \"rooflog accept\" adds lines; docs/user/acceptances.md "
	"explains\n"
	"# them.\n"
	"#\n"
	"# series | metric | limit | expires | author | reason\n";

/* Refuses links: git would commit the link itself, and acceptances are read from trees, where links
 * are not followed. A path that does not exist is fine. */
static int refuse_links(const char *path, bool directory, struct error *err)
{
	struct stat st;
	const char *wanted = directory ? "directory" : "file";
	if (lstat(path, &st) < 0 || (directory ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode)))
		return 0;
	return error_set(err, ERR_SYSTEM,
			 "%s is %s; acceptances are read from git, which does not follow links: "
			 "make it a regular %s in the repository",
			 path, S_ISLNK(st.st_mode) ? "a symbolic link" : "something else", wanted);
}

static int find_file(struct cli *cli, const char **path, struct error *err)
{
	if (cli_open_repository(cli, err) < 0)
		return -1;
	const char *worktree = repository_worktree(cli->repository);
	if (!worktree)
		return error_set(err, ERR_USAGE,
				 "cannot write %s in a bare repository: run this in a clone",
				 acceptance_path);
	*path = arena_printf(&cli->arena, "%s/%s", worktree, acceptance_path);
	if (refuse_links(arena_printf(&cli->arena, "%s/.rooflog", worktree), true, err) < 0)
		return -1;
	return refuse_links(*path, false, err);
}

static bool is_same(const struct acceptance *a, const struct acceptance *b)
{
	return span_text_eq(a->series, b->series) && a->metric == b->metric;
}

/* The acceptance on line `number` if the new one replaces it, else NULL. */
static const struct acceptance *superseded(const struct acceptance_list *list, size_t number,
					   const struct acceptance *line)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].line == number && is_same(&list->items[i], line))
			return &list->items[i];
	return NULL;
}

static void add_line(struct cli *cli, struct strbuf *out, const struct acceptance *line,
		     bool carriage_return)
{
	strbuf_addstr(out, acceptance_line(&cli->arena, line));
	strbuf_addstr(out, carriage_return ? "\r\n" : "\n");
}

/* Builds the new content. The first replaced line becomes the new one, further replaced lines are
 * removed, and every other byte stays: the byte order mark, CR LF, comments, and a missing final
 * newline. */
static void edit_bytes(struct cli *cli, struct accept_edit *edit, struct span bytes,
		       const struct acceptance_list *list, struct strbuf *out)
{
	size_t number = 0, written = 0;
	bool carriage_return = false;
	edit->replaced = arena_array(&cli->arena, list->count, sizeof *edit->replaced);
	if (span_starts(bytes, "\xef\xbb\xbf")) {
		strbuf_addstr(out, "\xef\xbb\xbf");
		bytes = span_from(bytes, 3);
	}
	while (bytes.len) {
		const char *start = bytes.ptr;
		struct span line = span_cut(&bytes, '\n');
		const struct acceptance *old = superseded(list, ++number, edit->line);
		carriage_return = span_ends(line, "\r");
		if (!old) {
			strbuf_add(out, start, line.len + (bytes.ptr != NULL));
			written++;
			continue;
		}
		edit->replaced[edit->replaced_count++] = acceptance_line(&cli->arena, old);
		if (edit->replaced_count > 1)
			continue;
		add_line(cli, out, edit->line, carriage_return);
		edit->number = ++written;
	}
	if (edit->replaced_count)
		return;
	if (out->len && !span_ends(strbuf_span(out), "\n"))
		strbuf_addch(out, '\n');
	add_line(cli, out, edit->line, carriage_return);
	edit->number = written + 1;
}

int accept_edit(struct cli *cli, struct accept_edit *edit, struct error *err)
{
	struct span bytes = span_of(header);
	struct acceptance_list list = {0};
	struct strbuf out = {0};
	if (find_file(cli, &edit->path, err) < 0)
		return -1;
	if (file_exists(edit->path) &&
	    file_read(&cli->arena, edit->path, ACCEPTANCE_FILE_LIMIT, &bytes, err) < 0)
		return -1;
	if (acceptance_parse(&cli->arena, edit->path, bytes, &list, err) < 0)
		return -1;
	edit_bytes(cli, edit, bytes, &list, &out);
	int rc = 0;
	if (out.len > ACCEPTANCE_FILE_LIMIT)
		rc = error_set(err, ERR_USAGE, "%s would exceed %d bytes: remove expired lines",
			       edit->path, ACCEPTANCE_FILE_LIMIT);
	else if (!edit->dry_run)
		rc = file_make_directory(arena_printf(&cli->arena, "%s/.rooflog",
						      repository_worktree(cli->repository)),
					 err);
	if (rc == 0 && !edit->dry_run)
		rc = file_write(edit->path, strbuf_span(&out), err);
	strbuf_free(&out);
	return rc;
}
