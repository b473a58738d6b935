/*
 * Runs of GPU kernels from traces and summaries: how a kernel is named, and how
 * kernels of one file that would share a series though they are different work
 * are told apart.
 */
#pragma once

#include <stddef.h>

#include "base/base.h"
#include "model/run/run.h"

enum { kernel_run_limit = 4096 }; /* of one file; the rest is counted in a note */

/* What a tool says about all launches of a kernel together, in seconds; NAN unknown. */
struct kernel_summary {
	double count, total, mean, median, minimum, maximum, deviation;
};

/* What one run stands for. */
struct kernel_work {
	struct run *run;
	const char *symbol;            /* as the tool prints it, else "?<hash>" */
	double grid[3];                /* blocks; NAN unknown */
	double block[3];               /* threads of a block; NAN unknown */
	double seconds;                /* of all its launches, which order the runs */
	struct kernel_summary summary; /* where the file has nothing finer */
};

/* Fills work->run (kernel, tool, node, "kernel_symbol", grid and block sizes) and work->symbol. A
 * name that is not clean UTF-8, or longer than 64 KiB, is "?"; its symbol is a hash, so that two of
 * them are not one kernel. */
void kernel_work_init(struct arena *arena, struct kernel_work *work, const char *tool,
		      struct span symbol);
void kernel_work_give_sizes(struct kernel_work *work);

/* Gives the run its time (the median, else the mean with a note), spread and count of launches. -1
 * and *err when the numbers contradict each other. */
int kernel_work_summarise(struct arena *arena, struct kernel_work *work,
			  const struct kernel_summary *summary, struct error *err);

/* Adds the runs, the one with the most time first. Runs that have kernel and device in common get
 * the parameters in which they differ: "grid" and "block" ("128x1x1"), "symbol" (a hash of the
 * whole name, where short names are the same). Where nothing differs (names that the tool cut off)
 * they are one run, whose time is the mean of all launches. */
void kernel_runs_add(struct arena *arena, struct kernel_work *works, size_t count,
		     struct run_list *runs);
