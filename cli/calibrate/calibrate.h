/* rooflog calibrate: what its parts share. */
#pragma once

#include "cli/context.h"
#include "model/calibrate/calibrate.h"

/* Writes the groups' limits into the configuration, between the lines "# calibrate: begin" and
 * "# calibrate: end"; every other byte stays. */
int calibrate_command_write(struct cli *cli, const struct calibration *calibration,
			    const struct calibrate_request *request, struct error *err);
