/* What the files of the gate share. */
#pragma once

#include "model/gate/gate.h"

/* The points' values from one on, with room for one more. */
double *gate_values(struct arena *arena, const struct history_points *points, size_t from);
/* The runs' finite values of the metric, in order. */
struct verdict_values gate_values_of_runs(struct arena *arena, const struct run_list *runs,
					  enum metric metric);
/* The result of one of the runs is known to be wrong. */
bool gate_any_incorrect(const struct run_list *runs);
/* The metric's place in the histories; metric_count when it is not there. */
size_t gate_metric_place(const struct gate_result *gate, enum metric metric);
/* Whether a line of the base tree may be about it: it is worse, or gone. */
bool gate_is_acceptable(const struct comparison *one);

/* All runs of both sides are of one kernel, byte for byte. False where that is unknown. */
bool gate_same_kernel(const struct gate_series *series);
/* What the fact was in the first run that knows it; NULL when none does, or when one of them, as a
 * baseline that was measured again, has it as it is now. */
const char *gate_was_otherwise(const struct run_list *before, const char *key, const char *now);

/* --- the steps of gate_plan() and gate_run(), in their order --- */

/* Lists the runs around the changes that comparisons were judged by. */
void gate_need_changes(struct arena *arena, struct gate_result *gate,
		       struct gate_older_list *needed);
/* What looks worse, but did so before the candidate. */
void gate_clear_older_changes(struct arena *arena, struct gate_result *gate);
/* What no step shows. It becomes the verdict of a windowed gate only. */
void gate_decide_drift(struct arena *arena, struct gate_result *gate);
/* Lines of the base tree turn what they accept into VERDICT_ACCEPTED. */
void gate_accept(struct arena *arena, struct gate_result *gate);
/* Order, counts, one word, one exit status. */
void gate_conclude(struct arena *arena, struct gate_result *gate);
/* What each comparison shows beyond its verdict. */
void gate_describe(struct arena *arena, struct gate_result *gate);
struct gate_reruns gate_reruns_of(struct arena *arena, const struct gate_result *gate);
