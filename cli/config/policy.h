/* From the sections of the configuration to structs of the model: gate rows, devices, work formulas
 * and tool classes. All texts belong to the configuration, which must outlive them. */
#pragma once

#include "base/base.h"
#include "model/gate/gate.h"
#include "model/run/run.h"
#include "model/roofline/roofline.h"
#include "vcs/backend/config.h"

/* [gate "name"] is a row; [gate] has the settings that all rows share and the defaults of their
 * keys (docs/user/configuration.md). Without any row, the default row is added. Unknown keys and
 * metrics and invalid numbers are errors with file and line. */
int settings_policies_of(struct arena *arena, const struct config *config,
			 struct policy_list *policies, struct gate_settings *settings,
			 struct error *err);

/* [device "name"] bf16 = 78.6 TFLOP/s, bandwidth = 716 GB/s, per-core = true, source = text. Stored
 * in FLOP/s and byte/s. */
int settings_devices_of(struct arena *arena, const struct config *config,
			struct hardware_list *devices, struct error *err);

/* [work "name"] flops and bytes (formulas over parameters), kernel, variant (glob patterns). */
int settings_works_of(struct arena *arena, const struct config *config, struct work_list *works,
		      struct error *err);

/* The user vouches that two tool classes measure the same: runs of class `name` are stored as those
 * of class `as`. */
struct settings_tool_alias {
	const char *name, *as;
};

struct tool_alias_list {
	struct settings_tool_alias *items;
	size_t count, capacity;
};

/* [tool "ntff"] as = neuron-profile. */
int settings_tools_of(struct arena *arena, const struct config *config,
		      struct tool_alias_list *tools, struct error *err);
/* The class that runs of the class `name` are stored as; NULL: `name` itself. */
const char *settings_tool_alias(const struct tool_alias_list *tools, const char *name);

/* For reports that are read elsewhere than they are written. */
struct report_place {
	const char *project; /* NULL: not set */
	const char *url;     /* base URL of the published charts; NULL: none */
};

/* [report] project = kernels, url = https://... */
int settings_report_of(const struct config *config, struct report_place *place, struct error *err);
/* NULL, or why a text is not allowed in a published comment: a constant, for an error message. */
const char *settings_project_fault(const char *project);
const char *settings_url_fault(const char *url);

/* --- shared by policy.c, policy_gate.c and policy_report.c --- */

int settings_check_sections(const struct config *config, struct error *err);
/* -1 with ERR_USAGE: file, line, key, value and what is wrong. */
int settings_policy_bad(struct error *err, const struct config *config,
			const struct config_entry *entry, const char *what);
