/* Rules for work that was not done, or that something else did: fewer FLOP or bytes than the work
 * needs, repeats of which some did no work, a library's kernel under another name, and a tensor
 * pipe of a lower precision than the run's dtype. A profile that fires one may be right: the
 * sentence states the numbers. */

#include "model/roofline/rule.h"
#include "model/run/runs.h"

static double work_flops(const struct run *run, struct rule_details *details)
{
	double counted = run_number(run, METRIC_USEFUL_FLOPS);
	double needed = run->work ? run->work->flops : NAN;
	details->values[0] = message_quantity(counted, UNIT_FLOP);
	details->values[1] = message_quantity(needed, UNIT_FLOP);
	return needed > 0 ? counted / needed : NAN;
}

/* Bytes of operands that a cache kept from the last execution are not read again; no device has a
 * larger cache. */
static const double largest_cache = 512.0 * 1024 * 1024;

static double work_bytes(const struct run *run, struct rule_details *details)
{
	double counted = run_number(run, METRIC_HBM_BYTES);
	double needed = run->work ? run->work->bytes : NAN;
	details->values[0] = message_quantity(counted, UNIT_BYTE);
	details->values[1] = message_quantity(needed, UNIT_BYTE);
	return needed - counted > largest_cache ? counted / needed : NAN;
}

/* Neuron's device memory has no cache. */
static double operand_bytes(const struct run *run, struct rule_details *details)
{
	details->values[0] = message_quantity(run_number(run, METRIC_HBM_BYTES), UNIT_BYTE);
	details->values[1] =
		message_quantity(run_number(run, METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES), UNIT_BYTE);
	return run_number(run, METRIC_REUSE);
}

/* --- repeats --- */

/* Modes of a caching layer, of clocks and of noise are less far apart. */
static const double far_factor = 10;
/* The first repeats may warm up. */
static const double least_share = 0.2;
enum { LEAST_REPEATS = 5 };

/* Index of the first of the slow repeats, if the sorted times fall into two far modes; 0: they do
 * not. */
static size_t modes_of(const double *sorted, size_t count)
{
	size_t least = (size_t)ceil(least_share * (double)count);
	for (size_t i = least; i > 0 && i + least <= count; i++)
		if (sorted[i - 1] > 0 && sorted[i] > far_factor * sorted[i - 1])
			return i;
	return 0;
}

/* Launches of a name are repeats of one another only where a benchmark says so. */
static bool has_repeats(const struct run *run, const struct run_spread *spread)
{
	return spread && spread->number_count >= LEAST_REPEATS &&
	       isnan(run_number(run, METRIC_LAUNCH_COUNT));
}

static double far_modes(const struct run *run, struct rule_details *details)
{
	const struct run_spread *spread = run_spread(run, METRIC_TOTAL_TIME);
	struct arena scratch = {0};
	if (!has_repeats(run, spread))
		spread = run_spread(run, METRIC_HOST_TIME);
	if (!has_repeats(run, spread))
		return NAN;
	size_t count = spread->number_count;
	double *sorted = arena_array(&scratch, count, sizeof *sorted);
	memcpy(sorted, spread->numbers, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, array_by_double);
	size_t slow = modes_of(sorted, count);
	double factor = slow ? sorted[slow] / sorted[slow - 1] : NAN;
	if (slow) {
		details->values[0] = message_integer(slow);
		details->values[1] = message_integer(count);
		details->values[2] = message_quantity(sorted[slow - 1], UNIT_SECOND);
		details->values[3] = message_quantity(sorted[slow], UNIT_SECOND);
	}
	arena_free(&scratch);
	return factor;
}

/* --- who did it --- */

/* Kernels of vendors' libraries, by how their names begin. */
static const struct {
	const char *pattern, *name;
} libraries[] = {
	{"nvjet_*", "cuBLAS"},          {"*cublas*", "cuBLAS"},
	{"volta_*gemm_*", "cuBLAS"},    {"turing_*gemm_*", "cuBLAS"},
	{"ampere_*gemm_*", "cuBLAS"},   {"maxwell_*gemm_*", "cuBLAS"},
	{"sm??_xmma_gemm_*", "cuBLAS"}, {"sm???_xmma_gemm_*", "cuBLAS"},
	{"*cudnn*", "cuDNN"},           {"sm??_xmma_fprop_*", "cuDNN"},
	{"Cijk_*", "Tensile"},          {"miopen*", "MIOpen"},
};

/* Words of names that promise nothing else. */
static const char *const admitted[] = {
	"*blas*",  "*cudnn*",    "*nvjet*",     "*gemm_*",  "*library*", "*torch*",  "*aten*",
	"*eager*", "*baseline*", "*reference*", "*vendor*", "*Cijk*",    "*miopen*", "*xmma*"};

const char *findings_library_of(const char *symbol)
{
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		if (span_glob(libraries[i].pattern, symbol))
			return libraries[i].name;
	return NULL;
}

static bool is_admitted(const char *name)
{
	bool found = false;
	for (size_t i = 0; i < sizeof admitted / sizeof *admitted; i++)
		found = found || (name && span_glob(admitted[i], name));
	return found;
}

static double library_kernel(const struct run *run, struct rule_details *details)
{
	const char *symbol = run_attribute(run, "kernel_symbol");
	const char *library = symbol ? findings_library_of(symbol) : NULL;
	/* The kernels of a program are stages of it. */
	if (!library || !run->kernel || run_param(run, "stage") || strstr(symbol, run->kernel) ||
	    is_admitted(run->kernel) || is_admitted(run->variant))
		return NAN;
	details->values[0] = message_text(run->kernel);
	details->values[1] = message_text(symbol);
	details->values[2] = message_text(library);
	return 1;
}

/* NVIDIA's tensor pipe has no FP32: it rounds operands to TF32 or less. */
static double lower_precision(const struct run *run, struct rule_details *details)
{
	double share =
		run_number(run, METRIC_TENSOR_FLOPS) / run_number(run, METRIC_HARDWARE_FLOPS);
	if (!run->tool || strcmp(run->tool, "ncu") != 0 || !run->dtype ||
	    dtype_find(run->dtype) != DTYPE_FP32)
		return NAN;
	details->values[0] = message_quantity(run_number(run, METRIC_TENSOR_FLOPS), UNIT_FLOP);
	details->values[1] = message_quantity(run_number(run, METRIC_HARDWARE_FLOPS), UNIT_FLOP);
	return share;
}

static const struct rule rows[] = {
	{"fewer-flops", MESSAGE_TITLE_CHECK_WORK, SEVERITY_DATA, "useful_flops / formula",
	 work_flops, BELOW, 0.9, UNIT_FRACTION, MESSAGE_FOUND_FEWER_FLOPS, MESSAGE_ADVICE_SKIPPED,
	 NULL},
	{"fewer-bytes", MESSAGE_TITLE_CHECK_WORK, SEVERITY_DATA, "hbm_bytes / formula", work_bytes,
	 BELOW, 0.9, UNIT_FRACTION, MESSAGE_FOUND_FEWER_BYTES, MESSAGE_ADVICE_SKIPPED, NULL},
	{"operands-left", MESSAGE_NONE, SEVERITY_INFO, "traffic_ratio", operand_bytes, BELOW, 0.9,
	 UNIT_FRACTION, MESSAGE_FOUND_OPERANDS_LEFT, MESSAGE_ADVICE_OPERANDS_LEFT, NULL},
	{"far-modes", MESSAGE_TITLE_CHECK_WORK, SEVERITY_DATA, "slow repeat / fast repeat",
	 far_modes, ABOVE, 10, UNIT_NONE, MESSAGE_FOUND_FAR_MODES, MESSAGE_ADVICE_FAR_MODES, NULL},
	{"library-kernel", MESSAGE_TITLE_CHECK_WORK, SEVERITY_DATA, "kernel_symbol", library_kernel,
	 AT_LEAST, 1, UNIT_COUNT, MESSAGE_FOUND_LIBRARY_KERNEL, MESSAGE_ADVICE_LIBRARY_KERNEL,
	 NULL},
	{"lower-precision", MESSAGE_TITLE_CHECK_WORK, SEVERITY_DATA,
	 "tensor_flops / hardware_flops", lower_precision, AT_LEAST, 0.5, UNIT_FRACTION,
	 MESSAGE_FOUND_LOWER_PRECISION, MESSAGE_ADVICE_LOWER_PRECISION, NULL},
};

const struct rule *findings_skipped_rules(size_t *count)
{
	*count = sizeof rows / sizeof *rows;
	return rows;
}
