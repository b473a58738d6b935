/* Measured peaks are read back from the attributes that state them. */
#include "unit/unit.h"

#include <math.h>

#include "model/roofline/ceilings.h"

START_TEST(rates_are_in_si_units_with_their_source)
{
	static const struct {
		const char *text;
		double rate; /* NAN: not a rate */
		const char *source;
	} rows[] = {
		{"1388.95 GB/s, median of 4 devices, measured by rocprof-compute", 1388.95e9,
		 "median of 4 devices, measured by rocprof-compute"},
		{"20 GB/s", 20e9, ""},
		{"20 TB/s, measured", NAN, ""},
		{"20 GFLOP/s, measured", NAN, ""},
		{"-20 GB/s, measured", NAN, ""},
		{"nan GB/s", NAN, ""},
		{"GB/s", NAN, ""},
		{"", NAN, ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct run_attribute attribute = {"measured_hbm_bandwidth", rows[i].text};
		const struct run run = {.attributes = &attribute, .attribute_count = 1};
		const char *source;
		double rate = ceiling_rate(&run, &ceiling_peaks[0], &source);
		ck_assert_msg(isnan(rows[i].rate) ? isnan(rate) : rate == rows[i].rate, "%s: %g",
			      rows[i].text, rate);
		ck_assert_str_eq(source, rows[i].source);
		ck_assert(isnan(ceiling_rate(&run, &ceiling_peaks[1], &source)));
	}
}
END_TEST

UNIT_MAIN("ceilings", rates_are_in_si_units_with_their_source)
