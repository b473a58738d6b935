/* What all commands share: opening the store, the repository and the configuration, and
 * printing. */
#include "cli/context.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/system.h"
#include "cli/config/config.h"
#include "db/replica/replica.h"
#include "render/markup/markup.h"
#include "vcs/address.h"

/* Bytes. A guard against a wrong path; a configuration with hundreds of rows has tens of
 * kilobytes. */
static const size_t config_size_limit = 1u << 20;
/* Bytes. Reports and lists that are committed are smaller. */
static const size_t committed_size_limit = 64u << 20;

/* Commits in the store are known to exist, so the repository need not look for their objects in
 * git. */
static bool is_stored(void *context, const char *oid, char parent[65])
{
	struct cli *cli = context;
	struct revision revision;
	struct error ignored;
	if (!cli->store || !parent)
		return cli->store && store_has_revision(cli->store, oid);
	if (store_revision(cli->store, &cli->arena, oid, &revision, &ignored) < 0)
		return false;
	snprintf(parent, 65, "%s", revision.parent);
	return true;
}

/* The work tree is found by its .git alone: the protection must not depend on whether git accepts
 * the repository. */
int cli_protect_work_tree(struct cli *cli, struct error *err)
{
	char directory[PATH_MAX], git[PATH_MAX + 8];
	char *slash = getcwd(directory, sizeof directory);
	if (!slash)
		return error_errno(err, "cannot determine the current directory");
	while (slash) {
		snprintf(git, sizeof git, "%s/.git", directory);
		if (file_exists(git)) {
			cli->in_work_tree = true;
			path_protect(*directory ? directory : "/");
			return 0;
		}
		slash = strrchr(directory, '/');
		if (slash)
			*slash = '\0';
	}
	return 0;
}

int cli_open_repository(struct cli *cli, struct error *err)
{
	if (cli->repository)
		return 0;
	if (repository_open(".", &cli->repository, err) < 0)
		return -1;
	repository_know(cli->repository, is_stored, cli);
	if (repository_worktree(cli->repository))
		path_protect(repository_worktree(cli->repository));
	path_protect(repository_home(cli->repository));
	return 0;
}

/* The path of .rooflog/<name> in the repository's home, which all work trees of a clone share. */
static int home_path(struct cli *cli, const char *name, const char **path, struct error *err)
{
	if (cli_open_repository(cli, err) < 0)
		return -1;
	*path = arena_printf(&cli->arena, "%s/.rooflog/%s", repository_home(cli->repository), name);
	return 0;
}

/* Whether the store lies beside .git: the caller names no other. */
static bool is_at_home(const struct cli *cli)
{
	const char *environment = getenv("ROOFLOG_STORE");
	return !cli->common.store_path && !(environment && environment[0]);
}

int cli_store_path(struct cli *cli, const char **path, struct error *err)
{
	if (!is_at_home(cli)) {
		*path = cli->common.store_path ? cli->common.store_path : getenv("ROOFLOG_STORE");
		return 0;
	}
	if (home_path(cli, "runs.db", path, err) < 0)
		return error_set(
			err, err->kind,
			"%s\nhint: run inside a repository, or name a store with --store PATH",
			arena_strdup(&cli->arena, err->text));
	return 0;
}

static int make_parent(struct cli *cli, const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	if (!slash || slash == path)
		return 0;
	const char *parent = arena_strndup(&cli->arena, path, (size_t)(slash - path));
	return file_is_directory(parent) ? 0 : file_make_directory(parent, err);
}

static void note_wait(void *cli, const char *path)
{
	cli_note(cli, "waiting for another process that writes to %s", path);
}

/* The rest of `path` below the directory; NULL if it is elsewhere. */
static const char *below(const char *path, const char *directory)
{
	size_t len = directory ? strlen(directory) : 0;
	return len && strncmp(path, directory, len) == 0 && path[len] == '/' ? path + len + 1
									     : NULL;
}

/* Whether a folder between the top of the work tree and the file is a repository of its own. */
static bool is_in_submodule(struct cli *cli, const char *path, const char *name)
{
	for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/'))
		if (file_exists(arena_printf(&cli->arena, "%.*s/.git", (int)(slash - path), path)))
			return true;
	return false;
}

/* The name of a path in the work tree, or in the repository's home; NULL if it lies elsewhere. */
static const char *name_inside(struct cli *cli, const char *real)
{
	const char *name = below(real, repository_worktree(cli->repository));
	return name ? name : below(real, repository_home(cli->repository));
}

static bool is_top(const struct repository *repository, const char *path)
{
	const char *top = repository_worktree(repository);
	return top && strcmp(top, path) == 0;
}

/* A file in the repository in which it lies; none: outside of any. */
struct file_place {
	struct repository *repository;
	const char *name;
	bool closed; /* the repository cannot be asked */
};

/* In another repository than that of the work tree. */
static struct file_place place_in_other(struct cli *cli, const char *real)
{
	struct error ignored;
	size_t end = strlen(real);
	const char *top = NULL;
	for (; end && !top; end--)
		if (real[end] == '/' &&
		    file_exists(arena_printf(&cli->arena, "%.*s/.git", (int)end, real)))
			top = arena_strndup(&cli->arena, real, end);
	if (!top || process_variable("GIT_DIR"))
		return (struct file_place){0};
	if (cli->other && !is_top(cli->other, top)) {
		repository_close(cli->other);
		cli->other = NULL;
	}
	if ((!cli->other && repository_open(top, &cli->other, &ignored) < 0) ||
	    !is_top(cli->other, top))
		return (struct file_place){.closed = true};
	return (struct file_place){.repository = cli->other, .name = real + strlen(top) + 1};
}

static struct file_place place_of(struct cli *cli, const char *path)
{
	struct error ignored;
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *parent = slash == path ? "/"
			     : slash ? arena_strndup(&cli->arena, path, (size_t)(slash - path))
				     : ".";
	if (!realpath(parent, folder) || cli_open_repository(cli, &ignored) < 0)
		return (struct file_place){0};
	const char *real = arena_printf(&cli->arena, "%s/%s", folder, name);
	const char *inside = name_inside(cli, real);
	return inside && !is_in_submodule(cli, real, inside)
		       ? (struct file_place){.repository = cli->repository, .name = inside}
		       : place_in_other(cli, real);
}

/* A repository that cannot be asked may track it. */
bool cli_is_brought(struct cli *cli, const char *path)
{
	struct file_place place = place_of(cli, path);
	return place.closed ||
	       (place.repository && repository_tracks(place.repository, place.name));
}

bool cli_is_committed(struct cli *cli, const char *path)
{
	struct stat st;
	struct file_place place = place_of(cli, path);
	struct span own;
	struct error ignored;
	char head[65];
	struct repository_file file = {
		.oid = head, .path = place.name, .limit = committed_size_limit};
	if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return true;
	return place.repository &&
	       repository_resolve(place.repository, "HEAD", head, &ignored) == 0 &&
	       repository_read(place.repository, &cli->arena, &file, &ignored) == 0 && file.found &&
	       file_read(&cli->arena, path, committed_size_limit, &own, &ignored) == 0 &&
	       span_eq(own, file.bytes);
}

/* A store that git tracks comes with the branch: whoever writes a change would choose what it is
 * compared with. That holds for a path that the caller names, too, and for the files next to a
 * store from which SQLite would recover it. */
static int refuse_tracked(struct cli *cli, const char *path, struct error *err)
{
	static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
	struct error ignored;
	char real[PATH_MAX];
	if (!realpath(path, real) || cli_open_repository(cli, &ignored) < 0)
		return 0;
	const char *name = name_inside(cli, real);
	if (!name)
		return 0;
	if (is_in_submodule(cli, real, name))
		return error_set(err, ERR_STORE,
				 "%s: the store is in a repository inside this one, so a change "
				 "could bring its own history; give a store outside of the work "
				 "tree with --store or ROOFLOG_STORE",
				 path);
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		const char *file = arena_printf(&cli->arena, "%s%s", name, endings[i]);
		if (file_exists(arena_printf(&cli->arena, "%s%s", real, endings[i])) &&
		    repository_tracks(cli->repository, file))
			return error_set(
				err, ERR_STORE,
				"%s: git tracks the store, so a change could bring its own "
				"history; untrack it (git rm --cached %s), or give a store outside "
				"of the work tree with --store or ROOFLOG_STORE",
				path, file);
	}
	return 0;
}

static int ignore_store(struct cli *cli, struct error *err)
{
	const char *path;
	if (home_path(cli, ".gitignore", &path, err) < 0)
		return -1;
	return file_exists(path) ? 0 : file_write(path, span_of("runs.db*\n.gitignore\n"), err);
}

int cli_set_up(struct cli *cli, struct error *err)
{
	const char *path;
	if (home_path(cli, "config", &path, err) < 0 || make_parent(cli, path, err) < 0 ||
	    ignore_store(cli, err) < 0)
		return -1;
	if (file_exists(path))
		return 0;
	if (file_write(path, span_of(settings_template), err) < 0)
		return -1;
	cli_note(cli, "wrote .rooflog/config: commit it, the gate reads it from commits");
	return 0;
}

int cli_use_aliases(struct cli *cli, struct error *err)
{
	if (!cli->store || !cli->settings.loaded)
		return 0;
	return store_use_aliases(cli->store, &cli->settings.aliases, err);
}

const char *const *cli_common_words(struct arena *arena, const struct common_options *common)
{
	const char **words = arena_array(arena, common->given.count + 3, sizeof *words);
	size_t count = 0;
	if (common->store_path)
		words[count++] = arena_printf(arena, "--store=%s", common->store_path);
	if (common->config_path)
		words[count++] = arena_printf(arena, "--config=%s", common->config_path);
	for (size_t i = 0; i < common->given.count; i++)
		words[count++] = arena_printf(arena, "-c%s", common->given.items[i]);
	words[count] = NULL;
	return words;
}

static bool pass_on(void *context, struct span bytes)
{
	(void)context;
	fwrite(bytes.ptr, 1, bytes.len, stderr);
	return true;
}

int cli_run_storing(struct cli *cli, const char *const *argv, struct process_result *result,
		    struct error *err)
{
	enum { WEEK = 7 * 24 * 3600 };
	const char *store;
	if (cli_store_path(cli, &store, err) < 0)
		return -1;
	const char *const environment[] = {arena_printf(&cli->arena, "ROOFLOG_STORE=%s", store),
					   NULL};
	const struct process_request request = {.argv = argv,
						.environment = environment,
						.directory = ".",
						.sink = pass_on,
						.seconds = WEEK};
	return process_run(&request, result, err);
}

/* The project whose runs the address means: it says so, or the remote does. What a commit could
 * change does not count: whoever writes it would choose what it is compared with. */
static int project_of(struct cli *cli, const char *address, const char **project, struct error *err)
{
	struct error ignored;
	const char *remote = NULL;
	*project = server_project_of(address);
	if (!*project && cli_open_repository(cli, &ignored) == 0 &&
	    repository_setting(cli->repository, &cli->arena, "remote.origin.url", &remote,
			       &ignored) == 0)
		*project = address_of_project(&cli->arena, remote);
	if (*project)
		return 0;
	return error_set(err, ERR_USAGE,
			 "%s: the remote \"origin\" does not say which project this is; name it "
			 "at the end of the address: #NAME",
			 server_shown(&cli->arena, address));
}

static const char *folder_of_copies(struct cli *cli)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (cache && cache[0] == '/')
		return arena_printf(&cli->arena, "%s/rooflog", cache);
	return home && home[0] == '/' ? arena_printf(&cli->arena, "%s/.cache/rooflog", home) : NULL;
}

static int open_on_server(struct cli *cli, const char *address, enum store_mode mode,
			  struct store **store, struct error *err)
{
	const char *temporary = getenv("TMPDIR");
	struct replica_request request = {.address = address,
					  .folder = folder_of_copies(cli),
					  .temporary = temporary && temporary[0] == '/' ? temporary
											: "/tmp",
					  .mode = mode,
					  .again = cli->copies_again};
	return project_of(cli, address, &request.project, err) < 0
		       ? -1
		       : replica_open(&request, store, err);
}

int cli_open_other_store(struct cli *cli, const char *path, enum store_mode mode,
			 struct store **store, struct error *err)
{
	return server_is_address(path) ? open_on_server(cli, path, mode, store, err)
				       : store_open(path, mode, store, err);
}

const char *cli_store_name(struct cli *cli, const char *path)
{
	return server_is_address(path) ? server_shown(&cli->arena, path) : path;
}

bool cli_store_is_remote(const char *path)
{
	return server_is_address(path);
}

bool cli_store_exists(const char *path)
{
	return server_is_address(path) || file_exists(path);
}

/* A file: it may have to be made, with its folder. */
static int prepare_file(struct cli *cli, const char *path, enum store_mode mode, struct error *err)
{
	bool is_new = !file_exists(path);
	if (mode != STORE_CREATE && is_new)
		return error_set(err, ERR_STORE,
				 "no run store at %s yet: \"rooflog ingest\" creates it", path);
	if (refuse_tracked(cli, path, err) < 0)
		return -1;
	if (mode != STORE_CREATE || !is_new)
		return 0;
	return is_at_home(cli) ? cli_set_up(cli, err) : make_parent(cli, path, err);
}

int cli_open_store(struct cli *cli, enum store_mode mode, struct error *err)
{
	const char *path = NULL;
	if (cli->store)
		return 0;
	if (cli_store_path(cli, &path, err) < 0)
		return -1;
	if (!server_is_address(path) && prepare_file(cli, path, mode, err) < 0)
		return -1;
	if (isatty(STDERR_FILENO))
		store_announce_waits(note_wait, cli);
	if (cli_open_other_store(cli, path, mode, &cli->store, err) < 0)
		return -1;
	store_set_time(cli->store, cli->begun);
	size_t left_out = store_left_out(cli->store);
	if (left_out)
		cli_warn(cli,
			 "%s: %zu run%s cannot be read and %s set aside; `rooflog doctor` names %s",
			 cli_store_name(cli, path), left_out, left_out == 1 ? "" : "s",
			 left_out == 1 ? "was" : "were", left_out == 1 ? "it" : "them");
	/* A command that reads holds one snapshot, so that all its queries see the same runs while
	 * another process ingests. */
	if ((mode != STORE_READ || store_hold(cli->store, err) == 0) &&
	    cli_use_aliases(cli, err) == 0)
		return 0;
	store_close(cli->store);
	cli->store = NULL;
	return -1;
}

int cli_read_settings(struct cli *cli, struct error *err)
{
	struct settings *settings = &cli->settings;
	settings->given = (struct config){0};
	if (settings_give(&cli->arena, &cli->common.given, &settings->given, err) < 0)
		return -1;
	return settings_read(&cli->arena, settings, err);
}

int cli_load_config(struct cli *cli, struct error *err)
{
	const char *path = cli->common.config_path;
	struct span bytes;
	if (cli->settings.loaded)
		return 0;
	if (!path) {
		struct error ignored;
		if (home_path(cli, "config", &path, &ignored) < 0 || !file_exists(path))
			path = NULL;
	}
	if ((path && (file_read(&cli->arena, path, config_size_limit, &bytes, err) < 0 ||
		      config_parse(&cli->arena, path, bytes, &cli->settings.file, err) < 0)) ||
	    cli_read_settings(cli, err) < 0)
		return -1;
	cli->settings.loaded = true;
	return cli_use_aliases(cli, err);
}

int cli_commit_url(struct cli *cli, const char **prefix, struct error *err)
{
	struct error ignored;
	*prefix = NULL;
	if (cli_load_config(cli, err) < 0)
		return -1;
	const char *address = cli->settings.publication.url;
	/* Links are welcome, not needed: a repository that does not say its remote has none. */
	if (!address && cli->repository &&
	    repository_setting(cli->repository, &cli->arena, "remote.origin.url", &address,
			       &ignored) < 0)
		return 0;
	*prefix = address_of_commits(&cli->arena, address, !cli->settings.publication.url);
	return 0;
}

const char *cli_diff_url(struct cli *cli, const char *commits)
{
	return address_of_diffs(&cli->arena, commits);
}

const char *cli_site_url(struct cli *cli)
{
	const char *url = cli->settings.publication.site;
	if (!url)
		return NULL;
	return span_ends(span_of(url), "/") ? url : arena_printf(&cli->arena, "%s/", url);
}

struct held_files {
	struct arena *arena;
	struct file_batch batch;
};

void cli_hold_files(struct cli *cli)
{
	if (!cli->held)
		cli->held = arena_new(&cli->arena, struct held_files);
	cli->held->arena = &cli->arena;
}

int cli_place_files(struct cli *cli, struct error *err)
{
	struct held_files *held = cli->held;
	cli->held = NULL;
	if (!held || !cli_failed(cli, err))
		return held ? file_batch_end(&held->batch, err) : 0;
	file_batch_abandon(&held->batch);
	return -1;
}

void cli_free(struct cli *cli)
{
	if (cli->held)
		file_batch_abandon(&cli->held->batch);
	if (cli->store)
		store_close(cli->store);
	if (cli->repository)
		repository_close(cli->repository);
	if (cli->other)
		repository_close(cli->other);
	arena_free(&cli->arena);
}

void cli_fail(struct cli *cli, const struct error *err)
{
	if (!cli->failed)
		cli->failure = *err;
	cli->failed = true;
}

bool cli_failed(const struct cli *cli, struct error *err)
{
	if (cli->failed)
		*err = cli->failure;
	return cli->failed;
}

__attribute__((format(printf, 2, 0))) static void say(const char *prefix, const char *format,
						      va_list args)
{
	struct strbuf raw = {0}, clean = {0};
	strbuf_vaddf(&raw, format, args);
	terminal_text_lines(&clean, strbuf_span(&raw));
	fprintf(stderr, "%s%s\n", prefix, strbuf_text(&clean));
	strbuf_free(&raw);
	strbuf_free(&clean);
}

void cli_warn(const struct cli *cli, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (!cli->common.quiet)
		say("warning: ", format, args);
	va_end(args);
}

void cli_note(const struct cli *cli, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (!cli->common.quiet)
		say("", format, args);
	va_end(args);
}

static int print_bytes(struct span bytes, struct error *err)
{
	/* An empty span may have a NULL pointer, which fwrite() does not accept. */
	if ((bytes.len && fwrite(bytes.ptr, 1, bytes.len, stdout) != bytes.len) ||
	    fflush(stdout) != 0)
		return error_errno(err, "cannot write to standard output");
	return 0;
}

static bool is_ascii(struct span text)
{
	size_t i = 0;
	while (i < text.len && !((unsigned char)text.ptr[i] & 0x80))
		i++;
	return i == text.len;
}

/* The locale is asked only if the text is not ASCII: loading one reads several files. */
int cli_print_clean(const char *text, struct error *err)
{
	struct strbuf clean = {0};
	terminal_text_lines(&clean, span_of(text));
	if (!is_ascii(strbuf_span(&clean)) && !cli_utf8()) {
		strbuf_reset(&clean);
		terminal_ascii_lines(&clean, span_of(text));
	}
	int rc = print_bytes(strbuf_span(&clean), err);
	strbuf_free(&clean);
	return rc;
}

int cli_print_built(struct strbuf *text, struct error *err)
{
	int rc = cli_print_clean(strbuf_text(text), err);
	strbuf_free(text);
	return rc;
}

bool cli_is_standard_output(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

/* The writer of a stream has to stay where it is. */
static int begin_file(struct cli_stream *stream, struct error *err)
{
	struct held_files *held = stream->cli->held;
	stream->file = held ? arena_new(held->arena, struct file_writer) : &stream->own;
	if (file_begin(stream->file, stream->path, err) < 0)
		return -1;
	stream->begun = true;
	return 0;
}

/* The file takes its place, or waits for the others. */
static int end_file(struct cli_stream *stream, struct error *err)
{
	struct held_files *held = stream->cli->held;
	stream->begun = false;
	if (!held)
		return file_end(stream->file, false, err);
	*arena_add(held->arena, &held->batch) = stream->file;
	return 0;
}

/* The file is begun with the first bytes: what fails before leaves no trace. */
static int add_to_file(struct cli_stream *stream, struct span text, struct error *err)
{
	if (!stream->begun && begin_file(stream, err) < 0)
		return -1;
	return file_add(stream->file, text, err);
}

int cli_write(const struct cli *cli, const char *path, struct span bytes, struct error *err)
{
	struct cli_stream stream = {.cli = cli, .path = path};
	struct strbuf none = {0};
	if (!cli_failed(cli, err) && add_to_file(&stream, bytes, err) == 0)
		return end_file(&stream, err);
	cli_output_abandon(&stream, &none);
	return -1;
}

int cli_output(const struct cli *cli, const char *path, struct strbuf *text, struct error *err)
{
	int rc = cli_failed(cli, err)           ? -1
		 : cli_is_standard_output(path) ? print_bytes(strbuf_span(text), err)
						: cli_write(cli, path, strbuf_span(text), err);
	strbuf_free(text);
	return rc;
}

static void take(void *context, struct span text)
{
	struct cli_stream *stream = context;
	if (!stream->failed)
		stream->failed = (cli_is_standard_output(stream->path)
					  ? print_bytes(text, &stream->err)
					  : add_to_file(stream, text, &stream->err)) < 0;
}

struct strbuf_drain cli_drain(struct cli_stream *stream)
{
	return (struct strbuf_drain){take, stream};
}

void cli_output_abandon(struct cli_stream *stream, struct strbuf *text)
{
	strbuf_free(text);
	if (stream->begun)
		file_abandon(stream->file);
	stream->begun = false;
}

int cli_output_rest(struct cli_stream *stream, struct strbuf *text, struct error *err)
{
	bool to_file = !cli_is_standard_output(stream->path);
	if (!stream->failed && to_file)
		stream->failed = cli_failed(stream->cli, &stream->err);
	take(stream, strbuf_span(text));
	if (!stream->failed && to_file) {
		stream->failed = end_file(stream, &stream->err) < 0;
	}
	cli_output_abandon(stream, text);
	if (stream->failed)
		*err = stream->err;
	return stream->failed ? -1 : 0;
}

int cli_print_json(const struct json *value, struct error *err)
{
	return cli_output_json(NULL, NULL, value, err);
}

int cli_output_json(const struct cli *cli, const char *path, const struct json *value,
		    struct error *err)
{
	struct strbuf sb = {0};
	struct cli_stream stream = {.cli = cli, .path = path};
	const struct strbuf_drain drain = cli_drain(&stream);
	json_write_long(&sb, value, false, &drain);
	strbuf_addch(&sb, '\n');
	return cli_output_rest(&stream, &sb, err);
}
