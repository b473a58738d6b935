/*
 * Memory limits the results of one file, and their number alone does not: a result takes 2 kB and
 * more, however short its line is.
 */
#pragma once

#include "base/base.h"

enum { result_memory_limit = 1 << 30 };

/* -1 and *err if the arena has grown by more than the limit since it held `before` bytes. */
int result_memory_check(const struct arena *arena, size_t before, size_t results,
			struct error *err);
