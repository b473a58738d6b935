/*
 * What every command shares: memory, the repository, the store, the configuration, and printing.
 * Each is opened on first use and closed by cli_free().
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "base/system/system.h"
#include "cli/config/config.h"
#include "db/store/store.h"
#include "model/gate/gate.h"
#include "model/run/run.h"
#include "model/roofline/roofline.h"
#include "render/terminal/terminal.h"
#include "vcs/backend/config.h"
#include "vcs/repository.h"

/* Options that every command takes. */
struct common_options {
	struct text_list directories; /* -C: to start in, one after the other */
	struct text_list given;       /* -c: keys of the configuration, for one call */
	const char *store_path;       /* --store or ROOFLOG_STORE; NULL: beside .git */
	const char *config_path;      /* --config; NULL: .rooflog/config beside .git */
	const char *color;            /* --color auto|always|never */
	bool no_pager;                /* --no-pager */
	bool quiet;
	bool json; /* --json: one document (docs/schema) instead of text */
};

/* The state of one command. A function that needs only one member takes that member instead. */
struct cli {
	struct arena arena;
	struct common_options common;
	struct repository *repository; /* NULL or not loaded until the first cli_open_...() or
					* cli_load_config() */
	struct repository *other; /* in which a file lies that cli_is_brought() was asked about */
	struct store *store;
	struct revision_list files;   /* that were read instead of a store (cli/runs/files) */
	const char *language;         /* "en" or "zh", by an option; NULL: [project] language */
	struct settings settings;     /* zero until cli_load_config() */
	bool in_work_tree;            /* .git lies here or above, whether git accepts it or not */
	struct held_files *held;      /* cli_hold_files(); NULL: files take their places at once */
	struct written_list *written; /* output_wrote() */
	bool copies_again;            /* those of stores on a server are made again */
	bool failed;                  /* cli_fail() */
	struct error failure;
	/* The commit whose files decide or present a verdict (cli/config/trust). NULL: those of the
	 * work tree do; "": a verdict was asked for, and its base is not known. */
	const char *base;
	int64_t now;   /* Unix seconds, read once, or SOURCE_DATE_EPOCH */
	int64_t begun; /* the same in microseconds, always of the clock */
};

/* From now on, no file of a command is read or written through a link that lies in the work tree of
 * the current directory (base/system/path.h). Profiles are. */
int cli_protect_work_tree(struct cli *cli, struct error *err);
/* Opens the repository of the current directory, once. */
int cli_open_repository(struct cli *cli, struct error *err);
/* Whether git tracks the file or link, in the repository in which it lies: then a commit brought
 * it. False outside of a repository. */
bool cli_is_brought(struct cli *cli, const char *path);
/* Whether it is anything but a regular file, or HEAD has the same bytes: its removal loses nothing.
 */
bool cli_is_committed(struct cli *cli, const char *path);
/* The store, which need not exist: --store, else ROOFLOG_STORE, else .rooflog/runs.db next to .git.
 * Only the last case opens the repository. It is the path of a file or the address of a server
 * (db/postgres/postgres.h), and may have a password: cli_store_name() is for people. */
int cli_store_path(struct cli *cli, const char **path, struct error *err);
const char *cli_store_name(struct cli *cli, const char *path);
bool cli_store_is_remote(const char *path);
/* Whether the file is there; a server is asked when the store is opened. */
bool cli_store_exists(const char *path);
/* The options of this process that say where configuration and store are, for another rooflog; NULL
 * at the end. */
const char *const *cli_common_words(struct arena *arena, const struct common_options *common);
/* Runs a program of the user's that stores runs, for at most a week, whatever its status:
 * ROOFLOG_STORE names the store, and what it prints goes to standard error, because standard output
 * is the result's. Errors as process_run(); the caller frees the result. */
struct process_result;
int cli_run_storing(struct cli *cli, const char *const *argv, struct process_result *result,
		    struct error *err);
/* Opens the store, once: later calls keep the first mode, so the mode of the first call must
 * suffice for the whole command. STORE_CREATE also makes the folder; the other modes refuse a store
 * that does not exist. A store for reading shows one snapshot until cli_free(). */
int cli_open_store(struct cli *cli, enum store_mode mode, struct error *err);
/* Opens another store, which the caller closes with store_close(). */
int cli_open_other_store(struct cli *cli, const char *path, enum store_mode mode,
			 struct store **store, struct error *err);
/* Writes into .rooflog beside .git what is not there: a .gitignore, which keeps the store out of
 * git, and a configuration. Making a store there does so. */
int cli_set_up(struct cli *cli, struct error *err);
/* Reads the configuration, once, into cli->settings. A missing default file is an empty
 * configuration; a missing file that --config names is an error. */
int cli_load_config(struct cli *cli, struct error *err);
/* address_of_commits() of the project: by [project] url, else by the remote "origin", if its host
 * is known. NULL: none. Loads the configuration first. */
int cli_commit_url(struct cli *cli, const char **prefix, struct error *err);
/* What comes before "A...B" in the URL of the difference of two commits; NULL: none. `commits` is
 * what cli_commit_url() found. */
const char *cli_diff_url(struct cli *cli, const char *commits);
/* The URL of the site's pages with a slash at its end; NULL: none. The configuration is loaded. */
const char *cli_site_url(struct cli *cli);
/* Fills cli->settings from its file, which was parsed, and the keys of the command line. For those
 * who choose another file than cli_load_config(). */
int cli_read_settings(struct cli *cli, struct error *err);
/* Hands the configuration's names of series to the store, when both are there. Whoever fills
 * cli->settings calls it. */
int cli_use_aliases(struct cli *cli, struct error *err);
void cli_free(struct cli *cli);

/* For what is loaded while an output is being made: the first failure ends the command with an
 * error, whatever else its result is. */
void cli_fail(struct cli *cli, const struct error *err);
/* Whether there was one; then it is in *err. */
bool cli_failed(const struct cli *cli, struct error *err);

/* One line on standard error, unless --quiet. Control characters are replaced. cli_warn() begins it
 * with "warning: ". */
void cli_warn(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_note(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Text to standard output: control characters are replaced and, if the terminal has no UTF-8, every
 * column that is not ASCII becomes a question mark. A failed write is an error. */
int cli_print_clean(const char *text, struct error *err);
/* The same for a buffer, which is freed even after an error. */
int cli_print_built(struct strbuf *text, struct error *err);
/* A document on one line to standard output. */
int cli_print_json(const struct json *value, struct error *err);
/* Writes a file that can be made again; after cli_fail() the old file stays, because what was made
 * since then is incomplete. Commands write all such files with this. */
int cli_write(const struct cli *cli, const char *path, struct span bytes, struct error *err);
/* From here on files wait next to their places for cli_place_files(). What still waits at the end
 * of the command is removed: all files are there, or none. */
void cli_hold_files(struct cli *cli);
int cli_place_files(struct cli *cli, struct error *err);
/* Writes the bytes of a buffer, as they are, to `path`, or prints them when it is NULL or "-". Does
 * neither after cli_fail(). The buffer is freed even after an error. */
int cli_output(const struct cli *cli, const char *path, struct strbuf *text, struct error *err);
/* The same for a text that is too long to be made first: its beginning goes through the drain, and
 * cli_output_rest() writes and frees the rest, or reports the first failure. A file takes its place
 * then: whoever does not get there calls cli_output_abandon(), and the old file stays. */
struct cli_stream {
	const struct cli *cli; /* only a file needs it */
	const char *path;
	bool begun, failed;
	struct file_writer *file, own; /* once it has begun */
	struct error err;
};
struct strbuf_drain cli_drain(struct cli_stream *stream);
int cli_output_rest(struct cli_stream *stream, struct strbuf *text, struct error *err);
void cli_output_abandon(struct cli_stream *stream, struct strbuf *text);
/* Whether cli_output() prints to this path. */
bool cli_is_standard_output(const char *path);
/* The same for a document on one line. */
int cli_output_json(const struct cli *cli, const char *path, const struct json *value,
		    struct error *err);
/* Whether standard output may have colors (--color, NO_COLOR, TERM), and whether the locale is
 * UTF-8. */
bool cli_color(const struct cli *cli);
bool cli_utf8(void);
/* Columns of the terminal: COLUMNS, else its real width; 80 if standard output is not a
 * terminal. */
size_t cli_columns(void);
/* If standard output is a terminal, long texts go through the user's pager from now on
 * (cli/terminal.c). Never for what programs read. */
void cli_page(const struct cli *cli);
/* All of these, and whether tables wrap at the width. */
struct terminal cli_terminal(const struct cli *cli);
/* The width of tables: that of the terminal. 0 means no limit, for files and pipes, whose readers
 * expect one line per row. */
size_t cli_table_width(void);
