/*
 * Correction for judging many series in one call: Benjamini and Hochberg's adjusted p, called q
 * here. Among all series with q at most 0.10, one in ten on average is a false alarm, if the tests
 * are independent or positively dependent.
 */
#pragma once

#include "base/base.h"

/* q[i] = min over all j with p[j] >= p[i] of p[j] * m / rank(j), at most 1; rank(j) is the number
 * of p that are not above p[j]. NAN (not judged) is ignored and stays NAN. The result is in the
 * arena. */
double *false_discovery_adjust(struct arena *arena, const double *p, size_t count);
