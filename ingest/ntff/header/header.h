/* Reading the header of an NTFF (model/ntff/ntff.h). */
#pragma once

#include <stdbool.h>

#include "base/base.h"
#include "ingest/input/random_access.h"
#include "model/ntff/ntff.h"

/* Whether the first bytes of a file look like it. */
bool ntff_detect(struct span head);
bool ntff_is_known_version(int version);
/* Reads the header, which must be sound (else ERR_FORMAT): everything that it points to lies in the
 * file, and no two traces share a byte. Fields that are not known are noted, not refused; a caller
 * that needs a known version asks ntff_is_known_version(). */
int ntff_read_header(struct arena *arena, struct random_access *bytes, struct ntff *ntff,
		     struct error *err);
