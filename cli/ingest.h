/*
 * The parts of "ingest": read everything first, complete what files leave open,
 * then store all of it in one transaction or nothing.
 */
#ifndef CLI_INGEST_H
#define CLI_INGEST_H

#include "cli/context.h"
#include "cli/runs.h"
#include "ingest/reader.h"
#include "model/run.h"

/* What the options say. */
struct ingest_options {
	const char *kernel, *variant, *dtype, *device;
	const char *params; /* "b=1,s=512" */
	const char *cores;
	const char *commit;
	struct input_hints hints;
};

struct incoming {
	struct run *run;
	const char *path;
	const char *directory;
	const struct reader *reader;
	bool many_kernels; /* its file names several kernels */
	struct peaks peaks;
	const struct hardware *hardware;
	bool several_nodes; /* its file holds more than one node */
	/* After storing: */
	bool has_commit; /* its file names it */
	char id[65];
	bool added;
};

struct placed_companion {
	const struct companion *companion;
	const char *directory; /* of its file */
};

struct skipped {
	const char *path;
	const char *reason;
};

struct attached_params {
	const char *directory;
	const char *path;
	struct run_param *params;
	size_t count;
};

struct ingest {
	const struct input_hints *hints;
	struct incoming *runs;
	size_t run_count, run_capacity;
	struct skipped *skipped;
	size_t skipped_count, skipped_capacity;
	struct attached_params *params;
	size_t params_count, params_capacity;
	struct placed_companion *companions;
	size_t companion_count, companion_capacity;
	const char **paths; /* looked at so far */
	size_t path_count, path_capacity;
	size_t files; /* read by a reader */
};

/* Reads files and directories. A file named on the command line that no reader knows is an
 * error; in a directory it is skipped with its reason. A known format that is broken is an
 * error everywhere. params.json, devices.json, sysinfo.csv and roofline.csv beside
 * a named file are read too. */
int ingest_read(struct cli *cli, char **paths, int count, const struct input_hints *hints,
		struct ingest *ingest, struct error *err);
/* What was passed over, and why. */
void ingest_skip(struct cli *cli, struct ingest *ingest, const char *path, const char *reason);
/* Gives the runs the device and numbers that lie beside them, before they are completed. */
void ingest_join_facts(struct ingest *ingest);
/* Gives the runs what else lies beside them. */
void ingest_join(struct cli *cli, struct ingest *ingest);
/* Kernel, variant, dtype, device, params and cores from the file, params.json and options; derives
 * the metrics. What nobody says is an error that names the option. */
int ingest_complete(struct cli *cli, const struct ingest_options *options, struct ingest *ingest,
		    struct error *err);
/* Finds the commits, stores them with their history, then all runs, in one transaction. A run
 * whose file names a commit that the repository does not have is skipped. */
int ingest_store(struct cli *cli, const struct ingest_options *options, struct ingest *ingest,
		 struct error *err);

#endif
