/*
 * The steps of `rooflog ingest`: read all files, complete what they leave open, then store all runs
 * in one transaction or none. Commands that take files (cli/runs/files) use the first two.
 *
 * What holds between the steps:
 *   - After reading, runs and companions are in the order of the files, whatever the number of
 *     threads; runs of converted traces follow.
 *   - Facts of companions (device, bytes) join before a run is completed, their figures after: what
 *     is missing must be known first, what was measured must not be replaced.
 *
 * Never add what is shown of a run.
 */
#pragma once

#include "cli/ingest/batch.h"
#include "cli/ingest/facts/facts.h"
#include "cli/ingest/folders/nearby.h"
#include "cli/command.h"
#include "cli/config/trust/trust.h"
#include "cli/runs/runs.h"
#include "ingest/reader.h"
#include "model/run/run.h"

enum {
	INGEST_DEVICES = 1000,      /* kept of all files together: each run is compared with them */
	INGEST_CONTRADICTIONS = 20, /* shown */
	/* New series of one call, by default: six times as many as the largest benchmark file that
	 * is known has. */
	INGEST_SERIES = 10000
};

/* The kernel of a run that is shown without one. */
#define INGEST_UNKNOWN "unknown"

/* The options of the command; NULL and 0 if not given. */
struct ingest_options {
	struct reading_options reading;
	bool keep_going; /* damaged files and incomplete runs are skipped */
	const char *commit;
	const char *against; /* merge-base[:BRANCH]: whose [alias] and [tool] count */
	/* For storing and printing. */
	bool may_be_unknown;  /* the kernel, dtype and device are asked for, not required */
	bool prepares;        /* the user is not asked: what is missing is written down */
	bool again;           /* removed runs are brought back */
	bool replace;         /* these runs replace others of the same series and commit */
	const char *split_by; /* the trait that makes a parameter, or "none" */
	bool history;         /* files may add runs to other commits than HEAD */
	bool dry_run;
	struct trust_options trust;
	size_t max_series; /* that the store does not have yet */
};

/* What a run lacks. */
enum ingest_lack { LACKS_KERNEL = 1, LACKS_DTYPE = 2, LACKS_DEVICE = 4 };

struct incoming {
	struct run *run;
	const char *path;
	const char *directory;
	const struct reader *reader;
	bool named;        /* its file was named on the command line */
	bool many_kernels; /* its file names several kernels */
	struct peaks peaks;
	const struct hardware *hardware;
	bool several_nodes; /* its file has more than one node */
	bool in_epoch;      /* the configuration gave it its epoch */
	unsigned lacks;     /* enum ingest_lack: neither the file says it, nor does anybody */
	const char *neff;   /* path of the NEFF that joined the run; NULL none */
	/* After storing: */
	bool has_commit; /* its file states the commit */
	bool past;       /* which is not HEAD */
	char id[65];
	bool added;
	bool removed; /* it is stored, but was removed */
	bool back;    /* and was brought back */
};

struct placed_companion {
	const struct companion *companion;
	const char *path;      /* of its file */
	const char *directory; /* of its file */
	const struct reader *reader;
	bool named; /* its file was named on the command line */
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
	bool required; /* named on the command line */
	/* If a reader can read it: the reader and its result. */
	const struct reader *reader;
	const struct ingest_result *result;
	const char *neff; /* the NEFF next to it, if its UUID matches; else NULL */
};

/* A file that says what was measured: a profile, a trace, the times next to it. */
struct source {
	const char *path;
	enum source_kind {
		SOURCE_READ,
		SOURCE_BROKEN, /* skipped */
		SOURCE_LINK    /* not followed: what was measured may have gone where it leads */
	} kind;
	bool names_commits; /* each of its runs does */
};

struct attached_params {
	const char *directory;
	const char *path;
	struct run_param *params;
	size_t count;
};

/* A fact that is stated and not used, because the file says otherwise. */
struct contradiction {
	const char *path, *text;
	size_t runs;
};

struct format_count {
	const struct reader *reader;
	size_t files, runs;
};

/* One call of the command. All memory is in the arena of cli. */
struct ingest {
	struct cli *cli;
	struct arena *arena; /* cli->arena */
	const struct ingest_options *options;
	const struct arguments *paths; /* as typed */
	bool only_paths;               /* no option was typed */
	struct facts stated;           /* by --set */
	struct contradiction contradictions[INGEST_CONTRADICTIONS];
	size_t contradiction_count;
	struct native_trace *natives;
	size_t native_count, native_capacity;
	struct incoming *runs;
	size_t run_count, run_capacity;
	struct skipped *skipped;
	size_t skipped_count, skipped_capacity;
	struct attached_params *params;
	size_t params_count, params_capacity;
	struct nearby params_nearby; /* of params; made when all files were read */
	const char *devices_fault;   /* the file that had more devices than are kept; NULL none */
	struct placed_companion *companions;
	size_t companion_count, companion_capacity;
	struct format_count *formats; /* in the order of their first files */
	size_t format_count, format_capacity;
	struct source *sources;
	size_t source_count, source_capacity;
	char head[65];   /* HEAD, once runs state commits themselves; "": it has none */
	size_t files;    /* that a reader has read */
	size_t replaced; /* stored runs in whose place these are */
};

/* Reads files and directories. 0, or -1 and *err.
 * - A file that no reader detects is an error if it was named on the command line. In a directory
 *   it is skipped with a reason.
 * - A damaged file of a known format is always an error.
 * - Companions next to a named file are read as well: params.json, devices.json, timings.json,
 *   sysinfo.csv, roofline.csv. */
int ingest_read(struct ingest *ingest, const struct arguments *paths, struct error *err);
void ingest_add_source(struct ingest *ingest, struct source source);
/* Records that a file or run was skipped, and the reason. */
void ingest_skip(struct ingest *ingest, const char *path, const char *reason);
/* Whether a file that no reader detects is a native trace; if so, it is recorded for
 * ingest_convert(). */
bool ingest_is_native(struct ingest *ingest, struct input *input, const char *path, bool required);
/* Whether a file that its reader has read is a native trace; if so, it is recorded likewise. */
bool ingest_is_native_read(struct ingest *ingest, const struct batch_item *item, bool required);
/* Adds the runs of the native traces that were named or have no profile next to them. Traces that
 * no reader can read are converted. If that fails, a named trace is an error, any other is skipped.
 */
int ingest_convert(struct ingest *ingest, struct error *err);
/* Adds the result of one file. */
void ingest_add(struct ingest *ingest, const char *path, const struct reader *reader,
		const struct ingest_result *result);
/* Whether the run's UUID is equal to `uuid`, or is a prefix of it if the run has only a part; false
 * if it has none. *chance is true if that part is too short to identify a kernel. */
bool ingest_uuid_agrees(const struct run *run, const char *uuid, bool *chance);
/* Whether the companion is about this run. */
bool ingest_belongs(struct cli *cli, const struct placed_companion *placed,
		    const struct incoming *one);
/* Reads one input; it is an error if no reader detects it. */
int ingest_read_input(struct ingest *ingest, struct input *input, const char *path,
		      struct error *err);
/* Adds the runs of one file. */
void ingest_add_runs(struct ingest *ingest, const char *path, const struct reader *reader,
		     const struct run_list *runs);
/* Turns companions' metrics that join no complete run into runs. */
void ingest_place_figures(struct ingest *ingest);
/* Merges executions of one kernel, whose file names differ only in "_exec_<N>", into one run with
 * samples. */
void ingest_merge(struct ingest *ingest);
/* Adds device and numbers from companions to the runs, before these are completed. */
void ingest_join_facts(struct ingest *ingest);
/* Adds everything else from companions to the runs. */
int ingest_join(struct ingest *ingest, struct error *err);
/* Sets kernel, variant, dtype, device, parameters and cores from the file, params.json, --set and
 * --from-path, and derives metrics. What is missing is asked for. */
int ingest_complete(struct ingest *ingest, struct error *err);
/* What counts of a fact: what the file says, else what is stated; NULL or "": nothing does. A
 * contradiction is recorded. (stated.c) */
const char *ingest_choose(struct ingest *ingest, const struct incoming *one, const char *name,
			  const char *said, const char *stated);
/* Records that a fact is stated and the file says another. */
void ingest_contradict(struct ingest *ingest, const struct incoming *one, const char *name,
		       const char *stated, const char *said);
void ingest_warn_of_contradictions(const struct ingest *ingest);
/* What --set and the path of the run's file state. */
int ingest_stated_of(struct ingest *ingest, const struct incoming *one, struct facts *stated,
		     struct error *err);
/* Sets the parameters: those of a params.json override the file's own, the others only add. */
void ingest_set_params(struct ingest *ingest, const struct incoming *one,
		       const struct facts *beside, const struct facts *stated);
/* Fails if a run lacks what it must have, and says all that is missing and what to type. If it may
 * be unknown, this is a note. (ask.c) */
int ingest_ask(const struct ingest *ingest, struct error *err);
/* "kernel, dtype and device" */
const char *ingest_names_of(struct arena *arena, unsigned lacks);
/* Writes a params.json to complete next to each profile in the folder that lacks a kernel, a dtype
 * or a device. A params.json that exists is left alone. (prepare.c) */
int ingest_prepare(struct cli *cli, const char *folder, struct error *err);
/* With --keep-going, skips a run that lacks something. */
bool ingest_skip_lacking(struct ingest *ingest, const struct incoming *one);
/* Prints rooflog's warnings about the files, inconsistent ratios and impossible times on stderr. */
void ingest_warn(const struct ingest *ingest);
/* Prints what was skipped, and the totals, on stderr. */
void ingest_conclude(const struct ingest *ingest);
/* ERR_FORMAT: the paths, as typed, have no runs. Returns -1. */
int ingest_fail_empty(const struct ingest *ingest, const struct arguments *paths,
		      struct error *err);
/* Makes the trait that --split-by names a parameter of each run, and refuses runs of one series and
 * commit that are of unlike work. The runs are complete. */
int ingest_check_repeats(struct ingest *ingest, struct error *err);
/* The same with what is stored. The commits are known, and nothing was added to the store. */
int ingest_check_stored_repeats(struct ingest *ingest, struct error *err);
/* Brings removed runs back and removes those that others replace, as the options say, inside the
 * open transaction. */
int ingest_edit(struct ingest *ingest, struct error *err);
/* The series as the store has it: [alias] may call it otherwise than the file. */
const char *ingest_series(const struct ingest *ingest, const struct run *run);
/* Calls the runs as the store does, after they were stored. */
int ingest_use_names(struct ingest *ingest, struct error *err);
/* Refuses files that git tracks among others, and warns where it tracks all of them. The commits
 * are known. */
int ingest_check_tracked(struct ingest *ingest, struct error *err);
/* Finds the commits and stores them with their history and all runs, in one transaction. A run
 * whose file states a commit that the repository does not have is skipped. */
int ingest_store(struct ingest *ingest, struct error *err);
