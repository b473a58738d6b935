/* Finds the reader that knows a file, and describes the file when none does. */
#ifndef INGEST_REGISTRY_REGISTRY_H
#define INGEST_REGISTRY_REGISTRY_H

#include "ingest/reader.h"

/* The rows in the order of ingest/readers.def, NULL at the end. The first that detects wins. */
extern const struct reader *const readers[];

/* NULL when no reader knows the bytes; then *err says what was found and what is known. */
const struct reader *reader_detect(struct span head, struct error *err);

/* Detects and reads one input. *used is the reader that knows the format, NULL when none does, or
 * none that reads summaries where they are all that is asked for. On failure *result is as before.
 */
int reader_read(struct arena *arena, struct input *input, struct ingest_result *result,
		const struct reader **used, struct error *err);

#endif
