/*
 * Runs of GPU kernels from traces and summaries: how they are named, and which parameters
 * distinguish kernels of one file that would otherwise share a series although their work differs.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

enum { kernel_run_limit = 4096 }; /* per file; a warning counts the rest */

/* A tool's statistics over all launches of a kernel, in seconds; NAN unknown. */
enum kernel_statistic {
	KERNEL_COUNT,
	KERNEL_TOTAL,
	KERNEL_MEAN,
	KERNEL_MEDIAN,
	KERNEL_MINIMUM,
	KERNEL_MAXIMUM,
	KERNEL_DEVIATION,
	KERNEL_STATISTICS
};
struct kernel_summary {
	double of[KERNEL_STATISTICS];
};

/* A run and what distinguishes it from others. */
struct kernel_work {
	struct run *run;
	const char *symbol;            /* as the tool prints it, or "?<hash>" */
	double grid[3];                /* blocks; NAN unknown */
	double block[3];               /* threads per block; NAN unknown */
	double seconds;                /* of all its launches; determines the order of runs */
	struct kernel_summary summary; /* if the file does not have the launches */
};

/* Fills work->run (kernel, tool, node, "kernel_symbol", grid and block sizes) and work->symbol. A
 * name that is not valid UTF-8 or longer than 64 KiB becomes "?". Its symbol is then a hash, so
 * that two such kernels remain distinct. */
void kernel_runs_work_init(struct arena *arena, struct kernel_work *work, const char *tool,
			   struct span symbol);
void kernel_runs_set_sizes(struct kernel_work *work);

/* Gives the run its time (the median; without one the mean, with a warning), spread and number of
 * launches. -1 and *err if the statistics contradict each other. */
int kernel_runs_summarize(struct arena *arena, struct kernel_work *work,
			  const struct kernel_summary *summary, struct error *err);

/* Adds the runs, sorted by time in descending order. Runs with the same kernel and device get the
 * parameters in which they differ: "grid" and "block" ("128x1x1"), "symbol" (a hash of the whole
 * name, if the short names are equal). If nothing differs, because the tool truncated the names,
 * they become one run, whose time is the mean of all launches. */
void kernel_runs_add(struct arena *arena, struct kernel_work *works, size_t count,
		     struct run_list *runs);
