/*
 * The parts of "ingest": read everything first, complete what files leave open,
 * then store all of it in one transaction or nothing.
 */
#ifndef CLI_INGEST_INGEST_H
#define CLI_INGEST_INGEST_H

#include "cli/ingest/batch.h"
#include "cli/context.h"
#include "cli/runs/runs.h"
#include "ingest/reader.h"
#include "model/run/run.h"

/* What the options say. */
struct ingest_options {
	const char *kernel, *variant, *dtype, *device;
	const char *params; /* "b=1,s=512" */
	const char *cores;
	const char *commit;
	bool keep_going; /* a run of which something is not known is skipped */
};

/* How files are read. */
struct read_options {
	struct input_hints hints;
	size_t threads;  /* 0: as many as the machine has processors */
	bool keep_going; /* what is broken is skipped like what no reader knows */
};

struct incoming {
	struct run *run;
	const char *path;
	const char *directory;
	const struct reader *reader;
	bool named;        /* its file, on the command line */
	bool many_kernels; /* its file names several kernels */
	struct peaks peaks;
	const struct hardware *hardware;
	bool several_nodes; /* its file holds more than one node */
	const char *neff;   /* of its kernel, which has joined it; NULL none */
	/* After storing: */
	bool has_commit; /* its file names it */
	char id[65];
	bool added;
};

struct placed_companion {
	const struct companion *companion;
	const char *path;      /* its file */
	const char *directory; /* of its file */
	const struct reader *reader;
	bool named; /* its file, on the command line */
};

struct skipped {
	const char *path;
	const char *reason;
};

struct conversion;
struct native_trace {
	const char *path;
	const char *directory;
	const struct conversion *conversion;
	bool required; /* it was named itself */
	/* Where a reader knows it: what it gave. */
	const struct reader *reader;
	const struct ingest_result *result;
	const char *neff; /* the NEFF beside it, when it is its own; NULL */
};

struct attached_params {
	const char *directory;
	const char *path;
	struct run_param *params;
	size_t count;
};

struct format_count {
	const struct reader *reader;
	size_t files, runs;
};

struct ingest {
	bool no_tools;     /* no other program is run */
	bool keep_going;   /* what is wrong is skipped */
	bool summary_only; /* traces, which have no summary, are not converted */
	struct native_trace *natives;
	size_t native_count, native_capacity;
	struct incoming *runs;
	size_t run_count, run_capacity;
	struct skipped *skipped;
	size_t skipped_count, skipped_capacity;
	struct attached_params *params;
	size_t params_count, params_capacity;
	struct placed_companion *companions;
	size_t companion_count, companion_capacity;
	struct format_count *formats; /* in the order in which they were met */
	size_t format_count, format_capacity;
	size_t files; /* read by a reader */
};

/* Reads files and directories. A file named on the command line that no reader knows is an
 * error; in a directory it is skipped with its reason. A known format that is broken is an
 * error everywhere. Files that describe the runs of their directory (params.json, devices.json,
 * timings.json, sysinfo.csv, roofline.csv) beside a named file are read too. */
int ingest_read(struct cli *cli, char **paths, int count, const struct read_options *options,
		struct ingest *ingest, struct error *err);
/* What was passed over, and why. */
void ingest_skip(struct cli *cli, struct ingest *ingest, const char *path, const char *reason);
/* Counts a file that was read. */
void ingest_count(struct cli *cli, struct ingest *ingest, const struct reader *reader, size_t runs);
/* Whether the file, which no reader knows, is a trace for ingest_convert(); it is then noted. */
bool ingest_is_native(struct cli *cli, struct ingest *ingest, struct input *input, const char *path,
		      bool required);
/* The same for a file that its reader has read; false when it is no trace. */
bool ingest_is_native_read(struct cli *cli, struct ingest *ingest, const struct batch_item *item,
			   bool required);
/* Takes the native traces in that have no profile beside them, or were named; those that no reader
 * knows are converted. One that was named itself and cannot be converted is an error, any other is
 * skipped. */
int ingest_convert(struct cli *cli, struct ingest *ingest, struct error *err);
/* Takes in what one file held. */
void ingest_take(struct cli *cli, struct ingest *ingest, const char *path,
		 const struct reader *reader, const struct ingest_result *result);
/* The NEFF at a path, which is read where it was not; NULL and *err when it cannot be, or is none.
 */
const struct companion *ingest_neff(struct cli *cli, struct ingest *ingest, const char *path,
				    struct error *err);
/* Whether the run does not contradict the UUID; *chance is true where it knows so little of its own
 * that another kernel's might agree as well. A run without a UUID agrees with none. */
bool ingest_uuid_agrees(const struct run *run, const char *uuid, bool *chance);
/* Finds the NEFF of a trace that was read, beside it by name. One that is another kernel's is an
 * error, unless it may well be of another trace of its directory. */
int ingest_pair(struct cli *cli, struct ingest *ingest, struct native_trace *native,
		struct error *err);
/* A NEFF that was named with traces must be that of one of them. */
int ingest_check_named(struct cli *cli, struct ingest *ingest, struct error *err);
/* Whether what lies beside runs is about this one. */
bool ingest_belongs(struct cli *cli, const struct placed_companion *placed,
		    const struct incoming *one);
/* Reads one input, which a reader must know. */
int ingest_read_input(struct cli *cli, struct ingest *ingest, struct input *input, const char *path,
		      struct error *err);
/* Adds what one file gave. */
void ingest_add_runs(struct cli *cli, struct ingest *ingest, const char *path,
		     const struct reader *reader, const struct run_list *runs);
/* Makes runs of figures that lie beside no run that is complete. */
void ingest_place_figures(struct cli *cli, struct ingest *ingest);
/* Makes one run with samples of the executions of one kernel: files whose names differ only in
 * "_exec_<N>". */
void ingest_merge(struct cli *cli, struct ingest *ingest);
/* Gives the runs the device and numbers that lie beside them, before they are completed. */
void ingest_join_facts(struct cli *cli, struct ingest *ingest);
/* Gives the runs what else lies beside them. */
int ingest_join(struct cli *cli, struct ingest *ingest, struct error *err);
/* Kernel, variant, dtype, device, params and cores from the file, params.json and options; derives
 * the metrics. What nobody says is an error that names the option. */
int ingest_complete(struct cli *cli, const struct ingest_options *options, struct ingest *ingest,
		    struct error *err);
/* Finds the commits, stores them with their history, then all runs, in one transaction. A run
 * whose file names a commit that the repository does not have is skipped. */
int ingest_store(struct cli *cli, const struct ingest_options *options, struct ingest *ingest,
		 struct error *err);

struct ingest_output {
	bool dry_run, json;
};
/* The runs, and what was passed over as JSON or of several formats their counts, on stdout. */
int ingest_print(struct cli *cli, const struct ingest *ingest, const struct ingest_output *output,
		 struct error *err);
/* Our own notes about the files, and ratios that do not add up, on stderr. */
void ingest_warn(struct cli *cli, const struct ingest *ingest);
/* What was passed over, and the count of everything, on stderr. */
void ingest_conclude(struct cli *cli, const struct ingest *ingest, bool dry_run);

#endif
