/* From the sections of the configuration to structs of the model: gate rows, devices, work
 * formulas, tool classes and publication. All texts belong to the configuration, which must outlive
 * them. */
#pragma once

#include "base/base.h"
#include "model/gate/gate.h"
#include "model/renaming/renaming.h"
#include "model/run/run.h"
#include "model/roofline/roofline.h"
#include "vcs/backend/config.h"

/* The user vouches that two tool classes measure the same: runs of class `name` are stored as those
 * of class `as`. */
struct settings_tool_alias {
	const char *name, *as;
};

struct tool_alias_list {
	struct settings_tool_alias *items;
	size_t count, capacity;
};

/* For reports that are read elsewhere than they are written. */
struct publication {
	const char *project; /* NULL: not set */
	const char *url;     /* base URL of the published charts; NULL: none */
};

/* What a repository without a configuration gets: comments, and a noise. */
extern const char settings_template[];

struct settings {
	bool loaded;        /* by cli_load_config() */
	struct config file; /* as parsed; everything below comes from its sections: */
	/* [gate "name"] is a row; [gate] has the settings that all rows share and the defaults of
	 * their keys (docs/user/configuration.md). Without any row, the default row is added. */
	struct policy_list policies;
	struct gate_settings gate;
	/* [device "name"] bf16 = 78.6 TFLOP/s, bandwidth = 716 GB/s, per-core = true, source =
	 * text. Stored in FLOP/s and byte/s. Ingest adds those of devices.json files. */
	struct hardware_list devices;
	/* [work "name"] flops and bytes (formulas over parameters), kernel, variant (patterns). */
	struct work_list works;
	struct tool_alias_list tools;   /* [tool "ntff"] as = neuron-profile */
	struct renaming_list aliases;   /* [alias "flash_fwd"] as = attention */
	struct publication publication; /* [report] project = kernels, url = https://... */
};

/* Fills in the rest from settings->file. Unknown sections, keys and metrics and invalid values are
 * errors with file and line. */
int settings_read(struct arena *arena, struct settings *settings, struct error *err);

/* The class that runs of the class `name` are stored as; NULL: `name` itself. */
const char *settings_tool_alias(const struct tool_alias_list *tools, const char *name);
/* NULL, or why a text is not allowed in a published comment: a constant, for an error message. */
const char *settings_project_fault(const char *project);
const char *settings_url_fault(const char *url);

/* --- shared by settings.c and settings_gate.c --- */

/* One entry and where to report its faults. */
struct settings_reading {
	struct arena *arena;
	const struct config *config;
	const struct config_entry *entry;
	struct error *err;
};
/* -1 with ERR_USAGE: file, line, key, value and what is wrong. */
int settings_bad(const struct settings_reading *r, const char *what);
/* Reads the [gate] sections. */
int settings_read_gate(struct arena *arena, struct settings *settings, struct error *err);
