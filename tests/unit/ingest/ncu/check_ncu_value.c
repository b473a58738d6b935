/* Numbers in either locale, and units in every spelling. */
#include "ingest/ncu/value.h"

#include <math.h>
#include <string.h>

#include "tests/unit/unit.h"

static const struct {
	const char *unit;
	enum ncu_kind kind;
	int exponent;
} units[] = {
	{"", NCU_PLAIN, 0},
	{"%", NCU_FRACTION, -2},
	{"ns", NCU_SECONDS, -9},
	{"nsecond", NCU_SECONDS, -9},
	{"us", NCU_SECONDS, -6},
	{"usecond", NCU_SECONDS, -6},
	{"\xc2\xb5s", NCU_SECONDS, -6},
	{"ms", NCU_SECONDS, -3},
	{"msecond", NCU_SECONDS, -3},
	{"s", NCU_SECONDS, 0},
	{"second", NCU_SECONDS, 0},
	{"hz", NCU_HERTZ, 0},
	{"Khz", NCU_HERTZ, 3},
	{"Mhz", NCU_HERTZ, 6},
	{"Ghz", NCU_HERTZ, 9},
	{"cycle/second", NCU_HERTZ, 0},
	{"cycle/usecond", NCU_HERTZ, 6},
	{"cycle/nsecond", NCU_HERTZ, 9},
	{"Kcycle/ms", NCU_HERTZ, 6},
	{"byte", NCU_BYTES, 0},
	{"Kbyte", NCU_BYTES, 3},
	{"Mbyte", NCU_BYTES, 6},
	{"Gbyte", NCU_BYTES, 9},
	{"Tbyte", NCU_BYTES, 12},
	{"byte/block", NCU_BYTES, 0},
	{"Kbyte/block", NCU_BYTES, 3},
	{"byte/cycle", NCU_BYTES, 0},
	{"byte/s", NCU_BYTES_PER_SECOND, 0},
	{"Gbyte/s", NCU_BYTES_PER_SECOND, 9},
	{"Gbyte/second", NCU_BYTES_PER_SECOND, 9},
	{"byte/ns", NCU_BYTES_PER_SECOND, 9},
	{"inst", NCU_PLAIN, 0},
	{"Minst", NCU_PLAIN, 6},
	{"inst/cycle", NCU_PLAIN, 0},
	{"register/thread", NCU_PLAIN, 0},
	{"SM", NCU_PLAIN, 0},
	{"pass", NCU_PLAIN, 0},
	{"branches", NCU_PLAIN, 0},
};

START_TEST(units_are_known)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		int exponent = 99;
		enum ncu_kind kind = ncu_unit(span_of(units[i].unit), &exponent);
		ck_assert_msg(kind == units[i].kind && exponent == units[i].exponent,
			      "%s: kind %d, exponent %d", units[i].unit, (int)kind, exponent);
		ck_assert(ncu_kind_name(kind)[0]);
	}
}
END_TEST

static const struct {
	const char *text;
	char decimal;
	double expected;
} numbers[] = {
	{"0", '.', 0},
	{"12", '.', 12},
	{"1,234", '.', 1234},
	{"1,234", ',', 1.234},
	{"1.234", '.', 1.234},
	{"1.234", ',', 1234},
	{"5,318,969,728.00", '.', 5318969728},
	{"5.318.969.728,00", ',', 5318969728},
	{"9,00", ',', 9},
	{"15,72", ',', 15.72},
	{"1\xc2\xa0"
	 "234,5",
	 ',', 1234.5},
	{"1\xe2\x80\xaf"
	 "234,5",
	 ',', 1234.5},
	{"1'234.5", '.', 1234.5},
	{"-3.5", '.', -3.5},
	{"12 (5; 7)", '.', 12},
	{"1.5e+03", '.', 1500},
	{"", '.', NAN},
	{"no data", '.', NAN},
	{"n/a", '.', NAN},
	{"N/A", '.', NAN},
	{"nan", '.', NAN},
	{"-nan(ind)", '.', NAN},
	{"inf", '.', NAN},
};

START_TEST(numbers_are_read)
{
	static const char *const none[] = {
		"soon", "12 ms", ".",   ",5", "1.2.3x", "CachePreferNone",
		"0x10", "1e999", "--1", "1-2"};
	double number;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		double expected = numbers[i].expected;
		ck_assert_msg(ncu_number(span_of(numbers[i].text), numbers[i].decimal, 0, &number),
			      "%s", numbers[i].text);
		ck_assert_msg(number == expected || (isnan(number) && isnan(expected)), "%s: %g",
			      numbers[i].text, number);
	}
	/* Rounded once: 61.84 / 100 is not 0.6184. */
	ck_assert(ncu_number(span_of("61.84"), '.', -2, &number) && number == 0.6184);
	ck_assert(ncu_number(span_of("54,56"), ',', -6, &number) && number == 54.56e-6);
	ck_assert(ncu_number(span_of("1e2"), '.', 3, &number) && number == 1e5);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ck_assert_msg(!ncu_number(span_of(none[i]), '.', 0, &number), "%s", none[i]);
}
END_TEST

/* What a file says of its decimal sign; '?': that it says both. */
static const struct {
	const char *cells[3];
	const char *locale;
	char decimal;
} files[] = {
	{{"1,234", "12"}, NULL, '.'},     {{"1,234", "9,00"}, NULL, ','},
	{{"1,234", "9.5"}, NULL, '.'},    {{"1,234,567"}, NULL, '.'},
	{{"1.234.567"}, NULL, ','},       {{"1,234.5"}, NULL, '.'},
	{{"1.234,5"}, NULL, ','},         {{"1234,567"}, NULL, ','},
	{{"1.234"}, NULL, '.'},           {{"9,00", "9.00"}, NULL, '?'},
	{{"9,00", "9.00"}, ".", '.'},     {{"1,234"}, ",", ','},
	{{"soon", "n/a", ""}, NULL, '.'},
};

START_TEST(files_tell_their_decimal_sign)
{
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct ncu_numerals numerals = {0};
		struct error err;
		char decimal = '?';
		for (size_t k = 0; k < 3 && files[i].cells[k]; k++)
			ncu_numerals_look(&numerals, span_of(files[i].cells[k]), k + 1);
		int rc = ncu_numerals_decide(&numerals, files[i].locale, &decimal, &err);
		ck_assert_msg(decimal == files[i].decimal, "%s: %c", files[i].cells[0], decimal);
		if (rc < 0)
			ck_assert_str_eq(err.text,
					 "line 1 has a decimal comma and line 2 a decimal point; "
					 "choose one with --decimal");
	}
}
END_TEST

UNIT_MAIN("ncu_value", units_are_known, numbers_are_read, files_tell_their_decimal_sign)
