/* From the sections of the configuration to structs of the model: gate rows, devices, work
 * formulas, tool classes and publication. All texts belong to the configuration, which must outlive
 * them. */
#pragma once

#include "base/base.h"
#include "cli/config/option.h"
#include "model/gate/gate.h"
#include "model/renaming/renaming.h"
#include "model/run/run.h"
#include "model/roofline/roofline.h"
#include "model/pattern/scenario.h"
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

/* What rooflog mcp may run: [run "decode"] command = ./bench decode. */
struct run_command {
	const char *name;
	const char *command, *build, *check; /* for the shell; NULL: not set */
};

struct run_command_list {
	struct run_command *items;
	size_t count, capacity;
};

/* For reports that are read elsewhere than they are written. */
struct publication {
	const char *project;  /* NULL: not set */
	const char *charts;   /* base URL of the published charts; NULL: none */
	const char *url;      /* of the repository on the web; NULL: by what git clones from */
	const char *releases; /* pattern of the tags that are releases; NULL: all */
	const char *site;     /* URL of the pages of rooflog site; NULL: none */
	bool chinese;         /* [project] language = zh: what people read is in Chinese */
};

/* What a repository without a configuration gets: comments, and a noise. */
extern const char settings_template[];

struct settings {
	bool loaded;         /* by cli_load_config() */
	bool partial;        /* settings_check(): a file may complete the rules */
	struct config file;  /* as parsed, */
	struct config given; /* the keys of the command line, */
	struct config all;   /* and both; everything below comes from its sections: */
	/* [rule "name"] is a rule; [gate] has the settings that all rules share and the defaults of
	 * their keys (docs/user/configuration.md). Without any rule, the default rule is added. */
	struct policy_list policies;
	struct gate_settings gate;
	/* [device "name"] bf16 = 78.6 TFLOP/s, bandwidth = 716 GB/s, per-core = true, source =
	 * text. Stored in FLOP/s and byte/s. Ingest adds those of devices.json files. */
	struct hardware_list devices;
	/* [work "name"] flops and bytes (formulas over parameters), kernel, variant (patterns). */
	struct work_list works;
	struct tool_alias_list tools;      /* [tool "ntff"] as = neuron-profile */
	struct renaming_list aliases;      /* [alias "flash_fwd"] as = attention */
	struct scenario_list scenarios;    /* [scenario "decode"] series = attention s=1 */
	struct scenario_list epochs;       /* [epoch "driver-570"] series = * ncu */
	struct run_command_list commands;  /* [run "decode"] command, build, check */
	struct publication publication;    /* [project] name = kernels, url = https://... */
	double bisect_noise, bisect_error; /* [bisect]; noise: NAN: estimated from the history */
	double fusion_noise;               /* [fusion] of a time with few repeats */
	bool chart_dark;                   /* [chart] for a dark background */
};

/* Parses the values of -c, "gate.noise=2%", as git does: the section ends at the first dot of the
 * key, the name begins after its last, and the subsection is what is between. ERR_USAGE for any
 * other form. */
int settings_give(struct arena *arena, const struct text_list *list, struct config *given,
		  struct error *err);
/* Refuses keys and values that no file can make good, before anything is opened. */
int settings_check(struct arena *arena, const struct text_list *list, struct error *err);
/* Fills in the rest from settings->file and, on top of it, settings->given. Unknown sections, keys
 * and metrics and invalid values are errors with file and line. */
int settings_read(struct arena *arena, struct settings *settings, struct error *err);

/* The keys of a section, "noise, error", and how it is written, "[rule "name"]". */
const char *settings_keys(struct arena *arena, const char *section);
const char *settings_title(const char *section);

/* The class that runs of the class `name` are stored as; NULL: `name` itself. */
const char *settings_tool_alias(const struct tool_alias_list *tools, const char *name);

/* --- shared by settings.c and settings_gate.c --- */

/* One entry and where to report its faults. */
struct settings_reading {
	struct arena *arena;
	const struct config *config;
	const struct config_entry *entry;
	struct error *err;
};
/* Where an entry is: "FILE:LINE", or "-c gate.noise=2%", as it was typed. */
enum { SETTINGS_PLACE_SIZE = 512 }; /* a longer path is cut, as messages are */
const char *settings_place(const struct settings_reading *r, char place[SETTINGS_PLACE_SIZE]);
/* -1 with ERR_USAGE: the place, key, value and what is wrong. */
int settings_bad(const struct settings_reading *r, const char *what);
/* The keys of [gate], else of [rule]. */
const char *settings_gate_keys(struct arena *arena, bool shared);
/* Reads [gate] and the [rule] sections. */
int settings_read_gate(struct arena *arena, struct settings *settings, struct error *err);
