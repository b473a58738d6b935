/* Which runs the gate compares: series of a commit with the history that they are compared with. */
#ifndef CLI_GATE_DATA_H
#define CLI_GATE_DATA_H

#include "cli/runs/runs.h"
#include "model/gate/gate.h"

struct gate_request {
	const char *oid;                 /* full */
	const char *against;             /* GATE_AGAINST_HELP */
	const struct run_filter *filter; /* NULL: all series */
	struct gate_treatment treatment;
	bool every_number; /* as gate_input.every_number */
	bool asked;        /* the rows are the caller's: one that fits no series is no mistake */
};

/* What the candidate is compared with, as one line of help. */
#define GATE_AGAINST_WORDS                                                                         \
	"nearest, window, merge-base[:BRANCH], best, a named baseline, or a revision"
#define GATE_AGAINST_HELP GATE_AGAINST_WORDS " (default: nearest)"

/* Finds both sides, judges, explains the worst, and warns of rules that fit nothing. Runs of both
 * sides are derived; those of explained comparisons have their details (engines, totals by name,
 * tensors). */
int cli_gate(struct cli *cli, const struct gate_request *request, struct gate_result *result,
	     struct error *err);
/* Loads what a plan needs, with details. Runs that cannot be loaded stay unknown. */
void gate_load_older(struct cli *cli, const struct gate_input *input,
		     const struct gate_older_list *needed);

/* --- the steps of cli_gate() --- */

/* Where the record lies: the chain's first commit, and whether that one counts itself. */
struct gate_reference {
	char oid[65];
	bool inclusive;
	const char *words;
	char base[65]; /* the commit whose tree says what is accepted; "": none */
};
int gate_choose_reference(struct cli *cli, struct gate_input *input, const char *against,
			  struct gate_reference *reference, struct error *err);

/* Stores what is accepted at the commits by which a gate of this one may ask for it. */
int gate_remember_bases(struct cli *cli, const struct revision *candidate, struct error *err);

/* The stored metric of which the gate looks at the newest commits: what a series is known by.
 * METRIC_COUNT where rows judge another one as well. */
enum metric gate_judged(struct cli *cli, const struct gate_series *series);

/* The histories of all metrics that the rows judge, derived ones too: whole, or as far as a window
 * says, of which the metrics need not be filled in. */
int gate_load_window(struct cli *cli, const struct gate_reference *reference,
		     const struct history_window *wanted, struct history_set *set,
		     struct error *err);
int gate_load_histories(struct cli *cli, const struct gate_reference *reference,
			struct history_set *set, struct error *err);

/* Whether the run is wanted by the caller's filter; NULL wants all. */
bool gate_wants(const struct run_filter *filter, const struct run *run);

/* Joins the candidate's series with their histories, adds the series that are missed, loads the
 * runs at the newest commit of each record, and says which are incomparable. */
int gate_join(struct cli *cli, const struct gate_request *request, struct gate_input *input,
	      struct gate_series_list *list, struct error *err);

#endif
