/* What the configuration says: gate policies, devices, work formulas and tool classes, from its
 * sections to the model. */
#pragma once

#include "base/base.h"
#include "model/gate/gate.h"
#include "model/run/run.h"
#include "model/roofline/roofline.h"
#include "vcs/backend/config.h"

/* [gate "name"] is a row, [gate] has what all rows share and the defaults of their keys
 * (docs/user/configuration.md); without any row there is the default one. Unknown keys, metrics and
 * numbers are errors with file and line. */
int settings_policies_of(struct arena *arena, const struct config *config,
			 struct policy_list *policies, struct gate_settings *settings,
			 struct error *err);

/* [device "name"] bf16 = 78.6 TFLOP/s, bandwidth = 716 GB/s, per-core = true, source = text. */
int settings_devices_of(struct arena *arena, const struct config *config,
			struct hardware_list *devices, struct error *err);

/* [work "name"] flops and bytes (formulas over parameters), kernel, variant (patterns). */
int settings_works_of(struct arena *arena, const struct config *config, struct work_list *works,
		      struct error *err);

/* The user vouches that what one tool class says is what another would say: runs of the first are
 * stored as those of the second. */
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
/* NULL: the tool class is stored as itself. */
const char *settings_tool_alias(const struct tool_alias_list *tools, const char *name);

/* Where reports go that are read elsewhere than where they are written. */
struct report_place {
	const char *project; /* NULL: not said */
	const char *url;     /* where their charts will be found; NULL: nowhere */
};

/* [report] project = kernels, url = https://... */
int settings_report_of(const struct config *config, struct report_place *place, struct error *err);
/* NULL, or why the text cannot stand in a comment that others read. */
const char *settings_project_fault(const char *project);
const char *settings_url_fault(const char *url);

/* --- for the files that read a section --- */

int settings_check_sections(const struct config *config, struct error *err);
/* -1 with ERR_USAGE: file, line, key, value and what is wrong. */
int settings_policy_bad(struct error *err, const struct config *config,
			const struct config_entry *entry, const char *what);
