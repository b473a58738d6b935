/* A commit object as git stores it, read into a `struct revision`; no library needed. */
#pragma once

#include <stddef.h>

#include "base/base.h"
#include "model/commits/commits.h"

/* Tree, parents, both times and subject of the commit `oid`, whose stored bytes are `raw`;
 * every line of the message has `indent` extra blanks in front. Position is -1, patch_id "". The
 * subject is what git calls so (the first paragraph in one line), turned into UTF-8 by the
 * commit's encoding header; bytes that are no UTF-8 then become U+FFFD. */
int commit_parse(struct arena *arena, const char *oid, struct span raw, size_t indent,
		 struct revision *revision, struct error *err);
