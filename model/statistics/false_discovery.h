/*
 * Many series judged in one call: how far each p may be believed when so many
 * were looked at. Benjamini and Hochberg's adjusted p, here q: of all series with
 * q at most .10, one in ten on average is a false alarm, where the tests are
 * independent or err together in the same direction.
 */
#pragma once

#include <stddef.h>

#include "base/base.h"

/* q[i] = min over all j with p[j] >= p[i] of p[j] * m / rank(j), at most 1; rank(j) counts the p
 * that are not above p[j]. NAN was not judged: it counts for nothing and stays NAN. The result is
 * the arena's. */
double *false_discovery_adjust(struct arena *arena, const double *p, size_t count);
