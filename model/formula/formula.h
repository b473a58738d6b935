/*
 * Arithmetic over named numbers: "2*b*h*s*t*(2*k+p)".
 *
 * Numbers (512, 0.5, 1e6), names, + - * / and ^ or ** (right-associative, and binding tighter than
 * a sign: -2^2 is -4), parentheses, min(...) and max(...) of any number of arguments, ceil(x),
 * floor(x), ceildiv(a, b). A scope resolves the names. If numbers may be unknown (NAN), there are
 * also
 *
 *    coalesce(...)   the first argument that is known
 *    max_known(...)  the largest argument that is known
 *    positive(x)     x if it is above 0, else unknown
 *
 * and every other operation is unknown if one of its operands is.
 *
 * A formula is parsed once into steps of a stack machine, which are computed as often as needed.
 * Every error names its position in the text, from 1.
 *
 * Never add names of metrics; the caller gives them.
 */
#pragma once

#include "base/base.h"

enum { FORMULA_DEPTH = 50, FORMULA_LENGTH = 2000 };

enum formula_step_kind {
	FORMULA_NUMBER, /* pushes `number` */
	FORMULA_SLOT,   /* pushes the number in `slot` */
	/* Functions of the topmost number. */
	FORMULA_NEGATE,
	FORMULA_CEIL,
	FORMULA_FLOOR,
	FORMULA_POSITIVE,
	/* Functions of the two topmost numbers, which they replace; see formula_is_binary(). */
	FORMULA_ADD,
	FORMULA_SUBTRACT,
	FORMULA_MULTIPLY,
	FORMULA_DIVIDE,
	FORMULA_POWER,
	FORMULA_CEILDIV,
	FORMULA_MIN,
	FORMULA_MAX,
	FORMULA_MAX_KNOWN,
	FORMULA_COALESCE,
};

struct formula_step {
	uint8_t kind; /* enum formula_step_kind */
	uint16_t at;  /* position in the text, from 0 */
	union {
		double number;
		size_t slot;
	};
};

struct formula {
	struct formula_step *steps;
	size_t count; /* at most one step for each byte of the text */
};

struct formula_scope {
	/* Sets `step` to the meaning of the name: a FORMULA_NUMBER, or a FORMULA_SLOT whose number
	 * is given when the formula is computed. -1 and *err for an unknown name. */
	int (*name)(const void *context, struct span name, struct formula_step *step,
		    struct error *err);
	const void *context;
	bool unknowns; /* numbers may be unknown */
};

/* Parses `text` into formula->steps, in which the caller provides one step per byte of the text. */
int formula_parse(const char *text, const struct formula_scope *scope, struct formula *formula,
		  struct error *err);
/* The value; slots[] has the numbers of the slots. NAN if it needs an unknown number, divides by
 * zero, or is not finite at any step. */
double formula_number(const struct formula *formula, const double *slots);

/* Whether the text is a valid formula, whatever its names mean: 0, or -1 and *err. */
int formula_check(const char *text, struct error *err);
/* Parses and computes in one step, for names with known numbers. The value is finite; division by
 * zero and numbers out of range are errors. */
int formula_value(const char *text, const struct formula_scope *scope, double *value,
		  struct error *err);
