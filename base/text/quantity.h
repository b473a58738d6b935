/*
 * Numbers with units, as users read and write them.
 *
 * Inside the program every quantity is in SI base units (seconds, bytes, FLOP/s ...) or a fraction
 * of 1. Prefixes exist only here. They are powers of 1000: 1 MB is 1e6 bytes. Texts are ASCII.
 */
#pragma once

#include "base/base.h"

enum unit {
	UNIT_NONE,  /* a plain number */
	UNIT_COUNT, /* an integer, printed whole with thousands separators */
	UNIT_SECOND,
	UNIT_BYTE,
	UNIT_FLOP,
	UNIT_BYTE_PER_SECOND,
	UNIT_FLOP_PER_SECOND,
	UNIT_FLOP_PER_BYTE,
	UNIT_FRACTION, /* 0 to 1, printed as a percentage */
	UNIT_HERTZ,
	UNIT_PER_SECOND, /* events per second: tokens, requests */
	UNIT_LIMIT
};

/* The unit of the number as it is stored: "s", "B", "FLOP/s" ...; "1" for plain numbers, counts and
 * fractions. */
const char *quantity_unit_symbol(enum unit unit);

/* Adds a JSON array by which a script formats numbers of the unit: the text after the prefix (null
 * for a plain number, "" for a count), 1 if prefixes below 1 are used, 1 if those above 1 are. */
void quantity_add_unit(struct strbuf *out, enum unit unit);

/* Adds the number with four significant digits, a suitable prefix and its unit: "45.26 us",
 * "6.816 MB", "157.3 TFLOP/s", "5.657 %", "3,458". NAN becomes "unknown". */
void quantity_add(struct strbuf *out, double number, enum unit unit);
/* The same with three digits: "45.3 us". */
void quantity_add_short(struct strbuf *out, double number, enum unit unit);
/* Adds two numbers with three digits, or with four if they differ by less than 5 %, and the unit of
 * the larger one: "66.2 -> 78.4 us". Each has its own unit if they differ by more than a factor
 * of 100. */
void quantity_add_sides(struct strbuf *out, double before, double after, enum unit unit);
/* Adds a relative change with its sign and two decimals: 0.0312 becomes "+3.12 %". NAN and infinity
 * become "unknown". */
void quantity_add_change(struct strbuf *out, double change);
/* The same as texts in the arena. */
const char *quantity_text(struct arena *arena, double number, enum unit unit);
const char *quantity_change_text(struct arena *arena, double change);
/* The change from the reference to the number, with as many digits as it needs: "+1.85 %",
 * "+3.1e-09" where two decimals would print zero, "equal". */
const char *quantity_exact_change_text(struct arena *arena, double reference, double number);
/* A difference with its sign: "+4.920 us", "-4.920 us". */
const char *quantity_signed_text(struct arena *arena, double difference, enum unit unit);

/* A share with one decimal: 0.125 becomes "12.5 %", NAN "unknown". */
const char *quantity_percent_text(struct arena *arena, double fraction);

/* A count with its noun: "1 commit", "3 commits". */
const char *quantity_count_text(struct arena *arena, size_t count, const char *one,
				const char *many);

/* Adds a text as pages and pictures show it: micro is the Greek letter in "12 us", "Time, us",
 * "耗时，us" and "us". */
void quantity_add_typeset(struct strbuf *out, struct span text);

/* The common format of the numbers in a column, so that they can be compared at a glance: the
 * prefix of their median, and the same number of decimals. */
struct quantity_scale {
	enum unit unit;
	double factor; /* shown number / stored number */
	int decimals;
	char text[16]; /* prefix and unit: "us", "TFLOP/s", "%"; "" for plain numbers */
};
/* Chosen from the numbers that are finite and not 0. */
struct quantity_scale quantity_scale_of(const double *numbers, size_t count, enum unit unit);
/* The digits without the unit. A number that is too small for the decimals, or very large, is shown
 * with an exponent or more decimals. NAN becomes "unknown". */
const char *quantity_scaled_text(struct arena *arena, const struct quantity_scale *scale,
				 double number);

/* Parses "45.26 us" (micro may be the Greek letter), "716 GB/s", "78.6 TFLOP/s", "30 %", "0.3" or
 * "1.2e9" into base units. A number without a unit is in the base unit. False, and *number
 * unchanged, if the text is not a number or has another unit. */
bool quantity_parse(struct span text, enum unit unit, double *number);
