/*
 * What a native trace leaves unknown, and what would supply it. Asked once a
 * run is complete: what has joined it is not asked for.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

/* One sentence; NULL when nothing is missing. */
const char *ntff_missing(struct arena *arena, const struct run *run);
