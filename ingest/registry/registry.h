/*
 * Finds the reader of a file, and describes the file if there is none.
 *
 * Never add the reading of any format.
 */
#pragma once

#include "ingest/reader.h"

/* The rows of ingest/readers.def in order, NULL at the end. The first reader that detects a file
 * wins. */
extern const struct reader *const readers[];

/* NULL if no reader detects the bytes; then *err describes them and lists what can be read. */
const struct reader *reader_detect(struct span head, struct error *err);

/* Whether a text is a log in which the Neuron NPU profiler says that no Neuron device was
 * available, or that a CPU was asked for; `line` is the first line that begins so, with its number.
 * What other programs say of a CPU does not count. */
bool reader_cpu_fallback(struct span text, size_t *number, struct span *line);

/* Reads an input of the reader's format. Refuses (ERR_FORMAT) a number that no run can have:
 * readers take numbers as they are written. On failure *result is unchanged, but
 * its trace may have events. */
int reader_read_as(const struct reader *reader, struct arena *arena, struct input *input,
		   struct ingest_result *result, struct error *err);

/* Detects the format of an input and reads it. *used is its reader; NULL if there is none, or if
 * only summaries are wanted and the reader has none. On failure *result is unchanged. */
int reader_read(struct arena *arena, struct input *input, struct ingest_result *result,
		const struct reader **used, struct error *err);
