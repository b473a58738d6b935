/*
 * Numbers and units as Nsight Compute prints them: "5,318,969,728.00", "9,00" where the locale has
 * a decimal comma, "no data"; "Gbyte/s", "byte/block", "cycle/nsecond". Prefixes are powers of
 * 1000.
 *
 * "1,234" says nothing about the locale by itself: the file is looked through first.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum ncu_kind {
	NCU_PLAIN, /* counts of anything, and ratios of two counts */
	NCU_SECONDS,
	NCU_BYTES, /* also of a block or a cycle */
	NCU_BYTES_PER_SECOND,
	NCU_HERTZ, /* anything counted, a second */
	NCU_FRACTION,
	NCU_KIND_COUNT
};

/* "a time", "bytes" ...: for messages. */
const char *ncu_kind_name(enum ncu_kind kind);
/* What a number with this unit is, and the power of ten that makes it SI. Words that are no unit of
 * time, data or frequency name something counted. */
enum ncu_kind ncu_unit(struct span unit, int *exponent);

/* The lines with numbers that can only have a decimal comma, or only a decimal point; 0: none. */
struct ncu_numerals {
	size_t comma_line, point_line;
};

void ncu_numerals_look(struct ncu_numerals *numerals, struct span cell, size_t line);
/* '.' or ','. `locale` (of input_hints(), NULL unknown) decides where it is given; a file with
 * both is an error then only when it is not. */
int ncu_numerals_decide(const struct ncu_numerals *numerals, const char *locale, char *decimal,
			struct error *err);

/* The number times ten to the `exponent`, rounded once. "", "no data", "n/a", "nan": NAN and true.
 * False when the cell is no number at all. */
bool ncu_number(struct span cell, char decimal, int exponent, double *number);
