/*
 * Epochs: times in which series were measured in one way.
 *
 * When the measurement itself changes (another driver, clock or room), values before and after it
 * cannot be compared, though the code may be the same. An epoch has a name and patterns of series,
 * like a scenario; from when it is listed on, runs of these series get the parameter "epoch", which
 * is part of the series' identity. So the series splits in two.
 *
 * The list is in the order of time: the last one that fits a run counts.
 *
 * Never add when an epoch begins: it begins with the first run that has its name.
 */
#pragma once

#include "model/pattern/scenario.h"

extern const char epoch_param[]; /* "epoch" */

/* The name of the run's epoch by its patterns; NULL: none fits. */
const char *epoch_of(const struct scenario_list *epochs, const struct run *run);
/* The place in the list of the epoch that the run was stored with, from 1; 0: none, or one that is
 * not listed. */
size_t epoch_rank(const struct scenario_list *epochs, const struct run *run);
/* What identifies the series in all epochs of the list: the key of the run without its epoch. */
const char *epoch_series_key(struct arena *arena, const struct scenario_list *epochs,
			     const struct run *run);
