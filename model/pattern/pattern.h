/*
 * Patterns of series, as every command takes them: "attention", "attention s=512", "att* fused".
 *
 * A pattern is the name of a kernel, then words that must match other parts of the series' name, in
 * any order: variant, dtype, device, instance type, tool, "2-core", or a parameter, name=value. So
 * a name that any table prints is a pattern of its own series. A parameter that is a number can be
 * compared: s<64, s<=64, s>1, s>=128. Words are set apart by blanks, commas or parentheses. *
 * stands for any text and ? for any character; all else is literal. The key of a series,
 * run_series_key(), is a pattern, too.
 *
 * Kernels of C++ have blanks, commas and parentheses in their names. So the kernel is the longest
 * known name that the pattern begins with; where none is known, it may end at any separator.
 *
 * Never add other ways to match series.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

struct series_pattern {
	const char *text;
	const char *kernel; /* the known name that it begins with; NULL: none, or none is known */
};

/* The pattern among series with these kernels, of which the items may be NULL. */
struct series_pattern series_pattern_of(const char *text, const char *const *kernels, size_t count);
bool series_pattern_fits(const struct series_pattern *pattern, const struct run *run);
/* Whether a word matches the kernel or any other part of the series' name. */
bool series_pattern_has_part(const char *word, const struct run *run);
