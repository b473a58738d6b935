/* What the configuration says: gate policies, devices and work formulas, from its sections to the
 * model. */
#ifndef CLI_POLICY_H
#define CLI_POLICY_H

#include "base/arena.h"
#include "base/error.h"
#include "model/gate.h"
#include "model/hardware.h"
#include "model/work.h"
#include "vcs/config.h"

/* [gate "name"] metric, kernel, relative, absolute; without any section the default policy.
 * Unknown keys, metrics and numbers are errors with file and line. */
int policies_of_config(struct arena *arena, const struct config *config,
		       struct policy_list *policies, struct error *err);

/* [device "name"] bf16 = 78.6 TFLOP/s, bandwidth = 716 GB/s, per-core = true, source = text. */
int devices_of_config(struct arena *arena, const struct config *config,
		      struct hardware_list *devices, struct error *err);

/* [work "name"] flops and bytes (formulas over parameters), kernel, variant (patterns). */
int works_of_config(struct arena *arena, const struct config *config, struct work_list *works,
		    struct error *err);

#endif
