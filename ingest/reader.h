/*
 * Readers: one table row and one file per format. Detection is by content,
 * never by file name. A reader takes bytes from an input and adds runs; it
 * fills what the file says (kernel, variant, parameters, dtype, device, even a
 * commit where the file has them) and leaves the rest unknown: what is missing
 * is completed by the caller from params.json and options, which win.
 *
 * Readers keep no state between calls and may run in several threads at once,
 * each with its own arena and result.
 */
#ifndef INGEST_READER_H
#define INGEST_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "ingest/input/input.h"
#include "model/run/hardware.h"
#include "model/run/run.h"

struct companion_value {
	enum metric metric;
	struct value value;
};

/* Something that lies beside runs and belongs to them: a NEFF, a tiling, a tuning history, a
 * description of the machine. */
struct companion {
	const char *kernel_hash; /* for runs with this hash, wherever they lie */
	const char *uuid;        /* beside the hash: for runs that know this UUID and no hash */
	const char *directory;   /* without a hash: NULL for runs of the file's own directory;
				  * "tiling" when the file lies in such a directory, as
				  * tiling/<stage>.json or tiling/<stage>/..., and the runs beside
				  * that directory are meant: those of the stage, or of none */
	const char *kernel;      /* only for runs of this kernel and variant; NULL any */
	const char *variant;
	struct run *figures; /* more values of those runs; a run of its own where there is none */
	struct run_attribute *attributes;
	size_t attribute_count;
	struct run_tally *tallies;
	size_t tally_count;
	const char *device; /* of runs that do not know theirs; NULL: says nothing of it */
	struct companion_value *values; /* for runs that do not know them */
	size_t value_count;
	struct run_tensor *tensors; /* of runs that know none */
	size_t tensor_count;
	const char *compiler; /* the version, of runs that do not know it */
};

struct companion_list {
	struct companion *items;
	size_t count;
	size_t capacity;
};

/* What one file gives. */
struct ingest_result {
	struct run_list runs;     /* profiles: one run per node */
	struct run_param *params; /* params.json: for the profiles of its directory */
	size_t param_count;
	struct hardware_list devices; /* devices.json */
	struct companion_list companions;
};

/* What must be known of a run of this format before it is stored; where the file, params.json and
 * the options leave it open, ingest is refused with the option's name. Kernel is always needed. */
enum reader_needs {
	NEEDS_DTYPE = 1,
	NEEDS_DEVICE = 2,
	NEEDS_PEAKS = 4,  /* a device without known peaks is an error, not a warning */
	NEEDS_COMMIT = 8, /* the file has no date of its own: HEAD is no good guess */
	NEEDS_NEURON = NEEDS_DTYPE | NEEDS_DEVICE | NEEDS_PEAKS,
};

struct reader {
	const char *name;  /* "neuron-profile-json" */
	const char *title; /* "neuron-profile view --output-format json" */
	unsigned needs;    /* enum reader_needs */
	/* Whether the first bytes (up to input_head_size, after decompression) look like it. */
	bool (*detect)(struct span head);
	/* Reads the whole input. Errors name byte, line or JSON path; nothing is added then. */
	int (*read)(struct arena *arena, struct input *input, struct ingest_result *result,
		    struct error *err);
};

/* Each row of ingest/readers.def is defined in its format's file: READER(asv) is asv_reader. */
#define READER(name) extern const struct reader name##_reader;
#include "ingest/readers.def"
#undef READER

#endif
