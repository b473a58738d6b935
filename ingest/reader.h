/*
 * The interface of a reader, and what it hands to the caller. A format is one row of
 * ingest/readers.def and one file with its reader.
 *
 * - A format is detected by its content, never by the name of the file.
 * - A reader takes bytes from an input and adds runs. It fills in what the file states: kernel,
 *   variant, parameters, dtype, device, in some formats the commit.
 * - Whatever the file does not state stays unknown. The caller completes it from params.json and
 *   from options, which override the file.
 * - Readers keep no state between calls. They may run in several threads at once, each with its own
 *   arena and result. Everything in a result belongs to that arena.
 *
 * Never add code of a particular format.
 */
#pragma once

#include "base/base.h"
#include "ingest/input/input.h"
#include "model/run/run.h"
#include "model/timeline/trace/trace.h"

struct companion_value {
	enum metric metric;
	struct value value;
};

/* A file that belongs to runs of other files and adds to them: a NEFF, a tiling, a tuning history,
 * a description of the machine. NULL and 0 mean that the companion has nothing of that kind. */
struct companion {
	const char *kernel_hash; /* joins runs with this hash, in any directory */
	const char *uuid;        /* with the hash: also joins runs with this UUID and no hash */
	/* Used without a hash. NULL: joins runs of the file's own directory. "tiling": the file is
	 * tiling/<stage>.json or in tiling/<stage>/, and joins runs of the parent directory with
	 * that stage or without one. */
	const char *directory;
	const char *kernel; /* joins only runs of this kernel and variant; NULL: any */
	const char *variant;
	const char *tool;   /* joins only runs of this tool; NULL: any */
	const char *symbol; /* and of runs with a parameter `symbol` only those with this one */
	/* More metrics of those runs; stored as a run itself if there are none. */
	struct run *figures;
	struct run_attribute *attributes;
	size_t attribute_count;
	struct run_tally *tallies;
	size_t tally_count;
	const char *device;             /* for runs without a device */
	struct companion_value *values; /* for runs without these metrics */
	size_t value_count;
	struct run_tensor *tensors; /* for runs without tensors */
	size_t tensor_count;
	const char *compiler; /* version, for runs without one */
};

struct companion_list {
	struct companion *items;
	size_t count;
	size_t capacity;
};

/* The content of one file. */
struct ingest_result {
	/* In: where the reader puts the events of the file; NULL: they are not wanted. A reader
	 * that knows no events leaves it empty. */
	struct trace *trace;
	struct run_list runs;     /* profiles: one run per node */
	struct run_param *params; /* params.json: for the profiles in the same directory */
	size_t param_count;
	struct hardware_list devices; /* devices.json */
	struct companion_list companions;
};

/* What a run of this format must have before it is stored, and what its dtype is worth. If neither
 * the file nor params.json nor an option supplies it, ingest fails and names the option. The kernel
 * is always required. */
enum reader_needs {
	NEEDS_DTYPE = 1,
	NEEDS_DEVICE = 2,
	NEEDS_PEAKS = 4,      /* a device without known peaks is an error, not a warning */
	NEEDS_COMMIT = 8,     /* the file has no date: HEAD would be a poor guess for its commit */
	NEEDS_FILE_NAME = 16, /* only the file's name says what was timed: files of two names are
			       * not repeats */
	DTYPE_OF_OPERANDS = 32, /* the dtype of its runs is not stated: it is that of the operands
				 * of matmuls, and what is given corrects it */
	NEEDS_FOLDER_NAME = 64, /* the same of the folder that the file lies in */
	NEEDS_NEURON = NEEDS_DTYPE | NEEDS_DEVICE | NEEDS_PEAKS,
};

struct reader {
	const char *name;  /* "neuron-profile-json" */
	const char *title; /* "neuron-profile view --output-format json" */
	unsigned needs;    /* enum reader_needs */
	/* Whether the first bytes of an input look like this format. They are decompressed, and at
	 * most input_head_size. */
	bool (*detect)(struct span head);
	/* Reads the whole input into a result that is empty but for its trace; 0, or -1 and *err,
	 * which names the byte, line or JSON path. On error nothing is added to the result. */
	int (*read)(struct arena *arena, struct input *input, struct ingest_result *result,
		    struct error *err);
};

/* Each row of ingest/readers.def is defined in the file of its format:
 * READER(asv, FULL) is asv_reader. */
#define READER(name, content) extern const struct reader name##_reader;
#include "ingest/readers.def"
#undef READER
