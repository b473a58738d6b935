/*
 * Arithmetic over named numbers: "2*b*h*s*t*(2*k+p)".
 *
 * Numbers (512, 0.5, 1e6), names, + - * / and ^ or ** (which bind to the right,
 * and before a sign: -2^2 is -4), parentheses, min(...) max(...) of any number of
 * arguments, ceil(x) floor(x) ceildiv(a, b). A name is what its scope says.
 * Every fault tells the position of what is wrong, from 1.
 */
#ifndef MODEL_ROOFLINE_FORMULA_H
#define MODEL_ROOFLINE_FORMULA_H

#include "base/error.h"
#include "base/span.h"

enum { FORMULA_DEPTH = 50, FORMULA_LENGTH = 2000 };

/* Where names have their numbers: -1 and *err for one that has none. */
struct formula_scope {
	int (*number)(const void *context, struct span name, double *number, struct error *err);
	const void *context;
};

/* Whether the text is a formula, whatever its names stand for. */
int formula_check(const char *text, struct error *err);
/* Its value: finite. Division by zero and numbers out of range are errors. */
int formula_value(const char *text, const struct formula_scope *scope, double *value,
		  struct error *err);

#endif
