/*
 * What every command shares: memory, where the repository, the store and the
 * configuration are, and how to talk to the person. Things are opened when first
 * asked for and closed by cli_free().
 */
#ifndef CLI_CONTEXT_H
#define CLI_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/strbuf.h"
#include "cli/config/policy.h"
#include "db/store/store.h"
#include "model/gate/gate.h"
#include "model/run/hardware.h"
#include "model/roofline/work_formulas.h"
#include "render/terminal/terminal.h"
#include "vcs/backend/config.h"
#include "vcs/repository.h"

/* Options that every command takes. */
struct common_options {
	const char *store_path;  /* --store or ROOFLOG_STORE; NULL: beside .git */
	const char *config_path; /* --config; NULL: .rooflog/config beside .git */
	const char *color;       /* --color auto|always|never */
	bool quiet;
};

/* What the configuration says, its defaults before cli_load_config(). */
struct settings {
	bool loaded;
	struct config file;
	struct hardware_list devices; /* [device] sections, then devices.json files */
	struct policy_list policies;  /* [gate "name"] sections */
	struct gate_settings gate;    /* [gate] */
	struct work_list works;       /* [work] sections */
	struct tool_alias_list tools; /* [tool] sections */
	struct report_place place;    /* [report] */
};

/* Hand on the member that a function needs, where it needs one only. */
struct cli {
	struct arena arena;
	struct common_options common;
	struct repository *repository; /* these three are opened on demand */
	struct store *store;
	struct settings settings;
	int64_t now; /* Unix seconds, read once */
};

int cli_open_repository(struct cli *cli, struct error *err);
/* The store's path whether or not it exists. */
int cli_store_path(struct cli *cli, const char **path, struct error *err);
int cli_open_store(struct cli *cli, enum store_mode mode, struct error *err);
/* Reads the configuration once: devices and policies; no file is an empty configuration. */
int cli_load_config(struct cli *cli, struct error *err);
void cli_free(struct cli *cli);

/* A line on stderr: "warning: ..." unless --quiet. */
void cli_warn(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_note(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Text to stdout; a failed write is an error. */
int cli_print(const char *text, struct error *err);
/* The same, cleaned; without UTF-8 a question mark takes the place of each column that is not
 * ASCII. */
int cli_print_clean(const char *text, struct error *err);
/* The same of a text that was built, which is freed. */
int cli_print_built(struct strbuf *text, struct error *err);
int cli_print_json(const struct json *value, struct error *err);
/* Writes to `path`, or prints when it is NULL or "-". */
int cli_output(const char *path, struct span bytes, struct error *err);
/* Whether stdout takes colour, and UTF-8. */
bool cli_color(const struct cli *cli);
bool cli_utf8(void);
/* Columns of the terminal, 80 when there is none. */
size_t cli_columns(void);
/* All that, and whether tables keep within the width. */
struct terminal cli_terminal(const struct cli *cli);
/* The width that tables keep within: that of a terminal; 0 where lines go to a file or a program,
 * which may be as long as they are. */
size_t cli_table_width(void);

#endif
