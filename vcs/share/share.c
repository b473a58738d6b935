/* The command lines of git that share files. */
#include "vcs/share/share.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/system/system.h"

#define REF "refs/rooflog/runs"
/* What was fetched last; only whoever has the lock writes it. */
#define FETCHED "refs/rooflog/fetched"

enum { GIT_SECONDS = 600, ARGUMENT_LIMIT = 12 };
static const size_t file_limit = (size_t)256 << 20, output_limit = (size_t)64 << 20;

struct call {
	const char *const *arguments; /* of git, NULL at the end */
	struct span input;
	const char *index;  /* GIT_INDEX_FILE; NULL: none */
	process_sink *sink; /* NULL: the output is in the result */
	void *context;
};

/* Who calls frees the result. Not an error: git's own status. */
static int run_git(const struct call *call, struct process_result *result, struct error *err)
{
	const char *argv[6 + ARGUMENT_LIMIT] = {"git", "-c", "core.hooksPath=/dev/null", "-c",
						"core.fsmonitor=false"};
	struct strbuf index = {0};
	for (size_t i = 0; call->arguments[i]; i++) {
		assert(i < ARGUMENT_LIMIT);
		argv[5 + i] = call->arguments[i];
	}
	strbuf_addf(&index, call->index ? "GIT_INDEX_FILE=%s" : "GIT_INDEX_FILE", call->index);
	const char *const environment[] = {strbuf_text(&index),
					   "GIT_PREFIX",
					   "GIT_TERMINAL_PROMPT=0",
					   "GIT_AUTHOR_NAME=rooflog",
					   "GIT_AUTHOR_EMAIL=rooflog@localhost",
					   "GIT_COMMITTER_NAME=rooflog",
					   "GIT_COMMITTER_EMAIL=rooflog@localhost",
					   "LC_ALL=C",
					   NULL};
	const struct process_request request = {.argv = argv,
						.environment = environment,
						.directory = ".",
						.input = call->input,
						.sink = call->sink,
						.context = call->context,
						.limit = output_limit,
						.seconds = GIT_SECONDS};
	int failed = process_run(&request, result, err);
	strbuf_free(&index);
	return failed;
}

/* The first line that says what is wrong, else the first of all. */
static struct span said(const struct process_result *result)
{
	struct span rest = strbuf_span(&result->error), first = {"no reason given", 15};
	bool any = false;
	while (rest.len) {
		struct span line = span_cut(&rest, '\n');
		if (span_starts(line, "fatal:") || span_starts(line, "error:"))
			return line;
		if (!any && line.len)
			first = line;
		any = any || line.len;
	}
	return first;
}

static int fail(struct process_result *result, struct error *err)
{
	struct span line = said(result);
	error_set(err, ERR_SYSTEM, "git: %.*s", (int)(line.len < 500 ? line.len : 500), line.ptr);
	process_result_free(result);
	return -1;
}

/* Runs git to success; *line, if not NULL, receives the first line of its output. */
static int git(struct arena *arena, const struct call *call, const char **line, struct error *err)
{
	struct process_result result = {.status = 0};
	if (run_git(call, &result, err) < 0)
		return -1;
	if (result.status != 0)
		return fail(&result, err);
	if (line)
		*line = arena_strndup(arena, strbuf_text(&result.out),
				      strcspn(strbuf_text(&result.out), "\n"));
	process_result_free(&result);
	return 0;
}

static int folder_of(struct arena *arena, const char **folder, struct error *err)
{
	static const char *const arguments[] = {"rev-parse", "--path-format=absolute",
						"--git-common-dir", NULL};
	return git(arena, &(struct call){.arguments = arguments}, folder, err);
}

/* --- one at a time --- */

int share_lock(struct share_lock *lock, struct error *err)
{
	enum { STEP_US = 20000, STEPS = 30000 };
	struct arena scratch = {0};
	const char *folder;
	if (folder_of(&scratch, &folder, err) < 0) {
		arena_free(&scratch);
		return -1;
	}
	const char *path = arena_printf(&scratch, "%s/rooflog.lock", folder);
	lock->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	int failed = lock->fd < 0 ? error_errno(err, "cannot open %s", path) : 0;
	for (int i = 0; !failed && flock(lock->fd, LOCK_EX | LOCK_NB) < 0; i++) {
		bool taken = errno == EWOULDBLOCK || errno == EINTR;
		if (!taken) {
			failed = error_errno(err, "cannot lock %s", path);
			close(lock->fd);
		} else if (i == STEPS) {
			close(lock->fd);
			failed = error_set(err, ERR_SYSTEM,
					   "another rooflog has shared runs for ten minutes (%s)",
					   path);
		} else {
			usleep(STEP_US);
		}
	}
	arena_free(&scratch);
	return failed;
}

void share_unlock(struct share_lock *lock)
{
	close(lock->fd);
}

/* --- reading --- */

int share_fetch(struct arena *arena, const char *remote, const char **commit, struct error *err)
{
	const char *const there[] = {"ls-remote", "--", remote, REF, NULL};
	static const char refspec[] = "+" REF ":" FETCHED;
	const char *const fetch[] = {"fetch",
				     "--quiet",
				     "--no-tags",
				     "--no-write-fetch-head",
				     "--no-recurse-submodules",
				     "--",
				     remote,
				     refspec,
				     NULL};
	static const char *const parse[] = {"rev-parse", "--verify", "--quiet", FETCHED, NULL};
	const char *line;
	*commit = NULL;
	if (git(arena, &(struct call){.arguments = there}, &line, err) < 0)
		return -1;
	if (!line[0])
		return 0;
	return git(arena, &(struct call){.arguments = fetch}, NULL, err) < 0
		       ? -1
		       : git(arena, &(struct call){.arguments = parse}, commit, err);
}

/* "100644 blob OID\tPATH" */
static bool read_entry(struct arena *arena, struct span entry, struct share_list *list)
{
	struct span mode = span_cut(&entry, ' '), type = span_cut(&entry, ' ');
	struct span oid = span_cut(&entry, '\t');
	if (!mode.len || !span_is(type, "blob") || (oid.len != 40 && oid.len != 64) || !entry.len)
		return false;
	struct share_file *file = arena_add(arena, list);
	memset(file->oid, 0, sizeof file->oid);
	memcpy(file->oid, oid.ptr, oid.len);
	file->path = arena_strndup(arena, entry.ptr, entry.len);
	return true;
}

int share_files(struct arena *arena, const char *commit, struct share_list *list, struct error *err)
{
	const char *const arguments[] = {"ls-tree", "-r", "-z", "--full-tree", commit, NULL};
	struct process_result result = {.status = 0};
	*list = (struct share_list){0};
	if (!commit)
		return 0;
	if (run_git(&(struct call){.arguments = arguments}, &result, err) < 0)
		return -1;
	if (result.status != 0)
		return fail(&result, err);
	struct span rest = strbuf_span(&result.out);
	while (rest.len)
		read_entry(arena, span_cut(&rest, '\0'), list);
	process_result_free(&result);
	return 0;
}

/* The output of git cat-file --batch: for each file "OID blob LEN\n", its bytes and "\n". */
struct batch {
	const struct share_reading *reading;
	struct strbuf text; /* that was not used yet */
	size_t index, len;  /* the file whose bytes follow, and how many */
	bool headed;
	bool failed;
	struct error *err;
};

static int read_head(struct batch *batch, struct span head)
{
	double len = NAN;
	span_cut(&head, ' ');
	if (!span_is(span_cut(&head, ' '), "blob") || !span_number(head, &len) || len < 0)
		return error_set(batch->err, ERR_FORMAT, "git has no file %zu of " REF,
				 batch->index + 1);
	if (len > (double)file_limit)
		return error_set(batch->err, ERR_FORMAT, "a file of " REF " is too large");
	batch->len = (size_t)len;
	batch->headed = true;
	return 0;
}

/* How much of the text is used; 0: more is needed. */
static size_t use(struct batch *batch)
{
	struct span text = strbuf_span(&batch->text);
	if (!batch->headed) {
		const char *end = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
		if (!end)
			return 0;
		text.len = (size_t)(end - text.ptr);
		batch->failed = read_head(batch, text) < 0;
		return text.len + 1;
	}
	if (text.len < batch->len + 1)
		return 0;
	text.len = batch->len;
	batch->failed =
		batch->reading->file(batch->reading->context, batch->index, text, batch->err) < 0;
	batch->headed = false;
	batch->index++;
	return text.len + 1;
}

static bool take(void *context, struct span bytes)
{
	struct batch *batch = context;
	size_t used;
	strbuf_addspan(&batch->text, bytes);
	while (!batch->failed && (used = use(batch)) > 0) {
		size_t rest = batch->text.len - used;
		memmove(batch->text.buf, batch->text.buf + used, rest);
		strbuf_truncate(&batch->text, rest);
	}
	return !batch->failed;
}

int share_read(const struct share_list *list, const struct share_reading *reading,
	       struct error *err)
{
	static const char *const arguments[] = {"cat-file", "--batch", NULL};
	struct strbuf input = {0};
	struct batch batch = {.reading = reading, .err = err};
	struct process_result result = {.status = 0};
	for (size_t i = 0; i < list->count; i++)
		strbuf_addf(&input, "%s\n", list->items[i].oid);
	const struct call call = {.arguments = arguments,
				  .input = strbuf_span(&input),
				  .sink = take,
				  .context = &batch};
	int failed = list->count ? run_git(&call, &result, err) : 0;
	if (!failed && list->count && !batch.failed && batch.index < list->count) {
		struct span line = said(&result);
		failed = error_set(err, ERR_SYSTEM,
				   "git cannot read %zu of %zu files of " REF ": %.*s",
				   list->count - batch.index, list->count,
				   (int)(line.len < 400 ? line.len : 400), line.ptr);
	}
	process_result_free(&result);
	strbuf_free(&input);
	strbuf_free(&batch.text);
	return failed || batch.failed ? -1 : 0;
}

/* --- writing --- */

int share_write(struct span bytes, char oid[65], struct error *err)
{
	static const char *const arguments[] = {"hash-object", "-w", "--stdin", NULL};
	struct arena scratch = {0};
	const char *line;
	int failed =
		git(&scratch, &(struct call){.arguments = arguments, .input = bytes}, &line, err);
	if (!failed)
		snprintf(oid, 65, "%s", line);
	arena_free(&scratch);
	return failed;
}

static int write_tree(struct arena *arena, const char *index, const char *commit,
		      const struct strbuf *entries, const char **tree, struct error *err)
{
	const char *const read[] = {"read-tree", commit ? commit : "--empty", NULL};
	static const char *const update[] = {"update-index", "--index-info", NULL};
	static const char *const write[] = {"write-tree", NULL};
	const struct call calls[] = {
		{.arguments = read, .index = index},
		{.arguments = update, .index = index, .input = strbuf_span(entries)},
		{.arguments = write, .index = index}};
	return git(arena, &calls[0], NULL, err) < 0 || git(arena, &calls[1], NULL, err) < 0 ||
			       git(arena, &calls[2], tree, err) < 0
		       ? -1
		       : 0;
}

int share_add(struct arena *arena, const char *commit, const struct share_list *added,
	      const struct share_list *gone, const char **made, struct error *err)
{
	struct strbuf entries = {0};
	const char *folder, *tree;
	if (folder_of(arena, &folder, err) < 0)
		return -1;
	const char *index = arena_printf(arena, "%s/rooflog.index", folder);
	for (size_t i = 0; i < gone->count; i++)
		strbuf_addf(&entries, "0 %s\t%s\n", gone->items[i].oid, gone->items[i].path);
	for (size_t i = 0; i < added->count; i++)
		strbuf_addf(&entries, "100644 %s\t%s\n", added->items[i].oid, added->items[i].path);
	/* What a git that was killed left there. */
	unlink(index);
	unlink(arena_printf(arena, "%s.lock", index));
	int failed = write_tree(arena, index, commit, &entries, &tree, err);
	strbuf_free(&entries);
	unlink(index);
	if (failed)
		return -1;
	const char *const first[] = {"commit-tree", "-m", "Runs of rooflog", tree, NULL};
	const char *const next[] = {"commit-tree", "-m", "Runs of rooflog", "-p", commit,
				    tree,          NULL};
	return git(arena, &(struct call){.arguments = commit ? next : first}, made, err);
}

/* "!\tCOMMIT:REF\t[rejected] (fetch first)": another push came first, which a server may also
 * notice when it locks or writes the ref. Anything else will not pass the next time either. */
static int push_failed(const struct process_result *result, bool *rejected, struct error *err)
{
	static const char *const first[] = {"fetch first",      "non-fast-forward",
					    "stale info",       "incorrect old value",
					    "but expected",     "reference already exists",
					    "failed to update", "File exists"};
	const char *found = strstr(strbuf_text(&result->out), "!\t");
	if (!found) {
		struct span line = said(result);
		return error_set(err, ERR_SYSTEM, "git push: %.*s",
				 (int)(line.len < 500 ? line.len : 500), line.ptr);
	}
	char line[500];
	snprintf(line, sizeof line, "%.*s", (int)strcspn(found + 2, "\n"), found + 2);
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		*rejected = *rejected || strstr(line, first[i]);
	return *rejected ? 0 : error_set(err, ERR_SYSTEM, "git push: %s", line);
}

int share_push(const char *remote, const char *commit, bool *rejected, struct error *err)
{
	struct arena scratch = {0};
	struct process_result result = {.status = 0};
	const char *const arguments[] = {"push",
					 "--porcelain",
					 "--no-verify",
					 "--no-signed",
					 "--",
					 remote,
					 arena_printf(&scratch, "%s:" REF, commit),
					 NULL};
	*rejected = false;
	int failed = run_git(&(struct call){.arguments = arguments}, &result, err);
	arena_free(&scratch);
	if (failed)
		return -1;
	int rc = result.status != 0 ? push_failed(&result, rejected, err) : 0;
	process_result_free(&result);
	return rc;
}
