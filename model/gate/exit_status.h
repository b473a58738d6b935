/*
 * The exit statuses: what the gate concludes, and what every command ends with. This is the only
 * place that knows their numbers; tests/lint/statuses.sh compares the
 * manual page of the gate and the topic exit-status with them.
 *
 * Never add loading, printing, or the choice of files.
 */
#pragma once

enum exit_status {
	EXIT_PASS = 0,        /* success; for gate: nothing fails */
	EXIT_REGRESSION = 1,  /* regression; for gate without --exit-code: something fails */
	EXIT_ERROR = 2,       /* usage or internal error; nothing can be concluded */
	EXIT_UNDECIDED = 3,   /* undecided: the data are too few or too noisy */
	EXIT_NO_BASELINE = 4, /* no baseline: there is nothing to compare with */
	EXIT_MISSING = 5,     /* impossible time, incomparable or missing series */
	EXIT_STALE = 6        /* the baseline is stale */
};
