/* Many tests at once: which of them would look bad by chance alone. */
#ifndef MODEL_MULTIPLICITY_H
#define MODEL_MULTIPLICITY_H

#include <stddef.h>

#include "base/arena.h"

/* Benjamini-Hochberg: q[i] is the smallest share of false discoveries at which test i is still one
 * of the discoveries. NAN where p[i] is: such a test was not made and does not count. */
double *multiplicity_adjust(struct arena *arena, const double *p, size_t count);

#endif
