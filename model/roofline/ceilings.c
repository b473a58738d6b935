/* The table of measured peaks, and their attributes read back. */
#include "model/roofline/ceilings.h"

const struct measured_peak ceiling_peaks[CEILING_PEAKS] = {
	{"measured_hbm_bandwidth", "HBM", "GB/s", false},
	{"measured_mall_bandwidth", "MALL", "GB/s", false},
	{"measured_l2_bandwidth", "L2", "GB/s", false},
	{"measured_l1_bandwidth", "L1", "GB/s", false},
	{"measured_lds_bandwidth", "LDS", "GB/s", false},
	{"measured_fp32_peak", "fp32", "GFLOP/s", true},
	{"measured_fp64_peak", "fp64", "GFLOP/s", true},
	{"measured_matrix_bf16_peak", "bf16", "GFLOP/s", true},
	{"measured_matrix_fp16_peak", "fp16", "GFLOP/s", true},
	{"measured_matrix_fp32_peak", "fp32 matrix", "GFLOP/s", true},
	{"measured_matrix_fp64_peak", "fp64 matrix", "GFLOP/s", true},
	{"measured_matrix_fp8_peak", "fp8", "GFLOP/s", true},
	{"measured_matrix_fp4_peak", "fp4", "GFLOP/s", true},
	{"measured_matrix_int8_peak", "int8", "Gop/s", true},
};

double ceiling_rate(const struct run *run, const struct measured_peak *peak, const char **source)
{
	const char *text = run_attribute(run, peak->attribute);
	double number;
	*source = "";
	if (!text)
		return NAN;
	struct span rest = span_of(text);
	struct span first = span_cut(&rest, ' '), unit = span_cut(&rest, ',');
	if (!span_number(first, &number) || !span_eq(unit, span_of(peak->unit)) ||
	    !(number > 0 && number < 1e12))
		return NAN;
	rest = span_trim(rest);
	*source = rest.len ? rest.ptr : "";
	return number * 1e9;
}
