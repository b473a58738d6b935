/* The steps of gate_command_run(). */
#pragma once

#include "cli/gate/gate.h"

/* Where the baseline history begins: the first commit of the chain, and whether that commit belongs
 * to it (else the history begins at its parent). */
struct gate_reference {
	char oid[65];
	bool inclusive;
	const char *description; /* NULL: that of the window, which the configuration knows */
	char base[65];           /* the commit whose files decide; "": there is none */
	char tip[65];            /* of the branch that changes go to; "": not known */
	bool branched;           /* the candidate is a change that may go to that branch, and
				  * the history is the branch's */
	enum message_code when;  /* the change's own files count */
};
/* Translates --against. Sets input->newest, named, windowed and best, and *reference. Asks git only
 * for merge-base, for a revision that the store does not have, and for the branch whose acceptances
 * count. */
int gate_command_choose_reference(struct cli *cli, struct gate_input *input, const char *against,
				  struct gate_reference *reference, struct error *err);

/* Sets the base of a commit and the tip of the branch that it would be merged into, as
 * gate_command_load_names() says; base is "" for a commit of the branch itself, and tip where the
 * main branch is not known. */
int gate_command_base_of_change(struct cli *cli, const char *oid, const char *branch,
				struct gate_reference *reference, struct error *err);

/* The stored metric by which the gate limits how many commits it reads: the headline of the series.
 * METRIC_COUNT if a row judges another metric as well, which turns that limit off. */
enum metric gate_command_judged(struct cli *cli, const struct gate_series *series);

/* Like gate_command_load_histories(), but only as far back as `wanted` says; its metrics are filled
 * in here. */
int gate_command_load_window(struct cli *cli, const char *oid, const struct history_window *wanted,
			     struct history_set *set, struct error *err);

/* Loads the record of the series along the chain of a commit, and the newest pin on it: as far back
 * as verdicts need. Sets input->pin_name and input->pin. */
int gate_command_load_record(struct cli *cli, const struct gate_request *request, const char *oid,
			     const struct gate_series_list *list, struct gate_input *input,
			     struct history_set *set, struct error *err);

/* Where the main branch has newer measured commits than the record, adds to the result's reason
 * what would be worse at its tip. (tip.c) */
int gate_command_note_tip(struct cli *cli, const struct gate_request *request,
			  const struct gate_reference *reference, struct gate_result *result,
			  struct error *err);

/* Joins the candidate's series with their histories, adds missing and stale series, loads the runs
 * at the newest commit of each history, and marks incomparable series. */
int gate_command_join(struct cli *cli, const struct gate_request *request, struct gate_input *input,
		      struct gate_series_list *list, struct error *err);

/* Takes the series of earlier epochs that are measured in a later one out of the list. (epochs.c)
 */
void gate_command_join_epochs(struct cli *cli, const struct gate_input *input,
			      struct gate_series_list *list);

/* Loads the configuration that decides, once the reference is chosen. May replace reference->base,
 * and completes the description. */
int gate_command_load_rules(struct cli *cli, const struct gate_request *request,
			    struct gate_input *input, struct gate_reference *reference,
			    struct error *err);
/* Loads the acceptances that count into *input. */
int gate_command_load_acceptances(struct cli *cli, const struct gate_request *request,
				  const struct gate_reference *reference, struct gate_input *input,
				  struct error *err);

/* What --rerun is asked with. */
struct gate_rerun_request {
	const char *against;
	const char *folder; /* what the command writes, to be ingested; NULL: it does that itself */
};
/* Measures again what another measurement would decide. Returns 1 if there are new runs, and the
 * store was then opened again, so load what was loaded before; 0 if there is nothing to
 * measure. ERR_USAGE without a command, ERR_SYSTEM if it fails, ERR_STORE if it stores nothing. */
int gate_command_rerun(struct cli *cli, const struct gate_rerun_request *request,
		       const struct gate_result *gate, struct error *err);
