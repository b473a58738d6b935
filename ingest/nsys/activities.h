/*
 * What the GPUs of a capture did and when: kernels, copies and memory sets of all streams, for how
 * they overlap, and as events for the timeline.
 */
#pragma once

#include "base/base.h"
#include "ingest/container/sqlite_file.h"
#include "model/timeline/interval.h"
#include "model/timeline/trace/trace.h"

extern const char nsys_kernels[]; /* the table of kernels */

enum nsys_kind { NSYS_KERNEL, NSYS_COPY, NSYS_SET, NSYS_KINDS };

/* A process with CUDA_VISIBLE_DEVICES numbers its GPUs differently from the system. */
struct nsys_mapping {
	double process, cuda, gpu;
};

/* One CUDA device of one process. */
struct nsys_gpu {
	double process, device;
	double physical; /* the system's number of the GPU */
	bool shared;     /* another process uses the same GPU */
	struct interval_span *items[NSYS_KINDS];
	size_t count[NSYS_KINDS], capacity[NSYS_KINDS];
	/* Where kernels run, where two or more do, where copies do, and where anything does. */
	struct interval_cover kernels, concurrent, copies, busy;
};

struct nsys_activities {
	struct arena *arena;
	const struct nsys_mapping *mappings;
	size_t mapping_count;
	struct nsys_gpu *gpus;
	size_t gpu_count, gpu_capacity;
	size_t last;    /* index of the GPU found last: the next activity is often on the same */
	size_t invalid; /* activities without a possible time, or beyond a limit */
};

/* Reads the times of all activities, in any order. */
int nsys_activities_read(struct nsys_activities *all, struct sqlite_file *file, struct error *err);
/* The device with all its activities; NULL: none is known. */
struct nsys_gpu *nsys_activities_gpu(struct nsys_activities *all, double process, double device);
/* The system's number of a process's CUDA device. Without a mapping, the numbers are equal. */
double nsys_physical_gpu(struct nsys_activities *all, double process, double device);
/* Fills the trace with one track for each stream, and one for its copies and memory sets. The
 * activities have been read. */
int nsys_trace_fill(struct trace *trace, struct nsys_activities *all, struct sqlite_file *file,
		    struct error *err);

/* A time of the file, in ns; false if it is not a possible one. */
bool nsys_time(double nanoseconds, uint64_t *ticks);
/* "t.globalPid >> 24 & 16777215", the process; "NULL" if the table has no such column. */
const char *nsys_process(struct sqlite_file *file, const char *table);
/* Appends a join that adds `r.begin`, when the host called the launch of `t`; "" and no column if
 * the export lacks it. */
bool nsys_join_launch(struct sqlite_file *file, const char *table, struct strbuf *sql);
