/*
 * A distribution of request sizes as text: one line "size" or "size weight" each, separated by
 * blanks, a tab, a comma or a semicolon. Skipped are empty lines, comments from # to the end of the
 * line, and a first line "size" or "size,weight". The weights of equal sizes add up.
 */
#pragma once

#include "base/base.h"
#include "model/sizing/grid/grid.h"
#include "model/sizing/sizing.h"

/* Sorted by size, without duplicates. ERR_FORMAT and the line for anything else, and if all weights
 * are 0. */
int request_sizes_read(struct arena *arena, struct span text, struct bucket_request **requests,
		       size_t *count, struct error *err);
/* The same for two parameters: "32,512" or "32,512,3" on each line, in the order of `names`, or in
 * that of a first line "b,s" or "s,b,weight". */
int request_pairs_read(struct arena *arena, struct span text, const char *const names[2],
		       struct grid_request **requests, size_t *count, struct error *err);
