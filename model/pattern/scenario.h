/*
 * Scenarios: named groups of runs, such as prefill and decode, and what their runs add up to.
 *
 * A scenario has patterns of series; a run that one of them fits belongs to it. So a run may belong
 * to several scenarios; the runs of none form one more group, which has no scenario. Groups and
 * their totals are for people to read; no verdict depends on them.
 *
 * Never add what is said of a group.
 */
#pragma once

#include "model/run/run.h"

struct scenario {
	const char *name;
	const char **patterns; /* as model/pattern takes them */
	size_t pattern_count, pattern_capacity;
};

struct scenario_list {
	struct scenario *items;
	size_t count, capacity;
};

/* Adds a pattern to the scenario of this name, which is added if there is none. The texts must
 * outlive the list. */
void scenario_add(struct arena *arena, struct scenario_list *list, const char *name,
		  const char *pattern);
bool scenario_has(const struct scenario *scenario, const struct run *run);

/* The runs of one group, by their indices, in order. */
struct scenario_group {
	const struct scenario *scenario; /* NULL: the runs of no scenario */
	size_t *runs, count;
	size_t untimed; /* runs without a time */
	bool repeated;  /* two runs are of one series: their times do not add up */
};

/* The groups that have runs, in the order of the list, then the runs of no scenario. *count is 0 if
 * the list is empty or no scenario has runs. */
struct scenario_group *scenario_groups(struct arena *arena, const struct scenario_list *list,
				       const struct run *const *runs, size_t run_count,
				       size_t *count);
/* Seconds: the sum of the times of one execution of each run. NAN if none has one, if some have
 * been timed on the device and others on the host, or if runs are repeated. */
double scenario_time(const struct scenario_group *group, const struct run *const *runs);
/* The mean of a fraction of the time or of a peak, weighted by time: for MFU the FLOP of all runs,
 * divided by what the peaks allow in the time of all. NAN if it or the time of any run is
 * unknown. */
double scenario_mean(const struct scenario_group *group, const struct run *const *runs,
		     enum metric fraction);

/*
 * Epochs: times in which series were measured in one way.
 *
 * When the measurement itself changes (another driver, clock or room), values before and after it
 * cannot be compared, though the code may be the same. An epoch has a name and patterns of series,
 * as a scenario has; runs that are ingested while it is listed get the parameter "epoch", which is
 * part of the series' identity. So the series splits in two.
 *
 * The list is in the order of time: the last one that fits a run counts. An epoch begins with the
 * first run that has its name.
 */
extern const char epoch_param[]; /* "epoch" */

/* The name of the run's epoch by its patterns; NULL: none fits. */
const char *epoch_of(const struct scenario_list *epochs, const struct run *run);
/* The place in the list of the epoch that the run was stored with, from 1; 0: none, or one that is
 * not listed. */
size_t epoch_rank(const struct scenario_list *epochs, const struct run *run);
/* What identifies the series in all epochs of the list: the key of the run without its epoch. */
const char *epoch_series_key(struct arena *arena, const struct scenario_list *epochs,
			     const struct run *run);
