/*
 * Numbers with units, as people read and write them. Inside the program every
 * quantity is in SI base units (seconds, bytes, FLOP/s ...) or a fraction of 1;
 * prefixes exist only here. Prefixes are powers of 1000 (MB is 1e6 bytes).
 */
#ifndef BASE_TEXT_QUANTITY_H
#define BASE_TEXT_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/span.h"
#include "base/strbuf.h"

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
	UNIT_PER_SECOND, /* things a second: tokens, requests */
	UNIT_LIMIT
};

/* "s", "B", "FLOP/s" ...: the unit of the stored number; "1" for plain numbers and fractions. */
const char *unit_symbol(enum unit unit);

/* Adds what a script prints numbers of the unit by, in JSON: [what follows the prefix, whether
 * prefixes below 1 make sense, and above 1]. null follows a plain number, "" a count. */
void quantity_add_unit(struct strbuf *out, enum unit unit);

/* Adds the number with four significant digits, a fitting prefix and its unit: "45.26 us",
 * "6.816 MB", "157.3 TFLOP/s", "5.657 %", "3,458". NAN becomes "unknown". ASCII only. */
void quantity_add(struct strbuf *out, double number, enum unit unit);
/* A relative change with a sign and two decimals: +0.0312 gives "+3.12 %", NAN "unknown". */
void quantity_add_change(struct strbuf *out, double change);
/* The same two in arena memory. */
const char *quantity_text(struct arena *arena, double number, enum unit unit);
const char *quantity_change_text(struct arena *arena, double change);
/* With one decimal: 0.0312 gives "3.1 %", NAN "unknown". */
const char *quantity_percent_text(struct arena *arena, double fraction);
/* A difference: "+4.920 us", "-4.920 us". */
const char *quantity_signed_text(struct arena *arena, double difference, enum unit unit);

/* "12.5 %": a share with one decimal; NAN "unknown". */
const char *quantity_percent_text(struct arena *arena, double fraction);

/* "1 commit", "3 commits": the number with the word that fits it. */
const char *quantity_count_text(struct arena *arena, size_t count, const char *one,
				const char *many);

/* How the numbers of one column are shown so that they compare at a glance: with one prefix, that
 * of the one in the middle, and with as many decimals. */
struct quantity_scale {
	enum unit unit;
	double factor; /* what is shown is the number times this */
	int decimals;
	char text[16]; /* of the unit: "us", "TFLOP/s", "%"; "" for plain numbers */
};
/* Of the numbers that are finite and not 0. */
struct quantity_scale quantity_scale_of(const double *numbers, size_t count, enum unit unit);
/* The bare digits; what they would not show, and what is very large, with an exponent; NAN becomes
 * "unknown". */
const char *quantity_scaled_text(struct arena *arena, const struct quantity_scale *scale,
				 double number);

/* Reads "45.26 us" (micro also as a Greek letter), "716 GB/s", "78.6 TFLOP/s", "30 %", "0.3",
 * "1.2e9" into base units; a bare number is taken as already in the base unit. False when text or
 * unit does not fit. */
bool quantity_parse(struct span text, enum unit unit, double *number);

#endif
