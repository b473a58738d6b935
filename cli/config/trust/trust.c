/* Reads the files of the base, and compares the configuration with that of the change. */
#include "cli/config/trust/trust.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/system/system.h"
#include "model/acceptance/acceptance.h"

static const char configuration_path[] = ".rooflog/config";
/* Bytes, as for the file of the work tree. */
static const size_t configuration_limit = 1u << 20;

#define FIELD(member) OPTION_FIELD(struct trust_options, member)
const struct option trust_option_rows[] = {
	{FIELD(work_tree), "trust-work-tree", NULL,
	 "take rules and acceptances from the work tree, not from the commit that is compared "
	 "with"},
	{.kind = OPTION_END},
};

/* --- files of commits --- */

/* The store's copy never expires, because the tree of a commit never changes. */
static bool read_stored(struct cli *cli, struct repository_file *file)
{
	const char *const place[] = {file->oid, file->path};
	struct store_tree_file stored;
	struct error ignored;
	if (!cli->store || store_tree_file(cli->store, &cli->arena, place, &stored, &ignored) < 0 ||
	    !stored.known)
		return false;
	file->found = stored.found;
	file->bytes = stored.bytes;
	return true;
}

int trust_read_commit(struct cli *cli, struct repository_file *file, const char **unread,
		      struct error *err)
{
	struct error why;
	struct revision revision;
	*unread = NULL;
	file->found = false;
	/* A store can be judged without its repository, and it may contain commits that git has
	 * removed. Neither is an error; *unread reports it. */
	if (read_stored(cli, file))
		return 0;
	if (cli_open_repository(cli, &why) < 0 ||
	    repository_revision(cli->repository, &cli->arena, file->oid, false, &revision, &why) <
		    0) {
		*unread = arena_strdup(&cli->arena, why.text);
		return 0;
	}
	return repository_read(cli->repository, &cli->arena, file, err);
}

static int remember(struct cli *cli, struct repository_file file, struct error *err)
{
	const char *const place[] = {file.oid, file.path};
	struct error ignored;
	/* An unreadable file is not an error here: the gate that needs it reports it. */
	if (read_stored(cli, &file) ||
	    repository_read(cli->repository, &cli->arena, &file, &ignored) < 0)
		return 0;
	return store_add_tree_file(cli->store, place, file.found ? &file.bytes : NULL, err);
}

int trust_remember(struct cli *cli, const char *oid, struct error *err)
{
	const struct repository_file files[] = {
		{.oid = oid, .path = ".rooflog/accept", .limit = ACCEPTANCE_FILE_LIMIT},
		{.oid = oid, .path = configuration_path, .limit = configuration_limit},
	};
	for (size_t i = 0; oid[0] && i < sizeof files / sizeof *files; i++)
		if (remember(cli, files[i], err) < 0)
			return -1;
	return 0;
}

/* --- paths that the user gave --- */

/* "ci/./x/../rooflog.config" becomes "ci/rooflog.config"; NULL if it leads out or to the top. Links
 * are not followed: they belong to the change. */
static const char *without_dots(struct arena *arena, struct span rest)
{
	char *text = arena_strndup(arena, "", 0);
	while (rest.ptr) {
		struct span name = span_cut(&rest, '/');
		char *slash = strrchr(text, '/');
		if (!name.len || span_is(name, "."))
			continue;
		if (!span_is(name, ".."))
			text = arena_printf(arena, "%s%s%.*s", text, text[0] ? "/" : "",
					    (int)name.len, name.ptr);
		else if (!text[0])
			return NULL;
		else
			text = slash ? arena_strndup(arena, text, (size_t)(slash - text))
				     : arena_strndup(arena, "", 0);
	}
	return text[0] ? text : NULL;
}

static bool is_below(const char *path, const char *top)
{
	size_t len = strlen(top);
	return strncmp(path, top, len) == 0 && path[len] == '/';
}

static const char *real_path(struct arena *arena, const char *path)
{
	char *found = realpath(path, NULL);
	const char *copy = found ? arena_strdup(arena, found) : NULL;
	free(found);
	return copy;
}

/* Where a path lies below the top of the work tree: "ci/rooflog.config"; NULL for a path that is
 * not in it. Links on the way to the work tree are followed, links within it are not. */
static int path_inside(struct cli *cli, const char *path, const char **inside, struct error *err)
{
	struct arena *arena = &cli->arena;
	*inside = NULL;
	if (cli_open_repository(cli, err) < 0)
		return cli->in_work_tree ? -1 : 0;
	const char *worktree = repository_worktree(cli->repository);
	const char *top = worktree ? real_path(arena, worktree) : NULL, *real = "";
	const char *here = path[0] == '/' ? "" : real_path(arena, ".");
	if (!top || !here || strcmp(path, "-") == 0)
		return 0;
	const char *whole = arena_printf(arena, "%s/%s", here, path);
	for (const char *end = strchr(whole + 1, '/'); real && end; end = strchr(end + 1, '/')) {
		real = real_path(arena, arena_strndup(arena, whole, (size_t)(end - whole)));
		if (real && strcmp(real, top) == 0)
			*inside = without_dots(arena, span_of(end + 1));
		if (*inside)
			return 0;
	}
	real = real_path(arena, path);
	if (!real || !is_below(real, top))
		return 0;
	return error_set(
		err, ERR_USAGE,
		"%s is a link into the work tree, which the change may control: give %s itself",
		path, real);
}

/* --- the configuration --- */

/* A configuration that is compared with the one that is used. */
struct other {
	const char *commit; /* NULL: the work tree's */
	bool known, found;
	struct config config;
	const char *fault; /* why it cannot be used; NULL: it can */
	bool unedited;     /* it is the template of a new repository */
};

/* Faults quote what the change wrote, which may have line ends; a notice is one line. */
static const char *one_line(struct arena *arena, const char *text)
{
	char *line = arena_strdup(arena, text);
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < 0x20)
			*c = ' ';
	return line;
}

static void parse(struct arena *arena, const char *path, struct span bytes, struct other *other)
{
	struct settings settings = {.loaded = false};
	struct error why;
	if (config_parse(arena, path, bytes, &settings.file, &why) < 0 ||
	    settings_read(arena, &settings, &why) < 0)
		other->fault = one_line(arena, why.text);
	other->config = settings.file;
}

/* Only a regular file is read: anything else may be endless. */
static struct other of_work_tree(struct cli *cli, const char *own, const char *path)
{
	struct other other = {.known = own != NULL};
	struct stat st;
	struct span bytes;
	struct error ignored;
	if (!own || (lstat(own, &st) < 0 && (errno == ENOENT || errno == ENOTDIR)))
		return other;
	other.found = true;
	if (lstat(own, &st) == 0 && S_ISREG(st.st_mode) &&
	    file_read(&cli->arena, own, configuration_limit, &bytes, &ignored) == 0) {
		parse(&cli->arena, path, bytes, &other);
		other.unedited = span_is(bytes, settings_template);
	} else {
		other.fault = arena_printf(
			&cli->arena, "%s is not a readable regular file of at most 1 MiB", path);
	}
	return other;
}

static struct other of_commit(struct cli *cli, const char *oid, const char *path)
{
	struct other other = {.commit = oid, .found = true};
	struct repository_file file = {.oid = oid, .path = path, .limit = configuration_limit};
	struct error why;
	const char *unread = NULL;
	if (trust_read_commit(cli, &file, &unread, &why) < 0)
		other.fault = one_line(&cli->arena, why.text);
	else if ((other.found = file.bytes.len > 0))
		parse(&cli->arena, path, file.bytes, &other);
	other.known = !unread;
	other.unedited = span_is(file.bytes, settings_template);
	return other;
}

static bool is_same_entry(const struct config_entry *a, const struct config_entry *b)
{
	return strcmp(a->section, b->section) == 0 && strcmp(a->subsection, b->subsection) == 0 &&
	       strcmp(a->key, b->key) == 0 && strcmp(a->value, b->value) == 0;
}

/* Whether both say the same; comments and layout do not count, and a file that is missing is like
 * an empty one. */
static bool is_same(const struct config *a, const struct config *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!is_same_entry(&a->entries[i], &b->entries[i]))
			return false;
	return true;
}

/* Every new repository gets the template: unless the user edits it, it counts as missing. */
static bool differs(const struct config *used, const struct other *other)
{
	if (used->count == 0 && other->unedited)
		return false;
	return other->known && (other->fault || !is_same(used, &other->config));
}

static const struct message *other_message(struct arena *arena, const struct other *other,
					   enum message_code when)
{
	struct message_value whose = other->commit
					     ? message_text(arena_prefix(arena, other->commit, 10))
					     : message_term(MESSAGE_CONFIGURATION_WORK_TREE);
	if (other->fault)
		return message_of(arena, MESSAGE_CONFIGURATION_INVALID, whose,
				  message_text(other->fault));
	if (other->commit && when == MESSAGE_CONFIGURATION_COMMITTED_AND_LATER)
		when = MESSAGE_CONFIGURATION_LATER;
	return other->found
		       ? message_of(arena, MESSAGE_CONFIGURATION_DIFFERS, whose, message_term(when))
		       : message_of(arena, MESSAGE_CONFIGURATION_REMOVED, whose,
				    message_term(when));
}

static const struct message *notice(struct arena *arena, const struct trust_request *request,
				    const struct gate_configuration *used,
				    const struct other *other)
{
	struct message_value path = message_text(used->path),
			     base = message_text(arena_prefix(arena, request->base, 10));
	const struct message *what =
		used->found ? message_of(arena, MESSAGE_CONFIGURATION_OF_COMMIT, path, base)
			    : message_of(arena, MESSAGE_CONFIGURATION_BUILT_IN, path, base);
	return message_of(arena, MESSAGE_CONFIGURATION, message_part(what),
			  message_part(other_message(arena, other, request->when)));
}

/* Compares with the file of the work tree, which the user may have edited, and with that of the
 * candidate, which the change brings. */
static void compare(struct cli *cli, const struct trust_request *request, const char *own,
		    struct gate_configuration *used)
{
	const struct config *config = &cli->settings.file;
	struct other edited = of_work_tree(cli, own, used->path),
		     brought = of_commit(cli, request->candidate, used->path);
	bool by_hand =
		differs(config, &edited) && (edited.fault || differs(&edited.config, &brought));
	used->differs = by_hand || differs(config, &brought);
	if (used->differs)
		used->notice = notice(&cli->arena, request, used, by_hand ? &edited : &brought);
}

/* The path of the configuration in the work tree; NULL for a bare repository. */
static const char *own_path(struct cli *cli)
{
	if (cli->common.config_path)
		return cli->common.config_path;
	return cli->repository && repository_worktree(cli->repository)
		       ? arena_printf(&cli->arena, "%s/%s", repository_home(cli->repository),
				      configuration_path)
		       : NULL;
}

static int parse_used(struct cli *cli, const struct repository_file *file, struct error *err)
{
	struct arena *arena = &cli->arena;
	const char *name = arena_printf(arena, "%.10s:%s", file->oid, file->path);
	/* What files describe stays; what another configuration did, goes with it. */
	const struct hardware_list none = {0};
	cli->settings =
		(struct settings){.devices = cli->settings.loaded ? none : cli->settings.devices};
	if (file->found && config_parse(arena, name, file->bytes, &cli->settings.file, err) < 0)
		return -1;
	return cli_read_settings(cli, err);
}

/* The configuration of a commit. */
static int load_of_commit(struct cli *cli, const struct trust_request *request, const char *path,
			  struct gate_configuration *used, const char **unread, struct error *err)
{
	struct repository_file file = {
		.oid = request->base, .path = path, .limit = configuration_limit};
	const char *own = own_path(cli);
	struct error why;
	if (trust_read_commit(cli, &file, unread, &why) < 0 ||
	    (!*unread && parse_used(cli, &file, &why) < 0))
		return error_set(err, why.kind, "%s; --trust-work-tree reads that of the work tree",
				 why.text);
	if (*unread)
		return 0;
	if (!file.found && cli->common.config_path && !file_exists(own))
		return error_set(err, ERR_USAGE,
				 "--config %s: neither %.10s nor the work tree has it", own,
				 request->base);
	cli->settings.loaded = true;
	*used = (struct gate_configuration){.source = "commit",
					    .path = path,
					    .commit = arena_strdup(&cli->arena, request->base),
					    .found = file.bytes.len > 0};
	compare(cli, request, own, used);
	return cli_use_aliases(cli, err);
}

/* The configuration of the caller, or of a work tree that is trusted. */
static int load_as_given(struct cli *cli, const struct trust_request *request, bool outside,
			 struct gate_configuration *used, struct error *err)
{
	if (cli_load_config(cli, err) < 0)
		return -1;
	*used = (struct gate_configuration){.source = outside ? "file" : "work-tree",
					    .path = cli->settings.file.path,
					    .found = cli->settings.file.path != NULL};
	/* No change is judged where files are compared. */
	if (request->work_tree && cli->files.count == 0)
		used->notice = message_plain(MESSAGE_CONFIGURATION_TRUSTED);
	return 0;
}

/* Refuses a repository that cannot be opened: its work tree's files must not be taken for the
 * caller's. And a submodule: it is what a commit of the repository around it says, with a main
 * branch, rules and a history of its own. */
static int check_repository(struct cli *cli, struct error *err)
{
	if (cli_open_repository(cli, err) < 0) {
		struct error why = *err;
		return cli->in_work_tree || getenv("GIT_DIR")
			       ? error_set(err, ERR_REVISION,
					   "cannot determine which rules apply: %s; make the "
					   "repository accessible to git (owner, safe.directory), "
					   "or give --trust-work-tree",
					   why.text)
			       : 0;
	}
	const char *outer = repository_superproject(cli->repository);
	if (!outer)
		return 0;
	return error_set(err, ERR_REVISION,
			 "this is a submodule of %s, where a change could choose its history and "
			 "rules: run the gate in that repository; to judge the submodule, set "
			 "GIT_DIR=%s or give --trust-work-tree",
			 outer, repository_git_dir(cli->repository));
}

int trust_load_configuration(struct cli *cli, const struct trust_request *request,
			     struct gate_configuration *used, const char **unread,
			     struct error *err)
{
	const char *path = configuration_path, *given = cli->common.config_path;
	struct error ignored;
	*unread = NULL;
	cli->base = NULL;
	if (!request->work_tree && check_repository(cli, err) < 0)
		return -1;
	/* Outside of any repository a path is the caller's. */
	if (cli_open_repository(cli, &ignored) < 0)
		path = given ? NULL : path;
	else if (given && path_inside(cli, given, &path, err) < 0)
		return -1;
	if (!request->work_tree && request->base[0])
		cli->base = arena_strdup(&cli->arena, request->base);
	if (!cli->base || !path)
		return load_as_given(cli, request, !path, used, err);
	return load_of_commit(cli, request, path, used, unread, err);
}

int trust_load_defaults(struct cli *cli, const struct trust_options *options, struct error *err)
{
	if (cli->settings.loaded)
		return 0;
	cli->base = options->work_tree ? NULL : "";
	if (options->work_tree)
		return cli_load_config(cli, err);
	if (cli_read_settings(cli, err) < 0)
		return -1;
	cli->settings.loaded = true;
	return 0;
}

/* --- templates --- */

static void warn_of_other(struct cli *cli, const char *path, struct span used)
{
	struct stat st;
	struct span own;
	struct error ignored;
	bool missing = lstat(path, &st) < 0;
	bool same = !missing && S_ISREG(st.st_mode) && (size_t)st.st_size == used.len &&
		    file_read(&cli->arena, path, used.len + 1, &own, &ignored) == 0 &&
		    span_eq(own, used);
	if (!same)
		cli_warn(cli, "%s is read from %.10s; %s once merged, or with --trust-work-tree",
			 path, cli->base,
			 missing ? "the work tree has none, which applies"
				 : "the work tree's differs and applies");
}

/* The file of the base. One that the work tree alone has is an error: to pass over it would
 * surprise whoever wrote it. */
static int read_of_base(struct cli *cli, const char *path, struct repository_file *file,
			struct error *err)
{
	struct stat st;
	const char *unread;
	if (!cli->base[0])
		return error_set(err, ERR_REVISION,
				 "%s: cannot determine which commit's file applies; "
				 "--trust-work-tree reads that of the work tree",
				 path);
	if (trust_read_commit(cli, file, &unread, err) < 0)
		return -1;
	if (unread)
		return error_set(err, ERR_REVISION, "%s: %s", path, unread);
	if (!file->found && lstat(path, &st) == 0)
		return error_set(err, ERR_USAGE,
				 "%s: %.10s has no such file: merge it first, or give "
				 "--trust-work-tree",
				 path, cli->base);
	if (file->found)
		warn_of_other(cli, path, file->bytes);
	return 0;
}

int trust_read_named(struct cli *cli, const char *path, size_t limit, bool *found,
		     struct span *bytes, struct error *err)
{
	const char *inside = NULL;
	if (cli->base && path_inside(cli, path, &inside, err) < 0)
		return -1;
	if (!inside) {
		*found = file_exists(path) || strcmp(path, "-") == 0;
		return *found ? file_read(&cli->arena, path, limit, bytes, err) : 0;
	}
	struct repository_file file = {.oid = cli->base, .path = inside, .limit = limit};
	if (read_of_base(cli, path, &file, err) < 0)
		return -1;
	*found = file.found;
	*bytes = file.bytes;
	return 0;
}
