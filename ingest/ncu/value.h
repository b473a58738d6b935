/*
 * Numbers and units as Nsight Compute prints them: "5,318,969,728.00", "9,00" in a locale with a
 * decimal comma, "no data"; "Gbyte/s", "byte/block", "cycle/nsecond". Prefixes are powers of 1000.
 *
 * "1,234" alone is ambiguous, so the decimal sign is determined from all numbers of the file.
 */
#pragma once

#include "base/base.h"

enum ncu_kind {
	NCU_PLAIN, /* counts of anything, and ratios of two counts */
	NCU_SECONDS,
	NCU_BYTES, /* also per block or per cycle */
	NCU_BYTES_PER_SECOND,
	NCU_HERTZ, /* any count per second */
	NCU_FRACTION,
	NCU_KIND_COUNT
};

/* "a time", "bytes" ...: for messages. */
const char *ncu_kind_name(enum ncu_kind kind);
/* The kind of a number with this unit, and the power of ten that converts it to SI. A word that is
 * not a unit of time, data or frequency names something counted. */
enum ncu_kind ncu_unit(struct span unit, int *exponent);

/* Lines with numbers that are valid with a decimal comma only, or a decimal point only; 0: none. */
struct ncu_numerals {
	size_t comma_line, point_line;
};

void ncu_numerals_look(struct ncu_numerals *numerals, struct span cell, size_t line);
/* Determines the decimal sign, '.' or ','. `locale` (from input_hints(), NULL unknown) overrides
 * the file. Without it, a file with evidence for both signs is an error. */
int ncu_numerals_decide(const struct ncu_numerals *numerals, const char *locale, char *decimal,
			struct error *err);

/* Parses a number and multiplies it by ten to the `exponent`, rounding once. "", "no data", "n/a"
 * and "nan" give NAN and true. False if the cell is not a number. */
bool ncu_number(struct span cell, char decimal, int exponent, double *number);
