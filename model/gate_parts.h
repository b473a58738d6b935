/* What the files of the gate share. */
#ifndef MODEL_GATE_PARTS_H
#define MODEL_GATE_PARTS_H

#include "model/gate.h"

/* The points' values from one on, with room for one more. */
double *gate_values(struct arena *arena, const struct history_points *points, size_t from);

#endif
