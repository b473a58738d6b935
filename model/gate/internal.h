/* What the files of the gate share. */
#ifndef MODEL_GATE_INTERNAL_H
#define MODEL_GATE_INTERNAL_H

#include "model/gate/gate.h"

/* The points' values from one on, with room for one more. */
double *gate_values(struct arena *arena, const struct history_points *points, size_t from);
/* The result of one of the runs is known to be wrong. */
bool gate_any_incorrect(const struct run_list *runs);
/* The metric's place in the histories; metric_count when it is not there. */
size_t gate_metric_place(const struct gate *gate, enum metric metric);
/* Whether the record alone, without the candidate, has a change for the worse in the window. */
bool gate_was_bad(const struct gate *gate, const struct comparison *one);
/* What looks worse, but did so before the candidate. */
void gate_clear_older_changes(struct arena *arena, struct gate *gate);

#endif
