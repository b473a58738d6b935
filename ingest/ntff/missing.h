/*
 * What a native trace leaves unknown, and what would supply it. Asked once a
 * run is complete: what has joined it is not asked for.
 */
#ifndef INGEST_NTFF_MISSING_H
#define INGEST_NTFF_MISSING_H

#include "base/arena.h"
#include "model/run/run.h"

/* One sentence; NULL when nothing is missing. */
const char *ntff_missing(struct arena *arena, const struct run *run);

#endif
