/* The steps of gate_command_run(). */
#pragma once

#include "cli/gate/gate.h"

/* Fills in all that is judged; the members of the input are set in the order of these steps. */
int gate_command_load_input(struct cli *cli, const struct gate_request *request,
			    struct gate_input *input, struct error *err);

/* Where the baseline history lies: the chain's first commit, and whether that one counts itself. */
struct gate_reference {
	char oid[65];
	bool inclusive;
	const char *words;
	char base[65]; /* the commit whose tree says what is accepted; "": none */
};
int gate_command_choose_reference(struct cli *cli, struct gate_input *input, const char *against,
				  struct gate_reference *reference, struct error *err);

/* The stored metric of which the gate looks at the newest commits: what a series is known by.
 * METRIC_COUNT where rules judge another one as well. */
enum metric gate_command_judged(struct cli *cli, const struct gate_series *series);

/* As gate_command_load_histories(), but only as far as a window says; its metrics need not be
 * filled in. */
int gate_command_load_window(struct cli *cli, const char *oid, const struct history_window *wanted,
			     struct history_set *set, struct error *err);

/* Joins the candidate's series with their histories, adds the series that are missed, loads the
 * runs at the newest commit of each history, and states which are incomparable. */
int gate_command_join(struct cli *cli, const struct gate_request *request, struct gate_input *input,
		      struct gate_series_list *list, struct error *err);
