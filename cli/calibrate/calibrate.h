/* rooflog calibrate: what its parts share. */
#ifndef CLI_CALIBRATE_CALIBRATE_H
#define CLI_CALIBRATE_CALIBRATE_H

#include "cli/context.h"
#include "model/calibrate/calibrate.h"

struct calibrate_request {
	const char *oid;      /* the chain begins here */
	double wished;        /* false alarms */
	const char *per;      /* "week", "night" or "gate" */
	double calls_a_week;  /* of the gate; NAN: unknown */
	bool calls_are_given; /* by the person, else those of the history */
};

/* Flags of a tally in a week; NAN where the rate of calls is unknown. */
double calibrate_weekly(const struct calibration *calibration,
			const struct calibrate_request *request, double flagged);
/* The same, an upper bound with 90 % confidence. */
double calibrate_weekly_bound(const struct calibration *calibration,
			      const struct calibrate_request *request,
			      const struct calibrate_tally *tally);
/* Flags with the chosen limits that a second measurement would repeat if both were independent. */
double calibrate_repeated(const struct calibration *calibration);
/* "gemm fused m=512": kernel, variant and parameters; the row where there are several. */
const char *calibrate_name(struct arena *arena, const struct calibration *calibration,
			   const struct calibrate_series *series);
/* The share of the noise's variance that lies between sessions of one commit, in the median of the
 * series that have some; NAN: none has. */
double calibrate_within(struct arena *arena, const struct calibration *calibration, size_t *series);

const char *calibrate_text(struct cli *cli, const struct calibration *calibration,
			   const struct calibrate_request *request);
struct json *calibrate_json(struct arena *arena, const struct calibration *calibration,
			    const struct calibrate_request *request);
/* Writes the groups' limits into the configuration, between the lines "# calibrate: begin" and
 * "# calibrate: end"; every other byte stays. */
int calibrate_write(struct cli *cli, const struct calibration *calibration,
		    const struct calibrate_request *request, struct error *err);

#endif
