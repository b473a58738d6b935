/* Reads the header of an NTFF (model/ntff/ntff.h). Never add records and instruction words. */
#pragma once

#include "base/base.h"
#include "ingest/input/random_access.h"
#include "model/ntff/ntff.h"

/* Whether the first bytes of a file look like an NTFF. */
bool ntff_header_detect(struct span head);
/* Whether the records of this version can be read. */
bool ntff_header_is_known_version(int version);
/* Reads the header; 0, or -1 and *err, ERR_FORMAT if it is invalid. Afterwards everything that it
 * points to is inside the file, and no two traces overlap. Unknown fields are recorded, not
 * refused. Files of unknown versions are read as well; check ntff_header_is_known_version() before
 * reading records. */
int ntff_header_read(struct arena *arena, struct random_access *bytes, struct ntff *ntff,
		     struct error *err);
