/* Parses a commit object, as git stores it, into a `struct revision`. */
#pragma once

#include "base/base.h"
#include "model/commits/commits.h"

/* No real commit is longer: a longer one is read that far, in whole lines of its header. */
#define COMMIT_BYTES ((size_t)1 << 20)
/* A longer subject is cut. */
#define SUBJECT_BYTES ((size_t)64 << 10)

/* Parses `raw`, the bytes of the commit `oid`: tree, parents, author, both times and the subject.
 *   - The lines of the message are indented by `indent` additional spaces.
 *   - The subject is the first paragraph in one line, as in git.
 *   - Texts are converted to UTF-8 according to the commit's encoding header; bytes that are
 * invalid afterwards become U+FFFD.
 *   - A time after the year 9999 becomes its last second; one that is missing, or beyond int64_t,
 * is 0.
 *   - position is -1, patch_id is "".
 * ERR_REVISION if the bytes are not a commit. */
int commit_parse(struct arena *arena, const char *oid, struct span raw, size_t indent,
		 struct revision *revision, struct error *err);
