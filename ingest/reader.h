/*
 * Readers: one table row and one file per format. Detection is by content,
 * never by file name. A reader takes bytes from an input and adds runs; it
 * fills what the file says and leaves the rest unknown: kernel, commit and
 * the like are completed by the caller from params.json and options.
 */
#ifndef INGEST_READER_H
#define INGEST_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "ingest/input.h"
#include "model/hardware.h"
#include "model/run.h"

/* What one file gives. */
struct ingest_result {
	struct run_list runs;     /* profiles: one run per node */
	struct run_param *params; /* params.json: for the profiles of its directory */
	size_t param_count;
	struct hardware_list devices; /* devices.json */
};

struct reader {
	const char *name;  /* "neuron-profile-json" */
	const char *title; /* "neuron-profile view --output-format json" */
	/* Whether the first bytes (up to input_head_size, after decompression) look like it. */
	bool (*detect)(struct span head);
	/* Reads the whole input. Errors name byte, line or JSON path; nothing is added then. */
	int (*read)(struct arena *arena, struct input *input, struct ingest_result *result,
		    struct error *err);
};

/* NULL at the end. Order matters: the first that detects wins. */
extern const struct reader *const readers[];

/* NULL when no reader knows the bytes; then *err says what was found and what is known. */
const struct reader *reader_detect(struct span head, struct error *err);

/* Detects and reads one input. *used is the reader that knows the format, NULL when none does. On
 * failure *result is as before. */
int reader_read(struct arena *arena, struct input *input, struct ingest_result *result,
		const struct reader **used, struct error *err);

#endif
