/*
 * What a native trace leaves unknown, and which file would supply it. Called once a run is
 * complete, so that values from companions are not asked for.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

/* One sentence; NULL if nothing is missing. */
const char *ntff_run_missing_data(struct arena *arena, const struct run *run);
